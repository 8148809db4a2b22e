#!/usr/bin/env python3
"""An eighteenth set of loops in CuPy; see cupy17_loops.py. Written without reading the analysis."""
import sys

import cupy
import cupyx
import numpy as np

import loop_runner
from cupy17_loops import events_of, streams_of, worked
from cupy_loops import clean, host_values, pinned_like, sync
from loop_runner import giving

pairs = loop_runner.Pairs("cupy18")


@pairs.pair("launch-bound", allowed=("stretched",))
def tree_of_puts_level_by_level(variant):
    """A bank prices 4096 American puts by a tree of 400 levels, each a kernel of 5 us, for chances that come from
    pinned memory each step. The levels are launched one by one; mended, they are a CUDA graph. 30 to 58 %."""
    options, width, levels = 4096, 512, 400
    spot = "float spot = 100.0f * __expf(0.01f * (2 * (int)(i % 512) - level));"
    at_end = cupy.ElementwiseKernel("raw float32 strike, int32 level", "float32 worth",
                                    spot + "worth = max(0.0f, strike[i / 512] - spot);", "cupy18_at_end")
    before = cupy.ElementwiseKernel(
        "raw float32 later, raw float32 chance, raw float32 strike, int32 level", "float32 worth",
        spot + "float up = chance[i / 512];"
        "float held = 0.9999f * (up * later[i % 512 < 511 ? i + 1 : i] + (1.0f - up) * later[i]);"
        "worth = max(held, strike[i / 512] - spot);", "cupy18_before")
    source = [pinned_like(0.48 + 0.04 * np.roll(host_values(options), n)) for n in range(4)]
    kept = [cupyx.zeros_pinned(options, np.float32) for _ in range(2)]
    chance, strike = cupy.full(options, 0.5, cupy.float32), cupy.linspace(80, 120, options, dtype=cupy.float32)
    worth = [cupy.zeros((options, width), cupy.float32) for _ in range(2)]
    prices = [cupy.zeros(options, cupy.float32) for _ in range(2)]
    main, = streams_of(1)
    ended, log = events_of(2), {"mean": 0.0}
    cupy.cuda.runtime.deviceSynchronize()

    def back_to_today():
        at_end(strike, np.int32(levels), worth[0])
        for n in range(levels):
            before(worth[n % 2], chance, strike, np.int32(levels - 1 - n), worth[1 - n % 2])
    with main:
        back_to_today()  # its kernels are loaded before they are captured
        main.synchronize()
        if variant == "mended":
            main.begin_capture()
            back_to_today()
            graph = main.end_capture()
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        slot = i % 2
        ended[slot].synchronize()  # of two steps ago
        log["mean"] = float(kept[slot].mean())
        chance.set(source[i % 4], stream=main)
        with main:
            if variant == "bad":
                back_to_today()
            else:
                graph.launch(stream=main)
            cupy.copyto(prices[slot], worth[0][:, 0])
        prices[slot].get(stream=main, out=kept[slot], blocking=False)
        ended[slot].record(main)

    def result():
        main.synchronize()
        return kept[0].sum() + kept[1].sum()
    return giving(step, result)


@pairs.pair("null-stream", allowed=("stretched",))
def hits_counted_from_zero(variant):
    """A particle detector: 64 MiB of hits come from pinned memory in a stream of their own, 1.3 ms, while those before
    them are followed through three layers and counted, 3.2 ms. Both streams are blocking ones, as CuPy makes them. The
    counts are set to zero outside of `with main`, in the NULL stream; mended, inside. 22 to 32 %."""
    places, follow = 16 << 20, worked(1750)
    source = [pinned_like(np.roll(host_values(places), n)) for n in range(3)]
    hits = [cupy.zeros(places, cupy.float32) for _ in range(2)]
    energy, counts = cupy.zeros(places, cupy.float32), cupy.zeros((3, 1024), cupy.int32)
    kept = [cupyx.zeros_pinned((3, 1024), np.int32) for _ in range(2)]
    count = cupy.ElementwiseKernel("float32 energy", "raw int32 counts",
                                   "if (energy > 0.94f) atomicAdd(&counts[i % 1024], 1);", "cupy18_count")
    layers = [counts[n] for n in range(3)]
    main, side = cupy.cuda.Stream(), cupy.cuda.Stream()
    came, used, ended = events_of(2), events_of(2), events_of(2)
    state = {"most": 0}
    hits[0].set(source[0], stream=side)
    came[0].record(side)
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        now, then = i % 2, 1 - i % 2
        ended[now].synchronize()  # of two steps ago
        state["most"] = int(kept[now].max())
        side.wait_event(used[then])
        hits[then].set(source[(i + 1) % 3], stream=side)
        came[then].record(side)
        if variant == "bad":
            counts.fill(0)
        with main:
            if variant == "mended":
                counts.fill(0)
            main.wait_event(came[now])
            for n, layer in enumerate(layers):
                follow(hits[now], np.float32(1 + 0.05 * n), energy)
                count(energy, layer)
        used[now].record(main)
        counts.get(stream=main, out=kept[now], blocking=False)
        ended[now].record(main)

    def result():
        main.synchronize()
        return kept[0].sum() + kept[1].sum()
    return giving(step, result)


@pairs.pair("pageable", allowed=("same-stream", "stretched"))
def calls_of_whales_picked_by_index(variant):
    """Calls of whales in a long recording: each step 1280 windows of it, 5 MiB, are picked by their numbers and
    compared with eight known calls, 8 ms. Picking by an index makes a new numpy array, which is pageable; mended,
    np.take puts them in pinned memory. 4 to 10 %."""
    length, picked, compare = 1024, 1280, worked(22400)
    recording = host_values(32768 * length).reshape(-1, length)
    numbers = np.random.default_rng(18).integers(0, len(recording), (16, picked))
    room = [cupyx.zeros_pinned((picked, length), np.float32) for _ in range(2)]
    windows = cupy.zeros((picked, length), cupy.float32)
    likeness = [cupy.zeros((picked, length), cupy.float32) for _ in range(8)]
    best, kept = cupy.zeros(2, cupy.float32), cupyx.zeros_pinned(2, np.float32)
    best_of = [best[n:n + 1].reshape(()) for n in range(2)]
    main, = streams_of(1)
    ended = events_of(2)
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        slot = i % 2
        ended[slot].synchronize()  # of two steps ago
        if variant == "bad":
            chosen = recording[numbers[i % 16]]
        else:
            chosen = np.take(recording, numbers[i % 16], axis=0, out=room[slot], mode="clip")
        windows.set(chosen, stream=main)
        with main:
            for n in range(8):
                compare(windows, np.float32(0.8 + 0.05 * n), likeness[n])
            likeness[7].max(out=best_of[slot])
        ended[slot].record(main)

    def result():
        best.get(stream=main, out=kept)
        main.synchronize()
        return kept.sum() + float(likeness[3].get(stream=main).mean())
    return giving(step, result)


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
