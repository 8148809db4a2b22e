#!/usr/bin/env python3
"""A sixteenth set of loops in JAX; see torch16_loops.py. Written without reading the analysis."""
import collections
import concurrent.futures
import sys
import zlib

from jax_loops import current, jax, jaxtrace, jnp, np, sync, weights  # first: it says how much memory JAX takes

import loop_runner
from loop_runner import giving

pairs = loop_runner.Pairs("jax16")
ROWS, VALUES = 4096, 256


def heard(params, x):
    """What a network says of sounds; the last weights are those by which it hears."""
    x = x @ params[-1]
    for w in params[:-1]:
        x = x + 0.2 * jax.nn.silu(x @ w)
    return x.astype(jnp.float32)


class Recordings:
    """Eight parts of an archive of what whales sing, 1 MiB each of low numbers, packed. One is unpacked when it is
    asked for, which takes 2.5 to 3.5 ms, or ahead, by three threads that do not keep Python from going on."""

    def __init__(self, ahead):
        random = np.random.default_rng(16)
        parts = [random.integers(0, 8, (ROWS, VALUES), dtype=np.uint8) for _ in range(8)]
        self.packed, self.ahead = [zlib.compress(part.tobytes(), 6) for part in parts], ahead
        self.pool, self.coming, self.next = concurrent.futures.ThreadPoolExecutor(3), collections.deque(), 0

    def unpacked(self, number):
        return np.frombuffer(zlib.decompress(self.packed[number % 8]), np.uint8).reshape(ROWS, VALUES)

    def take(self, i):
        if not self.ahead:
            return self.unpacked(i)
        while self.next < i + 5:
            self.coming.append(self.pool.submit(self.unpacked, self.next))
            self.next += 1
        return self.coming.popleft().result()

    def close(self):
        self.pool.shutdown()


@pairs.pair("data-loading host-late python")
def songs_unpacked_in_loop(variant):
    """A network learns to know whales by what they sing, 1.8 ms a step. The part of the archive for each step is
    unpacked in the loop before, which takes 2.5 to 3.5 ms; mended, by threads, four steps ahead. What was lost is
    looked at two steps later. 25 to 55 %."""
    recordings, waiting, log = Recordings(variant == "mended"), collections.deque(), {}
    into = jax.random.normal(jax.random.key(16), (VALUES, 2048), jnp.bfloat16) / VALUES ** 0.5
    state = {"params": [*weights(2048, 8), into]}

    def lost(params, x):
        x = (x.astype(jnp.bfloat16) - 3.5) / 2
        return jnp.square(heard(params, x) - 1).mean()

    def learn(params, x):
        value, slopes = jax.value_and_grad(lost)(params, x)
        return [w - (1e-2 * s).astype(w.dtype) for w, s in zip(params, slopes)], value
    run = jax.jit(learn, donate_argnums=0)

    def step(i):
        state["params"], state["lost"] = run(state["params"], recordings.take(i))
        current["value"] = state["params"]
        state["lost"].copy_to_host_async()
        waiting.append(state["lost"])
        if len(waiting) > 2:
            log["lost"] = float(waiting.popleft())
    return giving(step, lambda: state["lost"], recordings.close)


# ---- nothing to mend

@pairs.healthy()
def healthy_glass_cooled(variant):
    """Half a million spins of a glass in each of 64 copies of it; a program turns them 12 times and then exchanges
    neighbours in heat, about 5 ms. How warm each one is comes as 64 numbers of numpy at each step. A second program
    measures the copies; both give back what they were given. What was measured two steps ago is looked at."""
    bonds = weights(2048, 1)[0]
    heat, waiting, log = np.linspace(0.5, 2, 64, dtype=np.float32), collections.deque(), {}
    state = {"spins": jnp.ones((64, 256, 2048), jnp.bfloat16), "key": jax.random.PRNGKey(17),
             "sums": jnp.zeros(64, jnp.float32)}

    def energies(bonds, spins):
        field = jnp.einsum("cnk,km->cnm", spins, bonds)
        return -(field * spins).astype(jnp.float32).mean((1, 2)), field

    def turned(bonds, spins, heat, key):
        def once(now, one):
            _, field = energies(bonds, now)
            noise = jax.random.uniform(one, (256, 2048), jnp.float32) - 0.5
            warm = field.astype(jnp.float32) + heat[:, None, None] * noise
            return jnp.where(warm > 0, 1, -1).astype(now.dtype), None
        keys = jax.random.split(key, 13)
        spins, _ = jax.lax.scan(once, spins, keys[1:])
        known, _ = energies(bonds, spins)
        colder = known[0::2] > known[1::2]
        order = jnp.stack([jnp.where(colder, 1, 0), jnp.where(colder, 0, 1)], 1) + 2 * jnp.arange(32)[:, None]
        return spins[order.ravel()], keys[0]
    turn = jax.jit(turned, donate_argnums=1)

    def measured(bonds, spins, sums):
        known, _ = energies(bonds, spins)
        sums = 0.99 * sums + 0.01 * known
        return sums, jnp.stack([sums.min(), sums.max(), known.mean()])
    measure = jax.jit(measured, donate_argnums=2)

    def step(i):
        now = heat * np.float32(1 + 0.2 * (i % 5))
        state["spins"], state["key"] = turn(bonds, state["spins"], now, state["key"])
        state["sums"], numbers = measure(bonds, state["spins"], state["sums"])
        current["value"] = state["sums"]
        numbers.copy_to_host_async()
        waiting.append(numbers)
        if len(waiting) > 2:
            log["line"] = f"step {i - 2} " + " ".join(f"{value:.3f}" for value in np.asarray(waiting.popleft()))
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
