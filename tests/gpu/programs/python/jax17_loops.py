#!/usr/bin/env python3
"""A seventeenth set of loops in JAX; see torch16_loops.py. Written without reading the analysis."""
import collections
import sys

from jax_loops import current, jax, jaxtrace, jnp, np, sync, weights  # first: it says how much memory JAX takes

import loop_runner
from loop_runner import giving

pairs = loop_runner.Pairs("jax17")


class Seen:
    """Values of a step, looked at two steps later."""

    def __init__(self):
        self.waiting, self.line = collections.deque(), ""

    def add(self, i, values):
        values.copy_to_host_async()
        self.waiting.append(values)
        if len(self.waiting) > 2:
            known = np.asarray(self.waiting.popleft()).ravel()
            self.line = f"step {i - 2} " + " ".join(f"{value:.4f}" for value in known)


@pairs.pair("readback host-sync")
def goods_moved_until_settled(variant):
    """How goods go from 4096 places to 4096 others at least cost, for two kinds of them (Sinkhorn): sweeps of 0.09 ms.
    A while loop in the program asks after each sweep if it has settled. It never has before the 60 sweeps that it may
    take, but the runtime brings the answer to the host each time; mended, 60 sweeps without asking. 12 to 28 %."""
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


class Games:
    """A group of 512 games. A network looks at 16 tries for each, about 3 ms; the host then counts and chooses in
    Python, about 1.2 ms."""

    def __init__(self, play, params, tries, number):
        self.play, self.params, self.tries = play, params, tries
        self.boards = jax.random.normal(jax.random.key(number), (512, 2048), jnp.bfloat16)
        self.moves, self.score = np.full(512, number, np.int32), 0
        self.visits = [{} for _ in range(512)]

    def ask(self):
        self.boards, self.best = self.play(self.params, self.boards, self.tries, self.moves)
        current["value"] = self.boards

    def decide(self):
        moves = []
        for visits, best in zip(self.visits, np.asarray(self.best).tolist()):
            chosen, most = best, -1.0
            for move in (best, (best + 1) % 16, (best + 5) % 16):
                worth = 1.0 / (1 + visits.get(move, 0)) + (0.2 if move == best else 0.0)
                if worth > most:
                    chosen, most = move, worth
            visits[chosen] = visits.get(chosen, 0) + 1
            self.score += chosen + 1
            moves.append(chosen)
        self.moves = np.array(moves, np.int32)


@pairs.pair("python host-late readback host-sync", "python host-late", allowed=("readback", "host-sync"))
def games_played_in_turn(variant):
    """Two groups of games play against themselves. For each the host asks the network, waits and chooses the moves in
    Python, while the device has nothing to do; mended, it does so while the network looks at the other group, for
    which it was asked before. 20 to 40 %."""
    def tried(params, boards, tries, moves):
        boards = (0.9 * boards + 0.3 * tries[moves]).astype(jnp.bfloat16)
        x = (boards[:, None, :] + tries[None]).reshape(-1, 2048)
        for w in params:
            x = x + 0.2 * jax.nn.relu(x @ w)
        return boards, x.astype(jnp.float32).mean(-1).reshape(512, 16).argmax(1).astype(jnp.int32)
    play, params = jax.jit(tried, donate_argnums=1), weights(2048, 20)
    tries = jax.random.normal(jax.random.key(18), (16, 2048), jnp.bfloat16)
    groups = [Games(play, params, tries, number) for number in range(2)]
    if variant == "mended":
        for group in groups:
            group.ask()

    def step(i):
        for group in groups:
            if variant == "bad":
                group.ask()
                group.decide()
            else:
                group.decide()
                group.ask()
    return giving(step, lambda: groups[0].score + groups[1].score)


@pairs.pair("readback host-sync")
def nans_still_looked_for(variant):
    """The form of a wing is made better by 2048 random changes a step, judged by a network, about 4 ms. The check for
    NaN that once helped to find an error is still on: JAX brings the 32 KiB of the form and its worth to the host after
    each step; mended, it is off. The worth is looked at two steps later anyway. 4 to 9 %."""
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


# ---- nothing to mend

@pairs.healthy()
def healthy_roads_learned(variant):
    """A graph network learns how full the roads of a country will be: 64 Ki crossings, 512 Ki roads, three rounds of
    messages, forth and back in one program that gives back its weights. A second program keeps their mean. The errors
    of two steps ago are looked at."""
    crossings, roads, width, seen = 1 << 16, 1 << 19, 256, Seen()
    keys = jax.random.split(jax.random.key(20), 3)
    begin = jax.random.randint(keys[0], (roads,), 0, crossings)
    end = jnp.sort(jax.random.randint(keys[1], (roads,), 0, crossings))
    cars = jax.random.normal(keys[2], (crossings, width), jnp.float32)
    start = [w.astype(jnp.float32) for w in weights(width, 6)]
    state = {"params": start, "mean": [w + 0 for w in start]}

    def lost(params, cars, begin, end):
        x = cars
        for own, other in zip(params[0::2], params[1::2]):
            told = jax.ops.segment_sum(x[begin], end, crossings, indices_are_sorted=True) / 8
            x = x + 0.3 * jnp.tanh(x @ own + told @ other)
        wrong = jnp.square(x - jnp.roll(cars, 1, 0)).mean(1)
        return wrong.mean(), jnp.stack([wrong.mean(), wrong.max()])

    def learned(params, cars, begin, end):
        slopes, errors = jax.grad(lost, has_aux=True)(params, cars, begin, end)
        return [w - 1e-2 * s for w, s in zip(params, slopes)], errors
    learn = jax.jit(learned, donate_argnums=0)

    def kept(mean, params):
        return [0.999 * m + 0.001 * w for m, w in zip(mean, params)]
    keep = jax.jit(kept, donate_argnums=0)

    def step(i):
        state["params"], errors = learn(state["params"], cars, begin, end)
        state["mean"] = keep(state["mean"], state["params"])
        current["value"] = state["mean"]
        seen.add(i, errors)
    return step


if __name__ == "__main__":
    sys.exit(loop_runner.main(pairs, loop_runner.Device(sync), {"jaxtrace": jaxtrace}))
