"""Small copies in PyTorch that queue behind a large one of another stream."""
import torch

from loop_runner import Pairs, giving
from torch_capture import as_graph
from torch_models import BF16, network, size_of
from torch_staging import Delayed

pairs = Pairs("torch")


class Exchanged:
    """Two sets of layers on the device. One set answers as many groups of requests as it has layers, while the other
    one is filled from pinned memory for the next step: in one copy, or one layer behind each group. Requests come in a
    stream of their own, two buffers."""

    def __init__(self, layers, width, rows, by_layer):
        first = torch.randn(layers, width, width, device="cuda", dtype=BF16) * (2 / width) ** 0.5
        self.sets = [first, first.roll(1, 0)]
        self.kept = [torch.empty(first.shape, dtype=BF16, pin_memory=True).copy_(weights) for weights in self.sets]
        self.into = torch.randn(128, width, device="cuda", dtype=BF16) / 128 ** 0.5
        self.asked = [torch.randn(rows, 128).to(BF16).pin_memory() for _ in range(layers)]
        self.slots = [torch.zeros(rows, 128, device="cuda", dtype=BF16) for _ in range(2)]
        self.by_layer = by_layer
        self.weights, self.requests = torch.cuda.Stream(), torch.cuda.Stream()
        self.loaded, self.used, self.come, self.free = [[torch.cuda.Event() for _ in range(2)] for _ in range(4)]
        torch.cuda.synchronize()

    def load(self, i, first, last):
        """Layers first to last - 1 of the next set."""
        slot = (i + 1) % 2
        with torch.cuda.stream(self.weights):
            self.weights.wait_event(self.used[slot])
            self.sets[slot][first:last].copy_(self.kept[slot][first:last], non_blocking=True)
            self.loaded[slot].record()

    def ask(self, number):
        slot = number % 2
        with torch.cuda.stream(self.requests):
            self.requests.wait_event(self.free[slot])
            self.slots[slot].copy_(self.asked[number % len(self.asked)], non_blocking=True)
            self.come[slot].record()

    def answer(self, i, number):
        slot = number % 2
        torch.cuda.current_stream().wait_event(self.come[slot])
        x = self.slots[slot] @ self.into
        self.free[slot].record()
        for layer in self.sets[i % 2]:
            x = (x @ layer).relu_()
        return x.float().mean()

    @torch.no_grad()
    def step(self, i):
        count, answers = len(self.asked), []
        torch.cuda.current_stream().wait_event(self.loaded[i % 2])
        if not self.by_layer:
            self.load(i, 0, count)
        for n in range(count):
            number = i * count + n
            self.ask(number)
            if self.by_layer:
                self.weights.wait_event(self.come[number % 2])
                self.load(i, n, n + 1)
            answers.append(self.answer(i, number))
        self.used[i % 2].record()
        return torch.stack(answers).mean()


@pairs.pair("head-of-line", allowed=("stretched",))
def requests_queued_behind_weights(variant):
    """A model answers eight groups of requests a step, 0.7 MB each, while the weights of the next model, 268 MB, come
    in another stream. The copies of the requests queue behind that one. Mended: the weights come layer by layer, each
    layer behind the requests of a group. 10 to 30 %."""
    torch.manual_seed(14)
    models, late, log = Exchanged(8, 4096, 2560, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        log["now"] = models.step(i)
        log["before"] = float(late.exchange(i, log["now"]))
    return giving(step, lambda: log["now"])


class Drones:
    """Drones get commands in eight rounds a step. The commands leave in a stream of their own, two buffers on the
    device, eight on the host, and are read a step later. A map of 84 MB is saved to the host meanwhile: in one copy, or
    in eight, each behind the commands of a round."""
    rounds = 8

    def __init__(self, drones, in_pieces):
        self.model, self.in_pieces = network(512, 2048, 6, 64).requires_grad_(False), in_pieces
        self.seen = torch.randn(drones, 512, device="cuda", dtype=BF16)
        self.commands = [torch.zeros(drones, 64, device="cuda", dtype=BF16) for _ in range(2)]
        self.given = [torch.zeros(drones, 64, dtype=BF16).pin_memory() for _ in range(self.rounds)]
        self.place = torch.zeros(self.rounds, 5 << 19, device="cuda")
        self.kept = torch.zeros(self.rounds, 5 << 19).pin_memory()
        self.giving, self.keeping = torch.cuda.Stream(), torch.cuda.Stream()
        self.made, self.left = [[torch.cuda.Event() for _ in range(self.rounds)] for _ in range(2)]
        self.changed, self.safe, self.heard = torch.cuda.Event(), torch.cuda.Event(), 0.0
        self.graphs = [as_graph(lambda out=out: self.find(out)) for out in self.commands]
        torch.cuda.synchronize()
        self.changed.record()

    @torch.no_grad()
    def find(self, out):
        out.copy_(self.model(self.seen))
        self.seen[:, :64].lerp_(out, 0.1)

    def keep(self, number):
        """The part of the place that goes before the commands of this round."""
        if number > 0 and not self.in_pieces:
            return
        with torch.cuda.stream(self.keeping):
            self.keeping.wait_event(self.left[number - 1] if number > 0 else self.changed)
            if self.in_pieces:
                self.kept[number].copy_(self.place[number], non_blocking=True)
            else:
                self.kept.copy_(self.place, non_blocking=True)
            self.safe.record()

    def give(self, number):
        self.left[number].synchronize()
        self.heard = float(self.given[number][0, 0])
        with torch.cuda.stream(self.giving):
            self.giving.wait_event(self.made[number])
            self.given[number].copy_(self.commands[number % 2], non_blocking=True)
            self.left[number].record()

    @torch.no_grad()
    def step(self):
        current = torch.cuda.current_stream()
        for number in range(self.rounds):
            self.keep(number)
            current.wait_event(self.left[number - 2])
            self.graphs[number % 2].replay()
            self.made[number].record()
            self.give(number)
        current.wait_event(self.safe)
        self.place.lerp_(self.seen.float().abs().mean(), 0.1)
        self.changed.record()


@pairs.pair("head-of-line", allowed=("stretched",))
def commands_queued_behind_saved_map(variant):
    """Eight rounds of 0.35 ms a step each give commands, 0.5 MB, which leave in a stream of their own. A map of 84 MB,
    1.7 ms, is saved meanwhile in another stream. The commands queue behind it, and the third round waits for the first
    commands. Mended: the map leaves in eight pieces between them. 15 to 35 %."""
    torch.manual_seed(16)
    drones = Drones(4096, variant == "mended")
    return giving(lambda i: drones.step(), lambda: size_of(drones.place) + size_of(drones.seen))
