"""The host of a program in PyTorch reads a result and goes on only then."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from loop_runner import Pairs, giving
from torch_capture import as_graph, replayed
from torch_models import BF16, Update, class_loss, encoder, images, labels, network
from torch_staging import Delayed
from torch_training import logged_training

pairs = Pairs("torch")


@pairs.pair("readback host-sync", further="launch-bound python host-late", other="launch-bound python host-late")
def loss_read_each_step(variant):
    """The loss is read with item() in each step and logged; the device has no work while the line is written. Mended:
    it is read in one step of 50. Further, other: the step is a graph."""
    return logged_training(variant, 6, 5000, lambda i, loss: loss.item())


@pairs.pair("readback host-sync pageable", removes="readback host-sync", further="launch-bound python host-late",
            other="launch-bound python host-late")
def token_read_and_sent_back(variant):
    """Eight tokens a step: the host reads each one with item() and sends it back as a new tensor. Mended: the token
    stays on the device. Further: all eight are a graph. Other: each one is a graph."""
    with torch.device("cuda"):
        blocks = nn.ModuleList([nn.Sequential(nn.LayerNorm(2048), nn.Linear(2048, 8192), nn.GELU(),
                                              nn.Linear(8192, 2048)) for _ in range(8)]).to(BF16)
    table = nn.Embedding(4096, 2048, device="cuda", dtype=BF16)
    state = {"token": torch.zeros(1, dtype=torch.long, device="cuda")}
    given, made = [torch.zeros(1, dtype=torch.long, device="cuda") for _ in range(2)]

    @torch.no_grad()
    def following(token):
        hidden = table(token)
        for block in blocks:
            hidden = hidden + block(hidden)
        return (hidden @ table.weight.t()).argmax(-1)
    one = as_graph(lambda: made.copy_(following(given))) if variant == "other" else None

    def eight(token):
        for _ in range(8):
            if one:
                one.replay()
                given.copy_(torch.tensor([made.item()]))
            else:
                token = following(token)
            if variant == "bad":
                token = torch.tensor([token.item()], device="cuda")
        return token

    def step(i):
        state["token"] = eight(state["token"])
    if variant == "further":
        all_of_them = as_graph(lambda: given.copy_(eight(given)))
        return lambda i: all_of_them.replay()
    return step


class Judges(nn.Module):
    """Rows of a loss, one of each head."""

    def __init__(self, body, heads):
        super().__init__()
        self.body, self.heads = body, heads

    def rows(self, x):
        """One after the other."""
        hidden = self.body(x)
        for head in self.heads:
            yield head(hidden).float().square().mean(1)

    def forward(self, x):
        return tuple(self.rows(x))


@pairs.pair("readback host-sync", further="launch-bound python host-late", other="launch-bound python host-late")
def rows_chosen_by_boolean_mask(variant):
    """Six losses are taken over rows chosen by a boolean index, whose size the host has to read from the device.
    Mended: the rows are multiplied by the mask. Further: the step is a graph. Other: all up to the rows is, and so is
    its backward pass."""
    body = network(256, 2048, 6, 2048)
    heads = nn.ModuleList([nn.Linear(2048, 64, device="cuda", dtype=BF16) for _ in range(6)])
    optimizer = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=1e-5)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)
    masks = [torch.rand(4096, device="cuda") < 0.5 for _ in heads]
    by_index, judges = variant in ("bad", "other"), Judges(body, heads)
    rows_of = torch.cuda.make_graphed_callables(judges, (x,)) if variant == "other" else judges.rows

    def learn():
        optimizer.zero_grad(set_to_none=True)
        loss = 0
        for rows, mask in zip(rows_of(x), masks):
            loss = loss + (rows[mask].mean() if by_index else (rows * mask).sum() / mask.sum())
        loss.backward()
        optimizer.step()
    learn = replayed(learn, variant)
    return lambda i: learn()


def convolutions(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(),
                         nn.Conv2d(outputs, outputs, 3, padding=1), nn.ReLU())


class Unet(nn.Module):
    """A U-Net: half the size and more channels at each level, and back, with connections across."""

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


@pairs.pair("readback host-sync", further="launch-bound python host-late", other="launch-bound python host-late")
def noise_level_read_from_device(variant):
    """A diffusion sampler takes its noise levels from a tensor on the device, two for each of four denoising steps, as
    numbers of the host. Mended: the levels are on the host. 3 to 9 %. Further: a step is a graph. Other: the model is.
    """
    model = unet(4, 4, (128, 256, 512)).requires_grad_(False)
    start = images(32, 4, 64)
    levels = [10.0, 5.0, 2.0, 0.5, 0.1]
    sigmas = torch.tensor(levels, device="cuda") if variant in ("bad", "other") else levels
    given, made = [torch.zeros_like(start) for _ in range(2)]
    graph = as_graph(lambda: made.copy_(model(given))) if variant == "other" else None

    def cleaned(x):
        if not graph:
            return model(x)
        given.copy_(x)
        graph.replay()
        return made

    @torch.no_grad()
    def sample():
        x = start * levels[0]
        for k in range(4):
            sigma, following = float(sigmas[k]), float(sigmas[k + 1])
            clean = cleaned(x / (sigma * sigma + 1) ** 0.5)
            x = clean + (x - clean) * (following / sigma)
    sample = replayed(sample, variant)
    return lambda i: sample()


@pairs.pair("readback host-sync", further="launch-bound python host-late", other="launch-bound python host-late")
def convergence_asked_each_round(variant):
    """A layer is repeated 12 times, and the host asks after each round whether the result has settled. Mended: all
    rounds are issued, and the device takes a result only if the one before had not settled. 3 to 10 %. Further: a step
    is a graph. Other: a round is."""
    body = encoder(1024, 16, 1)
    into = torch.randn(24, 512, 1024, device="cuda", dtype=BF16)

    def settled(value, before):
        return (value - before).float().norm() < 1e-3 * before.float().norm()

    known, ended = torch.zeros_like(into), torch.zeros((), device="cuda", dtype=torch.bool)

    def following(value):
        return F.layer_norm(body(value) + into, (1024,))

    @torch.no_grad()
    def one():
        after = following(known)
        ended.copy_(settled(after, known))
        known.copy_(after)
    graph = as_graph(one) if variant == "other" else None

    def by_graph(i):
        known.copy_(into)
        for _ in range(12):
            graph.replay()
            if ended:
                break

    @torch.no_grad()
    def rounds():
        value, still = into, torch.ones((), device="cuda", dtype=torch.bool)
        for _ in range(12):
            after = following(value)
            if variant == "bad":
                if settled(after, value):
                    break
                value = after
            else:
                still = still & ~settled(after, value)
                value = torch.where(still, after, value)
    if variant == "other":
        return by_graph
    rounds = replayed(rounds, variant)
    return lambda i: rounds()


@pairs.pair("readback host-sync", further="launch-bound python host-late", other="launch-bound python host-late")
def gradient_norms_read_one_by_one(variant):
    """The norms of twelve gradients are read in each step, one by one, before the optimizer runs. Mended: they are
    fetched together and logged a step later. 5 to 8 %. Further: all but that is a graph. Other: all before that is."""
    model = encoder(1024, 16, 3)
    head = nn.Linear(1024, 16, device="cuda", dtype=BF16)
    update = Update(nn.ModuleList([model, head]))
    x, y = torch.randn(16, 512, 1024, device="cuda", dtype=BF16), labels(16)
    watched = [w for w in model.parameters() if w.dim() == 2]
    delayed = Delayed((len(watched),), torch.float32)
    log = {"line": ""}

    def together():
        return torch.stack([w.grad.norm() for w in watched]).float()

    def norms(i):
        if variant in ("bad", "other"):
            return [w.grad.norm().item() for w in watched]
        return delayed.exchange(i, together()).tolist()

    def tell(values):
        log["line"] = " ".join(f"{n:.3f}" for n in values)

    def slopes():
        update.backward(class_loss(head(model(x).mean(1)), y))

    def learn():
        slopes()
        log["norms"] = together()
        update.step()
    graph = as_graph(learn) if variant == "further" else None
    before = replayed(slopes, variant, ("other",))

    def step(i):
        if graph:
            graph.replay()
            tell(delayed.exchange(i, log["norms"]).tolist())
        else:
            before()
            tell(norms(i))
            update.step()
    return step


class Statistics:
    """What is kept of the outputs and classes of each step. The functions of PyTorch read from the device what they are
    not told: sizes, bounds, checks, an index, a counter. Or they are told all of it."""

    def __init__(self, rows, told):
        self.told = told
        self.shares = torch.full((rows // 16,), 16, device="cuda")
        self.norm = nn.BatchNorm1d(16, momentum=0.1 if told else None, device="cuda")

    def sizes_of(self, classes):
        """The size of a result or the bounds of the values, unless they are given."""
        if self.told:
            counts = torch.zeros(16, device="cuda").index_add_(0, classes, torch.ones_like(classes, dtype=torch.float))
            return (counts, F.one_hot(classes, 16), torch.histc(classes.float(), 16, 0, 15),
                    torch.repeat_interleave(self.shares, self.shares, output_size=len(classes)))
        return (torch.bincount(classes), F.one_hot(classes), torch.histc(classes.float(), 16),
                torch.repeat_interleave(self.shares, self.shares))

    def checks_of(self, scores):
        """Whether spreads are positive, chances and lengths are good, unless nothing is checked."""
        chances = scores.softmax(1)
        if self.told:
            drawn = chances.div(torch.empty_like(chances).exponential_()).argmax(1)
            noise = torch.randn_like(scores).mul_(chances).add_(scores)
        else:
            drawn, noise = torch.multinomial(chances, 1), torch.normal(scores, chances)
        return drawn, noise, torch.segment_reduce(scores, "sum", lengths=self.shares, axis=0, unsafe=self.told)

    @torch.no_grad()
    def keep(self, outputs, classes):
        scores = outputs.detach().float()
        row = scores.index_select(0, classes[:1])[0] if self.told else scores[classes[0]]
        return self.sizes_of(classes), self.checks_of(scores), row, self.norm(scores)


@pairs.pair("readback host-sync", allowed=("launch-bound",), further="launch-bound python host-late",
            other="launch-bound python host-late")
def functions_read_sizes_and_checks(variant):
    """Statistics of each step are found by functions of PyTorch that read a size, a bound, a check, an index or a
    counter from the device by themselves, nine of them. Mended: they are told what they would read, or do not check.
    8 to 25 %. Further: a step is a graph. Other: all before the statistics is."""
    torch.manual_seed(2)
    model, classes, seen = network(256, 2048, 6), labels(8192), {}
    update, x = Update(model), torch.randn(8192, 256, device="cuda", dtype=BF16)
    statistics = Statistics(8192, variant in ("mended", "further"))

    def slopes():
        seen["outputs"] = model(x)
        seen["loss"] = update.backward(class_loss(seen["outputs"], classes))
    before = replayed(slopes, variant, ("other",))

    def learn():
        before()
        seen["kept"] = statistics.keep(seen.pop("outputs") if variant != "other" else seen["outputs"], classes)
        update.step()
    learn = replayed(learn, variant)
    return giving(lambda i: learn(), lambda: seen["loss"])
