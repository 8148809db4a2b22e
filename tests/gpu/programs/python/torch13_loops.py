#!/usr/bin/env python3
"""A thirteenth set of loops in PyTorch. See loop_runner.py.

Written without reading the analysis: of it only the list of causes in the manual was known. The costs in the comments
are estimates for an H100 or H200, not measured.
"""
import sys

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

import loop_runner
from loop_runner import giving
from torch11_parts import size_of
from torch13_parts import (ByLength, Customers, Epochs, FedGraphs, Finder, Orthogonal, Requests, Server, Staged, Stations,
                           matched, missed)
from torch2_parts import BF16, Update, capturable, class_loss, encoder, images, unet
from torch3_parts import Decoder
from torch5_parts import some_boxes
from torch_loops import main
from torch_parts import Collector, Delayed, Prefetcher, as_graph, host_batches, labels, network

pairs = loop_runner.Pairs("torch13")


@pairs.pair("readback host-sync", allowed=("launch-bound",))
def classes_counted_for_each_loss(variant):
    """Each pixel of pictures gets one of 16 classes, three batches a step; the loss is taken at three sizes. one_hot()
    isn't told how many classes there are, and asks the device for the largest; mended, it is told. 4 to 12 %."""
    torch.manual_seed(13)
    model, pictures, seen = unet(3, 16, (64, 128, 256)), images(16, 3, 128), {}
    update, count = Update(model), -1 if variant == "bad" else 16
    classes = torch.randint(0, 16, (3, 16, 128, 128), device="cuda")

    def learn(now):
        full = model(pictures)
        half = F.avg_pool2d(full, 2)
        losses = [missed(full, now, count), missed(half, now[:, ::2, ::2], count),
                  missed(F.avg_pool2d(half, 2), now[:, ::4, ::4], count)]
        return update.backward(torch.stack(losses).mean())

    def step(i):
        for now in classes:
            seen["loss"] = learn(now)
            update.step()
    return giving(step, lambda: seen["loss"])


@pairs.pair("pageable host-sync", allowed=("stretched",))
def scans_made_floats_on_host(variant):
    """48 scans of 256 x 256 short numbers a step. The host makes them floats, and these go from ordinary memory, 13 MB;
    mended, the short numbers come a step ahead from pinned memory, and the device makes them floats. 8 to 30 %."""
    torch.manual_seed(13)
    model, seen = unet(1, 8, (64, 128, 256)).requires_grad_(False), {}
    first = torch.randint(0, 4000, (48, 1, 256, 256), dtype=torch.int16)
    scans = [first, first.roll(1, 0)]
    ahead = Prefetcher([scan.pin_memory() for scan in scans]) if variant == "mended" else None

    def floats(i):
        if not ahead:
            return scans[i % 2].float().div_(2000).sub_(1).to("cuda")
        values = ahead.take(i).float().div_(2000).sub_(1)
        ahead.give_back(i)
        return values

    @torch.no_grad()
    def step(i):
        seen["fields"] = model(floats(i).to(BF16).contiguous(memory_format=torch.channels_last))
    return giving(step, lambda: size_of(seen["fields"]))


@pairs.pair("same-stream", allowed=("stretched",))
def graph_copies_what_it_works_on(variant):
    """A graph is a whole step: 12288 showers of particles, 25 MB, come from pinned memory, and a network learns of them.
    The copy is the first that the graph does; mended, a branch of it copies those of the next step. 4 to 12 %."""
    torch.manual_seed(13)
    model, y, lost = network(1024, 4096, 4), labels(12288), torch.zeros((), device="cuda")
    update = Update(model, capturable(model))

    def learn(x):
        lost.copy_(update.backward(class_loss(model(x), y)))
        update.step()
    graphs = FedGraphs(host_batches((12288, 1024), True), variant == "mended", learn)
    return giving(lambda i: graphs.replay(i), lambda: lost)


@pairs.pair("event-order", allowed=("stretched",))
def staging_free_after_update(variant):
    """24576 pieces of genomes, 25 MB of bytes, come to one place in a stream of their own; numbers are made of them at
    once. The event that lets the next ones come is recorded after the update; mended, behind those numbers. 4 to 13 %."""
    torch.manual_seed(13)
    model, y, seen = network(1024, 2048, 4), labels(24576), {}
    first = torch.randint(0, 256, (24576, 1024), dtype=torch.uint8)
    update, pieces = Update(model), Staged([first.pin_memory(), first.roll(1, 0).pin_memory()])

    def step(i):
        x = pieces.take()
        if variant == "mended":
            pieces.give_back(i)
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()
        if variant == "bad":
            pieces.give_back(i)
    return giving(step, lambda: seen["loss"])


@pairs.pair("python host-late", allowed=("readback", "host-sync"))
def waiting_requests_sorted_each_round(variant):
    """A server answers 256 requests at once: a graph writes four words of each, the host reads the last ones and lets
    others in for those that are done. It sorts the 12000 that wait in each round; mended, they are a heap. 18 to 45 %."""
    torch.manual_seed(13)
    decoder = Decoder(256, 1024, 4, length=256)
    server = Server(256, Requests(12000, variant == "mended"))

    def write():
        for _ in range(4):
            decoder.next()
    graph = as_graph(write)

    def step(i):
        graph.replay()
        words = server.next_words(decoder.token.tolist())
        decoder.token.copy_(words, non_blocking=True)
    return giving(step, lambda: server.served)


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def boxes_matched_picture_by_picture(variant):
    """A network finds things in 64 pictures. Which of 2048 anchors is near which of 8 to 40 boxes is found picture by
    picture, some 15 operations each; mended, boxes of no size fill them up to 40, and it is found at once. 30 to 60 %."""
    torch.manual_seed(13)
    model, pictures, seen = Finder(128), images(64, 3, 128), {}
    update, anchors = Update(model), some_boxes(1, 2048)[0]
    counts = [8 + number % 33 for number in range(64)]
    there = torch.arange(40, device="cuda") < torch.tensor(counts, device="cuda").unsqueeze(1)
    full = some_boxes(64, 40) * there.unsqueeze(2)
    single = [boxes[:count].clone() for boxes, count in zip(full, counts)]

    def targets():
        if variant == "mended":
            return matched(full, anchors)
        return [torch.stack(parts) for parts in zip(*[matched(boxes, anchors) for boxes in single])]

    def step(i):
        near, wanted = targets()
        found = model(pictures).float()
        apart = F.smooth_l1_loss(found[..., :4], wanted, reduction="none").sum(2)
        scores = F.binary_cross_entropy_with_logits(found[..., 4], near)
        seen["loss"] = update.backward((apart * near).sum() / 1000 + scores)
        update.step()
    return giving(step, lambda: seen["loss"])


@pairs.pair("data-loading host-late python", allowed=("data-loading", "host-late", "python"))
def workers_started_for_each_epoch(variant):
    """What 4096 stations measured is learned, 12 batches an epoch, which four workers make ready. They end with the
    epoch, and others are started for the next one; mended, they go on. 35 to 65 %."""
    torch.manual_seed(13)
    model, y, seen = network(128, 6144, 5), labels(4096), {}
    epochs, update = Epochs(Stations(), variant == "mended"), Update(model)

    def step(i):
        x = epochs.next().to("cuda", non_blocking=True)
        seen["loss"] = update.backward(class_loss(model(x.to(BF16)), y))
        update.step()
    return giving(step, lambda: seen["loss"], epochs.close)


@pairs.pair("small-copies launch-bound same-stream", allowed=("same-stream",))
def adapters_come_piece_by_piece(variant):
    """A network answers another customer in each step, with what is added to its layers for that one, 6 MB in pinned
    memory: 384 copies, as they were saved head by head, or one. 4 to 13 %."""
    torch.manual_seed(13)
    customers, seen = Customers(2048, variant == "mended"), {}
    asked = torch.randn(20480, 2048, device="cuda", dtype=BF16)

    @torch.no_grad()
    def step(i):
        customers.fetch(i % 4)
        seen["answers"] = customers.answer(asked)
    return giving(step, lambda: size_of(seen["answers"]))


@pairs.pair("host-late allocation device-barrier host-sync python")
def graph_made_again_for_each_length(variant):
    """64 texts of 192, 256 or 320 words go through a graph; after each second step another length comes. The graph is
    made again for it, and its memory is allocated; mended, there is one for each length. 20 to 60 %."""
    torch.manual_seed(13)
    lengths = (192, 256, 320)
    graphs = ByLength(encoder(1024, 8, 3).requires_grad_(False), 64, 1024, lengths, variant == "mended")

    def step(i):
        graphs.replay(lengths[i // 2 % 3])
    return giving(step, lambda: size_of(graphs.known))


# ---- nothing to mend

@pairs.healthy(allowed=("stretched",))
def healthy_even_updates(variant):
    """Batches of 67 MB come a step ahead. The updates of two square weights are made as large in all directions, by
    products on the device; the loss of the step before is looked at."""
    torch.manual_seed(13)
    model, y, log = network(4096, 4096, 2), labels(8192), {}
    update, late = Orthogonal(model), Delayed((), torch.float32)
    batches = Prefetcher(host_batches((8192, 4096), True))

    def step(i):
        loss = update.backward(class_loss(model(batches.take(i)), y))
        batches.give_back(i)
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_sound_separated(variant):
    """Spectra of sounds come a step ahead, and a network says what of them is a voice. That leaves for pinned memory in
    a stream of its own, two slots, and is looked at a step later."""
    torch.manual_seed(13)
    model, log = network(512, 4096, 4, 512).requires_grad_(False), {}
    sounds, voices = Prefetcher(host_batches((32768, 512), True)), Collector((32768, 512))

    @torch.no_grad()
    def step(i):
        x = sounds.take(i)
        voice = model(x).sigmoid_().mul_(x)
        sounds.give_back(i)
        voices.take(i, voice)
        voices.done[1 - i % 2].synchronize()
        log["voice"] = float(voices.host[1 - i % 2][0, 0])
    return step


@pairs.healthy(allowed=("stretched",))
def healthy_weather_in_graph(variant):
    """A graph is a whole step of learning. Its input comes a step ahead in a stream of its own, and is moved to where
    the graph reads it; the loss of the step before is looked at."""
    torch.manual_seed(13)
    model, late, log = network(1024, 4096, 4, 256), Delayed((), torch.float32), {}
    x, coming = torch.zeros(16384, 1024, device="cuda", dtype=BF16), torch.randn(16384, 256, device="cuda")
    update, lost = Update(model, capturable(model)), torch.zeros((), device="cuda")
    fields = Prefetcher(host_batches((16384, 1024), True))

    def learn():
        lost.copy_(update.backward(F.mse_loss(model(x).float(), coming)))
        update.step()
    graph = as_graph(learn)

    def step(i):
        x.copy_(fields.take(i))
        fields.give_back(i)
        graph.replay()
        log["loss"] = float(late.exchange(i, lost))
    return step


@pairs.healthy()
def healthy_layers_computed_twice(variant):
    """Two texts of 4096 words are learned. What is between the parts of a layer isn't kept, but computed again; the loss
    of the step before is looked at."""
    torch.manual_seed(13)
    model, late, log = encoder(2048, 16, 2), Delayed((), torch.float32), {}
    texts, update = torch.randn(2, 4096, 2048, device="cuda", dtype=BF16), Update(model)

    def step(i):
        x = texts
        for layer in model:
            x = checkpoint(layer, x, use_reentrant=False, preserve_rng_state=False)
        loss = update.backward(x.float().square().mean())
        update.step()
        log["loss"] = float(late.exchange(i, loss))
    return step


if __name__ == "__main__":
    sys.exit(main(pairs))
