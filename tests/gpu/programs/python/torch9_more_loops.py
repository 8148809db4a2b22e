#!/usr/bin/env python3
"""The ninth set of loops in PyTorch, continued from torch9_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Update, class_loss
from torch9_parts import Agents, Tower, advantages_by_numpy, advantages_by_scan, enhancer, reader_of_prompts
from torch_loops import main
from torch_parts import Collector, Delayed, Prefetcher, as_graph, host_batches, labels, network

pairs = loop_runner.Pairs("torch9_more")


@pairs.pair("pageable readback host-sync", allowed=("stretched",))
def caches_moved_out(variant):
    """Prompts of 8192 words are read, and 17 MB of keys and values kept on the host until they are answered: by .cpu()
    of each layer, or by a side stream in pinned memory. 30 to 60 %."""
    layers, kept = reader_of_prompts(2048, 16, 4), {}
    prompts, leaving = torch.randn(8, 1024, 2048, device="cuda", dtype=BF16), Collector((4, 8, 1024, 256))

    @torch.no_grad()
    def step(i):
        x, caches = prompts, []
        for layer in layers:
            x, cache = layer(x)
            caches.append(cache)
        if variant == "bad":
            kept[i % 2] = [cache.cpu() for cache in caches]
        else:
            leaving.take(i, torch.stack(caches))
    return step


@pairs.pair("pageable readback host-sync python host-late")
def mean_of_weights_on_host(variant):
    """The host keeps a moving mean of all weights, 12 MB, and gets them one by one in each step; mended, the device
    keeps it. 30 to 60 %."""
    model, y = network(512, 1024, 6), labels(49152)
    update, x = Update(model), torch.randn(49152, 512, device="cuda", dtype=BF16)
    weights = list(model.parameters())
    means = [w.detach().cpu() if variant == "bad" else w.detach().clone() for w in weights]

    def step(i):
        update.backward(class_loss(model(x), y))
        update.step()
        with torch.no_grad():
            if variant == "bad":
                for mean, w in zip(means, weights):
                    mean.lerp_(w.cpu(), 0.01)
            else:
                torch._foreach_lerp_(means, weights, 0.01)
    return step


@pairs.pair("same-stream", allowed=("stretched",))
def what_teacher_said_in_line(variant):
    """A network learns what a larger one said about 6144 rows, 48 MiB a step from pinned memory: in the stream of the
    kernels where the loss needs it, or a step ahead. 7 to 18 %."""
    model, said = network(1024, 4096, 6, 4096), host_batches((6144, 4096), True)
    update, x = Update(model), torch.randn(6144, 1024, device="cuda", dtype=BF16)
    ahead = Prefetcher(said) if variant == "mended" else None

    def step(i):
        result = F.log_softmax(model(x), 1)
        goal = ahead.take(i) if ahead else said[i % 2].to("cuda", non_blocking=True)
        loss = F.kl_div(result, F.softmax(goal, 1), reduction="batchmean")
        if ahead:
            ahead.give_back(i)
        update.backward(loss)
        update.step()
    return step


@pairs.pair("readback pageable host-sync python host-late")
def advantages_found_by_numpy(variant):
    """A policy learns from 128 moments of 512 environments. How good they were is found by numpy, or by a few sums on
    the device. 12 to 30 %."""
    policy, critic, moments = network(128, 2048, 3), network(128, 512, 2, 1).requires_grad_(False), 128
    update, chosen = Update(policy), labels(moments * 512)
    seen = torch.randn((moments + 1) * 512, 128, device="cuda", dtype=BF16)
    rewards = torch.randn(moments, 512, device="cuda")
    going = (torch.rand(moments, 512, device="cuda") > 0.02).float()

    def advantages():
        values = critic(seen).float().view(moments + 1, 512)
        if variant == "mended":
            return advantages_by_scan(rewards, values, going)
        return torch.from_numpy(advantages_by_numpy(*(t.cpu().numpy() for t in (rewards, values, going)))).cuda()

    def step(i):
        better = advantages().flatten()
        likely = F.cross_entropy(policy(seen[:moments * 512]).float(), chosen, reduction="none")
        update.backward((likely * better).mean())
        update.step()
    return step


@pairs.pair("readback host-sync")
def tokens_left_out_by_nonzero(variant):
    """Each of eight layers leaves out an eighth of its tokens. Which ones stay is known from their order; bad, it is
    found by nonzero(), and the host reads how many. 4 to 12 %."""
    tokens, scorers = torch.randn(24576, 1024, device="cuda", dtype=BF16), torch.randn(8, 1024, device="cuda").unbind()
    with torch.device("cuda"):
        layers = [nn.Sequential(nn.LayerNorm(1024), nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)).to(BF16)
                  for _ in scorers]

    @torch.no_grad()
    def step(i):
        x = tokens
        for layer, scorer in zip(layers, scorers):
            scores, left = x.float() @ scorer, len(x) * 7 // 8
            ordered, places = scores.sort(descending=True)
            stay = (scores >= ordered[left - 1]).nonzero().squeeze(1) if variant == "bad" else places[:left]
            x = x.index_select(0, stay)
            x = x + layer(x)
    return step


@pairs.pair("readback host-sync python host-late")
def losses_of_tasks_printed(variant):
    """A network learns eight tasks. Their losses are printed in each step, a tensor on the device; mended, those of the
    step before, which are on the host by then. 3 to 10 %."""
    model, tasks, rows = network(1024, 4096, 7, 8 * 16), 8, 6144
    update, y = Update(model), labels(rows * tasks)
    x, late = torch.randn(rows, 1024, device="cuda", dtype=BF16), Delayed((tasks,), torch.float32)
    lines = open(os.devnull, "w")

    def step(i):
        losses = F.cross_entropy(model(x).float().view(rows * tasks, 16), y, reduction="none").view(rows, tasks).mean(0)
        update.backward(losses.sum())
        update.step()
        losses = losses.detach()
        print("step", i, losses if variant == "bad" else late.exchange(i, losses), file=lines)
    step.finish = lines.close
    return step


@pairs.pair("small-copies launch-bound same-stream", allowed=("same-stream",))
def molecules_moved_one_by_one(variant):
    """128 molecules of 64 atoms, and their energies, come from pinned memory: one by one, 256 copies, or in two. 5 to
    25 %."""
    model, count = network(16, 4096, 6, 1), 128
    update = Update(model)
    atoms = torch.randn(2, count, 64, 16).to(BF16).pin_memory()
    energies = torch.randn(2, count, 64).pin_memory()

    def on_device(values):
        if variant == "mended":
            return values.to("cuda", non_blocking=True)
        return torch.stack([value.to("cuda", non_blocking=True) for value in values.unbind()])

    def step(i):
        x, y = on_device(atoms[i % 2]), on_device(energies[i % 2])
        found = model(x.view(count * 64, 16)).float().view(count, 64)
        update.backward(F.mse_loss(found.sum(1), y.sum(1)))
        update.step()
    return step


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_two_towers(variant):
    """Who may like what: numbers of things come a step ahead, two networks look them up and meet in one product; the
    loss of the step before is looked at."""
    towers = nn.ModuleList([Tower(100_000, network(2048, 4096, 3, 256)) for _ in range(2)])
    update, late, log = Update(towers), Delayed((), torch.float32), {"loss": 0.0}
    ahead = Prefetcher([torch.randint(0, 100_000, (2, 8192, 16)).pin_memory() for _ in range(2)])
    y = torch.arange(8192, device="cuda")

    def step(i):
        who, what = (tower(indices) for tower, indices in zip(towers, ahead.take(i)))
        ahead.give_back(i)
        loss = update.backward(class_loss(10 * who @ what.t(), y))
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


@pairs.healthy()
def healthy_agents_in_graph(variant):
    """Six moves of 24576 agents are a graph; how many came to the edge in the step before is looked at."""
    policy, world = network(256, 2048, 4).requires_grad_(False), Agents(24576, 256)
    late, log, number = Delayed((), torch.long), {"ended": 0}, torch.zeros((), dtype=torch.long, device="cuda")

    @torch.no_grad()
    def moves():
        state = world.state
        for _ in range(6):
            ended = world.move(policy(world.state).argmax(1))
            world.state = torch.where(ended.unsqueeze(1), world.start, world.state)
            number.add_(ended.sum())
        world.state = state.copy_(world.state)  # where the next replay finds it
    graph = as_graph(moves)

    def step(i):
        graph.replay()
        log["ended"] = int(late.exchange(i, number))
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_frames_enhanced(variant):
    """Clips come from pinned memory a step ahead, are made better, and leave beside the next ones."""
    model, clips = enhancer(12), Prefetcher([torch.randint(0, 256, (8, 1, 512, 640), dtype=torch.uint8).pin_memory()
                                             for _ in range(2)])
    leaving = Collector((8, 1, 512, 640), dtype=torch.uint8)

    @torch.no_grad()
    def step(i):
        frames = clips.take(i).to(BF16) / 255
        clips.give_back(i)
        leaving.take(i, (model(frames).clamp(0, 1) * 255).to(torch.uint8))
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
