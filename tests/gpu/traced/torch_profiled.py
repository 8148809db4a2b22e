"""torch.profiler as programs use it: torch_profiled.py WHAT. Prints how many kernels it saw in each of its sessions.

at-once: 150 kernels, a synchronisation, and a session at once. schedule: steps with a warm-up and two sessions.
before, after, inside, none: overlap_lab is imported before torch, after a first session, or record() is around the session.
"""
import json
import os
import sys
import tempfile
import time

WHAT = sys.argv[1]
FILE = os.environ.get("RECORDING")  # of overlap_lab, where there is one
if WHAT in ("before", "inside"):
    import overlap_lab

import torch
from torch.profiler import ProfilerActivity, profile, schedule

x = torch.ones(1 << 16, device="cuda")


def work(kernels):
    for _ in range(kernels):
        x.mul_(1.0)


def kernels_of(profiler):
    with tempfile.TemporaryDirectory() as folder:
        profiler.export_chrome_trace(folder + "/trace.json")
        with open(folder + "/trace.json") as text:
            return sum(event.get("cat") == "kernel" for event in json.load(text)["traceEvents"])


def session(kernels):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        work(kernels)
        torch.cuda.synchronize()
    print(f"the profiler saw {kernels_of(profiler)} of {kernels} kernels", flush=True)


def at_once():
    for _ in range(2):
        work(150)
        torch.cuda.synchronize()
        session(40)
        time.sleep(2.5)


def scheduled():
    counts = []
    with profile(activities=[ProfilerActivity.CUDA], schedule=schedule(wait=2, warmup=1, active=2, repeat=2),
                 on_trace_ready=lambda profiler: counts.append(kernels_of(profiler))) as profiler:
        for _ in range(10):
            work(10)
            torch.cuda.synchronize()
            profiler.step()
    print(f"the profiler saw {counts}", flush=True)


def recorded(kernels):
    with overlap_lab.record(FILE):
        work(kernels)
        torch.cuda.synchronize()


if WHAT == "at-once":
    at_once()
elif WHAT == "schedule":
    scheduled()
elif WHAT == "none":
    work(100), torch.cuda.synchronize(), session(40), time.sleep(2.5), work(60), torch.cuda.synchronize()
elif WHAT == "before":
    recorded(100), session(40), time.sleep(2.5), recorded(60)
elif WHAT == "inside":
    with overlap_lab.record(FILE):
        work(100), torch.cuda.synchronize(), session(40), time.sleep(2.5), work(60), torch.cuda.synchronize()
elif WHAT == "after":
    session(40)
    import overlap_lab
    time.sleep(2.5)
    recorded(100), session(40), time.sleep(2.5), recorded(60)
if "overlap_lab" in sys.modules:
    overlap_lab.finish()
    print(f"why not: '{overlap_lab.why_not()}'")
