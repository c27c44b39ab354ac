"""Divergences by their textbook formulas."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath

from second_routes.drawing import both, budget, formula, inner_pair, order, pair, positives, real, reals, size, unit


def xlog(x: Any, ratio: Any) -> Any:
    return x * mpmath.log(ratio) if x else mpmath.mpf(0)


def kl(p: Any, q: Any) -> Any:
    """Of Bernoulli laws."""
    if p == q:
        return mpmath.mpf(0)
    if q in (0, 1):
        return mpmath.inf
    return xlog(p, p / q) + xlog(1 - p, (1 - p) / (1 - q))


def logit(x: Any) -> Any:
    return mpmath.log(x / (1 - x)) if 0 < x < 1 else mpmath.inf * (1 if x else -1)


def d_epsilon(x: Any, y: Any, epsilon: Any) -> Any:
    """By its dual: lam x - log(1 - y + y e^lam) at the lam within the budget that is best."""
    if x == y:
        return mpmath.mpf(0)
    if y in (0, 1):
        return epsilon * abs(x - y)
    lam = slope_x(x, y, epsilon)
    if mpmath.isinf(lam):
        return kl(x, y)
    return lam * x - mpmath.log(1 - y + y * mpmath.exp(lam))


def slope_x(x: Any, y: Any, epsilon: Any) -> Any:
    if y in (0, 1):
        return epsilon if y == 0 else -epsilon
    return min(max(logit(x) - logit(y), -epsilon), epsilon)


def slope_y(x: Any, y: Any, epsilon: Any) -> Any:
    lam = slope_x(x, y, epsilon)
    return -mpmath.expm1(lam) / (1 - y + y * mpmath.exp(lam))


def minimiser(x: Any, y: Any, epsilon: Any) -> Any:
    if y in (0, 1):
        return y
    if x <= y:
        return max(x, y / (y + (1 - y) * mpmath.exp(epsilon)))
    return min(x, y / (y + (1 - y) * mpmath.exp(-epsilon)))


def largest_within(x: Any, level: Any, epsilon: Any) -> Any:
    """The largest mean within a level of d_epsilon, by bisection."""
    if epsilon * (1 - x) <= level:
        return mpmath.mpf(1)
    with mpmath.workdps(70):
        low, high = x, mpmath.mpf(1)
        for _ in range(170):
            middle = (low + high) / 2
            low, high = (middle, high) if d_epsilon(x, middle, epsilon) <= level else (low, middle)
    return low


def renyi(p: Any, q: Any, alpha: Any) -> Any:
    if alpha == 1 or p == q:
        return kl(p, q)
    if alpha > 1 and (q == 0 and p > 0 or q == 1 and p < 1):
        return mpmath.inf
    power = lambda a, b: a**alpha * b ** (1 - alpha) if a and b else mpmath.mpf(0)  # noqa: E731
    total = power(p, q) + power(1 - p, 1 - q)
    return mpmath.log(total) / (alpha - 1) if total else mpmath.inf


def kl_poisson(x: Any, y: Any) -> Any:
    return xlog(x, x / y) - x + y


def tv_poisson(x: Any, y: Any) -> Any:
    low, high = sorted((x, y))
    if low == high:
        return mpmath.mpf(0)
    k = int(mpmath.floor((high - low) / mpmath.log(high / low)))
    sums = []
    for mean in (low, high):
        term = total = mpmath.exp(-mean)
        for j in range(1, k + 1):
            term *= mean / j
            total += term
        sums.append(total)
    return sums[0] - sums[1]


def renyi_poisson(x: Any, y: Any, alpha: Any) -> Any:
    if alpha == 1 or x == y:
        return kl_poisson(x, y)
    return (x**alpha * y ** (1 - alpha) - alpha * x - (1 - alpha) * y) / (alpha - 1)


def kl_exponential(x: Any, y: Any) -> Any:
    return mpmath.log(y / x) + x / y - 1


def tv_exponential(x: Any, y: Any) -> Any:
    if x == y:
        return mpmath.mpf(0)
    t = x * y * mpmath.log(y / x) / (y - x)
    return abs(mpmath.exp(-t / x) - mpmath.exp(-t / y))


def renyi_exponential(x: Any, y: Any, alpha: Any) -> Any:
    if alpha == 1 or x == y:
        return kl_exponential(x, y)
    rate = alpha / x + (1 - alpha) / y
    if rate <= 0:
        return mpmath.inf
    return mpmath.log(x ** (-alpha) * y ** (alpha - 1) / rate) / (alpha - 1)


def gaussian_kl(x: Any, y: Any, sigma: Any) -> Any:
    return (x - y) ** 2 / (2 * sigma**2)


def gaussian_tv(x: Any, y: Any, sigma: Any) -> Any:
    """In the tail by its complement."""
    return mpmath.erf(abs(x - y) / (2 * sigma * mpmath.sqrt(2)))


_SEARCHED = mpmath.mpf("1e-30")  # what a bisection leaves


def _away(draw: Any, allowed: Any) -> Any:
    """Redraws until the arguments are allowed."""

    def redraw(r: random.Random) -> Any:
        while not allowed(*(found := draw(r))):
            pass
        return found

    return redraw


def off_the_pole(r: random.Random) -> tuple[Fraction, Fraction, Fraction]:
    """Means and an order of exponential laws, not just where the divergence starts to be infinite."""
    while True:
        x, y, alpha = both(positives, order)(r)
        if alpha * y + (1 - alpha) * x:
            return x, y, alpha


FORMULAS = [
    formula("kl_bernoulli", pair, kl),
    formula("tv_bernoulli", pair, lambda p, q: abs(p - q)),
    formula(
        "privacy_threshold",
        _away(pair, lambda x, y: x != y or 0 < x < 1),
        lambda x, y: abs(logit(x) - logit(y)) if x != y else mpmath.mpf(0),
    ),
    formula("d_epsilon", both(pair, budget), d_epsilon),
    formula("d_epsilon_minimiser", both(pair, budget), minimiser),
    formula("d_epsilon_objective", both(unit, inner_pair, budget), lambda z, x, y, e: e * abs(x - z) + kl(z, y)),
    formula(
        "d_epsilon_dual_objective",
        both(real, pair),
        lambda lam, x, y: lam * x - mpmath.log(1 - y + y * mpmath.exp(lam)),
        slack=mpmath.mpf("1e-30"),
    ),
    formula("d_epsilon_dx", both(inner_pair, budget), slope_x),
    formula("d_epsilon_dy", both(_away(inner_pair, lambda x, y: x != y), budget), slope_y),
    formula("d_epsilon_depsilon", both(inner_pair, budget), lambda x, y, e: abs(minimiser(x, y, e) - x)),
    formula("kl_inf", pair, lambda x, y: mpmath.inf if y == 1 else mpmath.mpf(0) if x > y else kl(x, y)),
    formula("tv_inf", pair, lambda x, y: mpmath.inf if y == 1 else max(y - x, mpmath.mpf(0))),
    formula(
        "d_inf",
        both(pair, budget),
        lambda x, y, e: mpmath.inf if y == 1 else mpmath.mpf(0) if x > y else d_epsilon(x, y, e),
    ),
    formula("kl_ucb_index", both(unit, size), lambda x, level: largest_within(x, level, mpmath.inf), slack=_SEARCHED),
    formula("dp_klucb_index", both(unit, size, budget), largest_within, slack=_SEARCHED),
    formula("renyi_bernoulli", both(pair, order), renyi),
    formula("kl_gaussian", both(reals, size), gaussian_kl),
    formula("tv_gaussian", both(reals, size), gaussian_tv),
    formula("renyi_gaussian", both(reals, order, size), lambda x, y, a, s: a * gaussian_kl(x, y, s)),
    formula("kl_poisson", positives, kl_poisson),
    formula("tv_poisson", positives, tv_poisson),
    formula("renyi_poisson", both(positives, order), renyi_poisson),
    formula("kl_exponential", positives, kl_exponential),
    formula("tv_exponential", positives, tv_exponential),
    formula("renyi_exponential", off_the_pole, renyi_exponential),
]
