#!/usr/bin/env python3
"""What tracing costs a program: its own time, plain and under tools, in turns.

  trace_overhead.py OLAB TRACE_LOOPS [--bare LIBRARY] [--nsys NSYS] [--rounds 5]

TRACE_LOOPS (olab_trace_loops) prints the milliseconds of its loop. --bare: a client of CUPTI that keeps nothing (olab_bare_client).
Prints the median of each and its ratio to plain. Needs a GPU.
"""
import argparse
import os
import re
import statistics
import subprocess
import tempfile

LOOPS = [("tiny", "200000"), ("chains", "10000"), ("graph", "20000")]


def milliseconds(command, variables=None):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(variables or {})}, timeout=120)
    found = re.search(r"([0-9.]+) ms", done.stdout)
    if done.returncode != 0 or not found:
        raise SystemExit(f"{command}: {done.returncode} {done.stdout} {done.stderr}")
    return float(found.group(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("olab")
    parser.add_argument("loops")
    parser.add_argument("--bare")
    parser.add_argument("--nsys")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--without", default="", help="ways to leave out, separated by commas")
    args = parser.parse_args()
    folder = tempfile.mkdtemp()
    for what, count in LOOPS:
        program = [args.loops, what, count]
        trace = [args.olab, "trace", "--no-analysis", "-o", f"{folder}/run.olab"]
        ways = {"plain": (program, None)}
        if args.bare:
            ways["bare client"] = (program, {"CUDA_INJECTION64_PATH": os.path.abspath(args.bare)})
        if args.nsys:
            ways["nsys"] = ([args.nsys, "profile", "-t", "cuda", "-f", "true", "-o", f"{folder}/n"] + program, None)
        ways["olab trace"] = (trace + ["--"] + program, None)
        ways["marked, not yet"] = (trace + ["--capture-range", "cuda", "--"] + program, None)
        ways["asleep"] = (trace + ["--attach-ready", "--"] + program, None)
        ways["after --duration"] = (trace + ["--duration", "1ms", "--"] + program, None)
        for way in args.without.split(","):
            ways.pop(way, None)
        times = {way: [] for way in ways}
        for _ in range(args.rounds):
            for way, (command, variables) in ways.items():
                times[way].append(milliseconds(command, variables))
        plain = statistics.median(times["plain"])
        for way, all_times in times.items():
            median = statistics.median(all_times)
            print(f"{what:8} {way:18} {median:10.1f} ms  {median / plain:6.3f}  ({min(all_times):.1f} to {max(all_times):.1f})", flush=True)


if __name__ == "__main__":
    main()
