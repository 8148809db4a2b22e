#!/usr/bin/env python3
"""Loops in PyTorch with one mistake or two, and with the mistake mended. See loop_runner.py."""
import concurrent.futures
import gc
import math
import os
import sys

import torch
import torch.nn as nn

import loop_runner
from torch_parts import (BF16, Collector, Decoded, EagerPrefetcher, Loader, Log, Prefetcher, Trainer, as_graph,
                         conv_network, host_batches, labels, network)

pairs = loop_runner.Pairs("torch")


# ---- batches to the device

def copied_training(shape, width, layers, pinned):
    batches = host_batches(shape, pinned)
    trainer, y = Trainer(network(shape[1], width, layers)), labels(shape[0])

    def step(i):
        trainer.step(batches[i % 2].to("cuda", non_blocking=pinned), y)
    return step


@pairs.pair("pageable")
def pageable_batch(variant):
    """32 MiB a step."""
    return copied_training((4096, 4096), 4096, 8, variant == "mended")


@pairs.pair("pageable host-sync")
def pageable_batch_small(variant):
    """2 MiB a step, which costs little."""
    return copied_training((4096, 256), 4096, 8, variant == "mended")


@pairs.pair("pageable")
def pageable_images(variant):
    """Images as bytes, made into numbers on the device."""
    images = torch.randint(0, 256, (192, 3, 224, 224), dtype=torch.uint8)
    images = images.contiguous(memory_format=torch.channels_last)
    if variant == "mended":
        images = images.pin_memory()
    trainer, y = Trainer(conv_network()), labels(192)

    def step(i):
        x = images.to("cuda", non_blocking=variant == "mended").to(BF16).div_(128).sub_(1)
        trainer.step(x, y)
    return step


def prefetched_training(shape, width, layers, prefetcher):
    batches = host_batches(shape, pinned=True)
    trainer, y = Trainer(network(shape[1], width, layers)), labels(shape[0])
    source = prefetcher(batches)

    def step(i):
        trainer.step(source.take(i), y)
        source.give_back(i)
    return step


@pairs.pair("same-stream")
def copies_in_line(variant):
    """Pinned copies of 64 MiB in the stream of the kernels."""
    if variant == "bad":
        return copied_training((4096, 8192), 4096, 5, pinned=True)
    return prefetched_training((4096, 8192), 4096, 5, Prefetcher)


@pairs.pair("same-stream")
def copies_in_line_small(variant):
    """Pinned copies of 16 MiB, which cost little."""
    if variant == "bad":
        return copied_training((4096, 2048), 4096, 8, pinned=True)
    return prefetched_training((4096, 2048), 4096, 8, Prefetcher)


@pairs.pair("event-order same-stream")
def whole_stream_waits(variant):
    """A copy stream that takes turns with the kernels, as each waits for all of the other."""
    prefetcher = EagerPrefetcher if variant == "bad" else Prefetcher
    return prefetched_training((4096, 8192), 4096, 5, prefetcher)


@pairs.pair("small-copies launch-bound")
def many_small_copies(variant):
    """256 features copied one by one; in one piece they are views of it."""
    flat = torch.randn(256, 4096, dtype=torch.float32).to(BF16).pin_memory()
    features = list(flat)
    trainer, y = Trainer(network(4096, 2048, 6)), labels(4096)
    base = torch.randn(4096, 4096, device="cuda", dtype=BF16)

    def step(i):
        if variant == "bad":
            x = torch.stack([f.to("cuda", non_blocking=True) for f in features])
        else:
            x = flat.to("cuda", non_blocking=True)
        trainer.step(torch.cat([x, base[256:]]), y)
    return step


@pairs.pair("pageable host-sync readback")
def scalars_to_device(variant):
    """Four numbers made on the host in the middle of the step; each copy waits for the stream."""
    trainer, y = Trainer(network(256, 4096, 4)), labels(4096)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)
    constants = [torch.full((), 1 + n / 1000, device="cuda") for n in range(4)]

    def step(i):
        loss = trainer.backward(x, y)
        for n in range(4):
            factor = torch.tensor(1 + n / 1000).to("cuda") if variant == "bad" else constants[n]
            loss = loss * factor
        trainer.optimizer.step()
    return step


# ---- waiting for the device

def logged_training(variant, layers, values, read):
    trainer, y = Trainer(network(256, 2048, layers)), labels(8192)
    x = torch.randn(8192, 256, device="cuda", dtype=BF16)
    log = Log(values)

    def step(i):
        loss = trainer.step(x, y)
        log.add(read(i, loss) if variant == "bad" or i % 50 == 0 else 0.0)
    return step


@pairs.pair("readback host-sync")
def item_each_step(variant):
    """The loss is read each step, not each 50 steps, and a line is written about it."""
    return logged_training(variant, 6, 5000, lambda i, loss: loss.item())


@pairs.pair("readback host-sync")
def item_each_step_small(variant):
    return logged_training(variant, 14, 2500, lambda i, loss: loss.item())


def wait_for_device(i, loss):
    torch.cuda.synchronize()
    return float(i)


@pairs.pair("host-sync")
def synchronize_each_step(variant):
    return logged_training(variant, 6, 6000, wait_for_device)


@pairs.pair("host-sync")
def synchronize_each_step_small(variant):
    return logged_training(variant, 14, 3000, wait_for_device)


@pairs.pair("readback host-sync")
def item_each_micro_batch(variant):
    """Gradients of four parts of a batch are added up; the loss of each part is read."""
    model, y = network(256, 2048, 6), labels(2048)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
    parts = [torch.randn(2048, 256, device="cuda", dtype=BF16) for _ in range(4)]

    def step(i):
        optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for x in parts:
            loss = nn.functional.cross_entropy(model(x).float(), y)
            loss.backward()
            total = total + (loss.item() if variant == "bad" else loss.detach())
        optimizer.step()
    return step


@pairs.pair("readback host-sync")
def norm_is_checked(variant):
    """The norm of the gradients is read before the optimizer may go on, or only looked at later."""
    trainer, y = Trainer(network(256, 2048, 12)), labels(4096)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)

    def step(i):
        trainer.backward(x, y)
        norm = nn.utils.clip_grad_norm_(trainer.model.parameters(), 1.0)
        if variant == "bad" and math.isnan(norm.item()):
            return
        trainer.optimizer.step()
    return step


@pairs.pair("readback host-sync")
def boolean_index(variant):
    """Six losses over chosen rows: an index needs their number on the host, a mask does not."""
    body = network(256, 2048, 6, 2048)
    heads = nn.ModuleList([nn.Linear(2048, 64, device="cuda", dtype=BF16) for _ in range(6)])
    optimizer = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=1e-5)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)
    masks = [torch.rand(4096, device="cuda") < 0.5 for _ in heads]

    def step(i):
        optimizer.zero_grad(set_to_none=True)
        hidden = body(x)
        loss = 0
        for head, mask in zip(heads, masks):
            rows = head(hidden).float().square().mean(1)
            loss = loss + (rows[mask].mean() if variant == "bad" else (rows * mask).sum() / mask.sum())
        loss.backward()
        optimizer.step()
    return step


@pairs.pair("readback host-sync pageable", "readback host-sync")
def decode_with_item(variant):
    """Eight tokens a step; each is read and sent back, or stays on the device."""
    with torch.device("cuda"):
        blocks = nn.ModuleList([nn.Sequential(nn.LayerNorm(2048), nn.Linear(2048, 8192), nn.GELU(),
                                              nn.Linear(8192, 2048)) for _ in range(8)]).to(BF16)
    table = nn.Embedding(4096, 2048, device="cuda", dtype=BF16)
    state = {"token": torch.zeros(1, dtype=torch.long, device="cuda")}

    @torch.no_grad()
    def step(i):
        for _ in range(8):
            hidden = table(state["token"])
            for block in blocks:
                hidden = hidden + block(hidden)
            token = (hidden @ table.weight.t()).argmax(-1)
            if variant == "bad":
                token = torch.tensor([token.item()], device="cuda")
            state["token"] = token
    return step


# ---- launches

@pairs.pair("launch-bound")
def tiny_training(variant):
    """A training step of tiny kernels; mended, one graph."""
    trainer, y = Trainer(network(256, 256, 30)), labels(64)
    x = torch.randn(64, 256, device="cuda", dtype=BF16)
    if variant == "bad":
        return lambda i: trainer.step(x, y)
    graph = as_graph(lambda: trainer.step(x, y))
    return lambda i: graph.replay()


@pairs.pair("launch-bound")
def tiny_inference(variant):
    """Small kernels, two a layer; mended, one graph."""
    model = network(1024, 1024, 150).requires_grad_(False)
    x = torch.randn(256, 1024, device="cuda", dtype=BF16)
    if variant == "bad":
        return lambda i: model(x)
    graph = as_graph(lambda: model(x))
    return lambda i: graph.replay()


@pairs.pair("launch-bound")
def optimizer_one_by_one(variant):
    """Adam with a loop over the parameters; mended, fused."""
    model = network(256, 512, 30)
    how = {"foreach": False, "fused": False} if variant == "bad" else {"fused": True}
    trainer, y = Trainer(model, torch.optim.Adam(model.parameters(), lr=1e-5, **how)), labels(4096)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)
    return lambda i: trainer.step(x, y)


# ---- work on the host

def loaded_training(rows, workers, read, layers, width=4096):
    trainer, y = Trainer(network(256, width, layers)), labels(rows)
    loader = Loader(Decoded(rows), workers, batch_size=None)

    def step(i):
        loss = trainer.step(loader.next().to("cuda", non_blocking=True), y)
        if read:
            loss.item()
    step.finish = loader.close
    return step


@pairs.pair("data-loading host-late")
def loader_in_line(variant):
    """A batch takes numpy longer than the device takes for a step."""
    return loaded_training(2048, 0 if variant == "bad" else 4, False, 8)


@pairs.pair("data-loading host-late python readback host-sync", "data-loading host-late",
            allowed=("readback", "host-sync"))
def loader_and_item(variant):
    """Two mistakes: batches are made in line, and the loss is read. Mended: batches come from workers."""
    return loaded_training(1024, 0 if variant == "bad" else 4, True, 8)


@pairs.pair("python host-late data-loading")
def python_preprocessing(variant):
    """A list comprehension over the values of each batch; mended, done once before the loop."""
    raw = [n % 997 for n in range(20 * 1024)]
    trainer, y = Trainer(network(20, 4096, 10)), labels(1024)
    weights = torch.randn(20, 20, device="cuda", dtype=BF16)

    def prepare():
        return torch.tensor([(v * 0.5 + 1.0) % 7.0 for v in raw], dtype=torch.float32).view(1024, 20).pin_memory()
    ready = prepare()

    def step(i):
        x = prepare() if variant == "bad" else ready
        trainer.step(x.to("cuda", non_blocking=True).to(BF16) @ weights, y)
    return step


records = []


@pairs.pair("python host-late")
def collect_each_step(variant):
    """The garbage collector runs over 60 000 objects each step."""
    trainer, y = Trainer(network(256, 2048, 6)), labels(8192)
    x = torch.randn(8192, 256, device="cuda", dtype=BF16)
    if not records:  # once, though two variants may be built in one process
        gc.collect()
        gc.freeze()  # what the imports brought stays out of it
        records.extend([str(n), [n]] for n in range(30_000))

    def step(i):
        trainer.step(x, y)
        if variant == "bad":
            gc.collect()

    def close():
        records.clear()
        gc.unfreeze()
    step.finish = close
    return step


@pairs.pair("data-loading host-late readback host-sync pageable", "data-loading host-late",
            allowed=("readback", "host-sync", "pageable", "same-stream", "host-late", "data-loading"))
def inference_without_prefetch(variant):
    """Rows are gathered on the host, copied, judged, and the answer is read; mended, a thread gathers ahead."""
    rows = torch.randn(65536, 1024).to(BF16)
    index = torch.randint(0, 65536, (8192,))
    staging = [torch.empty(8192, 1024, dtype=BF16).pin_memory() for _ in range(2)]
    model = network(1024, 4096, 3).requires_grad_(False)
    worker = concurrent.futures.ThreadPoolExecutor(1)

    def gather(i):
        torch.index_select(rows, 0, index, out=staging[i % 2])
        return staging[i % 2]
    ahead = {"next": worker.submit(gather, 0)}

    def batch(i):
        if variant == "bad":
            return gather(i)
        ready = ahead["next"].result()
        ahead["next"] = worker.submit(gather, i + 1)  # its slot was read before the answer of step i - 1 came
        return ready

    @torch.no_grad()
    def step(i):
        x = batch(i).to("cuda", non_blocking=True)
        model(x).argmax(1).cpu()
    step.finish = worker.shutdown
    return step


# ---- memory

@pairs.pair("allocation device-barrier")
def empty_cache_each_step(variant):
    trainer, y = Trainer(network(256, 4096, 8)), labels(4096)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)

    def step(i):
        trainer.step(x, y)
        if variant == "bad":
            torch.cuda.empty_cache()
    return step


@pairs.pair("allocation device-barrier pageable", "allocation device-barrier", allowed=("pageable", "host-sync"))
def empty_cache_and_pageable(variant):
    """Two mistakes: the cache is emptied, and batches are pageable. Mended: the cache stays."""
    batches = host_batches((4096, 1024), pinned=False)
    trainer, y = Trainer(network(1024, 4096, 6)), labels(4096)

    def step(i):
        trainer.step(batches[i % 2].to("cuda"), y)
        if variant == "bad":
            torch.cuda.empty_cache()
    return step


# ---- results to the host

@pairs.pair("pageable readback host-sync")
def blocking_checkpoint(variant):
    """Parameters go to the host every third step."""
    model = network(256, 2048, 5)
    trainer, y = Trainer(model), labels(16384)
    x = torch.randn(16384, 256, device="cuda", dtype=BF16)
    kept = [{k: torch.empty(v.shape, dtype=v.dtype).pin_memory() for k, v in model.state_dict().items()}
            for _ in range(2)]
    done = [torch.cuda.Event() for _ in range(2)]

    def save_ahead(slot):
        done[slot].synchronize()
        for k, v in model.state_dict().items():
            kept[slot][k].copy_(v, non_blocking=True)
        done[slot].record()

    def step(i):
        trainer.step(x, y)
        if i % 3 == 2:
            if variant == "bad":
                kept[0] = {k: v.cpu() for k, v in model.state_dict().items()}
            else:
                save_ahead(i // 3 % 2)
    return step


def judged(rows, width, layers, outputs, take):
    model = network(width, width, layers, outputs).requires_grad_(False)
    x = torch.randn(rows, width, device="cuda", dtype=BF16)
    return lambda i: take(i, model(x))


@pairs.pair("pageable readback host-sync same-stream", "pageable readback host-sync")
def outputs_to_pageable(variant):
    """16 MiB of results a batch by .cpu(); mended, to pinned memory in a side stream."""
    collector = Collector((8192, 1024))
    take = (lambda i, y: y.cpu()) if variant == "bad" else collector.take
    return judged(8192, 4096, 8, 1024, take)


@pairs.pair("same-stream")
def outputs_in_line(variant):
    """48 MiB of results a batch to pinned memory, in the stream of the kernels or beside it."""
    collector = Collector((8192, 3072), side_stream=variant == "mended")
    return judged(8192, 4096, 8, 3072, collector.take)


@pairs.pair("readback host-sync pageable")
def answers_small(variant):
    """The classes of each batch are read, 64 KiB."""
    collector = Collector((8192,), dtype=torch.long)
    take = (lambda i, y: y.argmax(1).cpu()) if variant == "bad" else (lambda i, y: collector.take(i, y.argmax(1)))
    return judged(8192, 2048, 10, 16, take)


@pairs.pair("pageable readback host-sync")
def numpy_in_and_out(variant):
    """numpy arrays go in and come out; mended, they lie in pinned memory and a result is read a step later."""
    rows = host_batches((8192, 1024), pinned=variant == "mended")
    arrays = [b.view(torch.int16).numpy() for b in rows]
    collector = Collector((8192, 1024), side_stream=False)
    model = network(1024, 4096, 12, 1024).requires_grad_(False)
    seen = {"sum": 0}

    def step(i):
        x = torch.from_numpy(arrays[i % 2]).view(BF16).to("cuda", non_blocking=variant == "mended")
        y = model(x)
        if variant == "bad":
            seen["sum"] += int(y.cpu().view(torch.int16).numpy()[0, 0])
            return
        collector.take(i, y)
        collector.done[(i + 1) % 2].synchronize()
        seen["sum"] += int(collector.host[(i + 1) % 2].view(torch.int16).numpy()[0, 0])
    return step


# ---- layers that do not fit

def offloaded(rows, pinned, ahead):
    weights = [(torch.randn(2048, 2048) / 32).to(BF16) for _ in range(8)]
    if pinned:
        weights = [w.pin_memory() for w in weights]
    x = torch.randn(rows, 2048, device="cuda", dtype=BF16)
    source = Prefetcher(weights) if ahead else None

    @torch.no_grad()
    def step(i):
        hidden = x
        for n in range(i * 8, i * 8 + 8):
            weight = source.take(n) if source else weights[n % 8].to("cuda", non_blocking=True)
            hidden = torch.relu(hidden @ weight)
            if source:
                source.give_back(n)
    return step


@pairs.pair("pageable same-stream")
def offload_pageable(variant):
    """The weights of each layer come from the host, 8 MiB each."""
    return offloaded(65536, variant == "mended", variant == "mended")


@pairs.pair("same-stream")
def offload_in_line(variant):
    return offloaded(32768, True, variant == "mended")


# ---- two mistakes

@pairs.pair("pageable host-sync", "pageable", allowed=("host-sync",))
def pageable_and_synchronize(variant):
    """Two mistakes: pageable batches, and a wait each step. Mended: pinned batches."""
    batches = host_batches((4096, 2048), pinned=variant == "mended")
    trainer, y = Trainer(network(2048, 4096, 6)), labels(4096)

    def step(i):
        trainer.step(batches[i % 2].to("cuda", non_blocking=True), y)
        torch.cuda.synchronize()
    return step


@pairs.pair("launch-bound readback host-sync", "launch-bound", allowed=("readback", "host-sync"))
def optimizer_and_item(variant):
    """Two mistakes: Adam parameter by parameter, and the loss is read. Mended: fused."""
    model = network(256, 1024, 20)
    how = {"foreach": False, "fused": False} if variant == "bad" else {"fused": True}
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-5, **how)
    trainer, y = Trainer(model, optimizer), labels(8192)
    x = torch.randn(8192, 256, device="cuda", dtype=BF16)
    return lambda i: trainer.step(x, y).item()


# ---- nothing to mend

@pairs.healthy()
def healthy_training(variant):
    """The data is on the device."""
    trainer, y = Trainer(network(256, 4096, 8)), labels(4096)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)
    return lambda i: trainer.step(x, y)


@pairs.healthy(allowed=("stretched",))
def healthy_prefetched(variant):
    return prefetched_training((4096, 4096), 4096, 8, Prefetcher)


@pairs.healthy()
def healthy_graph(variant):
    model = network(2048, 2048, 24).requires_grad_(False)
    x = torch.randn(4096, 2048, device="cuda", dtype=BF16)
    graph = as_graph(lambda: model(x))
    return lambda i: graph.replay()


# ---- the profiler

def kineto(args, pairs, device):
    from torch.profiler import ProfilerActivity, profile, schedule
    os.makedirs(args.out, exist_ok=True)

    def record(loop, name):
        def export(profiler):
            profiler.export_chrome_trace(os.path.join(args.out, f"{name}.json"))
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                     schedule=schedule(wait=1, warmup=3, active=12, repeat=1), on_trace_ready=export,
                     record_shapes=False, with_stack=False) as profiler:
            for _ in range(17):
                loop.run(1)
                profiler.step()
        device.sync()
    loop_runner.each_variant(args, pairs, device, record)


def main(of):
    torch.manual_seed(1)
    torch.set_num_threads(4)
    device = loop_runner.Device(torch.cuda.synchronize, torch.cuda.empty_cache)
    return loop_runner.main(of, device, {"kineto": kineto})


if __name__ == "__main__":
    sys.exit(main(pairs))
