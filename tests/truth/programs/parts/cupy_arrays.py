"""What the CuPy programs share: arrays, kernels that take a known time, streams and events."""
import cupy
import cupyx
import numpy as np

from cupy_framework import synchronize

WHOLE = 4 << 20  # values, 16 MiB


def mixing(rounds):
    """An elementwise kernel that computes for a while. On an H100 4 Mi values and 7000 rounds take about a millisecond;
    so do a few thousand values and 430000 rounds."""
    return cupy.ElementwiseKernel(
        "float32 x", "float32 y", f"float v = x; for (int k = 0; k < {rounds}; ++k) v = v * 0.9999f + 0.001f; y = v;",
        f"mixing_{rounds}")


def working(rounds):
    """As mixing(), but toward a value that depends on a number given with each call."""
    return cupy.ElementwiseKernel(
        "float32 given, float32 strength", "float32 made",
        f"float value = given, to = 0.0002f * strength * given;"
        f"for (int k = 0; k < {rounds}; ++k) value = value * 0.9998f + to; made = value;", f"working_{rounds}")


def host_values(count):
    """In pageable memory."""
    return np.random.default_rng(1).random(count, dtype=np.float32)


def pinned_like(array):
    copy = cupyx.empty_pinned(array.shape, array.dtype)
    copy[...] = array
    return copy


def on_device(values):
    array = cupy.asarray(values)
    synchronize()  # the loops use other streams than this copy
    return array


def graph_in(stream, work):
    """What launches a CUDA graph of what work() issues, and keeps what it uses."""
    with stream:
        work()  # its kernels are loaded before they are captured
        stream.synchronize()
        stream.begin_capture()
        work()
        graph = stream.end_capture()

    def launch():
        graph.launch(stream=stream)
    launch.work = work
    return launch


def streams_of(count):
    """Streams that do not wait for the NULL stream."""
    return [cupy.cuda.Stream(non_blocking=True) for _ in range(count)]


def events_of(count):
    return [cupy.cuda.Event(disable_timing=True) for _ in range(count)]
