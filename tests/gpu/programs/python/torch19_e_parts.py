"""What set e of the nineteenth loops in PyTorch is made of: sound that a thread cuts, photographs, options, land, games
and a graph whose neighbours a thread draws."""
import itertools
import queue
import threading

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import Block, Learner, Late, classes, dense, two_events
from torch_parts import BF16, as_graph


class Feeder:
    """A thread fills places of the host, which go round through two queues. What is filled comes a step ahead in a
    stream of its own: two places on the device."""

    def __init__(self, shape, dtype, fill, in_pinned=True):
        self.fill, self.empty, self.full = fill, queue.Queue(), queue.Queue()
        for _ in range(5):
            host = torch.zeros(shape, dtype=dtype)
            self.empty.put(host.pin_memory() if in_pinned else host)
        self.places = [torch.zeros(shape, dtype=dtype, device="cuda") for _ in range(2)]
        self.stream, self.here, self.free = torch.cuda.Stream(), two_events(), two_events()
        self.hosts = [None, None]
        self.thread = threading.Thread(target=self.run, daemon=True)

    def start(self):
        torch.cuda.synchronize()
        self.thread.start()
        self.bring(0)

    def run(self):
        for number in itertools.count():
            host = self.empty.get()
            if host is None:
                return
            self.fill(number, host.numpy())
            self.full.put(host)

    def bring(self, i):
        slot = i % 2
        if self.hosts[slot] is not None:
            self.here[slot].synchronize()
            self.empty.put(self.hosts[slot])
        self.hosts[slot] = self.full.get()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[slot])
            self.places[slot].copy_(self.hosts[slot], non_blocking=True)
            self.here[slot].record()

    def take(self, i):
        torch.cuda.current_stream().wait_event(self.here[i % 2])
        self.bring(i + 1)
        return self.places[i % 2]

    def give_back(self, i):
        self.free[i % 2].record()

    def close(self):
        self.empty.put(None)
        self.thread.join()
        torch.cuda.synchronize()


class Dictation:
    """Hidden frames of sound are learned, the whole step in a graph for each place. A thread cuts the sound from long
    recordings into memory of the host, 21 MB a batch."""
    rows, frames, samples = 128, 256, 320

    def __init__(self, in_pinned):
        self.recordings = np.random.default_rng(19).integers(-3000, 3000, 40_000_000, dtype=np.int16)
        self.sound = Feeder((self.rows, self.frames * self.samples), torch.int16, self.cut, in_pinned)
        self.into, self.out = dense(self.samples, 768), dense(768, self.samples)
        self.blocks = nn.Sequential(Block(768, 12, False), Block(768, 12, False))
        self.weights = [w for part in (self.into, self.blocks, self.out) for w in part.parameters()]
        self.seen = (torch.rand(self.rows, self.frames, 1, device="cuda") < 0.7).to(BF16)
        self.loss = torch.zeros((), device="cuda")
        self.graphs = [as_graph(lambda place=place: self.learn(place)) for place in self.sound.places]
        self.late = Late()
        self.sound.start()

    def cut(self, number, place):
        random, length = np.random.default_rng(number), place.shape[1]
        for row, begin in enumerate(random.integers(len(self.recordings) - length, size=self.rows).tolist()):
            place[row] = self.recordings[begin:begin + length]

    def learn(self, place):
        x = place.view(self.rows, self.frames, self.samples).to(BF16) / 3000
        told = self.out(self.blocks(self.into(x * self.seen)))
        loss = F.mse_loss(told.float(), x.float())
        with torch.no_grad():
            torch._foreach_add_(self.weights, torch.autograd.grad(loss, self.weights), alpha=-1e-3)
        self.loss.copy_(loss.detach())

    def step(self, i):
        self.sound.take(i)
        self.graphs[i % 2].replay()
        self.sound.give_back(i)
        self.late.look(i, self.loss)


class Lane:
    """Photographs come, get a look, and leave, all in the order of one stream."""

    def __init__(self, shape, vignette):
        self.stream, self.vignette = torch.cuda.Stream(), vignette
        self.raw, self.out = [torch.zeros(shape, dtype=torch.uint8, device="cuda") for _ in range(2)]
        self.x = torch.zeros(shape, dtype=BF16, device="cuda")
        self.graph = as_graph(self.edit)

    @torch.no_grad()
    def edit(self):
        x = self.x.copy_(self.raw).div_(255)
        for exposure, warmth in ((1.1, -0.2), (0.9, 0.1)):
            x.mul_(exposure).clamp_(0, 1).pow_(0.9)
            x.lerp_(x.mean(1, keepdim=True), warmth)
            x.mul_(1.2).sub_(0.1).clamp_(0, 1)
            x.mul_(self.vignette)
        self.out.copy_(x.mul_(255))


class Darkroom:
    """Photographs, 101 MB a batch, go through the lanes in turn. The host looks at them some batches later."""
    shape = (8, 3, 2048, 2048)

    def __init__(self, lanes):
        photos = torch.randint(256, self.shape, dtype=torch.uint8, device="cuda")
        self.photos = [photos.roll(n, 3).cpu().pin_memory() for n in range(2)]
        away = torch.linspace(-1, 1, 2048, device="cuda").square()
        vignette = (1 - 0.2 * (away[:, None] + away)).to(BF16)
        self.lanes = [Lane(self.shape, vignette) for _ in range(lanes)]
        self.hosts = [torch.zeros(self.shape, dtype=torch.uint8).pin_memory() for _ in range(2 * lanes)]
        self.left = [torch.cuda.Event() for _ in self.hosts]
        self.last, self.seen = 0, 0
        torch.cuda.synchronize()

    def step(self, i):
        lane, self.last = self.lanes[i % len(self.lanes)], i % len(self.hosts)
        self.left[self.last].synchronize()
        self.seen += int(self.hosts[self.last][0, 0, 0, 0])
        with torch.cuda.stream(lane.stream):
            lane.raw.copy_(self.photos[i % 2], non_blocking=True)
            lane.graph.replay()
            self.hosts[self.last].copy_(lane.out, non_blocking=True)
            self.left[self.last].record()

    def result(self):
        torch.cuda.synchronize()
        return self.hosts[self.last][:, :, ::16, ::16].float().mean()


class Lookback:
    """Options on the best price of 134 million paths are valued in one stream, while a graph of small kernels finds the
    volatility of 4096 quotes in another. Each uses what the other one found in the step before."""
    paths, times, options = 1 << 27, 7, 4096

    def __init__(self, paths_first):
        urgent, other = [torch.cuda.Stream(priority=priority) for priority in (-1, 0)]
        self.pricing, self.quoting = (urgent, other) if paths_first else (other, urgent)
        self.noise = torch.randn(self.paths + 1024 * self.times, device="cuda")
        self.log, self.top = [torch.zeros(self.paths, device="cuda") for _ in range(2)]
        self.away = torch.linspace(-0.2, 0.2, self.options, device="cuda")
        self.ratio = torch.exp(-self.away)
        self.base = self.told(self.away / 0.3 + 0.15, torch.full_like(self.away, 0.3))
        self.found, self.used = [torch.full((self.times,), 0.1, device="cuda") for _ in range(2)]
        self.price, self.price_used = [torch.full((), 0.2, device="cuda") for _ in range(2)]
        self.begun, self.quoted, self.late = torch.cuda.Event(), torch.cuda.Event(), Late()
        torch.cuda.synchronize()
        with torch.cuda.stream(self.quoting):
            self.quote()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=self.quoting):
            self.quote()
        torch.cuda.synchronize()

    def told(self, d, vol):
        return torch.special.ndtr(d) - self.ratio * torch.special.ndtr(d - vol)

    def quote(self):
        quotes, vol = self.base + 0.01 * self.price_used, torch.full_like(self.base, 0.5)
        for _ in range(36):
            d = self.away / vol + vol / 2
            slope = torch.exp(d * d * -0.5) * 0.3989
            vol = (vol - (self.told(d, vol) - quotes) / slope.clamp(min=0.05)).clamp(0.05, 1)
        self.found.copy_(vol[:self.times * 512].view(self.times, 512).mean(1) / 3)

    def value(self):
        self.log.zero_()
        self.top.zero_()
        for k in range(self.times):
            self.log.addcmul_(self.noise[1024 * k:1024 * k + self.paths], self.used[k])
            torch.maximum(self.top, self.log, out=self.top)
        self.price.copy_(self.top.exp_().sub_(1.1).clamp_(min=0).mean())

    @torch.no_grad()
    def step(self, i):
        with torch.cuda.stream(self.pricing):
            self.pricing.wait_event(self.quoted)
            self.used.copy_(self.found)
            self.price_used.copy_(self.price)
            self.begun.record()
            with torch.cuda.stream(self.quoting):
                self.quoting.wait_event(self.begun)
                self.graph.replay()
                self.quoted.record()
            self.value()
            self.late.look(i, self.price)


def land(count_on_host):
    """Tells what land in pictures of 13 bands is used for. Its norms keep the plain mean of all batches, for which each
    needs to know how many there were."""
    parts = []
    for a, b, stride in [(13, 64, 2), (64, 256, 2)] + 5 * [(256, 256, 1)]:
        norm = nn.BatchNorm2d(b, momentum=None, device="cuda")
        if count_on_host:
            norm.num_batches_tracked = norm.num_batches_tracked.cpu()
        parts += [nn.Conv2d(a, b, 3, stride, padding=1, bias=False, device="cuda", dtype=BF16), norm, nn.ReLU(True)]
    parts += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 16, device="cuda", dtype=BF16)]
    return nn.Sequential(*parts).to(memory_format=torch.channels_last)


class Arena:
    """Two groups of games take turns. Boards, 6 MB, come; a graph chooses a move for each and says how good all moves
    are; that leaves, 13 MB, and the host moves. The boards of a group wait for their own answers, or for the newest."""
    games, points = 16384, 384

    def __init__(self, wait_for_newest):
        self.wait_for_newest = wait_for_newest
        self.model = dense(self.points, *6 * [4096], self.points).requires_grad_(False)
        shape = (self.games, self.points)
        self.boards = [torch.zeros(shape, dtype=torch.int8).pin_memory() for _ in range(2)]
        self.places = [torch.zeros(shape, dtype=torch.int8, device="cuda") for _ in range(2)]
        self.good = [torch.zeros(shape, dtype=BF16, device="cuda") for _ in range(2)]
        self.moves = [torch.zeros(self.games, dtype=torch.int64, device="cuda") for _ in range(2)]
        self.good_host = [torch.zeros(shape, dtype=BF16).pin_memory() for _ in range(2)]
        self.moves_host = [torch.zeros(self.games, dtype=torch.int64).pin_memory() for _ in range(2)]
        self.coming, self.leaving = torch.cuda.Stream(), torch.cuda.Stream()
        self.here, self.chosen, self.left = two_events(), two_events(), two_events()
        self.liking = torch.randn(shape, device="cuda")
        self.graphs = [as_graph(lambda slot=slot: self.choose(slot)) for slot in range(2)]
        self.every = np.arange(self.games)
        torch.cuda.synchronize()

    @torch.no_grad()
    def choose(self, slot):
        told = self.model(self.places[slot].to(BF16)).float() + self.liking
        told = told.masked_fill(self.places[slot] != 0, -100.0)
        self.moves[slot].copy_(told.argmax(1))
        self.good[slot].copy_(told.softmax(1))

    def play(self, i):
        slot, board = i % 2, self.boards[i % 2].numpy()
        self.left[slot].synchronize()
        if i % 600 < 2:
            board[:] = 0
        else:
            board[self.every, self.moves_host[slot].numpy()] = 1 if i % 4 < 2 else -1

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        self.play(i)
        with torch.cuda.stream(self.coming):
            self.coming.wait_event(self.left[1 - slot if self.wait_for_newest else slot])
            self.places[slot].copy_(self.boards[slot], non_blocking=True)
            self.here[slot].record()
        now.wait_event(self.here[slot])
        self.graphs[slot].replay()
        self.chosen[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.chosen[slot])
            self.moves_host[slot].copy_(self.moves[slot], non_blocking=True)
            self.good_host[slot].copy_(self.good[slot], non_blocking=True)
            self.left[slot].record()

    def result(self):
        torch.cuda.synchronize()
        return self.good_host[0].float().square().sum() + self.good_host[1].float().square().sum()


class Citations:
    """What papers are about is learned from those that they cite, and from those that these cite. A thread draws which,
    2.4 MB a batch; the gathered words of all papers lie on the device."""
    papers, rows, near, far, width = 500_000, 4096, 16, 8, 128

    def __init__(self):
        self.cited = np.random.default_rng(19).integers(self.papers, size=(self.papers, self.near), dtype=np.int32)
        self.first = np.ascontiguousarray(self.cited[:, :self.far])
        self.count = self.rows * self.near
        self.drawn = Feeder((self.rows + self.count * (1 + self.far),), torch.int32, self.draw)
        self.words = torch.randn(self.papers, self.width, device="cuda", dtype=BF16)
        self.reader, self.teller = dense(2 * self.width, 2048, 2048, 512), dense(512 + self.width, 2048, 16)
        self.learner = Learner([*self.reader.parameters(), *self.teller.parameters()])
        self.subject, self.late, self.loss = classes(self.rows), Late(), None
        self.drawn.start()

    def draw(self, number, place):
        rows, near = place[:self.rows], place[self.rows:self.rows + self.count]
        rows[:] = np.random.default_rng(number).integers(self.papers, size=self.rows, dtype=np.int32)
        near[:] = self.cited[rows].reshape(-1)
        np.take(self.first, near, axis=0, mode="clip", out=place[self.rows + self.count:].reshape(-1, self.far))

    def step(self, i):
        own, near, far = self.drawn.take(i).split([self.rows, self.count, self.count * self.far])
        far = F.embedding(far.view(-1, self.far), self.words).mean(1)
        near = torch.cat([F.embedding(near, self.words), far], 1)
        own = F.embedding(own, self.words)
        self.drawn.give_back(i)
        read = self.reader(near).view(self.rows, self.near, -1).mean(1)
        self.loss = self.learner.go(F.cross_entropy(self.teller(torch.cat([own, read], 1)).float(), self.subject))
        self.late.look(i, self.loss)
