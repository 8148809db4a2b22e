"""Memory in PyTorch that is allocated, pinned or moved in the loop."""
import ctypes

import numpy as np
import torch

from loop_runner import Pairs, giving
from torch_capture import prefetched_graphs, replayed
from torch_models import BF16, Update, class_loss, labels, network
from torch_runtime import check, runtime
from torch_staging import Delayed, Prefetcher, host_batches
from torch_training import Trainer

pairs = Pairs("torch")


@pairs.pair("allocation device-barrier", further="launch-bound python host-late")
def cache_emptied_each_step(variant):
    """empty_cache() after each step gives the memory back to the driver, which then allocates it again. Mended: it is
    not called. Further: a step is a graph."""
    trainer, y = Trainer(network(256, 4096, 8)), labels(4096)
    x = torch.randn(4096, 256, device="cuda", dtype=BF16)

    learn = replayed(lambda: trainer.step(x, y), variant)

    def step(i):
        learn()
        if variant == "bad":
            torch.cuda.empty_cache()
    return step


class PinnedToCopy(Prefetcher):
    """A prefetcher of batches in pageable memory, which is pinned in place: once, or for each copy, until that has
    ended."""

    def __init__(self, batches, once):
        self.once, self.pinned = once, []
        torch.cuda.synchronize()
        if once:
            for batch in batches:
                self.pin(batch)
        super().__init__(batches)

    def pin(self, batch):
        size = batch.numel() * batch.element_size()
        check(torch.cuda.cudart().cudaHostRegister(batch.data_ptr(), size, 0), "cudaHostRegister")
        self.pinned.append(batch)

    def let_go(self):
        """Of all that is pinned; no copy may be under way."""
        while self.pinned:
            check(torch.cuda.cudart().cudaHostUnregister(self.pinned.pop().data_ptr()), "cudaHostUnregister")

    def fetch(self, i):
        if not self.once:
            if self.pinned:
                self.full[1 - i % 2].synchronize()
                self.let_go()
            self.pin(self.batches[i % len(self.batches)])
        super().fetch(i)

    def close(self):
        torch.cuda.synchronize()
        self.let_go()


@pairs.pair("allocation device-barrier", allowed=("stretched",), further="launch-bound python host-late")
def batches_pinned_for_each_copy(variant):
    """Batches of 13 MB come one step ahead from pageable memory that is pinned for each copy with cudaHostRegister()
    and unpinned after it. Mended: it is pinned once. 20 to 60 %. Further: a step is a graph."""
    torch.manual_seed(15)
    model, y, seen = network(512, 2048, 4), labels(12288), {}
    update, recordings = Update(model), PinnedToCopy(host_batches((12288, 512), False), variant != "bad")

    def learn(x):
        seen["loss"] = update.backward(class_loss(model(x), y))
        update.step()

    def step(i):
        seen["loss"] = update.backward(class_loss(model(recordings.take(i)), y))
        recordings.give_back(i)
        update.step()
    if variant == "further":
        step = prefetched_graphs(recordings, learn)
    return giving(step, lambda: seen["loss"], recordings.close)


class OnDevice:
    """Memory allocated by others, in the form that PyTorch takes."""

    def __init__(self, address, shape):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "<f4", "data": (address, False), "version": 3,
                                         "strides": None}


class Grasps:
    """How well grasps hold is judged by a library that works in 201 MB of its own. It allocates them in each call and
    frees them at its end, or allocates them once."""
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


@pairs.pair("allocation device-barrier", allowed=("stretched",))
def workspace_allocated_each_call(variant):
    """A library works in 201 MB, which it gets by cudaMalloc() in each call of 8.3 ms and gives back by cudaFree(),
    which waits for the device. Mended: it keeps them. 5 to 12 %."""
    torch.manual_seed(18)
    hands = Prefetcher([torch.randn(Grasps.rows, Grasps.width).pin_memory() for _ in range(2)])
    grasps, late, log = Grasps(variant == "mended"), Delayed((), torch.float32), {}

    def step(i):
        log["worth"] = grasps.judge(hands.take(i))
        hands.give_back(i)
        log["before"] = float(late.exchange(i, log["worth"]))
    return giving(step, lambda: log["worth"], grasps.close)


class Cloth:
    """A picture of a cloth: a network finds the light at each corner, and the brightest one of a pixel is seen."""

    def __init__(self, corners):
        self.rest = np.random.default_rng(18).standard_normal((corners, 4), dtype=np.float32)
        self.waves = torch.randn(4, 64, device="cuda")
        self.light = network(64, 512, 4, 4).requires_grad_(False)
        self.picture = torch.zeros(512 * 512, 4, device="cuda", dtype=BF16)

    def move(self, i, out):
        np.multiply(self.rest, 1.0 + 0.02 * (i % 7), out=out)

    @torch.no_grad()
    def draw(self, corners):
        x = torch.sin(corners @ self.waves)
        where = (x[:, :2] * 255.9 + 256).to(torch.long)
        pixel = where[:, 0] * 512 + where[:, 1]
        light = self.light(x.to(BF16)).sigmoid()
        self.picture.zero_().scatter_reduce_(0, pixel[:, None].expand(-1, 4), light, "amax")
        return self.picture.float().mean()


class CopiedCorners:
    """Two buffers of corners in pinned memory, and one copy of each in a stream of its own."""

    def __init__(self, shape):
        self.pinned = [torch.zeros(shape).pin_memory() for _ in range(2)]
        self.hosts = [part.numpy() for part in self.pinned]
        self.slots = [torch.zeros(shape, device="cuda") for _ in range(2)]
        self.stream, self.full = torch.cuda.Stream(), [torch.cuda.Event() for _ in range(2)]
        torch.cuda.synchronize()

    def bring(self, i):
        """The host knows that what read this slot two steps ago has ended."""
        slot = i % 2
        with torch.cuda.stream(self.stream):
            self.slots[slot].copy_(self.pinned[slot], non_blocking=True)
            self.full[slot].record()
        torch.cuda.current_stream().wait_event(self.full[slot])
        return self.slots[slot]

    def close(self):
        pass


class ManagedCorners:
    """Two buffers of corners in managed memory: the host writes there, and kernels read there."""

    def __init__(self, shape):
        self.runtime, self.hosts, self.slots, self.addresses = runtime(), [], [], []
        count = int(np.prod(shape))
        torch.cuda.synchronize()
        for _ in range(2):
            address = ctypes.c_void_p()
            check(self.runtime.cudaMallocManaged(ctypes.byref(address), ctypes.c_size_t(4 * count), ctypes.c_uint(1)),
                  "cudaMallocManaged")
            written = np.ctypeslib.as_array((ctypes.c_float * count).from_address(address.value)).reshape(shape)
            written[:] = 0
            self.hosts.append(written)
            self.slots.append(torch.as_tensor(OnDevice(address.value, shape), device="cuda"))
            self.addresses.append(address)

    def bring(self, i):
        return self.slots[i % 2]

    def close(self):
        torch.cuda.synchronize()
        self.hosts, self.slots = [], []
        for address in self.addresses:
            check(self.runtime.cudaFree(address), "cudaFree")


@pairs.pair("unified-memory", allowed=("stretched",))
def corners_in_managed_memory(variant):
    """The host moves the corners of a cloth, 8 MB a step in two buffers of managed memory, which the kernels, 4 ms, and
    the host fetch page by page. Mended: pinned memory and one copy. 15 to 50 %."""
    torch.manual_seed(17)
    cloth, late, log = Cloth(1 << 19), Delayed((), torch.float32), {}
    corners = (ManagedCorners if variant == "bad" else CopiedCorners)((1 << 19, 4))

    def step(i):
        cloth.move(i, corners.hosts[i % 2])
        log["light"] = cloth.draw(corners.bring(i))
        log["before"] = float(late.exchange(i, log["light"]))
    return giving(step, lambda: log["light"], corners.close)
