#!/usr/bin/env python3
"""Runs the pairs on a machine with a GPU: times them without recording, and records them. One program at a time.

    record.py CAPTURE_LIBRARY CUDA_BINARY OUT [--frameworks torch,cupy,jax,cuda] [--only REGEX] [--seconds S]
              [--parts truth,capture,profiler] [--pack DIR]

writes OUT/pairs.jsonl (what is expected), OUT/truth.jsonl (times), OUT/machine.json, OUT/failures.txt and the recordings
OUT/capture/PAIR-VARIANT.olab, OUT/kineto/PAIR-VARIANT.json.gz (torch.profiler), OUT/jax/PAIR-VARIANT.json.gz (JAX).
What is not done within the seconds is left out, and told in failures.txt; a further call with --only adds it. trim.py
makes of several OUTs the data of this folder. --pack puts OUT into one archive in pieces of 15 MiB:
cat OUT.tar.xz.* | tar xJ.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import time

import trim

LOOPS = pathlib.Path(__file__).resolve().parent / "programs" / "loops.py"
FRAMEWORKS = ("torch", "cupy", "jax", "cuda")
PROFILERS = {"torch": ("kineto", "kineto"), "jax": ("jaxtrace", "jax-all")}  # mode and folder
AT_ONCE = 8        # pairs that a process runs in turn: what the first one loads the others need not load again
TRUTH_LIMIT = 12   # seconds a pair; most take 3
RECORD_LIMIT = 40  # seconds a recording
PIECE = 15 << 20


class Server:
    """A framework that is imported once. Each job runs in a process forked from it."""

    def __init__(self, framework, errors):
        self.errors = str(errors)
        with open(errors, "w") as file:
            self.process = subprocess.Popen([sys.executable, str(LOOPS), framework, "serve"], text=True,
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


class Programs:
    """Runs the programs, one at a time and each at most so long, and keeps what went wrong."""

    def __init__(self, args, out):
        self.args, self.out = args, out
        self.begin = time.time()
        self.servers = {}

    def start(self, framework):
        """One server at a time: a framework that is not needed yet takes no memory and no time of others."""
        if framework == "cuda":
            return
        server = self.servers[framework] = Server(framework, self.out / f"{framework}.errors")
        if server.answers("ready")[1] is not True:
            self.failed(framework, pathlib.Path(server.errors).read_text())

    def left(self):
        return self.args.seconds - (time.time() - self.begin)

    def tell(self, what):
        print(f"{time.time() - self.begin:4.0f} s  {what}", flush=True)

    def failed(self, what, message):
        with open(self.out / "failures.txt", "a") as file:
            file.write(f"== {what}\n" + "\n".join(message.strip().splitlines()[-15:]) + "\n")

    def run_binary(self, arguments, limit):
        try:
            done = subprocess.run([str(pathlib.Path(self.args.cuda_binary).resolve()), *arguments], capture_output=True,
                                  text=True, timeout=limit)
            text, errors, code = done.stdout, done.stderr, done.returncode
        except subprocess.TimeoutExpired as late:  # what it wrote comes as bytes
            text, errors = ((output or b"").decode(errors="replace") for output in (late.stdout, late.stderr))
            errors, code = errors + "\nended by its time limit", 124
        return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")], code, errors

    def run(self, framework, arguments, limit):
        """The lines of JSON that the program printed, also if it failed later."""
        what = " ".join([framework, *arguments[:3]])
        if self.left() < 3:
            self.failed(what, "not begun: no time was left")
            return []
        limit = min(limit, self.left())
        if framework == "cuda":
            lines, code, errors = self.run_binary(arguments, limit)
        else:
            server = self.servers[framework]
            lines, code = server.run(arguments, limit)
            errors = pathlib.Path(server.errors).read_text()
        if code or any("error" in line for line in lines):
            self.failed(what, errors)
        return lines

    def run_all(self, framework, mode, names, limit, more=()):
        """Several in one process; those behind one that ended it run in the next. The lines of JSON."""
        lines, waiting = [], list(names)
        while waiting and self.left() > 3:
            some = waiting[:AT_ONCE]
            new = self.run(framework, [mode, *some, *more], limit * len(some))
            lines += new
            told = {line["pair"] for line in new}
            untold = [name for name in some if name not in told]
            waiting = [*untold[1:], *waiting[len(some):]]  # the first of them is what ended it
        if waiting:
            self.failed(f"{framework} {mode} " + " ".join(waiting), "not begun: no time was left")
        return lines


def append(path, lines):
    with open(path, "a") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n")


def fresh_truth(programs, pair):
    """A process for each measurement, in turns."""
    times = {}
    for _ in range(5):
        for variant in pair["variants"]:
            for line in programs.run("cuda", ["truth", pair["name"], "--fresh", variant], 30):
                for key, values in line.get("variant times", {}).items():
                    times.setdefault(key, []).extend(values)
    return {"pair": pair["name"], "framework": pair["framework"], "variant times": times}


def run_truth(programs, framework, pairs):
    path = programs.out / "truth.jsonl"
    names = [pair["name"] for pair in pairs if not pair.get("fresh")]
    if framework != "cuda":
        return append(path, programs.run_all(framework, "truth", names, TRUTH_LIMIT))
    for name in names:  # a program that ends by an error ends only its own process
        append(path, programs.run("cuda", ["truth", name], 2 * TRUTH_LIMIT))
    append(path, [fresh_truth(programs, pair) for pair in pairs if pair.get("fresh")])


def run_captures(programs, framework, pairs):
    folder = programs.out / "capture"
    folder.mkdir(exist_ok=True)
    library = str(pathlib.Path(programs.args.library).resolve())
    for pair in pairs:
        for variant in pair["recorded"]:
            file = folder / f"{pair['name']}-{variant}.olab"
            arguments = ["capture", pair["name"], variant, "--library", library, "--file", str(file)]
            append(programs.out / "captured.jsonl", programs.run(framework, arguments, RECORD_LIMIT))


def run_profilers(programs, framework, pairs):
    if framework in PROFILERS:
        mode, folder = PROFILERS[framework]
        names = [pair["name"] for pair in pairs]
        programs.run_all(framework, mode, names, RECORD_LIMIT, ["--out", str(programs.out / folder)])


PARTS = {"truth": run_truth, "capture": run_captures, "profiler": run_profilers}


def trim_one(files):
    """A trace that was cut short while it was written is none."""
    source, target = files
    try:
        trim.trim_chrome(source, target)
        return ""
    except (OSError, EOFError, ValueError) as error:
        return f"{source.name}: {error}"
    finally:
        source.unlink()


def trim_traces(programs):
    """What the profilers of the frameworks wrote, in the sizes that are kept. Nothing runs on the GPU any more."""
    out = programs.out
    work = [(file, out / "kineto" / f"{file.name}.gz") for file in out.glob("kineto/*.json")]
    for folder in out.glob("jax-all/*"):
        work += [(file, out / "jax" / f"{folder.name}.json.gz") for file in folder.rglob("perfetto_trace.json.gz")]
    (out / "jax").mkdir(exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for problem in filter(None, pool.map(trim_one, work)):
            programs.failed("trim", problem)
    for file in sorted(out.glob("jax-all/**/*"), reverse=True):  # the same again, hundreds of megabytes
        file.rmdir() if file.is_dir() else file.unlink()


def machine():
    asked = "nvidia-smi --query-gpu=name,driver_version --format=csv,noheader"
    shown = subprocess.run(asked, shell=True, capture_output=True, text=True).stdout
    gpu, _, driver = shown.partition("\n")[0].partition(", ")
    return {"gpu": gpu, "driver": driver}


def pack(out, folder):
    """What is in OUT is compressed, but for the lines of text."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"{out.name}.tar.xz"
    with tarfile.open(archive, "w:xz", preset=1) as tar:
        tar.add(out, arcname=out.name)
    if archive.stat().st_size > PIECE:
        subprocess.run(["split", "-b", str(PIECE), "-d", str(archive), f"{archive}."], check=True)
        archive.unlink()


def record(programs, parts):
    for framework in programs.args.frameworks.split(","):
        programs.start(framework)
        programs.tell(f"{framework} imported")
        pairs = [p for p in programs.run(framework, ["list"], 20) if re.search(programs.args.only, p["name"])]
        append(programs.out / "pairs.jsonl", pairs)
        for part in parts:
            PARTS[part](programs, framework, pairs)
            programs.tell(f"{framework} {part}: {len(pairs)} pairs")
        if framework in programs.servers:
            programs.servers[framework].process.stdin.close()  # which ends it
            programs.servers[framework].process.wait()


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("library", "cuda_binary", "out"):
        parser.add_argument(name)
    parser.add_argument("--seconds", type=float, default=540, help="no program is begun later; tidying up comes behind")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--frameworks", default=",".join(FRAMEWORKS))
    parser.add_argument("--only", metavar="REGEX", default="")
    parser.add_argument("--pack", metavar="DIR", help="put OUT into one archive there, in pieces of 15 MiB")
    return parser.parse_args()


def main():
    args = read_arguments()
    out = pathlib.Path(args.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    programs = Programs(args, out)
    (out / "machine.json").write_text(json.dumps(machine()) + "\n")
    record(programs, args.parts.split(","))
    trim_traces(programs)
    programs.tell("trimmed")
    if args.pack:
        pack(out, pathlib.Path(args.pack))
        programs.tell("packed")


if __name__ == "__main__":
    main()
