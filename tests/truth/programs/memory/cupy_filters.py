"""A pool of CuPy that is emptied by a helper."""
import cupy
import numpy as np

from cupy_arrays import WHOLE, host_values, on_device, streams_of, working
from cupy_framework import synchronize
from loop_runner import Pairs, giving

pairs = Pairs("cupy")


@pairs.pair("allocation device-barrier")
def reads_filtered_with_pool_emptied(variant):
    """Four groups of reads a step are filtered three times, each time into a new array of 16 MiB, 0.25 ms. The helper
    that does that empties the pool when it is done, so the next group allocates from the driver. Mended: it does not.
    15 to 60 %."""
    reads, through = on_device(host_values(WHOLE)), working(1750)
    stream, = streams_of(1)
    kept = cupy.zeros_like(reads)
    synchronize()

    def filtered(strength):
        value = reads
        for n in range(3):
            value = through(value, np.float32(strength + 0.1 * n))
        cupy.add(kept * np.float32(0.5), value, out=kept)
        del value
        if variant == "bad":
            cupy.get_default_memory_pool().free_all_blocks()

    def step(i):
        with stream:
            for n in range(4):
                filtered(1 + 0.01 * n)
    return giving(step, lambda: kept.mean())
