"""Elementary functions, calibrated noise of every kind, divergences with a budget by search, AdaP-KLUCB."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath

from banditproof import theory
from banditproof.theory import Enclosure, to_ball
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier
from second_routes.drawing import Route, both, budget, formula, inner, inner_pair, pair, real, size
from second_routes.formulas import (
    d_epsilon,
    gaussian_kl,
    gaussian_tv,
    kl,
    kl_exponential,
    kl_poisson,
    slope_x,
    tv_exponential,
    tv_poisson,
)
from second_routes.laws import climb, concave_maximum
from second_routes.privacy import approximate_draw, deviation, ordinary


def any_size(r: random.Random) -> Fraction:
    """What a float can hold, of any order of magnitude."""
    return Fraction(10 ** r.uniform(-300, 300)) if r.random() < 0.3 else Fraction(ordinary(size(r, -16, 6)))


def exact_size(r: random.Random) -> Fraction:
    """A sensitivity, which is a float."""
    return Fraction(ordinary(size(r)))


def far_approximate(r: random.Random) -> tuple[Fraction, Fraction]:
    """Budgets with a delta down to the smallest floats, where double precision has nothing left."""
    if r.random() < 0.5:
        return approximate_draw(r)
    return Fraction(ordinary(size(r, -8, 2))), Fraction(float(f"1e-{r.randint(60, 307)}"))


def least_float(epsilon: Fraction, delta: Fraction) -> Any:
    """The noise that is drawn, as the interval from one float below it: the least noise may not lie above."""
    scale = gaussian_multiplier(theory.Budget.approximate(float(epsilon), float(delta)))
    return Enclosure(mp_down(scale), scale)


def mp_down(scale: Any) -> float:
    import numpy as np

    return float(np.nextafter(float(scale), 0.0))


def cheapest(divergence: Any, variation: Any) -> Any:
    """The cheapest way to move the mean: pay epsilon per unit of variation up to a point, then the divergence."""

    def least(x: Any, y: Any, epsilon: Any) -> Any:
        with mpmath.workdps(90):
            x, y = +x, +y
            cost = lambda z: -(epsilon * variation(x, z) + divergence(z, y))  # noqa: E731
            grid = [x + (y - x) * i / 64 for i in range(65)]
            best = max(range(65), key=lambda i: cost(grid[i]))
            low, high = grid[max(best - 1, 0)], grid[min(best + 1, 64)]
            return -max(concave_maximum(cost, low, high, 160), cost(x), cost(y))

    return least


def term_draw(r: random.Random) -> tuple[Any, ...]:
    while True:
        x, y = inner_pair(r)
        if x != y and 10**-6 < min(x, y) and max(x, y) < 1 - Fraction(1, 10**6):
            return min(x, y), max(x, y), size(r, -4, 2), 3 + size(r, -3, 1)


def crossing_term(mean: Any, best: Any, epsilon: Any, tau: Any, gamma: Any = 0) -> Any:
    """min over c > gamma of max(tau / kl(mean + c gap, best), (1 + tau) / ((c - gamma) epsilon gap)), by bisection."""
    gap = best - mean

    def parts(c: Any) -> Any:
        return tau / kl(mean + c * gap, best), (1 + tau) / ((c - gamma) * epsilon * gap)

    low, high = mpmath.mpf(gamma), mpmath.mpf(1)
    for _ in range(220):
        middle = (low + high) / 2
        rising, falling = parts(middle)
        low, high = (middle, high) if rising < falling else (low, middle)
    return min(max(parts(low)) if low > gamma else mpmath.inf, max(parts(high)) if high < 1 else mpmath.inf)


def dual(part: int) -> Any:
    return lambda x, y, e: theory.d_epsilon_dual(*map(to_ball, (x, y, e)))[part]


def best_order(rho: Any, delta: Any) -> Any:
    """The least epsilon over the orders, by golden sections on the logarithm of the order less one."""

    def gain(t: Any) -> Any:
        a = 1 + mpmath.exp(t)
        return -(a * rho + mpmath.log((a - 1) / a) - (mpmath.log(delta) + mpmath.log(a)) / (a - 1))

    with mpmath.workdps(40):
        return max(-concave_maximum(gain, mpmath.mpf(-20), mpmath.mpf(40), 200), mpmath.mpf(0))


_SEARCHED = mpmath.mpf("1e-25")
G = theory.Gaussian
MORE = [
    formula("exp", both(real), mpmath.exp),
    formula("log", both(size), mpmath.log),
    formula("log1p", both(lambda r: r.choice([size(r), -inner(r)])), lambda x: mpmath.log(1 + x)),
    formula("sqrt", both(size), lambda x: x ** mpmath.mpf("0.5")),
    formula("absolute", both(real), lambda x: max(x, -x)),
    formula("clip01", both(real), lambda x: min(max(x, mpmath.mpf(0)), mpmath.mpf(1))),
    formula("maximum", both(pair), max),
    formula("minimum", both(pair), min),
    Route("to_ball", both(real), to_ball, lambda x: x),
    Route("d_epsilon_dual, maximiser", both(inner_pair, budget), dual(0), slope_x),
    Route("d_epsilon_dual, value", both(inner_pair, budget), dual(1), d_epsilon, slack=mpmath.mpf("1e-30")),
    Route("Gaussian.kl with itself", both(real, size), lambda m, s: G(m, s).kl(G(m, s)), lambda m, s: mpmath.mpf(0)),
    Route(
        "Gaussian.renyi with itself",
        both(real, size, lambda r: 1 + size(r, -3, 2)),
        lambda m, s, a: G(m, s).renyi(G(m, s), a),
        lambda m, s, a: mpmath.mpf(0),
    ),
    *(
        Route(
            f"{family.__name__}.d_inf",
            both(climb, budget),
            lambda x, y, e, family=family: family(x).d_inf(y, e).value,
            cheapest(divergence, variation),
            slack=_SEARCHED,
        )
        for family, divergence, variation in (
            (G, lambda z, y: gaussian_kl(z, y, 1), lambda x, z: gaussian_tv(x, z, 1)),
            (theory.Poisson, kl_poisson, tv_poisson),
            (theory.Exponential, kl_exponential, tv_exponential),
        )
    ),
    Route("gaussian_multiplier", far_approximate, least_float, deviation),
    Route(
        "adap_klucb_term", term_draw, lambda *a: theory.adap_klucb_term(*a).coefficient, crossing_term, slack=_SEARCHED
    ),
    Route(
        "sharp_epsilon_of_zcdp",
        both(lambda r: size(r, -4, 1), lambda r: Fraction(1, 10 ** r.randint(1, 15))),
        lambda rho, d: Enclosure.outward(theory.sharp_epsilon_of_zcdp(float(rho), float(d))),
        best_order,
        slack=mpmath.mpf("1e-9"),
    ),
]
