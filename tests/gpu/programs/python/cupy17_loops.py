#!/usr/bin/env python3
"""A seventeenth set of loops in CuPy; see torch16_loops.py. Written without reading the analysis."""
import ctypes
import sys

import cupy
import cupyx
import numpy as np

import loop_runner
from cupy_loops import clean, host_values, on_device, pinned_like, sync
from loop_runner import giving

pairs = loop_runner.Pairs("cupy17")
WHOLE = 4 << 20   # places, 16 MiB


def worked(rounds):
    """A value that goes toward another for a while; 4 Mi values and 7000 rounds take about a millisecond."""
    return cupy.ElementwiseKernel(
        "float32 given, float32 strength", "float32 made",
        f"float value = given, to = 0.0002f * strength * given;"
        f"for (int k = 0; k < {rounds}; ++k) value = value * 0.9998f + to; made = value;", f"cupy17_worked_{rounds}")


def streams_of(count):
    return [cupy.cuda.Stream(non_blocking=True) for _ in range(count)]


def events_of(count):
    return [cupy.cuda.Event(disable_timing=True) for _ in range(count)]


@pairs.pair("small-copies launch-bound", "small-copies", allowed=("stretched",))
def pulses_leave_one_by_one(variant):
    """A telescope looks for pulsars, 2.6 ms a step. The 480 pulses it found lie in a row, 16 KiB each, and leave for
    pinned memory in a stream of their own, in two slots. Each one is copied by a call; mended, all by one. 15 to 50 %.
    """
    length, pulses, sky, search = 4096, 480, on_device(host_values(WHOLE)), worked(6000)
    found = [cupy.zeros((pulses, length), cupy.float32) for _ in range(2)]
    kept = [cupyx.zeros_pinned((pulses, length), np.float32) for _ in range(2)]
    parts = [[(found[s][n], kept[s][n]) for n in range(pulses)] for s in range(2)]
    clean_sky = [cupy.zeros(WHOLE, cupy.float32) for _ in range(2)]
    stream, side = streams_of(2)
    ready, left, log = events_of(2), events_of(2), {"strongest": 0.0}
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        slot = i % 2
        left[slot].synchronize()  # of two steps ago
        log["strongest"] = float(kept[slot][:, 0].max())
        with stream:
            for n in range(3):
                search(sky, np.float32(1 + 0.01 * n), clean_sky[n % 2])
            cupy.copyto(found[slot].reshape(-1), clean_sky[0][:pulses * length])
        ready[slot].record(stream)
        side.wait_event(ready[slot])
        if variant == "bad":
            for here, there in parts[slot]:
                here.get(stream=side, out=there, blocking=False)
        else:
            found[slot].get(stream=side, out=kept[slot], blocking=False)
        left[slot].record(side)

    def result():
        side.synchronize()
        return kept[0].sum() + kept[1].sum()
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
    """An ocean: six large steps of what is deep, 0.5 ms each and bound by memory, and beside them a chain of 40 small
    ones of its surface, 50 us each on a few multiprocessors. Then both tell each other. What is deep has the stream of
    higher priority, so the longer chain only goes on at the ends of its kernels; mended, the surface has. 20 to 38 %.
    """
    deep_first = variant == "bad"
    deep, surface = ranked_stream(-1 if deep_first else 0), ranked_stream(0 if deep_first else -1)
    water = [cupy.ones(256 << 20, cupy.float32) for _ in range(2)]
    level, small = cupy.ones(8192, cupy.float32), worked(22000)
    pushed = [cupy.ones(1, cupy.float32) for _ in range(2)]
    pulled = [cupy.ones(8192, cupy.float32) for _ in range(2)]
    flow = cupy.ElementwiseKernel("float32 before, raw float32 push", "float32 after",
                                  "after = before * 0.999f + 0.001f * push[0];", "cupy17_flow")
    mix = cupy.ElementwiseKernel("float32 own, float32 other", "float32 both", "both = 0.9f * own + 0.1f * other;",
                                 "cupy17_mix")
    deep_told, surface_told, ended = events_of(2), events_of(2), events_of(2)
    cupy.cuda.runtime.deviceSynchronize()

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


@pairs.pair("device-barrier host-sync")
def plan_waits_for_all_of_rock(variant):
    """A search for oil: eight kernels carry the waves of a shot through the rock, 4 ms, and in a second stream a small
    one finds when they arrive. The host plans the next shot by those 16 KiB, 0.3 ms. It waits until the device is
    idle; mended, for the second stream. 5 to 10 %."""
    rock, heard = on_device(host_values(WHOLE)), on_device(host_values(4096))
    carry, pick = worked(3500), worked(15000)
    waves = [cupy.zeros(WHOLE, cupy.float32) for _ in range(2)]
    arrived, known = cupy.zeros(4096, cupy.float32), cupyx.zeros_pinned((16, 256), np.float32)
    main, side = streams_of(2)
    done, state = events_of(2), {"place": np.float32(1)}
    cupy.cuda.runtime.deviceSynchronize()

    def plan():
        middles = [float(np.median(station)) for station in known]
        return np.float32(0.9 + 0.1 * sum(middles) / len(middles))

    def step(i):
        done[i % 2].synchronize()  # no more than two shots are on their way
        with main:
            for n in range(8):
                carry(rock, state["place"], waves[n % 2])
        done[i % 2].record(main)
        with side:
            pick(heard, state["place"], arrived)
        arrived.get(stream=side, out=known.reshape(-1), blocking=False)
        if variant == "bad":
            cupy.cuda.Device().synchronize()
        else:
            side.synchronize()
        state["place"] = plan()

    return giving(step, lambda: float(waves[1].get(stream=main).mean()) + float(state["place"]))


@pairs.pair("event-order", allowed=("stretched",))
def scenarios_wait_for_newest_use(variant):
    """A bank values its book under scenarios that come from pinned memory, 16 MiB a step: 0.33 ms, the values 4 ms.
    They come in a stream of their own into a ring of three. That stream waits until the newest ones are used; mended,
    until those in the place that they go to are. 5 to 9 %."""
    source = [pinned_like(np.roll(host_values(WHOLE), n)) for n in range(4)]
    ring, value = [cupy.zeros(WHOLE, cupy.float32) for _ in range(3)], worked(7000)
    worth, sums = cupy.zeros(WHOLE, cupy.float32), cupy.zeros(2, cupy.float32)
    main, side = streams_of(2)
    came, used, ended = events_of(3), events_of(3), events_of(2)
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        place = i % 3
        ended[i % 2].synchronize()  # of two steps ago
        side.wait_event(used[(i - 1) % 3] if variant == "bad" else used[place])
        ring[place].set(source[i % 4], stream=side)
        came[place].record(side)
        main.wait_event(came[place])
        with main:
            for n in range(4):
                value(ring[place], np.float32(1 + 0.01 * n), worth)
            used[place].record(main)
            worth.max(out=sums[i % 2:i % 2 + 1].reshape(()))
        ended[i % 2].record(main)
    return giving(step, lambda: float(sums.get(stream=main).sum()))


@pairs.pair("too-few-streams", allowed=("stretched",))
def old_film_by_two_streams(variant):
    """An old film is made clean, eight pictures a step. Each comes from pinned memory, 16 MiB or 0.35 ms, is cleaned,
    0.43 ms, and leaves again, in a stream that has its own place for it. There are two such streams; mended, four.
    15 to 30 %."""
    count = 2 if variant == "bad" else 4
    film = [pinned_like(np.roll(host_values(WHOLE), n)) for n in range(4)]
    cleaned = cupyx.zeros_pinned((2, 8, WHOLE), np.float32)
    repair, streams = worked(3000), streams_of(count)
    dirty, tidy = [[cupy.zeros(WHOLE, cupy.float32) for _ in range(count)] for _ in range(2)]
    ended, log = [events_of(count) for _ in range(2)], {"light": 0.0}
    cupy.cuda.runtime.deviceSynchronize()

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


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_bell_rings_in_graphs(variant):
    """The sound of a bell from how its metal moves: 20 kernels of 0.2 ms in a graph, one graph for each of two places
    that its sound goes to. The sound, 1 MiB, leaves in a stream of its own beside the next graph; the host looks at
    the one of two steps ago."""
    metal = [on_device(host_values(WHOLE)), cupy.zeros(WHOLE, cupy.float32)]
    move, air = worked(1400), worked(20)
    sounds = [cupy.zeros(1 << 18, cupy.float32) for _ in range(2)]
    kept = [cupyx.zeros_pinned(1 << 18, np.float32) for _ in range(2)]
    main, side = streams_of(2)
    made, left, log = events_of(2), events_of(2), {"loudest": 0.0}

    def moved(place):
        for n in range(20):
            move(metal[n % 2], np.float32(1), metal[1 - n % 2])
        air(metal[0][:1 << 18], np.float32(1), sounds[place])
    with main:
        moved(0)  # its kernels are loaded before they are captured
        main.synchronize()
        graphs = []
        for place in range(2):
            main.begin_capture()
            moved(place)
            graphs.append(main.end_capture())
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        place = i % 2
        left[place].synchronize()  # of two steps ago
        log["loudest"] = max(0.99 * log["loudest"], float(kept[place][:4096].max()))
        graphs[place].launch(stream=main)
        made[place].record(main)
        side.wait_event(made[place])
        sounds[place].get(stream=side, out=kept[place], blocking=False)
        left[place].record(side)
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
