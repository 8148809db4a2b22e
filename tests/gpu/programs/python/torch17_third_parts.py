"""What the third part of the seventeenth set of loops in PyTorch is made of: spectra in a file, a memory of what was
played, cloth, film, shots of waves, pictures out of noise, blurred pictures, a scene, prices, books, echoes."""
import ctypes
import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2_parts import BF16, Update, images
from torch_parts import Collector, Delayed, Prefetcher, as_graph, network


def runtime():
    """The CUDA runtime that PyTorch has loaded."""
    with open("/proc/self/maps", encoding="utf8") as maps:
        names = [line.split()[-1] for line in maps if "libcudart" in line]
    return ctypes.CDLL(names[0])


def check(code, call):
    if int(code) != 0:
        raise RuntimeError(f"{call}: {code}")


# ---- spectra

def chunks_on_disk(count, rows, width):
    """Counts of a detector in a file, which is mapped. Its name is gone at once, and it ends with the program."""
    random = np.random.default_rng(17)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "counts")
        random.integers(0, 64, (count, rows, width), dtype=np.int16).tofile(name)
        mapped = np.memmap(name, np.int16, "r+", shape=(count, rows, width))
    return [torch.from_numpy(chunk) for chunk in mapped]


class Dictionary:
    """Spectra as sums of a few of 4096 shapes: how much of each one is found in rounds, and then the shapes follow."""

    def __init__(self, width, shapes):
        self.shapes = F.normalize(torch.randn(shapes, width, device="cuda"), dim=1).to(BF16)

    @torch.no_grad()
    def learn(self, counts):
        x = counts.to(BF16).mul_(1 / 32).sub_(1)
        much = torch.relu(x @ self.shapes.t()).mul_(0.1)
        for _ in range(10):
            rest = torch.addmm(x, much, self.shapes, alpha=-1)
            much = torch.addmm(much, rest, self.shapes.t(), alpha=0.1).sub_(0.01).relu_()
        rest = torch.addmm(x, much, self.shapes, alpha=-1)
        changed = torch.addmm(self.shapes, much.t(), rest, alpha=1e-5)
        self.shapes.copy_(F.normalize(changed.float(), dim=1))
        return rest.float().square().mean()


# ---- a memory of what was played

class SumTree:
    """Priorities of so many leaves, and their sums; drawn leaf by leaf, or all at once, level by level."""

    def __init__(self, levels, at_once):
        self.first, self.levels, self.at_once = (1 << levels) - 1, levels, at_once
        self.sums = np.zeros(2 * self.first + 1)
        self.random = np.random.default_rng(17)
        self.set(np.arange(1 << levels), np.ones(1 << levels))

    def set(self, leaves, priorities):
        nodes = leaves + self.first
        self.sums[nodes] = priorities
        for _ in range(self.levels):
            nodes = (nodes - 1) // 2
            self.sums[nodes] = self.sums[2 * nodes + 1] + self.sums[2 * nodes + 2]

    def draw_one(self, value):
        node = 0
        while node < self.first:
            left = 2 * node + 1
            if value < self.sums[left]:
                node = left
            else:
                value -= self.sums[left]
                node = left + 1
        return node - self.first

    def draw(self, count):
        values = self.random.random(count) * (self.sums[0] * 0.999999)
        if not self.at_once:
            return np.array([self.draw_one(value) for value in values])
        nodes = np.zeros(count, np.int64)
        for _ in range(self.levels):
            left = 2 * nodes + 1
            right = values >= self.sums[left]
            values = np.where(right, values - self.sums[left], values)
            nodes = left + right
        return nodes - self.first


class Replay:
    """Q-learning of pieces of 10 moments, which lie on the device. Those to learn of are drawn on the host by how wrong
    was what was thought of them, as it was known a step before."""

    def __init__(self, tree, count):
        self.tree, self.count = tree, count
        self.seen = torch.randn(1 << tree.levels, 10, 256, device="cuda", dtype=BF16)
        self.model, self.target = network(256, 2048, 6), network(256, 2048, 6).requires_grad_(False)
        self.target.load_state_dict(self.model.state_dict())
        self.update, self.late = Update(self.model), Delayed((count,), torch.float32)
        self.host = [torch.zeros(count, dtype=torch.long).pin_memory() for _ in range(2)]
        self.loss = torch.zeros((), device="cuda")

    def learn(self, leaves):
        x = self.seen.index_select(0, leaves.to("cuda", non_blocking=True))
        with torch.no_grad():
            wanted = self.target(x).float().amax(2)[:, 1:] * 0.99 + 0.01
        error = self.model(x).float().amax(2)[:, :-1] - wanted
        self.loss = self.update.backward(error.square().mean())
        self.update.step()
        return error.detach().abs().mean(1)

    def step(self, i):
        drawn = self.host[i % 2].numpy()
        drawn[:] = self.tree.draw(self.count)
        wrong = self.late.exchange(i, self.learn(self.host[i % 2]))
        if i > 0:
            self.tree.set(self.host[1 - i % 2].numpy(), wrong.numpy().astype(np.float64) + 0.01)


# ---- cloth

class OnDevice:
    """Memory that others allocated, as PyTorch asks for it."""

    def __init__(self, address, shape):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "<f4", "data": (address, False), "version": 3,
                                         "strides": None}


class ManagedCorners:
    """Two slots of corners in managed memory: the host writes there, and kernels read there."""

    def __init__(self, shape):
        self.runtime, self.hosts, self.slots, self.addresses = runtime(), [], [], []
        count = int(np.prod(shape))
        torch.cuda.synchronize()
        for _ in range(2):
            address = ctypes.c_void_p()
            check(self.runtime.cudaMallocManaged(ctypes.byref(address), ctypes.c_size_t(4 * count), ctypes.c_uint(1)),
                  "cudaMallocManaged")
            written = np.ctypeslib.as_array((ctypes.c_float * count).from_address(address.value)).reshape(shape)
            written[:] = 0
            self.hosts.append(written)
            self.slots.append(torch.as_tensor(OnDevice(address.value, shape), device="cuda"))
            self.addresses.append(address)

    def bring(self, i):
        return self.slots[i % 2]

    def close(self):
        torch.cuda.synchronize()
        self.hosts, self.slots = [], []
        for address in self.addresses:
            check(self.runtime.cudaFree(address), "cudaFree")


class CopiedCorners:
    """The same in pinned memory, from which one copy brings them in a stream of its own."""

    def __init__(self, shape):
        self.pinned = [torch.zeros(shape).pin_memory() for _ in range(2)]
        self.hosts = [part.numpy() for part in self.pinned]
        self.slots = [torch.zeros(shape, device="cuda") for _ in range(2)]
        self.stream, self.full = torch.cuda.Stream(), [torch.cuda.Event() for _ in range(2)]
        torch.cuda.synchronize()

    def bring(self, i):
        """The host knows that what read this slot two steps ago has ended."""
        slot = i % 2
        with torch.cuda.stream(self.stream):
            self.slots[slot].copy_(self.pinned[slot], non_blocking=True)
            self.full[slot].record()
        torch.cuda.current_stream().wait_event(self.full[slot])
        return self.slots[slot]

    def close(self):
        pass


class Cloth:
    """How a cloth looks: what light comes from each corner is told by a network, the lightest of a pixel is seen."""

    def __init__(self, corners):
        self.rest = np.random.default_rng(18).standard_normal((corners, 4), dtype=np.float32)
        self.waves = torch.randn(4, 64, device="cuda")
        self.light = network(64, 512, 4, 4).requires_grad_(False)
        self.picture = torch.zeros(512 * 512, 4, device="cuda", dtype=BF16)

    def move(self, i, out):
        np.multiply(self.rest, 1.0 + 0.02 * (i % 7), out=out)

    @torch.no_grad()
    def draw(self, corners):
        x = torch.sin(corners @ self.waves)
        where = (x[:, :2] * 255.9 + 256).to(torch.long)
        pixel = where[:, 0] * 512 + where[:, 1]
        light = self.light(x.to(BF16)).sigmoid()
        self.picture.zero_().scatter_reduce_(0, pixel[:, None].expand(-1, 4), light, "amax")
        return self.picture.float().mean()


# ---- film

HostFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def denoiser(inputs, channels, layers):
    sizes = [inputs] + [channels] * layers
    with torch.device("cuda"):
        parts = [part for a, b in zip(sizes, sizes[1:]) for part in (nn.Conv2d(a, b, 3, padding=1), nn.ReLU())]
        model = nn.Sequential(*parts, nn.Conv2d(channels, inputs, 3, padding=1))
    return model.to(BF16).to(memory_format=torch.channels_last).requires_grad_(False)


class Film:
    """Frames are cleaned of grain. How light they are, 256 KB, goes to the host, where a host function finds the mean
    without the extremes and how often each light is there: in the stream of the kernels, or in one beside it."""

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


# ---- shots of waves

class Shots:
    """Waves go back through the ground, eight pieces of time a shot. What they were at the top and bottom comes from
    the host, 1.6 MB a piece, two slots, a piece ahead. What was measured of the next shot, 134 MB, comes meanwhile in
    another stream: in one copy, or in eight, each one behind the edges of a piece."""
    pieces = 8

    def __init__(self, in_pieces):
        self.in_pieces = in_pieces
        self.now, self.before = [torch.randn(2048, 4096, device="cuda") * 0.1 for _ in range(2)]
        self.image = torch.zeros(2048, 2048, device="cuda")
        self.edges_kept = [torch.randn(3, 2, 16, 4096).pin_memory() for _ in range(self.pieces)]
        first = torch.randn(self.pieces, 2048, 2048)
        self.kept = [first.pin_memory(), first.roll(1, 0).pin_memory()]
        self.edges = [torch.zeros(3, 2, 16, 4096, device="cuda") for _ in range(2)]
        self.measured = [torch.zeros(self.pieces, 2048, 2048, device="cuda") for _ in range(2)]
        self.edging, self.fetching = torch.cuda.Stream(), torch.cuda.Stream()
        self.edge_full, self.edge_free = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.full, self.free = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.graphs = [as_graph(lambda edge=edge: self.go(edge)) for edge in self.edges]
        self.measured[0].copy_(self.kept[0])
        torch.cuda.synchronize()
        self.fetch_edge(0)

    def go(self, edge):
        """Three steps in time."""
        for number in range(3):
            p = self.now
            p[:16].copy_(edge[number, 0])
            p[-16:].copy_(edge[number, 1])
            around = p[1:-1, 2:] + p[1:-1, :-2]
            around.add_(p[2:, 1:-1]).add_(p[:-2, 1:-1]).sub_(p[1:-1, 1:-1], alpha=4)
            self.before[1:-1, 1:-1].neg_().add_(p[1:-1, 1:-1], alpha=1.99).add_(around, alpha=0.1).mul_(0.995)
            old = p.clone()
            p.copy_(self.before)
            self.before.copy_(old)

    def fetch_edge(self, number):
        slot = number % 2
        with torch.cuda.stream(self.edging):
            self.edging.wait_event(self.edge_free[slot])
            self.edges[slot].copy_(self.edges_kept[number % self.pieces], non_blocking=True)
            self.edge_full[slot].record()

    def fetch_measured(self, shot, piece):
        """Of the next shot: all, before the edges of the first piece, or a part behind those of each piece."""
        slot = (shot + 1) % 2
        with torch.cuda.stream(self.fetching):
            self.fetching.wait_event(self.free[slot])
            if self.in_pieces:
                self.fetching.wait_event(self.edge_full[(piece + 1) % 2])
                self.measured[slot][piece].copy_(self.kept[slot][piece], non_blocking=True)
            else:
                self.measured[slot].copy_(self.kept[slot], non_blocking=True)
            self.full[slot].record()

    def step(self, shot):
        current = torch.cuda.current_stream()
        current.wait_event(self.full[shot % 2])
        for piece in range(self.pieces):
            slot = piece % 2
            if piece == 0 and not self.in_pieces:
                self.fetch_measured(shot, piece)
            self.fetch_edge(piece + 1)
            if self.in_pieces:
                self.fetch_measured(shot, piece)
            current.wait_event(self.edge_full[slot])
            self.graphs[slot].replay()
            self.edge_free[slot].record()
            self.image.addcmul_(self.now[:, ::2], self.measured[shot % 2][piece])
        self.free[shot % 2].record()


# ---- pictures out of noise

class Painter:
    """Pictures are made of noise in four rounds, a graph, and become larger in one place on the device, which they
    leave in a stream of their own. That they have left is waited for before the rounds, or before the place is
    written."""

    def __init__(self, rows, wait_late):
        self.model, self.wait_late = denoiser(4, 128, 7), wait_late
        self.random = torch.Generator("cuda").manual_seed(17)
        self.x = images(rows, 4, 128)
        self.shown = torch.zeros(rows, 3, 512, 512, device="cuda", dtype=BF16)
        self.host = [torch.zeros(rows, 3, 512, 512, dtype=BF16).pin_memory() for _ in range(2)]
        self.ready, self.stream = torch.cuda.Event(), torch.cuda.Stream()
        self.left, self.seen = [torch.cuda.Event() for _ in range(2)], 0.0
        with torch.no_grad():
            self.graph = as_graph(self.rounds)
        torch.cuda.synchronize()

    def rounds(self):
        for number in range(4):
            self.x.sub_(self.model(self.x), alpha=0.2).mul_(1 - 0.05 * number)

    @torch.no_grad()
    def step(self, i):
        slot, current = i % 2, torch.cuda.current_stream()
        if not self.wait_late:
            current.wait_event(self.left[1 - slot])
        self.x.normal_(generator=self.random)
        self.graph.replay()
        large = F.interpolate(self.x[:, :3].contiguous(), scale_factor=4)
        if self.wait_late:
            current.wait_event(self.left[1 - slot])
        torch.tanh(large, out=self.shown)
        self.ready.record()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.ready)
            self.host[slot].copy_(self.shown, non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.seen = float(self.host[1 - slot][0, 0, 0, 0])


# ---- blurred pictures

class Sharpener:
    """Pictures that a lens has blurred are made sharp by conjugate gradients, 60 rounds, all on the device."""

    def __init__(self, rows, size):
        self.blurred = [torch.randn(rows, size, size, device="cuda") for _ in range(3)]
        f = torch.fft.fftfreq(size, device="cuda")
        self.lens = torch.exp(-40 * (f[:, None].square() + f[None, :size // 2 + 1].abs().square()))
        self.power = self.lens.square() + 0.01
        self.b, self.x = self.blurred[0].clone(), torch.zeros(rows, size, size, device="cuda")

    def filtered(self, x, by):
        return torch.fft.irfft2(torch.fft.rfft2(x) * by, s=x.shape[-2:])

    @torch.no_grad()
    def solve(self):
        self.x.zero_()
        rest = self.filtered(self.b, self.lens)
        way, size = rest.clone(), rest.square().sum((1, 2), keepdim=True)
        for _ in range(60):
            step = self.filtered(way, self.power)
            far = size / ((way * step).sum((1, 2), keepdim=True) + 1e-20)
            self.x.addcmul_(way, far)
            rest.addcmul_(step, far, value=-1)
            other = rest.square().sum((1, 2), keepdim=True)
            way.mul_(other / (size + 1e-20)).add_(rest)
            size = other


# ---- a scene

class Stage:
    """Things of 4096 points each, moved by a matrix each, and the light of a million pixels by a network. The matrices
    come thing by thing, or in one copy."""

    def __init__(self, things, at_once):
        self.at_once = at_once
        self.points = torch.randn(things, 4096, 4, device="cuda")
        self.host = [torch.zeros(things, 4, 4).pin_memory() for _ in range(2)]
        self.matrices = torch.zeros(things, 4, 4, device="cuda")
        self.rows = list(self.matrices.unbind(0))
        self.host_rows = [list(part.unbind(0)) for part in self.host]
        self.base = np.random.default_rng(19).standard_normal((things, 4, 4), dtype=np.float32) * 0.3
        self.waves = torch.randn(4, 32, device="cuda")
        self.light = network(32, 512, 4, 4).requires_grad_(False)

    @torch.no_grad()
    def draw(self, i):
        """The host knows that what read these matrices two steps ago has ended."""
        slot = i % 2
        np.multiply(self.base, 1 + 0.01 * (i % 9), out=self.host[slot].numpy())
        if self.at_once:
            self.matrices.copy_(self.host[slot], non_blocking=True)
        else:
            for row, host in zip(self.rows, self.host_rows[slot]):
                row.copy_(host, non_blocking=True)
        moved = torch.bmm(self.points, self.matrices).flatten(0, 1)
        return self.light(torch.sin(moved @ self.waves).to(BF16)).float().sigmoid().mean()


# ---- paths of prices

class Basket:
    """What an option is worth by 12 million paths, ten moves each. The mean price of a path, of which it is known what
    it should be, takes away what was chance: by a weight, which is found of two numbers on the host or stays on the
    device."""

    def __init__(self, paths, weight_on_host):
        self.random, self.weight_on_host = torch.Generator("cuda").manual_seed(17), weight_on_host
        self.price, self.sum, self.move = [torch.zeros(paths, device="cuda") for _ in range(3)]

    @torch.no_grad()
    def value(self, strike):
        self.price.zero_()
        self.sum.zero_()
        for _ in range(10):
            self.price.add_(self.move.normal_(-0.00125, 0.05, generator=self.random))
            self.sum.add_(torch.exp(self.price))
        mean = self.sum / 10 - 1
        paid = torch.relu(mean + (1 - strike))
        if self.weight_on_host:
            weight = torch.dot(paid, mean).item() / torch.dot(mean, mean).item()
        else:
            weight = torch.dot(paid, mean) / torch.dot(mean, mean)
        return torch.sub(paid, mean * weight).mean()


# ---- nothing to mend

class Books:
    """Books of contracts come, are valued and leave, in three streams and three slots; the host looks at what a book is
    worth once it has left, two rounds later."""
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


class Radar:
    """Echoes of a radar as a graph of two branches: their spectra, and what a network says of them, which meet. Two
    graphs, one for each slot of what comes."""

    def __init__(self, rows, echoes):
        self.echoes = Prefetcher(echoes)
        self.model = network(1024, 4096, 2, 512).requires_grad_(False)
        self.judge = network(512, 2048, 3, 16).requires_grad_(False)
        self.kinds = torch.zeros(rows, dtype=torch.long, device="cuda")
        self.branch = torch.cuda.Stream()
        self.leaving, self.first = Collector((rows,), dtype=torch.long), 0
        with torch.no_grad():
            self.graphs = [as_graph(lambda x=x: self.hear(x)) for x in self.echoes.buffers]
        torch.cuda.synchronize()

    def hear(self, x):
        current = torch.cuda.current_stream()
        self.branch.wait_stream(current)
        with torch.cuda.stream(self.branch):
            loud = torch.fft.rfft(x.float())[:, 1:].abs().log1p().to(BF16)
        said = self.model(x)
        current.wait_stream(self.branch)
        self.kinds.copy_(self.judge(said + loud).argmax(1))

    def step(self, i):
        self.echoes.take(i)
        self.graphs[i % 2].replay()
        self.echoes.give_back(i)
        self.leaving.take(i, self.kinds.clone())
        self.leaving.done[1 - i % 2].synchronize()
        self.first = int(self.leaving.host[1 - i % 2][0])
