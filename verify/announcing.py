"""Policies around other ones: one that passes everything on, and the whole output of a strategy as its actions.

A privacy check compares actions. What else leaves a strategy, its stopping time and its recommendation, becomes an
action through `announced`; so every check of policies sees the whole output.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import numpy as np

from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.policy import Policy
from banditproof.theory.arguments import checked

Given = ParamSpec("Given")


class Between(Policy):
    """Passes everything on to `policy`; a bug changes what it hears or what it plays. This one is none."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy.arms, policy.replications)
        self.policy, self.batches_played = policy, 0

    def __getattr__(self, name: str) -> Any:
        if name == "policy":  # not there yet, while a copy is being made
            raise AttributeError(name)
        return getattr(self.policy, name)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm, count = self.policy.next_batch()
        self.batches_played += 1
        self.played = self.instead(np.array(arm))
        return self.played, count

    def instead(self, arm: np.ndarray) -> np.ndarray:
        """The arms [R] that are played instead of the recommended ones."""
        return arm

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        self.policy.observe(total, count, arm)

    def keep(self, rows: np.ndarray) -> None:
        self.policy.keep(rows)
        super().keep(rows)


class Announced(Between):
    """A strategy with K arms as a policy with 2K: action K + a says that it has stopped and names arm a.

    It goes on saying so; what that action brings is not heard. `end_announced` tells whether any replication has.
    Source: TH-D2.17
    """

    def __init__(self, policy: Any) -> None:
        super().__init__(policy)
        self.strategy: Any = policy
        self.own_arms, self.arms = policy.arms, 2 * policy.arms
        self.end_announced = False

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        over = np.asarray(self.strategy.stopped)
        arm, count = (over.astype(int),) * 2 if over.all() else super().next_batch()
        over = np.asarray(self.strategy.stopped)
        self.end_announced |= bool(over.any())
        named = self.own_arms + np.asarray(self.strategy.recommendation)
        return np.where(over, named, arm), np.where(over, LONGEST_BATCH, count)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        if not self.strategy.stopped.all():
            super().observe(total, count, None if arm is None else arm % self.own_arms)


@checked
def announced(make_strategy: Callable[Given, Any]) -> Callable[Given, Announced]:
    """Builds the strategies of `make_strategy` (noise, generator) as policies whose actions are the whole output."""

    @wraps(make_strategy)
    def make(*arguments: Given.args, **options: Given.kwargs) -> Announced:
        return Announced(make_strategy(*arguments, **options))

    return make
