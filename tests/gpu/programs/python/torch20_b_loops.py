#!/usr/bin/env python3
"""A part of the twentieth set of loops in PyTorch: services that answer people. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn as nn

import loop_runner
from loop_runner import giving
from torch17_parts import Block, dense, pinned
from torch20_b_parts import Archive, Finder, Interpreter, Moderator, Speaker
from torch_loops import main
from torch_parts import BF16, Delayed

pairs = loop_runner.Pairs("torch20_b")


@pairs.pair("readback", allowed=("launch-bound",))
def language_of_paragraph_read_by_host(variant):
    """Six paragraphs are translated, 6.5 ms a step. The host reads the language of each to choose what was learned of
    it; mended, the device takes it by an index. 4 to 9 %."""
    torch.manual_seed(20)
    interpreter = Interpreter(variant == "mended")
    return giving(interpreter.step, lambda: interpreter.said.float().norm())


@pairs.pair("event-order", allowed=("stretched",))
def blurred_posts_leave_behind_verdict(variant):
    """Posts are judged, 3.6 ms a step. Blurred pictures, 57 MB, 1.1 ms, leave behind an event at the end of the step,
    and the next blur waits for that; mended, the event is recorded right behind the blur. 15 to 27 %."""
    torch.manual_seed(20)
    moderator = Moderator(variant == "bad")
    return giving(moderator.step, lambda: moderator.verdicts.collector.host[0].float().norm())


@pairs.pair("head-of-line", allowed=("stretched",))
def words_behind_cleaned_pages(variant):
    """40 pages are read, 9 ms a step. What was read in two pages, 2 MB, leaves behind all cleaned pages, 168 MB in one
    copy, 3.4 ms; mended, these leave in 20 pieces. 15 to 28 %."""
    torch.manual_seed(20)
    archive = Archive(variant == "mended")
    return giving(archive.step, archive.result)


@pairs.pair("small-copies", allowed=("launch-bound", "same-stream"))
def microphones_come_one_by_one(variant):
    """Commands are heard in the sound of 256 microphones, 6.5 ms a step. The sound of each, 8 KB, comes in a copy of
    its own; mended, all in one copy. 4 to 10 %."""
    torch.manual_seed(20)
    rings = pinned(torch.randint(-9000, 9000, (4, 256, 4096), device="cuda", dtype=torch.int16))
    sound = torch.zeros(256, 4096, device="cuda", dtype=torch.int16)
    model = nn.Sequential(dense(64, 1024), *[Block(1024, 16, True) for _ in range(6)], dense(1024, 32))
    commands = Delayed((256, 32), BF16)

    @torch.no_grad()
    def step(i):
        if variant == "mended":
            sound.copy_(rings[i % 4], non_blocking=True)
        else:
            for place, ring in zip(sound, rings[i % 4]):
                place.copy_(ring, non_blocking=True)
        frames = sound.to(BF16).div_(9000).view(256, 64, 64)
        commands.exchange(i, model(frames).mean(1))
    return giving(step, lambda: commands.collector.host[0].float().norm())


@pairs.pair("data-loading", allowed=("stretched",))
def photographs_unpacked_without_workers(variant):
    """Wares are found by photographs, 4.5 ms a step. The loader unpacks these in the thread of the loop, 5 to 8 ms;
    mended, it has four workers. 30 to 55 %."""
    torch.manual_seed(20)
    finder = Finder(4 if variant == "mended" else 0)
    return giving(finder.step, finder.result, finder.loader.close)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_questions_get_spoken_answers(variant):
    """Questions are heard and answers spoken in a graph, 6.5 ms a step. Questions come ahead and answers leave, each in
    a stream of its own with two places."""
    torch.manual_seed(20)
    speaker = Speaker()
    return giving(speaker.step, lambda: speaker.answers.host[0].float().norm())


if __name__ == "__main__":
    sys.exit(main(pairs))
