#!/usr/bin/env python3
"""torch_loop.py torch|forward COUNT [SETTLE_MS]: prints the milliseconds of so many steps of a small network, whose time is the host's.

torch: training steps, in which a second thread works backwards. forward: answers only. OLAB_LOOP_GATE names a pipe: each byte of it
lets the loop begin once more, and its end the program end.
"""
import os
import sys
import time

import torch

WIDTH, BATCH, LAYERS = 256, 64, 6


def network():
    layers = []
    for _ in range(LAYERS):
        layers += [torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers).cuda()


def stepper(training):
    torch.manual_seed(0)
    model, data = network(), torch.randn(BATCH, WIDTH, device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def train():
        optimizer.zero_grad(set_to_none=True)
        model(data).square().mean().backward()
        optimizer.step()

    @torch.no_grad()
    def forward():
        model(data)

    return train if training else forward


def settle(step, milliseconds):
    print("settles", flush=True)
    until = time.perf_counter() + milliseconds / 1000
    while time.perf_counter() < until:
        step()
        torch.cuda.synchronize()
        time.sleep(0.02)


def gate():
    """Yields when the loop may begin: once, or with each byte of the pipe."""
    if "OLAB_LOOP_GATE" not in os.environ:
        yield
        return
    print("ready", flush=True)
    with open(os.environ["OLAB_LOOP_GATE"], "rb", buffering=0) as pipe:
        while pipe.read(1):
            yield


def main():
    step, count = stepper(sys.argv[1] == "torch"), int(sys.argv[2])
    for _ in range(20):
        step()
    torch.cuda.synchronize()
    if len(sys.argv) > 3:
        settle(step, int(sys.argv[3]))
    for _ in gate():
        begin = time.perf_counter()
        for _ in range(count):
            step()
        torch.cuda.synchronize()
        print(f"{1000 * (time.perf_counter() - begin):.3f} ms", flush=True)


if __name__ == "__main__":
    main()
