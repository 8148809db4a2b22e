#!/usr/bin/env python3
"""A tenth set of loops in CuPy; see torch10_loops.py. Written without reading the analysis."""
import sys

import cupy
import cupyx
import numpy as np

import loop_runner
from cupy_loops import clean, host_values, on_device, sync

pairs = loop_runner.Pairs("cupy10")


@pairs.pair("pageable readback host-sync", allowed=("stretched",))
def species_to_numpy(variant):
    """Two species in each of 4 Mi places, eight steps in time; then the host is told which one there is more of in
    every second place, 2 MiB: as numpy gets it, or in pinned memory by a side stream, two slots, looked at a step
    later. 4 to 12 %."""
    react = cupy.ElementwiseKernel(
        "float32 one, float32 other", "float32 after",
        """float value = one;
        for (int k = 0; k < 2400; ++k) value += 0.0001f * (other - value * value);
        after = value;""", "cupy10_react")
    count = 4 << 20
    species = [on_device(host_values(count)) for _ in range(2)]
    more = [cupy.empty(count // 2, cupy.bool_) for _ in range(2)]
    host = [cupyx.empty_pinned((count // 2,), np.bool_) for _ in range(2)]
    stream, side = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
    made, left = [[cupy.cuda.Event(disable_timing=True) for _ in range(2)] for _ in range(2)]
    seen = {"places": 0}

    def beside(slot):
        made[slot].record(stream)
        side.wait_event(made[slot])
        more[slot].get(stream=side, out=host[slot], blocking=False)
        left[slot].record(side)
        left[1 - slot].synchronize()
        return host[1 - slot]

    def step(i):
        slot = i % 2
        stream.wait_event(left[slot])
        with stream:
            for n in range(8):
                react(species[n % 2], species[1 - n % 2], species[n % 2])
            cupy.greater(species[0][::2], species[1][::2], out=more[slot])
            found = more[slot].get() if variant == "bad" else beside(slot)
        seen["places"] += int(found[0])
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
