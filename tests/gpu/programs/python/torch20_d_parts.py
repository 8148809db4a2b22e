"""What the twentieth set of loops in PyTorch, part d, is made of: the larger programs of the set."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
import torch.nn as nn

from torch17_parts import Ahead, Block, Learner, classes, dense, two_events
from torch_parts import BF16, Collector, Delayed


def convolutions(inputs, strides, layers, outputs):
    """First ones with these strides, then so many of 256 channels that keep the size, then one to the outputs."""
    sizes = [(inputs, 64, strides[0]), (64, 256, strides[1])] + layers * [(256, 256, 1)]
    parts = []
    for a, b, stride in sizes:
        parts += [nn.Conv2d(a, b, 3, stride, padding=1), nn.ReLU(True)]
    parts.append(nn.Conv2d(256, outputs, 1))
    return nn.Sequential(*parts).to("cuda", BF16, memory_format=torch.channels_last)


class Watched:
    """An encoder of papers of law whose layers are timed for the telemetry: the time of a layer is asked as soon as
    the layer was issued, or those of all layers a step later."""
    layers = 20

    def __init__(self, at_once):
        self.at_once = at_once
        self.blocks = nn.ModuleList(Block(768, 12, False) for _ in range(self.layers)).requires_grad_(False)
        self.papers = torch.randn(4, 16, 512, 768, device="cuda", dtype=BF16)
        self.marks = [[torch.cuda.Event(enable_timing=True) for _ in range(self.layers + 1)] for _ in range(2)]
        self.times = [0.0] * self.layers
        self.last = None

    def book(self, marks, n):
        self.times[n] += marks[n].elapsed_time(marks[n + 1])

    @torch.no_grad()
    def step(self, i):
        marks, x = self.marks[i % 2], self.papers[i % 4]
        marks[0].record()
        for n, block in enumerate(self.blocks):
            x = block(x)
            marks[n + 1].record()
            if self.at_once:
                marks[n + 1].synchronize()
                self.book(marks, n)
        self.last = x
        if not self.at_once and i > 0:
            marks = self.marks[1 - i % 2]
            marks[-1].synchronize()
            for n in range(self.layers):
                self.book(marks, n)


class Assistants:
    """Two groups of talks in turn, each in five parts. The answers of a part leave from one place, and the memories
    of the group that was answered last, 168 MB, are saved meanwhile, in one copy or in pieces."""
    parts, talks, width = 5, 8192, 2048

    def __init__(self, in_pieces):
        self.count = self.parts * (4 if in_pieces else 0) or 1
        self.memories = [torch.zeros(self.parts, self.talks, self.width, device="cuda", dtype=BF16) for _ in range(2)]
        self.saved = [torch.zeros(self.memories[0].shape, dtype=BF16).pin_memory() for _ in range(2)]
        self.heard = torch.randn(4, self.talks, 512, device="cuda", dtype=BF16)
        self.think = dense(512 + self.width, 4096, 4096, self.width).requires_grad_(False)
        self.tell = dense(self.width, 128).requires_grad_(False)
        self.place = torch.zeros(self.talks, 128, device="cuda", dtype=BF16)
        self.answers = [torch.zeros(self.talks, 128, dtype=BF16).pin_memory() for _ in range(2 * self.parts)]
        self.saving, self.leaving = torch.cuda.Stream(), torch.cuda.Stream()
        self.changed, self.safe, self.told = two_events(), two_events(), torch.cuda.Event()
        self.left = [torch.cuda.Event() for _ in range(2 * self.parts)]
        self.first = 0.0
        torch.cuda.synchronize()

    def save(self, group):
        with torch.cuda.stream(self.saving):
            self.saving.wait_event(self.changed[group])
            for there, here in zip(self.saved[group].view(-1).chunk(self.count),
                                   self.memories[group].view(-1).chunk(self.count)):
                there.copy_(here, non_blocking=True)
            self.safe[group].record()

    def answer(self, number, memory):
        now = torch.cuda.current_stream()
        memory.copy_(torch.tanh(self.think(torch.cat([self.heard[number % 4], memory], 1))))
        now.wait_event(self.left[(number - 1) % len(self.left)])
        self.place.copy_(self.tell(memory))
        self.told.record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.told)
            self.answers[number % len(self.answers)].copy_(self.place, non_blocking=True)
            self.left[number % len(self.left)].record()

    @torch.no_grad()
    def step(self, i):
        group, number = i % 2, i * self.parts
        self.save(1 - group)
        torch.cuda.current_stream().wait_event(self.safe[group])
        for n in range(self.parts):
            self.answer(number + n, self.memories[group][n])
        self.changed[group].record()
        before = (number - 1) % len(self.left)
        self.left[before].synchronize()
        self.first = float(self.answers[before][0, 0])

    def result(self):
        torch.cuda.synchronize()
        return sum(answer.float().abs().mean() for answer in self.answers)


class Flickers(torch.utils.data.Dataset):
    """Batches of 16 clips of a camera that tells only of changes: 40000 words of x, y, time and sign each, which are
    counted in 16 pictures of 128 x 128."""

    def __init__(self):
        random = np.random.default_rng(20)
        self.words = random.integers(1 << 27, size=(8, 16, 40_000), dtype=np.uint32)

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        pictures = np.empty((16, 16, 128, 128), np.uint8)
        for picture, words in zip(pictures, self.words[i % 8]):
            x, y = words & 127, (words >> 7) & 127
            sign, time = (words >> 14) & 1, words >> 24
            cells = ((time * 2 + sign) * 128 + y) * 128 + x
            counts = np.bincount(cells.astype(np.int64), minlength=picture.size)
            picture[...] = np.minimum(counts, 255).reshape(picture.shape)
        return torch.from_numpy(pictures)


class Parked:
    """An encoder of long texts. What every second layer said is parked on the host in 8 bits. The largest value, which
    gives the scale, is a number of the host or stays on the device and leaves with the others."""
    layers, every = 12, 2

    def __init__(self, as_number):
        self.as_number = as_number
        self.blocks = nn.ModuleList(Block(768, 12, False) for _ in range(self.layers)).requires_grad_(False)
        self.texts = torch.randn(4, 16, 1024, 768, device="cuda", dtype=BF16)
        count = self.layers // self.every
        self.parked = [Collector((16, 1024, 768), torch.int8) for _ in range(count)]
        self.scales = Collector((count,), torch.float32)
        self.numbers = []

    @torch.no_grad()
    def step(self, i):
        x, largest = self.texts[i % 4], []
        for n, block in enumerate(self.blocks):
            x = block(x)
            if n % self.every == self.every - 1:
                most = x.abs().max().float()
                largest.append(most.item() if self.as_number else most)
                small = (x * (127 / largest[-1])).round().to(torch.int8)
                self.parked[n // self.every].take(i, small)
        if self.as_number:
            self.numbers = largest
        else:
            self.scales.take(i, torch.stack(largest))

    def result(self):
        torch.cuda.synchronize()
        return sum(place.float().abs().mean() for parked in self.parked for place in parked.host)


class Standby:
    """What shops will sell is learned, and a copy of the weights on the host is kept nearly up to date: one shard of
    4 MB a step, to plain or to pinned memory."""

    def __init__(self, in_pinned):
        self.model = dense(1024, 4096, 4096, 4096, 4096, 256)
        self.learner = Learner(self.model.parameters())
        self.sales, self.shelf = torch.randn(2, 16384, 1024, device="cuda", dtype=BF16), classes(16384, 256)
        matrices = [w.detach().view(-1) for w in self.learner.parameters if w.dim() == 2]
        self.shards = [shard for matrix in matrices for shard in matrix.split(1 << 21)]
        self.kept = torch.empty(sum(len(shard) for shard in self.shards), dtype=BF16)
        if in_pinned:
            self.kept = self.kept.pin_memory()
        self.kept.fill_(0.01)
        self.places = self.kept.split([len(shard) for shard in self.shards])

    def save(self, i):
        n = i % len(self.shards)
        self.places[n].copy_(self.shards[n], non_blocking=True)

    def result(self):
        torch.cuda.synchronize()
        return self.kept.float().norm()


class Scans(Ahead):
    """Pages in black and white, a bit a pixel. A thread unpacks them to one of two places of pinned memory, from where
    they come a step ahead."""

    def __init__(self):
        random = np.random.default_rng(20)
        self.bits = random.integers(256, size=(4, 16 * 512 * 512 // 8), dtype=np.uint8)
        self.worker = ThreadPoolExecutor(1)
        host = [torch.zeros(16, 1, 512, 512, dtype=torch.uint8).pin_memory() for _ in range(2)]
        self.here = two_events()
        self.ready = [self.worker.submit(self.unpack, host[n], n) for n in range(2)]
        super().__init__(host)

    def unpack(self, place, i):
        self.here[i % 2].synchronize()
        place.numpy().reshape(-1)[...] = np.unpackbits(self.bits[i % 4])

    def bring(self, i):
        self.ready[i % 2].result()
        super().bring(i)
        self.ready[i % 2] = self.worker.submit(self.unpack, self.batches[i % 2], i + 2)


class Reader:
    """Reads the letters of pages. How often each one came is counted on the host while the next pages are read."""

    def __init__(self):
        self.scans, self.model = Scans(), convolutions(1, (2, 2), 8, 64).requires_grad_(False)
        self.late, self.counts = Delayed((16, 128, 128), torch.uint8), np.zeros(64, np.int64)

    @torch.no_grad()
    def step(self, i):
        x = self.scans.take(i).to(BF16, memory_format=torch.channels_last)
        self.scans.give_back(i)
        letters = self.model(x).argmax(1).to(torch.uint8)
        before = self.late.exchange(i, letters)
        if i > 0:
            self.counts += np.bincount(before.numpy().reshape(-1), minlength=64)
