#!/usr/bin/env python3
"""The twelfth set of loops in PyTorch, continued from torch12_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import gc
import sys

import numpy as np
import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch12_parts import Atoms, Guessed
from torch2_parts import BF16, Recommender, Update, class_loss, encoder
from torch_loops import main
from torch_parts import Collector, Delayed, Loader, Prefetcher, as_graph, labels, network

pairs = loop_runner.Pairs("torch12_more")


@pairs.pair("python host-late pageable readback host-sync", allowed=("launch-bound",))
def weights_drawn_by_numpy(variant):
    """A network learns five times a step; then how its weights are spread is noted, 64 shares of each of six layers: by
    numpy, from the weights; mended, by the device, and noted a step later. 35 to 70 %."""
    torch.manual_seed(12)
    model, x, y = network(256, 256, 6), torch.randn(65536, 256, device="cuda", dtype=BF16), labels(65536)
    update, late, seen = Update(model), Delayed((6, 64), torch.float32), {}
    weights = [p.detach() for p in update.parameters if p.shape == (256, 256)]

    def by_numpy():
        return [np.histogram(w.float().cpu().numpy(), 64, (-0.1, 0.1))[0] for w in weights]

    def by_device(i):
        return late.exchange(i, torch.stack([torch.histc(w.float(), 64, -0.1, 0.1) for w in weights])).tolist()

    def step(i):
        for _ in range(5):
            seen["loss"] = update.backward(class_loss(model(x), y))
            update.step()
        seen["spread"] = by_numpy() if variant == "bad" else by_device(i)
    return giving(step, lambda: seen["loss"])


@pairs.pair("python host-late")
def garbage_collected_by_hand(variant):
    """A text model learns. After each fourth step Python looks for garbage, so that the memory of the device does not
    run out, which it would not; mended, it does not look. 35 to 80 %."""
    torch.manual_seed(12)
    model, texts, seen = encoder(1024, 8, 3), torch.randn(24, 512, 1024, device="cuda", dtype=BF16), {}
    update = Update(model)

    def step(i):
        seen["loss"] = update.backward(model(texts).float().square().mean())
        update.step()
        if variant == "bad" and i % 4 == 3:
            gc.collect()
    return giving(step, lambda: seen["loss"])


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def progress_shows_loss(variant):
    """A forecast of 64 numbers is learned, six updates a step. A line shows how far it is and the loss; mended, the one
    before. 2 to 9 %."""
    torch.manual_seed(12)
    model, log = network(512, 2048, 4, 64), {}
    past, coming = torch.randn(8192, 512, device="cuda", dtype=BF16), torch.randn(8192, 64, device="cuda")
    update, late = Update(model), Delayed((), torch.float32)

    def step(i):
        for number in range(6 * i, 6 * i + 6):
            loss = update.backward(F.mse_loss(model(past).float(), coming))
            update.step()
            known = loss if variant == "bad" else late.exchange(number, loss)
            log["line"] = f"update {number:6d} loss {known:.4f}"
        log["loss"] = loss
    return giving(step, lambda: log["loss"])


@pairs.pair("data-loading host-late python", allowed=("launch-bound",))
def rows_collated_one_by_one(variant):
    """A network learns of a table of 32 columns. Twice a step a DataLoader takes 1024 rows one by one and
    puts them together; mended, the table is on the device and they are taken from there at once. 35 to 70 %."""
    torch.manual_seed(12)
    rows, order = torch.randn(524288, 32), torch.randperm(524288)
    model, y, seen = network(32, 6144, 4), labels(1024), {}
    update = Update(model)
    if variant == "bad":
        data = torch.utils.data.TensorDataset(rows)
        loader = Loader(data, 0, batch_size=1024, sampler=order.tolist())
    else:
        table, places = rows.to("cuda"), order.to("cuda").split(1024)

    def step(i):
        for number in (2 * i, 2 * i + 1):
            if variant == "bad":
                x = loader.next()[0].to("cuda", non_blocking=True)
            else:
                x = table.index_select(0, places[number % len(places)])
            seen["loss"] = update.backward(class_loss(model(x.to(BF16)), y))
            update.step()
    return giving(step, lambda: seen["loss"])


@pairs.pair("readback host-sync")
def good_words_counted_on_host(variant):
    """A small network guesses four words of 32 texts and a large one judges them, a graph, 12 times a step. How
    many are good is read after each time; mended, a round later. 3 to 12 %."""
    torch.manual_seed(12)
    guessed, late = Guessed(32, 2048, 6), Delayed((32,), torch.long)
    graph, lengths = as_graph(guessed.round), [0] * 32

    def step(i):
        for number in range(12 * i, 12 * i + 12):
            graph.replay()
            good = guessed.good if variant == "bad" else late.exchange(number, guessed.good)
            for text, count in enumerate(good.tolist()):
                lengths[text] += count
    return giving(step, lambda: 1 + guessed.good.float().mean())


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def atoms_watched_each_move(variant):
    """32768 atoms with 64 neighbours each move 24 times a step. If one went too far since the lists were made, they are
    made again: the host asks after each move; mended, it hears so a move later. 6 to 20 %."""
    torch.manual_seed(12)
    atoms, late = Atoms(32768, 64), Delayed((), torch.float32)

    @torch.no_grad()
    def step(i):
        for number in range(24 * i, 24 * i + 24):
            atoms.move()
            far = atoms.furthest()
            far = far.item() if variant == "bad" else float(late.exchange(number, far))
            if number > 0 and far > 1:
                atoms.list_again()
    return giving(step, lambda: size_of(atoms.places))


# ---- nothing to mend

@pairs.healthy()
def healthy_policy_learns(variant):
    """A policy learns of 65536 moves in four parts, which are drawn on the device. What was lost is added up there and
    looked at a step later."""
    torch.manual_seed(12)
    model, late, log = network(256, 2048, 4), Delayed((), torch.float32), {}
    states, done = torch.randn(65536, 256, device="cuda", dtype=BF16), labels(65536)
    gained, chances = torch.randn(65536, device="cuda"), torch.full((65536,), -2.7726, device="cuda")
    update = Update(model)

    def step(i):
        sums = torch.zeros((), device="cuda")
        for some in torch.randperm(65536, device="cuda").split(16384):
            now = -F.cross_entropy(model(states[some]).float(), done[some], reduction="none")
            ratio, gain = (now - chances[some]).exp(), gained[some]
            sums += update.backward(-torch.minimum(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean())
            update.step()
        log["lost"] = float(late.exchange(i, sums))
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_goods_ranked(variant):
    """Six batches of visits a step come ahead, 26 numbers of goods each; the four best answers leave in a stream of
    their own, two slots, and are looked at a batch later."""
    with torch.device("cuda"):
        model = Recommender(2_000_000).to(BF16).requires_grad_(False)
    visits = Prefetcher([torch.randint(0, 2_000_000, (49152, 26)).pin_memory() for _ in range(2)])
    numbers, log = torch.randn(49152, 16, device="cuda", dtype=BF16), {}
    best = Collector((49152, 4), torch.long)

    @torch.no_grad()
    def step(i):
        for number in range(6 * i, 6 * i + 6):
            scores = model(visits.take(number), numbers)
            visits.give_back(number)
            best.take(number, scores.topk(4)[1])
            best.done[1 - number % 2].synchronize()
            log["best"] = int(best.host[1 - number % 2][0, 0])
    return step


@pairs.healthy()
def healthy_words_judged_in_graph(variant):
    """A small network guesses words of 128 texts and a large one judges them, a graph, three times a step; the host
    hears of it a step later."""
    guessed, late, log = Guessed(128, 4096, 4), Delayed((128,), torch.long), {}
    graph = as_graph(guessed.round)

    def step(i):
        for _ in range(3):
            graph.replay()
        log["good"] = late.exchange(i, guessed.good).tolist()
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
