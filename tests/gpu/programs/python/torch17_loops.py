#!/usr/bin/env python3
"""A seventeenth set of loops in PyTorch: training of several kinds of models. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch17_parts import (BF16, Ahead, Cleaner, Histories, Late, Learner, Reel, Relations, Shop, Speaker, Stereo,
                           Watcher, Words, classes, dense, dice, organs_network, pinned)
from torch_loops import main

pairs = loop_runner.Pairs("torch17")


@pairs.pair("pageable", allowed=("stretched",))
def spoken_clips_in_plain_memory(variant):
    """Who speaks is learned of 128 clips of sound, 25 MB, which come a step ahead of 4 ms of work. They lie in ordinary
    memory, and the host is held for 2.5 to 5 ms; mended, in pinned memory. 35 to 55 %."""
    torch.manual_seed(17)
    clips = [torch.randn(128, 240, 400, device="cuda", dtype=BF16) for _ in range(3)]
    clips = Ahead([clip.cpu() if variant == "bad" else pinned(clip) for clip in clips])
    model, speakers, late, log = dense(400, 512, 2048, 2048, 2048, 16), classes(128), Late(), {}
    learner = Learner(model.parameters())

    def step(i):
        log["loss"] = learner.go(F.cross_entropy(model(clips.take(i)).mean(1).float(), speakers))
        clips.give_back(i)
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("same-stream", allowed=("stretched",))
def depth_of_stereo_in_one_stream(variant):
    """Pairs of pictures, 13 MB, come, how far things are is found in 5.5 ms, and that, 8 MB, leaves. All is in one
    stream; mended, copies in and out have streams of their own. The buffers are two of each anyway. 5 to 9 %."""
    torch.manual_seed(17)
    stereo = Stereo(variant == "mended")
    return giving(stereo.step, stereo.result)


@pairs.pair("head-of-line", allowed=("stretched",))
def visits_behind_table_of_wares(variant):
    """What is bought in a shop is learned, six small batches of 1.1 ms for an update. A batch, 4 MB, comes one ahead,
    but behind the 168 MB of the table for the next update, 3.4 ms in one copy; mended, the table comes in six pieces
    between the batches. 15 to 28 %."""
    torch.manual_seed(17)
    shop, late = Shop(variant == "mended"), Late()

    def step(i):
        shop.step(i)
        late.look(i, shop.loss)
    return giving(step, lambda: shop.loss)


@pairs.pair("readback", allowed=("launch-bound",))
def organs_counted_in_mask(variant):
    """Organs are found in scans, 5 ms a step. one_hot() is not told how many there are, and reads the largest one of
    the mask from the device between the network and the loss, which has many small kernels; mended, it is told.
    4 to 10 %."""
    torch.manual_seed(17)
    model, late, log, count = organs_network(12), Late(), {}, 12
    scans = torch.randn(32, 3, 256, 256, device="cuda", dtype=BF16).to(memory_format=torch.channels_last)
    mask, learner = classes(32 * 64 * 64, count).view(32, 64, 64), Learner(model.parameters())

    def step(i):
        found = model(scans)
        log["loss"] = learner.go(dice(found, mask, -1 if variant == "bad" else count))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("allocation", allowed=("stretched",))
def videos_registered_for_each_copy(variant):
    """What is done in videos is learned, 4 ms a step. Their pages, 17 MB, are pinned for the copy of a batch, and let
    go behind it, 4 to 7 ms of the host; mended, all pages are pinned once at the beginning. 20 to 55 %."""
    torch.manual_seed(17)
    reel, model, late, log = Reel(8, 1 << 24, variant == "mended"), Watcher(), Late(), {}
    learner, done = Learner(model.parameters()), classes(64)

    def step(i):
        x = reel.take(i).view(64, 256, 1024).to(BF16) / 255
        reel.give_back(i)
        log["loss"] = learner.go(F.cross_entropy(model(x), done))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"], reel.close)


@pairs.pair("event-order", allowed=("stretched",))
def histories_pulled_after_newest_push(variant):
    """Subjects of papers are learned, a part of the graph of four a step, 4.5 ms. What was last found of the papers of
    the next part, 42 MB, is pulled behind the newest push, 42 MB too, of another part; mended, behind the push of its
    own part, three steps ago. 18 to 32 %."""
    torch.manual_seed(17)
    histories, late, log = Histories(variant == "mended"), Late(), {}

    def step(i):
        log["loss"] = histories.step(i)
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("launch-bound python", remedy="launch-bound python host-late", allowed=("launch-bound",))
def relations_one_by_one(variant):
    """What things are is learned from 96 relations between them. Each relation has its own product and sum, about 500
    kernels of 2 to 4 us with the way back, and the host needs 7 to 9 ms; mended, one product of all, and the device
    needs 4.5 ms. 35 to 55 %."""
    torch.manual_seed(17)
    model, late, log = Relations(variant == "mended"), Late(), {}
    learner, kinds = Learner(model.parameters()), classes(Relations.things)

    def step(i):
        log["loss"] = learner.go(F.cross_entropy(model(), kinds))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("small-copies", allowed=("launch-bound",))
def features_of_clicks_column_by_column(variant):
    """Clicks are learned from 96 features of 8192 shown things, 4.5 ms a step. The numbers of each feature, 33 KB, are
    a copy of 2.5 to 3 us of its own; mended, one copy of the 3 MB, which lie together on both sides. 4 to 7 %."""
    torch.manual_seed(17)
    begin = torch.arange(96, device="cuda", dtype=torch.int32)[:, None] * 20_000
    shown = [pinned(torch.randint(20_000, (96, 8192), device="cuda", dtype=torch.int32) + begin) for _ in range(3)]
    ids = torch.zeros(96, 8192, device="cuda", dtype=torch.int32)
    table = torch.randn(96 * 20_000, 16, device="cuda", dtype=BF16)
    model, clicked = dense(1536, 4096, 4096, 4096, 1), torch.rand(8192, device="cuda").round()
    learner, late, log = Learner(model.parameters()), Late(), {}

    def step(i):
        if variant == "bad":
            for column, numbers in zip(ids, shown[i % 3]):
                column.copy_(numbers, non_blocking=True)
        else:
            ids.copy_(shown[i % 3], non_blocking=True)
        x = F.embedding(ids, table).transpose(0, 1).reshape(8192, 1536)
        log["loss"] = learner.go(F.binary_cross_entropy_with_logits(model(x).flatten().float(), clicked))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.pair("python host-late", allowed=("stretched",))
def pieces_of_words_hashed_again(variant):
    """Kinds of words are learned from their pieces, 4.3 ms a step. The pieces of 4096 words are hashed in Python for
    each batch, 5 to 8 ms; mended, those of all words once before, and looked up. 30 to 55 %."""
    torch.manual_seed(17)
    model, kinds, late, log = Words(variant == "mended"), classes(4096), Late(), {}
    learner = Learner(model.parameters())

    def step(i):
        log["loss"] = learner.go(F.cross_entropy(model(i), kinds))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_next_words_learned(variant):
    """A transformer learns the next of 16384 tokens, 10 ms a step. They come a step ahead, a mean of the weights
    follows, and the loss is looked at a step later."""
    torch.manual_seed(17)
    tokens = Ahead([pinned(torch.randint(8192, (32, 513), device="cuda")) for _ in range(4)])
    model, late, log = Speaker(), Late(), {}
    learner = Learner(model.parameters())
    means = [w.detach().clone() for w in learner.parameters]

    def step(i):
        text = tokens.take(i)
        said = model(text[:, :-1])
        log["loss"] = learner.go(F.cross_entropy(said.flatten(0, 1), text[:, 1:].flatten()))
        tokens.give_back(i)
        with torch.no_grad():
            torch._foreach_lerp_(means, learner.parameters, 0.01)
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


@pairs.healthy(allowed=("stretched",))
def healthy_noise_taken_out(variant):
    """Noise is taken out of sound, 5 ms a step, by two graphs in turns. Sound comes ahead in a stream of its own, and
    leaves in another one; the host looks at what left a step before."""
    torch.manual_seed(17)
    return Cleaner().step


if __name__ == "__main__":
    sys.exit(main(pairs))
