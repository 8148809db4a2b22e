"""Device memory in CuPy: allocated without the pool, or shared with the host."""
import contextlib
import ctypes

import cupy
import cupyx
import numpy as np

from cupy_arrays import WHOLE, events_of, graph_in, host_values, mixing, on_device, streams_of
from cupy_framework import synchronize
from loop_runner import Pairs, giving

pairs = Pairs("cupy")


@pairs.pair("allocation device-barrier host-late", further="launch-bound python host-late")
def no_memory_pool(variant):
    """Six temporaries of 8 MiB a step are allocated and freed by the driver. Mended: CuPy's pool gives them. Further: a
    graph that keeps two."""
    x, mix = on_device(host_values(2 << 20)), mixing(4000)
    places, (stream,) = [cupy.empty_like(x) for _ in range(2)], streams_of(1)

    def through_places():
        value = x
        for n in range(6):
            value = mix(value, places[n % 2])
    graph = graph_in(stream, through_places) if variant == "further" else None

    def step(i):
        if graph:
            graph()
            return
        way = cupy.cuda.using_allocator(None) if variant == "bad" else contextlib.nullcontext()
        with way:
            value = x
            for _ in range(6):
                value = mix(value)
    return step


def managed(count):
    """An array in managed memory, and the same as the host sees it."""
    memory = cupy.cuda.malloc_managed(4 * count)
    values = cupy.ndarray((count,), cupy.float32, memptr=memory)
    values.fill(0)
    return values, np.frombuffer((ctypes.c_float * count).from_address(memory.ptr), np.float32)


@pairs.pair("unified-memory", allowed=("stretched",))
def map_of_water_in_managed_memory(variant):
    """Kernels write a map of 16 MiB in each step, two slots, and the host looks at each 1024th value a step later. The
    map is in managed memory, so its pages move. Mended: it is copied to pinned memory in a second stream. 20 to 60 %.
    """
    rain, settle = on_device(host_values(WHOLE)), mixing(7000)
    stream, side = streams_of(2)
    if variant == "bad":
        maps, host = zip(*[managed(WHOLE) for _ in range(2)])
    else:
        maps = [cupy.zeros(WHOLE, cupy.float32) for _ in range(2)]
        host = [cupyx.zeros_pinned(WHOLE, np.float32) for _ in range(2)]
    water, seen = cupy.zeros(WHOLE, cupy.float32), {"water": 0.0}
    made, there = events_of(2), events_of(2)
    synchronize()

    def leave(slot):
        if variant == "bad":
            there[slot].record(stream)
            return
        made[slot].record(stream)
        side.wait_event(made[slot])
        maps[slot].get(stream=side, out=host[slot], blocking=False)
        there[slot].record(side)

    def step(i):
        slot = i % 2
        with stream:
            settle(rain, water)
            for _ in range(3):
                settle(water, water)
            stream.wait_event(there[slot])
            cupy.multiply(water, np.float32(2), out=maps[slot])
            leave(slot)
        there[1 - slot].synchronize()
        seen["water"] = float(host[1 - slot][::1024].sum())
    return giving(step, lambda: seen["water"])
