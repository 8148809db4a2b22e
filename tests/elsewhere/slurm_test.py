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
