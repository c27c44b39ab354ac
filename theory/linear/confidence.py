"""Widths of confidence ellipsoids around a (private) ridge estimate, and how often a rarely switching policy updates.

Formulas on numbers of any kind and on arrays; `log_volume` is log(det V / lambda^d).
"""

from __future__ import annotations

from typing import Any

from banditproof.theory.linear.phases import chi_square_radius
from banditproof.theory.numbers.numeric import log, sqrt


def self_normalised_bound(log_volume: Any, delta: Any) -> Any:
    """|S_t| in the norm of V_t^-1 for all t, but for probability delta: sqrt(2 log(1/delta) + log(det V / lambda^d)).

    Source: ALG-LC.30
    """
    return sqrt(2 * log(1 / delta) + log_volume)


def noise_norm_bound(dimension: Any, updates: Any, deviation: Any, delta: Any, horizon: Any) -> Any:
    """The norm of the sum of `updates` vectors N(0, deviation^2 I_d), at up to `horizon` times but for delta.

    Source: ALG-TC.13
    """
    return deviation * sqrt(updates * chi_square_radius(dimension, delta / horizon))


def eigenvalue_bound(t: Any, eigenvalue: Any, delta: Any, dimension: Any) -> Any:
    """g(t) = lambda_0 t / 4 - 8 log((t + 3) d / delta) - 2 sqrt(t log((t + 3) d / delta)), negative in early rounds.

    Source: ALG-L5.16
    """
    level = log((t + 3) * dimension / delta)
    return eigenvalue * t / 4 - 8 * level - 2 * sqrt(t * level)


def plain_width(t: Any, ridge: Any, dimension: Any, delta: Any, radius: Any) -> Any:
    """beta_t = sqrt(2 log(1/delta) + d log(1 + t / (lambda d))) + sqrt(lambda) |theta|. Source: ALG-TC.13"""
    return self_normalised_bound(dimension * log(1 + t / (ridge * dimension)), delta) + sqrt(ridge) * radius


def most_updates(t: Any, ridge: Any, dimension: Any, growth: Any) -> Any:
    """d / log(1 + C) log(1 + t / (lambda d)), more than the updates within t rounds with vectors of norm at most 1.

    Source: ALG-S5.3c
    """
    return dimension / log(1 + growth) * log(1 + t / (ridge * dimension))
