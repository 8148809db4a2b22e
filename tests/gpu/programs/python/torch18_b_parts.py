"""What the set torch18_b is made of: passages that get vectors, wares that are found by interests, sound that is written
down, faces that are searched for."""
import heapq
from itertools import islice

import torch
import torch.nn as nn
import torch.nn.functional as F

from torch17_parts import BF16, Ahead, Block, dense, pinned, two_events
from torch_parts import as_graph


class Passages:
    """Every word of a passage gets a vector; the vectors of 512 passages are a part of an index in host memory."""
    parts, rows, length, width = 8, 512, 128, 128

    def __init__(self, pinned_index):
        self.table = nn.Embedding(8192, 768, device="cuda", dtype=BF16).requires_grad_(False)
        layers = [Block(768, 12, False), Block(768, 12, False), dense(768, self.width)]
        self.model = nn.Sequential(*layers).requires_grad_(False)
        self.index = torch.ones(self.parts, self.rows, self.length, self.width, dtype=BF16)
        if pinned_index:
            self.index = self.index.pin_memory()
        self.words = Ahead([pinned(torch.randint(8192, (self.rows, self.length), device="cuda")) for _ in range(4)])
        self.found = [torch.zeros_like(self.index[0], device="cuda") for _ in range(2)]
        self.made, self.left, self.leaving = two_events(), two_events(), torch.cuda.Stream()
        torch.cuda.synchronize()

    def put(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        vectors = F.normalize(self.model(self.table(self.words.take(i))), dim=-1)
        self.words.give_back(i)
        now.wait_event(self.left[slot])
        self.found[slot].copy_(vectors)
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            self.index[i % self.parts].copy_(self.found[slot], non_blocking=True)
            self.left[slot].record()

    def finished(self):
        """Gives the part of the index that was finished last, while the next one is under way."""
        self.put(0)
        i = 1
        while True:
            self.put(i)
            self.left[(i - 1) % 2].synchronize()
            yield self.index[(i - 1) % self.parts]
            i += 1


class Shelves:
    """A million wares on eight shelves. Of each shelf the best wares of a user are found by 32 interests, and of those
    the best of all: by a heap on the host, or on the device."""
    shelves, wares, users, interests, best = 8, 131072, 64, 32, 48

    def __init__(self, on_host):
        self.on_host = on_host
        self.tables = [torch.randn(128, self.wares, device="cuda", dtype=BF16) for _ in range(self.shelves)]
        self.asked = Ahead([pinned(torch.randn(self.users * self.interests, 128, device="cuda", dtype=BF16))
                            for _ in range(3)])
        shape = (self.shelves, self.users, self.best) if on_host else (self.users, self.best)
        self.scores = [torch.zeros(shape).pin_memory() for _ in range(2)]
        self.ids = [torch.zeros(shape, dtype=torch.long).pin_memory() for _ in range(2)]
        self.done, self.answers = two_events(), [[(0.0, 0)]]
        torch.cuda.synchronize()

    def find(self, i):
        x, scores, ids = self.asked.take(i), [], []
        for number, table in enumerate(self.tables):
            near = (x @ table).view(self.users, self.interests, self.wares).amax(1)
            top = near.topk(self.best)
            scores.append(top.values.float())
            ids.append(top.indices + number * self.wares)
        self.asked.give_back(i)
        if self.on_host:
            return torch.stack(scores), torch.stack(ids)
        top = torch.cat(scores, 1).topk(self.best)
        return top.values, torch.cat(ids, 1).gather(1, top.indices)

    def answered(self, slot):
        """Of each user the best wares, with their scores, the best one first."""
        scores, ids = self.scores[slot].tolist(), self.ids[slot].tolist()
        if not self.on_host:
            return [list(zip(s, k)) for s, k in zip(scores, ids)]
        answers = []
        for user in range(self.users):
            lists = [zip(s[user], k[user]) for s, k in zip(scores, ids)]
            answers.append(list(islice(heapq.merge(*lists, key=lambda found: found[0], reverse=True), self.best)))
        return answers

    def step(self, i):
        slot = i % 2
        scores, ids = self.find(i)
        self.scores[slot].copy_(scores, non_blocking=True)
        self.ids[slot].copy_(ids, non_blocking=True)
        self.done[slot].record()
        self.done[1 - slot].synchronize()
        if i > 0:
            self.answers = self.answered(1 - slot)

    def result(self):
        return sum(score for answer in self.answers for score, _ in answer)


class Writer:
    """Writes down what is said: sound of 128 speakers has one place on the device, is heard, and 32 words are written
    one after the other. The place is free when the words are written, or when the sound has been heard."""
    rows, frames, width, words = 128, 600, 1024, 32

    def __init__(self, free_when_heard):
        self.free_when_heard = free_when_heard
        self.sound = [pinned(torch.randn(self.rows, self.frames, 128, device="cuda", dtype=BF16)) for _ in range(3)]
        self.place = torch.zeros_like(self.sound[0], device="cuda")
        self.ear = dense(128, self.width, self.width, self.width).requires_grad_(False)
        self.heard = torch.zeros(self.rows, self.frames, self.width, device="cuda", dtype=BF16)
        self.table = torch.randn(8192, self.width, device="cuda", dtype=BF16)
        self.hand = dense(self.width, 4096, self.width).requires_grad_(False)
        self.out = dense(self.width, 8192).requires_grad_(False)
        self.written = torch.zeros(self.words, self.rows, device="cuda", dtype=torch.long)
        self.last = torch.zeros(self.rows, self.width, device="cuda", dtype=BF16)
        self.stream, self.here, self.free = torch.cuda.Stream(), torch.cuda.Event(), torch.cuda.Event()
        self.hearing, self.writing = as_graph(self.hear), as_graph(self.write)
        torch.cuda.synchronize()
        self.bring(0)

    def hear(self):
        self.heard.copy_(self.ear(self.place))

    def write(self):
        state = self.heard.mean(1)
        for number in range(self.words):
            likely = torch.bmm(self.heard, state[:, :, None]).squeeze(2).float().softmax(1).to(BF16)
            state = state + torch.bmm(likely[:, None], self.heard).squeeze(1)
            state = F.normalize(state + self.hand(state), dim=1)
            word = self.out(state).argmax(1)
            self.written[number] = word
            state = state + self.table[word]
        self.last.copy_(state)

    def bring(self, i):
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(self.free)
            self.place.copy_(self.sound[i % 3], non_blocking=True)
            self.here.record()

    def step(self, i):
        torch.cuda.current_stream().wait_event(self.here)
        self.hearing.replay()
        if self.free_when_heard:
            self.free.record()
        self.writing.replay()
        if not self.free_when_heard:
            self.free.record()
        self.bring(i + 1)
        return self.written


class Faces:
    """Faces come a step ahead, a graph for each of two places finds who of 262144 known ones is nearest, and that
    leaves in a stream of its own; the host looks at it a step later."""
    rows, known = 4096, 65536

    def __init__(self):
        self.faces = Ahead([pinned(torch.randint(256, (self.rows, 4096), dtype=torch.uint8, device="cuda"))
                            for _ in range(3)])
        self.model = dense(4096, 4096, 4096, 4096, 256).requires_grad_(False)
        self.gallery = [torch.randn(256, self.known, device="cuda", dtype=BF16) for _ in range(4)]
        self.nearest = [torch.zeros(2, self.rows, device="cuda") for _ in range(2)]
        self.host = [torch.zeros(2, self.rows).pin_memory() for _ in range(2)]
        self.made, self.left, self.leaving, self.sure = two_events(), two_events(), torch.cuda.Stream(), 0.0
        self.graphs = [as_graph(lambda k=k: self.search(k)) for k in range(2)]
        torch.cuda.synchronize()

    def search(self, slot):
        x = self.model(self.faces.places[slot].to(BF16) / 255)
        best = [(x @ part).max(1) for part in self.gallery]
        value, number = torch.stack([found.values for found in best]).float().max(0)
        inside = torch.stack([found.indices for found in best]).gather(0, number[None])[0]
        self.nearest[slot][0] = value
        self.nearest[slot][1] = number * self.known + inside

    def step(self, i):
        slot, now = i % 2, torch.cuda.current_stream()
        self.faces.take(i)
        now.wait_event(self.left[slot])
        self.graphs[slot].replay()
        self.faces.give_back(i)
        self.made[slot].record()
        with torch.cuda.stream(self.leaving):
            self.leaving.wait_event(self.made[slot])
            self.host[slot].copy_(self.nearest[slot], non_blocking=True)
            self.left[slot].record()
        self.left[1 - slot].synchronize()
        self.sure = float(self.host[1 - slot][0, 0])
