#!/usr/bin/env python3
"""A twentieth set of loops in PyTorch: training of unusual models. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch17_parts import Late, Learner
from torch20_parts import Clouds, Composer, Dreamer, Forecast, Proteins, Ranker, Rolls
from torch_loops import main
from torch_parts import BF16, Loader

pairs = loop_runner.Pairs("torch20")


@pairs.pair("small-copies")
def profiles_of_proteins_come_one_by_one(variant):
    """Residues are learned, 5.5 ms a step. The profiles of 640 proteins come in 640 copies of 13 KB, 7 to 10 ms for the
    host; mended, in one copy. 30 to 50 %."""
    torch.manual_seed(20)
    proteins = Proteins(variant == "bad")
    return giving(proteins.step, lambda: proteins.model[2].weight.float().norm())


@pairs.pair("head-of-line", allowed=("stretched",))
def surprise_behind_dreams(variant):
    """A world model learns, 1 ms, and dreams, 5 ms. The dreams of the step before leave in one copy, 3.4 ms, for which
    a small copy between both parts waits; mended, they leave in pieces. 20 to 30 %."""
    torch.manual_seed(20)
    dreamer = Dreamer(variant == "mended")
    return giving(dreamer.step, lambda: dreamer.world[2].weight.float().norm())


@pairs.pair("host-sync", allowed=("launch-bound",))
def clouds_of_points_timed_by_waiting(variant):
    """Clouds of points are learned, 6 ms a step. The host waits for the stream to take the time, and only then issues
    50 small kernels that turn the next ones; mended, the time comes from events. 4 to 10 %."""
    torch.manual_seed(20)
    clouds = Clouds(variant == "bad")
    return giving(clouds.step, lambda: clouds.points_read[4].weight.float().norm())


@pairs.pair("data-loading host-late python")
def rolls_of_melodies_painted_by_loop(variant):
    """Music is learned, 7 ms a step. A DataLoader without workers paints the notes of a batch, 9 to 14 ms, in the
    thread of the loop; mended, it has five workers. 40 to 55 %."""
    torch.manual_seed(20)
    loader = Loader(Rolls(), 5 if variant == "mended" else 0, batch_size=None)
    model, late = Composer(), Late()
    learner = Learner(model.parameters())

    def step(i):
        rolls = loader.next().to("cuda", non_blocking=True).to(BF16)
        said = model(rolls)[:, :-1]
        late.look(i, learner.go(F.binary_cross_entropy_with_logits(said, rolls[:, 1:].float())))
    return giving(step, lambda: model.blocks[0].qkv.weight.float().norm(), loader.close)


@pairs.pair("same-stream", allowed=("stretched",))
def documents_to_rank_come_in_line(variant):
    """Ranking is learned, 5 ms a step. The numbers of the documents, 18 MB, 0.36 ms, come in the stream of the kernels;
    mended, a step ahead in a stream of their own. 5 to 9 %."""
    torch.manual_seed(20)
    ranker = Ranker(variant == "mended")
    return giving(ranker.step, lambda: ranker.model[2].weight.float().norm())


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_load_of_grid_foreseen(variant):
    """Quantiles of the load of a grid are learned, 7 ms a step. Hours come ahead, forecasts leave in a stream of their
    own, the loss is looked at a step later."""
    torch.manual_seed(20)
    forecast = Forecast()
    return giving(forecast.step, lambda: forecast.out[0].weight.float().norm())


if __name__ == "__main__":
    sys.exit(main(pairs))
