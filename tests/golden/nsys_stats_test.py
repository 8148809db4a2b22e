#!/usr/bin/env python3
"""nsys_stats_test.py OLAB SHARED: the tables of nsys stats give the numbers of the export that they were made from.

Of every shared SQLite export of one process the tables cuda_gpu_trace and cuda_api_trace are written here, as nsys stats writes them
(sizes in MB with three decimals). Opened, they have the same devices, classes, pairs and times, the same calls, and the same first
cause as the export. Ends with 77 (skipped) where the exports are not there.
"""
import collections
import csv
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

COPIES = {1: "Host-to-Device", 2: "Device-to-Host", 8: "Device-to-Device", 10: "Peer-to-Peer", 11: "Unified Host-to-Device",
          12: "Unified Device-to-Host"}
KINDS = {0: "Pageable", 1: "Pinned", 2: "Device", 3: "Array", 4: "Managed", 5: "Device Static", 6: "Managed Static"}
WORK = ["Start (ns)", "Duration (ns)", "CorrId", "GrdX", "GrdY", "GrdZ", "BlkX", "BlkY", "BlkZ", "Reg/Trd", "StcSMem (MB)",
        "DymSMem (MB)", "Bytes (MB)", "Throughput (MB/s)", "SrcMemKd", "DstMemKd", "Device", "Ctx", "GreenCtx", "Strm", "Name"]
CALLS = ["Start (ns)", "Duration (ns)", "Name", "Result", "CorrID", "Pid", "Tid", "T-Pri", "Thread Name"]
FEWEST, SKIPPED = 3, 77


def numbers_of(path, *words):
    done = subprocess.run([sys.argv[1], *words, str(path), "--json"], capture_output=True, text=True)
    assert done.returncode == 0, (path, done.stderr)
    return json.loads(done.stdout)


def rows_of(db, table, columns):
    there = {row[1] for row in db.execute('pragma table_info("%s")' % table)}
    return db.execute("select %s from %s" % (",".join('"%s"' % c if c in there else "NULL" for c in columns.split()), table)) if there else []


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        file.write("Processing [%s] with [report.py]...\n" % path.name)
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def tables_of(path, folder):
    """False: it is of no or of several processes, or holds what the tables cannot say."""
    db = sqlite3.connect("file:%s?mode=ro&immutable=1" % str(path).replace("#", "%23").replace("?", "%3f"), uri=True)
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    texts = dict(db.execute("select id, value from StringIds"))
    megabytes = lambda size: "" if size is None else "%.3f" % (size / 1e6)
    kind = lambda number: KINDS.get(number, "Unknown")
    work, calls = [], []
    for s, e, c, gx, gy, gz, bx, by, bz, reg, static, dynamic, device, context, stream, name in rows_of(
            db, "CUPTI_ACTIVITY_KIND_KERNEL", "start end correlationId gridX gridY gridZ blockX blockY blockZ registersPerThread "
            "staticSharedMemory dynamicSharedMemory deviceId contextId streamId demangledName"):
        work.append((s, e - s, c, gx, gy, gz, bx, by, bz, reg, megabytes(static), megabytes(dynamic), "", "", "", "", "GPU (%d)" % device,
                     context, "", stream, texts[name]))
    for s, e, c, size, way, source, target, device, context, stream in rows_of(
            db, "CUPTI_ACTIVITY_KIND_MEMCPY", "start end correlationId bytes copyKind srcKind dstKind deviceId contextId streamId"):
        if way not in COPIES:
            return False
        work.append((s, e - s, c, *[""] * 9, megabytes(size), "", kind(source), kind(target), "GPU (%d)" % device, context, "", stream,
                     "[CUDA memcpy %s]" % COPIES[way]))
    for s, e, c, size, memory, device, context, stream in rows_of(
            db, "CUPTI_ACTIVITY_KIND_MEMSET", "start end correlationId bytes memKind deviceId contextId streamId"):
        work.append((s, e - s, c, *[""] * 9, megabytes(size), "", "", kind(memory), "GPU (%d)" % device, context, "", stream, "[CUDA memset]"))
    for s, e, name, result, c, thread in rows_of(db, "CUPTI_ACTIVITY_KIND_RUNTIME", "start end nameId returnValue correlationId globalTid"):
        calls.append((s, e - s, texts[name], result, c, thread >> 24 & 0xffffff, thread & 0xffffff, 20, ""))
    if not work or len({call[5] for call in calls}) > 1:
        return False
    write(folder / "r_cuda_gpu_trace.csv", WORK, work)
    (folder / "r_cuda_api_trace.csv").unlink(missing_ok=True)
    if calls:
        write(folder / "r_cuda_api_trace.csv", CALLS, calls)
    return True


def without_sizes(devices):
    for device in devices.values():
        device.pop("name")
        for cls in device["classes"].values():
            cls["bytes"] = (cls["bytes"] + 500 * cls["count"]) // (1000 * max(cls["count"], 1)) if cls["count"] < 2 else None
    return devices


def calls_in(path):
    counted = collections.Counter()
    for row in numbers_of(path, "stats", "--by", "call")["rows"]:
        counted[re.sub(r"(_ptsz|_ptds)?_v\d{4,}$", "", row["name"])] += row["count"]
    return counted


def main():
    compared = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in sorted(pathlib.Path(sys.argv[2]).glob("*.sqlite")):
            if path.stat().st_size > 20_000_000 or not tables_of(path, folder):
                continue
            export, tables = (numbers_of(each, "analyze") for each in (path, folder / "r_cuda_gpu_trace.csv"))
            if export["counts"]["refused"] > 0:
                continue
            assert without_sizes(export["devices"]) == without_sizes(tables["devices"]), path
            assert tables["counts"]["refused"] == 0, path
            assert calls_in(path) == calls_in(folder / "r_cuda_gpu_trace.csv"), path
            first, second = ((run["ledger"] or {}).get("causes") for run in (export, tables))
            if first and second:
                assert first[0]["id"] == second[0]["id"], path
                assert abs(first[0]["gain_ns"] - second[0]["gain_ns"]) <= export["ledger"]["measured_ns"] / 100, path
            compared += 1
    print(compared, "exports compared")
    return 0 if compared >= FEWEST else SKIPPED


sys.exit(main())
