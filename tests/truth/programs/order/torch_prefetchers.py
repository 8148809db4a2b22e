"""Batches in PyTorch that come ahead in a stream of their own: too late, or in time."""
import zlib

import torch

from loop_runner import Pairs, giving
from torch_capture import replayed
from torch_models import BF16, Update, class_loss, labels, network, size_of
from torch_staging import Collector, Prefetcher, host_batches

pairs = Pairs("torch")


class Hasty(Prefetcher):
    """Waits for all work of its stream, and so for the next batch too, which was just asked for."""

    def take(self, i):
        self.fetch(i + 1)
        torch.cuda.current_stream().wait_stream(self.stream)
        return self.buffers[i % 2]


@pairs.pair("event-order", allowed=("stretched",), further="launch-bound python host-late")
def micro_batches_wait_for_next_one(variant):
    """Gradients of four batches are summed up in each step. A batch, 16 MiB or 0.32 ms, comes while the one before is
    used, about 1.1 ms. The kernels wait for the whole copy stream, where the next batch is then. Mended: for an event
    behind their own batch. 15 to 27 %. Further: what is learned of a batch is a graph, and so is the update."""
    torch.manual_seed(26)
    model, y, seen = network(2048, 2048, 5), labels(4096), {}
    update, batches = Update(model), host_batches((4096, 2048), pinned=True, count=3)
    source = (Hasty if variant == "bad" else Prefetcher)(batches)

    def learn(batch):
        loss = class_loss(model(batch), y) / 4
        loss.backward()
        seen["loss"] = loss.detach()

    def clear():
        update.optimizer.zero_grad(set_to_none=variant != "further")
    if variant == "further":  # graphs add to the gradients that are there, and are tried on good values
        torch.cuda.synchronize()
        source.buffers[1].copy_(source.buffers[0])
        learn(source.buffers[0])
    learns = [replayed(lambda batch=batch: learn(batch), variant) for batch in source.buffers]
    clear, change = replayed(clear, variant), replayed(update.step, variant)

    def step(i):
        clear()
        for n in range(4 * i, 4 * i + 4):
            source.take(n)
            learns[n % 2]()
            source.give_back(n)
        change()
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
