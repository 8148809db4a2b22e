"""What the thirteenth set of loops in PyTorch is made of: classes that meet, graphs that are fed, one place to stage,
requests that wait, boxes, epochs, adapters of customers, graphs by length, updates of one size in all directions."""
import dataclasses
import heapq

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2_parts import BF16, Residual
from torch_parts import as_graph


def missed(scores, classes, count):
    """How badly classes of pixels are met, the mean of all classes; if count is -1, they are counted."""
    wanted = F.one_hot(classes, count).permute(0, 3, 1, 2).float()
    chances = scores.float().softmax(1)
    met = (chances * wanted).sum((0, 2, 3))
    return 1 - (2 * met / (chances + wanted).sum((0, 2, 3))).mean()


class FedGraphs:
    """Two graphs of work(batch), one for each of two slots, of batches from pinned memory. A graph copies the batch
    that it works on, before all else; or the one of the next graph, in a branch."""

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


class Staged:
    """Bytes come to one place on the device, in a stream of their own, and numbers are made of them. The next ones may
    come when that is done."""

    def __init__(self, batches):
        self.batches = batches
        self.place = torch.empty_like(batches[0], device="cuda")
        self.stream, self.full, self.free = torch.cuda.Stream(), torch.cuda.Event(), torch.cuda.Event()
        torch.cuda.synchronize()
        self.fetch(0)

    def fetch(self, i):
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free)
            self.place.copy_(self.batches[i % len(self.batches)], non_blocking=True)
            self.full.record()

    def take(self):
        torch.cuda.current_stream().wait_event(self.full)
        return self.place.to(BF16).div_(64).sub_(2)

    def give_back(self, i):
        self.free.record()
        self.fetch(i + 1)


@dataclasses.dataclass
class Request:
    urgency: int
    number: int
    rounds: int


class Requests:
    """Requests that wait. The most urgent ones go first, and of those the oldest: by sorting all, or by a heap."""

    def __init__(self, count, as_heap):
        self.as_heap, self.made, self.waiting = as_heap, 0, []
        self.add(count)

    def add(self, count):
        for number in range(self.made, self.made + count):
            request = Request(number * 7919 % 10007, number, 1 + number % 8)
            if self.as_heap:
                heapq.heappush(self.waiting, (request.urgency, number, request))
            else:
                self.waiting.append(request)
        self.made += count

    def first(self, count):
        if self.as_heap:
            return [heapq.heappop(self.waiting)[2] for _ in range(count)]
        self.waiting.sort(key=lambda request: (request.urgency, request.number))
        chosen = self.waiting[:count]
        del self.waiting[:count]
        return chosen


class Server:
    """So many requests are answered at once; those that have had their rounds make room for others."""

    def __init__(self, rows, requests):
        self.requests, self.served = requests, 0
        self.left = [request.rounds for request in requests.first(rows)]
        self.host = torch.zeros(rows, dtype=torch.long).pin_memory()

    def next_words(self, words):
        """What all rows go on with, in pinned memory."""
        self.left = [rounds - 1 for rounds in self.left]
        ended = [row for row, rounds in enumerate(self.left) if rounds == 0]
        for row, request in zip(ended, self.requests.first(len(ended))):
            self.left[row], words[row] = request.rounds, request.number % 8192
            self.served += request.urgency
        self.requests.add(len(ended))
        self.host.copy_(torch.tensor(words))
        return self.host


class Finder(nn.Module):
    """Four numbers and a score for each of 2048 anchors of a picture of 128 x 128."""

    def __init__(self, channels):
        super().__init__()
        with torch.device("cuda"):
            layers = [Residual(channels) for _ in range(3)]
            self.body = nn.Sequential(nn.Conv2d(3, channels, 3, stride=2, padding=1), *layers, nn.AvgPool2d(4))
            self.head = nn.Conv2d(channels, 40, 1)
        self.to(BF16).to(memory_format=torch.channels_last)

    def forward(self, x):
        return self.head(self.body(x)).permute(0, 2, 3, 1).reshape(len(x), -1, 5)


def overlaps(boxes, anchors):
    """What each box and each anchor have in common, as a part of what both cover."""
    boxes = boxes.unsqueeze(-2)
    sides = torch.minimum(boxes[..., 2:], anchors[:, 2:]) - torch.maximum(boxes[..., :2], anchors[:, :2])
    common = sides.clamp(min=0).prod(-1)
    one, other = [(b[..., 2:] - b[..., :2]).prod(-1) for b in (boxes, anchors)]
    return common / (one + other - common)


@torch.no_grad()
def matched(boxes, anchors):
    """Which anchors are near a box, and the box that each one is nearest to."""
    best, which = overlaps(boxes, anchors).max(-2)
    wanted = boxes.gather(-2, which.unsqueeze(-1).expand(*which.shape, 4))
    return (best > 0.3).float(), wanted


class Stations(torch.utils.data.Dataset):
    """An epoch of 12 batches, which take numpy some 5 ms each."""

    def __len__(self):
        return 12

    def __getitem__(self, i):
        return torch.from_numpy(np.random.default_rng(i).standard_normal((4096, 128), dtype=np.float32))


class Epochs:
    """Epoch after epoch of a loader with four workers, which go on or are started again."""

    def __init__(self, data, go_on):
        self.loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=4, pin_memory=True,
                                                  persistent_workers=go_on, multiprocessing_context="fork")
        self.batches = iter(self.loader)

    def next(self):
        batch = next(self.batches, None)
        if batch is None:
            self.batches = iter(self.loader)
            batch = next(self.batches)
        return batch

    def close(self):
        self.batches._shutdown_workers()
        self.batches = None


class Customers:
    """Twelve layers, and for each customer what is added to them: 384 pieces of 16 KiB in pinned memory, which come
    piece by piece or together."""

    def __init__(self, width, together):
        self.together, shape = together, (12, 2, 64, width)
        with torch.device("cuda"):
            self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(12)]).to(BF16).requires_grad_(False)
            self.now = torch.zeros(shape, dtype=BF16)
        first = (0.02 * torch.randn(shape)).to(BF16)
        self.kept = [first.roll(n, 0).pin_memory() for n in range(4)]
        self.pieces = [all_of_it.flatten().split(4 * width) for all_of_it in self.kept]
        self.places = self.now.flatten().split(4 * width)

    def fetch(self, customer):
        if self.together:
            self.now.copy_(self.kept[customer], non_blocking=True)
            return
        for place, piece in zip(self.places, self.pieces[customer]):
            place.copy_(piece, non_blocking=True)

    def answer(self, x):
        for layer, (into, out) in zip(self.layers, self.now):
            x = F.relu(layer(x).addmm_(x @ into.t(), out))
        return x


class ByLength:
    """Texts of several lengths go through a graph. There is one for each length, or one that is made again when another
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


class Orthogonal:
    """An optimizer that makes its updates of square weights as large in all directions, by 15 products each."""

    def __init__(self, model):
        self.model = model
        weights = list(model.parameters())
        self.square = [w for w in weights if w.dim() == 2 and w.shape[0] == w.shape[1]]
        self.rest = [w for w in weights if w.dim() != 2 or w.shape[0] != w.shape[1]]
        self.moments = [torch.zeros_like(w) for w in self.square]

    @staticmethod
    def even(x):
        x = x / (x.norm() + 1e-7)
        for _ in range(5):
            square = x @ x.t()
            x = torch.addmm(x, torch.addmm(square, square, square, beta=-4.775, alpha=2.0315), x, beta=3.4445)
        return x

    def backward(self, loss):
        self.model.zero_grad(set_to_none=True)
        loss.backward()
        return loss.detach()

    @torch.no_grad()
    def step(self):
        for w, moment in zip(self.square, self.moments):
            moment.lerp_(w.grad, 0.1)
            w.add_(self.even(moment), alpha=-1e-5)
        torch._foreach_add_(self.rest, [w.grad for w in self.rest], alpha=-1e-5)
