#!/usr/bin/env python3
"""A twentieth set of loops in PyTorch, part d: pipelines around models. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch17_parts import Late, Learner, classes
from torch20_d_parts import Assistants, Flickers, Parked, Reader, Standby, Watched, convolutions
from torch_loops import main
from torch_parts import BF16, Loader

pairs = loop_runner.Pairs("torch20_d")


@pairs.pair("host-sync", allowed=("launch-bound",))
def times_of_layers_asked_at_once(variant):
    """Papers are encoded by 20 layers, 6.5 ms a step, each timed. The host waits for the event behind each layer to
    book its time; mended, the times of a step are booked a step later. 15 to 25 %."""
    torch.manual_seed(20)
    watched = Watched(variant == "bad")
    return giving(watched.step, lambda: watched.last.float().norm())


@pairs.pair("head-of-line", allowed=("stretched",))
def answers_behind_saved_memories(variant):
    """Talks are answered in five parts, 5 ms a step. Answers, 2 MB, leave while memories are saved in one copy of
    168 MB, 3.3 ms, and their place is needed again; mended, the memories leave in 20 pieces. 15 to 30 %."""
    torch.manual_seed(20)
    assistants = Assistants(variant == "mended")
    return giving(assistants.step, assistants.result)


@pairs.pair("data-loading host-late python", "data-loading", allowed=("stretched", "same-stream"))
def flickers_counted_by_loader_in_line(variant):
    """What moves is learned from a camera of changes, 7.5 ms a step. Its words are counted in pictures by a loader in
    the process of the loop, 10 to 14 ms; mended, by six workers. 35 to 55 %."""
    torch.manual_seed(20)
    loader, late = Loader(Flickers(), 6 if variant == "mended" else 0, batch_size=None), Late()
    model, truth, log = convolutions(16, (2, 1), 12, 8), classes(16, 8), {}
    learner = Learner(model.parameters())

    def step(i):
        x = loader.next().to("cuda", non_blocking=True).to(BF16, memory_format=torch.channels_last)
        log["loss"] = learner.go(F.cross_entropy(model(x).mean((2, 3)).float(), truth))
        late.look(i, log["loss"])
    return giving(step, lambda: model[0].weight.float().norm(), loader.close)


@pairs.pair("readback", allowed=("stretched", "launch-bound"))
def scale_of_parked_layers_as_number(variant):
    """Texts are encoded, 9 ms a step, and what six of the layers said is parked on the host in 8 bits. The host reads
    the largest value for the scale of each; mended, the scale stays on the device. 4 to 8 %."""
    torch.manual_seed(20)
    parked = Parked(variant == "bad")
    return giving(parked.step, parked.result)


@pairs.pair("pageable", allowed=("stretched", "same-stream"))
def standby_of_weights_in_plain_memory(variant):
    """Sales are learned, 10 ms a step, and a shard of the weights, 4 MB, is saved behind each step to plain memory, 0.5
    to 0.9 ms, for which the host waits; mended, to pinned memory. 5 to 9 %."""
    torch.manual_seed(20)
    standby, late = Standby(variant == "mended"), Late()

    def step(i):
        said = standby.model(standby.sales[i % 2]).float()
        loss = standby.learner.go(F.cross_entropy(said, standby.shelf))
        standby.save(i)
        late.look(i, loss)
    return giving(step, standby.result)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_pages_unpacked_and_read(variant):
    """Letters of scanned pages are read, 7.5 ms a step. A thread unpacks the pages two steps ahead, they come a step
    ahead in a stream of their own, and letters are counted on the host a step later."""
    torch.manual_seed(20)
    reader = Reader()
    return giving(reader.step, lambda: reader.counts.sum(), reader.scans.worker.shutdown)


if __name__ == "__main__":
    sys.exit(main(pairs))
