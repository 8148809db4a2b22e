#!/usr/bin/env python3
"""Set f of the eighteenth loops in PyTorch: chemistry, music, agriculture, search, traffic, astronomy. See
loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch16_parts import ordinary_stream
from torch17_parts import BF16, Ahead, Late, Learner, pinned
from torch18_f_parts import Composer, Flame, Foreseer, Orchards, Search, Seasons, Telescope, Tunes
from torch_loops import main

pairs = loop_runner.Pairs("torch18_f")


@pairs.pair("same-stream", allowed=("stretched",))
def beams_of_telescope_in_one_stream(variant):
    """What 64 ears of a telescope hear, 67 MB, comes, is joined to 256 beams in 4 ms, and how loud those are, 34 MB,
    leaves. All is in one stream; mended, copies in and out have streams of their own. 22 to 36 %."""
    torch.manual_seed(18)
    telescope = Telescope(variant == "mended")
    return giving(telescope.step, telescope.loud.result)


@pairs.pair("readback", allowed=("stretched", "launch-bound"))
def tunes_asked_if_all_have_ended(variant):
    """4096 tunes are made up, twelve notes of 0.6 ms each a step. Behind each note the host reads from the device
    whether all have ended; mended, it reads that a note later. 4 to 9 %."""
    torch.manual_seed(18)
    tunes = Tunes(variant == "mended")
    return giving(tunes.step, lambda: tunes.tunes.float().mean())


@pairs.pair("python host-late", allowed=("stretched", "launch-bound"))
def warmth_of_days_summed_in_loop(variant):
    """How much fields will bear is learned, 5 ms a step. The warmth of 160 days of 128 fields is summed up in a loop of
    Python, 7 to 11 ms; mended, by numpy. 30 to 55 %."""
    torch.manual_seed(18)
    model, late, log = Seasons(variant == "mended"), Late(), {}
    learner, harvest = Learner(model.parameters()), torch.rand(Seasons.fields, device="cuda") + 1

    def step(i):
        log["loss"] = learner.go(F.mse_loss(model(i), harvest))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("small-copies", allowed=("launch-bound", "stretched"))
def texts_of_words_come_list_by_list(variant):
    """Texts are searched for 48 questions, 5 ms a step. The lists of texts of 192 words, 20 KB each, lie here and there
    in pinned memory, and each is a copy of 2.5 to 3 us; mended, the host puts them together for one copy. 5 to 9 %."""
    torch.manual_seed(18)
    search, late, log = Search(variant == "mended"), Late(), {}

    def step(i):
        log["score"] = search.find(i)
        late.look(i, log["score"])
    return giving(step, lambda: log["score"])


@pairs.pair("launch-bound", allowed=("launch-bound", "stretched"))
def roads_foreseen_without_graph(variant):
    """How fast cars will be is learned, 36 times one after the other, some 1000 kernels of 4 to 6 us with the way back.
    The host launches each, 8 to 12 ms; mended, there and back are a graph each, 5 to 6 ms. 30 to 55 %."""
    torch.manual_seed(18)
    model, late, log = Foreseer(), Late(), {}
    shape = (Foreseer.times, Foreseer.roads, 16)
    counted = Ahead([pinned(torch.randn(shape, device="cuda", dtype=BF16)) for _ in range(3)])
    speeds, learner = torch.rand(Foreseer.roads, 12, device="cuda"), Learner(model.parameters())
    if variant == "mended":
        model = torch.cuda.make_graphed_callables(model, (torch.zeros(shape, device="cuda", dtype=BF16),))

    def step(i):
        foreseen = model(counted.take(i))
        log["loss"] = learner.go(F.mse_loss(foreseen, speeds))
        counted.give_back(i)
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("null-stream", allowed=("stretched",))
def flame_kept_by_ordinary_stream(variant):
    """A flame burns in the default stream, 3.5 ms a step. All that is there, 67 MB, 1.3 ms, leaves in an ordinary
    stream, and both wait for each other; mended, the stream of the copies does not wait for the default one.
    18 to 30 %."""
    torch.manual_seed(18)
    flame = Flame(ordinary_stream() if variant == "bad" else torch.cuda.Stream())
    return giving(flame.step, lambda: flame.there.mean())


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_keys_of_piano_learned(variant):
    """A transformer learns which keys of a piano sound next, 8 ms a step. Music comes a step ahead, slopes are kept
    short on the device, and the loss is looked at a step later."""
    torch.manual_seed(18)
    music = Ahead([pinned((torch.rand(16, 1025, 128, device="cuda") < 0.03).to(BF16)) for _ in range(4)])
    model, late, log = Composer(), Late(), {}
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    def step(i):
        keys = music.take(i)
        optimizer.zero_grad(set_to_none=True)
        loss = F.binary_cross_entropy_with_logits(model(keys[:, :-1]), keys[:, 1:].float())
        loss.backward()
        music.give_back(i)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        log["loss"] = loss.detach()
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.healthy(allowed=("stretched",))
def healthy_orchards_looked_over(variant):
    """What grows where is found in pictures of orchards by two graphs in turns, 5 ms a step. Pictures come ahead in a
    stream of their own, what was found leaves in another one, and the host looks at that of the step before."""
    torch.manual_seed(18)
    orchards = Orchards()
    return giving(orchards.step, orchards.found.result)


if __name__ == "__main__":
    sys.exit(main(pairs))
