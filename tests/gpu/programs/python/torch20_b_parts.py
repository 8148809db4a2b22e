"""What a part of the twentieth set of loops in PyTorch is made of: translators, moderators, readers, finders."""
import zlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import Ahead, Block, dense, pinned, two_events
from torch18_parts import sight
from torch_parts import BF16, Collector, Delayed, Loader, as_graph


class Interpreter:
    """Translates six paragraphs. Each is in one language, and its words go through what was learned of that language
    first. Which one it is the host reads, or the device takes what it needs by an index."""
    rows, length, width, languages = 128, 64, 1024, 8

    def __init__(self, on_device):
        self.on_device = on_device
        self.paragraphs = torch.randn(6, self.rows, self.length, self.width, device="cuda", dtype=BF16)
        self.tells = dense(self.width, 256, self.languages)
        self.adapters = torch.randn(self.languages, self.width, self.width, device="cuda", dtype=BF16) / 32
        self.blocks = nn.Sequential(*[Block(self.width, 16, False) for _ in range(2)])
        self.said = torch.zeros_like(self.paragraphs)

    def adapter(self, words):
        language = self.tells(words[:, 0].mean(0)).argmax()
        if self.on_device:
            return self.adapters.index_select(0, language.view(1))[0]
        return self.adapters[language.item()]

    @torch.no_grad()
    def step(self, i):
        for n in range(6):
            words = self.paragraphs[(i + n) % 6]
            self.said[n].copy_(self.blocks(words @ self.adapter(words)))


class Moderator:
    """Judges posts: a picture, blurred, and a text. The blurred pictures also leave for people who look again, from one
    place. The copy waits for an event that is recorded behind both judgements, or behind the blur."""

    def __init__(self, event_at_end):
        self.event_at_end = event_at_end
        self.pictures = torch.rand(3, 64, 3, 384, 384, device="cuda", dtype=BF16)
        self.texts = torch.randn(3, 128, 128, 1024, device="cuda", dtype=BF16)
        self.eye, self.reader, self.verdict = sight(1, 16), Block(1024, 16, False), dense(1024 + 16, 2)
        self.blurred = torch.zeros_like(self.pictures[0])
        self.host = torch.zeros(64, 3, 384, 384, dtype=BF16).pin_memory()
        self.leaving, self.ready, self.left = torch.cuda.Stream(), torch.cuda.Event(), torch.cuda.Event()
        self.verdicts = Delayed((64, 2), BF16)
        torch.cuda.synchronize()

    def leave(self):
        self.ready.record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.ready)
            self.host.copy_(self.blurred, non_blocking=True)
            self.left.record()

    @torch.no_grad()
    def step(self, i):
        torch.cuda.current_stream().wait_event(self.left)
        self.blurred.copy_(F.avg_pool2d(self.pictures[i % 3], 5, 1, 2))
        if not self.event_at_end:
            self.leave()
        seen = self.eye(self.blurred.contiguous(memory_format=torch.channels_last))
        read = self.reader(self.texts[i % 3]).mean(1).view(64, 2, 1024).mean(1)
        judged = self.verdict(torch.cat([read, seen], 1))
        if self.event_at_end:
            self.leave()
        self.verdicts.exchange(i, judged)


class Archive:
    """Pages are cleaned and read, two at a time; what was read leaves, and the host takes it before it asks for two
    more than the next. All cleaned pages leave too, 168 MB, in one copy or in one for every two pages."""
    pages, groups = 40, 20

    def __init__(self, in_pieces):
        self.in_pieces = in_pieces
        self.scans = torch.randint(256, (2, self.pages, 2048, 2048), device="cuda", dtype=torch.uint8)
        self.clean = torch.zeros_like(self.scans[0])
        self.host = torch.zeros(self.pages, 2048, 2048, dtype=torch.uint8).pin_memory()
        self.reader = nn.Sequential(dense(1024, 768), Block(768, 12, False), dense(768, 128))
        self.stream, self.cleaned, self.left = torch.cuda.Stream(), torch.cuda.Event(), torch.cuda.Event()
        self.words, self.confidence = Collector((64, 128, 128)), 0.0
        self.lines = torch.zeros(64, 128, 1024, device="cuda", dtype=BF16)
        self.read = [torch.zeros(64, 128, 128, device="cuda", dtype=BF16) for _ in range(2)]
        with torch.no_grad():
            self.graphs = [as_graph(lambda y=y: y.copy_(self.reader(self.lines))) for y in self.read]
        torch.cuda.synchronize()

    def keep(self, n):
        if n > 0 and not self.in_pieces:
            return
        part = slice(2 * n, 2 * n + 2) if self.in_pieces else slice(None)
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.cleaned)
            self.host[part].copy_(self.clean[part], non_blocking=True)
            self.left.record()

    @torch.no_grad()
    def step(self, i):
        torch.cuda.current_stream().wait_event(self.left)
        self.clean.copy_(self.scans[i % 2].clamp(40, 215))
        self.cleaned.record()
        for n in range(self.groups):
            self.keep(n)
            self.lines.copy_(self.clean[2 * n:2 * n + 2].view(64, 128, 1024)).div_(255)
            slot, before = n % 2, (n + 1) % 2
            self.graphs[slot].replay()
            self.words.take(n, self.read[slot])
            self.words.done[before].synchronize()
            self.confidence += float(self.words.host[before][0, 0, 0])

    def result(self):
        torch.cuda.synchronize()
        return self.words.host[0].float().abs().sum() + self.host[:, 0].float().sum()


class Photographs(torch.utils.data.Dataset):
    """Photographs that people search with, 24 at a time, packed."""
    shape = (24, 3, 128, 128)

    def __init__(self):
        random = np.random.default_rng(20)
        self.packed = [zlib.compress(random.integers(16, size=self.shape, dtype=np.uint8).tobytes(), 1)
                       for _ in range(6)]

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        values = np.frombuffer(bytearray(zlib.decompress(self.packed[i % 6])), np.uint8)
        return torch.from_numpy(values).view(self.shape)


class Finder:
    """Finds the wares of a catalogue that look most like a photograph, seen in 12 ways."""

    def __init__(self, workers):
        self.loader = Loader(Photographs(), workers, batch_size=None)
        self.eye = sight(4, 256)
        self.catalogue = F.normalize(torch.randn(1 << 20, 256, device="cuda", dtype=BF16), dim=1)
        self.found = Delayed((12 * 24,), BF16)

    @torch.no_grad()
    def step(self, i):
        x = self.loader.next().to("cuda", non_blocking=True).to(BF16, memory_format=torch.channels_last).div_(16)
        x = torch.cat([x.roll(3 * n, 3) for n in range(12)]).contiguous(memory_format=torch.channels_last)
        alike = F.normalize(self.eye(x), dim=1) @ self.catalogue.T
        self.found.exchange(i, alike.amax(1))

    def result(self):
        torch.cuda.synchronize()
        return self.found.collector.host[0].float().norm()


class Speaker:
    """Hears questions and speaks answers: a graph for each of two places. Questions come a step ahead in a stream of
    their own, and answers leave in another one."""

    def __init__(self):
        shape = (256, 64, 400)
        self.questions = Ahead([pinned(torch.randn(shape, device="cuda", dtype=BF16)) for _ in range(3)])
        self.model = nn.Sequential(dense(400, 1024), *[Block(1024, 16, n > 2) for n in range(6)], dense(1024, 400))
        self.spoken = [torch.zeros(shape, device="cuda", dtype=BF16) for _ in range(2)]
        self.answers = Collector(shape)
        with torch.no_grad():
            self.graphs = [as_graph(lambda x=x, y=y: y.copy_(self.model(x)))
                           for x, y in zip(self.questions.places, self.spoken)]
        torch.cuda.synchronize()

    def step(self, i):
        slot = i % 2
        self.questions.take(i)
        torch.cuda.current_stream().wait_event(self.answers.done[slot])
        self.graphs[slot].replay()
        self.questions.give_back(i)
        self.answers.take(i, self.spoken[slot])
