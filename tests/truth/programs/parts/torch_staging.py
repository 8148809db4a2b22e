"""How the programs in PyTorch move batches and results."""
import torch

from torch_models import BF16


def host_batches(shape, pinned, count=2):
    """So many batches on the host, pinned or not."""
    first = torch.randn(shape, dtype=torch.float32).to(BF16)
    batches = [first.roll(n, 0) for n in range(count)]
    return [b.pin_memory() for b in batches] if pinned else batches


class Prefetcher:
    """Copies batch i + 1 in a stream of its own, into one of two buffers, while batch i is used."""

    def __init__(self, batches):
        self.batches = batches
        self.stream = torch.cuda.Stream()
        self.buffers = [torch.empty_like(batches[0], device="cuda") for _ in range(2)]
        self.full = [torch.cuda.Event() for _ in range(2)]
        self.free = [torch.cuda.Event() for _ in range(2)]
        self.fetch(0)

    def fetch(self, i):
        slot = i % 2
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[slot])
            self.buffers[slot].copy_(self.batch(i), non_blocking=True)
            self.full[slot].record(self.stream)

    def batch(self, i):
        return self.batches[i % len(self.batches)]

    def take(self, i):
        self.fetch(i + 1)
        torch.cuda.current_stream().wait_event(self.full[i % 2])
        return self.buffers[i % 2]

    def give_back(self, i):
        self.free[i % 2].record()


class Asked(Prefetcher):
    """A prefetcher of what ask(i) gives: tensors like the first one, in pinned memory."""

    def __init__(self, first, ask):
        self.ask = ask
        super().__init__([first])

    def batch(self, i):
        return self.ask(i)


class Collector:
    """Takes results to pinned memory, two slots. The host waits for a slot before it is used again."""

    def __init__(self, shape, dtype=BF16, side_stream=True):
        self.host = [torch.empty(shape, dtype=dtype).pin_memory() for _ in range(2)]
        self.done = [torch.cuda.Event() for _ in range(2)]
        self.stream = torch.cuda.Stream() if side_stream else None

    def take(self, i, result):
        slot = i % 2
        self.done[slot].synchronize()
        current = torch.cuda.current_stream()
        stream = self.stream or current
        if self.stream:
            stream.wait_stream(current)
        with torch.cuda.stream(stream):
            self.host[slot].copy_(result, non_blocking=True)
            self.done[slot].record(stream)
        if self.stream:
            result.record_stream(stream)


class Delayed:
    """The values of step i - 1 on the host, while step i is under way."""

    def __init__(self, shape, dtype):
        self.collector = Collector(shape, dtype, side_stream=False)

    def exchange(self, i, result):
        self.collector.take(i, result)
        other = (i + 1) % 2
        self.collector.done[other].synchronize()
        return self.collector.host[other]


class Snapshots:
    """Parameters go to pinned memory in a stream of their own. Before they change, keep() makes the kernels wait for
    that."""

    def __init__(self, parameters):
        self.parameters = parameters
        self.kept = [[torch.empty(p.shape, dtype=p.dtype).pin_memory() for p in parameters] for _ in range(2)]
        self.done = [torch.cuda.Event() for _ in range(2)]
        self.stream = torch.cuda.Stream()

    @torch.no_grad()
    def take(self, number):
        slot = number % 2
        self.done[slot].synchronize()
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            for host, p in zip(self.kept[slot], self.parameters):
                host.copy_(p, non_blocking=True)
            self.done[slot].record()

    def keep(self):
        torch.cuda.current_stream().wait_stream(self.stream)
