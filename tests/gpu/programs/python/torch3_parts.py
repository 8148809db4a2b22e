"""What the third set of loops in PyTorch is made of: a decoder with a cache, environments, a loader of pictures."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2_parts import BF16


class CachedBlock(nn.Module):
    """A layer of a decoder that sees one token of each row and remembers those before."""

    def __init__(self, rows, width, heads, length):
        super().__init__()
        self.shape = (rows, heads, 1, width // heads)
        self.before = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.between = nn.LayerNorm(width)
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)
        self.register_buffer("keys", torch.zeros(rows, heads, length, width // heads))
        self.register_buffer("values", torch.zeros(rows, heads, length, width // heads))

    def forward(self, x, position, later):
        q, k, v = (part.reshape(self.shape) for part in self.qkv(self.before(x)).chunk(3, 1))
        self.keys.index_copy_(2, position, k)
        self.values.index_copy_(2, position, v)
        scores = (q @ self.keys.transpose(2, 3)) * self.shape[3] ** -0.5
        seen = scores.masked_fill(later, -1e4).softmax(3) @ self.values
        x = x + self.out(seen.reshape(x.shape))
        return x + self.narrow(F.gelu(self.wide(self.between(x))))


class Decoder(nn.Module):
    """next() makes one token of each row; all its state is on the device, and the cache is a ring."""

    def __init__(self, rows, width, layers, length=512, words=8192):
        super().__init__()
        with torch.device("cuda"):
            self.table = nn.Embedding(words, width)
            self.blocks = nn.ModuleList([CachedBlock(rows, width, width // 64, length) for _ in range(layers)])
        self.to(BF16).requires_grad_(False)
        self.slots = torch.arange(length, device="cuda")
        self.position = torch.zeros(1, dtype=torch.long, device="cuda")
        self.token = torch.zeros(rows, dtype=torch.long, device="cuda")

    @torch.no_grad()
    def next(self):
        x = self.table(self.token)
        later = self.slots > self.position
        for block in self.blocks:
            x = block(x, self.position, later)
        self.token.copy_((x @ self.table.weight.t()).argmax(1))
        self.position.add_(1).remainder_(self.slots.numel())
        return self.token


class Neighbours(nn.Module):
    """A layer of a graph network: the mean over the chosen edges."""

    def __init__(self, width):
        super().__init__()
        self.own = nn.Linear(width, width, device="cuda")
        self.others = nn.Linear(width, width, device="cuda")

    def forward(self, x, source, target, degree):
        sums = torch.zeros_like(x).index_add(0, target, x.index_select(0, source))
        return F.relu(self.own(x) + self.others(sums / degree))


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


class Pictures(torch.utils.data.Dataset):
    """Pictures that numpy turns, shifts and makes noisy, one by one."""

    def __init__(self, size=128):
        self.kept = np.random.default_rng(1).integers(0, 256, (64, 3, size, size), dtype=np.uint8)

    def __len__(self):
        return 4_000_000

    def __getitem__(self, i):
        picture = self.kept[i % len(self.kept)].astype(np.float32)
        picture = np.roll(np.flip(picture, 2) if i % 2 else picture, i % 13, 1)
        picture = np.clip(picture * (0.8 + 0.1 * (i % 5)) + 4 * (i % 3), 0, 255)
        return torch.from_numpy(picture.astype(np.uint8))


class Snapshots:
    """Parameters to pinned memory in a stream of their own; before they change, keep() makes the kernels wait."""

    def __init__(self, parameters):
        self.parameters = parameters
        self.kept = [[torch.empty(p.shape, dtype=p.dtype).pin_memory() for p in parameters] for _ in range(2)]
        self.done = [torch.cuda.Event() for _ in range(2)]
        self.stream = torch.cuda.Stream()

    @torch.no_grad()
    def take(self, number):
        slot = number % 2
        self.done[slot].synchronize()
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            for host, p in zip(self.kept[slot], self.parameters):
                host.copy_(p, non_blocking=True)
            self.done[slot].record()

    def keep(self):
        torch.cuda.current_stream().wait_stream(self.stream)
