#!/usr/bin/env python3
"""What tracing costs a program: the time of its loop, plain and under tools, in turns. Needs a GPU. Prints a table in Markdown.

  trace_overhead.py OLAB TRACE_LOOPS [--bare LIBRARY] [--nsys NSYS] [--rounds 5] [--turns 10] [--seconds S] [--loops ...] [--ways ...]
                    [--json FILE]

TRACE_LOOPS (olab_trace_loops) and torch_loop.py print the milliseconds of their loop. In each round every way has a process of its own.
They start together, wait until all are ready, and do their loops alternately, --turns times, while the others wait: each time stands
beside that of the plain program in the same turn, whose machine was as warm and as busy. --bare: a client of CUPTI that keeps nothing
(olab_bare_client). --nsys: Nsight Systems; else it is looked for in the usual folders, and "no" leaves it out.
"after Stop" is recorded for a while before its loop, and stopped; then it waits for the device now and then, as programs do between two
parts of their work: that is when CUPTI is taken out. --seconds: no round begins that would most likely not end within them. What cannot
be measured (no PyTorch, a tool that fails) is left out, and the table says why.
"""
import argparse
import collections
import glob
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
LOOPS = {  # how often in a turn, and its name
    "tiny": (10_000, "tiny launches"),
    "chains": (1_000, "copy, kernel, copy, wait"),
    "graph": (1_000, "replays of a graph"),
    "ranged": (5_000, "launches in NVTX ranges"),
    "torch": (40, "PyTorch, training"),
    "forward": (100, "PyTorch, answers"),
}
USUAL_WAYS = "plain;bare client;nsys;olab trace;asleep;after Stop"
SETTLE = "2500"  # ms before the loop, in "after Stop"
PATIENCE = 60
NSYS = ["profile", "--trace=cuda", "--cuda-graph-trace=node", "--sample=none", "--cpuctxsw=none", "--force-overwrite=true"]
NSYS_PLACES = ["/opt/nvidia/nsight-systems/*/bin/nsys", "/opt/nvidia/nsight-systems/*/target-linux-*/nsys", "/opt/nvidia/*/bin/nsys",
               "/opt/nvidia/**/nsys", "/usr/local/cuda*/bin/nsys"]
CUPTI_PLACES = ["/usr/local/cuda*/extras/CUPTI/lib64", "/usr/local/cuda*/lib64", "/usr/lib/python3*/*-packages/nvidia/cu13/lib",
                "/usr/local/lib/python3*/*-packages/nvidia/cu13/lib"]
Way = collections.namedtuple("Way", "command variables order", defaults=({}, None))


class Trouble(Exception):
    pass


class Program:
    """One that waits at a gate: before each turn of its loop, until that is closed."""

    def __init__(self, way, gate):
        self.way, self.gate = way, str(gate)
        os.mkfifo(gate)
        self.opened = None
        self.lines, self.said = queue.Queue(), []
        self.process = subprocess.Popen(way.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                                        start_new_session=True, env={**os.environ, **way.variables, "OLAB_LOOP_GATE": self.gate})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def wait_for(self, pattern):
        until = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise Trouble(f"it said nothing for {PATIENCE} s")
            if line is None:
                raise Trouble("it ended: " + " ".join("".join(self.said).split())[-200:])
            self.said.append(line)
            if found := re.search(pattern, line):
                return found

    def become_ready(self):
        if self.way.order:
            self.wait_for("settles")
            subprocess.run(self.way.order, check=True, capture_output=True, timeout=PATIENCE, env={**os.environ, **self.way.variables})
            if not self.lines.empty():
                raise Trouble("it was ready before it was stopped: it must settle for longer")
        self.wait_for("ready")

    def milliseconds(self):
        until = time.monotonic() + PATIENCE
        while self.opened is None:
            try:
                self.opened = os.open(self.gate, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:  # nobody reads yet
                if time.monotonic() > until:
                    raise Trouble("it did not come to its gate")
                time.sleep(0.001)
        os.write(self.opened, b"g")
        return float(self.wait_for(r"([0-9.]+) ms").group(1))

    def let_end(self):
        if self.opened is not None:
            os.close(self.opened)
            self.opened = None

    def end(self):
        self.let_end()
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def ways_of(args, program, folder):
    trace = [args.olab, "trace", "--no-analysis", "-o", f"{folder}/run.olab"]
    settling = [args.olab, "trace", "--no-analysis", "-o", f"{folder}/settled.olab", "--attach-ready", "--"]
    own = {"XDG_RUNTIME_DIR": f"{folder}/told"}  # where "all" is this one
    os.mkdir(f"{folder}/told", 0o700)
    ways = {"plain": Way(program)}
    if args.bare:
        places = [place for pattern in CUPTI_PLACES for place in sorted(glob.glob(pattern))]
        found = ":".join(filter(None, [os.environ.get("LD_LIBRARY_PATH"), *places]))
        ways["bare client"] = Way(program, {"CUDA_INJECTION64_PATH": os.path.abspath(args.bare), "LD_LIBRARY_PATH": found})
    if args.nsys:
        ways["nsys"] = Way([args.nsys, *NSYS, "-o", f"{folder}/nsys", *program])
    ways["olab trace"] = Way(trace + ["--"] + program)
    ways["marked, not yet"] = Way(trace[:-1] + [f"{folder}/marked.olab", "--capture-range", "cuda", "--"] + program)
    ways["asleep"] = Way(trace[:-1] + [f"{folder}/asleep.olab", "--attach-ready", "--"] + program)
    ways["plain, later"] = Way(program + [SETTLE])
    ways["after Stop"] = Way(settling + program + [SETTLE], own, [args.olab, "trace", "--on", "all", "--for", "300ms"])
    return {name: way for name, way in ways.items() if name in args.ways.split(";")}


def program_of(args, loop):
    count = str(max(1, int(LOOPS[loop][0] * args.scale)))
    if loop in ("torch", "forward"):
        return [args.python, str(HERE / "torch_loop.py"), loop, count]
    return [args.loops_program, loop, count]


class Measurement:
    def __init__(self, args):
        self.args = args
        self.times = {loop: [] for loop in args.loops}  # of each turn: those of the ways
        self.troubles = {}  # (loop, way): why it is left out
        self.leaving = []   # programs of the loop before, which end

    def attempt(self, key, work):
        try:
            return work()
        except (Trouble, OSError, subprocess.SubprocessError) as error:
            self.troubles[key] = str(error) or type(error).__name__
            return None

    def round(self, loop, folder):
        ways = {name: way for name, way in ways_of(self.args, program_of(self.args, loop), folder).items() if (loop, name) not in self.troubles}
        programs = {}
        for place, name in enumerate(ways):
            program = self.attempt((loop, name), lambda name=name, place=place: Program(ways[name], f"{folder}/gate{place}"))
            if program:
                programs[name] = program
        waiting = [threading.Thread(target=self.attempt, args=((loop, name), program.become_ready)) for name, program in programs.items()]
        for thread in waiting:
            thread.start()
        for thread in waiting:
            thread.join()
        self.end_leaving()
        for turn in range(self.args.turns):
            self.turn(loop, turn, {name: program for name, program in programs.items() if (loop, name) not in self.troubles})
        for name, program in programs.items():
            program.let_end()
            if (loop, name) in self.troubles:
                program.kill()
        self.leaving = list(programs.values())

    def turn(self, loop, number, programs):
        names, first = list(programs), number % max(1, len(programs))
        taken = {name: self.attempt((loop, name), programs[name].milliseconds) for name in names[first:] + names[:first]}
        self.times[loop].append({name: time for name, time in taken.items() if time is not None})

    def end_leaving(self):
        for program in self.leaving:
            program.end()
        self.leaving = []

    def run(self, folder):
        begin, longest = time.monotonic(), 0
        for number in range(self.args.rounds):
            round_begin = time.monotonic()
            if self.args.seconds and number and round_begin - begin + longest > self.args.seconds:
                break
            for loop in self.args.loops:
                place = pathlib.Path(folder) / f"{number}-{loop}"
                place.mkdir()
                self.round(loop, place)
            longest = max(longest, time.monotonic() - round_begin)
            print(f"round {number + 1}: {time.monotonic() - round_begin:.1f} s", file=sys.stderr, flush=True)
        self.end_leaving()


def cell(turns, way):
    """The median over plain in the same turn, and the 10th and the 90th percentile."""
    if way == "plain":
        own = [turn[way] for turn in turns if way in turn]
        return f"{statistics.median(own):.0f} ms" if own else "-"
    ratios = [turn[way] / turn["plain"] for turn in turns if way in turn and "plain" in turn]
    if not ratios:
        return "-"
    low, *_, high = statistics.quantiles(ratios, n=10) if len(ratios) > 1 else ratios * 2
    return f"{statistics.median(ratios):.2f} ({low:.2f} to {high:.2f})"


def table(times, ways, troubles):
    """Of what was measured."""
    loops = [loop for loop in times if times[loop]]
    lines = ["| | " + " | ".join(LOOPS[loop][1] for loop in loops) + " |", "|---" * (len(loops) + 1) + "|"]
    for way in ways:
        if any(way in turn for loop in loops for turn in times[loop]):
            lines.append(f"| {way} | " + " | ".join(cell(times[loop], way) for loop in loops) + " |")
    counts = ", ".join(f"{len(times[loop])} of {LOOPS[loop][1]}" for loop in loops)
    lines += ["", f"medians of turns ({counts}) over plain in the same turn; in brackets the 10th and 90th percentile"] if loops else []
    return lines + [f"not measured: {LOOPS[loop][1]}, {way}: {why}" for (loop, way), why in sorted(troubles.items())]


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=20).stdout.strip().splitlines()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return "not known"


def find_nsys(wish):
    if wish == "no":
        return None
    if wish:
        return wish
    found = [place for pattern in NSYS_PLACES for place in sorted(glob.glob(pattern, recursive=True)) if os.access(place, os.X_OK)]
    return shutil.which("nsys") or (found[-1] if found else None)


def arguments():
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    parser.add_argument("olab", type=os.path.abspath)
    parser.add_argument("loops_program", type=os.path.abspath)
    parser.add_argument("--bare", type=os.path.abspath)
    parser.add_argument("--nsys", help="the program; no: without it")
    parser.add_argument("--python", default=sys.executable, help="one that has torch")
    parser.add_argument("--rounds", type=int, default=5, help="each with processes of its own")
    parser.add_argument("--turns", type=int, default=10, help="of each round")
    parser.add_argument("--seconds", type=float, help="of it all")
    parser.add_argument("--scale", type=float, default=1, help="of the lengths of the loops")
    parser.add_argument("--loops", default="tiny,chains,graph,torch", help=", ".join(LOOPS))
    parser.add_argument("--ways", default=USUAL_WAYS, help="separated by semicolons; also 'marked, not yet' and 'plain, later'")
    parser.add_argument("--json", help="each time, into this file")
    args = parser.parse_args()
    args.loops = args.loops.split(",")
    args.nsys = find_nsys(args.nsys)
    return args


def main():
    args = arguments()
    measurement = Measurement(args)
    print(first_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]))
    if args.nsys:
        print(f"{first_line([args.nsys, '--version'])}: {' '.join(NSYS)}")
    with tempfile.TemporaryDirectory() as folder:
        measurement.run(folder)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(measurement.times, indent=1) + "\n")
    print("\n".join(table(measurement.times, args.ways.split(";"), measurement.troubles)))
    return 0 if any(measurement.times.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
