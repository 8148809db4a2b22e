#!/usr/bin/env python3
"""Set d of the seventeenth loops in PyTorch. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import loop_runner
from loop_runner import giving
from torch_loops import main
from torch_parts import Delayed

pairs = loop_runner.Pairs("torch17_d")
BF16 = torch.bfloat16


class Ahead:
    """Batches of the host come in a stream of their own, a step ahead: two slots on the device."""

    def __init__(self, batches):
        self.batches, self.stream = batches, torch.cuda.Stream()
        self.slots = [torch.empty_like(batches[0], device="cuda") for _ in range(2)]
        self.came, self.free = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        torch.cuda.synchronize()
        self.bring(0)

    def bring(self, i):
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[i % 2])
            self.slots[i % 2].copy_(self.batches[i % len(self.batches)], non_blocking=True)
            self.came[i % 2].record()

    def take(self, i):
        torch.cuda.current_stream().wait_event(self.came[i % 2])
        return self.slots[i % 2]

    def give_back(self, i):
        self.free[i % 2].record()
        self.bring(i + 1)


def dense(*widths):
    """Linear layers with a ReLU between them, in fp32."""
    layers = []
    for wide, out in zip(widths, widths[1:]):
        layers += [nn.Linear(wide, out), nn.ReLU()]
    return nn.Sequential(*layers[:-1]).cuda().requires_grad_(False)


# ---- language model evaluation

class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.first, self.second = heads, nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        rows, length, width = x.shape
        q, k, v = self.qkv(self.first(x)).view(rows, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.down(F.gelu(self.up(self.second(x))))


class Documents:
    """Held-out documents of 256 to 512 tokens, packed by numpy into pages of 64, some 0.3 ms: two pinned slots."""
    rows, length = 64, 512

    def __init__(self, vocabulary):
        random = np.random.default_rng(17)
        self.texts = [random.integers(1, vocabulary, random.integers(257, self.length + 2)) for _ in range(1000)]
        self.host = [torch.zeros(self.rows, self.length + 1, dtype=torch.long).pin_memory() for _ in range(2)]
        self.left = [torch.cuda.Event() for _ in range(2)]

    def page(self, number):
        slot = number % 2
        self.left[slot].synchronize()
        page = self.host[slot].numpy()
        page.fill(0)
        for row in range(self.rows):
            text = self.texts[(number * self.rows + row) % len(self.texts)]
            page[row, :len(text)] = text
        tokens = self.host[slot].to("cuda", non_blocking=True)
        self.left[slot].record()
        return tokens


@pairs.pair("readback host-sync", allowed=("launch-bound", "stretched"))
def perplexity_added_on_host(variant):
    """A language model is evaluated on three pages of documents a step, 2.7 ms each. The loss of each page is read with
    .item(), and only then is the next page packed and issued; mended, losses are added up on the device, and the sum
    is read a step later. 12 to 20 %."""
    torch.manual_seed(17)
    words, documents, late, log = 8192, Documents(8192), Delayed((), torch.float32), {}
    embed, blocks = nn.Embedding(words, 512), nn.Sequential(Block(512, 8), Block(512, 8))
    head = nn.Linear(512, words)
    for part in (embed, blocks, head):
        part.to("cuda", BF16).requires_grad_(False)

    @torch.no_grad()
    def lost(number):
        tokens = documents.page(number)
        logits = head(blocks(embed(tokens[:, :-1])))
        each = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=0, reduction="none")
        return each.float().sum()

    def step(i):
        if variant == "bad":
            log["total"] = sum(lost(3 * i + part).item() for part in range(3))
        else:
            log["total"] = sum(lost(3 * i + part) for part in range(3))
            log["before"] = float(late.exchange(i, log["total"]))
    return giving(step, lambda: log["total"])


# ---- embeddings

@pairs.pair("pageable", allowed=("stretched",))
def wares_embedded_from_plain_memory(variant):
    """Features of wares, 50 MB a step, come a step ahead in a stream of their own and are embedded, 3.4 ms. They lie in
    ordinary memory, and each copy takes 4 to 7 ms; mended, in pinned memory, 1 ms. 20 to 50 %."""
    torch.manual_seed(17)
    features = [torch.randn(24576, 512) for _ in range(4)]
    if variant == "mended":
        features = [part.pin_memory() for part in features]
    model, wares, late, log = dense(512, 2048, 1024, 256), Ahead(features), Delayed((), torch.float32), {}
    index = torch.zeros(4, 24576, 256, device="cuda")

    @torch.no_grad()
    def step(i):
        found = F.normalize(model(wares.take(i)), dim=1)
        index[i % 4].copy_(found)
        log["alike"] = (found[1:] * found[:-1]).sum(1).mean()
        log["before"] = float(late.exchange(i, log["alike"]))
        wares.give_back(i)
    return giving(step, lambda: index.abs().mean())


# ---- audio

class Vocoder:
    """Makes 64 waves of 65536 samples a step of what is to be said: two slots on the device, two on the host, which
    looks at the wave of the step before."""

    def __init__(self, stream):
        self.model = dense(80, 2048, 2048, 514)
        self.mels = torch.randn(64, 257, 80, device="cuda")
        self.window = torch.hann_window(512, device="cuda")
        self.waves = [torch.zeros(64, 256, 256, device="cuda") for _ in range(2)]
        self.host = [torch.zeros(64, 256, 256).pin_memory() for _ in range(2)]
        self.made, self.left = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.stream, self.heard, self.last = stream, 0.0, 0
        torch.cuda.synchronize()

    @torch.no_grad()
    def step(self, i):
        slot = i % 2
        spectra = torch.view_as_complex(self.model(self.mels.roll(i % 7, 1)).unflatten(2, (257, 2)))
        frames = torch.fft.irfft(spectra, n=512) * self.window
        torch.cuda.current_stream().wait_event(self.left[slot])
        torch.add(frames[:, :-1, 256:], frames[:, 1:, :256], out=self.waves[slot])
        self.made[slot].record()
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.made[slot])
            self.host[slot].copy_(self.waves[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.heard, self.last = float(self.host[1 - slot][0, 0, 0]), slot

    def result(self):
        torch.cuda.synchronize()
        return self.host[self.last].abs().mean()


@pairs.pair("same-stream", allowed=("stretched",))
def vocoder_hands_out_between_steps(variant):
    """Speech is made, 3.9 ms a step, and its waves, 17 MB, 0.35 ms, leave in the stream of the kernels, and the next
    step begins behind them; mended, they leave in a stream of their own. 5 to 9 %."""
    torch.manual_seed(17)
    own = torch.cuda.Stream() if variant == "mended" else torch.cuda.current_stream()
    vocoder = Vocoder(own)
    return giving(vocoder.step, vocoder.result)


# ---- image segmentation

class Fields(torch.utils.data.Dataset):
    """16 pictures of fields, 256 x 256, in changed light and with noise, and what grows where: numpy takes some 8 to
    15 ms for them."""

    def __init__(self):
        random = np.random.default_rng(17)
        self.pictures = random.integers(0, 200, (64, 3, 256, 256), dtype=np.uint8)
        self.grown = self.pictures[:, 0] // 25
        self.light = random.random((256, 256), dtype=np.float32) * 0.5 + 0.75

    def __len__(self):
        return 4_000_000

    def __getitem__(self, i):
        begin = i * 7 % 48
        x = self.pictures[begin:begin + 16].astype(np.float32)
        x *= np.roll(self.light, i % 256, axis=0)
        x /= 255
        np.clip(x, 0.01, 1, out=x)
        np.sqrt(x, out=x)
        x *= 255
        y = self.grown[begin:begin + 16]
        if i % 2:
            x, y = x[..., ::-1], y[..., ::-1]
        return torch.from_numpy(x.astype(np.uint8, order="C")), torch.from_numpy(y.copy())


@pairs.pair("data-loading", allowed=("stretched", "same-stream"))
def crops_mapped_with_one_worker(variant):
    """A network learns what grows in pictures of fields, 4 to 5 ms a step. One worker of the loader makes a batch ready
    in 8 to 15 ms; mended, there are six. 35 to 60 %."""
    torch.manual_seed(17)
    loader = torch.utils.data.DataLoader(Fields(), batch_size=None, pin_memory=True,
                                         num_workers=1 if variant == "bad" else 6)
    held, late, log = {"batches": iter(loader)}, Delayed((), torch.float32), {}
    model = nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 128, 3, 2, padding=1), nn.ReLU(),
        nn.Conv2d(128, 128, 3, padding=1), nn.ReLU(), nn.Conv2d(128, 128, 3, padding=1), nn.ReLU(),
        nn.Conv2d(128, 128, 3, padding=1), nn.ReLU(), nn.Conv2d(128, 32, 3, padding=1), nn.ReLU(),
        nn.Upsample(scale_factor=2), nn.Conv2d(32, 8, 3, padding=1))
    model.to("cuda", BF16, memory_format=torch.channels_last)
    learner = torch.optim.SGD(model.parameters(), lr=1e-4)

    def step(i):
        x, y = [part.to("cuda", non_blocking=True) for part in next(held["batches"])]
        x = x.to(BF16).div_(255).contiguous(memory_format=torch.channels_last)
        loss = F.cross_entropy(model(x).float(), y.long())
        learner.zero_grad()
        loss.backward()
        learner.step()
        log["loss"] = loss.detach()
        log["before"] = float(late.exchange(i, log["loss"]))
    return giving(step, lambda: log["loss"], held.clear)


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_wake_words(variant):
    """Sound, 33 MB a step, comes a step ahead in a stream of its own. Its spectra are listened to for words, 4 ms, and
    what was heard, 2 MB, leaves in another stream and is looked at a step later."""
    torch.manual_seed(17)
    sound = Ahead([torch.randn(16384, 512).pin_memory() for _ in range(4)])
    model, leaving, seen = dense(257, 2048, 2048, 1024, 32), torch.cuda.Stream(), {}
    found = [torch.zeros(16384, 32, device="cuda") for _ in range(2)]
    host = [torch.zeros(16384, 32).pin_memory() for _ in range(2)]
    made, left = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
    torch.cuda.synchronize()

    @torch.no_grad()
    def step(i):
        slot, current = i % 2, torch.cuda.current_stream()
        spectra = torch.fft.rfft(sound.take(i)).abs()
        sound.give_back(i)
        words = model(spectra.log1p())
        current.wait_event(left[slot])
        torch.sigmoid(words, out=found[slot])
        made[slot].record()
        with torch.cuda.stream(leaving):
            leaving.wait_event(made[slot])
            host[slot].copy_(found[slot], non_blocking=True)
            left[slot].record()
        left[1 - slot].synchronize()
        seen["first"] = float(host[1 - slot][0, 0])
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
