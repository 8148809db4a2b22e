"""Copies between host and device in CuPy: pageable memory, many small ones, one behind another."""
import cupy
import cupyx
import numpy as np

from cupy_arrays import WHOLE, events_of, host_values, mixing, on_device, pinned_like, streams_of, working
from cupy_framework import synchronize
from loop_runner import Pairs, giving

pairs = Pairs("cupy")


@pairs.pair("pageable host-late python data-loading", further="same-stream too-few-streams")
def asarray_each_step(variant):
    """A numpy array of 32 MiB becomes a new device array by cupy.asarray in each step. Mended: the values lie in pinned
    memory and are copied to a device array that is kept. Further: they come a step ahead in a second stream."""
    values, mix = host_values(8 << 20), mixing(5000)
    pinned = pinned_like(values)
    x, y = cupy.empty(values.size, cupy.float32), cupy.empty(values.size, cupy.float32)
    stream, = streams_of(1)
    places, (side,), there, used = [x, cupy.empty_like(x)], streams_of(1), events_of(2), events_of(2)

    def fetch(i):
        slot = i % 2
        side.wait_event(used[slot])
        places[slot].set(pinned, stream=side)
        there[slot].record(side)

    def ahead(i):
        if i == 0:
            fetch(0)
        fetch(i + 1)
        stream.wait_event(there[i % 2])
        with stream:
            for _ in range(3):
                mix(places[i % 2], y)
        used[i % 2].record(stream)

    def step(i):
        with stream:
            if variant == "bad":
                batch = cupy.asarray(values)
            else:
                x.set(pinned, stream=stream)
                batch = x
            for _ in range(3):
                mix(batch, y)
    return ahead if variant == "further" else step


@pairs.pair("readback pageable host-sync", further="same-stream too-few-streams")
def get_each_step(variant):
    """The host takes 16 MiB of results by get() in each step, into pageable memory, and waits for them. Mended: they go
    to two slots of pinned memory, and the host looks at them a step later. Further: they do so in a second stream."""
    x, mix = on_device(host_values(WHOLE)), mixing(4000)
    stream, = streams_of(1)
    side, = streams_of(1) if variant == "further" else [stream]
    results = [cupy.empty_like(x) for _ in range(2)]
    host = [cupyx.empty_pinned(x.shape, np.float32) for _ in range(2)]
    done, seen, made = events_of(2), {"sum": 0.0}, *events_of(1)

    def mixed(slot):
        mix(x, results[slot])
        for _ in range(3):
            mix(results[slot], results[slot])

    def later(i):
        slot = i % 2
        mixed(slot)
        if side is not stream:
            made.record(stream)
            side.wait_event(made)
        results[slot].get(stream=side, out=host[slot], blocking=False)
        done[slot].record(side)
        if i:
            done[1 - slot].synchronize()
            seen["sum"] += float(host[1 - slot][0])

    def step(i):
        with stream:
            if variant != "bad":
                later(i)
                return
            mixed(i % 2)
            seen["sum"] += float(results[i % 2].get()[0])
    return step


@pairs.pair("small-copies launch-bound", removes="small-copies", allowed=("stretched",))
def pulses_copied_one_by_one(variant):
    """A search for pulsars, 2.6 ms a step, finds 480 pulses. They lie in a row, 16 KiB each, and are copied to pinned
    memory in a second stream, two slots, by a call for each pulse. Mended: one call copies all. 15 to 50 %."""
    length, pulses, sky, search = 4096, 480, on_device(host_values(WHOLE)), working(6000)
    found = [cupy.zeros((pulses, length), cupy.float32) for _ in range(2)]
    kept = [cupyx.zeros_pinned((pulses, length), np.float32) for _ in range(2)]
    parts = [[(found[s][n], kept[s][n]) for n in range(pulses)] for s in range(2)]
    clean_sky = [cupy.zeros(WHOLE, cupy.float32) for _ in range(2)]
    stream, side = streams_of(2)
    ready, left, log = events_of(2), events_of(2), {"strongest": 0.0}
    synchronize()

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


class Microscope:
    """Takes pictures of 32 MiB and finds how sharp each of 1024 parts of one is. Both are copied to pinned memory in a
    second stream, the picture in two slots. The host needs the sharpness at once, to choose the next light; the picture
    is only kept."""

    def __init__(self):
        self.cell, self.develop, self.count = on_device(host_values(2 * WHOLE)), working(5500), 2 * WHOLE
        self.strength, self.number = np.float32(1), 0
        self.pictures = [cupy.zeros(self.count, cupy.float32) for _ in range(2)]
        self.kept = [cupyx.zeros_pinned(self.count, np.float32) for _ in range(2)]
        self.sharp, self.known = cupy.zeros(1024, cupy.float32), cupyx.zeros_pinned(1024, np.float32)
        self.main, self.side = streams_of(2)
        self.taken, self.told = events_of(2)
        self.there = events_of(2)
        synchronize()

    def take(self):
        slot = self.number % 2
        with self.main:
            self.main.wait_event(self.there[slot])
            self.develop(self.cell, self.strength, self.pictures[slot])
            self.pictures[slot].reshape(1024, -1).mean(axis=1, out=self.sharp)
            self.taken.record(self.main)
        self.side.wait_event(self.taken)
        self.number += 1
        return slot

    def keep(self, slot):
        self.pictures[slot].get(stream=self.side, out=self.kept[slot], blocking=False)
        self.there[slot].record(self.side)

    def tell(self):
        self.sharp.get(stream=self.side, out=self.known, blocking=False)
        self.told.record(self.side)

    def choose(self):
        self.told.synchronize()
        self.strength = np.float32(0.9 + 0.1 * float(self.known.mean()))


@pairs.pair("head-of-line same-stream", allowed=("readback", "host-sync", "stretched"))
def sharpness_copied_behind_picture(variant):
    """A microscope takes three pictures a step, 1.6 ms each. The 4 KiB that decide on the next light are copied behind
    the 32 MiB of the picture, 0.65 ms, in the same stream. Mended: before the picture. 20 to 32 %."""
    microscope = Microscope()

    def step(i):
        for _ in range(3):
            slot = microscope.take()
            if variant == "bad":
                microscope.keep(slot)
                microscope.tell()
            else:
                microscope.tell()
                microscope.keep(slot)
            microscope.choose()
    return giving(step, lambda: 1 + microscope.strength)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_heart_seen_by_coils(variant):
    """Five rounds find a picture of a heart from what 48 coils measured. Each step copies one number from pageable
    memory. The picture, 1 MiB, is copied to pinned memory in a second stream, two slots, and looked at a step later."""
    random, seen = cupy.random.default_rng(15), {"bright": 0.0}
    coils = random.random((2, 48, 512, 512), dtype=np.float32) - np.float32(0.5)
    coils = (coils[0] + 1j * coils[1]).astype(np.complex64)
    coils /= cupy.sqrt(cupy.square(cupy.abs(coils)).sum(0))
    turned, lines = coils.conj(), cupy.arange(512).reshape(512, 1) % 3 == 0
    given = cupy.fft.fft2(coils * random.random((512, 512), dtype=np.float32), axes=(1, 2)) * lines
    pictures, far = [cupy.zeros((512, 512), cupy.float32) for _ in range(2)], cupy.ones(1, cupy.float32)
    host = [cupyx.zeros_pinned((512, 512), np.float32) for _ in range(2)]
    stream, side = streams_of(2)
    made, there = events_of(2), events_of(2)
    synchronize()

    def step(i):
        slot, measured = i % 2, given
        with stream:
            far.set(np.array([1 + 0.01 * (i % 5)], np.float32), stream=stream)
            for _ in range(5):
                picture = (cupy.fft.ifft2(measured, axes=(1, 2)) * turned).sum(0) * far
                measured = cupy.where(lines, given, cupy.fft.fft2(picture * coils, axes=(1, 2)))
            stream.wait_event(there[slot])
            cupy.abs(picture, out=pictures[slot])
            made[slot].record(stream)
        side.wait_event(made[slot])
        pictures[slot].get(stream=side, out=host[slot], blocking=False)
        there[slot].record(side)
        there[1 - slot].synchronize()
        seen["bright"] = float(host[1 - slot][::64].sum())
    return step
