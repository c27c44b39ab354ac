"""False variants of a statement, made from its term: what a check has to notice.

Each changes one thing where it stands: a summand, factor or divisor is gone, a power is another, a root or logarithm is
missing, a minimum is a maximum, arguments are exchanged, a branch holds everywhere, a number is twice as large, a side
a tenth, an inequality is strict or turned round. Some of them are true: only a point at which one fails shows that it
is false.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import isinf

from banditproof.theory.numbers.term import Term, children, fn, number, parts, substituted, tidied, var, variables
from banditproof.verify.proof.domain import Interval
from banditproof.verify.proof.statement import Statement

TENTH, TWICE = Fraction(11, 10), Fraction(2)
STRICT = {"<=": "<", ">=": ">"}
REVERSED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
MOST_SHAPES = 40

Variant = tuple[str, Statement]


def sizes(statement: Statement, factor: Fraction = TENTH) -> Iterator[Variant]:
    """The side that bounds made tighter by a factor, or either side of an equality made larger."""
    left, operator, right = statement.left, statement.operator, statement.right
    by = f"{float(factor):g}"
    if operator in ("<=", "<", "=="):
        yield f"left side times {by}", _with(statement, left * factor, right)
    if operator in (">=", ">", "=="):
        yield f"right side times {by}", _with(statement, left, right * factor)


def orders(statement: Statement) -> Iterator[Variant]:
    """The operator made strict, and turned round."""
    for said, others in (("strict", STRICT), ("turned round", REVERSED)):
        if statement.operator in others:
            operator = others[statement.operator]
            yield said, Statement(statement.domain, statement.left, operator, statement.right)


def shapes(statement: Statement) -> Iterator[Variant]:
    """The statement with one part of a side changed, both sides from the outside in."""
    seen = {(statement.left, statement.right)}
    left, right = tidied(statement.left), tidied(statement.right)
    counts = {n for n, s in statement.domain.variables if isinstance(s, Interval) and s.integer}
    described = set(map(var, statement.described))
    for side, term in (("left", left), ("right", right)):
        for said, part, other in islice(_changes(term, counts, described), MOST_SHAPES):
            changed = tidied(substituted(term, {part: other}))
            sides = (changed, right) if side == "left" else (left, changed)
            if sides not in seen:
                seen.add(sides)
                yield f"{said} ({side})", _with(statement, *sides)


def _with(statement: Statement, left: Term, right: Term) -> Statement:
    return Statement(statement.domain, left, statement.operator, right)


def _changes(term: Term, counts: set[str], described: set[Term]) -> Iterator[tuple[str, Term, Term]]:
    """What can be changed in a term: in words, a part of it, and what takes its place."""
    for part in parts(term):
        for said, other in _others(part) if described.isdisjoint(children(part)) else ():
            if other is not part:
                yield said, part, other
    for name in sorted(variables(term) & counts):
        yield f"{name} + 1 for {name}", var(name), var(name) + 1
        yield f"{name} - 1 for {name}", var(name), var(name) - 1


def _others(t: Term) -> Iterator[tuple[str, Term]]:
    inside = list(children(t))
    match t.op:
        case "add" | "sub":
            first, second = inside
            yield f"without {_short(second)}", first
            if not _is_zero(first):
                yield f"without {_short(first)}", second if t.op == "add" else -second
        case "mul":
            first, second = inside
            yield f"without the factor {_short(second)}", first
            yield f"without the factor {_short(first)}", second
        case "div":
            yield f"not divided by {_short(inside[1])}", inside[0]
        case "pow":
            base, exponent = inside
            yield f"power of {_short(base)} one more", base ** _sum(exponent, 1)
            yield f"power of {_short(base)} one less", base ** _sum(exponent, -1)
        case "where":
            yield "the first branch everywhere", inside[2]
            yield "the second branch everywhere", inside[3]
        case "quantity":
            yield from _of_a_quantity(t.args[0], inside)
        case "fn":
            yield from _of_a_function(t.args[0], inside)
        case "num" if isinstance(t.args[0], Fraction) and t.args[0]:
            value = t.args[0]
            for other in (value * TWICE, value / TWICE):
                yield f"{other} for {value}", Term("num", other)


def _of_a_function(name: str, inside: list[Term]) -> Iterator[tuple[str, Term]]:
    if name in ("min", "max"):
        other = "max" if name == "min" else "min"
        yield f"{other} for {name}", fn(other, *inside)
        yield f"only {_short(inside[0])} of a {name}", inside[0]
        yield f"only {_short(inside[1])} of a {name}", inside[1]
    elif name == "sqrt":
        yield f"{_short(inside[0])} without its root", inside[0]
    elif name == "log":
        yield f"root of log {_short(inside[0])}", fn("sqrt", fn("log", inside[0]))
        yield f"1 for log {_short(inside[0])}", number(1)
    elif name == "exp":
        yield f"exp of half of {_short(inside[0])}", fn("exp", inside[0] / 2)


def _of_a_quantity(name: str, inside: list[Term]) -> Iterator[tuple[str, Term]]:
    if len(inside) > 1:
        first, second, *rest = inside
        yield f"arguments of {name} exchanged", Term("quantity", name, second, first, *rest)
    if name == "d_epsilon":
        x, y, epsilon = inside
        cheaper = fn("min", Term("quantity", "kl_bernoulli", x, y), epsilon * abs(x - y))
        yield "min(kl, epsilon gap) for d_epsilon", cheaper


def _sum(term: Term, more: int) -> Term:
    exact = term.op == "num" and not isinf(term.args[0])
    return number(term.args[0] + more) if exact else term + more


def _is_zero(term: Term) -> bool:
    return term.op == "num" and term.args[0] == 0


def _short(term: Term) -> str:
    shown = str(term)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
