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

from banditproof.theory.best_arm.arm_by_arm import bernoulli_floats
from banditproof.theory.best_arm.thresholds import lambert_minus, phase
from banditproof.theory.laws.bernoulli import d_epsilon
from banditproof.theory.numbers.numeric import log
from banditproof.theory.numbers.term import quantity

Array = np.ndarray
_NODES = 1 / (1 + np.exp(-np.linspace(-14, 14, 57)))  # shares of the way from the best arm
_CLOSEST = 1e-3
_SECTIONS, _ROUNDS = np.arange(1, 8), 7  # a level is found to the 8^-7th part of the largest one


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
    level, width = np.zeros((len(means), 1)), levels.max(axis=2).min(axis=1, keepdims=True)
    for _ in range(_ROUNDS):
        width /= len(_SECTIONS) + 1
        few = _read(levels, ratios, level + width * _SECTIONS).sum(axis=1) < 1
        level += width * few.sum(axis=1, keepdims=True)
    weights = _read(levels, shares, level + width)[..., 0]
    weights[rows, best] = 1.0
    return weights / weights.sum(axis=1, keepdims=True)


def _table(high: Array, low: Array, epsilon: Array) -> tuple[Array, Array, Array]:
    """For common means m between: what a pair pays with weight 1 on the best arm, x_a, and the ratio that adds up."""
    m = high + (low - high) * _NODES
    (of_best, down), (of_arm, up) = (bernoulli_floats(mean, m, epsilon) for mean in (high, low))
    return of_best - down / up * of_arm, -down / up, of_best / of_arm


def _read(levels: Array, values: Array, wanted: Array) -> Array:
    """The values [R, K, n] where the increasing `levels` [R, K, nodes] pass `wanted` [R, n], by lines between nodes."""
    last = (levels[:, :, np.newaxis] < wanted[:, np.newaxis, :, np.newaxis]).sum(axis=3).clip(1, len(_NODES) - 1)
    last += np.arange(last.shape[0] * last.shape[1]).reshape(*last.shape[:2], 1) * len(_NODES)
    (below, above), (first, other) = ([table.ravel()[at] for at in (last - 1, last)] for table in (levels, values))
    way = np.clip((wanted[:, np.newaxis] - below) / np.maximum(above - below, 1e-300), 0, 1)
    return first + way * (other - first)


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
