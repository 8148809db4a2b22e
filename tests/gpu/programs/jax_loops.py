#!/usr/bin/env python3
"""Loops in JAX with one mistake, and with the mistake mended. See loop_runner.py."""
import os
import sys

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
import numpy as np

import loop_runner

pairs = loop_runner.Pairs("jax")
current = {"value": None}  # what sync() waits for


def sync():
    if current["value"] is not None:
        jax.block_until_ready(current["value"])


def weights(width, layers):
    """On the device, without copies from the host."""
    keys = jax.random.split(jax.random.key(1), layers)
    return [jax.random.normal(key, (width, width), jnp.bfloat16) / width ** 0.5 for key in keys]


def loss(params, x):
    for w in params:
        x = jax.nn.relu(x @ w)
    return jnp.mean(jnp.square(x.astype(jnp.float32)))


def update(params, x):
    value, slopes = jax.value_and_grad(loss)(params, x)
    return [w - 1e-6 * s for w, s in zip(params, slopes)], value


def batches(rows, width, count=2):
    values = np.random.default_rng(1).standard_normal((rows, width), dtype=np.float32)
    return [np.roll(values, n, 0) for n in range(count)]


class Training:
    def __init__(self, width, layers):
        self.params = weights(width, layers)
        self.train = jax.jit(update, donate_argnums=0)

    def step(self, x):
        self.params, value = self.train(self.params, x)
        current["value"] = self.params
        return value


@pairs.pair("readback host-sync host-late")
def loss_each_step(variant):
    """The loss goes to the host each step, and a line is written; mended, it is read two steps later."""
    training = Training(2048, 6)
    x = jax.random.normal(jax.random.key(2), (4096, 2048), jnp.bfloat16)
    waiting, window = [], [0.0] * 4000

    def step(i):
        waiting.append(training.step(x))
        if variant == "bad" or len(waiting) > 2:
            window[i % len(window)] = float(jax.device_get(waiting.pop(0)))
        sum(v * v for v in window)
    return step


@pairs.pair("pageable host-late data-loading same-stream python")
def put_in_line(variant):
    """A numpy batch is made, converted and put each step; the loss is read. Mended: the next batch is on its way."""
    training = Training(4096, 5)
    source = batches(2048, 4096)
    ahead = {"next": jax.device_put(source[0])}

    def step(i):
        if variant == "bad":
            value = training.step(jax.device_put(source[i % 2]).astype(jnp.bfloat16))
        else:
            value = training.step(ahead["next"].astype(jnp.bfloat16))
            ahead["next"] = jax.device_put(source[(i + 1) % 2])
        jax.device_get(value)
    return step


@pairs.pair("launch-bound python host-late")
def without_jit(variant):
    """Before each training step 90 small operations, one by one or as one program."""
    training = Training(2048, 4)
    x = jax.random.normal(jax.random.key(3), (8192, 2048), jnp.bfloat16)
    factors = jnp.ones((2048,), jnp.bfloat16)

    def work(f):
        for _ in range(30):
            f = jnp.tanh(f * 0.99) + 0.01
        return f
    run = jax.jit(work) if variant == "mended" else work

    def step(i):
        training.step(x * run(factors))
    return step


# ---- a third set, to test on what the analysis was not made with

@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def third_springs_step_by_step(variant):
    """120 small steps of a chain of springs, a call each, or a loop on the device. 20 to 45 %."""
    place = jax.random.normal(jax.random.key(4), (3, 1_500_000), jnp.float32)
    state = {"now": (place, jnp.zeros_like(place))}

    def move(now):
        place, speed = now
        pull = jnp.roll(place, 1, 1) + jnp.roll(place, -1, 1) - 2 * place
        speed = 0.999 * speed + 0.01 * pull
        return place + 0.01 * speed, speed
    one = jax.jit(move)
    all_of_them = jax.jit(lambda now: jax.lax.fori_loop(0, 120, lambda n, inner: move(inner), now))

    def step(i):
        if variant == "mended":
            state["now"] = all_of_them(state["now"])
        else:
            for _ in range(120):
                state["now"] = one(state["now"])
        current["value"] = state["now"]
    return step


@pairs.pair("host-sync host-late")
def third_waits_for_each_stage(variant):
    """Four stages of a network as four programs; each result is waited for before the next is called. 15 to
    35 %."""
    stages = [weights(4096, 2) for _ in range(4)]
    x = jax.random.normal(jax.random.key(5), (8192, 4096), jnp.bfloat16)

    @jax.jit
    def stage(params, value):
        for w in params:
            value = jax.nn.gelu(value @ w)
        return value

    def step(i):
        value = x
        for params in stages:
            value = stage(params, value)
            if variant == "bad":
                value.block_until_ready()
        current["value"] = value
    return step


# ---- a fourth set, for the same

@pairs.pair("readback pageable host-sync host-late")
def fourth_results_to_numpy(variant):
    """16 MiB of results become a numpy array in each step; mended, the copy is begun at once and looked at a step
    later. 15 to 45 %."""
    params = weights(4096, 8)
    x = jax.random.normal(jax.random.key(6), (8192, 4096), jnp.bfloat16)
    waiting, seen = [], {"sum": 0.0}

    @jax.jit
    def judge(params, value):
        for w in params:
            value = jax.nn.gelu(value @ w)
        return value[:, :512].astype(jnp.float32)

    def step(i):
        result = judge(params, x)
        if variant == "mended":
            result.copy_to_host_async()
        waiting.append(result)
        if variant == "bad" or len(waiting) > 1:
            seen["sum"] += float(np.asarray(waiting.pop(0))[0, 0])
        current["value"] = result
    return step


@pairs.pair("launch-bound python host-late")
def fourth_optimizer_outside_jit(variant):
    """The slopes are one program, but the optimizer goes through 32 weights with an operation each time; mended, it is
    a program too. 30 to 65 %."""
    params = weights(768, 32)
    state = {"now": [(w, jnp.zeros_like(w), jnp.zeros_like(w)) for w in params]}
    x = jax.random.normal(jax.random.key(7), (16384, 768), jnp.bfloat16)
    slopes = jax.jit(jax.grad(loss))

    def adam(now, steepness):
        changed = []
        for (w, mean, square), slope in zip(now, steepness):
            mean = 0.9 * mean + 0.1 * slope
            square = 0.99 * square + 0.01 * slope * slope
            changed.append((w - 1e-6 * mean / (jnp.sqrt(square) + 1e-3), mean, square))
        return changed
    change = jax.jit(adam, donate_argnums=0) if variant == "mended" else adam

    def step(i):
        state["now"] = change(state["now"], slopes([w for w, _, _ in state["now"]], x))
        current["value"] = state["now"]
    return step


@pairs.healthy()
def fourth_healthy_residual(variant):
    """A network with residual layers; the loss of two steps ago is looked at."""
    state = {"params": weights(2048, 10)}
    x = jax.random.normal(jax.random.key(8), (16384, 2048), jnp.bfloat16)
    waiting, seen = [], {"loss": 0.0}

    def residual_loss(params, value):
        for w in params:
            value = value + 0.1 * jnp.tanh(value @ w)
        return jnp.mean(jnp.square(value.astype(jnp.float32)))

    def train(params):
        value, slopes = jax.value_and_grad(residual_loss)(params, x)
        return [w - 1e-6 * s for w, s in zip(params, slopes)], value
    run = jax.jit(train, donate_argnums=0)

    def step(i):
        state["params"], value = run(state["params"])
        waiting.append(value)
        if len(waiting) > 2:
            seen["loss"] = float(waiting.pop(0))
        current["value"] = state["params"]
    return step


@pairs.healthy()
def healthy_jit(variant):
    training = Training(4096, 6)
    x = jax.random.normal(jax.random.key(2), (4096, 4096), jnp.bfloat16)
    return lambda i: training.step(x)


def jaxtrace(args, pairs, device):
    def record(loop, name):
        with jax.profiler.trace(os.path.join(args.out, name), create_perfetto_trace=True):
            loop.run(12)
            device.sync()
    loop_runner.each_variant(args, pairs, device, record)


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
