#!/usr/bin/env python3
"""Kills a traced program at random moments, and reads what is left of its recording.

  trace_kills.py OLAB TRACE_LOOPS [--kills 100] [--what forever|busy]
  trace_kills.py OLAB CUDA_PROGRAM --made-up [--kills 1000]

TRACE_LOOPS (olab_trace_loops) runs until it is killed, and keeps the time at which it last did something in a file. Each recording must be
readable, with its open end said; printed is how much of its end is missing. Needs a GPU.

--made-up: CUDA_PROGRAM (cuda_program of tests/unit/inject) makes up its CUDA and needs no GPU; OLAB_CUPTI must name that CUPTI. It keeps
how many calls it had made when; their records must be there without a gap.
"""
import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import tempfile
import time


def last_work(document):
    """The wall time at which the last recorded work of a device ended; 0: none."""
    return max((device["last_ns"] for device in document["devices"].values()), default=0)


def device_work(document):
    return sum(work["count"] for device in document["devices"].values() for work in device["classes"].values())


def missing_by_time(stamp, document, begun):
    with open(stamp) as text:
        at = int(text.read())
    end = last_work(document) if document else 0
    return (at - end if end else at - begun) / 1e9


def missing_by_count(stamp, document, begun):
    """A call has one piece of work. The last line may be half written."""
    with open(stamp) as text:
        lines = [line.split() for line in text.read().splitlines(keepends=True) if line.endswith("\n")]
    stamps = [(int(at), int(calls)) for at, calls in lines]
    there = device_work(document) if document else 0
    since = next((at for at, calls in stamps if calls > there), stamps[-1][0] if stamps else begun)
    return (stamps[-1][0] - since) / 1e9 if stamps else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("olab")
    parser.add_argument("loops")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--what", default="forever")
    parser.add_argument("--made-up", action="store_true")
    parser.add_argument("--most", type=float, default=2.5, help="seconds")
    args = parser.parse_args()
    folder = tempfile.mkdtemp()
    missing, unread, hung = [], 0, 0
    for number in range(args.kills):
        file, stamp = f"{folder}/{number}.olab", f"{folder}/{number}.stamp"
        words = ["cuda", f"stamped:{stamp}"] if args.made_up else [args.what, "0", stamp]
        traced = subprocess.Popen([args.olab, "trace", "--no-analysis", "-o", file, "--", args.loops, *words],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(stamp) or os.path.getsize(stamp) == 0:
            time.sleep(0.01)
        begun = time.time_ns()
        time.sleep(random.uniform(0, args.most))
        with open(f"/proc/{traced.pid}/task/{traced.pid}/children") as children:
            for child in children.read().split():
                os.kill(int(child), signal.SIGKILL)
        try:
            code = traced.wait(timeout=60)
        except subprocess.TimeoutExpired:
            traced.kill()
            code, hung = None, hung + 1
        done = subprocess.run([args.olab, "analyze", "--numbers", file], capture_output=True, text=True, timeout=120)
        document = json.loads(done.stdout) if done.returncode == 0 else None
        codes = [defect["code"] for defect in document["defects"]] if document else []
        unread += document is None or code != 137 or codes != ["open-end"]
        missing.append((missing_by_count if args.made_up else missing_by_time)(stamp, document, begun))
        os.remove(file)
        os.remove(stamp)
    print(f"{args.kills} kills, {unread} not readable, with another defect or a wrong exit code, {hung} hung")
    if missing:
        print(f"missing at the end: median {statistics.median(missing):.3f} s, most {max(missing):.3f} s")


if __name__ == "__main__":
    main()
