"""What a part of the nineteenth set of loops in PyTorch is made of: programs that serve and infer."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import Ahead, Block, dense, pinned, two_events
from torch18_parts import sight
from torch_parts import BF16, as_graph


def graph_in(stream, work):
    """A CUDA graph of what work() issues, captured in this stream: its kernels have the priority of the stream."""
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        work()
    return graph


class CallCentre:
    """Calls of a call centre, 67 MB, come a step ahead. They are companded in eight loudnesses for the archive (large
    kernels), and a caption is written to them token by token (a graph of many small kernels); both are kept before the
    next calls. Of two streams the one with the lower number goes first where there is room."""
    tokens, bands = 24, 8

    def __init__(self, archive_first):
        self.calls = Ahead([pinned(torch.randint(-9000, 9000, (1024, 32768), device="cuda", dtype=torch.int16))
                            for _ in range(2)])
        self.archive = torch.cuda.Stream(priority=-1 if archive_first else 0)
        self.writing = torch.cuda.Stream(priority=0 if archive_first else -1)
        self.sound, self.work = [torch.zeros(1024, 32768, device="cuda") for _ in range(2)]
        self.kept = torch.zeros(self.bands, 1024, 32768, device="cuda", dtype=torch.int8)
        self.heard = torch.zeros(64, 1024, device="cuda", dtype=BF16)
        self.caption = torch.zeros(self.tokens, 64, 1024, device="cuda", dtype=BF16)
        self.writer = dense(1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024).requires_grad_(False)
        self.begun, self.archived, self.written = [torch.cuda.Event() for _ in range(3)]
        self.graph = graph_in(self.writing, self.write)
        torch.cuda.synchronize()

    @torch.no_grad()
    def write(self):
        state = self.heard
        for token in range(self.tokens):
            state = torch.tanh(self.writer(state) + self.heard)
            self.caption[token].copy_(state)

    def compand(self):
        for band in range(self.bands):
            torch.mul(self.sound, 0.25 * (band + 1), out=self.work)
            self.work.abs_().mul_(255).log1p_().mul_(22.9 / (1 + band / 8)).copysign_(self.sound)
            self.kept[band].copy_(self.work)

    @torch.no_grad()
    def step(self, i):
        now = torch.cuda.current_stream()
        self.sound.copy_(self.calls.take(i)).div_(9000)
        self.calls.give_back(i)
        self.heard.copy_(self.sound[:64, :1024])
        self.begun.record()
        with torch.cuda.stream(self.archive):
            self.archive.wait_event(self.begun)
            self.compand()
            self.archived.record()
        with torch.cuda.stream(self.writing):
            self.writing.wait_event(self.begun)
            self.graph.replay()
            self.written.record()
        now.wait_event(self.archived)
        now.wait_event(self.written)

    def result(self):
        return self.caption.float().abs().mean() + self.kept[:, :64].float().abs().mean()


class Restyler:
    """Patches of videos come, are restyled and leave, each round in the stream of a worker with places of its own. The
    host looks at what a worker made two of its rounds ago."""
    rows, width = 32768, 1536

    def __init__(self, workers):
        first = torch.randn(self.rows, self.width, device="cuda", dtype=BF16)
        self.patches = [pinned(first.roll(n, 0)) for n in range(2)]
        self.model = dense(self.width, 4096, 2048, self.width).requires_grad_(False)
        self.streams = [torch.cuda.Stream() for _ in range(workers)]
        self.places = [torch.zeros_like(first) for _ in range(workers)]
        self.host = [[torch.zeros(self.rows, self.width, dtype=BF16).pin_memory() for _ in range(2)]
                     for _ in range(workers)]
        self.left, self.seen = [two_events() for _ in range(workers)], 0.0
        torch.cuda.synchronize()

    @torch.no_grad()
    def step(self, i):
        worker, turn = i % len(self.streams), i // len(self.streams) % 2
        self.left[worker][turn].synchronize()
        self.seen = float(self.host[worker][turn][0, 0])
        with torch.cuda.stream(self.streams[worker]):
            self.places[worker].copy_(self.patches[i % 2], non_blocking=True)
            self.host[worker][turn].copy_(self.model(self.places[worker]), non_blocking=True)
            self.left[worker][turn].record()

    def result(self):
        torch.cuda.synchronize()
        return self.host[0][0].float().abs().mean()


class Stems(nn.Module):
    """Four stems of a song, each taken from what the others left; a stem that is too loud is made less so."""
    stems = 4

    def __init__(self, ask):
        super().__init__()
        self.ask = ask
        self.masks = nn.ModuleList(dense(1024, 4096, 1024) for _ in range(self.stems))

    def forward(self, song):
        left = song
        for mask in self.masks:
            stem = left * torch.sigmoid(mask(left)) * 2
            peak = stem.abs().amax()
            if not self.ask:
                stem.div_(peak.clamp(min=1))
            elif peak.item() > 1:
                stem.div_(peak)
            left = left - stem
        return left


class Talks:
    """Prompts are read, then 24 tokens are written; the host chooses from their scores, 1.6 MB, how the next prompts
    begin. What the layers heard in the prompts, 134 MB, leaves for the cache on the host while tokens are written: in
    one copy, or in pieces."""
    rows, length, width, layers, tokens = 32, 512, 1024, 4, 24

    def __init__(self, in_pieces):
        self.in_pieces = in_pieces
        self.table = torch.randn(1024, self.width, device="cuda", dtype=BF16)
        self.prompts = torch.randn(self.rows, self.length, self.width, device="cuda", dtype=BF16)
        self.blocks = [Block(self.width, 16, True).requires_grad_(False) for _ in range(self.layers)]
        self.writer = dense(self.width, 4096, 4096, self.width).requires_grad_(False)
        self.heard = [torch.zeros(self.layers * self.rows * self.length, self.width, device="cuda", dtype=BF16)
                      for _ in range(2)]
        self.cache = [torch.zeros(self.heard[0].shape, dtype=BF16).pin_memory() for _ in range(2)]
        self.begin = torch.zeros(self.rows, device="cuda", dtype=torch.int64)
        self.last = torch.zeros(self.rows, self.width, device="cuda", dtype=BF16)
        self.scores = torch.zeros(self.tokens, self.rows, self.width, device="cuda", dtype=BF16)
        self.answers = torch.zeros(self.scores.shape, dtype=BF16).pin_memory()
        self.chosen = torch.zeros(self.rows, dtype=torch.int64).pin_memory()
        self.leaving, self.answering = torch.cuda.Stream(), torch.cuda.Stream()
        self.read, self.kept = two_events(), two_events()
        self.written, self.answered = two_events()
        self.readers, self.write_graph = [as_graph(lambda k=k: self.hear(k)) for k in range(2)], as_graph(self.write)
        torch.cuda.synchronize()

    @torch.no_grad()
    def hear(self, slot):
        x = self.prompts + self.table[self.begin][:, None]
        for block, place in zip(self.blocks, self.heard[slot].chunk(self.layers)):
            x = block(x)
            place.copy_(x.flatten(0, 1))
        self.last.copy_(x[:, -1])

    @torch.no_grad()
    def write(self):
        state = self.last
        for token in range(self.tokens):
            state = torch.tanh(self.writer(state) + state)
            self.scores[token].copy_(state)

    def keep(self, slot):
        rows = 2048 if self.in_pieces else len(self.heard[slot])
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.read[slot])
            for place, part in zip(self.cache[slot].split(rows), self.heard[slot].split(rows)):
                place.copy_(part, non_blocking=True)
            self.kept[slot].record()

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        self.begin.copy_(self.chosen, non_blocking=True)
        now.wait_event(self.kept[slot])
        self.readers[slot].replay()
        self.read[slot].record()
        self.keep(slot)
        self.write_graph.replay()
        self.written.record()
        with torch.cuda.stream(self.answering):
            self.answering.wait_event(self.written)
            self.answers.copy_(self.scores, non_blocking=True)
            self.answered.record()
        self.answered.synchronize()
        self.chosen.copy_(self.answers[-1, :, :64].float().argmax(1))

    def result(self):
        torch.cuda.synchronize()
        return self.cache[0].float().abs().mean()


class Forecasters:
    """Three forecasters of what a grid of power will need, each in a stream of its own, begin at the newest state and
    go through a day; what they say is weighed against plans: the next state. A forecaster waits for the state
    only, or for the one before it too."""
    members, hours, rows, width = 3, 128, 128, 512

    def __init__(self, by_turns):
        self.by_turns = by_turns
        self.streams = [torch.cuda.Stream() for _ in range(self.members)]
        self.weights = torch.randn(self.members, self.width, self.width, device="cuda", dtype=BF16) / 32
        self.drive = torch.randn(self.hours, self.width, device="cuda", dtype=BF16)
        self.state = torch.zeros(self.rows, self.width, device="cuda", dtype=BF16)
        self.said = torch.zeros(self.members, self.rows, self.width, device="cuda", dtype=BF16)
        self.plans = Ahead([pinned(torch.randn(16384, self.width, device="cuda", dtype=BF16)) for _ in range(3)])
        self.judge = dense(2 * self.width, 4096, 4096, 4096, self.width).requires_grad_(False)
        self.known, self.ended = torch.cuda.Event(), [torch.cuda.Event() for _ in range(self.members)]
        self.graphs = [graph_in(stream, lambda k=k: self.forecast(k)) for k, stream in enumerate(self.streams)]
        torch.cuda.synchronize()

    @torch.no_grad()
    def forecast(self, k):
        state = self.state
        for hour in self.drive:
            state = torch.addmm(hour, state, self.weights[k]).tanh_()
        self.said[k].copy_(state)

    @torch.no_grad()
    def step(self, i):
        now = torch.cuda.current_stream()
        self.known.record()
        for k, stream in enumerate(self.streams):
            with torch.cuda.stream(stream):
                stream.wait_event(self.known)
                if self.by_turns and k > 0:
                    stream.wait_event(self.ended[k - 1])
                self.graphs[k].replay()
                self.ended[k].record()
        plans = self.plans.take(i)
        for event in self.ended:
            now.wait_event(event)
        view = self.said.mean(0).repeat(16384 // self.rows, 1)
        judged = self.judge(torch.cat([view, plans], 1))
        self.plans.give_back(i)
        self.state.copy_(judged.view(-1, self.rows, self.width).mean(0).add_(self.said.mean(0)).tanh_())

    def result(self):
        return self.said.float().abs().mean()


class Cascade:
    """Pictures of traffic come a step ahead; a small network finds the 64 of 256 that are worth it, a larger one looks
    at those, enlarged, and they leave in a stream of their own beside the next ones. A graph for each place."""

    def __init__(self):
        self.pictures = Ahead([pinned(torch.randint(256, (256, 3, 128, 128), device="cuda", dtype=torch.uint8))
                               for _ in range(3)])
        self.small, self.large = sight(1, 1).requires_grad_(False), sight(5, 64).requires_grad_(False)
        self.worth = [torch.zeros(64, 3, 256, 256, device="cuda", dtype=torch.uint8) for _ in range(2)]
        self.told = [torch.zeros(64, 64, device="cuda") for _ in range(2)]
        self.host = [[torch.zeros(place.shape, dtype=place.dtype).pin_memory() for place in places]
                     for places in zip(self.worth, self.told)]
        self.made, self.left, self.leaving, self.seen = two_events(), two_events(), torch.cuda.Stream(), 0.0
        self.graphs = [as_graph(lambda k=k: self.look(k)) for k in range(2)]
        torch.cuda.synchronize()

    @torch.no_grad()
    def look(self, slot):
        x = self.pictures.places[slot].to(BF16, memory_format=torch.channels_last).div_(255)
        best = self.small(x).flatten().topk(64, sorted=False).indices
        large = F.interpolate(x[best], scale_factor=2, mode="bilinear").contiguous(memory_format=torch.channels_last)
        self.told[slot].copy_(self.large(large).float().softmax(1))
        self.worth[slot].copy_(large.mul_(255))

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        self.pictures.take(i)
        now.wait_event(self.left[slot])
        self.graphs[slot].replay()
        self.pictures.give_back(i)
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            for place, made in zip(self.host[slot], (self.worth[slot], self.told[slot])):
                place.copy_(made, non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.seen = float(self.host[1 - slot][1][0, 0])

    def result(self):
        torch.cuda.synchronize()
        return self.host[0][1].square().mean()
