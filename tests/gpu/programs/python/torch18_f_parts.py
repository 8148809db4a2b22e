"""What the set torch18_f is made of: a telescope of many ears, tunes that are made up, seasons of fields, a search in
lists of texts, roads that are foreseen, a flame, tunes that are learned, orchards that are looked over."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import BF16, Ahead, Block, Late, dense, organs_network, pinned, two_events
from torch_parts import as_graph


class Leaving:
    """What a step made leaves for the host, two places; the host looks at that of the step before."""

    def __init__(self, shape, dtype, stream):
        self.places = [torch.zeros(shape, dtype=dtype, device="cuda") for _ in range(2)]
        self.host = [torch.zeros(shape, dtype=dtype).pin_memory() for _ in range(2)]
        self.made, self.left, self.stream, self.seen = two_events(), two_events(), stream, 0.0
        torch.cuda.synchronize()

    def place(self, i):
        torch.cuda.current_stream().wait_event(self.left[i % 2])
        return self.places[i % 2]

    def leave(self, i):
        slot = i % 2
        self.made[slot].record()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.made[slot])
            self.host[slot].copy_(self.places[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.seen = float(self.host[1 - slot].flatten()[0])

    def result(self):
        torch.cuda.synchronize()
        return self.host[0].float().mean() + self.host[1].float().mean()


class Telescope:
    """What 64 ears hear is split by frequency and joined to 256 beams, and how loud those are leaves."""
    ears, spectra, samples, beams, joined = 64, 256, 4096, 256, 16

    def __init__(self, own_streams):
        now = torch.cuda.current_stream()
        heard = [pinned(torch.randint(-100, 100, (self.ears, self.spectra, self.samples), dtype=torch.int8,
                                      device="cuda")) for _ in range(3)]
        self.heard = Ahead(heard)
        bands = self.samples // 2 + 1
        self.weights = torch.randn(bands, self.ears, self.beams, dtype=torch.complex64, device="cuda") / 1000
        shape = (bands, self.spectra // self.joined, self.beams)
        self.loud = Leaving(shape, torch.float32, torch.cuda.Stream() if own_streams else now)
        if not own_streams:
            self.heard.stream = now

    def step(self, i):
        x = torch.fft.rfft(self.heard.take(i).float())
        self.heard.give_back(i)
        beams = torch.view_as_real(torch.bmm(x.permute(2, 1, 0), self.weights))
        power = beams.square().view(len(beams), -1, self.joined, self.beams, 2)
        self.loud.place(i).copy_(power.sum((2, 4)))
        self.loud.leave(i)


class Tunes:
    """Makes up 4096 tunes, note by note, until all have ended or they have twelve notes. Whether all have ended is
    asked at once, or a note later."""
    rows, width, notes = 4096, 2048, 12

    def __init__(self, ask_later):
        self.ask_later, self.late, self.asked = ask_later, Late(), 0
        self.table = torch.randn(512, self.width, device="cuda", dtype=BF16)
        self.body = dense(self.width, 8192, self.width).requires_grad_(False)
        self.out = dense(self.width, 512).requires_grad_(False)
        self.moods = [torch.randn(self.rows, self.width, device="cuda", dtype=BF16) for _ in range(3)]
        self.begin = torch.randint(1, 512, (self.rows,), device="cuda")
        self.tunes = torch.zeros(self.notes, self.rows, device="cuda", dtype=torch.long)

    def all_ended(self, ended):
        if not self.ask_later:
            return bool(ended.all())
        self.late.look(self.asked, ended.all())
        self.asked += 1
        return self.late.seen == 1.0

    def step(self, i):
        state, note = self.moods[i % 3], self.begin
        ended = torch.zeros(self.rows, device="cuda", dtype=torch.bool)
        for number in range(self.notes):
            state = F.layer_norm(state + self.body(state + self.table[note]), (self.width,))
            note = self.out(state).argmax(1)
            self.tunes[number] = note
            ended |= note == 0
            if self.all_ended(ended):
                break


class Seasons(nn.Module):
    """How much 128 fields will bear is learned from what was seen of them in 160 days, and from the warmth until each
    day: summed up in plain Python, or by numpy."""
    fields, days = 128, 160

    def __init__(self, by_numpy):
        super().__init__()
        self.by_numpy, random = by_numpy, np.random.default_rng(18)
        low = random.uniform(4, 20, (3, self.fields, self.days))
        self.low, self.high = low, low + random.uniform(4, 16, low.shape)
        self.lists = [[list(zip(*field)) for field in zip(lows.tolist(), highs.tolist())]
                      for lows, highs in zip(self.low, self.high)]
        self.seen = torch.randn(3, self.fields, self.days, 63, device="cuda", dtype=BF16)
        self.into, self.out = dense(64, 768), dense(768, 1)
        self.blocks = nn.Sequential(Block(768, 12, False), Block(768, 12, False))
        self.host = [torch.zeros(self.fields, self.days).pin_memory() for _ in range(2)]
        self.came = two_events()

    def sums(self, field):
        total, sums = 0.0, []
        for low, high in field:
            total += max(0.0, (max(low, 10.0) + min(high, 30.0)) / 2 - 10.0)
            sums.append(total / 1000)
        return sums

    def warmth(self, i):
        if self.by_numpy:
            day = (np.maximum(self.low[i % 3], 10) + np.minimum(self.high[i % 3], 30)) / 2 - 10
            found = np.maximum(day, 0).cumsum(1) / 1000
        else:
            found = np.array([self.sums(field) for field in self.lists[i % 3]])
        self.came[i % 2].synchronize()
        self.host[i % 2].copy_(torch.from_numpy(found))
        warmth = self.host[i % 2].to("cuda", non_blocking=True)
        self.came[i % 2].record()
        return warmth

    def forward(self, i):
        x = torch.cat([self.seen[i % 3], self.warmth(i)[..., None].to(BF16)], 2)
        return self.out(self.blocks(self.into(x)).mean(1)).flatten().float()


class Search:
    """For each of 8192 words host memory has the list of 5120 texts in which it is. 48 questions of four words each:
    the lists come, the 512 best texts of each question are found by them, and judged by a network. The lists come one
    by one, or are put together on the host and come in one copy."""
    words, length, texts, questions, asked, best = 8192, 5120, 1 << 19, 48, 192, 512

    def __init__(self, together):
        self.together = together
        self.index = pinned(torch.randint(self.texts, (self.words, self.length), device="cuda", dtype=torch.int32))
        self.words_asked = [torch.randint(self.words, (self.asked,)) for _ in range(3)]
        self.lists = torch.zeros(self.asked, self.length, device="cuda", dtype=torch.int32)
        self.staged = [torch.zeros(self.asked, self.length, dtype=torch.int32).pin_memory() for _ in range(2)]
        self.came = two_events()
        self.rare = torch.rand(self.asked, 1, device="cuda") + 0.5
        self.quality = torch.rand(self.texts, device="cuda")
        question = torch.arange(self.questions, device="cuda").repeat_interleave(self.asked // self.questions)
        self.begin = question[:, None] * self.texts
        self.vectors = torch.randn(self.texts, 1024, device="cuda", dtype=BF16)
        self.meant = torch.randn(self.questions, 1, 1024, device="cuda", dtype=BF16).expand(-1, self.best, -1)
        self.judge = dense(2048, 4096, 4096, 4096, 1).requires_grad_(False)

    def bring(self, i):
        words, slot = self.words_asked[i % 3], i % 2
        if self.together:
            self.came[slot].synchronize()
            torch.index_select(self.index, 0, words, out=self.staged[slot])
            self.lists.copy_(self.staged[slot], non_blocking=True)
            self.came[slot].record()
        else:
            for place, word in zip(self.lists, words.tolist()):
                place.copy_(self.index[word], non_blocking=True)

    def find(self, i):
        self.bring(i)
        texts = self.lists.long()
        scores = torch.zeros(self.questions * self.texts, device="cuda")
        scores.index_add_(0, (texts + self.begin).flatten(), (self.quality[texts] * self.rare).flatten())
        near = scores.view(self.questions, self.texts).topk(self.best)
        x = torch.cat([self.vectors[near.indices], self.meant], 2)
        return near.values.mean() + self.judge(x).float().abs().mean()


class Foreseer(nn.Module):
    """How fast cars will be on 4096 roads in the next hour, by 36 times before, one after the other."""
    times, roads, width = 36, 4096, 256

    def __init__(self):
        super().__init__()
        self.into, self.out = dense(16, 3 * self.width), dense(self.width, 12)
        self.turn = dense(self.width, 3 * self.width)

    def forward(self, x):
        state = torch.zeros(self.roads, self.width, device="cuda", dtype=BF16)
        sizes = [2 * self.width, self.width]
        for part in self.into(x).unbind():
            gates, new = part.split(sizes, 1)
            gates_before, before = self.turn(state).split(sizes, 1)
            keep, ask = torch.sigmoid(gates + gates_before).chunk(2, 1)
            state = torch.lerp(torch.tanh(new + ask * before), state, keep)
        return self.out(state).float()


class Flame:
    """Sixteen kinds of matter in a million places: they go to the next places, and a network tells how they react. What
    is there after each step leaves, 67 MB."""
    side, kinds = 1024, 16

    def __init__(self, stream):
        self.there = torch.rand(self.side, self.side, self.kinds, device="cuda")
        self.rates = dense(self.kinds, 512, 512, self.kinds).requires_grad_(False)
        self.kept = Leaving(self.there.shape, torch.float32, stream)

    def step(self, i):
        there = self.there
        change = self.rates(there.to(BF16)).float().tanh_()
        near = there.roll(1, 0) + there.roll(-1, 0) + there.roll(1, 1) + there.roll(-1, 1)
        self.there = (0.8 * there + 0.05 * near + 0.02 * change).clamp_(0, 1)
        self.kept.place(i).copy_(self.there)
        self.kept.leave(i)


class Composer(nn.Module):
    """Tells which of 128 keys sound next, by those before."""

    def __init__(self):
        super().__init__()
        self.into, self.out = dense(128, 768), dense(768, 128)
        self.blocks = nn.Sequential(*[Block(768, 12, True) for _ in range(3)])

    def forward(self, x):
        return self.out(self.blocks(self.into(x))).float()


class Orchards:
    """What grows where is found in 96 pictures of orchards by a graph for each of two places; they come ahead, and what
    was found leaves beside the next ones."""
    pictures, plants = 96, 12

    def __init__(self):
        shape = (self.pictures, 3, 256, 256)
        self.seen = Ahead([pinned(torch.randint(256, shape, dtype=torch.uint8, device="cuda")) for _ in range(3)])
        self.model = organs_network(self.plants).requires_grad_(False)
        self.found = Leaving((self.pictures, 64, 64), torch.uint8, torch.cuda.Stream())
        self.graphs = [as_graph(lambda k=k: self.look(k)) for k in range(2)]
        torch.cuda.synchronize()

    def look(self, slot):
        x = self.seen.places[slot].to(BF16, memory_format=torch.channels_last) / 255
        self.found.places[slot].copy_(self.model(x).argmax(1))

    def step(self, i):
        self.seen.take(i)
        self.found.place(i)
        self.graphs[i % 2].replay()
        self.seen.give_back(i)
        self.found.leave(i)
