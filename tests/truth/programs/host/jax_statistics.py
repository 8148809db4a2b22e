"""JAX programs that say what they learned operation by operation, or fetch results before they go on."""
import zlib

import jax
import jax.numpy as jnp
import numpy as np

from jax_framework import current
from jax_networks import Seen, relu_loss, residual, weights
from loop_runner import Pairs, giving

pairs = Pairs("jax")


def described(params):
    """Three numbers of each weight."""
    numbers = []
    for w in params:
        exact = w.astype(jnp.float32)
        numbers += [exact.mean(), exact.std(), jnp.abs(exact).max()]
    return jnp.stack(numbers)


@pairs.pair("launch-bound python host-late", further="launch-bound python host-late")
def weights_described_outside_jit(variant):
    """A network of 24 layers learns, 2 to 2.5 ms a step. Mean, spread and largest value of each weight are found
    operation by operation. Mended: by one program. The host looks at them two steps later. 25 to 65 %. Further: the
    program that learns does it too."""
    x, seen = jax.random.normal(jax.random.key(22), (6144, 1024), jnp.bfloat16), Seen()
    state = {"params": weights(1024, 24)}

    def learned(params, x):
        return [w - 1e-6 * s for w, s in zip(params, jax.grad(relu_loss)(params, x))]

    def both(params, x):
        params = learned(params, x)
        return params, described(params)
    learn = jax.jit(both if variant == "further" else learned, donate_argnums=0)
    describe = jax.jit(described) if variant == "mended" else described

    def step(i):
        if variant == "further":
            state["params"], state["told"] = learn(state["params"], x)
        else:
            state["params"] = learn(state["params"], x)
            state["told"] = describe(state["params"])
        current["value"] = state["params"], state["told"]
        seen.add(i, state["told"])
    return giving(step, lambda: state["told"].sum())


class Catalogue:
    """Keeps 8192 vectors of 128 values at a time, and which of them are nearest to a question."""

    def __init__(self):
        self.question = np.random.default_rng(23).standard_normal(128, dtype=np.float32)
        self.kept, self.nearest = np.zeros((8192, 128), np.float32), []

    def keep(self, made):
        self.kept[...] = made
        self.nearest = np.argpartition(self.kept @ self.question, 64)[:64].tolist()


@pairs.pair("host-sync pageable host-late python readback")
def vectors_fetched_before_next_texts(variant):
    """Two groups of texts a step become vectors, about 2.5 ms each. Their 4 MiB are fetched and entered in a catalogue
    before the next group is issued. Mended: after that. 15 to 45 %."""
    params, catalogue, waiting, last = weights(2048, 16), Catalogue(), [], {}
    keys = jax.random.split(jax.random.key(24), 3)
    texts = [jax.random.normal(key, (8192, 2048), jnp.bfloat16) for key in keys]
    embed = jax.jit(lambda params, x: residual(params, x)[:, :128].astype(jnp.float32))

    def step(i):
        for n in range(2 * i, 2 * i + 2):
            waiting.append(embed(params, texts[n % 3]))
            current["value"] = last["made"] = waiting[-1]
            if variant == "bad" or len(waiting) > 1:
                catalogue.keep(np.asarray(waiting.pop(0)))
    return giving(step, lambda: jnp.abs(last["made"]).mean())


# ---- nothing to mend

@pairs.healthy()
def healthy_clouds_forecast(variant):
    """Clouds move for six moments, one program, about 3 ms; where they are then is where the next step begins. 256 KiB
    of the picture are asked for at once and looked at two steps later, by numpy, while the device works."""
    params, waiting, log = weights(2048, 4), [], {"sum": 0}
    state = {"clouds": jax.random.normal(jax.random.key(25), (8192, 2048), jnp.bfloat16)}
    start = state["clouds"] + 0

    def moved(params, x, start):
        x = jax.lax.fori_loop(0, 6, lambda n, x: (0.9 * residual(params, x) + 0.1 * start).astype(x.dtype), x)
        return x / (1 + jnp.abs(x)), x[:64, :1024].astype(jnp.float32)
    move = jax.jit(moved, donate_argnums=1)

    def step(i):
        state["clouds"], picture = move(params, state["clouds"], start)
        current["value"] = state["clouds"]
        picture.copy_to_host_async()
        waiting.append(picture)
        if len(waiting) > 2:
            seen = np.asarray(waiting.pop(0))
            log["sum"] ^= zlib.crc32(seen)
            log["middle"] = float(np.median(seen[::8]))
    return step
