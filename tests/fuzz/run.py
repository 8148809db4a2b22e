#!/usr/bin/env python3
"""Runs the fuzz targets and the mutated files in the window: run.py BUILD_FOLDER SECONDS [FILES] [JOBS]

Called by ./test.sh --fuzz. Each target runs SECONDS seconds, as many at once as there are processors (or JOBS); what it
learns stays in BUILD_FOLDER/corpus/TARGET, what ends it in BUILD_FOLDER/findings. FILES (1000) mutated recordings are opened
in the window. Prints a table; exit 1 when anything was found.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What a file may cost: 15 s, and 100 times its size + 200 MB. One allocation has to fit in that as it is; the whole
# process has the sanitizers' own memory, too, and what the fuzzer keeps of its corpus.
LIMITS = ["-timeout=15", "-malloc_limit_mb=200", "-rss_limit_mb=1000"]
SANITIZERS = {
    "ASAN_OPTIONS": "quarantine_size_mb=16:detect_leaks=1:allocator_may_return_null=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}
FILES_OF_A_JOB = 100


class Row:
    """One line of the table."""

    def __init__(self, name):
        self.name, self.executions, self.rate, self.memory = name, "-", "-", "-"
        self.slowest, self.coverage, self.findings = "-", "-", 0
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
    done = subprocess.run(
        [*command, f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={findings}/", corpus, *seeds],
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode(errors="replace")
    (build / f"fuzz_{name}.log").write_text(text)
    row.executions, row.rate = stat(text, "number_of_executed_units"), stat(text, "average_exec_per_sec")
    row.memory, row.slowest, row.coverage = stat(text, "peak_rss_mb"), stat(text, "slowest_unit_time_sec"), coverage(text)
    kept = sorted(path for path in set(findings.iterdir()) - before if not path.name.startswith("slow-unit"))
    row.findings = len(kept) or int(done.returncode != 0)
    if row.findings:
        row.told = [f"{name}: exit status {done.returncode}", *last_lines(text)]
        row.told += [f"again: {program} {' '.join(LIMITS)} {path}" for path in kept]
    return row


def run_window(build, first, last, environment):
    row = Row(f"window, files {first}-{last}")
    environment = {**environment, "OLAB_MUTATED_FILES": f"{first}-{last}"}
    program = build / "bin" / "test_mutated_files"
    done = subprocess.run([program], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode(errors="replace")
    (build / f"window_{first}.log").write_text(text)
    opened = re.findall(r"^file (\d+): ", text, re.MULTILINE)
    row.executions = str(len(opened))
    sums = re.search(r"longest without an answer (\d+) ms, memory (\d+) MB", text)
    if sums:
        row.slowest, row.memory = f"{int(sums.group(1)) / 1000:.1f}", sums.group(2)
    row.findings = int(done.returncode != 0)
    if row.findings:
        row.told = [f"{row.name}: exit status {done.returncode} at file {opened[-1] if opened else '-'}"]
        row.told += [line for line in text.splitlines() if "Failure" in line or "OLAB_MUTATED_FILES=" in line][:20]
        row.told += last_lines(text)
        row.told.append(f"again: QT_QPA_PLATFORM=offscreen OLAB_MUTATED_FILES={first}-{last} {program}")
    return row


def print_table(rows):
    head = ("target", "executions", "exec/s", "peak MB", "slowest s", "coverage", "findings")
    table = [head] + [(r.name, r.executions, r.rate, r.memory, r.slowest, r.coverage, str(r.findings)) for r in rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    for row in table:
        print("   " + "  ".join(cell.ljust(widths[0]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(row)))


def scratch_folder():
    """In memory where that is possible: each execution may write a file."""
    shared = pathlib.Path("/dev/shm")
    return tempfile.mkdtemp(prefix="olab-fuzz-", dir=shared if os.access(shared, os.W_OK) else None)


def all_jobs(build, seconds, files, environment):
    jobs = []
    for line in (build / "fuzz_targets").read_text().splitlines():
        name, *options = line.split()
        jobs.append((run_target, build, name, options, seconds, environment))
    if (build / "bin" / "test_mutated_files").exists():
        for first in range(1, files + 1, FILES_OF_A_JOB):
            jobs.append((run_window, build, first, min(files, first + FILES_OF_A_JOB - 1), environment))
    return jobs


def main():
    build, seconds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    files = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    at_once = int(sys.argv[4]) if len(sys.argv) > 4 else os.cpu_count()
    scratch = scratch_folder()
    environment = {**os.environ, **SANITIZERS, "TMPDIR": scratch, "QT_QPA_PLATFORM": "offscreen"}
    try:
        subprocess.run([build / "bin" / "fuzz_seeds", build / "seeds"], env=environment, check=True)
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            futures = [pool.submit(*job) for job in all_jobs(build, seconds, files, environment)]
            rows = [future.result() for future in futures]
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    for row in rows:
        for line in row.told:
            print("   " + line)
    print_table(rows)
    found = sum(row.findings for row in rows)
    print(f"{len(rows)} fuzz jobs, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
