"""The host of a program in PyTorch waits for the device without need."""
import concurrent.futures
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import as_graph, prefetched_graphs, replayed
from torch_models import BF16, Residual, Update, class_loss, encoder, images, network, size_of
from torch_staging import Asked, Collector, Delayed, Prefetcher
from torch_training import logged_training

pairs = Pairs("torch")


def wait_for_device(i, loss):
    torch.cuda.synchronize()
    return float(i)


@pairs.pair("host-sync", further="launch-bound python host-late", other="launch-bound python host-late")
def synchronize_each_step(variant):
    """The host waits for the device after each step and only then writes its log line. Mended: in one step of 50.
    Further, other: the step is a graph."""
    return logged_training(variant, 6, 6000, wait_for_device)


def ask_in_circles(i, loss):
    while not torch.cuda.current_stream().query():
        pass
    return float(i)


@pairs.pair("host-sync", further="launch-bound python host-late", other="launch-bound python host-late")
def stream_polled_without_pause(variant):
    """The host asks again and again whether the stream has finished the step, and only then goes on. Mended: in one
    step of 50. Further, other: the step is a graph."""
    return logged_training(variant, 6, 6000, ask_in_circles)


@pairs.pair("host-sync")
def stages_timed_by_host(variant):
    """Six stages of batched products are timed by the clock of the host, which waits for the device around each stage.
    Mended: events are recorded and read eight steps later. 4 to 8 %."""
    weights = [torch.randn(128, 512, 512, device="cuda", dtype=BF16) / 512 ** 0.5 for _ in range(4)]
    x = torch.randn(128, 512, 512, device="cuda", dtype=BF16)
    marks = [[torch.cuda.Event(enable_timing=True) for _ in range(7)] for _ in range(8)]
    spent = {"ms": [0.0] * 6}

    def stage(value):
        for w in weights:
            value = F.gelu(torch.bmm(value, w))
        return value

    @torch.no_grad()
    def by_host(i):
        value = x
        torch.cuda.synchronize()
        for n in range(6):
            begin = time.perf_counter()
            value = stage(value)
            torch.cuda.synchronize()
            spent["ms"][n] = 1e3 * (time.perf_counter() - begin)

    @torch.no_grad()
    def by_events(i):
        mine = marks[i % len(marks)]
        if i >= len(marks):  # those of eight steps ago
            mine[-1].synchronize()
            spent["ms"] = [a.elapsed_time(b) for a, b in zip(mine, mine[1:])]
        value = x
        mine[0].record()
        for n in range(6):
            value = stage(value)
            mine[n + 1].record()
    return by_host if variant == "bad" else by_events


def convolutional(*layers):
    """Layers and a classifier of 128 channels."""
    with torch.device("cuda"):
        model = nn.Sequential(*[layer.to("cuda") for layer in layers], nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                              nn.Linear(128, 16))
        return model.to(BF16).to(memory_format=torch.channels_last)


@pairs.pair("host-sync", further="launch-bound python host-late same-stream too-few-streams",
            other="launch-bound python host-late")
def pinned_batches_copied_blocking(variant):
    """Images, 1 MiB, and their classes lie in pinned memory, but non_blocking=True is missing, so the host waits for
    each copy. Mended: it is there. 4 to 8 %. Further: both are one copy, which is made ahead, and a step is a graph.
    Other: what follows the copies is a graph."""
    model = convolutional(nn.Conv2d(1, 64, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(64, 128, 3, padding=1),
                          nn.ReLU(), Residual(128))
    update = Update(model)
    batches = [(torch.randint(0, 256, (256, 1, 64, 64), dtype=torch.uint8).pin_memory(),
                torch.randint(0, 16, (256,)).pin_memory()) for _ in range(2)]

    def learn(x, y):
        x = x.to(BF16).div_(128).sub_(1)
        update.backward(class_loss(model(x), y))
        update.step()

    def step(i):
        learn(*(part.to("cuda", non_blocking=variant == "mended") for part in batches[i % 2]))

    def learn_of_bytes(both):
        x, y = both.split([batches[0][0].numel(), 8 * 256])
        learn(x.view(256, 1, 64, 64), y.view(torch.long))
    if variant == "further":
        as_bytes = [torch.cat([part.view(-1).view(torch.uint8) for part in batch]).pin_memory() for batch in batches]
        return prefetched_graphs(Prefetcher(as_bytes), learn_of_bytes)
    if variant != "other":
        return step
    still = [part.to("cuda") for part in batches[0]]
    graph = as_graph(lambda: learn(*still))

    def copied_before_graph(i):
        for kept, part in zip(still, batches[i % 2]):
            kept.copy_(part)
        graph.replay()
    return copied_before_graph


@pairs.pair("host-sync host-late",
            further="launch-bound python host-late data-loading same-stream too-few-streams")
def staging_waits_for_whole_stream(variant):
    """Requests of 4 MiB are gathered in one pinned buffer. Before it is filled again, the host waits for all work of
    the stream. Mended: two buffers, and the host waits for the copy of two steps ago. 4 to 10 %. Further: they are
    gathered and copied ahead, and a step is a graph."""
    front = nn.Linear(128, 1024, device="cuda", dtype=BF16).requires_grad_(False)
    model = encoder(1024, 16, 6).requires_grad_(False)
    requests = [torch.randn(32, 512, 128) for _ in range(3)]
    staging = [torch.empty(32, 512, 128, dtype=BF16).pin_memory() for _ in range(2)]
    copied = [torch.cuda.Event() for _ in range(2)]
    collector = Collector((32, 1024), side_stream=False)

    def gathered(i):
        slot = i % 2 if variant == "mended" else 0
        if variant == "mended":
            copied[slot].synchronize()
        else:
            torch.cuda.current_stream().synchronize()
        staging[slot].copy_(requests[i % 3])
        x = staging[slot].to("cuda", non_blocking=True)
        copied[slot].record()
        return x

    @torch.no_grad()
    def step(i):
        collector.take(i, model(front(gathered(i))).mean(1))
    if variant != "further":
        return step
    places = [torch.zeros_like(staging[0]).pin_memory() for _ in range(4)]  # the host has seen the end of step i - 3
    known = torch.zeros(32, 1024, device="cuda", dtype=BF16)
    judge = prefetched_graphs(Asked(places[0], lambda i: places[i % 4].copy_(requests[i % 3])),
                              lambda x: known.copy_(model(front(x)).mean(1)))

    def ahead(i):
        judge(i)
        collector.take(i, known)
    return ahead


class Tasks(nn.Module):
    """Three tasks continue from one network, each in a stream of its own. Before their answers are joined, the host
    waits for these streams, or the main stream does."""

    def __init__(self, channels, by_host):
        super().__init__()
        with torch.device("cuda"):
            self.trunk = nn.Sequential(nn.Conv2d(3, channels, 3, stride=2, padding=1), Residual(channels),
                                       Residual(channels))
            self.tasks = nn.ModuleList([nn.Sequential(Residual(channels), nn.Conv2d(channels, 4, 1)) for _ in range(3)])
        self.to(BF16).to(memory_format=torch.channels_last).requires_grad_(False)
        self.by_host, self.streams = by_host, [torch.cuda.Stream() for _ in self.tasks]

    @torch.no_grad()
    def forward(self, pictures):
        """All that is made here is given back behind the last wait, and so no stream finds it changed."""
        current, known, answers = torch.cuda.current_stream(), self.trunk(pictures), []
        for task, stream in zip(self.tasks, self.streams):
            stream.wait_stream(current)
            with torch.cuda.stream(stream):
                answers.append(task(known))
        for stream in self.streams:
            if self.by_host:
                stream.synchronize()
            else:
                current.wait_stream(stream)
        return torch.cat(answers, 1).float().abs().mean((0, 2, 3))


@pairs.pair("host-sync", allowed=("launch-bound", "stretched"), further="launch-bound python host-late")
def streams_joined_by_host(variant):
    """Three tasks continue from one network in streams of their own, four times a step. The host waits for these
    streams before it goes on. Mended: the main stream waits for them. 3 to 10 %. Further: a step is a graph."""
    torch.manual_seed(14)
    model, late, log = Tasks(128, variant == "bad"), Delayed((), torch.float32), {}
    groups = [images(24, 3, 160) for _ in range(4)]

    def judge():
        log["now"] = torch.stack([model(pictures) for pictures in groups]).mean()
    judge = replayed(judge, variant)

    def step(i):
        judge()
        log["before"] = float(late.exchange(i, log["now"]))
    return giving(step, lambda: log["now"])


class Search:
    """Two threads of a search server, one with short work and one with long work; each has a graph, a stream and two
    buffers for its answers. After a group is issued, the answers to the one before are read: when the device is idle,
    or when those answers are there."""
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
        self.graphs = [as_graph(lambda n=n: self.find(n), stream) for n, stream in enumerate(self.streams)]
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


@pairs.pair("host-sync device-barrier", allowed=("host-sync", "stretched"))
def threads_wait_for_whole_device(variant):
    """Two threads serve with a stream each: one has five short graphs a step, the other a long one, both of small
    kernels. Before a thread reads its last answers, it waits for all that the device does. Mended: for these answers.
    25 to 50 %."""
    torch.manual_seed(15)
    search = Search((30, 140), variant == "bad")
    return giving(lambda i: search.step((5, 1)), lambda: sum(size_of(found) for found in search.found), search.close)


@pairs.pair("host-late host-sync python", further="launch-bound python host-late")
def answers_polled_with_sleep(variant):
    """Three groups of texts a step. Whether the answers to a group are there is asked every 4 ms, and the next group
    follows then. Mended: the host waits for the answers to the group before. 30 to 65 %. Further: the model is a graph.
    """
    model, texts = encoder(2048, 16, 2).requires_grad_(False), torch.randn(32, 128, 2048, device="cuda", dtype=BF16)
    answers = [torch.empty(32, 2048).pin_memory() for _ in range(2)]
    there, log = [torch.cuda.Event() for _ in range(2)], {}

    def judge():
        log["found"] = model(texts).mean(1).float()
    judge = replayed(judge, variant)

    @torch.no_grad()
    def step(i):
        for n in range(3 * i, 3 * i + 3):
            slot, seen = n % 2, n % 2 if variant == "bad" else 1 - n % 2
            judge()
            answers[slot].copy_(log["found"], non_blocking=True)
            there[slot].record()
            while variant == "bad" and not there[slot].query():
                time.sleep(0.004)
            there[seen].synchronize()
            log["answer"] = float(answers[seen][0, 0])
    return step
