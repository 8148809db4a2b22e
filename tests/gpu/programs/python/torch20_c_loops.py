#!/usr/bin/env python3
"""A twentieth set of loops in PyTorch, third part: tensors without learning. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch

import loop_runner
from loop_runner import giving
from torch17_parts import Ahead, pinned
from torch20_c_parts import Book, Demons, Forest, Ocean, Pulses
from torch_loops import main
from torch_parts import Collector

pairs = loop_runner.Pairs("torch20_c")


@pairs.pair("readback")
def bend_of_volumes_asks_if_better(variant):
    """Volumes are bent onto a fixed one, 6 tries of 0.7 ms a step. Whether a try was better is asked by the host, some
    50 us each; mended, how far the next one goes stays on the device. 4 to 9 %."""
    torch.manual_seed(20)
    demons = Demons(variant == "mended")
    return giving(demons.step, lambda: demons.cost)


@pairs.pair("event-order", allowed=("stretched",))
def oceans_wait_for_their_archive(variant):
    """Oceans move, 6 ms a step, and their surface, 25 MB, 0.5 ms, leaves in a stream of its own. The next step waits for
    that stream; mended, only for the place that it uses again. 5 to 9 %."""
    torch.manual_seed(20)
    ocean = Ocean(variant == "bad")
    return giving(ocean.step, lambda: ocean.h.square().mean())


@pairs.pair("python host-late")
def lightning_of_storms_drawn_strike_by_strike(variant):
    """A forest burns and grows, 4.5 ms a step. 12000 strikes of lightning are drawn one by one in Python, 6 to 9 ms;
    mended, all at once with numpy. 25 to 50 %."""
    torch.manual_seed(20)
    forest = Forest(variant == "mended")
    return giving(forest.step, lambda: forest.fuel.mean(dtype=torch.float32))


@pairs.pair("small-copies", allowed=("same-stream",))
def strikes_of_shares_come_row_by_row(variant):
    """A book of options is priced, 3 ms a step. The strikes of 640 shares, 5 KB each, come share by share, 5 to 6 ms
    of the host; mended, in one copy. 30 to 50 %."""
    torch.manual_seed(20)
    book = Book(variant == "mended")
    return giving(book.step, lambda: book.value)


@pairs.pair("head-of-line", allowed=("stretched",))
def filters_of_pulses_behind_next_voltages(variant):
    """Pulses are sought, 4 to 5 ms a step. The filters, 3 MB, come behind the voltages of the next step, 134 MB, 2.7 ms;
    mended, the voltages come in 16 pieces, and the filters between two of them. 25 to 38 %."""
    torch.manual_seed(20)
    pulses = Pulses(1 if variant == "bad" else 16)
    return giving(pulses.step, lambda: pulses.best)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_walks_on_roads(variant):
    """Walks from 64 places each spread over a graph of 200000 crossings, 14 sparse products, 4 to 6 ms a step. Where
    they begin comes ahead, where they end leaves in a stream of its own, 51 MB each, 1 ms."""
    torch.manual_seed(20)
    nodes, degree, walks = 200_000, 16, 64
    ends = torch.randint(nodes, (nodes, degree), device="cuda").sort(1).values.flatten()
    rows = torch.arange(0, nodes * degree + 1, degree, device="cuda")
    weights = torch.full((nodes * degree,), 0.85 / degree, device="cuda")
    roads = torch.sparse_csr_tensor(rows.int(), ends.int(), weights, (nodes, nodes))
    begins = Ahead([pinned(torch.rand(nodes, walks, device="cuda")) for _ in range(3)])
    kept, log = Collector((nodes, walks), torch.float32), {}

    def step(i):
        begin = begins.take(i)
        now = begin
        for _ in range(14):
            now = torch.addmm(begin, roads, now, beta=0.15)
        begins.give_back(i)
        kept.take(i, now)
        log["walks"] = now
    return giving(step, lambda: log["walks"].mean())


if __name__ == "__main__":
    sys.exit(main(pairs))
