#!/usr/bin/env python3
"""What tracing costs a program: its own time, plain and under tools, in turns.

  trace_overhead.py OLAB TRACE_LOOPS [--bare LIBRARY] [--nsys NSYS] [--rounds 5] [--loops tiny,chains,graph,torch] [--ways ...]

TRACE_LOOPS (olab_trace_loops) and torch_loop.py print the milliseconds of their loop. --bare: a client of CUPTI that keeps nothing
(olab_bare_client). Prints the median of each and its ratio to plain. "after Stop" is recorded for a while before its loop, and stopped;
then it waits for the device now and then, as programs do between two parts of their work: that is when CUPTI is taken out. Needs a GPU.
"""
import argparse
import collections
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = {"tiny": "200000", "chains": "10000", "graph": "20000", "ranged": "100000", "torch": "1000", "forward": "2000"}
SETTLE = "3000"  # ms before the loop, in "after Stop" and in what it is compared with
Way = collections.namedtuple("Way", "command variables order", defaults=({}, None))


def milliseconds(way):
    """Where it has an order, that is given once the program says that it settles."""
    program = subprocess.Popen(way.command, stdout=subprocess.PIPE, text=True, env={**os.environ, **way.variables})
    said = program.stdout.readline()
    if way.order:
        subprocess.run(way.order, check=True, capture_output=True, timeout=60)
    said += program.communicate(timeout=180)[0]
    found = re.search(r"([0-9.]+) ms", said)
    if program.returncode != 0 or not found:
        raise SystemExit(f"{way.command}: {program.returncode} {said}")
    return float(found.group(1))


def ways_of(args, program, folder):
    trace = [args.olab, "trace", "--no-analysis", "-o", f"{folder}/run.olab"]
    on = [args.olab, "trace", "--on", "all", "--for", "300ms"]
    ways = {"plain": Way(program)}
    if args.bare:
        ways["bare client"] = Way(program, {"CUDA_INJECTION64_PATH": os.path.abspath(args.bare)})
    if args.nsys:
        ways["nsys"] = Way([args.nsys, "profile", "-t", "cuda", "-f", "true", "-o", f"{folder}/n"] + program)
    ways["olab trace"] = Way(trace + ["--"] + program)
    ways["marked, not yet"] = Way(trace + ["--capture-range", "cuda", "--"] + program)
    ways["asleep"] = Way(trace + ["--attach-ready", "--"] + program)
    ways["plain, later"] = Way(program + [SETTLE])
    ways["after Stop"] = Way(trace + ["--attach-ready", "--"] + program + [SETTLE], {}, on)
    return ways


def program_of(args, loop, count):
    if loop in ("torch", "forward"):
        return [sys.executable, str(HERE / "torch_loop.py"), loop, count]
    return [args.loops_program, loop, count]


def measure(args, loop, folder):
    ways = ways_of(args, program_of(args, loop, COUNTS[loop]), folder)
    if args.ways:
        ways = {name: way for name, way in ways.items() if name in args.ways.split(";")}
    times = {name: [] for name in ways}
    for _ in range(args.rounds):
        for name, way in ways.items():
            times[name].append(milliseconds(way))
    medians = {name: statistics.median(all_times) for name, all_times in times.items()}
    for name, all_times in times.items():
        base = medians.get("plain, later" if name == "after Stop" else "plain")
        ratio = f"{medians[name] / base:6.3f}" if base else "     -"
        print(f"{loop:8} {name:18} {medians[name]:10.1f} ms  {ratio}  ({min(all_times):.1f} to {max(all_times):.1f})", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("olab")
    parser.add_argument("loops_program")
    parser.add_argument("--bare")
    parser.add_argument("--nsys")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--loops", default="tiny,chains,graph")
    parser.add_argument("--ways", default="", help="these alone, separated by semicolons")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for loop in args.loops.split(","):
            measure(args, loop, folder)


if __name__ == "__main__":
    main()
