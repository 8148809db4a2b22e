#!/usr/bin/env python3
"""The eleventh set of loops in PyTorch, continued from torch11_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import sys
import time

import torch

import loop_runner
from loop_runner import giving
from torch11_parts import Journal, Streaming, Vocoder, size_of
from torch2_parts import BF16, Update, class_loss, encoder, images, unet
from torch3_parts import Snapshots
from torch_loops import main
from torch_parts import Delayed, as_graph, labels, network

pairs = loop_runner.Pairs("torch11_more")


@pairs.pair("small-copies launch-bound same-stream python", allowed=("same-stream",))
def cache_blocks_moved_one_by_one(variant):
    """Prompts of 4096 words are read, and 384 blocks of 16 KiB of a cache move to pinned memory, two slots: block by
    block, or together. 8 to 30 %."""
    torch.manual_seed(11)
    model, prompts = encoder(1536, 12, 6).requires_grad_(False), torch.randn(8, 512, 1536, device="cuda", dtype=BF16)
    cache, log = torch.randn(4096, 8192, device="cuda", dtype=BF16), {}
    moved = [torch.randperm(4096)[:384] for _ in range(4)]
    known, blocks, lists = [m.to("cuda") for m in moved], cache.unbind(), [m.tolist() for m in moved]
    slots = [torch.empty(384, 8192, dtype=BF16).pin_memory() for _ in range(2)]
    there = [torch.cuda.Event() for _ in range(2)]
    places = [slot.unbind() for slot in slots]

    @torch.no_grad()
    def step(i):
        log["answer"] = model(prompts)
        if variant == "mended":
            slots[i % 2].copy_(cache.index_select(0, known[i % 4]), non_blocking=True)
        else:
            for place, block in zip(places[i % 2], lists[i % 4]):
                place.copy_(blocks[block], non_blocking=True)
        there[i % 2].record()
        there[1 - i % 2].synchronize()
    return giving(step, lambda: size_of(log["answer"]) + size_of(slots[0]).cuda() + size_of(slots[1]).cuda())


@pairs.pair("launch-bound python host-late")
def pieces_heard_op_by_op(variant):
    """16 talks are recognized while they are given: four pieces of 32 moments a step, eight layers of small operations
    each; one by one, or as a graph. 40 to 75 %."""
    torch.manual_seed(11)
    talks = Streaming(16, 32, 512, 8)
    hear = as_graph(talks.hear).replay if variant == "mended" else talks.hear
    talks.forget()

    def step(i):
        for _ in range(4):
            hear()
    return giving(step, lambda: size_of(talks.said))


@pairs.pair("host-late python")
def journal_locked_while_written(variant):
    """A line about each step goes to a journal. The thread that writes it, some 6 ms, holds the lock that the next
    line needs; mended, it takes the lines and writes without. 15 to 45 %."""
    torch.manual_seed(11)
    model, y, seen = network(256, 4096, 4), labels(8192), {}
    update, x = Update(model), torch.randn(8192, 256, device="cuda", dtype=BF16)
    journal = Journal(0.006, variant == "bad")

    def step(i):
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
        journal.add(f"step {i} of a network of {len(update.parameters)} parts")
    return giving(step, lambda: seen["loss"], journal.close)


@pairs.pair("allocation device-barrier host-sync host-late")
def memory_given_back_for_each_picture(variant):
    """Pictures by six calls of a denoiser. After each group of 32 the cache of the allocator is emptied. 10 to
    40 %."""
    torch.manual_seed(11)
    model, noise, seen = unet(4, 4, (128, 256, 512)).requires_grad_(False), images(32, 4, 64), {}

    @torch.no_grad()
    def step(i):
        x = noise
        for _ in range(6):
            x = x - 0.1 * model(x)
        seen["picture"] = x
        if variant == "bad":
            torch.cuda.empty_cache()
    return giving(step, lambda: size_of(seen["picture"]))


@pairs.pair("host-sync", allowed=("launch-bound",))
def pieces_of_sound_timed(variant):
    """Six pieces of sound a step are made of spectra. How long each took is found by the host, which waits before
    and after it; mended, by events, two steps later. 3 to 12 %."""
    torch.manual_seed(11)
    model, spectra = Vocoder(512, 5), torch.randn(6, 8, 512, 2048, device="cuda", dtype=BF16)
    marks = [[[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(6)] for _ in range(3)]
    seen, taken = {}, [0.0] * 6

    def waited(n, piece):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        seen["sound"] = model(piece)
        torch.cuda.synchronize()
        taken[n] = time.perf_counter() - begin

    def marked(pair, piece):
        pair[0].record()
        seen["sound"] = model(piece)
        pair[1].record()

    @torch.no_grad()
    def step(i):
        for n, piece in enumerate(spectra.unbind()):
            if variant == "bad":
                waited(n, piece)
            else:
                marked(marks[i % 3][n], piece)
        if variant == "mended" and i > 1:
            before = marks[(i - 2) % 3]
            before[5][1].synchronize()
            taken[:] = [begin.elapsed_time(end) / 1000 for begin, end in before]
    return giving(step, lambda: size_of(seen["sound"]))


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def right_answers_counted_by_item(variant):
    """A network is judged by twelve batches a step. How many are right, and the loss, are read after each one; mended,
    they are added up on the device and read a step later. 8 to 30 %."""
    torch.manual_seed(11)
    model, y, log = network(512, 2048, 5).requires_grad_(False), labels(6144), {}
    batches, late = torch.randn(12, 6144, 512, device="cuda", dtype=BF16), Delayed((2,), torch.float32)

    def judged(x):
        answers = model(x)
        return (answers.argmax(1) == y).sum(), class_loss(answers, y)

    @torch.no_grad()
    def step(i):
        if variant == "bad":
            right, loss = 0, 0.0
            for x in batches.unbind():
                some, error = judged(x)
                right, loss = right + some.item(), loss + error.item()
            log["right"], log["loss"] = right, loss
            return
        sums = torch.zeros(2, device="cuda")
        for x in batches.unbind():
            sums += torch.stack(judged(x))
        log["right"], log["loss"] = late.exchange(i, sums).tolist()
    return giving(step, lambda: log["loss"])


@pairs.pair("pageable readback host-sync", allowed=("stretched",))
def best_weights_kept_by_cpu(variant):
    """After each four updates the weights, 2 MB, are kept on the host, as they were never better: by .cpu() of each,
    or by a side stream in pinned memory. 5 to 18 %."""
    torch.manual_seed(11)
    model, y, kept, seen = network(256, 512, 4), labels(49152), {}, {}
    update, x = Update(model), torch.randn(49152, 256, device="cuda", dtype=BF16)
    weights = [p.detach() for p in update.parameters]
    snapshots = Snapshots(weights) if variant == "mended" else None

    def step(i):
        for n in range(4):
            seen["loss"] = update.backward(class_loss(model(x), y))
            if snapshots and n == 0:
                snapshots.keep()
            update.step()
        if snapshots:
            snapshots.take(i)
        else:
            kept[i % 2] = [w.cpu() for w in weights]
    return giving(step, lambda: seen["loss"])


# ---- nothing to mend

@pairs.healthy()
def healthy_talks_in_graph(variant):
    """Long pieces of 64 talks are recognized by a graph."""
    talks = Streaming(64, 256, 1024, 3)
    graph = as_graph(talks.hear)
    return lambda i: graph.replay()


if __name__ == "__main__":
    sys.exit(main(pairs))
