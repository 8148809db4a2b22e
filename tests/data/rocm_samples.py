#!/usr/bin/env python3
"""rocm_samples.py FOLDER SEED: one run of a made program as the profilers of AMD's ROCm write it, in three of their forms.

FOLDER/run_results.db is a rocpd database (schema 3: rocprofiler-sdk, source/share/rocprofiler-sdk-rocpd/rocpd_tables.sql, filled
as generateRocpd.cpp does), FOLDER/run_*_trace.csv and FOLDER/run_agent_info.csv what rocprofv3 --output-format csv writes
(generateCSV.cpp), FOLDER/run.json the Chrome trace of rocprof 1 (ROCm/rocprofiler, bin/tblextr.py). The run depends on SEED only. Its records are also returned by run().
"""
import json
import pathlib
import random
import sqlite3
import sys

PID, THREADS, NULL_STREAM = 834304, (834304, 834311), 0
# node id, type, place among its type, name, product
AGENTS = [(0, "CPU", 0, "AMD EPYC 9654 96-Core Processor", "AMD EPYC 9654 96-Core Processor"),
          (1, "CPU", 1, "AMD EPYC 9654 96-Core Processor", "AMD EPYC 9654 96-Core Processor"),
          (2, "GPU", 0, "gfx942", "AMD Instinct MI300X"),
          (3, "GPU", 1, "gfx942", "AMD Instinct MI300X")]
KERNELS = {7: ("void scale<float>(float*, int)", 12, 4), 8: ("reduce, in two steps", 32, 0), 9: ("__amd_rocclr_copyBuffer", 8, 0)}
LENGTHS = {7: 20_000, 8: 150_000, 9: 999}  # of kernels, ns
DIRECTIONS = {"MEMORY_COPY_HOST_TO_DEVICE": 4 << 20, "MEMORY_COPY_DEVICE_TO_HOST": 1 << 20, "MEMORY_COPY_DEVICE_TO_DEVICE": 1 << 33}


def run(seed):
    """{"kernels", "copies", "calls", "markers"}: lists of dictionaries."""
    chance = random.Random(seed)
    now = 1_550_151_853_000_000 + seed
    kernels, copies, calls, markers = [], [], [], []
    free = {}
    correlation = 0

    def call(name, length, thread, domain="HIP_RUNTIME_API_EXT"):
        nonlocal now, correlation
        correlation += 1
        calls.append(dict(domain=domain, name=name, thread=thread, correlation=correlation, start=now, end=now + length))
        now += length + chance.randrange(1, 400)
        return correlation

    for step in range(chance.randrange(3, 9)):
        began, thread = now, chance.choice(THREADS)
        for _ in range(chance.randrange(2, 12)):
            gpu, stream = chance.choice((2, 3)), chance.randrange(0, 4)
            begin = max(now, free.get((gpu, stream), 0)) + chance.randrange(500, 5000)
            if chance.random() < 0.5:
                correlation_of = call("hipLaunchKernel", chance.randrange(2000, 6000), thread)
                kernel = chance.choice(list(KERNELS))
                end = begin + chance.choice((0, 1, *[LENGTHS[kernel]] * 6))
                block = (chance.choice((64, 256)), 1, chance.choice((1, 2)))
                kernels.append(dict(agent=gpu, stream=stream, queue=1 + stream % 2, thread=thread, kernel=kernel,
                                    correlation=correlation_of, start=begin, end=end, lds=chance.choice((0, 1024)), block=block,
                                    grid=(block[0] * chance.randrange(1, 500) - chance.choice((0, 1)), 1, block[2])))
            else:
                direction = chance.choice(list(DIRECTIONS))
                end = begin + 2000 + DIRECTIONS[direction] // (40 if "HOST" in direction else 100_000)
                source = chance.choice((0, 1)) if "HOST_TO" in direction else gpu
                target = chance.choice((0, 1)) if "TO_HOST" in direction else gpu if "HOST_TO" in direction else chance.choice((2, 3))
                correlation_of = call("hipMemcpyAsync", chance.randrange(2000, 9000), thread)
                copies.append(dict(direction=direction, source=source, target=target, stream=stream, thread=thread,
                                   correlation=correlation_of, start=begin, end=end, bytes=DIRECTIONS[direction]))
            free[gpu, stream] = end
            if chance.random() < 0.2:
                call("hsa_signal_load_relaxed", 150, thread, "HSA_CORE_API")
        call("hipStreamSynchronize", max(1, max(free.values()) - now), thread)
        correlation += 1
        markers.append(dict(name="step %d, \"quoted\"" % step, thread=thread, correlation=correlation, start=began, end=now))
    correlation += 1
    markers.append(dict(name="done", thread=THREADS[0], correlation=correlation, start=now, end=now))
    return dict(kernels=kernels, copies=copies, calls=calls, markers=markers)


TABLES = {
    "metadata": "tag TEXT NOT NULL, value TEXT NOT NULL",
    "string": "guid TEXT, string TEXT NOT NULL UNIQUE",
    "info_node": "guid TEXT, hash BIGINT, machine_id TEXT, system_name TEXT, hostname TEXT, release TEXT, version TEXT, "
                 "hardware_name TEXT, domain_name TEXT",
    "info_process": "guid TEXT, nid INTEGER, ppid INTEGER, pid INTEGER, init BIGINT, fini BIGINT, start BIGINT, \"end\" BIGINT, "
                    "command TEXT, environment JSONB, extdata JSONB",
    "info_thread": "guid TEXT, nid INTEGER, ppid INTEGER, pid INTEGER, tid INTEGER, name TEXT, start BIGINT, \"end\" BIGINT, extdata JSONB",
    "info_agent": "guid TEXT, nid INTEGER, pid INTEGER, type TEXT, absolute_index INTEGER, logical_index INTEGER, type_index INTEGER, "
                  "uuid INTEGER, name TEXT, model_name TEXT, vendor_name TEXT, product_name TEXT, user_name TEXT, extdata JSONB",
    "info_queue": "guid TEXT, nid INTEGER, pid INTEGER, name TEXT, extdata JSONB",
    "info_stream": "guid TEXT, nid INTEGER, pid INTEGER, name TEXT, extdata JSONB",
    "info_kernel_symbol": "guid TEXT, nid INTEGER, pid INTEGER, code_object_id INTEGER, kernel_name TEXT, display_name TEXT, "
                          "group_segment_size INTEGER, arch_vgpr_count INTEGER, accum_vgpr_count INTEGER, extdata JSONB",
    "track": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, name_id INTEGER, extdata JSONB",
    "event": "guid TEXT, category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id INTEGER, call_stack JSONB, "
             "line_info JSONB, extdata JSONB",
    "region": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, start BIGINT, \"end\" BIGINT, name_id INTEGER, event_id INTEGER, "
              "extdata JSONB",
    "sample": "guid TEXT, track_id INTEGER, timestamp BIGINT, event_id INTEGER, extdata JSONB",
    "kernel_dispatch": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER, kernel_id INTEGER, dispatch_id INTEGER, "
                       "queue_id INTEGER, stream_id INTEGER, start BIGINT, \"end\" BIGINT, private_segment_size INTEGER, "
                       "group_segment_size INTEGER, workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER, "
                       "grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER, region_name_id INTEGER, event_id INTEGER, "
                       "extdata JSONB",
    "memory_copy": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, start BIGINT, \"end\" BIGINT, name_id INTEGER, "
                   "dst_agent_id INTEGER, dst_address INTEGER, src_agent_id INTEGER, src_address INTEGER, size INTEGER, "
                   "queue_id INTEGER, stream_id INTEGER, region_name_id INTEGER, event_id INTEGER, extdata JSONB",
    "memory_allocate": "guid TEXT, nid INTEGER, pid INTEGER, start BIGINT, \"end\" BIGINT, size INTEGER",
    "pmc_event": "guid TEXT, event_id INTEGER, pmc_id INTEGER, value REAL, extdata JSONB",
}


def write_database(path, made, seed):
    guid = "0000ddb5-8903-7903-b269-%012x" % seed
    end = "_" + guid.replace("-", "_")
    db = sqlite3.connect(path)
    for name, columns in TABLES.items():
        db.execute('CREATE TABLE "rocpd_%s%s"(id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, %s)' % (name, end, columns))
        db.execute('CREATE VIEW "rocpd_%s" AS SELECT * FROM "rocpd_%s%s"' % (name, name, end))

    def add(table, **values):
        columns = list(values)
        return db.execute('INSERT INTO "rocpd_%s%s"(%s) VALUES(%s)' % (
            table, end, ",".join('"%s"' % column for column in columns), ",".join("?" * len(columns))),
            list(values.values())).lastrowid

    texts = {}

    def text(value):
        if value not in texts:
            texts[value] = add("string", guid=guid, string=value)
        return texts[value]

    def event(category, correlation, message=None):
        return add("event", guid=guid, category_id=text(category), stack_id=correlation, parent_stack_id=correlation,
                   correlation_id=0, call_stack="{}", line_info="{}", extdata=json.dumps({"message": message}) if message else "{}")

    add("metadata", tag="schema_version", value="3")
    add("info_process", id=PID, guid=guid, nid=1, pid=PID, command="/opt/app/train --steps 9", environment="{}", extdata="{}")
    for thread in THREADS:
        add("info_thread", id=thread, guid=guid, nid=1, pid=PID, tid=thread)
    for node, kind, place, name, product in AGENTS:
        facts = {"cu_count": 304, "num_sdma_engines": 2, "max_waves_per_cu": 32, "wave_front_size": 64} if kind == "GPU" else {}
        add("info_agent", id=node, guid=guid, nid=1, pid=PID, type=kind, absolute_index=node, logical_index=node, type_index=place,
            uuid=node, name=name, product_name=product, extdata=json.dumps(facts))
    for stream in range(4):
        add("info_stream", id=stream, guid=guid, nid=1, pid=PID, name="Stream %d" % (stream - 1) if stream else "Default Stream")
    for kernel, (name, vector, accumulator) in KERNELS.items():
        add("info_kernel_symbol", id=kernel, guid=guid, nid=1, pid=PID, kernel_name="_Z.kd", display_name=name,
            arch_vgpr_count=vector, accum_vgpr_count=accumulator, extdata="{}")
    for c in made["calls"]:
        add("region", id=c["correlation"], guid=guid, nid=1, pid=PID, tid=c["thread"], start=c["start"], end=c["end"],
            name_id=text(c["name"]), event_id=event(c["domain"], c["correlation"]))
    for m in made["markers"]:
        of = event("MARKER_CORE_RANGE_API", m["correlation"], m["name"])
        if m["start"] == m["end"]:
            track = add("track", guid=guid, nid=1, pid=PID, tid=m["thread"], name_id=text("MARKER_CORE_RANGE_API"))
            add("sample", id=m["correlation"], guid=guid, track_id=track, timestamp=m["start"], event_id=of)
        else:
            add("region", id=m["correlation"], guid=guid, nid=1, pid=PID, tid=m["thread"], start=m["start"], end=m["end"],
                name_id=text("roctxThreadRangeA"), event_id=of)
    for i, k in enumerate(made["kernels"]):
        sizes = {"%s_size_%s" % (of, axis): k[key][j] for of, key in (("workgroup", "block"), ("grid", "grid")) for j, axis in enumerate("xyz")}
        add("kernel_dispatch", guid=guid, nid=1, pid=PID, tid=k["thread"], agent_id=k["agent"], kernel_id=k["kernel"], dispatch_id=i + 1,
            queue_id=k["queue"], stream_id=k["stream"], start=k["start"], end=k["end"], group_segment_size=k["lds"],
            event_id=event("KERNEL_DISPATCH", k["correlation"]), **sizes)
    for c in made["copies"]:
        add("memory_copy", guid=guid, nid=1, pid=PID, tid=c["thread"], start=c["start"], end=c["end"], name_id=text(c["direction"]),
            dst_agent_id=c["target"], src_agent_id=c["source"], size=c["bytes"], stream_id=c["stream"],
            event_id=event("MEMORY_COPY", c["correlation"]))
    db.commit()
    db.close()


def write_tables(folder, made):
    def table(name, header, rows):
        def cell(value):  # rocprofv3 does not double quotes
            return '"%s"' % value if isinstance(value, str) else str(value)
        lines = [",".join('"%s"' % column for column in header)] + [",".join(map(cell, row)) for row in rows]
        (folder / ("run_%s.csv" % name)).write_text("\n".join(lines) + "\n")

    calls = ["Domain", "Function", "Process_Id", "Thread_Id", "Correlation_Id", "Start_Timestamp", "End_Timestamp"]
    for name, is_part in (("hip_api_trace", lambda c: c["domain"].startswith("HIP")), ("hsa_api_trace", lambda c: c["domain"].startswith("HSA"))):
        table(name, calls, [(c["domain"], c["name"], PID, c["thread"], c["correlation"], c["start"], c["end"])
                            for c in made["calls"] if is_part(c)])
    table("marker_api_trace", calls, [("MARKER_CORE_RANGE_API", m["name"], PID, m["thread"], m["correlation"], m["start"], m["end"])
                                      for m in made["markers"]])
    table("kernel_trace", ["Kind", "Agent_Id", "Queue_Id", "Stream_Id", "Thread_Id", "Dispatch_Id", "Kernel_Id", "Kernel_Name",
                           "Correlation_Id", "Start_Timestamp", "End_Timestamp", "LDS_Block_Size", "Scratch_Size", "VGPR_Count",
                           "Accum_VGPR_Count", "SGPR_Count", "Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z",
                           "Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z"],
          [("KERNEL_DISPATCH", "Agent %d" % k["agent"], k["queue"], k["stream"], k["thread"], i + 1, k["kernel"], KERNELS[k["kernel"]][0],
            k["correlation"], k["start"], k["end"], k["lds"], 0, *KERNELS[k["kernel"]][1:], 16, *k["block"], *k["grid"])
           for i, k in enumerate(made["kernels"])])
    table("memory_copy_trace", ["Kind", "Direction", "Stream_Id", "Source_Agent_Id", "Destination_Agent_Id", "Correlation_Id",
                                "Start_Timestamp", "End_Timestamp"],
          [("MEMORY_COPY", c["direction"], c["stream"], "Agent %d" % c["source"], "Agent %d" % c["target"], c["correlation"],
            c["start"], c["end"]) for c in made["copies"]])
    table("agent_info", ["Node_Id", "Logical_Node_Id", "Agent_Type", "Cu_Count", "Num_Sdma_Engines", "Max_Waves_Per_Cu",
                         "Wave_Front_Size", "Name", "Product_Name"],
          [(node, node, kind, 304 if kind == "GPU" else 0, 2 if kind == "GPU" else 0, 32, 64, name, product)
           for node, kind, _, name, product in AGENTS])


def write_chrome(path, made):
    """As SQLiteDB.dump_json does: all values but pid and tid are texts, times are cut to microseconds, and 0 is written as 1."""
    base = min(c["start"] for c in made["calls"])
    events = [{}]
    for number, name in [(2, "CPU HIP API"), (3, "CPU HSA API"), (4, "Markers and Ranges"), (1, "COPY"), (6, "GPU0"), (518, "GPU Barriers0"),
                         (7, "GPU1"), (519, "GPU Barriers1")]:
        events.append({"args": {"name": name}, "ph": "M", "pid": number, "name": "process_name", "sort_index": number})

    def add(pid, lane, record, name, **args):
        start, end = record["start"], record["end"]
        args = {"BeginNs": str(start), "EndNs": str(end), "pid": str(PID), "tid": str(record["thread"]), **args, "Name": name}
        events.append({"ph": "X", "name": name, "pid": pid, "tid": lane, "ts": str((start - base) // 1000),
                       "dur": str((end - start) // 1000 or 1), "args": args})

    for c in made["calls"]:
        add(2 if c["domain"].startswith("HIP") else 3, c["thread"], c, c["name"])
    for m in made["markers"]:
        add(4, m["thread"], m, m["name"])
    for k in made["kernels"]:
        place = AGENTS[k["agent"]][2]
        add(6 + place, k["stream"], k, KERNELS[k["kernel"]][0], **{"dev-id": str(place), "queue-id": str(k["queue"]), "stream-id": str(k["stream"])})
    for c in made["copies"]:
        place = AGENTS[c["source"] if c["source"] >= 2 else c["target"]][2]
        name = "".join(word.capitalize() for word in c["direction"].split("_")[1:])
        add(1, c["stream"], c, name, **{"dev-id": str(place), "queue-id": "0", "stream-id": str(c["stream"])})
    path.write_text('{ "traceEvents":%s}' % json.dumps(events))


def write(folder, seed):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = run(seed)
    (folder / "run_results.db").unlink(missing_ok=True)
    write_database(folder / "run_results.db", made, seed)
    write_tables(folder, made)
    write_chrome(folder / "run.json", made)
    return made


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
