#!/usr/bin/env python3
"""Loops in CuPy with one mistake, and with the mistake mended. See loop_runner.py."""
import contextlib
import sys

import cupy
import cupyx
import numpy as np

import loop_runner

pairs = loop_runner.Pairs("cupy")


def mixing(rounds):
    """An elementwise kernel that computes for a while; 8 Mi values and 2000 rounds take about a millisecond."""
    return cupy.ElementwiseKernel(
        "float32 x", "float32 y", f"float v = x; for (int k = 0; k < {rounds}; ++k) v = v * 0.9999f + 0.001f; y = v;",
        f"mix_{rounds}")


def pinned_like(array):
    copy = cupyx.empty_pinned(array.shape, array.dtype)
    copy[...] = array
    return copy


def host_values(count):
    return np.random.default_rng(1).random(count, dtype=np.float32)


def on_device(values):
    array = cupy.asarray(values)
    cupy.cuda.runtime.deviceSynchronize()  # the loops use other streams than this copy
    return array


@pairs.pair("pageable host-late python data-loading")
def asarray_each_step(variant):
    """cupy.asarray of a numpy array of 32 MiB each step; mended, it lies in pinned memory."""
    values, mix = host_values(8 << 20), mixing(5000)
    pinned = pinned_like(values)
    x, y = cupy.empty(values.size, cupy.float32), cupy.empty(values.size, cupy.float32)
    stream = cupy.cuda.Stream(non_blocking=True)

    def step(i):
        with stream:
            if variant == "bad":
                batch = cupy.asarray(values)
            else:
                x.set(pinned, stream=stream)
                batch = x
            for _ in range(3):
                mix(batch, y)
    return step


@pairs.pair("pageable host-sync")
def set_from_pageable(variant):
    """The same array is filled from pageable or from pinned memory, 32 MiB."""
    values, mix = host_values(8 << 20), mixing(5000)
    source = values if variant == "bad" else pinned_like(values)
    x, y = cupy.empty(values.size, cupy.float32), cupy.empty(values.size, cupy.float32)
    stream = cupy.cuda.Stream(non_blocking=True)

    def step(i):
        with stream:
            x.set(source, stream=stream)
            for _ in range(3):
                mix(x, y)
    return step


@pairs.pair("allocation device-barrier host-late")
def no_memory_pool(variant):
    """Temporaries without the pool: each is allocated and freed by the driver."""
    x, mix = on_device(host_values(2 << 20)), mixing(4000)

    def step(i):
        way = cupy.cuda.using_allocator(None) if variant == "bad" else contextlib.nullcontext()
        with way:
            value = x
            for _ in range(6):
                value = mix(value)
    return step


@pairs.pair("readback pageable host-sync")
def get_each_step(variant):
    """16 MiB of results by get() each step; mended, to pinned memory, two slots, and looked at a step later."""
    x, mix = on_device(host_values(4 << 20)), mixing(4000)
    stream = cupy.cuda.Stream(non_blocking=True)
    results = [cupy.empty_like(x) for _ in range(2)]
    host = [cupyx.empty_pinned(x.shape, np.float32) for _ in range(2)]
    done = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
    seen = {"sum": 0.0}

    def mixed(slot):
        mix(x, results[slot])
        for _ in range(3):
            mix(results[slot], results[slot])

    def later(i):
        slot = i % 2
        mixed(slot)
        results[slot].get(stream=stream, out=host[slot], blocking=False)
        done[slot].record(stream)
        if i:
            done[1 - slot].synchronize()
            seen["sum"] += float(host[1 - slot][0])

    def step(i):
        with stream:
            if variant == "mended":
                later(i)
                return
            mixed(i % 2)
            seen["sum"] += float(results[i % 2].get()[0])
    return step


# ---- a third set, to test on what the analysis was not made with

@pairs.pair("readback host-sync")
def third_solver_reads_change(variant):
    """An iterative solver reads every fourth sweep whether it may end; mended, it hears so four sweeps later. 4 to
    9 %."""
    size = 12288
    matrix = cupy.random.default_rng(1).random((size, size), dtype=np.float32)
    goal, x = cupy.ones(size, np.float32), cupy.zeros(size, np.float32)
    nearer = cupy.ElementwiseKernel("float32 product, float32 goal", "float32 x, float32 change",
                                    "change = (goal - product) * 1e-4f; x += change;", "nearer")
    change = cupy.empty_like(x)
    host = [cupyx.zeros_pinned((), np.float32) for _ in range(2)]
    copied = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.runtime.deviceSynchronize()

    def largest(slot):
        value = cupy.abs(change).max()
        if variant == "bad":
            return float(value)
        value.get(stream=stream, out=host[slot], blocking=False)
        copied[slot].record(stream)
        copied[1 - slot].synchronize()
        return float(host[1 - slot])

    def step(i):
        with stream:
            for n in range(24):
                nearer(matrix @ x, goal, x, change)
                if n % 4 == 3 and largest(n // 4 % 2) < 0:  # the tolerance: it goes on
                    break
    return step


@pairs.pair("same-stream", allowed=("stretched",))
def third_tiles_in_one_stream(variant):
    """Tiles of 8 MiB go to the device, are worked on and come back, in one stream or in three. 35 to 55 %."""
    values, mix = host_values(2 << 20), mixing(6000)
    tiles = []
    for _ in range(1 if variant == "bad" else 3):
        tiles.append((cupy.cuda.Stream(non_blocking=True), pinned_like(values), pinned_like(values),
                      on_device(values), on_device(values)))

    def step(i):
        for n in range(i * 6, i * 6 + 6):
            stream, source, result, x, y = tiles[n % len(tiles)]
            with stream:
                x.set(source, stream=stream)
                mix(x, y)
                y.get(stream=stream, out=result, blocking=False)
    return step


# ---- a fourth set, for the same

@pairs.pair("launch-bound python host-late")
def fourth_filters_in_small_operations(variant):
    """Before two long kernels 65536 filters follow their goals, 240 times: six operations on arrays each, or a kernel.
    25 to 55 %."""
    x, mix = on_device(host_values(8 << 20)), mixing(5000)
    y = cupy.empty_like(x)
    goal = on_device(host_values(65536))
    level, slope = cupy.zeros_like(goal), cupy.zeros_like(goal)
    follow = cupy.ElementwiseKernel("float32 goal", "float32 level, float32 slope",
                                    "slope = slope * 0.99f + (goal - level) * 0.01f; level += slope * 0.1f;", "follow")
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.runtime.deviceSynchronize()

    def one_by_one():
        cupy.multiply(slope, 0.99, out=slope)
        cupy.add(slope, (goal - level) * 0.01, out=slope)
        cupy.add(level, slope * 0.1, out=level)

    def step(i):
        with stream:
            for _ in range(240):
                one_by_one() if variant == "bad" else follow(goal, level, slope)
            for _ in range(2):
                mix(x, y)
    return step


@pairs.pair("host-sync")
def fourth_waits_for_bands(variant):
    """The 16 bands of a picture, a kernel each. The host waits for each one, to count it; mended, it counts it when it
    launched it. 4 to 9 %."""
    x, mix = on_device(host_values(8 << 20)), mixing(14000)
    y = cupy.empty_like(x)
    bands = list(zip(cupy.split(x, 16), cupy.split(y, 16)))
    stream = cupy.cuda.Stream(non_blocking=True)
    counted = {"bands": 0}

    def step(i):
        with stream:
            for source, result in bands:
                mix(source, result)
                if variant == "bad":
                    stream.synchronize()
                counted["bands"] += 1
    return step


# ---- a fifth set, for the same

@pairs.pair("allocation device-barrier host-sync host-late")
def fifth_frees_pool_each_step(variant):
    """After each step the pool gives the memory of four temporaries of 16 MiB back to the driver. 5 to 20 %."""
    x, mix = on_device(host_values(4 << 20)), mixing(6000)
    stream = cupy.cuda.Stream(non_blocking=True)

    def work():
        value = x
        for _ in range(4):
            value = mix(value)

    def step(i):
        with stream:
            work()  # its temporaries are free when it returns
        if variant == "bad":
            cupy.get_default_memory_pool().free_all_blocks()
    return step


@pairs.pair("null-stream", allowed=("stretched",))
def fifth_scaled_without_stream(variant):
    """Two lanes of small grids, each in a blocking stream. Their results are scaled outside of the `with`, and so in
    the NULL stream; mended, inside. 35 to 50 %."""
    mix = mixing(150_000)
    lanes = [(cupy.cuda.Stream(), on_device(host_values(8192)), cupy.empty(8192, cupy.float32)) for _ in range(2)]

    def step(i):
        for n in range(10):
            stream, x, y = lanes[n % 2]
            with stream:
                mix(x, y)
            with stream if variant == "mended" else cupy.cuda.Stream.null:
                cupy.multiply(y, 0.5, out=x)
    return step


@pairs.pair("readback host-sync pageable", allowed=("readback", "host-sync"))
def fifth_peaks_one_by_one(variant):
    """After each of three transforms the host asks six channels for their peaks, one by one; mended, at once. 4 to
    10 %."""
    x, mix = on_device(host_values(4 << 20)), mixing(12000)
    y = cupy.empty_like(x)
    channels = y[:6 * 4096].reshape(6, 4096)
    stream = cupy.cuda.Stream(non_blocking=True)
    found = {"peaks": []}
    cupy.cuda.runtime.deviceSynchronize()

    def peaks():
        if variant == "bad":
            return [int(channel.argmax()) for channel in channels]
        return channels.argmax(axis=1).tolist()

    def step(i):
        with stream:
            for _ in range(3):
                mix(x, y)
                found["peaks"] = peaks()
    return step


@pairs.pair("readback host-sync pageable", allowed=("launch-bound",))
def sixth_particles_chosen_again(variant):
    """A particle filter, six measurements a step. Whether it chooses its particles again follows from their weights:
    the host reads it each time, or the kernel that chooses does. 3 to 8 %."""
    count, move = 4 << 20, mixing(4000)
    weigh = cupy.ElementwiseKernel("float32 x", "float32 w", "w = 1.0f + 0.9f * sinf(0.37f * i + x)", "sixth_weigh")
    squares = cupy.ReductionKernel("float32 w", "float32 s", "w * w", "a + b", "s = a", "0", "sixth_squares")
    choose = cupy.ElementwiseKernel(
        "float32 x, raw float32 place, raw float32 sums, float32 effective, int32 count", "float32 chosen",
        """float wanted = (i + 0.5f) / count * sums[count - 1];
        int low = 0, high = count - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (sums[middle] < wanted) low = middle + 1; else high = middle;
        }
        chosen = effective < 0.9f * count ? place[low] : x;""", "sixth_choose")
    place, moved = on_device(host_values(count)), cupy.empty(count, cupy.float32)
    weights, sums = cupy.empty_like(moved), cupy.empty_like(moved)
    stream = cupy.cuda.Stream(non_blocking=True)

    def measure():
        move(place, moved)
        weigh(moved, weights)
        cupy.cumsum(weights, out=sums)
        effective = sums[-1] * sums[-1] / squares(weights)
        if variant == "mended" or float(effective) < 0.9 * count:
            choose(moved, moved, sums, effective, count, place)

    def step(i):
        with stream:
            for _ in range(6):
                measure()
    return step


@pairs.healthy(allowed=("stretched",))
def sixth_healthy_waves(variant):
    """Four parts of a computation, and 16 MiB of results that leave in a side stream, two slots; they are looked at a
    step later."""
    x, mix = on_device(host_values(4 << 20)), mixing(6000)
    stream, side = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
    results = [cupy.empty_like(x) for _ in range(2)]
    host = [cupyx.empty_pinned(x.shape, np.float32) for _ in range(2)]
    made, left = [[cupy.cuda.Event(disable_timing=True) for _ in range(2)] for _ in range(2)]
    seen = {"sum": 0.0}

    def step(i):
        slot = i % 2
        stream.wait_event(left[slot])
        with stream:
            for _ in range(4):
                mix(x, results[slot])
        made[slot].record(stream)
        side.wait_event(made[slot])
        results[slot].get(stream=side, out=host[slot], blocking=False)
        left[slot].record(side)
        left[1 - slot].synchronize()
        seen["sum"] += float(host[1 - slot][0])
    return step


@pairs.healthy()
def healthy_mixing(variant):
    x, mix = on_device(host_values(8 << 20)), mixing(4000)
    y = cupy.empty_like(x)
    stream = cupy.cuda.Stream(non_blocking=True)

    def step(i):
        with stream:
            for _ in range(4):
                mix(x, y)
    return step


def sync():
    cupy.cuda.runtime.deviceSynchronize()


def clean():
    cupy.get_default_memory_pool().free_all_blocks()
    cupy.get_default_pinned_memory_pool().free_all_blocks()


# ---- an eighth set; see torch8_loops.py

@pairs.pair("readback host-sync")
def eighth_length_of_each_sweep(variant):
    """The largest eigenvalue of a matrix by 12 products; the host makes each result as long as the first, or the device
    does. 3 to 12 %."""
    size = 12288
    matrix = cupy.random.default_rng(2).random((size, size), dtype=np.float32)
    state = {"v": cupy.ones(size, np.float32)}
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        with stream:
            v = state["v"]
            for _ in range(12):
                v = matrix @ v
                length = cupy.sqrt(cupy.dot(v, v))
                v = v / (float(length) if variant == "bad" else length)
            state["v"] = v
    return step


@pairs.pair("readback pageable host-sync", allowed=("stretched",))
def eighth_fields_kept_on_host(variant):
    """A field of 8 MiB is kept by the host each step: as numpy makes it, or in pinned memory, two slots. 20 to 50 %."""
    x, mix = on_device(host_values(2 << 20)), mixing(20000)
    stream, kept = cupy.cuda.Stream(non_blocking=True), {}
    out, fields = cupy.cuda.Stream(non_blocking=True), [cupy.empty_like(x) for _ in range(2)]
    host = [cupyx.empty_pinned(x.shape, np.float32) for _ in range(2)]
    made, left = ([cupy.cuda.Event(disable_timing=True) for _ in range(2)] for _ in range(2))

    def step(i):
        slot = i % 2
        if variant == "bad":
            with stream:
                mix(x, fields[slot])
                kept[i % 4] = cupy.asnumpy(fields[slot])
            return
        left[slot].synchronize()
        with stream:
            mix(x, fields[slot])
            made[slot].record(stream)
        out.wait_event(made[slot])
        fields[slot].get(stream=out, out=host[slot], blocking=False)
        left[slot].record(out)
    return step


@pairs.healthy(allowed=("stretched",))
def eighth_healthy_tiles(variant):
    """Tiles come from pinned memory and go back, each in one of three streams."""
    values, mix = host_values(1 << 20), mixing(9000)
    tiles = [(cupy.cuda.Stream(non_blocking=True), pinned_like(values), pinned_like(values), on_device(values),
              on_device(values)) for _ in range(3)]

    def step(i):
        for n in range(i * 6, i * 6 + 6):
            stream, source, result, x, y = tiles[n % 3]
            with stream:
                x.set(source, stream=stream)
                mix(x, y)
                y.get(stream=stream, out=result, blocking=False)
    return step


# ---- one mistake in many spellings: the host looks at a result each step. See spelled_loops.py

def spelled(ask):
    """Decorated: ask(y) looks at a result of the step."""
    def asked(variant):
        x, mix = on_device(host_values(8 << 20)), mixing(5000)
        y, work = cupy.empty_like(x), [float(n) for n in range(40_000)]

        def step(i):
            for _ in range(2):
                mix(x, y)
            if variant == "bad" or i % 50 == 0:
                ask(y)
            sum(v * v for v in work)
        return step
    asked.__name__ = f"spelled_{ask.__name__}"
    return pairs.pair("readback", recorded=("bad",))(asked)


@spelled
def float_of_sum(y):
    return float(y[:4096].sum())


@spelled
def asnumpy_of_few(y):
    return cupy.asnumpy(y[:1000])


@spelled
def got_item(y):
    return y[:4096].max().item()


@spelled
def truth_of_any(y):
    return bool(cupy.any(y[:4096] > 2))


@spelled
def boolean_index(y):
    return y[:4096][y[:4096] > 0.5]


@spelled
def nonzero(y):
    return cupy.nonzero(y[:4096] > 0.5)


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
