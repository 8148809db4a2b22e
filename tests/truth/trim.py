#!/usr/bin/env python3
"""Makes of what record.py wrote the data of this folder: recordings cut to what is judged, and pairs.json.

    trim.py OLAB OUT... [--to FOLDER] [--largest BYTES]

A recording keeps the iterations that olab judges and a few around, of large ones fewer, unless the account changes by
that. A trace of torch.profiler or JAX keeps all its iterations, but only what olab reads of an event.
"""
import argparse
import gzip
import json
import pathlib
import shutil
import subprocess
import tempfile

import chrome
import olab

HERE = pathlib.Path(__file__).resolve().parent
BEFORE, AFTER = 2, 1  # iterations that stay around those that are judged
FEWEST = 6            # iterations of a large recording
ALIKE = 0.01          # of the run: an account that changes by less is the same
PHASES = set("XBEMbe")
ARGUMENTS = {"device", "Device", "context", "stream", "Stream", "correlation", "correlation_id", "bytes", "Bytes",
             "registers per thread", "shared memory", "grid", "block", "priority", "unified memory", "channel",
             "channel type", "cuda_sync_kind", "wait_on_stream", "wait_on_cuda_event_record_corr_id",
             "wait_on_cuda_event_id", "name", "memcpy_details"}
MEMBERS = {"ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "id2", "args"}


def slim(event):
    """What is read of an event."""
    kept = {key: value for key, value in event.items() if key in MEMBERS and key != "args"}
    args = {key: value for key, value in (event.get("args") or {}).items() if key in ARGUMENTS}
    return {**kept, "args": args} if args else kept


def trimmed(document):
    """Times count from the first event, so that they are short; the document says when that was."""
    events = [slim(event) for event in document["traceEvents"] if event.get("ph") in PHASES]
    times = [event["ts"] for event in events if event["ph"] != "M" and "ts" in event]
    begin = min(times, default=0) // 1000 * 1000 - 1000  # a time of 0 means none
    for event in events:
        if event["ph"] == "M":
            event.pop("ts", None)
        elif "ts" in event:
            event["ts"] -= begin
    base = int(document.get("baseTimeNanoseconds", 0))
    return {**document, "baseTimeNanoseconds": base + begin, "traceEvents": events}


def trim_chrome(source, target):
    chrome.write(target, trimmed(chrome.read(source)))


def slice_of(report, share):
    """From when to when this share of the judged iterations lasts, counted from the first device work; None: all."""
    steady, ledger = report.get("steady_state") or {}, report.get("ledger") or {}
    part = ledger.get("part")
    if not part or not steady.get("iterations"):
        return None
    first = steady["begin_ns"] - steady["ramp_up_ns"]  # device work
    period = (part["end_ns"] - part["begin_ns"]) / part["iterations"]
    kept = min(part["iterations"], max(FEWEST, round(share * part["iterations"])))
    begin = part["begin_ns"] - first
    return round(begin - BEFORE * period), round(begin + (kept + AFTER) * period)


def is_same(answer, whole):
    """Whether an account of a part says what that of the whole says first."""
    causes = [*whole.first(), *answer.first()][:2]
    return bool(answer.missing) == bool(whole.missing) and set(answer.first()) == set(whole.first()) and \
        all(abs(answer.gain([cause]) - whole.gain([cause])) <= ALIKE for cause in causes)


def trim_olab(program, source, target, largest):
    """Writes the part of it that is judged, the smallest that is judged the same."""
    report = olab.report(program, source)
    whole = olab.answer_of(report)
    for share in sorted({min(1.0, largest / source.stat().st_size), 1.0}):
        part = slice_of(report, share)
        if part is None:
            break
        times = ["--from", f"{part[0]}ns", "--until", f"{part[1]}ns"]
        subprocess.run([program, "convert", str(source), str(target), *times], check=True)
        if is_same(olab.answer(program, target), whole):
            return
    shutil.copyfile(source, target)


def lines_of(path):
    return [json.loads(line) for line in open(path)] if path.exists() else []


def facts_of(outs, known):
    """The pairs with their times; what a later folder says of one replaces what an earlier one said, or what is known."""
    pairs, truth = {pair["name"]: pair for pair in known}, {}
    for out in outs:
        machine = json.loads((out / "machine.json").read_text())
        pairs.update({line["name"]: {**pairs.get(line["name"], {}), **line} for line in lines_of(out / "pairs.jsonl")})
        truth.update({line["pair"]: {**line, "machine": machine} for line in lines_of(out / "truth.jsonl")})
    for name, told in truth.items():
        told["times"] = told.get("variant times", {})
        pairs[name].update({key: told[key] for key in ("times", "error", "machine") if key in told})
    return [pairs[name] for name in sorted(pairs)]


def packed(file):
    """The same, compressed: equal recordings give equal files."""
    made = file.with_name(file.name + ".gz")
    made.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    return made


def put(args, source, target):
    """A recording, trimmed, into the data. What stops half way leaves nothing behind."""
    with tempfile.TemporaryDirectory() as made:
        new = pathlib.Path(made) / source.name
        if source.name.endswith(".json.gz"):
            trim_chrome(source, new)
        else:
            trim_olab(args.olab, source, new, args.largest)
            new, target = packed(new), target.with_name(target.name + ".gz")
        shutil.move(new, target)
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("olab")
    parser.add_argument("outs", nargs="+", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path, default=HERE)
    parser.add_argument("--largest", type=int, default=50_000, metavar="BYTES", help="of a recording, if it can be")
    args = parser.parse_args()
    folder = args.to / "recordings"
    for kind in ("capture", "kineto", "jax"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    file = args.to / "pairs.json"
    pairs = facts_of(args.outs, json.loads(file.read_text())["pairs"] if file.exists() else [])
    file.write_text('{"pairs": [\n' + ",\n".join(map(json.dumps, pairs)) + "\n]}\n")
    files = {file.name: file for out in args.outs for kind in ("capture", "kineto", "jax") for file in sorted(out.glob(f"{kind}/*.*"))}
    made = olab.each(lambda file: put(args, file, folder / file.parent.name / file.name), files.values())
    print(f"{len(pairs)} pairs, {len(made)} recordings, {sum(file.stat().st_size for file in made) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
