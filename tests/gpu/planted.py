#!/usr/bin/env python3
"""Plants causes of lost time, takes them away again, and writes down what happened: what the account of a run
(`olab analyze`, ledger) is judged by.

    planted.py run OLAB OUT [--seed N] [--planted N] [--healthy N] [--pairs N]     on a machine with a GPU
    planted.py judge OLAB OUT                                                       anywhere

`run` draws experiments from the seed. A planted one runs in turns with the same experiment without the cause;
OUT/N.olab is its first recording, OUT/runs.jsonl says what was planted and how long each run took. `judge` strips
the recordings of everything but records (`olab convert --records-only`) and prints, for each, the first line of
its ledger and the predicted gain beside the measured one.
"""
import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys
import time


def base(rng):
    """A healthy pipeline: pinned memory, non-blocking streams, grids that leave room."""
    streams = rng.choice([2, 3, 4, 6, 8])
    return {
        "streams": streams,
        "iterations": rng.choice([6, 8, 12, 16]),
        "h2d.bytes": f"{rng.choice([2, 4, 8, 16, 24])}MiB",
        "d2h.bytes": f"{rng.choice([2, 4, 8, 16, 24])}MiB",
        "memset.bytes": f"{rng.choice([1, 4, 16])}MiB",
        "kernel.us": rng.choice([60, 120, 250, 400, 700]),
        "kernel.blocks": rng.choice([16, 32, 64, 96]),
        "memset": rng.choice(["on", "on", "off"]),
        "callback": rng.choice(["on", "off", "off"]),
        "order": rng.choice(["depth", "breadth"]),
        "seed": rng.randrange(1, 1000),
    }


# id of the cause, what plants it, what takes it away (what is not named there goes back to the healthy value)
def plants(rng):
    small = {"h2d.bytes": "4KiB", "d2h.bytes": "4KiB", "memset.bytes": "4KiB", "kernel.us": 5, "callback": "off",
             "iterations": 100}
    return [
        ("pageable", {"h2d.memory": "pageable"}, {}),
        ("pageable", {"d2h.memory": "pageable"}, {}),
        ("null-stream", {"stream.kind": "blocking", "null_op": rng.choice(["memset", "kernel"])}, {"null_op": "off"}),
        ("host-sync", {"sync.every": "iteration", "gate": "off"}, {"sync.every": "end"}),
        ("host-sync", {"sync.every": "op", "gate": "off"}, {"sync.every": "end"}),
        ("event-order", {"deps": "event-chain"}, {}),
        ("device-barrier", {"interfere": rng.choice(["free", "freehost"])}, {}),
        ("first-launch", {"interfere": "first-launch", "iterations": 6, "streams": 4}, {"interfere": "none"}),
        ("callback", {"callback": "on", "callback.us": rng.choice([200, 500])}, {"callback": "off", "callback.us": 0}),
        ("callback", {"callback": "on", "issue": "on-callback", "gate": "off"},
         {"issue": "ahead", "callback": "off"}),
        ("launch-blocking", {"env.launch_blocking": "on"}, {}),
        ("connections", {"env.max_connections": 1, "streams": rng.choice([4, 6])}, {"env.max_connections": "default"}),
        ("memset-full-grid", {"kernel.blocks": f"fill:{rng.choice([2, 4])}", "memset": "on", "streams": 2},
         {"memset.method": "copy"}),
        ("launch-bound", dict(small, gate="off"), {"submit": "graph"}),
    ]


def draw(rng, planted, healthy):
    experiments = []
    for i in range(planted):
        options = base(rng)
        table = plants(rng)
        chosen = [table[i % len(table)]]
        if i % 3 == 2:  # a third with two causes
            other = rng.choice(table)
            if other[0] != chosen[0][0] and not set(other[1]) & set(chosen[0][1]):
                chosen.append(other)
        with_cause = dict(options)
        for _, plant, _ in chosen:
            with_cause.update(plant)
        causes = []
        for cause, plant, mend in chosen:
            without = dict(with_cause)
            for key in plant:
                if key in options:
                    without[key] = options[key]
                elif key not in ("gate", "stream.kind") and key not in mend:
                    del without[key]
            # what is the same work in both: how often, in how many streams, by which grid
            without.update({k: with_cause[k] for k in ("iterations", "streams", "kernel.blocks") if k in plant})
            if cause == "launch-bound":
                without = dict(with_cause)
            without.update(mend)
            causes.append({"cause": cause, "without": without})
        experiments.append({"planted": causes, "options": with_cause})
    for _ in range(healthy):
        experiments.append({"planted": [], "options": base(rng)})
    return experiments


def run_once(olab, options, out):
    command = [olab, "run", "--backend", "cuda", "--json", "--set", "trace=on"]
    for key, value in options.items():
        command += ["--set", f"{key}={value}"]
    if out:
        command += ["-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        return None, done.stderr.strip()[:300]
    return json.loads(done.stdout)["bounds"]["measured_ns"], ""


def run(args):
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    experiments = draw(random.Random(args.seed), args.planted, args.healthy)
    start = time.time()
    with open(out / "runs.jsonl", "w") as log:
        for n, experiment in enumerate(experiments):
            if args.seconds and time.time() - start > args.seconds:
                print(f"stopped after {n} of {len(experiments)} experiments")
                break
            first, message = run_once(args.olab, experiment["options"], out / f"{n}.olab")
            experiment.update(n=n, a=[first], message=message)
            for cause in experiment["planted"]:
                cause["b"] = []
            for pair in range(args.pairs if experiment["planted"] and first else 0):
                if pair:
                    experiment["a"].append(run_once(args.olab, experiment["options"], None)[0])
                for cause in experiment["planted"]:
                    time_b, message = run_once(args.olab, cause["without"], None)
                    cause["b"].append(time_b)
                    cause["message"] = message
            log.write(json.dumps(experiment) + "\n")
            log.flush()


def spread(values):
    return (max(values) - min(values)) / statistics.median(values)


def judge(args):
    out = pathlib.Path(args.out)
    errors, named, worth, model_errors = [], 0, 0, []
    for line in open(out / "runs.jsonl"):
        e = json.loads(line)
        if not e["a"][0]:
            print(f"{e['n']:3} did not run: {e['message']}")
            continue
        stripped = out / f"{e['n']}-records.olab"
        subprocess.run([args.olab, "convert", out / f"{e['n']}.olab", stripped, "--records-only"], check=True,
                       capture_output=True)
        report = json.loads(subprocess.run([args.olab, "analyze", stripped, "--json"], check=True,
                                           capture_output=True, text=True).stdout)
        ledger = report.get("ledger")
        if not ledger:
            print(f"{e['n']:3} no account: {report.get('ledger_missing')}")
            continue
        measured = ledger["measured_ns"]
        by_id = {c["id"]: c for c in ledger["causes"]}
        lines = " ".join(f"{c['id']} {100 * c['cost_ns'] / measured:.1f}" for c in ledger["causes"]
                         if c["cost_ns"] > 0.01 * measured)
        missed = ledger["unexplained_ns"] - ledger.get("ideal_cut_ns", 0)
        model_errors.append(abs(missed) / measured)
        first = ledger["causes"][0]["id"] if ledger["causes"] else ""
        text = f"{e['n']:3} {measured / 1e6:8.2f} ms unexplained {100 * missed / measured:5.1f} % | {lines} |"
        a = [t for t in e["a"] if t]
        best = 0
        for cause in e["planted"]:
            b = [t for t in cause["b"] if t]
            if not b:
                text += f" {cause['cause']}: {cause.get('message', '')[:80]}"
                continue
            gain = 1 - statistics.median(b) / statistics.median(a)
            predicted = by_id.get(cause["cause"], {}).get("gain_ns", 0) / measured
            best = max(best, gain)
            noisy = spread(a) > 0.1 or spread(b) > 0.1
            text += f" {cause['cause']} measured {100 * gain:.1f} predicted {100 * predicted:.1f}{' (spread)' if noisy else ''}"
            if not noisy:
                errors.append((abs(gain - predicted), cause["cause"], e["n"]))
        if e["planted"] and best >= 0.05:
            worth += 1
            right = first in [c["cause"] for c in e["planted"]]
            named += right
            text += "" if right else "  <-- not named first"
        if not e["planted"]:
            big = [c["id"] for c in ledger["causes"] if c["cost_ns"] > 0.02 * measured]
            text += " healthy" + (f"  <-- blames {big}" if set(big) - {"stretched", "callback"} else "")
        print(text)
    if worth:
        print(f"first line a planted cause: {named} of {worth} ({100 * named / worth:.0f} %)")
    if errors:
        values = sorted(x for x, _, _ in errors)
        print(f"predicted against measured gain, {len(values)} interventions: median {100 * statistics.median(values):.1f} points, "
              f"90th percentile {100 * values[int(0.9 * (len(values) - 1))]:.1f}")
    if model_errors:
        model_errors.sort()
        print(f"model with nothing removed: median {100 * statistics.median(model_errors):.2f} %, "
              f"90th percentile {100 * model_errors[int(0.9 * (len(model_errors) - 1))]:.2f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["run", "judge"])
    parser.add_argument("olab")
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--planted", type=int, default=100)
    parser.add_argument("--healthy", type=int, default=30)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0, help="begin no experiment after so long")
    args = parser.parse_args()
    (run if args.mode == "run" else judge)(args)


if __name__ == "__main__":
    sys.exit(main())
