"""What the twentieth set of loops in PyTorch is made of: the larger programs of the set."""
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import Ahead, Block, Late, Learner, dense, pinned, two_events
from torch_parts import BF16, Collector


class Proteins:
    """Kinds of residues are learned from profiles. A batch is 640 proteins of 64 to 140 residues, one behind the other
    in pinned memory, 8.4 MB. It comes protein by protein or all at once."""
    count, residues, kinds = 640, 65536, 21

    def __init__(self, by_protein):
        self.by_protein = by_protein
        lengths = np.random.default_rng(20).integers(64, 141, size=self.count)
        ends = np.cumsum(lengths) * self.residues // lengths.sum()
        self.ends = [0, *ends.tolist()]
        self.profiles = [pinned(torch.randn(self.residues, 64, device="cuda", dtype=BF16)) for _ in range(3)]
        self.place = torch.zeros(self.residues, 64, device="cuda", dtype=BF16)
        self.truth = torch.randint(self.kinds, (3, self.residues), device="cuda")
        self.model = dense(64, 1536, 1536, 1536, 1536, self.kinds)
        self.learner, self.late = Learner(self.model.parameters()), Late()

    def bring(self, profiles):
        if not self.by_protein:
            self.place.copy_(profiles, non_blocking=True)
            return
        for a, b in zip(self.ends, self.ends[1:]):
            self.place[a:b].copy_(profiles[a:b], non_blocking=True)

    def step(self, i):
        self.bring(self.profiles[i % 3])
        loss = F.cross_entropy(self.model(self.place).float(), self.truth[i % 3])
        self.late.look(i, self.learner.go(loss))


class Dreamer:
    """A world model learns from what was seen, and dreams 20 states on. What it dreamed, 168 MB, leaves in a stream of
    its own during the next step. How much it was surprised, 32 KB, leaves in the current one, in between. The dreams
    leave in one copy, or in five, of which four follow behind the surprise."""
    rows, width, horizon, pieces = 4096, 1024, 20, 5

    def __init__(self, in_pieces):
        self.in_pieces, self.leaving = in_pieces, torch.cuda.Stream()
        self.seen = torch.randn(4, 2, 2 * self.rows, self.width, device="cuda", dtype=BF16)
        self.world = dense(self.width, 2048, 2048, self.width)
        self.future = dense(self.width, 8192, self.width).requires_grad_(False)
        self.learner = Learner(self.world.parameters())
        shape = (self.horizon, self.rows, self.width)
        self.dreams = [torch.zeros(shape, device="cuda", dtype=BF16) for _ in range(2)]
        self.kept = [torch.zeros(shape, dtype=BF16).pin_memory() for _ in range(2)]
        self.surprises = [torch.zeros(2 * self.rows).pin_memory() for _ in range(2)]
        self.made, self.left, self.told = two_events(), two_events(), two_events()
        self.surprised, self.first = 0.0, 0.0
        torch.cuda.synchronize()

    def learn(self, i):
        before, after = self.seen[i % 4]
        error = (self.world(before) - after).float().square().mean(1)
        self.learner.go(error.mean())
        return error.detach()

    def leave(self, slot, pieces):
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            for there, here in pieces:
                there.copy_(here, non_blocking=True)
            self.left[slot].record()

    @torch.no_grad()
    def dream(self, i):
        state, dreams = self.world(self.seen[i % 4, 1, :self.rows]), self.dreams[i % 2]
        torch.cuda.current_stream().wait_event(self.left[i % 2])
        for n in range(self.horizon):
            state = torch.tanh(self.future(state))
            dreams[n].copy_(state)
        self.made[i % 2].record()

    def step(self, i):
        slot, last = i % 2, (i + 1) % 2
        self.left[slot].synchronize()
        self.first = float(self.kept[slot][0, 0, 0])
        parts = self.pieces if self.in_pieces else 1
        pieces = list(zip(self.kept[last].chunk(parts), self.dreams[last].chunk(parts)))
        self.leave(last, pieces[:1])
        self.surprises[slot].copy_(self.learn(i), non_blocking=True)
        self.told[slot].record()
        if self.in_pieces:
            self.leaving.wait_event(self.told[slot])
            self.leave(last, pieces[1:])
        self.dream(i)
        self.told[last].synchronize()
        self.surprised = float(self.surprises[last].max())


class Clouds:
    """Points say what a thing is. Clouds are turned, sized, bent, shaken and thinned by many small kernels, then read.
    The time of a step is taken with a wait for the stream, or from events of earlier steps."""
    rows, points = 64, 2048

    def __init__(self, waits):
        self.waits, self.late, self.taken, self.last = waits, Late(), 0.0, time.perf_counter()
        self.clouds = torch.randn(8, self.rows, self.points, 3, device="cuda")
        self.truth = torch.randint(40, (8, self.rows), device="cuda")
        self.points_read, self.told = dense(3, 512, 1024, 1024, 1024), dense(1024, 512, 40)
        self.learner = Learner([*self.points_read.parameters(), *self.told.parameters()])
        self.marks = [torch.cuda.Event(enable_timing=True) for _ in range(4)]
        for mark in self.marks:
            mark.record()
        torch.cuda.synchronize()

    def turned(self, cloud):
        for a, b in ((0, 1), (1, 2), (2, 0)):
            angle = (torch.rand(self.rows, 1, device="cuda") - 0.5) * 0.6
            cos, sin = angle.cos(), angle.sin()
            parts = list(cloud.unbind(2))
            parts[a], parts[b] = cos * parts[a] - sin * parts[b], sin * parts[a] + cos * parts[b]
            cloud = torch.stack(parts, 2)
        cloud = cloud * torch.exp2(torch.randn(self.rows, 1, 3, device="cuda") * 0.2)
        cloud = cloud + torch.sin(cloud.roll(1, 2) * 2) * 0.05
        cloud = cloud + torch.randn_like(cloud).mul_(0.01).clamp_(-0.05, 0.05)
        away = torch.rand(self.rows, self.points, 1, device="cuda") < 0.1
        cloud = torch.where(away, cloud[:, :1], cloud)
        cloud = cloud - cloud.mean(1, keepdim=True)
        return cloud / cloud.norm(dim=2, keepdim=True).amax(1, keepdim=True)

    def clock(self, i):
        if self.waits:
            torch.cuda.current_stream().synchronize()
            now = time.perf_counter()
            self.taken, self.last = now - self.last, now
        else:
            self.marks[i % 4].record()
            self.taken = self.marks[(i + 1) % 4].elapsed_time(self.marks[(i + 2) % 4]) / 1000

    def step(self, i):
        cloud = self.turned(self.clouds[i % 8]).to(BF16)
        found = self.points_read(cloud).amax(1)
        loss = self.learner.go(F.cross_entropy(self.told(found).float(), self.truth[i % 8]))
        self.clock(i)
        self.late.look(i, loss)


class Rolls(torch.utils.data.Dataset):
    """Batches of 128 melodies as rolls of 88 keys, painted note by note."""
    pieces, steps, notes = 128, 192, 192

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        random = np.random.default_rng(i)
        begin = random.integers(self.steps, size=(self.pieces, self.notes)).tolist()
        length = random.integers(1, 9, size=(self.pieces, self.notes)).tolist()
        key = random.integers(88, size=(self.pieces, self.notes)).tolist()
        rolls = np.zeros((self.pieces, self.steps, 88), np.uint8)
        for roll, begins, lengths, keys in zip(rolls, begin, length, key):
            for b, n, k in zip(begins, lengths, keys):
                roll[b:b + n, k] = 1
        return torch.from_numpy(rolls)


class Composer(nn.Module):
    """Says which keys come next."""

    def __init__(self):
        super().__init__()
        self.into, self.out = dense(88, 512), dense(512, 88)
        self.blocks = nn.Sequential(*(Block(512, 8, True) for _ in range(4)))

    def forward(self, rolls):
        return self.out(self.blocks(self.into(rolls))).float()


class Ranker:
    """Documents of 256 queries are put in order by 136 numbers each, 18 MB a batch. They come in the stream of the
    kernels, or a step ahead in one of their own."""
    queries, documents = 256, 128

    def __init__(self, ahead):
        shape = (self.queries, self.documents, 136)
        self.batches = [pinned(torch.randn(shape, device="cuda")) for _ in range(3)]
        self.grades = torch.randint(5, (3, self.queries, self.documents), device="cuda").float()
        self.model = dense(136, 2048, 2048, 2048, 2048, 1)
        self.learner, self.late = Learner(self.model.parameters()), Late()
        self.ahead = Ahead(self.batches) if ahead else None
        self.place = None if ahead else torch.zeros(shape, device="cuda")

    def documents_of(self, i):
        if not self.ahead:
            return self.place.copy_(self.batches[i % 3], non_blocking=True).to(BF16)
        numbers = self.ahead.take(i).to(BF16)
        self.ahead.give_back(i)
        return numbers

    def step(self, i):
        scores, grades = self.model(self.documents_of(i)).squeeze(2).float(), self.grades[i % 3]
        better = (grades[:, :, None] - grades[:, None, :]).clamp(min=0)
        loss = (F.softplus(scores[:, None, :] - scores[:, :, None]) * better).mean()
        self.late.look(i, self.learner.go(loss))


class Forecast:
    """The load of a power grid is foreseen: 336 hours of 32 numbers say three quantiles of the next 96. The hours come
    ahead, the forecasts leave in a stream of their own, the loss is looked at a step later."""
    rows = 768

    def __init__(self):
        self.hours = Ahead([pinned(torch.randn(self.rows, 42, 256, device="cuda", dtype=BF16)) for _ in range(3)])
        self.loads = torch.randn(3, self.rows, 96, 1, device="cuda")
        self.into, self.out = dense(256, 512), dense(512, 3 * 96)
        self.blocks = nn.Sequential(*(Block(512, 8, False) for _ in range(4)))
        parts = (self.into, self.blocks, self.out)
        self.learner, self.late = Learner([w for part in parts for w in part.parameters()]), Late()
        self.levels = torch.tensor([0.1, 0.5, 0.9], device="cuda")
        self.kept = Collector((self.rows, 3 * 96))

    def step(self, i):
        x = self.into(self.hours.take(i))
        said = self.out(self.blocks(x).mean(1))
        self.kept.take(i, said.detach())
        missed = self.loads[i % 3] - said.view(self.rows, 96, 3).float()
        loss = self.learner.go(torch.maximum(self.levels * missed, (self.levels - 1) * missed).mean())
        self.hours.give_back(i)
        self.late.look(i, loss)
