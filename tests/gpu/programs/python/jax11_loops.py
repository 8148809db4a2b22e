#!/usr/bin/env python3
"""An eleventh set of loops in JAX; see torch11_loops.py. Written without reading the analysis."""
import sys

from jax_loops import current, jax, jaxtrace, jnp, np, sync, weights  # first: it says how much memory JAX takes

import loop_runner
from loop_runner import giving

pairs = loop_runner.Pairs("jax11")


def residual(params, x):
    for w in params:
        x = x + 0.1 * jax.nn.gelu(x @ w)
    return x


@pairs.pair("host-late python data-loading pageable host-sync", allowed=("launch-bound",))
def steps_drawn_by_numpy(variant):
    """A sampler, four steps of a denoiser. What is added in each one, 512 KiB, is drawn by numpy and goes to the
    device; mended, the program of the step draws it there. 20 to 65 %."""
    params, random, state = weights(2048, 4), np.random.default_rng(11), {"key": jax.random.key(11)}
    begin = jax.random.normal(jax.random.key(12), (8192, 2048), jnp.bfloat16)

    def moved(params, x, noise):
        wide = jnp.tile(noise.astype(jnp.bfloat16), (128, 1))
        return 0.9 * x - 0.01 * residual(params, x) + 0.01 * wide
    by_host = jax.jit(moved)

    def drawn(params, x, key):
        key, one = jax.random.split(key)
        return moved(params, x, jax.random.normal(one, (64, 2048), jnp.float32)), key
    by_device = jax.jit(drawn)

    def step(i):
        x = begin
        for _ in range(4):
            if variant == "bad":
                x = by_host(params, x, random.standard_normal((64, 2048), dtype=np.float32))
            else:
                x, state["key"] = by_device(params, x, state["key"])
        current["value"] = state["x"] = x
    return giving(step, lambda: jnp.abs(state["x"].astype(jnp.float32)).mean())


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def slopes_added_outside_program(variant):
    """The slopes of four parts of a batch are added up weight by weight, 24 of them, by operations of their own, and
    so are the weights changed; mended, one program goes through the parts. 15 to 60 %."""
    parts = jax.random.normal(jax.random.key(13), (4, 2048, 768), jnp.bfloat16)
    state = {"params": weights(768, 24)}

    def loss(params, x):
        return jnp.mean(jnp.square(residual(params, x).astype(jnp.float32)))
    slopes_of = jax.jit(jax.value_and_grad(loss))

    def all_parts(params, parts):
        def add(sums, x):
            value, slopes = jax.value_and_grad(loss)(params, x)
            return [a + s for a, s in zip(sums, slopes)], value
        sums, values = jax.lax.scan(add, [jnp.zeros_like(w) for w in params], parts)
        return [w - 1e-6 * s for w, s in zip(params, sums)], values[-1]
    whole = jax.jit(all_parts, donate_argnums=0)

    def one_by_one(params):
        sums = [jnp.zeros_like(w) for w in params]
        for n in range(4):
            value, slopes = slopes_of(params, parts[n])
            sums = [a + s for a, s in zip(sums, slopes)]
        return [w - 1e-6 * s for w, s in zip(params, sums)], value

    def step(i):
        run = one_by_one if variant == "bad" else lambda params: whole(params, parts)
        state["params"], state["loss"] = run(state["params"])
        current["value"] = state["params"]
    return giving(step, lambda: state["loss"])


@pairs.healthy()
def healthy_sampler(variant):
    """Six steps of a denoiser are one program, which draws its own noise; how large the result of two steps ago was is
    looked at."""
    params, waiting, log, state = weights(2048, 4), [], {}, {"key": jax.random.key(14)}
    begin = jax.random.normal(jax.random.key(15), (8192, 2048), jnp.bfloat16)

    def sampled(params, key):
        def move(n, now):
            x, key = now
            key, one = jax.random.split(key)
            return 0.9 * x - 0.01 * residual(params, x) + 0.01 * jax.random.normal(one, x.shape, x.dtype), key
        x, key = jax.lax.fori_loop(0, 6, move, (begin, key))
        return jnp.abs(x.astype(jnp.float32)).mean(), key
    run = jax.jit(sampled)

    def step(i):
        value, state["key"] = run(params, state["key"])
        current["value"] = value
        value.copy_to_host_async()
        waiting.append(value)
        if len(waiting) > 2:
            log["size"] = float(waiting.pop(0))
    return giving(step, lambda: current["value"])


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
