#!/usr/bin/env python3
"""A tenth set of loops in JAX; see torch10_loops.py. Written without reading the analysis."""
import random
import sys

from jax_loops import current, jax, jaxtrace, jnp, np, sync, weights  # first: it says how much memory JAX takes

import loop_runner

pairs = loop_runner.Pairs("jax10")


class Chances:
    """A tree of sums in plain Python: what had a large error is drawn more often."""

    def __init__(self, leaves):
        self.leaves, self.random = leaves, random.Random(10)
        self.sums = [0.0] * leaves + [1.0] * leaves
        for n in reversed(range(1, leaves)):
            self.sums[n] = self.sums[2 * n] + self.sums[2 * n + 1]

    def draw(self, count):
        return np.array([self.leaf(self.random.random() * self.sums[1]) for _ in range(count)], np.int32)

    def leaf(self, place):
        n, sums = 1, self.sums
        while n < self.leaves:
            n *= 2
            if place >= sums[n]:
                place -= sums[n]
                n += 1
        return n - self.leaves

    def change(self, chosen, values):
        sums = self.sums
        for leaf, value in zip(chosen.tolist(), values.tolist()):
            n = leaf + self.leaves
            change = value - sums[n]
            while n:
                sums[n] += change
                n //= 2


@pairs.pair("python readback host-sync host-late")
def chances_changed_before_next(variant):
    """A network learns from 128 of 4096 kept games, drawn by their errors, of which Python keeps a tree. The tree is
    changed by the errors of a step before the next games are drawn; mended, by those of the step before, while the
    device works. 4 to 12 %."""
    state, waiting, tree = {"params": weights(2048, 6)}, [], Chances(4096)
    games = jax.random.normal(jax.random.key(10), (4096, 128, 64), jnp.bfloat16)
    into = jax.random.normal(jax.random.key(11), (64, 2048), jnp.bfloat16) / 8

    def judged(params, chosen):
        value = games_of(chosen) @ into
        for w in params:
            value = value + 0.1 * jax.nn.gelu(value @ w)
        errors = jnp.mean(jnp.square(value.astype(jnp.float32)), (1, 2))
        return errors.mean(), errors

    def games_of(chosen):
        return jnp.take(games, chosen, 0)

    def train(params, chosen):
        (_, errors), slopes = jax.value_and_grad(judged, has_aux=True)(params, chosen)
        return [w - 1e-6 * s for w, s in zip(params, slopes)], errors
    run = jax.jit(train, donate_argnums=0)

    def step(i):
        chosen = tree.draw(128)
        state["params"], errors = run(state["params"], chosen)
        current["value"] = state["params"]
        if variant == "mended":
            errors.copy_to_host_async()
        waiting.append((chosen, errors))
        if variant == "bad" or len(waiting) > 1:
            chosen, errors = waiting.pop(0)
            tree.change(chosen, np.asarray(errors))
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
