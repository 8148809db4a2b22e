"""What set d of the eighteenth loops in PyTorch is made of."""
import ctypes

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from torch17_parts import Ahead, pinned, two_events
from torch17_third_parts import HostFunction, check, runtime
from torch_parts import Delayed, Prefetcher


def dense(*sizes):
    """Linear layers in fp32, a ReLU between them."""
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b, device="cuda"), nn.ReLU(inplace=True)]
    return nn.Sequential(*layers[:-1])


class Pace:
    """The host is at most a step ahead of the device."""

    def __init__(self):
        self.done = two_events()

    def keep(self, i):
        self.done[i % 2].record()
        self.done[1 - i % 2].synchronize()


# ---- windows of worn sensors, rare movements drawn more often

class Movements(torch.utils.data.Dataset):
    """Windows of 128 moments of six sensors, cut from a long recording."""
    count, length = 1_500_000, 128

    def __init__(self):
        self.readings = np.random.default_rng(18).standard_normal((6, self.count + self.length), dtype=np.float32)

    def __len__(self):
        return self.count

    def __getitem__(self, start):
        return self.readings[:, start:start + self.length]

    def __getitems__(self, starts):
        return torch.from_numpy(np.stack([self[start] for start in starts]))


class ByRarity(torch.utils.data.Sampler):
    """Batches of numbers of windows, drawn by weights. The sums of the weights are found for each batch by choice(), or
    kept; both draw the same."""

    def __init__(self, count, rows, keep_sums):
        self.rows = rows
        self.weights = np.random.default_rng(19).random(count) ** 3
        self.weights /= self.weights.sum()
        self.sums = self.weights.cumsum() if keep_sums else None
        if keep_sums:
            self.sums /= self.sums[-1]

    def __iter__(self):
        random = np.random.default_rng(20)
        while True:
            if self.sums is None:
                numbers = random.choice(len(self.weights), self.rows, p=self.weights)
            else:
                numbers = self.sums.searchsorted(random.random(self.rows), side="right")
            yield numbers.tolist()


# ---- activations on the host

class Offloaded:
    """Nine layers, the slopes by hand. What went into the middle ones leaves for pinned memory in the forward pass and
    comes back in the backward pass, two ahead. On the device are the last three and two places for what comes back.
    A layer waits until what lay in its place has left, or until the newest has left."""
    layers, rows, width = 9, 3072, 2048
    kept = layers - 3

    def __init__(self, wait_for_own):
        shape = self.rows, self.width
        self.wait_for_own = wait_for_own
        self.weights = [torch.randn(self.width, self.width, device="cuda") * (2 / self.width) ** 0.5
                        for _ in range(self.layers)]
        self.inputs = [torch.randn(shape, device="cuda") for _ in range(3)]
        self.wanted = torch.rand(shape, device="cuda")
        self.ring = [torch.zeros(shape, device="cuda") for _ in range(3)]
        self.back = [torch.zeros(shape, device="cuda") for _ in range(2)]
        self.host = [torch.zeros(shape).pin_memory() for _ in range(self.kept + 1)]
        self.leaving, self.coming = torch.cuda.Stream(), torch.cuda.Stream()
        self.made, self.left = [[torch.cuda.Event() for _ in range(self.kept + 1)] for _ in range(2)]
        self.here, self.used, self.pace = two_events(), two_events(), Pace()
        torch.cuda.synchronize()

    def leave(self, k):
        self.made[k].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[k])
            self.host[k].copy_(self.ring[k % 3], non_blocking=True)
            self.left[k].record()

    def bring(self, k):
        with torch.cuda.stream(self.coming):
            self.coming.wait_event(self.used[k % 2])
            self.coming.wait_event(self.left[k])
            self.back[k % 2].copy_(self.host[k], non_blocking=True)
            self.here[k % 2].record()

    def values(self, k):
        return self.back[k % 2] if k <= self.kept else self.ring[k % 3]

    def forward(self, x):
        now = torch.cuda.current_stream()
        for k in range(1, self.layers + 1):
            if self.wait_for_own and k > 3:
                now.wait_event(self.left[k - 3])
            elif not self.wait_for_own and k > 1:
                now.wait_event(self.left[min(k - 1, self.kept)])
            x = torch.mm(x, self.weights[k - 1], out=self.ring[k % 3]).relu_()
            if k <= self.kept:
                self.leave(k)

    @torch.no_grad()
    def step(self, i):
        now, x = torch.cuda.current_stream(), self.inputs[i % 3]
        self.forward(x)
        self.bring(self.kept)
        self.bring(self.kept - 1)
        slope = (self.values(self.layers) - self.wanted).div_(self.rows)
        for k in range(self.layers, 0, -1):
            slope.mul_(self.values(k) > 0)
            if k <= self.kept:
                self.used[k % 2].record()
                if k > 2:
                    self.bring(k - 2)
            if 1 < k <= self.kept + 1:
                now.wait_event(self.here[(k - 1) % 2])
            change = torch.mm((self.values(k - 1) if k > 1 else x).t(), slope)
            if k > 1:
                slope = torch.mm(slope, self.weights[k - 1].t())
            self.weights[k - 1].add_(change, alpha=-1e-3)
        self.pace.keep(i)

    def result(self):
        return self.values(self.layers).mean()


# ---- a catalogue of wares with a codebook that moves

class Catalogue:
    """Features of wares are found in eight parts a step, two places, and leave for the host. The codebook, 344 MB, moves
    after the last part; before, a checkpoint of it leaves in a stream of its own: in one copy, or in eight, each one
    behind the features of a part."""
    parts, rows, codes = 8, 8192, 8 * 41984

    def __init__(self, in_pieces):
        self.in_pieces = in_pieces
        self.wares = Ahead([pinned(torch.randn(self.rows, 512, device="cuda")) for _ in range(3)])
        self.model, self.last = dense(512, 1536, 1792).requires_grad_(False), torch.randn(1792, 256, device="cuda")
        self.found = [torch.zeros(self.rows, 256, device="cuda") for _ in range(2)]
        self.host = [torch.zeros(self.rows, 256).pin_memory() for _ in range(self.parts)]
        self.codebook = torch.randn(self.codes, 256, device="cuda")
        self.checkpoint = torch.zeros(self.codes, 256).pin_memory()
        self.drift = torch.zeros(256, device="cuda")
        self.leaving, self.saving = torch.cuda.Stream(), torch.cuda.Stream()
        self.made, self.left, self.pace = two_events(), two_events(), Pace()
        self.moved, self.saved = torch.cuda.Event(), torch.cuda.Event()
        torch.cuda.synchronize()

    def save(self, part):
        if part > 0 and not self.in_pieces:
            return
        count = self.codes // self.parts
        piece = slice(part * count, (part + 1) * count) if self.in_pieces else slice(None)
        with torch.cuda.stream(self.saving):
            self.saving.wait_event(self.moved)
            self.saving.wait_event(self.left[(part - 1) % 2])
            self.checkpoint[piece].copy_(self.codebook[piece], non_blocking=True)
            self.saved.record()

    @torch.no_grad()
    def step(self, i):
        now = torch.cuda.current_stream()
        for part in range(self.parts):
            place = part % 2
            self.save(part)
            x = self.model(self.wares.take(i * self.parts + part)).relu_()
            self.wares.give_back(i * self.parts + part)
            now.wait_event(self.left[place])
            torch.mm(x, self.last, out=self.found[place])
            self.drift.lerp_(self.found[place].mean(0), 0.1)
            self.made[place].record()
            with torch.cuda.stream(self.leaving):
                self.leaving.wait_event(self.made[place])
                self.host[part].copy_(self.found[place], non_blocking=True)
                self.left[place].record()
        now.wait_event(self.saved)
        self.codebook.mul_(0.999).add_(self.drift)
        self.moved.record()
        self.pace.keep(i)


# ---- a fibre that hears

class Fibre:
    """What a glass fibre hears comes as packed numbers of 12 bits. They are unpacked into pinned memory, two places,
    and come to the device, where noise is taken out of them. A host function in the stream unpacks them just before
    their copy, or the loop does, for the next step."""
    triples = 65536

    def __init__(self, in_stream):
        self.in_stream, random = in_stream, np.random.default_rng(18)
        self.packed = [random.integers(0, 256, (self.triples, 3), dtype=np.uint8) for _ in range(4)]
        self.staged = [torch.zeros(self.triples, 2).pin_memory() for _ in range(2)]
        self.views = [place.numpy() for place in self.staged]
        self.heard = torch.zeros(self.triples, 2, device="cuda")
        self.model = dense(128, *6 * [2048], 64).requires_grad_(False)
        self.loud = torch.zeros(64, device="cuda")
        self.left, self.pace, self.runtime = two_events(), Pace(), runtime()
        self.functions = [HostFunction(lambda _, k=k: self.unpack(k)) for k in range(4)]
        torch.cuda.synchronize()
        if not in_stream:
            self.unpack(0)

    def unpack(self, k):
        wide, out = self.packed[k].astype(np.int16), self.views[k % 2]
        out[:, 0] = wide[:, 0] | (wide[:, 1] & 15) << 8
        out[:, 1] = wide[:, 1] >> 4 | wide[:, 2] << 4
        out -= 2048

    @torch.no_grad()
    def step(self, i):
        if self.in_stream:
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            check(self.runtime.cudaLaunchHostFunc(stream, self.functions[i % 4], None), "cudaLaunchHostFunc")
        self.heard.copy_(self.staged[i % 2], non_blocking=True)
        self.left[i % 2].record()
        windows = self.heard.view(64, 2048).unfold(1, 128, 16).reshape(-1, 128).div(2048)
        self.loud.lerp_(self.model(windows).abs().mean(0), 0.1)
        if not self.in_stream:
            self.left[(i + 1) % 2].synchronize()
            self.unpack((i + 1) % 4)
        self.pace.keep(i)


# ---- pictures cut at random

class Cutter:
    """Pictures come a step ahead as bytes, are cut, mirrored and recoloured on the device, and features of their pieces
    are found. Where to cut is drawn on the device; the host needs it, and asks at once or a step later."""

    def __init__(self, late):
        pictures = torch.randint(256, (32, 3, 256, 256), dtype=torch.uint8, device="cuda")
        self.pictures = Prefetcher([pinned(pictures.roll(k, 0)) for k in range(3)])
        self.random = torch.Generator("cuda").manual_seed(18)
        self.model = dense(768, 2048, 2048, 2048, 2048, 256).requires_grad_(False)
        self.mean = torch.zeros(256, device="cuda")
        self.late = Delayed((3,), torch.long) if late else None
        self.pace = Pace()
        if late:
            self.late.exchange(-1, self.draw())

    def draw(self):
        return torch.randint(32, (3,), device="cuda", generator=self.random)

    def where(self, i):
        drawn = self.draw()
        return (self.late.exchange(i, drawn) if self.late else drawn).tolist()

    def recolour(self, x):
        grey = x.mean(1, keepdim=True)
        x = torch.lerp(grey, x, 0.8)
        x = (x - x.mean((2, 3), keepdim=True)) * 1.1 + 0.5
        x = x.clamp(0, 1).pow(0.9)
        return (x - 0.45) / 0.25

    @torch.no_grad()
    def step(self, i):
        pictures = self.pictures.take(i)
        top, left, mirrored = self.where(i)
        x = pictures[:, :, top:top + 224, left:left + 224].float() / 255
        self.pictures.give_back(i)
        x = self.recolour(x.flip(3) if mirrored % 2 else x)
        pieces = x.view(32, 3, 14, 16, 14, 16).permute(0, 2, 4, 1, 3, 5).reshape(-1, 768)
        self.mean.lerp_(self.model(pieces).mean(0), 0.1)
        self.pace.keep(i)


# ---- moments on the host

class HostedMoments:
    """Adam, whose moments live in pinned memory. Those of a layer come while the layer above goes backward, the weights
    change as soon as their slope is there, and the moments leave beside the next layer: two places."""

    def __init__(self, weights):
        self.weights = list(reversed(weights))  # in the order in which their slopes are made
        self.host = [torch.zeros(2, w.numel()).pin_memory() for w in self.weights]
        most = max(w.numel() for w in self.weights)
        self.places = [torch.zeros(2 * most, device="cuda") for _ in range(2)]
        self.coming, self.leaving = torch.cuda.Stream(), torch.cuda.Stream()
        self.here, self.made, self.free = two_events(), two_events(), two_events()
        self.left = [torch.cuda.Event() for _ in self.weights]
        self.next = 0
        torch.cuda.synchronize()
        self.bring(0)
        for w in self.weights:
            w.register_post_accumulate_grad_hook(self.change)

    def place(self, number):
        count = self.weights[number % len(self.weights)].numel()
        return self.places[number % 2][:2 * count].view(2, count)

    def bring(self, number):
        slot, k = number % 2, number % len(self.weights)
        with torch.cuda.stream(self.coming):
            self.coming.wait_event(self.free[slot])
            self.coming.wait_event(self.left[k])
            self.place(number).copy_(self.host[k], non_blocking=True)
            self.here[slot].record()

    @torch.no_grad()
    def change(self, w):
        number, self.next = self.next, self.next + 1
        slot, k, now = number % 2, number % len(self.weights), torch.cuda.current_stream()
        self.bring(number + 1)
        now.wait_event(self.here[slot])
        mean, square = [part.view_as(w) for part in self.place(number)]
        mean.lerp_(w.grad, 0.1)
        square.mul_(0.99).addcmul_(w.grad, w.grad, value=0.01)
        w.addcdiv_(mean, square.sqrt().add_(1e-6), value=-1e-5)
        w.grad = None
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            self.host[k].copy_(self.place(number), non_blocking=True)
            self.left[k].record()
            self.free[slot].record()


class Gauges:
    """What gauges of a plant will say next is learned; the moments of the weights live on the host."""

    def __init__(self):
        sizes = [256, *6 * [2048], 16]
        self.layers = [nn.Linear(a, b, bias=False, device="cuda") for a, b in zip(sizes, sizes[1:])]
        self.moments = HostedMoments([layer.weight for layer in self.layers])
        self.said = Prefetcher([pinned(torch.randn(4096, 256, device="cuda")) for _ in range(3)])
        self.next, self.late = torch.rand(4096, 16, device="cuda"), Delayed((), torch.float32)
        self.loss, self.seen = torch.zeros(()), 0.0

    def step(self, i):
        x = self.said.take(i)
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        loss = F.mse_loss(self.layers[-1](x), self.next)
        self.loss = loss.detach()
        self.seen = float(self.late.exchange(i, self.loss))
        loss.backward()
        self.said.give_back(i)
