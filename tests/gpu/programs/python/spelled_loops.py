#!/usr/bin/env python3
"""One mistake in many spellings: the host of a training loop in PyTorch looks at a result in each step, and goes on only
then. See loop_runner.py. Which way it asks must not change what the account names. Only the loops that ask are recorded;
`mended` is the same loop that asks in one step of 50.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from torch2_parts import BF16, Update
from torch_loops import main
from torch_parts import Log, labels, network

pairs = loop_runner.Pairs("spelled")
READS = "readback"
ROWS = 8192


def spelled(expected=READS):
    """Decorator of a function make() that returns ask(loss, outputs, classes)."""
    def decorate(make):
        def asked(variant):
            ask, model, classes = make(), network(256, 2048, 6), labels(ROWS)
            update, x, log = Update(model), torch.randn(ROWS, 256, device="cuda", dtype=BF16), Log(3000)

            def step(i):
                outputs = model(x)
                loss = update.backward(F.cross_entropy(outputs.float(), classes))
                update.step()
                if variant == "bad" or i % 50 == 0:
                    ask(loss, outputs.detach(), classes)
                log.add(float(i))
            return step
        asked.__name__ = make.__name__
        return pairs.pair(expected, recorded=("bad",))(asked)
    return decorate


@spelled()
def tolist():
    return lambda loss, outputs, classes: loss.view(1).tolist()


@spelled()
def truth_of_any():
    return lambda loss, outputs, classes: bool(torch.isnan(outputs).any())


@spelled()
def unique():
    return lambda loss, outputs, classes: len(torch.unique(classes))


@spelled()
def compared():
    best = {"loss": 1e9}

    def ask(loss, outputs, classes):
        if loss > best["loss"]:
            best["loss"] = 0.0
    return ask


@spelled()
def to_numpy():
    return lambda loss, outputs, classes: loss.cpu().numpy()


@spelled("readback pageable")
def outputs_to_numpy():
    """256 KiB."""
    return lambda loss, outputs, classes: outputs.half().cpu().numpy()


@spelled()
def repeat_interleave():
    return lambda loss, outputs, classes: torch.repeat_interleave(classes[:512])


@spelled()
def boolean_index():
    return lambda loss, outputs, classes: outputs[classes > 7]


@spelled()
def assigned_by_mask():
    def ask(loss, outputs, classes):
        wrong = outputs.argmax(1) != classes
        outputs[wrong] = outputs.mean(0, keepdim=True)
    return ask


@spelled()
def nonzero():
    return lambda loss, outputs, classes: (classes == 3).nonzero()


@spelled()
def where_of_one():
    return lambda loss, outputs, classes: torch.where(classes == 3)


@spelled()
def masked_select():
    return lambda loss, outputs, classes: torch.masked_select(outputs, outputs > 0)


@spelled()
def formatted():
    return lambda loss, outputs, classes: f"loss {loss:.4f}"


@spelled()
def each_of_sixteen():
    return lambda loss, outputs, classes: [float(v) for v in outputs.mean(0)]


@spelled()
def equal():
    return lambda loss, outputs, classes: torch.equal(outputs.argmax(1), classes)


@spelled()
def bincount():
    return lambda loss, outputs, classes: torch.bincount(classes)


@spelled()
def event_behind_copy():
    host, copied = torch.zeros(()).pin_memory(), torch.cuda.Event()

    def ask(loss, outputs, classes):
        host.copy_(loss, non_blocking=True)
        copied.record()
        copied.synchronize()
    return ask


@spelled()
def device_behind_copy():
    host = torch.zeros(()).pin_memory()

    def ask(loss, outputs, classes):
        host.copy_(loss, non_blocking=True)
        torch.cuda.synchronize()
    return ask


@spelled()
def stream_behind_copy():
    host = torch.zeros(()).pin_memory()

    def ask(loss, outputs, classes):
        host.copy_(loss, non_blocking=True)
        torch.cuda.current_stream().synchronize()
    return ask


@spelled("host-sync")
def synchronized():
    return lambda loss, outputs, classes: torch.cuda.synchronize()


@spelled("host-sync")
def stream_asked_in_circles():
    def ask(loss, outputs, classes):
        while not torch.cuda.current_stream().query():
            pass
    return ask


@spelled("pageable host-sync")
def number_to_device():
    """A copy of pageable memory to the device waits too."""
    return lambda loss, outputs, classes: loss * torch.tensor([0.5]).to("cuda")


if __name__ == "__main__":
    sys.exit(main(pairs))
