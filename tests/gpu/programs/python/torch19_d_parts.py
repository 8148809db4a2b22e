"""What set d of the nineteenth loops in PyTorch is made of: hydrophones, codes of strain, gaps of clicks, voices and
news."""
import ctypes
import queue
import threading

import numpy as np
import torch
import torch.nn.functional as F

from torch17_parts import Ahead, Block, Late, Learner, classes, dense, pinned, two_events
from torch17_third_parts import HostFunction, check, runtime
from torch_parts import BF16, Collector


class Hydrophones:
    """Sound of the sea is cleaned. Each round (in, kernels, out) is in one of some streams, which has its own places
    on the device; what leaves has six places on the host in any case."""
    shape, kept = (12288, 4096), 6

    def __init__(self, lanes):
        first = torch.randn(self.shape, device="cuda", dtype=BF16)
        self.heard = [pinned(first.roll(n, 0)) for n in range(3)]
        self.model = dense(4096, 4096, 4096, 4096, 4096).requires_grad_(False)
        self.streams = [torch.cuda.Stream() for _ in range(lanes)]
        self.places = [torch.zeros(self.shape, device="cuda", dtype=BF16) for _ in range(lanes)]
        self.clean = [torch.zeros(self.shape, dtype=BF16).pin_memory() for _ in range(self.kept)]
        self.done = [torch.cuda.Event() for _ in range(self.kept)]
        self.peak = 0.0
        torch.cuda.synchronize()

    @torch.no_grad()
    def step(self, i):
        lane, slot = i % len(self.streams), i % self.kept
        self.done[slot].synchronize()
        self.peak = max(self.peak, float(self.clean[slot][0, 0]))
        with torch.cuda.stream(self.streams[lane]):
            place = self.places[lane]
            place.copy_(self.heard[i % 3], non_blocking=True)
            self.clean[slot].copy_(self.model(place), non_blocking=True)
            self.done[slot].record()

    def loud(self):
        return sum(float(part[:64].float().abs().mean()) for part in self.clean)


class Archive:
    """Strain is packed in levels: each has codes of 0 to 255 for what the levels before it left over. How often each
    code is used is kept on the device."""
    rows, width, levels = 20480, 2048, 4

    def __init__(self, bounds_known):
        self.bounds = (0, 255) if bounds_known else ()
        self.strain = Ahead([pinned(torch.randn(self.rows, self.width, device="cuda", dtype=BF16)) for _ in range(3)])
        self.packers = [dense(self.width, 4096, 64).requires_grad_(False) for _ in range(self.levels)]
        self.unpackers = [dense(64, 4096, self.width).requires_grad_(False) for _ in range(self.levels)]
        self.used = torch.zeros(self.levels, 256, device="cuda")
        self.kept = Collector((self.levels, self.rows, 64), torch.uint8)
        self.late = Late()

    @torch.no_grad()
    def step(self, i):
        rest, packed = self.strain.take(i), []
        for level in range(self.levels):
            codes = self.packers[level](rest).float().mul_(400).add_(128).round_().clamp_(0, 255)
            self.used[level].lerp_(torch.histc(codes, 256, *self.bounds), 0.1)
            packed.append(codes.to(torch.uint8))
            rest = rest - self.unpackers[level](codes.sub_(128).div_(100).to(BF16))
        self.strain.give_back(i)
        self.kept.take(i, torch.stack(packed))
        self.late.look(i, rest[0].float().square().mean())


class Gaps:
    """What is clicked next is learned from the wares and from how long ago the last click of the same user was."""
    clicks, users, wares = 20480, 100_000, 50_000

    def __init__(self, at_once):
        self.gaps_of = self.all_at_once if at_once else self.one_by_one
        random = np.random.default_rng(19)
        users, times = random.integers(self.users, size=(5, self.clicks)), random.integers(9000, size=(5, self.clicks))
        self.batches = list(zip(users, np.sort(times, 1)))
        self.last, self.last_of = {}, np.full(self.users, -1)
        self.numbers = np.arange(self.clicks)
        self.host = [torch.zeros(self.clicks).pin_memory() for _ in range(2)]
        self.copied, self.late = two_events(), Late()
        self.table = torch.randn(self.wares, 504, device="cuda", dtype=BF16)
        self.seen, self.next = classes(self.clicks, self.wares), classes(self.clicks, 64)
        self.rates = torch.logspace(0, -4, 8, device="cuda")
        self.model = dense(512, 4096, 4096, 64)
        self.learner, self.loss = Learner(self.model.parameters()), None

    def one_by_one(self, users, times):
        last, gaps = self.last, []
        for user, time in zip(users.tolist(), times.tolist()):
            before = last.get(user)
            gaps.append(-1 if before is None else time - before)
            last[user] = time
        return np.array(gaps, np.float32)

    def all_at_once(self, users, times):
        order = np.sort(users * 32768 + self.numbers)
        users, order = order >> 15, order & 32767
        times = times[order]
        same = users[1:] == users[:-1]
        before = self.last_of[users]
        before[1:][same] = times[:-1][same]
        gaps = np.empty(self.clicks, np.float32)
        gaps[order] = np.where(before < 0, -1, times - before)
        ends = np.append(~same, True)
        self.last_of[users[ends]] = times[ends]
        return gaps

    def step(self, i):
        slot = i % 2
        users, times = self.batches[i % 5]
        gaps = self.gaps_of(users, times + 10_000 * i)
        self.copied[slot].synchronize()
        self.host[slot].copy_(torch.from_numpy(gaps))
        gaps = self.host[slot].to("cuda", non_blocking=True)
        self.copied[slot].record()
        waves = torch.sin(gaps[:, None] * self.rates).to(BF16)
        told = self.model(torch.cat([self.table[self.seen], waves], 1))
        self.loss = self.learner.go(F.cross_entropy(told.float(), self.next))
        self.late.look(i, self.loss)


class Voices:
    """Voices are turned to features. Some of these go to the host, 256 KB, where their spread is booked: by a host
    function in the stream of the kernels, or by a thread that waits for the event behind the copy."""

    def __init__(self, in_thread):
        self.voices = Ahead([pinned(torch.randn(32, 512, 1024, device="cuda", dtype=BF16)) for _ in range(3)])
        self.model = torch.nn.Sequential(*[Block(1024, 16, False) for _ in range(4)]).requires_grad_(False)
        self.host = [torch.zeros(32, 2048).pin_memory() for _ in range(3)]
        self.left, self.room = [torch.cuda.Event() for _ in range(3)], threading.Semaphore(3)
        self.spread, self.often, self.features = 0.0, None, None
        self.runtime = runtime()
        self.functions = [HostFunction(lambda _, slot=slot: self.book(slot)) for slot in range(3)]
        self.jobs, self.thread = queue.Queue(), None
        if in_thread:
            self.thread = threading.Thread(target=self.work, daemon=True)
            self.thread.start()
        torch.cuda.synchronize()

    def book(self, slot):
        values = np.sort(self.host[slot].numpy(), axis=None)
        self.spread = 0.9 * self.spread + 0.1 * float(values[60000] - values[5000])
        self.often = np.histogram(values, 256, (-8, 8))[0]
        self.room.release()

    def work(self):
        while (slot := self.jobs.get()) is not None:
            self.left[slot].synchronize()
            self.book(slot)
            self.jobs.task_done()

    @torch.no_grad()
    def step(self, i):
        slot = i % 3
        self.room.acquire()
        self.features = self.model(self.voices.take(i))
        self.voices.give_back(i)
        self.host[slot].copy_(self.features[:, 0].float().repeat(1, 2), non_blocking=True)
        self.left[slot].record()
        if self.thread:
            self.jobs.put(slot)
        else:
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            check(self.runtime.cudaLaunchHostFunc(stream, self.functions[slot], None), "cudaLaunchHostFunc")

    def booked(self):
        torch.cuda.synchronize()
        if self.thread:
            self.jobs.join()
        return self.spread

    def close(self):
        self.booked()
        self.jobs.put(None)


class Newsroom:
    """Which news readers like is learned. Rows of the readers that are active are on the device; in each step some of
    them leave for the host and others, that came a step before, take their place. What comes and what leaves goes
    through two places each: in the stream of the kernels, or in two others."""
    readers, width, moved, rows = 147456, 512, 9216, 12288

    def __init__(self, own_streams):
        now = torch.cuda.current_stream()
        self.coming, self.leaving = [torch.cuda.Stream() if own_streams else now for _ in range(2)]
        self.table = torch.randn(self.readers, self.width, device="cuda", dtype=BF16)
        self.turns = torch.randperm(self.readers, device="cuda").view(-1, self.moved)
        self.seen = torch.randperm(self.readers, device="cuda").view(-1, self.rows)
        self.news = torch.randn(self.rows, self.width, device="cuda", dtype=BF16)
        self.liked = classes(self.rows)
        self.model = dense(2 * self.width, 4096, 4096, 4096, 16)
        self.learner, self.late, self.loss = Learner(self.model.parameters()), Late(), None
        self.stored = [pinned(self.table[part].roll(1, 0)) for part in self.turns[:3]]
        self.places, self.gone = [[torch.zeros(self.moved, self.width, device="cuda", dtype=BF16) for _ in range(2)]
                                  for _ in range(2)]
        self.host = [torch.zeros(self.moved, self.width, dtype=BF16).pin_memory() for _ in range(2)]
        self.here, self.free, self.made, self.left = two_events(), two_events(), two_events(), two_events()
        torch.cuda.synchronize()
        self.bring(0)

    def bring(self, i):
        with torch.cuda.stream(self.coming):
            self.coming.wait_event(self.free[i % 2])
            self.places[i % 2].copy_(self.stored[i % 3], non_blocking=True)
            self.here[i % 2].record()

    def swap(self, i):
        slot, now, turn = i % 2, torch.cuda.current_stream(), self.turns[i % len(self.turns)]
        self.bring(i + 1)
        now.wait_event(self.left[slot])
        torch.index_select(self.table, 0, turn, out=self.gone[slot])
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            self.host[slot].copy_(self.gone[slot], non_blocking=True)
            self.left[slot].record()
        now.wait_event(self.here[slot])
        self.table.index_copy_(0, turn, self.places[slot])
        self.free[slot].record()

    def step(self, i):
        self.swap(i)
        seen = self.seen[i % len(self.seen)]
        readers = self.table[seen]
        told = self.model(torch.cat([readers, self.news], 1))
        self.loss = self.learner.go(F.cross_entropy(told.float(), self.liked))
        self.table.index_copy_(0, seen, readers.lerp(self.news, 0.1))
        self.late.look(i, self.loss)

    def liked_by_readers(self):
        return float(self.table.float().abs().mean()) + float(self.host[0].float().abs().mean())
