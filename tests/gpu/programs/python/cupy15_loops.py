#!/usr/bin/env python3
"""A fifteenth set of loops in CuPy; see torch15_loops.py. Written without reading the analysis."""
import sys

import cupy
import cupyx
import numpy as np

import loop_runner
from cupy_loops import clean, host_values, on_device, sync
from loop_runner import giving

pairs = loop_runner.Pairs("cupy15")


def events():
    return [cupy.cuda.Event(disable_timing=True) for _ in range(2)]


class Shops:
    """What was sold in 4096 shops, as numbers of shops and cents, and 1024 ways in which each one may go on."""

    def __init__(self, sales):
        random = np.random.default_rng(15)
        self.shops = [random.integers(0, 4096, sales) for _ in range(4)]
        self.cents = [random.integers(50, 1000, sales) for _ in range(4)]

    def sold_by_loop(self, day):
        sold = [0] * 4096
        for shop, cents in zip(self.shops[day].tolist(), self.cents[day].tolist()):
            sold[shop] += cents
        return sold

    def sold_by_count(self, day):
        return np.bincount(self.shops[day], weights=self.cents[day], minlength=4096)


def going_on():
    """What each way of a shop is worth; 4 Mi ways take about half a millisecond."""
    return cupy.ElementwiseKernel(
        "float32 chance, raw float32 sold", "float32 worth",
        "float value = chance * sold[i >> 10];"
        "for (int day = 0; day < 3600; ++day) value = value * 0.9999f + 0.01f * chance;"
        "worth = value;", "cupy15_going_on")


@pairs.pair("python host-late")
def sales_added_up_by_loop(variant):
    """What shops will sell follows from what they sold, 1.5 ms of kernels a step. The 32768 sales are added up by a
    loop of Python, 1.7 to 3.5 ms, and the device has nothing to do for the rest of it; mended, by numpy. 25 to
    60 %."""
    shops, go_on, chances = Shops(32768), going_on(), on_device(host_values(4 << 20))
    sold, worth = cupy.zeros(4096, cupy.float32), cupy.zeros(4 << 20, cupy.float32)
    mean, host = cupy.zeros((), cupy.float32), [cupyx.zeros_pinned(4096, np.float32) for _ in range(2)]
    stream, gone, ended = cupy.cuda.Stream(non_blocking=True), events(), events()
    add_up = shops.sold_by_loop if variant == "bad" else shops.sold_by_count
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        slot = i % 2
        gone[slot].synchronize()
        host[slot][...] = add_up(i % 4)
        with stream:
            sold.set(host[slot], stream=stream)
            gone[slot].record(stream)
            for _ in range(3):
                go_on(chances, sold, worth)
            mean[...] = worth.mean()
            ended[slot].record(stream)
        ended[1 - slot].synchronize()
    return giving(step, lambda: float(mean.get(stream=stream)))


def heated(rounds):
    """4 Mi values and 3000 rounds take about 0.4 ms."""
    return cupy.ElementwiseKernel(
        "float32 before", "float32 after",
        f"float value = before; for (int k = 0; k < {rounds}; ++k) value = value * 0.9999f + 0.0001f * before;"
        "after = value;", f"cupy15_heated_{rounds}")


class Plasma:
    """28 Mi particles, 112 MiB, of which a picture is kept each step, and a field that goes on in eight rounds. Probes
    in the field, 64 KiB, two slots, leave after each round; a slot is used again when it has left. Pictures and probes
    leave in streams of their own, by the same engine. A picture leaves in one copy, or in pieces of 4 MiB, four of
    them behind the probes of a round."""
    rounds, piece = 8, 1 << 20

    def __init__(self, in_pieces):
        count, self.in_pieces = 28 << 20, in_pieces
        self.drift = cupy.ElementwiseKernel(
            "float32 from", "float32 place, float32 seen", "place = from * 0.999f + 0.0005f; seen = place;",
            "cupy15_drift")
        self.heat, self.field = heated(3000), on_device(host_values(4 << 20))
        self.places = cupy.full(count, 0.25, cupy.float32)
        self.seen = cupy.zeros(count, cupy.float32)
        self.kept = [cupyx.zeros_pinned(count, np.float32) for _ in range(2)]
        self.probes = [cupy.zeros(16384, cupy.float32) for _ in range(2)]
        self.heard = [cupyx.zeros_pinned((self.rounds, 16384), np.float32) for _ in range(2)]
        self.stream, self.pictures, self.leaving = [cupy.cuda.Stream(non_blocking=True) for _ in range(3)]
        self.measured, self.left, self.ended = events(), events(), events()
        self.made, self.gone = events()
        self.pieces = [[self.part(slot, first) for first in range(0, count, self.piece)] for slot in range(2)]
        cupy.cuda.runtime.deviceSynchronize()

    def part(self, slot, first):
        return self.seen[first:first + self.piece], self.kept[slot][first:first + self.piece]

    def take_picture(self):
        with self.stream:
            self.stream.wait_event(self.gone)
            self.drift(self.places, self.places, self.seen)
            self.made.record(self.stream)
        self.pictures.wait_event(self.made)

    def picture_leaves(self, slot):
        self.seen.get(stream=self.pictures, out=self.kept[slot], blocking=False)
        self.gone.record(self.pictures)

    def pieces_leave(self, slot, n):
        """Four of 28: all have left behind the probes of seven rounds."""
        pieces = self.pieces[slot][4 * n:4 * n + 4]
        if not pieces:
            return
        self.pictures.wait_event(self.left[n % 2])
        for piece, target in pieces:
            piece.get(stream=self.pictures, out=target, blocking=False)
        self.gone.record(self.pictures)

    def round(self, slot, n):
        with self.stream:
            self.heat(self.field, self.field)
            self.stream.wait_event(self.left[n % 2])
            cupy.multiply(self.field[::256], np.float32(2), out=self.probes[n % 2])
            self.measured[n % 2].record(self.stream)
        self.leaving.wait_event(self.measured[n % 2])
        self.probes[n % 2].get(stream=self.leaving, out=self.heard[slot][n], blocking=False)
        self.left[n % 2].record(self.leaving)

    def step(self, i):
        """What the probes said in the step before."""
        slot = i % 2
        self.take_picture()
        if not self.in_pieces:
            self.picture_leaves(slot)
        for n in range(self.rounds):
            self.round(slot, n)
            if self.in_pieces:
                self.pieces_leave(slot, n)
        self.ended[slot].record(self.leaving)
        self.ended[1 - slot].synchronize()
        return float(self.heard[1 - slot][:, 0].sum())

    def result(self):
        cupy.cuda.runtime.deviceSynchronize()
        return float(self.field.mean() + self.places.mean() + self.seen.mean())


@pairs.pair("head-of-line", allowed=("stretched",))
def probes_behind_picture(variant):
    """A plasma goes on in eight rounds of 0.42 ms. What probes say of each leaves behind a picture of the particles,
    which takes 2.3 ms, and so the third round waits for it; mended, the picture leaves in pieces. 12 to 35 %."""
    plasma, log = Plasma(variant == "mended"), {}

    def step(i):
        log["probes"] = plasma.step(i)
    return giving(step, plasma.result)


@pairs.healthy(allowed=("stretched",))
def healthy_heart_seen_by_coils(variant):
    """A picture of a heart is found in five rounds from what 48 coils measured in a third of all lines. How far it goes
    in a round is a number of the host, copied as it is; the picture, 1 MiB, leaves for pinned memory in a stream of its
    own, two slots, and is looked at a step later."""
    random, seen = cupy.random.default_rng(15), {"bright": 0.0}
    coils = random.random((2, 48, 512, 512), dtype=np.float32) - np.float32(0.5)
    coils = (coils[0] + 1j * coils[1]).astype(np.complex64)
    coils /= cupy.sqrt(cupy.square(cupy.abs(coils)).sum(0))
    turned, lines = coils.conj(), cupy.arange(512).reshape(512, 1) % 3 == 0
    given = cupy.fft.fft2(coils * random.random((512, 512), dtype=np.float32), axes=(1, 2)) * lines
    pictures, far = [cupy.zeros((512, 512), cupy.float32) for _ in range(2)], cupy.ones(1, cupy.float32)
    host = [cupyx.zeros_pinned((512, 512), np.float32) for _ in range(2)]
    stream, side = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    made, there = events(), events()
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        slot, measured = i % 2, given
        with stream:
            far.set(np.array([1 + 0.01 * (i % 5)], np.float32), stream=stream)
            for _ in range(5):
                picture = (cupy.fft.ifft2(measured, axes=(1, 2)) * turned).sum(0) * far
                measured = cupy.where(lines, given, cupy.fft.fft2(picture * coils, axes=(1, 2)))
            stream.wait_event(there[slot])
            cupy.abs(picture, out=pictures[slot])
            made[slot].record(stream)
        side.wait_event(made[slot])
        pictures[slot].get(stream=side, out=host[slot], blocking=False)
        there[slot].record(side)
        there[1 - slot].synchronize()
        seen["bright"] = float(host[1 - slot][::64].sum())
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
