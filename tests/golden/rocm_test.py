#!/usr/bin/env python3
"""rocm_test.py OLAB: files as the profilers of ROCm write them give the numbers that a reader of our own counts.

Ten runs are made (tests/data/rocm_samples.py) and read here with a few lines of SQL, apart from the program's reader: classes, pairs
and derived times of every GPU, calls and ranges by name. Of files changed by chance every one is read or refused, and what was read is
kept or refused.
"""
import collections
import json
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "data"))
sys.dont_write_bytecode = True
import reference_overlap as reference
import rocm_samples

RUNS, CHANGED = 10, 200
COPIES = {"MEMORY_COPY_HOST_TO_DEVICE": "memcpy_h2d", "MEMORY_COPY_DEVICE_TO_HOST": "memcpy_d2h",
          "MEMORY_COPY_DEVICE_TO_DEVICE": "memcpy_d2d"}


def olab(*words):
    return subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True)


def of_database(path):
    """{device: {class: [(start, end, stream, bytes)]}} and how often each call and range is there."""
    db = sqlite3.connect(path)
    gpus = {agent: place for agent, place in db.execute("select id, type_index from rocpd_info_agent where type = 'GPU'")}
    work = collections.defaultdict(lambda: collections.defaultdict(list))
    for agent, start, end, stream in db.execute('select agent_id, start, "end", stream_id from rocpd_kernel_dispatch'):
        work[gpus[agent]]["kernel"].append((start, end, stream, 0))
    for source, target, name, start, end, stream, size in db.execute(
            'select src_agent_id, dst_agent_id, string, start, "end", stream_id, size from rocpd_memory_copy m '
            "join rocpd_string s on s.id = m.name_id"):
        cls = "memcpy_p2p" if source in gpus and target in gpus and source != target else COPIES[name]
        work[gpus[source if source in gpus else target]][cls].append((start, end, stream, size))
    names = collections.Counter()
    for name, message in db.execute(
            "select string, json_extract(e.extdata, '$.message') from rocpd_region r join rocpd_string s on s.id = r.name_id "
            "join rocpd_event e on e.id = r.event_id union all "
            "select '', json_extract(e.extdata, '$.message') from rocpd_sample p join rocpd_event e on e.id = p.event_id"):
        names[message or name] += 1
    return work, names


def of_tables(folder):
    """The same of what rocprofv3 writes as text, which has no sizes of copies."""
    def rows(name):
        lines = (folder / ("run_%s.csv" % name)).read_text().splitlines()
        columns = [column.strip('"') for column in lines[0].split(",")]
        for line in lines[1:]:  # a text goes from a quote at the begin of a field to one at the end of a field
            cells = [a or b for a, b in re.findall(r'(?:^|,)(?:"(.*?)"(?=,|$)|([^",]*))', line)]
            assert len(cells) == len(columns), line
            yield dict(zip(columns, cells))

    gpus = [row["Node_Id"] for row in rows("agent_info") if row["Agent_Type"] == "GPU"]
    gpus = {"Agent " + node: place for place, node in enumerate(gpus)}
    work = collections.defaultdict(lambda: collections.defaultdict(list))
    times = lambda row: (int(row["Start_Timestamp"]), int(row["End_Timestamp"]), row["Stream_Id"], 0)
    for row in rows("kernel_trace"):
        work[gpus[row["Agent_Id"]]]["kernel"].append(times(row))
    for row in rows("memory_copy_trace"):
        source, target = row["Source_Agent_Id"], row["Destination_Agent_Id"]
        cls = "memcpy_p2p" if source in gpus and target in gpus and source != target else COPIES[row["Direction"]]
        work[gpus[source if source in gpus else target]][cls].append(times(row))
    return work, collections.Counter(row["Function"].replace('"', "") for name in ("hip_api_trace", "hsa_api_trace", "marker_api_trace")
                                     for row in rows(name))


def of_chrome(path):
    """The same of rocprof 1, which tells neither sizes nor the other end of a copy."""
    work, names = collections.defaultdict(lambda: collections.defaultdict(list)), collections.Counter()
    events = json.loads(path.read_text())["traceEvents"]
    processes = {event["pid"]: event["args"]["name"] for event in events if event.get("ph") == "M"}
    for event in events:
        if event.get("ph") != "X":
            continue
        process, args = processes[event["pid"]], event["args"]
        if process in ("COPY", "GPU0", "GPU1"):
            cls = COPIES["MEMORY_" + re.sub("([A-Z])", r"_\1", event["name"])[1:].upper()] if process == "COPY" else "kernel"
            work[int(args["dev-id"])][cls].append((int(args["BeginNs"]), int(args["EndNs"]), args["stream-id"], 0))
        else:
            names[event["name"]] += 1
    return work, names


def check(path, work, names):
    done = olab("analyze", path, "--json")
    assert done.returncode == 0, (path, done.stderr)
    said = json.loads(done.stdout)
    assert set(said["devices"]) == {str(device) for device in work}, path
    for device, classes in work.items():
        expected, told = reference.measure(classes), said["devices"][str(device)]
        for key, value in expected.items():
            assert told[key] == value, (path, device, key, told[key], value)
    assert said["counts"]["refused"] == 0, (path, said["counts"])
    for finding in said["findings"]:
        assert "cuda" not in (finding["remedy"] or ""), (path, finding)
    found = collections.Counter()
    for by in (["call"], ["range", "--each-number"]):
        for row in json.loads(olab("stats", path, "--by", *by, "--json").stdout)["rows"]:
            found[row["name"]] += row["count"]
    assert found == names, (path, found - names, names - found)
    return said


def same_run(a, b):
    """One run in two forms: the same first cause, and its gain within a hundredth of the run."""
    a, b = a["ledger"], b["ledger"]
    assert a["measured_ns"] == b["measured_ns"]
    first, second = a["causes"][0], b["causes"][0]
    assert first["id"] == second["id"], (first, second)
    assert abs(first["gain_ns"] - second["gain_ns"]) <= a["measured_ns"] / 100, (first, second)


def check_changed(path, chance, folder):
    whole = path.read_bytes()
    for i in range(CHANGED):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 3, 40))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if i % 5 == 0:
            del data[chance.randrange(100, len(data)):]
        changed = folder / ("changed" + path.suffix)
        changed.write_bytes(data)
        done = olab("analyze", changed, "--json")
        assert done.returncode in (0, 1, 2), (i, done.returncode, done.stderr[-500:])
        if done.stdout.startswith("{"):
            counts = json.loads(done.stdout)["counts"]
            assert counts["read"] == counts["kept"] + counts["refused"], (i, counts)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(RUNS):
            at = folder / str(seed)
            rocm_samples.write(at, seed)
            database = check(at / "run_results.db", *of_database(at / "run_results.db"))
            check(at / "run.json", *of_chrome(at / "run.json"))
            tables = of_tables(at)
            for name in ("kernel", "memory_copy", "hip_api"):  # whichever is opened
                same_run(database, check(at / ("run_%s_trace.csv" % name), *tables))
        for name in ("run_results.db", "run_kernel_trace.csv", "run_memory_copy_trace.csv", "run_hip_api_trace.csv",
                     "run.json"):
            check_changed(folder / "0" / name, random.Random(1), folder)


main()
