"""Geometric sums and ceilings in rationals, in balls and in symbols.

In rationals and balls the formulas are evaluated as they are printed. In symbols they use two facts for all real
alpha > 1 at once: the quotient (alpha^m - 1) / (alpha - 1) = 1 + alpha + ... + alpha^{m-1} is not negative, and ceil(x)
exceeds x by t / (1 + t) for some t >= 0.

Source: BDP-EQ14
"""

from __future__ import annotations

from typing import Any

from banditproof.theory.numbers.numeric import SYMBOL, least_integer, ratio, system
from banditproof.theory.numbers.term import finite_as, quantity


@finite_as(lambda alpha, m: alpha**m / (alpha - 1))
def geometric_sum(alpha: Any, m: Any) -> Any:
    """(alpha^m - 1) / (alpha - 1) = 1 + alpha + ... + alpha^(m - 1)."""
    if system(alpha, m) != SYMBOL:
        return ratio(alpha**m - 1, alpha - 1)
    import sympy

    ahead, count = sympy.sympify(m).as_coeff_Add()
    value = sympy.Function("quotient", nonnegative=True, integer=alpha.is_integer)(count) if count else sympy.S.Zero
    for _ in range(ahead):
        value = 1 + alpha * value
    return value


@quantity
def geometric_power(alpha: Any, m: Any) -> Any:
    """alpha^m, in symbols through the sum of the powers below it."""
    return 1 + (alpha - 1) * geometric_sum(alpha, m) if system(alpha, m) == SYMBOL else alpha**m


def quotient(alpha: Any, m: Any, ahead: int = 0) -> Any:
    """(alpha^(m + ahead) - 1) / (alpha - 1)."""
    return geometric_sum(alpha, m + ahead)


def power(alpha: Any, m: Any, ahead: int = 0) -> Any:
    """alpha^(m + ahead)."""
    return geometric_power(alpha, m + ahead)


def ceiling(x: Any) -> Any:
    """The smallest integer at or above x."""
    return (x if x.is_integer else x + excess(x)) if system(x) == SYMBOL else least_integer(x)


def excess(x: Any) -> Any:
    """ceil(x) - x in symbols: t / (1 + t) with an unknown t >= 0, which reaches every value in [0, 1)."""
    import sympy

    t = sympy.Function("t", nonnegative=True)(x)
    return t / (1 + t)


def room(x: Any) -> Any:
    """1 - (ceil(x) - x) > 0 in symbols."""
    import sympy

    return 1 / (1 + sympy.Function("t", nonnegative=True)(x))
