"""What two Bernoulli arms pay in d_epsilon for a tie, and the threshold at which private means decide between them.

S is the sum of n rewards in [0, 1] with mean mu and one Laplace(1/epsilon). As P[Laplace >= u] <= e^(-lam u^+) for lam
in [0, epsilon], and E e^(lam reward) <= 1 - mu + mu e^lam,

    P[S >= n x] <= inf over lam in [0, epsilon] of e^(-lam n x) (1 - mu + mu e^lam)^n = e^(-n d_epsilon(x, mu))

for x >= mu, without a constant. So the cost of one mean is at most an exponential variable, whatever n, and that of two
independent means reaches c with probability at most (1 + c) e^-c.

Source: BDP-DF1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.best_arm.thresholds import lambert_minus, phase
from banditproof.theory.laws.bernoulli import d_epsilon, d_epsilon_dy
from banditproof.theory.numbers.numeric import log
from banditproof.theory.numbers.term import quantity

Array = np.ndarray
_NODES = 1 / (1 + np.exp(-np.linspace(-14, 14, 57)))  # shares of the way from the best arm
_CLOSEST, _HALVINGS = 1e-3, 40


def tie_cost(high: Array, low: Array, count: Array, other: Array, epsilon: Array) -> Array:
    """min over m in [low, high] of count d_epsilon(high, m) + other d_epsilon(low, m), for low <= high; else 0.

    Means in [0, 1], counts and budgets are positive floats that broadcast. With T_+-(m) the mean whose log odds are
    those of m and +-epsilon, the minimiser solves count (m - min(high, T_+(m))) + other (m - max(low, T_-(m))) = 0: it
    is one of four numbers, as each of the two may be either.

    >>> round(float(tie_cost(0.6, 0.4, 100.0, 100.0, 0.3)), 5)
    3.75839
    """
    kept, gone = np.exp(-epsilon), -np.expm1(-epsilon)
    both = (count - other * kept) / ((count + other) * gone)
    ties = (
        (count * high + other * low) / (count + other),
        _where_one_moves(low, count, other, kept, gone),
        1 - _where_one_moves(1 - high, other, count, kept, gone),
        both,
    )
    costs = (_paid(np.clip(m, low, np.maximum(low, high)), high, low, count, other, epsilon) for m in ties)
    return np.where(high > low, np.minimum.reduce(list(costs)), 0.0)


def _where_one_moves(low: Array, count: Array, other: Array, kept: Array, gone: Array) -> Array:
    """The root m of count (m - T_+(m)) + other (m - low) = 0, a quadratic equation with one positive root."""
    square, constant = (count + other) * gone, other * low * kept
    middle = other * (kept - low * gone) - count * gone
    root = np.sqrt(middle**2 + 4 * square * constant)
    return np.where(middle > 0, 2 * constant / (np.abs(middle) + root), (root - middle) / (2 * square))


def _paid(m: Array, high: Array, low: Array, count: Array, other: Array, epsilon: Array) -> Array:
    return count * d_epsilon(high, m, epsilon) + other * d_epsilon(low, m, epsilon)


def tie_allocation(means: Array, epsilon: Array) -> Array:
    """Proportions [R, K] of the best-arm game of d_epsilon at Bernoulli `means` [R, K] in [0, 1], `epsilon` [R, 1].

    Where the best arm and a tie at m, a has x_a = -d'(best, m) / d'(a, m) times the weight of the best arm, and at the
    optimum all pairs pay the same while the d(best, m_a) / d(a, m_a) add up to 1. Both are read off a table over m, so
    proportions are good for tracking: what they earn is within a percent of the best, near means of 0 or 1 within six.
    Arms closer than 1/1000 count as that.
    """
    rows, best = np.arange(len(means)), means.argmax(axis=1)
    high = np.maximum(means.max(axis=1, keepdims=True), _CLOSEST)
    low = np.minimum(means, high - _CLOSEST)[..., np.newaxis]
    levels, shares, ratios = _table(high[..., np.newaxis], low, epsilon[..., np.newaxis])
    ratios[rows, best] = shares[rows, best] = 0.0
    levels[rows, best] = levels.max()
    below, above = np.zeros(len(means)), levels.max(axis=2).min(axis=1)
    for _ in range(_HALVINGS):
        level = (below + above) / 2
        few = _read(levels, ratios, level).sum(axis=1) < 1
        below, above = np.where(few, level, below), np.where(few, above, level)
    weights = _read(levels, shares, above)
    weights[rows, best] = 1.0
    return weights / weights.sum(axis=1, keepdims=True)


def _table(high: Array, low: Array, epsilon: Array) -> tuple[Array, Array, Array]:
    """For common means m between: what a pair pays with weight 1 on the best arm, x_a, and the ratio that adds up."""
    m = high + (low - high) * _NODES
    of_best, of_arm = d_epsilon(high, m, epsilon), d_epsilon(low, m, epsilon)
    shares = -d_epsilon_dy(high, m, epsilon) / d_epsilon_dy(low, m, epsilon)
    return of_best + shares * of_arm, shares, of_best / of_arm


def _read(levels: Array, values: Array, level: Array) -> Array:
    """The values where the increasing `levels` [R, K, nodes] pass `level` [R], between nodes by a line."""
    at = (levels < level[:, np.newaxis, np.newaxis]).sum(axis=2, keepdims=True).clip(1, len(_NODES) - 1)
    ends = [np.take_along_axis(table, k, axis=2)[..., 0] for table in (levels, values) for k in (at - 1, at)]
    way = np.clip((level[:, np.newaxis] - ends[0]) / np.maximum(ends[1] - ends[0], 1e-300), 0, 1)
    return ends[2] + way * (ends[3] - ends[2])


@quantity
def tie_threshold(share: Any, delta: Any, arms: int) -> Any:
    """The c with (1 + c) e^-c = delta share / (K - 1).

    Where m lies between the true means of a worse arm, which leads, and of the best one, both pay at most what their
    own means cost. So if the tie costs c at one of several comparisons, whose shares add up to at most 1, the worse arm
    is named with probability at most delta / (K - 1), however the pulls are chosen.

    >>> round(tie_threshold(0.5, 0.01, 2), 4)
    7.4301
    """
    return lambert_minus(1 + log((arms - 1) / (delta * share))) - 1


def phase_share(count: Any) -> Any:
    """3 / (2 k (k + 1)) with k = log2(count) + 2: adds up to 1 over phases of 1, 1, 2, 4, 8, ... rewards."""
    return 3 / (2 * phase(count) * (phase(count) + 1))
