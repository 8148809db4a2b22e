"""What set c of the eighteenth loops in PyTorch is made of: one class for each program."""
import torch

from torch17_parts import two_events
from torch_parts import as_graph


class Pendulums:
    """Double pendulums with rods and weights of one: their angles and rates, by Runge and Kutta."""
    count, steps, time, gravity = 1 << 21, 6, 1e-3, 9.8

    def __init__(self):
        self.first = [torch.rand(self.count, device="cuda") * 2 - 1 for _ in range(4)]
        self.state = [part.clone() for part in self.first]
        self.rate = torch.zeros((), device="cuda")

    def begin(self):
        for part, first in zip(self.state, self.first):
            part.copy_(first)

    def slopes(self, a, b, u, v):
        apart = a - b
        s, c = 2 * apart.sin(), apart.cos()
        below = 3 - (2 * apart).cos()
        uu, vv = u * u, v * v
        pull = self.gravity * (3 * a.sin() + (apart - b).sin())
        upper = (pull + s * (vv + uu * c)) / below
        lower = s * (2 * uu + 2 * self.gravity * a.cos() + vv * c) / below
        return u, v, -upper, lower

    def moved(self, slopes, time):
        return [part.add(slope, alpha=time) for part, slope in zip(self.state, slopes)]

    def go(self):
        for _ in range(self.steps):
            k1 = self.slopes(*self.state)
            k2 = self.slopes(*self.moved(k1, self.time / 2))
            k3 = self.slopes(*self.moved(k2, self.time / 2))
            k4 = self.slopes(*self.moved(k3, self.time))
            changes = [p + 2 * (q + r) + s for p, q, r, s in zip(k1, k2, k3, k4)]
            for part, change in zip(self.state, changes):
                part.add_(change, alpha=self.time / 6)
        self.rate.copy_(self.state[2].abs().mean())


class Vortices:
    """How flat flows turn, as waves: what carries the turning is found from it, and friction takes some of it."""
    size, time = 2048, 1e-4

    def __init__(self):
        n = self.size
        ky = torch.fft.fftfreq(n, 1 / n, device="cuda")[:, None].expand(n, n // 2 + 1)
        kx = torch.fft.rfftfreq(n, 1 / n, device="cuda")[None, :].expand(n, n // 2 + 1)
        square = kx * kx + ky * ky
        over = 1 / square.clamp(min=1)
        # speeds along x and y, and the slopes of the turning
        self.factors = 1j * torch.stack([ky * over, -kx * over, kx, ky])[:, None]
        self.push = (-self.time * (square < (n / 3) ** 2)).to(torch.complex64)
        self.friction = (-1e-4 * self.time * square).exp().to(torch.complex64)
        self.turn = torch.fft.rfft2(torch.randn(2, n, n, device="cuda")) * (-square / 5000).exp()

    def next(self):
        fields = torch.fft.irfft2(self.turn * self.factors, s=(self.size, self.size))
        carried = torch.fft.rfft2(torch.addcmul(fields[0] * fields[2], fields[1], fields[3]))
        return self.turn.addcmul(carried, self.push).mul_(self.friction)

    def strength(self):
        return self.turn.abs().mean()


class Kriging:
    """Weights of drillings, by conjugate gradients with the whole matrix of how alike two of them are, 1 GB."""
    drillings, rounds = 16384, 20

    def __init__(self):
        places = torch.rand(self.drillings, 3, device="cuda")
        self.alike = torch.cdist(places, places).div_(-0.2).exp_()
        self.alike.diagonal().add_(0.1)
        self.found = [torch.randn(self.drillings, device="cuda") for _ in range(4)]

    def solve(self, i, number):
        rest = self.found[i % 4].clone()
        way, weights, square = rest.clone(), torch.zeros_like(rest), rest.dot(rest)
        for _ in range(self.rounds):
            pushed = self.alike @ way
            length = number(square / way.dot(pushed))
            weights += length * way
            rest -= length * pushed
            before, square = square, rest.dot(rest)
            turn = number(square / before)
            way = rest + turn * way
        return weights


class Roads:
    """Short ways between all crossings: one pass, by way of 96 crossings at a time."""
    crossings, part = 1536, 96

    def __init__(self):
        n = self.crossings
        far = torch.full((n, n), 1e4, device="cuda")
        self.times = [torch.where(torch.rand(n, n, device="cuda") < 0.01, torch.rand(n, n, device="cuda") + 0.1, far)
                      for _ in range(4)]
        for times in self.times:
            times.fill_diagonal_(0)

    def all_ways(self, i):
        ways = self.times[i % 4]
        for k in range(0, self.crossings, self.part):
            ways = torch.minimum(ways, self.by_way_of(ways, k))
        return ways

    def by_way_of(self, ways, k):
        there, on = ways[:, k:k + self.part, None], ways[None, k:k + self.part]
        return (there + on).amin(1)


class Levels:
    """Sixteen forecasts of 160 levels of the air, drawn towards what was measured, more so in long waves."""
    levels, high, wide, rounds = 160, 64, 128, 10

    def __init__(self):
        shape = self.levels, self.high, self.wide
        self.host = [(torch.randn(shape, device="cuda") + 3).cpu().pin_memory() for _ in range(3)]
        self.measured = torch.zeros(shape, device="cuda")
        self.members = torch.randn(16, *shape, device="cuda")
        ky = torch.fft.fftfreq(self.high, 1 / self.high, device="cuda")[:, None]
        kx = torch.fft.rfftfreq(self.wide, 1 / self.wide, device="cuda")
        self.gain = (0.1 / (1 + 0.01 * (kx * kx + ky * ky))).to(torch.complex64)

    def draw(self):
        for _ in range(self.rounds):
            gap = torch.fft.rfft2(self.measured - self.members)
            self.members += torch.fft.irfft2(gap * self.gain, s=(self.high, self.wide))
            self.members.lerp_(self.members.roll(1, -1), 0.1)

    def heat(self):
        return self.members[0].mean()


class Cluster:
    """Stars that pull each other, all with all. Pictures of them leave, two places for each."""
    stars, steps, time, soft, size = 12288, 4, 1e-3, 1e-2, 1024

    def __init__(self):
        self.place = torch.randn(self.stars, 3, device="cuda")
        self.rate = 0.1 * torch.randn(self.stars, 3, device="cuda")
        self.ones = torch.ones(self.stars, device="cuda")
        self.pictures = [torch.zeros(self.size * self.size, device="cuda") for _ in range(2)]
        self.host = [torch.zeros(self.size * self.size).pin_memory() for _ in range(2)]
        self.made, self.left, self.leaving, self.seen = two_events(), two_events(), torch.cuda.Stream(), 0.0
        self.graph = as_graph(self.go)
        torch.cuda.synchronize()

    def pull(self):
        x = self.place
        square = (x * x).sum(1)
        near = torch.addmm(square[None, :], x, x.T, alpha=-2)
        near.add_(square[:, None]).clamp_(min=0).add_(self.soft).pow_(-1.5)
        return (near @ x - near.sum(1, keepdim=True) * x) / self.stars

    def go(self):
        for _ in range(self.steps):
            self.rate.add_(self.pull(), alpha=self.time)
            self.place.add_(self.rate, alpha=self.time)

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        self.graph.replay()
        now.wait_event(self.left[slot])
        at = ((self.place[:, :2] + 4) * (self.size / 8)).long().clamp_(0, self.size - 1)
        self.pictures[slot].zero_().index_add_(0, at[:, 0] * self.size + at[:, 1], self.ones)
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            self.host[slot].copy_(self.pictures[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.seen = float(self.host[1 - slot][self.size * self.size // 2])

    def speed(self):
        return self.rate.abs().mean()
