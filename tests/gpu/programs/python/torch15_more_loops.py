#!/usr/bin/env python3
"""The fifteenth set of loops in PyTorch, continued from torch15_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys
import zlib

import numpy as np
import torch
import torch.nn as nn

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch2_parts import BF16, Update, class_loss
from torch_loops import main
from torch_parts import Delayed, Loader, Prefetcher, host_batches, labels, network

pairs = loop_runner.Pairs("torch15_more")


class Heard(torch.utils.data.IterableDataset):
    """What buoys heard of whales, without end, as it was sent: how much each value differs from the one before, packed.
    With workers, each one unpacks every so many-th batch, and so the batches come in the same order."""

    def __init__(self, rows):
        random = np.random.default_rng(15)
        changes = [random.integers(0, 8, (rows, 128), dtype=np.uint8) for _ in range(4)]
        self.rows, self.packed = rows, [zlib.compress(change.tobytes(), 6) for change in changes]

    def unpacked(self, number):
        changes = np.frombuffer(zlib.decompress(self.packed[number % len(self.packed)]), np.uint8)
        return torch.from_numpy(np.cumsum(changes.reshape(self.rows, 128), 1, dtype=np.uint8))

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        number, further = (worker.id, worker.num_workers) if worker else (0, 1)
        while True:
            yield self.unpacked(number)
            number += further


@pairs.pair("data-loading host-late python", allowed=("launch-bound",))
def calls_of_whales_unpacked_in_loop(variant):
    """A network learns which whale was heard. A batch is 0.5 MiB when it is unpacked, which takes 2.5 to 5 ms, and the
    device works on it for 2.4 ms: the loader unpacks it when it is asked for it; mended, four workers do so ahead.
    20 to 60 %."""
    torch.manual_seed(15)
    model, y, late, seen = network(128, 4096, 4), labels(4096), Delayed((), torch.float32), {}
    update, batches = Update(model), Loader(Heard(4096), 0 if variant == "bad" else 4, batch_size=None)

    def step(i):
        x = batches.next().to("cuda", non_blocking=True).to(BF16).div_(128).sub_(1)
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
        seen["before"] = float(late.exchange(i, seen["loss"]))
    return giving(step, lambda: seen["loss"], batches.close)


class Alloys(nn.Module):
    """Four stages of four blocks, and a head."""

    def __init__(self, width):
        super().__init__()
        with torch.device("cuda"):
            self.stages = nn.ModuleList([nn.ModuleList([self.block(width) for _ in range(4)]) for _ in range(4)])
            self.head = nn.Linear(width, 16)
        self.to(BF16)

    @staticmethod
    def block(width):
        return nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))

    def forward(self, x):
        for stage in self.stages:
            for block in stage:
                x = x + block(x)
        return self.head(x)

    def with_rates(self):
        """The weights of each stage, and how fast they learn: the first ones the slowest."""
        stages = [list(stage.parameters()) for stage in self.stages]
        stages[-1] += self.head.parameters()
        return [(weights, 1e-5 * 0.7 ** (3 - n)) for n, weights in enumerate(stages)]


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def group_for_each_weight(variant):
    """How alloys break is learned, 3.7 ms a step. Early stages learn slower than late ones, and so the optimizer, a
    fused one, was given its weights in groups: a group for each of 98 weights, of some 40 us each; mended, one for each
    of the four rates. 20 to 55 %."""
    torch.manual_seed(15)
    model, seen = Alloys(1280), {}
    x, y = torch.randn(4608, 1280, device="cuda", dtype=BF16), labels(4608)
    groups = [{"params": weights, "lr": rate} for weights, rate in model.with_rates()]
    if variant == "bad":
        groups = [{"params": [weight], "lr": group["lr"]} for group in groups for weight in group["params"]]
    update = Update(model, torch.optim.Adam(groups, fused=True))

    def step(i):
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
    return giving(step, lambda: seen["loss"])


class Screen:
    """A screen that is seen from afar, in tiles of 16 KiB on the device. Those that changed arrive in pinned memory,
    one behind the other: each one is copied to its place, or all come in one copy and are put to their places
    there."""

    def __init__(self, tiles, changed, at_once):
        self.tiles = torch.zeros(tiles, 64, 256, dtype=torch.uint8, device="cuda")
        self.arrived = [torch.randint(0, 256, (changed, 64, 256), dtype=torch.uint8).pin_memory() for _ in range(4)]
        self.places = [torch.randperm(tiles)[:changed].pin_memory() for _ in range(4)]
        self.staged, self.at_once = torch.zeros_like(self.arrived[0], device="cuda"), at_once
        self.where = torch.zeros_like(self.places[0], device="cuda")
        each = self.tiles.unbind()
        self.to_places = [[(each[place], tile) for place, tile in zip(places.tolist(), arrived.unbind())]
                          for places, arrived in zip(self.places, self.arrived)]

    def change(self, i):
        if self.at_once:
            self.where.copy_(self.places[i % 4], non_blocking=True)
            self.staged.copy_(self.arrived[i % 4], non_blocking=True)
            self.tiles.index_copy_(0, self.where, self.staged)
            return
        for place, tile in self.to_places[i % 4]:
            place.copy_(tile, non_blocking=True)

    def values(self):
        return self.tiles.view(-1, 256).to(BF16).div_(128).sub_(1)


@pairs.pair("small-copies launch-bound same-stream", allowed=("same-stream",))
def tiles_of_screen_moved_one_by_one(variant):
    """96 of 512 tiles of a screen change from one picture to the next, and a network makes it clearer, some 2 ms. They
    go to the device one by one, 96 copies of 2 us, which it waits for; mended, in one copy. 4 to 11 %."""
    torch.manual_seed(15)
    screen, late, log = Screen(512, 96, variant == "mended"), Delayed((), torch.float32), {}
    model = network(256, 2048, 4, 256).requires_grad_(False)

    @torch.no_grad()
    def step(i):
        screen.change(i)
        log["clear"] = model(screen.values())
        log["before"] = float(late.exchange(i, size_of(log["clear"])))
    return giving(step, lambda: size_of(log["clear"]) + size_of(screen.tiles))


# ---- nothing to mend

class Averaged:
    """A network whose weights follow those of another one."""

    def __init__(self, model):
        self.model, self.given = model, [p.detach() for p in model.parameters()]
        self.names = [name for name, _ in model.named_parameters()]
        self.weights = [p.clone() for p in self.given]

    @torch.no_grad()
    def follow(self):
        torch._foreach_lerp_(self.weights, self.given, 0.05)

    @torch.no_grad()
    def right(self, x, y):
        """How many of these it tells right."""
        scores = torch.func.functional_call(self.model, dict(zip(self.names, self.weights)), (x,))
        return (scores.argmax(1) == y).sum()


@pairs.healthy()
def healthy_notes_told_apart(variant):
    """A network learns to tell notes of money from forged ones. Three batches a step come ahead, their slopes are added
    up and made shorter on the device, and a mean of the weights is tried on 2048 other notes. How strongly it learns
    is a number of the host, copied as it is; what it says of a step is looked at in the next one."""
    torch.manual_seed(15)
    model, late, log = network(512, 2048, 5), Delayed((3,), torch.float32), {}
    notes, y = Prefetcher(host_batches((8192, 512), True)), labels(8192)
    others, told = torch.randn(2048, 512, device="cuda", dtype=BF16), labels(2048)
    averaged, update = Averaged(model), Update(model)

    def step(i):
        strength = torch.tensor([0.3 + 0.01 * (i % 5)]).to("cuda", non_blocking=True)
        update.optimizer.zero_grad(set_to_none=True)
        lost = torch.zeros((), device="cuda")
        for number in range(3 * i, 3 * i + 3):
            loss = class_loss(model(notes.take(number)), y)
            (loss * strength).sum().backward()
            notes.give_back(number)
            lost += loss.detach()
        norm = torch.nn.utils.clip_grad_norm_(update.parameters, 1.0)
        update.step()
        averaged.follow()
        right = averaged.right(others, told)
        log["before"] = late.exchange(i, torch.stack([lost, norm.float(), right.float()])).tolist()
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
