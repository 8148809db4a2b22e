"""Programs in PyTorch that copy well."""
import torch

from loop_runner import Pairs
from torch_capture import as_graph
from torch_models import BF16, class_loss, encoder, labels, network
from torch_staging import Prefetcher
from torch_training import prefetched_training

pairs = Pairs("torch")


@pairs.healthy(allowed=("stretched",))
def healthy_prefetched(variant):
    """Training on batches of 32 MiB that come one step ahead in a copy stream."""
    return prefetched_training((4096, 4096), 4096, 8, Prefetcher)


class Learners:
    """Four networks that are trained in turns. The moments of each one lie in pinned memory and come and go in streams
    of their own, two buffers."""

    def __init__(self, rows, width, layers):
        self.models = [network(width, width, layers) for _ in range(4)]
        self.x, self.y = torch.randn(rows, width, device="cuda", dtype=BF16), labels(rows)
        self.sizes = [p.numel() for p in self.models[0].parameters()]
        self.kept = [torch.zeros(2, sum(self.sizes), dtype=BF16).pin_memory() for _ in range(4)]
        self.slots = [torch.zeros(2, sum(self.sizes), dtype=BF16, device="cuda") for _ in range(2)]
        self.up, self.down = torch.cuda.Stream(), torch.cuda.Stream()
        self.full, self.used, self.left = [[torch.cuda.Event() for _ in range(2)] for _ in range(3)]
        torch.cuda.synchronize()
        self.fetch(0)

    def fetch(self, i):
        slot = i % 2
        with torch.cuda.stream(self.up):
            self.up.wait_event(self.left[slot])
            self.slots[slot].copy_(self.kept[i % 4], non_blocking=True)
            self.full[slot].record()

    def leave(self, i):
        slot = i % 2
        self.used[slot].record()
        with torch.cuda.stream(self.down):
            self.down.wait_event(self.used[slot])
            self.kept[i % 4].copy_(self.slots[slot], non_blocking=True)
            self.left[slot].record()

    def step(self, i):
        model, moments = self.models[i % 4], self.slots[i % 2]
        self.fetch(i + 1)
        loss = class_loss(model(self.x), self.y)
        slopes = torch.autograd.grad(loss, list(model.parameters()))
        torch.cuda.current_stream().wait_event(self.full[i % 2])
        self.change(model, moments, torch.cat([s.flatten() for s in slopes]))
        self.leave(i)

    @torch.no_grad()
    def change(self, model, moments, slope):
        first, second = moments.unbind()
        first.lerp_(slope, 0.1)
        second.mul_(0.99).addcmul_(slope, slope, value=0.01)
        parts = (first / (second.sqrt() + 1e-3)).split(self.sizes)
        weights = list(model.parameters())
        torch._foreach_add_(weights, [part.view_as(w) for part, w in zip(parts, weights)], alpha=-1e-6)


@pairs.healthy(allowed=("stretched", "both-directions"))
def healthy_moments_both_ways(variant):
    """Four networks are trained in turns. The moments of each one, 17 MB, come from pinned memory before its turn and
    go back during the next one's."""
    return Learners(65536, 1024, 4).step


class Fetched:
    """Layers of an encoder whose weights lie in pinned memory and come one layer ahead to one of two buffers."""

    def __init__(self, count, width, heads):
        self.count = count
        self.blocks = [encoder(width, heads, 1).requires_grad_(False) for _ in range(2)]
        self.slots = [self.as_one(block) for block in self.blocks]
        first = (0.02 * torch.randn(self.slots[0].numel())).to(BF16)
        self.kept = [first.roll(977 * n).pin_memory() for n in range(count)]
        self.stream = torch.cuda.Stream()
        self.full, self.used = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        torch.cuda.synchronize()
        self.fetch(0)
        self.graphs = []

    @torch.no_grad()
    def capture(self, x):
        """A graph for each buffer; one layer after the other changes x."""
        torch.cuda.synchronize()
        self.slots[1].copy_(self.slots[0])  # the graphs are tried on good values
        self.graphs = [as_graph(lambda block=block: x.copy_(block(x))) for block in self.blocks]

    @staticmethod
    def as_one(block):
        """The memory of all weights, which become parts of it."""
        weights = list(block.parameters())
        one = torch.zeros(sum(w.numel() for w in weights), dtype=BF16, device="cuda")
        for part, w in zip(one.split([w.numel() for w in weights]), weights):
            w.data = part.view_as(w)
        return one

    def fetch(self, number):
        slot = number % 2
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.used[slot])
            self.slots[slot].copy_(self.kept[number % self.count], non_blocking=True)
            self.full[slot].record()

    @torch.no_grad()
    def layer(self, number, x):
        slot = number % 2
        self.fetch(number + 1)
        torch.cuda.current_stream().wait_event(self.full[slot])
        if self.graphs:
            self.graphs[slot].replay()
        else:
            x = self.blocks[slot](x)
        self.used[slot].record()
        return x

    def through(self, i, x):
        for number in range(i * self.count, (i + 1) * self.count):
            x = self.layer(number, x)
        return x


@pairs.healthy(allowed=("stretched",), further="launch-bound python host-late")
def healthy_layers_at_link_speed(variant):
    """Six layers whose weights, 57 MB each, come ahead of a short text. The link is the limit, and it is always
    busy. Further: a layer is a graph."""
    torch.manual_seed(12)
    layers, seen = Fetched(6, 1536, 12), {}
    texts = torch.randn(4, 512, 1536, device="cuda", dtype=BF16)
    begin = texts.clone() if variant == "further" else texts
    if variant == "further":
        layers.capture(begin)

    def step(i):
        if begin is not texts:
            begin.copy_(texts)
        seen["known"] = layers.through(i, begin)
    return step
