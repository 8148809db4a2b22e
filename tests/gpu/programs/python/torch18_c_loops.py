#!/usr/bin/env python3
"""Set c of the eighteenth loops in PyTorch: scientific computing and simulation. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch

import loop_runner
from loop_runner import giving
from torch18_c_parts import Cluster, Kriging, Levels, Pendulums, Roads, Vortices
from torch_loops import main
from torch_parts import Delayed, as_graph

pairs = loop_runner.Pairs("torch18_c")


@pairs.pair("launch-bound")
def pendulums_swing_eagerly(variant):
    """Two million double pendulums swing for six steps of Runge and Kutta, 890 kernels of 5 to 6 us, 5 ms. Each is
    launched by an operator of its own, 8 to 12 us; mended, all are one graph. 25 to 50 %."""
    torch.manual_seed(18)
    pendulums, late, seen = Pendulums(), Delayed((), torch.float32), {}
    go = pendulums.go
    if variant == "mended":
        go = as_graph(pendulums.go).replay
        pendulums.begin()

    def step(i):
        go()
        seen["rate"] = float(late.exchange(i, pendulums.rate))
    return giving(step, lambda: pendulums.rate)


@pairs.pair("host-sync")
def vortices_wait_after_each_step(variant):
    """Two flat flows turn, eight steps by Fourier transforms of 0.55 ms each. The host waits for the device after each
    step, before the old field is replaced; mended, it does not: the stream keeps the order. 4 to 9 %."""
    torch.manual_seed(18)
    vortices, late, seen = Vortices(), Delayed((), torch.float32), {}

    def step(i):
        for _ in range(8):
            new = vortices.next()
            if variant == "bad":
                torch.cuda.synchronize()
            vortices.turn = new
        seen["strength"] = float(late.exchange(i, vortices.strength()))
    return giving(step, vortices.strength)


@pairs.pair("readback", allowed=("launch-bound",))
def kriging_takes_lengths_as_numbers(variant):
    """What lies in the ground between 16384 drillings is found by 20 rounds of conjugate gradients, 0.3 ms each. Both
    lengths of a round are read from the device as numbers; mended, they stay there as tensors. 18 to 35 %."""
    torch.manual_seed(18)
    kriging, late, log, seen = Kriging(), Delayed((), torch.float32), {}, {}
    number = float if variant == "bad" else lambda tensor: tensor

    def step(i):
        log["weight"] = kriging.solve(i, number).abs().mean()
        seen["weight"] = float(late.exchange(i, log["weight"]))
    return giving(step, lambda: log["weight"])


@pairs.pair("allocation")
def ways_give_back_memory(variant):
    """How far crossings of a town are from each other is found for other times of driving each step, 8 ms. The sums
    of ways take 0.9 GB, which are given back to the driver behind each town; mended, the cache keeps them.
    12 to 35 %."""
    torch.manual_seed(18)
    roads, late, log, seen = Roads(), Delayed((), torch.float32), {}, {}

    def step(i):
        log["mean"] = roads.all_ways(i).mean()
        if variant == "bad":
            torch.cuda.empty_cache()
        seen["mean"] = float(late.exchange(i, log["mean"]))
    return giving(step, lambda: log["mean"])


@pairs.pair("small-copies")
def air_measured_level_by_level(variant):
    """Sixteen forecasts are drawn towards what was measured of the air, 5 ms a step. Each of its 160 levels, 33 KB, is
    a copy of 2.5 to 3 us of its own; mended, one copy of the 5 MB, which lie together on both sides. 4 to 9 %."""
    torch.manual_seed(18)
    levels, late, seen = Levels(), Delayed((), torch.float32), {}

    def step(i):
        now = levels.host[i % len(levels.host)]
        if variant == "bad":
            for place, level in zip(levels.measured, now):
                place.copy_(level, non_blocking=True)
        else:
            levels.measured.copy_(now, non_blocking=True)
        levels.draw()
        seen["heat"] = float(late.exchange(i, levels.heat()))
    return giving(step, levels.heat)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_cluster_of_stars(variant):
    """12288 stars pull each other, four steps in one graph, 8 ms. A picture of them leaves in a stream of its own
    beside the next steps, and the host looks at the one before."""
    torch.manual_seed(18)
    cluster = Cluster()
    return giving(cluster.step, cluster.speed)


if __name__ == "__main__":
    sys.exit(main(pairs))
