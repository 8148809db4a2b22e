#!/usr/bin/env python3
"""A fourteenth set of loops in CuPy; see torch14_loops.py. Written without reading the analysis."""
import collections
import concurrent.futures
import ctypes
import sys
import time

import cupy
import cupyx
import numpy as np

import loop_runner
from cupy_loops import clean, host_values, on_device, sync
from loop_runner import giving

pairs = loop_runner.Pairs("cupy14")


def ways_of_prices():
    """What an option brings on each of many ways of a price, 252 days; 4 Mi ways take about 0.7 ms."""
    return cupy.ElementwiseKernel(
        "uint32 seed, float32 strike", "float32 gain",
        "unsigned int s = seed; float price = 1.0f;"
        "for (int day = 0; day < 252; ++day) {"
        "  s ^= s << 13; s ^= s >> 17; s ^= s << 5;"
        "  price += price * (0.0001f + 0.04f * (__uint_as_float((s >> 9) | 0x3f800000u) - 1.5f));"
        "}"
        "gain = fmaxf(price - strike, 0.0f);", "cupy14_ways_of_prices")


@pairs.pair("callback", allowed=("stretched",))
def progress_noted_between_parts(variant):
    """An option is priced for eight strikes a step. After each one a function of the host notes the time, and the next
    one waits for it; mended, it is called in a stream of its own. 3 to 14 %."""
    seeds, price = on_device(np.arange(1, (4 << 20) + 1, dtype=np.uint32) * np.uint32(747)), ways_of_prices()
    gains, worth = cupy.zeros(seeds.size, cupy.float32), cupy.zeros(8, cupy.float32)
    noted = collections.deque(maxlen=64)
    stream, side = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    priced = cupy.cuda.Event(disable_timing=True)
    ended = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
    cupy.cuda.runtime.deviceSynchronize()

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


def settling(rounds):
    """4 Mi values and 7000 rounds take about a millisecond; so do few values and 430000 rounds."""
    return cupy.ElementwiseKernel(
        "float32 rain", "float32 water",
        f"float value = rain; for (int k = 0; k < {rounds}; ++k) value = value * 0.9999f + 0.0001f * rain;"
        "water = value;", f"cupy14_settling_{rounds}")


class Receiver:
    """Samples that one antenna heard, in a stream that waits for the NULL stream."""

    def __init__(self):
        self.heard = on_device(host_values(1 << 14))
        self.tuned, self.level = cupy.zeros_like(self.heard), cupy.zeros((), cupy.float32)
        self.stream = cupy.cuda.Stream()


@pairs.pair("null-stream", allowed=("stretched",))
def levels_measured_by_thread(variant):
    """Two receivers, each with small grids in a stream of its own, four rounds a step. A thread measures how loud each
    round was. The stream that was entered is not that of the thread, which has the NULL stream; mended, the thread
    enters it too. 35 to 50 %."""
    receivers, tune = [Receiver() for _ in range(2)], settling(240000)
    thread = concurrent.futures.ThreadPoolExecutor(1)
    cupy.cuda.runtime.deviceSynchronize()

    def measure(receiver):
        receiver.level[...] = cupy.square(receiver.tuned).mean()

    def measure_in_stream(receiver):
        with receiver.stream:
            measure(receiver)

    def step(i):
        for _ in range(4):
            for receiver in receivers:
                with receiver.stream:
                    tune(receiver.heard, receiver.tuned)
                    thread.submit(measure if variant == "bad" else measure_in_stream, receiver).result()
    return giving(step, lambda: sum(float(r.level.get(stream=r.stream)) for r in receivers), thread.shutdown)


def managed(count):
    """An array of managed memory, and the same as the host sees it."""
    memory = cupy.cuda.malloc_managed(4 * count)
    values = cupy.ndarray((count,), cupy.float32, memptr=memory)
    values.fill(0)
    return values, np.frombuffer((ctypes.c_float * count).from_address(memory.ptr), np.float32)


@pairs.pair("unified-memory", allowed=("stretched",))
def map_of_water_in_managed(variant):
    """Where water goes, 4 Mi places, two slots of 16 MiB. The host looks at each 1024th place a step later: the map is
    in managed memory; mended, it leaves for pinned memory in a stream of its own. 20 to 60 %."""
    rain, settle, count = on_device(host_values(4 << 20)), settling(7000), 4 << 20
    stream, side = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    if variant == "bad":
        maps, host = zip(*[managed(count) for _ in range(2)])
    else:
        maps = [cupy.zeros(count, cupy.float32) for _ in range(2)]
        host = [cupyx.zeros_pinned(count, np.float32) for _ in range(2)]
    water, seen = cupy.zeros(count, cupy.float32), {"water": 0.0}
    made, there = [[cupy.cuda.Event(disable_timing=True) for _ in range(2)] for _ in range(2)]
    cupy.cuda.runtime.deviceSynchronize()

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


@pairs.healthy(allowed=("stretched",))
def healthy_sections_made_smooth(variant):
    """8192 lines of a scan are made smooth by transforms, ten times. Each eighth point, 16 MiB, leaves for pinned
    memory in a stream of its own, two slots, and is looked at a step later."""
    lines, seen = on_device(host_values(8192 * 4096).reshape(8192, 4096)), {"points": 0.0}
    smooth = (1 / (1 + 10 * cupy.fft.rfftfreq(4096))).astype(cupy.float32)
    points = [cupy.zeros((8192, 512), cupy.float32) for _ in range(2)]
    host = [cupyx.zeros_pinned((8192, 512), np.float32) for _ in range(2)]
    made, there = [[cupy.cuda.Event(disable_timing=True) for _ in range(2)] for _ in range(2)]
    stream, side = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        slot, now = i % 2, lines
        with stream:
            for _ in range(10):
                spectra = cupy.fft.rfft(now, axis=1)
                spectra *= smooth
                now = cupy.fft.irfft(spectra, 4096, axis=1)
            stream.wait_event(there[slot])
            points[slot][...] = now[:, ::8]
            made[slot].record(stream)
        side.wait_event(made[slot])
        points[slot].get(stream=side, out=host[slot], blocking=False)
        there[slot].record(side)
        there[1 - slot].synchronize()
        seen["points"] = float(host[1 - slot][::64].sum())
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
