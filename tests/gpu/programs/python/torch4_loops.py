#!/usr/bin/env python3
"""A fourth set of loops in PyTorch, to test on what the analysis was not made with. See loop_runner.py.

Of the analysis only the manual was read before. The costs in the comments are estimates for an H100 or H200, not
measured.
"""
import collections
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Residual, Update, class_loss, convolutional, encoder, images
from torch4_parts import KeptOnHost, Shards
from torch_loops import main
from torch_parts import Collector, Delayed, Prefetcher, as_graph, host_batches, labels, network

pairs = loop_runner.Pairs("torch4")


# ---- the host waits

@pairs.pair("readback host-sync")
def policy_reads_divergence(variant):
    """Six parts of a batch improve a policy. After each the host reads how far it is from the old one, as it may stop
    early; mended, it hears so a part later. 3 to 6 %."""
    policy = network(128, 2048, 5, 8)
    update, late = Update(policy), Delayed((), torch.float32)
    parts = [torch.randn(8192, 128, device="cuda", dtype=BF16) for _ in range(6)]
    actions = torch.randint(0, 8, (8192, 1), device="cuda")
    advantage = torch.randn(8192, 1, device="cuda")
    for host in late.collector.host:
        host.zero_()

    def chosen(x):
        return F.log_softmax(policy(x).float(), 1).gather(1, actions)
    with torch.no_grad():
        before = [chosen(x) for x in parts]

    def improve(x, old):
        new = chosen(x)
        ratio = (new - old).exp()
        update.backward(-torch.minimum(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean())
        update.step()
        return (old - new.detach()).mean()

    def step(i):
        for n, (x, old) in enumerate(zip(parts, before)):
            divergence = improve(x, old)
            if float(divergence if variant == "bad" else late.exchange(i * 6 + n, divergence)) > 1e9:  # it goes on
                break
    return step


@pairs.pair("host-sync host-late")
def staging_waits_for_stream(variant):
    """Requests of 4 MiB are gathered in pinned memory. Before it is used again the host waits for all that the stream
    has; mended, for the copy of two steps ago. 4 to 10 %."""
    front = nn.Linear(128, 1024, device="cuda", dtype=BF16).requires_grad_(False)
    model = encoder(1024, 16, 6).requires_grad_(False)
    requests = [torch.randn(32, 512, 128) for _ in range(3)]
    staging = [torch.empty(32, 512, 128, dtype=BF16).pin_memory() for _ in range(2)]
    copied = [torch.cuda.Event() for _ in range(2)]
    collector = Collector((32, 1024), side_stream=False)

    def gathered(i):
        slot = i % 2 if variant == "mended" else 0
        if variant == "mended":
            copied[slot].synchronize()
        else:
            torch.cuda.current_stream().synchronize()
        staging[slot].copy_(requests[i % 3])
        x = staging[slot].to("cuda", non_blocking=True)
        copied[slot].record()
        return x

    @torch.no_grad()
    def step(i):
        collector.take(i, model(front(gathered(i))).mean(1))
    return step


# ---- copies

@pairs.pair("pageable host-sync", "pageable", allowed=("same-stream",))
def waveforms_pageable(variant):
    """Waveforms of 20 MB come from plain or from pinned memory; their spectra are made on the device. 15 to 30 %."""
    model = convolutional(nn.Conv2d(1, 128, 5, stride=4, padding=2), Residual(128), Residual(128), Residual(128))
    update, y = Update(model), labels(64)
    waves = [torch.randn(64, 80_000) for _ in range(2)]
    if variant == "mended":
        waves = [wave.pin_memory() for wave in waves]
    window = torch.hann_window(512, device="cuda")

    def step(i):
        wave = waves[i % 2].to("cuda", non_blocking=variant == "mended")
        spectra = torch.stft(wave, 512, 160, window=window, return_complex=True).abs().log1p()
        x = spectra.unsqueeze(1).to(BF16).contiguous(memory_format=torch.channels_last)
        update.backward(class_loss(model(x), y))
        update.step()
    return step


@pairs.pair("small-copies pageable host-sync")
def targets_one_by_one(variant):
    """Two mistakes: the boxes of each of 48 pictures are copied alone, and from plain memory. Mended: one pinned piece.
    4 to 10 %."""
    model = convolutional(nn.Conv2d(3, 128, 7, stride=4, padding=3), *[Residual(128) for _ in range(4)])
    update, x = Update(model), images(48, 3, 384)
    packed = [torch.rand(48, 16, 5).pin_memory() for _ in range(2)]
    single = [[boxes.clone() for boxes in batch] for batch in packed]

    def targets(i):
        if variant == "bad":
            return torch.stack([boxes.to("cuda") for boxes in single[i % 2]])
        return packed[i % 2].to("cuda", non_blocking=True)

    def step(i):
        boxes = targets(i)
        area = boxes[..., 2] * boxes[..., 3]
        wanted = (boxes[..., 4] < 0.5).float()
        update.backward(F.binary_cross_entropy_with_logits(model(x).float(), wanted, weight=area))
        update.step()
    return step


@pairs.pair("same-stream")
def moments_in_line(variant):
    """The moments of six weights, 32 MiB each, lie in pinned memory. They come to the device for the update and go back
    in the stream of the kernels; mended, in two streams beside it. 20 to 45 %."""
    model = network(2048, 2048, 6)
    weights = [layer.weight for layer in model if isinstance(layer, nn.Linear)][:6]
    x, y = torch.randn(8192, 2048, device="cuda", dtype=BF16), labels(8192)
    moments = [torch.zeros(2, 2048, 2048).pin_memory() for _ in weights]
    kept = KeptOnHost(moments) if variant == "mended" else None

    def change(weight, mean, square):
        slope = weight.grad.float()
        mean.lerp_(slope, 0.1)
        square.lerp_(slope * slope, 0.01)
        weight.sub_(mean / (square.sqrt() + 1e-8), alpha=1e-6)

    def update(n, weight):
        here = kept.take(n) if kept else moments[n % 6].to("cuda", non_blocking=True)
        change(weight, here[0], here[1])
        if kept:
            kept.give_back(n)
        else:
            moments[n % 6].copy_(here, non_blocking=True)

    def step(i):
        model.zero_grad(set_to_none=True)
        class_loss(model(x), y).backward()
        with torch.no_grad():
            for n, weight in enumerate(weights):
                update(i * 6 + n, weight)
    return step


# ---- launches and streams

@pairs.pair("same-stream too-few-streams")
def ensemble_in_turn(variant):
    """Four models that each fill half of the device judge the same rows, in one graph: one after the other, or in four
    branches. 30 to 60 %."""
    models = [network(1024, 1024, 30).requires_grad_(False) for _ in range(4)]
    streams = [torch.cuda.Stream() for _ in models]
    x = torch.randn(1024, 1024, device="cuda", dtype=BF16)
    answers, mean = (torch.zeros(size, device="cuda", dtype=BF16) for size in ((4, 1024, 16), (1024, 16)))

    def in_turn():
        for answer, model in zip(answers, models):
            answer.copy_(model(x))

    def beside():
        current = torch.cuda.current_stream()
        for answer, model, stream in zip(answers, models, streams):
            stream.wait_stream(current)
            with torch.cuda.stream(stream):
                answer.copy_(model(x))
        for stream in streams:
            current.wait_stream(stream)

    def judge():
        in_turn() if variant == "bad" else beside()
        torch.mean(answers, 0, out=mean)
    graph = as_graph(judge)

    def step(i):
        for _ in range(5):
            graph.replay()
    step.kept = judge  # the graph does not keep what it uses
    return step


@pairs.pair("launch-bound python")
def pictures_adjusted_one_by_one(variant):
    """Each of 320 pictures on the device gets its own light and contrast, one by one; mended, all at once. 30 to
    55 %."""
    model = convolutional(nn.Conv2d(3, 128, 3, stride=2, padding=1), Residual(128), Residual(128))
    update, y = Update(model), labels(320)
    pictures = torch.rand(320, 3, 64, 64, device="cuda")
    factors = [0.8 + n / 800 for n in range(320)]
    shifts = [0.1 - n / 1600 for n in range(320)]
    factor, shift = (torch.tensor(values, device="cuda").view(-1, 1, 1, 1) for values in (factors, shifts))

    def adjusted():
        if variant == "mended":
            return pictures.sub(0.5).mul_(factor).add_(shift).clamp_(-1, 1)
        return torch.stack([picture.sub(0.5).mul_(f).add_(s).clamp_(-1, 1)
                            for picture, f, s in zip(pictures, factors, shifts)])

    def step(i):
        x = adjusted().to(BF16).contiguous(memory_format=torch.channels_last)
        update.backward(class_loss(model(x), y))
        update.step()
    return step


# ---- the host is late

@pairs.pair("python launch-bound host-late")
def hooks_count_parameters(variant):
    """A hook writes a line about each layer, and counts the parameters of the model for it; mended, they were counted
    before. 30 to 55 %."""
    model = network(1024, 1024, 50)
    update, y = Update(model), labels(6144)
    x = torch.randn(6144, 1024, device="cuda", dtype=BF16)
    lines = collections.deque(maxlen=100)

    def parameters():
        return sum(p.numel() for p in model.parameters())
    counted = parameters()

    def describe(layer, inputs, output):
        total = parameters() if variant == "bad" else counted
        lines.append(f"{tuple(inputs[0].shape)} to {tuple(output.shape)}: {layer.weight.numel()} of {total}")
    for layer in model:
        if isinstance(layer, nn.Linear):
            layer.register_forward_hook(describe)

    def step(i):
        update.backward(class_loss(model(x), y))
        update.step()
    return step


@pairs.pair("data-loading host-late python")
def shards_unpacked_in_loop(variant):
    """Compressed batches of 2.4 MB are unpacked in the loop, or by four threads before. 30 to 55 %."""
    model = convolutional(nn.Conv2d(3, 128, 3, stride=2, padding=1), *[Residual(128) for _ in range(5)])
    update, y = Update(model), labels(64)
    shards = Shards((64, 3, 112, 112), 0 if variant == "bad" else 4)

    def step(i):
        x = shards.batch(i).to("cuda", non_blocking=True).to(BF16, memory_format=torch.channels_last)
        update.backward(class_loss(model(x.div_(4).sub_(1)), y))
        update.step()
    step.finish = shards.close
    return step


# ---- nothing to mend

@pairs.healthy()
def healthy_accumulation(variant):
    """Gradients of three parts of a batch are added up, and so are the losses, on the device; their sum is looked at a
    step later."""
    model = encoder(768, 12, 4)
    head = nn.Linear(768, 16, device="cuda", dtype=BF16)
    parameters = [*model.parameters(), *head.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=1e-5, fused=True)
    parts, y = [torch.randn(32, 256, 768, device="cuda", dtype=BF16) for _ in range(3)], labels(32)
    late, log = Delayed((), torch.float32), {"loss": 0.0}

    def step(i):
        optimizer.zero_grad(set_to_none=True)
        total = torch.zeros((), device="cuda")
        for x in parts:
            loss = class_loss(head(model(x).mean(1)), y)
            loss.backward()
            total += loss.detach()
        optimizer.step()
        log["loss"] = float(late.exchange(i, total))
    return step


@pairs.healthy()
def healthy_graph_fed_ahead(variant):
    """A graph; its input comes by a copy stream a step before, and its results leave in a side stream."""
    model = network(2048, 4096, 12, 1024).requires_grad_(False)
    source = Prefetcher(host_batches((8192, 2048), pinned=True))
    collector = Collector((8192, 1024))
    x = torch.zeros(8192, 2048, device="cuda", dtype=BF16)
    y = torch.zeros(8192, 1024, device="cuda", dtype=BF16)
    graph = as_graph(lambda: y.copy_(model(x)))

    def step(i):
        x.copy_(source.take(i))
        source.give_back(i)
        graph.replay()
        collector.take(i, y.clone())
    step.model = model  # the graph does not keep it
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
