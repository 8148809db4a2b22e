#!/usr/bin/env python3
"""A fifth set of loops in PyTorch, to test on what the analysis was not made with. See loop_runner.py.

Of the analysis only the manual was read before. The costs in the comments are estimates for an H100 or H200, not
measured.
"""
import concurrent.futures
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Residual, Update, class_loss, convolutional
from torch5_parts import (LeavingGradients, PinnedAhead, Requests, TextModel, graph_in, some_boxes, suppress)
from torch_loops import main
from torch_parts import Collector, Delayed, as_graph, labels, network

pairs = loop_runner.Pairs("torch5")


class ScaledTraining:
    """Mixed precision: float weights, an autocast forward pass, a scaler of the loss, a fused optimizer."""

    def __init__(self, layers, rows):
        self.model = network(512, 2048, layers).float()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-5, fused=True)
        self.scaler = torch.amp.GradScaler("cuda")
        self.x, self.y = torch.randn(rows, 512, device="cuda"), labels(rows)

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(self.model(self.x), self.y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()


# ---- the host waits

@pairs.pair("readback host-sync")
def scaler_logged_each_step(variant):
    """The scale of the loss is logged in each step, not in each 50th. 3 to 7 %."""
    training, log = ScaledTraining(8, 6144), {"scale": 0.0}

    def step(i):
        training.step()
        if variant == "bad" or i % 50 == 49:
            log["scale"] = training.scaler.get_scale()
    return step


@pairs.pair("readback host-sync")
def confusion_by_bincount(variant):
    """A table of right and wrong classes, after each of four batches: bincount() asks the device twice how large its
    result is; mended, ones are added to the table. 4 to 9 %."""
    model = network(512, 4096, 4).requires_grad_(False)
    parts, classes = [torch.randn(8192, 512, device="cuda", dtype=BF16) for _ in range(4)], labels(8192)
    table, ones = torch.zeros(256, dtype=torch.long, device="cuda"), torch.ones_like(classes)

    @torch.no_grad()
    def step(i):
        for x in parts:
            cell = classes * 16 + model(x).argmax(1)
            if variant == "bad":
                table.add_(torch.bincount(cell, minlength=256))
            else:
                table.scatter_add_(0, cell, ones)
    return step


@pairs.pair("readback host-sync")
def ragged_rows_repeated(variant):
    """Users have 16 to 48 items each, and are repeated to meet them; in which number, repeat_interleave() reads from
    the device, or is told. Three parts of a batch. 3 to 7 %."""
    model = network(1024, 2048, 4)
    update = Update(model)
    lengths = torch.arange(256, device="cuda") % 33 + 16
    rows = int(lengths.sum())
    users = torch.randn(256, 1024, device="cuda", dtype=BF16)
    items, y = [torch.randn(rows, 1024, device="cuda", dtype=BF16) for _ in range(3)], labels(rows)
    told = {"output_size": rows} if variant == "mended" else {}

    def losses():
        for part in items:
            x = torch.repeat_interleave(users, lengths, dim=0, **told) + part
            yield class_loss(model(x), y)

    def step(i):
        for loss in losses():
            update.backward(loss)
            update.step()
    return step


@pairs.pair("pageable host-sync small-copies")
def rows_by_python_list(variant):
    """The losses of 512 rows count, of each of four parts of a batch. Their numbers are a list, which becomes a tensor
    and is copied each time; mended, a tensor on the device. 4 to 9 %."""
    model = network(256, 2048, 5)
    update, y = Update(model), labels(8192)
    parts = [torch.randn(8192, 256, device="cuda", dtype=BF16) for _ in range(4)]
    chosen = [[(n * 37 + k * 11) % 8192 for n in range(512)] for k in range(4)]
    if variant == "mended":
        chosen = [torch.tensor(numbers, device="cuda") for numbers in chosen]

    def step(i):
        for x, rows in zip(parts, chosen):
            loss = F.cross_entropy(model(x).float(), y, reduction="none")
            update.backward(loss[rows].mean())
            update.step()
    return step


# ---- copies

@pairs.pair("pageable readback host-sync", "pageable", allowed=("readback", "host-sync", "same-stream"))
def activations_saved_pageable(variant):
    """An activation of 8 MiB waits for its backward pass on the host, in plain or in pinned memory. 10 to 30 %."""
    first, last = network(512, 4096, 4, 512), network(512, 4096, 4)
    update, y = Update(nn.ModuleList([first, last])), labels(8192)
    x = torch.randn(8192, 512, device="cuda", dtype=BF16)

    def step(i):
        hidden = first(x)
        with torch.autograd.graph.save_on_cpu(pin_memory=variant == "mended"):
            hidden = F.gelu(hidden)
        update.backward(class_loss(last(hidden), y))
        update.step()
    return step


@pairs.pair("same-stream", allowed=("stretched",))
def gradients_leave_in_line(variant):
    """Hooks take eight gradients of 8 MiB to pinned memory during the backward pass, in its stream or beside it. 12 to
    25 %."""
    model, y = network(2048, 2048, 8), labels(12288)
    weights = [layer.weight for layer in model if isinstance(layer, nn.Linear)][:8]
    leaving = LeavingGradients(weights, beside=variant == "mended")
    x = torch.randn(12288, 2048, device="cuda", dtype=BF16)

    def step(i):
        model.zero_grad(set_to_none=True)
        class_loss(model(x), y).backward()
        leaving.next()
    return step


# ---- launches and streams

@pairs.pair("launch-bound python")
def suppression_outside_graph(variant):
    """A graph finds scores of boxes; the best are chosen in 40 rounds of small operations, one by one or in the same
    graph. 20 to 45 %."""
    model = network(256, 1024, 6, 1).requires_grad_(False)
    x, boxes = torch.randn(32768, 256, device="cuda", dtype=BF16), some_boxes(16, 2048)
    scores = torch.zeros(16, 2048, device="cuda")
    kept = torch.zeros(16, 40, dtype=torch.long, device="cuda")

    def choose():
        kept.copy_(suppress(boxes, scores, 40))

    def detect():
        scores.copy_(model(x).view(16, 2048))
        if variant == "mended":
            choose()
    graph = as_graph(detect)

    def step(i):
        graph.replay()
        if variant == "bad":
            choose()
    step.kept = detect  # the graph does not keep what it uses
    return step


@pairs.pair("same-stream too-few-streams", allowed=("host-sync", "host-late", "stretched"))
def threads_share_stream(variant):
    """Two threads with a model each that fills half of the device; both have the default stream, or each its own. 25 to
    45 %."""
    models = [network(1024, 1024, 30).requires_grad_(False) for _ in range(2)]
    x = torch.randn(1024, 1024, device="cuda", dtype=BF16)
    own = [torch.cuda.Stream() for _ in models]
    graphs = [graph_in(stream, lambda model=model: model(x)) for stream, model in zip(own, models)]
    streams = own if variant == "mended" else [torch.cuda.default_stream()] * 2
    events = [torch.cuda.Event() for _ in models]
    pool = concurrent.futures.ThreadPoolExecutor(2)

    def serve(n):
        with torch.cuda.stream(streams[n]):
            for _ in range(8):
                graphs[n].replay()
                events[n].record()
                events[n].synchronize()

    def step(i):
        for served in [pool.submit(serve, n) for n in range(2)]:
            served.result()
    step.kept = models, x  # the graphs do not keep them
    step.finish = pool.shutdown
    return step


# ---- the host is late

@pairs.pair("host-late data-loading python readback host-sync", "host-late data-loading python",
            allowed=("readback", "host-sync", "pageable", "host-late"))
def server_waits_out_window(variant):
    """A server takes 32 requests at a time and answers them before it takes more. It waits 0.5 ms for further ones,
    also if it has 32; mended, only if it has not. 8 to 20 %."""
    model = TextModel().requires_grad_(False)
    texts = torch.randint(0, 4096, (96, 256))
    requests = Requests(96, 32, 0.5e-3)
    staging = torch.empty(32, 256, dtype=torch.long).pin_memory()
    answers = {}

    @torch.no_grad()
    def step(i):
        clients = requests.take(until_full=variant == "mended")
        torch.index_select(texts, 0, torch.tensor(clients), out=staging)
        answers.update(zip(clients, model(staging.to("cuda", non_blocking=True)).tolist()))
        requests.answered(clients)
    return step


@pairs.pair("host-late data-loading python readback host-sync", "host-late data-loading python",
            allowed=("readback", "host-sync", "host-late"))
def pinned_in_loop(variant):
    """Batches of 9.6 MB are copied to pinned memory in the loop, or by a thread a step before. The loss is read in each
    step by both. 10 to 30 %."""
    model = convolutional(nn.Conv2d(3, 128, 3, stride=2, padding=1), *[Residual(128) for _ in range(4)])
    update, y = Update(model), labels(64)
    source = PinnedAhead([torch.randn(64, 3, 112, 112) for _ in range(3)], 1 if variant == "mended" else 0)
    log = {"loss": 0.0}

    def step(i):
        x = source.batch(i).to("cuda", non_blocking=True).to(BF16, memory_format=torch.channels_last)
        loss = update.backward(class_loss(model(x), y))
        update.step()
        log["loss"] = float(loss)
    step.finish = source.close
    return step


# ---- nothing to mend

@pairs.healthy()
def healthy_mixed_precision(variant):
    """A scaler, a mean of the weights that follows them, and the loss of the step before."""
    training, late, log = ScaledTraining(8, 8192), Delayed((), torch.float32), {"loss": 0.0}
    weights = list(training.model.parameters())
    means = [w.detach().clone() for w in weights]

    def step(i):
        loss = training.step()
        with torch.no_grad():
            torch._foreach_lerp_(means, weights, 0.01)
        log["loss"] = float(late.exchange(i, loss))
    return step


@pairs.healthy(allowed=("same-stream",))
def healthy_server(variant):
    """Groups of requests come from pinned memory, two slots; a group is answered when the next one is under way."""
    model = TextModel().requires_grad_(False)
    texts = torch.randint(0, 4096, (160, 256))
    requests = Requests(160, 48, 0.5e-3)
    staging = [torch.empty(48, 256, dtype=torch.long).pin_memory() for _ in range(2)]
    collector = Collector((48,), dtype=torch.long, side_stream=False)
    under_way, answers = {}, {}

    def answer(slot):
        collector.done[slot].synchronize()
        clients = under_way.pop(slot)
        answers.update(zip(clients, collector.host[slot].tolist()))
        requests.answered(clients)

    @torch.no_grad()
    def step(i):
        slot = i % 2
        under_way[slot] = requests.take(until_full=True)
        torch.index_select(texts, 0, torch.tensor(under_way[slot]), out=staging[slot])
        collector.take(i, model(staging[slot].to("cuda", non_blocking=True)))
        if i:
            answer(1 - slot)
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
