"""What the ninth set of loops in PyTorch is made of: a denoiser, a writer of texts, agents, messages, clips."""
import collections
import concurrent.futures

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2_parts import BF16, Residual, Unet
from torch3_parts import CachedBlock
from torch6_parts import wide


class Denoiser(nn.Module):
    """A U-Net that is told the time of each of its latents."""

    def __init__(self, channels):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(256, 512), nn.SiLU(), nn.Linear(512, 16))
        self.into = nn.Conv2d(4, 16, 1)
        self.body = Unet(16, 4, channels)
        self.register_buffer("waves", torch.exp(torch.linspace(0.0, -9.0, 128)))

    def forward(self, x, times):
        angles = times.to(BF16).unsqueeze(1) * self.waves
        told = self.time(torch.cat([angles.sin(), angles.cos()], 1))
        return self.body(self.into(x) + told[:, :, None, None])


def denoiser():
    with torch.device("cuda"):
        return Denoiser((128, 256, 512)).to(BF16).to(memory_format=torch.channels_last)


class Writer(nn.Module):
    """scores() looks at one token of each row and says what may follow. The cache is a ring on the device."""

    def __init__(self, rows, width, layers, length, words):
        super().__init__()
        with torch.device("cuda"):
            self.table = nn.Embedding(words, width)
            self.blocks = nn.ModuleList([CachedBlock(rows, width, width // 64, length) for _ in range(layers)])
        self.to(BF16).requires_grad_(False)
        self.slots = torch.arange(length, device="cuda")
        self.position = torch.zeros(1, dtype=torch.long, device="cuda")
        self.token = torch.zeros(rows, dtype=torch.long, device="cuda")

    @torch.no_grad()
    def scores(self):
        x, later = self.table(self.token), self.slots > self.position
        for block in self.blocks:
            x = block(x, self.position, later)
        self.position.add_(1).remainder_(self.slots.numel())
        return (x @ self.table.weight.t()).float()


def drawn(chances):
    """One of each row; what multinomial() does, but it also asks the device whether the chances are good."""
    return chances.div(torch.empty_like(chances).exponential_()).argmax(1)


class SharedKeysBlock(nn.Module):
    """A layer of a decoder that reads whole prompts. All heads share keys and values; these are the second result."""

    def __init__(self, width, heads):
        super().__init__()
        self.shape = (heads, width // heads)
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.asks, self.out = nn.Linear(width, width), nn.Linear(width, width)
        self.answers = nn.Linear(width, 2 * width // heads)
        self.body = wide(width, 4 * width, width)

    def forward(self, x):
        known = self.before(x)
        cache = self.answers(known)
        q = self.asks(known).unflatten(2, self.shape).transpose(1, 2)
        k, v = (part.unsqueeze(1).expand_as(q).contiguous() for part in cache.chunk(2, 2))
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.body(self.between(x)), cache


def reader_of_prompts(width, heads, layers):
    with torch.device("cuda"):
        return nn.ModuleList([SharedKeysBlock(width, heads) for _ in range(layers)]).to(BF16).requires_grad_(False)


class Agents:
    """A world on the device: a push for each of 16 actions. Who comes to its edge begins again."""

    def __init__(self, rows, width):
        self.start = 0.5 * torch.randn(rows, width, device="cuda", dtype=BF16)
        self.pushes = 0.1 * torch.randn(16, width, device="cuda", dtype=BF16)
        self.state = self.start.clone()

    def move(self, actions):
        """Which ones came to the edge."""
        self.state = torch.tanh(1.02 * self.state + F.embedding(actions, self.pushes))
        return self.state[:, 0].abs() > 0.8


def scattered(values, index, size=None):
    """Sums of the values that have the same index. Without a size it is the largest index that says how many."""
    if size is None:
        size = int(index.max()) + 1
    return torch.zeros(size, values.shape[1], device=values.device).index_add_(0, index, values)


class Messages(nn.Module):
    """A layer of a graph network: a node hears the sum of what its neighbours are."""

    def __init__(self, width):
        super().__init__()
        self.own, self.others = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x, source, target, size):
        heard = scattered(x.index_select(0, source), target, size)
        return F.relu(self.own(x) + self.others(heard))


def enhancer(blocks):
    """Frames of one channel in and out, made better at a quarter of the size."""
    with torch.device("cuda"):
        model = nn.Sequential(nn.PixelUnshuffle(4), nn.Conv2d(16, 128, 3, padding=1),
                              *[Residual(128) for _ in range(blocks)], nn.Conv2d(128, 16, 3, padding=1),
                              nn.PixelShuffle(4))
    return model.to(BF16).to(memory_format=torch.channels_last).requires_grad_(False)


class Clips:
    """Clips as the differences of their bytes in all three directions. Each is put together in one of a few pinned
    slots, when it is asked for or by threads before."""

    def __init__(self, shape, threads):
        random = np.random.default_rng(9)
        self.coded = [random.integers(0, 256, shape, dtype=np.uint8) for _ in range(2)]
        self.slots = [torch.empty(shape, dtype=torch.uint8).pin_memory() for _ in range(threads + 2)]
        self.copied = [torch.cuda.Event() for _ in self.slots]
        self.pool = concurrent.futures.ThreadPoolExecutor(threads) if threads else None
        self.ahead = collections.deque(self.pool.submit(self.decode, n) for n in range(threads))

    def decode(self, i):
        slot = i % len(self.slots)
        self.copied[slot].synchronize()  # of an earlier clip; one that was never recorded waits for nothing
        clip, pixels = self.coded[i % 2], self.slots[slot].numpy()
        for axis in (2, 1, 0):
            clip = np.cumsum(clip, axis=axis, dtype=np.uint8, out=pixels)
        return slot

    def on_device(self, i):
        if self.pool:
            self.ahead.append(self.pool.submit(self.decode, i + len(self.ahead)))
            slot = self.ahead.popleft().result()
        else:
            slot = self.decode(i)
        clip = self.slots[slot].to("cuda", non_blocking=True)
        self.copied[slot].record()
        return clip

    def close(self):
        if self.pool:
            self.pool.shutdown(cancel_futures=True)


def advantages_by_numpy(rewards, values, going):
    """Of each moment of all environments, from the last moment to the first."""
    later, result = np.zeros_like(rewards[0]), np.empty_like(rewards)
    for t in reversed(range(len(rewards))):
        change = rewards[t] + 0.99 * values[t + 1] * going[t] - values[t]
        later = change + 0.94 * going[t] * later
        result[t] = later
    return result


def advantages_by_scan(rewards, values, going):
    """The same, by a few sums over all moments; each one reaches twice as far."""
    result, share, reach = rewards + 0.99 * values[1:] * going - values[:-1], 0.94 * going, 1
    while reach < len(rewards):
        after = F.pad(torch.stack([result, share])[:, reach:], (0, 0, 0, reach))
        result, share, reach = torch.addcmul(result, share, after[0]), share * after[1], 2 * reach
    return result


class Tower(nn.Module):
    """16 things by a table that stays as it is, and a network that learns what they have in common."""

    def __init__(self, entries, layers):
        super().__init__()
        self.register_buffer("table", torch.randn(entries, 128, device="cuda", dtype=BF16))
        self.layers = layers

    def forward(self, indices):
        return F.normalize(self.layers(F.embedding(indices, self.table).flatten(1)), dim=1)
