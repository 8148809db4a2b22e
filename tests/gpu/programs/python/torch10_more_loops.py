#!/usr/bin/env python3
"""The tenth set of loops in PyTorch, continued from torch10_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch10_parts import Masked, Player, Sensor
from torch2_parts import BF16, Residual, Update, convolutional, encoder, images
from torch_loops import main
from torch_parts import Collector, Delayed, Prefetcher, host_batches, labels, network

pairs = loop_runner.Pairs("torch10_more")


@pairs.pair("same-stream", allowed=("stretched",))
def last_layer_kept_on_host(variant):
    """Prompts of 8192 words go through five layers and a sixth part, whose weights, 38 MB, lie in pinned memory. They
    come in the stream of the kernels, or a step ahead beside them. 4 to 10 %."""
    model, wide = encoder(1536, 12, 5).requires_grad_(False), 6144
    kept = [(0.02 * torch.randn(2, 1536 * wide)).to(BF16).pin_memory()]
    ahead = Prefetcher(kept) if variant == "mended" else None
    prompts = torch.randn(8, 1024, 1536, device="cuda", dtype=BF16)

    @torch.no_grad()
    def step(i):
        x = model(prompts)
        into, out = ahead.take(i) if ahead else kept[0].to("cuda", non_blocking=True)
        x = x + F.gelu(x @ into.view(1536, wide)) @ out.view(wide, 1536)
        if ahead:
            ahead.give_back(i)
    return step


@pairs.pair("small-copies launch-bound same-stream", allowed=("same-stream",))
def moves_sent_game_by_game(variant):
    """What to do in 640 games goes to pinned memory, two slots, game by game, 640 copies, or in one. 8 to 25 %."""
    model, games, log = Player(128, 8), 640, {}
    boards = images(2 * games, 4, 19)
    slots = [torch.empty(games, 362).pin_memory() for _ in range(2)]
    there = [torch.cuda.Event() for _ in range(2)]

    @torch.no_grad()
    def step(i):
        slot, moves = slots[i % 2], model(boards)
        if variant == "mended":
            slot.copy_(moves, non_blocking=True)
        else:
            for place, move in zip(slot.unbind(), moves.unbind()):
                place.copy_(move, non_blocking=True)
        there[i % 2].record()
        there[1 - i % 2].synchronize()
        log["move"] = float(slots[1 - i % 2][0, 0])
    return step


@pairs.pair("event-order", allowed=("stretched",))
def sensors_wait_for_each_other(variant):
    """Three sensors, each with a small recurrent network in a stream of its own, a graph; five rounds a step. Each
    round waits for what was issued before it, and all that follows waits for it; mended, all wait once a step. 40 to
    65 %."""
    sensors, current = [Sensor(128, 768, 110) for _ in range(3)], torch.cuda.current_stream()

    @torch.no_grad()
    def step(i):
        for n in range(5):
            for sensor in sensors:
                if variant == "bad" or n == 0:
                    sensor.stream.wait_stream(current)
                sensor.replay()
                if variant == "bad":
                    current.wait_stream(sensor.stream)
        for sensor in sensors:
            current.wait_stream(sensor.stream)
        torch.stack([sensor.state for sensor in sensors]).mean(0)
    return step


@pairs.pair("host-sync")
def gradients_waited_for(variant):
    """Two views of 2048 things each are told apart from others, four parts a step. The host waits for the gradients of
    each part, for their sums and for the update, which the stream keeps in order anyway. 4 to 10 %."""
    model = network(1024, 4096, 3, 512)
    update, y = Update(model), torch.arange(2048, device="cuda")
    views = torch.randn(4, 4096, 1024, device="cuda", dtype=BF16)
    sums = [torch.zeros_like(p) for p in update.parameters]

    def waited():
        if variant == "bad":
            torch.cuda.current_stream().synchronize()

    def step(i):
        torch._foreach_zero_(sums)
        for part in views.unbind():
            one, two = F.normalize(model(part).float(), dim=1).chunk(2)
            update.backward(F.cross_entropy(10 * one @ two.t(), y))
            waited()
            torch._foreach_add_(sums, [p.grad for p in update.parameters])
            waited()
        for p, total in zip(update.parameters, sums):
            p.grad = total
        update.step()
        waited()
    return step


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_masked_pictures(variant):
    """Pictures come a step ahead, the device chooses what is seen of them; the loss of the step before is looked at."""
    model, pictures = Masked(768, 1536, 3, 768), Prefetcher(host_batches((160, 256, 768), True))
    update, late, log = Update(model), Delayed((), torch.float32), {"loss": 0.0}

    def step(i):
        patches = pictures.take(i)
        loss = update.backward(F.mse_loss(model(patches).float(), patches.float()))
        pictures.give_back(i)
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_items_ranked(variant):
    """The best 64 of 65536 items for 4096 people leave in a side stream."""
    model, items = network(1024, 4096, 4, 256).requires_grad_(False), torch.randn(256, 65536, device="cuda", dtype=BF16)
    people, leaving = torch.randn(4096, 1024, device="cuda", dtype=BF16), Collector((4096, 64), dtype=torch.long)

    @torch.no_grad()
    def step(i):
        leaving.take(i, (model(people) @ items).topk(64, dim=1).indices)
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_mistakes_counted(variant):
    """Pictures of bytes come a step ahead; which class is taken for which is counted on the device."""
    model = convolutional(nn.Conv2d(3, 128, 3, padding=1), *[Residual(128) for _ in range(3)]).requires_grad_(False)
    pictures = Prefetcher([torch.randint(0, 256, (96, 3, 128, 128), dtype=torch.uint8).pin_memory() for _ in range(2)])
    classes, one = labels(96), torch.ones(96, dtype=torch.long, device="cuda")
    counts = torch.zeros(256, dtype=torch.long, device="cuda")

    @torch.no_grad()
    def step(i):
        x = (pictures.take(i).to(BF16) / 255).contiguous(memory_format=torch.channels_last)
        pictures.give_back(i)
        counts.scatter_add_(0, 16 * classes + model(x).argmax(1), one)
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
