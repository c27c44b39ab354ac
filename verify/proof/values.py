"""Where a statement has no value: a divisor that is 0, a root or a logarithm of a negative number, as it is printed.

A ball without a value is often only rounding, or a convention that the machine does not know, and shows nothing. So a
side is taken apart at an exact point, part by part, and that a part has no value is said only where exact numbers, or
balls that lie outside altogether, show it. What `theory` gives a value by convention (log 0 = -inf, kl with
0 log 0 = 0, an infinite divergence) has one; 0 times a logarithm is 0; min and max may know what 1/0 is.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.numeric import working_precision
from banditproof.theory.numbers.term import Term, children, is_reviewed, parts, var
from banditproof.verify.proof.compare import as_ball, evaluate, holds
from banditproof.verify.proof.definitions import asks, parameters_of_quantity
from banditproof.verify.proof.evaluation import NoValue, is_ball, value_at
from banditproof.verify.proof.statement import Statement

PRECISION = 300  # bits, of a second look
MOST_BITS, LARGEST_COUNT = 10_000, 10**6  # of an exact number, and of what a quantity may count up to
MOST_SUMMANDS, MOST_SUMS = 60, 8  # of a sum that is taken apart, and of a sum of sums
NOT_EVALUATED = (ArithmeticError, ValueError, TypeError, AttributeError, LookupError)
UNKNOWN = "unknown"
NO_VALUE = "no value"
EXACT = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg}


class Without(ArithmeticError):
    """A part certainly has no value: why, in words. `pole`: it divides by 0, to which some conventions give a limit;
    `logarithm`: of such a pole, which times 0 is 0."""

    def __init__(self, why: str, pole: bool = False, logarithm: bool = False) -> None:
        super().__init__(why)
        self.pole, self.logarithm = pole, logarithm


def no_value_at(statement: Statement, point: Mapping[str, Any]) -> str:
    """Why a side certainly has no value at an exact point; '' where both have one, ``UNKNOWN`` where that is open.

    Quantities of a document are programs, of which nothing is known here.
    """
    if is_read(statement) and _found(statement, point):
        return ""
    sides = [_side(term, point) for term in (statement.left, statement.right)]
    missing = [why for value, why in sides if value is None]
    return missing[0] if missing else UNKNOWN if any(_is_nan(value) for value, _ in sides) else ""


def is_read(statement: Statement) -> bool:
    """Whether a statement has a value at a point that takes no longer than a formula: no sum, no program."""
    every = (t for side in (statement.left, statement.right) for t in parts(side))
    return all(t.op != "total" and (t.op != "quantity" or is_reviewed(t.args[0])) for t in every)


def sides_at(statement: Statement, point: Mapping[str, Any]) -> tuple[Any, Any]:
    """Both sides at a point as far as they are known, ``NO_VALUE`` for one that certainly has none."""
    left, right = (_side(term, point)[0] for term in (statement.left, statement.right))
    return NO_VALUE if left is None else left, NO_VALUE if right is None else right


def _found(statement: Statement, point: Mapping[str, Any]) -> bool:
    """Whether balls have values of both sides."""
    try:
        left, _, right = evaluate(statement.relation, point, {})
    except NOT_EVALUATED:
        return False
    return not (_is_nan(left) or _is_nan(right))


def _side(term: Term, given: Mapping[str, Any]) -> tuple[Any, str]:
    """The value of a side, nan where none is known; None, and why, where it certainly has none."""
    try:
        with working_precision(PRECISION):
            return _value(term, given), ""
    except Without as why:
        return None, str(why)
    except NOT_EVALUATED:
        return _nan(), ""


def _is_nan(value: Any) -> bool:
    return is_ball(value) and value.is_nan()


def _is_zero(value: Any) -> bool:
    """Whether a value is 0 and nothing else."""
    return value.is_zero() if is_ball(value) else value == 0


def _nan() -> Any:
    from flint import arb

    return arb("nan")


def _value(t: Term, given: Mapping[str, Any]) -> Any:
    """The value of a term, nan where none is known. Raises Without where there certainly is none."""
    if t.op == "num":
        return t.args[0]
    if t.op == "var":
        return given[t.args[0]]
    if t.op == "mul":
        return _product(t, given)
    if t.op == "where":
        return _branch(t, given)
    if t.op == "total":
        return _sum(t, given)
    if t.op == "fn" and t.args[0] in ("min", "max"):
        return _extremum(t, given)
    try:
        values = [_value(a, given) for a in children(t)]
    except Without as why:
        of_pole = why.pole and t.op == "fn" and t.args[0] in ("log", "log1p")
        raise Without(str(why), why.pole, why.logarithm or of_pole) from None
    if any(map(_is_nan, values)) or t.op == "quantity" and not is_reviewed(t.args[0]):
        return _nan()
    if why := _outside(t, values):
        raise Without(why, pole=t.op in ("div", "pow") and "0" in why)
    try:
        return _combined(t, values)
    except NoValue:
        if t.op == "quantity" and not isinstance(asked := asks(t.args[0], len(values)), str):
            names = [p.args[0] for p in parameters_of_quantity(t.args[0])]
            try:
                _value(asked, dict(zip(names, values, strict=False)))
            except Without as why:
                raise Without(f"{t.args[0].replace('_', ' ')} outside of its domain: {why}") from None
        raise


def _outside(t: Term, values: Sequence[Any]) -> str:
    """Why a node certainly has no value for values of its parts, or ''."""
    name = t.args[0] if t.op == "fn" else t.op
    last = values[-1]
    if name == "div" and _is_zero(last):
        return "a division by 0"
    if name == "log" and holds(last, "<", 0):
        return "the logarithm of a negative number"
    if name == "log1p" and holds(last, "<", -1):
        return "the logarithm of a negative number"
    if name == "sqrt" and holds(last, "<", 0):
        return "the square root of a negative number"
    if name == "pow":
        base, exponent = values
        if _is_zero(base) and holds(exponent, "<", 0):
            return "a division by 0"
        if isinstance(exponent, Fraction) and exponent.denominator > 1 and holds(base, "<", 0):
            return "a root of a negative number"
    return ""


def _combined(t: Term, values: Sequence[Any]) -> Any:
    """The value of a node for values of its parts."""
    if t.op in EXACT and all(isinstance(v, int | Fraction) and _bits(v) <= MOST_BITS for v in values):
        return EXACT[t.op](*values)  # what compiled code gives as well, a hundred times slower
    names = [f"a{place}" for place in range(len(values))]
    words = [a for a in t.args if not isinstance(a, Term)]
    rounded = t.op == "quantity" or t.op == "pow" and _bits(values[0]) * _size(values[1]) > MOST_BITS
    given = {name: _held(value, rounded) for name, value in zip(names, values, strict=True)}
    return value_at(Term(t.op, *words, *map(var, names)), given)


def _held(value: Any, rounded: bool) -> Any:
    """A whole number as an int; another one as a ball where it is `rounded`, or too long to compute with exactly."""
    if not isinstance(value, int | Fraction):
        return value
    if _bits(value) > MOST_BITS or rounded and (value.denominator != 1 or abs(value) > LARGEST_COUNT):
        return as_ball(value)
    return int(value) if value.denominator == 1 else value


def _bits(value: Any) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length()) if isinstance(value, int | Fraction) else 0


def _size(value: Any) -> Any:
    return abs(value) if isinstance(value, int | Fraction) else 0


def _product(t: Term, given: Mapping[str, Any]) -> Any:
    """A product, in which 0 times a logarithm or an infinity is 0: the convention of entropies."""
    values: list[Any] = []
    without: list[Without] = []
    for a in children(t):
        try:
            values.append(_value(a, given))
        except Without as why:
            without.append(why)
    if without and not (len(without) == 1 and _is_zero(values[0]) and without[0].logarithm):
        raise without[0]
    if any(map(_is_zero, values)) and not any(map(_is_nan, values)):
        return Fraction(0)
    return _nan() if any(map(_is_nan, values)) else _combined(t, values)


def _extremum(t: Term, given: Mapping[str, Any]) -> Any:
    values: list[Any] = []
    for a in children(t):
        try:
            values.append(_value(a, given))
        except Without as why:
            if not why.pole:
                raise
            values.append(_nan())
    return _nan() if any(map(_is_nan, values)) else _combined(t, values)


def _branch(t: Term, given: Mapping[str, Any]) -> Any:
    """The branch that is taken; nan where that is not decided."""
    left, right, then, otherwise = children(t)
    ends = [_value(a, given) for a in (left, right)]
    if then is otherwise:
        return _value(then, given)
    decided = None if any(map(_is_nan, ends)) else holds(ends[0], t.args[0], ends[1])
    return _nan() if decided is None else _value(then if decided else otherwise, given)


def _sum(t: Term, given: Mapping[str, Any]) -> Any:
    """A sum, of which only so many summands are looked at."""
    name, low, high, body = t.args
    ends = [_value(a, given) for a in (low, high)]
    if any(map(_is_nan, ends)):
        return _nan()
    first, beyond = (int(e.unique_fmpz()) if is_ball(e) else int(e) for e in ends)
    counts = range(first, beyond)
    most = MOST_SUMS if any(p.op == "total" for p in parts(body)) else MOST_SUMMANDS
    if beyond - first > most:
        counts = [*counts[: most // 2], *counts[-most // 2 :]]
    values = [_value(body, {**given, name: k}) for k in counts]
    if any(map(_is_nan, values)) or len(counts) < beyond - first:
        return _nan()
    return sum(values, Fraction(0))
