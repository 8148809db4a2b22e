#!/usr/bin/env python3
"""A seventh set of loops in PyTorch. See loop_runner.py.

Written after the sixth set had been looked at, by one who had then changed the analysis: less fair than the sets
before. Nothing was changed by what these show. The costs in the comments are estimates for an H100 or H200, not
measured.
"""
import concurrent.futures
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Residual, Update, capturable, class_loss, convolutional, encoder
from torch6_parts import wide
from torch_loops import main
from torch_parts import Collector, Prefetcher, as_graph, host_batches, labels, network

pairs = loop_runner.Pairs("torch7")


class Experts(nn.Module):
    """A layer of eight experts; a row goes to one of them. Their shares are read by the host, or are all alike."""

    def __init__(self, width, asked):
        super().__init__()
        self.asked = asked
        self.route = nn.Linear(width, 8)
        self.experts = nn.ModuleList([wide(width, 4 * width, width) for _ in range(8)])

    def forward(self, x):
        chosen = self.route(x).argmax(1)
        order = chosen.argsort()
        rows = x[order]
        if self.asked:
            shares = torch.bincount(chosen, minlength=8).tolist()
        else:
            shares = [len(x) // 8] * 8
        made = torch.cat([expert(part) for expert, part in zip(self.experts, rows.split(shares)) if len(part)])
        return x.index_add(0, order, made)


@pairs.pair("readback host-sync", further="launch-bound python host-late")
def experts_shares_on_host(variant):
    """Six layers of experts. 4 to 12 %. Further: as a graph."""
    with torch.device("cuda"):
        model = nn.Sequential(*[Experts(1024, variant == "bad") for _ in range(6)]).to(BF16)
    x = torch.randn(16384, 1024, device="cuda", dtype=BF16)

    @torch.no_grad()
    def step(i):
        model(x)
    if variant != "further":
        return step
    graph = as_graph(lambda: step(0))
    return lambda i: graph.replay()


@pairs.pair("readback host-sync")
def equilibrium_asks_each_round(variant):
    """A layer is repeated 12 times. The host asks after each if it has settled, or each is taken only if it had not.
    3 to 10 %."""
    body = encoder(1024, 16, 1)
    into = torch.randn(24, 512, 1024, device="cuda", dtype=BF16)

    def settled(value, before):
        return (value - before).float().norm() < 1e-3 * before.float().norm()

    @torch.no_grad()
    def step(i):
        value, still = into, torch.ones((), device="cuda", dtype=torch.bool)
        for _ in range(12):
            after = F.layer_norm(body(value) + into, (1024,))
            if variant == "bad":
                if settled(after, value):
                    break
                value = after
            else:
                still = still & ~settled(after, value)
                value = torch.where(still, after, value)
    return step


@pairs.pair("same-stream", allowed=("stretched",))
def pictures_come_in_line(variant):
    """Classifying pictures, 12 MiB from pinned memory a step: in the stream of the kernels, or a step ahead. 3 to
    10 %."""
    model = convolutional(nn.Conv2d(3, 128, 3, padding=1), *[Residual(128) for _ in range(4)])
    batches = host_batches((128, 3, 128, 128), True)
    ahead = Prefetcher(batches) if variant == "mended" else None
    leaving = Collector((128, 16))

    @torch.no_grad()
    def step(i):
        x = ahead.take(i) if ahead else batches[i % 2].to("cuda", non_blocking=True)
        result = model(x.contiguous(memory_format=torch.channels_last))
        if ahead:
            ahead.give_back(i)
        leaving.take(i, result)
    return step


@pairs.pair("pageable readback host-sync", "pageable readback host-sync", allowed=("stretched",))
def vectors_kept_by_cpu(variant):
    """Vectors of a text model, 16 MiB a step, are kept in host memory: by .cpu(), or by a side stream in pinned memory.
    10 to 30 %."""
    model = encoder(1024, 16, 6)
    x = torch.randn(16, 512, 1024, device="cuda", dtype=BF16)
    leaving, kept = Collector((16, 512, 1024)), {}

    @torch.no_grad()
    def step(i):
        vectors = model(x)
        if variant == "bad":
            kept[i % 4] = vectors.cpu()
        else:
            leaving.take(i, vectors)
    return step


@pairs.pair("launch-bound python host-late", further="launch-bound python host-late")
def heads_one_by_one(variant):
    """96 small heads of a trained trunk, one by one or as one product. 15 to 50 %. Further: as a graph."""
    trunk = network(512, 2048, 3, 256)
    weights = nn.Parameter(torch.randn(96, 256, 16, device="cuda", dtype=BF16) / 16)
    model = nn.ModuleList([trunk, nn.ParameterList([weights])])
    update = Update(model, capturable(model))
    y = torch.randn(96, 2048, 16, device="cuda", dtype=BF16)
    x = torch.randn(2048, 512, device="cuda", dtype=BF16)

    def step(i):
        seen = trunk(x)
        if variant == "bad":
            loss = sum(F.mse_loss(seen @ w, goal) for w, goal in zip(weights.unbind(), y.unbind()))
        else:
            loss = F.mse_loss(torch.matmul(seen, weights), y) * 96
        update.backward(loss)
        update.step()
    if variant != "further":
        return step
    graph = as_graph(lambda: step(0))
    return lambda i: graph.replay()


@pairs.pair("python host-late data-loading", allowed=("same-stream",), further="host-sync", other="host-sync")
def features_sorted_in_loop(variant):
    """numpy orders the features of the next batch, about 5 ms: in the loop, or in a thread a step ahead. 20 to 50 %.
    Further, and the other way for the bad one: an event of each slot in place of a wait for the stream."""
    sorts_ahead, has_events = variant in ("mended", "further"), variant in ("further", "other")
    model, y = network(1024, 4096, 8), labels(4096)
    update, source = Update(model), np.random.default_rng(3).standard_normal(400_000, dtype=np.float32)
    staging = [torch.zeros(4096, 64, dtype=torch.float32).pin_memory() for _ in range(3)]
    pool = concurrent.futures.ThreadPoolExecutor(1)

    copied = [torch.cuda.Event() for _ in range(3)]

    def made(i):
        copied[i % 3].synchronize()  # one that was never recorded waits for nothing
        staging[i % 3].view(-1).numpy()[:] = np.sort(np.roll(source, i))[: 4096 * 64]
        return staging[i % 3]
    waiting = {0: pool.submit(made, 0)} if sorts_ahead else {}

    def step(i):
        if sorts_ahead:
            waiting[i + 1] = pool.submit(made, i + 1)
            batch = waiting.pop(i).result()
        else:
            batch = made(i)
        x = batch.to("cuda", non_blocking=True).to(BF16).repeat(1, 16)
        if has_events:
            copied[i % 3].record()
        update.backward(class_loss(model(x), y))
        update.step()
        if i % 2 == 1 and not has_events:
            torch.cuda.current_stream().synchronize()  # before a slot is written again
    step.finish = pool.shutdown
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_distillation(variant):
    """A small network learns from a large one; inputs come a step ahead."""
    small, large = network(1024, 2048, 6), network(1024, 8192, 4).requires_grad_(False)
    update, ahead = Update(small), Prefetcher(host_batches((6144, 1024), True))

    def step(i):
        x = ahead.take(i)
        with torch.no_grad():
            goal = F.softmax(large(x).float(), dim=1)
        loss = F.cross_entropy(small(x).float(), goal)
        ahead.give_back(i)
        update.backward(loss)
        update.step()
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
