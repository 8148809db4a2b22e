#!/usr/bin/env python3
"""A fifteenth set of loops in PyTorch. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import concurrent.futures
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch15_parts import Car, Coded, PinnedToCopy, Search, Teams, Translator, Turns
from torch2_parts import BF16, Update, class_loss
from torch_loops import main
from torch_parts import Collector, Delayed, Prefetcher, host_batches, labels, network

pairs = loop_runner.Pairs("torch15")


@pairs.pair("priority", allowed=("stretched",))
def steering_behind_map(variant):
    """A car fills in a map of 64 Mi places by twelve large grids, and finds how to steer by a chain of 64 small kernels
    in another stream. The map was given the higher priority, and each of its grids keeps the chain waiting; mended, the
    chain has it. 5 to 20 %."""
    torch.manual_seed(15)
    car, late, log = Car(32, 12, variant == "mended"), Delayed((), torch.float32), {}

    @torch.no_grad()
    def step(i):
        log["before"] = float(late.exchange(i, car.step()))
    return giving(step, lambda: size_of(car.known))


@pairs.pair("too-few-streams", allowed=("stretched", "both-directions"))
def tiles_of_slides_by_two(variant):
    """Tiles of slides under a microscope, 25 MB, come, are made clear and leave, four rounds a step, alternately in
    two streams: a copy of 0.5 ms each way around kernels of 0.75 ms; mended, in three streams. 8 to 30 %."""
    torch.manual_seed(15)
    model = network(1024, 2048, 4, 1024).requires_grad_(False)
    turns = Turns(model, host_batches((12288, 1024), True), 2 if variant == "bad" else 3)

    def step(i):
        for _ in range(4):
            turns.go()
    return giving(step, lambda: size_of(turns.last()))


@pairs.pair("allocation device-barrier", allowed=("stretched",))
def recordings_pinned_for_each_copy(variant):
    """How the ground moved is learned. Recordings of 12288 moments, 13 MB, come a step ahead from where they were read
    to, ordinary memory: it is pinned for each copy, and let go after it; mended, it is pinned once. 20 to 60 %."""
    torch.manual_seed(15)
    model, y, seen = network(512, 2048, 4), labels(12288), {}
    update, recordings = Update(model), PinnedToCopy(host_batches((12288, 512), False), variant == "mended")

    def step(i):
        seen["loss"] = update.backward(class_loss(model(recordings.take(i)), y))
        recordings.give_back(i)
        update.step()
    return giving(step, lambda: seen["loss"], recordings.close)


@pairs.pair("event-order", allowed=("event-order", "stretched"))
def moves_wait_for_all_teams(variant):
    """What eight teams of a game see is found in one stream, and what they do in another one, by graphs of small
    kernels. The next look needs what all did. What the first team does waits until the last one saw; mended, each
    waits for what it saw itself. 28 to 45 %."""
    torch.manual_seed(15)
    teams, late, log = Teams(512, 1024, 16, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        log["before"] = teams.step(late, i)
    return giving(step, lambda: size_of(teams.players))


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def worst_light_taken_by_index(variant):
    """A network learns to tell seeds apart, four updates a step. Of four kinds of light it learns from the one in which
    it is worst. That is taken by an index on the device, which the host reads; mended, by index_select(). 3 to 9 %."""
    torch.manual_seed(15)
    model, y, seen = network(256, 2048, 4), labels(2048), {}
    update, seeds = Update(model), torch.randn(4, 2048, 256, device="cuda", dtype=BF16)
    lights, known = torch.rand(4, 1, 256, device="cuda").add_(0.5).to(BF16), y.repeat(4)

    def worst_of(tried):
        with torch.no_grad():
            losses = F.cross_entropy(model(tried.flatten(0, 1)).float(), known, reduction="none")
            worst = losses.view(4, -1).mean(1).argmax()
            return tried[worst] if variant == "bad" else tried.index_select(0, worst.view(1)).squeeze(0)

    def step(i):
        for x in seeds:
            seen["loss"] = update.backward(class_loss(model(worst_of(x * lights)), y))
            update.step()
    return giving(step, lambda: seen["loss"])


@pairs.pair("host-sync device-barrier", allowed=("host-sync", "stretched"))
def answers_waited_for_by_all(variant):
    """Two threads of a search server, a stream each: one suggests words, five short graphs a step, and one ranks pages,
    a long graph; both are small. Before the answers to the group before are looked at, each thread waits for all that
    the device does; mended, for these answers. 25 to 50 %."""
    torch.manual_seed(15)
    search = Search((30, 140), variant == "bad")
    return giving(lambda i: search.step((5, 1)), lambda: sum(size_of(found) for found in search.found), search.close)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_translators_in_threads(variant):
    """Three threads translate, with a stream each. Texts of 8 MB come ahead in streams of their own, a number of the
    host is copied as it is, and each thread waits for the answers to the texts before while others are under way."""
    torch.manual_seed(15)
    model, pool = network(1024, 4096, 4, 1024).requires_grad_(False), concurrent.futures.ThreadPoolExecutor(3)
    translators = [Translator(model, host_batches((4096, 1024), True)) for _ in range(3)]

    def step(i):
        for answered in [pool.submit(translator.answer, i) for translator in translators]:
            answered.result()
    step.finish = pool.shutdown
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_sound_coded(variant):
    """A code of sounds is learned, with a book that follows what it stands for. Sounds come a step ahead, the codes
    leave in a stream of their own, two slots, and they and the loss of the step before are looked at."""
    torch.manual_seed(15)
    model, sounds, log = Coded(256, 2048), Prefetcher(host_batches((16384, 256), True)), {}
    late = Delayed((), torch.float32)
    update, leaving, begun = Update(model), Collector((16384,), dtype=torch.long), torch.cuda.Event()

    def step(i):
        begun.record()
        loss, codes = model(sounds.take(i))
        leaving.take(i, codes)
        lost = update.backward(loss)
        sounds.give_back(i)
        update.step()
        log["loss"] = float(late.exchange(i, lost))
        leaving.done[1 - i % 2].synchronize()
        log["code"] = int(leaving.host[1 - i % 2][0])
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
