#!/usr/bin/env python3
"""The seventeenth set of loops in PyTorch, continued: serving, simulation, off-loading. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch17_more_parts import Desk, Experts, Flood, Neurons, Rock, Shards, Spots, Talks, Tiles, Tracks, Water
from torch2_parts import BF16
from torch_loops import main
from torch_parts import Collector, Delayed, network

pairs = loop_runner.Pairs("torch17_more")


@pairs.pair("device-barrier host-sync", allowed=("stretched",))
def router_waited_for_with_its_experts(variant):
    """A router finds which 8 of 16 experts a batch needs, 0.5 ms, and the host fetches those, 134 MB, 2.6 ms, a batch
    ahead, while the experts of the batch before take 2.6 ms. The host waits until the device is idle; mended, for the
    event behind what the router says. 30 to 48 %."""
    torch.manual_seed(17)
    experts = Experts(20480, variant == "bad")
    return giving(experts.step, lambda: size_of(experts.out))


@pairs.pair("readback host-sync", allowed=("launch-bound", "stretched"))
def water_asked_how_fast_it_is(variant):
    """Shallow water, five moves of about 0.6 ms a step. How long a move lasts is what the fastest wave allows: the host
    makes a number of it; mended, it stays on the device. 4 to 10 %."""
    torch.manual_seed(17)
    water, late, log = Water(4096, 3584, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        for _ in range(5):
            water.move()
        log["before"] = float(late.exchange(i, water.high.amax()))
    return giving(step, lambda: size_of(water.down))


@pairs.pair("same-stream", allowed=("stretched",))
def waves_in_rock_kept_in_line(variant):
    """Waves in rock, six moves a step, a graph of 2 ms. How the rock moves, 67 MB, 1.3 ms, is kept on the host for the
    way back, from one of two places; it leaves in the stream of the kernels; mended, in its own. 25 to 42 %."""
    torch.manual_seed(17)
    rock = Rock(4096, variant == "mended")
    return giving(rock.step, lambda: size_of(rock.now))


@pairs.pair("allocation")
def shards_registered_for_each_search(variant):
    """Questions are understood and looked for in a shard of a store, 21 MB, which comes a step ahead from shared
    memory; 7 ms. That memory is registered for each copy, and given back, 4 to 10 ms; mended, once at the start.
    20 to 60 %."""
    torch.manual_seed(17)
    shards, model = Shards(10240, variant == "mended"), network(1024, 4096, 5, 1024).requires_grad_(False)
    questions, late, log = torch.randn(20480, 1024, device="cuda", dtype=BF16), Delayed((), torch.float32), {}

    @torch.no_grad()
    def step(i):
        shard = shards.take(i)
        meant = model(questions)
        near = torch.cat([(part @ shard.t()).amax(1) for part in meant.chunk(2)])
        shards.give_back(i)
        log["near"] = near.float().mean()
        log["before"] = float(late.exchange(i, log["near"]))
    return giving(step, lambda: log["near"], shards.close)


@pairs.pair("python host-late host-sync", allowed=("stretched",))
def tracks_joined_before_next_scan(variant):
    """Things on a road are found in a scan, 4.6 ms, and numpy gives 400 of them to the tracks that are nearest, 1.5 to
    2.5 ms. It does so before the next scan is begun; mended, for the scan before while the device is at work.
    20 to 36 %."""
    torch.manual_seed(17)
    model, tracks = network(512, 4096, 4).requires_grad_(False), Tracks(400)
    leaving = Collector((400, 3), torch.float32)
    points, seen = torch.randn(3, 24576, 512, device="cuda", dtype=BF16), {}

    @torch.no_grad()
    def scan(i):
        out = model(points[i % 3]).float()
        best = out[:, 0].topk(400).indices
        seen["found"] = out[best, 1:4]
        leaving.take(i, seen["found"])

    def step(i):
        scan(i)
        number = i if variant == "bad" else i - 1
        if number >= 0:
            leaving.done[number % 2].synchronize()
            tracks.join(leaving.host[number % 2].numpy())
    return giving(step, lambda: size_of(seen["found"]))


@pairs.pair("pageable host-sync", "pageable", allowed=("same-stream",))
def talks_kept_in_plain_memory(variant):
    """4096 talks of one of four groups are heard, five frames of 1 ms a step. What is known of them, 4 MB, comes from
    the host before and goes back behind; there it lies in ordinary memory; mended, in pinned memory. 12 to 25 %."""
    torch.manual_seed(17)
    talks, late, log = Talks(4096, 5, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        talks.step(i)
        log["before"] = float(late.exchange(i, talks.known[:64].float().mean()))
    return giving(step, lambda: size_of(talks.known))


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def neurons_fire_op_by_op(variant):
    """1.5 million neurons, 36 moves a step, 14 kernels of 4 to 5 us each, which are launched one by one; mended, they
    are a graph. 25 to 60 %."""
    torch.manual_seed(17)
    neurons, late, log = Neurons(1_500_000, 36, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        log["before"] = float(late.exchange(i, neurons.step()))
    return giving(step, lambda: size_of(neurons.fired))


@pairs.pair("event-order", allowed=("stretched",))
def tiles_leave_when_picture_is_drawn(variant):
    """A picture of 512 colours in ten tiles, 0.4 ms each, which leave in a stream of their own, 0.5 ms each; a place is
    drawn again when its tile has left. The first tile waits for the event behind the last one; mended, each one for its
    own event. 4 to 10 %."""
    torch.manual_seed(17)
    tiles = Tiles(24576, variant == "mended")
    return giving(tiles.step, tiles.result)


@pairs.pair("small-copies", allowed=("same-stream",))
def gauges_leave_row_by_row(variant):
    """How a flood comes, 4.7 ms a step. What 128 gauges show leaves gauge by gauge, 2 KB each, behind the kernels;
    mended, in one copy of all. 4 to 10 %."""
    torch.manual_seed(17)
    flood = Flood(variant == "bad")
    return giving(flood.step, lambda: size_of(flood.land))


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_desk_of_two_models(variant):
    """Requests are put into pinned memory by a thread and come ahead; a guard and a model answer them; the answers
    leave in a stream of their own, and another thread reads them."""
    torch.manual_seed(17)
    desk = Desk(8192)
    return giving(desk.step, lambda: 1.0, desk.close)


@pairs.healthy(allowed=("stretched",))
def healthy_spots_grow_in_graph(variant):
    """Spots grow on a shell, a graph of 3 ms. What feeds them comes ahead, how they look leaves beside the next step,
    and means are looked at a step later."""
    torch.manual_seed(17)
    return Spots(3072).step


if __name__ == "__main__":
    sys.exit(main(pairs))
