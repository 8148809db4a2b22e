"""Work of the host in PyTorch that keeps the device waiting: Python, locks, turns, launches."""
import collections
import concurrent.futures
import gc
import threading
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import as_graph, fed_graph, prefetched_graphs, replayed
from torch_models import BF16, Update, class_loss, labels, network, size_of
from torch_serving import Requests, TextModel, served_ahead
from torch_staging import Collector, Prefetcher
from torch_training import Trainer

pairs = Pairs("torch")


@pairs.pair("python host-late data-loading", further="launch-bound python host-late same-stream too-few-streams",
            other="launch-bound")
def batch_prepared_by_list_comprehension(variant):
    """A list comprehension goes over the 20480 values of each batch. Mended: that is done once before the loop.
    Further: it is copied ahead, and the rest is a graph. Other: what follows the copy is a graph."""
    raw = [n % 997 for n in range(20 * 1024)]
    trainer, y = Trainer(network(20, 4096, 10)), labels(1024)
    weights = torch.randn(20, 20, device="cuda", dtype=BF16)

    def prepare():
        return torch.tensor([(v * 0.5 + 1.0) % 7.0 for v in raw], dtype=torch.float32).view(1024, 20).pin_memory()
    ready = prepare()

    def learn(x):
        trainer.step(x.to(BF16) @ weights, y)

    def step(i):
        x = prepare() if variant == "bad" else ready
        learn(x.to("cuda", non_blocking=True))
    if variant == "other":
        return fed_graph(ready, lambda i: prepare(), learn)
    return prefetched_graphs(Prefetcher([ready]), learn) if variant == "further" else step


records = []


@pairs.pair("python host-late", further="launch-bound python host-late", other="launch-bound")
def garbage_collected_each_step(variant):
    """The garbage collector goes through 60 000 objects in each step. Mended: it is not called. Further, other: a step
    is a graph."""
    trainer, y = Trainer(network(256, 2048, 6)), labels(8192)
    x = torch.randn(8192, 256, device="cuda", dtype=BF16)
    if not records:  # once, though two variants may be built in one process
        gc.collect()
        gc.freeze()  # what the imports brought stays out of it
        records.extend([str(n), [n]] for n in range(30_000))
    learn = replayed(lambda: trainer.step(x, y), variant, ("further", "other"))

    def step(i):
        learn()
        if variant in ("bad", "other"):
            gc.collect()

    def close():
        records.clear()
        gc.unfreeze()
    step.finish = close
    return step


class Journal:
    """Lines that a thread writes, which takes its time: with the lock that a new line needs, or without."""

    def __init__(self, seconds, holds_lock):
        self.seconds, self.holds_lock, self.lines, self.ended = seconds, holds_lock, [], False
        self.lock, self.some = threading.Lock(), threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def add(self, line):
        with self.lock:
            self.lines.append(line)
        self.some.set()

    def run(self):
        while not self.ended:
            self.some.wait()
            self.some.clear()
            with self.lock:
                self.lines = []
                if self.holds_lock:
                    time.sleep(self.seconds)
            if not self.holds_lock:
                time.sleep(self.seconds)

    def close(self):
        self.ended = True
        self.some.set()
        self.thread.join()


@pairs.pair("host-late python", further="launch-bound python host-late")
def log_lock_held_while_writing(variant):
    """A thread writes the log, some 6 ms, and holds the lock that the loop needs to add its next line. Mended: the
    thread takes the lines and writes without the lock. 15 to 45 %. Further: a step is a graph."""
    torch.manual_seed(11)
    model, y, seen = network(256, 4096, 4), labels(8192), {}
    update, x = Update(model), torch.randn(8192, 256, device="cuda", dtype=BF16)
    journal = Journal(0.006, variant == "bad")

    def learn():
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
    learn = replayed(learn, variant)

    def step(i):
        learn()
        journal.add(f"step {i} of a network of {len(update.parameters)} parts")
    return giving(step, lambda: seen["loss"], journal.close)


@pairs.pair("host-late data-loading python readback host-sync", removes="host-late data-loading python",
            allowed=("readback", "host-sync", "pageable", "host-late"), other="launch-bound",
            further="launch-bound python host-late data-loading readback host-sync pageable same-stream "
                    "too-few-streams")
def server_waits_full_batching_window(variant):
    """A server takes 32 requests at a time and answers them before it takes more. It waits 0.5 ms for further requests
    even when the group is full. Mended: only while it is not. 8 to 20 %. Further: it answers them while the next ones
    are under way, which come ahead, and the model is a graph. Other: the model is a graph."""
    model = TextModel().requires_grad_(False)
    texts = torch.randint(0, 4096, (96, 256))
    requests = Requests(96, 32, 0.5e-3)
    staging = torch.empty(32, 256, dtype=torch.long).pin_memory()
    answers = {}
    if variant == "further":
        return served_ahead(model, texts, requests)
    classes = torch.zeros(32, dtype=torch.long, device="cuda")
    judge = fed_graph(staging, lambda i: staging, lambda x: classes.copy_(model(x))) if variant == "other" else None

    def judged(i):
        if not judge:
            return model(staging.to("cuda", non_blocking=True))
        judge(i)
        return classes

    @torch.no_grad()
    def step(i):
        clients = requests.take(until_full=variant == "mended")
        torch.index_select(texts, 0, torch.tensor(clients), out=staging)
        answers.update(zip(clients, judged(i).tolist()))
        requests.answered(clients)
    return step


class Pendulums:
    """Environments on the host: `rows` pendulums, and 64 features of each in pinned memory."""

    def __init__(self, rows):
        random = np.random.default_rng(1)
        self.angle = random.standard_normal(rows, dtype=np.float32)
        self.speed = np.zeros(rows, np.float32)
        self.mixing = random.standard_normal((2, 64), dtype=np.float32)
        self.features = torch.empty(rows, 64).pin_memory()
        self.step(np.zeros(rows, np.int64))

    def step(self, actions):
        push = 0.02 * (actions.astype(np.float32) - 1.5)
        for _ in range(16):
            self.speed += push - 0.05 * np.sin(self.angle) - 0.001 * self.speed
            self.angle += 0.05 * self.speed
        np.matmul(np.stack([self.angle, self.speed], 1), self.mixing, out=self.features.numpy())


def simulated_by_threads(policy, groups, actions):
    """A thread for each group waits for its actions, simulates it and copies its features to the device in a stream for
    that. The policy is a graph for each group."""
    stream, seen = torch.cuda.Stream(), [group.features.to("cuda") for group in groups]
    come, chosen = [[torch.cuda.Event() for _ in groups] for _ in range(2)]
    graphs = [as_graph(lambda x=x, out=out: out.copy_(policy(x.to(BF16)).argmax(1), non_blocking=True))
              for x, out in zip(seen, actions)]
    pool = concurrent.futures.ThreadPoolExecutor(len(groups))

    def simulate(g):
        chosen[g].synchronize()
        groups[g].step(actions[g].numpy())
        with torch.cuda.stream(stream):
            seen[g].copy_(groups[g].features, non_blocking=True)
            come[g].record()
    ready = [pool.submit(simulate, g) for g in range(len(groups))]

    def step(i):
        for g, graph in enumerate(graphs):
            ready[g].result()
            torch.cuda.current_stream().wait_event(come[g])
            graph.replay()
            chosen[g].record()
            ready[g] = pool.submit(simulate, g)
    step.finish = pool.shutdown
    return step


@pairs.pair("host-late python readback host-sync",
            further="launch-bound python host-late data-loading same-stream too-few-streams")
def environments_and_policy_take_turns(variant):
    """Two groups of environments are simulated by numpy: the policy on the device waits for them, and they wait for it.
    Mended: one group is simulated while the policy looks at the other. 20 to 35 %. Further: by threads, which copy the
    features ahead; the policy is a graph."""
    policy = network(64, 3072, 10, 4).requires_grad_(False)
    groups = [Pendulums(4096) for _ in range(2)]
    actions = [torch.zeros(4096, dtype=torch.long).pin_memory() for _ in groups]
    chosen = [torch.cuda.Event() for _ in groups]

    def judge(g):
        return policy(groups[g].features.to("cuda", non_blocking=True).to(BF16)).argmax(1)

    def in_turn(i):
        for g, group in enumerate(groups):
            group.step(judge(g).cpu().numpy())

    def beside(i):
        for g, group in enumerate(groups):
            if i:
                chosen[g].synchronize()
                group.step(actions[g].numpy())
            actions[g].copy_(judge(g), non_blocking=True)
            chosen[g].record()
    if variant == "further":
        return simulated_by_threads(policy, groups, actions)
    return torch.no_grad()(in_turn if variant == "bad" else beside)


class Tracks:
    """Objects on a road and where they were last seen. What a scan shows is given to the nearest one."""

    def __init__(self, count):
        self.known = np.random.default_rng(17).standard_normal((count, 3), dtype=np.float32)
        self.line = ""

    def join(self, found):
        distances = ((found[:, None] - self.known[None]) ** 2).sum(2)
        nearest = distances.argmin(1)
        self.known[nearest] += 0.2 * (found - self.known[nearest])
        self.line = f"{len(np.unique(nearest))} seen, {float(distances.min(1).mean()):.3f} away"


@pairs.pair("python host-late host-sync", allowed=("stretched",), further="launch-bound python host-late")
def tracks_joined_before_next_scan(variant):
    """400 objects are found in a scan, 4.6 ms, and numpy gives them to the nearest tracks, 1.5 to 2.5 ms, before the
    next scan is issued. Mended: the scan is issued first, and numpy works on the one before. 20 to 36 %. Further: scans
    are graphs."""
    torch.manual_seed(17)
    model, tracks = network(512, 4096, 4).requires_grad_(False), Tracks(400)
    leaving = Collector((400, 3), torch.float32)
    points, seen = torch.randn(3, 24576, 512, device="cuda", dtype=BF16), {}

    @torch.no_grad()
    def scan(n):
        out = model(points[n]).float()
        best = out[:, 0].topk(400).indices
        seen[n] = out[best, 1:4]
    scans = [replayed(lambda n=n: scan(n), variant) for n in range(3)]

    def step(i):
        scans[i % 3]()
        seen["found"] = seen[i % 3]
        leaving.take(i, seen["found"])
        number = i if variant == "bad" else i - 1
        if number >= 0:
            leaving.done[number % 2].synchronize()
            tracks.join(leaving.host[number % 2].numpy())
    return giving(step, lambda: size_of(seen["found"]))


@pairs.pair("python launch-bound host-late", further="launch-bound python host-late")
def hooks_count_parameters(variant):
    """A forward hook writes a line about each layer, and counts the parameters of the whole model for it. Mended: they
    were counted before the loop. 30 to 55 %. Further: the step is a graph, and the lines are kept."""
    model = network(1024, 1024, 50)
    update, y = Update(model), labels(6144)
    x = torch.randn(6144, 1024, device="cuda", dtype=BF16)
    lines = collections.deque(maxlen=100)

    def parameters():
        return sum(p.numel() for p in model.parameters())
    counted = parameters()

    def describe(layer, inputs, output):
        total = parameters() if variant == "bad" else counted
        lines.append(f"{tuple(inputs[0].shape)} to {tuple(output.shape)}: {layer.weight.numel()} of {total}")
    layers = [layer for layer in model if isinstance(layer, nn.Linear)]
    for layer in layers:
        layer.register_forward_hook(describe)

    def learn():
        update.backward(class_loss(model(x), y))
        update.step()
    replay, said = replayed(learn, variant), list(lines)[-len(layers):]

    def step(i):
        replay()
        lines.extend(said)  # a graph calls no hooks
    return step


@pairs.pair("launch-bound", further="launch-bound python host-late", other="python host-late")
def optimizer_updates_one_by_one(variant):
    """Adam updates 62 parameters in a loop, each by several small kernels. Mended: the fused optimizer. Further: the
    step is a graph. Other: it is a graph with the loop."""
    model = network(256, 512, 30)
    how = {"foreach": False, "fused": False} if variant in ("bad", "other") else {"fused": True}
    adam = torch.optim.Adam(model.parameters(), lr=1e-5, capturable=variant != "bad", **how)
    trainer, y = Trainer(model, adam), labels(4096)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)
    learn = replayed(lambda: trainer.step(x, y), variant, ("further", "other"))
    return lambda i: learn()


@pairs.pair("launch-bound python host-late")
def features_looked_up_one_by_one(variant):
    """300 features have an embedding table each: they are looked up and normalized one by one, which is bound by
    launches. Mended: all at once in one table. 40 to 70 %."""
    features, entries, width, rows = 300, 5000, 16, 12288
    table = torch.randn(features * entries, width, device="cuda", dtype=BF16)
    indices = torch.randint(0, entries, (features, rows), device="cuda")
    first = torch.arange(0, features * entries, entries, device="cuda")
    judge = network(features * width, 4096, 4).requires_grad_(False)
    together = (indices.t() + first).contiguous()
    one_by_one = list(zip(indices.unbind(), table.view(features, entries, width).unbind()))

    @torch.no_grad()
    def step(i):
        if variant == "bad":
            found = torch.cat([F.normalize(F.embedding(index, part), dim=1) for index, part in one_by_one], 1)
        else:
            found = F.normalize(F.embedding(together, table), dim=2).flatten(1)
        judge(found)
    return step
