#!/usr/bin/env python3
"""A twelfth set of loops in JAX; see torch12_loops.py. Written without reading the analysis."""
import sys

from jax_loops import current, jax, jaxtrace, jnp, np, sync, weights  # first: it says how much memory JAX takes

import loop_runner
from loop_runner import giving

pairs = loop_runner.Pairs("jax12")


def layers(params, x):
    for w in params:
        x = x + 0.1 * jax.nn.silu(x @ w)
    return x / jnp.sqrt(1 + jnp.square(x.astype(jnp.float32)).mean(1, keepdims=True)).astype(x.dtype)


@pairs.pair("readback host-sync host-late python", allowed=("launch-bound",))
def end_asked_for_each_word(variant):
    """16 words of 4096 texts a step, a call each, which also says if all texts have ended. The host reads that before
    it asks for the next word; mended, while the next one is made. 8 to 28 %."""
    params, begin = weights(2048, 6), jax.random.normal(jax.random.key(12), (4096, 2048), jnp.bfloat16)
    state, waiting = {"x": begin}, []

    def next_word(params, x):
        x = layers(params, x)
        return x, jnp.all(x.argmax(1) == 0)
    run = jax.jit(next_word)

    def step(i):
        x = begin
        for _ in range(16):
            x, ended = run(params, x)
            ended.copy_to_host_async()
            waiting.append(ended)
            if (variant == "bad" or len(waiting) > 1) and bool(waiting.pop(0)):
                break
        current["value"] = state["x"] = x
    return giving(step, lambda: jnp.abs(state["x"].astype(jnp.float32)).mean())


@pairs.pair("small-copies launch-bound python host-late pageable data-loading", allowed=("pageable", "launch-bound"))
def features_given_one_by_one(variant):
    """A recommender learns twice a step from 256 features, arrays of numpy of 2048 numbers each, which go to the device
    one by one; mended, they are put together before. 30 to 75 %."""
    random = np.random.default_rng(12)
    features = {f"feature{n:03d}": random.standard_normal(2048, dtype=np.float32) for n in range(256)}
    state = {"params": [*weights(2048, 10), 0.1 * jax.random.normal(jax.random.key(13), (256, 2048), jnp.bfloat16)]}

    def loss(params, x):
        return jnp.mean(jnp.square(layers(params[:-1], x.astype(jnp.bfloat16) @ params[-1]).astype(jnp.float32) - 1))

    def learn(params, x):
        value, slopes = jax.value_and_grad(loss)(params, x)
        return [w - (1e-3 * s).astype(w.dtype) for w, s in zip(params, slopes)], value
    together = jax.jit(lambda params, x: learn(params, x.T), donate_argnums=0)
    one_by_one = jax.jit(lambda params, some: learn(params, jnp.stack([some[n] for n in sorted(some)], 1)),
                         donate_argnums=0)

    def step(i):
        for _ in range(2):
            if variant == "bad":
                state["params"], state["loss"] = one_by_one(state["params"], features)
            else:
                all_of_them = np.stack([features[n] for n in sorted(features)])
                state["params"], state["loss"] = together(state["params"], all_of_them)
        current["value"] = state["params"]
    return giving(step, lambda: state["loss"])


@pairs.healthy()
def healthy_words_by_one_program(variant):
    """20 words of 4096 texts are made by one program, which counts the texts that have ended; what it was two steps ago
    is looked at."""
    params, begin = weights(2048, 6), jax.random.normal(jax.random.key(14), (4096, 2048), jnp.bfloat16)
    waiting, log = [], {}

    def words(params, x):
        def one(n, now):
            x, ended = now
            x = layers(params, x)
            return x, ended | (x.argmax(1) == 0)
        x, ended = jax.lax.fori_loop(0, 20, one, (x, jnp.zeros(len(x), bool)))
        return x, ended.sum()
    run = jax.jit(words)

    def step(i):
        x, ended = run(params, begin)
        current["value"] = x
        ended.copy_to_host_async()
        waiting.append(ended)
        if len(waiting) > 2:
            log["ended"] = int(waiting.pop(0))
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
