"""CuPy programs that wait for the host: it reads a number, or a function of it stands between kernels."""
import collections
import time

import cupy
import numpy as np

from cupy_arrays import WHOLE, events_of, graph_in, host_values, mixing, on_device, streams_of
from cupy_framework import synchronize
from loop_runner import Pairs, giving

pairs = Pairs("cupy")


@pairs.pair("readback host-sync pageable", allowed=("launch-bound",), further="launch-bound python host-late",
            other="launch-bound python host-late")
def particles_chosen_again(variant):
    """A particle filter, six measurements a step. The host reads a number after each one, to decide whether the
    particles are chosen again. Mended: the kernel that chooses them decides. 3 to 8 %. Further: a step is a graph.
    Other: all before the decision is."""
    move = mixing(4000)
    weigh = cupy.ElementwiseKernel("float32 x", "float32 w", "w = 1.0f + 0.9f * sinf(0.37f * i + x)", "weigh")
    squares = cupy.ReductionKernel("float32 w", "float32 s", "w * w", "a + b", "s = a", "0", "squares")
    choose = cupy.ElementwiseKernel(
        "float32 x, raw float32 place, raw float32 sums, float32 effective, int32 count", "float32 chosen",
        """float wanted = (i + 0.5f) / count * sums[count - 1];
        int low = 0, high = count - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (sums[middle] < wanted) low = middle + 1; else high = middle;
        }
        chosen = effective < 0.9f * count ? place[low] : x;""", "choose")
    place, moved = on_device(host_values(WHOLE)), cupy.empty(WHOLE, cupy.float32)
    weights, sums = cupy.empty_like(moved), cupy.empty_like(moved)
    stream, = streams_of(1)

    known = cupy.zeros((), cupy.float32)
    synchronize()

    def weighed():
        move(place, moved)
        weigh(moved, weights)
        cupy.cumsum(weights, out=sums)
        return sums[-1] * sums[-1] / squares(weights)
    before = graph_in(stream, lambda: cupy.copyto(known, weighed())) if variant == "other" else None

    def measure():
        if before:
            before()
        effective = known if before else weighed()
        if variant in ("mended", "further") or float(effective) < 0.9 * WHOLE:
            choose(moved, moved, sums, effective, WHOLE, place)

    def six():
        for _ in range(6):
            measure()
    graph = graph_in(stream, six) if variant == "further" else None

    def step(i):
        if graph:
            graph()
            return
        with stream:
            six()
    return step


def ways_of_prices():
    """What an option brings on each of many ways of a price, 252 days; 4 Mi ways take about 0.7 ms."""
    return cupy.ElementwiseKernel(
        "uint32 seed, float32 strike", "float32 gain",
        "unsigned int s = seed; float price = 1.0f;"
        "for (int day = 0; day < 252; ++day) {"
        "  s ^= s << 13; s ^= s >> 17; s ^= s << 5;"
        "  price += price * (0.0001f + 0.04f * (__uint_as_float((s >> 9) | 0x3f800000u) - 1.5f));"
        "}"
        "gain = fmaxf(price - strike, 0.0f);", "ways_of_prices")


@pairs.pair("callback", allowed=("stretched",))
def progress_noted_between_parts(variant):
    """An option is priced for eight strikes a step. After each one a host function in the stream notes the time, and
    the next one waits for it. Mended: the function is called in a stream of its own. 3 to 14 %."""
    seeds, price = on_device(np.arange(1, WHOLE + 1, dtype=np.uint32) * np.uint32(747)), ways_of_prices()
    gains, worth = cupy.zeros(seeds.size, cupy.float32), cupy.zeros(8, cupy.float32)
    noted = collections.deque(maxlen=64)
    stream, side = streams_of(2)
    priced, = events_of(1)
    ended = events_of(2)
    synchronize()

    def note(strike):
        noted.append(f"{strike} at {time.perf_counter():.6f}")

    def step(i):
        with stream:
            for n in range(8):
                price(seeds, np.float32(0.8 + 0.05 * n), gains)
                worth[n] = gains.mean()
                if variant == "bad":
                    stream.launch_host_func(note, n)
                else:
                    priced.record(stream)
                    side.wait_event(priced)
                    side.launch_host_func(note, n)
            ended[i % 2].record(stream)
        ended[1 - i % 2].synchronize()
    return giving(step, lambda: float(worth.get(stream=stream).sum()))
