#!/usr/bin/env python3
"""A ninth set of loops in CuPy; see torch9_loops.py. Written without reading the analysis."""
import sys

import cupy

import loop_runner
from cupy_loops import clean, host_values, on_device, sync

pairs = loop_runner.Pairs("cupy9")


@pairs.pair("readback host-sync")
def time_step_read_by_host(variant):
    """A flow, eight steps in time. How long each may be follows from the largest speed: a number that the host reads
    and gives to the kernel, or one that the kernel finds on the device. 4 to 12 %."""
    flow = cupy.ElementwiseKernel(
        "float32 own, raw float32 field, float32 dt, int32 count", "float32 after",
        """float value = own;
        for (int k = 0; k < 2000; ++k) value = value * 0.9999f + 0.0001f * dt;
        after = value + 0.1f * dt * (field[i == 0 ? count - 1 : i - 1] - own);""", "cupy9_flow")
    count = 4 << 20
    fields = [on_device(host_values(count)) for _ in range(2)]
    stream = cupy.cuda.Stream(non_blocking=True)

    def step(i):
        with stream:
            for n in range(8):
                own, after = fields[n % 2], fields[1 - n % 2]
                dt = 0.4 / (cupy.abs(own).max() + 1)
                flow(own, own, float(dt) if variant == "bad" else dt, count, after)
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
