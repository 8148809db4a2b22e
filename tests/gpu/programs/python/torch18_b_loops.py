#!/usr/bin/env python3
"""A part of the eighteenth set of loops in PyTorch: serving and inference. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch

import loop_runner
from loop_runner import giving
from torch16_parts import Grabbed, ordinary_stream
from torch17_parts import BF16, Ahead, Late, dense, pinned, two_events
from torch18_b_parts import Faces, Passages, Shelves, Writer
from torch_loops import main
from torch_parts import Delayed

pairs = loop_runner.Pairs("torch18_b")


@pairs.pair("null-stream", allowed=("stretched",))
def films_ranked_in_default_stream(variant):
    """Features of 16384 films, 42 MB, 0.85 ms, come a step ahead of 2.3 ms of ranking, in the ordinary stream of the
    client of a store. The ranking is in the default stream, and both wait for each other; mended, it has a stream of
    its own. 20 to 30 %."""
    torch.manual_seed(18)
    model, log = dense(1280, 4096, 4096, 4096, 1).requires_grad_(False), {}
    films = [pinned(torch.randn(16384, 1280, device="cuda", dtype=BF16)) for _ in range(3)]
    films, late = Grabbed(films, ordinary_stream()), Late()
    ranking = torch.cuda.default_stream() if variant == "bad" else torch.cuda.Stream()

    def step(i):
        with torch.cuda.stream(ranking):
            scores = model(films.take(i)).float().sigmoid()
            films.give_back(i)
            log["scores"] = scores.square().mean()
            late.look(i, log["scores"])
    return giving(step, lambda: log["scores"])


@pairs.pair("pageable", allowed=("stretched",))
def vectors_of_words_into_plain_index(variant):
    """A generator gives the vectors of all words of 512 passages, 5 ms a step. They leave, 17 MB, for an index in
    ordinary memory, and the host is held for the work and 2 to 3.5 ms more; mended, the index is pinned. 25 to 40 %."""
    torch.manual_seed(18)
    passages, seen = Passages(variant == "mended"), {}
    parts = passages.finished()

    def step(i):
        seen["first"] = float(next(parts)[0, 0, 0])
    return giving(step, lambda: passages.index[:2].float().abs().mean())


@pairs.pair("small-copies", allowed=("launch-bound",))
def auctions_answered_one_by_one(variant):
    """192 auctions of 256 advertisements each get their four chances in 6 ms. What each auction gets, 4 KB, leaves in a
    copy of 2.5 to 3 us of its own; mended, in one copy of 0.8 MB, as it lies together on both sides. 5 to 9 %."""
    torch.manual_seed(18)
    shown = Ahead([pinned(torch.randn(192 * 256, 512, device="cuda", dtype=BF16)) for _ in range(2)])
    model, log = dense(512, *9 * [2048], 4).requires_grad_(False), {}
    answers, done = [torch.zeros(192, 256, 4).pin_memory() for _ in range(2)], two_events()

    def step(i):
        slot = i % 2
        chances = model(shown.take(i)).float().sigmoid().view(192, 256, 4)
        shown.give_back(i)
        if variant == "bad":
            for answer, found in zip(answers[slot], chances):
                answer.copy_(found, non_blocking=True)
        else:
            answers[slot].copy_(chances, non_blocking=True)
        done[slot].record()
        done[1 - slot].synchronize()
        log["click"] = float(answers[1 - slot][0, 0, 0])
    return giving(step, lambda: answers[0].mean() + answers[1].mean())


@pairs.pair("python host-late", allowed=("stretched", "launch-bound"))
def best_of_shelves_merged_by_heap(variant):
    """Wares are found for 64 users, 4 ms a step. The best of each of eight shelves are merged by a heap in Python, 6 to
    9 ms; mended, on the device, and only the best of all leave. 30 to 55 %."""
    torch.manual_seed(18)
    shelves = Shelves(variant == "bad")
    return giving(shelves.step, shelves.result)


@pairs.pair("event-order", allowed=("stretched",))
def sound_held_till_words_are_written(variant):
    """Sound of 128 speakers, 20 MB, 0.4 ms, is heard in 0.8 ms, and 32 words are written in 4.5 ms. The next sound waits
    for an event behind the last word; mended, behind the hearing, which alone reads it. 5 to 9 %."""
    torch.manual_seed(18)
    writer, late, log = Writer(variant == "mended"), Delayed((Writer.words, Writer.rows), torch.long), {}

    def step(i):
        log["word"] = int(late.exchange(i, writer.step(i))[-1, 0])
    return giving(step, lambda: writer.last.float().abs().mean())


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_faces_searched(variant):
    """Who of 262144 known people is nearest to each of 4096 faces is found by two graphs in turns, 3.5 ms a step. Faces
    come ahead in a stream of their own, answers leave in another one, and the host looks at those of the step before."""
    torch.manual_seed(18)
    return Faces().step


if __name__ == "__main__":
    sys.exit(main(pairs))
