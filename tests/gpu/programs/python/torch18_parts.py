"""What the eighteenth set of loops in PyTorch is made of: the larger programs of the set."""
import itertools

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import Block, Learner, classes, dense, two_events
from torch_parts import BF16, as_graph


def sight(layers, outputs):
    """Tells of pictures in a quarter of their length and width."""
    sizes = [(3, 64, 2), (64, 256, 2)] + layers * [(256, 256, 1)]
    parts = []
    for a, b, stride in sizes:
        parts += [nn.Conv2d(a, b, 3, stride, padding=1), nn.ReLU(True)]
    parts += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, outputs)]
    return nn.Sequential(*parts).to("cuda", BF16, memory_format=torch.channels_last)


class Shelf:
    """What users take of a shelf is learned. The wares of this hour, 88 MB, come from the host into one place while the
    visits of the users are read, and only the scores need them. The stream of the kernels waits for them before the
    visits, or before the scores."""
    users, visits, wares, width = 4096, 4, 57344, 768

    def __init__(self, wait_first):
        self.wait_first = wait_first
        first = torch.randn(self.wares, self.width, dtype=BF16) / 32
        self.shelves = [first.roll(n, 0).pin_memory() for n in range(2)]
        self.place = torch.zeros(self.wares, self.width, device="cuda", dtype=BF16)
        self.seen = torch.randn(self.users * self.visits, 1024, device="cuda", dtype=BF16)
        self.taken = classes(self.users, self.wares)
        self.reader = dense(1024, 4096, 4096, 4096, self.width)
        self.learner = Learner(self.reader.parameters())
        self.stream = torch.cuda.Stream()
        self.here, self.free = two_events()
        torch.cuda.synchronize()

    def bring(self, i):
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free)
            self.place.copy_(self.shelves[i % 2], non_blocking=True)
            self.here.record()

    def step(self, i):
        now = torch.cuda.current_stream()
        self.bring(i)
        if self.wait_first:
            now.wait_event(self.here)
        users = self.reader(self.seen).view(self.users, self.visits, self.width).mean(1)
        if not self.wait_first:
            now.wait_event(self.here)
        loss = F.cross_entropy(users @ self.place.T, self.taken, reduction="none").float().mean()
        self.learner.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.free.record()
        self.learner.optimizer.step()
        return loss.detach()


def whitened(views, check):
    """Views (count, rows, width) with a covariance of one."""
    views = views - views.mean(1, keepdim=True)
    spread = views.mT @ views / views.shape[1] + 0.01 * torch.eye(views.shape[2], device="cuda")
    factor = torch.linalg.cholesky(spread) if check else torch.linalg.cholesky_ex(spread).L
    return torch.linalg.solve_triangular(factor, views.mT, upper=False)


class Texts(torch.utils.data.IterableDataset):
    """Documents with words taken out, one behind the other in rows; what was there is to be said."""
    rows, length, words = 32, 512, 8192

    def __init__(self):
        self.corpus = np.random.default_rng(18).integers(1, self.words, 4_000_000)

    def packed(self, number):
        random, filled, size = np.random.default_rng(number), 0, self.rows * self.length
        text, truth = np.zeros(size, np.int64), np.zeros(size, np.int64)
        while filled < size:
            begin = random.integers(3_900_000)
            length = min(int(random.integers(20, 110)), size - filled)
            document = self.corpus[begin:begin + length]
            text[filled:filled + length] = truth[filled:filled + length] = document
            text[filled + random.choice(length, max(1, length // 7), replace=False)] = 0
            filled += length
        return [torch.from_numpy(part.reshape(self.rows, self.length)) for part in (text, truth)]

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        first, of = (worker.id, worker.num_workers) if worker else (0, 1)
        for number in itertools.count(first, of):
            yield self.packed(number)


class Mender(nn.Module):
    """Says which words were taken out."""

    def __init__(self):
        super().__init__()
        with torch.device("cuda"):
            self.table, self.out = nn.Embedding(Texts.words, 768), nn.Linear(768, Texts.words)
        self.to(BF16)
        self.blocks = nn.Sequential(Block(768, 12, False), Block(768, 12, False))

    def forward(self, text):
        return self.out(self.blocks(self.table(text))).flatten(0, 1).float()


class Hindsight:
    """An arm learns to reach things. Of what it did, moments are chosen on the host, each with a later one of the same
    episode as its goal; a graph takes them from the memory on the device and learns. The numbers come through two
    pinned places, and in the order of the stream."""
    episodes, moments, width, rows = 1024, 64, 128, 12288

    def __init__(self, wait_for_graph):
        self.wait_for_graph, self.random = wait_for_graph, np.random.default_rng(18)
        self.memory = torch.randn(self.episodes * self.moments, self.width, device="cuda", dtype=BF16)
        self.moves = classes(self.episodes * self.moments)
        self.values = dense(2 * self.width, 4096, 4096, 4096, 16)
        self.weights = list(self.values.parameters())
        self.before = dense(2 * self.width, 4096, 4096, 4096, 16).requires_grad_(False)
        self.before.load_state_dict(self.values.state_dict())
        self.host = [torch.zeros(2, self.rows, dtype=torch.int64).pin_memory() for _ in range(2)]
        self.copied = two_events()
        self.chosen = torch.zeros(2, self.rows, device="cuda", dtype=torch.int64)
        self.loss = torch.zeros((), device="cuda")
        self.graph = as_graph(self.learn)
        torch.cuda.synchronize()

    def learn(self):
        place, later = self.chosen
        now, then, goal = self.memory[place], self.memory[place + 1], self.memory[later]
        with torch.no_grad():
            near = (then - goal).float().square().mean(1).neg()
            worth = near + 0.9 * self.before(torch.cat([then, goal], 1)).float().amax(1)
        told = self.values(torch.cat([now, goal], 1)).float().gather(1, self.moves[place][:, None])[:, 0]
        loss = F.smooth_l1_loss(told, worth)
        with torch.no_grad():
            slopes = torch.autograd.grad(loss, self.weights)
            torch._foreach_add_(self.weights, slopes, alpha=-1e-3)
            torch._foreach_lerp_(list(self.before.parameters()), self.weights, 0.01)
        self.loss.copy_(loss.detach())

    def choose(self):
        place = np.sort(self.random.permutation(self.episodes * self.moments)[:self.rows])
        moment = np.minimum(place % self.moments, self.moments - 2)
        place = place - place % self.moments + moment
        ahead = 1 + self.random.random(self.rows) * (self.moments - 1 - moment)
        return place, place + ahead.astype(np.int64)

    def step(self, i):
        slot = i % 2
        place, later = self.choose()
        self.copied[slot].synchronize()
        self.host[slot][0].copy_(torch.from_numpy(place))
        self.host[slot][1].copy_(torch.from_numpy(later))
        self.chosen.copy_(self.host[slot], non_blocking=True)
        self.copied[slot].record()
        self.graph.replay()
        if self.wait_for_graph:
            torch.cuda.current_stream().synchronize()


class Listener(nn.Module):
    """Hears which cluster hidden frames of a sound are of; also what is heard below the last layer."""

    def __init__(self):
        super().__init__()
        self.into, self.out = dense(400, 1024), dense(1024, 512)
        self.below = nn.Sequential(Block(1024, 16, False), Block(1024, 16, False))
        self.last = Block(1024, 16, False)

    def forward(self, x):
        heard = self.below(self.into(x))
        return heard, self.out(self.last(heard)).flatten(0, 1).float()
