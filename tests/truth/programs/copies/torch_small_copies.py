"""Many small copies in PyTorch where one would do."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import as_graph, prefetched_graphs, replayed
from torch_models import BF16, Update, class_loss, encoder, labels, network
from torch_staging import Delayed, Prefetcher
from torch_training import Trainer

pairs = Pairs("torch")


@pairs.pair("small-copies launch-bound", further="launch-bound python host-late same-stream too-few-streams",
            other="python host-late")
def features_copied_one_by_one(variant):
    """256 features of 8 KiB are copied to the device one by one. They are views of one piece of pinned memory; mended,
    that is one copy. Further: it is made ahead, and the rest is a graph. Other: all 256 and the rest are a graph."""
    flat = torch.randn(256, 4096, dtype=torch.float32).to(BF16).pin_memory()
    features = list(flat)
    trainer, y = Trainer(network(4096, 2048, 6)), labels(4096)
    base = torch.randn(4096, 4096, device="cuda", dtype=BF16)

    def learn(x):
        trainer.step(torch.cat([x, base[256:]]), y)

    def all_of_it():
        if variant in ("bad", "other"):
            learn(torch.stack([f.to("cuda", non_blocking=True) for f in features]))
        else:
            learn(flat.to("cuda", non_blocking=True))
    if variant == "further":
        return prefetched_graphs(Prefetcher([flat]), learn)
    all_of_it = replayed(all_of_it, variant, ("other",))
    return lambda i: all_of_it()


@pairs.pair("small-copies launch-bound same-stream", further="python launch-bound host-late", other="python host-late")
def norms_fetched_one_by_one(variant):
    """The norms of all weights and of their gradients go to pinned memory in each step, by 288 copies of two bytes, and
    are read a step later. Mended: one copy of all. 3 to 8 %. Further: all but the copy is a graph. Other: all but the
    288 copies is a graph."""
    model, y = encoder(1024, 16, 12), labels(16)
    head = nn.Linear(1024, 16, device="cuda", dtype=BF16)
    both = nn.ModuleList([model, head])
    update, weights = Update(both), list(model.parameters())
    x = torch.randn(16, 512, 1024, device="cuda", dtype=BF16)
    host = [torch.zeros(2 * len(weights), dtype=BF16).pin_memory() for _ in range(2)]
    places, left = [h.unbind() for h in host], [torch.cuda.Event() for _ in range(2)]
    log = {"norm": 0.0}

    @torch.no_grad()
    def norms():
        return [*torch._foreach_norm(weights), *torch._foreach_norm([w.grad for w in weights])]

    def leave(slot, norm):
        if variant in ("bad", "other"):
            for place, value in zip(places[slot], norm):
                place.copy_(value, non_blocking=True)
        else:
            host[slot].copy_(torch.stack(norm), non_blocking=True)
        left[slot].record()
    found = []

    def learn():
        update.backward(class_loss(head(model(x).mean(1)), y))
        found[:] = norms()
        update.step()
    graph = as_graph(learn) if variant in ("further", "other") else None

    def step(i):
        if graph:
            graph.replay()
            leave(i % 2, found)
        else:
            update.backward(class_loss(head(model(x).mean(1)), y))
            leave(i % 2, norms())
            update.step()
        left[1 - i % 2].synchronize()
        log["norm"] = float(host[1 - i % 2].float().norm())
    return step


class Skips(nn.Module):
    """A classifier of 64 values by layers of one width, each with a connection around it."""

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
    """A network is trained for one wearer of a prosthesis after the other. For each one it starts with the same weights
    and is trained twice, in a graph; then the start moves a little towards the result. All weights are one vector, and
    so is the start."""

    def __init__(self, rows, width, layers, at_once, reset_by_graph):
        model = Skips(width, layers)
        weights = list(model.parameters())
        self.all = torch.cat([w.detach().flatten() for w in weights])
        for w, part in zip(weights, parts_of(self.all, weights)):
            w.data = part
        self.wearers = [torch.randn(rows, 64, device="cuda", dtype=BF16) for _ in range(3)]
        self.x, self.y, self.loss = self.wearers[0].clone(), labels(rows), torch.zeros((), device="cuda")
        self.model, self.update, self.at_once = model, Update(model), at_once
        self.graph = as_graph(self.learn)
        self.begin = self.all.clone()
        self.pairs = list(zip(parts_of(self.all, weights), parts_of(self.begin, weights)))
        self.back = as_graph(self.reset).replay if reset_by_graph else self.reset

    def learn(self):
        for _ in range(2):
            loss = self.update.backward(class_loss(self.model(self.x), self.y))
            self.update.step()
        self.loss.copy_(loss)

    def reset(self):
        if self.at_once:
            self.all.copy_(self.begin)
        else:
            for weight, first in self.pairs:
                weight.copy_(first)

    @torch.no_grad()
    def meet(self, number):
        self.back()
        self.x.copy_(self.wearers[number % 3])
        self.graph.replay()
        self.begin.lerp_(self.all, 0.1)


@pairs.pair("small-copies", allowed=("launch-bound",), other="launch-bound python host-late")
def weights_reset_one_by_one(variant):
    """Twice a step 84 weights, up to 128 KB each, get their first values again, each by a copy on the device of about
    2.5 us; then a graph of 2.5 ms trains them. Mended: one copy of all, 5 MB. 4 to 12 %. Other: the 84 copies are a
    graph too."""
    torch.manual_seed(16)
    hands = Hands(8192, 256, 40, variant == "mended", variant == "other")
    late, log = Delayed((), torch.float32), {}

    def step(i):
        for number in (2 * i, 2 * i + 1):
            hands.meet(number)
        log["before"] = float(late.exchange(i, hands.loss))
    return giving(step, lambda: hands.loss)
