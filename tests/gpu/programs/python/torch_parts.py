"""What the loops in PyTorch are made of: networks, host batches, staging."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BF16 = torch.bfloat16


def network(inputs, width, layers, outputs=16):
    """Fully connected, built on the device."""
    sizes = [inputs] + [width] * layers
    parts = []
    for a, b in zip(sizes, sizes[1:]):
        parts += [nn.Linear(a, b, device="cuda", dtype=BF16), nn.ReLU()]
    parts.append(nn.Linear(width, outputs, device="cuda", dtype=BF16))
    return nn.Sequential(*parts)


def conv_network():
    channels = [3, 64, 128, 256, 512]
    parts = []
    for a, b in zip(channels, channels[1:]):
        parts += [nn.Conv2d(a, b, 3, stride=2, padding=1, device="cuda", dtype=BF16), nn.ReLU()]
    parts += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 16, device="cuda", dtype=BF16)]
    return nn.Sequential(*parts).to(memory_format=torch.channels_last)


class Trainer:
    def __init__(self, model, optimizer=None):
        self.model = model
        self.optimizer = optimizer or torch.optim.SGD(model.parameters(), lr=1e-5)

    def backward(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(self.model(x).float(), y)
        loss.backward()
        return loss.detach()

    def step(self, x, y):
        loss = self.backward(x, y)
        self.optimizer.step()
        return loss


def labels(rows):
    return torch.randint(0, 16, (rows,), device="cuda")


def host_batches(shape, pinned, count=2):
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
            self.buffers[slot].copy_(self.batches[i % len(self.batches)], non_blocking=True)
            self.full[slot].record(self.stream)

    def take(self, i):
        self.fetch(i + 1)
        torch.cuda.current_stream().wait_event(self.full[i % 2])
        return self.buffers[i % 2]

    def give_back(self, i):
        self.free[i % 2].record()


class EagerPrefetcher(Prefetcher):
    """The same with waits for whole streams: each side waits for all that the other has been given."""

    def fetch(self, i):
        self.stream.wait_stream(torch.cuda.current_stream())
        super().fetch(i)

    def take(self, i):
        self.fetch(i + 1)
        torch.cuda.current_stream().wait_stream(self.stream)
        return self.buffers[i % 2]


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


class Log:
    """What training scripts write each step: a line, and the mean and spread of the last values."""

    def __init__(self, values):
        self.window = [float(n) for n in range(values)]
        self.line = ""

    def add(self, value):
        self.window.pop(0)
        self.window.append(value)
        mean = sum(self.window) / len(self.window)
        spread = sum((v - mean) * (v - mean) for v in self.window) / len(self.window)
        self.line = f"loss {value:.4f} mean {mean:.4f} spread {spread:.4f}"


class Decoded(torch.utils.data.Dataset):
    """Batches that take numpy some milliseconds each."""

    def __init__(self, rows, columns=256):
        self.rows, self.columns = rows, columns

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        values = np.random.default_rng(i).standard_normal((self.rows, self.columns), dtype=np.float32)
        return torch.from_numpy(values).to(BF16)


class Loader:
    """An endless DataLoader, in the process of the loop or with workers."""

    def __init__(self, data, workers, **options):
        loader = torch.utils.data.DataLoader(
            data, num_workers=workers, pin_memory=True, persistent_workers=workers > 0,
            prefetch_factor=4 if workers else None, **options)
        self.workers = workers
        self.batches = iter(loader)

    def next(self):
        return next(self.batches)

    def close(self):
        if self.workers:
            self.batches._shutdown_workers()
        self.batches = None


def as_graph(work):
    """A CUDA graph of what work() issues."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph
