"""What the sections on finite-armed bandits share: the moment bound, indices and the exact regret of policies."""

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from banditproof.algorithms.environment import RewardList
from banditproof.algorithms.finite.index import (
    UCB,
    AnytimeUCB,
    ExploreThenCommit,
    FollowTheLeader,
    NonPrivateIndexPolicy,
)
from banditproof.algorithms.run.simulator import simulate
from banditproof.claims.language import *
from banditproof.theory import log1p


def log_f(t: Any) -> Any:
    """log(1 + t log^2 t), a ball."""
    t = to_ball(t)
    return log1p(t * log(t) ** 2)


def computed(policy: Any, wins: int, pulls: int) -> Any:
    """What a policy of one arm computes, in floats, as a ball."""
    return to_ball(float(policy.score(np.array([[wins / pulls]]), np.array([[pulls]]))[0, 0]))


@quantity
def computed_ucb(wins: int, pulls: int, inverse_delta: int) -> Any:
    """The index that UCB computes, in floats."""
    return computed(UCB(1, delta=1 / inverse_delta), wins, pulls)


@quantity
def computed_anytime_ucb(wins: int, pulls: int, t: int) -> Any:
    """The index that anytime UCB computes before pull t, in floats."""
    policy = AnytimeUCB(1)
    policy.clock = np.array([t - 1])
    return computed(policy, wins, pulls)


def index_agrees(index: Any, wins: Any, pulls: Any, level: Any) -> Sides:
    """A computed index against mean + sqrt(level / pulls); a few roundings apart."""
    printed = ratio(wins, pulls) + sqrt(level / pulls)
    return absolute(index - printed), "<=", (1 + printed) / 2**48


def anytime_agrees(wins: Any, pulls: Any, t: Any, factor: Any, shift: Any) -> Sides:
    """The index of anytime UCB before pull t against the one with factor log f(t + shift)."""
    return index_agrees(computed_anytime_ucb(wins, pulls, t), wins, pulls, factor * log_f(t + shift))


POLICIES: dict[str, Callable[[int, int], NonPrivateIndexPolicy]] = {
    "FTL": lambda arms, horizon: FollowTheLeader(arms),
    "ETC, m = 2": lambda arms, horizon: ExploreThenCommit(arms, 2),
    "ETC, m = 3": lambda arms, horizon: ExploreThenCommit(arms, 3),
    "UCB": lambda arms, horizon: UCB(arms, horizon=horizon),
    "anytime UCB": lambda arms, horizon: AnytimeUCB(arms),
}


@cache
def actions(policy: str, rewards: tuple[int, ...], arms: int) -> tuple[int, ...]:
    """The arms that a policy without coin flips pulls when it hears these rewards."""
    horizon, draw = len(rewards), np.random.default_rng(0)
    times = np.arange(1, horizon + 1)
    run = simulate(POLICIES[policy](arms, horizon), RewardList(rewards, arms), horizon, draw, times)
    return tuple(run.actions[0].tolist())


def exact_regret(policy: str, means: tuple[Fraction, ...], horizon: int) -> Fraction:
    """Reg_T against Bernoulli arms: a sum over all lists of rewards, each with its probability."""
    best, regret = max(means), Fraction(0)
    for rewards in itertools.product((0, 1), repeat=horizon):
        played = actions(policy, rewards, len(means))
        weight = Fraction(1)
        for arm, reward in zip(played, rewards, strict=True):
            weight *= means[arm] if reward else 1 - means[arm]
        regret += weight * sum(best - means[arm] for arm in played)
    return regret
