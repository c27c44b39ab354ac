"""Derivatives, integrals and series: of balls by Taylor arithmetic and quadrature, of terms by rules."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any

from banditproof.theory.numbers.numeric import SERIES, TERM, exp, log, sqrt, system, to_ball
from banditproof.theory.numbers.term import derivative_at, finite_as

MOST_VALUES = 2000  # of an integrand, about 10 ms


def derivative(function: Callable[[Any], Any], x: Any, order: int = 1) -> Any:
    """The derivative of this order of a function of one positive number, which is made of elementary functions."""
    if system(x) == TERM:
        return derivative_at(function, x, order)
    from flint import arb_series

    value = function(arb_series([to_ball(x), 1], prec=order + 1))
    return value[order] * factorial(order) if system(value) == SERIES else to_ball(0)


def erf(x: Any) -> Any:
    """The error function."""
    return x.erf()


@finite_as(lambda x: x)
def slope_of_erf(x: Any) -> Any:
    """The slope of the error function at x > 0."""
    return derivative(erf, x)


@finite_as(lambda x: x)
def pi_beside(x: Any) -> Any:
    """pi in the number system of x."""
    return to_ball(0).pi()


def integral(integrand: Callable[[Any, Callable[[Any], Any]], Any], lower: Any, upper: Any) -> Any:
    """The integral of integrand(x, exp) over a bounded interval, of balls by rigorous quadrature.

    After so many values it gives up, and the ball is wide: where a search tries points, the next one is cheaper.
    """
    import flint

    start, end = flint.acb(to_ball(lower)), flint.acb(to_ball(upper))
    return flint.acb.integral(
        lambda x, _: integrand(x, lambda value: value.exp()), start, end, eval_limit=MOST_VALUES
    ).real


@finite_as(lambda amount, rate, lower, upper: 0 * (amount + rate + lower + upper))
def exponential_integral(amount: Any, rate: Any, lower: Any, upper: Any) -> Any:
    """The integral of amount e^(rate x) over a bounded interval."""
    return amount * integral(lambda x, exp: exp(rate * x), lower, upper)


def exponential_tail(rate: Any, start: Any) -> Any:
    """The integral of e^(-rate x) over x >= start, for a positive rate."""
    return exp(-rate * start) / rate


@finite_as(lambda q, power: log(q) + log(1 - q) + power)
def power_series(q: Any, power: int) -> Any:
    """The sum of n^power q^n over n >= 1, the polylogarithm of order -power, for 0 < q < 1."""
    return to_ball(q).polylog(-power)


class Formula:
    """A SymPy expression as a function of its symbols, for numbers, balls and symbols alike."""

    def __init__(self, symbols: Any, expression: Any) -> None:
        import sympy

        self.of = sympy.lambdify(symbols, expression, [{"exp": exp, "log": log, "sqrt": sqrt}])

    def __call__(self, *values: Any) -> Any:
        return self.of(*values)
