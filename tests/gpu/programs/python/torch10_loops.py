#!/usr/bin/env python3
"""A tenth set of loops in PyTorch, continued in torch10_more_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

import loop_runner
from torch10_parts import Dream, Scene, Sweeps, fading
from torch2_parts import BF16, Update, class_loss, encoder
from torch3_parts import Snapshots
from torch_loops import main
from torch_parts import Delayed, Prefetcher, labels, network

pairs = loop_runner.Pairs("torch10")


@pairs.pair("launch-bound python host-late")
def memory_moment_by_moment(variant):
    """128 rows of 256 moments go through five layers with a memory, moment by moment, or by one product of matrices.
    40 to 70 %."""
    model = fading(512, 256, 5, variant == "bad")
    x = torch.randn(128, 256, 512, device="cuda", dtype=BF16)

    @torch.no_grad()
    def step(i):
        model(x)
    return step


@pairs.pair("allocation device-barrier host-sync host-late")
def rays_in_careful_chunks(variant):
    """A picture of a scene, five chunks of 2048 rays. After each one the cache of the allocator is emptied. 35 to
    65 %."""
    scene, rays = Scene(512, 8, 64).requires_grad_(False), torch.randn(5 * 2048, 6, device="cuda")
    picture = torch.zeros(5 * 2048, 3, device="cuda")

    @torch.no_grad()
    def step(i):
        for chunk, part in zip(rays.split(2048), picture.split(2048)):
            part.copy_(scene.seen(chunk))
            if variant == "bad":
                torch.cuda.empty_cache()
    return step


@pairs.pair("pageable host-sync")
def sweeps_from_numpy(variant):
    """Eight sweeps of 131072 points, 16 MiB, become a tensor on the device from an array of numpy; mended, they come a
    step ahead from pinned memory. 12 to 30 %."""
    random, model = np.random.default_rng(10), Sweeps().requires_grad_(False)
    arrays = [random.standard_normal((8, 131072, 4), dtype=np.float32) for _ in range(2)]
    ahead = Prefetcher([torch.from_numpy(a).pin_memory() for a in arrays]) if variant == "mended" else None

    @torch.no_grad()
    def step(i):
        points = ahead.take(i) if ahead else torch.as_tensor(arrays[i % 2], device="cuda")
        near = points.to(BF16)
        if ahead:
            ahead.give_back(i)
        model(near)
    return step


@pairs.pair("pageable readback host-sync", allowed=("stretched",))
def state_kept_to_go_back(variant):
    """Every second step the weights and both moments of an optimizer, 13 MB, are kept on the host, in case that
    something fails: by .to("cpu") of each, or in a side stream in pinned memory. 10 to 30 %."""
    model, y, kept = network(1024, 1024, 2), labels(196608), {}
    update, x = Update(model), torch.randn(196608, 1024, device="cuda", dtype=BF16)
    update.backward(class_loss(model(x), y))
    update.step()
    moments = [update.optimizer.state[p][name] for p in update.parameters for name in ("exp_avg", "exp_avg_sq")]
    state = [p.detach() for p in update.parameters] + moments
    snapshots = Snapshots(state) if variant == "mended" else None

    def step(i):
        update.backward(class_loss(model(x), y))
        if snapshots:
            snapshots.keep()
        update.step()
        if i % 2 == 0 and snapshots:
            snapshots.take(i // 2)
        elif i % 2 == 0:
            kept[i // 2 % 2] = [part.to("cpu") for part in state]
    return step


@pairs.pair("host-late host-sync python")
def answers_asked_for_with_pauses(variant):
    """Three groups of 32 texts a step. Whether the answers to a group came is asked every 4 ms; mended, the host waits
    for those to the group before. 30 to 65 %."""
    model, texts = encoder(2048, 16, 2).requires_grad_(False), torch.randn(32, 128, 2048, device="cuda", dtype=BF16)
    answers = [torch.empty(32, 2048).pin_memory() for _ in range(2)]
    there, log = [torch.cuda.Event() for _ in range(2)], {}

    @torch.no_grad()
    def step(i):
        for n in range(3 * i, 3 * i + 3):
            slot, seen = n % 2, n % 2 if variant == "bad" else 1 - n % 2
            answers[slot].copy_(model(texts).mean(1).float(), non_blocking=True)
            there[slot].record()
            while variant == "bad" and not there[slot].query():
                time.sleep(0.004)
            there[seen].synchronize()
            log["answer"] = float(answers[seen][0, 0])
    return step


@pairs.pair("readback host-sync")
def states_drawn_by_normal(variant):
    """A world is imagined for 16 moments, of 12288 beginnings. torch.normal() asks the device whether no spread is
    below zero; mended, what it does is written out. 6 to 18 %."""
    def drawn(middle, spread):
        return torch.addcmul(middle, spread, torch.randn_like(middle))
    model = Dream(1024, 64, torch.normal if variant == "bad" else drawn)
    begin = torch.randn(12288, 1024, device="cuda", dtype=BF16)

    @torch.no_grad()
    def step(i):
        known = begin
        for _ in range(16):
            known = model(known)
    return step


# ---- nothing to mend

@pairs.healthy()
def healthy_scene_learned(variant):
    """Rays are chosen by the device, what they meet is compared; the loss of the step before is looked at."""
    scene, count = Scene(512, 8, 64), 1_000_000
    rays, colours = torch.randn(count, 6, device="cuda"), torch.rand(count, 3, device="cuda")
    update, late, log = Update(scene), Delayed((), torch.float32), {"loss": 0.0}

    def step(i):
        chosen = torch.randint(0, count, (2048,), device="cuda")
        loss = update.backward(F.mse_loss(scene.seen(rays.index_select(0, chosen)), colours.index_select(0, chosen)))
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
