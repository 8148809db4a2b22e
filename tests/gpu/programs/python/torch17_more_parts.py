"""What the second seventeenth set of loops in PyTorch is made of: experts that lie on the host, water, waves in rock,
shards of a store, tracks, talks, neurons, tiles, a desk, spots."""
import concurrent.futures
import mmap

import numpy as np
import torch
import torch.nn.functional as F

from torch_parts import BF16, Collector, Delayed, Prefetcher, as_graph, host_batches, network


class Experts:
    """Sixteen experts lie in pinned memory, 16.8 MB each. A router says which eight a batch needs; it looks a batch
    ahead, and the host fetches those while the experts of the batch before are at work."""
    needed = 8

    def __init__(self, tokens, wait_for_all):
        self.wait_for_all = wait_for_all
        self.router = network(1024, 2048, 2, 16).requires_grad_(False)
        self.batches = torch.randn(4, tokens, 1024, device="cuda", dtype=BF16)
        self.batches += torch.randn(4, 1, 1024, device="cuda", dtype=BF16)
        self.home = torch.randn(16, 2, 4 << 20, device="cuda", dtype=BF16).mul_(0.02).cpu().pin_memory()
        self.slots = torch.empty(2, self.needed, 2, 4 << 20, device="cuda", dtype=BF16)
        self.out = torch.zeros(2, tokens // 2, 1024, device="cuda", dtype=BF16)
        self.wanted = torch.zeros(16).pin_memory()
        self.routed, self.stream = torch.cuda.Event(), torch.cuda.Stream()
        self.full, self.free = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.route(0)
        torch.cuda.synchronize()
        self.fetch(0)

    @torch.no_grad()
    def route(self, i):
        shares = self.router(self.batches[i % 4]).float().softmax(1).mean(0)
        self.wanted.copy_(shares, non_blocking=True)
        self.routed.record()

    def fetch(self, i):
        slot = i % 2
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[slot])
            for place, expert in enumerate(self.wanted.argsort(descending=True)[:self.needed].tolist()):
                self.slots[slot, place].copy_(self.home[expert], non_blocking=True)
            self.full[slot].record()

    @torch.no_grad()
    def work(self, i):
        slot, halves = i % 2, self.batches[i % 4].view(2, -1, 1024)
        torch.cuda.current_stream().wait_event(self.full[slot])
        self.out.zero_()
        for place, (wide, narrow) in enumerate(self.slots[slot]):
            hidden = F.linear(halves[place % 2], wide.view(4096, 1024)).relu_()
            self.out[place % 2].add_(F.linear(hidden, narrow.view(1024, 4096)))
        self.free[slot].record()

    def step(self, i):
        self.route(i + 1)
        self.work(i)
        if self.wait_for_all:
            torch.cuda.synchronize()
        else:
            self.routed.synchronize()
        self.fetch(i + 1)


class Water:
    """Shallow water on a closed grid. How long a move lasts depends on what is fastest."""

    def __init__(self, rows, columns, on_device):
        self.on_device = on_device
        self.high = 1 + 0.1 * torch.rand(rows, columns, device="cuda")
        self.down, self.right = [torch.zeros(rows, columns, device="cuda") for _ in range(2)]

    def fastest(self):
        down, right, high = [torch.linalg.vector_norm(x, float("inf")) for x in (self.down, self.right, self.high)]
        return torch.maximum(down, right) + torch.sqrt(9.81 * high)

    @torch.no_grad()
    def move(self):
        fastest = self.fastest()
        time = 0.4 / (fastest if self.on_device else fastest.item())
        self.down.sub_((torch.roll(self.high, -1, 0) - self.high) * (9.81 * time))
        self.right.sub_((torch.roll(self.high, -1, 1) - self.high) * (9.81 * time))
        out = self.down - torch.roll(self.down, 1, 0)
        out.add_(self.right).sub_(torch.roll(self.right, 1, 1))
        self.high.sub_(out * time)


class Rock:
    """Waves in rock, six moves a step in a graph. How the rock moves is kept on the host for the way back: each step
    it goes to one of two places on the device, and from there to pinned memory."""

    def __init__(self, size, own_stream):
        self.now, self.before = [torch.zeros(size, size, device="cuda") for _ in range(2)]
        self.speed = 0.05 + 0.2 * torch.rand(size - 2, size - 2, device="cuda")
        self.kept = [torch.zeros(size, size, device="cuda") for _ in range(2)]
        self.host = [torch.zeros(size, size).pin_memory() for _ in range(2)]
        self.full, self.left = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.stream, self.seen = torch.cuda.Stream() if own_stream else torch.cuda.current_stream(), 0.0
        self.graph = as_graph(self.moves)
        torch.cuda.synchronize()

    def moves(self):
        now, before = self.now, self.before
        middle = slice(1, -1)
        for _ in range(6):
            now[1000, 1000] += 1
            bend = now[2:, middle] + now[:-2, middle]
            bend.add_(now[middle, 2:]).add_(now[middle, :-2]).add_(now[middle, middle], alpha=-4)
            before.mul_(-0.999).add_(now, alpha=1.999)
            before[middle, middle].addcmul_(bend, self.speed)
            now, before = before, now

    def step(self, i):
        slot, current = i % 2, torch.cuda.current_stream()
        self.graph.replay()
        current.wait_event(self.left[slot])
        self.kept[slot].copy_(self.now)
        self.full[slot].record()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.full[slot])
            self.host[slot].copy_(self.kept[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.seen = float(self.host[1 - slot][1000, 1000])


class Shards:
    """Vectors of pictures in shared memory, six shards. The next one comes in a stream of its own, two slots. Memory is
    registered for the copy and given back behind it, or all of it is registered at the start."""
    count = 6

    def __init__(self, vectors, keep):
        self.keep, self.bytes = keep, vectors * 1024 * 2
        self.memory = mmap.mmap(-1, self.count * self.bytes)
        self.shards = torch.frombuffer(self.memory, dtype=BF16).view(self.count, vectors, 1024)
        first = torch.randn(vectors, 1024).to(BF16)
        for n, shard in enumerate(self.shards):
            shard.copy_(first.roll(n, 1))
        self.buffers = torch.empty(2, vectors, 1024, device="cuda", dtype=BF16)
        self.full, self.free = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.stream = torch.cuda.Stream()
        torch.cuda.synchronize()
        for n in range(self.count if keep else 0):
            self.register(n)
        self.fetch(0)

    def check(self, code):
        if int(code) != 0:
            raise RuntimeError(f"registering memory: {code}")

    def register(self, n):
        self.check(torch.cuda.cudart().cudaHostRegister(self.shards[n].data_ptr(), self.bytes, 0))

    def unregister(self, n):
        self.check(torch.cuda.cudart().cudaHostUnregister(self.shards[n].data_ptr()))

    def fetch(self, i):
        slot, n = i % 2, i % self.count
        if not self.keep:
            self.register(n)
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[slot])
            self.buffers[slot].copy_(self.shards[n], non_blocking=True)
            self.full[slot].record()
        self.last = n

    def take(self, i):
        """Shard i on the device; the next one is under way."""
        slot = i % 2
        if not self.keep:
            self.full[slot].synchronize()
            self.unregister(self.last)
        self.fetch(i + 1)
        torch.cuda.current_stream().wait_event(self.full[slot])
        return self.buffers[slot]

    def give_back(self, i):
        self.free[i % 2].record()

    def close(self):
        torch.cuda.synchronize()
        for n in range(self.count) if self.keep else [self.last]:
            self.unregister(n)


class Tracks:
    """Things on a road and where they were last seen. What a scan shows is given to the nearest one."""

    def __init__(self, count):
        self.known = np.random.default_rng(17).standard_normal((count, 3), dtype=np.float32)
        self.line = ""

    def join(self, found):
        distances = ((found[:, None] - self.known[None]) ** 2).sum(2)
        nearest = distances.argmin(1)
        self.known[nearest] += 0.2 * (found - self.known[nearest])
        self.line = f"{len(np.unique(nearest))} seen, {float(distances.min(1).mean()):.3f} away"


class Talks:
    """Four groups of talks take turns, a few frames a step. The state of a group stays on the host while the other
    groups are heard, in pinned memory or not."""

    def __init__(self, talks, frames, pinned):
        self.hear = network(1024, 4096, 5, 512).requires_grad_(False)
        self.frames = torch.randn(frames, talks, 512, device="cuda", dtype=BF16)
        self.groups = [torch.zeros(talks, 512, dtype=BF16) for _ in range(4)]
        if pinned:
            self.groups = [group.pin_memory() for group in self.groups]
        self.known = torch.zeros(talks, 512, device="cuda", dtype=BF16)

    @torch.no_grad()
    def step(self, i):
        group = self.groups[i % 4]
        self.known.copy_(group, non_blocking=True)
        for frame in self.frames:
            self.known.lerp_(self.hear(torch.cat([frame, self.known], 1)).tanh_(), 0.2)
        group.copy_(self.known, non_blocking=True)


class Neurons:
    """Neurons that fire by Izhikevich's rule, with as much input each as it has by its place."""

    def __init__(self, count, moves, in_graph):
        self.moves = moves
        self.input = torch.linspace(4, 12, count, device="cuda")
        self.v, self.u, self.fired, self.dv, self.du = [torch.zeros(count, device="cuda") for _ in range(5)]
        self.over = torch.zeros(count, device="cuda", dtype=torch.bool)
        self.graph = as_graph(self.live) if in_graph else None
        self.v.fill_(-65)
        self.u.fill_(-13)
        self.fired.zero_()

    def live(self):
        for _ in range(self.moves):
            torch.mul(self.v, self.v, out=self.dv)
            self.dv.mul_(0.04).add_(self.v, alpha=5).add_(140).sub_(self.u).add_(self.input)
            torch.mul(self.v, 0.2, out=self.du)
            self.du.sub_(self.u)
            self.v.add_(self.dv, alpha=0.25)
            self.u.add_(self.du, alpha=0.005)
            torch.ge(self.v, 30, out=self.over)
            self.v.masked_fill_(self.over, -65)
            self.u.add_(self.over, alpha=8)
            self.fired.add_(self.over)

    def step(self):
        if self.graph:
            self.graph.replay()
        else:
            self.live()
        return self.fired.mean()


class Tiles:
    """Light of 512 colours in ten tiles of a picture, 25 MB each. A tile leaves in another stream, and the same place
    is used again when it has left: it goes when the picture is drawn, or when the tile is."""
    count = 10

    def __init__(self, rays, tile_by_tile):
        self.tile_by_tile = tile_by_tile
        self.light = network(256, 1536, 2, 512).requires_grad_(False)
        self.rays = torch.randn(self.count, rays, 256, device="cuda", dtype=BF16)
        self.suns = [torch.rand(256, device="cuda", dtype=BF16) + 0.5 for _ in range(4)]
        self.shown = torch.zeros(self.count, rays, 512, device="cuda", dtype=BF16)
        self.host = torch.zeros(self.count, rays, 512, dtype=BF16).pin_memory()
        self.drawn, self.left = [[torch.cuda.Event() for _ in range(self.count)] for _ in range(2)]
        self.stream, self.late, self.before = torch.cuda.Stream(), Delayed((), torch.float32), 0.0
        torch.cuda.synchronize()

    @torch.no_grad()
    def draw(self, tile, sun):
        torch.cuda.current_stream().wait_event(self.left[tile])
        self.shown[tile].copy_(self.light(self.rays[tile] * sun))
        self.drawn[tile].record()

    def leave(self, tile, behind):
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.drawn[behind])
            self.host[tile].copy_(self.shown[tile], non_blocking=True)
            self.left[tile].record()

    def step(self, i):
        for tile in range(self.count):
            self.draw(tile, self.suns[i % 4])
            if self.tile_by_tile:
                self.leave(tile, tile)
        bright = self.shown[0, :64].float().mean()
        if not self.tile_by_tile:
            for tile in range(self.count):
                self.leave(tile, self.count - 1)
        self.before = float(self.late.exchange(i, bright))

    def result(self):
        torch.cuda.synchronize()
        return self.host[:, ::64].float().abs().mean()


class Flood:
    """How water comes over land, told by a network for 24576 places. Of 128 of them the host wants all there is: each
    gauge has a place of its own in pinned memory, or all have one."""
    gauges = 128

    def __init__(self, one_by_one):
        self.one_by_one = one_by_one
        self.rules = network(512, 4096, 4, 512).requires_grad_(False)
        self.land = torch.randn(self.gauges * 192, 512, device="cuda", dtype=BF16)
        self.told = torch.zeros(self.gauges, 512, device="cuda")
        self.host = [torch.zeros(self.gauges, 512).pin_memory() for _ in range(2)]
        self.left, self.highest = [torch.cuda.Event() for _ in range(2)], 0.0

    @torch.no_grad()
    def step(self, i):
        self.land.lerp_(self.rules(self.land).tanh_(), 0.1)
        self.told.copy_(self.land[::192])
        if self.one_by_one:
            for place, gauge in zip(self.host[i % 2], self.told):
                place.copy_(gauge, non_blocking=True)
        else:
            self.host[i % 2].copy_(self.told, non_blocking=True)
        self.left[i % 2].record()
        self.left[1 - i % 2].synchronize()
        self.highest = float(self.host[1 - i % 2][:, 0].max())


class Desk:
    """A desk of two models. A thread puts requests into one of two places of pinned memory, from where they come ahead
    in a stream of their own. The answers leave in another one, and another thread reads those of the step before."""

    def __init__(self, requests):
        self.model = network(1024, 4096, 8, 256).requires_grad_(False)
        self.guard = network(1024, 4096, 4, 256).requires_grad_(False)
        self.arrived = host_batches((requests, 1024), False, 3)
        self.pinned = host_batches((requests, 1024), True)
        self.device = [torch.zeros(requests, 1024, device="cuda", dtype=BF16) for _ in range(2)]
        self.full, self.free = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.leaving, self.stream = Collector((requests, 256)), torch.cuda.Stream()
        self.putter, self.reader = [concurrent.futures.ThreadPoolExecutor(1) for _ in range(2)]
        self.reads, self.kept = [None, None], []
        torch.cuda.synchronize()
        self.put = self.putter.submit(self.fill, 0)
        self.fetch(0)

    def fill(self, i):
        self.full[i % 2].synchronize()  # what was here before has left
        self.pinned[i % 2].copy_(self.arrived[i % 3])

    def fetch(self, i):
        slot = i % 2
        self.put.result()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[slot])
            self.device[slot].copy_(self.pinned[slot], non_blocking=True)
            self.full[slot].record()
        self.put = self.putter.submit(self.fill, i + 1)

    def read(self, slot):
        self.leaving.done[slot].synchronize()
        self.kept = [*self.kept[-9:], float(self.leaving.host[slot][:64].float().sum(1).max())]

    @torch.no_grad()
    def step(self, i):
        slot = i % 2
        torch.cuda.current_stream().wait_event(self.full[slot])
        asked = self.device[slot]
        good = self.guard(asked).float().softmax(1)[:, :1].lt(0.5).to(BF16)
        answers = self.model(asked) * good
        self.free[slot].record()
        self.fetch(i + 1)
        if self.reads[slot]:
            self.reads[slot].result()
        self.leaving.take(i, answers)
        self.reads[slot] = self.reader.submit(self.read, slot)

    def close(self):
        torch.cuda.synchronize()
        self.putter.shutdown()
        self.reader.shutdown()


class Spots:
    """How spots grow on a shell, five moves in a graph. What feeds them comes a step ahead, and how they look leaves
    beside the next step, from one of two places."""

    def __init__(self, size):
        self.a, self.b = torch.ones(size, size, device="cuda"), torch.rand(size, size, device="cuda").gt(0.9) * 0.5
        self.food, self.feed = Prefetcher(host_batches((size, size), True)), torch.zeros_like(self.a)
        self.shown = [torch.zeros_like(self.b) for _ in range(2)]
        self.host = [torch.zeros(size, size).pin_memory() for _ in range(2)]
        self.full, self.left = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.stream, self.late, self.before = torch.cuda.Stream(), Delayed((2,), torch.float32), (0.0, 0.0)
        self.graph = as_graph(self.grow)
        torch.cuda.synchronize()

    @staticmethod
    def spread(x):
        out = torch.roll(x, 1, 0)
        for by, side in ((-1, 0), (1, 1), (-1, 1)):
            out.add_(torch.roll(x, by, side))
        return out.add_(x, alpha=-4)

    def grow(self):
        for _ in range(5):
            eaten = self.a * self.b * self.b
            a, b = self.spread(self.a), self.spread(self.b)
            self.a.addcmul_(self.feed, self.a, value=-1).add_(self.feed).add_(a, alpha=0.2).sub_(eaten)
            self.b.mul_(0.9).add_(b, alpha=0.1).add_(eaten)

    def step(self, i):
        slot = i % 2
        torch.mul(self.food.take(i), 0.002, out=self.feed).add_(0.04)
        self.food.give_back(i)
        self.graph.replay()
        torch.cuda.current_stream().wait_event(self.left[slot])
        self.shown[slot].copy_(self.b)
        self.full[slot].record()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.full[slot])
            self.host[slot].copy_(self.shown[slot], non_blocking=True)
            self.left[slot].record()
        self.before = self.late.exchange(i, torch.stack([self.a.mean(), self.b.mean()])).tolist()
