#!/usr/bin/env python3
"""A third set of loops in PyTorch, to test on what the analysis was not made with. See loop_runner.py.

Of the analysis only the manual was read before. The costs in the comments are rough, for an H200.
"""
import collections
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Residual, Update, class_loss, convolutional, encoder, images, unet
from torch3_parts import Decoder, Neighbours, Pendulums, Pictures, Snapshots
from torch_loops import main
from torch_parts import Collector, Delayed, Loader, Prefetcher, as_graph, labels, network

pairs = loop_runner.Pairs("torch3")


# ---- values that the host reads

@pairs.pair("readback host-sync")
def sampler_reads_sigma(variant):
    """A sampler of a diffusion model takes its noise levels from the device, two for each of four steps. 3 to 9 %."""
    model = unet(4, 4, (128, 256, 512)).requires_grad_(False)
    start = images(32, 4, 64)
    levels = [10.0, 5.0, 2.0, 0.5, 0.1]
    sigmas = torch.tensor(levels, device="cuda") if variant == "bad" else levels

    @torch.no_grad()
    def step(i):
        x = start * levels[0]
        for k in range(4):
            sigma, following = float(sigmas[k]), float(sigmas[k + 1])
            clean = model(x / (sigma * sigma + 1) ** 0.5)
            x = clean + (x - clean) * (following / sigma)
    return step


@pairs.pair("readback host-sync")
def tokens_to_text(variant):
    """A small decoder replays a graph for each token of 64 rows; the host looks their words up at once, or a token
    later. 5 to 10 %."""
    decoder = Decoder(64, 1024, 3, 256)
    graph, late = as_graph(decoder.next), Delayed((64,), torch.long)
    words = [f"word{n}" for n in range(8192)]
    texts = [collections.deque(maxlen=100) for _ in range(64)]
    for host in late.collector.host:
        host.zero_()

    def tokens(number):
        return (decoder.token if variant == "bad" else late.exchange(number, decoder.token)).tolist()

    def step(i):
        for n in range(i * 20, i * 20 + 20):
            graph.replay()
            for text, token in zip(texts, tokens(n)):
                text.append(words[token])
    return step


@pairs.pair("readback host-sync")
def graph_counts_edges(variant):
    """A mask of exactly 400 000 edges for each of three layers; nonzero() does not know how many. 3 to 6 %."""
    nodes, edges, chosen = 50_000, 500_000, 400_000
    layers = nn.ModuleList([Neighbours(128) for _ in range(3)])
    head = nn.Linear(128, 16, device="cuda")
    update = Update(nn.ModuleList([layers, head]))
    x, y = torch.randn(nodes, 128, device="cuda"), labels(nodes)
    source, target = torch.randint(0, nodes, (2, edges), device="cuda")
    degree = torch.full((nodes, 1), chosen / nodes, device="cuda")
    masks = [torch.randperm(edges, device="cuda") < chosen for _ in layers]

    def indices(mask):
        return (mask.nonzero() if variant == "bad" else mask.nonzero_static(size=chosen))[:, 0]

    def step(i):
        hidden = x
        for layer, mask in zip(layers, masks):
            rows = indices(mask)
            hidden = layer(hidden, source[rows], target[rows], degree)
        update.backward(class_loss(head(hidden), y))
        update.step()
    return step


# ---- copies

@pairs.pair("pageable host-sync")
def clips_from_numpy(variant):
    """Clips of 0.6 MiB come as numpy arrays, in plain or in pinned memory. 4 to 8 %."""
    patches = nn.Conv2d(3, 2048, 8, stride=8, device="cuda", dtype=BF16)
    model = nn.ModuleList([patches, encoder(2048, 32, 5)]).requires_grad_(False)
    clips = [torch.randint(0, 256, (16, 3, 112, 112), dtype=torch.uint8) for _ in range(2)]
    if variant == "mended":
        clips = [clip.pin_memory() for clip in clips]
    arrays = [clip.numpy() for clip in clips]
    late, seen = Delayed((16, 2048), BF16), {"sum": 0.0}

    @torch.no_grad()
    def step(i):
        frames = torch.from_numpy(arrays[i % 2]).to("cuda", non_blocking=variant == "mended")
        tokens = model[0](frames.to(BF16).div_(128).sub_(1)).flatten(2).transpose(1, 2)
        seen["sum"] += float(late.exchange(i, model[1](tokens).mean(1))[0, 0])
    return step


@pairs.pair("same-stream")
def pictures_in_line(variant):
    """Batches of 40 MiB from pinned memory, made into numbers on the device: their copies are in the stream of the
    kernels, or in one of their own. 10 to 15 %."""
    model = convolutional(nn.Conv2d(3, 128, 7, stride=8, padding=3), Residual(128), Residual(128), Residual(128))
    update, y = Update(model), labels(96)
    batches = [torch.randint(0, 256, (96, 3, 384, 384), dtype=torch.uint8).pin_memory() for _ in range(2)]
    source = Prefetcher(batches) if variant == "mended" else None

    def batch(i):
        raw = source.take(i) if source else batches[i % 2].to("cuda", non_blocking=True)
        x = raw.to(BF16, memory_format=torch.channels_last).div_(128).sub_(1)
        if source:
            source.give_back(i)
        return x

    def step(i):
        update.backward(class_loss(model(batch(i)), y))
        update.step()
    return step


@pairs.pair("same-stream")
def enlarged_frames_in_line(variant):
    """Frames of 14 MB are taken to pinned memory in the stream of the kernels, or beside it. 4 to 9 %."""
    layers = [nn.Conv2d(3, 128, 3, padding=1), nn.ReLU()]
    for _ in range(8):
        layers += [nn.Conv2d(128, 128, 3, padding=1), nn.ReLU()]
    layers += [nn.Conv2d(128, 27, 3, padding=1), nn.PixelShuffle(3)]
    model = nn.Sequential(*layers).to("cuda", BF16, memory_format=torch.channels_last).requires_grad_(False)
    frame = torch.rand(1, 3, 540, 960, device="cuda", dtype=BF16).contiguous(memory_format=torch.channels_last)
    collector = Collector((3, 1620, 2880), torch.uint8, side_stream=variant == "mended")

    @torch.no_grad()
    def step(i):
        large = model(frame)[0].mul(255).clamp_(0, 255).to(torch.uint8)
        collector.take(i, large.contiguous())
    return step


@pairs.pair("pageable readback host-sync")
def weights_to_host(variant):
    """Every second step the weights, 25 MB, go to the host by .cpu(); mended, to pinned memory in a side stream. 15 to
    35 %."""
    model = encoder(512, 8, 4)
    head = nn.Linear(512, 16, device="cuda", dtype=BF16)
    update = Update(nn.ModuleList([model, head]))
    x, y = torch.randn(112, 256, 512, device="cuda", dtype=BF16), labels(112)
    snapshots, saved = Snapshots(update.parameters), {"weights": None}

    def step(i):
        update.backward(class_loss(head(model(x).mean(1)), y))
        snapshots.keep()
        update.step()
        if i % 2 == 1 and variant == "bad":
            saved["weights"] = [p.detach().cpu() for p in update.parameters]
        elif i % 2 == 1:
            snapshots.take(i // 2)
    return step


# ---- the host is late

@pairs.pair("host-late python readback host-sync")
def environments_in_turn(variant):
    """Two groups of environments on the host: the policy waits for them and they for it. Mended, one group moves while
    the policy looks at the other. 20 to 35 %."""
    policy = network(64, 3072, 10, 4).requires_grad_(False)
    groups = [Pendulums(4096) for _ in range(2)]
    actions = [torch.zeros(4096, dtype=torch.long).pin_memory() for _ in groups]
    chosen = [torch.cuda.Event() for _ in groups]

    def judge(g):
        return policy(groups[g].features.to("cuda", non_blocking=True).to(BF16)).argmax(1)

    def in_turn(i):
        for g, group in enumerate(groups):
            group.step(judge(g).cpu().numpy())

    def beside(i):
        for g, group in enumerate(groups):
            if i:
                chosen[g].synchronize()
                group.step(actions[g].numpy())
            actions[g].copy_(judge(g), non_blocking=True)
            chosen[g].record()
    return torch.no_grad()(in_turn if variant == "bad" else beside)


@pairs.pair("python host-late data-loading")
def ids_from_lists(variant):
    """Requests bring 32768 numbers of products as lists, or as arrays. 35 to 60 %."""
    with torch.device("cuda"):
        table = nn.Embedding(400_000, 128, dtype=BF16).requires_grad_(False)
    model = network(128, 4096, 13, 16).requires_grad_(False)
    arrays = [np.random.default_rng(n).integers(0, 400_000, 8) for n in range(4096)]
    requests = [[int(n) for n in array] for array in arrays] if variant == "bad" else arrays
    staging = [torch.empty(4096 * 8, dtype=torch.long).pin_memory() for _ in range(2)]
    late, seen = Delayed((4096,), torch.long), {"sum": 0}

    def together(slot):
        if variant == "bad":
            staging[slot].copy_(torch.tensor([n for request in requests for n in request]))
        else:
            np.concatenate(requests, out=staging[slot].numpy())
        return staging[slot]

    @torch.no_grad()
    def step(i):
        ids = together(i % 2).to("cuda", non_blocking=True).view(4096, 8)  # step i - 2 has ended
        answers = model(table(ids).sum(1)).argmax(1)
        seen["sum"] += int(late.exchange(i, answers)[0])
    return step


@pairs.pair("data-loading host-late python")
def pictures_turned_in_loop(variant):
    """numpy makes each picture of a batch ready, in the loop or in six workers. 30 to 60 %."""
    model = convolutional(nn.Conv2d(3, 128, 3, stride=2, padding=1), Residual(128), Residual(128), Residual(128))
    update, y = Update(model), labels(48)
    loader = Loader(Pictures(), 0 if variant == "bad" else 6, batch_size=48)

    def step(i):
        x = loader.next().to("cuda", non_blocking=True).to(BF16, memory_format=torch.channels_last)
        update.backward(class_loss(model(x.div_(128).sub_(1)), y))
        update.step()
    step.finish = loader.close
    return step


# ---- launches and memory

@pairs.pair("launch-bound")
def decoder_without_graph(variant):
    """Four tokens of 64 rows, the operations one by one or as a graph. 40 to 65 %."""
    decoder = Decoder(64, 1536, 6)
    following = decoder.next if variant == "bad" else as_graph(decoder.next).replay

    def step(i):
        for _ in range(4):
            following()
    step.decoder = decoder  # the graph does not keep it
    return step


@pairs.pair("allocation device-barrier")
def scan_empties_cache(variant):
    """A scan is cut into four tiles; after each scan the cache of the allocator is emptied. 3 to 8 %."""
    model = unet(1, 4, (64, 128, 256)).requires_grad_(False)
    scan = images(4, 1, 512)
    found = torch.zeros(4, 512, 512, dtype=torch.uint8, device="cuda")

    @torch.no_grad()
    def step(i):
        for n in range(4):
            found[n] = model(scan[n:n + 1])[0].argmax(0)
        if variant == "bad":
            torch.cuda.empty_cache()
    return step


# ---- nothing to mend

@pairs.healthy()
def healthy_prefetched_pictures(variant):
    """Two pinned batches, a copy stream, and the loss of the step before is looked at."""
    model = convolutional(nn.Conv2d(3, 128, 3, stride=2, padding=1), Residual(128), Residual(128), Residual(128))
    update, y = Update(model), labels(64)
    source = Prefetcher([torch.randint(0, 256, (64, 3, 128, 128), dtype=torch.uint8).pin_memory() for _ in range(2)])
    late, log = Delayed((), torch.float32), {"loss": 0.0}

    def step(i):
        x = source.take(i).to(BF16, memory_format=torch.channels_last).div_(128).sub_(1)
        source.give_back(i)
        log["loss"] = float(late.exchange(i, update.backward(class_loss(model(x), y))))
        update.step()
    return step


@pairs.healthy()
def healthy_sampler(variant):
    """Noise levels are numbers of the host, noise is drawn on the device."""
    model = unet(4, 4, (128, 256, 512)).requires_grad_(False)
    start = images(64, 4, 64)

    @torch.no_grad()
    def step(i):
        x = start
        for sigma in (4.0, 2.0, 1.0):
            x = model(x + sigma * torch.randn_like(x)).clamp_(-3, 3)
    return step


@pairs.healthy()
def healthy_serving(variant):
    """Batches come from pinned memory by a copy stream, answers go back in a side stream."""
    model = encoder(1024, 16, 6).requires_grad_(False)
    source = Prefetcher([torch.randn(32, 512, 1024).to(BF16).pin_memory() for _ in range(2)])
    collector = Collector((32, 1024))

    @torch.no_grad()
    def step(i):
        pooled = model(source.take(i)).mean(1)
        source.give_back(i)
        collector.take(i, F.normalize(pooled, dim=1))
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
