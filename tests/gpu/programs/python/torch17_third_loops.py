#!/usr/bin/env python3
"""A seventeenth set of loops in PyTorch, the third part. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch17_third_parts import (Basket, Books, Cloth, CopiedCorners, Dictionary, Film, ManagedCorners, Painter, Radar,
                                 Replay, Sharpener, Shots, Stage, SumTree, chunks_on_disk)
from torch_loops import main
from torch_parts import Delayed, Prefetcher, as_graph, host_batches

pairs = loop_runner.Pairs("torch17_third")


@pairs.pair("pageable", allowed=("stretched",))
def spectra_from_mapped_file(variant):
    """Shapes of spectra are learned, 4 ms a chunk. The chunks, 17 MB, come ahead from a mapped file, ordinary memory:
    each copy blocks its call, behind the kernels, some 2 ms; mended, they were read into pinned memory. 20 to 40 %."""
    torch.manual_seed(17)
    chunks = chunks_on_disk(4, 8192, 1024)
    if variant == "mended":
        chunks = [chunk.pin_memory() for chunk in chunks]
    coming, shapes, late, log = Prefetcher(chunks), Dictionary(1024, 4096), Delayed((), torch.float32), {}

    def step(i):
        log["rest"] = shapes.learn(coming.take(i))
        coming.give_back(i)
        log["before"] = float(late.exchange(i, log["rest"]))
    return giving(step, lambda: log["rest"])


@pairs.pair("python host-late")
def priorities_drawn_leaf_by_leaf(variant):
    """Values of moves are learned, 5 ms a step. The 1536 pieces of each step are drawn by their priorities on the host,
    a sum tree of 16 levels: leaf by leaf in Python, 7 to 12 ms; mended, all at once by numpy, 1 ms. 30 to 55 %."""
    torch.manual_seed(17)
    replay = Replay(SumTree(16, variant == "mended"), 1536)
    return giving(replay.step, lambda: replay.loss)


@pairs.pair("unified-memory", allowed=("stretched",))
def corners_of_cloth_in_managed(variant):
    """A cloth is drawn, 4 ms a picture, whose corners, 8 MB, the host moves, two slots. They lie in managed memory,
    which kernels and host fetch page by page; mended, one copy brings them out of pinned memory. 15 to 50 %."""
    torch.manual_seed(17)
    cloth, late, log = Cloth(1 << 19), Delayed((), torch.float32), {}
    corners = (ManagedCorners if variant == "bad" else CopiedCorners)((1 << 19, 4))

    def step(i):
        cloth.move(i, corners.hosts[i % 2])
        log["light"] = cloth.draw(corners.bring(i))
        log["before"] = float(late.exchange(i, log["light"]))
    return giving(step, lambda: log["light"], corners.close)


@pairs.pair("callback", allowed=("stretched",))
def exposure_booked_between_frames(variant):
    """Film is cleaned of grain, 4 ms a step. A host function books how light it was, 1 to 1.5 ms, in the stream of the
    kernels, which wait for it; mended, in a stream of its own behind an event. 15 to 30 %."""
    torch.manual_seed(17)
    film = Film(host_batches((4, 3, 512, 512), True), variant == "mended")
    return giving(film.step, lambda: film.exposure, torch.cuda.synchronize)


@pairs.pair("head-of-line", allowed=("stretched",))
def edges_behind_next_shot(variant):
    """Waves go back through the ground, eight pieces of 0.7 ms a shot, whose edges, 1.6 MB, come a piece ahead. What
    was measured of the next shot, 134 MB, 2.7 ms, comes in another stream, and the edges wait behind it; mended, it
    comes in eight pieces between the edges. 12 to 30 %."""
    torch.manual_seed(17)
    shots, late, log = Shots(variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        shots.step(i)
        log["before"] = float(late.exchange(i, shots.image[0, 0]))
    return giving(step, lambda: size_of(shots.image))


@pairs.pair("event-order", allowed=("stretched",))
def noise_waits_for_pictures(variant):
    """Pictures are made of noise, four rounds of 1.8 ms a step. They leave in a stream of their own, 25 MB, 0.5 ms. The
    next rounds wait for that; mended, only what writes into their place does. 4 to 10 %."""
    torch.manual_seed(17)
    painter = Painter(16, variant == "mended")
    return giving(painter.step, lambda: size_of(painter.shown))


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def lens_undone_op_by_op(variant):
    """Blurred pictures are made sharp by 60 rounds of conjugate gradients, some 900 kernels of 4 us, which are launched
    one by one, 8 us each or more; mended, they are a graph. 30 to 65 %."""
    torch.manual_seed(17)
    lens, late, log = Sharpener(16, 256), Delayed((), torch.float32), {}
    solve = as_graph(lens.solve).replay if variant == "mended" else lens.solve

    def step(i):
        lens.b.copy_(lens.blurred[i % 3])
        solve()
        log["before"] = float(late.exchange(i, lens.x[0, 0, 0]))
    return giving(step, lambda: size_of(lens.x))


@pairs.pair("small-copies", allowed=("launch-bound",))
def things_on_stage_sent_one_by_one(variant):
    """A scene is drawn, 6 ms a picture. The 256 things in it have a matrix of 64 bytes each, which is sent thing by
    thing, about 2 us each on the device; mended, in one copy. 4 to 10 %."""
    torch.manual_seed(17)
    stage, late, log = Stage(256, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        log["light"] = stage.draw(i)
        log["before"] = float(late.exchange(i, log["light"]))
    return giving(step, lambda: log["light"])


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def control_weight_as_number(variant):
    """What options on a mean are worth, four strikes a step, 1.5 ms of paths each. The weight of the control variate is
    found of two numbers on the host each time, which waits for them; mended, it stays on the device. 4 to 10 %."""
    torch.manual_seed(17)
    basket, late, log = Basket(12_000_000, variant == "bad"), Delayed((), torch.float32), {}

    def step(i):
        log["worth"] = torch.stack([basket.value(0.9 + 0.02 * n) for n in range(4)]).mean()
        log["before"] = float(late.exchange(i, log["worth"]))
    return giving(step, lambda: log["worth"])


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_books_valued(variant):
    """Books of contracts, 17 MB, come, are valued and leave, four a step, in three streams with three slots; the
    kernels take longer than the copies. What a book is worth is looked at two rounds later."""
    torch.manual_seed(17)
    books = Books(host_batches((16384, 512), True))

    def step(i):
        for number in range(4 * i, 4 * i + 4):
            books.go(number)
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_radar_in_branches(variant):
    """Echoes of a radar come a step ahead, and a graph of two branches, which meet, tells what they come from. The
    answers leave in a stream of their own, and are looked at a step later."""
    torch.manual_seed(17)
    return Radar(16384, host_batches((16384, 1024), True)).step


if __name__ == "__main__":
    sys.exit(main(pairs))
