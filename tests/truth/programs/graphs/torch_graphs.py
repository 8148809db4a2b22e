"""CUDA graphs in PyTorch: missing, made too often, or with the wrong content; and good ones."""
import collections

import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import as_graph
from torch_models import BF16, Update, class_loss, encoder, labels, network, size_of
from torch_staging import Collector, Delayed, Prefetcher, host_batches
from torch_training import Trainer

pairs = Pairs("torch")


@pairs.pair("launch-bound")
def tiny_kernels_without_graph(variant):
    """A training step of very small kernels, which the host launches more slowly than they run. Mended: one graph."""
    trainer, y = Trainer(network(256, 256, 30)), labels(64)
    x = torch.randn(64, 256, device="cuda", dtype=BF16)
    if variant == "bad":
        return lambda i: trainer.step(x, y)
    graph = as_graph(lambda: trainer.step(x, y))
    return lambda i: graph.replay()


class CachedBlock(nn.Module):
    """A layer of a decoder that sees one token of each row and remembers those before."""

    def __init__(self, rows, width, heads, length):
        super().__init__()
        self.shape = (rows, heads, 1, width // heads)
        self.before = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.between = nn.LayerNorm(width)
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)
        self.register_buffer("keys", torch.zeros(rows, heads, length, width // heads))
        self.register_buffer("values", torch.zeros(rows, heads, length, width // heads))

    def forward(self, x, position, later):
        q, k, v = (part.reshape(self.shape) for part in self.qkv(self.before(x)).chunk(3, 1))
        self.keys.index_copy_(2, position, k)
        self.values.index_copy_(2, position, v)
        scores = (q @ self.keys.transpose(2, 3)) * self.shape[3] ** -0.5
        seen = scores.masked_fill(later, -1e4).softmax(3) @ self.values
        x = x + self.out(seen.reshape(x.shape))
        return x + self.narrow(F.gelu(self.wide(self.between(x))))


class Decoder(nn.Module):
    """next() makes one token of each row; all its state is on the device, and the cache is a ring."""

    def __init__(self, rows, width, layers, length=512, words=8192):
        super().__init__()
        with torch.device("cuda"):
            self.table = nn.Embedding(words, width)
            self.blocks = nn.ModuleList([CachedBlock(rows, width, width // 64, length) for _ in range(layers)])
        self.to(BF16).requires_grad_(False)
        self.slots = torch.arange(length, device="cuda")
        self.position = torch.zeros(1, dtype=torch.long, device="cuda")
        self.token = torch.zeros(rows, dtype=torch.long, device="cuda")

    @torch.no_grad()
    def next(self):
        x = self.table(self.token)
        later = self.slots > self.position
        for block in self.blocks:
            x = block(x, self.position, later)
        self.token.copy_((x @ self.table.weight.t()).argmax(1))
        self.position.add_(1).remainder_(self.slots.numel())
        return self.token


@pairs.pair("readback host-sync")
def words_looked_up_after_each_graph(variant):
    """A graph makes a token for each of 64 rows, 20 times a step. The host reads the tokens after each one and looks
    their words up before the next. Mended: it reads those of the token before. 5 to 10 %."""
    decoder = Decoder(64, 1024, 3, 256)
    graph, late = as_graph(decoder.next), Delayed((64,), torch.long)
    words = [f"word{n}" for n in range(8192)]
    texts = [collections.deque(maxlen=100) for _ in range(64)]
    for host in late.collector.host:
        host.zero_()

    def tokens(number):
        return (decoder.token if variant == "bad" else late.exchange(number, decoder.token)).tolist()

    def step(i):
        for n in range(i * 20, i * 20 + 20):
            graph.replay()
            for text, token in zip(texts, tokens(n)):
                text.append(words[token])
    return step


class FedGraphs:
    """Two graphs of work(batch), one for each of two buffers. A graph first copies the batch that it works on, or
    copies the one of the next graph in a branch."""

    def __init__(self, batches, ahead, work):
        self.batches, self.ahead, self.work = batches, ahead, work
        self.slots = [batch.to("cuda") for batch in batches]
        self.stream = torch.cuda.Stream()
        self.graphs = [as_graph(lambda slot=slot: self.through(slot)) for slot in range(2)]

    def copy(self, slot):
        self.slots[slot].copy_(self.batches[slot], non_blocking=True)

    def through(self, slot):
        current = torch.cuda.current_stream()
        if self.ahead:
            self.stream.wait_stream(current)
            with torch.cuda.stream(self.stream):
                self.copy(1 - slot)
        else:
            self.copy(slot)
        self.work(self.slots[slot])
        if self.ahead:
            current.wait_stream(self.stream)

    def replay(self, i):
        self.graphs[i % 2].replay()


@pairs.pair("same-stream", allowed=("stretched",))
def graph_copies_its_own_input(variant):
    """A graph is a whole training step and begins with the copy of its batch, 25 MB. Mended: a branch of the graph
    copies the batch of the next step. 4 to 12 %."""
    torch.manual_seed(13)
    model, y, lost = network(1024, 4096, 4), labels(12288), torch.zeros((), device="cuda")
    update = Update(model)

    def learn(x):
        lost.copy_(update.backward(class_loss(model(x), y)))
        update.step()
    graphs = FedGraphs(host_batches((12288, 1024), True), variant == "mended", learn)
    return giving(lambda i: graphs.replay(i), lambda: lost)


@pairs.pair("same-stream too-few-streams")
def models_in_one_branch(variant):
    """Four models that each fill half of the device judge the same rows in one graph, one after the other. Mended: in
    four branches. 30 to 60 %."""
    models = [network(1024, 1024, 30).requires_grad_(False) for _ in range(4)]
    streams = [torch.cuda.Stream() for _ in models]
    x = torch.randn(1024, 1024, device="cuda", dtype=BF16)
    answers, mean = (torch.zeros(size, device="cuda", dtype=BF16) for size in ((4, 1024, 16), (1024, 16)))

    def in_turn():
        for answer, model in zip(answers, models):
            answer.copy_(model(x))

    def beside():
        current = torch.cuda.current_stream()
        for answer, model, stream in zip(answers, models, streams):
            stream.wait_stream(current)
            with torch.cuda.stream(stream):
                answer.copy_(model(x))
        for stream in streams:
            current.wait_stream(stream)

    def judge():
        in_turn() if variant == "bad" else beside()
        torch.mean(answers, 0, out=mean)
    graph = as_graph(judge)

    def step(i):
        for _ in range(5):
            graph.replay()
    return step


class ByLength:
    """Texts of several lengths go through a graph: one for each length, or one that is captured again when another
    length comes."""

    def __init__(self, model, rows, width, lengths, keep):
        self.model, self.graphs = model, {}
        self.texts = {length: torch.randn(rows, length, width, device="cuda", dtype=BF16) for length in lengths}
        self.known = torch.zeros(rows, width, device="cuda", dtype=BF16)
        for length in lengths:
            graph = as_graph(lambda length=length: self.through(length))
            if keep:
                self.graphs[length] = graph

    @torch.no_grad()
    def through(self, length):
        self.known.copy_(self.model(self.texts[length]).mean(1))

    def replay(self, length):
        if length not in self.graphs:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self.through(length)
            self.graphs = {length: graph}
        self.graphs[length].replay()


@pairs.pair("graph-rebuilt host-late allocation device-barrier host-sync python")
def graph_captured_again_for_each_length(variant):
    """Texts of three lengths go through a graph, and every second step has another length. The graph is captured again
    for it, with new memory. Mended: one graph for each length. 20 to 60 %."""
    torch.manual_seed(13)
    lengths = (192, 256, 320)
    graphs = ByLength(encoder(1024, 8, 3).requires_grad_(False), 64, 1024, lengths, variant == "mended")

    def step(i):
        graphs.replay(lengths[i // 2 % 3])
    return giving(step, lambda: size_of(graphs.known))


@pairs.healthy()
def healthy_graph(variant):
    """Inference in a graph; the data is on the device."""
    model = network(2048, 2048, 24).requires_grad_(False)
    x = torch.randn(4096, 2048, device="cuda", dtype=BF16)
    graph = as_graph(lambda: model(x))
    return lambda i: graph.replay()


@pairs.healthy()
def healthy_graph_fed_ahead(variant):
    """A graph whose input comes one step ahead in a copy stream and whose results leave in a side stream."""
    model = network(2048, 4096, 12, 1024).requires_grad_(False)
    source = Prefetcher(host_batches((8192, 2048), pinned=True))
    collector = Collector((8192, 1024))
    x = torch.zeros(8192, 2048, device="cuda", dtype=BF16)
    y = torch.zeros(8192, 1024, device="cuda", dtype=BF16)
    graph = as_graph(lambda: y.copy_(model(x)))

    def step(i):
        x.copy_(source.take(i))
        source.give_back(i)
        graph.replay()
        collector.take(i, y.clone())
    step.model = model  # the graph does not keep it
    return step


class Radar:
    """A graph of two branches: the spectra of echoes, and what a network says of them, which meet. There are two
    graphs, one for each buffer of the input."""

    def __init__(self, rows, echoes):
        self.echoes = Prefetcher(echoes)
        self.model = network(1024, 4096, 2, 512).requires_grad_(False)
        self.judge = network(512, 2048, 3, 16).requires_grad_(False)
        self.kinds = torch.zeros(rows, dtype=torch.long, device="cuda")
        self.branch = torch.cuda.Stream()
        self.leaving, self.first = Collector((rows,), dtype=torch.long), 0
        with torch.no_grad():
            self.graphs = [as_graph(lambda x=x: self.hear(x)) for x in self.echoes.buffers]
        torch.cuda.synchronize()

    def hear(self, x):
        current = torch.cuda.current_stream()
        self.branch.wait_stream(current)
        with torch.cuda.stream(self.branch):
            loud = torch.fft.rfft(x.float())[:, 1:].abs().log1p().to(BF16)
        said = self.model(x)
        current.wait_stream(self.branch)
        self.kinds.copy_(self.judge(said + loud).argmax(1))

    def step(self, i):
        self.echoes.take(i)
        self.graphs[i % 2].replay()
        self.echoes.give_back(i)
        self.leaving.take(i, self.kinds.clone())
        self.leaving.done[1 - i % 2].synchronize()
        self.first = int(self.leaving.host[1 - i % 2][0])


@pairs.healthy(allowed=("stretched",))
def healthy_graph_of_two_branches(variant):
    """Echoes come one step ahead, and a graph of two branches which meet tells what they are of. The answers leave in a
    stream of their own and are read a step later."""
    torch.manual_seed(17)
    return Radar(16384, host_batches((16384, 1024), True)).step
