#!/usr/bin/env python3
"""A sixth set of loops in PyTorch, to test on what the analysis was not made with. See loop_runner.py.

Of the analysis only the list of causes in the manual was read before. The costs in the comments are estimates for an
H100 or H200, not measured.
"""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Update, capturable, class_loss, encoder
from torch6_parts import (Adapted, Autoencoder, CheckedBlock, FetchedAfter, InLine, PinnedWindows, SavedBehind, Store,
                          Trackers, WindowLoader, Windows, adapted, advantages, fields_model, prefix_model, saved)
from torch_loops import main
from torch_parts import Collector, Delayed, Prefetcher, as_graph, host_batches, labels, network

pairs = loop_runner.Pairs("torch6")


# ---- the host waits

@pairs.pair("readback host-sync", further="python launch-bound host-late host-sync")
def distributions_validated(variant):
    """An autoencoder with four levels of normal distributions. Each checks its values when it is made, and the host
    reads whether they are good. 4 to 9 %. Further: as a graph."""
    model = Autoencoder(1024, 4, checked=variant == "bad")
    update = Update(model, capturable(model))
    x = torch.randn(12288, 1024, device="cuda", dtype=BF16)

    def step(i):
        update.backward(model(x))
        update.step()
    if variant != "further":
        return step
    graph = as_graph(lambda: step(0))
    return lambda i: graph.replay()


@pairs.pair("readback host-sync")
def trackers_check_factor(variant):
    """8192 trackers, ten measurements each. cholesky() raises if it failed, and so reads from the device;
    cholesky_ex() does not. 3 to 9 %."""
    trackers = Trackers(8192, checked=variant == "bad")
    seen = torch.randn(10, 8192, 32, device="cuda")

    def step(i):
        for measured in seen:
            trackers.update(measured)
    return step


@pairs.pair("readback host-sync")
def assertions_left_on(variant):
    """After each of ten blocks an assertion about its result, on the host or on the device. 3 to 8 %."""
    with torch.device("cuda"):
        model = nn.Sequential(*[CheckedBlock(1024, variant == "bad") for _ in range(10)], nn.Linear(1024, 16)).to(BF16)
    update, y = Update(model), labels(8192)
    x = torch.randn(8192, 1024, device="cuda", dtype=BF16)

    def step(i):
        update.backward(class_loss(model(x), y))
        update.step()
    return step


@pairs.pair("readback pageable host-sync small-copies python host-late")
def adapters_saved_in_loop(variant):
    """Every second step the adapters of 24 layers are saved, 48 tensors. Mended: copies of them, by a thread. 5 to
    15 %."""
    model, y = adapted(2048, 24), labels(16384)
    trained = [p for layer in model if isinstance(layer, Adapted) for p in (layer.into.weight, layer.out.weight)]
    update = Update(model, torch.optim.Adam(trained, lr=1e-5, fused=True))
    x = torch.randn(16384, 2048, device="cuda", dtype=BF16)
    behind, log = SavedBehind(trained), {"bytes": 0}

    def save(number):
        if variant == "mended":
            behind.save(number)
        else:
            log["bytes"] += saved([p.detach().cpu() for p in trained])

    def step(i):
        update.backward(class_loss(model(x), y))
        behind.snapshots.keep()
        update.step()
        if i % 2 == 1:
            save(i // 2)
    step.finish = behind.pool.shutdown
    return step


# ---- copies

@pairs.pair("pageable host-sync", "pageable", allowed=("same-stream",), further="python launch-bound host-late")
def batch_class_not_pinned(variant):
    """A loader with pin_memory=True and batches of a class that it does not know: they stay pageable, 4 MiB each.
    Mended: the class has pin_memory(). 8 to 25 %. Further: what follows the copies is a graph."""
    model, y = network(512, 4096, 8), WindowLoader(Windows if variant == "bad" else PinnedWindows)
    update = Update(model, capturable(model))
    still = y.next().to_device()

    def learn(values, classes):
        update.backward(class_loss(model(values), classes))
        update.step()
    graph = as_graph(lambda: learn(*still)) if variant == "further" else None

    def step(i):
        if graph:
            for kept, new in zip(still, y.next().to_device()):
                kept.copy_(new)
            graph.replay()
        else:
            learn(*y.next().to_device())
    step.finish = y.close
    return step


@pairs.pair("small-copies launch-bound same-stream", further="python launch-bound host-late")
def norms_copied_one_by_one(variant):
    """The norms of all weights and of their gradients go to pinned memory in each step, 288 copies of two bytes, or
    one; they are looked at a step later. 3 to 8 %. Further: all but the copy is a graph."""
    model, y = encoder(1024, 16, 12), labels(16)
    head = nn.Linear(1024, 16, device="cuda", dtype=BF16)
    both = nn.ModuleList([model, head])
    update, weights = Update(both, capturable(both)), list(model.parameters())
    x = torch.randn(16, 512, 1024, device="cuda", dtype=BF16)
    host = [torch.zeros(2 * len(weights), dtype=BF16).pin_memory() for _ in range(2)]
    places, left = [h.unbind() for h in host], [torch.cuda.Event() for _ in range(2)]
    log = {"norm": 0.0}

    @torch.no_grad()
    def norms():
        return [*torch._foreach_norm(weights), *torch._foreach_norm([w.grad for w in weights])]

    def leave(slot, norm):
        if variant == "bad":
            for place, value in zip(places[slot], norm):
                place.copy_(value, non_blocking=True)
        else:
            host[slot].copy_(torch.stack(norm), non_blocking=True)
        left[slot].record()
    found = []

    def learn():
        update.backward(class_loss(head(model(x).mean(1)), y))
        found[:] = norms()
        update.step()
    graph = as_graph(learn) if variant == "further" else None

    def step(i):
        if graph:
            graph.replay()
            leave(i % 2, found)
        else:
            update.backward(class_loss(head(model(x).mean(1)), y))
            leave(i % 2, norms())
            update.step()
        left[1 - i % 2].synchronize()
        log["norm"] = float(host[1 - i % 2].float().norm())
    return step


@pairs.pair("same-stream", allowed=("stretched",))
def prefix_cache_in_line(variant):
    """The keys and values of a prefix, 100 MB, come from pinned memory for each group of requests: in the stream of
    the kernels, or a group ahead beside them. 10 to 22 %."""
    layers = prefix_model(2048, 16, 6)
    caches = (Prefetcher if variant == "mended" else InLine)(host_batches((6, 2, 4, 16, 512, 128), True))
    requests = torch.randn(4, 2048, 2048, device="cuda", dtype=BF16)

    @torch.no_grad()
    def step(i):
        x = requests
        for layer, (keys, values) in zip(layers, caches.take(i)):
            x = layer(x, keys, values)
        caches.give_back(i)
    return step


@pairs.pair("event-order same-stream", "event-order", allowed=("stretched",))
def one_event_of_two_slots(variant):
    """A model of fields with Fourier layers; 64 MiB for the next step come to the other of two slots, in a stream of
    their own. One event says of both that they are free. 6 to 14 %."""
    model = fields_model(8, 32, 3)
    update, goal = Update(model), torch.randn(8, 1, 512, 512, device="cuda")
    source = FetchedAfter([torch.randn(8, 8, 512, 512).pin_memory() for _ in range(2)], variant == "bad")

    def step(i):
        update.backward(F.mse_loss(model(source.take(i)), goal))
        source.give_back(i)
        update.step()
    return step


# ---- the host is late

@pairs.pair("data-loading host-late python", allowed=("same-stream",))
def store_asked_in_loop(variant):
    """A batch comes from a storage that takes 9 ms to answer: asked in each step, or four steps ahead. 8 to 30 %."""
    model = network(1024, 4096, 8)
    update, y = Update(model), labels(6144)
    batches = [torch.randn(6144, 256).to(BF16).pin_memory() for _ in range(5)]
    store = Store(batches, 9e-3, 4 if variant == "mended" else 0)

    def step(i):
        x = store.batch(i).to("cuda", non_blocking=True).repeat(1, 4)
        update.backward(class_loss(model(x), y))
        update.step()
    step.finish = store.close
    return step


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def advantages_step_by_step(variant):
    """A policy is trained by the advantages of 192 steps in 64 environments, which follow from each other: eight small
    kernels a step, one by one or as a graph. 8 to 30 %."""
    policy, shape = network(256, 4096, 4), (192, 64)
    update, chosen = Update(policy), labels(192 * 64)
    seen = torch.randn(192 * 64, 256, device="cuda", dtype=BF16)
    rewards, values = torch.randn(shape, device="cuda"), torch.randn(193, 64, device="cuda")
    going, result = (torch.rand(shape, device="cuda") > 0.02).float(), torch.zeros(shape, device="cuda")

    def find():
        advantages(rewards, values, going, result)
    graph = as_graph(find) if variant == "mended" else None

    def step(i):
        if graph:
            graph.replay()
        else:
            find()
        likely = F.cross_entropy(policy(seen).float(), chosen, reduction="none")
        update.backward((likely * result.flatten()).mean())
        update.step()
    return step


# ---- nothing to mend

@pairs.healthy()
def healthy_contrast(variant):
    """Two networks look at the same rows, one follows the other; their results meet those of steps before. The loss of
    the step before is looked at."""
    asks, answers = network(512, 4096, 4, 256), network(512, 4096, 4, 256).requires_grad_(False)
    update, late, log = Update(asks), Delayed((), torch.float32), {"loss": 0.0}
    former, followed = list(answers.parameters()), list(asks.parameters())
    x, y = torch.randn(8192, 512, device="cuda", dtype=BF16), torch.arange(8192, device="cuda")
    before = torch.randn(16384, 256, device="cuda", dtype=BF16)

    def step(i):
        slot = before[i % 2 * 8192:][:8192]
        with torch.no_grad():
            torch._foreach_lerp_(former, followed, 0.01)
            slot.copy_(F.normalize(answers(x), dim=1))
        scores = F.normalize(asks(x), dim=1) @ before.t()
        loss = update.backward(F.cross_entropy(scores.float() / 0.2, y + i % 2 * 8192))
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_speech(variant):
    """Clips come from pinned memory by a copy stream; spectra are made on the device; the classes of their moments
    leave in a side stream."""
    body, head = encoder(1024, 16, 8), nn.Linear(1024, 16, device="cuda", dtype=BF16)
    into = nn.Linear(512, 1024, device="cuda", dtype=BF16)
    window = torch.hann_window(1024, device="cuda")
    clips = Prefetcher(host_batches((64, 65536), True))
    leaving = Collector((64, 257), dtype=torch.long)

    @torch.no_grad()
    def step(i):
        spectra = torch.stft(clips.take(i).float(), 1024, 256, window=window, return_complex=True)
        clips.give_back(i)
        power = torch.log1p(spectra[:, :512].abs()).transpose(1, 2).to(BF16)
        leaving.take(i, head(body(into(power))).argmax(2))
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
