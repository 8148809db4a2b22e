#!/usr/bin/env python3
"""A twelfth set of loops in PyTorch, continued in torch12_more_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch12_parts import Anchors, Fetched, Flow, Games, Learner, Leaving, Letters, Reviews
from torch2_parts import BF16, Update, class_loss, encoder, images, unet
from torch_loops import main
from torch_parts import Delayed, as_graph, labels, network

pairs = loop_runner.Pairs("torch12")


@pairs.pair("python host-late pageable data-loading host-sync", allowed=("launch-bound",))
def games_gathered_by_lists(variant):
    """A network learns three times a step from 1024 of 20000 kept moves of a game. They are taken from a list, move by
    move, and become five tensors; mended, the moves are kept on the device. 30 to 65 %."""
    torch.manual_seed(12)
    games, learner, seen = Games(20000, 128, variant == "mended"), Learner(128, 4096, 5), {}
    update = Update(learner.model)
    chosen = [torch.randint(0, 20000, (1024,)) for _ in range(8)]
    known = [c.to("cuda") if variant == "mended" else c.tolist() for c in chosen]

    def step(i):
        for number in range(3 * i, 3 * i + 3):
            some = known[number % 8]
            moves = games.from_tensors(some) if variant == "mended" else games.from_list(some)
            seen["loss"] = update.backward(learner.loss(*moves))
            update.step()
    return giving(step, lambda: seen["loss"])


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def anchors_chosen_by_mask(variant):
    """A network finds things in pictures, five levels. The anchors near something are chosen by a mask, and so the host
    reads how many there are; mended, those that aren't count nothing. 4 to 18 %."""
    torch.manual_seed(12)
    model, pictures, seen = Anchors(128), images(64, 3, 128), {}
    update, counts = Update(model), [9 * size * size for size in (64, 32, 16, 8, 4)]
    overlaps = [torch.rand(64, count, device="cuda") for count in counts]
    wanted = [torch.randn(64, count, 4, device="cuda") for count in counts]

    def error(found, overlap, values):
        near = overlap > 0.99
        if variant == "bad":
            return F.smooth_l1_loss(found[near].float(), values[near], reduction="sum")
        return (F.smooth_l1_loss(found.float(), values, reduction="none").sum(2) * near).sum()

    def step(i):
        errors = [error(*level) for level in zip(model(pictures), overlaps, wanted)]
        seen["loss"] = update.backward(torch.stack(errors).sum() / 30000)
        update.step()
    return giving(step, lambda: seen["loss"])


@pairs.pair("pageable host-sync", allowed=("launch-bound",))
def previews_shown_each_move(variant):
    """Pictures by six moves of a sampler. What there is after each one is shown, 1.6 MB: by .cpu(); mended, it goes
    to pinned memory, two slots, and is shown a move later. 12 to 35 %."""
    torch.manual_seed(12)
    model, noise, seen = unet(4, 4, (128, 256, 512)).requires_grad_(False), images(32, 4, 64), {"shown": 0}
    late = Delayed((32, 3, 128, 128), torch.uint8)

    @torch.no_grad()
    def step(i):
        x = noise
        for number in range(6 * i, 6 * i + 6):
            x = x - 0.1 * model(x)
            larger = F.interpolate(x[:, :3], scale_factor=2)
            preview = ((larger + 1) * 127).clamp(0, 255).to(torch.uint8).contiguous()
            shown = preview.cpu() if variant == "bad" else late.exchange(number, preview)
            seen["shown"] += int(shown[0, 0, 0, 0])
        seen["picture"] = x
    return giving(step, lambda: size_of(seen["picture"]))


@pairs.pair("python host-late host-sync pageable readback")
def letters_put_together_while_idle(variant):
    """32 talks of 512 moments become letters; those said twice in a row are one. The host puts the words together and
    then gives the next talks; mended, it does so while the device works on the next. 15 to 45 %."""
    torch.manual_seed(12)
    model, talks, seen = Letters(1024, 16, 4), torch.randn(32, 512, 80, device="cuda", dtype=BF16), {}
    late = Delayed((32, 512), torch.long)

    def together(rows):
        words = []
        for row in rows:
            last, word = 0, []
            for letter in row:
                if letter != last and letter != 0:
                    word.append(chr(32 + letter))
                last = letter
            words.append("".join(word))
        return words

    @torch.no_grad()
    def step(i):
        seen["letters"] = model(talks)
        best = seen["letters"].argmax(2)
        seen["words"] = together((best if variant == "bad" else late.exchange(i, best) % 64).tolist())
    return giving(step, lambda: size_of(seen["letters"]))


@pairs.pair("launch-bound python host-late", allowed=("launch-bound", "python"))
def adam_goes_weight_by_weight(variant):
    """A network of 12 layers for pictures of 64 patches learns. The optimizer changes 146 weights by some operations
    each, or all by a fused kernel. 25 to 60 %."""
    torch.manual_seed(12)
    body, head = encoder(384, 6, 12), nn.Linear(384, 16, device="cuda", dtype=BF16)
    weights = [*body.parameters(), *head.parameters()]
    how = {"foreach": False} if variant == "bad" else {"fused": True}
    update = Update(body, torch.optim.Adam(weights, lr=1e-5, **how))
    x, y, seen = torch.randn(128, 64, 384, device="cuda", dtype=BF16), labels(128), {}

    def step(i):
        seen["loss"] = update.backward(class_loss(head(body(x).mean(1)), y))
        update.step()
    return giving(step, lambda: seen["loss"])


@pairs.pair("launch-bound python host-late")
def points_go_op_by_op(variant):
    """1024 points follow a flow twice a step: 24 moments of four looks at a small network, operation by operation, or
    as a graph. 40 to 75 %."""
    torch.manual_seed(12)
    flow = Flow(1024, 256, 24)
    go = as_graph(flow.go).replay if variant == "mended" else flow.go
    flow.back()

    def step(i):
        go()
        go()
    return giving(step, lambda: size_of(flow.state))


@pairs.pair("pageable host-sync", allowed=("same-stream",))
def tiles_in_ordinary_memory(variant):
    """Tiles of 12 bands as the satellite sent them, 50 MB a step, go to the device: from ordinary memory, or from
    memory that was pinned when they were read. 18 to 50 %."""
    torch.manual_seed(12)
    model, seen = unet(12, 16, (64, 128, 256)).requires_grad_(False), {}
    first = torch.randint(0, 4000, (32, 12, 256, 256), dtype=torch.int16)
    tiles = [first, first.roll(1, 0)]
    if variant == "mended":
        tiles = [tile.pin_memory() for tile in tiles]

    @torch.no_grad()
    def step(i):
        x = tiles[i % 2].to("cuda", non_blocking=True).to(BF16) / 2000 - 1
        seen["fields"] = model(x.contiguous(memory_format=torch.channels_last))
    return giving(step, lambda: size_of(seen["fields"]))


@pairs.pair("same-stream", allowed=("stretched",))
def layers_fetched_when_needed(variant):
    """A text goes through six layers whose weights lie in pinned memory, 57 MB each. They come in the stream of the
    kernels, when their layer is next; mended, beside the layer before. 25 to 48 %."""
    torch.manual_seed(12)
    layers, seen = Fetched(6, 1536, 12, variant == "mended"), {}
    texts = torch.randn(16, 512, 1536, device="cuda", dtype=BF16)

    def step(i):
        seen["known"] = layers.through(i, texts)
    return giving(step, lambda: size_of(seen["known"]))


@pairs.pair("event-order", allowed=("stretched",))
def slopes_leave_after_the_last(variant):
    """The slopes of eight weights, 33 MB each, go to pinned memory in a stream of their own, and are made zero before
    the next step. They wait for an event behind the last of them; mended, each for its own. 18 to 38 %."""
    torch.manual_seed(12)
    model, x, y, seen = network(4096, 4096, 8), torch.randn(6144, 4096, device="cuda", dtype=BF16), labels(6144), {}
    weights = [layer.weight for layer in model.requires_grad_(False) if isinstance(layer, nn.Linear)][:8]
    slopes = Leaving([w.requires_grad_() for w in weights], variant == "mended")

    def step(i):
        slopes.begin()
        loss = class_loss(model(x), y)
        loss.backward()
        slopes.end()
        seen["loss"] = loss.detach()
    return giving(step, lambda: seen["loss"] + size_of(slopes.host[0]).cuda())


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def lengths_read_from_device(variant):
    """Four times a step 256 texts are judged by an LSTM. How long each is came to the device with its words, and the
    host, which has to know, reads it; mended, the host keeps it. 3 to 14 %."""
    torch.manual_seed(12)
    model, words = Reviews(1024), torch.randn(4, 256, 96, 256, device="cuda", dtype=torch.half)
    kept = [torch.linspace(96, 24 + 8 * n, 256).long() for n in range(4)]
    sent, seen = [lengths.to("cuda") for lengths in kept], {}

    @torch.no_grad()
    def step(i):
        for n in range(4):
            lengths = sent[n].cpu() if variant == "bad" else kept[n]
            seen["classes"] = model(words[n], lengths)
    return giving(step, lambda: size_of(seen["classes"]))


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_layers_at_link_speed(variant):
    """A short text goes through six layers whose weights come ahead of it, as fast as the link goes."""
    torch.manual_seed(12)
    layers, seen = Fetched(6, 1536, 12, True), {}
    texts = torch.randn(4, 512, 1536, device="cuda", dtype=BF16)

    def step(i):
        seen["known"] = layers.through(i, texts)
    return step


@pairs.healthy()
def healthy_flow_in_graph(variant):
    """Many points follow a flow, a graph of products that fill the device."""
    flow = Flow(16384, 1024, 8)
    graph = as_graph(flow.go)
    return lambda i: graph.replay()


if __name__ == "__main__":
    sys.exit(main(pairs))
