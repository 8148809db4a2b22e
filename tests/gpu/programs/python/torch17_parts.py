"""What the seventeenth set of loops in PyTorch is made of: small helpers, and the larger programs of the set (depth of
stereo pictures, a shop, videos, a graph in four parts, relations, sound that is cleaned)."""
import mmap
import zlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch_parts import as_graph

BF16 = torch.bfloat16


def dense(*sizes):
    """Linear layers of these sizes."""
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b, device="cuda", dtype=BF16), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def classes(rows, count=16):
    return torch.randint(count, (rows,), device="cuda")


def pinned(tensor):
    return tensor.cpu().pin_memory()


def two_events():
    return [torch.cuda.Event() for _ in range(2)]


class Learner:
    """Slopes and update of a model."""

    def __init__(self, parameters):
        self.parameters = list(parameters)
        self.optimizer = torch.optim.AdamW(self.parameters, lr=1e-4, fused=True)

    def go(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.detach()


class Late:
    """A number that the host looks at a step later."""

    def __init__(self):
        self.host = [torch.zeros(()).pin_memory() for _ in range(2)]
        self.done, self.seen = two_events(), 0.0

    def look(self, i, value):
        slot = i % 2
        self.host[slot].copy_(value, non_blocking=True)
        self.done[slot].record()
        self.done[1 - slot].synchronize()
        self.seen = float(self.host[1 - slot])


class Ahead:
    """Batches of the host come a step ahead in a stream of their own: two places on the device."""

    def __init__(self, batches):
        self.batches, self.stream = batches, torch.cuda.Stream()
        self.places = [torch.zeros(batches[0].shape, dtype=batches[0].dtype, device="cuda") for _ in range(2)]
        self.here, self.free = two_events(), two_events()
        torch.cuda.synchronize()
        self.bring(0)

    def bring(self, i):
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free[i % 2])
            self.places[i % 2].copy_(self.batches[i % len(self.batches)], non_blocking=True)
            self.here[i % 2].record()

    def take(self, i):
        torch.cuda.current_stream().wait_event(self.here[i % 2])
        self.bring(i + 1)
        return self.places[i % 2]

    def give_back(self, i):
        self.free[i % 2].record()


class Block(nn.Module):
    """A layer of a transformer."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        with torch.device("cuda"):
            self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.to(BF16)

    def forward(self, x):
        rows, length, width = x.shape
        q, k, v = self.qkv(self.first(x)).view(rows, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        x = x + self.out(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.down(F.gelu(self.up(self.second(x))))


class Stereo:
    """How far things are is found in pairs of pictures: they come, are looked at, and what was found leaves, two places
    for each. All in the current stream, or each in its own."""

    def __init__(self, own_streams):
        now = torch.cuda.current_stream()
        self.coming, self.leaving = [torch.cuda.Stream() if own_streams else now for _ in range(2)]
        self.pictures = [pinned(torch.randint(256, (8, 6, 512, 512), dtype=torch.uint8, device="cuda"))
                         for _ in range(3)]
        layers = [nn.Conv2d(6, 64, 3, padding=1), nn.ReLU(True)]
        for _ in range(9):
            layers += [nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(True)]
        layers.append(nn.Conv2d(64, 2, 3, padding=1))
        self.model = nn.Sequential(*layers).to("cuda", BF16, memory_format=torch.channels_last).requires_grad_(False)
        self.places = [torch.zeros_like(self.pictures[0], device="cuda") for _ in range(2)]
        self.found = [torch.zeros(8, 2, 512, 512, device="cuda", dtype=BF16) for _ in range(2)]
        self.host = [torch.zeros(8, 2, 512, 512, dtype=BF16).pin_memory() for _ in range(2)]
        self.here, self.free, self.made, self.left = two_events(), two_events(), two_events(), two_events()
        self.nearest = 0.0
        torch.cuda.synchronize()

    @torch.no_grad()
    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        with torch.cuda.stream(self.coming):
            self.coming.wait_event(self.free[slot])
            self.places[slot].copy_(self.pictures[i % 3], non_blocking=True)
            self.here[slot].record()
        now.wait_event(self.here[slot])
        x = self.places[slot].to(BF16, memory_format=torch.channels_last).div_(255)
        self.free[slot].record()
        now.wait_event(self.left[slot])
        self.found[slot].copy_(self.model(x))
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            self.host[slot].copy_(self.found[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.nearest = float(self.host[1 - slot][0, 0, 0, 0])

    def result(self):
        return self.host[0].float().abs().mean() + self.host[1].float().abs().mean()


class Shop:
    """What visitors will buy is learned, six small batches for one update. The batches come one ahead; the part of the
    table of wares that the next update needs, 168 MB, comes meanwhile, in one copy or in six, one for each batch."""
    batches, wares = 6, 163840

    def __init__(self, in_pieces):
        self.in_pieces = in_pieces
        self.visits = Ahead([pinned(torch.randn(16384, 128, device="cuda", dtype=BF16)) for _ in range(4)])
        self.model = dense(640, 2048, 2048, 1)
        self.learner = Learner(self.model.parameters())
        self.bought = torch.rand(16384, device="cuda").round()
        self.looked_at = torch.randint(self.wares, (16384,), device="cuda")
        self.tables = [pinned(torch.randn(self.wares, 512, device="cuda", dtype=BF16)) for _ in range(2)]
        self.places = [table.to("cuda") for table in self.tables]
        self.stream, self.here, self.used = torch.cuda.Stream(), two_events(), two_events()
        self.loss = torch.zeros((), device="cuda")
        for w in self.learner.parameters:
            w.grad = torch.zeros_like(w)
        self.graphs = [[as_graph(lambda x=x, table=table: self.learn(x, table)) for x in self.visits.places]
                       for table in self.places]
        self.learner.optimizer.zero_grad(set_to_none=False)
        torch.cuda.synchronize()

    def learn(self, x, table):
        said = self.model(torch.cat([x, table[self.looked_at]], 1)).flatten().float()
        loss = F.binary_cross_entropy_with_logits(said, self.bought) / self.batches
        loss.backward()
        self.loss.copy_(loss.detach())

    def bring(self, i, number):
        """What goes with this batch of the table for the next update."""
        if number > 0 and not self.in_pieces:
            return
        slot, count = (i + 1) % 2, self.wares // self.batches + 1
        rows = slice(number * count, (number + 1) * count) if self.in_pieces else slice(None)
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.used[slot])
            self.stream.wait_event(self.visits.here[number % 2])
            self.places[slot][rows].copy_(self.tables[slot][rows], non_blocking=True)
            self.here[slot].record()

    def step(self, i):
        slot = i % 2
        torch.cuda.current_stream().wait_event(self.here[slot])
        for number in range(self.batches):
            self.bring(i, number)
            self.visits.take(i * self.batches + number)
            self.graphs[slot][number % 2].replay()
            self.visits.give_back(number)
        self.used[slot].record()
        self.learner.optimizer.step()
        self.learner.optimizer.zero_grad(set_to_none=False)


def dice(found, mask, count):
    """How little the found places and the true ones of each class are the same; count -1: as many as the mask has."""
    truth = F.one_hot(mask, count).float()
    likely = found.float().softmax(1).permute(0, 2, 3, 1)
    both = (likely * truth).sum((1, 2))
    return 1 - ((2 * both + 1) / (likely.sum((1, 2)) + truth.sum((1, 2)) + 1)).mean()


def organs_network(count):
    """Finds parts of pictures of 256 x 256, in 64 x 64 places."""
    sizes = [(3, 64, 2), (64, 256, 2)] + 4 * [(256, 256, 1)]
    layers = []
    for a, b, stride in sizes:
        layers += [nn.Conv2d(a, b, 3, stride, padding=1), nn.ReLU(True)]
    layers.append(nn.Conv2d(256, count, 1))
    return nn.Sequential(*layers).to("cuda", BF16, memory_format=torch.channels_last)


class Reel(Ahead):
    """Videos in memory that the program got from the system. The pages of a batch are pinned for its copy and let go
    behind it, or all are pinned at the beginning."""

    def __init__(self, count, size, at_once):
        self.memory, self.at_once = mmap.mmap(-1, count * size), at_once
        self.videos = torch.frombuffer(self.memory, dtype=torch.uint8).view(count, size)
        self.videos.copy_(torch.randint(256, (count, size), dtype=torch.uint8, device="cuda"))
        if at_once:
            self.pin(self.videos)
        super().__init__(list(self.videos))

    def pin(self, part):
        code = torch.cuda.cudart().cudaHostRegister(part.data_ptr(), part.numel(), 0)
        if int(code) != 0:
            raise RuntimeError(f"cudaHostRegister: {code}")
        self.held = part

    def let_go(self):
        torch.cuda.cudart().cudaHostUnregister(self.held.data_ptr())

    def bring(self, i):
        if not self.at_once:
            self.pin(self.batches[i % len(self.batches)])
        super().bring(i)

    def take(self, i):
        self.here[i % 2].synchronize()
        if not self.at_once:
            self.let_go()
        return super().take(i)

    def close(self):
        torch.cuda.synchronize()
        self.let_go()


class Watcher(nn.Module):
    """Tells from 256 pieces of a video what is done in it."""

    def __init__(self):
        super().__init__()
        self.into, self.out = dense(1024, 768), dense(768, 16)
        self.blocks = nn.Sequential(Block(768, 12, False), Block(768, 12, False))

    def forward(self, x):
        return self.out(self.blocks(self.into(x)).mean(1)).float()


class Histories:
    """A graph of papers in four parts. What was last found of the papers of a part lies in pinned memory: it is pulled
    a step ahead, and what the changed weights find is pushed behind the update. The pull waits for the push of its own
    part, three steps ago, or for the newest one."""
    parts, papers = 4, 81920

    def __init__(self, wait_for_own):
        self.wait_for_own = wait_for_own
        self.kept = [pinned(torch.randn(self.papers, 256, device="cuda", dtype=BF16)) for _ in range(self.parts)]
        self.words = torch.randn(self.papers, 256, device="cuda", dtype=BF16)
        self.cited = torch.randint(self.papers, (self.papers, 8), device="cuda")
        self.subject = classes(self.papers)
        self.finder, self.teller = dense(512, 1024, 1024, 1024, 256), dense(256, 16)
        self.learner = Learner([*self.finder.parameters(), *self.teller.parameters()])
        self.places, self.found = [[torch.zeros_like(self.words) for _ in range(2)] for _ in range(2)]
        self.pulling, self.pushing = torch.cuda.Stream(), torch.cuda.Stream()
        self.here, self.free, self.made = two_events(), two_events(), two_events()
        self.pushed = [torch.cuda.Event() for _ in range(self.parts)]
        torch.cuda.synchronize()
        self.pull(0)

    def pull(self, i):
        slot, part = i % 2, i % self.parts
        with torch.cuda.stream(self.pulling):
            self.pulling.wait_event(self.pushed[part if self.wait_for_own else part - 1])
            self.pulling.wait_event(self.free[slot])
            self.places[slot].copy_(self.kept[part], non_blocking=True)
            self.here[slot].record()

    def push(self, i):
        slot, part = i % 2, i % self.parts
        self.made[slot].record()
        with torch.cuda.stream(self.pushing):
            self.pushing.wait_event(self.made[slot])
            self.kept[part].copy_(self.found[slot], non_blocking=True)
            self.pushed[part].record()

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        now.wait_event(self.here[slot])
        near = self.places[slot][self.cited].mean(1)
        self.free[slot].record()
        x = torch.cat([self.words, near], 1)
        loss = self.learner.go(F.cross_entropy(self.teller(self.finder(x)).float(), self.subject))
        now.wait_event(self.pushed[i % self.parts - 2])
        with torch.no_grad():
            self.found[slot].copy_(self.finder(x))
        self.push(i)
        self.pull(i + 1)
        return loss


class Relations(nn.Module):
    """What a thing is, by things that it has 96 relations to, each with weights of its own: relation by relation, or
    all in one product."""
    things, kinds, edges, width = 32768, 96, 2048, 128

    def __init__(self, together):
        super().__init__()
        self.together = together
        self.weights = nn.Parameter(torch.randn(self.kinds, self.width, self.width, device="cuda") / self.width)
        self.rest = dense(2 * self.width, 2048, 2048, 2048, 16)
        self.x = torch.randn(self.things, self.width, device="cuda")
        self.source, self.target = torch.randint(self.things, (2, self.kinds, self.edges), device="cuda")

    def told(self):
        sums = torch.zeros_like(self.x)
        if self.together:
            sent = torch.bmm(self.x[self.source], self.weights)
            return sums.index_add_(0, self.target.flatten(), sent.flatten(0, 1))
        for source, target, weight in zip(self.source, self.target, self.weights.unbind()):
            sums.index_add_(0, target, self.x[source] @ weight)
        return sums

    def forward(self):
        return self.rest(torch.cat([self.told(), self.x], 1).to(BF16)).float()


class Words(nn.Module):
    """A word is the mean of its pieces of three letters, each of which has a place in a table by its hash. The hashes
    are found for each batch, or once for all words."""
    pieces, places = 3, 100_000

    def __init__(self, once):
        super().__init__()
        random = np.random.default_rng(17)
        letters = random.integers(97, 123, (20_000, self.pieces + 2), dtype=np.uint8)
        self.words = [row.tobytes() for row in letters]
        self.known = np.array([self.hashes(word) for word in self.words]) if once else None
        self.batches = [random.integers(0, len(self.words), 4096) for _ in range(3)]
        self.table = nn.Parameter(torch.randn(self.places, 256, device="cuda", dtype=BF16))
        self.rest = dense(256, *6 * [4096], 16)
        self.host = [torch.zeros(4096, self.pieces, dtype=torch.long).pin_memory() for _ in range(2)]
        self.came = two_events()

    def hashes(self, word):
        return [zlib.crc32(word[k:k + 3]) % self.places for k in range(self.pieces)]

    def ids(self, i):
        batch = self.batches[i % 3]
        if self.known is not None:
            found = self.known[batch]
        else:
            found = np.array([self.hashes(self.words[k]) for k in batch.tolist()])
        self.came[i % 2].synchronize()
        self.host[i % 2].copy_(torch.from_numpy(found))
        ids = self.host[i % 2].to("cuda", non_blocking=True)
        self.came[i % 2].record()
        return ids

    def forward(self, i):
        return self.rest(self.table[self.ids(i)].mean(1)).float()


class Speaker(nn.Module):
    """Tells the next of 8192 tokens."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(8192, 768, device="cuda", dtype=BF16)
        self.blocks = nn.Sequential(*[Block(768, 12, True) for _ in range(4)])
        self.out = dense(768, 8192)

    def forward(self, tokens):
        return self.out(self.blocks(self.table(tokens))).float()


class Cleaner:
    """Noise is taken out of sound: 12 MB come ahead, a graph for each place works on them, and the clean sound leaves
    beside the next one."""

    def __init__(self):
        self.sound = Ahead([pinned(torch.randint(-2000, 2000, (15360, 400), dtype=torch.int16, device="cuda"))
                            for _ in range(3)])
        self.model = dense(400, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 400).requires_grad_(False)
        self.clean = [torch.zeros(15360, 400, dtype=torch.int16, device="cuda") for _ in range(2)]
        self.host = [torch.zeros(15360, 400, dtype=torch.int16).pin_memory() for _ in range(2)]
        self.made, self.left, self.leaving, self.heard = two_events(), two_events(), torch.cuda.Stream(), 0.0
        self.graphs = [as_graph(lambda k=k: self.work(k)) for k in range(2)]
        torch.cuda.synchronize()

    @torch.no_grad()
    def work(self, slot):
        x = self.sound.places[slot].to(BF16) / 2000
        for _ in range(2):
            x = x - 0.5 * self.model(x)
        self.clean[slot].copy_((x * 2000).clamp_(-30000, 30000))

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        self.sound.take(i)
        now.wait_event(self.left[slot])
        self.graphs[slot].replay()
        self.sound.give_back(i)
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            self.host[slot].copy_(self.clean[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.heard = float(self.host[1 - slot][0, 0])
