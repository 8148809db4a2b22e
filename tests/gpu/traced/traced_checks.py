#!/usr/bin/env python3
"""Programs of many kinds under olab trace: what they print and how they end is as without it, and what they did is in the recording.

  traced_checks.py OLAB TRACE_LOOPS [--only REGEX] [--package FOLDER_OF_overlap_lab] [--keep FOLDER]

TRACE_LOOPS: olab_trace_loops. Prints a line for each check, and ends with 1 if one failed. Needs a GPU; torch, CuPy and JAX where their checks
are to be made. Killed programs: tests/bench/trace_kills.py.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 150  # seconds


class Checks:
    def __init__(self, args, folder):
        self.args, self.folder, self.failed = args, pathlib.Path(folder), 0

    def wanted(self, name):
        return not self.args.only or re.search(self.args.only, name)

    def say(self, name, problems, facts=""):
        self.failed += bool(problems)
        print(f"{'FAILED' if problems else 'passed'}  {name:34} {facts} {'; '.join(problems)}", flush=True)

    def file(self, name):
        return self.folder / f"{name}.olab"

    def run(self, words, errors, variables=None):
        """Code, output and error output of a program; the last are its own also where olab trace says something."""
        own = ["sh", "-c", f'exec "$@" 2>"{errors}"', "sh"]
        split = words.index("--") + 1 if "--" in words else 0
        command = words[:split] + own + words[split:]
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, env={**os.environ, **(variables or {})})
        code = done.returncode if done.returncode >= 0 else 128 - done.returncode
        said = done.stderr.decode(errors="replace").strip().replace("\n", " ")
        return (code, done.stdout, pathlib.Path(errors).read_bytes()), said

    def trace(self, name, words, options=(), variables=None):
        prefix = [self.args.olab, "trace", "--no-analysis", "-o", str(self.file(name)), *options, "--"]
        return self.run(prefix + words, self.folder / f"{name}.traced", variables)

    def document(self, *paths):
        """Of several: merged. None: not readable."""
        merge = ["--merge"] if len(paths) > 1 else []
        done = subprocess.run([self.args.olab, "analyze", "--json", *merge, *map(str, paths)], capture_output=True, text=True, timeout=PATIENCE)
        return json.loads(done.stdout) if done.returncode == 0 else None


def kernels_in(document):
    return 0 if document is None else sum(device["classes"].get("kernel", {}).get("count", 0) for device in document["devices"].values())


def defects_in(document):
    return "not readable" if document is None else ", ".join(f"{defect['code']} {defect.get('count', '')}".strip() for defect in document["defects"])


def outside(document, begin, end):
    """What is wrong with the times of a recording made between two times of the wall's clock."""
    times = [device[key] / 1e9 for device in document["devices"].values() for key in ("first_ns", "last_ns")] if document else []
    return [f"at {time - begin:.1f} s of {end - begin:.1f} s" for time in times if not begin <= time <= end]


def differences(plain, traced):
    names = ("exit code", "output", "error output")
    return [f"{name} differs: {a!r} and {b!r}"[:300] for name, a, b in zip(names, plain, traced) if a != b]


def python(program, *words):
    return [sys.executable, str(HERE / program), *words]


def same(checks, name, words, kernels=None, defects="", options=()):
    """`kernels`: how many it has; None: not known, but some."""
    if not checks.wanted(name):
        return
    plain, _ = checks.run(words, checks.folder / f"{name}.plain")
    begin = time.time()
    traced, said = checks.trace(name, words, options)
    problems = differences(plain, traced)
    if not checks.file(name).exists():
        return checks.say(name, problems + ["no recording: " + said])
    document = checks.document(checks.file(name))
    found, wrong = kernels_in(document), defects_in(document)
    if (kernels is not None and found != kernels) or found == 0:
        problems.append(f"{found} kernels instead of {kernels}")
    if not re.fullmatch(defects, wrong):
        problems.append(f"defects: {wrong}")
    problems += outside(document, begin, time.time())
    checks.say(name, problems, f"code {traced[0]}, {found} kernels, {checks.file(name).stat().st_size} bytes, {time.time() - begin:.1f} s {wrong}")


def programs(checks):
    loops = checks.args.loops
    same(checks, "copies", [loops, "copies", "10"], 10)
    same(checks, "8 threads", [loops, "threads", "2000"], 16000)
    same(checks, "fork", [loops, "fork", "1"], 200)
    same(checks, "_exit", [loops, "exit", "100"], 100, "open-end 1")
    same(checks, "crash", [loops, "crash", "100"], 100, "open-end 1")
    same(checks, "fault", [loops, "fault", "100"], None, ".*")
    same(checks, "marks, all", [loops, "marks", "1"], 1000)
    same(checks, "marks, cuda", [loops, "marks", "1"], 200, "", ["--capture-range", "cuda"])
    itself = "(open-range 1)?"  # the range began before recording did
    same(checks, "marks, nvtx", [loops, "marks", "1"], 300, itself, ["--capture-range", "nvtx:step"])


def frameworks(checks):
    same(checks, "torch training", python("torch_train.py"))
    same(checks, "torch inference", python("torch_infer.py"))
    same(checks, "CuPy", python("cupy_program.py"))
    same(checks, "JAX", python("jax_program.py"))


def two_at_once(checks):
    name = "two at once"
    if not checks.wanted(name):
        return
    files = [checks.folder / f"two{i}.olab" for i in (1, 2)]
    counts = (3000, 5000)
    both = [subprocess.Popen([checks.args.olab, "trace", "--no-analysis", "-o", str(file), "--", checks.args.loops, "threads", str(count)],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for file, count in zip(files, counts)]
    outputs = [process.communicate(timeout=PATIENCE)[0].strip() for process in both]
    found = [kernels_in(checks.document(file)) for file in files]
    sums = [f"sum {8 * 32 * count}" for count in counts]  # each thread of a warp adds one
    problems = [f"{a} is not {b}" for a, b in zip(outputs, sums) if a != b]
    problems += [f"{a} kernels, not {8 * b}" for a, b in zip(found, counts) if a != 8 * b]
    checks.say(name, problems, str(found))


def at_one_instant(checks):
    """Two programs that wait are switched on together, and read as one."""
    name = "two from one instant"
    if not checks.wanted(name):
        return
    files = [checks.folder / f"instant{i}.olab" for i in (1, 2)]
    both = [subprocess.Popen([checks.args.olab, "trace", "--no-analysis", "--attach-ready", "-o", str(file), "--", checks.args.loops, "tiny", "1000", "5000"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for file in files]
    for process in both:
        process.stdout.readline()
    order = subprocess.run([checks.args.olab, "trace", "--on", "all", "--for", "500ms"], capture_output=True, text=True, timeout=PATIENCE)
    for process in both:
        process.communicate(timeout=PATIENCE)
    document = checks.document(*files)
    if order.returncode or document is None or len(document["devices"]) != 2:
        return checks.say(name, ["they are not one view: " + order.stderr.strip()])
    begins = [device["first_ns"] for device in document["devices"].values()]
    checks.say(name, [], f"begin {abs(begins[0] - begins[1]) / 1e6:.1f} ms apart, aligned by {[rank['aligned_by'] for rank in document['ranks']]}")


def ranges_while_on(checks):
    """Of a program that waits: each kernel is in a range, whose two ends are recorded. Those of domains are not."""
    attached(checks, "ranges, attach-ready", "steps")
    attached(checks, "ranges and domains, attach-ready", "domains")


def attached(checks, name, what):
    if not checks.wanted(name):
        return
    words = [checks.args.olab, "trace", "--no-analysis", "--attach-ready", "-o", str(checks.file(name)), "--", checks.args.loops, what, "1000", "5000"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    process.stdout.readline()
    order = subprocess.run([checks.args.olab, "trace", "--on", "all", "--for", "500ms"], capture_output=True, text=True, timeout=PATIENCE)
    process.communicate(timeout=PATIENCE)
    document = checks.document(checks.file(name)) if checks.file(name).exists() else None
    if order.returncode or process.returncode or document is None:
        return checks.say(name, [f"exit code {process.returncode}; {order.stderr.strip()}"])
    records = document["environment"].get("cupti.records", "")
    ends = re.search(r"NVTX marker (\d+)", records)
    found = kernels_in(document)
    problems = [] if found and ends and abs(int(ends[1]) - 2 * found) <= 2 else [f"{found} kernels, but {records}"]
    problems += [] if re.fullmatch("(open-range [12])?", wrong := defects_in(document)) else [f"defects: {wrong}"]
    checks.say(name, problems, f"{found} kernels, {records}")


def profiled(checks, name, what, own, options=None, recorded=True, warns=""):
    """`own`: kernels outside of the sessions of the profiler. `options`: of olab trace; None: overlap_lab alone. `warns`: of what it must."""
    if not checks.wanted(name):
        return
    variables = {"RECORDING": str(checks.file(name)), "PYTHONPATH": checks.args.package or ""}
    words = python("torch_profiled.py", what)
    begin = time.time()
    if options is None:
        traced, said = checks.run(words, checks.folder / f"{name}.traced", variables)
    else:
        traced, said = checks.trace(name, words, options, variables)
    output = traced[1].decode()
    problems = [f"exit code {traced[0]}: {traced[2].decode()[-300:]}"] if traced[0] else []
    problems += [f"'{line}'" for line in output.splitlines() if (seen := re.search(r"saw (\d+) of (\d+)", line)) and seen[1] != seen[2]]
    problems += [] if warns in traced[2].decode() else [f"no warning: {warns}"]
    document = checks.document(checks.file(name)) if checks.file(name).exists() else None
    found, wrong = kernels_in(document), defects_in(document) if document else said
    if recorded and not own <= found <= own + 2:  # torch.ones
        problems.append(f"{found} kernels, not {own}")
    if wrong and recorded:
        problems.append(f"defects: {wrong}")
    problems += outside(document, begin, time.time()) if found else []
    yielded = document["environment"].get("recorded.yielded") if document else None
    checks.say(name, problems, f"{found} kernels; {output.strip()!r}; {traced[2].decode().strip()[-160:]!r}; {yielded}")


def profilers(checks):
    profiled(checks, "torch.profiler, no tool", "at-once", 0, None, recorded=False)
    profiled(checks, "torch.profiler at once", "at-once", 300, [])
    profiled(checks, "torch.profiler by schedule", "schedule", 0, [], recorded=False)
    profiled(checks, "torch.profiler between", "none", 160, [])
    profiled(checks, "overlap_lab before torch", "before", 160)
    profiled(checks, "profiler inside record()", "inside", 160)
    profiled(checks, "overlap_lab after a session", "after", 60, warns="A tool has used CUPTI before")  # from the end of the second
    profiled(checks, "before, under olab trace", "before", 160, [])
    profiled(checks, "before, attach-ready", "before", 160, ["--attach-ready"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("olab")
    parser.add_argument("loops")
    parser.add_argument("--only")
    parser.add_argument("--package")
    parser.add_argument("--keep")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
        checks = Checks(args, args.keep or folder)
        for part in (programs, two_at_once, at_one_instant, ranges_while_on, frameworks, profilers):
            part(checks)
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
