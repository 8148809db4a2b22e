#!/usr/bin/env python3
"""Set d of the eighteenth loops in PyTorch: pipelines of data. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch

import loop_runner
from loop_runner import giving
from torch18_d_parts import ByRarity, Catalogue, Cutter, Fibre, Gauges, Movements, Offloaded, dense
from torch_loops import main
from torch_parts import Delayed, Loader, Trainer, labels

pairs = loop_runner.Pairs("torch18_d")


@pairs.pair("data-loading host-late python", allowed=("launch-bound", "stretched"))
def movements_drawn_by_weight_in_sampler(variant):
    """Movements are learned from windows of worn sensors, 7 ms a step. Workers read them, but the sampler of the loader
    draws each batch by 1.5 million weights in the process of the loop, 11 to 16 ms; mended, it keeps their sums.
    35 to 58 %."""
    torch.manual_seed(18)
    data = Movements()
    loader = Loader(data, 4, batch_sampler=ByRarity(len(data), 1024, variant == "mended"), collate_fn=lambda x: x)
    trainer, kinds = Trainer(dense(768, 4096, 4096, 4096, 4096, 16)), labels(1024)
    late, log = Delayed((), torch.float32), {}

    def step(i):
        x = loader.next().to("cuda", non_blocking=True)
        log["loss"] = trainer.step(x.flatten(1), kinds)
        log["before"] = float(late.exchange(i, log["loss"]))
    return giving(step, lambda: log["loss"], loader.close)


@pairs.pair("event-order", allowed=("stretched",))
def activations_leave_before_next_layer(variant):
    """Activations of six of nine layers, 25 MB each, leave for the host and come back, 14 ms a step. A layer begins when
    the newest activation has left; mended, when that which lay in its own place has. 14 to 20 %."""
    torch.manual_seed(18)
    model = Offloaded(variant == "mended")
    return giving(model.step, model.result)


@pairs.pair("head-of-line", allowed=("stretched",))
def features_behind_checkpoint_of_codebook(variant):
    """Features of wares, 8 MB for each of eight parts of 1.4 ms, leave behind a checkpoint of the codebook, 344 MB or
    7 ms in one copy; mended, it leaves in eight pieces between them. 16 to 26 %."""
    torch.manual_seed(18)
    catalogue = Catalogue(variant == "mended")
    return giving(catalogue.step, lambda: catalogue.drift.abs().mean())


@pairs.pair("callback", allowed=("stretched",))
def fibre_unpacked_in_stream(variant):
    """Noise is taken out of what a fibre hears, 6.5 ms a step. A host function in the stream unpacks the numbers before
    their copy, 0.4 to 0.6 ms; mended, the loop does that for the next step. 5 to 9 %."""
    torch.manual_seed(18)
    fibre = Fibre(variant == "bad")
    return giving(fibre.step, lambda: fibre.loud.mean())


@pairs.pair("readback", allowed=("launch-bound", "stretched"))
def crop_asked_of_device(variant):
    """Pictures are cut and recoloured on the device, and features are found, 4 ms a step. Where to cut is drawn on the
    device and read at once; mended, it is drawn a step before and read then. 4 to 9 %."""
    torch.manual_seed(18)
    cutter = Cutter(variant == "mended")
    return giving(cutter.step, lambda: cutter.mean.abs().mean())


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_moments_live_on_host(variant):
    """Gauges are learned, 11 ms a step. The moments of Adam, 34 MB a layer, come and leave beside the way back, and the
    loss is looked at a step later."""
    torch.manual_seed(18)
    gauges = Gauges()
    return giving(gauges.step, lambda: gauges.loss)


if __name__ == "__main__":
    sys.exit(main(pairs))
