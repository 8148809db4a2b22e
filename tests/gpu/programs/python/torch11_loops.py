#!/usr/bin/env python3
"""An eleventh set of loops in PyTorch, continued in torch11_more_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch11_parts import BothWays, Captions, Clips, Cropped, Learners, Listener, Watched, size_of
from torch2_parts import BF16, Residual, Update, class_loss, convolutional, encoder
from torch_loops import main
from torch_parts import Delayed, Loader, Prefetcher, labels, network

pairs = loop_runner.Pairs("torch11")


@pairs.pair("same-stream", allowed=("stretched", "both-directions"))
def moments_come_in_line(variant):
    """Four networks learn in turns. The moments of each one, 28 MB, lie in pinned memory: they come in the stream of
    the kernels and go there, or ahead and beside them. 15 to 35 %."""
    torch.manual_seed(11)
    learners = Learners(49152, 1536, 3, variant == "mended")
    return giving(lambda i: learners.step(i), lambda: learners.loss)


@pairs.pair("readback host-sync pageable python host-late", allowed=("launch-bound", "python"))
def captions_chosen_on_host(variant):
    """Six words of 128 captions by the eight best beginnings. The host puts together the beginnings, and tells the
    device which ones go on; mended, the device does, and the host hears of the captions a step later. 30 to 65 %."""
    torch.manual_seed(11)
    model, count, words = Captions(1024), 6, Captions.words
    rows, late, seen = model.pictures * model.best, Delayed((1024, 6), torch.long), {}

    def by_host(texts, best):
        places = [model.best * picture + value // words for picture, values in enumerate(best) for value in values]
        chosen = [value % words for values in best for value in values]
        texts = [texts[place] + [word] for place, word in zip(places, chosen)]
        return texts, torch.tensor(places, device="cuda"), torch.tensor(chosen, device="cuda")

    @torch.no_grad()
    def step(i):
        state, scores = model.begin, torch.zeros(rows, device="cuda")
        texts, kept = [[] for _ in range(rows)], torch.zeros(rows, count, dtype=torch.long, device="cuda")
        for n in range(count):
            scores, best = model.likely(state, scores)
            if variant == "bad":
                texts, places, chosen = by_host(texts, best.tolist())
            else:
                places, chosen = (model.first + best // words).flatten(), (best % words).flatten()
                kept = kept.index_select(0, places)
                kept[:, n] = chosen
            state = model.cell(model.table(chosen), state.index_select(0, places))
        seen["text"] = texts[0] if variant == "bad" else late.exchange(i, kept)[0].tolist()
        seen["scores"] = scores
    return giving(step, lambda: size_of(seen["scores"]))


@pairs.pair("launch-bound python host-late", allowed=("stretched",))
def crops_cut_one_by_one(variant):
    """Of 256 pictures on the device one part each, of 224 x 224, is cut out, an operation each, or all by one. 30 to
    60 %."""
    torch.manual_seed(11)
    model, seen = Cropped(), {}
    pictures = torch.randn(256, 3, 256, 256, device="cuda", dtype=BF16)
    corners = [torch.randint(0, 32, (2, 256)).pin_memory() for _ in range(8)]
    lists = [corner.t().tolist() for corner in corners]
    along, which = torch.arange(224, device="cuda"), torch.arange(256, device="cuda").view(-1, 1, 1, 1)
    colours, parts = torch.arange(3, device="cuda").view(1, -1, 1, 1), torch.zeros_like(pictures[:, :, :224, :224])

    @torch.no_grad()
    def step(i):
        if variant == "bad":
            for n, (y, x) in enumerate(lists[i % 8]):
                parts[n].copy_(pictures[n, :, y:y + 224, x:x + 224])
            seen["classes"] = model(parts)
        else:
            down, across = corners[i % 8].to("cuda", non_blocking=True).unsqueeze(2) + along
            seen["classes"] = model(pictures[which, colours, down[:, None, :, None], across[:, None, None, :]])
    return giving(step, lambda: size_of(seen["classes"]))


@pairs.pair("event-order", allowed=("stretched",))
def frames_come_after_others_left(variant):
    """Frames of 16 bands, 25 MB, come in one stream and leave in another. The next ones come when those before have
    left, though there are two slots; mended, when their own slot is free. 12 to 30 %."""
    torch.manual_seed(11)
    with torch.device("cuda"):
        model = nn.Sequential(nn.Conv2d(16, 128, 3, padding=1), *[Residual(128) for _ in range(3)],
                              nn.Conv2d(128, 16, 3, padding=1)).to(BF16).to(memory_format=torch.channels_last)
    model.requires_grad_(False)
    frames = BothWays((48, 128, 128, 16), variant == "bad")

    def work(x):
        return model(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)

    @torch.no_grad()
    def step(i):
        frames.step(i, work)
    return giving(step, lambda: size_of(frames.going[1]))


@pairs.pair("data-loading host-late python", allowed=("same-stream",))
def spectra_found_in_loop(variant):
    """Eight clips of speech a step, whose spectra numpy finds, some 12 ms: in the loop, or by five workers. 35 to
    70 %."""
    torch.manual_seed(11)
    loader = Loader(Clips(), 0 if variant == "bad" else 5, batch_size=8)
    model, y, seen = Listener(2048, 32, 4), labels(8), {}
    update = Update(model)

    def step(i):
        x = loader.next().to("cuda", non_blocking=True).to(BF16)
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
    return giving(step, lambda: seen["loss"], loader.close)


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def activity_told_by_layers(variant):
    """A network of 12 layers learns. How active 64 groups of its units are becomes a list in each layer; mended, those
    of all layers become one, a step later. 4 to 14 %."""
    torch.manual_seed(11)
    model, y = Watched(2048, 12), labels(8192)
    update, x, seen = Update(model), torch.randn(8192, 2048, device="cuda", dtype=BF16), {}
    late = Delayed((12, 64), BF16)

    def step(i):
        told = []
        tell = (lambda shares: told.append(shares.tolist())) if variant == "bad" else told.append
        seen["loss"] = update.backward(class_loss(model(x, tell), y))
        update.step()
        seen["active"] = told if variant == "bad" else late.exchange(i, torch.stack(told)).tolist()
    return giving(step, lambda: seen["loss"])


@pairs.pair("pageable host-sync host-late data-loading", allowed=("same-stream",))
def neighbours_gathered_on_host(variant):
    """What is known of 32768 nodes of a graph is gathered on the host in each step, 17 MB, and goes to the device from
    there: by a new tensor, or in pinned memory, two slots. 15 to 45 %."""
    torch.manual_seed(11)
    table = torch.randn(4000, 256).to(BF16).repeat(100, 1)
    chosen = [torch.randint(0, len(table), (32768,)) for _ in range(8)]
    slots = [torch.empty(32768, 256, dtype=BF16).pin_memory() for _ in range(2)]
    there = [torch.cuda.Event() for _ in range(2)]
    model, y, seen = network(256, 2048, 5), labels(32768), {}
    update = Update(model)

    def pinned(i):
        there[i % 2].synchronize()
        x = torch.index_select(table, 0, chosen[i % 8], out=slots[i % 2]).to("cuda", non_blocking=True)
        there[i % 2].record()
        return x

    def step(i):
        x = pinned(i) if variant == "mended" else table.index_select(0, chosen[i % 8]).to("cuda")
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
    return giving(step, lambda: seen["loss"])


# ---- nothing to mend

@pairs.healthy()
def healthy_preferences(variant):
    """A text model learns which of two answers is preferred, beside one that stays as it was. The loss of the step
    before is looked at."""
    torch.manual_seed(11)
    model, before = encoder(1024, 8, 3), encoder(1024, 8, 3).requires_grad_(False)
    update, late, log = Update(model), Delayed((), torch.float32), {}
    answers = torch.randn(16, 512, 1024, device="cuda", dtype=BF16)

    def step(i):
        with torch.no_grad():
            known = before(answers).float().mean((1, 2))
        better, worse = (model(answers).float().mean((1, 2)) - known).chunk(2)
        loss = update.backward(-F.logsigmoid(better - worse).mean())
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


@pairs.healthy(allowed=("stretched", "both-directions"))
def healthy_learners_in_turns(variant):
    """The moments of four networks come ahead of each one's turn, and go beside the next one's."""
    learners = Learners(65536, 1024, 4, True)
    return lambda i: learners.step(i)


@pairs.healthy(allowed=("stretched",))
def healthy_evaluation(variant):
    """Two batches of pictures a step come ahead; how many are right is counted on the device, and looked at a step
    later."""
    model = convolutional(nn.Conv2d(3, 128, 3, padding=1), *[Residual(128) for _ in range(2)]).requires_grad_(False)
    pictures = Prefetcher([torch.randint(0, 256, (96, 3, 128, 128), dtype=torch.uint8).pin_memory() for _ in range(2)])
    classes, late, log = labels(96), Delayed((), torch.long), {}

    @torch.no_grad()
    def step(i):
        right = torch.zeros((), dtype=torch.long, device="cuda")
        for n in (2 * i, 2 * i + 1):
            x = (pictures.take(n).to(BF16) / 255).contiguous(memory_format=torch.channels_last)
            pictures.give_back(n)
            right += (model(x).argmax(1) == classes).sum()
        log["right"] = int(late.exchange(i, right))
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
