"""Copies in PyTorch that are in the stream of the kernels."""
import concurrent.futures

import torch
import torch.nn as nn

from loop_runner import Pairs, giving
from torch_models import BF16, class_loss, labels, network
from torch_staging import Collector, Prefetcher, host_batches
from torch_training import judged

pairs = Pairs("torch")


@pairs.pair("same-stream")
def outputs_copied_in_kernel_stream(variant):
    """Results of 48 MiB a batch go to pinned memory in the stream of the kernels. Mended: in a side stream."""
    collector = Collector((8192, 3072), side_stream=variant == "mended")
    return judged(8192, 4096, 8, 3072, collector.take)


@pairs.pair("same-stream")
def layer_weights_copied_in_kernel_stream(variant):
    """The weights of eight layers, 8 MiB each, lie in pinned memory and come in the stream of the kernels, when their
    layer is next. Mended: one layer ahead in a stream of their own."""
    weights = [(torch.randn(2048, 2048) / 32).to(BF16).pin_memory() for _ in range(8)]
    x = torch.randn(32768, 2048, device="cuda", dtype=BF16)
    source = Prefetcher(weights) if variant == "mended" else None

    @torch.no_grad()
    def step(i):
        hidden = x
        for n in range(i * 8, i * 8 + 8):
            weight = source.take(n) if source else weights[n % 8].to("cuda", non_blocking=True)
            hidden = torch.relu(hidden @ weight)
            if source:
                source.give_back(n)
    return step


class KeptOnHost(Prefetcher):
    """A prefetcher of tensors that are changed on the device: what was taken goes back in a third stream."""

    def __init__(self, tensors):
        super().__init__(tensors)
        self.back = torch.cuda.Stream()

    def give_back(self, i):
        self.back.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.back):
            self.batches[i % len(self.batches)].copy_(self.buffers[i % 2], non_blocking=True)
            self.free[i % 2].record(self.back)


@pairs.pair("same-stream")
def optimizer_moments_copied_in_kernel_stream(variant):
    """The moments of six weights, 32 MiB each, lie in pinned memory. For the update they come to the device and go back
    in the stream of the kernels. Mended: in two streams of their own. 20 to 45 %."""
    model = network(2048, 2048, 6)
    weights = [layer.weight for layer in model if isinstance(layer, nn.Linear)][:6]
    x, y = torch.randn(8192, 2048, device="cuda", dtype=BF16), labels(8192)
    moments = [torch.zeros(2, 2048, 2048).pin_memory() for _ in weights]
    kept = KeptOnHost(moments) if variant == "mended" else None

    def change(weight, mean, square):
        slope = weight.grad.float()
        mean.lerp_(slope, 0.1)
        square.lerp_(slope * slope, 0.01)
        weight.sub_(mean / (square.sqrt() + 1e-8), alpha=1e-6)

    def update(n, weight):
        here = kept.take(n) if kept else moments[n % 6].to("cuda", non_blocking=True)
        change(weight, here[0], here[1])
        if kept:
            kept.give_back(n)
        else:
            moments[n % 6].copy_(here, non_blocking=True)

    def step(i):
        model.zero_grad(set_to_none=True)
        class_loss(model(x), y).backward()
        with torch.no_grad():
            for n, weight in enumerate(weights):
                update(i * 6 + n, weight)
    return step


class PutByThread:
    """A thread copies each batch to the device while the one before is used, two buffers. It does so in the stream that
    every thread starts with, which is that of the kernels, or in one of its own."""

    def __init__(self, batches, own_stream):
        self.batches = batches
        self.slots = [torch.empty_like(batch, device="cuda") for batch in batches]
        self.full, self.free = [[torch.cuda.Event() for _ in batches] for _ in range(2)]
        self.stream = torch.cuda.Stream() if own_stream else torch.cuda.default_stream()
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.coming = self.pool.submit(self.put, 0)

    def put(self, i):
        slot = i % 2
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[slot])
            self.slots[slot].copy_(self.batches[slot], non_blocking=True)
            self.full[slot].record()

    def take(self, i):
        self.coming.result()
        self.coming = self.pool.submit(self.put, i + 1)
        torch.cuda.current_stream().wait_event(self.full[i % 2])
        return self.slots[i % 2]

    def give_back(self, i):
        self.free[i % 2].record()

    def close(self):
        self.pool.shutdown()


@pairs.pair("same-stream", allowed=("stretched",))
def thread_copies_in_default_stream(variant):
    """A thread copies each batch, 67 MB, one step ahead, but every thread starts with the default stream, which is that
    of the kernels. Mended: the thread has a stream of its own. 8 to 18 %."""
    torch.manual_seed(14)
    model, seen = network(512, 4096, 3).requires_grad_(False), {}
    fields = PutByThread(host_batches((65536, 512), True), variant == "mended")

    @torch.no_grad()
    def step(i):
        x = fields.take(i)
        seen["shares"] = model(x).float().softmax(1).mean(0)
        fields.give_back(i)
    return giving(step, lambda: seen["shares"].square().sum(), fields.close)
