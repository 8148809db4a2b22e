#!/usr/bin/env python3
"""How long 'olab analyze DIR' takes for thousands of recordings on two processors, and how much memory.

  survey_speed.py OLAB [--files 5000] [--set KEY=VALUE]... [--processors 2]

Simulates 25 different recordings of about 100 KB, copies them until there are enough, and judges them all.
"""
import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time


def simulate(args, folder):
    files = []
    for seed in range(1, 26):
        file = f"{folder}/seed{seed}.olab"
        options = [word for option in (*args.set, f"seed={seed}") for word in ("--set", option)]
        subprocess.run([args.olab, "run", "--backend", "sim", *options, "--json", "-o", file], check=True, stdout=subprocess.DEVNULL)
        files.append(file)
    return files


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("olab")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--processors", type=int, default=2)
    args = parser.parse_args()
    args.set = args.set or ["iterations=50"]
    with tempfile.TemporaryDirectory() as folder:
        made = simulate(args, folder)
        for i in range(len(made), args.files):
            shutil.copy(made[i % len(made)], f"{folder}/copy{i}.olab")
        size = sum(os.path.getsize(f) for f in made) / len(made)
        processors = sorted(os.sched_getaffinity(0))[:args.processors]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.monotonic()
        done = subprocess.run([args.olab, "analyze", folder, "--sort", "/bounds/serial_ns", "--csv"], capture_output=True, text=True, check=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, processors))
        seconds = time.monotonic() - begin
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        memory = used.ru_maxrss / 1024
        rows = len(done.stdout.splitlines()) - 1
        print(f"{rows} recordings of {size / 1000:.0f} KB on {len(processors)} processors: {seconds:.1f} s, "
              f"{used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime:.1f} s of processor time, at most {memory:.0f} MiB")


if __name__ == "__main__":
    main()
