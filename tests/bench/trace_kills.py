#!/usr/bin/env python3
"""Kills a traced program at random moments, and reads what is left of its recording.

  trace_kills.py OLAB TRACE_LOOPS [--kills 100] [--what forever|busy]

TRACE_LOOPS (olab_trace_loops) runs until it is killed, and keeps the time at which it last did something in a file. Each recording must be
readable, with its open end said; printed is how much of its end is missing. Needs a GPU.
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("olab")
    parser.add_argument("loops")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--what", default="forever")
    parser.add_argument("--most", type=float, default=2.5, help="seconds")
    args = parser.parse_args()
    folder = tempfile.mkdtemp()
    missing, unread = [], 0
    for number in range(args.kills):
        file, stamp = f"{folder}/{number}.olab", f"{folder}/{number}.stamp"
        traced = subprocess.Popen([args.olab, "trace", "--no-analysis", "-o", file, "--", args.loops, args.what, "0", stamp],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(stamp) or os.path.getsize(stamp) == 0:
            time.sleep(0.01)
        begun = time.time_ns()
        time.sleep(random.uniform(0, args.most))
        with open(f"/proc/{traced.pid}/task/{traced.pid}/children") as children:
            for child in children.read().split():
                os.kill(int(child), signal.SIGKILL)
        code = traced.wait(timeout=60)
        done = subprocess.run([args.olab, "analyze", "--numbers", file], capture_output=True, text=True, timeout=120)
        unread += done.returncode != 0 or code != 137
        with open(stamp) as text:
            at = int(text.read())
        end = last_work(json.loads(done.stdout)) if done.returncode == 0 else 0
        missing.append((at - end if end else at - begun) / 1e9)
        os.remove(file)
    print(f"{args.kills} kills, {unread} not readable or with a wrong exit code")
    if missing:
        print(f"missing at the end: median {statistics.median(missing):.3f} s, most {max(missing):.3f} s")


if __name__ == "__main__":
    main()
