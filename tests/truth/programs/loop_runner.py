"""Runs the pairs of one framework: lists them, times them without recording, records them. Started by loops.py.

A pair is one loop with a mistake (`bad`) and the same work with the mistake mended (`mended`). A program with nothing
worth mending has the one variant `healthy`. `make(variant)` builds the state and returns `step`; `step(i)` runs
iteration i; `step.finish()`, if there, closes what was opened; `step.result()`, if there, is a number that all
variants have to agree on after as many iterations.

A mended or healthy program may lose time yet: it launches many short kernels one by one, copies its batch in the
stream of its kernels, or prepares it between its calls. `further` mends that too: by a graph, a copy stream, a thread.
Where the account of `bad` names another way than `mended` takes, `other` takes that one. Both are timed only: they say
what such a name is worth.

    loops.py FRAMEWORK list
    loops.py FRAMEWORK truth PAIR... [--rounds 5] [--iterations 24] [--budget SECONDS]
    loops.py FRAMEWORK capture PAIR VARIANT --library LIB --file OUT [--iterations 24]
    loops.py FRAMEWORK plain PAIR VARIANT                                          to be recorded by another program
    loops.py torch kineto PAIR... --out DIR
    loops.py jax jaxtrace PAIR... --out DIR
    loops.py FRAMEWORK serve

PAIR may be `all`. `serve` imports once and then reads jobs, {"arguments": [...], "limit": SECONDS, "errors": FILE} a
line. Each runs in a process of its own, so nothing else works on this machine meanwhile: other processes that import
or end make launches of a recorded one take half as long again. Its answer ends with {"exit": CODE}.
"""
import argparse
import ctypes
import dataclasses
import functools
import gc
import json
import os
import signal
import sys
import time
import traceback

LOADING = 3          # iterations in which kernels are loaded and tried out
WARM_UP = 7          # iterations of each variant behind them before anything is timed
SLOW = 0.05          # seconds an iteration, of all variants: of such ones none is done beyond those
SETTLE = 2           # iterations after each change of the variant, not timed
FEWEST = 6           # iterations of a round, however slow they are
CAPTURE_WARM_UP = 4  # these are in the recording


@dataclasses.dataclass
class Pair:
    name: str
    framework: str
    expected: list  # ids of causes; any of them is right
    removes: list   # ids of the causes that `mended` takes away, together
    make: object
    variants: tuple = ("bad", "mended")
    allowed: tuple = ()  # what the account may name above 3 % in the mended or healthy program
    further: tuple = ()  # ids of the causes that `further` takes away from `mended` or `healthy`
    other: tuple = ()    # ids of the causes that `other` takes away from `bad`
    recorded: tuple = ("bad", "mended", "healthy")
    topic: str = ""      # the folder of its file

    def facts(self):
        return {"name": self.name, "framework": self.framework, "topic": self.topic, "expected": self.expected,
                "removes": self.removes, "variants": list(self.variants), "allowed": list(self.allowed),
                "further": list(self.further), "other": list(self.other),
                "recorded": [v for v in self.variants if v in self.recorded]}


class Pairs:
    """Pairs of one framework, in the order in which they are written."""

    def __init__(self, framework):
        self.framework = framework
        self.by_name = {}

    def pair(self, expected, removes=None, allowed=(), further="", other="", **more):
        """Decorator of a function make(variant)."""
        variants = ("bad", "mended", *(["further"] if further else []), *(["other"] if other else []))
        return lambda make: self._add(make, expected.split(), (removes or expected).split(), variants, tuple(allowed),
                                      tuple(further.split()), tuple(other.split()), **more)

    def healthy(self, allowed=(), further=""):
        """Decorator of a function make(variant) of a program with nothing worth mending."""
        variants = ("healthy", *(["further"] if further else []))
        return lambda make: self._add(make, [], [], variants, tuple(allowed), tuple(further.split()))

    def _add(self, make, expected, removes, variants, *more, **named):
        name = f"{self.framework}_{make.__name__}"
        self.include([Pair(name, self.framework, expected, removes, make, variants, *more, **named)])
        return make

    def include(self, pairs):
        for pair in pairs:
            if pair.name in self.by_name:
                raise ValueError(f"two pairs are called {pair.name}")
            self.by_name[pair.name] = pair

    def chosen(self, names):
        return list(self.by_name.values()) if names == ["all"] else [self.by_name[name] for name in names]


class Capture:
    """The capture library through its C interface."""

    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.library.olabCaptureStart.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
        self.library.olabCaptureMessage.restype = ctypes.c_char_p

    def check(self, result, call):
        if result:
            raise RuntimeError(f"{call}: {result} {self.library.olabCaptureMessage().decode(errors='replace')}")

    def start(self, file):
        self.check(self.library.olabCaptureStart(file.encode(), None), "olabCaptureStart")

    def stop(self):
        self.check(self.library.olabCaptureStop(), "olabCaptureStop")


def giving(step, result, finish=None):
    """step with a number that all variants agree on, and with what closes it."""
    step = functools.partial(step)  # a method has no room for them
    step.result = lambda: float(result())
    if finish:
        step.finish = finish
    return step


def finish(step):
    close = getattr(step, "finish", None)
    if close:
        close()


class Loop:
    """A built variant that counts its iterations."""

    def __init__(self, pair, variant):
        self.step = pair.make(variant)
        self.next = 0

    def run(self, iterations):
        for i in range(self.next, self.next + iterations):
            self.step(i)
        self.next += iterations

    def timed(self, iterations, sync):
        """ns an iteration."""
        sync()
        begin = time.perf_counter_ns()
        self.run(iterations)
        sync()
        return (time.perf_counter_ns() - begin) / iterations


def print_line(values):
    print(json.dumps(values), flush=True)


def list_pairs(_args, pairs, _device):
    for pair in pairs.by_name.values():
        print_line(pair.facts())


def check_results(loops):
    """Programs that compute something else must not be compared."""
    results = {variant: float(loop.step.result()) for variant, loop in loops.items() if hasattr(loop.step, "result")}
    print(f"results {results}", file=sys.stderr, flush=True)
    if results and not max(results.values()) - min(results.values()) <= 0.02 * max(map(abs, results.values())):
        return f"the results differ: {results}"
    return ""


def warm_up(loops, sync):
    """Seconds that an iteration of all variants takes. All do as many, for their results are compared."""
    for loop in loops.values():
        loop.run(LOADING)
    seconds = sum(loop.timed(2, sync) * 1e-9 for loop in loops.values())
    for loop in loops.values():
        loop.run(WARM_UP - 2 if seconds < SLOW else 0)
    return seconds


def iterations_of_round(seconds, args):
    """As many as the budget has room for in all rounds."""
    room = int(args.budget / args.rounds / max(seconds, 1e-6)) - SETTLE
    return max(FEWEST, min(args.iterations, room))


def time_pair(pair, args, sync):
    """Times of each variant, and why they must not be compared."""
    loops = {}
    try:
        for variant in pair.variants:
            loops[variant] = Loop(pair, variant)
        iterations = iterations_of_round(warm_up(loops, sync), args)
        times = {f"{variant}_ns": [] for variant in pair.variants}
        for _ in range(args.rounds):
            for variant, loop in loops.items():
                loop.run(SETTLE)
                times[f"{variant}_ns"].append(round(loop.timed(iterations, sync)))
        return times, check_results(loops)
    finally:
        for loop in loops.values():
            finish(loop.step)


def truth(args, pairs, device):
    for pair in pairs.chosen(args.pairs):
        line = {"pair": pair.name, "framework": pair.framework}
        try:
            line["variant times"], differ = time_pair(pair, args, device.sync)
            line.update({"error": differ} if differ else {})
        except Exception as error:
            traceback.print_exc()
            line["error"] = f"{type(error).__name__}: {error}"[:300]
        print_line(line)
        device.clean()


def capture(args, pairs, device):
    pair = pairs.by_name[args.pairs[0]]
    recorder = Capture(args.library)
    recorder.start(args.file)
    loop = Loop(pair, args.pairs[1])
    loop.run(CAPTURE_WARM_UP)
    begin = time.perf_counter_ns()
    loop.run(args.iterations)
    device.sync()
    taken = (time.perf_counter_ns() - begin) / args.iterations
    recorder.stop()
    finish(loop.step)
    print_line({"pair": pair.name, "variant": args.pairs[1], "file": args.file, "traced_ns": round(taken)})


def plain(args, pairs, device):
    """What another program records, from its start to its end."""
    loop = Loop(pairs.by_name[args.pairs[0]], args.pairs[1])
    loop.run(CAPTURE_WARM_UP + args.iterations)
    device.sync()
    finish(loop.step)
    print_line({"pair": args.pairs[0], "variant": args.pairs[1]})


def record_variant(pair, variant, device, record):
    line, loop = {"pair": pair.name, "variant": variant}, None
    try:
        loop = Loop(pair, variant)
        loop.run(3)
        device.sync()
        record(loop, f"{pair.name}-{variant}")
    except Exception as error:
        traceback.print_exc()
        line["error"] = f"{type(error).__name__}: {error}"[:300]
    finally:
        if loop:
            finish(loop.step)
    print_line(line)


def each_variant(args, pairs, device, record):
    """Calls record(loop, name) for every variant; one that fails does not stop the others."""
    for pair in pairs.chosen(args.pairs):
        for variant in pair.facts()["recorded"]:
            record_variant(pair, variant, device, record)
            device.clean()


def read_arguments(modes, values):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=modes)
    parser.add_argument("pairs", nargs="*", default=["all"], help="names; of capture and plain: a name and a variant")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=24)
    parser.add_argument("--budget", type=float, default=1.5, metavar="SECONDS", help="of truth: slow loops do fewer iterations")
    parser.add_argument("--library")
    parser.add_argument("--file")
    parser.add_argument("--out")
    args = parser.parse_args(values)
    if args.mode == "capture" and (len(args.pairs) != 2 or not args.library or not args.file):
        parser.error("capture needs PAIR VARIANT --library LIB --file OUT")
    return args


class Device:
    """What a framework gives: sync() waits for the device, clean() gives back memory between pairs."""

    def __init__(self, sync, clean=lambda: None):
        self.sync = sync
        self._clean = clean

    def clean(self):
        gc.collect()
        self._clean()


def run_job(work):
    """Calls work() and ends the process: what is torn down at exit is not part of a program's work."""
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def exit_code(process, limit):
    """Of a forked process; it and what it started are killed after so many seconds."""
    end = time.time() + limit
    while time.time() < end:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
    print("ended by its time limit", file=sys.stderr, flush=True)
    return 124


def serve(start):
    """start(arguments) does a job, in a forked process."""
    print_line({"ready": True})
    for line in sys.stdin:
        job = json.loads(line)
        errors = os.open(job["errors"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(errors, 2)
        process = os.fork()
        if process == 0:
            os.setpgid(0, 0)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            run_job(lambda: start(job["arguments"]))
        os.close(errors)
        print_line({"exit": exit_code(process, job["limit"])})


def main(pairs, device, more_modes, values):
    modes = {"list": list_pairs, "truth": truth, "capture": capture, "plain": plain, **more_modes}

    def start(arguments):
        args = read_arguments(modes, arguments)
        modes[args.mode](args, pairs, device)
    if values == ["serve"]:
        serve(start)
    elif values[:1] == ["plain"]:  # ends as programs do: what records it has its last word
        start(values)
    else:
        run_job(lambda: start(values))
