#!/usr/bin/env python3
"""An eighteenth set of loops in JAX; see jax17_loops.py. Written without reading the analysis."""
import sys

from jax_loops import current, jax, jaxtrace, jnp, np, sync, weights  # first: it says how much memory JAX takes

import loop_runner
from jax17_loops import Seen
from loop_runner import giving

pairs = loop_runner.Pairs("jax18")


@pairs.pair("python host-late")
def walks_among_friends(variant):
    """A network of people: an encoder learns from 3072 random walks of twelve friends each which one comes next, 5 ms.
    The walks are made on the host, person by person in Python, 6 to 10 ms; mended, all walks at once by numpy.
    25 to 55 %."""
    people, friends, walks, steps, width = 1 << 16, 16, 3072, 12, 1024
    rng, seen = np.random.default_rng(18), Seen()
    known = rng.integers(0, people, (people, friends), dtype=np.int32)
    known_lists = known.tolist()
    features = jax.random.normal(jax.random.key(21), (people, width), jnp.bfloat16)
    state = {"params": weights(width, 8)}

    def walked_in_python(starts, turns):
        made = []
        for person, chosen in zip(starts.tolist(), turns.tolist()):
            walk = []
            for turn in chosen:
                person = known_lists[person][turn]
                walk.append(person)
            made.append(walk)
        return np.array(made, np.int32)

    def walked_by_numpy(starts, turns):
        made, person = np.empty(turns.shape, np.int32), starts
        for n in range(turns.shape[1]):
            person = known[person, turns[:, n]]
            made[:, n] = person
        return made

    def lost(params, features, walk):
        seen_people = features[walk]
        x = seen_people
        for w in params:
            x = x + 0.2 * jax.nn.relu(x @ w)
        return jnp.square((x[:, :-1] - seen_people[:, 1:]).astype(jnp.float32)).mean()

    def learned(params, features, walk):
        value, slopes = jax.value_and_grad(lost)(params, features, walk)
        return [w - 1e-3 * s for w, s in zip(params, slopes)], value
    learn = jax.jit(learned, donate_argnums=0)
    make_walks = walked_in_python if variant == "bad" else walked_by_numpy

    def step(i):
        walk = make_walks(rng.integers(0, people, walks), rng.integers(0, friends, (walks, steps)))
        state["params"], state["lost"] = learn(state["params"], features, walk)
        current["value"] = state["params"]
        seen.add(i, state["lost"])
    return giving(step, lambda: state["lost"])


@pairs.pair("readback host-sync")
def scale_of_loss_kept_by_host(variant):
    """Leaves are told apart in half precision, 3.5 ms an update, with a scale of the loss that is doubled after 20 good
    updates and halved after a bad one. The host keeps it and asks after each update if all slopes were finite; mended,
    the program keeps it. 4 to 9 %."""
    seen, leaves = Seen(), jax.random.normal(jax.random.key(22), (8192, 2048), jnp.float16)
    state = {"params": [w.astype(jnp.float32) for w in weights(2048, 8)]}

    def lost(params, leaves, scale):
        x = leaves
        for w in params:
            x = jax.nn.relu(x @ w.astype(jnp.float16))
        value = jnp.square(x.astype(jnp.float32)).mean()
        return value * scale, value

    def learned(params, leaves, scale):
        slopes, value = jax.grad(lost, has_aux=True)(params, leaves, scale)
        fine = jnp.stack([jnp.isfinite(s).all() for s in slopes]).all()
        return [jnp.where(fine, w - 0.1 * s / scale, w) for w, s in zip(params, slopes)], value, fine

    def learned_with_scale(params, leaves, scale, good):
        params, value, fine = learned(params, leaves, scale)
        good = jnp.where(fine, good + 1, 0)
        scale = jnp.where(fine, jnp.where(good == 20, scale * 2, scale), scale / 2)
        return params, value, scale, jnp.where(good == 20, 0, good)

    if variant == "bad":
        learn = jax.jit(learned, donate_argnums=0)
        state.update(scale=np.float32(2 ** 15), good=0)
    else:
        learn = jax.jit(learned_with_scale, donate_argnums=0)
        state.update(scale=jnp.float32(2 ** 15), good=jnp.int32(0))

    def step(i):
        if variant == "bad":
            state["params"], value, fine = learn(state["params"], leaves, state["scale"])
            if bool(fine):
                state["good"] += 1
                if state["good"] == 20:
                    state["scale"], state["good"] = state["scale"] * np.float32(2), 0
            else:
                state["scale"], state["good"] = state["scale"] / np.float32(2), 0
        else:
            state["params"], value, state["scale"], state["good"] = learn(
                state["params"], leaves, state["scale"], state["good"])
        current["value"] = state["params"]
        seen.add(i, value)
    return giving(step, lambda: jnp.square(state["params"][0]).sum() + np.log2(float(state["scale"])))


# ---- nothing to mend

@pairs.healthy()
def healthy_statue_seen_by_rays(variant):
    """A network learns how a statue looks from all sides: 16 Ki rays of 64 points a step, forth and back and Adam in
    one program that gives back its weights. A second program draws a small picture with them, 48 KiB, that is looked at
    two steps later."""
    rays, points, width = 1 << 14, 64, 128
    keys = jax.random.split(jax.random.key(23), 3)
    waves = 3 * jax.random.normal(keys[0], (3, width // 2), jnp.float32)
    params = [w.astype(jnp.float32) for w in weights(width, 5)]
    params.append(0.1 * jax.random.normal(keys[1], (width, 4), jnp.float32))
    state = {"params": params, "first": [0 * w for w in params], "second": [0 * w for w in params]}
    far = jnp.linspace(0.5, 2.5, points)
    before = jnp.triu(jnp.ones((points, points), jnp.float32), 1)

    def drawn(params, origin, way):
        place = origin[:, None, :] + far[None, :, None] * way[:, None, :]
        angle = place @ waves
        x = jnp.concatenate([jnp.sin(angle), jnp.cos(angle)], -1).astype(jnp.bfloat16)
        for w in params[:-1]:
            x = jax.nn.relu(x @ w.astype(jnp.bfloat16))
        made = (x @ params[-1].astype(jnp.bfloat16)).astype(jnp.float32)
        thick = jax.nn.softplus(made[..., 3]) * (2.0 / points)
        weight = jnp.exp(-(thick @ before)) * (1 - jnp.exp(-thick))
        return (weight[..., None] * jax.nn.sigmoid(made[..., :3])).sum(1)

    def rays_of(key, count):
        some = jax.random.normal(key, (2, count, 3), jnp.float32)
        some = some / jnp.linalg.norm(some, axis=-1, keepdims=True)
        return 1.5 * some[0], -some[0] + 0.3 * some[1]

    def learned(params, first, second, key, i):
        origin, way = rays_of(jax.random.fold_in(key, i), rays)
        wanted = 0.5 + 0.4 * jnp.sin(4 * origin + 3 * way)

        def lost(params):
            return jnp.square(drawn(params, origin, way) - wanted).mean()
        slopes = jax.grad(lost)(params)
        first = [0.9 * m + 0.1 * s for m, s in zip(first, slopes)]
        second = [0.99 * v + 0.01 * s * s for v, s in zip(second, slopes)]
        params = [w - 1e-3 * m / (jnp.sqrt(v) + 1e-8) for w, m, v in zip(params, first, second)]
        return params, first, second
    learn = jax.jit(learned, donate_argnums=(0, 1, 2))
    draw = jax.jit(drawn)
    side = jnp.stack(jnp.meshgrid(jnp.linspace(-0.5, 0.5, 64), jnp.linspace(-0.5, 0.5, 64)), -1).reshape(-1, 2)
    view = jnp.zeros((4096, 3)).at[:, 2].set(-1.5), jnp.concatenate([side, jnp.ones((4096, 1))], 1)

    class Pictures(Seen):
        """Pictures are long: only how light each is becomes a line."""

        def add(self, i, values):
            values.copy_to_host_async()
            self.waiting.append(values)
            if len(self.waiting) > 2:
                self.line = f"step {i - 2} {np.asarray(self.waiting.popleft()).mean():.4f}"
    pictures = Pictures()

    def step(i):
        state["params"], state["first"], state["second"] = learn(
            state["params"], state["first"], state["second"], keys[2], np.int32(i))
        picture = draw(state["params"], *view)
        current["value"] = picture
        pictures.add(i, picture)
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
