#!/usr/bin/env python3
"""statistics_test.py OLAB SHARED: `olab stats --json` equals a count of our own, by name, in real traces.

Kernels, copies, API calls and operators of every shared trace that the reference script can read: how many, their total, the
shortest and the longest, to the nanosecond; of kernels also mean, median, standard deviation, and how much of each ran beside
work of another class on the same device. Ends with 77 (skipped) where the traces are not there.
"""
import bisect
import collections
import itertools
import json
import math
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "data"))
sys.dont_write_bytecode = True
import reference_overlap as reference

FEWEST = 10
SKIPPED = 77


class Counted:
    """Durations by what `olab stats --by` calls them."""

    def __init__(self):
        self.by = {kind: collections.defaultdict(list) for kind in ("kernel", "copy", "call", "operator")}
        self.kernels = collections.defaultdict(list)  # by device: begin, end, name
        self.others = collections.defaultdict(list)  # by device: what is no kernel

    def add(self, kind, name, begin, end, device=None):
        if not isinstance(begin, int) or not isinstance(end, int) or end < begin or (begin, end) == (0, 0):
            return
        self.by[kind][name].append(end - begin)
        if kind == "kernel":
            self.kernels[device].append((begin, end, name))
        elif kind == "copy":
            self.others[device].append((begin, end))

    def overlapped(self):
        """By kernel: how much of its time something that is no kernel ran on its device."""
        found = collections.Counter()
        for device, kernels in self.kernels.items():
            covered = Covered(reference.union(self.others[device]))
            for begin, end, name in kernels:
                found[name] += covered.until(end) - covered.until(begin)
        return found


class Covered:
    def __init__(self, union):
        self.begins = [begin for begin, _ in union]
        self.ends = [end for _, end in union]
        self.sums = [0, *itertools.accumulate(end - begin for begin, end in union)]

    def until(self, time):
        i = bisect.bisect_right(self.begins, time)
        return self.sums[i] - (max(0, self.ends[i - 1] - time) if i else 0)


def called(name):
    """As the program is written: nsys adds the version to what a call is named."""
    return re.sub(r"(_ptsz|_ptds)?_v\d{4,}$", "", name)


def count_nsys(path):
    counted = Counted()
    db = sqlite3.connect("file:%s?mode=ro&immutable=1" % str(path).replace("#", "%23").replace("?", "%3f"), uri=True)
    tables = {row[0] for row in db.execute("select name from sqlite_master")}
    texts = dict(db.execute("select id, value from StringIds"))
    if "CUPTI_ACTIVITY_KIND_KERNEL" in tables:
        for begin, end, device, name in db.execute("select start, end, deviceId, demangledName from CUPTI_ACTIVITY_KIND_KERNEL"):
            counted.add("kernel", texts[name], begin, end, device)
    if "CUPTI_ACTIVITY_KIND_MEMCPY" in tables:
        for begin, end, device, kind in db.execute("select start, end, deviceId, copyKind from CUPTI_ACTIVITY_KIND_MEMCPY"):
            counted.add("copy", reference.COPYKIND.get(kind, "memcpy_other"), begin, end, device)
    if "CUPTI_ACTIVITY_KIND_MEMSET" in tables:
        for begin, end, device in db.execute("select start, end, deviceId from CUPTI_ACTIVITY_KIND_MEMSET"):
            counted.add("copy", "memset", begin, end, device)
    if "CUPTI_ACTIVITY_KIND_RUNTIME" in tables:
        for begin, end, name in db.execute("select start, end, nameId from CUPTI_ACTIVITY_KIND_RUNTIME"):
            counted.add("call", called(texts[name]), begin, end)
    if "NVTX_EVENTS" in tables:
        for begin, end, text, name in db.execute("select start, end, text, textId from NVTX_EVENTS"):
            text = texts.get(name, "") if text is None else text
            if end is not None and text.startswith("aten::"):
                counted.add("operator", text.split(",")[0], begin, end)
    return counted


def kineto_kind(event):
    """The table an event is counted in, and its name there."""
    category, name = str(event.get("cat", "")).lower(), str(event.get("name", ""))
    kind = reference.KCAT.get(category)
    if kind:
        return {"k": ("kernel", name), "s": ("copy", "memset"), "c": ("copy", reference.copy_class(name))}[kind]
    if category in ("cuda_runtime", "cuda_driver", "runtime"):
        return "call", called(name)
    if category in ("cpu_op", "operator") and name.startswith("aten::"):
        return "operator", name.split(",")[0]
    return None, None


def count_kineto(path):
    counted = Counted()
    events, _ = reference.load_json(reference.read_bytes(path), [])
    for event in events:
        kind, name = kineto_kind(event) if isinstance(event, dict) and event.get("ph") == "X" else (None, None)
        begin, took = (reference.dec_us(event.get(key)) if kind else None for key in ("ts", "dur"))
        if begin is not None and took is not None:
            device = reference.as_key((event.get("args") or {}).get("device", event.get("pid")))
            counted.add(kind, name, reference.ns_round(begin)[0], reference.ns_round(begin + took)[0], device)
    return counted


def asked(olab, path, by):
    done = subprocess.run([olab, "stats", str(path), "--by", by, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["rows"]


def facts_of(durations):
    durations = sorted(durations)
    return len(durations), sum(durations), durations[0], durations[-1]


def spread_of(durations):
    """Mean and median, rounded down, and the standard deviation."""
    deviation = statistics.stdev(durations) if len(durations) > 1 else 0
    return sum(durations) // len(durations), math.floor(statistics.median(durations)), deviation


def merged(rows, by):
    """By name; copies, which are told apart by memory too, by class."""
    found = {}
    for row in rows:
        name = row["class"] if by == "copy" else row["name"]
        count, total, least, most = found.get(name, (0, 0, row["min_ns"], row["max_ns"]))
        found[name] = (count + row["count"], total + row["total_ns"], min(least, row["min_ns"]), max(most, row["max_ns"]))
    return found


def differences(rows, wanted, by):
    ours = merged(rows, by)
    if by == "operator":
        ours = {name: facts for name, facts in ours.items() if name.startswith("aten::")}
    theirs = {name: facts_of(durations) for name, durations in wanted.items()}
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            yield "%s %s: olab %s, counted %s" % (by, name, ours.get(name), theirs.get(name))


def kernel_differences(rows, counted):
    overlapped = counted.overlapped()
    for row in rows:
        name = row["name"]
        mean, median, deviation = spread_of(counted.by["kernel"].get(name, [0]))
        ours = row["mean_ns"], row["median_ns"], row["work"]["overlapped_ns"]
        theirs = mean, median, overlapped[name]
        if ours != theirs or abs(row["stddev_ns"] - deviation) > 0.51:
            yield "%s: olab %s, %d, counted %s, %f" % (name, ours, row["stddev_ns"], theirs, deviation)


def check(olab, path, counted):
    """How many names were compared, and what differs."""
    names, wrong = 0, []
    for by, wanted in counted.by.items():
        rows = asked(olab, path, by)
        wrong += differences(rows, wanted, by)
        wrong += kernel_differences(rows, counted) if by == "kernel" else []
        names += len(rows)
    return names, wrong


def main(olab, shared):
    traces = [(path, count_nsys) for path in sorted(shared.glob("nsys-sqlite/*"))]
    traces += [(path, count_kineto) for path in sorted(shared.glob("kineto-json/*"))]
    if len(traces) < FEWEST:
        print("skipped: there are %d traces in %s" % (len(traces), shared))
        return SKIPPED
    failed = 0
    for path, reader in traces:
        names, wrong = check(olab, path, reader(path))
        print("%4d names, %d differ: %s" % (names, len(wrong), path.name))
        print("".join("    %s\n" % line for line in wrong[:10]), end="")
        failed += len(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
