"""JAX programs whose host is too slow: it unpacks, chooses in Python, or calls operation by operation."""
import collections
import concurrent.futures
import zlib

import jax
import jax.numpy as jnp
import numpy as np

from jax_framework import current
from jax_networks import Seen, relu_loss, weights
from loop_runner import Pairs, giving

pairs = Pairs("jax")


@pairs.pair("launch-bound python host-late", further="launch-bound python host-late")
def optimizer_outside_jit(variant):
    """The gradients are one program, but the optimizer goes through 32 weights operation by operation. Mended: it is a
    program too. 30 to 65 %. Further: both are one."""
    params = weights(768, 32)
    state = {"now": [(w, jnp.zeros_like(w), jnp.zeros_like(w)) for w in params]}
    x = jax.random.normal(jax.random.key(7), (16384, 768), jnp.bfloat16)
    slopes = jax.jit(jax.grad(relu_loss))

    def adam(now, steepness):
        changed = []
        for (w, mean, square), slope in zip(now, steepness):
            mean = 0.9 * mean + 0.1 * slope
            square = 0.99 * square + 0.01 * slope * slope
            changed.append((w - 1e-6 * mean / (jnp.sqrt(square) + 1e-3), mean, square))
        return changed
    change = jax.jit(adam, donate_argnums=0) if variant == "mended" else adam

    def changed_by(now, x):
        return change(now, slopes([w for w, _, _ in now], x))
    if variant == "further":
        changed_by = jax.jit(changed_by, donate_argnums=0)

    def step(i):
        state["now"] = changed_by(state["now"], x)
        current["value"] = state["now"]
    return step


class Recordings:
    """Eight packed parts of an archive of sound, 1 MiB each. One is unpacked when it is asked for, which takes 2.5 to
    3.5 ms, or ahead, by three threads, which may also put it on the device; zlib lets Python go on meanwhile."""

    rows, values = 4096, 256

    def __init__(self, ahead, put=lambda part: part):
        random = np.random.default_rng(16)
        parts = [random.integers(0, 8, (self.rows, self.values), dtype=np.uint8) for _ in range(8)]
        self.packed, self.ahead, self.put = [zlib.compress(part.tobytes(), 6) for part in parts], ahead, put
        self.pool, self.coming, self.next = concurrent.futures.ThreadPoolExecutor(3), collections.deque(), 0

    def unpacked(self, number):
        part = np.frombuffer(zlib.decompress(self.packed[number % 8]), np.uint8)
        return self.put(part.reshape(self.rows, self.values))

    def take(self, i):
        if not self.ahead:
            return self.unpacked(i)
        while self.next < i + 5:
            self.coming.append(self.pool.submit(self.unpacked, self.next))
            self.next += 1
        return self.coming.popleft().result()

    def close(self):
        self.pool.shutdown()


@pairs.pair("data-loading host-late python",
            further="launch-bound python host-late data-loading pageable same-stream too-few-streams")
def songs_unpacked_in_loop(variant):
    """A network learns from sounds, 1.8 ms a step. The part of the archive for a step is unpacked in the loop before,
    2.5 to 3.5 ms. Mended: by threads, four steps ahead. 25 to 55 %. Further: they put it on the device too."""
    further, seen = [jax.device_put] if variant == "further" else [], Seen()
    recordings = Recordings(variant != "bad", *further)
    into = jax.random.normal(jax.random.key(16), (recordings.values, 2048), jnp.bfloat16) / recordings.values ** 0.5
    state = {"params": [*weights(2048, 8), into]}

    def lost(params, x):
        x = ((x.astype(jnp.bfloat16) - 3.5) / 2) @ params[-1]
        for w in params[:-1]:
            x = x + 0.2 * jax.nn.silu(x @ w)
        return jnp.square(x.astype(jnp.float32) - 1).mean()

    def learn(params, x):
        value, slopes = jax.value_and_grad(lost)(params, x)
        return [w - (1e-2 * s).astype(w.dtype) for w, s in zip(params, slopes)], value
    run = jax.jit(learn, donate_argnums=0)

    def step(i):
        state["params"], state["lost"] = run(state["params"], recordings.take(i))
        current["value"] = state["params"]
        seen.add(i, state["lost"])
    return giving(step, lambda: state["lost"], recordings.close)


class Games:
    """A group of 512 games. A network looks at 16 tries for each, about 3 ms; the host then counts and chooses in
    Python, about 1.2 ms."""

    def __init__(self, play, params, tries, number):
        self.play, self.params, self.tries = play, params, tries
        self.boards = jax.random.normal(jax.random.key(number), (512, 2048), jnp.bfloat16)
        self.moves, self.score = np.full(512, number, np.int32), 0
        self.visits = [{} for _ in range(512)]

    def ask(self):
        self.boards, self.best = self.play(self.params, self.boards, self.tries, self.moves)
        current["value"] = self.boards

    def decide(self):
        moves = []
        for visits, best in zip(self.visits, np.asarray(self.best).tolist()):
            chosen, most = best, -1.0
            for move in (best, (best + 1) % 16, (best + 5) % 16):
                worth = 1.0 / (1 + visits.get(move, 0)) + (0.2 if move == best else 0.0)
                if worth > most:
                    chosen, most = move, worth
            visits[chosen] = visits.get(chosen, 0) + 1
            self.score += chosen + 1
            moves.append(chosen)
        self.moves = np.array(moves, np.int32)


@pairs.pair("python host-late readback host-sync", removes="python host-late", allowed=("readback", "host-sync"))
def games_played_in_turn(variant):
    """Two groups of games play against themselves. For each the host asks the network, waits and chooses the moves in
    Python, while the device is idle. Mended: it chooses for one group while the network, which was asked before, looks
    at the other. 20 to 40 %."""
    def tried(params, boards, tries, moves):
        boards = (0.9 * boards + 0.3 * tries[moves]).astype(jnp.bfloat16)
        x = (boards[:, None, :] + tries[None]).reshape(-1, 2048)
        for w in params:
            x = x + 0.2 * jax.nn.relu(x @ w)
        return boards, x.astype(jnp.float32).mean(-1).reshape(512, 16).argmax(1).astype(jnp.int32)
    play, params = jax.jit(tried, donate_argnums=1), weights(2048, 20)
    tries = jax.random.normal(jax.random.key(18), (16, 2048), jnp.bfloat16)
    groups = [Games(play, params, tries, number) for number in range(2)]
    if variant == "mended":
        for group in groups:
            group.ask()

    def step(i):
        for group in groups:
            if variant == "bad":
                group.ask()
                group.decide()
            else:
                group.decide()
                group.ask()
    return giving(step, lambda: groups[0].score + groups[1].score)


# ---- nothing to mend

@pairs.healthy()
def healthy_roads_learned(variant):
    """A graph network learns how full 512 Ki roads will be: three rounds of messages, forward and backward in one
    program. A second program keeps a mean of the weights. The errors of two steps ago are looked at."""
    crossings, roads, width, seen = 1 << 16, 1 << 19, 256, Seen()
    keys = jax.random.split(jax.random.key(20), 3)
    begin = jax.random.randint(keys[0], (roads,), 0, crossings)
    end = jnp.sort(jax.random.randint(keys[1], (roads,), 0, crossings))
    cars = jax.random.normal(keys[2], (crossings, width), jnp.float32)
    start = [w.astype(jnp.float32) for w in weights(width, 6)]
    state = {"params": start, "mean": [w + 0 for w in start]}

    def lost(params, cars, begin, end):
        x = cars
        for own, other in zip(params[0::2], params[1::2]):
            told = jax.ops.segment_sum(x[begin], end, crossings, indices_are_sorted=True) / 8
            x = x + 0.3 * jnp.tanh(x @ own + told @ other)
        wrong = jnp.square(x - jnp.roll(cars, 1, 0)).mean(1)
        return wrong.mean(), jnp.stack([wrong.mean(), wrong.max()])

    def learned(params, cars, begin, end):
        slopes, errors = jax.grad(lost, has_aux=True)(params, cars, begin, end)
        return [w - 1e-2 * s for w, s in zip(params, slopes)], errors
    learn = jax.jit(learned, donate_argnums=0)

    def kept(mean, params):
        return [0.999 * m + 0.001 * w for m, w in zip(mean, params)]
    keep = jax.jit(kept, donate_argnums=0)

    def step(i):
        state["params"], errors = learn(state["params"], cars, begin, end)
        state["mean"] = keep(state["mean"], state["params"])
        current["value"] = state["mean"]
        seen.add(i, errors)
    return step
