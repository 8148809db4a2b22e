#!/usr/bin/env python3
"""Set e of the nineteenth loops in PyTorch: speech, image editing, finance, remote sensing, games, graph networks. See
loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch17_parts import Ahead, Late, Learner, classes, pinned
from torch19_e_parts import Arena, Citations, Darkroom, Dictation, Lookback, land
from torch_loops import main
from torch_parts import BF16

pairs = loop_runner.Pairs("torch19_e")


@pairs.pair("pageable", allowed=("stretched",))
def dictation_cut_by_thread_to_plain_memory(variant):
    """Hidden sound is learned in a graph, 8 ms a step. A thread cuts it, 21 MB, into plain memory, which takes 3 ms to
    copy while the host stands; mended, into pinned memory. 22 to 38 %."""
    torch.manual_seed(19)
    dictation = Dictation(variant == "mended")
    return giving(dictation.step, lambda: dictation.loss, dictation.sound.close)


@pairs.pair("too-few-streams", allowed=("stretched",))
def photographs_edited_in_two_lanes(variant):
    """Photographs come, 2 ms, get a look from a graph, 2.2 ms, and leave, 2 ms, in two streams in turn: 3.1 ms each;
    mended, in four streams, as long as the looks take. 18 to 32 %."""
    torch.manual_seed(19)
    room = Darkroom(2 if variant == "bad" else 4)
    return giving(room.step, room.result)


@pairs.pair("priority", allowed=("stretched",))
def quotes_wait_for_urgent_paths(variant):
    """Paths are valued by large kernels, 6 ms, while a graph of 600 small ones reads quotes, 1.5 ms, and both meet each
    step. The paths have the higher priority, so the graph comes behind; mended, the graph has it. 12 to 20 %."""
    torch.manual_seed(19)
    desk = Lookback(variant == "bad")
    return giving(desk.step, lambda: desk.price)


@pairs.pair("readback", allowed=("stretched",))
def norms_of_land_ask_for_their_count(variant):
    """What land is used for is learned, 8 ms a step. Each of 7 norms keeps a plain mean and so reads from the device
    how many batches there were; mended, that count is kept on the host. 4 to 10 %."""
    torch.manual_seed(19)
    model, late, log = land(variant == "mended"), Late(), {}
    learner, uses = Learner(model.parameters()), classes(128)
    pictures = Ahead([pinned(torch.randint(4000, (128, 13, 128, 128), dtype=torch.int16, device="cuda"))
                      for _ in range(3)])

    def step(i):
        x = pictures.take(i).to(BF16, memory_format=torch.channels_last).div_(4000)
        pictures.give_back(i)
        log["loss"] = learner.go(F.cross_entropy(model(x).float(), uses))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("event-order", allowed=("stretched",))
def boards_wait_for_answers_of_others(variant):
    """Two groups of games take turns, 5 ms each. The boards of one, 0.12 ms, wait until the answers for the other,
    0.25 ms, have left; mended, only for answers of their own group, which they need. 6 to 10 %."""
    torch.manual_seed(19)
    arena = Arena(variant == "bad")
    return giving(arena.step, arena.result)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_subjects_of_papers(variant):
    """A thread draws which papers are cited, that comes a step ahead in a stream of its own, and a network learns from
    their words, 5.5 ms; the loss is looked at a step later."""
    torch.manual_seed(19)
    citations = Citations()
    return giving(citations.step, lambda: citations.loss, citations.drawn.close)


if __name__ == "__main__":
    sys.exit(main(pairs))
