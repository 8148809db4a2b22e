#!/usr/bin/env python3
"""Runs the fuzz targets and the mutated files in the window: run.py BUILD_FOLDER SECONDS [FILES] [--targets A,B] [--jobs N]

Called by ./test.sh --fuzz. All of it together takes SECONDS: as many at once as there are processors (or N), each with its
share of the time that is left when it begins. FILES (1000) mutated recordings are opened in the window, as far as a tenth of
the time goes. --targets names those that are to run, "window" among them; all if it is not given. What a target learns stays
in BUILD_FOLDER/corpus/TARGET, what ends it in BUILD_FOLDER/findings. Prints a table and the processor time that went into it;
exit 1 when anything was found.
"""
import argparse
import concurrent.futures
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What a file may cost: 15 s, and 100 times its size + 200 MB. One allocation has to fit in that as it is; the whole
# process has the sanitizers' own memory, too, and what the fuzzer keeps of its corpus.
LIMITS = ["-timeout=15", "-malloc_limit_mb=200", "-rss_limit_mb=1000"]
SANITIZERS = {
    "ASAN_OPTIONS": "quarantine_size_mb=16:detect_leaks=1:allocator_may_return_null=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}
WINDOW = "window"
WINDOW_SHARE = 0.1  # of all processor time, where the window is opened at all
FILES_AT_ONCE = 20  # as many as one window of the test opens


class Row:
    """One line of the table."""

    def __init__(self, name):
        self.name, self.executions, self.rate, self.memory = name, "-", "-", "-"
        self.slowest, self.coverage, self.findings = "-", "-", 0
        self.processor = 0.0  # seconds
        self.told = []  # lines for a person


def stat(text, name):
    found = re.findall(rf"stat::{name}:\s+(\d+)", text)
    return found[-1] if found else "-"


def coverage(text):
    """Branches reached, of all that are in the program."""
    reached = re.findall(r"\bcov: (\d+)", text)
    there = re.search(r"\((\d+) inline 8-bit counters\)", text)
    return f"{reached[-1]}/{there.group(1)}" if reached and there else "-"


def last_lines(text, count=25):
    """From the first line of the error on, not the fuzzer's own talk."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if re.search(r"ERROR|runtime error|does not hold|terminate called", line)]
    return lines[starts[0] : starts[0] + count] if starts else lines[-count:]


def run_program(command, log, environment, row):
    """Its exit status and what it said, which is kept in `log`; its processor time is counted in the row."""
    with open(log, "ab") as out:
        begin = out.tell()
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    row.processor += used.ru_utime + used.ru_stime
    return process.returncode, log.read_bytes()[begin:].decode(errors="replace")


def fresh_log(build, name):
    log = build / name
    log.unlink(missing_ok=True)
    return log


def run_target(build, name, options, seconds, environment):
    row, corpus, findings = Row(name), build / "corpus" / name, build / "findings" / name
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    program = build / "bin" / f"fuzz_{name}"
    command = [program, *options, *LIMITS]
    seeds = [folder for folder in (ROOT / "tests/fuzz/corpus" / name, build / "seeds" / name) if folder.is_dir()]
    words = build / "seeds" / f"{name}.dict"
    if words.exists():
        command.append(f"-dict={words}")
    before = set(findings.iterdir())
    status, text = run_program(
        [*command, f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={findings}/", corpus, *seeds],
        fresh_log(build, f"fuzz_{name}.log"), environment, row)
    row.executions, row.rate = stat(text, "number_of_executed_units"), stat(text, "average_exec_per_sec")
    row.memory, row.slowest, row.coverage = stat(text, "peak_rss_mb"), stat(text, "slowest_unit_time_sec"), coverage(text)
    kept = sorted(path for path in set(findings.iterdir()) - before if not path.name.startswith("slow-unit"))
    row.findings = len(kept) or int(status != 0)
    if row.findings:
        row.told = [f"{name}: exit status {status}", *last_lines(text)]
        row.told += [f"again: {program} {' '.join(LIMITS)} {path}" for path in kept]
    return row


def run_window(build, files, seconds, environment):
    """Opens as many files as the time allows."""
    row, log, program = Row(WINDOW), fresh_log(build, "window.log"), build / "bin" / "test_mutated_files"
    end, opened, memory, slowest = time.monotonic() + seconds, 0, 0, 0
    while opened < files and (opened == 0 or time.monotonic() < end) and not row.findings:
        first, last = opened + 1, min(files, opened + FILES_AT_ONCE)
        chosen = f"{first}-{last}"
        status, text = run_program([program], log, {**environment, "OLAB_MUTATED_FILES": chosen}, row)
        numbers = re.findall(r"^file (\d+): ", text, re.MULTILINE)
        opened += len(numbers) if status else last - opened
        sums = re.search(r"longest without an answer (\d+) ms, memory (\d+) MB", text)
        if sums:
            slowest, memory = max(slowest, int(sums.group(1))), max(memory, int(sums.group(2)))
        if status:
            row.findings = 1
            row.told = [f"window: exit status {status} at file {numbers[-1] if numbers else first}"]
            row.told += [line for line in text.splitlines() if "Failure" in line or "OLAB_MUTATED_FILES=" in line][:20]
            row.told += last_lines(text)
            row.told.append(f"again: QT_QPA_PLATFORM=offscreen OLAB_MUTATED_FILES={chosen} {program}")
    row.executions, row.memory, row.slowest = f"{opened}/{files}", str(memory), f"{slowest / 1000:.1f}"
    return row


def print_table(rows):
    head = ("target", "executions", "exec/s", "processor s", "peak MB", "slowest s", "coverage", "findings")
    table = [head] + [(r.name, r.executions, r.rate, f"{r.processor:.0f}", r.memory, r.slowest, r.coverage, str(r.findings))
                      for r in rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    for row in table:
        print("   " + "  ".join(cell.ljust(widths[0]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(row)))


def scratch_folder():
    """In memory where that is possible: each execution may write a file."""
    shared = pathlib.Path("/dev/shm")
    return tempfile.mkdtemp(prefix="olab-fuzz-", dir=shared if os.access(shared, os.W_OK) else None)


def chosen_targets(build, files, wanted):
    """Name -> options of libFuzzer, None for the window. Ends where one that is wanted is not there."""
    there = {name: options for name, *options in map(str.split, (build / "fuzz_targets").read_text().splitlines())}
    if files > 0 and (build / "bin" / "test_mutated_files").exists():
        there = {WINDOW: None, **there}  # first: what it leaves of its share, the others get
    unknown = [name for name in wanted if name not in there]
    if unknown:
        sys.exit(f"There is no fuzz target {', '.join(unknown)}. There are: {', '.join(there)}.")
    return {name: options for name, options in there.items() if not wanted or name in wanted}


class Plan:
    """Shares out the time: whoever is free takes the next target, with its share of what is left until the end."""

    def __init__(self, targets, end, at_once):
        self.left, self.end, self.at_once = queue.Queue(), end, at_once
        for target in targets.items():
            self.left.put(target)
        self.lock = threading.Lock()

    def next(self):
        """(name, options, seconds); None when there is no target left."""
        with self.lock:
            if self.left.empty():
                return None
            waiting, seconds = self.left.qsize(), self.end - time.monotonic()
            name, options = self.left.get()
            share = self.at_once / waiting if name != WINDOW or waiting == 1 else self.at_once * WINDOW_SHARE
            return name, options, max(1, int(seconds * min(1, share)))


def run_all(build, files, plan, environment):
    rows = []

    def work():
        while (job := plan.next()) is not None:
            name, options, seconds = job
            rows.append(run_window(build, files, seconds, environment) if name == WINDOW
                        else run_target(build, name, options, seconds, environment))

    with concurrent.futures.ThreadPoolExecutor(plan.at_once) as pool:
        for worker in [pool.submit(work) for _ in range(plan.at_once)]:
            worker.result()
    return rows


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("seconds", type=int)
    parser.add_argument("files", type=int, nargs="?", default=1000)
    parser.add_argument("--targets", type=lambda text: [name for name in text.split(",") if name], default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def main():
    given, begin = arguments(), time.monotonic()
    build = given.build.resolve()
    targets = chosen_targets(build, given.files, given.targets)
    scratch = scratch_folder()
    environment = {**os.environ, **SANITIZERS, "TMPDIR": scratch, "QT_QPA_PLATFORM": "offscreen"}
    try:
        subprocess.run([build / "bin" / "fuzz_seeds", build / "seeds"], env=environment, check=True)
        plan = Plan(targets, begin + given.seconds, min(given.jobs, len(targets)))
        rows = run_all(build, given.files, plan, environment)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    for row in rows:
        for line in row.told:
            print("   " + line)
    order = list(targets)
    print_table(sorted(rows, key=lambda row: order.index(row.name)))
    found, processor = sum(row.findings for row in rows), sum(row.processor for row in rows)
    print(f"{len(rows)} fuzz targets, {processor:.0f} s of processor time in {time.monotonic() - begin:.0f} s, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
