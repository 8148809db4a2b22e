"""What the nineteenth set of loops in PyTorch is made of: the larger programs of the set."""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import Block, Late, Learner, dense, pinned, two_events
from torch18_parts import sight
from torch_parts import BF16, as_graph


class Painter(nn.Module):
    """Paints pictures of 96 x 96 from noise."""

    def __init__(self):
        super().__init__()
        self.first = dense(128, 128 * 12 * 12)
        parts = []
        for a, b in [(128, 128), (128, 64), (64, 3)]:
            parts += [nn.Upsample(scale_factor=2), nn.Conv2d(a, b, 3, padding=1), nn.ReLU(True)]
        self.rest = nn.Sequential(*parts[:-1], nn.Tanh()).to("cuda", BF16, memory_format=torch.channels_last)

    def forward(self, noise):
        x = self.first(noise).view(-1, 128, 12, 12).contiguous(memory_format=torch.channels_last)
        return self.rest(x)


def changes(rows, chance):
    """Turns, sizes, mirrors and shifts of so many pictures, each with this chance."""
    def some(value, neutral):
        return torch.where(torch.rand(rows, device="cuda") < chance, value, neutral)
    angle = some((torch.rand(rows, device="cuda") - 0.5) * math.pi, 0.0)
    size = some(torch.exp2(torch.randn(rows, device="cuda") * 0.2), 1.0)
    mirror = some(torch.rand(rows, device="cuda").round() * 2 - 1, 1.0)
    right = some(torch.randn(rows, device="cuda") * 0.1, 0.0)
    down = some(torch.randn(rows, device="cuda") * 0.1, 0.0)
    cos, sin = angle.cos() * size, angle.sin() * size
    return torch.stack([cos * mirror, -sin, right, sin * mirror, cos, down], 1).view(rows, 2, 3)


def changed(pictures, how):
    grid = F.affine_grid(how, pictures.shape, align_corners=False)
    seen = F.grid_sample(pictures.float(), grid, align_corners=False)
    return seen.to(BF16).contiguous(memory_format=torch.channels_last)


class Forgery:
    """A painter and a critic learn from each other. The critic sees changed pictures; how often they are changed
    follows from how sure it is of true ones. The chance is a number of the host, or lies on the device."""
    rows = 128

    def __init__(self, on_device):
        self.on_device = on_device
        self.painter, self.critic = Painter(), sight(3, 1)
        self.paints, self.judges = Learner(self.painter.parameters()), Learner(self.critic.parameters())
        for learner in (self.paints, self.judges):
            learner.optimizer.param_groups[0]["lr"] = 1e-5
        self.true = torch.rand(4, self.rows, 3, 96, 96, device="cuda", dtype=BF16) * 2 - 1
        self.chance = torch.zeros((), device="cuda") if on_device else 0.0

    def adapt(self, sure):
        if self.on_device:
            self.chance = (self.chance + torch.sign(sure - 0.6) * 0.01).clamp(0, 0.8)
        else:
            step = math.copysign(0.01, sure.item() - 0.6)
            self.chance = min(max(self.chance + step, 0.0), 0.8)

    def judge(self, i):
        with torch.no_grad():
            false = self.painter(torch.randn(self.rows, 128, device="cuda", dtype=BF16))
        both = changed(torch.cat([self.true[i % 4], false]), changes(2 * self.rows, self.chance))
        true, false = self.critic(both).float().view(2, self.rows)
        self.judges.go(F.softplus(-true).mean() + F.softplus(false).mean())
        return torch.sign(true.detach()).mean()

    def paint(self):
        how = changes(self.rows, self.chance)
        pictures = self.painter(torch.randn(self.rows, 128, device="cuda", dtype=BF16))
        self.critic.requires_grad_(False)
        loss = self.paints.go(F.softplus(-self.critic(changed(pictures, how)).float()).mean())
        self.critic.requires_grad_(True)
        return loss

    def step(self, i):
        self.adapt(self.judge(i))
        return self.paint()


class Prompted(nn.Module):
    """Says how noisy latents of pictures flow to clear ones, by what was written below the pictures."""

    def __init__(self):
        super().__init__()
        self.into, self.time, self.out = dense(16, 768), dense(1, 768), dense(768, 16)
        self.query, self.prompt, self.back = dense(768, 768), dense(1024, 2 * 768), dense(768, 768)
        self.blocks = nn.ModuleList(Block(768, 12, False) for _ in range(3))

    def asked(self, x, prompt):
        query = self.query(x).unflatten(-1, (12, 64)).transpose(1, 2)
        key, value = self.prompt(prompt).unflatten(-1, (2, 12, 64)).permute(2, 0, 3, 1, 4)
        found = F.scaled_dot_product_attention(query, key, value)
        return x + self.back(found.transpose(1, 2).flatten(2))

    def forward(self, x, time, prompt):
        x = self.asked(self.into(x) + self.time(time), prompt)
        for block in self.blocks:
            x = block(x)
        return self.out(x).float()


class Films:
    """Which film a user likes more is learned: of one that was seen, and of one that was not. The ones that were not
    are drawn, and drawn again if they were seen: user by user with sets, or all at once with a table."""
    users, films, liked, rows = 20_000, 4096, 60, 24576

    def __init__(self, by_set):
        self.random, self.late = np.random.default_rng(19), Late()
        self.likes = self.random.integers(self.films, size=(self.users, self.liked))
        if by_set:
            self.sets, self.unseen = [set(row) for row in self.likes.tolist()], self.unseen_by_set
        else:
            self.seen, self.unseen = np.zeros((self.users, self.films), bool), self.unseen_by_table
            self.seen[np.arange(self.users)[:, None], self.likes] = True
        self.people = nn.Embedding(self.users, 256, device="cuda", dtype=BF16)
        self.works = nn.Embedding(self.films, 256, device="cuda", dtype=BF16)
        self.scores = dense(512, 2048, 2048, 2048, 2048, 1)
        self.learner = Learner([*self.people.parameters(), *self.works.parameters(), *self.scores.parameters()])
        self.host = [torch.zeros(3, self.rows, dtype=torch.int64).pin_memory() for _ in range(2)]
        self.came = two_events()

    def unseen_by_set(self, users):
        films = self.random.integers(self.films, size=len(users)).tolist()
        for n, user in enumerate(users.tolist()):
            while films[n] in self.sets[user]:
                films[n] = int(self.random.integers(self.films))
        return np.array(films)

    def unseen_by_table(self, users):
        films = self.random.integers(self.films, size=len(users))
        again = np.flatnonzero(self.seen[users, films])
        while len(again):
            films[again] = self.random.integers(self.films, size=len(again))
            again = again[self.seen[users[again], films[again]]]
        return films

    def drawn(self, i):
        users = self.random.integers(self.users, size=self.rows)
        films = self.likes[users, self.random.integers(self.liked, size=self.rows)]
        unseen = self.unseen(users)
        self.came[i % 2].synchronize()
        for place, values in zip(self.host[i % 2], (users, films, unseen)):
            place.copy_(torch.from_numpy(values))
        ids = self.host[i % 2].to("cuda", non_blocking=True)
        self.came[i % 2].record()
        return ids

    def step(self, i):
        users, films, unseen = self.drawn(i)
        person, works = self.people(users), self.works(torch.cat([films, unseen]))
        seen, other = self.scores(torch.cat([person.repeat(2, 1), works], 1)).float().view(2, self.rows)
        self.late.look(i, self.learner.go(F.softplus(other - seen).mean()))


class Translator:
    """Sentences are translated word by word: a cell looks at the words of the source each time. Issued op by op, or a
    graph of the whole step."""
    rows, length, width, words = 128, 32, 512, 8192

    def __init__(self, in_graph):
        self.table = torch.randn(self.words, self.width, device="cuda", dtype=BF16)
        self.corpus = torch.randint(self.words, (16, 2, self.rows, self.length), device="cuda")
        self.pair = self.corpus[0].clone()
        self.reader = Block(self.width, 8, False)
        self.cell = nn.LSTMCell(2 * self.width, self.width, device="cuda", dtype=BF16)
        self.mix, self.out = dense(2 * self.width, self.width), dense(self.width, self.words)
        parts = (self.reader, self.cell, self.mix, self.out)
        self.weights = [w for part in parts for w in part.parameters()]
        self.nothing = torch.zeros(self.rows, self.width, device="cuda", dtype=BF16)
        self.loss, self.late = torch.zeros((), device="cuda"), Late()
        self.go = as_graph(self.learn).replay if in_graph else self.learn

    def learn(self):
        source, target = self.table[self.pair]
        read = self.reader(source)
        state, told, said = (self.nothing, self.nothing), self.nothing, []
        for word in target.unbind(1)[:-1]:
            state = self.cell(torch.cat([word, told], 1), state)
            near = torch.bmm(read, state[0][:, :, None]).softmax(1)
            found = (near * read).sum(1)
            told = torch.tanh(self.mix(torch.cat([state[0], found], 1)))
            said.append(told)
        said = self.out(torch.stack(said, 1)).flatten(0, 1).float()
        loss = F.cross_entropy(said, self.pair[1, :, 1:].flatten())
        slopes = torch.autograd.grad(loss, self.weights)
        with torch.no_grad():
            torch._foreach_add_(self.weights, slopes, alpha=-1e-3)
        self.loss.copy_(loss.detach())

    def step(self, i):
        self.pair.copy_(self.corpus[i % 16])
        self.go()
        self.late.look(i, self.loss)


def land_network(kinds):
    """Tells of 13 bands of 384 x 384 what grows in 96 x 96 places."""
    parts = []
    for a, b, stride in [(13, 64, 2), (64, 256, 2), (256, 256, 1), (256, 256, 1)]:
        parts += [nn.Conv2d(a, b, 3, stride, padding=1), nn.ReLU(True)]
    parts.append(nn.Conv2d(256, kinds, 1))
    return nn.Sequential(*parts).to("cuda", BF16, memory_format=torch.channels_last)


def bands(count):
    """Pictures of a satellite in pinned memory, 61 MB each."""
    return [pinned(torch.randint(10000, (16, 13, 384, 384), dtype=torch.int16, device="cuda")) for _ in range(count)]


class Hearer(nn.Module):
    """A vector of a sound of 64 pieces."""

    def __init__(self):
        super().__init__()
        self.into, self.block, self.out = dense(400, 768), Block(768, 12, False), dense(768, 128)

    def forward(self, x):
        return self.out(self.block(self.into(x)).mean(1))
