"""What the second set of loops in PyTorch is made of: networks, an optimizer around a loss, texts."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BF16 = torch.bfloat16


class Block(nn.Module):
    """A layer of a transformer encoder."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.between = nn.LayerNorm(width)
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x):
        rows, length, width = x.shape
        q, k, v = self.qkv(self.before(x)).view(rows, length, 3, self.heads, width // self.heads).unbind(2)
        mixed = F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2))
        x = x + self.out(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.narrow(F.gelu(self.wide(self.between(x))))


def encoder(width, heads, layers):
    with torch.device("cuda"):
        return nn.Sequential(*[Block(width, heads) for _ in range(layers)]).to(BF16)


def convolutions(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(),
                         nn.Conv2d(outputs, outputs, 3, padding=1), nn.ReLU())


class Unet(nn.Module):
    """Half the size and more channels at each level, and back, with connections across."""

    def __init__(self, inputs, outputs, channels):
        super().__init__()
        pairs = list(zip(channels, channels[1:]))
        self.first = convolutions(inputs, channels[0])
        self.down = nn.ModuleList([convolutions(a, b) for a, b in pairs])
        self.up = nn.ModuleList([nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in reversed(pairs)])
        self.join = nn.ModuleList([convolutions(2 * a, a) for a, _ in reversed(pairs)])
        self.last = nn.Conv2d(channels[0], outputs, 1)

    def forward(self, x):
        levels = [self.first(x)]
        for down in self.down:
            levels.append(down(F.max_pool2d(levels[-1], 2)))
        x = levels.pop()
        for up, join in zip(self.up, self.join):
            x = join(torch.cat([up(x), levels.pop()], 1))
        return self.last(x)


def unet(inputs, outputs, channels):
    with torch.device("cuda"):
        return Unet(inputs, outputs, channels).to(BF16).to(memory_format=torch.channels_last)


def images(rows, channels, size):
    values = torch.randn(rows, channels, size, size, device="cuda", dtype=BF16)
    return values.contiguous(memory_format=torch.channels_last)


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.one = nn.Conv2d(channels, channels, 3, padding=1)
        self.two = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return F.relu(x + self.two(F.relu(self.one(x))))


def convolutional(*layers):
    """Layers and a classifier of 128 channels."""
    with torch.device("cuda"):
        model = nn.Sequential(*[layer.to("cuda") for layer in layers], nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                              nn.Linear(128, 16))
        return model.to(BF16).to(memory_format=torch.channels_last)


class Tagger(nn.Module):
    """Two layers of an LSTM, in half precision."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(256, 1024, 2, device="cuda", dtype=torch.half)
        self.head = nn.Linear(1024, 16, device="cuda", dtype=torch.half)

    def forward(self, x):
        return self.head(self.lstm(x)[0]).flatten(0, 1)


class Recommender(nn.Module):
    """26 indices into one table, some numbers, and a fully connected network."""

    def __init__(self, entries, width=64, numbers=16):
        super().__init__()
        self.table = nn.Embedding(entries, width)
        self.layers = nn.Sequential(nn.Linear(26 * width + numbers, 2048), nn.ReLU(), nn.Linear(2048, 1024), nn.ReLU(),
                                    nn.Linear(1024, 16))

    def forward(self, indices, numbers):
        return self.layers(torch.cat([self.table(indices).flatten(1), numbers], 1))


class Reader(nn.Module):
    """A class for each text."""

    def __init__(self, words, width, layers):
        super().__init__()
        self.table = nn.Embedding(words, width, device="cuda", dtype=BF16)
        self.body = encoder(width, 8, layers)
        self.head = nn.Linear(width, 16, device="cuda", dtype=BF16)

    def forward(self, words, present):
        hidden = self.body(self.table(words)) * present.unsqueeze(2)
        return self.head(hidden.sum(1) / present.sum(1, keepdim=True))


class Update:
    """backward(loss) and step() of an optimizer; fused Adam unless another is given."""

    def __init__(self, model, optimizer=None):
        self.parameters = list(model.parameters())
        self.optimizer = optimizer or torch.optim.Adam(self.parameters, lr=1e-5, fused=True)

    def backward(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        return loss.detach()

    def step(self):
        self.optimizer.step()


def capturable(model):
    """Adam that may be part of a graph."""
    return torch.optim.Adam(model.parameters(), lr=1e-5, fused=True, capturable=True)


def class_loss(outputs, classes):
    return F.cross_entropy(outputs.float(), classes)


# ---- texts

VOCABULARY = {f"word{n}": n + 1 for n in range(2000)}
LENGTH = 256


def as_batch(texts):
    """Words to numbers, one by one, filled up to one length."""
    rows, present = [], []
    for text in texts:
        words = [VOCABULARY.get(word.lower(), 0) for word in text.split()]
        rows.append(words + [0] * (LENGTH - len(words)))
        present.append([1.0 if word else 0.0 for word in rows[-1]])
    return torch.tensor(rows), torch.tensor(present).to(BF16)


class Texts(torch.utils.data.Dataset):
    def __init__(self):
        self.texts = [" ".join(f"Word{(n * 37 + k * 11) % 2000}" for k in range(160 + n % 97)) for n in range(512)]

    def __len__(self):
        return 4_000_000

    def __getitem__(self, i):
        return self.texts[i % len(self.texts)]
