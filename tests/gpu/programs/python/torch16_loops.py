#!/usr/bin/env python3
"""A sixteenth set of loops in PyTorch. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch16_parts import Claims, Drones, Evidence, Grabbed, Molecules, Told, Untold, Weaving, ordinary_stream
from torch2_parts import BF16, Update, class_loss
from torch3_parts import Snapshots
from torch_loops import main
from torch_parts import Delayed, Loader, Prefetcher, host_batches, labels, network

pairs = loop_runner.Pairs("torch16")


@pairs.pair("null-stream", allowed=("stretched",))
def bottles_grabbed_in_ordinary_stream(variant):
    """Pictures of bottles on a belt, 34 MB, 0.7 ms, come a step ahead of a network of 2 ms. The library that grabs them
    made its stream in the ordinary way, and so it waits for the kernels, and they for it; mended, its stream does not.
    15 to 30 %."""
    torch.manual_seed(16)
    model, late, log = network(1024, 4096, 3).requires_grad_(False), Delayed((), torch.float32), {}
    stream = ordinary_stream() if variant == "bad" else torch.cuda.Stream()
    bottles = Grabbed(host_batches((16384, 1024), True), stream)

    @torch.no_grad()
    def step(i):
        log["broken"] = model(bottles.take(i)).float().softmax(1)[:, 0].mean()
        bottles.give_back(i)
        log["before"] = float(late.exchange(i, log["broken"]))
    return giving(step, lambda: log["broken"])


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def molecules_checked_each_time(variant):
    """The energy of four groups of molecules a step, 1.1 ms each. segment_reduce() adds up what is found of their
    atoms; it reads from the device whether no length is below zero, and their sum, and the host waits twice; mended, it
    is told that they are right. 4 to 13 %."""
    torch.manual_seed(16)
    molecules, late, log = Molecules(variant == "mended"), Delayed((), torch.float32), {}
    groups = torch.randn(4, 16384, 512, device="cuda", dtype=BF16)

    def step(i):
        log["energy"] = torch.stack([molecules.energy(x) for x in groups]).mean()
        log["before"] = float(late.exchange(i, log["energy"]))
    return giving(step, lambda: log["energy"])


@pairs.pair("data-loading host-late python", allowed=("same-stream",))
def untold_hives_read_in_loop(variant):
    """What bees do is learned from 2048 moments of which it is known, which a worker makes ready, and from 2048 of
    which it is not, where two looks must agree. Those take numpy some 4 to 5 ms in the loop, while a step takes the
    device 3 ms; mended, four workers do that. 25 to 60 %."""
    torch.manual_seed(16)
    model, seen = network(512, 4096, 4), {}
    told = Loader(Told(), 1, batch_size=None)
    untold = Loader(Untold(), 4 if variant == "mended" else 0, batch_size=None)
    update, late, log = Update(model), Delayed((), torch.float32), {}
    hidden = torch.rand(512, device="cuda").gt(0.25).to(BF16)

    def step(i):
        (x, y), other = told.next(), untold.next()
        x, y, other = [part.to("cuda", non_blocking=True) for part in (x, y, other)]
        with torch.no_grad():
            meant = model(other).float().softmax(1)
        agree = F.cross_entropy(model(other * hidden).float(), meant)
        seen["loss"] = update.backward(class_loss(model(x), y) + agree)
        update.step()
        log["before"] = float(late.exchange(i, seen["loss"]))

    def close():
        told.close()
        untold.close()
    return giving(step, lambda: seen["loss"], close)


@pairs.pair("head-of-line", allowed=("stretched",))
def commands_behind_kept_map(variant):
    """Drones in a warehouse get commands, eight rounds of 0.35 ms a step, 0.5 MB that leave in a stream of their own,
    two slots. What they know of the place, 84 MB, 1.7 ms, is kept meanwhile in another stream, and the commands wait
    behind it, and the third round for them; mended, it goes in eight pieces between the commands. 15 to 35 %."""
    torch.manual_seed(16)
    drones = Drones(4096, variant == "mended")
    return giving(lambda i: drones.step(), lambda: size_of(drones.place) + size_of(drones.seen))


@pairs.pair("event-order", allowed=("stretched",))
def evidence_leaves_after_update(variant):
    """How tissue looks is learned from pictures in changed light, 3 ms a step, and the changed ones, 13 MB, 0.26 ms,
    are kept to show what was learned of. They leave in a stream of their own behind the update, and the next ones need
    their place; mended, behind the change of the light. 4 to 12 %."""
    torch.manual_seed(16)
    model, y, seen = network(512, 2048, 6), labels(12288), {}
    update, evidence = Update(model), Evidence(12288, 512)

    def step(i):
        x = evidence.show(i)
        if variant == "mended":
            evidence.keep(i)
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
        if variant == "bad":
            evidence.keep(i)
        evidence.look(i)
    return giving(step, lambda: seen["loss"])


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_claims_read(variant):
    """Pages of claims come a step ahead; what is found in them is read, and judged beside that in another stream. The
    answers leave in a stream of their own, and both are looked at a step later."""
    torch.manual_seed(16)
    return Claims(host_batches((16384, 1024), True)).step


@pairs.healthy(allowed=("stretched",))
def healthy_patterns_woven(variant):
    """A network learns to make patterns that another one takes for woven ones, which come a step ahead. The weights of
    the maker leave beside the next step, and both losses of the step before are looked at."""
    torch.manual_seed(16)
    looms, late, log = Weaving(8192), Delayed((2,), torch.float32), {}
    woven, judging, making = Prefetcher(host_batches((8192, 1024), True)), Update(looms.judge), Update(looms.maker)
    shown = Snapshots(list(looms.maker.parameters()))

    def step(i):
        made = looms.make()
        lost = [judging.backward(looms.told_apart(woven.take(i), made))]
        woven.give_back(i)
        judging.step()
        lost.append(making.backward(looms.taken_for_woven(made)))
        shown.keep()
        making.step()
        shown.take(i)
        before = late.exchange(i, torch.stack(lost))
        log["judge"], log["maker"] = float(before[0]), float(before[1])
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
