#!/usr/bin/env python3
"""A second set of loops in PyTorch, to test on what the analysis was not made with. See loop_runner.py.

Of the analysis only the table of causes in the manual was read before. The costs in the comments are estimates for an
H200, not measured.
"""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import (BF16, Reader, Recommender, Residual, Tagger, Texts, Update, as_batch, class_loss,
                          convolutional, encoder, images, unet)
from torch_loops import main
from torch_parts import Delayed, Loader, labels

pairs = loop_runner.Pairs("torch2")


# ---- values that the host reads

@pairs.pair("readback host-sync")
def encoder_logs_norms(variant):
    """The norm of the gradient of twelve weights is read in each step, one by one. 5 to 8 %."""
    model = encoder(1024, 16, 3)
    head = nn.Linear(1024, 16, device="cuda", dtype=BF16)
    update = Update(nn.ModuleList([model, head]))
    x, y = torch.randn(16, 512, 1024, device="cuda", dtype=BF16), labels(16)
    watched = [w for w in model.parameters() if w.dim() == 2]
    delayed = Delayed((len(watched),), torch.float32)
    log = {"line": ""}

    def norms(i):
        if variant == "bad":
            return [w.grad.norm().item() for w in watched]
        return delayed.exchange(i, torch.stack([w.grad.norm() for w in watched]).float()).tolist()

    def step(i):
        update.backward(class_loss(head(model(x).mean(1)), y))
        log["line"] = " ".join(f"{n:.3f}" for n in norms(i))
        update.step()
    return step


@pairs.pair("readback host-sync", allowed=("launch-bound", "stretched"))
def lstm_reads_rate(variant):
    """The size of the update follows the loss; the host reads it and gives it to the kernels. 3 to 6 %."""
    model = Tagger()
    parameters = list(model.parameters())
    x, y = torch.randn(32, 512, 256, device="cuda", dtype=torch.half), labels(32 * 512)

    def step(i):
        for p in parameters:
            p.grad = None
        loss = class_loss(model(x), y)
        loss.backward()
        rate = (1e-4 / (1 + loss.detach())).to(torch.half)
        if variant == "bad":
            rate = rate.item()
        with torch.no_grad():
            changes = torch._foreach_mul([p.grad for p in parameters], rate)
            torch._foreach_sub_(parameters, changes)
    return step


@pairs.pair("readback host-sync")
def accumulation_reads_loss(variant):
    """Gradients of four parts of a batch of images are added up; the loss of each part is read. 3 to 7 %."""
    model = convolutional(nn.Conv2d(3, 128, 7, stride=4, padding=3), Residual(128), Residual(128), Residual(128))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
    parts, y = [images(16, 3, 224) for _ in range(4)], labels(16)
    log = {"total": 0.0}

    def step(i):
        optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for x in parts:
            loss = class_loss(model(x), y) / len(parts)
            loss.backward()
            total = total + (loss.item() if variant == "bad" else loss.detach())
        optimizer.step()
        log["total"] = total
    return step


@pairs.pair("readback host-sync pageable")
def answers_as_lists(variant):
    """Eight small answers for each batch become lists, one after the other; mended, they come as one piece, a step
    later. 5 to 9 %."""
    model = encoder(1024, 16, 6).requires_grad_(False)
    heads = [nn.Linear(1024, 10, device="cuda", dtype=BF16).requires_grad_(False) for _ in range(8)]
    x = torch.randn(16, 512, 1024, device="cuda", dtype=BF16)
    delayed = Delayed((16, 80), torch.float32)
    seen = {"answers": 0}

    @torch.no_grad()
    def step(i):
        pooled = model(x).mean(1)
        answers = [head(pooled).float() for head in heads]
        if variant == "bad":
            lists = [answer.tolist() for answer in answers]
        else:
            lists = delayed.exchange(i, torch.cat(answers, 1)).tolist()
        seen["answers"] += len(lists)
    return step


@pairs.pair("pageable readback host-sync")
def validation_to_host(variant):
    """The classes of all pixels of a batch, 2 MiB, by .cpu(); mended, to pinned memory, looked at a step later."""
    model = unet(3, 8, (32, 64, 128, 256)).requires_grad_(False)
    x = images(32, 3, 256)
    delayed = Delayed((32, 256, 256), torch.uint8)
    seen = {"sum": 0}

    @torch.no_grad()
    def step(i):
        classes = model(x).argmax(1).to(torch.uint8)
        host = classes.cpu() if variant == "bad" else delayed.exchange(i, classes)
        seen["sum"] += int(host[0, 0, 0])
    return step


# ---- waits

@pairs.pair("host-sync")
def products_timed(variant):
    """Six stages of batched products, each timed: by the host after it waited, or with events. 4 to 8 %."""
    weights = [torch.randn(128, 512, 512, device="cuda", dtype=BF16) / 512 ** 0.5 for _ in range(4)]
    x = torch.randn(128, 512, 512, device="cuda", dtype=BF16)
    marks = [[torch.cuda.Event(enable_timing=True) for _ in range(7)] for _ in range(8)]
    spent = {"ms": [0.0] * 6}

    def stage(value):
        for w in weights:
            value = F.gelu(torch.bmm(value, w))
        return value

    @torch.no_grad()
    def by_host(i):
        value = x
        torch.cuda.synchronize()
        for n in range(6):
            begin = time.perf_counter()
            value = stage(value)
            torch.cuda.synchronize()
            spent["ms"][n] = 1e3 * (time.perf_counter() - begin)

    @torch.no_grad()
    def by_events(i):
        mine = marks[i % len(marks)]
        if i >= len(marks):  # those of eight steps ago
            mine[-1].synchronize()
            spent["ms"] = [a.elapsed_time(b) for a, b in zip(mine, mine[1:])]
        value = x
        mine[0].record()
        for n in range(6):
            value = stage(value)
            mine[n + 1].record()
    return by_host if variant == "bad" else by_events


@pairs.pair("host-sync")
def pinned_but_blocking(variant):
    """1 MiB of images and their classes lie in pinned memory, yet each copy is waited for. 4 to 8 %."""
    model = convolutional(nn.Conv2d(1, 64, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(64, 128, 3, padding=1),
                          nn.ReLU(), Residual(128))
    update = Update(model)
    batches = [(torch.randint(0, 256, (256, 1, 64, 64), dtype=torch.uint8).pin_memory(),
                torch.randint(0, 16, (256,)).pin_memory()) for _ in range(2)]

    def step(i):
        x, y = (part.to("cuda", non_blocking=variant == "mended") for part in batches[i % 2])
        x = x.to(BF16).div_(128).sub_(1)
        update.backward(class_loss(model(x), y))
        update.step()
    return step


# ---- data from the host

@pairs.pair("pageable host-sync")
def constant_mask_copied(variant):
    """A mask that never changes, 2 MiB, is copied in each step before the loss. 3 to 8 %."""
    model = unet(3, 1, (32, 64, 128, 256))
    update = Update(model)
    x, target = images(16, 3, 256), images(16, 1, 256)
    mask = (torch.rand(16, 1, 256, 256) < 0.7).to(BF16)
    kept = mask.to("cuda")

    def step(i):
        difference = model(x) - target
        here = mask.to("cuda") if variant == "bad" else kept
        update.backward((difference.float().square() * here).mean())
        update.step()
    return step


@pairs.pair("pageable host-sync", "pageable", allowed=("same-stream", "host-sync"))
def recommender_pageable(variant):
    """Indices of 3.25 MiB a batch from pageable or from pinned memory."""
    with torch.device("cuda"):
        model = Recommender(400_000).to(BF16)
    update = Update(model, torch.optim.SGD(model.parameters(), lr=1e-5))
    batches = [torch.randint(0, 400_000, (16384, 26)) for _ in range(2)]
    if variant == "mended":
        batches = [b.pin_memory() for b in batches]
    numbers, y = torch.randn(16384, 16, device="cuda", dtype=BF16), labels(16384)

    def step(i):
        indices = batches[i % 2].to("cuda", non_blocking=variant == "mended")
        update.backward(class_loss(model(indices, numbers), y))
        update.step()
    return step


@pairs.pair("host-late pageable host-sync")
def noise_from_host(variant):
    """Times and noise for a denoiser are drawn by the host and moved; mended, drawn on the device."""
    model = unet(4, 4, (128, 256, 512))
    update = Update(model)
    x = images(16, 4, 64)
    strength = torch.linspace(0.99, 0.01, 1000, device="cuda")
    where = "cpu" if variant == "bad" else "cuda"

    def step(i):
        times = torch.randint(0, 1000, (16,), device=where).to("cuda")
        kept = strength[times].view(16, 1, 1, 1).to(BF16)
        noise = torch.randn(16, 4, 64, 64, device=where).to("cuda").to(BF16)
        noised = (x * kept.sqrt() + noise * (1 - kept).sqrt()).contiguous(memory_format=torch.channels_last)
        update.backward(F.mse_loss(model(noised).float(), noise.float()))
        update.step()
    return step


@pairs.pair("data-loading host-late python", allowed=("same-stream",))
def slow_collate(variant):
    """Words become numbers one by one where the batch is put together: in the loop, or in four workers."""
    model = Reader(2001, 512, 2)
    update = Update(model)
    loader, y = Loader(Texts(), 0 if variant == "bad" else 4, batch_size=64, collate_fn=as_batch), labels(64)

    def step(i):
        words, present = (part.to("cuda", non_blocking=True) for part in loader.next())
        update.backward(class_loss(model(words, present), y))
        update.step()
    step.finish = loader.close
    return step


# ---- launches and memory

@pairs.pair("launch-bound", allowed=("launch-bound",))
def average_one_by_one(variant):
    """The moving average of the weights, a parameter at a time; mended, all at once."""
    parts = []
    for _ in range(24):
        parts += [nn.Linear(768, 768), nn.LayerNorm(768), nn.ReLU()]
    model = nn.Sequential(*parts, nn.Linear(768, 16)).to("cuda", BF16)
    update = Update(model)
    average = [p.detach().clone() for p in update.parameters]
    x, y = torch.randn(8192, 768, device="cuda", dtype=BF16), labels(8192)

    @torch.no_grad()
    def follow():
        if variant == "bad":
            for mean, p in zip(average, update.parameters):
                mean.copy_(mean * 0.999 + p * 0.001)
        else:
            torch._foreach_mul_(average, 0.999)
            torch._foreach_add_(average, update.parameters, alpha=0.001)

    def step(i):
        update.backward(class_loss(model(x), y))
        update.step()
        follow()
    return step


@pairs.pair("allocation device-barrier")
def unet_empties_cache(variant):
    """torch.cuda.empty_cache() after each step."""
    model = unet(3, 1, (32, 64, 128))
    update = Update(model)
    x, target = images(16, 3, 256), images(16, 1, 256)

    def step(i):
        update.backward(F.mse_loss(model(x).float(), target.float()))
        update.step()
        if variant == "bad":
            torch.cuda.empty_cache()
    return step


# ---- nothing to mend

@pairs.healthy()
def healthy_encoder(variant):
    """The data is on the device, and the losses are added up there."""
    model = encoder(1024, 16, 3)
    head = nn.Linear(1024, 16, device="cuda", dtype=BF16)
    update = Update(nn.ModuleList([model, head]))
    x, y = torch.randn(16, 512, 1024, device="cuda", dtype=BF16), labels(16)
    total = torch.zeros((), device="cuda")

    def step(i):
        total.add_(update.backward(class_loss(head(model(x).mean(1)), y)))
        update.step()
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
