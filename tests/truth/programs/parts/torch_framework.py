"""What loops.py needs of PyTorch."""
import torch

PROFILED = 12  # iterations in a recording of the profiler


def settings():
    """Once, after the import of PyTorch."""
    torch.manual_seed(1)
    torch.set_num_threads(4)


def synchronize():
    """Waits for the device."""
    torch.cuda.synchronize()


def clean():
    """Gives back memory between pairs."""
    torch.cuda.empty_cache()


def kineto(step, path, iterations=PROFILED):
    """Calls step() some times more than `iterations` and writes what the profiler of PyTorch records of so many calls
    to a file in Chrome's format."""
    from torch.profiler import ProfilerActivity, profile, schedule
    wait, warm_up = 1, 3
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                 schedule=schedule(wait=wait, warmup=warm_up, active=iterations, repeat=1),
                 on_trace_ready=lambda profiler: profiler.export_chrome_trace(str(path)),
                 record_shapes=False, with_stack=False) as profiler:
        for _ in range(wait + warm_up + iterations + 1):
            step()
            profiler.step()
    synchronize()
