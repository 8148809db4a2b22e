#!/usr/bin/env python3
"""Loops in JAX with one mistake, and with the mistake mended. See loop_runner.py."""
import collections
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


# ---- a fifth set, for the same

@pairs.pair("readback host-sync host-late")
def fifth_sweeps_read_error(variant):
    """A relaxation, four sweeps a call. After each of six calls the host reads whether it may end; mended, it reads
    the answer of the call before. 4 to 12 %."""
    state = {"now": jax.random.normal(jax.random.key(9), (8192, 8192), jnp.float32), "before": jnp.zeros(())}

    def sweep(field):
        rows = jnp.pad(field, ((1, 1), (0, 0)))
        columns = jnp.pad(field, ((0, 0), (1, 1)))
        return 0.25 * (rows[2:] + rows[:-2] + columns[:, 2:] + columns[:, :-2]) + 1e-6

    @jax.jit
    def sweeps(field):
        for _ in range(3):
            field = sweep(field)
        last = sweep(field)
        return last, jnp.max(jnp.abs(last - field))

    def step(i):
        for _ in range(6):
            state["now"], error = sweeps(state["now"])
            if variant == "mended":
                error.copy_to_host_async()
                error, state["before"] = state["before"], error
            if float(error) < 0:  # the tolerance: it goes on
                break
        current["value"] = state["now"]
    return step


@pairs.pair("host-late data-loading python pageable", allowed=("pageable", "same-stream", "data-loading"))
def fifth_normalised_by_numpy(variant):
    """Each batch of 2 Mi bytes becomes numbers of mean 0 by numpy, and goes to the device; mended, the bytes go, and
    the program of the training step does it. 35 to 65 %."""
    raw = [np.random.default_rng(n).integers(0, 256, (4096, 512), dtype=np.uint8) for n in range(2)]
    mean, spread = raw[0].mean(0, dtype=np.float32), raw[0].std(0, dtype=np.float32)
    first = jax.random.normal(jax.random.key(10), (512, 4096), jnp.bfloat16) / 512 ** 0.5
    state = {"params": [first, *weights(4096, 4)]}

    def normal(values):
        return (values.astype(np.float32) - mean) / spread

    def train(params, values):
        values = normal(values) if variant == "mended" else values
        return update(params, values.astype(jnp.bfloat16))
    run = jax.jit(train, donate_argnums=0)

    def step(i):
        values = raw[i % 2] if variant == "mended" else normal(raw[i % 2])
        state["params"], _ = run(state["params"], jax.device_put(values))
        current["value"] = state["params"]
    return step


@pairs.pair("callback readback host-sync host-late python pageable")
def fifth_layers_tell_host(variant):
    """A program tells a function of the host the mean after each second of its layers, by a callback; mended, it
    returns the means, and the host looks at them a step later. 4 to 20 %."""
    params = weights(4096, 8)
    x = jax.random.normal(jax.random.key(11), (8192, 4096), jnp.bfloat16)
    told, waiting = collections.deque(maxlen=100), []

    def tell(mean):
        told.append(float(mean))

    def judge(params, value):
        means = []
        for n, w in enumerate(params):
            value = jax.nn.gelu(value @ w)
            if n % 2 == 1:
                means.append(jnp.mean(value.astype(jnp.float32)))
                if variant == "bad":
                    jax.debug.callback(tell, means[-1])
        return value, jnp.stack(means)
    run = jax.jit(judge)

    def step(i):
        current["value"], means = run(params, x)
        if variant == "mended":
            means.copy_to_host_async()
            waiting.append(means)
        for mean in np.asarray(waiting.pop(0)) if len(waiting) > 1 else ():
            tell(mean)
    return step


@pairs.healthy()
def fifth_healthy_accumulation(variant):
    """The slopes of three parts of a batch are added up, activations are computed twice, a mean of the weights
    follows them: all in one program. The loss of two steps ago is looked at."""
    params = weights(2048, 8)
    state = {"now": (params, [w + 0 for w in params])}
    parts = jax.random.normal(jax.random.key(12), (3, 8192, 2048), jnp.bfloat16)
    waiting, seen = [], {"loss": 0.0}

    def train(now):
        params, means = now
        value, slopes = 0.0, [jnp.zeros_like(w) for w in params]
        for n in range(3):
            part, more = jax.value_and_grad(jax.checkpoint(loss))(params, parts[n])
            value, slopes = value + part, [a + b for a, b in zip(slopes, more)]
        params = [w - 1e-6 * s for w, s in zip(params, slopes)]
        return (params, [0.99 * m + 0.01 * w for m, w in zip(means, params)]), value
    run = jax.jit(train, donate_argnums=0)

    def step(i):
        state["now"], value = run(state["now"])
        waiting.append(value)
        if len(waiting) > 2:
            seen["loss"] = float(waiting.pop(0))
        current["value"] = state["now"]
    return step


# ---- a sixth set, for the same

@pairs.pair("readback host-sync host-late")
def sixth_chain_decides_on_host(variant):
    """A chain of samples of a regression; each proposal follows 8 slopes. The host reads whether it is taken, or the
    program decides. Eight proposals a step. 3 to 10 %."""
    x = jax.random.normal(jax.random.key(13), (65536, 1024), jnp.bfloat16)
    y = jnp.sign(x[:, :1].astype(jnp.float32))
    state = {"now": jnp.zeros((1024, 64), jnp.float32), "key": jax.random.key(14)}

    def energy(weights):
        seen = (x @ weights.astype(jnp.bfloat16)).astype(jnp.float32)
        return jnp.mean(jnp.square(jnp.tanh(seen) - y)) + 1e-4 * jnp.sum(jnp.square(weights))

    def propose(now, key):
        key, first, second = jax.random.split(key, 3)
        speed = 0.01 * jax.random.normal(first, now.shape)
        there, before = now, energy(now) + jnp.sum(jnp.square(speed))
        for _ in range(8):
            speed = speed - 0.01 * jax.grad(energy)(there)
            there = there + 0.01 * speed
        after = energy(there) + jnp.sum(jnp.square(speed))
        return there, before - after > jnp.log(jax.random.uniform(second)), key

    def decided(now, key):
        there, taken, key = propose(now, key)
        return jnp.where(taken, there, now), taken, key
    run = jax.jit(decided if variant == "mended" else propose)

    def step(i):
        for _ in range(8):
            there, taken, state["key"] = run(state["now"], state["key"])
            if variant == "mended" or bool(taken):
                state["now"] = there
        current["value"] = state["now"]
    return step


@pairs.healthy()
def sixth_healthy_mixer(variant):
    """Layers that mix the places of a picture and the channels in turn; the losses are added up on the device, and
    what they were three steps ago is looked at."""
    places, channels = weights(512, 6), weights(1024, 6)
    state = {"now": (places, channels, jnp.zeros(()))}
    x = jax.random.normal(jax.random.key(15), (96, 512, 1024), jnp.bfloat16)
    waiting, seen = [], {"loss": 0.0}

    def mixed_loss(params, value):
        for place, channel in zip(*params):
            value = value + 0.1 * jax.nn.gelu(jnp.einsum("bpc,pq->bqc", value, place))
            value = value + 0.1 * jax.nn.gelu(value @ channel)
        return jnp.mean(jnp.square(value.astype(jnp.float32)))

    def train(now):
        params, losses = now[:2], now[2]
        value, slopes = jax.value_and_grad(mixed_loss)(params, x)
        params = jax.tree.map(lambda w, s: w - 1e-6 * s, params, slopes)
        return (*params, 0.9 * losses + 0.1 * value), value
    run = jax.jit(train, donate_argnums=0)

    def step(i):
        state["now"], value = run(state["now"])
        value.copy_to_host_async()
        waiting.append(value)
        if len(waiting) > 3:
            seen["loss"] = float(waiting.pop(0))
        current["value"] = state["now"]
    return step


@pairs.healthy()
def healthy_jit(variant):
    training = Training(4096, 6)
    x = jax.random.normal(jax.random.key(2), (4096, 4096), jnp.bfloat16)
    return lambda i: training.step(x)


# ---- an eighth set; see torch8_loops.py

@pairs.pair("readback host-sync host-late python")
def eighth_steps_until_settled(variant):
    """A relaxation of 64 sweeps; after each 4 the host asks how much changed, or the program goes on by itself. 5 to
    25 %."""
    start = jax.random.normal(jax.random.key(21), (4096, 4096), jnp.float32)

    def sweep(n, field):
        return 0.25 * (jnp.roll(field, 1, 0) + jnp.roll(field, -1, 0) + jnp.roll(field, 1, 1) + jnp.roll(field, -1, 1))

    def some(field):
        after = jax.lax.fori_loop(0, 4, sweep, field)
        return after, jnp.abs(after - field).max()
    few = jax.jit(some)
    goes_on = jax.jit(lambda field: jax.lax.fori_loop(0, 16, lambda n, f: some(f)[0], field))

    def step(i):
        field = start
        if variant == "bad":
            for _ in range(16):
                field, change = few(field)
                if float(change) < 0:
                    break
        else:
            field = goes_on(field)
        current["value"] = field
    return step


@pairs.healthy()
def eighth_healthy_mixture(variant):
    """Eight experts by one product each; weights and losses stay on the device."""
    experts = jax.random.normal(jax.random.key(22), (8, 1024, 1024), jnp.bfloat16) / 32
    x = jax.random.normal(jax.random.key(23), (8, 8192, 1024), jnp.bfloat16)
    state = {"now": (experts, jnp.zeros(()))}

    def error(weights):
        return jnp.mean(jnp.square(jax.nn.gelu(jnp.einsum("erc,ecd->erd", x, weights)).astype(jnp.float32)))

    def train(now):
        value, slopes = jax.value_and_grad(error)(now[0])
        return now[0] - 1e-6 * slopes, 0.9 * now[1] + 0.1 * value
    run = jax.jit(train, donate_argnums=0)

    def step(i):
        state["now"] = run(state["now"])
        current["value"] = state["now"]
    return step


# ---- one mistake in many spellings: the host looks at a result each step. See spelled_loops.py

def spelled(ask):
    """Decorated: ask(value) looks at the loss of a step."""
    def asked(variant):
        training, work = Training(2048, 6), [float(n) for n in range(40_000)]
        x = jax.random.normal(jax.random.key(2), (8192, 2048), jnp.bfloat16)

        def step(i):
            value = training.step(x)
            if variant == "bad" or i % 50 == 0:
                ask(value)
            sum(v * v for v in work)
        return step
    asked.__name__ = f"spelled_{ask.__name__}"
    return pairs.pair("readback", recorded=("bad",))(asked)


@spelled
def number(value):
    return float(value)


@spelled
def as_array(value):
    return np.asarray(value)


@spelled
def compared(value):
    return "better" if value < 0.5 else "worse"


@spelled
def item(value):
    return value.item()


@pairs.pair("host-sync", recorded=("bad",))
def spelled_blocked(variant):
    training, work = Training(2048, 6), [float(n) for n in range(40_000)]
    x = jax.random.normal(jax.random.key(2), (8192, 2048), jnp.bfloat16)

    def step(i):
        value = training.step(x)
        if variant == "bad":
            value.block_until_ready()
        sum(v * v for v in work)
    return step


def jaxtrace(args, pairs, device):
    def record(loop, name):
        with jax.profiler.trace(os.path.join(args.out, name), create_perfetto_trace=True):
            loop.run(12)
            device.sync()
    loop_runner.each_variant(args, pairs, device, record)


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
