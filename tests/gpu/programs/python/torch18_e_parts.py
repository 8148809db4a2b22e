"""What the fifth part of the eighteenth set of loops in PyTorch is made of: a ward of a hospital, cameras of a match,
relief and rivers, games of Hex, clips of speech, grasps of a hand, runners, dreams of robots."""
import ctypes

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import Ahead, dense, organs_network, pinned, two_events
from torch17_third_parts import OnDevice, check, runtime
from torch_parts import BF16, as_graph


class Ward:
    """Hearts of a ward are listened to, eight batches a step that come one ahead, and then organs are found in a scan.
    The scan for the next step, 168 MB, comes meanwhile in another stream: in one copy, or in a piece for each batch."""
    rounds, patches = 8, 163840

    def __init__(self, in_pieces):
        self.in_pieces = in_pieces
        self.hearts = Ahead([pinned(torch.randn(4096, 1024, device="cuda", dtype=BF16)) for _ in range(4)])
        self.listen = dense(1024, 4096, 4096, 4096, 4096, 16).requires_grad_(False)
        self.organs = dense(512, 1024, 1024, 4).requires_grad_(False)
        self.scans = [pinned(torch.randint(-1000, 1000, (self.patches, 512), device="cuda", dtype=torch.int16))
                      for _ in range(2)]
        self.places = [scan.to("cuda") for scan in self.scans]
        self.stream, self.here, self.used = torch.cuda.Stream(), two_events(), two_events()
        self.found = torch.zeros((), device="cuda")
        torch.cuda.synchronize()

    def bring(self, i, number):
        """What comes of the next scan with this batch."""
        if number > 0 and not self.in_pieces:
            return
        slot, count = (i + 1) % 2, self.patches // self.rounds
        rows = slice(number * count, (number + 1) * count) if self.in_pieces else slice(None)
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.used[slot])
            self.stream.wait_event(self.hearts.here[number % 2])
            self.places[slot][rows].copy_(self.scans[slot][rows], non_blocking=True)
            self.here[slot].record()

    @torch.no_grad()
    def step(self, i):
        slot, alarms = i % 2, []
        for number in range(self.rounds):
            self.bring(i, number)
            x = self.hearts.take(i * self.rounds + number)
            alarms.append(self.listen(x).float().softmax(1)[:, 0].mean())
            self.hearts.give_back(number)
        torch.cuda.current_stream().wait_event(self.here[slot])
        x = self.places[slot].to(BF16).div_(1000)
        self.used[slot].record()
        self.found = torch.stack(alarms).mean() + self.organs(x).float().softmax(1)[:, 0].mean()


class Match:
    """Two cameras look at a match. What each sees is told in a stream of its own, corrected by how the wind shakes it,
    which numpy draws; where the players are is found from both. The host waits for both streams, or the stream does."""
    rows = 16384

    def __init__(self, host_waits):
        self.host_waits, self.random = host_waits, np.random.default_rng(18)
        self.pictures = torch.randn(2, self.rows, 1024, device="cuda", dtype=BF16)
        self.sway = torch.randn(6, 1024, device="cuda") / 16
        self.tell = [dense(1024, 4096, 4096, 4096, 1024).requires_grad_(False) for _ in range(2)]
        self.players = dense(2048, 4096, 2048, 64).requires_grad_(False)
        self.streams = [torch.cuda.Stream() for _ in range(2)]
        self.host = [torch.zeros(2, self.rows, 6).pin_memory() for _ in range(2)]
        self.shaken = torch.zeros(2, self.rows, 6, device="cuda")
        self.copied = [two_events() for _ in range(2)]
        self.seen = torch.zeros(2, self.rows, 1024, device="cuda", dtype=BF16)
        self.joined, self.where = torch.cuda.Event(), torch.zeros((), device="cuda")
        torch.cuda.synchronize()

    def draw(self, slot):
        wind = self.random.standard_normal((2, self.rows, 6), dtype=np.float64)
        for event in self.copied[slot]:
            event.synchronize()
        self.host[slot].copy_(torch.from_numpy(wind))

    @torch.no_grad()
    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        self.draw(slot)
        for camera, stream in enumerate(self.streams):
            with torch.cuda.stream(stream):
                self.shaken[camera].copy_(self.host[slot][camera], non_blocking=True)
                self.copied[slot][camera].record()
                x = self.pictures[camera] + (self.shaken[camera] @ self.sway).to(BF16)
                told = self.tell[camera](x)
                stream.wait_event(self.joined)
                self.seen[camera].copy_(told)
        for stream in self.streams:
            if self.host_waits:
                stream.synchronize()
            else:
                now.wait_stream(stream)
        self.where = self.players(torch.cat([*self.seen], 1)).float().abs().mean()
        self.joined.record()


class Relief:
    """What the ground is like is told of tiles of a map, and leaves, 69 MB; where rivers are is found from that, and
    leaves too, 25 MB, in the same stream. That stream waits for both before the first copy, or for each before its
    own. There is one place of each on the device, and two on the host."""
    tiles = 49152

    def __init__(self, wait_for_both):
        self.wait_for_both = wait_for_both
        self.heights = Ahead([pinned(torch.randn(self.tiles, 768, device="cuda", dtype=BF16)) for _ in range(3)])
        self.tell = dense(768, 3072, 704).requires_grad_(False)
        self.find = dense(704, 4096, 4096, 256).requires_grad_(False)
        self.ground = torch.zeros(self.tiles, 704, device="cuda", dtype=BF16)
        self.rivers = torch.zeros(self.tiles, 256, device="cuda", dtype=BF16)
        self.ground_host, self.rivers_host = [[torch.zeros(x.shape, dtype=BF16).pin_memory() for _ in range(2)]
                                              for x in (self.ground, self.rivers)]
        self.leaving, self.wet = torch.cuda.Stream(), 0.0
        self.ground_made, self.ground_left = two_events()
        self.rivers_made, self.rivers_left = two_events()
        self.done = two_events()
        torch.cuda.synchronize()

    def leave(self, slot):
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.ground_made)
            if self.wait_for_both:
                self.leaving.wait_event(self.rivers_made)
            self.ground_host[slot].copy_(self.ground, non_blocking=True)
            self.ground_left.record()
            self.leaving.wait_event(self.rivers_made)
            self.rivers_host[slot].copy_(self.rivers, non_blocking=True)
            self.rivers_left.record()
            self.done[slot].record()

    @torch.no_grad()
    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        told = self.tell(self.heights.take(i))
        self.heights.give_back(i)
        now.wait_event(self.ground_left)
        self.ground.copy_(told)
        self.ground_made.record()
        found = self.find(self.ground)
        now.wait_event(self.rivers_left)
        self.rivers.copy_(found)
        self.rivers_made.record()
        self.leave(slot)
        self.done[1 - slot].synchronize()
        self.wet = float(self.rivers_host[1 - slot][0, 0])

    def result(self):
        return self.rivers.float().abs().mean()


class Hex(torch.utils.data.Dataset):
    """Positions of games of Hex: the stones of the last four positions, who moves, and the move that was made."""
    side, moves = 19, 120

    def __init__(self):
        random = np.random.default_rng(18)
        self.games = random.random((4000, self.side ** 2), dtype=np.float32).argsort(1)[:, :self.moves]

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        random, game = np.random.default_rng(i), self.games[i % len(self.games)]
        number = int(random.integers(8, self.moves))
        planes = np.zeros((9, self.side ** 2), np.uint8)
        for back in range(4):
            played = game[:number - back]
            planes[2 * back, played[0::2]] = 1
            planes[2 * back + 1, played[1::2]] = 1
        planes[8] = number % 2
        move = int(game[number])
        if random.random() < 0.5:  # the board looks the same turned by half
            planes, move = np.ascontiguousarray(planes[:, ::-1]), self.side ** 2 - 1 - move
        return torch.from_numpy(planes.reshape(9, self.side, self.side)), move


def hex_network():
    """Says where to move."""
    layers = []
    for a in [9] + 6 * [256]:
        layers += [nn.Conv2d(a, 256, 3, padding=1), nn.ReLU(True)]
    layers += [nn.Conv2d(256, 1, 1), nn.Flatten()]
    return nn.Sequential(*layers).to("cuda", BF16, memory_format=torch.channels_last)


class Utterances(Ahead):
    """Clips of speech, each in pinned memory, are put together to a batch, which comes a step ahead: in memory that
    stack() gets, or in one of two pinned places."""

    def __init__(self, clips, rows, pinned_places):
        self.clips = clips.unbind()
        random = np.random.default_rng(18)
        self.orders = [random.permutation(len(self.clips))[:rows].tolist() for _ in range(8)]
        self.pages = [clips[:rows].clone().pin_memory() if pinned_places else None for _ in range(2)]
        super().__init__([clips[:rows], clips[:rows]])

    def bring(self, i):
        slot, chosen = i % 2, [self.clips[k] for k in self.orders[i % 8]]
        self.here[slot].synchronize()
        self.batches[slot] = torch.stack(chosen, out=self.pages[slot])
        super().bring(i)


class Grasps:
    """How well grasps of a hand hold is judged by a library that works in memory of its own, 201 MB. It asks the driver
    for that in each call and gives it back at the end, or asks once."""
    rows, width = 12288, 2048

    def __init__(self, keep):
        self.keep, self.runtime, self.address = keep, runtime(), ctypes.c_void_p()
        self.layers = torch.randn(4, self.width, self.width, device="cuda") / 32
        self.worth = torch.zeros(self.rows, device="cuda")
        self.space = self.ask() if keep else None

    def ask(self):
        shape = (2, self.rows, self.width)
        size = ctypes.c_size_t(4 * int(np.prod(shape)))
        check(self.runtime.cudaMalloc(ctypes.byref(self.address), size), "cudaMalloc")
        return torch.as_tensor(OnDevice(self.address.value, shape), device="cuda")

    def give_back(self):
        self.space = None
        check(self.runtime.cudaFree(self.address), "cudaFree")

    def products(self, x):
        one, other = self.space
        torch.mm(x, self.layers[0], out=one).relu_()
        torch.mm(one, self.layers[1], out=other).relu_()
        torch.mm(other, self.layers[2], out=one).relu_()
        torch.mm(one, self.layers[3], out=other)
        torch.mean(other.abs_(), 1, out=self.worth)

    @torch.no_grad()
    def judge(self, x):
        if not self.keep:
            self.space = self.ask()
        self.products(x)
        if not self.keep:
            self.give_back()
        return self.worth.mean()

    def close(self):
        torch.cuda.synchronize()
        if self.keep:
            self.give_back()


class Runners:
    """Where the joints of runners are: pictures come ahead, a graph for each place finds heat maps and from them the
    joints, and the maps leave beside the next pictures."""

    def __init__(self):
        self.pictures = Ahead([pinned(torch.randint(256, (96, 3, 256, 256), device="cuda", dtype=torch.uint8))
                               for _ in range(3)])
        self.model = organs_network(17).requires_grad_(False)
        self.maps = [torch.zeros(96, 17, 64, 64, device="cuda", dtype=BF16) for _ in range(2)]
        self.host = [torch.zeros(96, 17, 64, 64, dtype=BF16).pin_memory() for _ in range(2)]
        self.joints = torch.zeros(96, 17, 2, device="cuda")
        self.axis = torch.arange(64, device="cuda") / 64
        self.made, self.left, self.leaving, self.sure = two_events(), two_events(), torch.cuda.Stream(), 0.0
        self.graphs = [as_graph(lambda k=k: self.work(k)) for k in range(2)]
        torch.cuda.synchronize()

    @torch.no_grad()
    def work(self, slot):
        x = self.pictures.places[slot].to(BF16, memory_format=torch.channels_last).div_(255)
        likely = self.model(x).float().flatten(2).softmax(2).view(96, 17, 64, 64)
        self.maps[slot].copy_(likely)
        places = torch.stack([likely.sum(2) @ self.axis, likely.sum(3) @ self.axis], 2)
        self.joints.lerp_(places, 0.5)

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        self.pictures.take(i)
        now.wait_event(self.left[slot])
        self.graphs[slot].replay()
        self.pictures.give_back(i)
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            self.host[slot].copy_(self.maps[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.sure = float(self.host[1 - slot][0, 0, 0, 0])


class Dreams:
    """Robots learn what they will see next, over eight moments. What they saw, 67 MB, comes a step ahead, and a graph
    for each place goes through the moments, back again, and changes the weights."""
    moments, robots, width, hidden = 8, 16384, 256, 1024

    def __init__(self):
        self.seen = Ahead([pinned(torch.randn(self.moments, self.robots, self.width, device="cuda", dtype=BF16))
                           for _ in range(3)])
        self.cell, self.say = dense(self.hidden + self.width, 2 * self.hidden), dense(self.hidden, self.width)
        self.weights = [*self.cell.parameters(), *self.say.parameters()]
        self.loss = torch.zeros((), device="cuda")
        self.graphs = [as_graph(lambda place=place: self.learn(place)) for place in self.seen.places]
        torch.cuda.synchronize()

    def learn(self, place):
        state, loss = torch.zeros(self.robots, self.hidden, device="cuda", dtype=BF16), 0
        for now, then in zip(place, place[1:]):
            gate, new = self.cell(torch.cat([state, now], 1)).chunk(2, 1)
            state = torch.lerp(state, new.tanh(), gate.sigmoid())
            loss = loss + F.mse_loss(self.say(state).float(), then.float())
        slopes = torch.autograd.grad(loss, self.weights)
        with torch.no_grad():
            torch._foreach_add_(self.weights, slopes, alpha=-1e-3)
            self.loss.copy_(loss.detach())

    def step(self, i):
        self.seen.take(i)
        self.graphs[i % 2].replay()
        self.seen.give_back(i)
