"""A host in PyTorch that splits texts, waits for its reader, asks how many there are, or judges, and is late by it."""
import concurrent.futures
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import as_graph, fed_graph, replayed
from torch_models import BF16, Update, class_loss, labels, network, size_of
from torch_serving import TextModel
from torch_staging import host_batches

pairs = Pairs("torch")


class Tokenizer:
    """Splits groups of 32 texts into 256 words each and writes their numbers to one of two places in pinned memory."""

    def __init__(self):
        random = np.random.default_rng(21)
        words = [f"Word{n}" for n in range(4096)]
        self.numbers = {word.lower(): n for n, word in enumerate(words)}
        self.texts = [" ".join(words[n] for n in random.integers(0, 4096, 256)) for _ in range(96)]
        self.places = [torch.zeros(32, 256, dtype=torch.long).pin_memory() for _ in range(2)]

    def split(self, i):
        group = [self.texts[n % 96] for n in range(32 * i, 32 * i + 32)]
        lines = [[self.numbers.get(word, 0) for word in text.lower().split()] for text in group]
        self.places[i % 2].copy_(torch.tensor(lines))


@pairs.pair("python host-late data-loading readback host-sync", removes="python host-late data-loading",
            allowed=("readback", "host-sync"), further="launch-bound python host-late")
def texts_split_after_each_answer(variant):
    """A server answers 32 texts a step, about 3 ms, and the answers are needed before the next ones. The next texts are
    split into words, 1.2 to 2 ms of Python, after the answers came. Mended: when the model was issued, before the host
    waits for its answers. 20 to 40 %. Further: the model is a graph too."""
    torch.manual_seed(21)
    model, tokenizer, log = TextModel().requires_grad_(False), Tokenizer(), {}
    classes = torch.zeros(32, dtype=torch.long, device="cuda")

    def ask(i):
        return tokenizer.places[i % 2]

    @torch.no_grad()
    def judge(i):
        classes.copy_(model(ask(i).to("cuda", non_blocking=True)))
    if variant == "further":
        judge = fed_graph(ask(0), ask, lambda words: classes.copy_(model(words)))
    tokenizer.split(0)

    def step(i):
        if variant == "bad":
            tokenizer.split(i)
        judge(i)
        if variant != "bad":
            tokenizer.split(i + 1)
        log["answers"] = classes.tolist()
    return giving(step, lambda: 1 + sum(log["answers"]))


class Reader:
    """Reads a batch by a thread, as soon as the one before is taken: storage answers after 2 ms. Three places in pinned
    memory; one is filled again when its batch was copied."""

    def __init__(self, batches):
        self.batches, self.pool = batches, concurrent.futures.ThreadPoolExecutor(1)
        self.places = [torch.empty_like(batches[0]).pin_memory() for _ in range(3)]
        self.copied = [torch.cuda.Event() for _ in self.places]
        self.coming = self.pool.submit(self.read, 0)

    def read(self, i):
        self.copied[i % 3].synchronize()
        time.sleep(0.002)
        return self.places[i % 3].copy_(self.batches[i % len(self.batches)])

    def take(self, i, pause):
        """Of batch i, on the device. With a pause, the host asks and sleeps by turns."""
        while pause and not self.coming.done():
            time.sleep(pause)
        place = self.coming.result()
        self.coming = self.pool.submit(self.read, i + 1)
        x = place.to("cuda", non_blocking=True)
        self.copied[i % 3].record()
        return x


@pairs.pair("host-late data-loading python")
def reader_asked_with_sleep(variant):
    """A network learns, 3 ms a step. Its batches, 2 MiB, are read by a thread, one ahead, which takes 2 ms. The loop
    asks whether the thread is done, and sleeps for 5 ms if it is not. Mended: it waits for the thread. 35 to 55 %."""
    torch.manual_seed(22)
    model, y, seen = network(256, 4096, 4), labels(4096), {}
    update, reader = Update(model), Reader(host_batches((4096, 256), pinned=False, count=3))
    pause = 0.005 if variant == "bad" else 0

    def step(i):
        seen["loss"] = update.backward(class_loss(model(reader.take(i, pause)), y))
        update.step()
    return giving(step, lambda: seen["loss"], reader.pool.shutdown)


class Experts:
    """Layers of 16384 tokens, which go to eight experts, as many to each. Which tokens an expert has is found by a mask
    for each, so the host has to ask how many there are, or by sorting all, as the number is known."""
    rows, width, count, layers = 16384, 1024, 8, 6

    def __init__(self, by_mask):
        self.by_mask, (rows, width, count, layers) = by_mask, (self.rows, self.width, self.count, self.layers)
        self.chosen = [torch.randperm(rows, device="cuda") % count for _ in range(layers)]
        self.up = torch.randn(layers, count, 4 * width, width, device="cuda", dtype=BF16) / width ** 0.5
        self.down = torch.randn(layers, count, width, 4 * width, device="cuda", dtype=BF16) / (4 * width) ** 0.5

    def places(self, chosen):
        if self.by_mask:
            return ((chosen == n).nonzero().squeeze(1) for n in range(self.count))
        return torch.argsort(chosen, stable=True).view(self.count, -1).unbind()

    @torch.no_grad()
    def run(self, x):
        for layer, chosen in enumerate(self.chosen):
            made = torch.empty_like(x)
            for n, places in enumerate(self.places(chosen)):
                wide = F.gelu(F.linear(x[places], self.up[layer, n]))
                made.index_copy_(0, places, F.linear(wide, self.down[layer, n]))
            x = x + made
        return x


@pairs.pair("readback host-sync launch-bound", removes="readback host-sync", further="launch-bound python host-late")
def tokens_of_experts_by_mask(variant):
    """Six layers of a mixture of eight experts, 4 ms a step. Those of each expert are found by nonzero(), so the host
    waits. Mended: by sorting the choices, in the same order. 15 to 45 %. Further: that is a graph."""
    torch.manual_seed(23)
    experts, log = Experts(variant == "bad"), {}
    x = torch.randn(experts.rows, experts.width, device="cuda", dtype=BF16)

    def run():
        log["made"] = experts.run(x)
    run = replayed(run, variant)
    return giving(lambda i: run(), lambda: size_of(log["made"]))


@pairs.pair("launch-bound python host-late")
def cell_of_recurrence_called_in_loop(variant):
    """A recurrent network goes through 160 moments of sound: its cell is called for each, by Python. Mended: what these
    calls launch is a graph. 25 to 55 %."""
    torch.manual_seed(24)
    cell = nn.LSTMCell(256, 512, device="cuda", dtype=torch.half).requires_grad_(False)
    sound = torch.randn(160, 64, 256, device="cuda", dtype=torch.half)
    heard, zeros = torch.zeros(64, 512, device="cuda"), torch.zeros(2, 64, 512, device="cuda", dtype=torch.half)

    @torch.no_grad()
    def hear():
        state = zeros.unbind()
        for moment in sound.unbind():
            state = cell(moment, state)
        heard.mul_(0.5).add_(state[0])
    if variant == "mended":
        hear = as_graph(hear).replay
    return giving(lambda i: hear(), lambda: size_of(heard))


class Map:
    """A network says of 65536 pixels which of eight kinds each one is. How often it is right is counted on the host, to
    whose plain memory all scores come, or on the device."""

    def __init__(self, on_host):
        self.model = network(64, 2048, 4, 8).requires_grad_(False)
        self.x = torch.randn(2, 65536, 64, device="cuda", dtype=BF16)
        kinds = torch.randint(0, 8, (65536,))
        self.truth, self.kinds, self.on_host = kinds.numpy(), kinds.to("cuda"), on_host
        self.right = torch.zeros((), dtype=torch.long, device="cuda")

    @torch.no_grad()
    def judge(self, i):
        scores = self.model(self.x[i % 2]).float()
        if self.on_host:
            self.right += int((scores.cpu().numpy().argmax(1) == self.truth).sum())
        else:
            self.right += (scores.argmax(1) == self.kinds).sum()


@pairs.pair("pageable host-sync host-late python readback")
def scores_judged_by_numpy(variant):
    """A map is judged in each step, 3 to 4 ms: 2 MiB of scores come to plain memory, and numpy finds the best ones and
    counts how many are right, about 1.5 ms. Mended: the device does that. 15 to 45 %."""
    torch.manual_seed(25)
    pixels = Map(variant == "bad")
    return giving(pixels.judge, lambda: pixels.right)
