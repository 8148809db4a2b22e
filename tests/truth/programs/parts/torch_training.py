"""Whole loops that several programs in PyTorch vary."""
import torch
import torch.nn.functional as F

from torch_capture import prefetched_graphs, replayed
from torch_models import BF16, labels, network
from torch_staging import Prefetcher, host_batches


class Trainer:
    """A model, an optimizer and a loss of classes."""

    def __init__(self, model, optimizer=None):
        self.model = model
        self.optimizer = optimizer or torch.optim.SGD(model.parameters(), lr=1e-5)

    def backward(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(self.model(x).float(), y)
        loss.backward()
        return loss.detach()

    def step(self, x, y):
        loss = self.backward(x, y)
        self.optimizer.step()
        return loss


class Log:
    """What training scripts write each step: a line, and the mean and spread of the last values."""

    def __init__(self, values):
        self.window = [float(n) for n in range(values)]
        self.line = ""

    def add(self, value):
        self.window.pop(0)
        self.window.append(value)
        mean = sum(self.window) / len(self.window)
        spread = sum((v - mean) * (v - mean) for v in self.window) / len(self.window)
        self.line = f"loss {value:.4f} mean {mean:.4f} spread {spread:.4f}"


def copied_training(variant, shape, width, layers):
    """Training on batches that are copied in the stream of the kernels, `bad` from pageable memory; `further` ahead."""
    pinned = variant != "bad"
    batches = host_batches(shape, pinned)
    trainer, y = Trainer(network(shape[1], width, layers)), labels(shape[0])
    if variant == "further":
        return prefetched_graphs(Prefetcher(batches), lambda x: trainer.step(x, y))

    def step(i):
        trainer.step(batches[i % 2].to("cuda", non_blocking=pinned), y)
    return step


def prefetched_training(shape, width, layers, prefetcher):
    """Training on batches that prefetcher(batches) brings."""
    batches = host_batches(shape, pinned=True)
    trainer, y = Trainer(network(shape[1], width, layers)), labels(shape[0])
    source = prefetcher(batches)

    def step(i):
        trainer.step(source.take(i), y)
        source.give_back(i)
    return step


def logged_training(variant, layers, values, read):
    """A line is logged in each step; read(i, loss) gives its number in each step or in one of 50. `further` and
    `other`: a step is a graph."""
    trainer, y = Trainer(network(256, 2048, layers)), labels(8192)
    x = torch.randn(8192, 256, device="cuda", dtype=BF16)
    log, seen, each = Log(values), {}, variant in ("bad", "other")

    def learn():
        seen["loss"] = trainer.step(x, y)
    learn = replayed(learn, variant, ("further", "other"))

    def step(i):
        learn()
        log.add(read(i, seen["loss"]) if each or i % 50 == 0 else 0.0)
    return step


def judged(rows, width, layers, outputs, take):
    """Inference; take(i, result) does with the result what it will."""
    model = network(width, width, layers, outputs).requires_grad_(False)
    x = torch.randn(rows, width, device="cuda", dtype=BF16)
    return lambda i: take(i, model(x))
