"""Symbols with assumptions, for the arguments of symbolic proofs, and expressions settled by what is assumed."""

from __future__ import annotations

from typing import Any

from banditproof.theory.numbers.numeric import SYMBOL, exp, interior, log, sqrt, system


def real(names: str) -> Any:
    """Real symbols, one for a single name."""
    import sympy

    return sympy.symbols(names, real=True)


def positive(names: str) -> Any:
    """Positive symbols, one for a single name."""
    import sympy

    return sympy.symbols(names, positive=True)


def nonnegative(names: str) -> Any:
    """Nonnegative symbols, one for a single name."""
    import sympy

    return sympy.symbols(names, nonnegative=True)


def factored(expression: Any) -> Any:
    import sympy

    return sympy.factor(sympy.together(expression))


def abs_of(expression: Any) -> Any:
    """|expression|, with the sign settled by the assumptions on the symbols."""
    expression = factored(expression)
    return expression if expression.is_nonnegative else -expression if expression.is_nonpositive else abs(expression)


def split_log(argument: Any) -> Any:
    """log of a rational expression as a sum of logs of its factors."""
    import sympy

    return sympy.expand_log(sympy.log(factored(argument)))


def settled(expression: Any, apart: bool = False) -> Any:
    """A SymPy expression with its branches chosen by the assumptions on its symbols and its logs split; else unchanged.

    `apart` lets pieces that hold at single points (`Eq`) go; otherwise a branch that stays open raises ValueError.
    """
    import sympy
    from sympy.core.relational import Relational

    if system(expression) != SYMBOL:
        return expression

    def choose(relation: Any) -> Any:
        decided = relation.func(_difference(relation.lhs, relation.rhs), 0)
        if decided in (sympy.true, sympy.false):
            return decided
        if apart:
            return relation
        raise ValueError(f"the assumptions do not settle {relation}")

    expression = interior(expression) if apart else expression
    expression = expression.replace(lambda e: isinstance(e, Relational), choose)
    expression = expression.replace(lambda e: isinstance(e, sympy.Max | sympy.Min), _settled_extremum)
    return expression.replace(sympy.Abs, abs_of).replace(sympy.log, split_log)


def _difference(left: Any, right: Any) -> Any:
    """left - right in a form whose sign SymPy sees: factored, or a sum of logs."""
    import sympy

    difference = sympy.sympify(left) - sympy.sympify(right)
    return sympy.expand(difference.replace(sympy.log, split_log)) if difference.has(sympy.log) else factored(difference)


def _settled_extremum(extremum: Any) -> Any:
    import sympy

    best, *rest = extremum.args
    for other in rest:
        difference = _difference(best, other)
        first = difference.is_nonnegative if isinstance(extremum, sympy.Max) else difference.is_nonpositive
        second = difference.is_nonpositive if isinstance(extremum, sympy.Max) else difference.is_nonnegative
        if not (first or second):
            return extremum
        best = best if first else other
    return best


class Formula:
    """A SymPy expression as a function of its symbols, for numbers, balls and symbols alike."""

    def __init__(self, symbols: Any, expression: Any) -> None:
        import sympy

        self.of = sympy.lambdify(symbols, expression, [{"exp": exp, "log": log, "sqrt": sqrt}])

    def __call__(self, *values: Any) -> Any:
        return self.of(*values)
