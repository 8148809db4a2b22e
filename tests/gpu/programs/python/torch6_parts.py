"""What the sixth set of loops in PyTorch is made of: latent levels, trackers, attention to a prefix, adapters."""
import collections
import concurrent.futures
import io
import time

import torch
import torch.distributions as D
import torch.nn as nn
import torch.nn.functional as F

from torch3_parts import Snapshots
from torch_parts import BF16, Prefetcher


def wide(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.GELU(), nn.Linear(hidden, outputs))


class Latent(nn.Module):
    """A level of an autoencoder: a distribution of 64 numbers by what is seen, and one by the level above."""

    def __init__(self, width, checked):
        super().__init__()
        self.checked = checked
        self.up, self.down = wide(width, 4 * width, width), wide(width, 4 * width, width)
        self.seen, self.guessed = nn.Linear(width, 128), nn.Linear(width, 128)
        self.into = nn.Linear(64, width)

    def normal(self, values):
        middle, spread = values.float().chunk(2, 1)
        return D.Normal(middle, F.softplus(spread) + 1e-3, validate_args=self.checked)

    def forward(self, x, above):
        x = x + self.up(x)
        seen, guessed = self.normal(self.seen(x)), self.normal(self.guessed(above))
        difference = D.kl_divergence(seen, guessed).sum(1).mean()
        return x, above + self.down(self.into(seen.rsample().to(BF16))), difference


class Autoencoder(nn.Module):
    """forward(x) is the loss."""

    def __init__(self, width, levels, checked):
        super().__init__()
        with torch.device("cuda"):
            self.levels = nn.ModuleList([Latent(width, checked) for _ in range(levels)])
        self.to(BF16)

    def forward(self, x):
        below, above, loss = x, torch.zeros_like(x), 0.0
        for level in self.levels:
            below, above, difference = level(below, above)
            loss = loss + 1e-3 * difference
        return loss + F.mse_loss(above.float(), x.float())


class Trackers:
    """Kalman filters of 32 numbers each, all with one model."""

    def __init__(self, count, checked):
        self.factor = torch.linalg.cholesky if checked else lambda s: torch.linalg.cholesky_ex(s).L
        self.one = torch.eye(32, device="cuda")
        self.moves = 0.9 * self.one + 0.01 * torch.randn(32, 32, device="cuda")
        self.sees = self.one + 0.05 * torch.randn(32, 32, device="cuda")
        self.place = torch.zeros(count, 32, device="cuda")
        self.spread = self.one.expand(count, 32, 32).contiguous()

    @torch.no_grad()
    def update(self, seen):
        place = self.place @ self.moves.t()
        spread = self.moves @ (self.spread @ self.moves.t()) + 0.1 * self.one
        crossed = self.sees @ spread
        lower = self.factor(crossed @ self.sees.t() + self.one)
        gain = torch.linalg.solve_triangular(lower, crossed, upper=False)
        error = torch.linalg.solve_triangular(lower, (seen - place @ self.sees.t()).unsqueeze(2), upper=False)
        self.place = torch.baddbmm(place.unsqueeze(2), gain.mT, error).squeeze(2)
        self.spread = torch.baddbmm(spread, gain.mT, gain, alpha=-1)


class CheckedBlock(nn.Module):
    """Each value must be a number: the host asks, or the device checks it itself."""

    def __init__(self, width, host_asks):
        super().__init__()
        self.host_asks = host_asks
        self.before, self.body = nn.LayerNorm(width), wide(width, 4 * width, width)

    def forward(self, x):
        x = x + self.body(self.before(x))
        good = torch.isnan(x).any().logical_not()
        if self.host_asks:
            assert good, "a value is no number"
        else:
            torch._assert_async(good)
        return x


class Windows:
    """A batch of its own class; the loader pins only what it knows, or what has pin_memory()."""

    def __init__(self, values, classes):
        self.values, self.classes = values, classes

    def to_device(self):
        return self.values.to("cuda", non_blocking=True), self.classes.to("cuda", non_blocking=True)


class PinnedWindows(Windows):
    def pin_memory(self):
        return PinnedWindows(self.values.pin_memory(), self.classes.pin_memory())


class Sensors(torch.utils.data.Dataset):
    """An item is a batch of 4 MiB."""

    def __init__(self, kind, rows=4096, columns=512):
        self.kind = kind
        self.values = torch.randn(rows, columns).to(BF16)
        self.classes = torch.arange(rows) % 16

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        return self.kind(self.values.roll(i, 0), self.classes.roll(i, 0))


class WindowLoader:
    """Two workers, a few batches ahead."""

    def __init__(self, kind):
        self.batches = iter(torch.utils.data.DataLoader(Sensors(kind), batch_size=None, num_workers=2, pin_memory=True,
                                                        prefetch_factor=2))

    def next(self):
        return next(self.batches)

    def close(self):
        self.batches._shutdown_workers()
        self.batches = None


class PrefixBlock(nn.Module):
    """A layer of a transformer that also sees keys and values of a prefix."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.body = wide(width, 4 * width, width)

    def forward(self, x, keys, values):
        rows, length, width = x.shape
        parts = self.qkv(self.before(x)).view(rows, length, 3, self.heads, width // self.heads).unbind(2)
        q, k, v = (part.transpose(1, 2) for part in parts)
        mixed = F.scaled_dot_product_attention(q, torch.cat([keys, k], 2), torch.cat([values, v], 2))
        x = x + self.out(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.body(self.between(x))


def prefix_model(width, heads, layers):
    with torch.device("cuda"):
        return nn.ModuleList([PrefixBlock(width, heads) for _ in range(layers)]).to(BF16).requires_grad_(False)


class InLine:
    """Each batch is copied when it is asked for, in the stream of the kernels."""

    def __init__(self, batches):
        self.batches = batches
        self.buffer = torch.empty_like(batches[0], device="cuda")

    def take(self, i):
        return self.buffer.copy_(self.batches[i % len(self.batches)], non_blocking=True)

    def give_back(self, i):
        pass


class FetchedAfter(Prefetcher):
    """Batch i + 1 is asked for when the work on batch i was issued. It may come as soon as its slot is free, of which
    an event of the slot tells, or one event of both."""

    def __init__(self, batches, one_event):
        super().__init__(batches)
        if one_event:
            self.free = [self.free[0]] * 2

    def take(self, i):
        torch.cuda.current_stream().wait_event(self.full[i % 2])
        return self.buffers[i % 2]

    def give_back(self, i):
        super().give_back(i)
        self.fetch(i + 1)


class Adapted(nn.Module):
    """A layer that is not trained, and a narrow one beside it that is."""

    def __init__(self, width, rank):
        super().__init__()
        self.body = nn.Linear(width, width).requires_grad_(False)
        self.into, self.out = nn.Linear(width, rank, bias=False), nn.Linear(rank, width, bias=False)

    def forward(self, x):
        return F.relu(self.body(x) + self.out(self.into(x)))


def adapted(width, layers, rank=32):
    with torch.device("cuda"):
        return nn.Sequential(*[Adapted(width, rank) for _ in range(layers)], nn.Linear(width, 16)).to(BF16)


def saved(tensors):
    file = io.BytesIO()
    torch.save(tensors, file)
    return file.tell()


class SavedBehind:
    """A thread saves copies in pinned memory that were taken beside the kernels."""

    def __init__(self, parameters):
        self.snapshots = Snapshots(parameters)
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.saving = {}

    def save(self, number):
        slot = number % 2
        if slot in self.saving:
            self.saving[slot].result()
        self.snapshots.take(number)
        self.saving[slot] = self.pool.submit(self.write, slot)

    def write(self, slot):
        self.snapshots.done[slot].synchronize()
        return saved(self.snapshots.kept[slot])


class Store:
    """A storage far away: an answer takes its time. Batches are asked for one by one, or four ahead by threads."""

    def __init__(self, batches, seconds, threads):
        self.batches, self.seconds = batches, seconds
        self.pool = concurrent.futures.ThreadPoolExecutor(threads) if threads else None
        self.ahead = collections.deque(self.pool.submit(self.fetch, n) for n in range(threads))

    def fetch(self, i):
        time.sleep(self.seconds)
        return self.batches[i % len(self.batches)]

    def batch(self, i):
        if not self.pool:
            return self.fetch(i)
        self.ahead.append(self.pool.submit(self.fetch, i + len(self.ahead)))
        return self.ahead.popleft().result()

    def close(self):
        if self.pool:
            self.pool.shutdown(cancel_futures=True)


class SpectralLayer(nn.Module):
    """Mixes channels at the lowest 32 x 32 frequencies of a field, and at each of its points."""

    def __init__(self, channels):
        super().__init__()
        self.by_frequency = nn.Parameter(0.01 * torch.randn(channels, channels, 32, 32, 2))
        self.by_point = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        low = torch.fft.rfft2(x)[:, :, :32, :32]
        mixed = torch.einsum("bixy,ioxy->boxy", low, torch.view_as_complex(self.by_frequency))
        mixed = F.pad(mixed, (0, x.shape[3] // 2 + 1 - 32, 0, x.shape[2] - 32))
        return F.gelu(torch.fft.irfft2(mixed, s=x.shape[2:]) + self.by_point(x))


def fields_model(inputs, channels, layers):
    with torch.device("cuda"):
        return nn.Sequential(nn.Conv2d(inputs, channels, 1), *[SpectralLayer(channels) for _ in range(layers)],
                             nn.Conv2d(channels, 1, 1))


@torch.no_grad()
def advantages(rewards, values, going, result):
    """Of each step of all environments, from the last step to the first."""
    later = torch.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        change = rewards[t] + 0.99 * values[t + 1] * going[t] - values[t]
        later = change + 0.94 * going[t] * later
        result[t] = later
