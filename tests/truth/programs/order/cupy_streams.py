"""Streams and events in CuPy: too few, the wrong one, too late, of the wrong priority."""
import concurrent.futures
import ctypes

import cupy
import cupyx
import numpy as np

from cupy_arrays import WHOLE, events_of, host_values, mixing, on_device, pinned_like, streams_of, working
from cupy_framework import synchronize
from loop_runner import Pairs, giving

pairs = Pairs("cupy")


class Receiver:
    """Samples that one antenna heard, in a stream that waits for the NULL stream."""

    def __init__(self):
        self.heard = on_device(host_values(1 << 14))
        self.tuned, self.level = cupy.zeros_like(self.heard), cupy.zeros((), cupy.float32)
        self.stream = cupy.cuda.Stream()


@pairs.pair("null-stream", allowed=("stretched",))
def levels_measured_by_thread(variant):
    """Two receivers, each with small grids in a stream of its own, four rounds a step. A thread measures each round.
    `with stream` holds for one thread only, so the measuring goes to the NULL stream, for which both others wait.
    Mended: the thread enters the stream too. 35 to 50 %."""
    receivers, tune = [Receiver() for _ in range(2)], mixing(240000)
    thread = concurrent.futures.ThreadPoolExecutor(1)
    synchronize()

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


@pairs.pair("event-order", allowed=("stretched",))
def heat_copied_after_statistics(variant):
    """A map of heat, 16 MiB, is computed four times a step, 0.6 ms, and copied to pinned memory in a second stream,
    0.33 ms. Statistics of it take 0.5 ms. The event that the copy waits for is recorded after the statistics, which it
    does not need. Mended: before them. 15 to 27 %."""
    seen_by_camera, heat_of, spread_of = on_device(host_values(WHOLE)), working(4200), working(3500)
    heat, spread = cupy.zeros(WHOLE, cupy.float32), cupy.zeros(WHOLE, cupy.float32)
    sums, kept = cupy.zeros(4, cupy.float32), cupyx.zeros_pinned((2, 4, WHOLE), np.float32)
    stream, side = streams_of(2)
    found, left = events_of(2)
    ended, seen = events_of(2), {"warmest": 0.0}
    synchronize()

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


@pairs.pair("too-few-streams", allowed=("stretched",))
def film_cleaned_in_two_streams(variant):
    """Eight pictures of a film a step. Each is copied from pinned memory, 16 MiB or 0.35 ms, cleaned, 0.43 ms, and
    copied back, in a stream that has its own place for it. There are two such streams. Mended: four. 15 to 30 %."""
    count = 2 if variant == "bad" else 4
    film = [pinned_like(np.roll(host_values(WHOLE), n)) for n in range(4)]
    cleaned = cupyx.zeros_pinned((2, 8, WHOLE), np.float32)
    repair, streams = working(3000), streams_of(count)
    dirty, tidy = [[cupy.zeros(WHOLE, cupy.float32) for _ in range(count)] for _ in range(2)]
    ended, log = [events_of(count) for _ in range(2)], {"light": 0.0}
    synchronize()

    def step(i):
        half = i % 2
        for event in ended[half]:  # of two steps ago
            event.synchronize()
        log["light"] = float(cleaned[half, :, :256].mean())
        for n in range(8):
            stream = streams[n % count]
            dirty[n % count].set(film[n % 4], stream=stream)
            with stream:
                repair(dirty[n % count], np.float32(1 + 0.01 * n), tidy[n % count])
            tidy[n % count].get(stream=stream, out=cleaned[half, n], blocking=False)
        for stream, event in zip(streams, ended[half]):
            event.record(stream)

    def result():
        for stream in streams:
            stream.synchronize()
        return cleaned[:, :, :4096].sum()
    return giving(step, result)


def ranked_stream(priority):
    """Lower numbers go first."""
    try:
        return cupy.cuda.Stream(non_blocking=True, priority=priority)
    except TypeError:  # before CuPy 14
        made = ctypes.c_void_p()
        assert ctypes.CDLL("libcuda.so.1").cuStreamCreateWithPriority(ctypes.byref(made), 1, priority) == 0
        return cupy.cuda.ExternalStream(made.value)


@pairs.pair("priority", allowed=("stretched",))
def surface_of_sea_gives_way(variant):
    """An ocean: six large kernels for the deep water, 0.5 ms each and bound by memory, and beside them a chain of 40
    small ones for the surface, 50 us each. Then both exchange values. The deep water has the higher priority, so the
    longer chain only goes on at the ends of its kernels. Mended: the surface has it. 20 to 38 %."""
    deep_first = variant == "bad"
    deep, surface = ranked_stream(-1 if deep_first else 0), ranked_stream(0 if deep_first else -1)
    water = [cupy.ones(256 << 20, cupy.float32) for _ in range(2)]
    level, small = cupy.ones(8192, cupy.float32), working(22000)
    pushed = [cupy.ones(1, cupy.float32) for _ in range(2)]
    pulled = [cupy.ones(8192, cupy.float32) for _ in range(2)]
    flow = cupy.ElementwiseKernel("float32 before, raw float32 push", "float32 after",
                                  "after = before * 0.999f + 0.001f * push[0];", "flow")
    mix = cupy.ElementwiseKernel("float32 own, float32 other", "float32 both", "both = 0.9f * own + 0.1f * other;",
                                 "mix")
    deep_told, surface_told, ended = events_of(2), events_of(2), events_of(2)
    synchronize()

    def step(i):
        now, then = i % 2, 1 - i % 2
        ended[now].synchronize()  # of two steps ago
        deep.wait_event(surface_told[now])
        surface.wait_event(deep_told[now])
        with deep:
            for n in range(6):
                flow(water[n % 2], pushed[now], water[1 - n % 2])
            cupy.copyto(pulled[then], water[0][:8192])
            deep_told[then].record(deep)
        with surface:
            mix(level, pulled[now], level)
            for _ in range(40):
                small(level, np.float32(0.999), level)
            cupy.copyto(pushed[then], level[:1])
            surface_told[then].record(surface)
        surface.wait_event(deep_told[then])
        ended[now].record(surface)
    return giving(step, lambda: float(level.get(stream=surface).mean()) + float(water[0][:1].get(stream=deep)[0]))


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_tiles_in_three_streams(variant):
    """Tiles of 4 MiB are copied from pinned memory, worked on and copied back, each in one of three streams."""
    values, mix = host_values(1 << 20), mixing(9000)
    tiles = [(stream, pinned_like(values), pinned_like(values), on_device(values), on_device(values))
             for stream in streams_of(3)]

    def step(i):
        for n in range(i * 6, i * 6 + 6):
            stream, source, result, x, y = tiles[n % 3]
            with stream:
                x.set(source, stream=stream)
                mix(x, y)
                y.get(stream=stream, out=result, blocking=False)
    return step
