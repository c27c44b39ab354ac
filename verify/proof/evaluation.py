"""Terms evaluated: compiled to straight-line Python, which takes every number system and rounds no exact number."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers import numeric
from banditproof.theory.numbers.numeric import BALL, SERIES, Infinity, exactly, system, to_ball
from banditproof.theory.numbers.term import Term, kept, parts, quantity_named, source, sum_below, variables

MOST_BITS = 4_000_000  # of a power that is taken exactly


class NoValue(ZeroDivisionError):
    """A quantity is asked for outside of its domain: as after a division by zero there is no number."""


def formula_of(relation: Callable[..., Any]) -> tuple[Term, str, Term] | None:
    """Both sides and the operator of a relation that is compiled from its term; None for a program."""
    return getattr(relation, "formula", None)


@lru_cache(8192)
def compiled(names: tuple[str, ...], left: Term, operator: str, right: Term) -> Callable[..., Any]:
    """A relation of the named variables that computes two terms; equal terms give the same function."""
    function = _function(names, (left, right), f"{{}}, {operator!r}, {{}}")
    function.formula = (left, operator, right)  # type: ignore[attr-defined]
    return function


def value_at(term: Term, point: Mapping[str, Any]) -> Any:
    """The value of a term for the numbers of its variables: exact, or in balls, series or symbols as they are."""
    names, value = _value(term)
    with exactly():
        return value(*[_exact(point[n]) for n in names])


@lru_cache(2048)
def _value(term: Term) -> tuple[tuple[str, ...], Callable[..., Any]]:
    """The names of its variables in order, and its value as a function of them."""
    names = tuple(sorted(variables(term)))
    return names, _function(names, (term,), "{}")


def _function(names: tuple[str, ...], terms: tuple[Term, ...], answer: str) -> Callable[..., Any]:
    """A function of the named variables that computes terms and answers with them."""
    lines, values, numbers = source(terms)
    constants = {name: _exact(value) for name, value in numbers.items()}
    body = "".join(f"    {line}\n" for line in [*lines, f"return {answer.format(*values)}"])
    used = {t.args[0] for term in terms for t in parts(term) if t.op == "quantity"}
    space = {**FUNCTIONS, **{f"{name}_": _with_slope(quantity_named(name)) for name in used}, **constants}
    unused = [n for n in names if n not in frozenset().union(*map(variables, terms))]
    first = min((names.index(n) for n in unused), default=len(names))  # which a point may leave out
    given = [*names[:first], *(f"{name}=None" for name in names[first:])]
    exec(compile(f"def relation({', '.join(given)}):\n{body}", "<statement>", "exec"), space)
    relation: Callable[..., Any] = space["relation"]
    return relation


def is_ball(value: Any) -> bool:
    """Whether a value is a ball of flint: not by its name, as whoever compares in its own way is none."""
    flint = sys.modules.get("flint")
    return flint is not None and type(value) is flint.arb


def _is_rounded(value: Any) -> bool:
    """Whether a value is a finite float, as Python's quotient of ints is."""
    return isinstance(value, float) and math.isfinite(value)


def _is_inexact(value: Any) -> bool:
    """Whether a ball stands for more than one number."""
    return is_ball(value) and not value.is_exact() and not value.is_nan()


MOST_REMEMBERED = 100_000  # values: a proof by boxes comes to no box twice
_REMEMBERED: dict[Any, Any] | None = None


@contextmanager
def remembering() -> Iterator[None]:
    """Within it, a quantity is computed once for the same arguments: for many statements at the same points."""
    global _REMEMBERED
    before = _REMEMBERED
    _REMEMBERED = {} if before is None else before
    try:
        yield
    finally:
        _REMEMBERED = before


def _as_now() -> tuple[int, int | None]:
    """What values depend on besides arguments: what exact numbers count as, and the precision of balls."""
    flint = sys.modules.get("flint")
    return system(0), flint and flint.ctx.prec


def _exactly_known(value: Any) -> Any:
    """An argument of a quantity as a key: a ball by its middle and its radius; None for what may print as another."""
    if is_ball(value) and value.is_finite():
        return value.mid().man_exp(), value.rad().man_exp()
    if type(value) in (list, tuple):
        known = tuple(map(_exactly_known, value))
        return None if None in known else (type(value), known)
    return (type(value), value) if isinstance(value, int | float | Fraction | str) else None


def _with_slope(quantity: Callable[..., Any]) -> Callable[..., Any]:
    """A quantity on balls that stay in its domain, with a slope where a series is given.

    What a ball has outside of a domain `theory` cuts off, as rounding may put it there; here no value stands for it,
    so the ends are given too, however close they are, or `asked` of those that can be asked. Raises NoValue for exact
    numbers outside, and TypeError where a series gives neither a series nor one number for the whole ball.
    """

    asked = getattr(quantity, "asked", quantity)

    def valued(*given: Any) -> Any:
        known = [_exactly_known(value) for value in given] if _REMEMBERED is not None else [None]
        if _REMEMBERED is None or None in known:
            return computed(*given)
        key = (quantity.__name__, _as_now(), *known)
        if key in _REMEMBERED:
            return _REMEMBERED[key]
        value = computed(*given)
        if len(_REMEMBERED) < MOST_REMEMBERED:
            _REMEMBERED[key] = value
        return value

    def computed(*given: Any) -> Any:
        inexact = any(map(_is_inexact, given))
        try:
            value = quantity(*given)
            if _is_rounded(value):
                value = quantity(*map(to_ball, given))
            for end in ("lower", "upper") if inexact else ():  # all at once: each is looked at by itself
                asked(*(getattr(one, end)() if _is_inexact(one) else one for one in given))
        except InvalidInput as why:
            if SERIES in map(system, given):  # a nan would keep the slopes of what it is added to
                raise TypeError(f"{quantity.__name__} has no Taylor form: {why}") from why
            if not inexact:
                raise NoValue(str(why)) from why
            return to_ball("nan")
        flat = isinstance(value, int | Fraction) or (system(value) == BALL and value.is_exact())
        if SERIES in map(system, given) and not flat and system(value) != SERIES:
            raise TypeError(f"{quantity.__name__} has no Taylor form")
        return value

    return valued


def _comb(n: Any, k: Any) -> int:
    """The binomial coefficient of two counts, which may be given as balls. Raises NoValue for other numbers."""
    whole = [int(v.unique_fmpz()) if is_ball(v) and v.is_integer() else v for v in (n, k)]
    if any(isinstance(v, int | Fraction) and (v < 0 or int(v) != v) for v in whole):
        raise NoValue(f"comb({n}, {k}) of numbers that are not counts")
    if not all(isinstance(v, int | Fraction) for v in whole):
        raise ValueError(f"comb({n}, {k}) of a ball that contains other numbers than a count")
    return math.comb(*map(int, whole))


def _power(base: Any, exponent: Any) -> Any:
    """A power: of exact numbers exact where it is rational, else a ball."""
    if isinstance(base, int | Fraction) and isinstance(exponent, int | Fraction):
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if exponent.denominator != 1 or abs(exponent) * size > MOST_BITS:
            return to_ball(base) ** to_ball(exponent)
        return (base if isinstance(base, int) and exponent >= 0 else Fraction(base)) ** int(exponent)
    if exponent == 0 if isinstance(exponent, int | Fraction) else is_ball(exponent) and exponent.is_zero():
        return base * 0 + 1  # of what has no value, no value
    if is_ball(base) and isinstance(exponent, int | Fraction) and exponent in _SQUARES:
        squares = [numeric.square(base)] * _SQUARES[int(exponent)]  # flint's power is nan for a ball around 0
        return prod(squares, start=base if exponent % 2 else to_ball(1))
    return base**exponent


def _where_defined(asked: Any, value: Callable[[], Any]) -> Any:
    """A value, where what is asked has one too."""
    return to_ball("nan") if is_ball(asked) and asked.is_nan() else value()


_SQUARES = {n: n // 2 for n in range(2, 65)}  # in a whole power


# What a compiled formula calls, by the name of the node and an underscore.
FUNCTIONS: dict[str, Any] = {
    **{
        f"{name}_": getattr(numeric, name)
        for name in ("log", "log1p", "exp", "expm1", "sqrt", "atan", "sin", "cos", "ratio", "where")
    },
    **{"min_": numeric.minimum, "max_": numeric.maximum, "abs_": numeric.absolute, "total_": sum_below, "kept_": kept},
    **{"ceil_": numeric.least_integer, "floor_": lambda x: -numeric.least_integer(-x), "comb_": _comb},
    "power_": _power,
    "given_": _where_defined,
}


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Call a relation (or another function of variables and constants) with those of the named arguments it takes.

    No number is rounded on the way: where ``theory`` would take ints for floats it takes them for balls.
    """
    wanted = _parameter_names(function)
    if wanted is not None:
        arguments = {name: value for name, value in arguments.items() if name in wanted}
    if formula_of(function):
        arguments = {name: _exact(value) for name, value in arguments.items()}
    with exactly(BALL):
        return function(**arguments)


@lru_cache(8192)
def _parameter_names(function: Callable[..., Any]) -> frozenset[str] | None:
    """The names of what a function takes; None where it takes any."""
    parameters = inspect.signature(function).parameters
    return None if any(p.kind is p.VAR_KEYWORD for p in parameters.values()) else frozenset(parameters)


def _exact(value: Any) -> Any:
    """A value as a formula computes with it: an infinity beside exact numbers gives no float."""
    return Infinity(value) if type(value) is float and math.isinf(value) else value
