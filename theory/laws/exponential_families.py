"""Divergences of one-parameter exponential families in the mean parametrisation, and Rényi divergences.

Gaussian with known standard deviation, Poisson, exponential; Bernoulli has its kl and tv in `bernoulli` and its Rényi
divergence here. Everything works on floats and arrays (which broadcast), mpf, balls, series of balls (to first order)
and SymPy expressions; see `numeric`. Values are sums of nonnegative terms wherever possible, so that nothing cancels
near x = y. For balls the enclosures are the exact ranges up to rounding, by monotonicity away from the diagonal.

Arguments outside their domain raise `InvalidInput`: Gaussian means are finite, Poisson means lie in [0, inf), means of
exponential laws in (0, inf), sigma in (0, inf), alpha in (0, inf). At alpha = 1 Rényi divergences are kl.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.laws import bernoulli_points
from banditproof.theory.numbers.certified import of_numbers
from banditproof.theory.numbers.logarithms import kl_term, log_ratio
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.numeric import (
    FLOAT,
    MPF,
    SERIES,
    SYMBOL,
    absolute,
    exp,
    expm1,
    joined,
    log,
    log1p,
    maximum,
    minimum,
    promote,
    sqrt,
    square,
    system,
)
from banditproof.theory.numbers.poisson_mass import floor, mass_between, poisson_mass
from banditproof.theory.numbers.ranges import away_from_diagonal, evaluate, inside
from banditproof.theory.numbers.term import quantity

_LARGEST = float(np.finfo(np.float64).max)
_TINY = 5e-324
_LINE = (-_LARGEST, _LARGEST, "finite")
_HALF_LINE = (0, _LARGEST, "in [0, inf)")
_POSITIVE = (_TINY, _LARGEST, "in (0, inf)")
_POISSON = {"x": _HALF_LINE, "y": _HALF_LINE, "alpha": _POSITIVE}
_EXPONENTIAL = {"x": _POSITIVE, "y": _POSITIVE, "alpha": _POSITIVE}
_BERNOULLI = {"alpha": _POSITIVE}
_GAUSSIAN = {"x": _LINE, "y": _LINE, "sigma": _POSITIVE, "alpha": _POSITIVE}

# ------------------------------------------------------------------------------------------------------------ Gaussian


@quantity
def kl_gaussian(x: Number, y: Number, sigma: Number = 1) -> Any:
    """KL(N(x, sigma^2), N(y, sigma^2)) = (x - y)^2 / (2 sigma^2). Source: TH-S2.2f"""
    return square(_standardised(x, y, sigma)) / 2


@quantity
def tv_gaussian(x: Number, y: Number, sigma: Number = 1) -> Any:
    """TV(N(x, sigma^2), N(y, sigma^2)) = 2 Phi(|x - y| / (2 sigma)) - 1. Source: TH-D4.TV"""
    z = _standardised(x, y, sigma)
    return erf(absolute(z) / sqrt(promote(8, z)[0]))


@quantity
def renyi_gaussian(x: Number, y: Number, alpha: Number, sigma: Number = 1) -> Any:
    """D_alpha(N(x, sigma^2), N(y, sigma^2)) = alpha (x - y)^2 / (2 sigma^2). Source: TH-D2.3"""
    alpha, x, y, sigma = inside(_GAUSSIAN, alpha=alpha, x=x, y=y, sigma=sigma)
    return alpha * kl_gaussian(x, y, sigma)


def _standardised(x: Any, y: Any, sigma: Any) -> Any:
    x, y, sigma = inside(_GAUSSIAN, x=x, y=y, sigma=sigma)
    return (x - y) / sigma


# ------------------------------------------------------------------------------------------------------------- Poisson


@quantity
def kl_poisson(x: Number, y: Number) -> Any:
    """KL of the Poisson laws with means x and y: x log(x/y) - x + y; inf for y = 0 < x. Source: TH-D2.30"""
    gradient = (lambda x, y: log_ratio(x, y, x - y), lambda x, y: (y - x) / y)
    return evaluate(_kl_poisson, away_from_diagonal, gradient, _POISSON, x=x, y=y)


@quantity
def tv_poisson(x: Number, y: Number) -> Any:
    """TV of the Poisson laws with means x and y: the mass that one has more of up to the crossing of the two laws.

    For x < y that is P[X <= k] - P[Y <= k] = integral over [x, y] of u^k e^-u / k!, k = floor((y-x) / log(y/x)).

    Source: TH-D4.TV
    """
    gradient = (lambda x, y: _slope(x, x, y), lambda x, y: _slope(y, y, x))
    return evaluate(_tv_poisson, away_from_diagonal, gradient, _POISSON, x=x, y=y)


@quantity
def renyi_poisson(x: Number, y: Number, alpha: Number) -> Any:
    """D_alpha of the Poisson laws with means x, y: (x^alpha y^(1-alpha) - alpha x - (1-alpha) y) / (alpha - 1).

    Source: TH-D2.3
    """
    return evaluate(_renyi_poisson, away_from_diagonal, None, _POISSON, x=x, y=y, alpha=alpha)


def _kl_poisson(x: Any, y: Any) -> Any:
    return kl_term(x, y, x - y)


def _tv_poisson(x: Any, y: Any) -> Any:
    low, high = minimum(x, y), maximum(x, y)
    return joined(low, "==", high, 0 * low, lambda: mass_between(crossing(low, high), low, high))


def _slope(at: Any, mean: Any, other: Any) -> Any:
    size = poisson_mass(crossing(minimum(mean, other), maximum(mean, other)), at)
    return joined(mean, "<", other, -size, size)


def crossing(low: Any, high: Any) -> Any:
    """floor((high - low) / log(high / low)): the largest count that the Poisson law of mean `low` < `high` prefers.

    An enclosure of the real number for balls that do not decide the integer; there both neighbours serve.
    """
    return joined(low, "==", 0, 0 * low, lambda: floor((high - low) / log_ratio(high, low, high - low)))


def _renyi_poisson(x: Any, y: Any, alpha: Any) -> Any:
    return _power_term(x, y, x - y, alpha)


# --------------------------------------------------------------------------------------------------------- exponential


@quantity
def kl_exponential(x: Number, y: Number) -> Any:
    """KL of the exponential laws with means x and y: log(y/x) + x/y - 1. Source: TH-D2.30"""
    gradient = (lambda x, y: (x - y) / (x * y), lambda x, y: (y - x) / (y * y))
    return evaluate(_kl_exponential, away_from_diagonal, gradient, _EXPONENTIAL, x=x, y=y)


@quantity
def tv_exponential(x: Number, y: Number) -> Any:
    """TV of the exponential laws with means x and y: (1 - 1/r) r^(-1/(r-1)), r = max(x, y) / min(x, y).

    The densities cross at t = x y log(y/x) / (y - x), and the law with the larger mean has more mass above.

    Source: TH-D4.TV
    """
    return evaluate(_tv_exponential, away_from_diagonal, None, _EXPONENTIAL, x=x, y=y)


@quantity
def renyi_exponential(x: Number, y: Number, alpha: Number) -> Any:
    """D_alpha of the exponential laws with means x, y: log(y/x) - log(1 + (alpha-1)(1 - x/y)) / (alpha - 1).

    inf if alpha / x + (1-alpha) / y <= 0. Source: TH-D2.3
    """
    return evaluate(_renyi_exponential, away_from_diagonal, None, _EXPONENTIAL, x=x, y=y, alpha=alpha)


def _kl_exponential(x: Any, y: Any) -> Any:
    return kl_term(y, x, y - x) / y


def _tv_exponential(x: Any, y: Any) -> Any:
    low, high = minimum(x, y), maximum(x, y)
    gap = high - low

    def apart() -> Any:
        return gap / high * exp(-log_ratio(high, low, gap) * low / gap)

    return joined(gap, "==", 0, 0 * gap, apart)


def _renyi_exponential(x: Any, y: Any, alpha: Any) -> Any:
    def swapped() -> Any:
        return alpha / (1 - alpha) * _scale_term(y, x, 1 - alpha)

    def direct() -> Any:
        return _scale_term(x, y, alpha)

    return joined(alpha, "<", 0.5, swapped, direct) if system(x, y, alpha) != SYMBOL else direct()


def _scale_term(x: Any, y: Any, alpha: Any) -> Any:
    """KL + (z - log(1+z)) / s with s = alpha - 1 and z = s (y - x) / y; both terms are nonnegative for s > 0."""
    s = alpha - 1
    z = s * (y - x) / y

    def plain() -> Any:
        return joined(z, "<=", -1, np.inf, lambda: log(y / x) - log1p(z) / s)

    if system(x, y, alpha) == SYMBOL:
        return joined(s, "==", 0, _kl_exponential(x, y), plain)

    def around() -> Any:
        return joined(s, "==", 0, 0 * z, lambda: kl_term(1, 1 + z, -z) / s) + _kl_exponential(x, y)

    def apart() -> Any:
        return joined(z, "<=", -1, promote(np.inf, z)[0], lambda: log_ratio(y, x, y - x) - log1p(z) / s)

    return joined(absolute(z), "<", 0.75, around, apart)


# ----------------------------------------------------------------------------------------------------------- Bernoulli


@named
@of_numbers
def renyi_bernoulli(p: Number, q: Number, alpha: Number) -> Any:
    """D_alpha(Bernoulli(p), Bernoulli(q)) = log(p^alpha q^(1-alpha) + (1-p)^alpha (1-q)^(1-alpha)) / (alpha - 1).

    Source: TH-D2.3
    """
    return evaluate(_renyi_bernoulli, away_from_diagonal, None, _BERNOULLI, p=p, q=q, alpha=alpha)


def _renyi_bernoulli(p: Any, q: Any, alpha: Any) -> Any:
    terms = ((p, q, p - q), (1 - p, 1 - q, q - p))
    return renyi_of_terms(terms, alpha, lambda: bernoulli_points.kl(p, q))


def renyi_of_terms(terms: Any, alpha: Any, kl: Any) -> Any:
    """D_alpha of two finite laws, given as triples (a, b, a - b) of probabilities; `kl()` is its value at alpha = 1."""
    s = alpha - 1
    if system(alpha, *terms[0]) == SYMBOL:
        total = sum(a**alpha * b ** (1 - alpha) for a, b, _ in terms)
        return joined(s, "==", 0, kl, lambda: log(total) / s)

    def apart() -> Any:
        excess = sum(_power_term(a, b, difference, alpha) for a, b, difference in terms) * s
        return joined(excess, ">", -0.5, lambda: log1p(excess), lambda: log(_affinity(terms, alpha))) / s

    return joined(s, "==", 0, kl, apart)


def _affinity(terms: Any, alpha: Any) -> Any:
    def power(a: Any, b: Any) -> Any:
        return joined(a, "==", 0, 0 * a, lambda: joined(b, "==", 0, 0 * b, lambda: a * _power(a, b, alpha - 1)))

    return sum(power(a, b) for a, b, _ in terms)


def _power(a: Any, b: Any, exponent: Any) -> Any:
    return exp(exponent * log_ratio(a, b, a - b))


# --------------------------------------------------------------------------------------------------------- ingredients


def erf(x: Any) -> Any:
    """The error function in the number system of its argument; erf(t / sqrt 2) = 2 Phi(t) - 1."""
    kind = system(x)
    if kind == FLOAT:
        from scipy import special

        return special.erf(x)
    if kind == MPF:
        import mpmath

        return mpmath.erf(x)
    if kind == SYMBOL:
        import sympy

        return sympy.erf(x)
    return x.erf()


def _power_term(a: Any, b: Any, difference: Any, alpha: Any) -> Any:
    """(a^alpha b^(1-alpha) - alpha a - (1-alpha) b) / (alpha - 1) >= 0 for a, b >= 0; kl_term at alpha = 1.

    With s = alpha - 1, L = log(a/b) and h(z) = e^z - 1 - z it is kl_term(a, b) + a h(s L) / s. For alpha < 1/2 the
    roles of a and b are swapped, and terms that would cancel are summed directly.
    """
    if system(a, b, alpha) == SYMBOL:
        plain = (a**alpha * b ** (1 - alpha) - alpha * a - (1 - alpha) * b) / (alpha - 1)
        return joined(alpha, "==", 1, kl_term(a, b, difference), plain)

    def swapped() -> Any:
        return alpha / (1 - alpha) * _upper_power_term(b, a, -difference, 1 - alpha)

    def inside() -> Any:
        return joined(alpha, "<", 0.5, swapped, lambda: _upper_power_term(a, b, difference, alpha))

    def second_impossible() -> Any:
        return joined(alpha, ">=", 1, promote(np.inf, a)[0], lambda: alpha * a / (1 - alpha))

    def first_positive() -> Any:
        return joined(b, "==", 0, second_impossible, inside)

    return joined(difference, "==", 0, 0 * difference, lambda: joined(a, "==", 0, b + 0 * a, first_positive))


def _upper_power_term(a: Any, b: Any, difference: Any, alpha: Any) -> Any:
    s = alpha - 1
    z = s * log_ratio(a, b, difference)

    def around() -> Any:
        return kl_term(a, b, difference) + joined(s, "==", 0, 0 * z, lambda: a * _exponential_excess(z) / s)

    def apart() -> Any:
        return (a * exp(z) - alpha * a + s * b) / s

    return joined(z, ">", -1, lambda: joined(s, "<", 0, lambda: joined(z, "<", 1, around, apart), around), apart)


def _exponential_excess(z: Any) -> Any:
    """h(z) = e^z - 1 - z >= 0."""
    if system(z) == SERIES:
        return exp(z) - 1 - z

    def near() -> Any:
        return kl_term(1, exp(z), -expm1(z))

    def far() -> Any:
        return joined(z, ">=", 700, lambda: exp(z), lambda: expm1(z) - z)

    return joined(absolute(z), "<", 0.5, near, far)
