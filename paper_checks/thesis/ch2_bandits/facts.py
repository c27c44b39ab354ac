"""What the sections on finite-armed bandits share: the moment bound, indices and the exact regret of policies."""

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import lcm, prod
from typing import Any

import numpy as np

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


POLICIES: dict[str, Callable[..., NonPrivateIndexPolicy]] = {
    "FTL": lambda arms, horizon, **several: FollowTheLeader(arms, **several),
    "ETC, m = 2": lambda arms, horizon, **several: ExploreThenCommit(arms, 2, **several),
    "ETC, m = 3": lambda arms, horizon, **several: ExploreThenCommit(arms, 3, **several),
    "UCB": lambda arms, horizon, **several: UCB(arms, horizon=horizon, **several),
    "anytime UCB": lambda arms, horizon, **several: AnytimeUCB(arms, **several),
}


class RewardLists:
    """A list of rewards [R, T] for each replication, whichever arm is pulled."""

    def __init__(self, rewards: np.ndarray, arms: int) -> None:
        self.before = np.pad(rewards.cumsum(axis=1), ((0, 0), (1, 0))).astype(float)
        self.arms, self.means = arms, np.full(arms, np.nan)

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: Any, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        rows = np.arange(len(self.before))
        return self.before[rows, time + count] - self.before[rows, time]


@cache
def _played(policy: str, horizon: int, arms: int) -> dict[tuple[int, ...], tuple[int, ...]]:
    """The arms that a policy pulls, by the list of binary rewards that it hears."""
    lists, draw = list(itertools.product((0, 1), repeat=horizon)), np.random.default_rng(0)
    player = POLICIES[policy](arms, horizon, replications=len(lists))
    run = simulate(player, RewardLists(np.array(lists), arms), horizon, draw, np.arange(1, horizon + 1))
    return dict(zip(lists, map(tuple, run.actions.tolist()), strict=True))


def actions(policy: str, rewards: tuple[int, ...], arms: int) -> tuple[int, ...]:
    """The arms that a policy without coin flips pulls when it hears these rewards, of which each is 0 or 1."""
    return _played(policy, len(rewards), arms)[rewards]


def exact_regret(policy: str, means: tuple[Fraction, ...], horizon: int) -> Fraction:
    """Reg_T against Bernoulli arms: a sum over all lists of rewards, each with its probability."""
    whole = lcm(*(getattr(mean, "denominator", 1) for mean in means))  # a ball stays one
    tops, regret = [int(m * whole) if isinstance(m, Fraction) else m * whole for m in means], 0
    for rewards in itertools.product((0, 1), repeat=horizon):
        played = actions(policy, rewards, len(means))
        weight = prod(tops[arm] if reward else whole - tops[arm] for arm, reward in zip(played, rewards, strict=True))
        regret += weight * sum(max(tops) - tops[arm] for arm in played)
    return Fraction(1, whole ** (horizon + 1)) * regret
