"""What the eleventh set of loops in PyTorch is made of: learners, captions, clips, frames both ways, a journal."""
import threading
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2_parts import BF16, Block, Residual, class_loss
from torch_parts import labels, network


def size_of(tensor):
    return tensor.detach().float().abs().mean()


class Learners:
    """Four networks that learn in turns. The moments of each one lie in pinned memory: they come in the stream of the
    kernels, and go there; or ahead, two slots, in streams of their own."""

    def __init__(self, rows, width, layers, ahead):
        self.models = [network(width, width, layers) for _ in range(4)]
        self.x, self.y = torch.randn(rows, width, device="cuda", dtype=BF16), labels(rows)
        self.sizes = [p.numel() for p in self.models[0].parameters()]
        self.kept = [torch.zeros(2, sum(self.sizes), dtype=BF16).pin_memory() for _ in range(4)]
        self.slots = [torch.zeros(2, sum(self.sizes), dtype=BF16, device="cuda") for _ in range(2)]
        self.ahead, self.loss = ahead, torch.zeros((), device="cuda")
        self.up, self.down = torch.cuda.Stream(), torch.cuda.Stream()
        self.full, self.used, self.left = [[torch.cuda.Event() for _ in range(2)] for _ in range(3)]
        torch.cuda.synchronize()
        if ahead:
            self.fetch(0)

    def fetch(self, i):
        slot = i % 2
        with torch.cuda.stream(self.up):
            self.up.wait_event(self.left[slot])
            self.slots[slot].copy_(self.kept[i % 4], non_blocking=True)
            self.full[slot].record()

    def leave(self, i):
        slot = i % 2
        self.used[slot].record()
        with torch.cuda.stream(self.down):
            self.down.wait_event(self.used[slot])
            self.kept[i % 4].copy_(self.slots[slot], non_blocking=True)
            self.left[slot].record()

    def step(self, i):
        model, moments = self.models[i % 4], self.slots[i % 2]
        if self.ahead:
            self.fetch(i + 1)
        loss = class_loss(model(self.x), self.y)
        slopes = torch.autograd.grad(loss, list(model.parameters()))
        self.loss = loss.detach()
        if self.ahead:
            torch.cuda.current_stream().wait_event(self.full[i % 2])
        else:
            moments.copy_(self.kept[i % 4], non_blocking=True)
        self.change(model, moments, torch.cat([s.flatten() for s in slopes]))
        if self.ahead:
            self.leave(i)
        else:
            self.kept[i % 4].copy_(moments, non_blocking=True)

    @torch.no_grad()
    def change(self, model, moments, slope):
        first, second = moments.unbind()
        first.lerp_(slope, 0.1)
        second.mul_(0.99).addcmul_(slope, slope, value=0.01)
        parts = (first / (second.sqrt() + 1e-3)).split(self.sizes)
        weights = list(model.parameters())
        torch._foreach_add_(weights, [part.view_as(w) for part, w in zip(parts, weights)], alpha=-1e-6)


class Captions(nn.Module):
    """What may come next in 1024 captions: 128 pictures, and the eight best beginnings for each one."""
    pictures, best, words = 128, 8, 16384

    def __init__(self, width):
        super().__init__()
        with torch.device("cuda"):
            self.table, self.cell = nn.Embedding(self.words, width), nn.GRUCell(width, width)
            self.out = nn.Linear(width, self.words)
            self.begin = torch.randn(self.pictures * self.best, width, dtype=BF16)
        self.to(BF16).requires_grad_(False)
        self.first = torch.arange(self.pictures, device="cuda").unsqueeze(1) * self.best

    def likely(self, state, scores):
        """Scores of the best ways to go on, and which ones they are."""
        chances = F.log_softmax(self.out(state).float(), 1) + scores.view(-1, 1)
        return chances.view(self.pictures, -1).topk(self.best, 1)


class Cropped(nn.Module):
    """Classes of pictures of 224 x 224."""

    def __init__(self):
        super().__init__()
        with torch.device("cuda"):
            self.body = nn.Sequential(nn.Conv2d(3, 128, 7, stride=4, padding=3), Residual(128), nn.AdaptiveAvgPool2d(1),
                                      nn.Flatten(), nn.Linear(128, 16))
        self.to(BF16).requires_grad_(False)

    def forward(self, x):
        return self.body(x)


class BothWays:
    """Frames come in one stream and leave in another, two slots. The next one comes when its slot is free, or when the
    one before has left."""

    def __init__(self, shape, after_leaving):
        self.after_leaving = after_leaving
        first = torch.randn(shape).to(BF16)
        self.sent = [first.roll(n, 0).pin_memory() for n in range(2)]
        self.there = [torch.empty(shape, dtype=BF16).pin_memory() for _ in range(2)]
        self.come = [torch.zeros(shape, dtype=BF16, device="cuda") for _ in range(2)]
        self.going = [torch.zeros(shape, dtype=BF16, device="cuda") for _ in range(2)]
        self.up, self.down = torch.cuda.Stream(), torch.cuda.Stream()
        self.full, self.made, self.left = [[torch.cuda.Event() for _ in range(2)] for _ in range(3)]
        torch.cuda.synchronize()
        self.fetch(0)

    def fetch(self, i):
        slot = i % 2
        with torch.cuda.stream(self.up):
            if self.after_leaving:
                self.up.wait_event(self.left[1 - slot])
            self.up.wait_event(self.made[slot])
            self.come[slot].copy_(self.sent[slot], non_blocking=True)
            self.full[slot].record()

    def step(self, i, work):
        slot, current = i % 2, torch.cuda.current_stream()
        current.wait_event(self.full[slot])
        current.wait_event(self.left[slot])
        self.going[slot].copy_(work(self.come[slot]))
        self.made[slot].record()
        with torch.cuda.stream(self.down):
            self.down.wait_event(self.made[slot])
            self.there[slot].copy_(self.going[slot], non_blocking=True)
            self.left[slot].record()
        self.fetch(i + 1)


class Clips(torch.utils.data.Dataset):
    """Spectra of what was said: 298 moments of 128 values, which numpy finds by transforms."""

    def __init__(self):
        self.sound = np.random.default_rng(11).standard_normal(4_000_000, dtype=np.float32)
        self.window = np.hanning(400).astype(np.float32)

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        begin = i * 7919 % 3_900_000
        sound = self.sound[begin:begin + 297 * 160 + 400]
        moments = np.lib.stride_tricks.sliding_window_view(sound, 400)[::160] * self.window
        spectra = np.abs(np.fft.rfft(moments, 512))[:, :256] ** 2
        return torch.from_numpy(np.log(spectra.reshape(298, 128, 2).mean(2) + 1e-3).astype(np.float32))


class Listener(nn.Module):
    """A class for each clip."""

    def __init__(self, width, heads, layers):
        super().__init__()
        with torch.device("cuda"):
            self.into, self.out = nn.Linear(128, width), nn.Linear(width, 16)
            self.body = nn.Sequential(*[Block(width, heads) for _ in range(layers)])
        self.to(BF16)

    def forward(self, x):
        return self.out(self.body(self.into(x)).mean(1))


class Watched(nn.Module):
    """A network that tells how much of each of 64 groups of its units is active, layer by layer."""

    def __init__(self, width, layers):
        super().__init__()
        with torch.device("cuda"):
            self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(layers)])
            self.out = nn.Linear(width, 16)
        self.to(BF16)

    def forward(self, x, tell):
        for layer in self.layers:
            x = F.relu(layer(x))
            tell((x.detach() > 0).to(BF16).view(len(x), 64, -1).mean((0, 2)))
        return self.out(x)


class Streaming:
    """A recognizer that hears a piece of each of so many talks at a time, and remembers the 30 moments before."""

    def __init__(self, talks, moments, width, layers):
        with torch.device("cuda"):
            self.blocks = nn.ModuleList([Block(width, width // 64) for _ in range(layers)]).to(BF16)
            self.mixers = [0.1 * torch.randn(width, 1, 31, dtype=BF16) for _ in range(layers)]
            self.before = [torch.zeros(talks, width, 30, dtype=BF16) for _ in range(layers)]
            self.heard = torch.randn(talks, moments, width, dtype=BF16)
            self.said = torch.zeros(talks, moments, width, dtype=BF16)
        self.blocks.requires_grad_(False)

    @torch.no_grad()
    def hear(self):
        x = self.heard
        for block, mixer, before in zip(self.blocks, self.mixers, self.before):
            full = torch.cat([before, x.transpose(1, 2)], 2)
            x = block(x + F.conv1d(full, mixer, groups=len(mixer)).transpose(1, 2))
            before.copy_(full[:, :, -30:])
        self.said.copy_(F.normalize(x, dim=2))

    def forget(self):
        for before in self.before:
            before.zero_()


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


class Vocoder(nn.Module):
    """A sound of spectra, by convolutions in time."""

    def __init__(self, width, layers):
        super().__init__()
        with torch.device("cuda"):
            self.layers = nn.ModuleList([nn.Conv1d(width, width, 7, padding=3) for _ in range(layers)])
        self.to(BF16).requires_grad_(False)

    def forward(self, x):
        for layer in self.layers:
            x = x + F.relu(layer(x))
        return x
