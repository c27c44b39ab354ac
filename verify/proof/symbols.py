"""Symbols with assumptions, ceilings of them, and expressions settled by what is assumed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import SYMBOL, exp, interior, least_integer, log, sqrt, system

os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")  # read when SymPy is imported; proofs outgrow its own 1000


@cache
def corrected() -> None:
    """Take from SymPy two shortcuts that are wrong. Everything that asks for signs calls this first.

    The sign of 1/(m n) - c, read off at the smallest counts m and n: it holds for polynomials only, and for a single
    symbol. And that 2^k/6 is whole: the powers of two are counted, the 3 is forgotten.
    """
    import sympy
    from sympy.core import exprtools

    shortcut = exprtools._monotonic_sign

    def sign(expression: Any) -> Any:
        return None if len(expression.free_symbols) > 1 and not expression.is_polynomial() else shortcut(expression)

    exprtools._monotonic_sign = sign
    whole_product = sympy.Mul._eval_is_integer

    def whole(self: Any) -> bool | None:
        coefficient, factors = self.as_coeff_mul()
        below = coefficient.q if coefficient.is_Rational else 0
        power_of_two = below > 0 and below & (below - 1) == 0
        return whole_product(self) if power_of_two and all(f.is_integer for f in factors) else None

    product: Any = sympy.Mul
    product._eval_is_integer = product._prop_handler["integer"] = whole


@checked
def real(names: str) -> Any:
    """Real symbols, one for a single name."""
    return _symbols(names, real=True)


@checked
def positive(names: str) -> Any:
    """Positive symbols, one for a single name."""
    return _symbols(names, positive=True)


@checked
def nonnegative(names: str) -> Any:
    """Nonnegative symbols, one for a single name."""
    return _symbols(names, nonnegative=True)


def _symbols(names: str, **assumed: Any) -> Any:
    import sympy

    corrected()
    try:
        return sympy.symbols(names, **assumed)
    except ValueError:
        raise InvalidInput("names", names, "names, separated by commas or spaces") from None


@lru_cache(8192)
def factored(expression: Any) -> Any:
    """One quotient of products; the same parts come back in every regime of a formula."""
    import sympy

    return sympy.factor(sympy.together(expression))


def abs_of(expression: Any) -> Any:
    """|expression|, with the sign settled by the assumptions on the symbols."""
    expression = factored(expression)
    return expression if expression.is_nonnegative else -expression if expression.is_nonpositive else abs(expression)


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


@lru_cache(8192)
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


def has(expression: Any, need: str, nonzero: frozenset[Any] = frozenset()) -> bool:
    """Whether an expression satisfies an assumption by the form of it; with what is known not to be zero."""
    attribute = f"is_{need}"
    if any(getattr(form, attribute, None) for form in _forms(expression)):
        return True
    if need != "nonzero":
        return False
    return all(f in nonzero or f.is_nonzero or _has_no_real_root(f) for f in factors(expression))


def _has_no_real_root(expression: Any) -> bool:
    """Whether an expression is quadratic in some symbol, with a discriminant that is negative by its form."""
    import sympy

    quadratic = (sympy.Poly(expression, s) for s in expression.free_symbols if expression.is_polynomial(s))
    return any(q.degree() == 2 and factored(q.discriminant()).is_negative for q in quadratic)


def _forms(expression: Any) -> Iterator[Any]:
    """An expression as it stands, factored, expanded, and with exp(-s) as 1/(1+t), one after the other."""
    import sympy

    yield expression
    yield factored(expression)
    yield sympy.expand(expression)
    if expression.has(sympy.exp):
        growth = {s: sympy.log(1 + sympy.Dummy(positive=True)) for s in expression.free_symbols if s.is_positive}
        yield factored(expression.subs(growth))


def factors(expression: Any, vanishing: bool = False) -> frozenset[Any]:
    """The factors of the numerator of an expression without their powers, each with its leading sign made the same.

    `vanishing` leaves those with which the expression vanishes: where y may be 0, x^y is 1 for x = 0.
    """
    import sympy

    numerator, _ = sympy.fraction(factored(expression))
    powers = (factor.as_base_exp() for factor in sympy.Mul.make_args(numerator))
    bases = (base for base, exponent in powers if exponent.is_positive or not vanishing)
    return frozenset(-base if base.could_extract_minus_sign() else base for base in bases)
