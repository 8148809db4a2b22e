"""What the tenth set of loops in PyTorch is made of: layers with a memory, a scene, sweeps of points, a game, masked
pictures."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch2_parts import BF16, Residual, encoder
from torch6_parts import wide
from torch_parts import network


class Fading(nn.Module):
    """A layer in which each channel remembers what was before, and forgets it by a share each moment. It goes through
    the moments one by one, or knows how much is left of each one at each later one."""

    def __init__(self, width, moments, one_by_one):
        super().__init__()
        self.one_by_one = one_by_one
        self.before, self.into, self.body = nn.LayerNorm(width), nn.Linear(width, width), wide(width, 8 * width, width)
        share, time = torch.linspace(0.9, 0.996, width).to(BF16).float(), torch.arange(moments)
        apart = time.unsqueeze(1) - time
        self.register_buffer("share", share)
        self.register_buffer("left", torch.where(apart < 0, 0.0, share[:, None, None] ** apart.clamp(min=0)))

    def remembered(self, values):
        if not self.one_by_one:
            return torch.bmm(self.left, values.permute(2, 1, 0)).permute(2, 1, 0)
        states = [values[:, 0]]
        for value in values.unbind(1)[1:]:
            states.append(torch.addcmul(value, states[-1], self.share))
        return torch.stack(states, 1)

    def forward(self, x):
        x = x + self.remembered(self.into(self.before(x)))
        return x + self.body(x)


def fading(width, moments, layers, one_by_one):
    with torch.device("cuda"):
        parts = [Fading(width, moments, one_by_one) for _ in range(layers)]
        return nn.Sequential(*parts).to(BF16).requires_grad_(False)


class Scene(nn.Module):
    """How dense a room is at its points, and of which colour. seen() is what rays meet: three numbers are where one
    begins, three where it goes."""

    def __init__(self, width, layers, samples):
        super().__init__()
        self.samples = samples
        self.body = network(60, width, layers, 4)
        self.register_buffer("waves", 2.0 ** torch.arange(10, device="cuda"))
        self.register_buffer("depths", torch.linspace(0.1, 4.0, samples, device="cuda").unsqueeze(1))

    def forward(self, points):
        angles = (points.unsqueeze(2) * self.waves).flatten(1)
        return self.body(torch.cat([angles.sin(), angles.cos()], 1).to(BF16))

    def seen(self, rays):
        points = rays[:, None, :3] + self.depths * rays[:, None, 3:]
        dense, colour = self(points.flatten(0, 1)).float().unflatten(0, (len(rays), self.samples)).split((1, 3), 2)
        thick = F.softplus(dense) * (4.0 / self.samples)
        before = thick.cumsum(1) - thick
        return (torch.exp(-before) * (1 - torch.exp(-thick)) * colour.sigmoid()).sum(1)


class Sweeps(nn.Module):
    """Classes of sweeps of points: a first network says how to turn them, a second one what they are."""

    def __init__(self):
        super().__init__()
        self.turning, self.turn = network(4, 256, 3, 512), network(512, 256, 1, 16)
        self.knowing, self.know = network(4, 256, 3, 512), network(512, 256, 1, 16)

    def forward(self, points):
        turned = points @ self.turn(self.turning(points).amax(1)).unflatten(1, (4, 4))
        return self.know(self.knowing(turned).amax(1))


class Dream(nn.Module):
    """A world that is imagined. Each moment follows from the one before and a state that is drawn: by draw(middle,
    spread)."""

    def __init__(self, width, states, draw):
        super().__init__()
        self.draw = draw
        with torch.device("cuda"):
            self.cell = nn.GRUCell(width, width)
            self.into, self.guess = nn.Linear(states, width), nn.Linear(width, 2 * states)
        self.to(BF16).requires_grad_(False)

    def forward(self, known):
        middle, spread = self.guess(known).float().chunk(2, 1)
        state = self.draw(middle, F.softplus(spread) + 0.1)
        return self.cell(F.relu(self.into(state.to(BF16))), known)


class Player(nn.Module):
    """What to do in a game on 19 x 19 places, from two views of each board."""

    def __init__(self, channels, blocks):
        super().__init__()
        with torch.device("cuda"):
            layers = [Residual(channels) for _ in range(blocks)]
            self.body = nn.Sequential(nn.Conv2d(4, channels, 3, padding=1), *layers, nn.Conv2d(channels, 2, 1),
                                      nn.Flatten(), nn.Linear(722, 362))
        self.to(BF16).to(memory_format=torch.channels_last).requires_grad_(False)

    def forward(self, boards):
        return F.softmax(self.body(boards).float(), 1).unflatten(0, (-1, 2)).mean(1)


class Sensor:
    """A recurrent network of its own stream: so many moments are a graph, and it remembers the last one."""

    def __init__(self, rows, width, moments):
        self.weights = torch.randn(width, width, device="cuda", dtype=BF16) / width ** 0.5
        self.seen = torch.randn(moments, rows, width, device="cuda", dtype=BF16)
        self.state = torch.zeros(rows, width, device="cuda", dtype=BF16)
        self.stream, self.graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.stream(self.stream):
            self.listen()
        torch.cuda.synchronize()
        with torch.cuda.graph(self.graph, stream=self.stream):
            self.listen()

    @torch.no_grad()
    def listen(self):
        state = self.state
        for value in self.seen.unbind():
            state = torch.tanh(torch.addmm(value, state, self.weights))
        self.state.copy_(state)

    def replay(self):
        with torch.cuda.stream(self.stream):
            self.graph.replay()


class Masked(nn.Module):
    """Pictures as 256 patches, a quarter of which is seen, and all are guessed."""

    def __init__(self, values, width, layers, narrow):
        super().__init__()
        self.seen = 64
        with torch.device("cuda"):
            self.into, self.between = nn.Linear(values, width), nn.Linear(width, narrow)
            self.out, self.blank = nn.Linear(narrow, values), nn.Parameter(torch.zeros(1, 1, narrow))
        self.to(BF16)
        self.body, self.guess = encoder(width, width // 128, layers), encoder(narrow, narrow // 64, 1)

    def forward(self, patches):
        rows, count, values = patches.shape
        places = torch.rand(rows, count, device=patches.device).argsort(1)[:, :self.seen].unsqueeze(2)
        known = self.between(self.body(self.into(patches.gather(1, places.expand(-1, -1, values)))))
        full = self.blank.expand(rows, count, -1).scatter(1, places.expand_as(known), known)
        return self.out(self.guess(full))
