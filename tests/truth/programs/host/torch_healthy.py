"""Programs in PyTorch with a busy host that keeps the device busy."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import replayed
from torch_models import BF16, labels, network
from torch_serving import Requests, TextModel, served_ahead
from torch_staging import Collector, Delayed, Prefetcher

pairs = Pairs("torch")


class ScaledTraining:
    """Mixed precision: float weights, an autocast forward pass, a scaler of the loss, a fused optimizer."""

    def __init__(self, layers, rows):
        self.model = network(512, 2048, layers).float()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-5, fused=True, capturable=True)
        self.scaler = torch.amp.GradScaler("cuda")
        self.x, self.y = torch.randn(rows, 512, device="cuda"), labels(rows)

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(self.model(self.x), self.y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()


@pairs.healthy(further="launch-bound python host-late")
def healthy_mixed_precision(variant):
    """Mixed precision with a gradient scaler and a moving mean of the weights; the loss of the step before is
    logged. Further: all but that is a graph."""
    training, late, log = ScaledTraining(8, 8192), Delayed((), torch.float32), {"loss": 0.0}
    weights = list(training.model.parameters())
    means = [w.detach().clone() for w in weights]

    def learn():
        log["now"] = training.step()
        with torch.no_grad():
            torch._foreach_lerp_(means, weights, 0.01)
    learn = replayed(learn, variant)

    def step(i):
        learn()
        log["loss"] = float(late.exchange(i, log["now"]))
    return step


@pairs.healthy(allowed=("same-stream",),
               further="launch-bound python host-late data-loading same-stream too-few-streams")
def healthy_server(variant):
    """Groups of requests come from pinned memory, two buffers; a group is answered while the next one is under way.
    Further: they come ahead, and the model is a graph."""
    model = TextModel().requires_grad_(False)
    texts = torch.randint(0, 4096, (160, 256))
    requests = Requests(160, 48, 0.5e-3)
    if variant == "further":
        return served_ahead(model, texts, requests)
    staging = [torch.empty(48, 256, dtype=torch.long).pin_memory() for _ in range(2)]
    collector = Collector((48,), dtype=torch.long, side_stream=False)
    under_way, answers = {}, {}

    def answer(slot):
        collector.done[slot].synchronize()
        clients = under_way.pop(slot)
        answers.update(zip(clients, collector.host[slot].tolist()))
        requests.answered(clients)

    @torch.no_grad()
    def step(i):
        slot = i % 2
        under_way[slot] = requests.take(until_full=True)
        torch.index_select(texts, 0, torch.tensor(under_way[slot]), out=staging[slot])
        collector.take(i, model(staging[slot].to("cuda", non_blocking=True)))
        if i:
            answer(1 - slot)
    return step


class Scans(Prefetcher):
    """Pages in black and white, one bit a pixel. A thread unpacks them to one of two pinned buffers, from which they
    come one step ahead."""

    def __init__(self):
        random = np.random.default_rng(20)
        self.bits = random.integers(256, size=(4, 16 * 512 * 512 // 8), dtype=np.uint8)
        self.worker = ThreadPoolExecutor(1)
        host = [torch.zeros(16, 1, 512, 512, dtype=torch.uint8).pin_memory() for _ in range(2)]
        self.full = [torch.cuda.Event() for _ in range(2)]
        self.ready = [self.worker.submit(self.unpack, host[n], n) for n in range(2)]
        super().__init__(host)

    def unpack(self, place, i):
        self.full[i % 2].synchronize()
        place.numpy().reshape(-1)[...] = np.unpackbits(self.bits[i % 4])

    def fetch(self, i):
        self.ready[i % 2].result()
        super().fetch(i)
        self.ready[i % 2] = self.worker.submit(self.unpack, self.batches[i % 2], i + 2)


def convolutions(inputs, strides, layers, outputs):
    """First ones with these strides, then so many of 256 channels that keep the size, then one to the outputs."""
    sizes = [(inputs, 64, strides[0]), (64, 256, strides[1])] + layers * [(256, 256, 1)]
    parts = []
    for a, b, stride in sizes:
        parts += [nn.Conv2d(a, b, 3, stride, padding=1), nn.ReLU(True)]
    parts.append(nn.Conv2d(256, outputs, 1))
    return nn.Sequential(*parts).to("cuda", BF16, memory_format=torch.channels_last)


class Reader:
    """Reads the letters of pages. How often each one occurs is counted on the host while the next pages are read."""

    def __init__(self):
        self.scans, self.model = Scans(), convolutions(1, (2, 2), 8, 64).requires_grad_(False)
        self.late, self.counts = Delayed((16, 128, 128), torch.uint8), np.zeros(64, np.int64)

    @torch.no_grad()
    def step(self, i):
        x = self.scans.take(i).to(BF16, memory_format=torch.channels_last)
        self.scans.give_back(i)
        letters = self.model(x).argmax(1).to(torch.uint8)
        before = self.late.exchange(i, letters)
        if i > 0:
            self.counts += np.bincount(before.numpy().reshape(-1), minlength=64)


@pairs.healthy(allowed=("stretched",))
def healthy_pages_unpacked_by_thread(variant):
    """Letters of scanned pages are read, 7.5 ms a step. A thread unpacks the pages two steps ahead, they come one step
    ahead in a copy stream, and the letters are counted on the host a step later."""
    torch.manual_seed(20)
    reader = Reader()
    return giving(reader.step, lambda: reader.counts.sum(), reader.scans.worker.shutdown)
