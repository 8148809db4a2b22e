#!/usr/bin/env python3
"""A part of the nineteenth set of loops in PyTorch: inference and serving. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch

import loop_runner
from loop_runner import giving
from torch17_parts import BF16, Ahead, pinned
from torch19_b_parts import CallCentre, Cascade, Forecasters, Restyler, Stems, Talks
from torch_loops import main
from torch_parts import Collector

pairs = loop_runner.Pairs("torch19_b")


@pairs.pair("priority", allowed=("stretched",))
def captions_of_calls_after_archive(variant):
    """Calls are companded for the archive, 3 ms of large kernels, and get captions, 2 ms of small ones beside. The
    archive has the stream that goes first, -1, and the captions 0; mended, the other way round. 15 to 35 %."""
    torch.manual_seed(19)
    centre = CallCentre(variant == "bad")
    return giving(centre.step, centre.result)


@pairs.pair("too-few-streams", allowed=("stretched",))
def patches_restyled_by_two_workers(variant):
    """Patches of videos come, 2 ms, are restyled, 2.2 ms, and leave, 2 ms, in the streams of two workers in turn;
    mended, of four. 15 to 28 %."""
    torch.manual_seed(19)
    restyler = Restyler(2 if variant == "bad" else 4)
    return giving(restyler.step, restyler.result)


@pairs.pair("readback", allowed=("stretched",))
def stems_of_songs_asked_for_peak(variant):
    """Four stems are taken from songs, 2.7 ms a step. The host asks the peak of each, and divides by it where it is too
    high; mended, the device divides by the peak, or by one. 4 to 10 %."""
    torch.manual_seed(19)
    songs = Ahead([pinned(torch.randn(16384, 1024, device="cuda", dtype=BF16)) for _ in range(3)])
    model, kept = Stems(variant == "bad").requires_grad_(False), Collector((16384, 1024))

    def step(i):
        with torch.no_grad():
            rest = model(songs.take(i))
        songs.give_back(i)
        kept.take(i, rest)

    def result():
        torch.cuda.synchronize()
        return kept.host[0].float().abs().mean()
    return giving(step, result)


@pairs.pair("head-of-line", allowed=("stretched", "host-sync", "readback"))
def scores_of_talks_behind_cache(variant):
    """Prompts are read, 4.5 ms, and tokens written, 1.2 ms; the host needs their scores, 1.6 MB, for the next prompts.
    They wait for one copy of 134 MB, 2.7 ms, for the cache on the host; mended, it goes in 32 pieces. 12 to 22 %."""
    torch.manual_seed(19)
    talks = Talks(variant == "mended")
    return giving(talks.step, talks.result)


@pairs.pair("event-order", allowed=("stretched",))
def forecasters_wait_for_one_another(variant):
    """Three forecasters, 1 ms each of small kernels in its own stream, begin at one state, and a judge weighs them,
    3 ms. Each waits for the end of the one before it; mended, for the state only. 20 to 40 %."""
    torch.manual_seed(19)
    forecasters = Forecasters(variant == "bad")
    return giving(forecasters.step, forecasters.result)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_traffic_in_cascade(variant):
    """Pictures come a step ahead, two networks in a graph, one behind the other, look at them, 6 ms, and the best ones
    leave in a stream of their own; the host looks at what they said a step later."""
    torch.manual_seed(19)
    cascade = Cascade()
    return giving(cascade.step, cascade.result)


if __name__ == "__main__":
    sys.exit(main(pairs))
