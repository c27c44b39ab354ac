"""Statements: what a relation says, as a term. Its body is called once, on variables, and nothing reads its source.

A statement is for all variables of a domain: left operator right. It is printed, evaluated, compared and hashed as it
stands. A body that asks a variable for something that only a number can answer is a program there, and ``trace`` says
what it asked.
"""

from __future__ import annotations

import inspect
import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from keyword import iskeyword
from math import prod
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers import numeric
from banditproof.theory.numbers.numeric import BALL, SERIES, TERM, exactly, system, to_ball
from banditproof.theory.numbers.term import (
    SIGNS_OF_TEX,
    NoTerm,
    Term,
    from_nodes,
    number,
    parts,
    quantity_named,
    source,
    tex,
    text,
    tidied,
    to_nodes,
    total,
    var,
    variables,
)
from banditproof.verify.proof.domain import Domain, Everything

OPERATORS = ("<", "<=", "==", ">=", ">", "!=")
_NAME = re.compile(r"[A-Za-z](\w*[A-Za-z0-9])?", re.ASCII)  # of a variable
NAMED = "term:"  # the name of a formula in evidence is the formula itself
LARGEST_POWER = 100_000  # that is taken exactly
MOST_CHARACTERS = 200_000  # of it, from whoever hands it in


@dataclass(frozen=True)
class Statement:
    """For all variables of `domain`: `left` `operator` `right`."""

    domain: Domain
    left: Term
    operator: str
    right: Term

    def __str__(self) -> str:
        return f"{text(tidied(self.left))} {self.operator} {text(tidied(self.right))}"

    @property
    def tex(self) -> str:
        """Both sides as LaTeX, without the dollars."""
        sign = SIGNS_OF_TEX.get(self.operator, self.operator)
        return f"{tex(tidied(self.left))}{sign}{tex(tidied(self.right))}"

    @property
    def key(self) -> str:
        """A hash of the statement with its domain: equal for equal statements, whatever code they came from."""
        return sha256(f"for all {self.domain}: {self}".encode()).hexdigest()[:24]

    @property
    def nodes(self) -> int:
        """How many different nodes both sides have."""
        return len({*parts(self.left), *parts(self.right)})

    @property
    def unused(self) -> frozenset[str]:
        """The variables of the domain that neither side names."""
        return frozenset(n for n, _ in self.domain.variables) - variables(self.left) - variables(self.right)

    @cached_property
    def relation(self) -> Callable[..., tuple[Any, str, Any]]:
        """The statement as a function of the numbers among its variables, on every number system."""
        names = tuple(n for n, values in self.domain.variables if not isinstance(values, Everything))
        return compiled(names, tidied(self.left), self.operator, tidied(self.right))


def formula_of(relation: Callable[..., Any]) -> tuple[Term, str, Term] | None:
    """Both sides and the operator of a relation that is compiled from its term; None for a program."""
    return getattr(relation, "formula", None)


def name_of_formula(relation: Callable[..., Any]) -> str | None:
    """How evidence names a relation that is compiled from its term: by the term; None for a program."""
    if (found := formula_of(relation)) is None:
        return None
    left, operator, right = found
    nodes, ends = to_nodes([left, right])
    said = {"of": list(inspect.signature(relation).parameters), "nodes": nodes, "sides": ends, "operator": operator}
    return NAMED + json.dumps(said, separators=(",", ":"), ensure_ascii=False)


def formula_named(name: str) -> Callable[..., Any]:
    """The relation whose term a name of evidence is. Raises InvalidInput for what is none."""
    refused = InvalidInput("formula in evidence", name[:100], "a term: names, nodes, two sides and an operator")
    if len(name) > MOST_CHARACTERS:
        raise refused
    try:
        said = json.loads(name.removeprefix(NAMED))
        names, operator = said["of"], said["operator"]
        left, right = from_nodes(said["nodes"], said["sides"])
        good = all(type(n) is str and _NAME.fullmatch(n) and not iskeyword(n) for n in names)
        good = good and len(set(names)) == len(names) and operator in OPERATORS
    except (KeyError, TypeError, ValueError, IndexError, RecursionError, NoTerm) as error:
        raise refused from error
    if not good or not variables(left) | variables(right) <= set(names):
        raise refused
    return compiled(tuple(names), left, operator, right)


@lru_cache(8192)
def compiled(names: tuple[str, ...], left: Term, operator: str, right: Term) -> Callable[..., Any]:
    """A relation of the named variables that computes two terms; equal terms give the same function."""
    lines, sides, constants = source([left, right])
    body = "".join(f"    {line}\n" for line in [*lines, f"return {sides[0]}, {operator!r}, {sides[1]}"])
    used = {t.args[0] for t in (*parts(left), *parts(right)) if t.op == "quantity"}
    space = {**_FUNCTIONS, **{f"{name}_": _with_slope(quantity_named(name)) for name in used}, **constants}
    unused = [n for n in names if n not in variables(left) | variables(right)]
    first = min((names.index(n) for n in unused), default=len(names))  # which a point may leave out
    given = [*names[:first], *(f"{name}=None" for name in names[first:])]
    exec(compile(f"def relation({', '.join(given)}):\n{body}", "<statement>", "exec"), space)
    found: Callable[..., Any] = space["relation"]
    found.formula = (left, operator, right)  # type: ignore[attr-defined]
    return found


def is_ball(value: Any) -> bool:
    """Whether a value is a ball of flint: not by its name, as whoever compares in its own way is none."""
    flint = sys.modules.get("flint")
    return flint is not None and type(value) is flint.arb


def _is_wide(value: Any) -> bool:
    """Whether a ball stands for more than a rounded number."""
    if not is_ball(value) or value.is_exact() or not value.is_finite():
        return False
    import flint

    return bool(value.rad() > to_ball(2) ** (8 - flint.ctx.prec) * (1 + abs(value.mid())))


_REMEMBERED: dict[Any, Any] | None = None


@contextmanager
def remembering() -> Iterator[None]:
    """Within it, a quantity is computed once for the same arguments: for many statements at the same points."""
    global _REMEMBERED
    _REMEMBERED, before = {}, _REMEMBERED
    try:
        yield
    finally:
        _REMEMBERED = before


def _exactly_known(value: Any) -> Any:
    """An argument of a quantity as a key: a ball by its middle and its radius."""
    if is_ball(value) and value.is_finite():
        import flint

        return value.mid().man_exp(), value.rad().man_exp(), flint.ctx.prec
    return type(value), value if isinstance(value, int | float | Fraction) else repr(value)


def _with_slope(quantity: Callable[..., Any]) -> Callable[..., Any]:
    """A quantity on balls that stay in its domain, with a slope where a series is given.

    What a ball has outside of a domain `theory` cuts off, as rounding may put it there; here no value stands for it,
    so the ends are given too. Raises TypeError where a series gives neither a series nor one number for the whole ball.
    """

    def valued(*given: Any) -> Any:
        if _REMEMBERED is None:
            return computed(*given)
        key = (quantity.__name__, *map(_exactly_known, given))
        if key not in _REMEMBERED:
            _REMEMBERED[key] = computed(*given)
        return _REMEMBERED[key]

    def computed(*given: Any) -> Any:
        value = quantity(*given)
        for place, ball in enumerate(given):
            for end in (ball.lower(), ball.upper()) if _is_wide(ball) else ():
                try:
                    quantity(*given[:place], end, *given[place + 1 :])
                except InvalidInput:
                    return to_ball("nan")
        flat = isinstance(value, int | Fraction) or (system(value) == BALL and value.is_exact())
        if SERIES in map(system, given) and not flat and system(value) != SERIES:
            raise TypeError(f"{quantity.__name__} has no Taylor form")
        return value

    return valued


def _comb(n: Any, k: Any) -> int:
    """The binomial coefficient of two counts, which may be given as balls. Raises ValueError for other numbers."""
    whole = [int(v.unique_fmpz()) if is_ball(v) and v.is_integer() else v for v in (n, k)]
    if any(Fraction(v).denominator != 1 or v < 0 for v in whole if isinstance(v, int | Fraction)):
        raise ValueError(f"comb({n}, {k}) of what are no counts")
    return math.comb(*map(int, whole))


def _power(base: Any, exponent: Any) -> Any:
    """A power: of exact numbers exact where it is rational, else a ball."""
    if isinstance(base, int | Fraction) and isinstance(exponent, int | Fraction):
        if isinstance(base, int) and isinstance(exponent, int) and 0 <= exponent <= LARGEST_POWER:
            return base**exponent
        whole = Fraction(exponent).denominator == 1 and abs(exponent) <= LARGEST_POWER
        return Fraction(base) ** int(exponent) if whole else to_ball(base) ** to_ball(exponent)
    if exponent == 0 if isinstance(exponent, int | Fraction) else is_ball(exponent) and exponent.is_zero():
        return base * 0 + 1  # of what has no value, no value
    if is_ball(base) and isinstance(exponent, int | Fraction) and exponent in _SQUARES:
        squares = [numeric.square(base)] * _SQUARES[int(exponent)]  # flint's power is nan for a ball around 0
        return prod(squares, start=base if exponent % 2 else to_ball(1))
    return base**exponent


_SQUARES = {n: n // 2 for n in range(2, 65)}  # in a whole power


_FUNCTIONS: dict[str, Any] = {
    **{
        f"{name}_": getattr(numeric, name)
        for name in ("log", "log1p", "exp", "expm1", "sqrt", "atan", "ratio", "where")
    },
    **{"min_": numeric.minimum, "max_": numeric.maximum, "abs_": numeric.absolute, "total_": total},
    **{"ceil_": numeric.least_integer, "floor_": lambda x: -numeric.least_integer(-x), "comb_": _comb},
    "power_": _power,
}


class Described:
    """A variable that is no number (a policy, a law): whatever a body asks of it, it says so."""

    def __init__(self, name: str, values: Any) -> None:
        object.__setattr__(self, "_said", f"{name} is {values}, which is no number")

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "_said"):
            return object.__getattribute__(self, name)
        raise NoTerm(object.__getattribute__(self, "_said"))


def _asked(self: Described, *_: Any, **__: Any) -> Any:
    raise NoTerm(object.__getattribute__(self, "_said"))


for _name in (
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv pow rpow mod rmod neg abs lt le gt ge eq ne bool "
    "iter len getitem contains call hash index int float str repr format round enter exit"
).split():
    setattr(Described, f"__{_name}__", _asked)


def stating(relation: Callable[..., Any], domain: Domain, constants: Mapping[str, Any]) -> Statement:
    """The statement of a relation, which may be compiled from its term already. Raises NoTerm for a program."""
    if (formula := formula_of(relation)) is not None:
        return Statement(domain, *formula)
    return trace(relation, domain, constants)


def trace(relation: Callable[..., Any], domain: Domain, constants: Mapping[str, Any]) -> Statement:
    """The statement of a relation with its constants, from one call of its body on variables.

    Raises NoTerm where the body asks for more than a formula can, or gives back no two numbers and an operator.
    """
    if bad := [n for n, _ in domain.variables if not _NAME.fullmatch(n)]:
        raise NoTerm(f"the variable {bad[0]}: names with an underscore at an end are the machine's")
    given: dict[str, Any] = {
        n: var(n) if hasattr(values, "ends") else Described(n, values) for n, values in domain.variables
    }
    wanted = inspect.signature(relation).parameters
    arguments = {n: value for n, value in (given | dict(constants)).items() if n in wanted}
    NoTerm.raised.clear()
    with exactly(TERM):
        try:
            found = relation(**arguments)
        except NoTerm:
            raise
        except Exception as error:
            raise NoTerm(f"the body raises {type(error).__name__}: {str(error)[:120]}") from error
    if NoTerm.raised:  # and was caught: the body takes another way where it gets numbers
        raise NoTerm(NoTerm.raised[0])
    if not (isinstance(found, tuple) and len(found) == 3 and found[1] in OPERATORS):
        raise NoTerm("the body gives no (left, operator, right)")
    left, operator, right = found
    if any(isinstance(side, str) for side in (left, right)):
        raise NoTerm("a side is text: a name is no quantity")
    if any(isinstance(side, tuple | list) for side in (left, right)):
        raise NoTerm("a side is a list: one claim for each entry, or a sum over the entries")
    left, right = number(left), number(right)
    if tidied(left).op == tidied(right).op == "num":
        raise NoTerm("no variable is left: the sides are numbers, which a program may have computed")
    return Statement(domain, left, operator, right)
