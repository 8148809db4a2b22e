"""JAX programs in which the host waits for results, whether the program says so or the runtime does it."""
import collections

import jax
import jax.numpy as jnp
import numpy as np

from jax_framework import current
from jax_networks import Seen, residual, scaled_residual, size_of, weights
from loop_runner import Pairs, giving

pairs = Pairs("jax")


@pairs.pair("readback host-sync host-late python", allowed=("launch-bound",),
            further="launch-bound python host-late readback host-sync")
def end_asked_for_each_word(variant):
    """16 words of 4096 texts a step, a call for each word, which also says if all texts have ended. The host reads that
    before it asks for the next word. Mended: it reads it while the next word is made. 8 to 28 %. Further: all words are
    one program, and it reads that a step later."""
    params, begin = weights(2048, 6), jax.random.normal(jax.random.key(12), (4096, 2048), jnp.bfloat16)
    state, waiting = {"x": begin}, []

    def next_word(params, x):
        x = scaled_residual(params, x)
        return x, jnp.all(x.argmax(1) == 0)
    run = jax.jit(next_word)
    words = jax.jit(lambda params, x: jax.lax.scan(lambda now, _: next_word(params, now), x, None, length=16))

    def at_once(i):
        current["value"] = state["x"], ended = words(params, begin)
        ended.copy_to_host_async()
        waiting.append(ended)
        state["ended"] = len(waiting) > 1 and bool(np.asarray(waiting.pop(0)).any())

    def step(i):
        x = begin
        for _ in range(16):
            x, ended = run(params, x)
            ended.copy_to_host_async()
            waiting.append(ended)
            if (variant == "bad" or len(waiting) > 1) and bool(waiting.pop(0)):
                break
        current["value"] = state["x"] = x
    return giving(at_once if variant == "further" else step, lambda: size_of(state["x"]))


@pairs.pair("readback host-sync python host-late", allowed=("launch-bound",), further="launch-bound python host-late")
def better_ones_taken_by_mask(variant):
    """A search with 16384 candidates, four generations a step. The better one of each two is taken by a mask outside of
    jit, so the host reads the mask to know how many there are. Mended: a program chooses one of two. 15 to 50 %.
    Further: all generations are one program."""
    params, state = weights(2048, 6), {}
    state["x"] = jax.random.normal(jax.random.PRNGKey(16), (16384, 2048), jnp.bfloat16)
    state["key"] = jax.random.PRNGKey(17)

    @jax.jit
    def judged(params, x):
        worth = residual(params, x).astype(jnp.float32).mean(1)
        first = worth[0::2] > worth[1::2]
        return first, jnp.stack([first, ~first], 1).ravel()

    @jax.jit
    def chosen(first, x):
        return jnp.where(first[:, None], x[0::2], x[1::2])

    @jax.jit
    def next_ones(better, key):
        key, one = jax.random.split(key)
        change = jax.random.normal(one, better.shape, jnp.float32).astype(better.dtype)
        children = 0.5 * (better + jnp.roll(better, 1, 0)) + 0.5 * change
        return jnp.stack([better, children], 1).reshape(-1, better.shape[1]), key

    def generation(params, x, key):
        first, mask = judged(params, x)
        return next_ones(x[mask] if variant == "bad" else chosen(first, x), key)

    @jax.jit
    def four(params, x, key):
        return jax.lax.fori_loop(0, 4, lambda _, now: generation(params, *now), (x, key))

    def step(i):
        if variant == "further":
            state["x"], state["key"] = four(params, state["x"], state["key"])
        for _ in range(0 if variant == "further" else 4):
            state["x"], state["key"] = generation(params, state["x"], state["key"])
        current["value"] = state["x"]
    return giving(step, lambda: size_of(state["x"]))


@pairs.pair("readback host-sync")
def goods_moved_until_settled(variant):
    """Transport of goods at least cost (Sinkhorn), 60 sweeps of 0.09 ms. A while_loop in the program asks after each
    sweep if it has settled; it never has, but the runtime brings the answer to the host each time. Mended: a fori_loop
    of 60 sweeps. 12 to 28 %."""
    sweeps, places, seen = 60, 4096, Seen()
    first, second = jnp.sort(jax.random.uniform(jax.random.key(17), (2, 2, places)), axis=-1)
    state = {}

    def sweep(near, out, into):
        before = out
        out = 1 / (places * jnp.einsum("bij,bj->bi", near, into))
        into = 1 / (places * jnp.einsum("bij,bi->bj", near, out))
        return out, into, jnp.abs(out / before - 1).max()

    def moved(first, second, i):
        first = (first + 0.01 * i) % 1
        near = jnp.exp(-jnp.square(first[:, :, None] - second[:, None, :]) / 1e-3)
        begin = (jnp.ones((2, places)), jnp.ones((2, places)), jnp.float32(1))
        if variant == "bad":
            def goes_on(now):
                return (now[0] < sweeps) & (now[3] > 1e-9)
            _, out, into, change = jax.lax.while_loop(
                goes_on, lambda now: (now[0] + 1, *sweep(near, now[1], now[2])), (0, *begin))
        else:
            out, into, change = jax.lax.fori_loop(0, sweeps, lambda n, now: sweep(near, now[0], now[1]), begin)
        return jnp.stack([jnp.log(out).std(), jnp.log(into).std(), change])
    run = jax.jit(moved)

    def step(i):
        state["known"] = run(first, second, np.float32(i % 50))
        current["value"] = state["known"]
        seen.add(i, state["known"])
    return giving(step, lambda: 1 + state["known"][:2].sum())


@pairs.pair("readback host-sync")
def nans_still_looked_for(variant):
    """The form of a wing is improved by 2048 random changes a step, about 4 ms. jax.debug_nans is still on, so JAX
    brings the 32 KiB of results to the host after each step. Mended: it is off. 4 to 9 %."""
    judge, seen, key = weights(8192, 8), Seen(), jax.random.key(19)
    state = {"form": jnp.zeros(8192, jnp.float32)}

    def better(judge, form, key, i):
        changes = jax.random.normal(jax.random.fold_in(key, i), (2048, 8192), jnp.bfloat16)
        x = form.astype(jnp.bfloat16) + 0.1 * changes
        for w in judge:
            x = jnp.tanh(x @ w) + 0.1 * x
        worth = x.astype(jnp.float32).mean(1)
        share = jax.nn.softmax((worth - worth.mean()) / (worth.std() + 1e-6))
        return 0.99 * form + 0.1 * (share.astype(jnp.bfloat16) @ changes).astype(jnp.float32), worth.mean()
    run = jax.jit(better)

    def step(i):
        with jax.debug_nans(variant == "bad"):
            state["form"], worth = run(judge, state["form"], key, np.int32(i))
        current["value"] = state["form"]
        seen.add(i, worth)
    return giving(step, lambda: jnp.square(state["form"]).sum())


@pairs.pair("host-sync host-late")
def stages_waited_for_one_by_one(variant):
    """Four stages of a network are four calls. The host waits by block_until_ready for each result before it calls the
    next stage. Mended: it does not wait. 15 to 35 %."""
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


@pairs.pair("callback readback host-sync host-late python pageable")
def layers_tell_host(variant):
    """A program tells a host function the mean of its values after each second layer, by jax.debug.callback. Mended: it
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


# ---- nothing to mend

@pairs.healthy()
def healthy_sampler(variant):
    """Six steps of a denoiser are one program, which draws its own noise. The size of the result of two steps ago is
    looked at."""
    params, seen, state = weights(2048, 4), Seen(), {"key": jax.random.key(14)}
    begin = jax.random.normal(jax.random.key(15), (8192, 2048), jnp.bfloat16)

    def sampled(params, key):
        def move(n, now):
            x, key = now
            key, one = jax.random.split(key)
            return 0.9 * x - 0.01 * residual(params, x) + 0.01 * jax.random.normal(one, x.shape, x.dtype), key
        x, key = jax.lax.fori_loop(0, 6, move, (begin, key))
        return size_of(x), key
    run = jax.jit(sampled)

    def step(i):
        current["value"], state["key"] = run(params, state["key"])
        seen.add(i, current["value"])
    return giving(step, lambda: current["value"])
