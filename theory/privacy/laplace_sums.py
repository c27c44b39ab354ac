"""Exact tails of Laplace sums, and of a Bernoulli sum plus a Laplace sum.

Z_m is the sum of m independent Laplace variables of scale 1/epsilon. For z >= 0 and u = epsilon z,

    P[Z_m >= z] = e^-u (tau_{m,0} + tau_{m,1} u + ... + tau_{m,m-1} u^(m-1))     with positive rationals tau.

Source: BDP-LD.1, BDP-P4.1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import factorial
from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.numbers import ranges
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.numeric import (
    BALL,
    FLOAT,
    MPF,
    exp,
    joined,
    promote,
    system,
    to_ball,
    working_precision,
)
from banditproof.theory.numbers.term import finite_as, quantity

_LINE: ranges.Domains = {"u": (-np.inf, np.inf, "a number")}
_VAST = 1e300  # the tail beyond is 0
MOST_TERMS = 2000
MOST_SUMMANDS = 100_000


@named
def tail_coefficients(m: int) -> tuple[Fraction, ...]:
    """(tau_{m,0}, ..., tau_{m,m-1}), exact; tau_{m,0} = 1/2. For m = 2: (1/2, 1/4).

    The density of Z_m at u >= 0 is e^-u times sum_j c_j u^j / j! with c_j = binom(2m-2-j, m-1) / 2^(2m-1-j), a mixture
    of Erlang densities; the tail of the Erlang density u^j e^-u / j! is e^-u sum_{i <= j} u^i / i!.

    Source: BDP-LD.1
    """
    return _tail_coefficients(check_count("m", m, 1, MOST_TERMS))


@lru_cache(maxsize=256)
def _tail_coefficients(m: int) -> tuple[Fraction, ...]:
    weights = [
        Fraction(factorial(2 * m - 2 - j), factorial(m - 1) * factorial(m - 1 - j) * 2 ** (2 * m - 1 - j))
        for j in range(m)
    ]
    rests = list(accumulate(reversed(weights)))[::-1]
    return tuple(rest / factorial(i) for i, rest in enumerate(rests))


@finite_as(lambda m, u: u + 1 / m)
def laplace_sum_tail(m: int, u: Number) -> Any:
    """P[Z_m >= z] for u = epsilon z, any real u, in all four number systems.

    Source: BDP-LD.1
    """
    coefficients = tail_coefficients(m)
    (u,) = ranges.numbers(_LINE, u=u)
    ranges.check(_LINE, u=u)
    if system(u) == FLOAT:
        return _float_tail(coefficients, u)
    coefficients = [promote(tau, u)[0] for tau in coefficients]
    if system(u) == BALL:
        return _ball_tail(coefficients, u)
    if system(u) == MPF and not -_VAST <= u <= _VAST or getattr(u, "is_infinite", False):
        return 0 * coefficients[0] + (0 if u > 0 else 1)
    return joined(u, ">=", 0, lambda: _upper_tail(coefficients, u), lambda: 1 - _upper_tail(coefficients, -u))


@quantity
def noisy_sum_tail(n: int, m: int, mu: Number, epsilon: Number, x: Number, side: str = "upper") -> Any:
    """P[S >= x] (side "upper") or P[S <= x] ("lower"), enclosed, for S = n Bernoulli(mu) + m Laplace(1/epsilon).

    All variables are independent. The finite sum over the n + 1 values of the Bernoulli sum, in ball arithmetic at
    flint's precision. `mu` in [0, 1], `epsilon` > 0 and real `x` are ints, floats (exact), Fractions, decimal strings
    or balls, of which the answer is a ball; n >= 0, m >= 1. Wide balls give wide answers.

    Source: BDP-P4.1
    """
    n, m = check_count("n", n, 0, MOST_SUMMANDS), check_count("m", m, 1, MOST_TERMS)
    mu, epsilon, x = _checked_law(mu, epsilon, x)
    one_of("side", side, ("upper", "lower"))
    if side == "lower":  # n - S is a sum of the same kind, with mean 1 - mu
        mu, x = 1 - mu, n - x
    from flint import ctx

    precision = ctx.prec
    with working_precision(precision + 2 * n.bit_length() + 10):  # the n + 1 roundings stay below the last bit
        coefficients = [to_ball(tau) for tau in tail_coefficients(m)]
        terms = (weight * _ball_tail(coefficients, epsilon * (x - s)) for s, weight in _binomial_weights(n, mu))
        total = sum(terms, to_ball(0))
    return +total


def _checked_law(mu: Any, epsilon: Any, x: Any) -> tuple[Any, Any, Any]:
    mu = ranges.number_as_ball("mu", mu, "in [0, 1]")
    epsilon = ranges.number_as_ball("epsilon", epsilon, "positive and finite")
    x = ranges.number_as_ball("x", x, "finite")
    if mu.is_nan() or mu < 0 or mu > 1:
        raise InvalidInput("mu", mu, "in [0, 1]")
    if not (epsilon > 0 and epsilon.is_finite()):
        raise InvalidInput("epsilon", epsilon, "positive and finite")
    if not x.is_finite():
        raise InvalidInput("x", x, "finite")
    return mu, epsilon, x


def _binomial_weights(n: int, mu: Any) -> Iterator[tuple[int, Any]]:
    """(s, P[Bin(n, mu) = s]) without a division by mu or 1 - mu, which may be 0."""
    failures = [to_ball(1)]
    for _ in range(n):
        failures.append(failures[-1] * (1 - mu))
    weight = to_ball(1)  # binom(n, s) mu^s
    for s in range(n + 1):
        yield s, weight * failures[n - s]
        weight = weight * mu * (n - s) / (s + 1)


def _ball_tail(coefficients: list[Any], u: Any) -> Any:
    if u >= 0 and u.is_finite():
        return _upper_tail(coefficients, u)
    if u <= 0 and u.is_finite():
        return 1 - _upper_tail(coefficients, -u)
    if u.is_nan():
        return u
    low, high = (u, u) if u.is_exact() else (u.lower(), u.upper())  # decreasing in u
    return _point_tail(coefficients, high).union(_point_tail(coefficients, low))


def _point_tail(coefficients: list[Any], u: Any) -> Any:
    if not u.is_finite():
        return to_ball(0 if u > 0 else 1)
    return _upper_tail(coefficients, u) if u >= 0 else 1 - _upper_tail(coefficients, -u)


def _upper_tail(coefficients: Sequence[Any], u: Any) -> Any:
    """The tail at u >= 0: a polynomial with positive coefficients times e^-u."""
    value = coefficients[-1]
    for tau in reversed(coefficients[:-1]):
        value = value * u + tau
    return value * exp(-u)


def _float_tail(coefficients: tuple[Fraction, ...], u: Any) -> Any:
    """As above with e^(-u/m) spread over the m steps, so that nothing overflows."""
    size, m = np.minimum(np.abs(u), _VAST), len(coefficients)
    damping = np.exp(-size / m)
    value, power = float(coefficients[-1]) * damping, damping
    for tau in reversed(coefficients[:-1]):
        power = power * damping
        value = value * (size * damping) + float(tau) * power
    return np.where(u >= 0, value, 1 - value)[()]
