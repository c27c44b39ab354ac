"""Noise, conversions, composition."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import Any

import mpmath

from banditproof import theory
from banditproof.theory import Enclosure, to_ball
from second_routes.drawing import Route, both, budget, formula, inner, mp, real, size, unit
from second_routes.formulas import d_epsilon


def tail_draw(r: random.Random) -> tuple[int, Fraction]:
    return r.randint(1, 7), r.choice([-1, 1]) * size(r, -6, 2)


def laplace_tail(m: int, u: Any) -> Any:
    """The law of Z_m is that of G - G' with independent Gamma(m) variables; here by the counts of a fair coin.

    G - G' > u: the m-th arrival of one process comes more than u after that of the other, that is after u it has
    collected j < m arrivals, and then wins m - j arrivals before the other wins m.
    """
    if u < 0:
        return 1 - laplace_tail(m, -u)
    return mpmath.exp(-u) * sum(mp(late) * u**j for j, late in enumerate(_late(m)))


@cache
def _late(m: int) -> tuple[Fraction, ...]:
    """1/j! times the probability that a fair coin shows its m-th tail before its head number m - j."""

    def tails_first(j: int) -> Fraction:
        return sum((Fraction(comb(m + i - 1, i), 2 ** (m + i)) for i in range(m - j)), Fraction(0))

    return tuple(tails_first(j) / factorial(j) for j in range(m))


def noisy_draw(r: random.Random) -> tuple[Any, ...]:
    return r.randint(0, 12), r.randint(1, 4), unit(r), size(r, -2, 1), r.choice([-1, 1]) * size(r, -1, 1)


def noisy_tail(n: int, m: int, mu: Any, epsilon: Any, x: Any) -> Any:
    return sum(
        mpmath.binomial(n, s) * mu**s * (1 - mu) ** (n - s) * laplace_tail(m, epsilon * (x - s)) for s in range(n + 1)
    )


def delta_of(mu: Any, epsilon: Any) -> Any:
    if abs(mu / 2 - epsilon / mu) > 60:
        return mpmath.mpf(0) if mu / 2 < epsilon / mu else mpmath.mpf(1)
    return mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)


def shift_draw(r: random.Random) -> tuple[Fraction, Fraction]:
    """Shifts and budgets at which the curve is neither 0 nor 1 to all digits."""
    while True:
        mu, epsilon = size(r, -6, 1), r.choice([Fraction(0), size(r, -6, 1)])
        if abs(mu / 2 - epsilon / mu) < 40:
            return mu, epsilon


def ordinary(value: Fraction) -> float:
    """The nearest float: budgets are floats."""
    return float(value)


def approximate_draw(r: random.Random) -> tuple[Fraction, Fraction]:
    delta = r.choice([Fraction(1, 10 ** r.randint(1, 40)), inner(r)])
    epsilon = r.choice([Fraction(0), size(r, -8, 1)])
    return Fraction(ordinary(epsilon)), min(max(Fraction(ordinary(delta)), Fraction(1, 2**200)), 1 - Fraction(1, 2**50))


def deviation(epsilon: Any, delta: Any) -> Any:
    """The least Gaussian noise, by bisection on the exact curve."""
    with mpmath.workdps(90):
        low, high = mpmath.mpf(1), mpmath.mpf(1)
        while delta_of(1 / low, epsilon) <= delta:
            low /= 2
        while delta_of(1 / high, epsilon) > delta:
            high *= 2
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (low, middle) if delta_of(1 / middle, epsilon) <= delta else (middle, high)
    return high


def calibrated(epsilon: Fraction, delta: Fraction) -> Any:
    return theory.calibrate_gaussian(theory.Budget.approximate(float(epsilon), float(delta))).value


def spent_draw(r: random.Random) -> tuple[Any, ...]:
    return r.randint(1, 100), Fraction(r.randint(1, 50), 8), Fraction(2.0 ** -r.randint(8, 30))


def least_enough(n: int, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """The least noise lies less than the unused thousandth of the budget below."""
    noise = theory.least_noise(theory.Mechanism.gaussian, float(epsilon), float(delta), n).noise
    return Enclosure(noise * (1 - 2.0**-9), noise)


def composed_delta(k: int, epsilon: Any, delta: Any, target: Any) -> Any:
    """Over all losses of k randomised responses, each of which says its secret with probability delta."""
    p = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
    inside = mpmath.mpf(0)
    for j in range(k + 1):
        loss = (2 * j - k) * epsilon
        if loss > target:
            inside += mpmath.binomial(k, j) * p**j * (1 - p) ** (k - j) * (-mpmath.expm1(target - loss))
    return 1 - (1 - delta) ** k * (1 - inside)


def reached(epsilon: Any, distance: int) -> Any:
    """The largest |P(A) - P'(A)| after `distance` steps: from each start, by the recursion of the bound on events."""
    p = (mpmath.mpf(1) / (1 + mpmath.exp(epsilon)) if distance % 2 else mpmath.mpf(1) / 2) if distance else 0
    start = p * mpmath.exp(-epsilon * (distance // 2))
    end = start
    for _ in range(distance):
        end = min(mpmath.exp(epsilon) * end, 1 - mpmath.exp(-epsilon) * (1 - end))
    return end - start


_ROOT = mpmath.mpf("1e-15")  # of a calibrated scale, enclosed to 2^-60
PRIVACY = [
    formula("laplace_sum_tail", tail_draw, laplace_tail),
    formula("noisy_sum_tail", noisy_draw, noisy_tail),
    formula(
        "laplace_sum_bound",
        both(lambda r: r.randint(1, 9), size, size),
        lambda m, z, e: mpmath.exp(1 - e * z) * (1 + m * e * z) ** m,
    ),
    formula("gaussian_delta", shift_draw, delta_of),
    formula("classical_gaussian_variance", both(size, inner), lambda e, d: 2 * mpmath.log(5 / (4 * d)) / e**2),
    Route("calibrate_gaussian", approximate_draw, calibrated, deviation, slack=_ROOT),
    Route("least_noise", spent_draw, least_enough, lambda n, e, d: deviation(e, d) * mpmath.sqrt(n), width=0.002),
    formula("zcdp_of_pure", both(size), lambda e: e**2 / 2),
    formula("sharp_zcdp_of_pure", both(size), lambda e: e * mpmath.tanh(e / 2)),
    formula("epsilon_of_zcdp", both(size, inner), lambda rho, d: rho + 2 * mpmath.sqrt(-rho * mpmath.log(d))),
    formula(
        "epsilon_of_renyi",
        both(lambda r: 1 + size(r, -3, 3), size, inner),
        lambda a, D, d: D + mpmath.log((a - 1) / a) - (mpmath.log(d) + mpmath.log(a)) / (a - 1),
    ),
    formula(
        "approximate_trade_off",
        both(unit, size, unit),
        lambda a, e, d: max(0, 1 - d - mpmath.exp(e) * a, (1 - d - a) / mpmath.exp(e)),
    ),
    formula(
        "gaussian_trade_off",
        both(inner, lambda r: size(r, -4, 1)),
        lambda a, mu: mpmath.ncdf(-mu - mpmath.sqrt(2) * mpmath.erfinv(2 * a - 1)),
        slack=mpmath.mpf("1e-15"),
    ),
    formula(
        "normal_cdf", both(lambda r: r.choice([-1, 1]) * size(r, -6, 2)), lambda x: mpmath.erfc(-x / mpmath.sqrt(2)) / 2
    ),
    formula("normal_quantile", both(inner), lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1)),
    formula("group_variation", both(budget, lambda r: r.randint(0, 12)), reached),
    formula("group_kl_bound", both(budget, lambda r: r.randint(0, 12)), lambda e, d: e * d * reached(e, d)),
    formula(
        "group_delta",
        both(lambda r: r.randint(1, 20), size, inner),
        lambda k, e, d: d * mpmath.expm1(k * e) / mpmath.expm1(e),
    ),
    formula(
        "advanced_epsilon",
        both(lambda r: r.randint(1, 99), lambda r: size(r, -6, 1), inner),
        lambda k, e, s: mpmath.sqrt(-2 * k * mpmath.log(s)) * e + k * e * mpmath.expm1(e),
    ),
    formula(
        "worst_composed_delta",
        both(lambda r: r.randint(1, 9), lambda r: size(r, -3, 1), inner, lambda r: size(r, -3, 1)),
        composed_delta,
    ),
    Route(
        "advantage_bounds.sharp",
        both(size, inner),
        lambda e, d: theory.advantage_bounds(to_ball(e), to_ball(d)).sharp,
        lambda e, d: 1 - 2 * (1 - d) / (1 + mpmath.exp(e)),
    ),
    Route(
        "advantage_bounds.elementary",
        both(size, inner),
        lambda e, d: theory.advantage_bounds(to_ball(e), to_ball(d)).elementary,
        lambda e, d: 1 - (1 - d) / mpmath.exp(e),
    ),
    Route(
        "testing_region.corner",
        both(size, unit),
        lambda e, d: theory.testing_region(to_ball(e), to_ball(d)).corner,
        lambda e, d: (1 - d) / (1 + mpmath.exp(e)),
    ),
    formula(
        "d_epsilon_extended",
        both(real, inner, budget),
        lambda x, y, e: d_epsilon(min(max(x, mpmath.mpf(0)), mpmath.mpf(1)), y, e) + e * max(x - 1, -x, 0),
    ),
]
