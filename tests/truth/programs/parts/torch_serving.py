"""Clients, their requests and a model that answers."""
import queue
import time

import torch.nn as nn

from torch_models import BF16, encoder


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
