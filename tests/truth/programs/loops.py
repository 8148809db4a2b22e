#!/usr/bin/env python3
"""Lists, times and records the pairs of one framework: loops.py torch|cupy|jax MODE ... (see loop_runner.py).

Its pairs are in the modules TOPIC/FRAMEWORK_*.py; what several modules need is in parts, which is on sys.path.
"""
import importlib.util
import os
import pathlib
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # before JAX is imported
sys.path[:0] = [str(PROGRAMS), str(PROGRAMS / "parts")]

import loop_runner

RECORDED_STEPS = 8  # of the profilers of the frameworks


def torch_kineto(args, pairs, device):
    from torch.profiler import ProfilerActivity, profile, schedule
    os.makedirs(args.out, exist_ok=True)

    def record(loop, name):
        def export(profiler):
            profiler.export_chrome_trace(os.path.join(args.out, f"{name}.json"))
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                     schedule=schedule(wait=1, warmup=2, active=RECORDED_STEPS, repeat=1), on_trace_ready=export,
                     record_shapes=False, with_stack=False) as profiler:
            for _ in range(RECORDED_STEPS + 4):
                loop.run(1)
                profiler.step()
        device.sync()
    loop_runner.each_variant(args, pairs, device, record)


def torch_framework():
    import torch
    torch.manual_seed(1)
    torch.set_num_threads(4)
    return loop_runner.Device(torch.cuda.synchronize, torch.cuda.empty_cache), {"kineto": torch_kineto}


def cupy_framework():
    import cupy

    def clean():
        cupy.get_default_memory_pool().free_all_blocks()
        cupy.get_default_pinned_memory_pool().free_all_blocks()
    return loop_runner.Device(cupy.cuda.runtime.deviceSynchronize, clean), {}


def jax_sync():
    import jax
    for array in jax.live_arrays():
        if not array.is_deleted():
            array.block_until_ready()


def jax_trace(args, pairs, device):
    import jax

    def record(loop, name):
        with jax.profiler.trace(os.path.join(args.out, name), create_perfetto_trace=True):
            loop.run(RECORDED_STEPS)
            device.sync()
    loop_runner.each_variant(args, pairs, device, record)


def jax_framework():
    return loop_runner.Device(jax_sync), {"jaxtrace": jax_trace}


FRAMEWORKS = {"torch": torch_framework, "cupy": cupy_framework, "jax": jax_framework}


def module_of(path):
    name = f"{path.parent.name}_{path.stem}"  # topics may have files of one name
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pairs_of(framework):
    all_pairs = loop_runner.Pairs(framework)
    for path in sorted(PROGRAMS.glob(f"*/{framework}_*.py")):
        if path.parent.name == "parts":
            continue
        some = list(module_of(path).pairs.by_name.values())
        for pair in some:
            pair.topic = path.parent.name
        all_pairs.include(some)
    return all_pairs


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in FRAMEWORKS:
        sys.exit(f"usage: loops.py {'|'.join(FRAMEWORKS)} MODE ...; loop_runner.py has the modes")
    device, modes = FRAMEWORKS[sys.argv[1]]()
    loop_runner.main(pairs_of(sys.argv[1]), device, modes, sys.argv[2:])


if __name__ == "__main__":
    main()
