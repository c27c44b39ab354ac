"""Concentration of Laplace sums and of noisy Bernoulli sums, as printed and in a clean form.

S is the sum of n independent Bernoulli(mu) and m independent Laplace(1/epsilon) variables. Every function works in the
four number systems; ints and Fractions combined with a ball are enclosed, so the bounds can be compared rigorously
with `laplace_sums.noisy_sum_tail`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.laws.bernoulli import d_epsilon
from banditproof.theory.numbers.certified import of_numbers
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    SERIES,
    SYMBOL,
    clip01,
    exp,
    log,
    log1p,
    maximum,
    product,
    system,
)
from banditproof.theory.numbers.ranges import Domains, inside, numbers
from banditproof.theory.numbers.term import quantity

_MOST = 10**15  # variables of a sum
_FAR = 1e290
_HUGE = float(np.finfo(float).max)
_NUMBER = (-_HUGE, _HUGE, "a finite number")
_NAMED: Domains = {"x": _NUMBER, "z": _NUMBER, "epsilon": (0, _HUGE, "a positive finite number")}


@quantity
def laplace_sum_bound(m: int, z: Number, epsilon: Number) -> Any:
    """exp(-f(z)), f(z) = epsilon z - 1 - m log(1 + m epsilon z): a bound on P[Z_m >= z] for z >= 0, m >= 1.

    Source: BDP-LD.1
    """
    m = check_count("m", m, 1, _MOST)
    z, epsilon = inside(_NAMED, z=z, epsilon=epsilon)
    _demand("z", z, z >= 0, "at least 0")
    _demand("epsilon", epsilon, epsilon > 0, "positive")
    u = epsilon * z
    if system(u) == FLOAT:
        u = np.minimum(u, _FAR)  # where the bound is 0
    return exp(1 - u + m * log1p(m * u))


@quantity
def private_chernoff_constant(n: int, m: int, mu: Number, epsilon: Number, x: Number, side: str = "upper") -> Any:
    """A_epsilon(m, n, x, mu) as printed; the maximum in it is attained at y = mu.

    Upper side, x >= n mu, with D = x - n mu: D e (1 + m epsilon D)^m log(1/mu) + e (1 + m epsilon D)^m + 1. The lower
    side, x <= n mu, has D = n mu - x and log(1/(1 - mu)). mu in (0, 1), epsilon > 0, n, m >= 1.

    Source: BDP-LD.3
    """
    return exp(_log_printed_constant(*_deviation(n, m, mu, epsilon, x, side)))


@quantity
def private_chernoff_bound(n: int, m: int, mu: Number, epsilon: Number, x: Number, side: str = "upper") -> Any:
    """A_epsilon(m, n, x, mu) e^(-n d_epsilon(x/n, mu)), a bound on P[S >= x] (upper) or P[S <= x] (lower).

    Where x/n leaves [0, 1], which the statement does not exclude, d_epsilon is extended as in `d_epsilon_extended`.

    Source: BDP-LD.3
    """
    law = _deviation(n, m, mu, epsilon, x, side)
    return exp(_log_printed_constant(*law) - _exponent(n, mu, epsilon, x))


@named
@of_numbers
def clean_private_chernoff_bound(
    n: int, m: int, mu: Number, epsilon: Number, x: Number, side: str = "upper", form: str = "sharp"
) -> Any:
    """C e^(-n d_epsilon(x/n, mu)) with C = (e max{1, epsilon D/m})^m ("sharp") or e (1 + m epsilon D)^m ("simple").

    D = |x - n mu|; real x >= n mu on the upper side, x <= n mu on the lower; d_epsilon extended beyond [0, 1].

    Source: BDP-DF6
    """
    n, m, _, epsilon_, deviation = _deviation(n, m, mu, epsilon, x, side)
    if form == "sharp":
        log_constant = m * (1 + log(maximum(epsilon_ * deviation / m, 1)))
    elif form == "simple":
        log_constant = 1 + m * log1p(m * epsilon_ * deviation)
    else:
        raise InvalidInput("form", form, '"sharp" or "simple"')
    return exp(log_constant - _exponent(n, mu, epsilon, x))


@named
@of_numbers
def d_epsilon_extended(x: Number, y: Number, epsilon: Number) -> Any:
    """d_epsilon for every real x: the dual form, which continues it beyond [0, 1] with slope epsilon.

    Source: BDP-DF6, BDP-DF1
    """
    x, y, epsilon = inside({"x": _NUMBER, "epsilon": (0, np.inf, "nonnegative")}, x=x, y=y, epsilon=epsilon)
    outside = maximum(x - 1, 0) + maximum(-x, 0)
    return d_epsilon(clip01(x), y, epsilon) + product(epsilon, outside)


def _exponent(n: int, mu: Any, epsilon: Any, x: Any) -> Any:
    x, mu, epsilon = numbers(_NAMED, x=x, mu=mu, epsilon=epsilon)
    return n * d_epsilon_extended(x / n, mu, epsilon)


def _deviation(n: int, m: int, mu: Any, epsilon: Any, x: Any, side: str) -> tuple[int, int, Any, Any, Any]:
    """(n, m, p, epsilon, D): everything checked, the lower side mirrored, p = mu or 1 - mu, D = |x - n mu|."""
    n, m = check_count("n", n, 1, _MOST), check_count("m", m, 1, _MOST)
    mu, epsilon, x = inside(_NAMED, mu=mu, epsilon=epsilon, x=x)
    _demand("mu", mu, (mu > 0) & (mu < 1), "in (0, 1)")
    _demand("epsilon", epsilon, epsilon > 0, "positive")
    one_of("side", side, ("upper", "lower"))
    excess, p = (x - n * mu, mu) if side == "upper" else (n * mu - x, 1 - mu)
    if system(excess) not in (BALL, SERIES) or excess < 0:
        _demand("x", x, excess >= 0, f"on the {side} side of n mu")
    return n, m, p, epsilon, maximum(excess, 0)


def _log_printed_constant(n: int, m: int, p: Any, epsilon: Any, deviation: Any) -> Any:
    growth = 1 + m * log1p(m * epsilon * deviation)
    return growth + log(1 - deviation * log(p) + exp(-growth))


def _demand(parameter: str, value: Any, holds: Any, allowed: str) -> None:
    if system(value) == SYMBOL and not value.is_number:
        return
    if not (np.all(holds) if system(value) == FLOAT else bool(holds)):
        raise InvalidInput(parameter, value, allowed)
