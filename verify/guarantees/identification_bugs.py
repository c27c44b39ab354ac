"""The whole output of a strategy as actions of a policy, and bugs of strategies that the checks have to find.

A privacy check compares actions. What else leaves a strategy, its stopping time and its recommendation, becomes an
action through `announced`; so every check of policies sees the whole output.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.verify.guarantees.regret_bugs import Between


class Announced(Between):
    """A strategy with K arms as a policy with 2K: action K + a says that it has stopped and names arm a.

    It goes on saying so; what that action brings is not heard. Source: TH-D2.17
    """

    def __init__(self, policy: Any) -> None:
        super().__init__(policy)
        self.strategy: Any = policy
        self.own_arms, self.arms = policy.arms, 2 * policy.arms

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm, count = super().next_batch()
        over = self.strategy.stopped
        named = self.own_arms + np.asarray(self.strategy.recommendation)
        return np.where(over, named, arm), np.where(over, LONGEST_BATCH, count)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        if not self.strategy.stopped.all():
            super().observe(total, count, None if arm is None else arm % self.own_arms)


def announced(make_strategy: Callable[..., Any]) -> Callable[..., Announced]:
    """Builds the strategies of `make_strategy` (noise, generator) as policies whose actions are the whole output."""
    return wraps(make_strategy)(lambda *arguments: Announced(make_strategy(*arguments)))


class _Counted(Between):
    """Keeps the raw sums and pulls of every arm, as no private strategy may use them."""

    def __init__(self, policy: Any) -> None:
        super().__init__(policy)
        self.strategy: Any = policy
        self.raw, self.heard = np.zeros((2, self.replications, self.arms))

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        at = np.arange(self.replications), np.asarray(self.played if arm is None else arm)
        self.raw[at] += total
        self.heard[at] += count
        super().observe(total, count, arm)

    def keep(self, rows: np.ndarray) -> None:
        self.raw, self.heard = self.raw[rows], self.heard[rows]
        super().keep(rows)


class RawRecommendation(_Counted):
    """The arm with the largest raw mean is named."""

    @property
    def recommendation(self) -> np.ndarray:
        return (self.raw / np.maximum(self.heard, 1)).argmax(axis=1)


class RawStopping(_Counted):
    """Does not stop while the raw means are tied."""

    @property
    def stopped(self) -> np.ndarray:
        means = np.sort(self.raw / np.maximum(self.heard, 1), axis=1)
        return self.strategy.stopped & (means[:, -1] > means[:, -2])


class TiesDecided(_Counted):
    """Stops also where the best raw means are equal, with the first of them."""

    @property
    def stopped(self) -> np.ndarray:
        means = np.sort(self.raw / np.maximum(self.heard, 1), axis=1)
        return self.strategy.stopped | (self.heard > 0).all(axis=1) & (means[:, -1] == means[:, -2])

    @property
    def recommendation(self) -> np.ndarray:
        return np.where(self.strategy.stopped, self.strategy.recommendation, self.raw.argmax(axis=1))


def threshold_halved(strategy: DPSE) -> DPSE:
    """An arm is dropped at half the distance from the best one: means enter nothing else of an elimination."""
    eliminate = strategy._eliminate

    def hasty(over: np.ndarray) -> None:
        strategy.means = 2 * strategy.means
        eliminate(over)
        strategy.means = strategy.means / 2

    strategy._eliminate = hasty
    return strategy


def stale_counts(strategy: DPSE) -> DPSE:
    """The radius is that of four times as many rewards as are behind the means, as if older ones were not forgotten."""
    eliminate, pulls = strategy._eliminate, strategy._pulls

    def stale(over: np.ndarray) -> None:
        strategy._pulls = lambda: 4 * pulls()
        eliminate(over)
        strategy._pulls = pulls

    strategy._eliminate = stale
    return strategy


LEAKS: dict[str, Callable[[Any], Any]] = {
    "privacy noise missing from the recommendation": RawRecommendation,
    "privacy noise missing from the stopping rule": RawStopping,
}
ERRORS: dict[str, Callable[[Any], Any]] = {
    "threshold halved": threshold_halved,
    "stale counts in the stopping rule": stale_counts,
    "ties decided": TiesDecided,
}
