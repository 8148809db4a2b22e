#!/usr/bin/env python3
"""A fourteenth set of loops in PyTorch. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch14_parts import (Accounts, Circuit, Exchanged, Payments, PutByThread, Readings, Shown, Tasks, as_bytes,
                           folding, power)
from torch2_parts import BF16, Update, class_loss, images, unet
from torch3_parts import Snapshots
from torch_loops import main
from torch_parts import Collector, Delayed, Loader, Prefetcher, as_graph, host_batches, labels, network

pairs = loop_runner.Pairs("torch14")


@pairs.pair("same-stream", allowed=("stretched",))
def fields_put_by_thread(variant):
    """What grows in 65536 places is told from their spectra, 67 MB. A thread puts the next ones to the device, but a
    thread begins with the stream that the kernels have too; mended, it has a stream of its own. 8 to 18 %."""
    torch.manual_seed(14)
    model, seen = network(512, 4096, 3).requires_grad_(False), {}
    fields = PutByThread(host_batches((65536, 512), True), variant == "mended")

    @torch.no_grad()
    def step(i):
        x = fields.take(i)
        seen["shares"] = model(x).float().softmax(1).mean(0)
        fields.give_back(i)
    return giving(step, lambda: seen["shares"].square().sum(), fields.close)


@pairs.pair("event-order", allowed=("stretched",))
def weights_leave_before_next_look(variant):
    """A player learns. After each update its weights, 78 MB, leave for those who play on the host, in a stream of their
    own. The next step waits for that before all else; mended, before it changes the weights. 10 to 25 %."""
    torch.manual_seed(14)
    model, seen = network(1024, 4096, 3, 256), {}
    states, gains = torch.randn(16384, 1024, device="cuda", dtype=BF16), torch.rand(16384, 1, device="cuda")
    moves = torch.randint(0, 256, (16384, 1), device="cuda")
    update, players = Update(model), Snapshots(list(model.parameters()))

    def step(i):
        if variant == "bad":
            players.keep()
        chances = F.log_softmax(model(states).float(), 1).gather(1, moves)
        seen["loss"] = update.backward(-(chances * gains).mean())
        if variant == "mended":
            players.keep()
        update.step()
        players.take(i)
    return giving(step, lambda: seen["loss"])


@pairs.pair("host-sync", allowed=("launch-bound", "stretched"))
def tasks_joined_by_host(variant):
    """Four groups of pictures from a car a step. Three tasks go on from one trunk in streams of their own, and the host
    waits for these before it goes on; mended, the stream of the trunk waits. 3 to 10 %."""
    torch.manual_seed(14)
    model, late, log = Tasks(128, variant == "bad"), Delayed((), torch.float32), {}
    groups = [images(24, 3, 160) for _ in range(4)]

    def step(i):
        log["now"] = torch.stack([model(pictures) for pictures in groups]).mean()
        log["before"] = float(late.exchange(i, log["now"]))
    return giving(step, lambda: log["now"])


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def slopes_must_be_finite(variant):
    """How the joints of a robot move is learned, three updates a step. The slopes are clipped, and the host asks if
    they are finite before it goes on; mended, it looks at their lengths a step later. 4 to 13 %."""
    torch.manual_seed(14)
    model, late, log = network(256, 2048, 5, 64), Delayed((), torch.float32), {}
    x, wanted = torch.randn(8192, 256, device="cuda", dtype=BF16), torch.randn(8192, 64, device="cuda")
    update = Update(model)

    def learn():
        log["loss"] = update.backward(F.mse_loss(model(x).float(), wanted))
        length = nn.utils.clip_grad_norm_(update.parameters, 1.0, error_if_nonfinite=variant == "bad")
        update.step()
        return length

    def step(i):
        longest = torch.stack([learn() for _ in range(3)]).float().amax()
        log["longest"] = float(late.exchange(i, longest))
    return giving(step, lambda: log["loss"])


@pairs.pair("launch-bound python host-late")
def gates_one_by_one(variant):
    """A circuit of 19 qubits, five layers, whose angles change in each step: each gate is some small operations, one by
    one or all as a graph. The chance of the step before is looked at. 35 to 65 %."""
    torch.manual_seed(14)
    circuit, late, log = Circuit(19, 5), Delayed((), torch.float32), {}
    tries = circuit.tries(8)
    run = as_graph(circuit.run).replay if variant == "mended" else circuit.run

    def step(i):
        circuit.angles.copy_(tries[i % 8])
        run()
        log["chance"] = float(late.exchange(i, circuit.chance))
    return giving(step, lambda: circuit.chance)


@pairs.pair("small-copies launch-bound", allowed=("same-stream",))
def payments_moved_kind_by_kind(variant):
    """Which of 65536 accounts are likely to cheat follows from 96 kinds of payments, 2048 of each, in pinned memory.
    They go to the device kind by kind, 192 copies of 16 KiB, or in one. 4 to 14 %."""
    torch.manual_seed(14)
    payments, late, log = Payments(96, 2048, 65536), Delayed((), torch.float32), {}
    known = torch.randn(65536, 256, device="cuda", dtype=BF16)
    layers, judge = nn.ModuleList([Accounts(96, 256) for _ in range(2)]), network(256, 2048, 4, 1)

    @torch.no_grad()
    def step(i):
        x = known
        source, target = payments.together(i) if variant == "mended" else payments.kind_by_kind(i)
        for layer in layers:
            x = layer(x, source, target)
        log["now"] = judge(x).float().sigmoid().mean()
        log["before"] = float(late.exchange(i, log["now"]))
    return giving(step, lambda: log["now"])


@pairs.pair("python host-late", allowed=("stretched",))
def pictures_packed_in_loop(variant):
    """Six pictures of clouds a step are made clearer, and small ones of them packed for those who look at them, some
    9 ms of zlib: by the loop, which gives the device no work meanwhile; mended, by four threads. 25 to 60 %."""
    torch.manual_seed(14)
    model, clouds, log = unet(3, 1, (64, 128, 256)).requires_grad_(False), images(6, 3, 512), {}
    shown = Shown((6, 256, 256), 4 if variant == "mended" else 0)

    @torch.no_grad()
    def step(i):
        clear = model(clouds)
        small = as_bytes(F.avg_pool2d(clear, 2).squeeze(1))
        shown.take(i, small)
        log["clear"] = clear
    return giving(step, lambda: size_of(log["clear"]), shown.close)


@pairs.pair("head-of-line", allowed=("stretched",))
def requests_behind_weights(variant):
    """A model answers eight groups of requests, and the next model comes meanwhile, 268 MB in a stream of its own. The
    requests, 0.7 MB each, come in another stream, and wait behind it; mended, it comes layer by layer, each one behind
    the requests of a group. 10 to 30 %."""
    torch.manual_seed(14)
    models, late, log = Exchanged(8, 4096, 2560, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        log["now"] = models.step(i)
        log["before"] = float(late.exchange(i, log["now"]))
    return giving(step, lambda: log["now"])


@pairs.pair("data-loading host-late", allowed=("same-stream",))
def archive_opened_for_each_batch(variant):
    """What meters say is learned. Three workers make batches ready: each one opens an archive and unpacks all of it for
    each batch, some 25 ms; mended, it does so once. 25 to 65 %."""
    torch.manual_seed(14)
    model, y, seen = network(128, 4096, 4), labels(8192), {}
    batches, update = Loader(Readings(variant == "mended"), 3, batch_size=None), Update(model)

    def step(i):
        x = batches.next().to("cuda", non_blocking=True).to(BF16).div_(4).sub_(1)
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
    return giving(step, lambda: seen["loss"], batches.close)


# ---- nothing to mend

@pairs.healthy()
def healthy_paths_priced(variant):
    """16 Mi ways in which a price may go, 40 moments, and the lowest price on each way. What an option is worth that
    ends if the price was too low is looked at a step later."""
    torch.manual_seed(14)
    late, log = Delayed((), torch.float32), {}
    price, lowest, change = [torch.zeros(1 << 24, device="cuda") for _ in range(3)]

    def step(i):
        price.zero_()
        lowest.zero_()
        for _ in range(40):
            price.add_(change.normal_(1e-4, 0.02))
            torch.minimum(lowest, price, out=lowest)
        worth = torch.where(lowest > -0.2, price.exp().sub_(1).clamp_(min=0), 0.0).mean()
        log["worth"] = float(late.exchange(i, worth))
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_sky_heard(variant):
    """Samples of 1024 dishes, bytes, come a step ahead in a stream of their own. How strong each frequency is, the mean
    of eight looks, leaves beside the next step, two slots, and is looked at a step later."""
    torch.manual_seed(14)
    first, log = torch.randint(0, 256, (1024, 32768), dtype=torch.uint8), {}
    samples, strong = Prefetcher([first.pin_memory(), first.roll(1, 0).pin_memory()]), Collector((1024, 1024))
    tapers = torch.hann_window(32768, device="cuda") ** torch.linspace(0.5, 4.0, 8, device="cuda").unsqueeze(1)

    def step(i):
        found = power(samples.take(i), tapers)
        samples.give_back(i)
        strong.take(i, found[:, :16384].unflatten(1, (1024, 16)).mean(2).log().to(BF16))
        strong.done[1 - i % 2].synchronize()
        log["strong"] = float(strong.host[1 - i % 2][0, 0])
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_protein_folded(variant):
    """Which two of 512 residues of a protein are near each other, six layers; that leaves in a stream of its own, two
    slots, and is looked at a step later."""
    torch.manual_seed(14)
    model, known, log = folding(128, 6), torch.randn(512, 512, 128, device="cuda", dtype=BF16), {}
    near = Collector((512, 512))

    @torch.no_grad()
    def step(i):
        near.take(i, model(known).mean(2).sigmoid())
        near.done[1 - i % 2].synchronize()
        log["near"] = float(near.host[1 - i % 2][0, 1])
    return step


@pairs.healthy()
def healthy_circuit_in_graph(variant):
    """A circuit of 23 qubits, two layers, is a graph of operations that fill the device; its angles change in each
    step, and the chance of the step before is looked at."""
    torch.manual_seed(14)
    circuit, late, log = Circuit(23, 2), Delayed((), torch.float32), {}
    tries, graph = circuit.tries(8), as_graph(circuit.run)

    def step(i):
        circuit.angles.copy_(tries[i % 8])
        graph.replay()
        log["chance"] = float(late.exchange(i, circuit.chance))
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
