"""Batches in PyTorch that are not there when the device needs them."""
import collections
import concurrent.futures
import io
import time

import numpy as np
import torch

from loop_runner import Pairs, giving
from torch_capture import fed_graph, prefetched_graphs
from torch_models import BF16, Update, class_loss, labels, network
from torch_staging import Asked
from torch_training import Trainer

pairs = Pairs("torch")


class Decoded(torch.utils.data.Dataset):
    """Batches that take numpy some milliseconds each."""

    def __init__(self, rows, columns=256):
        self.rows, self.columns = rows, columns

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        values = np.random.default_rng(i).standard_normal((self.rows, self.columns), dtype=np.float32)
        return torch.from_numpy(values).to(BF16)


class Loader:
    """An endless DataLoader, in the process of the loop or with workers."""

    def __init__(self, data, workers):
        loader = torch.utils.data.DataLoader(
            data, batch_size=None, num_workers=workers, pin_memory=True, persistent_workers=workers > 0,
            prefetch_factor=4 if workers else None)
        self.workers = workers
        self.batches = iter(loader)

    def next(self):
        return next(self.batches)

    def close(self):
        if self.workers:
            self.batches._shutdown_workers()
        self.batches = None


def loaded(variant, loader, learn):
    """A step of learn(batch of the loader). Further: batches are copied ahead, and a step is a graph. Other: it is."""
    def step(i):
        learn(loader.next().to("cuda", non_blocking=True))
    if variant == "further":
        return prefetched_graphs(Asked(loader.next(), lambda i: loader.next()), learn)
    return fed_graph(loader.next(), lambda i: loader.next(), learn) if variant == "other" else step


@pairs.pair("data-loading host-late", further="launch-bound python host-late same-stream too-few-streams",
            other="launch-bound python")
def loader_without_workers(variant):
    """The loader has no workers: numpy makes each batch in the loop, which takes longer than the step on the device.
    Mended: four workers. Further: batches are copied ahead, and a step is a graph. Other: what follows the copy is."""
    trainer, y = Trainer(network(256, 4096, 8)), labels(2048)
    loader = Loader(Decoded(2048), 0 if variant in ("bad", "other") else 4)
    step = loaded(variant, loader, lambda x: trainer.step(x, y))
    step.finish = loader.close
    return step


class Epochs:
    """Epoch after epoch of a loader with four workers, which persist or are started again."""

    def __init__(self, data, go_on):
        self.loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=4, pin_memory=True,
                                                  persistent_workers=go_on, multiprocessing_context="fork")
        self.batches = iter(self.loader)

    def next(self):
        batch = next(self.batches, None)
        if batch is None:
            self.batches = iter(self.loader)
            batch = next(self.batches)
        return batch

    def close(self):
        self.batches._shutdown_workers()
        self.batches = None


class Stations(torch.utils.data.Dataset):
    """An epoch of 12 batches, which take numpy some 5 ms each."""

    def __len__(self):
        return 12

    def __getitem__(self, i):
        return torch.from_numpy(np.random.default_rng(i).standard_normal((4096, 128), dtype=np.float32))


@pairs.pair("data-loading host-late python", allowed=("data-loading", "host-late", "python"),
            further="launch-bound python host-late data-loading same-stream too-few-streams")
def workers_restarted_each_epoch(variant):
    """An epoch has 12 batches, made by four workers, which end with the epoch and are started again for the next one.
    Mended: persistent workers. 35 to 65 %. Further: batches are copied ahead, and a step is a graph."""
    torch.manual_seed(13)
    model, y, seen = network(128, 6144, 5), labels(4096), {}
    epochs, update = Epochs(Stations(), variant != "bad"), Update(model)

    def learn(x):
        seen["loss"] = update.backward(class_loss(model(x.to(BF16)), y))
        update.step()
    return giving(loaded(variant, epochs, learn), lambda: seen["loss"], epochs.close)


class Readings(torch.utils.data.Dataset):
    """A compressed archive of 32768 rows, of which a batch has 8192. It is opened for each batch, or once."""

    def __init__(self, stays_open):
        file = io.BytesIO()
        np.savez_compressed(file, rows=np.random.default_rng(14).integers(0, 8, (32768, 128), dtype=np.uint8))
        self.packed, self.stays_open, self.rows = file.getvalue(), stays_open, None

    def __len__(self):
        return 1_000_000

    def __getitem__(self, i):
        if self.rows is None or not self.stays_open:
            with np.load(io.BytesIO(self.packed)) as archive:
                self.rows = archive["rows"]
        first = i * 977 % 24576
        return torch.from_numpy(self.rows[first:first + 8192])


@pairs.pair("data-loading host-late", allowed=("same-stream",),
            further="launch-bound python host-late same-stream too-few-streams")
def archive_opened_for_each_batch(variant):
    """Three workers open a compressed archive and unpack all of it for each batch, some 25 ms. Mended: each worker does
    that once. 25 to 65 %. Further: batches are copied ahead, and a step is a graph."""
    torch.manual_seed(14)
    model, y, seen = network(128, 4096, 4), labels(8192), {}
    batches, update = Loader(Readings(variant != "bad"), 3), Update(model)

    def learn(x):
        seen["loss"] = update.backward(class_loss(model(x.to(BF16).div_(4).sub_(1)), y))
        update.step()
    return giving(loaded(variant, batches, learn), lambda: seen["loss"], batches.close)


class Store:
    """A storage far away, whose answers take their time. Batches are asked for one by one, or four ahead by threads."""

    def __init__(self, batches, seconds, threads):
        self.batches, self.seconds = batches, seconds
        self.pool = concurrent.futures.ThreadPoolExecutor(threads) if threads else None
        self.ahead = collections.deque(self.pool.submit(self.fetch, n) for n in range(threads))

    def fetch(self, i):
        time.sleep(self.seconds)
        return self.batches[i % len(self.batches)]

    def batch(self, i):
        if not self.pool:
            return self.fetch(i)
        self.ahead.append(self.pool.submit(self.fetch, i + len(self.ahead)))
        return self.ahead.popleft().result()

    def close(self):
        if self.pool:
            self.pool.shutdown(cancel_futures=True)


@pairs.pair("data-loading host-late python", allowed=("same-stream",),
            further="launch-bound python host-late same-stream too-few-streams")
def storage_asked_in_loop(variant):
    """A batch comes from a storage that takes 9 ms to answer, and it is asked when the batch is needed. Mended: four
    threads ask four steps ahead. 8 to 30 %. Further: batches are copied ahead, and a step is a graph."""
    model = network(1024, 4096, 8)
    update, y = Update(model), labels(6144)
    batches = [torch.randn(6144, 256).to(BF16).pin_memory() for _ in range(5)]
    store = Store(batches, 9e-3, 0 if variant == "bad" else 4)

    def learn(x):
        update.backward(class_loss(model(x.repeat(1, 4)), y))
        update.step()

    def step(i):
        learn(store.batch(i).to("cuda", non_blocking=True))
    if variant == "further":
        step = prefetched_graphs(Asked(batches[0], store.batch), learn)
    step.finish = store.close
    return step
