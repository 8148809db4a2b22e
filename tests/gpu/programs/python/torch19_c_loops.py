#!/usr/bin/env python3
"""Set c of the nineteenth loops in PyTorch: science and engineering with tensors. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import itertools
import sys

import numpy as np
import torch

import loop_runner
from loop_runner import giving
from torch17_parts import Late
from torch19_c_parts import Crystals, Photons, Rock, Scanner, Spirals, Tomograph
from torch_loops import main

pairs = loop_runner.Pairs("torch19_c")


@pairs.pair("too-few-streams", allowed=("stretched",))
def slabs_of_scan_by_turns_in_two(variant):
    """Slabs of a scan come, 2 ms, are filtered, 2.3 ms, and leave, 2 ms. Two streams take turns with the rounds, 3.2 ms
    each; mended, four with places of their own. 18 to 28 %."""
    torch.manual_seed(19)
    scanner = Scanner(2 if variant == "bad" else 4)
    return giving(scanner.step, scanner.result)


@pairs.pair("readback", allowed=("launch-bound",))
def photons_tallied_without_bounds(variant):
    """Photons fly through tissue, and four times a step, 6 ms, is counted how deep they are. histc() without bounds
    reads the least and the largest depth from the device; mended, it is told that they are 0 and 1. 5 to 10 %."""
    torch.manual_seed(19)
    bounds = () if variant == "bad" else (0, 1)
    photons = Photons(lambda depth: torch.histc(depth, Photons.bins, *bounds))
    return giving(photons.step, photons.result)


@pairs.pair("host-late python", allowed=("launch-bound",))
def spirals_laid_on_grid_again(variant):
    """A picture is found from spirals in its frequencies, 5.5 ms a step. Numpy finds where the points of a spiral lie on
    the grid in each step, 6 to 10 ms; mended, once for each of the four spirals. 30 to 55 %."""
    torch.manual_seed(19)
    spirals = Spirals(once=variant == "mended")
    return giving(spirals.step, spirals.result)


@pairs.pair("head-of-line", allowed=("stretched",))
def views_behind_next_moment(variant):
    """A moving body is seen in eight views, 5.8 ms a step; the small table of each view waits for the copy of all that
    is measured in the next moment, 2.7 ms. Mended, that copy goes in eight pieces. 15 to 28 %."""
    torch.manual_seed(19)
    tomograph = Tomograph(in_pieces=variant == "mended")
    return giving(tomograph.step, lambda: tomograph.body.mean())


@pairs.pair("pageable")
def quakes_come_as_plain_arrays(variant):
    """Waves in rock follow what was measured, 8 ms a step. The measured values, 3.5 MB, are arrays of numpy and not
    pinned; mended, they are pinned once. 4 to 10 %."""
    torch.manual_seed(19)
    random = np.random.default_rng(19)
    quakes = [torch.from_numpy(random.standard_normal((Rock.times, Rock.rows, Rock.size), dtype=np.float32))
              for _ in range(3)]
    if variant == "mended":
        quakes = [quake.pin_memory() for quake in quakes]
    rock, late, coming = Rock(), Late(), itertools.cycle(quakes)

    def step(i):
        late.look(i, rock.run(next(coming).to("cuda", non_blocking=True)))
    return giving(step, lambda: rock.now.abs().mean())


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_crystals_seen_by_scattering(variant):
    """Patterns of crystals come a step ahead in a stream of their own, 0.3 ms; 14 rounds of Fourier transforms find the
    shapes, 5 ms; these leave in a third stream, and one value is looked at a step later."""
    torch.manual_seed(19)
    crystals = Crystals()
    return giving(crystals.step, lambda: crystals.found.mean())


if __name__ == "__main__":
    sys.exit(main(pairs))
