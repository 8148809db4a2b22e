#!/usr/bin/env python3
"""How often 'olab compare' calls the same program slower, on this machine: records one experiment again and again, and draws the two
sides of comparisons from its runs.

  compare_alarms.py OLAB BENCH [--preset NAME]... [--set KEY=VALUE]... [--backend cuda|sim] [--seconds 150] [--pairs 1000] [-o DIR]

BENCH is olab_bench_slowdown, which draws and judges as 'olab compare' does, and makes one side 3 % longer to see whether that is found.
Of each preset it records, until half of its time is over, single recordings, of which ten and ten alternately are also given to
'olab compare' itself, then repeats in one recording (untraced and traced, each in a process of its own). Prints the tables; DIR keeps the times.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

FEWEST = 40  # runs, whose times two sides of ten each are drawn from


def olab(args, *words, codes=(0,)):
    done = subprocess.run([args.olab, *words], capture_output=True, text=True, timeout=300)
    if done.returncode not in codes:
        raise SystemExit(f"olab {' '.join(words)}: {done.returncode} {done.stderr}")
    return done


def record(args, preset, file, *options):
    sets = [word for option in (*args.set, *options) for word in ("--set", option)]
    return json.loads(olab(args, "run", preset, "--backend", args.backend, *sets, "--json", "-o", file).stdout)


def repeats(args, preset, seconds, folder):
    """Times of the untraced and the traced runs, in their order."""
    untraced, traced = [], []
    end = time.monotonic() + seconds
    while time.monotonic() < end or sum(map(len, untraced)) < FEWEST:
        spread = record(args, preset, f"{folder}/repeats.olab", "repeat=10", "trace=both").get("spread", {})
        if not spread.get("untraced"):  # the simulator runs no untraced ones
            return [], []
        untraced.append(spread["untraced"]["times_ns"])
        traced.append(spread["traced"]["times_ns"])
    return untraced, traced


def singles(args, preset, seconds, folder):
    """Single traced recordings: their files and times."""
    files, times = [], []
    end = time.monotonic() + seconds
    while (time.monotonic() < end or len(files) < FEWEST) and len(files) < 400:
        file = f"{folder}/single{len(files):03}.olab"
        extra = [f"seed={len(files) + 1}"] if args.backend == "sim" else []
        times.append(record(args, preset, file, "trace=on", *extra)["bounds"]["measured_ns"])
        files.append(file)
    return files, [times]


def judged(args, name, sessions, folder):
    if sum(map(len, sessions)) < FEWEST:
        return
    file = f"{folder}/{name}.txt"
    with open(file, "w") as out:
        out.write("\n\n".join("\n".join(map(str, session)) for session in sessions) + "\n")
    print(subprocess.run([args.bench, "--times", file, str(args.pairs)], capture_output=True, text=True, check=True).stdout, flush=True)


def compared(args, files):
    """What the real program says of ten and ten of the same, alternately."""
    said = {}
    for first in range(0, len(files) - 19, 20):
        chosen = files[first:first + 20]
        done = olab(args, "compare", "--json", "--assert", "slower<=3%", *chosen[0::2], "--", *chosen[1::2], codes=(0, 1))
        slowdown = json.loads(done.stdout)["slowdown"]
        verdict = "slower" if slowdown["low"] > 1 else "faster" if slowdown["high"] < 1 else "no difference"
        key = f"{verdict}; slower<=3% " + done.stderr.split(": ", 2)[2].split(",")[0]
        said[key] = said.get(key, 0) + 1
    print("olab compare, ten and ten alternately:", said, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("olab")
    parser.add_argument("bench")
    parser.add_argument("--preset", action="append", default=[])
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--seconds", type=float, default=150)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("-o", dest="folder", default=tempfile.mkdtemp())
    args = parser.parse_args()
    presets = args.preset or ["same-work-four-streams", "pageable"]
    for preset in presets:
        folder = os.path.join(args.folder, preset)
        os.makedirs(folder, exist_ok=True)
        half = args.seconds / len(presets) / 2
        files, times = singles(args, preset, half, folder)
        print(f"== {preset}: {len(files)} single recordings\n", flush=True)
        judged(args, "single", times, folder)
        compared(args, files)
        untraced, traced = repeats(args, preset, half, folder)
        print(f"-- {preset}: {sum(map(len, untraced))} untraced and {sum(map(len, traced))} traced runs\n", flush=True)
        judged(args, "untraced", untraced, folder)
        judged(args, "traced", traced, folder)


if __name__ == "__main__":
    main()
