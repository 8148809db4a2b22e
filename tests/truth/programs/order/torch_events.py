"""Streams in PyTorch that wait for more than they need."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_models import BF16, Residual, Update, class_loss, labels, network, size_of
from torch_staging import Prefetcher, Snapshots
from torch_training import prefetched_training

pairs = Pairs("torch")


class EagerPrefetcher(Prefetcher):
    """A prefetcher that waits for whole streams: each side waits for all work that the other side has been given."""

    def fetch(self, i):
        self.stream.wait_stream(torch.cuda.current_stream())
        super().fetch(i)

    def take(self, i):
        self.fetch(i + 1)
        torch.cuda.current_stream().wait_stream(self.stream)
        return self.buffers[i % 2]


@pairs.pair("event-order same-stream")
def streams_wait_for_each_other(variant):
    """Batches of 64 MiB have a copy stream, but each side calls wait_stream(), so it waits for all work of the other
    side, and copies and kernels take turns. Mended: they wait for an event of the buffer."""
    prefetcher = EagerPrefetcher if variant == "bad" else Prefetcher
    return prefetched_training((4096, 8192), 4096, 5, prefetcher)


class Sensor:
    """A recurrent network with a stream of its own. So many moments are a graph, and the state is kept."""

    def __init__(self, rows, width, moments):
        self.weights = torch.randn(width, width, device="cuda", dtype=BF16) / width ** 0.5
        self.seen = torch.randn(moments, rows, width, device="cuda", dtype=BF16)
        self.state = torch.zeros(rows, width, device="cuda", dtype=BF16)
        self.stream, self.graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.stream(self.stream):
            self.listen()
        torch.cuda.synchronize()
        with torch.cuda.graph(self.graph, stream=self.stream):
            self.listen()

    @torch.no_grad()
    def listen(self):
        state = self.state
        for value in self.seen.unbind():
            state = torch.tanh(torch.addmm(value, state, self.weights))
        self.state.copy_(state)

    def replay(self):
        with torch.cuda.stream(self.stream):
            self.graph.replay()


@pairs.pair("event-order", allowed=("stretched",))
def sensors_wait_for_each_other(variant):
    """Three small recurrent networks have a stream and a graph each, five rounds a step. Each round waits for all that
    was issued before it, and what follows waits for it. Mended: all wait once a step. 40 to 65 %."""
    sensors, current = [Sensor(128, 768, 110) for _ in range(3)], torch.cuda.current_stream()

    @torch.no_grad()
    def step(i):
        for n in range(5):
            for sensor in sensors:
                if variant == "bad" or n == 0:
                    sensor.stream.wait_stream(current)
                sensor.replay()
                if variant == "bad":
                    current.wait_stream(sensor.stream)
        for sensor in sensors:
            current.wait_stream(sensor.stream)
        torch.stack([sensor.state for sensor in sensors]).mean(0)
    return step


class BothWays:
    """Frames come in one stream and leave in another, two buffers each. The next frames come when their buffer is free,
    or when those before have left."""

    def __init__(self, shape, after_leaving):
        self.after_leaving = after_leaving
        first = torch.randn(shape).to(BF16)
        self.sent = [first.roll(n, 0).pin_memory() for n in range(2)]
        self.there = [torch.empty(shape, dtype=BF16).pin_memory() for _ in range(2)]
        self.come = [torch.zeros(shape, dtype=BF16, device="cuda") for _ in range(2)]
        self.going = [torch.zeros(shape, dtype=BF16, device="cuda") for _ in range(2)]
        self.up, self.down = torch.cuda.Stream(), torch.cuda.Stream()
        self.full, self.made, self.left = [[torch.cuda.Event() for _ in range(2)] for _ in range(3)]
        torch.cuda.synchronize()
        self.fetch(0)

    def fetch(self, i):
        slot = i % 2
        with torch.cuda.stream(self.up):
            if self.after_leaving:
                self.up.wait_event(self.left[1 - slot])
            self.up.wait_event(self.made[slot])
            self.come[slot].copy_(self.sent[slot], non_blocking=True)
            self.full[slot].record()

    def step(self, i, work):
        slot, current = i % 2, torch.cuda.current_stream()
        current.wait_event(self.full[slot])
        current.wait_event(self.left[slot])
        self.going[slot].copy_(work(self.come[slot]))
        self.made[slot].record()
        with torch.cuda.stream(self.down):
            self.down.wait_event(self.made[slot])
            self.there[slot].copy_(self.going[slot], non_blocking=True)
            self.left[slot].record()
        self.fetch(i + 1)


@pairs.pair("event-order", allowed=("stretched",))
def frames_wait_for_frames_before_to_leave(variant):
    """Frames of 25 MB come in one stream and leave in another, two buffers each. The next frames come only when those
    before have left. Mended: when their own buffer is free. 12 to 30 %."""
    torch.manual_seed(11)
    with torch.device("cuda"):
        model = nn.Sequential(nn.Conv2d(16, 128, 3, padding=1), *[Residual(128) for _ in range(3)],
                              nn.Conv2d(128, 16, 3, padding=1)).to(BF16).to(memory_format=torch.channels_last)
    model.requires_grad_(False)
    frames = BothWays((48, 128, 128, 16), variant == "bad")

    def work(x):
        return model(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)

    @torch.no_grad()
    def step(i):
        frames.step(i, work)
    return giving(step, lambda: size_of(frames.going[1]))


class Leaving:
    """Gradients that go to pinned memory in a stream of their own: each one when it is there, or all when the last one
    is. They are cleared when they have left. With two sets of them, those of the step before leave meanwhile."""

    def __init__(self, weights, at_once, sets=1):
        self.weights, self.at_once = weights, at_once
        self.sets = [[torch.zeros_like(w) for w in weights] for _ in range(sets)]
        self.gone = [torch.cuda.Event() for _ in self.sets]
        self.host = [torch.zeros(w.shape, dtype=w.dtype).pin_memory() for w in weights]
        self.known = [torch.cuda.Event() for _ in weights]
        self.number, self.stream = 0, torch.cuda.Stream()
        for place, w in enumerate(weights):
            if at_once:
                w.register_post_accumulate_grad_hook(lambda _, place=place: self.leave(place))

    def leave(self, place):
        self.known[place].record()
        with torch.cuda.stream(self.stream), torch.no_grad():
            self.stream.wait_event(self.known[place])
            self.host[place].copy_(self.weights[place].grad, non_blocking=True)

    def begin(self):
        slopes = self.sets[self.number % len(self.sets)]
        torch.cuda.current_stream().wait_event(self.gone[self.number % len(self.sets)])
        torch._foreach_zero_(slopes)
        for w, slope in zip(self.weights, slopes):
            w.grad = slope

    def end(self):
        for place in [] if self.at_once else reversed(range(len(self.weights))):
            self.leave(place)
        self.gone[self.number % len(self.sets)].record(self.stream)
        self.number += 1


@pairs.pair("event-order", allowed=("stretched",), further="event-order")
def gradients_leave_after_last_one(variant):
    """The gradients of eight weights, 33 MB each, go to pinned memory in a stream of their own and are cleared before
    the next step. All wait for an event behind the last one. Mended: a hook sends each one when it is there. 18 to
    38 %. Further: there are two sets of gradients, so that the next step does not wait for those that leave."""
    torch.manual_seed(12)
    model, x, y, seen = network(4096, 4096, 8), torch.randn(6144, 4096, device="cuda", dtype=BF16), labels(6144), {}
    weights = [layer.weight for layer in model.requires_grad_(False) if isinstance(layer, nn.Linear)][:8]
    slopes = Leaving([w.requires_grad_() for w in weights], variant != "bad", 2 if variant == "further" else 1)

    def step(i):
        slopes.begin()
        loss = class_loss(model(x), y)
        loss.backward()
        slopes.end()
        seen["loss"] = loss.detach()
    return giving(step, lambda: seen["loss"] + size_of(slopes.host[0]).cuda())


@pairs.pair("event-order", allowed=("stretched",))
def step_waits_before_weights_change(variant):
    """After each update the weights, 78 MB, leave in a stream of their own. The next step waits for that before its
    forward pass, which only reads them. Mended: it waits before the update. 10 to 25 %."""
    torch.manual_seed(14)
    model, seen = network(1024, 4096, 3, 256), {}
    states, gains = torch.randn(16384, 1024, device="cuda", dtype=BF16), torch.rand(16384, 1, device="cuda")
    moves = torch.randint(0, 256, (16384, 1), device="cuda")
    update, players = Update(model), Snapshots(list(model.parameters()))

    def step(i):
        if variant == "bad":
            players.keep()
        chances = F.log_softmax(model(states).float(), 1).gather(1, moves)
        seen["loss"] = update.backward(-(chances * gains).mean())
        if variant == "mended":
            players.keep()
        update.step()
        players.take(i)
    return giving(step, lambda: seen["loss"])
