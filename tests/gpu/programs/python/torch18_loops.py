#!/usr/bin/env python3
"""An eighteenth set of loops in PyTorch: training of several kinds of models. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch17_parts import Ahead, Late, Learner, classes, pinned
from torch18_parts import Hindsight, Listener, Mender, Shelf, Texts, sight, whitened
from torch_loops import main
from torch_parts import BF16, Collector, Loader, as_graph

pairs = loop_runner.Pairs("torch18")


@pairs.pair("event-order", allowed=("stretched",))
def shelf_awaited_before_visits_are_read(variant):
    """What users take of a shelf is learned, 9 ms a step. The wares, 88 MB, 1.8 ms, come while the visits are read, but
    the kernels wait for them before that; mended, before the scores, which need them first. 12 to 20 %."""
    torch.manual_seed(18)
    shelf, late, log = Shelf(variant == "bad"), Late(), {}

    def step(i):
        log["loss"] = shelf.step(i)
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("readback", allowed=("launch-bound",))
def views_whitened_under_check(variant):
    """Two views of each picture shall look the same once they are white, 4.5 ms a step. cholesky() reads from the
    device whether it went well, between the network and many small kernels; mended, cholesky_ex() does not.
    4 to 10 %."""
    torch.manual_seed(18)
    model, late, log = sight(3, 32), Late(), {}
    learner = Learner(model.parameters())
    pictures = torch.randn(112, 3, 96, 96, device="cuda", dtype=BF16)
    noise = torch.randn(2, 112, 3, 96, 96, device="cuda", dtype=BF16) / 2
    views = (pictures + noise).flatten(0, 1).contiguous(memory_format=torch.channels_last)

    def step(i):
        one, other = whitened(model(views).float().view(2, 112, 32), variant == "bad")
        log["loss"] = learner.go(F.mse_loss(one, other))
        late.look(i, log["loss"])
    return giving(step, lambda: model[-1].weight.float().norm())


@pairs.pair("data-loading host-late python", allowed=("launch-bound",))
def texts_blotted_and_packed_in_loop(variant):
    """Words that were taken out of texts are to be said, 5 ms a step. Numpy takes them out, some 250 documents a batch,
    6 to 10 ms in the loop; mended, in four workers of the loader, which take turns. 35 to 55 %."""
    torch.manual_seed(18)
    model, texts, late, log = Mender(), Loader(Texts(), 4 if variant == "mended" else 0, batch_size=None), Late(), {}
    learner = Learner(model.parameters())

    def step(i):
        text, truth = [part.to("cuda", non_blocking=True) for part in texts.next()]
        log["loss"] = learner.go(F.cross_entropy(model(text), truth.flatten()))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"], texts.close)


@pairs.pair("host-sync", allowed=("stretched",))
def graph_of_arm_waited_for(variant):
    """An arm learns in a graph, 6 ms a step, from moments with goals that numpy chooses, 1.2 to 2 ms. The host waits
    for the graph before it chooses the next ones; mended, not: two places and the stream keep the order. 14 to 25 %."""
    torch.manual_seed(18)
    arm = Hindsight(variant == "bad")
    return giving(arm.step, lambda: arm.loss)


@pairs.pair("same-stream", allowed=("stretched",))
def frames_heard_leave_in_line(variant):
    """Clusters of hidden sound are learned, 6.5 ms a step, and what is heard in a layer below, 25 MB, 0.5 ms, leaves to
    find the next clusters. It leaves in the stream of the kernels; mended, in a stream of its own. 5 to 9 %."""
    torch.manual_seed(18)
    sounds = Ahead([pinned(torch.randn(24, 512, 400, device="cuda", dtype=BF16)) for _ in range(3)])
    model, clusters, late, log = Listener(), classes(24 * 512, 512), Late(), {}
    learner, kept = Learner(model.parameters()), Collector((24, 512, 1024), side_stream=variant == "mended")

    def step(i):
        heard, told = model(sounds.take(i))
        kept.take(i, heard.detach())
        log["loss"] = learner.go(F.cross_entropy(told, clusters))
        sounds.give_back(i)
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_seeds_sorted(variant):
    """Pictures of seeds come a step ahead in a stream of their own. A graph says what the mean of the weights makes of
    them, and a network learns to say the same of blurred ones, 6 ms; the loss is looked at a step later."""
    torch.manual_seed(18)
    seeds = Ahead([pinned(torch.randint(256, (128, 3, 128, 128), device="cuda", dtype=torch.uint8))
                   for _ in range(4)])
    model, mean, late, log = sight(3, 64), sight(3, 64).requires_grad_(False), Late(), {}
    mean.load_state_dict(model.state_dict())
    learner, means = Learner(model.parameters()), list(mean.parameters())
    clear = torch.zeros(128, 3, 128, 128, device="cuda", dtype=BF16).contiguous(memory_format=torch.channels_last)
    meant = torch.zeros(128, 64, device="cuda")

    def say(place):
        with torch.no_grad():
            clear.copy_(place).div_(255)
            meant.copy_(mean(clear).float().softmax(1))
    graphs = [as_graph(lambda place=place: say(place)) for place in seeds.places]

    def step(i):
        seeds.take(i)
        graphs[i % 2].replay()
        seeds.give_back(i)
        blurred = F.avg_pool2d(clear, 3, 1, 1)
        log["loss"] = learner.go(F.cross_entropy(model(blurred).float(), meant))
        with torch.no_grad():
            torch._foreach_lerp_(means, learner.parameters, 0.01)
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


if __name__ == "__main__":
    sys.exit(main(pairs))
