"""Networks, losses and optimizers of the programs in PyTorch."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BF16 = torch.bfloat16


def network(inputs, width, layers, outputs=16):
    """Fully connected, built on the device."""
    sizes = [inputs] + [width] * layers
    parts = []
    for a, b in zip(sizes, sizes[1:]):
        parts += [nn.Linear(a, b, device="cuda", dtype=BF16), nn.ReLU()]
    parts.append(nn.Linear(width, outputs, device="cuda", dtype=BF16))
    return nn.Sequential(*parts)


def labels(rows):
    return torch.randint(0, 16, (rows,), device="cuda")


def images(rows, channels, size):
    """Random images in the memory format of convolutions."""
    values = torch.randn(rows, channels, size, size, device="cuda", dtype=BF16)
    return values.contiguous(memory_format=torch.channels_last)


def class_loss(outputs, classes):
    return F.cross_entropy(outputs.float(), classes)


def size_of(tensor):
    """The mean of the absolute values, to compare results."""
    return tensor.detach().float().abs().mean()


class Update:
    """backward(loss) and step() of an optimizer; fused Adam, which may be part of a graph, unless another is given."""

    def __init__(self, model, optimizer=None):
        self.parameters = list(model.parameters())
        self.optimizer = optimizer or torch.optim.Adam(self.parameters, lr=1e-5, fused=True, capturable=True)

    def backward(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        return loss.detach()

    def step(self):
        self.optimizer.step()


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


class Residual(nn.Module):
    """Two convolutions with a connection around them."""

    def __init__(self, channels):
        super().__init__()
        self.one = nn.Conv2d(channels, channels, 3, padding=1)
        self.two = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return F.relu(x + self.two(F.relu(self.one(x))))
