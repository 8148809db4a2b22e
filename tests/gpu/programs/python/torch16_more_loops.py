#!/usr/bin/env python3
"""The sixteenth set of loops in PyTorch, continued from torch16_loops.py. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import concurrent.futures
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch2_parts import BF16, Update, capturable, class_loss
from torch_loops import main
from torch_parts import Delayed, Prefetcher, as_graph, host_batches, labels, network

pairs = loop_runner.Pairs("torch16_more")


class Skips(nn.Module):
    """A class of 64 values, by layers of one width, each of which adds a little."""

    def __init__(self, width, layers):
        super().__init__()
        with torch.device("cuda"):
            self.into, self.out = nn.Linear(64, width), nn.Linear(width, 16)
            self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(layers)])
        self.to(BF16)

    def forward(self, x):
        x = self.into(x)
        for layer in self.layers:
            x = torch.add(x, F.relu(layer(x)), alpha=0.3)
        return self.out(x)


def parts_of(one, weights):
    """Views of one vector in the shapes of the weights."""
    return [part.view_as(w) for part, w in zip(one.split([w.numel() for w in weights]), weights)]


class Hands:
    """An arm prosthesis learns to learn from little. For each wearer a network begins with the same weights and learns
    twice from what the muscles say, a graph; then what all begin with moves a little to what was learned. All weights
    are in one vector, and so is what they begin with."""

    def __init__(self, rows, width, layers, at_once):
        model = Skips(width, layers)
        weights = list(model.parameters())
        self.all = torch.cat([w.detach().flatten() for w in weights])
        for w, part in zip(weights, parts_of(self.all, weights)):
            w.data = part
        self.wearers = [torch.randn(rows, 64, device="cuda", dtype=BF16) for _ in range(3)]
        self.x, self.y, self.loss = self.wearers[0].clone(), labels(rows), torch.zeros((), device="cuda")
        self.model, self.update, self.at_once = model, Update(model, capturable(model)), at_once
        self.graph = as_graph(self.learn)
        self.begin = self.all.clone()
        self.pairs = list(zip(parts_of(self.all, weights), parts_of(self.begin, weights)))

    def learn(self):
        for _ in range(2):
            loss = self.update.backward(class_loss(self.model(self.x), self.y))
            self.update.step()
        self.loss.copy_(loss)

    @torch.no_grad()
    def meet(self, number):
        if self.at_once:
            self.all.copy_(self.begin)
        else:
            for weight, first in self.pairs:
                weight.copy_(first)
        self.x.copy_(self.wearers[number % 3])
        self.graph.replay()
        self.begin.lerp_(self.all, 0.1)


@pairs.pair("small-copies", allowed=("launch-bound",))
def weights_begin_again_one_by_one(variant):
    """A prosthesis learns of two wearers a step. For each one the 84 weights, up to 128 KB, are copied from those which
    all begin with: a copy on the device of about 2.5 us for each; mended, one copy of all, 5 MB. A wearer takes about
    2.5 ms. 4 to 12 %."""
    torch.manual_seed(16)
    hands, late, log = Hands(8192, 256, 40, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        for number in (2 * i, 2 * i + 1):
            hands.meet(number)
        log["before"] = float(late.exchange(i, hands.loss))
    return giving(step, lambda: hands.loss)


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def rate_told_of_harvest_now(variant):
    """How much a field will bring is learned, five updates a step of about a millisecond. After each one other fields
    are judged, and what makes the rate smaller when nothing gets better is told: it makes a number of the host of it at
    once; mended, it is told what came out an update before. 3 to 10 %."""
    torch.manual_seed(16)
    model, late, seen = network(512, 2048, 4), Delayed((), torch.float32), {}
    fields, other_fields = [torch.randn(rows, 512, device="cuda", dtype=BF16) for rows in (6144, 2048)]
    brought, others_brought, update = labels(6144), labels(2048), Update(model)
    rate = torch.optim.lr_scheduler.ReduceLROnPlateau(update.optimizer, patience=1_000_000)

    def step(i):
        for number in range(5 * i, 5 * i + 5):
            update.backward(class_loss(model(fields), brought))
            update.step()
            with torch.no_grad():
                seen["loss"] = class_loss(model(other_fields), others_brought)
            rate.step(seen["loss"] if variant == "bad" else late.exchange(number, seen["loss"]))
    return giving(step, lambda: seen["loss"])


def straightened(x):
    """The next matrix that keeps lengths, about, by products only."""
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        square = x @ x.t()
        change = (square @ square).mul_(2.0315).add_(square, alpha=-4.775)
        x = (change @ x).add_(x, alpha=3.4445)
    return x


class Pulses:
    """A watch learns to tell how a heart beats. The slopes are found by a graph. The weights of the layers go by their
    moments, which are made straight before, matrix by matrix, and the others by their slopes."""

    def __init__(self, rows, width, layers, update_in_graph):
        self.model = Skips(width, layers)
        self.matrices = [layer.weight for layer in self.model.layers]
        self.others = [w for name, w in self.model.named_parameters() if w.dim() == 1 or "layers" not in name]
        for w in self.model.parameters():
            w.grad = torch.zeros_like(w)
        self.slopes = [w.grad for w in self.model.parameters()]
        self.other_slopes = [w.grad for w in self.others]
        self.moments = [torch.zeros_like(w.grad) for w in self.matrices]
        self.x, self.y = torch.randn(rows, 64, device="cuda", dtype=BF16), labels(rows)
        self.loss = torch.zeros((), device="cuda")
        before = [w.detach().clone() for w in self.matrices]
        self.graph = as_graph(self.go) if update_in_graph else None  # the slopes and moments are 0, and stay so
        with torch.no_grad():
            torch._foreach_copy_(self.matrices, before)
        self.find = as_graph(self.find_slopes)

    def find_slopes(self):
        torch._foreach_zero_(self.slopes)
        loss = class_loss(self.model(self.x), self.y)
        loss.backward()
        self.loss.copy_(loss.detach())

    @torch.no_grad()
    def go(self):
        for w, moment in zip(self.matrices, self.moments):
            moment.mul_(0.95).add_(w.grad)
            w.mul_(0.98).add_(straightened(moment), alpha=-0.01)
        torch._foreach_add_(self.others, self.other_slopes, alpha=-0.001)

    def step(self):
        self.find.replay()
        if self.graph:
            self.graph.replay()
        else:
            self.go()


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def moments_straightened_op_by_op(variant):
    """A watch learns of pulses. The slopes take 0.6 ms, a graph. Then the moments of 20 matrices of 128 x 128 are made
    straight, about 740 kernels of 2 to 3 us, which are launched one by one, 5 us each; mended, they are a graph as
    well. 20 to 55 %."""
    torch.manual_seed(16)
    pulses, late, log = Pulses(16384, 128, 20, variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        pulses.step()
        log["before"] = float(late.exchange(i, pulses.loss))
    return giving(step, lambda: sum(size_of(w) for w in pulses.matrices))


# ---- nothing to mend

class Lines:
    """A thread that writes lines; the last ones are kept."""

    def __init__(self):
        self.pool, self.kept = concurrent.futures.ThreadPoolExecutor(1), []

    def add(self, line):
        self.pool.submit(self.write, line)

    def write(self, line):
        self.kept = [*self.kept[-9:], line]

    def close(self):
        self.pool.shutdown()


@pairs.healthy(allowed=("stretched",))
def healthy_turbines_watched(variant):
    """What wears out in a turbine is learned of two parts of a batch, which come ahead. The slopes of both are added, a
    mean of the weights follows, and it judges other turbines. How loud the part is made is a number from ordinary
    memory. Each step is timed by two events, which are looked at a step later, as are loss and right answers; a thread
    writes them."""
    torch.manual_seed(16)
    model, mean = network(512, 2048, 4), network(512, 2048, 4).requires_grad_(False)
    update, parts = Update(model), Prefetcher(host_batches((8192, 512), True))
    mean.load_state_dict(model.state_dict())
    means, y = list(mean.parameters()), labels(8192)
    others, known = torch.randn(4096, 512, device="cuda", dtype=BF16), labels(4096)
    begun, ended = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(2)]
    late, lines = Delayed((2,), torch.float32), Lines()

    def learn(i):
        loud, lost = torch.tensor([0.9 + 0.02 * (i % 5)]).to("cuda", non_blocking=True).to(BF16), 0
        update.optimizer.zero_grad(set_to_none=True)
        for number in (2 * i, 2 * i + 1):
            x = parts.take(number) * loud
            parts.give_back(number)
            loss = class_loss(model(x), y) / 2
            loss.backward()
            lost = lost + loss.detach()
        update.step()
        return lost

    @torch.no_grad()
    def judge():
        torch._foreach_lerp_(means, update.parameters, 0.01)
        return (mean(others).argmax(1) == known).float().mean()

    def step(i):
        slot = i % 2
        begun[slot].record()
        numbers = torch.stack([learn(i), judge()])
        ended[slot].record()
        lost, right = late.exchange(i, numbers).tolist()
        if i > 0:
            took = begun[1 - slot].elapsed_time(ended[1 - slot])
            lines.add(f"{i - 1:6d} {took:.2f} ms lost {lost:.4f} right {right:.3f}")
    return giving(step, lambda: 1.0, lines.close)


if __name__ == "__main__":
    sys.exit(main(pairs))
