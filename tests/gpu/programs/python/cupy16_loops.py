#!/usr/bin/env python3
"""A sixteenth set of loops in CuPy; see torch16_loops.py. Written without reading the analysis."""
import sys

import cupy
import cupyx
import numpy as np

import loop_runner
from cupy_loops import clean, host_values, on_device, sync
from loop_runner import giving

pairs = loop_runner.Pairs("cupy16")
WHOLE = 4 << 20   # places of a picture, 16 MiB


def developed(rounds):
    """What each place shows after a while of a brightness; 4 Mi places and 7000 rounds take about a millisecond."""
    return cupy.ElementwiseKernel(
        "float32 light, float32 strength", "float32 shown",
        f"float value = light; for (int k = 0; k < {rounds}; ++k) value = value * 0.9998f + 0.0002f * strength * light;"
        "shown = value;", f"cupy16_developed_{rounds}")


class Microscope:
    """A picture of a living cell, 32 MiB, and how sharp each of 1024 parts of it is. Both leave for pinned memory, in a
    stream for what leaves, the picture in two slots. How strong the next light is follows from the sharpness: the host
    needs it at once. The picture is only kept."""

    def __init__(self):
        self.cell, self.develop, self.count = on_device(host_values(2 * WHOLE)), developed(5500), 2 * WHOLE
        self.strength, self.number = np.float32(1), 0
        self.pictures = [cupy.zeros(self.count, cupy.float32) for _ in range(2)]
        self.kept = [cupyx.zeros_pinned(self.count, np.float32) for _ in range(2)]
        self.sharp, self.known = cupy.zeros(1024, cupy.float32), cupyx.zeros_pinned(1024, np.float32)
        self.main, self.side = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
        self.taken, self.told = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
        self.there = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
        cupy.cuda.runtime.deviceSynchronize()

    def take(self):
        slot = self.number % 2
        with self.main:
            self.main.wait_event(self.there[slot])
            self.develop(self.cell, self.strength, self.pictures[slot])
            self.pictures[slot].reshape(1024, -1).mean(axis=1, out=self.sharp)
            self.taken.record(self.main)
        self.side.wait_event(self.taken)
        self.number += 1
        return slot

    def keep(self, slot):
        self.pictures[slot].get(stream=self.side, out=self.kept[slot], blocking=False)
        self.there[slot].record(self.side)

    def tell(self):
        self.sharp.get(stream=self.side, out=self.known, blocking=False)
        self.told.record(self.side)

    def choose(self):
        self.told.synchronize()
        self.strength = np.float32(0.9 + 0.1 * float(self.known.mean()))


@pairs.pair("head-of-line same-stream", allowed=("readback", "host-sync", "stretched"))
def sharpness_behind_picture(variant):
    """A microscope takes three pictures a step, 1.6 ms each, of 32 MiB: 0.65 ms to the host. The 4 KiB that say how
    strong the next light has to be are copied behind the picture, in the stream for what leaves; mended, before it.
    20 to 32 %."""
    microscope = Microscope()

    def step(i):
        for _ in range(3):
            slot = microscope.take()
            if variant == "bad":
                microscope.keep(slot)
                microscope.tell()
            else:
                microscope.tell()
                microscope.keep(slot)
            microscope.choose()
    return giving(step, lambda: 1 + microscope.strength)


@pairs.pair("event-order", allowed=("stretched",))
def heat_leaves_after_statistics(variant):
    """How warm a volcano is, 16 MiB, four times a step: it is found, 0.6 ms, and leaves for pinned memory in
    a stream of its own, 0.33 ms. How it is spread is found beside that, 0.5 ms. The event that the copy waits for is
    recorded behind the spread, though only the heat is copied; mended, before it. Both end before the next heat goes
    to the same place. 15 to 27 %."""
    seen_by_camera, heat_of, spread_of = on_device(host_values(WHOLE)), developed(4200), developed(3500)
    heat, spread = cupy.zeros(WHOLE, cupy.float32), cupy.zeros(WHOLE, cupy.float32)
    sums, kept = cupy.zeros(4, cupy.float32), cupyx.zeros_pinned((2, 4, WHOLE), np.float32)
    stream, side = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    found, left = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
    ended, seen = [cupy.cuda.Event(disable_timing=True) for _ in range(2)], {"warmest": 0.0}
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        with stream:
            for n in range(4):
                stream.wait_event(left)
                heat_of(seen_by_camera, np.float32(1 + 0.01 * n), heat)
                if variant == "mended":
                    found.record(stream)
                spread_of(heat, np.float32(1), spread)
                if variant == "bad":
                    found.record(stream)
                side.wait_event(found)
                heat.get(stream=side, out=kept[i % 2, n], blocking=False)
                left.record(side)
                spread.max(out=sums[n:n + 1].reshape(()))
        ended[i % 2].record(side)
        ended[1 - i % 2].synchronize()
        seen["warmest"] = float(kept[1 - i % 2, 0, :1024].max())
    return giving(step, lambda: float(sums.get(stream=stream).sum()))


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
