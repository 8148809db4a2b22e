#!/usr/bin/env python3
"""Set d of the nineteenth loops in PyTorch: data on its way. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch17_parts import Ahead, Block, Late, dense, pinned
from torch19_d_parts import Archive, Gaps, Hydrophones, Newsroom, Voices
from torch_loops import main
from torch_parts import BF16, Collector, as_graph

pairs = loop_runner.Pairs("torch19_d")


@pairs.pair("too-few-streams", allowed=("stretched", "both-directions"))
def hydrophones_cleaned_in_two_lanes(variant):
    """What hydrophones hear comes, 100 MB, is cleaned, 2.8 ms, and leaves, 100 MB, each round in one stream. Two
    streams take turns; mended, three. 12 to 24 %."""
    torch.manual_seed(19)
    sea = Hydrophones(3 if variant == "mended" else 2)
    return giving(sea.step, sea.loud)


@pairs.pair("readback", allowed=("launch-bound", "stretched"))
def codes_counted_between_unknown_bounds(variant):
    """Strain of a dam is packed in four levels of codes, 6 ms a step, and histc() counts the use of them. Without
    bounds it reads the least and the largest code from the device; mended, it is told 0 and 255. 4 to 10 %."""
    torch.manual_seed(19)
    archive = Archive(variant == "mended")
    return giving(archive.step, lambda: archive.used[:, 64:192].sum())


@pairs.pair("python host-late", allowed=("launch-bound",))
def gaps_of_clicks_looked_up_in_dictionary(variant):
    """What is clicked next is learned, 4.5 ms a step. How long ago each of 20480 clicks had its last one is looked up
    in a dictionary, one after the other, 5 to 9 ms; mended, numpy does that for all at once. 25 to 50 %."""
    torch.manual_seed(19)
    gaps = Gaps(variant == "mended")
    return giving(gaps.step, lambda: gaps.model[-1].weight.float().norm())


@pairs.pair("callback", allowed=("stretched",))
def drift_of_voices_booked_in_stream(variant):
    """Voices are turned to features, 5 ms a step, and a host function in the stream of the kernels books how they
    drift, 1 to 2 ms; mended, a thread does that behind an event. 14 to 30 %."""
    torch.manual_seed(19)
    voices = Voices(variant == "mended")
    return giving(voices.step, voices.booked, voices.close)


@pairs.pair("same-stream", allowed=("stretched", "both-directions"))
def readers_swapped_in_line(variant):
    """Which news readers like is learned, 5 ms a step. 9 MB of their rows leave the device and 9 MB come, 0.4 ms, in
    the stream of the kernels; mended, in two streams of their own. 4 to 9 %."""
    torch.manual_seed(19)
    news = Newsroom(variant == "mended")
    return giving(news.step, news.liked_by_readers)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_tremors_archived(variant):
    """Counts of seismometers, 25 MB, come a step ahead in a stream of their own. A graph for each of two places makes
    features of them, 4 ms, which leave, 34 MB, in a third stream; the largest one is looked at a step later."""
    torch.manual_seed(19)
    counts = Ahead([pinned(torch.randint(-9999, 9999, (32, 512, 768), device="cuda", dtype=torch.int16))
                    for _ in range(3)])
    into = dense(768, 1024).requires_grad_(False)
    blocks = torch.nn.Sequential(*[Block(1024, 16, False) for _ in range(3)]).requires_grad_(False)
    made = [torch.zeros(32, 512, 1024, device="cuda", dtype=BF16) for _ in range(2)]
    largest = torch.zeros(2, device="cuda")
    kept, late = Collector((32, 512, 1024)), Late()

    @torch.no_grad()
    def find(slot):
        x = counts.places[slot].to(BF16).div_(5000)
        made[slot].copy_(F.layer_norm(blocks(into(x)), (1024,)))
        largest[slot].copy_(made[slot].amax())
    torch.cuda.synchronize()
    graphs = [as_graph(lambda slot=slot: find(slot)) for slot in range(2)]

    def step(i):
        slot = i % 2
        counts.take(i)
        torch.cuda.current_stream().wait_event(kept.done[slot])
        graphs[slot].replay()
        counts.give_back(i)
        kept.take(i, made[slot])
        late.look(i, largest[slot])
    return giving(step, lambda: made[0].float().abs().mean())


if __name__ == "__main__":
    sys.exit(main(pairs))
