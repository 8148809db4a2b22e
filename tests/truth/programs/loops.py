#!/usr/bin/env python3
"""Lists, times and records the pairs of one framework: loops.py torch|cupy|jax MODE ... (see loop_runner.py).

Its pairs are in the modules TOPIC/FRAMEWORK_*.py. What several modules need is in parts, which is on sys.path;
parts/FRAMEWORK_framework.py says how the framework is set up, waited for, cleaned and recorded.
"""
import importlib
import importlib.util
import os
import pathlib
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(PROGRAMS), str(PROGRAMS / "parts")]

import loop_runner

FRAMEWORKS = ("torch", "cupy", "jax")
RECORDED_STEPS = 8  # of the profilers of the frameworks


def kineto(framework):
    def record_all(args, pairs, device):
        os.makedirs(args.out, exist_ok=True)
        loop_runner.each_variant(args, pairs, device, lambda loop, name: framework.kineto(
            lambda: loop.run(1), os.path.join(args.out, f"{name}.json"), RECORDED_STEPS))
    return record_all


def jaxtrace(framework):
    def record_all(args, pairs, device):
        loop_runner.each_variant(args, pairs, device, lambda loop, name: framework.jaxtrace(
            loop.run, os.path.join(args.out, name), RECORDED_STEPS))
    return record_all


def profilers(framework):
    """The modes of those that this framework has."""
    return {mode.__name__: mode(framework) for mode in (kineto, jaxtrace) if hasattr(framework, mode.__name__)}


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
    framework = importlib.import_module(f"{sys.argv[1]}_framework")
    framework.settings()
    device = loop_runner.Device(framework.synchronize, framework.clean)
    loop_runner.main(pairs_of(sys.argv[1]), device, profilers(framework), sys.argv[2:])


if __name__ == "__main__":
    main()
