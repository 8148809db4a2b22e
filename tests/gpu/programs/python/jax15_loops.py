#!/usr/bin/env python3
"""A fifteenth set of loops in JAX; see torch15_loops.py. Written without reading the analysis."""
import sys
import time

from jax_loops import current, jax, jaxtrace, jnp, np, sync, weights  # first: it says how much memory JAX takes

import loop_runner
from loop_runner import giving

pairs = loop_runner.Pairs("jax15")


def size_of(x):
    return jnp.abs(x.astype(jnp.float32)).mean()


def passed(params, x):
    for w in params:
        x = x + 0.1 * jax.nn.gelu(x @ w)
    return x


def changed(params, slopes):
    return [w - 1e-5 * s for w, s in zip(params, slopes)]


def flights(count, width):
    """What a glider saw, what it did, what it gained, how likely that was, what it was worth, and when that was."""
    keys = jax.random.split(jax.random.PRNGKey(15), 6)
    return (jax.random.normal(keys[0], (count, width), jnp.bfloat16), jax.random.normal(keys[1], (count, 16)),
            *[jax.random.uniform(key, (count,)) for key in keys[2:]])


def flight_loss(params, part):
    """What is lost by what it does and by how much it is wrong on what that is worth; and the second one alone."""
    saw, did, gained, likely, worth, when = part
    out = passed(params, saw).astype(jnp.float32)
    now = -0.01 * jnp.square(out[:, :16] - did).mean(1)
    ratio, gain = jnp.exp(now + 0.01 * likely), (gained - worth) * (1 - 0.1 * when)
    wrong = jnp.square(out[:, 16] - worth).mean()
    return wrong - jnp.minimum(ratio * gain, jnp.clip(ratio, 0.8, 1.2) * gain).mean(), wrong


def learned(params, part):
    (_, wrong), slopes = jax.value_and_grad(flight_loss, has_aux=True)(params, part)
    return changed(params, slopes), wrong


@pairs.pair("launch-bound python host-late", allowed=("launch-bound",))
def flights_cut_outside_program(variant):
    """How to fly a glider is learned from 24576 moments in eight parts, 0.3 ms each. The six arrays about them are cut
    between the programs, 48 operations of 40 to 100 us of the host; mended, one program goes through the parts and cuts
    them itself. 20 to 60 %."""
    rows, all_parts = 3072, flights(8 * 3072, 1024)
    state = {"params": weights(1024, 6), "wrong": jnp.zeros(())}
    of_part = jax.jit(learned, donate_argnums=0)

    def eight_parts(params, arrays):
        def one(n, now):
            part = tuple(jax.lax.dynamic_slice_in_dim(array, n * rows, rows) for array in arrays)
            return learned(now[0], part)
        return jax.lax.fori_loop(0, 8, one, (params, jnp.float32(0)))
    of_all = jax.jit(eight_parts, donate_argnums=0)

    def step(i):
        if variant == "bad":
            for first in range(0, 8 * rows, rows):
                part = tuple(array[first:first + rows] for array in all_parts)
                state["params"], state["wrong"] = of_part(state["params"], part)
        else:
            state["params"], state["wrong"] = of_all(state["params"], all_parts)
        current["value"] = state["wrong"]
    return giving(step, lambda: state["wrong"])


class Painters:
    """One network makes patterns of cloth, and another one, which learns four times as often, tells them from those
    that were woven."""

    def __init__(self, rows, width):
        self.maker, self.judge, self.key = weights(width, 4), weights(width, 4), jax.random.PRNGKey(16)
        self.maker = [0.5 * w for w in self.maker]
        self.woven = jax.random.normal(jax.random.PRNGKey(17), (rows, width), jnp.bfloat16)
        self.judge_learns = jax.jit(self.judged, donate_argnums=0)
        self.maker_learns = jax.jit(self.made, donate_argnums=0)

    @staticmethod
    def score(judge, cloth):
        return jax.nn.sigmoid(passed(judge, cloth).astype(jnp.float32).mean(1))

    @staticmethod
    def judged(judge, maker, woven, key):
        key, one = jax.random.split(key)
        cloth = passed(maker, jax.random.normal(one, woven.shape, jnp.bfloat16))

        def lost(judge):
            return (jnp.square(1 - Painters.score(judge, woven)) + jnp.square(Painters.score(judge, cloth))).mean()
        value, slopes = jax.value_and_grad(lost)(judge)
        return changed(judge, slopes), key, value

    @staticmethod
    def made(maker, judge, woven, key):
        key, one = jax.random.split(key)
        begin = jax.random.normal(one, woven.shape, jnp.bfloat16)

        def lost(maker):
            return jnp.square(1 - Painters.score(judge, passed(maker, begin))).mean()
        value, slopes = jax.value_and_grad(lost)(maker)
        return changed(maker, slopes), key, value

    def updates(self):
        """Five updates, each begun when it is asked for; gives what is lost in each one."""
        for _ in range(4):
            self.judge, self.key, value = self.judge_learns(self.judge, self.maker, self.woven, self.key)
            yield value
        self.maker, self.key, value = self.maker_learns(self.maker, self.judge, self.woven, self.key)
        yield value


@pairs.pair("host-sync", allowed=("launch-bound",))
def updates_timed_one_by_one(variant):
    """Two networks learn against each other, five updates of 1 to 1.6 ms a step. How long each one took is noted, and so
    the host waits for it before it begins the next one; mended, it notes how long a step took, when the next one is
    begun. 3 to 10 %."""
    painters, waiting, took, state = Painters(12288, 1024), [], [0.0] * 64, {"since": time.perf_counter()}

    def note(number, value):
        value.block_until_ready()
        now = time.perf_counter()
        took[number % len(took)], state["since"] = now - state["since"], now

    def step(i):
        for n, value in enumerate(painters.updates()):
            if variant == "bad":
                note(5 * i + n, value)
        state["lost"] = current["value"] = value
        if variant == "mended":
            waiting.append(value)
            if len(waiting) > 1:
                note(i, waiting.pop(0))
    return giving(step, lambda: state["lost"])


@pairs.healthy()
def healthy_rivers_forecast(variant):
    """How rivers rise is learned moment by moment, 12 of them, a loop on the device; then a mean of the weights, which
    follows them, forecasts other rivers. How much it rained is 256 numbers of the host, given as they are. What
    both lost two steps ago is looked at, and the forecast of the step before is waited for."""
    params = weights(1024, 3)
    state, waiting, log = {"now": (params, [w + 0 for w in params])}, [], {}
    keys = jax.random.split(jax.random.PRNGKey(18), 2)
    rivers, others = [jax.random.normal(key, (6144, 1024), jnp.bfloat16) for key in keys]
    rained = [np.random.default_rng(n).random(256, dtype=np.float32) for n in range(4)]

    def risen(params, x, rain):
        wet = jnp.tile(rain, 4).astype(x.dtype)

        def moment(x, _):
            x = 0.9 * passed(params, x) + 0.1 * wet
            return x, jnp.square(x.astype(jnp.float32)).mean()
        return jax.lax.scan(moment, x, None, length=12)[1].mean()

    def learn(now, x, rain):
        lost, slopes = jax.value_and_grad(risen)(now[0], x, rain)
        params = changed(now[0], slopes)
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


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
