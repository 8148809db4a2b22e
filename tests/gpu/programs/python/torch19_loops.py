#!/usr/bin/env python3
"""A nineteenth set of loops in PyTorch: training of several kinds of models. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F

import loop_runner
from loop_runner import giving
from torch17_parts import Ahead, Late, Learner, pinned
from torch18_parts import sight
from torch19_parts import Films, Forgery, Hearer, Prompted, Translator, bands, land_network
from torch_loops import main
from torch_parts import BF16, Collector

pairs = loop_runner.Pairs("torch19")


@pairs.pair("readback", allowed=("launch-bound",))
def chance_of_changes_read_from_critic(variant):
    """A painter and a critic learn, 7.5 ms a step. How often pictures are changed follows from the critic: the host
    reads how sure it is, and only then issues many small kernels; mended, the chance stays on the device. 4 to 9 %."""
    torch.manual_seed(19)
    forgery, late = Forgery(variant == "mended"), Late()

    def step(i):
        late.look(i, forgery.step(i))
    return giving(step, lambda: forgery.critic[4].weight.float().norm())


@pairs.pair("pageable", allowed=("stretched",))
def prompts_of_latents_in_plain_memory(variant):
    """A flow to clear latents is learned, 7 ms a step. The prompts of a batch, 3 MB, come from ordinary memory, 0.4 to
    0.6 ms, for which the host waits; mended, from pinned memory. 5 to 10 %."""
    torch.manual_seed(19)
    prompts = [torch.randn(64, 24, 1024, dtype=BF16) for _ in range(4)]
    if variant == "mended":
        prompts = [prompt.pin_memory() for prompt in prompts]
    latents = torch.randn(4, 64, 256, 16, device="cuda", dtype=BF16)
    model, late = Prompted(), Late()
    learner = Learner(model.parameters())

    def step(i):
        prompt = prompts[i % 4].to("cuda", non_blocking=True)
        clear, noise = latents[i % 4], torch.randn_like(latents[0])
        time = torch.rand(64, 1, 1, device="cuda", dtype=BF16)
        flow = model(torch.lerp(clear, noise, time), time, prompt)
        late.look(i, learner.go(F.mse_loss(flow, (noise - clear).float())))
    return giving(step, lambda: model.blocks[0].qkv.weight.float().norm())


@pairs.pair("python host-late", allowed=("launch-bound",))
def unseen_films_drawn_by_sets(variant):
    """Which film a user likes more is learned, 7.5 ms a step. Films that he has not seen are drawn user by user in
    Python, 10 to 14 ms; mended, all at once with a table in numpy. 25 to 50 %."""
    torch.manual_seed(19)
    films = Films(variant == "bad")
    return giving(films.step, lambda: films.works.weight.float().norm())


@pairs.pair("launch-bound", allowed=("launch-bound",))
def sentences_translated_op_by_op(variant):
    """Sentences are translated by a cell that looks at the source for each of 31 words, some 1200 small kernels a step,
    5.5 ms. The host issues each of them, 9 to 13 ms; mended, they are a graph. 35 to 55 %."""
    torch.manual_seed(19)
    translator = Translator(variant == "mended")
    return giving(translator.step, lambda: translator.loss)


@pairs.pair("same-stream", allowed=("stretched",))
def bands_of_satellite_come_in_line(variant):
    """What grows where is learned from pictures of a satellite, 4 ms a step. A batch, 61 MB, 1.2 ms, comes in the
    stream of the kernels; mended, a step ahead in a stream of its own. 18 to 26 %."""
    torch.manual_seed(19)
    pictures, late, log = bands(3), Late(), {}
    truth, model = torch.randint(10, (3, 16, 96, 96), device="cuda"), land_network(10)
    learner = Learner(model.parameters())
    if variant == "mended":
        ahead = Ahead(pictures)
    else:
        place = torch.zeros_like(pictures[0], device="cuda")

    def step(i):
        seen = ahead.take(i) if variant == "mended" else place.copy_(pictures[i % 3], non_blocking=True)
        x = seen.to(BF16, memory_format=torch.channels_last).div_(10000)
        if variant == "mended":
            ahead.give_back(i)
        log["loss"] = learner.go(F.cross_entropy(model(x).float(), truth[i % 3]))
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_sounds_meet_pictures(variant):
    """Pictures and their sounds shall get the same vectors, 6 ms a step, and other ones than 4096 earlier ones. Both
    come ahead in streams of their own, vectors leave in another one, and the loss is looked at a step later."""
    torch.manual_seed(19)
    pictures = Ahead([pinned(torch.randint(256, (128, 3, 128, 128), device="cuda", dtype=torch.uint8))
                      for _ in range(3)])
    sounds = Ahead([pinned(torch.randn(128, 64, 400, device="cuda", dtype=BF16)) for _ in range(3)])
    eye, ear, late, log = sight(3, 128), Hearer(), Late(), {}
    learner = Learner([*eye.parameters(), *ear.parameters()])
    earlier = F.normalize(torch.randn(32, 128, 128, device="cuda", dtype=BF16), dim=2)
    kept, same = Collector((128, 128)), torch.arange(128, device="cuda")

    def step(i):
        x = pictures.take(i).to(BF16, memory_format=torch.channels_last).div_(255)
        pictures.give_back(i)
        seen, heard = F.normalize(eye(x), dim=1), F.normalize(ear(sounds.take(i)), dim=1)
        kept.take(i, seen.detach())
        others = torch.cat([heard, earlier.flatten(0, 1)])
        alike = (seen @ others.T).float() / 0.1
        loss = F.cross_entropy(alike, same) + F.cross_entropy(alike[:, :128].T, same)
        log["loss"] = learner.go(loss)
        sounds.give_back(i)
        earlier[i % 32].copy_(heard.detach())
        late.look(i, log["loss"])
    return giving(step, lambda: log["loss"])


if __name__ == "__main__":
    sys.exit(main(pairs))
