#!/usr/bin/env python3
"""Training on two GPUs whose gradients are added up over both, by NCCL: one process a rank.

    two_ranks.py run CAPTURE_LIBRARY OUT       on a machine with two GPUs and PyTorch
    two_ranks.py judge OLAB OUT                anywhere

Three programs: `after` adds all gradients up after the backward pass; `beside` adds each one up as soon as it is
there, while the backward pass goes on; `late` is `beside`, but rank 1 prepares its batch in the loop, which takes
Python longer than the device needs for a step.
`run` writes OUT/truth.jsonl (times without recording), OUT/VARIANT-rankN.olab and OUT/VARIANT-rankN.json.gz.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent
VARIANTS = ("after", "beside", "late")
ROUNDS, ITERATIONS = 4, 20


def make(variant, rank):
    """step(i) of this rank."""
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F
    from torch_models import labels, network
    model, y = network(4096, 8192, 8), labels(2048)
    parameters = list(model.parameters())
    optimizer = torch.optim.SGD(parameters, lr=1e-6, fused=True)
    x, pending = torch.randn(2048, 4096, device="cuda", dtype=torch.bfloat16), []
    rows = [[float(n + k) for n in range(2000)] for k in range(240)]

    def add_up(parameter):
        pending.append(dist.all_reduce(parameter.grad, async_op=True))
    if variant != "after":
        for parameter in parameters:
            parameter.register_post_accumulate_grad_hook(add_up)

    def step(i):
        if variant == "late" and rank == 1:
            sorted(sum(v * v for v in row) for row in rows)
        optimizer.zero_grad(set_to_none=True)
        F.cross_entropy(model(x).float(), y).backward()
        if variant == "after":
            for parameter in parameters:
                add_up(parameter)
        for work in pending:
            work.wait()
        pending.clear()
        optimizer.step()
    return step


def times_of(steps, sync):
    times = {variant: [] for variant in steps}
    for _ in range(ROUNDS):
        for variant, step in steps.items():
            step(0), step(1)
            sync()
            begin = time.perf_counter_ns()
            for i in range(ITERATIONS):
                step(i)
            sync()
            times[variant].append((time.perf_counter_ns() - begin) // ITERATIONS)
    return times


def profile(step, file):
    from torch.profiler import ProfilerActivity, profile as recorded, schedule
    with recorded(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                  schedule=schedule(wait=1, warmup=2, active=8, repeat=1),
                  on_trace_ready=lambda p: p.export_chrome_trace(str(file))) as profiler:
        for i in range(12):
            step(i)
            profiler.step()


def rank_main(mode, variant, out, library):
    """In a process of its own. RANK is in the environment."""
    rank = int(os.environ["RANK"])
    recorder = None
    if mode == "capture":
        from loop_runner import Capture
        recorder = Capture(library)
        recorder.start(str(out / f"{variant}-rank{rank}.olab"))
    import torch
    import torch.distributed as dist
    torch.manual_seed(1)
    torch.set_num_threads(4)
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    if mode == "capture":
        step = make(variant, rank)
        for i in range(24):
            step(i)
        torch.cuda.synchronize()
        recorder.stop()
    elif mode == "truth":
        times = times_of({v: make(v, rank) for v in VARIANTS}, torch.cuda.synchronize)
        if rank == 0:
            (out / "truth.jsonl").write_text(json.dumps(times) + "\n")
    else:
        for v in VARIANTS:
            step = make(v, rank)
            profile(step, out / f"{v}-rank{rank}.json.gz")
            step = None
            torch.cuda.empty_cache()
    dist.barrier()
    sys.stdout.flush()
    os._exit(0)


def both_ranks(port, *arguments, limit=60):
    begin, ranks = time.time(), []
    for rank in range(2):
        environment = dict(os.environ, RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK=str(rank), MASTER_ADDR="127.0.0.1",
                           MASTER_PORT=str(port))
        ranks.append(subprocess.Popen([sys.executable, __file__, "rank", *map(str, arguments)], env=environment))
    codes = []
    for process in ranks:
        try:
            codes.append(process.wait(max(1, limit - (time.time() - begin))))
        except subprocess.TimeoutExpired:
            process.kill()
            codes.append("late")
    print(*arguments[:2], codes, f"{time.time() - begin:.0f} s", flush=True)


def run(library, out):
    out.mkdir(parents=True, exist_ok=True)
    both_ranks(29511, "truth", "-", out, "-")
    for n, variant in enumerate(VARIANTS):
        both_ranks(29521 + n, "capture", variant, out, pathlib.Path(library).resolve())
    both_ranks(29531, "kineto", "-", out, "-")


# ---- judge

def report(olab, *arguments):
    done = subprocess.run([olab, "analyze", *map(str, arguments), "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout.startswith("{") else {"failed": done.stderr}


def first_causes(ledger):
    own = max(1, ledger["measured_ns"] - sum(c["cost_ns"] for c in ledger["causes"] if c["id"] == "tool"))
    return ", ".join(f"{c['id']} {100 * c['cost_ns'] / own:.1f} (alone {100 * c['gain_ns'] / own:.1f})"
                     for c in ledger["causes"][:3])


def judge(olab, out):
    times = {v: statistics.median(t) for v, t in json.loads((out / "truth.jsonl").read_text()).items()}
    for variant in VARIANTS:
        gain = 1 - times["beside"] / times[variant]
        print(f"{variant}: {times[variant] / 1e6:.2f} ms a step untraced; beside takes {100 * gain:.1f} % less")
        for ending in ("olab", "json.gz"):
            files = sorted(f for f in out.iterdir() if re.fullmatch(rf"{variant}-rank\d\.{re.escape(ending)}", f.name))
            for file in files:
                ledger = report(olab, file).get("ledger")
                print(f"  {file.name:24}", first_causes(ledger) if ledger else "no account")
            merged = report(olab, *files, "--merge") if len(files) == 2 else {}
            together = merged.get("collectives") or {}
            print("  together:", together.get("text"), "| straggler:", together.get("straggler"))
            print("    ", merged.get("headline"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["rank"]:
        sys.path[:0] = [str(PROGRAMS), str(PROGRAMS / "parts")]
        rank_main(sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5])
    elif sys.argv[1:2] == ["run"] and len(sys.argv) == 4:
        run(sys.argv[2], pathlib.Path(sys.argv[3]).resolve())
    elif sys.argv[1:2] == ["judge"] and len(sys.argv) == 4:
        judge(sys.argv[2], pathlib.Path(sys.argv[3]))
    else:
        sys.exit(__doc__)
