#!/usr/bin/env python3
"""A ninth set of loops in PyTorch, continued in torch9_more_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Update, images
from torch9_parts import Agents, Clips, Messages, Writer, denoiser, drawn, enhancer
from torch_loops import main
from torch_parts import Delayed, Prefetcher, as_graph, host_batches, network

pairs = loop_runner.Pairs("torch9")


@pairs.pair("pageable host-sync")
def sampler_times_from_host(variant):
    """A sampler of pictures, four steps of a denoiser. The time and the noise level of each step are numbers of the
    host, which become tensors on the device in each step, two copies that are waited for; mended, they became so before
    the loop. 3 to 9 %."""
    model, rows, start = denoiser().requires_grad_(False), 48, images(48, 4, 64)
    schedule = [(990, 0.5), (640, 0.4), (320, 0.3), (60, 0.2)]

    def on_device(time, level):
        return torch.tensor([time] * rows, device="cuda"), torch.tensor(level, device="cuda")
    moved = [on_device(*entry) for entry in schedule]

    @torch.no_grad()
    def step(i):
        x = start
        for n, entry in enumerate(schedule):
            times, level = on_device(*entry) if variant == "bad" else moved[n]
            x = x - level * model(x, times)
    return step


@pairs.pair("readback host-sync")
def scores_of_two_networks_logged(variant):
    """One network makes pictures, another one tells them from real ones, an optimizer each. Two losses and the mean
    scores of what is real and of what is made twice are read where they arise; mended, those of the step before are
    read at once. 3 to 8 %."""
    makes = nn.Sequential(network(128, 4096, 4, 3072), nn.Tanh())
    judges = network(3072, 4096, 4, 1)
    maker, judge = Update(makes), Update(judges)
    real = torch.randn(1536, 3072, device="cuda", dtype=BF16)
    late, log = Delayed((5,), torch.float32), {}

    def noted(value):
        return value.item() if variant == "bad" else value

    def judged(pictures, as_real):
        scores = judges(pictures).float()
        return F.binary_cross_entropy_with_logits(scores, torch.full_like(scores, as_real)), scores.detach().mean()

    def step(i):
        made = makes(torch.randn(1536, 128, device="cuda", dtype=BF16))
        loss, score = judged(real, 1.0)
        first = judge.backward(loss)
        seen = [noted(score)]
        loss, score = judged(made.detach(), 0.0)
        loss.backward()
        seen += [noted(score), noted(first + loss.detach())]
        judge.step()
        loss, score = judged(made, 1.0)
        maker.backward(loss)
        seen += [noted(score), noted(loss.detach())]
        maker.step()
        log["last"] = seen if variant == "bad" else late.exchange(i, torch.stack(seen)).tolist()
    return step


@pairs.pair("launch-bound python host-late")
def features_looked_up_one_by_one(variant):
    """A recommender of 300 features, each with a table of its own: they are looked up and made of one length one by
    one, or all at once in one table. 40 to 70 %."""
    features, entries, width, rows = 300, 5000, 16, 12288
    table = torch.randn(features * entries, width, device="cuda", dtype=BF16)
    indices = torch.randint(0, entries, (features, rows), device="cuda")
    first = torch.arange(0, features * entries, entries, device="cuda")
    judge = network(features * width, 4096, 4).requires_grad_(False)
    together = (indices.t() + first).contiguous()
    one_by_one = list(zip(indices.unbind(), table.view(features, entries, width).unbind()))

    @torch.no_grad()
    def step(i):
        if variant == "bad":
            found = torch.cat([F.normalize(F.embedding(index, part), dim=1) for index, part in one_by_one], 1)
        else:
            found = F.normalize(F.embedding(together, table), dim=2).flatten(1)
        judge(found)
    return step


@pairs.pair("readback host-sync")
def agents_begin_again_if_any(variant):
    """A policy moves 24576 agents six times. The host asks if any came to the edge, and where they are; mended, the
    device begins again with those that did. 4 to 11 %."""
    policy, world = network(256, 2048, 4).requires_grad_(False), Agents(24576, 256)

    @torch.no_grad()
    def step(i):
        for _ in range(6):
            ended = world.move(policy(world.state).argmax(1))
            if variant == "mended":
                world.state = torch.where(ended.unsqueeze(1), world.start, world.state)
            elif ended.any():
                rows = ended.nonzero().squeeze(1)
                world.state[rows] = world.start[rows]
    return step


@pairs.pair("readback host-sync")
def sums_sized_by_largest_index(variant):
    """A graph network of 14 layers, 60000 nodes and 160000 edges. The sums over the edges aren't told how many nodes
    there are, and read the largest index. 7 to 18 %."""
    nodes, edges = 60_000, 160_000
    with torch.device("cuda"):
        layers = nn.ModuleList([Messages(128) for _ in range(14)]).requires_grad_(False)
        x = torch.randn(nodes, 128)
        source, target = torch.randint(0, nodes, (2, edges))
    target[0] = nodes - 1
    size = None if variant == "bad" else nodes

    @torch.no_grad()
    def step(i):
        seen = x
        for layer in layers:
            seen = layer(seen, source, target, size)
    return step


@pairs.pair("data-loading host-late python")
def clips_put_together_in_loop(variant):
    """Clips of 2.6 MB are put together from the differences of their bytes by numpy, some 10 ms each, and made better:
    in the loop, or by five threads before. 40 to 70 %."""
    model, clips = enhancer(12), Clips((8, 512, 640), 5 if variant == "mended" else 0)

    @torch.no_grad()
    def step(i):
        model(clips.on_device(i).unsqueeze(1).to(BF16) / 255)
    step.finish = clips.close
    return step


@pairs.pair("readback host-sync")
def tokens_drawn_by_multinomial(variant):
    """A decoder with a cache of 1024 places, a graph, writes two tokens of 256 rows. multinomial() asks the device
    whether its chances are good, and the host whether all rows have ended; mended, neither asks, and the host hears of
    the end a token later. 4 to 12 %."""
    model, late = Writer(256, 1024, 3, 1024, 32_000), Delayed((), torch.bool)
    ended, found = torch.zeros(256, dtype=torch.bool, device="cuda"), {}
    graph = as_graph(lambda: found.update(scores=model.scores()))

    def all_ended(n):
        return ended.all() if variant == "bad" else late.exchange(n, ended.all())

    @torch.no_grad()
    def step(i):
        for n in range(2 * i, 2 * i + 2):
            graph.replay()
            chances = F.softmax(found["scores"] / 0.8, 1)
            token = torch.multinomial(chances, 1).squeeze(1) if variant == "bad" else drawn(chances)
            ended.logical_or_(token == 2)
            if all_ended(n):
                ended.zero_()
            model.token.copy_(token)
    return step


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_denoiser_learns(variant):
    """Latents come a step ahead, noise and times are drawn on the device; the loss of the step before is looked at."""
    model, latents = denoiser(), Prefetcher(host_batches((64, 4, 64, 64), True))
    update, late, log = Update(model), Delayed((), torch.float32), {"loss": 0.0}

    def step(i):
        clean = latents.take(i).contiguous(memory_format=torch.channels_last)
        latents.give_back(i)
        noise, times = torch.randn_like(clean), torch.randint(0, 1000, (64,), device="cuda")
        share = (times.to(BF16) / 1000)[:, None, None, None]
        loss = update.backward(F.mse_loss(model(torch.lerp(clean, noise, share), times).float(), noise.float()))
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


@pairs.healthy()
def healthy_writing_in_graph(variant):
    """Two tokens of 256 rows and their choice are one graph; the tokens of the step before are looked at."""
    model, late, log = Writer(256, 1024, 3, 1024, 32_000), Delayed((256,), torch.long), {"first": 0}

    @torch.no_grad()
    def write():
        for _ in range(2):
            model.token.copy_(drawn(F.softmax(model.scores() / 0.8, 1)))
    graph = as_graph(write)

    def step(i):
        graph.replay()
        log["first"] = int(late.exchange(i, model.token)[0])
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
