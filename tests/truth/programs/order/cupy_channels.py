"""Streams of CuPy that one call forgets, and such as bring what is needed ahead."""
import cupy
import cupyx
import numpy as np

from cupy_arrays import WHOLE, events_of, host_values, on_device, pinned_like, streams_of, working
from cupy_framework import synchronize
from loop_runner import Pairs, giving

pairs = Pairs("cupy")


@pairs.pair("null-stream", allowed=("stretched",))
def channels_scaled_outside_with(variant):
    """Four channels of sound, each with small grids in a blocking stream of its own, three rounds a step, 0.5 ms. That
    their strength is changed stands behind the end of `with stream`, so it goes to the NULL stream, and all others wait
    for it. Mended: before that end. 50 to 75 %."""
    tune, strengths = working(215000), [np.float32(1 - 0.1 * n) for n in range(4)]
    streams = [cupy.cuda.Stream() for _ in range(4)]
    channels = [on_device(host_values(4096)) for _ in range(4)]
    synchronize()

    def scaled(channel, strength):
        cupy.multiply(channel, strength, out=channel)

    def step(i):
        for _ in range(3):
            for stream, channel, strength in zip(streams, channels, strengths):
                with stream:
                    tune(channel, np.float32(1.001), channel)
                    if variant == "mended":
                        scaled(channel, strength)
                if variant == "bad":
                    scaled(channel, strength)
    return giving(step, lambda: sum(float(channel.mean()) for channel in channels))


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_slides_come_ahead(variant):
    """Three slides of a microscope a step, 16 MiB each, two slots. A slide comes while the one before is stained, 1 ms,
    and leaves while the next one is. The host waits for the slide before, and adds up a part of it meanwhile."""
    slides = [pinned_like(np.roll(host_values(WHOLE), n)) for n in range(3)]
    raw, stained = [[cupy.zeros(WHOLE, cupy.float32) for _ in range(2)] for _ in range(2)]
    host = [cupyx.zeros_pinned(WHOLE, np.float32) for _ in range(2)]
    up, compute, down = streams_of(3)
    come, used, left = [events_of(2) for _ in range(3)]
    stain, log = working(7000), {"bright": 0.0}
    synchronize()

    def fetch(number):
        slot = number % 2
        up.wait_event(used[slot])
        raw[slot].set(slides[number % 3], stream=up)
        come[slot].record(up)

    def work(number):
        slot = number % 2
        compute.wait_event(come[slot])
        compute.wait_event(left[slot])
        with compute:
            stain(raw[slot], np.float32(1 + 0.01 * (number % 5)), stained[slot])
        used[slot].record(compute)
        down.wait_event(used[slot])
        stained[slot].get(stream=down, out=host[slot], blocking=False)
        left[slot].record(down)

    def step(i):
        for number in range(3 * i, 3 * i + 3):
            if number == 0:
                fetch(0)
            fetch(number + 1)
            work(number)
            if number:
                left[1 - number % 2].synchronize()
                log["bright"] += float(host[1 - number % 2][::64].sum())
    return giving(step, lambda: stained[0].mean())
