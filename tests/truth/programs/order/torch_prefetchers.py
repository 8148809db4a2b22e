"""Batches in PyTorch that come ahead in a stream of their own: too late, or in time."""
import zlib

import torch

from loop_runner import Pairs, giving
from torch_models import BF16, Update, class_loss, labels, network, size_of
from torch_staging import Collector, Prefetcher, host_batches

pairs = Pairs("torch")


class Hasty(Prefetcher):
    """Waits for all work of its stream, and so for the next batch too, which was just asked for."""

    def take(self, i):
        self.fetch(i + 1)
        torch.cuda.current_stream().wait_stream(self.stream)
        return self.buffers[i % 2]


@pairs.pair("event-order", allowed=("stretched",))
def micro_batches_wait_for_next_one(variant):
    """Gradients of four batches are summed up in each step. A batch, 16 MiB or 0.32 ms, comes while the one before is
    used, about 1.1 ms. The kernels wait for the whole copy stream, where the next batch is then. Mended: for an event
    behind their own batch. 15 to 27 %."""
    torch.manual_seed(26)
    model, y, seen = network(2048, 2048, 5), labels(4096), {}
    update, batches = Update(model), host_batches((4096, 2048), pinned=True, count=3)
    source = (Hasty if variant == "bad" else Prefetcher)(batches)

    def step(i):
        update.optimizer.zero_grad(set_to_none=True)
        for n in range(4 * i, 4 * i + 4):
            loss = class_loss(model(source.take(n)), y) / 4
            loss.backward()
            source.give_back(n)
        update.step()
        seen["loss"] = loss.detach()
    return giving(step, lambda: seen["loss"])


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_film_sharpened_in_ring(variant):
    """Frames of 16 MiB come a step ahead, are sharpened, about 2 ms, and leave, each in a stream of its own, two slots.
    The host waits for the frame of the step before and finds a checksum of a part of it meanwhile."""
    torch.manual_seed(27)
    model = network(1024, 4096, 4, 1024).requires_grad_(False)
    source = Prefetcher(host_batches((8192, 1024), pinned=True, count=3))
    leaving, log = Collector((8192, 1024)), {"sum": 0}

    @torch.no_grad()
    def step(i):
        log["frame"] = model(source.take(i))
        source.give_back(i)
        leaving.take(i, log["frame"])
        if i:
            before = 1 - i % 2
            leaving.done[before].synchronize()
            log["sum"] ^= zlib.crc32(leaving.host[before][:512].view(torch.int16).numpy())
    return giving(step, lambda: size_of(log["frame"]))
