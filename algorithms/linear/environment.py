"""Linear bandits with a fixed finite set of actions: the mean of an action is its inner product with a parameter."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.algorithms.environment import GaussianBandit
from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput

UNIT = 1 + 1e-9  # what is 1 has at most this size after rounding


class LinearBandit(GaussianBandit):
    """Rewards <theta, a> + N(0, deviation^2) of the rows of `actions` [K, d]; `theta` [d].

    A batch names a row and a count, and its sum is one draw. Such rewards have no bound, so no privacy is promised on
    them. Raises InvalidInput. Source: ZCDP-EQ3, ALG-EQ5.5
    """

    @checked
    def __init__(self, actions: Any, theta: Any, deviation: float = 1.0) -> None:
        self.actions = checked_actions(actions)
        self.theta = _checked_parameter(theta, self.actions.shape[1])
        super().__init__(self.actions @ self.theta, deviation)


class SignBandit:
    """Rewards in {-1, 1} with means <theta, a>, as the privacy theorems assume; `actions` [K, d], `theta` [d].

    The sum of a batch is one binomial draw. Raises InvalidInput where a mean is outside [-1, 1]. Source: ZCDP-AS1
    """

    @checked
    def __init__(self, actions: Any, theta: Any) -> None:
        self.actions = checked_actions(actions)
        self.theta = _checked_parameter(theta, self.actions.shape[1])
        self.means = self.actions @ self.theta
        if np.abs(self.means).max() > UNIT:
            worst = int(np.abs(self.means).argmax())
            raise InvalidInput("theta", f"mean {self.means[worst]:g} of action {worst}", "means in [-1, 1]")
        self.means = np.clip(self.means, -1, 1)
        self.arms = self.means.size

    def reward(self, arm: int, generator: np.random.Generator, *, time: int = 0) -> float:
        return 1.0 if generator.random() < (1 + self.means[arm]) / 2 else -1.0

    def sum_of_rewards(
        self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time: np.ndarray | int = 0
    ) -> np.ndarray:
        return 2.0 * generator.binomial(count, (1 + self.means[arm]) / 2) - count


def checked_actions(actions: Any) -> np.ndarray:
    """The actions as floats [K, d], read-only. Raises InvalidInput unless they are a finite table."""
    try:
        rows = np.array(actions, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput("actions", type(actions).__name__, "a table of numbers with a row per action") from None
    if rows.ndim != 2 or 0 in rows.shape or not np.isfinite(rows).all():
        raise InvalidInput("actions", f"an array of shape {rows.shape}", "finite numbers [K, d], K and d at least 1")
    rows.setflags(write=False)
    return rows


def _checked_parameter(theta: Any, dimension: int) -> np.ndarray:
    parameter = np.array(theta, dtype=float)
    if parameter.shape != (dimension,) or not np.isfinite(parameter).all():
        raise InvalidInput("theta", theta, f"{dimension} finite numbers, one per coordinate of the actions")
    return parameter
