"""What the fourteenth set of loops in PyTorch is made of: a thread that puts batches, tasks beside each other, gates,
accounts, packed pictures, weights that are exchanged, an archive, pairs of residues, a sky."""
import concurrent.futures
import io
import zlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2_parts import BF16, Residual
from torch6_parts import wide


class PutByThread:
    """A thread puts each batch to the device while the one before is worked on, two slots. It does so in the stream
    that every thread begins with, which is that of the kernels, or in one of its own."""

    def __init__(self, batches, own_stream):
        self.batches = batches
        self.slots = [torch.empty_like(batch, device="cuda") for batch in batches]
        self.full, self.free = [[torch.cuda.Event() for _ in batches] for _ in range(2)]
        self.stream = torch.cuda.Stream() if own_stream else torch.cuda.default_stream()
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.coming = self.pool.submit(self.put, 0)

    def put(self, i):
        slot = i % 2
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[slot])
            self.slots[slot].copy_(self.batches[slot], non_blocking=True)
            self.full[slot].record()

    def take(self, i):
        self.coming.result()
        self.coming = self.pool.submit(self.put, i + 1)
        torch.cuda.current_stream().wait_event(self.full[i % 2])
        return self.slots[i % 2]

    def give_back(self, i):
        self.free[i % 2].record()

    def close(self):
        self.pool.shutdown()


class Tasks(nn.Module):
    """What a car sees: three tasks go on from one trunk, each in a stream of its own. Before their answers are put
    together, the host waits for these streams, or the stream of the trunk does."""

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


class Circuit:
    """Qubits, whose 2 ** count amplitudes are on the device. In each layer every one is turned by an angle, and each
    two neighbours are joined. chance is that of the first one to be 0."""

    def __init__(self, count, layers):
        self.count, self.layers = count, layers
        self.angles = torch.zeros(layers, count, device="cuda")
        self.begin = torch.full((2 ** count,), 2 ** (-count / 2), device="cuda", dtype=torch.complex64)
        self.chance = torch.zeros((), device="cuda")

    @staticmethod
    def turned(state, qubit, cos, sin):
        low, high = state.view(2 ** qubit, 2, -1).unbind(1)
        return torch.stack([cos * low - sin * high, sin * low + cos * high], 1).flatten()

    @torch.no_grad()
    def run(self):
        cos, sin, state = (self.angles / 2).cos(), (self.angles / 2).sin(), self.begin
        for layer in range(self.layers):
            for qubit in range(self.count):
                state = self.turned(state, qubit, cos[layer, qubit], sin[layer, qubit])
            for qubit in range(self.count - 1):
                state.view(2 ** qubit, 2, 2, -1)[:, 1, 1].neg_()
        self.chance.copy_(state.abs().square().view(2, -1).sum(1)[0])

    def tries(self, count):
        return 3 * torch.rand(count, *self.angles.shape, device="cuda")


class Payments:
    """Which account paid to which one: so many payments of each kind, in pinned memory. A batch goes to the device in
    one piece, or as a pair of tensors for each kind."""

    def __init__(self, kinds, each, accounts):
        first = torch.randint(0, accounts, (2, kinds, each))
        self.batches = [first.pin_memory(), first.roll(1, 1).pin_memory()]

    def together(self, i):
        return self.batches[i % 2].to("cuda", non_blocking=True).unbind()

    def kind_by_kind(self, i):
        pairs = [(source.to("cuda", non_blocking=True), target.to("cuda", non_blocking=True))
                 for source, target in zip(*self.batches[i % 2])]
        return [torch.stack(side) for side in zip(*pairs)]


class Accounts(nn.Module):
    """A layer of a graph network with weights for each kind of payment."""

    def __init__(self, kinds, width):
        super().__init__()
        self.own = nn.Linear(width, width, device="cuda", dtype=BF16)
        self.by_kind = nn.Parameter(torch.randn(kinds, width, width, device="cuda", dtype=BF16) / width ** 0.5)

    def forward(self, x, source, target):
        paid = F.embedding(source, x) @ self.by_kind
        heard = torch.zeros(x.shape, device=x.device).index_add_(0, target.flatten(), paid.flatten(0, 1).float())
        return F.relu(self.own(x) + heard.to(BF16))


def as_bytes(fields):
    """Their mean becomes 128, and what is far from it 0 or 255."""
    fields = fields.float()
    return ((fields - fields.mean()) * (40 / fields.std()) + 128).clamp_(0, 255).to(torch.uint8)


class Shown:
    """Pictures of bytes leave for pinned memory beside the kernels, and are packed there for those who look at them: by
    threads, or by the loop, when the next pictures are under way."""
    slots = 6

    def __init__(self, shape, threads):
        self.host = [torch.zeros(shape, dtype=torch.uint8).pin_memory() for _ in range(self.slots)]
        self.there = [torch.cuda.Event() for _ in range(self.slots)]
        self.packing = [None] * self.slots
        self.stream = torch.cuda.Stream()
        self.pool = concurrent.futures.ThreadPoolExecutor(threads) if threads else None

    def pack(self, slot):
        self.there[slot].synchronize()
        return len(zlib.compress(self.host[slot].numpy(), 1))

    def take(self, i, pictures):
        slot = i % self.slots
        if self.packing[slot]:
            self.packing[slot].result()
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            self.host[slot].copy_(pictures, non_blocking=True)
            self.there[slot].record()
        pictures.record_stream(self.stream)
        if self.pool:
            self.packing[slot] = self.pool.submit(self.pack, slot)
        else:
            self.pack((i - 1) % self.slots)

    def close(self):
        if self.pool:
            self.pool.shutdown()


class Exchanged:
    """Two sets of layers on the device. One answers as many groups of requests as it has layers, and the other one
    comes from pinned memory for the next step: as one copy, or a layer behind each group. Requests come in a stream of
    their own, two slots."""

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


class Readings(torch.utils.data.Dataset):
    """What meters say, a packed archive of 32768 rows, of which a batch has 8192. It is opened for each batch, or
    once."""

    def __init__(self, stays_open):
        file = io.BytesIO()
        np.savez_compressed(file, rows=np.random.default_rng(14).integers(0, 8, (32768, 128), dtype=np.uint8))
        self.packed, self.stays_open, self.rows = file.getvalue(), stays_open, None

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        if self.rows is None or not self.stays_open:
            with np.load(io.BytesIO(self.packed)) as archive:
                self.rows = archive["rows"]
        first = i * 977 % 24576
        return torch.from_numpy(self.rows[first:first + 8192])


class Pair(nn.Module):
    """What is known of each two residues of a protein follows from what each of them knows of all others."""

    def __init__(self, width):
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.ways, self.gate = nn.Linear(width, 2 * width), nn.Linear(width, width)
        self.out = nn.Linear(width, width)
        self.body = wide(width, 4 * width, width)

    def forward(self, pairs):
        known = self.before(pairs)
        one, other = self.ways(known).chunk(2, 2)
        met = torch.einsum("ikc,jkc->ijc", one, other) / len(pairs) ** 0.5
        pairs = pairs + self.gate(known).sigmoid() * self.out(met)
        return pairs + self.body(self.between(pairs))


def folding(width, layers):
    with torch.device("cuda"):
        return nn.Sequential(*[Pair(width) for _ in range(layers)]).to(BF16).requires_grad_(False)


def power(samples, tapers):
    """How strong each frequency is, the mean of as many looks as there are tapers."""
    values = samples.float().sub_(128)
    sums = 0
    for taper in tapers:
        sums = sums + torch.view_as_real(torch.fft.rfft(values * taper)).square().sum(-1)
    return sums / len(tapers)
