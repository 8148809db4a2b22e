#!/usr/bin/env python3
"""A fifth part of the eighteenth set of loops in PyTorch: robots, medicine, speech, games, maps and sport. See
loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch17_parts import Ahead, Late, Learner, classes, dense, pinned
from torch18_e_parts import Dreams, Grasps, Hex, Match, Relief, Runners, Utterances, Ward, hex_network
from torch_loops import main
from torch_parts import BF16, Loader

pairs = loop_runner.Pairs("torch18_e")


@pairs.pair("head-of-line", allowed=("stretched",))
def hearts_behind_scan(variant):
    """Hearts of a ward are listened to, eight batches of 0.8 ms and 8 MB, which come one ahead, but behind the next
    scan, 168 MB, 3.4 ms in one copy; mended, it comes in eight pieces between the batches. 15 to 26 %."""
    torch.manual_seed(18)
    ward, late = Ward(variant == "mended"), Late()

    def step(i):
        ward.step(i)
        late.look(i, ward.found)
    return giving(step, lambda: ward.found)


@pairs.pair("host-sync", allowed=("stretched",))
def cameras_of_match_joined_by_host(variant):
    """Two cameras are told of in two streams, 5 ms, and joined in 1 ms; numpy needs 2 to 2.5 ms for the next shaking.
    The host waits for both streams before the joining; mended, the stream of the joining does. 14 to 28 %."""
    torch.manual_seed(18)
    match, late = Match(variant == "bad"), Late()

    def step(i):
        match.step(i)
        late.look(i, match.where)
    return giving(step, lambda: match.where)


@pairs.pair("event-order", allowed=("stretched",))
def ground_leaves_behind_rivers(variant):
    """The ground is told of tiles in 0.9 ms, and rivers are found from it in 4 ms. It leaves, 69 MB, 1.3 ms, behind an
    event after the rivers, and the next ground needs its place; mended, behind its own event. 5 to 10 %."""
    torch.manual_seed(18)
    relief = Relief(variant == "bad")
    return giving(relief.step, relief.result)


@pairs.pair("data-loading host-late python", allowed=("launch-bound",))
def positions_of_hex_replayed_in_loop(variant):
    """Moves of Hex are learned, 6 ms a step. The games are replayed to 256 positions by the loader in the process of
    the loop, 9 to 15 ms; mended, by six workers of it. 35 to 60 %."""
    torch.manual_seed(18)
    positions = Loader(Hex(), 6 if variant == "mended" else 0, batch_size=256)
    model, late, log = hex_network(), Late(), {}
    learner = Learner(model.parameters())

    def step(i):
        planes, moves = [part.to("cuda", non_blocking=True) for part in positions.next()]
        said = model(planes.to(BF16, memory_format=torch.channels_last))
        log["loss"] = learner.go(F.cross_entropy(said.float(), moves))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"], positions.close)


@pairs.pair("pageable", allowed=("stretched",))
def utterances_stacked_to_plain_batch(variant):
    """Sounds of speech are learned, 4.5 ms a step. The clips are pinned, but the batch that stack() makes of them, 8
    MB, is not, and its copy holds the host for 0.9 to 1.6 ms; mended, stack() writes to pinned places. 15 to 28 %."""
    torch.manual_seed(18)
    clips = Utterances(pinned(torch.randn(256, 160, 400, device="cuda", dtype=BF16)), 64, variant == "mended")
    model, sounds, late, log = dense(400, 4096, 4096, 4096, 512), classes(64 * 160, 512), Late(), {}
    learner = Learner(model.parameters())

    def step(i):
        said = model(clips.take(i)).flatten(0, 1).float()
        log["loss"] = learner.go(F.cross_entropy(said, sounds))
        clips.give_back(i)
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("allocation device-barrier", allowed=("stretched",))
def workspace_of_grasps_asked_each_time(variant):
    """Grasps come a step ahead and are judged in 8.3 ms. The library allocates the 201 MB that it works in for each
    call, and frees them behind it, which waits for the device; mended, it keeps them. 5 to 12 %."""
    torch.manual_seed(18)
    hands = Ahead([pinned(torch.randn(Grasps.rows, Grasps.width, device="cuda")) for _ in range(2)])
    grasps, late, log = Grasps(variant == "mended"), Late(), {}

    def step(i):
        log["worth"] = grasps.judge(hands.take(i))
        hands.give_back(i)
        late.look(i, log["worth"])
    return giving(step, lambda: log["worth"], grasps.close)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_runners_followed(variant):
    """The joints of runners are found by two graphs in turns, 5 ms a step. Pictures come ahead in a stream of their
    own, heat maps leave in another one, and the host looks at those of the step before."""
    torch.manual_seed(18)
    runners = Runners()
    return giving(runners.step, lambda: runners.joints.mean())


@pairs.healthy(allowed=("stretched",))
def healthy_robots_dream(variant):
    """Robots learn what they will see next, by two graphs in turns, 6 ms a step. What they saw comes a step ahead in a
    stream of its own, and the loss is looked at a step later."""
    torch.manual_seed(18)
    dreams, late = Dreams(), Late()

    def step(i):
        dreams.step(i)
        late.look(i, dreams.loss)
    return giving(step, lambda: dreams.loss)


if __name__ == "__main__":
    sys.exit(main(pairs))
