"""Regret at several horizons or budgets, and the exponent of the rate that fits it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from banditproof.theory.errors import InvalidInput

RESAMPLED, LEVEL = 1000, 0.99


@dataclass(frozen=True)
class RateCurve:
    """Mean regrets at `sizes` [n] with intervals, and the `exponent` x of the power law size^x that fits them.

    `low` and `high` [n] and the `interval` of the exponent come from runs drawn again with replacement, 99 % each.
    """

    sizes: tuple[float, ...]
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    exponent: float
    interval: tuple[float, float]


def rate_curve(regrets_at: Callable[[float], np.ndarray], sizes: Sequence[float], seed: int = 0) -> RateCurve:
    """The mean regret at every size and its exponent: least squares of logarithms.

    `regrets_at(size)` gives the regrets of independent runs; sizes for which it raises InvalidInput, as the algorithm
    is not defined there, are left out. Raises InvalidInput where fewer than two sizes are left or a mean is not
    positive.

    >>> curve = rate_curve(lambda T: np.full(10, 3 * T**0.5), [100, 1000, 10_000])
    >>> round(curve.exponent, 9)
    0.5
    """
    played: dict[float, np.ndarray] = {}
    refused = InvalidInput("sizes", list(sizes), "two or more")
    for size in sizes:
        try:
            played[float(size)] = np.asarray(regrets_at(size), dtype=float)
        except InvalidInput as error:
            refused = error
    if len(played) < 2:
        raise refused
    draw, logs = np.random.default_rng(seed), np.log(list(played))
    means = np.array([runs.mean() for runs in played.values()])
    if (means <= 0).any():
        raise InvalidInput("losses", means.tolist(), "losses with positive mean regret at every size")
    again = np.array(
        [draw.choice(runs, size=(RESAMPLED, runs.size)).mean(axis=1) for runs in played.values()]
    )  # [n, RESAMPLED]
    ends = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = np.quantile(again, ends, axis=1)
    slopes = _slope(logs, np.log(np.maximum(again, np.finfo(float).tiny)))
    interval = np.quantile(slopes, ends)
    return RateCurve(
        tuple(played), means, low, high, float(_slope(logs, np.log(means))), (float(interval[0]), float(interval[1]))
    )


def _slope(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Least-squares slopes of y [n] or [n, m] against x [n]."""
    centred = x - x.mean()
    return centred @ y / (centred @ centred)
