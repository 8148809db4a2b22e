"""What the twelfth set of loops in PyTorch is made of: kept games, anchors, a flow, layers that come from the host,
gradients that go there, atoms, guessed words."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2_parts import BF16, Residual, encoder
from torch3_parts import Decoder
from torch_parts import network


class Games:
    """Moves of a game that are kept: before, what was done, what it brought, after, and if that was the end. As a list
    of arrays on the host, or as tensors on the device."""

    def __init__(self, count, values, on_device):
        random = np.random.default_rng(12)
        states = random.standard_normal((count + 1, values), dtype=np.float32)
        moves, gains = random.integers(0, 16, count), random.standard_normal(count, dtype=np.float32)
        ends = (np.arange(count) % 50 == 49).astype(np.float32)
        if on_device:
            self.kept = [torch.from_numpy(part).to("cuda") for part in (states[:-1], moves, gains, states[1:], ends)]
        else:
            self.kept = list(zip(states[:-1], moves.tolist(), gains.tolist(), states[1:], ends.tolist()))

    def from_list(self, chosen):
        before, moves, gains, after, ends = zip(*[self.kept[n] for n in chosen])
        return (torch.tensor(np.array(before), device="cuda"), torch.tensor(moves, device="cuda"),
                torch.tensor(gains, device="cuda"), torch.tensor(np.array(after), device="cuda"),
                torch.tensor(ends, device="cuda"))

    def from_tensors(self, chosen):
        return tuple(part.index_select(0, chosen) for part in self.kept)


class Learner:
    """What each move is worth, by a network and one that stays behind."""

    def __init__(self, values, width, layers):
        self.model = network(values, width, layers)
        self.behind = network(values, width, layers).requires_grad_(False)
        self.behind.load_state_dict(self.model.state_dict())

    def loss(self, before, moves, gains, after, ends):
        worth = self.model(before.to(BF16)).float().gather(1, moves.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            later = self.behind(after.to(BF16)).float().amax(1)
            wanted = gains + 0.99 * (1 - ends) * later
        return F.smooth_l1_loss(worth, wanted)


class Anchors(nn.Module):
    """Four numbers for each of nine anchors of each place of five levels of a picture."""

    def __init__(self, channels):
        super().__init__()
        with torch.device("cuda"):
            layers = [Residual(channels) for _ in range(3)]
            self.body = nn.Sequential(nn.Conv2d(3, channels, 3, stride=2, padding=1), *layers)
            self.head = nn.Conv2d(channels, 36, 3, padding=1)
        self.to(BF16).to(memory_format=torch.channels_last)

    def forward(self, x):
        x, levels = self.body(x), []
        for _ in range(5):
            levels.append(self.head(x).permute(0, 2, 3, 1).reshape(len(x), -1, 4))
            x = F.max_pool2d(x, 2)
        return levels


class Letters(nn.Module):
    """Which of 64 letters is said at each moment."""

    def __init__(self, width, heads, layers):
        super().__init__()
        with torch.device("cuda"):
            self.into, self.out = nn.Linear(80, width), nn.Linear(width, 64)
        self.to(BF16)
        self.body = encoder(width, heads, layers)
        self.requires_grad_(False)

    def forward(self, x):
        return self.out(self.body(self.into(x)))


class Reviews(nn.Module):
    """A class for each text: what two layers of an LSTM know after its last word."""

    def __init__(self, width):
        super().__init__()
        self.lstm = nn.LSTM(256, width, 2, batch_first=True, device="cuda", dtype=torch.half)
        self.head = nn.Linear(width, 16, device="cuda", dtype=torch.half)
        self.requires_grad_(False)

    def forward(self, words, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(words, lengths, batch_first=True)
        return self.head(self.lstm(packed)[1][0][-1])


class Flow:
    """Points that go where a network says, by so many moments of four looks each."""

    def __init__(self, rows, width, moments):
        self.moments = moments
        with torch.device("cuda"):
            self.layers = nn.ModuleList([nn.Linear(64, width), nn.Linear(width, width), nn.Linear(width, 64)])
            self.begin = torch.randn(rows, 64, dtype=BF16)
        self.layers.to(BF16).requires_grad_(False)
        self.state = self.begin.clone()

    def slope(self, x):
        first, second, third = self.layers
        return third(torch.tanh(second(torch.tanh(first(x)))))

    @torch.no_grad()
    def go(self):
        x, part = self.state, 1 / self.moments
        for _ in range(self.moments):
            one = self.slope(x)
            two = self.slope(torch.add(x, one, alpha=part / 2))
            three = self.slope(torch.add(x, two, alpha=part / 2))
            four = self.slope(torch.add(x, three, alpha=part))
            sums = torch.add(one, two, alpha=2).add_(three, alpha=2).add_(four)
            x = torch.add(x, sums, alpha=part / 6)
        self.state.copy_(torch.lerp(self.begin, x, 0.5))

    def back(self):
        self.state.copy_(self.begin)


class Fetched:
    """Layers of an encoder whose weights lie in pinned memory, and come to one of two slots: ahead, in a stream of
    their own, or when they are needed."""

    def __init__(self, count, width, heads, ahead):
        self.count, self.ahead = count, ahead
        self.blocks = [encoder(width, heads, 1).requires_grad_(False) for _ in range(2)]
        self.slots = [self.as_one(block) for block in self.blocks]
        first = (0.02 * torch.randn(self.slots[0].numel())).to(BF16)
        self.kept = [first.roll(977 * n).pin_memory() for n in range(count)]
        self.stream = torch.cuda.Stream()
        self.full, self.used = [[torch.cuda.Event() for _ in range(2)] for _ in range(2)]
        torch.cuda.synchronize()
        if ahead:
            self.fetch(0)

    @staticmethod
    def as_one(block):
        """The memory of all weights, which become parts of it."""
        weights = list(block.parameters())
        one = torch.zeros(sum(w.numel() for w in weights), dtype=BF16, device="cuda")
        for part, w in zip(one.split([w.numel() for w in weights]), weights):
            w.data = part.view_as(w)
        return one

    def fetch(self, number):
        slot = number % 2
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.used[slot])
            self.slots[slot].copy_(self.kept[number % self.count], non_blocking=True)
            self.full[slot].record()

    @torch.no_grad()
    def layer(self, number, x):
        slot = number % 2
        if self.ahead:
            self.fetch(number + 1)
            torch.cuda.current_stream().wait_event(self.full[slot])
        else:
            self.slots[slot].copy_(self.kept[number % self.count], non_blocking=True)
        x = self.blocks[slot](x)
        self.used[slot].record()
        return x

    def through(self, i, x):
        for number in range(i * self.count, (i + 1) * self.count):
            x = self.layer(number, x)
        return x


class Leaving:
    """Slopes that go to pinned memory in a stream of their own: those of a weight when they are known, or when all
    are. They are kept where they are, and made zero when they have left."""

    def __init__(self, weights, at_once):
        self.weights, self.at_once = weights, at_once
        self.host = [torch.zeros(w.shape, dtype=w.dtype).pin_memory() for w in weights]
        self.known = [torch.cuda.Event() for _ in weights]
        self.left, self.stream = torch.cuda.Event(), torch.cuda.Stream()
        for place, w in enumerate(weights):
            w.grad = torch.zeros_like(w)
            if at_once:
                w.register_post_accumulate_grad_hook(lambda _, place=place: self.leave(place))

    def leave(self, place):
        self.known[place].record()
        with torch.cuda.stream(self.stream), torch.no_grad():
            self.stream.wait_event(self.known[place])
            self.host[place].copy_(self.weights[place].grad, non_blocking=True)

    def begin(self):
        torch.cuda.current_stream().wait_event(self.left)
        torch._foreach_zero_([w.grad for w in self.weights])

    def end(self):
        for place in [] if self.at_once else reversed(range(len(self.weights))):
            self.leave(place)
        self.left.record(self.stream)


class Atoms:
    """Atoms, and for each one those that were near when the list was made."""

    def __init__(self, count, near):
        with torch.device("cuda"):
            self.places, self.speeds = 10 * torch.rand(count, 3), torch.zeros(count, 3)
            self.near = torch.randint(0, count, (count, near))
        self.listed, self.lists = self.places.clone(), 0

    def move(self):
        apart = self.places[self.near] - self.places.unsqueeze(1)
        square = apart.square().sum(2, keepdim=True).add_(0.5)
        force = (apart / square.square()).sum(1)
        self.speeds.mul_(0.99).add_(force, alpha=1e-6)
        self.places.add_(self.speeds)

    def furthest(self):
        """How far one went since the list was made."""
        return (self.places - self.listed).square().sum(1).amax()

    def list_again(self):
        self.listed.copy_(self.places)
        self.near.copy_(self.near.sort(1)[0])
        self.lists += 1


class Guessed:
    """Four words of each text are guessed one by one by a small network, and judged by a large one at once. A round
    says how many are good; the text goes on behind those."""

    def __init__(self, texts, width, layers):
        self.small = Decoder(texts, 512, 2, length=256)
        with torch.device("cuda"):
            self.table, self.out = nn.Embedding(8192, width).to(BF16), nn.Linear(width, 8192).to(BF16)
            self.good = torch.zeros(texts, dtype=torch.long)
        self.body = encoder(width, width // 128, layers)
        for part in (self.table, self.out, self.body):
            part.requires_grad_(False)

    @torch.no_grad()
    def round(self):
        guessed = torch.stack([self.small.next().clone() for _ in range(4)], 1)
        words = self.out(self.body(self.table(guessed))).argmax(2)
        likely = (words + guessed) % 4 > 0  # networks that learned nothing agree on no word
        self.good.copy_(likely.long().cumprod(1).sum(1))
        last = (self.good - 1).clamp(min=0).unsqueeze(1)
        self.small.token.copy_(guessed.gather(1, last).squeeze(1))
