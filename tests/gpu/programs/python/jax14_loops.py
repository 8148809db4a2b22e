#!/usr/bin/env python3
"""A fourteenth set of loops in JAX; see torch14_loops.py. Written without reading the analysis."""
import sys

from jax_loops import current, jax, jaxtrace, jnp, sync, weights  # first: it says how much memory JAX takes

import loop_runner
from loop_runner import giving

pairs = loop_runner.Pairs("jax14")


def size_of(x):
    return jnp.abs(x.astype(jnp.float32)).mean()


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def keys_split_outside_program(variant):
    """10240 chains of a polymer move 20 times a step, and are pushed at random. The key for each move is split off by
    operations of its own; mended, the program of the move splits it. 25 to 65 %."""
    forces = weights(1024, 1)[0]
    state = {"x": jax.random.normal(jax.random.PRNGKey(14), (10240, 1024), jnp.bfloat16), "key": jax.random.PRNGKey(15)}

    def moved(forces, x, one):
        push = jax.random.normal(one, x.shape, jnp.float32).astype(x.dtype)
        return 0.95 * x - 0.05 * jnp.tanh(x @ forces) + 0.2 * push
    with_key = jax.jit(moved)

    @jax.jit
    def that_splits(forces, x, key):
        key, one = jax.random.split(key)
        return moved(forces, x, one), key

    def step(i):
        for _ in range(20):
            if variant == "bad":
                state["key"], one = jax.random.split(state["key"])
                state["x"] = with_key(forces, state["x"], one)
            else:
                state["x"], state["key"] = that_splits(forces, state["x"], state["key"])
        current["value"] = state["x"]
    return giving(step, lambda: size_of(state["x"]))


class Plants:
    """16384 plants of 2048 traits each. Each two neighbours are compared, and the better ones have as many children."""

    def __init__(self):
        self.params = weights(2048, 6)
        self.x = jax.random.normal(jax.random.PRNGKey(16), (16384, 2048), jnp.bfloat16)
        self.key = jax.random.PRNGKey(17)

    @staticmethod
    def judged(params, x):
        """How good each one is, and where the first one of two is better."""
        for w in params:
            x = x + 0.1 * jax.nn.gelu(x @ w)
        worth = x.astype(jnp.float32).mean(1)
        return worth, worth[0::2] > worth[1::2]

    @staticmethod
    def chosen(first, x):
        return jnp.where(first[:, None], x[0::2], x[1::2])

    @staticmethod
    def next_ones(better, key):
        key, one = jax.random.split(key)
        change = jax.random.normal(one, better.shape, jnp.float32).astype(better.dtype)
        children = 0.5 * (better + jnp.roll(better, 1, 0)) + 0.5 * change
        return jnp.stack([better, children], 1).reshape(-1, better.shape[1]), key


@pairs.pair("readback host-sync python host-late", allowed=("launch-bound",))
def better_ones_taken_by_mask(variant):
    """Four generations of plants a step; the better one of each two goes on. They are taken by a mask between two
    programs, and so the host reads it; mended, a program chooses one of each two. 15 to 50 %."""
    plants = Plants()
    next_ones, chosen = jax.jit(plants.next_ones), jax.jit(plants.chosen)

    @jax.jit
    def judged(params, x):
        _, first = plants.judged(params, x)
        return first, jnp.stack([first, ~first], 1).ravel()

    def step(i):
        for _ in range(4):
            first, mask = judged(plants.params, plants.x)
            better = plants.x[mask] if variant == "bad" else chosen(first, plants.x)
            plants.x, plants.key = next_ones(better, plants.key)
        current["value"] = plants.x
    return giving(step, lambda: size_of(plants.x))


@pairs.healthy()
def healthy_generations_in_one_program(variant):
    """Five generations of plants are one program. How good the best one of two steps ago was is looked at."""
    plants, waiting, log = Plants(), [], {}

    @jax.jit
    def generations(params, x, key):
        def one(n, now):
            x, key, _ = now
            worth, first = plants.judged(params, x)
            return *plants.next_ones(plants.chosen(first, x), key), worth.max()
        return jax.lax.fori_loop(0, 5, one, (x, key, jnp.float32(0)))

    def step(i):
        plants.x, plants.key, best = generations(plants.params, plants.x, plants.key)
        current["value"] = plants.x
        best.copy_to_host_async()
        waiting.append(best)
        if len(waiting) > 2:
            log["best"] = float(waiting.pop(0))
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
