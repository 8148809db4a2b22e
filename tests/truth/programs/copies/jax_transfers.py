"""What goes from the host to the device in JAX: batches and many small arrays."""
import concurrent.futures

import jax
import jax.numpy as jnp
import numpy as np

from jax_framework import current
from jax_networks import relu_loss, residual, scaled_residual, weights
from loop_runner import Pairs, giving

pairs = Pairs("jax")


@pairs.pair("pageable host-late data-loading same-stream python",
            further="launch-bound python host-late data-loading pageable")
def batch_put_in_line(variant):
    """A numpy batch of 32 MiB is put on the device and converted before each training step, and the loss is read after
    it. Mended: the next batch is put before the loss is read. Further: by a thread, and the program converts it."""
    values = np.random.default_rng(1).standard_normal((2048, 4096), dtype=np.float32)
    source = [values, np.roll(values, 1, 0)]
    state = {"params": weights(4096, 5), "next": jax.device_put(source[0])}
    thread = concurrent.futures.ThreadPoolExecutor(1)

    def update(params, x):
        value, slopes = jax.value_and_grad(relu_loss)(params, x.astype(jnp.bfloat16))
        return [w - 1e-6 * s for w, s in zip(params, slopes)], value
    train = jax.jit(update, donate_argnums=0)

    def trained(batch):
        x = batch if variant == "further" else batch.astype(jnp.bfloat16)
        state["params"], value = train(state["params"], x)
        current["value"] = state["params"]
        return value

    def step(i):
        if variant == "bad":
            value = trained(jax.device_put(source[i % 2]))
        elif variant == "further":
            coming = thread.submit(jax.device_put, source[(i + 1) % 2])
            value = trained(state["next"])
            state["next"] = coming.result()
        else:
            value = trained(state["next"])
            state["next"] = jax.device_put(source[(i + 1) % 2])
        jax.device_get(value)
    step.finish = thread.shutdown
    return step


@pairs.pair("small-copies launch-bound python host-late pageable data-loading", allowed=("pageable", "launch-bound"),
            further="launch-bound python host-late pageable data-loading same-stream too-few-streams")
def features_copied_one_by_one(variant):
    """A recommender learns twice a step from 256 features, numpy arrays of 2048 numbers each, that are given to the
    program one by one, and so copied one by one. Mended: they are put into one array before. 30 to 75 %. Further: a
    thread does that ahead and puts it on the device."""
    random = np.random.default_rng(12)
    features = {f"feature{n:03d}": random.standard_normal(2048, dtype=np.float32) for n in range(256)}
    state = {"params": [*weights(2048, 10), 0.1 * jax.random.normal(jax.random.key(13), (256, 2048), jnp.bfloat16)]}

    def loss(params, x):
        made = scaled_residual(params[:-1], x.astype(jnp.bfloat16) @ params[-1])
        return jnp.mean(jnp.square(made.astype(jnp.float32) - 1))

    def learn(params, x):
        value, slopes = jax.value_and_grad(loss)(params, x)
        return [w - (1e-3 * s).astype(w.dtype) for w, s in zip(params, slopes)], value
    together = jax.jit(lambda params, x: learn(params, x.T), donate_argnums=0)
    one_by_one = jax.jit(lambda params, some: learn(params, jnp.stack([some[n] for n in sorted(some)], 1)),
                         donate_argnums=0)

    def stacked():
        return np.stack([features[n] for n in sorted(features)])
    thread = concurrent.futures.ThreadPoolExecutor(1)

    def put():
        return thread.submit(lambda: jax.device_put(stacked()))
    coming = [put()] if variant == "further" else []

    def step(i):
        for _ in range(2):
            if variant == "bad":
                state["params"], state["loss"] = one_by_one(state["params"], features)
            elif variant == "further":
                coming.append(put())
                state["params"], state["loss"] = together(state["params"], coming.pop(0).result())
            else:
                state["params"], state["loss"] = together(state["params"], stacked())
        current["value"] = state["params"]
    return giving(step, lambda: state["loss"], thread.shutdown)


# ---- nothing to mend

@pairs.healthy()
def healthy_rivers_forecast(variant):
    """A network learns how rivers rise, 12 moments in a loop on the device; a mean of its weights then forecasts other
    rivers. Each step gives 256 numbers of numpy. The losses of two steps ago are looked at; the forecast of the step
    before is waited for."""
    params = weights(1024, 3)
    state, waiting, log = {"now": (params, [w + 0 for w in params])}, [], {}
    keys = jax.random.split(jax.random.PRNGKey(18), 2)
    rivers, others = [jax.random.normal(key, (6144, 1024), jnp.bfloat16) for key in keys]
    rained = [np.random.default_rng(n).random(256, dtype=np.float32) for n in range(4)]

    def risen(params, x, rain):
        wet = jnp.tile(rain, 4).astype(x.dtype)

        def moment(x, _):
            x = 0.9 * residual(params, x) + 0.1 * wet
            return x, jnp.square(x.astype(jnp.float32)).mean()
        return jax.lax.scan(moment, x, None, length=12)[1].mean()

    def learn(now, x, rain):
        lost, slopes = jax.value_and_grad(risen)(now[0], x, rain)
        params = [w - 1e-5 * s for w, s in zip(now[0], slopes)]
        return (params, [0.99 * m + 0.01 * w for m, w in zip(now[1], params)]), lost
    learns, forecasts = jax.jit(learn, donate_argnums=0), jax.jit(risen)

    def step(i):
        state["now"], lost = learns(state["now"], rivers, rained[i % 4])
        value = forecasts(state["now"][1], others, rained[i % 4])
        current["value"] = value
        for number in (lost, value):
            number.copy_to_host_async()
        waiting.append((lost, value))
        if len(waiting) > 1:
            waiting[-2][1].block_until_ready()
        if len(waiting) > 2:
            log["lost"] = [float(number) for number in waiting.pop(0)]
    return step
