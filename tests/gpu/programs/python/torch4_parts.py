"""What the fourth set of loops in PyTorch is made of: a state that the host keeps, shards that are unpacked."""
import collections
import concurrent.futures
import zlib

import numpy as np
import torch

from torch_parts import Prefetcher


class KeptOnHost(Prefetcher):
    """Tensors of the host are changed on the device: what was taken goes back in a third stream."""

    def __init__(self, tensors):
        super().__init__(tensors)
        self.back = torch.cuda.Stream()

    def give_back(self, i):
        self.back.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.back):
            self.batches[i % len(self.batches)].copy_(self.buffers[i % 2], non_blocking=True)
            self.free[i % 2].record(self.back)


class Shards:
    """Batches of pictures as compressed bytes, unpacked when they are asked for or by threads before."""

    def __init__(self, shape, threads):
        values = np.random.default_rng(1).integers(0, 8, shape, dtype=np.uint8)
        self.shape = shape
        self.packed = [zlib.compress(np.roll(values, n, 0).tobytes(), 1) for n in range(4)]
        self.pool = concurrent.futures.ThreadPoolExecutor(threads) if threads else None
        self.ahead = collections.deque(self.pool.submit(self.unpack, n) for n in range(threads))

    def unpack(self, n):
        values = np.frombuffer(bytearray(zlib.decompress(self.packed[n % len(self.packed)])), np.uint8)
        return torch.from_numpy(values.reshape(self.shape)).pin_memory()

    def batch(self, i):
        if not self.pool:
            return self.unpack(i)
        self.ahead.append(self.pool.submit(self.unpack, i + len(self.ahead)))
        return self.ahead.popleft().result()

    def close(self):
        if self.pool:
            self.pool.shutdown(cancel_futures=True)
