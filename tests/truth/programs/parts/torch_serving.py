"""Clients, their requests and a model that answers."""
import queue
import time

import torch
import torch.nn as nn

from torch_capture import prefetched_graphs
from torch_models import BF16, encoder
from torch_staging import Asked, Collector


class Requests:
    """Clients that ask again as soon as they are answered; their requests are taken in groups. There are always more of
    them than a group has."""

    def __init__(self, clients, group, window):
        self.group, self.window = group, window
        self.waiting = queue.SimpleQueue()
        self.answered(range(clients))

    def answered(self, clients):
        for client in clients:
            self.waiting.put(client)

    def take(self, until_full):
        """A group: as soon as it is full, or when the window is over, in which more might come."""
        until = time.perf_counter() + self.window
        taken = [self.waiting.get() for _ in range(self.group)]
        while not until_full and time.perf_counter() < until:
            time.sleep(50e-6)
        return taken


class TextModel(nn.Module):
    """A class for each row of words."""

    def __init__(self, words=4096, width=1024, layers=6):
        super().__init__()
        self.table = nn.Embedding(words, width, device="cuda", dtype=BF16)
        self.body = encoder(width, width // 64, layers)
        self.head = nn.Linear(width, 16, device="cuda", dtype=BF16)

    def forward(self, words):
        return self.head(self.body(self.table(words)).mean(1)).argmax(1)


def served_ahead(model, texts, requests):
    """A step of a server: a group is answered while the next one is under way. Texts are gathered and copied ahead, and
    the model is a graph."""
    places = [torch.zeros(requests.group, texts.shape[1], dtype=torch.long).pin_memory() for _ in range(3)]
    classes, under_way, answers = torch.zeros(requests.group, dtype=torch.long, device="cuda"), {}, {}
    collector = Collector(classes.shape, dtype=torch.long, side_stream=False)

    def gather(i):
        under_way[i] = requests.take(until_full=True)
        return torch.index_select(texts, 0, torch.tensor(under_way[i]), out=places[i % 3])

    def answer(i):
        collector.done[i % 2].synchronize()
        clients = under_way.pop(i)
        answers.update(zip(clients, collector.host[i % 2].tolist()))
        requests.answered(clients)
    judge = prefetched_graphs(Asked(places[0], gather), lambda words: classes.copy_(model(words)))

    def step(i):
        judge(i)
        collector.take(i, classes)
        if i:
            answer(i - 1)
    return step
