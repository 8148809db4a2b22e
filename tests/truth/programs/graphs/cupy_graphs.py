"""CUDA graphs in CuPy: many small kernels without one, and a program that uses them well."""
import cupy
import cupyx
import numpy as np

from cupy_arrays import WHOLE, events_of, graph_in, host_values, on_device, pinned_like, streams_of, working
from cupy_framework import synchronize
from loop_runner import Pairs, giving

pairs = Pairs("cupy")


@pairs.pair("launch-bound", allowed=("stretched",))
def options_priced_level_by_level(variant):
    """4096 options are priced by a tree of 400 levels, each a kernel of 5 us, from chances that are copied from pinned
    memory in each step. The levels are launched one by one. Mended: they are a CUDA graph. 30 to 58 %."""
    options, width, levels = 4096, 512, 400
    spot = "float spot = 100.0f * __expf(0.01f * (2 * (int)(i % 512) - level));"
    at_end = cupy.ElementwiseKernel("raw float32 strike, int32 level", "float32 worth",
                                    spot + "worth = max(0.0f, strike[i / 512] - spot);", "at_end")
    before = cupy.ElementwiseKernel(
        "raw float32 later, raw float32 chance, raw float32 strike, int32 level", "float32 worth",
        spot + "float up = chance[i / 512];"
        "float held = 0.9999f * (up * later[i % 512 < 511 ? i + 1 : i] + (1.0f - up) * later[i]);"
        "worth = max(held, strike[i / 512] - spot);", "before")
    source = [pinned_like(0.48 + 0.04 * np.roll(host_values(options), n)) for n in range(4)]
    kept = [cupyx.zeros_pinned(options, np.float32) for _ in range(2)]
    chance, strike = cupy.full(options, 0.5, cupy.float32), cupy.linspace(80, 120, options, dtype=cupy.float32)
    worth = [cupy.zeros((options, width), cupy.float32) for _ in range(2)]
    prices = [cupy.zeros(options, cupy.float32) for _ in range(2)]
    main, = streams_of(1)
    ended, log = events_of(2), {"mean": 0.0}
    synchronize()

    def back_to_today():
        at_end(strike, np.int32(levels), worth[0])
        for n in range(levels):
            before(worth[n % 2], chance, strike, np.int32(levels - 1 - n), worth[1 - n % 2])
    issue = graph_in(main, back_to_today) if variant == "mended" else back_to_today
    synchronize()

    def step(i):
        slot = i % 2
        ended[slot].synchronize()  # of two steps ago
        log["mean"] = float(kept[slot].mean())
        chance.set(source[i % 4], stream=main)
        with main:
            issue()
            cupy.copyto(prices[slot], worth[0][:, 0])
        prices[slot].get(stream=main, out=kept[slot], blocking=False)
        ended[slot].record(main)

    def result():
        main.synchronize()
        return kept[0].sum() + kept[1].sum()
    return giving(step, result)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_bell_rings_in_graphs(variant):
    """The sound of a bell: 20 kernels of 0.2 ms in a graph, one graph for each of two places for the sound. It is 1 MiB
    and is copied in a second stream beside the next graph; the host looks at the sound of two steps ago."""
    metal = [on_device(host_values(WHOLE)), cupy.zeros(WHOLE, cupy.float32)]
    move, air = working(1400), working(20)
    sounds = [cupy.zeros(1 << 18, cupy.float32) for _ in range(2)]
    kept = [cupyx.zeros_pinned(1 << 18, np.float32) for _ in range(2)]
    main, side = streams_of(2)
    made, left, log = events_of(2), events_of(2), {"loudest": 0.0}

    def moved(place):
        for n in range(20):
            move(metal[n % 2], np.float32(1), metal[1 - n % 2])
        air(metal[0][:1 << 18], np.float32(1), sounds[place])
    graphs = [graph_in(main, lambda place=place: moved(place)) for place in range(2)]
    synchronize()

    def step(i):
        place = i % 2
        left[place].synchronize()  # of two steps ago
        log["loudest"] = max(0.99 * log["loudest"], float(kept[place][:4096].max()))
        graphs[place]()
        made[place].record(main)
        side.wait_event(made[place])
        sounds[place].get(stream=side, out=kept[place], blocking=False)
        left[place].record(side)
    return step
