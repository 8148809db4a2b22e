#!/usr/bin/env python3
"""A twelfth set of loops in CuPy; see torch12_loops.py. Written without reading the analysis."""
import sys

import cupy
import cupyx
import numpy as np

import loop_runner
from cupy_loops import clean, host_values, on_device, sync
from loop_runner import giving

pairs = loop_runner.Pairs("cupy12")


def pricing(rounds):
    """What each order is worth; 4 Mi orders and 4000 rounds take about 0.6 ms."""
    return cupy.ElementwiseKernel(
        "float32 order", "float32 worth",
        f"float value = order; for (int k = 0; k < {rounds}; ++k) value = value * 0.9998f + 0.0002f * order;"
        "worth = value;", f"cupy12_pricing_{rounds}")


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def orders_kept_by_mask(variant):
    """Eight batches of 4 Mi orders a step are priced, and what the large ones are worth is added up: they are taken out
    by a mask, and so the host reads how many there are; mended, the others count nothing. 6 to 25 %."""
    orders, price = on_device(host_values(4 << 20)), pricing(6000)
    worth, sums = cupy.zeros_like(orders), cupy.zeros(8, cupy.float32)
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        with stream:
            for n in range(8):
                price(orders, worth)
                if variant == "bad":
                    sums[n] = worth[worth > 0.9].sum()
                else:
                    sums[n] = cupy.where(worth > 0.9, worth, np.float32(0)).sum()
    return giving(step, lambda: float(sums.get(stream=stream).sum()))


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def channels_transformed_one_by_one(variant):
    """Three blocks of 64 channels of 32768 samples a step: each channel is transformed by a call of its own, or all by
    one; then the whole is worked on. 45 to 80 %."""
    samples, work = on_device(host_values(64 << 15).reshape(64, 32768)), pricing(16000)
    spectra, power = cupy.zeros((64, 32768), cupy.complex64), cupy.zeros((64, 32768), cupy.float32)
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        with stream:
            for _ in range(3):
                if variant == "bad":
                    for n in range(64):
                        spectra[n] = cupy.fft.fft(samples[n])
                else:
                    spectra[...] = cupy.fft.fft(samples, axis=1)
                work(cupy.abs(spectra), power)
    return giving(step, lambda: float(power.get(stream=stream).mean()))


@pairs.healthy()
def healthy_means_found(variant):
    """256 means of 256 Ki points, four rounds a step, by products of matrices; how far they are from 0 leaves for
    pinned memory, two slots, and is looked at a step later."""
    points = on_device(host_values(1 << 24).reshape(1 << 18, 64))
    means, kinds = points[:256].copy(), cupy.arange(256)
    host, seen = [cupyx.zeros_pinned(256, np.float32) for _ in range(2)], {"size": 0.0}
    there = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.runtime.deviceSynchronize()

    def step(i):
        with stream:
            for _ in range(4):
                apart = cupy.square(means).sum(1) - 2 * (points @ means.T)
                near = (apart.argmin(1)[:, None] == kinds).astype(cupy.float32)
                means[...] = (near.T @ points) / cupy.maximum(near.sum(0), 1)[:, None]
            cupy.square(means).sum(1).get(stream=stream, out=host[i % 2], blocking=False)
            there[i % 2].record(stream)
        there[1 - i % 2].synchronize()
        seen["size"] = float(host[1 - i % 2].sum())
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync, clean)))
