#!/usr/bin/env python3
"""slurm_test.py NAME OLAB [CASE...]: --launcher and srun olab trace, on a real cluster of three nodes on this machine."""
import json
import os
import shutil
import signal
import sys

from harness import Skipped, expect, main, processes_with, told, wait_until
from slurm_fixture import SlurmFixture

SMALL = ("--set", "iterations=2")


def case_a_run_on_a_node(f):
    result = f.olab_run("run", "--launcher", "slurm", "--partition", "main", "--backend", "sim-engine", "--json", "-o",
                        "node's run.olab", *SMALL)
    expect(result.returncode == 0, told(result))
    report = json.loads(result.stdout)
    expect(report["environment"]["host"] in f.nodes, str(report["environment"]))
    expect(report["source"]["kind"] == "simulated", "it is not marked")
    shown = f.olab_run("analyze", "node's run.olab", "--json")
    expect(json.loads(shown.stdout)["environment"]["host"] in f.nodes, told(shown))


def case_its_exit_code_is_that_of_the_run(f):
    for words, code in ((("--assert", "count(kernel)>=1"), 0), (("--assert", "count(kernel)==0"), 1),
                        (("no-such-preset",), 2), (("--set", "streams=0"), 2)):
        result = f.olab_run("run", "--launcher", "slurm", "--backend", "sim", *SMALL, *words)
        expect(result.returncode == code, f"{words}, expected {code}: {told(result)}")


def case_slurm_refuses(f):
    result = f.olab_run("run", "--launcher", "slurm", "--partition", "nosuch", "--backend", "sim")
    expect(result.returncode == 4 and "invalid partition" in result.stderr and "slurm ended with exit code 1" in result.stderr,
           told(result))


def case_a_node_dies_in_the_middle(f):
    local = f.start(f.olab, "run", "--launcher", "slurm", "--backend", "sim-engine", "--set", "trace=on", OLAB_FAULT="hang")
    wait_until(lambda: " R n" in f.queue(), 30, "a job that runs")
    node = f.queue().split(" R ")[1].split()[0]
    wait_until(lambda: processes_with("engine --kind traced"), 30, "the child")
    f.kill_node(node)
    out, err = local.communicate(timeout=120)
    f.start_node(node)
    expect(local.returncode == 4 and "olab did not come to its end" in err, f"{local.returncode}: {err}")
    wait_until(lambda: f.states().count("idle") == len(f.nodes), 60, "the node is back")


def case_cancel(f):
    local = f.start(f.olab, "run", "--launcher", "slurm", "--backend", "sim-engine", "--set", "trace=on", OLAB_FAULT="hang")
    wait_until(lambda: " R n" in f.queue() and processes_with("engine --kind traced"), 30, "a job that runs")
    local.send_signal(signal.SIGINT)
    out, err = local.communicate(timeout=60)
    expect(local.returncode == 5, f"{local.returncode}: {err}")
    wait_until(lambda: not f.queue().strip() and not processes_with("engine --kind traced"), 30, "nothing is left")


def case_a_command_of_the_user(f):
    wrapper = f.shared / "my launcher"
    wrapper.write_text("#!/bin/sh\necho launched >>'launches of mine'\nexec \"$@\"\n")
    wrapper.chmod(0o755)
    for launcher in ("'./my launcher' {}", "'./my launcher'"):
        result = f.olab_run("run", "--launcher", launcher, "--backend", "sim", "-o", "it's mine.olab", *SMALL)
        expect(result.returncode == 0 and (f.shared / "it's mine.olab").exists(), told(result))
        (f.shared / "it's mine.olab").unlink()
    expect((f.shared / "launches of mine").read_text() == "launched\n" * 2, "it was not launched twice")
    result = f.olab_run("run", "--launcher", "./no-such-launcher {}", "--backend", "sim")
    expect(result.returncode == 4 and "exit code 127" in result.stderr, told(result))


def case_a_file_that_is_not_shared(f):
    hidden = f.shared / "unshared"
    hidden.write_text("#!/bin/sh\n\"$@\" || exit\nrm -f gone.olab\n")
    hidden.chmod(0o755)
    result = f.olab_run("run", "--launcher", "./unshared {}", "--backend", "sim", "-o", "gone.olab", *SMALL)
    expect(result.returncode == 2 and "shares with the nodes" in result.stderr, told(result))


def case_options_that_do_not_fit(f):
    for words, text in ((("--partition", "main"), "is for --launcher slurm"),
                        (("--launcher", "env {}", "--gpus", "1"), "is for --launcher slurm"),
                        (("--launcher", "slurm", "--on", "gpu1"), "both say where it runs"),
                        (("--launcher", ""), "needs slurm or a command")):
        result = f.olab_run("run", "--backend", "sim", *words)
        expect(result.returncode == 2 and text in result.stderr, f"{words}: {told(result)}")


GRID = ("--vary", "streams=1..10", "--vary", "kernel.us=100..1000+100", "--set", "iterations=20", "--backend", "sim-engine")


def sweep(f, folder, *words, grid=GRID, timeout=400):
    return f.olab_run("sweep", *grid, "--launcher", "slurm", "-o", folder, "--json", *words, timeout=timeout)


def runs_of(f, folder):
    """Of each cell: how many timed runs and how many reports there are."""
    counts = {}
    for line in (f.shared / folder / "runs.jsonl").read_text().splitlines():
        run = json.loads(line)
        times, reports = counts.get(run["cell"], (0, 0))
        counts[run["cell"]] = (times + bool(run.get("counts")), reports + ("numbers" in run))
    return counts


def problems_of(result):
    cells = json.loads(result.stdout)["cells"] if result.stdout.startswith("{") else []
    return {",".join(f"{k}={v}" for k, v in c["at"].items()): c["problem"] for c in cells if c.get("problem")}


def expect_whole(f, folder, result, cells, repeats):
    problems = problems_of(result)
    expect(result.returncode == 0 and not problems, f"exit code {result.returncode}, {problems}\n{result.stderr[-1500:]}")
    report = json.loads(result.stdout)
    expect(report["measured_cells"] in (0, cells) and len(report["cells"]) == cells, "cells are missing")
    expect(all(len(c["times_ns"]) == repeats for c in report["cells"]), "runs are missing or twice")
    counts = runs_of(f, folder)
    expect(len(counts) == cells and set(counts.values()) == {(repeats, 1)}, f"{len(counts)} cells, {set(counts.values())}")
    expect(not (f.shared / folder / "cells").exists(), "folders of cells were left")
    return {json.dumps(c["at"]): c["times_ns"] for c in report["cells"]}


def tasks_done(f, folder, runs=4):
    return sum(1 for file in (f.shared / folder / "cells").glob("*/runs.jsonl") if file.read_text().count("\n") >= runs)


def case_a_hundred_cells_and_a_node_that_dies(f):
    local = f.start(f.olab, "sweep", *GRID, "--launcher", "slurm", "-o", "hundred", "--repeat", "3", "--json")
    wait_until(lambda: tasks_done(f, "hundred") >= 30 or local.poll() is not None, 120, "thirty cells")
    wait_until(lambda: " R n2" in f.queue() or local.poll() is not None, 60, "a task on the second node")
    f.kill_node("n2")
    expect(local.poll() is None and tasks_done(f, "hundred") < 100, "too late: all was done")
    out, err = local.communicate(timeout=300)
    requeued = "Requeue" in (f.folder / "ctld.log").read_text(errors="replace").title()
    f.start_node("n2")
    local.stdout = local.stderr = None
    result = type("Result", (), {"returncode": local.returncode, "stdout": out, "stderr": err})
    times = expect_whole(f, "hundred", result, 100, 3)
    expect(requeued, "no task was on the node that died")
    here = f.olab_run("sweep", *GRID, "-o", "here", "--repeat", "3", "--json")
    expect({json.dumps(c["at"]): c["times_ns"] for c in json.loads(here.stdout)["cells"]} == times,
           "the simulator repeats itself, but the times differ from those of a sweep here")
    wait_until(lambda: f.states().count("idle") == len(f.nodes), 60, "the node is back")


SMALL_GRID = ("--vary", "streams=1..8", "--set", "iterations=8", "--backend", "sim-engine")


def case_more_repeats_go_on(f):
    first = expect_whole(f, "more", sweep(f, "more", grid=SMALL_GRID), 8, 1)
    then = expect_whole(f, "more", sweep(f, "more", "--repeat", "3", grid=SMALL_GRID), 8, 3)
    expect(all(then[at][:1] == times for at, times in first.items()), "what was there was measured again")
    again = f.olab_run("sweep", "more", "--launcher", "slurm", "--json")
    expect_whole(f, "more", again, 8, 3)


def case_a_sweep_is_cancelled_and_goes_on(f):
    local = f.start(f.olab, "sweep", *GRID, "--launcher", "slurm", "-o", "stopped", "--json")
    wait_until(lambda: tasks_done(f, "stopped", runs=2) >= 5, 120, "five cells")
    local.send_signal(signal.SIGINT)
    out, err = local.communicate(timeout=60)
    expect(local.returncode == 5 and "runs are kept in" in err, f"{local.returncode}: {err}")
    expect(not f.queue().strip(), f"tasks are left: {f.queue()}")
    before = sum(times for times, _ in runs_of(f, "stopped").values())
    expect(0 < before < 100, f"{before} runs were kept")
    expect_whole(f, "stopped", sweep(f, "stopped"), 100, 1)


def case_a_sweep_whose_command_was_killed_is_waited_for(f):
    local = f.start(f.olab, "sweep", *GRID, "--launcher", "slurm", "-o", "killed", "--json")
    wait_until(lambda: " R n" in f.queue(), 60, "a task")
    local.kill()
    local.communicate()
    result = sweep(f, "killed")
    expect("waiting for tasks that run already" in result.stderr, told(result))
    expect_whole(f, "killed", result, 100, 1)


def case_slurm_takes_no_sweep(f):
    result = sweep(f, "refused", "--partition", "nosuch", grid=SMALL_GRID)
    expect(result.returncode == 4 and "Slurm took no job" in result.stderr and "partition" in result.stderr, told(result))


def case_a_sweep_by_a_command_of_the_user(f):
    wrapper = f.shared / "one at a time"
    wrapper.write_text("#!/bin/sh\n[ ! -f bad ] || case \"$*\" in *'--cell 3'*) echo no luck today >&2; exit 9 ;; esac\nexec \"$@\"\n")
    wrapper.chmod(0o755)
    (f.shared / "bad").touch()
    words = ("sweep", *SMALL_GRID, "--launcher", "'./one at a time' {}", "--at-once", "3", "-o", "by me", "--json")
    result = f.olab_run(*words)
    expect(result.returncode == 4, told(result))
    problems = problems_of(result)
    expect(problems == {"streams=4": "Its task ended without a result: no luck today"}, str(problems))
    (f.shared / "bad").unlink()
    before = (f.shared / "by me" / "runs.jsonl").read_text()
    expect_whole(f, "by me", f.olab_run(*words), 8, 1)
    expect((f.shared / "by me" / "runs.jsonl").read_text().startswith(before), "what was there was measured again")


def case_sweep_options_that_do_not_fit(f):
    for words, text in ((("--launcher", "slurm"), "needs a folder"), (("--launcher", "slurm", "-o", "x", "--best"), "--best"),
                        (("--launcher", "slurm", "-o", "x", "--at-once", "2"), "Slurm itself decides"),
                        (("--gpus", "1"), "is for --launcher slurm"), (("--cell", "1"), "is not a cell")):
        result = f.olab_run("sweep", *SMALL_GRID, *words)
        expect(result.returncode == 2 and text in result.stderr, f"{words}: {told(result)}")


def case_no_slurm_here(f):
    empty = f.folder / "empty"
    empty.mkdir(exist_ok=True)
    result = f.olab_run("run", "--launcher", "slurm", "--backend", "sim", PATH=str(empty))
    expect(result.returncode == 3 and "There is no srun on this machine" in result.stderr, told(result))


def program(f):
    name, cupti = os.environ.get("OLAB_TEST_PROGRAM"), os.environ.get("OLAB_TEST_CUPTI")
    if not name or not cupti:
        raise Skipped("this build has no program to trace")
    shutil.copy(name, f.shared / "app")
    (f.shared / "started").write_text("#!/bin/sh\ndate +%s%N >\"begin.$SLURM_PROCID\"\nexec ./app \"$@\"\n")
    (f.shared / "started").chmod(0o755)
    return {"OLAB_CUPTI": cupti}


def case_ranks_start_together_and_are_merged(f):
    variables = program(f)
    result = f.srun("--ntasks=5", "--nodes=3", f.olab, "trace", "-o", "ranks.olab", "--", "./started", "cuda", "calls:200",
                    **variables)
    expect(result.returncode == 0 and "merged 5 of 5 ranks into" in result.stderr, told(result))
    begins = [int((f.shared / f"begin.{rank}").read_text()) for rank in range(5)]
    expect(max(begins) - min(begins) < 300_000_000, f"{(max(begins) - min(begins)) / 1e6} ms apart")
    report = json.loads(f.olab_run("analyze", "ranks.olab", "--json").stdout)
    expect([r["name"] for r in report["ranks"]] == [f"rank {n}" for n in range(5)], str(report["ranks"]))
    kernels = sum(c["count"] for d in report["devices"].values() for c in d["classes"].values())
    expect(kernels == 5 * 200, f"{kernels} operations")
    expect(not list(f.shared.glob(".olab-*")), "the folder of the meeting was left")


def case_a_rank_that_fails_is_said(f):
    variables = program(f)
    (f.shared / "second fails").write_text("#!/bin/sh\n[ $SLURM_PROCID != 1 ] || exec ./app cuda calls:50 exit:3\nexec ./app cuda calls:50\n")
    (f.shared / "second fails").chmod(0o755)
    result = f.srun("--ntasks=2", f.olab, "trace", "-o", "failed.olab", "--", "./second fails", **variables)
    expect(result.returncode == 3 and "merged 2 of 2 ranks" in result.stderr, told(result))


def case_ranks_apart(f):
    variables = program(f)
    result = f.srun("--ntasks=2", "sh", "-c",
                    f"exec '{f.olab}' trace --apart --no-analysis -o apart-$SLURM_PROCID.olab -- ./app cuda calls:10", **variables)
    expect(result.returncode == 0 and (f.shared / "apart-0.olab").exists() and (f.shared / "apart-1.olab").exists(), told(result))


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]

if __name__ == "__main__":
    main(sys.argv[1], SlurmFixture, CASES)
