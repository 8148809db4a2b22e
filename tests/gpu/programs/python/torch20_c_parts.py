"""What the set torch20_c is made of: volumes laid on each other, an ocean with an archive, a forest that burns, a book of
options, and pulses in the voltages of antennas."""
import math

import numpy as np
import torch
import torch.nn.functional as F

from torch17_parts import Late, pinned, two_events


class Demons:
    """Volumes are bent until they lie on a fixed one. How far a try goes follows from whether the last one was better:
    a number of the host, or one that lies on the device."""
    shape, tries = (128, 160, 160), 6

    def __init__(self, on_device):
        self.on_device = on_device
        volumes = torch.rand(5, 1, *self.shape, device="cuda")
        for _ in range(3):
            volumes = self.smooth(volumes)
        volumes = (volumes - volumes.mean()) / volumes.std()
        self.fixed, self.moving = volumes[:1].contiguous(), volumes[1:].contiguous()
        slopes = torch.stack(torch.gradient(self.fixed[0, 0])[::-1])[None]
        self.slopes = (slopes / (slopes.square().sum(1, keepdim=True) + 1)).contiguous()
        self.places = F.affine_grid(torch.eye(3, 4, device="cuda")[None], (1, 1, *self.shape), align_corners=False)
        self.more, self.less = torch.tensor(1.2, device="cuda"), torch.tensor(0.5, device="cuda")
        self.none = torch.full((), math.inf, device="cuda")
        self.cost, self.late = self.none, Late()

    @staticmethod
    def smooth(x):
        x = F.avg_pool3d(x, (5, 1, 1), 1, (2, 0, 0))
        x = F.avg_pool3d(x, (1, 5, 1), 1, (0, 2, 0))
        return F.avg_pool3d(x, (1, 1, 5), 1, (0, 0, 2))

    def step(self, i):
        moving, bend = self.moving[i % 4][None], torch.zeros_like(self.slopes)
        off, self.cost = moving - self.fixed, self.none
        rate = torch.full((), 0.02, device="cuda") if self.on_device else 0.02
        for _ in range(self.tries):
            bend = self.smooth(bend - rate * off * self.slopes)
            grid = self.places + bend.permute(0, 2, 3, 4, 1)
            off = F.grid_sample(moving, grid, padding_mode="border", align_corners=False) - self.fixed
            cost = off.square().mean()
            better = cost < self.cost
            if self.on_device:
                rate = rate * torch.where(better, self.more, self.less)
            else:
                rate *= 1.2 if better else 0.5
            self.cost = cost
        self.late.look(i, self.cost)


class Ocean:
    """Twelve oceans of shallow water move; the surface goes to an archive of the host, two places for it."""
    members, size, moves = 12, 1024, 14

    def __init__(self, held):
        self.held, shape = held, (self.members, self.size, self.size)
        self.h = torch.randn(shape, device="cuda")
        self.u, self.v = torch.zeros_like(self.h), torch.zeros_like(self.h)
        self.kept = [torch.zeros(shape, device="cuda", dtype=torch.float16) for _ in range(2)]
        self.host = [torch.zeros(shape, dtype=torch.float16).pin_memory() for _ in range(2)]
        self.made, self.left = two_events(), two_events()
        self.archive, self.buoy = torch.cuda.Stream(), 0.0
        torch.cuda.synchronize()

    def move(self):
        h, u, v = self.h, self.u, self.v
        u.sub_(h.roll(-1, 2).sub_(h), alpha=0.1)
        v.sub_(h.roll(-1, 1).sub_(h), alpha=0.1)
        h.sub_(u - u.roll(1, 2), alpha=0.1)
        h.sub_(v - v.roll(1, 1), alpha=0.1)

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        for _ in range(self.moves):
            self.move()
        now.wait_event(self.left[slot])
        self.kept[slot].copy_(self.h)
        self.made[slot].record()
        with torch.cuda.stream(self.archive):
            self.archive.wait_event(self.made[slot])
            self.host[slot].copy_(self.kept[slot], non_blocking=True)
            self.left[slot].record()
        if self.held:
            now.wait_stream(self.archive)
        self.left[1 - slot].synchronize()
        self.buoy = float(self.host[1 - slot][3, 500, 500])


class Forest:
    """A cellular automaton of a forest that burns and grows. Lightning strikes along the ways of storms, which the host
    draws: strike by strike, or all at once with numpy."""
    size, storms, strikes, moves = 6144, 200, 60, 8

    def __init__(self, at_once):
        self.drawn = self.all_at_once if at_once else self.strike_by_strike
        self.random, self.late = np.random.default_rng(20), Late()
        self.fuel = torch.rand(self.size, self.size, device="cuda").half()
        self.fire = torch.zeros(1, self.size, self.size, device="cuda", dtype=torch.float16)
        self.host = [torch.zeros(self.storms * self.strikes, dtype=torch.int64).pin_memory() for _ in range(2)]
        self.came = two_events()

    def strike_by_strike(self, x, y, angle):
        places = []
        for left, top, way in zip(x.tolist(), y.tolist(), angle.tolist()):
            right, down = 9 * math.cos(way), 9 * math.sin(way)
            for n in range(self.strikes):
                places.append(int(top + n * down) % self.size * self.size + int(left + n * right) % self.size)
        return np.array(places)

    def all_at_once(self, x, y, angle):
        n = np.arange(self.strikes)
        rows = (y[:, None] + n * (9 * np.sin(angle))[:, None]).astype(np.int64) % self.size
        columns = (x[:, None] + n * (9 * np.cos(angle))[:, None]).astype(np.int64) % self.size
        return (rows * self.size + columns).ravel()

    def step(self, i):
        x, y, angle = self.random.random((3, self.storms)) * [[self.size], [self.size], [2 * math.pi]]
        places = self.drawn(x, y, angle)
        self.came[i % 2].synchronize()
        self.host[i % 2].copy_(torch.from_numpy(places))
        struck = self.host[i % 2].to("cuda", non_blocking=True)
        self.came[i % 2].record()
        self.fire.view(-1).index_fill_(0, struck, 1.0)
        for _ in range(self.moves):
            self.fire = F.max_pool2d(self.fire, 3, 1, 1).mul_(self.fuel > 0.6)
            self.fuel.mul_(1 - self.fire[0]).add_(0.01).clamp_(max=1)
        self.late.look(i, self.fuel.mean(dtype=torch.float32))


class Book:
    """Options of many shares are priced in 32 scenarios and for four times to go."""
    shares, strikes, scenarios = 640, 1280, 32

    def __init__(self, whole):
        self.whole, self.late = whole, Late()
        self.quotes = [pinned(torch.rand(self.shares, self.strikes, device="cuda") + 0.5) for _ in range(4)]
        self.rows = [quotes.unbind() for quotes in self.quotes]
        self.strike = torch.ones(self.shares, self.strikes, device="cuda")
        self.strike_rows = self.strike.unbind()
        self.spot = torch.linspace(0.7, 1.3, self.scenarios, device="cuda")[:, None, None]
        self.value = torch.zeros((), device="cuda")

    def step(self, i):
        if self.whole:
            self.strike.copy_(self.quotes[i % 4], non_blocking=True)
        else:
            for row, quotes in zip(self.strike_rows, self.rows[i % 4]):
                row.copy_(quotes, non_blocking=True)
        far, value = self.spot.log() - self.strike.log(), 0
        for years in (0.25, 0.5, 1.0, 2.0):
            spread = 0.3 * math.sqrt(years)
            first = far / spread + spread / 2
            second = torch.special.ndtr(first - spread).mul_(self.strike)
            value = value + torch.special.ndtr(first).mul_(self.spot).sub_(second).mean()
        self.value = value
        self.late.look(i, value)


class Pulses:
    """Pulses are sought in the voltages of 64 antennas. The block of the next step, 134 MB, and the filters of this one,
    3 MB, come in streams of their own when the last step has ended. The block comes whole or in pieces."""
    antennas, spectra, length = 64, 512, 4096

    def __init__(self, pieces):
        self.pieces, self.late = pieces, Late()
        shape = (self.antennas, self.spectra, self.length)
        self.blocks = [pinned(torch.randint(-99, 99, shape, device="cuda", dtype=torch.int8)) for _ in range(3)]
        self.filters = [pinned(torch.randn(3, self.antennas, 1, self.length // 2 + 1, device="cuda",
                                           dtype=torch.complex64)) for _ in range(4)]
        self.places = [torch.zeros(shape, device="cuda", dtype=torch.int8) for _ in range(2)]
        self.filter = torch.zeros_like(self.filters[0], device="cuda")
        self.here, self.tuned, self.done = two_events(), torch.cuda.Event(), torch.cuda.Event()
        self.coming, self.tuning = torch.cuda.Stream(), torch.cuda.Stream()
        self.window, self.best = torch.hann_window(self.length, device="cuda"), torch.zeros((), device="cuda")
        torch.cuda.synchronize()
        self.bring(0)

    def bring(self, i):
        with torch.cuda.stream(self.coming):
            self.coming.wait_event(self.done)
            place, block = self.places[i % 2], self.blocks[i % 3]
            for to, part in zip(place.chunk(self.pieces), block.chunk(self.pieces)):
                to.copy_(part, non_blocking=True)
            self.here[i % 2].record()

    def tune(self, i):
        with torch.cuda.stream(self.tuning):
            self.tuning.wait_event(self.done)
            self.filter.copy_(self.filters[i % 4], non_blocking=True)
            self.tuned.record()

    def step(self, i):
        now, block = torch.cuda.current_stream(), self.places[i % 2]
        self.bring(i + 1)
        self.tune(i)
        now.wait_event(self.here[i % 2])
        now.wait_event(self.tuned)
        seen, best = torch.fft.rfft(block * self.window), []
        for one in self.filter:
            best.append(torch.fft.irfft(seen * one).square_().amax((1, 2)))
        loud = block.float().square_().mean((1, 2))
        self.best = (torch.stack(best) / loud).mean()
        self.done.record()
        self.late.look(i, self.best)
