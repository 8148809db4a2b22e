"""What set c of the nineteenth loops in PyTorch is made of: a scanner, photons, spirals, a tomograph, waves in rock, and
crystals."""
import numpy as np
import torch

from torch17_parts import Ahead, Late, pinned, two_events
from torch_parts import BF16, Collector


def events(count):
    return [torch.cuda.Event() for _ in range(count)]


class Scanner:
    """Slabs of a scan, 101 MB, come, are filtered along rows and smoothed along columns, and leave. Each round is in one
    stream with places of its own; the rounds go through the streams in turn."""
    slab = (24, 1024, 1024)

    def __init__(self, streams):
        self.streams = [torch.cuda.Stream() for _ in range(streams)]
        self.slabs = [pinned(torch.rand(self.slab, device="cuda") + 0.1) for _ in range(3)]
        self.places = [torch.zeros(self.slab, device="cuda") for _ in self.streams]
        self.between = [torch.zeros(self.slab, device="cuda") for _ in self.streams]
        self.host = [torch.zeros(self.slab).pin_memory() for _ in range(4)]
        self.left, self.seen = events(4), 0.0
        far = (torch.arange(1024, device="cuda")[:, None] - torch.arange(1024, device="cuda")).float()
        self.ramp = torch.where(far.abs() % 2 == 1, -0.4 / (far * far + 1e-6), 0.0) + torch.eye(1024, device="cuda")
        self.smooth = torch.exp(-far * far / 8).softmax(1).expand(self.slab)
        torch.cuda.synchronize()

    @torch.no_grad()
    def step(self, i):
        slot, stream, out = i % len(self.streams), self.streams[i % len(self.streams)], i % 4
        self.left[out].synchronize()
        self.seen = float(self.host[out][0, 0, 0])
        with torch.cuda.stream(stream):
            x, between = self.places[slot], self.between[slot]
            x.copy_(self.slabs[i % 3], non_blocking=True)
            x.clamp_(min=0.01).log_().neg_()
            torch.mm(x.view(-1, 1024), self.ramp, out=between.view(-1, 1024))
            torch.bmm(self.smooth, between, out=x)
            self.host[out].copy_(x, non_blocking=True)
            self.left[out].record()

    def result(self):
        return sum(host.abs().mean() for host in self.host)


class Photons:
    """Light in a slab of tissue: 16 million photons fly and scatter, and now and then it is counted how deep they are.
    Those that would leave are held at the surfaces, at 0 and 1."""
    count, bins, tallies, flights = 1 << 24, 128, 4, 6

    def __init__(self, tally):
        self.tally = tally
        self.depth = torch.rand(self.count, device="cuda")
        self.path, self.way = [torch.zeros(self.count, device="cuda") for _ in range(2)]
        self.weight = torch.ones(self.count, device="cuda")
        self.counts = torch.zeros(self.bins, device="cuda")
        self.middle = (torch.arange(self.bins, device="cuda") + 0.5) / self.bins
        self.late = Late()

    def fly(self):
        self.path.exponential_(1.0)
        self.way.uniform_(-1, 1)
        self.depth.addcmul_(self.path, self.way, value=0.05).clamp_(0, 1)
        self.weight.addcmul_(self.weight, self.path, value=-1e-4).clamp_(min=0.01)

    def step(self, i):
        for _ in range(self.tallies):
            for _ in range(self.flights):
                self.fly()
            self.counts.lerp_(self.tally(self.depth), 0.1)
        self.late.look(i, self.weight[0])

    def result(self):
        return (self.counts * self.middle).sum() / self.counts.sum()


class Spirals:
    """A picture is found from what 16 coils measured along four spirals in the space of its frequencies, one spiral a
    step. Each measured point lies between four cells of the grid, with a weight for each. Numpy finds cells and weights
    of a spiral in each step, or of all of them once."""
    points, size, coils, spirals, rounds = 100_000, 512, 16, 4, 10

    def __init__(self, once):
        self.once = once
        self.places = [(torch.zeros(4 * self.points, dtype=torch.int32).pin_memory(),
                        torch.zeros(4 * self.points).pin_memory()) for _ in range(self.spirals)]
        self.came = events(self.spirals)
        size, coils = self.size, self.coils
        maps = torch.randn(coils, size, size, device="cuda", dtype=torch.complex64)
        self.maps = maps / maps.abs().square().sum(0).sqrt()
        self.measured = [torch.randn(self.points, 2 * coils, device="cuda") for _ in range(self.spirals)]
        self.picture = torch.zeros(size, size, device="cuda", dtype=torch.complex64)
        self.late = Late()
        if once:
            for spiral in range(self.spirals):
                self.find(spiral)

    def find(self, spiral):
        t = (np.arange(self.points, dtype=np.float32) + 0.5) / self.points
        angle, radius = 2 * np.pi * (200 * t + spiral / self.spirals), np.sqrt(t) * (self.size / 2 - 2)
        x, y = self.size / 2 + radius * np.cos(angle), self.size / 2 + radius * np.sin(angle)
        left, top = np.floor(x), np.floor(y)
        columns = np.stack([left, left + 1, left, left + 1], 1)
        rows = np.stack([top, top, top + 1, top + 1], 1)
        weights = np.exp(-2 * ((columns - x[:, None]) ** 2 + (rows - y[:, None]) ** 2))
        weights /= weights.sum(1, keepdims=True)
        cells, kept = self.places[spiral]
        cells.copy_(torch.from_numpy((rows * self.size + columns).astype(np.int32).ravel()))
        kept.copy_(torch.from_numpy(weights.astype(np.float32).ravel()))

    @torch.no_grad()
    def better(self, cells, weights, measured):
        size, coils = self.size, self.coils
        grid = torch.fft.fft2(self.maps * self.picture, norm="ortho").permute(1, 2, 0).contiguous()
        near = torch.view_as_real(grid).view(size * size, 2 * coils).index_select(0, cells).mul_(weights)
        wrong = near.view(self.points, 4, 2 * coils).sum(1).sub_(measured)
        spread = (wrong[:, None] * weights.view(self.points, 4, 1)).view(4 * self.points, 2 * coils)
        back = torch.zeros(size * size, 2 * coils, device="cuda").index_add_(0, cells, spread)
        back = torch.view_as_complex(back.view(size, size, coils, 2)).permute(2, 0, 1).contiguous()
        change = (torch.fft.ifft2(back, norm="ortho") * self.maps.conj()).sum(0)
        self.picture.sub_(change, alpha=0.2)

    def step(self, i):
        spiral = i % self.spirals
        if not self.once:
            self.came[spiral].synchronize()
            self.find(spiral)
        cells, weights = [part.to("cuda", non_blocking=True) for part in self.places[spiral]]
        self.came[spiral].record()
        for _ in range(self.rounds):
            self.better(cells, weights[:, None], self.measured[spiral])
        self.late.look(i, self.picture[0, 0].real)

    def result(self):
        return self.picture.abs().mean()


class Tomograph:
    """A body is found from eight views. The body moved, so how it is seen differs from view to view: a table, 4 MB, comes
    one view ahead. What was measured in all views of the next moment, 134 MB, comes meanwhile, in one copy or in eight,
    one for each view."""
    views, rays, cells, slices = 8, 1024, 2048, 4096

    def __init__(self, in_pieces):
        self.in_pieces = in_pieces
        self.tables = Ahead([pinned((torch.rand(self.rays, self.cells, device="cuda") / self.rays).to(BF16))
                             for _ in range(self.views)])
        self.measured = [pinned(torch.rand(self.views, self.rays, self.slices, device="cuda") + 0.5)
                         for _ in range(2)]
        self.places = [measured.to("cuda") for measured in self.measured]
        self.body = torch.ones(self.cells, self.slices, device="cuda")
        self.wrong = torch.zeros(self.rays, self.slices, device="cuda")
        self.stream, self.here, self.used, self.late = torch.cuda.Stream(), two_events(), two_events(), Late()
        torch.cuda.synchronize()

    def bring(self, i, view):
        """What goes with this view of what was measured in the next moment."""
        if view > 0 and not self.in_pieces:
            return
        slot, part = (i + 1) % 2, slice(view, view + 1) if self.in_pieces else slice(None)
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.used[slot])
            self.stream.wait_event(self.tables.here[view % 2])
            self.places[slot][part].copy_(self.measured[slot][part], non_blocking=True)
            self.here[slot].record()

    @torch.no_grad()
    def step(self, i):
        slot = i % 2
        torch.cuda.current_stream().wait_event(self.here[slot])
        for view in range(self.views):
            self.bring(i, view)
            table = self.tables.take(i * self.views + view).float()
            self.tables.give_back(view)
            torch.addmm(self.places[slot][view], table, self.body, alpha=-1, out=self.wrong)
            self.body.addmm_(table.T, self.wrong, alpha=0.3)
        self.used[slot].record()
        self.late.look(i, self.body[0, 0])


class Rock:
    """Waves run through rock of 4096 x 4096 places, and are drawn a little to what twelve rows of sensors measured."""
    size, times, rows = 4096, 18, 12

    def __init__(self):
        self.now, self.before = [torch.zeros(self.size, self.size, device="cuda") for _ in range(2)]
        self.speed = 0.1 + 0.1 * torch.rand(self.size - 2, self.size - 2, device="cuda")

    @torch.no_grad()
    def run(self, measured):
        for seen in measured:
            u, inner = self.now, self.now[1:-1, 1:-1]
            bend = u[1:-1, 2:] + u[1:-1, :-2]
            bend.add_(u[2:, 1:-1]).add_(u[:-2, 1:-1]).sub_(inner, alpha=4)
            old = self.before[1:-1, 1:-1]
            old.mul_(-0.99).add_(inner, alpha=1.99).addcmul_(bend, self.speed)
            self.before, self.now = self.now, self.before
            self.now[8:8 + self.rows].lerp_(seen, 0.1)
        return self.now[self.size // 2, self.size // 2]


class Crystals:
    """Shapes of crystals from how they scatter: the patterns come a step ahead, transforms go to and fro, and what was
    found leaves in a stream of its own."""
    shape, rounds = (32, 512, 512), 14

    def __init__(self):
        self.patterns = Ahead([pinned(torch.randint(100, self.shape, device="cuda", dtype=torch.int16))
                               for _ in range(3)])
        self.support = torch.zeros(self.shape[1:], device="cuda")
        self.support[128:384, 128:384] = 1
        self.begin = torch.randn(self.shape, device="cuda", dtype=torch.complex64) * self.support
        self.kept, self.late = Collector(self.shape, torch.float16), Late()
        self.found = self.begin

    @torch.no_grad()
    def step(self, i):
        strength = self.patterns.take(i).float().div_(100)
        self.patterns.give_back(i)
        body = self.begin
        for _ in range(self.rounds):
            scattered = torch.fft.fft2(body, norm="ortho")
            scale = torch.div(strength, scattered.abs().add_(1e-3))
            body = torch.fft.ifft2(scattered.mul_(scale), norm="ortho").mul_(self.support)
        self.found = body.abs()
        self.kept.take(i, self.found.half())
        self.late.look(i, self.found[0, 256, 256])
