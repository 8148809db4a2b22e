#!/usr/bin/env python3
"""Real programs with known mistakes: what they cost is measured without recording, what olab says is judged by it.

    programs.py run OLAB CAPTURE_LIBRARY CUDA_BINARY OUT [--only REGEX] [--seconds S] [--parts truth,capture,kineto]
                    [--pack DIR]                                                      on a machine with a GPU
    programs.py judge OLAB OUT [--steady]                                             anywhere

`run` writes OUT/pairs.jsonl (what is expected), OUT/truth.jsonl (times), OUT/capture/PAIR-VARIANT.olab,
OUT/kineto/PAIR-VARIANT.json and OUT/failures.txt; with the part trace, for which OLAB is used, OUT/trace/PAIR-VARIANT.olab, of processes
of their own, from their start to their end. `judge` prints for each recording what its account says beside what
was measured. With --steady it judges the repeating iterations of a recording only, if olab found them.
"""
import argparse
import gzip
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tarfile
import time

LOOPS = pathlib.Path(__file__).resolve().parent / "python"
# With a number: further sets. cuda, the programs in C++, is one program.
FRAMEWORKS = sorted(path.name[:-len("_loops.py")] for path in LOOPS.glob("*_loops.py"))
NAMED_ABOVE = 0.03    # of the run: a cause above this is blamed
NAMES_NOTHING = 0.01  # of the run: what costs less is no answer
WORTH_NAMING = 0.05   # measured gain from which the first line must be right
SAME_GAIN = 0.06      # a mend that brings this much less than was said did not bring what was said
JAX_TRACE = "perfetto_trace.json.gz"
LARGE = 200_000       # bytes; larger traces are compressed
PIECE = 15 << 20


class Server:
    """A framework that is imported once. Each job runs in a process forked from it."""

    def __init__(self, framework, errors):
        self.errors = str(errors)
        with open(errors, "w") as file:
            self.process = subprocess.Popen([sys.executable, str(LOOPS / f"{framework}_loops.py"), "serve"], text=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file)

    def answers(self, last):
        """The lines of JSON up to the one that has `last`; fewer if the process ended."""
        lines = []
        for text in self.process.stdout:
            if text.startswith("{") and text.endswith("}\n"):
                line = json.loads(text)
                if last in line:
                    return lines, line[last]
                lines.append(line)
        return lines, 1

    def run(self, arguments, limit):
        job = {"arguments": arguments, "limit": limit, "errors": self.errors}
        try:
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return [], 1
        return self.answers("exit")


class Children:
    """Runs the programs, one at a time and each at most so long, and keeps what went wrong."""

    def __init__(self, args, out):
        self.args, self.out = args, out
        self.begin = time.time()
        self.servers = {}

    def start_servers(self, frameworks):
        self.servers = {f: Server(f, self.out / f"{f}.errors") for f in frameworks if f != "cuda"}
        for framework, server in self.servers.items():
            if not server.answers("ready")[1] is True:
                self.failed(framework, pathlib.Path(server.errors).read_text())

    def left(self):
        return self.args.seconds - (time.time() - self.begin)

    def failed(self, what, message):
        with open(self.out / "failures.txt", "a") as file:
            file.write(f"== {what}\n" + "\n".join(message.strip().splitlines()[-15:]) + "\n")

    def run_alone(self, command, limit):
        if self.left() < 5:
            return self.failed(" ".join(command[-3:]), "not begun: no time was left")
        _, code, errors = self.run_command(command, min(limit, self.left()))
        if code:
            self.failed(" ".join(command[-3:]), errors)

    def run_command(self, command, limit):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
            text, errors, code = done.stdout, done.stderr, done.returncode
        except subprocess.TimeoutExpired as late:
            text, errors, code = as_text(late.stdout), as_text(late.stderr) + "\nended by its time limit", 1
        return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")], code, errors

    def run(self, framework, arguments, limit):
        """The lines of JSON that the program printed, also if it failed later."""
        what = " ".join([framework, *arguments[:3]])
        if self.left() < 5:
            self.failed(what, "not begun: no time was left")
            return []
        limit = min(limit, self.left())
        if framework == "cuda":
            lines, code, errors = self.run_command([str(pathlib.Path(self.args.cuda_binary).resolve()), *arguments], limit)
        else:
            server = self.servers[framework]
            lines, code = server.run(arguments, limit)
            errors = pathlib.Path(server.errors).read_text()
        if code or any("error" in line for line in lines):
            self.failed(what, errors)
        return lines


def as_text(output):
    """What a child wrote before its time limit comes as bytes."""
    return output.decode(errors="replace") if isinstance(output, bytes) else output or ""


def append(path, lines):
    with open(path, "a") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n")


def recorded(pair):
    """The variants that are recorded, not only timed."""
    return pair.get("recorded", pair["variants"])


def names_of(pairs, framework):
    return [p["name"] for p in pairs if p["framework"] == framework and not p.get("fresh")]


def fresh_truth(children, pair):
    """A process for each measurement, in turns."""
    times = {}
    for _ in range(5):
        for variant in pair["variants"]:
            for line in children.run("cuda", ["truth", pair["name"], "--fresh", variant], 30):
                for key, values in line["variant times"].items():
                    times.setdefault(key, []).extend(values)
    return [{"pair": pair["name"], "framework": pair["framework"], "variant times": times}]


def run_truth(children, pairs):
    path, untimed = children.out / "truth.jsonl", children.args.untimed
    pairs = [p for p in pairs if not untimed or not re.search(untimed, p["name"])]
    for framework in children.servers:
        names = names_of(pairs, framework)
        append(path, children.run(framework, ["truth", *names], 240) if names else [])
    for name in names_of(pairs, "cuda"):  # a program that ends by an error ends only its own process
        append(path, children.run("cuda", ["truth", name], 30))
    for pair in pairs:
        if pair.get("fresh"):
            append(path, fresh_truth(children, pair))


def run_captures(children, pairs):
    folder = children.out / "capture"
    folder.mkdir(exist_ok=True)
    library = str(pathlib.Path(children.args.library).resolve())
    for pair in pairs:
        for variant in recorded(pair):
            file = folder / f"{pair['name']}-{variant}.olab"
            arguments = ["capture", pair["name"], variant, "--library", library, "--file", str(file), "--iterations", "24"]
            append(children.out / "captured.jsonl", children.run(pair["framework"], arguments, 40))


def run_under_olab(children, pairs):
    """As a person records a program: each from its start to its end, by `olab trace`."""
    folder = children.out / "trace"
    folder.mkdir(exist_ok=True)
    for pair in pairs:
        for variant in recorded(pair):
            framework, file = pair["framework"], folder / f"{pair['name']}-{variant}.olab"
            program = [str(pathlib.Path(children.args.cuda_binary).resolve())] if framework == "cuda" else \
                [sys.executable, str(LOOPS / f"{framework}_loops.py")]
            children.run_alone([str(pathlib.Path(children.args.olab).resolve()), "trace", "--no-analysis", "-o", str(file), "--", *program,
                                "plain", pair["name"], variant], 60)


def run_traces(children, pairs):
    """The profilers of the frameworks."""
    kineto = children.out / "kineto"
    kineto.mkdir(exist_ok=True)
    for framework in children.servers:
        names = names_of(pairs, framework)
        if framework.startswith(("torch", "spelled")) and names:
            children.run(framework, ["kineto", *names, "--out", str(kineto)], 200)
        elif framework.startswith("jax") and names:
            children.run(framework, ["jaxtrace", *names, "--out", str(children.out / "jax")], 200)
    for file in (children.out / "jax").rglob("*"):
        if file.is_file() and file.name != JAX_TRACE:  # the same again, hundreds of megabytes
            file.unlink()
    for file in kineto.glob("*.json"):
        if file.stat().st_size > LARGE:
            with open(file, "rb") as plain, gzip.open(f"{file}.gz", "wb", compresslevel=6) as packed:
                packed.write(plain.read())
            file.unlink()


def pack(out, folder):
    """OUT as one archive in pieces: cat OUT.tar.xz.* | tar xJ."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"{out.name}.tar.xz"
    with tarfile.open(archive, "w:xz", preset=1) as tar:
        tar.add(out, arcname=out.name)
    if archive.stat().st_size > PIECE:
        subprocess.run(["split", "-b", str(PIECE), "-d", str(archive), f"{archive}."], check=True)
        archive.unlink()


def run(args):
    out = pathlib.Path(args.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    parts = args.parts.split(",")
    for part, name in (("", "pairs.jsonl"), ("truth", "truth.jsonl"), ("capture", "captured.jsonl")):
        if not part or part in parts:  # what other parts wrote before stays
            (out / name).unlink(missing_ok=True)
    children = Children(args, out)
    frameworks = [f for f in (*FRAMEWORKS, "cuda") if not args.frameworks or f in args.frameworks.split(",")]
    children.start_servers(frameworks)
    print(f"imported: {time.time() - children.begin:.0f} s", flush=True)
    pairs = [p for f in frameworks for p in children.run(f, ["list"], 20) if not args.only or re.search(args.only, p["name"])]
    append(out / "pairs.jsonl", pairs)
    for part, work in (("truth", run_truth), ("capture", run_captures), ("trace", run_under_olab), ("kineto", run_traces)):
        if part in parts:
            work(children, pairs)
            print(f"{part}: {time.time() - children.begin:.0f} s", flush=True)
    if args.pack:
        pack(out, pathlib.Path(args.pack))
        print(f"packed: {time.time() - children.begin:.0f} s")


# ---- judge

def lines_of(path):
    return [json.loads(line) for line in open(path)] if path.exists() else []


def measured_gain(truth, pair, of="bad", by="mended"):
    """Part of the time that the mended program saves, and whether the times spread by over 10 %."""
    times = truth.get(pair["name"], {}).get("variant times", {})
    bad, mended = times.get(f"{of}_ns"), times.get(f"{by}_ns")
    if not bad or not mended:
        return None, False
    wide = any(max(t) - min(t) > 0.1 * statistics.median(t) for t in (bad, mended))
    return 1 - statistics.median(mended) / statistics.median(bad), wide


def analyze(olab, file, slice_of=()):
    done = subprocess.run([olab, "analyze", str(file), *slice_of, "--json"], capture_output=True, text=True)
    try:
        return json.loads(done.stdout), ""
    except json.JSONDecodeError:
        return None, " ".join(done.stderr.split())[:160]


def steady_slice(report):
    """--from and --to of the repeating iterations; both count from the first device work."""
    steady = report.get("steady_state") or {}
    if "begin_ns" not in steady:
        return None
    begin = steady["ramp_up_ns"]
    return ["--from", f"{begin}ns", "--to", f"{begin + steady['end_ns'] - steady['begin_ns']}ns"]


def report_of(args, file):
    report, message = analyze(args.olab, file)
    chosen = steady_slice(report) if report and args.steady else None
    return analyze(args.olab, file, chosen) if chosen else (report, message)


class Score:
    """Counts of one source of recordings."""

    def __init__(self):
        self.recordings = self.accounts = self.worth = self.right = self.good = self.blamed = self.loses = 0
        self.other_way = self.beside = self.won = self.condition = 0
        self.errors, self.unexplained = [], []

    def print(self, source):
        print(f"\n{source}: accounts {self.accounts} of {self.recordings}")
        print(f"  first line right, gain of 5 % or more: {self.right} of {self.worth}; {self.beside} more name it "
              f"beside another way to as much, {self.other_way} only another one that brings what is said; {self.condition} "
              f"named as a condition only")
        print(f"  healthy or mended, blamed: {self.blamed} of {self.good}; {self.loses} of these take {100 * NAMED_ABOVE:.0f} % "
              f"longer than their ideal untraced too; {self.won} are not healthy: a further mend brings what is said")
        if self.errors:
            e = sorted(self.errors)
            print(f"  predicted minus measured, {len(e)} pairs: median {100 * statistics.median(e):.1f} points, "
                  f"90th percentile {100 * e[int(0.9 * (len(e) - 1))]:.1f}")
        if self.unexplained:
            print(f"  unexplained: median {100 * statistics.median(self.unexplained):.1f} %")


def brings_what_is_said(predicted, measured):
    """A cause that was not planted is rightly named if its mend was measured to bring it."""
    return measured is not None and measured >= NAMED_ABOVE and (measured >= predicted - SAME_GAIN)


def named_as_condition(ledger, gain):
    """What only its author can know is told with half of what it brought, or more; no cause is named."""
    recording = sum(c["cost_ns"] for c in ledger["causes"] if c["id"] == "tool")
    told = ledger.get("if_independent", {}).get("gain_ns", 0) / max(1, ledger["measured_ns"] - recording)
    return told if told >= gain / 2 else 0


def judge_bad(pair, ledger, truth, score):
    """The end of a line about a program with a mistake."""
    causes, measured, other_way = ledger["causes"], ledger["measured_ns"], ledger.get("other_way")
    gain, wide = measured_gain(truth, pair)
    first = causes[0]["id"] if causes and causes[0]["cost_ns"] >= NAMES_NOTHING * measured else ""
    recording = sum(c["cost_ns"] for c in causes if c["id"] == "tool")  # the times to compare with had none
    gains = {c["id"]: c["gain_ns"] / max(1, measured - recording) for c in causes}
    known = [gains[r] for r in pair["remedy"] if r in gains]
    predicted = max(known) if known else 0.0
    text = f" measured {100 * gain:.1f}{' (spread)' if wide else ''}" if gain is not None else " not measured"
    text += f" predicted {100 * predicted:.1f}"
    if gain is not None and known and not wide:
        score.errors.append(abs(predicted - gain))
    if gain is None or gain < WORTH_NAMING:
        return text
    right = first in pair["expected"]
    score.worth += 1
    score.right += right
    if right:
        return text
    text += f"  <-- not named first (wanted {'|'.join(pair['expected'])})"
    told = named_as_condition(ledger, gain)
    if not first and told:
        score.condition += 1
        text += f"; named as a condition, up to {percent(told)}"
    elif other_way in pair["expected"]:
        score.beside += 1
        text += f"; {other_way} is named beside it, as the other way"
    elif first in pair.get("other", []):
        other, _ = measured_gain(truth, pair, "bad", "other")
        text += f"; mending {first} instead: {percent(other)} measured, {percent(gains[first])} predicted"
        score.other_way += brings_what_is_said(gains[first], other)
    return text


def percent(part):
    return "not" if part is None else f"{100 * part:.1f}"


def lost_untraced(times, ledger):
    """Part of the untraced time of an iteration that its ideal would not take; None: not known. What is judged may be
    repeated several times an iteration."""
    if not times or not ledger.get("part"):
        return None
    recording = sum(c["cost_ns"] for c in ledger["causes"] if c["id"] == "tool")
    untraced, judged = statistics.median(times), ledger["part"]["iterations"]
    repeated = round(untraced * judged / max(1, ledger["measured_ns"] - recording))
    return 1 - repeated * ledger["ideal_ns"] / judged / untraced if repeated > 0 else None


def judge_good(pair, variant, causes, measured, lost, truth, score):
    blamed = [c["id"] for c in causes if c["cost_ns"] > NAMED_ABOVE * measured and c["id"] not in [*pair["allowed"], "tool"]]
    score.good += 1
    score.blamed += bool(blamed)
    if not blamed:
        return ""
    score.loses += lost is not None and lost > NAMED_ABOVE
    text = f"  <-- blames {', '.join(blamed)}" + ("" if lost is None else f"; untraced it loses {100 * lost:.1f}")
    if not set(blamed) <= set(pair.get("further", [])):
        return text
    recording = sum(c["cost_ns"] for c in causes if c["id"] == "tool")
    predicted = sum(c["cost_ns"] for c in causes if c["id"] in pair["further"]) / max(1, measured - recording)
    further, _ = measured_gain(truth, pair, variant, "further")
    score.won += brings_what_is_said(predicted, further)
    return text + f"; mending that too: {percent(further)} measured, {percent(predicted)} predicted"


def judge_one(args, pair, variant, file, truth, score):
    score.recordings += 1
    report, message = report_of(args, file)
    if report is None:
        return f"  failed: {message}"
    ledger = report.get("ledger")
    if not ledger or not ledger["measured_ns"]:
        return f"  <-- no account: {report.get('ledger_missing')}"
    score.accounts += 1
    measured = ledger["measured_ns"]
    missed = abs(ledger["unexplained_ns"]) / measured
    score.unexplained.append(missed)
    causes = ledger["causes"]
    named = " ".join(f"{c['id']} {100 * c['cost_ns'] / measured:.1f}" for c in causes[:3])
    text = f"{measured / 1e6:9.2f} ms unexplained {100 * missed:4.1f} % | {named} |"
    if "if_independent" in ledger:
        text += f" if independent {100 * ledger['if_independent']['gain_ns'] / measured:.1f} |"
    if variant == "bad":
        return text + judge_bad(pair, ledger, truth, score)
    times = truth.get(pair["name"], {}).get("variant times", {}).get(f"{variant}_ns")
    return text + judge_good(pair, variant, causes, measured, lost_untraced(times, ledger), truth, score)


def recordings(out, pair, variant):
    """(source, file) of all recordings of a program."""
    name = f"{pair['name']}-{variant}"
    found = [("capture", out / "capture" / f"{name}.olab"), ("trace", out / "trace" / f"{name}.olab"), ("kineto", out / "kineto" / f"{name}.json"),
             ("kineto", out / "kineto" / f"{name}.json.gz")]
    found += [("jax", file) for file in sorted((out / "jax" / name).rglob(JAX_TRACE))]
    return [(source, file) for source, file in found if file.exists()]


def judge(args):
    out = pathlib.Path(args.out)
    truth = {line["pair"]: line for line in lines_of(out / "truth.jsonl")}
    scores = {}
    for pair in lines_of(out / "pairs.jsonl"):
        if args.only and not re.search(args.only, pair["name"]):
            continue
        if "error" in truth.get(pair["name"], {}):
            print(f"{pair['name']}: no times: {truth[pair['name']]['error']}")
        for variant in recorded(pair):
            for source, file in recordings(out, pair, variant):
                text = judge_one(args, pair, variant, file, truth, scores.setdefault(source, Score()))
                print(f"{pair['name']:34} {variant:7} {source:7} {text}", flush=True)
    for source, score in scores.items():
        score.print(source)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    running = modes.add_parser("run")
    for name in ("olab", "library", "cuda_binary", "out"):
        running.add_argument(name)
    running.add_argument("--seconds", type=float, default=540, help="all that is not done by then is left out")
    running.add_argument("--parts", default="truth,capture,kineto", help="also trace")
    running.add_argument("--frameworks", default="", help=f"some of {','.join(FRAMEWORKS)},cuda")
    running.add_argument("--untimed", metavar="REGEX", default="", help="pairs that are recorded only")
    running.add_argument("--pack", metavar="DIR", help="put OUT into one archive there, in pieces of 15 MiB")
    judging = modes.add_parser("judge")
    judging.add_argument("olab")
    judging.add_argument("out")
    judging.add_argument("--steady", action="store_true")
    for each in (running, judging):
        each.add_argument("--only", metavar="REGEX", default="")
    args = parser.parse_args()
    (run if args.mode == "run" else judge)(args)


if __name__ == "__main__":
    sys.exit(main())
