#!/usr/bin/env python3
"""A ninth set of loops in JAX; see torch9_loops.py. Written without reading the analysis."""
import sys

from jax_loops import current, jax, jaxtrace, jnp, sync, weights  # first: it says how much memory JAX takes

import loop_runner

pairs = loop_runner.Pairs("jax9")


@pairs.pair("readback host-sync host-late")
def numbers_made_floats(variant):
    """A policy learns. Six numbers about each step become floats, one by one; mended, those of the step before, which
    are on the host by then. 4 to 12 %."""
    state, waiting, log = {"params": weights(2048, 6)}, [], {}
    x = jax.random.normal(jax.random.key(31), (16384, 2048), jnp.bfloat16)

    def measured(params):
        value = x
        for w in params:
            value = value + 0.1 * jax.nn.gelu(value @ w)
        value = value.astype(jnp.float32)
        likely = jax.nn.log_softmax(value[:, :16])
        doubt = -jnp.mean(jnp.sum(jnp.exp(likely) * likely, 1))
        seen = {"doubt": doubt, "sure": jnp.exp(likely.max(1)).mean(), "mean": value.mean(), "spread": value.std(),
                "largest": jnp.abs(value).max()}
        return jnp.mean(jnp.square(value)) - 0.01 * doubt, seen

    def train(params):
        (loss, seen), slopes = jax.value_and_grad(measured, has_aux=True)(params)
        return [w - 1e-6 * s for w, s in zip(params, slopes)], {"loss": loss, **seen}
    run = jax.jit(train, donate_argnums=0)

    def step(i):
        state["params"], seen = run(state["params"])
        current["value"] = state["params"]
        if variant == "mended":
            for value in seen.values():
                value.copy_to_host_async()
            waiting.append(seen)
            seen = waiting.pop(0) if len(waiting) > 1 else {}
        log.update({name: float(value) for name, value in seen.items()})
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
