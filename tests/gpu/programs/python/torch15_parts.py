"""What the fifteenth set of loops in PyTorch is made of: a car and its map, tiles that come and go in streams, memory
that is pinned for a copy, teams of a game, a search server, translators, a code of sound."""
import concurrent.futures

import torch
import torch.nn as nn
import torch.nn.functional as F

from torch5_parts import graph_in
from torch_parts import BF16, Prefetcher, network


class Car:
    """A map of the road, which is filled in by large grids, and a chain of small products that finds how to steer by
    what the map was. Each has a stream of its own; one of them goes first."""

    def __init__(self, layers, looks, steering_first):
        self.map = torch.zeros(1 << 26, device="cuda")
        self.seen = torch.randn(2, 1 << 26, device="cuda")
        self.weights = torch.randn(layers, 1024, 1024, device="cuda") / 32
        self.bias = torch.randn(layers, 1024, device="cuda")
        self.known, self.begin = [torch.zeros(64, 1024, device="cuda") for _ in range(2)]
        self.looks = looks
        self.mapping = torch.cuda.Stream(priority=0 if steering_first else -1)
        self.steering = torch.cuda.Stream(priority=-1 if steering_first else 0)

    def fill_map(self):
        for look in range(self.looks):
            self.map.lerp_(self.seen[look % 2], 0.1)

    def steer(self):
        x = self.begin
        for weight, bias in zip(self.weights, self.bias):
            x = torch.addmm(bias, x, weight).tanh_()
        self.known.copy_(x)

    def step(self):
        """The two begin together and both end before the next step."""
        current = torch.cuda.current_stream()
        torch.add(self.known, self.map[:65536].view(64, 1024), out=self.begin)
        for stream, work in ((self.mapping, self.fill_map), (self.steering, self.steer)):
            stream.wait_stream(current)
            with torch.cuda.stream(stream):
                work()
        current.wait_stream(self.steering)
        current.wait_stream(self.mapping)
        return self.known.mean()


class Turns:
    """Rounds of a copy in, a network and a copy out, each in the next of so many streams, which wait for nothing of each
    other. Six slots on the host: what is in one is looked at before it is used again."""
    slots = 6

    def __init__(self, model, tiles, streams):
        self.model, self.tiles, self.number, self.seen = model, tiles, 0, 0.0
        self.streams = [torch.cuda.Stream() for _ in range(streams)]
        self.come = [torch.zeros_like(tiles[0], device="cuda") for _ in range(streams)]
        self.clear = [torch.zeros_like(tiles[0]).pin_memory() for _ in range(self.slots)]
        self.there = [torch.cuda.Event() for _ in range(self.slots)]
        torch.cuda.synchronize()

    @torch.no_grad()
    def go(self):
        turn, slot = self.number % len(self.streams), self.number % self.slots
        self.there[slot].synchronize()
        self.seen = float(self.clear[slot][0, 0])
        with torch.cuda.stream(self.streams[turn]):
            self.come[turn].copy_(self.tiles[self.number % len(self.tiles)], non_blocking=True)
            self.clear[slot].copy_(self.model(self.come[turn]), non_blocking=True)
            self.there[slot].record()
        self.number += 1

    def last(self):
        slot = (self.number - 1) % self.slots
        self.there[slot].synchronize()
        return self.clear[slot]


class PinnedToCopy(Prefetcher):
    """Batches in ordinary memory, which is pinned in its place: once, or for each copy, until it has ended."""

    def __init__(self, batches, once):
        self.once, self.pinned = once, []
        torch.cuda.synchronize()
        if once:
            for batch in batches:
                self.pin(batch)
        super().__init__(batches)

    def pin(self, batch):
        code = torch.cuda.cudart().cudaHostRegister(batch.data_ptr(), batch.numel() * batch.element_size(), 0)
        if int(code) != 0:
            raise RuntimeError(f"cudaHostRegister: {code}")
        self.pinned.append(batch)

    def let_go(self):
        """Of all that is pinned; no copy may be under way."""
        while self.pinned:
            code = torch.cuda.cudart().cudaHostUnregister(self.pinned.pop().data_ptr())
            if int(code) != 0:
                raise RuntimeError(f"cudaHostUnregister: {code}")

    def fetch(self, i):
        if not self.once:
            if self.pinned:
                self.full[1 - i % 2].synchronize()
                self.let_go()
            self.pin(self.batches[i % len(self.batches)])
        super().fetch(i)

    def close(self):
        torch.cuda.synchronize()
        self.let_go()


class Teams:
    """Eight teams of players. A network finds what a team sees, in one stream, and another one what it does, in another
    stream; both are graphs. All teams have to be done before the next look. What a team does waits for what all teams
    saw, or for what this one saw."""
    count = 8

    def __init__(self, players, width, layers, own_event):
        self.models = [network(width, width, layers, width).requires_grad_(False) for _ in range(2)]
        self.players = torch.randn(self.count, players, width, device="cuda", dtype=BF16)
        self.seen = torch.zeros_like(self.players)
        self.common = torch.zeros(players, width, device="cuda", dtype=BF16)
        self.own_event, self.looking, self.acting = own_event, torch.cuda.Stream(), torch.cuda.Stream()
        self.saw, self.acted = [torch.cuda.Event() for _ in range(self.count)], torch.cuda.Event()
        torch.cuda.synchronize()
        self.look = [graph_in(self.looking, lambda team=team: self.find_seen(team)) for team in range(self.count)]
        self.act = [graph_in(self.acting, lambda team=team: self.find_done(team)) for team in range(self.count)]
        torch.cuda.synchronize()

    @torch.no_grad()
    def find_seen(self, team):
        self.seen[team].copy_(self.models[0](self.players[team] + self.common))

    @torch.no_grad()
    def find_done(self, team):
        self.players[team].lerp_(self.models[1](self.seen[team]), 0.25)

    @torch.no_grad()
    def step(self, late, i):
        with torch.cuda.stream(self.looking):
            self.looking.wait_event(self.acted)
            self.common.copy_(self.players.mean(0))
            for look, saw in zip(self.look, self.saw):
                look.replay()
                saw.record()
        with torch.cuda.stream(self.acting):
            for act, saw in zip(self.act, self.saw):
                self.acting.wait_event(saw if self.own_event else self.saw[-1])
                act.replay()
            self.acted.record()
            return float(late.exchange(i, self.players[:, 0].float().mean()))


class Search:
    """Two threads: one suggests words, which is short, and the other one ranks pages, which is long; each with a graph,
    a stream and two slots for its answers. A group is asked for, and then the answers to the one before are looked at:
    when all that the device has to do is done, or when those are there."""
    rows, width = 1024, 1024

    def __init__(self, layers, by_device):
        self.by_device, self.table = by_device, torch.randn(8192, self.width, device="cuda", dtype=BF16)
        self.models = [network(self.width, self.width, count, 64).requires_grad_(False) for count in layers]
        self.words = [torch.randint(0, 8192, (self.rows,)).pin_memory() for _ in range(4)]
        self.asked = [torch.zeros(self.rows, dtype=torch.long, device="cuda") for _ in layers]
        self.found = [torch.zeros(self.rows, 64, device="cuda", dtype=BF16) for _ in layers]
        self.host = [[torch.zeros(self.rows, 64, dtype=BF16).pin_memory() for _ in range(2)] for _ in layers]
        self.there = [[torch.cuda.Event() for _ in range(2)] for _ in layers]
        self.number, self.heard = [0 for _ in layers], [0.0 for _ in layers]
        self.streams = [torch.cuda.Stream() for _ in layers]
        torch.cuda.synchronize()
        self.graphs = [graph_in(stream, lambda n=n: self.find(n)) for n, stream in enumerate(self.streams)]
        torch.cuda.synchronize()
        self.pool = concurrent.futures.ThreadPoolExecutor(len(layers))

    @torch.no_grad()
    def find(self, n):
        self.found[n].copy_(self.models[n](F.embedding(self.asked[n], self.table)))

    def answer(self, n, groups):
        with torch.cuda.stream(self.streams[n]):
            for _ in range(groups):
                slot = self.number[n] % 2
                self.asked[n].copy_(self.words[self.number[n] % 4], non_blocking=True)
                self.graphs[n].replay()
                self.host[n][slot].copy_(self.found[n], non_blocking=True)
                self.there[n][slot].record()
                if self.by_device:
                    torch.cuda.synchronize()
                else:
                    self.there[n][1 - slot].synchronize()
                self.heard[n] = float(self.host[n][1 - slot][0, 0])
                self.number[n] += 1

    def step(self, groups):
        for answered in [self.pool.submit(self.answer, n, count) for n, count in enumerate(groups)]:
            answered.result()

    def close(self):
        self.pool.shutdown()


class Translator:
    """One of the threads of a server. Texts come ahead in a stream of their own, and their answers are looked at when
    the next ones are under way. How bold the answers are is a number of the host, which is copied as it is."""

    def __init__(self, model, batches):
        self.model, self.texts, self.stream = model, Prefetcher(batches), torch.cuda.Stream()
        self.host = [torch.zeros(len(batches[0]), dtype=torch.long).pin_memory() for _ in range(2)]
        self.there, self.heard = [torch.cuda.Event() for _ in range(2)], 0
        torch.cuda.synchronize()

    @torch.no_grad()
    def answer(self, i):
        slot = i % 2
        with torch.cuda.stream(self.stream):
            bold = torch.tensor([1.0 + 0.1 * (i % 5)]).to("cuda", non_blocking=True)
            scores = self.model(self.texts.take(i)).float() * bold
            self.texts.give_back(i)
            self.host[slot].copy_(scores.argmax(1), non_blocking=True)
            self.there[slot].record()
        self.there[1 - slot].synchronize()
        self.heard = int(self.host[1 - slot][0])


class Coded(nn.Module):
    """Sounds become numbers of a book of codes, and those become sounds again. The book follows what it stands for."""

    def __init__(self, width, codes):
        super().__init__()
        self.into, self.out = network(width, 2048, 3, 128), network(128, 2048, 3, width)
        self.register_buffer("book", torch.randn(codes, 128, device="cuda", dtype=BF16) / 8)

    def forward(self, x):
        """The loss, and the codes."""
        known = self.into(x)
        with torch.no_grad():
            codes = (known @ self.book.t() * 2 - self.book.square().sum(1)).argmax(1)
            meant = F.embedding(codes, self.book)
        again = self.out(known + (meant - known).detach())
        loss = F.mse_loss(again.float(), x.float()) + 0.25 * F.mse_loss(known.float(), meant.float())
        self.follow(known.detach().float(), codes)
        return loss, codes

    @torch.no_grad()
    def follow(self, known, codes):
        sums = torch.zeros(self.book.shape, device="cuda").index_add_(0, codes, known)
        counts = torch.zeros(len(self.book), 1, device="cuda")
        counts.index_add_(0, codes, torch.ones(len(codes), 1, device="cuda"))
        means = torch.where(counts > 0, sums / counts.clamp(min=1), self.book.float())
        self.book.copy_(self.book.float().lerp(means, 0.05))
