"""Limits and orders, settled by the leading terms of both sides (`leading`)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.answer import Answer
from banditproof.verify.judge.formula import binary, call, name, num, rational
from banditproof.verify.judge.kinds import side_of
from banditproof.verify.judge.leading import Constant, Expansion
from banditproof.verify.judge.lists import as_list, range_as_list
from banditproof.verify.judge.printing import plain
from banditproof.verify.judge.sentence import Expression, Limit, Order, Reading

SHOWN = 2  # terms


def by_leading_terms(reading: Reading) -> Answer | None:
    """The answer where the leading terms of both sides can be computed, and tell; else None."""
    from banditproof.verify.judge.leading import NoValue, Unsure, answer_to

    sentence = reading.sentence
    if not isinstance(sentence, Limit | Order) or (data := _data_of(sentence, reading)) is None:
        return None
    try:
        holds, shown = answer_to(data)
    except (Unsure, NoValue, ArithmeticError, KeyError, ValueError, TypeError, RecursionError):
        return None
    if not holds and reading.conditions:
        return None  # they may exclude the values of other variables for which it fails
    expansion = {**data, "holds": holds}
    said = [f"{words} is {_said(f, sentence, side)}" for side, found in shown for words, f in found]
    why = f"by leading terms: {' and '.join(dict.fromkeys(said))}"
    return Answer("proved" if holds else "refuted", why=why, expansion=expansion)


def _data_of(sentence: Limit | Order, reading: Reading) -> Mapping[str, Any] | None:
    """A limit or an order as the checker of receipts reads it."""
    if isinstance(sentence, Limit):
        left, right, kind = sentence.body, sentence.value, "limit"
    else:
        left, right, kind = sentence.left, sentence.right, sentence.kind
    side = sentence.side or side_of(reading, sentence.name, sentence.to)
    if side is None:
        return None
    infinite = rational(right) in (inf, -inf)
    try:
        return {
            "kind": kind,
            "left": as_list(left),
            "right": as_list(right),
            "name": sentence.name,
            "to": as_list(sentence.to),
            "side": side,
            "infinite": str(rational(right)) if infinite else "",
            "ranges": {name: range_as_list(r) for name, r in reading.ranges.items()},
        }
    except InvalidInput:
        return None


# ------------------------------------------------------------------------------------------------------------ words


def _said(f: Expansion, sentence: Limit | Order, side: int) -> str:
    """The first terms of an expansion, in the variable that moves."""
    x = name(sentence.name)
    if side:
        away = binary("sub", x, sentence.to)
        far = binary("div", num(1), away if side > 0 else _negative(away))
    else:
        far = x if rational(sentence.to) == inf else Expression("neg", (x,))
    rest = f.terms[SHOWN][0] if len(f.terms) > SHOWN else f.rest
    total: Expression | None = None
    for m, c in f.terms[:SHOWN]:
        negative = c.key[0][1] < 0
        term = _times(_constant(-c if negative else c), _monomial(m, far))
        if total is None:
            total = _negative(term) if negative else term
        else:
            total = binary("sub" if negative else "add", total, term)
    said = [plain(total)] if total is not None else []
    if rest is not None:
        said.append(f"O({plain(_monomial(rest, far))})")
    return " + ".join(said) or "0"


def _negative(e: Expression) -> Expression:
    return binary("sub", e.args[1], e.args[0]) if e.head == "sub" else Expression("neg", (e,))


def _times(a: Expression, b: Expression) -> Expression:
    """The product, with a fraction in front and what is divided by at the end."""
    if b.head == "div":
        return binary("div", _times(a, b.args[0]), b.args[1])
    if a.head == "num" and a.args[0].denominator != 1:
        return binary("div", _times(num(a.args[0].numerator), b), num(a.args[0].denominator))
    return binary("mul", a, b)


def _monomial(m: Any, far: Expression) -> Expression:
    above, below = num(1), num(1)
    for unit, c in m:
        e = _unit(unit, far)
        q = c.rational()
        if e.head == "div":  # 1/t for the distance t
            e, q, c = e.args[1], None if q is None else -q, -c
        if q is not None and q < 0:
            below = binary("mul", below, _power(e, -q))
        else:
            above = binary("mul", above, _power(e, q) if q is not None else binary("pow", e, _constant(c)))
    return binary("div", above, below)


def _power(e: Expression, q: Fraction) -> Expression:
    return call("sqrt", e) if q == Fraction(1, 2) else binary("pow", e, num(q))


def _unit(unit: Any, far: Expression) -> Expression:
    if not isinstance(unit, int):
        return call("exp", _monomial(unit[1], far))
    e = far
    for _ in range(unit):
        e = call("log", e)
    return e


def _constant(c: Constant) -> Expression:
    total = num(0)
    for key, q in c.key:
        part = num(q)
        for a, exponent in key:
            part = _times(part, _power(_atom(a), exponent))
        total = binary("add", total, part)
    return total


def _atom(a: Any) -> Expression:
    kind, *rest = a
    if kind == "prime":
        return num(rest[0])
    if kind == "log":
        return call("log", num(rest[0]))
    if kind == "var":
        return name(rest[0])
    if kind == "of":
        inside = _constant(Constant(dict(rest[1])))
        return inside if rest[0] == "sum" else call(rest[0], inside)
    return Expression("const", (kind,))
