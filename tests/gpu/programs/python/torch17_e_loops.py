#!/usr/bin/env python3
"""Set e of the seventeenth loops in PyTorch. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import numpy as np
import torch
from torch import nn

import loop_runner
from loop_runner import giving
from torch_loops import main
from torch_parts import Delayed

pairs = loop_runner.Pairs("torch17_e")


def dense(*widths):
    """Linear layers with a ReLU between them, in fp32."""
    layers = []
    for wide, out in zip(widths, widths[1:]):
        layers += [nn.Linear(wide, out), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers[:-1]).cuda().requires_grad_(False)


# ---- physics: bodies that attract each other

class Bodies:
    """8192 bodies, each of which attracts all others. The host issues at most so many substeps ahead of the device."""
    substeps, delta, softened = 10, 1e-4, 0.01

    def __init__(self, ahead):
        torch.manual_seed(17)
        self.ahead, self.issued = ahead, 0
        self.x = torch.randn(8192, 3, device="cuda")
        self.v = torch.randn(8192, 3, device="cuda") * 0.1
        self.mass = torch.full((8192, 1), 1 / 8192, device="cuda")
        self.near = torch.empty(8192, 8192, device="cuda")
        self.ended = [torch.cuda.Event() for _ in range(3)]

    def pull(self):
        square = self.x.square().sum(1)
        torch.addmm(square, self.x, self.x.t(), alpha=-2, out=self.near)
        self.near.add_((square + self.softened)[:, None]).rsqrt_().pow_(3)
        sums = self.near @ torch.cat([self.x * self.mass, self.mass], 1)
        return sums[:, :3] - self.x * sums[:, 3:]

    def hold_back(self):
        self.ended[self.issued % 3].record()
        self.ended[(self.issued - self.ahead) % 3].synchronize()
        self.issued += 1

    def step(self, _i):
        for _ in range(self.substeps):
            self.v.add_(self.pull(), alpha=self.delta)
            self.x.add_(self.v, alpha=self.delta)
            self.hold_back()


@pairs.pair("host-sync", allowed=("launch-bound",))
def bodies_held_on_short_rein(variant):
    """Ten substeps of a star cluster a step, 0.8 ms each. So that the queue stays short the host waits for the substep
    that it has just issued; mended, for the one two before it. 5 to 10 %."""
    bodies = Bodies(0 if variant == "bad" else 2)
    return giving(bodies.step, lambda: bodies.v.square().mean())


# ---- a recommender of two stages

class Shop:
    """For 2048 users 20 of 131072 goods are found by the product of what is known of both, and then put in order by a
    network."""

    def __init__(self, watched):
        torch.manual_seed(17)
        self.watched, self.late, self.best = watched, Delayed((), torch.float32), None
        self.users = torch.randn(16384, 128, device="cuda")
        self.goods = torch.randn(131072, 128, device="cuda")
        self.order = dense(256, 1024, 512, 1)

    def find(self, users):
        return (users @ self.goods.t()).topk(20, dim=1).indices

    def watch_memory(self):
        """Gives back what is not in use, once that is half a gigabyte."""
        if torch.cuda.memory_reserved() - torch.cuda.memory_allocated() > 1 << 29:
            torch.cuda.empty_cache()

    @torch.no_grad()
    def step(self, i):
        begin = i * 2048 % 16384
        users = self.users[begin:begin + 2048]
        found = self.find(users)
        if self.watched:
            self.watch_memory()
        both = torch.cat([users[:, None].expand(-1, 20, -1), self.goods[found]], 2)
        self.best = self.order(both).squeeze(2).max(1).values.mean()
        self.late.exchange(i, self.best)


@pairs.pair("allocation", allowed=("launch-bound",))
def goods_found_under_memory_watch(variant):
    """Goods are found and put in order, 5 to 6 ms a step. Between the two a watch sees that the scores, 1.1 GB, are no
    longer in use, and empties the cache, each step; mended, PyTorch keeps it. 15 to 30 %."""
    shop = Shop(variant == "bad")
    return giving(shop.step, lambda: shop.best)


# ---- point clouds

class Scans:
    """32 clouds of 2048 points, with 256 values for each point, 67 MB. Points have two places on the device, values
    one: they may come as soon as those before them were used."""

    def __init__(self):
        random = torch.Generator().manual_seed(17)
        self.points = [torch.randn(32, 2048, 3, generator=random).pin_memory() for _ in range(2)]
        self.values = [torch.randn(32, 2048, 256, generator=random).pin_memory() for _ in range(2)]
        self.near = [torch.zeros(32, 2048, 3, device="cuda") for _ in range(2)]
        self.seen = torch.zeros(32, 2048, 256, device="cuda")
        self.stream = torch.cuda.Stream()
        self.points_came, self.values_came, self.used = [torch.cuda.Event() for _ in range(3)]
        torch.cuda.synchronize()

    def bring(self, i):
        with torch.cuda.stream(self.stream):
            self.near[i % 2].copy_(self.points[i % 2], non_blocking=True)
            self.points_came.record()
            self.stream.wait_event(self.used)  # so the points after these overwrite none that are in use, either
            self.seen.copy_(self.values[i % 2], non_blocking=True)
            self.values_came.record()


class Labels:
    """What each point belongs to, by where its 16 neighbours are and by its values."""

    def __init__(self):
        torch.manual_seed(17)
        self.shape, self.look, self.head = dense(48, 256), dense(256, 1024, 256), dense(256, 20)

    def around(self, points):
        square = points.square().sum(2)
        apart = torch.baddbmm(square[:, None], points, points.transpose(1, 2), alpha=-2)
        nearest = apart.topk(16, dim=2, largest=False).indices
        rows = torch.arange(len(points), device="cuda")[:, None, None]
        return self.shape((points[rows, nearest] - points[:, :, None]).flatten(2))


@pairs.pair("event-order", allowed=("stretched", "launch-bound"))
def neighbours_wait_for_values(variant):
    """Neighbours of points are found, 2.2 ms, and then their values are used, 1.9 ms. The stream waits for the values,
    1.4 ms, before it looks for neighbours, which needs the points only; mended, for the points. 15 to 28 %."""
    scans, labels, late, log = Scans(), Labels(), Delayed((), torch.float32), {}

    @torch.no_grad()
    def step(i):
        current = torch.cuda.current_stream()
        scans.bring(i)
        current.wait_event(scans.values_came if variant == "bad" else scans.points_came)
        around = labels.around(scans.near[i % 2])
        current.wait_event(scans.values_came)
        looks = labels.look(scans.seen) + scans.seen
        scans.used.record()
        log["sure"] = labels.head(looks + around).softmax(2).max(2).values.mean()
        late.exchange(i, log["sure"])
    return giving(step, lambda: log["sure"])


# ---- time series

class Meters:
    """The load that 16384 meters will show in 96 quarters of an hour. Each step those 4096 are looked at of which least
    is known, and that the host can only say once it has seen how sure the last forecasts are."""

    def __init__(self):
        torch.manual_seed(17)
        self.history = torch.randn(16384, 512, device="cuda")
        self.model = dense(512, 3072, 3072, 3072, 3072, 96)
        self.doubt = np.random.default_rng(17).random(16384, dtype=np.float32)
        self.chosen = np.arange(4096)
        self.wanted = torch.zeros(4096, dtype=torch.long).pin_memory()
        self.host = [torch.zeros(4096, 97).pin_memory() for _ in range(2)]
        self.done, self.mean, self.peak = torch.cuda.Event(), np.zeros(96), 0.0

    @torch.no_grad()
    def issue(self, i):
        self.wanted.numpy()[:] = self.chosen
        rows = self.history[self.wanted.to("cuda", non_blocking=True)]
        loads = self.model(rows)
        loads = torch.cat([loads, loads.std(1, keepdim=True)], 1)
        self.host[i % 2].copy_(loads, non_blocking=True)
        self.done.record()

    def choose(self, i):
        self.done.synchronize()
        self.doubt += 0.01
        self.doubt[self.chosen] = self.host[i % 2][:, 96].numpy()
        self.chosen = np.argpartition(self.doubt, 12288)[12288:]

    def report(self, i):
        """What the control room reads: the mean day, and the highest load of an hour."""
        loads = self.host[i % 2].numpy()[:, :96]
        day = np.cumsum(np.exp(loads), axis=1)
        hours = day[:, 4:] - day[:, :-4]
        self.mean = 0.9 * self.mean + 0.1 * loads.mean(0)
        self.peak = float(hours.max())


@pairs.pair("host-late python", allowed=("host-sync", "readback", "launch-bound", "same-stream"))
def loads_reported_before_next(variant):
    """Forecasts of loads, 5 ms a step; what is looked at next depends on them. The report of a step, numpy, some 1.5
    to 2.5 ms, is made before the next one is issued; mended, while the device works on that. 15 to 30 %."""
    meters = Meters()

    def step(i):
        meters.issue(i)
        if variant != "bad" and i > 0:
            meters.report(i - 1)
        meters.choose(i)
        if variant == "bad":
            meters.report(i)
    return giving(step, lambda: meters.doubt.mean())


# ---- healthy

class Pond:
    """Waves on 4096 x 4096 points, twelve moments a step, in a graph. A picture of each step leaves in a stream of its
    own, two slots, and is looked at a step later."""

    def __init__(self):
        torch.manual_seed(17)
        self.now, self.before = [torch.randn(4096, 4096, device="cuda") for _ in range(2)]
        self.bend = torch.empty_like(self.now)
        self.slots = [torch.empty_like(self.now) for _ in range(2)]
        self.host = [torch.zeros(4096, 4096).pin_memory() for _ in range(2)]
        self.taken, self.left = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.stream, self.graph, self.level = torch.cuda.Stream(), torch.cuda.CUDAGraph(), 0.0
        self.moments(2)
        torch.cuda.synchronize()
        with torch.cuda.graph(self.graph):
            self.moments(12)
        torch.cuda.synchronize()

    def moments(self, number):
        now, before = self.now, self.before
        for _ in range(number):
            torch.mul(now, -4, out=self.bend)
            self.bend[1:].add_(now[:-1])
            self.bend[:-1].add_(now[1:])
            self.bend[:, 1:].add_(now[:, :-1])
            self.bend[:, :-1].add_(now[:, 1:])
            before.neg_().add_(now, alpha=2).add_(self.bend, alpha=0.1)
            now, before = before, now

    def step(self, i):
        slot = i % 2
        current = torch.cuda.current_stream()
        self.graph.replay()
        current.wait_event(self.left[slot])
        self.slots[slot].copy_(self.now)
        self.taken[slot].record()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.taken[slot])
            self.host[slot].copy_(self.slots[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.level = float(self.host[1 - slot][2048].mean())


@pairs.healthy(allowed=("stretched",))
def healthy_waves_on_pond(_variant):
    """Waves, 5 ms a step, whose pictures, 67 MB, leave meanwhile."""
    pond = Pond()
    return giving(pond.step, lambda: pond.now.square().mean())


if __name__ == "__main__":
    sys.exit(main(pairs))
