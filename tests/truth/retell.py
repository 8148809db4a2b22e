#!/usr/bin/env python3
"""Tells recordings in another way and says where the answer changes, or changes faster than what it is made of.

    retell.py --olab OLAB [--folder FOLDER]... [--share PERCENT] [--axis REGEX] [--only REGEX] [--keep DIR]

Without --folder: resources/recordings and the recordings beside this. What a Chrome trace says is told in another way by
retellings.py, of another file what its records say (olab_records, which lies beside olab, or --records). The file itself is
also written in other formats, as records alone and with its tail cut. A *flip*: another first cause that is no near tie, or the same one
with a gain that differs by over 2 points more than the way of telling explains. A *jump*: the same between neighbouring
amounts of one way. --share takes a sample by hash. Each flip is printed with the command that repeats it; --keep keeps the
files. Of recordings that are held out (see README.md) flips are counted, not shown.
"""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import chrome
import olab
import retellings
import score

HERE = pathlib.Path(__file__).resolve().parent
SHIPPED = [HERE.parents[1] / "resources/recordings", HERE / "recordings"]
READABLE = (".olab", ".json", ".json.gz", ".sqlite", ".csv", ".qdrep", ".nvvp")
MOVED = 0.02                 # of the run: a gain that differs by more is another answer
TAILS = [0.02, 0.05, 0.10]   # of the judged iterations


def text_of(answer):
    if answer.missing:
        return f"no account: {answer.missing[:80]}"
    return " ".join(f"{cause} {100 * part:.1f}" for cause, part in answer.causes[:3] if part >= 0.001) or "nothing"


def leads_by(answer, other):
    """How much more its first cause is said to bring than another one."""
    return answer.causes[0][1] - answer.gain([other])


def difference(a, b, allowed):
    """Why b is another answer than a, where each number may move by what is allowed; empty where it is not."""
    if a.missing or b.missing:
        return "" if bool(a.missing) == bool(b.missing) else "an account on one side only"
    first, second = a.first()[:1], b.first()[:1]
    if first and second and first != second:
        lead = min(leads_by(a, second[0]), leads_by(b, first[0]))
        if lead > olab.SAME + 2 * allowed:
            return f"{first[0]} becomes {second[0]}"
    for cause in first or second:
        moved = abs(a.gain([cause]) - b.gain([cause]))
        if moved > MOVED + allowed:
            return f"{cause} moves by {100 * moved:.1f} points"
    return ""


@dataclasses.dataclass
class Told:
    """One way to tell a recording, and what was answered."""
    axis: str
    amount: object
    answer: olab.Answer
    allowed: float


@dataclasses.dataclass
class Change:
    """A flip, or a jump from one amount to the next."""
    kind: str
    file: str
    axis: str
    amount: object
    why: str
    before: str
    after: str


@dataclasses.dataclass
class Work:
    file: pathlib.Path
    olab: str
    records: str
    share: float
    axis: str
    keep: str

    def wants(self, axis, amount=""):
        """Of some files some tries, always the same."""
        return bool(re.search(self.axis, axis)) and self.is_in_sample(self.file.name) and \
            self.is_in_sample(f"{self.file.name} {axis} {amount}")

    def is_in_sample(self, text):
        digest = hashlib.sha256(text.encode()).digest()
        return int.from_bytes(digest[:4], "big") < (self.share / 100) ** 0.5 * 2 ** 32


def tails(report):
    """Shares of the judged iterations of a program, and when, from the first device work on, those at the end begin."""
    steady, part = report.get("steady_state") or {}, (report.get("ledger") or {}).get("part")
    if not part or "begin_ns" not in steady:
        return []
    first = steady["begin_ns"] - steady["ramp_up_ns"]
    return [(share, round(part["end_ns"] - share * (part["end_ns"] - part["begin_ns"])) - first) for share in TAILS]


class Teller:
    """Tells one recording in all ways."""

    def __init__(self, work, folder):
        self.work, self.folder = work, folder
        self.told = []

    def path(self, what, ending):
        return self.folder / (re.sub(r"[^\w.-]+", "_", f"{self.work.file.name.split('.')[0]}-{what}") + ending)

    def convert(self, source, target, *options):
        done = subprocess.run([self.work.olab, "convert", str(source), str(target), *options], capture_output=True, text=True)
        return done.returncode == 0

    def tell(self, axis, amount, file, allowed):
        self.told.append(Told(axis, amount, olab.answer(self.work.olab, file), allowed))

    def tell_file(self, report):
        """The file itself: formats, records alone, its tail cut."""
        ways = [("format olab", "", ".olab", [], 0)]
        if not report.get("race"):  # which no record shows
            ways += [("format chrome", "", ".json", [], 0), ("records only", "", ".olab", ["--records-only"], 0)]
        ways += [("tail cut", share, ".olab", ["--until", f"{time}ns"], share) for share, time in tails(report)]
        for axis, amount, ending, options, allowed in ways:
            target = self.path(f"{axis}-{amount}", ending)
            if self.work.wants(axis, amount) and self.convert(self.work.file, target, *options):
                self.tell(axis, amount, target, allowed)

    def is_trace(self):
        """A Chrome trace is changed itself; of other files their records are."""
        return self.work.file.name.endswith((".json", ".json.gz"))

    def document(self):
        """What is told in other ways, times in ns; None: there is none."""
        if self.is_trace():
            document = chrome.read(self.work.file)
            document["traceEvents"] = [e for e in document["traceEvents"] if e.get("ph") not in ("s", "t", "f")]  # flows
            return document
        records = self.path("records", ".json")
        done = subprocess.run([self.work.records, str(self.work.file), str(records)], capture_output=True)
        return None if done.returncode else json.loads(records.read_text())

    def written(self, what, document, events):
        changed = self.path(what, ".json")
        if self.is_trace():
            chrome.write(changed, {**document, "traceEvents": events})
            return changed
        changed.write_text(json.dumps({"traceEvents": events}))
        target = self.path(what, ".olab")
        subprocess.run([self.work.records, str(self.work.file), str(changed), str(target)], check=True)
        return target

    def can_tell(self, axis, amount):
        """Records have room for numbers of 32 bits, which formats with longer ones are read into."""
        return self.work.wants(axis, amount) and (axis != "renumbered" or self.is_trace() or amount < 1 << 32)

    def tell_events(self):
        wanted = [(axis, amount, way) for axis, (way, amounts) in retellings.AXES.items() for amount in amounts
                  if self.can_tell(axis, amount)]
        document = self.document() if wanted else None
        if document is None:
            return
        self.tell("unchanged", "", self.written("unchanged", document, document["traceEvents"]), 0)
        for axis, amount, way in wanted:
            told = way(document["traceEvents"], amount)
            if told:
                self.tell(axis, amount, self.written(f"{axis}-{amount}", document, told[0]), told[1])

    def changes(self, base, told):
        """What differs from the base (flips), and from the amount before on the same axis (jumps)."""
        last = {}
        for now in told:
            kinds = [("flip", base, now.allowed)]
            if now.axis in last:
                kinds.append(("jump", last[now.axis].answer, abs(now.allowed - last[now.axis].allowed)))
            for kind, before, allowed in kinds:
                why = difference(before, now.answer, allowed)
                if why:
                    yield Change(kind, str(self.work.file), now.axis, now.amount, why, text_of(before), text_of(now.answer))
            last[now.axis] = now


def retell(work):
    """(tries by axis, changes) of one recording."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(work.keep or made)
        folder.mkdir(parents=True, exist_ok=True)
        teller = Teller(work, folder)
        report = olab.report(work.olab, work.file) if work.is_in_sample(work.file.name) else {}
        if "devices" not in report:
            return {}, []  # not in the sample, or no recording
        teller.tell_file(report)
        of_file = teller.told
        teller.told = []
        teller.tell_events()
        base, *told = teller.told or [None]
    tries = {}
    for now in [*of_file, *told]:
        tries[now.axis] = tries.get(now.axis, 0) + 1
    changes = list(teller.changes(olab.answer_of(report), of_file + ([base] if base else [])))
    return tries, changes + (list(teller.changes(base.answer, told)) if base else [])


def recordings(folders, only):
    found = [file for folder in folders for file in sorted(folder.rglob("*")) if file.name.endswith(READABLE)]
    return [file for file in found if re.search(only, str(file))]


def is_held(file):
    """A recording of a pair that is not looked at."""
    return HERE / "recordings" in file.parents and score.half_of(file.name.split(".")[0].rpartition("-")[0]) == "held"


def print_changes(args, changes):
    for change in changes:
        if is_held(pathlib.Path(change.file)):
            continue
        command = [sys.argv[0], "--olab", args.olab, *(["--records", args.records] if args.records else []), "--folder", str(pathlib.Path(change.file).parent), "--only",
                   re.escape(pathlib.Path(change.file).name), "--axis", change.axis, "--keep", "/tmp/retold"]
        print(f"{change.kind}: {pathlib.Path(change.file).name}: {change.axis} {change.amount}: {change.why}\n"
              f"    {change.before}\n    {change.after}\n    {shlex.join(command)}")


def rate(changes, tries):
    return f"{changes:4} of {tries:5}" + (f" {100 * changes / tries:6.2f} %" if tries else "")


def print_table(tries, changes):
    print(f"\n{'':24} {'flips of tries':>24} {'jumps':>8}")
    for axis, count in tries.items():
        mine = [c.kind for c in changes if c.axis == axis]
        print(f"  {axis:22} {rate(mine.count('flip'), count):>24} {mine.count('jump'):8}")
    kinds = [c.kind for c in changes]
    print(f"  {'all':22} {rate(kinds.count('flip'), sum(tries.values())):>24} {kinds.count('jump'):8}")


def run(args, files):
    """(tries by axis, changes) of all."""
    records = args.records or str(pathlib.Path(args.olab).with_name("olab_records"))
    work = [Work(file, args.olab, records, args.share, args.axis, args.keep or "") for file in files]
    tries, changes = {}, []
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for some, more in pool.map(retell, work):
            changes += more
            for axis, count in some.items():
                tries[axis] = tries.get(axis, 0) + count
    return dict(sorted(tries.items())), changes


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--olab", required=True)
    parser.add_argument("--records", metavar="PROGRAM", help="olab_records, if it does not lie beside olab")
    parser.add_argument("--folder", type=pathlib.Path, action="append", help="of recordings, with its folders")
    parser.add_argument("--share", type=float, default=100, metavar="PERCENT", help="of all tries")
    parser.add_argument("--axis", metavar="REGEX", default="")
    parser.add_argument("--only", metavar="REGEX", default="", help="files whose path has this")
    parser.add_argument("--keep", metavar="DIR", help="for the files that are made")
    return parser.parse_args()


def main():
    args = read_arguments()
    files = recordings([folder.resolve() for folder in args.folder or SHIPPED], args.only)
    tries, changes = run(args, files)
    print_changes(args, changes)
    print(f"{len(files)} recordings")
    print_table(tries, changes)


if __name__ == "__main__":
    main()
