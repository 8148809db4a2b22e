"""What the fifth set of loops in PyTorch is made of: groups of requests, gradients that leave, graphs in streams."""
import concurrent.futures
import queue
import time

import torch
import torch.nn as nn

from torch2_parts import BF16, encoder


class Requests:
    """Clients that ask again as soon as they were answered; their requests are taken in groups. There are always more
    of them than a group has."""

    def __init__(self, clients, group, window):
        self.group, self.window = group, window
        self.waiting = queue.SimpleQueue()
        self.answered(range(clients))

    def answered(self, clients):
        for client in clients:
            self.waiting.put(client)

    def take(self, until_full):
        """A group: as soon as it is full, or when the window is over, in which more might come."""
        until = time.perf_counter() + self.window
        taken = [self.waiting.get() for _ in range(self.group)]
        while not until_full and time.perf_counter() < until:
            time.sleep(50e-6)
        return taken


class TextModel(nn.Module):
    """A class for each row of words."""

    def __init__(self, words=4096, width=1024, layers=6):
        super().__init__()
        self.table = nn.Embedding(words, width, device="cuda", dtype=BF16)
        self.body = encoder(width, width // 64, layers)
        self.head = nn.Linear(width, 16, device="cuda", dtype=BF16)

    def forward(self, words):
        return self.head(self.body(self.table(words)).mean(1)).argmax(1)


class LeavingGradients:
    """Each gradient goes to pinned memory as soon as it is there, in the stream of the kernels or beside it. Two
    sets; before one is used again the host looks at it."""

    def __init__(self, weights, beside):
        self.host = [[torch.zeros(w.shape, dtype=w.dtype).pin_memory() for w in weights] for _ in range(2)]
        self.left = [torch.cuda.Event() for _ in range(2)]
        self.stream = torch.cuda.Stream() if beside else None
        self.number, self.seen = 0, 0.0
        for n, weight in enumerate(weights):
            weight.register_post_accumulate_grad_hook(lambda w, n=n: self.take(n, w.grad))

    def take(self, n, gradient):
        current = torch.cuda.current_stream()
        stream = self.stream or current
        if self.stream:
            stream.wait_stream(current)
            gradient.record_stream(stream)
        with torch.cuda.stream(stream):
            self.host[self.number % 2][n].copy_(gradient, non_blocking=True)

    def next(self):
        self.left[self.number % 2].record(self.stream or torch.cuda.current_stream())
        self.number += 1
        self.left[self.number % 2].synchronize()
        self.seen += float(self.host[self.number % 2][0][0, 0])


def suppress(boxes, scores, rounds):
    """The best box of each picture, again and again; those that overlap it are left out of what follows."""
    kept = []
    for _ in range(rounds):
        best = scores.argmax(1, keepdim=True)
        box = boxes.gather(1, best.unsqueeze(2).expand(-1, -1, 4))
        low = torch.maximum(boxes[..., :2], box[..., :2])
        high = torch.minimum(boxes[..., 2:], box[..., 2:])
        common = (high - low).clamp_(min=0).prod(2)
        scores = scores.masked_fill(common > 0.002, -1e4)
        kept.append(best)
    return torch.cat(kept, 1)


def some_boxes(pictures, count):
    low = torch.rand(pictures, count, 2, device="cuda")
    return torch.cat([low, low + 0.05 + 0.05 * torch.rand_like(low)], 2)


def graph_in(stream, work):
    """A graph of what work() issues, captured in a stream of its own."""
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        work()
    return graph


class PinnedAhead:
    """Pinned copies of batches, made in the loop or by a thread a step before."""

    def __init__(self, batches, threads):
        self.batches = batches
        self.pool = concurrent.futures.ThreadPoolExecutor(threads) if threads else None
        self.next = self.pool.submit(self.pinned, 0) if threads else None

    def pinned(self, i):
        return self.batches[i % len(self.batches)].pin_memory()

    def batch(self, i):
        if not self.pool:
            return self.pinned(i)
        now, self.next = self.next, self.pool.submit(self.pinned, i + 1)
        return now.result()

    def close(self):
        if self.pool:
            self.pool.shutdown()
