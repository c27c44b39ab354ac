"""TTUCB against Bernoulli rewards, run by run in a loop that numba compiles (extra `fast`)."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.identification.sequential import TTUCB
from banditproof.theory.errors import InvalidInput


def has_ttucb_loop(strategy: Any, environment: Any) -> bool:
    """Whether `run_ttucb` can run this: TTUCB itself (a subclass might act differently), coins, and numba."""
    return type(strategy) is TTUCB and type(environment) is BernoulliBandit and find_spec("numba") is not None


def run_ttucb(
    strategy: TTUCB, environment: BernoulliBandit, cap: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The arm named by each run, -1 where it had not stopped after `cap` pulls [R], and the pulls of every arm [R, K].

    Replication r draws after replication r - 1, one uniform number for every reward; `strategy` is fresh and keeps its
    state. What is pulled is what `TTUCB` pulls on the same rewards. Raises InvalidInput for a strategy that has played.
    """
    if strategy.pulls.any():
        raise InvalidInput("strategy", type(strategy).__name__, "a new one, because this one has already played")
    pulls = np.zeros((strategy.replications, strategy.arms), dtype=np.int64)
    named = np.full(strategy.replications, -1)
    fixed = strategy.share == "fixed"
    means = np.array(environment.means)
    _compiled()(means, int(cap), strategy.deviation, strategy.beta, fixed, generator, pulls, named)
    return named, pulls


@cache
def _compiled() -> Any:
    from numba import njit

    return njit(_runs, cache=True)


def _runs(means, cap, deviation, beta, fixed, generator, pulls, named):  # compiled by numba
    arms = means.size
    for r in range(named.size):
        count = pulls[r]
        mean, total, slack, inverse = np.zeros(arms), np.zeros(arms), np.zeros(arms), np.zeros(arms)
        led, aim, own = np.zeros(arms), np.zeros((arms, arms)), np.zeros((arms, arms))
        for n in range(cap):
            arm = n
            if n >= arms:
                level, highest, leader = np.log(n), -np.inf, 0
                for a in range(arms):
                    index = mean[a] + np.sqrt(level / (2 * count[a]))
                    if index > highest:
                        highest, leader = index, a
                cheapest, challenger = np.inf, 0
                for a in range(arms):
                    lead = max(mean[leader] - mean[a], 0.0)
                    cost = 2 * lead**2 / (inverse[leader] + inverse[a])
                    if a != leader and cost < cheapest:
                        cheapest, challenger = cost, a
                slot = leader if fixed else challenger
                if fixed:
                    led[leader] += 1
                    aim[leader, slot] = beta * led[leader]
                else:
                    aim[leader, slot] += count[challenger] / (count[leader] + count[challenger])
                arm = leader if own[leader, slot] <= aim[leader, slot] else challenger
                own[leader, slot] += arm == leader
            total[arm] += generator.random() < means[arm]
            count[arm] += 1
            mean[arm] = total[arm] / count[arm]
            inverse[arm] = 1 / count[arm]
            slack[arm] = np.log(4 + np.log(count[arm]))
            if n + 1 >= arms:
                best, sure = mean.argmax(), True
                for a in range(arms):
                    if a != best:
                        cost = 2 * (mean[best] - mean[a]) ** 2 / (inverse[best] + inverse[a])
                        sure = sure and cost > 2 * deviation + 2 * slack[best] + 2 * slack[a]
                if sure:
                    named[r] = best
                    break
