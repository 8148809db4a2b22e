#!/usr/bin/env python3
"""An eighth set of loops in PyTorch. See loop_runner.py.

Written by one who had just changed the analysis, after the last of those changes; recorded once, and nothing was changed by
what it shows. The costs in the comments are estimates for an H100 or H200, not measured.
"""
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Residual, Update, class_loss, convolutional, encoder
from torch_loops import main
from torch_parts import Delayed, Prefetcher, host_batches, labels, network

pairs = loop_runner.Pairs("torch8")


@pairs.pair("readback host-sync")
def gradients_measured_by_hand(variant):
    """The length of all gradients is found by the host, weight by weight, or by the device. 5 to 20 %."""
    model, y = network(1024, 4096, 8), labels(6144)
    update, x = Update(model), torch.randn(6144, 1024, device="cuda", dtype=BF16)
    weights = list(model.parameters())

    def shorten():
        total = sum(w.grad.norm().item() ** 2 for w in weights) ** 0.5
        if total > 1.0:
            for w in weights:
                w.grad.mul_(1.0 / total)

    def step(i):
        update.backward(class_loss(model(x), y))
        if variant == "bad":
            shorten()
        else:
            nn.utils.clip_grad_norm_(weights, 1.0)
        update.step()
    return step


@pairs.pair("pageable host-late python data-loading", allowed=("launch-bound",))
def masks_made_by_numpy(variant):
    """Which places of 24 texts may see which: made by numpy in each step, 6 MiB, or by the device. 8 to 30 %."""
    model = encoder(1024, 16, 4)
    x = torch.randn(24, 512, 1024, device="cuda", dtype=BF16)
    head, y = nn.Linear(1024, 16, device="cuda", dtype=BF16), labels(24)
    places, lengths = np.arange(512), np.random.default_rng(5).integers(200, 512, 24)
    on_device, long = torch.arange(512, device="cuda"), torch.as_tensor(lengths, device="cuda")
    update = Update(nn.ModuleList([model, head]))

    def step(i):
        if variant == "bad":
            seen = (places[None, :, None] >= places[None, None, :]) & (places[None, None, :] < lengths[:, None, None])
            seen = torch.from_numpy(seen).cuda()
        else:
            seen = (on_device[None, :, None] >= on_device[None, None, :]) & (on_device[None, None, :] < long[:, None, None])
        share = seen.to(BF16).mean(2, keepdim=True)
        update.backward(class_loss(head(model(x * share).mean(1)), y))
        update.step()
    return step


@pairs.pair("readback pageable host-sync", allowed=("launch-bound",))
def confusion_counted_on_host(variant):
    """What a classifier took for what, of 12288 rows: counted by numpy each step, or by the device. 5 to 20 %."""
    model, y = network(1024, 4096, 6, 64), torch.randint(0, 64, (12288,), device="cuda")
    x, truth = torch.randn(12288, 1024, device="cuda", dtype=BF16), y.cpu().numpy()
    counts, table = torch.zeros(64 * 64, device="cuda", dtype=torch.long), np.zeros(64 * 64, dtype=np.int64)
    ones = torch.ones_like(y)

    @torch.no_grad()
    def step(i):
        seen = model(x).argmax(1)
        if variant == "bad":
            np.add.at(table, truth * 64 + seen.cpu().numpy(), 1)
        else:
            counts.index_add_(0, y * 64 + seen, ones)
    return step


@pairs.pair("allocation device-barrier host-sync")
def cache_emptied_now_and_then(variant):
    """Every second step the memory that is free goes back to the driver. 5 to 25 %."""
    model, y = convolutional(nn.Conv2d(3, 128, 3, padding=1), *[Residual(128) for _ in range(3)]), labels(96)
    x = torch.randn(96, 3, 128, 128, device="cuda", dtype=BF16).contiguous(memory_format=torch.channels_last)
    update = Update(model)

    def step(i):
        update.backward(class_loss(model(x), y))
        update.step()
        if variant == "bad" and i % 2 == 1:
            torch.cuda.empty_cache()
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_segments(variant):
    """Pictures come a step ahead in a stream of their own; the loss of the step before is looked at."""
    model, y = convolutional(nn.Conv2d(3, 128, 3, padding=1), *[Residual(128) for _ in range(4)]), labels(96)
    update, late, log = Update(model), Delayed((), torch.float32), {"loss": 0.0}
    pictures = Prefetcher(host_batches((96, 3, 128, 128), True))

    def step(i):
        x = pictures.take(i).contiguous(memory_format=torch.channels_last)
        loss = update.backward(F.cross_entropy(model(x).float(), y))
        pictures.give_back(i)
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
