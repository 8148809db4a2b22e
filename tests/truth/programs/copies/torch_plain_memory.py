"""Copies from and to pageable memory in PyTorch."""
import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import as_graph, fed_graph, prefetched_graphs, replayed
from torch_models import BF16, Update, class_loss, encoder, labels, network
from torch_staging import Collector, Delayed, Prefetcher, Snapshots, host_batches
from torch_training import Trainer, copied_training, judged

pairs = Pairs("torch")


@pairs.pair("pageable", further="launch-bound python host-late same-stream too-few-streams")
def batches_from_plain_memory(variant):
    """Batches of 32 MiB lie in pageable memory, so each copy goes through the driver's staging and the host waits for
    it. Mended: they are pinned, and the copies are asynchronous. Further: they are copied ahead, and a step is a graph.
    """
    return copied_training(variant, (4096, 4096), 4096, 8)


@pairs.pair("pageable host-sync readback", further="launch-bound python host-late",
            other="launch-bound python host-late")
def numbers_made_tensors_in_loop(variant):
    """Four numbers become tensors on the host in the middle of each step and are moved to the device; each of these
    small pageable copies waits for the stream. Mended: the tensors are made before the loop. Further: the step is a
    graph. Other: all before the numbers is."""
    trainer, y = Trainer(network(256, 4096, 4)), labels(4096)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)
    constants = [torch.full((), 1 + n / 1000, device="cuda") for n in range(4)]

    made, seen = variant in ("bad", "other"), {}

    def slopes():
        seen["loss"] = trainer.backward(x, y)
    before = replayed(slopes, variant, ("other",))

    def learn():
        before()
        loss = seen["loss"]
        for n in range(4):
            factor = torch.tensor(1 + n / 1000).to("cuda") if made else constants[n]
            loss = loss * factor
        trainer.optimizer.step()
    learn = replayed(learn, variant)
    return lambda i: learn()


class Windows:
    """A batch as a class of its own. The loader pins only what it knows, or what has pin_memory()."""

    def __init__(self, values, classes):
        self.values, self.classes = values, classes

    def to_device(self):
        return self.values.to("cuda", non_blocking=True), self.classes.to("cuda", non_blocking=True)


class PinnedWindows(Windows):
    def pin_memory(self):
        return PinnedWindows(self.values.pin_memory(), self.classes.pin_memory())


class Sensors(torch.utils.data.Dataset):
    """Each item is a batch of 4 MiB."""

    def __init__(self, kind, rows=4096, columns=512):
        self.kind = kind
        self.values = torch.randn(rows, columns).to(BF16)
        self.classes = torch.arange(rows) % 16

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        return self.kind(self.values.roll(i, 0), self.classes.roll(i, 0))


class WindowLoader:
    """Two workers, a few batches ahead."""

    def __init__(self, kind):
        self.batches = iter(torch.utils.data.DataLoader(Sensors(kind), batch_size=None, num_workers=2, pin_memory=True,
                                                        prefetch_factor=2))

    def next(self):
        return next(self.batches)

    def close(self):
        self.batches._shutdown_workers()
        self.batches = None


@pairs.pair("pageable host-sync", removes="pageable", allowed=("same-stream",), further="python launch-bound host-late")
def batch_class_that_loader_cannot_pin(variant):
    """The loader has pin_memory=True, but the batches, 4 MiB each, are of a class that it does not know, so they stay
    pageable. Mended: the class has pin_memory(). 8 to 25 %. Further: what follows the copies is a graph."""
    model, y = network(512, 4096, 8), WindowLoader(Windows if variant == "bad" else PinnedWindows)
    update = Update(model)
    still = y.next().to_device()

    def learn(values, classes):
        update.backward(class_loss(model(values), classes))
        update.step()
    graph = as_graph(lambda: learn(*still)) if variant == "further" else None

    def step(i):
        if graph:
            for kept, new in zip(still, y.next().to_device()):
                kept.copy_(new)
            graph.replay()
        else:
            learn(*y.next().to_device())
    step.finish = y.close
    return step


class Dictionary:
    """Spectra as sums of a few of 4096 shapes. The weights of the shapes are found in rounds, then the shapes are
    updated."""

    def __init__(self, width, shapes):
        self.shapes = F.normalize(torch.randn(shapes, width, device="cuda"), dim=1).to(BF16)

    @torch.no_grad()
    def learn(self, counts):
        x = counts.to(BF16).mul_(1 / 32).sub_(1)
        much = torch.relu(x @ self.shapes.t()).mul_(0.1)
        for _ in range(10):
            rest = torch.addmm(x, much, self.shapes, alpha=-1)
            much = torch.addmm(much, rest, self.shapes.t(), alpha=0.1).sub_(0.01).relu_()
        rest = torch.addmm(x, much, self.shapes, alpha=-1)
        changed = torch.addmm(self.shapes, much.t(), rest, alpha=1e-5)
        self.shapes.copy_(F.normalize(changed.float(), dim=1))
        return rest.float().square().mean()


def chunks_on_disk(count, rows, width):
    """Counts of a detector in a mapped file. Its name is removed at once, so it ends with the program."""
    random = np.random.default_rng(17)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "counts")
        random.integers(0, 64, (count, rows, width), dtype=np.int16).tofile(name)
        mapped = np.memmap(name, np.int16, "r+", shape=(count, rows, width))
    return [torch.from_numpy(chunk) for chunk in mapped]


@pairs.pair("pageable", allowed=("stretched",))
def chunks_from_mapped_file(variant):
    """A dictionary learns from chunks of 17 MB, 4 ms each, which come a step ahead in a copy stream. They lie in a
    mapped file, which is pageable: each copy holds its call, behind the kernels, for some 2 ms. Mended: they were read
    into pinned memory. 20 to 40 %."""
    torch.manual_seed(17)
    chunks = chunks_on_disk(4, 8192, 1024)
    if variant == "mended":
        chunks = [chunk.pin_memory() for chunk in chunks]
    coming, shapes, late, log = Prefetcher(chunks), Dictionary(1024, 4096), Delayed((), torch.float32), {}

    def step(i):
        log["rest"] = shapes.learn(coming.take(i))
        coming.give_back(i)
        log["before"] = float(late.exchange(i, log["rest"]))
    return giving(step, lambda: log["rest"])


class Aside:
    """An activation in pinned memory until its backward pass. It goes and comes in a stream of its own."""

    def __init__(self, shape):
        self.host, self.stream = torch.zeros(shape, dtype=BF16).pin_memory(), torch.cuda.Stream()

    def pack(self, value):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            self.host.copy_(value, non_blocking=True)
        value.record_stream(self.stream)
        return value.device

    def unpack(self, device):
        with torch.cuda.stream(self.stream):
            value = self.host.to(device, non_blocking=True)
        torch.cuda.current_stream().wait_stream(self.stream)
        value.record_stream(torch.cuda.current_stream())
        return value


@pairs.pair("pageable readback host-sync", removes="pageable", allowed=("readback", "host-sync", "same-stream"),
            further="launch-bound python host-late readback host-sync same-stream too-few-streams")
def activations_saved_in_plain_memory(variant):
    """save_on_cpu() keeps an activation of 8 MiB on the host until its backward pass, in pageable memory. Mended: in
    pinned memory. 10 to 30 %. Further: its copies have a stream, for which the host does not wait, and the step is a
    graph."""
    first, last = network(512, 4096, 4, 512), network(512, 4096, 4)
    update, y = Update(nn.ModuleList([first, last])), labels(8192)
    x = torch.randn(8192, 512, device="cuda", dtype=BF16)
    aside = Aside((8192, 512)) if variant == "further" else None

    def saved():
        if aside:
            return torch.autograd.graph.saved_tensors_hooks(aside.pack, aside.unpack)
        return torch.autograd.graph.save_on_cpu(pin_memory=variant == "mended")

    def learn():
        hidden = first(x)
        with saved():
            hidden = F.gelu(hidden)
        update.backward(class_loss(last(hidden), y))
        update.step()
    learn = replayed(learn, variant)
    return lambda i: learn()


@pairs.pair("pageable readback host-sync same-stream", removes="pageable readback host-sync")
def outputs_fetched_to_plain_memory(variant):
    """Results of 16 MiB a batch are fetched by .cpu(), which waits for the batch and copies to pageable memory. Mended:
    they go to pinned memory in a side stream."""
    collector = Collector((8192, 1024))
    take = (lambda i, y: y.cpu()) if variant == "bad" else collector.take
    return judged(8192, 4096, 8, 1024, take)


@pairs.pair("pageable readback host-sync", further="launch-bound python host-late")
def weights_saved_every_second_step(variant):
    """Every second step all weights, 25 MB, are fetched by .cpu(), one by one, while the device waits. Mended: they go
    to pinned memory in a side stream. 15 to 35 %. Further: the step is two graphs."""
    model = encoder(512, 8, 4)
    head = nn.Linear(512, 16, device="cuda", dtype=BF16)
    update = Update(nn.ModuleList([model, head]))
    x, y = torch.randn(112, 256, 512, device="cuda", dtype=BF16), labels(112)
    snapshots, saved = Snapshots(update.parameters), {"weights": None}

    def slopes():
        update.backward(class_loss(head(model(x).mean(1)), y))
    slopes = replayed(slopes, variant)
    if variant == "further":
        slopes()  # the graph of the update is tried on them
    change = replayed(update.step, variant)

    def step(i):
        slopes()
        snapshots.keep()
        change()
        if i % 2 == 1 and variant == "bad":
            saved["weights"] = [p.detach().cpu() for p in update.parameters]
        elif i % 2 == 1:
            snapshots.take(i // 2)
    return step


@pairs.pair("pageable host-sync", removes="pageable", allowed=("host-sync",), other="launch-bound python host-late",
            further="host-sync launch-bound python host-late same-stream too-few-streams")
def plain_memory_and_synchronize(variant):
    """Two mistakes: batches of 16 MiB lie in pageable memory, and the host waits for the device after each step.
    Mended: pinned batches; the wait stays. Further: it does not, batches are copied ahead, and a step is a graph.
    Other: what follows the copy is a graph."""
    batches = host_batches((4096, 2048), pinned=variant in ("mended", "further"))
    trainer, y = Trainer(network(2048, 4096, 6)), labels(4096)

    def learn(x):
        trainer.step(x, y)
    if variant == "further":
        return prefetched_graphs(Prefetcher(batches), learn)
    graph = fed_graph(batches[0], lambda i: batches[i % 2], learn) if variant == "other" else None

    def step(i):
        if graph:
            graph(i)
        else:
            learn(batches[i % 2].to("cuda", non_blocking=True))
        torch.cuda.synchronize()
    return step
