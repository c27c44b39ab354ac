"""Geometric sums and ceilings in rationals, in balls and in symbols.

In rationals and balls the formulas are evaluated as they are printed. In symbols they use two facts for all real
alpha > 1 at once: the quotient (alpha^m - 1) / (alpha - 1) = 1 + alpha + ... + alpha^{m-1} is not negative, and ceil(x)
exceeds x by t / (1 + t) for some t >= 0.

Source: BDP-EQ14
"""

from __future__ import annotations

from typing import Any

from banditproof.theory.numbers.numeric import SYMBOL, least_integer, ratio, system


def quotient(alpha: Any, m: Any, ahead: int = 0) -> Any:
    """(alpha^(m + ahead) - 1) / (alpha - 1)."""
    if system(alpha, m) != SYMBOL:
        return ratio(alpha ** (m + ahead) - 1, alpha - 1)
    import sympy

    value = sympy.Function("quotient", nonnegative=True, integer=alpha.is_integer)(m)
    for _ in range(ahead):
        value = 1 + alpha * value
    return value


def power(alpha: Any, m: Any, ahead: int = 0) -> Any:
    """alpha^(m + ahead), in symbols through its quotient."""
    return 1 + (alpha - 1) * quotient(alpha, m, ahead) if system(alpha, m) == SYMBOL else alpha ** (m + ahead)


def ceiling(x: Any) -> Any:
    """The smallest integer at or above x."""
    if system(x) == SYMBOL:
        return x if x.is_integer else x + excess(x)
    return least_integer(x)


def excess(x: Any) -> Any:
    """ceil(x) - x in symbols: t / (1 + t) with an unknown t >= 0, which reaches every value in [0, 1)."""
    import sympy

    t = sympy.Function("t", nonnegative=True)(x)
    return t / (1 + t)


def room(x: Any) -> Any:
    """1 - (ceil(x) - x) > 0 in symbols."""
    import sympy

    return 1 / (1 + sympy.Function("t", nonnegative=True)(x))
