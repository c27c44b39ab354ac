"""Geometric sums in rationals, in balls and in symbols.

In rationals and balls the formulas are evaluated as they are printed. In symbols they use one fact for all real
alpha > 0 and all counts m at once: the quotient (alpha^m - 1) / (alpha - 1) = 1 + alpha + ... + alpha^{m-1} is not
negative. Elsewhere they are no formula.

Source: BDP-EQ14
"""

from __future__ import annotations

from typing import Any

from banditproof.theory.numbers.numeric import SYMBOL, ratio, system
from banditproof.theory.numbers.term import NoTerm, finite_as, quantity


@finite_as(lambda alpha, m: alpha**m / (alpha - 1))
def geometric_sum(alpha: Any, m: Any) -> Any:
    """(alpha^m - 1) / (alpha - 1) = 1 + alpha + ... + alpha^(m - 1)."""
    if system(alpha, m) != SYMBOL:
        return ratio(alpha**m - 1, alpha - 1)
    import sympy

    alpha, m = sympy.sympify(alpha), sympy.sympify(m)
    ahead, count = m.as_coeff_Add()
    if not (ahead.is_integer and ahead >= 0):
        ahead, count = sympy.S.Zero, m
    if not (alpha.is_positive and count.is_integer and count.is_nonnegative):
        raise NoTerm(f"the sum of the powers of {alpha} below {count}: of a positive number, below a count")
    quotient = sympy.Function("quotient", nonnegative=True, integer=alpha.is_integer)
    value = quotient(alpha, count) if count else sympy.S.Zero
    for _ in range(int(ahead)):
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
