"""What the sixteenth set of loops in PyTorch is made of: frames that a library grabs, molecules, a hive, drones that
keep what they know, pictures that are kept as evidence, claims, patterns."""
import ctypes

import numpy as np
import torch
import torch.nn.functional as F

from torch2_parts import BF16
from torch_parts import Collector, Delayed, Prefetcher, as_graph, network


def ordinary_stream():
    """A stream as cudaStreamCreate() makes it, which waits for the one that PyTorch begins with, as that one does for
    it. It is never destroyed: pinned memory that it used is given back later."""
    handle = ctypes.c_ulonglong(0)
    code = torch.cuda.cudart().cudaStreamCreate(ctypes.addressof(handle))
    if int(code) != 0:
        raise RuntimeError(f"cudaStreamCreate: {code}")
    return torch.cuda.ExternalStream(handle.value)


class Grabbed(Prefetcher):
    """Frames that a library brings a step ahead, in the stream that it was given."""

    def __init__(self, batches, stream):
        torch.cuda.synchronize()
        super().__init__(batches)
        torch.cuda.synchronize()
        self.stream = stream


class Molecules:
    """How much energy 1024 molecules have, of 8 to 24 atoms each, 16384 in all: what is found of the atoms is added up
    molecule by molecule. Whether their lengths are right is checked each time, or they are known to be."""

    def __init__(self, unsafe):
        self.unsafe = unsafe
        self.atoms = network(512, 2048, 5, 64).requires_grad_(False)
        self.whole = network(64, 256, 2, 1).requires_grad_(False)
        some = 8 + torch.arange(512, device="cuda") % 17
        self.lengths = torch.stack([some, 32 - some], 1).flatten()

    @torch.no_grad()
    def energy(self, x):
        found = self.atoms(x).float()
        sums = torch.segment_reduce(found, "sum", lengths=self.lengths, axis=0, unsafe=self.unsafe)
        return self.whole(sums.to(BF16)).float().square().mean()


class Told(torch.utils.data.Dataset):
    """What was heard in a hive and what the bees did, as it was noted: 2048 moments of 512 values."""

    def __init__(self):
        random = np.random.default_rng(16)
        self.heard = random.standard_normal((8192, 512), dtype=np.float32)
        self.done = random.integers(0, 16, 8192)

    def __len__(self):
        return 4_000_000

    def __getitem__(self, i):
        begin = i * 613 % 6144
        heard, done = self.heard[begin:begin + 2048], self.done[begin:begin + 2048]
        return torch.from_numpy(heard).to(BF16), torch.from_numpy(done)


class Untold(torch.utils.data.Dataset):
    """What was heard when nobody was there, as short numbers: how loud it is altogether, which takes numpy some 4 to
    5 ms."""

    def __init__(self):
        self.heard = np.random.default_rng(17).integers(-2000, 2000, (8192, 512), dtype=np.int16)

    def __len__(self):
        return 4_000_000

    def __getitem__(self, i):
        begin = i * 419 % 6144
        loud = np.cumsum(self.heard[begin:begin + 2048], axis=1, dtype=np.float32)
        np.abs(loud, out=loud)
        loud += 1
        np.log(loud, out=loud)
        loud *= 0.1
        return torch.from_numpy(loud).to(BF16)


class Drones:
    """Drones of a warehouse get commands, eight rounds a step, which leave in a stream of their own: two slots on the
    device, eight on the host, looked at a step later. What they know of the place, 84 MB, is kept on the host
    meanwhile: in one copy, or in eight, each one behind the commands of a round."""
    rounds = 8

    def __init__(self, drones, in_pieces):
        self.model, self.in_pieces = network(512, 2048, 6, 64).requires_grad_(False), in_pieces
        self.seen = torch.randn(drones, 512, device="cuda", dtype=BF16)
        self.commands = [torch.zeros(drones, 64, device="cuda", dtype=BF16) for _ in range(2)]
        self.given = [torch.zeros(drones, 64, dtype=BF16).pin_memory() for _ in range(self.rounds)]
        self.place = torch.zeros(self.rounds, 5 << 19, device="cuda")
        self.kept = torch.zeros(self.rounds, 5 << 19).pin_memory()
        self.giving, self.keeping = torch.cuda.Stream(), torch.cuda.Stream()
        self.made, self.left = [[torch.cuda.Event() for _ in range(self.rounds)] for _ in range(2)]
        self.changed, self.safe, self.heard = torch.cuda.Event(), torch.cuda.Event(), 0.0
        self.graphs = [as_graph(lambda out=out: self.find(out)) for out in self.commands]
        torch.cuda.synchronize()
        self.changed.record()

    @torch.no_grad()
    def find(self, out):
        out.copy_(self.model(self.seen))
        self.seen[:, :64].lerp_(out, 0.1)

    def keep(self, number):
        """The part of the place that goes before the commands of this round."""
        if number > 0 and not self.in_pieces:
            return
        with torch.cuda.stream(self.keeping):
            self.keeping.wait_event(self.left[number - 1] if number > 0 else self.changed)
            if self.in_pieces:
                self.kept[number].copy_(self.place[number], non_blocking=True)
            else:
                self.kept.copy_(self.place, non_blocking=True)
            self.safe.record()

    def give(self, number):
        self.left[number].synchronize()
        self.heard = float(self.given[number][0, 0])
        with torch.cuda.stream(self.giving):
            self.giving.wait_event(self.made[number])
            self.given[number].copy_(self.commands[number % 2], non_blocking=True)
            self.left[number].record()

    @torch.no_grad()
    def step(self):
        current = torch.cuda.current_stream()
        for number in range(self.rounds):
            self.keep(number)
            current.wait_event(self.left[number - 2])
            self.graphs[number % 2].replay()
            self.made[number].record()
            self.give(number)
        current.wait_event(self.safe)
        self.place.lerp_(self.seen.float().abs().mean(), 0.1)
        self.changed.record()


class Evidence:
    """Pictures whose light is changed, in one place on the device. They leave for pinned memory in a stream of their
    own, two slots, and are looked at a step later."""

    def __init__(self, rows, width):
        self.raw = torch.randn(rows, width, device="cuda", dtype=BF16)
        self.lights = [torch.rand(width, device="cuda", dtype=BF16) + 0.5 for _ in range(4)]
        self.shown = torch.zeros_like(self.raw)
        self.host = [torch.zeros(rows, width, dtype=BF16).pin_memory() for _ in range(2)]
        self.left = [torch.cuda.Event() for _ in range(2)]
        self.ready, self.stream, self.seen = torch.cuda.Event(), torch.cuda.Stream(), 0.0
        torch.cuda.synchronize()

    def show(self, i):
        torch.cuda.current_stream().wait_event(self.left[1 - i % 2])
        torch.mul(self.raw, self.lights[i % 4], out=self.shown)
        return self.shown

    def keep(self, i):
        """Behind what was issued until now."""
        slot = i % 2
        self.ready.record()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.ready)
            self.host[slot].copy_(self.shown, non_blocking=True)
            self.left[slot].record()

    def look(self, i):
        """At those of the step before."""
        self.left[1 - i % 2].synchronize()
        self.seen = float(self.host[1 - i % 2][0, 0])


class Claims:
    """Pages of claims come a step ahead. What is found in them is read in one stream, and judged in another one beside
    it. How strict the reader is comes from ordinary memory, one number, and is not waited for."""

    def __init__(self, batches):
        self.pages, self.leaving = Prefetcher(batches), Collector((len(batches[0]),), dtype=torch.long)
        self.finder = network(1024, 4096, 2, 256).requires_grad_(False)
        self.reader = network(256, 2048, 3, 32).requires_grad_(False)
        self.judge = network(256, 2048, 2, 1).requires_grad_(False)
        self.side, self.late, self.begun = torch.cuda.Stream(), Delayed((), torch.float32), torch.cuda.Event()
        self.log = {}
        torch.cuda.synchronize()

    @torch.no_grad()
    def judged(self, i, found):
        self.side.wait_stream(torch.cuda.current_stream())
        found.record_stream(self.side)
        with torch.cuda.stream(self.side):
            return self.late.collector.take(i, self.judge(found).float().sigmoid().mean())

    @torch.no_grad()
    def step(self, i):
        self.begun.record()
        strict = torch.tensor([1.0 + 0.1 * (i % 5)]).to("cuda", non_blocking=True)
        found = self.finder(self.pages.take(i))
        self.pages.give_back(i)
        self.judged(i, found)
        self.leaving.take(i, (self.reader(found).float() * strict).argmax(1))
        for name, taken in (("false", self.late.collector), ("first", self.leaving)):
            taken.done[1 - i % 2].synchronize()
            self.log[name] = float(taken.host[1 - i % 2].flatten()[0])
        self.log["begun"] = self.begun.query()


class Weaving:
    """A network makes patterns and another one tells them from woven ones; each learns of the other."""

    def __init__(self, rows):
        self.rows = rows
        self.maker, self.judge = network(256, 2048, 3, 1024), network(1024, 2048, 3, 1)

    def make(self):
        return self.maker(torch.randn(self.rows, 256, device="cuda", dtype=BF16))

    def told_apart(self, woven, made):
        self.judge.requires_grad_(True)
        return F.softplus(-self.judge(woven).float()).mean() + F.softplus(self.judge(made.detach()).float()).mean()

    def taken_for_woven(self, made):
        self.judge.requires_grad_(False)
        return F.softplus(-self.judge(made).float()).mean()
