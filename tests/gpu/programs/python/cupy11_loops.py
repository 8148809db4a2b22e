#!/usr/bin/env python3
"""An eleventh set of loops in CuPy; see torch11_loops.py. Written without reading the analysis."""
import sys

import cupy
import cupyx
import numpy as np

import loop_runner
from cupy_loops import clean, host_values, on_device, sync
from loop_runner import giving

pairs = loop_runner.Pairs("cupy11")


def echoes(rounds):
    """What comes back from places at each moment; 4 Mi values and 4000 rounds take about 1.2 ms."""
    return cupy.ElementwiseKernel(
        "float32 sent", "float32 heard",
        f"float value = sent; for (int k = 0; k < {rounds}; ++k) value = value * 0.9998f + 0.0002f * sent + 0.0001f;"
        "heard = value;", f"cupy11_echoes_{rounds}")


class Radar:
    """Pictures of 4 Mi values, two slots, and the host's, in pinned memory."""

    def __init__(self, rounds):
        self.sent, self.hear = on_device(host_values(4 << 20)), echoes(rounds)
        self.heard = [cupy.zeros_like(self.sent) for _ in range(2)]
        self.stream, self.side = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
        self.made, self.left = [[cupy.cuda.Event(disable_timing=True) for _ in range(2)] for _ in range(2)]
        cupy.cuda.runtime.deviceSynchronize()

    def picture(self, slot, pulses):
        with self.stream:
            for n in range(pulses):
                self.hear(self.sent if n == 0 else self.heard[slot], self.heard[slot])

    def result(self):
        cupy.cuda.runtime.deviceSynchronize()
        return float(self.heard[0].mean())


@pairs.pair("same-stream", allowed=("stretched",))
def pictures_leave_in_line(variant):
    """Three pictures of a radar a step, 16 MiB each, leave for pinned memory in the stream of the kernels, or in
    one of their own. 8 to 25 %."""
    radar = Radar(2000)
    host = [cupyx.zeros_pinned(radar.sent.shape, np.float32) for _ in range(2)]

    def step(i):
        for number in range(3 * i, 3 * i + 3):
            slot = number % 2
            if variant == "bad":
                radar.picture(slot, 3)
                radar.heard[slot].get(stream=radar.stream, out=host[slot], blocking=False)
                continue
            radar.stream.wait_event(radar.left[slot])
            radar.picture(slot, 3)
            radar.made[slot].record(radar.stream)
            radar.side.wait_event(radar.made[slot])
            radar.heard[slot].get(stream=radar.side, out=host[slot], blocking=False)
            radar.left[slot].record(radar.side)
    return giving(step, radar.result)


@pairs.pair("allocation device-barrier host-late host-sync", allowed=("host-sync", "same-stream"))
def pinned_memory_made_for_each_picture(variant):
    """Each of two pictures a step, 16 MiB, goes to pinned memory that was made for it, and is given back to the driver
    when the picture was looked at; mended, to two that are kept. 35 to 75 %."""
    radar, seen = Radar(3000), {"bright": 0.0}
    pool = cupy.get_default_pinned_memory_pool()
    host = [cupyx.zeros_pinned(radar.sent.shape, np.float32) for _ in range(2)] if variant == "mended" else [None, None]

    def look(slot):
        radar.left[slot].synchronize()
        if host[slot] is not None:
            seen["bright"] += float(host[slot][::65536].sum())

    def step(i):
        for number in range(2 * i, 2 * i + 2):
            slot = number % 2
            radar.picture(slot, 3)
            if variant == "bad":
                host[slot] = cupyx.empty_pinned(radar.sent.shape, np.float32)
            radar.heard[slot].get(stream=radar.stream, out=host[slot], blocking=False)
            radar.left[slot].record(radar.stream)
            look(1 - slot)
            if variant == "bad":
                host[1 - slot] = None
                pool.free_all_blocks()
    return giving(step, radar.result)


@pairs.healthy(allowed=("stretched",))
def healthy_pictures_compared(variant):
    """Pictures leave in a stream of their own, two slots, and are looked at when the next ones are made."""
    radar, seen = Radar(2500), {"bright": 0.0}
    host = [cupyx.zeros_pinned(radar.sent.shape, np.float32) for _ in range(2)]

    def step(i):
        for number in range(4 * i, 4 * i + 4):
            slot = number % 2
            radar.stream.wait_event(radar.left[slot])
            radar.picture(slot, 2)
            radar.made[slot].record(radar.stream)
            radar.side.wait_event(radar.made[slot])
            radar.heard[slot].get(stream=radar.side, out=host[slot], blocking=False)
            radar.left[slot].record(radar.side)
            radar.left[1 - slot].synchronize()
            seen["bright"] += float(host[1 - slot][::65536].sum())
    return giving(step, radar.result)


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
