"""Partial derivatives of a quantity: those of a formula that is equal to it around the argument.

An argument moves in a closed set of numbers, and a derivative at an end of that set is the one-sided one. Where the
branches of the formula meet, at a point p, it is one of two functions at every point near p. If both have one value and
one slope at p, then this is its slope, whichever of them it is where. So a kink or a jump leaves a goal that is false.
Elsewhere one branch holds around the point, since the sides of its condition are continuous.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, isinf
from typing import Any

from banditproof.theory.numbers.term import Term, number, parts, slope_of_node, variables
from banditproof.verify.proof.domain import Interval, as_set
from banditproof.verify.proof.formulas import Refused

PARTIAL: dict[str, tuple[str, int, Interval]] = {
    "d_epsilon_dx": ("d_epsilon", 0, Interval(Fraction(0), Fraction(1))),
    "d_epsilon_dy": ("d_epsilon", 1, Interval(Fraction(0), Fraction(1))),
    "d_epsilon_depsilon": ("d_epsilon", 2, Interval(Fraction(0), inf, False, True)),
}
"""For partial derivatives: of which quantity, in which argument, and where that argument moves."""

Branch = tuple[str, Term, Term, bool]  # a condition, and whether it holds
_CLOSED = {"<": ("<=", ">="), "<=": ("<=", ">="), ">": (">=", "<="), ">=": (">=", "<=")}


def around(data: Any, where: Interval) -> Interval:
    """An interval of reals that is a neighbourhood, within `where`, of each of its points. Raises Refused."""
    values = as_set(data)
    if not isinstance(values, Interval) or values.integer or not where.covers_piece(values):
        raise Refused("no interval of values that the argument takes")
    ends = (values.lower, values.lower_open, where.lower), (values.upper, values.upper_open, where.upper)
    if any(not is_open and (end != last or isinf(end)) for end, is_open, last in ends):
        raise Refused("an interval that ends at one of its points")
    return values


def slope_in(formula: Term, x: Term) -> tuple[Term, list[Term]]:
    """The derivative of a formula in a variable, and what has to be 0 for it: where branches meet, how they differ.

    Raises Refused for what is neither an elementary function nor a branch between such.
    """
    for p in parts(formula):
        if not _has_rule(p, x):
            raise Refused(f"no rule for the derivative of {str(p)[:80]}")
    seams: dict[Term, None] = {}
    return _slope(formula, x, (), seams), list(seams)


def _has_rule(t: Term, x: Term) -> bool:
    """Whether a node is a number, or continuous where it has a value, with a derivative that is a formula."""
    if t.op == "num":
        return isinstance(t.args[0], Fraction)
    if not _moves(t, x):
        return True
    if t.op == "where":
        moving = [p for side in t.args[1:3] for p in parts(side) if _moves(p, x)]
        return not moving or t.args[0] != "==" and all(p.op != "where" for p in moving)
    if t.op == "pow":
        return t.args[1].op == "num"
    return t.op in ("var", "add", "sub", "mul", "div", "neg") or t.op == "fn" and t.args[0] in ("exp", "log")


def _moves(t: Term, x: Term) -> bool:
    return x.args[0] in variables(t)


def _slope(t: Term, x: Term, path: tuple[Branch, ...], seams: dict[Term, None]) -> Term:
    """The derivative of what is computed under the conditions of a path."""
    if t is x or not _moves(t, x):
        return number(1 if t is x else 0)
    if t.op != "where":
        return slope_of_node(t, x, lambda part: _slope(part, x, path, seams))
    sign, left, right, then, otherwise = t.args
    meet = _moves(left, x) or _moves(right, x)
    if meet:  # where they do, the slope of either branch is asked for
        chosen, other = ((weak, left, right, True) for weak in _CLOSED[sign])
    else:
        chosen, other = ((sign, left, right, holds) for holds in (True, False))
    slopes = _slope(then, x, (*path, chosen), seams), _slope(otherwise, x, (*path, other), seams)
    if meet:
        for gap in (then - otherwise, slopes[0] - slopes[1]):
            seams[_under((*path, ("==", left, right, True)), gap)] = None
    return Term("where", sign, left, right, *slopes)


def _under(path: tuple[Branch, ...], gap: Term) -> Term:
    """The gap under the conditions of a path, and 0 elsewhere."""
    for sign, left, right, holds in reversed(path):
        gap = Term("where", sign, left, right, *((gap, number(0)) if holds else (number(0), gap)))
    return gap
