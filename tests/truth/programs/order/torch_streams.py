"""Streams in PyTorch that are of the wrong kind or number, and two programs where they are right."""
import concurrent.futures
import ctypes

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import as_graph, replayed
from torch_models import BF16, network, size_of
from torch_runtime import check, runtime
from torch_staging import Delayed, Prefetcher, host_batches

pairs = Pairs("torch")


class Car:
    """A map, which is filled by large grids, and a chain of small products that finds how to steer by the map before.
    Each has a stream of its own, and one of the streams has the higher priority."""

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


@pairs.pair("priority", allowed=("stretched",), further="launch-bound python host-late")
def short_kernels_behind_large_grids(variant):
    """Twelve large grids fill a map, and a chain of 64 small kernels runs in another stream. The map has the higher
    priority, so each grid holds up the chain. Mended: the chain has it. 5 to 20 %. Further: both are a graph."""
    torch.manual_seed(15)
    car, late, log = Car(32, 12, variant != "bad"), Delayed((), torch.float32), {}

    def drive():
        log["now"] = car.step()
    drive = replayed(drive, variant)
    for changed in (car.known, car.map) if variant == "further" else ():
        changed.zero_()  # the graph was tried

    @torch.no_grad()
    def step(i):
        drive()
        log["before"] = float(late.exchange(i, log["now"]))
    return giving(step, lambda: size_of(car.known))


class Turns:
    """Rounds of a copy in, a network and a copy out, each in the next of so many streams, which wait for nothing of
    each other. There are six buffers on the host, each read before it is used again."""
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


@pairs.pair("too-few-streams", allowed=("stretched", "both-directions"))
def tiles_in_two_streams(variant):
    """Tiles of 25 MB come, are filtered and leave, four rounds a step, in two streams by turns: copies of 0.5 ms each
    way around kernels of 0.75 ms, more than two streams can overlap. Mended: three streams. 8 to 30 %."""
    torch.manual_seed(15)
    model = network(1024, 2048, 4, 1024).requires_grad_(False)
    turns = Turns(model, host_batches((12288, 1024), True), 2 if variant == "bad" else 3)

    def step(i):
        for _ in range(4):
            turns.go()
    return giving(step, lambda: size_of(turns.last()))


@pairs.pair("same-stream too-few-streams", allowed=("host-sync", "host-late", "stretched"))
def threads_share_default_stream(variant):
    """Two threads have a model each that fills half of the device, and both work in the default stream. Mended: each
    thread has its own stream. 25 to 45 %."""
    models = [network(1024, 1024, 30).requires_grad_(False) for _ in range(2)]
    x = torch.randn(1024, 1024, device="cuda", dtype=BF16)
    own = [torch.cuda.Stream() for _ in models]
    graphs = [as_graph(lambda model=model: model(x), stream) for stream, model in zip(own, models)]
    streams = own if variant == "mended" else [torch.cuda.default_stream()] * 2
    events = [torch.cuda.Event() for _ in models]
    pool = concurrent.futures.ThreadPoolExecutor(2)

    def serve(n):
        with torch.cuda.stream(streams[n]):
            for _ in range(8):
                graphs[n].replay()
                events[n].record()
                events[n].synchronize()

    def step(i):
        for served in [pool.submit(serve, n) for n in range(2)]:
            served.result()
    step.finish = pool.shutdown
    return step


class Grabbed(Prefetcher):
    """Frames that a library copies one step ahead, in the stream that it was given."""

    def __init__(self, batches, stream):
        torch.cuda.synchronize()
        super().__init__(batches)
        torch.cuda.synchronize()
        self.stream = stream


def ordinary_stream():
    """A stream as cudaStreamCreate() makes it: it waits for the default stream, and that waits for it. It is never
    destroyed, since pinned memory that it used is given back later."""
    handle = ctypes.c_ulonglong(0)
    check(torch.cuda.cudart().cudaStreamCreate(ctypes.addressof(handle)), "cudaStreamCreate")
    return torch.cuda.ExternalStream(handle.value)


@pairs.pair("null-stream", allowed=("stretched",))
def frames_copied_in_blocking_stream(variant):
    """Frames of 34 MB, 0.7 ms, come one step ahead of a network of 2 ms. The library that copies them made its stream
    with cudaStreamCreate(), so it and the default stream of the kernels wait for each other. Mended: a non-blocking
    stream. 15 to 30 %."""
    torch.manual_seed(16)
    model, late, log = network(1024, 4096, 3).requires_grad_(False), Delayed((), torch.float32), {}
    stream = ordinary_stream() if variant == "bad" else torch.cuda.Stream()
    bottles = Grabbed(host_batches((16384, 1024), True), stream)

    @torch.no_grad()
    def step(i):
        log["broken"] = model(bottles.take(i)).float().softmax(1)[:, 0].mean()
        bottles.give_back(i)
        log["before"] = float(late.exchange(i, log["broken"]))
    return giving(step, lambda: log["broken"])


HostFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def denoiser(inputs, channels, layers):
    """Convolutions of one size from the inputs to the inputs."""
    sizes = [inputs] + [channels] * layers
    with torch.device("cuda"):
        parts = [part for a, b in zip(sizes, sizes[1:]) for part in (nn.Conv2d(a, b, 3, padding=1), nn.ReLU())]
        model = nn.Sequential(*parts, nn.Conv2d(channels, inputs, 3, padding=1))
    return model.to(BF16).to(memory_format=torch.channels_last).requires_grad_(False)


class Film:
    """Frames are cleaned of noise. How light they are, 256 KB, goes to the host, where a host function finds a mean and
    a histogram: in the stream of the kernels, or in one beside it."""

    def __init__(self, frames, beside):
        self.frames, self.model = Prefetcher(frames), denoiser(3, 64, 9)
        self.light = [torch.zeros(len(frames[0]), 128, 128).pin_memory() for _ in range(2)]
        self.left, self.booked = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.stream = torch.cuda.Stream() if beside else torch.cuda.current_stream()
        self.runtime, self.exposure, self.often = runtime(), 0.0, None
        self.functions = [HostFunction(lambda _, slot=slot: self.book(slot)) for slot in range(2)]
        torch.cuda.synchronize()

    def book(self, slot):
        light = np.sort(self.light[slot].numpy(), axis=None)
        self.exposure = 0.9 * self.exposure + 0.1 * (1 + float(light[3000:-3000].mean()))
        self.often = np.histogram(light, 256, (-4, 4))[0]

    @torch.no_grad()
    def step(self, i):
        slot = i % 2
        x = self.frames.take(i).contiguous(memory_format=torch.channels_last)
        self.frames.give_back(i)
        clean = x - self.model(x)
        self.light[slot].copy_(F.avg_pool2d(clean.float().mean(1), 4), non_blocking=True)
        self.left[slot].record()
        self.stream.wait_event(self.left[slot])
        check(self.runtime.cudaLaunchHostFunc(ctypes.c_void_p(self.stream.cuda_stream), self.functions[slot], None),
              "cudaLaunchHostFunc")
        self.booked[slot].record(self.stream)
        self.booked[1 - slot].synchronize()


@pairs.pair("callback", allowed=("stretched",))
def host_function_between_frames(variant):
    """Frames are denoised, 4 ms a step. A host function in the stream of the kernels finds how light they were, 1 to
    1.5 ms, and the next kernels wait for it. Mended: it runs in a stream of its own behind an event. 15 to 30 %."""
    torch.manual_seed(17)
    film = Film(host_batches((4, 3, 512, 512), True), variant == "mended")
    return giving(film.step, lambda: film.exposure, torch.cuda.synchronize)


class Translator:
    """One of the threads of a server. Texts come ahead in a stream of their own, and the answers are read when the next
    texts are under way. One number a step is copied from pageable memory; with a graph for each buffer, a kernel takes
    it along."""

    def __init__(self, model, batches, graphed):
        self.model, self.texts, self.stream = model, Prefetcher(batches), torch.cuda.Stream()
        self.host = [torch.zeros(len(batches[0]), dtype=torch.long).pin_memory() for _ in range(2)]
        self.there, self.heard = [torch.cuda.Event() for _ in range(2)], 0
        self.bold = torch.ones(1, device="cuda")
        torch.cuda.synchronize()
        slots = range(2 if graphed else 0)
        self.graphs = [as_graph(lambda slot=slot: self.find(slot), self.stream) for slot in slots]

    @torch.no_grad()
    def find(self, slot):
        scores = self.model(self.texts.buffers[slot]).float() * self.bold
        self.host[slot].copy_(scores.argmax(1), non_blocking=True)

    def replay(self, i):
        self.bold.fill_(1.0 + 0.1 * (i % 5))
        self.texts.take(i)
        self.graphs[i % 2].replay()
        self.texts.give_back(i)

    def issue(self, i):
        bold = torch.tensor([1.0 + 0.1 * (i % 5)]).to("cuda", non_blocking=True)
        scores = self.model(self.texts.take(i)).float() * bold
        self.texts.give_back(i)
        self.host[i % 2].copy_(scores.argmax(1), non_blocking=True)

    @torch.no_grad()
    def answer(self, i):
        slot = i % 2
        with torch.cuda.stream(self.stream):
            self.replay(i) if self.graphs else self.issue(i)
            self.there[slot].record()
        self.there[1 - slot].synchronize()
        self.heard = int(self.host[1 - slot][0])


@pairs.healthy(allowed=("stretched",), further="launch-bound python host-late pageable same-stream")
def healthy_translators_in_threads(variant):
    """Three threads with a stream each. Texts of 8 MB come ahead in copy streams, one number a step comes from pageable
    memory, and each thread waits for the answers before the newest while other threads have work under way. Further:
    graphs, and that number is no copy."""
    torch.manual_seed(15)
    model, pool = network(1024, 4096, 4, 1024).requires_grad_(False), concurrent.futures.ThreadPoolExecutor(3)
    translators = [Translator(model, host_batches((4096, 1024), True), variant == "further") for _ in range(3)]

    def step(i):
        for answered in [pool.submit(translator.answer, i) for translator in translators]:
            answered.result()
    step.finish = pool.shutdown
    return step


class Books:
    """Books of contracts come, are valued and leave, in three streams and three buffers; the host reads a result once
    it has left, two rounds later."""
    slots = 3

    def __init__(self, books):
        self.books, self.model = books, network(512, 2048, 5, 512).requires_grad_(False)
        self.inside, self.outside = [[torch.zeros_like(books[0], device="cuda") for _ in range(3)] for _ in range(2)]
        self.host = [torch.zeros_like(books[0]).pin_memory() for _ in range(3)]
        self.up, self.down, self.worth = torch.cuda.Stream(), torch.cuda.Stream(), 0.0
        self.come, self.valued, self.left = [[torch.cuda.Event() for _ in range(3)] for _ in range(3)]
        torch.cuda.synchronize()
        for number in range(2):
            self.fetch(number)

    def fetch(self, number):
        slot = number % 3
        with torch.cuda.stream(self.up):
            self.up.wait_event(self.valued[slot])
            self.inside[slot].copy_(self.books[number % len(self.books)], non_blocking=True)
            self.come[slot].record()

    @torch.no_grad()
    def go(self, number):
        slot, current = number % 3, torch.cuda.current_stream()
        self.fetch(number + 2)
        current.wait_event(self.come[slot])
        current.wait_event(self.left[slot])
        torch.add(self.model(self.inside[slot]), self.inside[slot], out=self.outside[slot])
        self.valued[slot].record()
        other = (number + 1) % 3  # that of two rounds ago
        self.left[other].synchronize()
        self.worth = float(self.host[other][0, 0])
        with torch.cuda.stream(self.down):
            self.down.wait_event(self.valued[slot])
            self.host[slot].copy_(self.outside[slot], non_blocking=True)
            self.left[slot].record()


@pairs.healthy(allowed=("stretched",))
def healthy_books_in_three_streams(variant):
    """17 MB come, are valued and leave, four rounds a step, in three streams with three buffers; the kernels take
    longer than the copies. A result is read two rounds later."""
    torch.manual_seed(17)
    books = Books(host_batches((16384, 512), True))

    def step(i):
        for number in range(4 * i, 4 * i + 4):
            books.go(number)
    return step
