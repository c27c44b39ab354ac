"""Limits, orders and what holds from some count on, settled by the leading terms of both sides (`leading`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.answer import Answer
from banditproof.verify.judge.formula import INFINITY, binary, call, name, names, num, rational
from banditproof.verify.judge.found import Expanded
from banditproof.verify.judge.leading import Constant, Expansion
from banditproof.verify.judge.lists import as_list, range_as_list
from banditproof.verify.judge.points import FLIPPED, Near, side_of, speaks_of
from banditproof.verify.judge.printing import plain
from banditproof.verify.judge.sentence import Compare, Exists, Expression, Limit, Order, Range, Reading

SHOWN = 2  # terms
OPPOSITE = {"<=": ">", ">=": "<", "<": ">=", ">": "<="}


def by_leading_terms(reading: Reading) -> Answer | None:
    """The answer where the leading terms of both sides can be computed, and tell; else None."""
    sentence, ranges = reading.sentence, reading.ranges
    if isinstance(sentence, Exists) and sentence.wanted == "any":
        return _for_no_constant(sentence, reading)
    if isinstance(sentence, Exists):
        if (near := _from_a_count(sentence, ranges)) is None:
            return None
        sentence, ranges = _as_order(near), near.ranges
    if not isinstance(sentence, Limit | Order) or any(speaks_of(c, sentence.name) for c in reading.conditions):
        return None
    side = sentence.side or side_of(replace(reading, ranges=ranges), sentence.name, sentence.to)
    if side is None or (found := _expanded(sentence, side, ranges)) is None:
        return None
    holds, why, data = found
    if not holds and reading.conditions:
        return None  # they may exclude the values of other variables for which it fails
    said = reading.said if holds else f"that {reading.said} is false"
    return Answer("proved" if holds else "refuted", why=why, evidence=(Expanded(said, data),))


def _for_no_constant(sentence: Exists, reading: Reading) -> Answer | None:
    """That a comparison fails near an end of a range, whatever the constant."""
    inner, ranges = sentence.sentence, reading.ranges
    if not isinstance(inner, Compare) or inner.sign not in OPPOSITE or reading.conditions or len(ranges) != 1:
        return None
    ((word, r),) = ranges.items()
    fails = replace(inner, sign=OPPOSITE[inner.sign])
    for end, side in ((r.high, -1), (r.low, 1)):
        infinite = rational(end) in (inf, -inf)
        if r.integer and end != INFINITY or side_of(reading, word, end) is None:
            continue
        near = Near(fails, word, end, 0 if infinite else side, {**ranges, sentence.name: sentence.range})
        found = _expanded(_as_order(near), near.side, near.ranges)
        if found is not None and found[0]:
            why = f"it fails near {word} = {plain(end)} for every {sentence.name}, {found[1]}"
            return Answer("refuted", why=why, evidence=(Expanded(f"that {reading.said} is false", found[2]),))
    return None


def near_end(claim: Near) -> Expanded | str:
    """That a comparison holds near an end, or why it is not known."""
    found = _expanded(_as_order(claim), claim.side, claim.ranges)
    if found is None or not found[0]:
        return f"leading terms do not show that {claim}"
    return Expanded(str(claim), found[2])


def _from_a_count(sentence: Exists, ranges: Mapping[str, Range]) -> Near | None:
    """Of a comparison for all n >= n_0, with no other variable, for all of which n_0 would have to be the same."""
    inner, words = sentence.sentence, list(ranges)
    if sentence.wanted != "least" or not isinstance(inner, Compare) or inner.sign not in FLIPPED or len(words) != 1:
        return None
    (word,) = words
    if ranges[word].low != name(sentence.name) or ranges[word].high != INFINITY:
        return None
    return Near(inner, word, INFINITY, 0, {word: replace(ranges[word], low=num(1))})


def _as_order(near: Near) -> Order:
    """The kind of the order is the sign."""
    c = near.comparison
    return Order(c.left, c.sign, c.right, near.name, near.to, near.side)


def _expanded(
    sentence: Limit | Order, side: int, ranges: Mapping[str, Range]
) -> tuple[bool, str, Mapping[str, Any]] | None:
    """Whether it holds, why, and what a checker of receipts reads."""
    from banditproof.verify.judge.leading import NoValue, Unsure, answer_to

    if (data := _data_of(sentence, side, ranges)) is None:
        return None
    try:
        holds, shown = answer_to(data)
    except (Unsure, NoValue, ArithmeticError, KeyError, ValueError, TypeError, RecursionError):
        return None
    said = []
    for place, from_side, found in shown:
        where = [f"for {_said_range(word, given)}" for word, given in place.items()]
        sides = " and ".join(f"{words} is {_said(f, sentence, from_side)}" for words, f in found)
        said.append(" ".join([*where, sides]))
    return holds, f"by leading terms, {'; '.join(dict.fromkeys(said))}", {**data, "holds": holds}


def _data_of(sentence: Limit | Order, side: int, ranges: Mapping[str, Range]) -> Mapping[str, Any] | None:
    if isinstance(sentence, Limit):
        left, right, kind = sentence.body, sentence.value, "limit"
    else:
        left, right, kind = sentence.left, sentence.right, sentence.kind
    others = [r for word, r in ranges.items() if word != sentence.name]
    at = rational(right)
    infinite = (at == inf) - (at == -inf)
    if any(sentence.name in names(end) for r in others for end in (r.low, r.high)) or infinite and kind != "limit":
        return None
    try:
        return {
            "kind": kind,
            "left": as_list(left),
            "right": as_list(num(0) if infinite else right),
            "name": sentence.name,
            "to": as_list(sentence.to),
            "side": side,
            "infinite": infinite,
            "ranges": {word: range_as_list(r) for word, r in ranges.items()},
        }
    except InvalidInput:
        return None


# ------------------------------------------------------------------------------------------------------------ words


def _said_range(word: str, given: Mapping[str, Any]) -> str:
    """The values of another variable: one, or an interval."""
    low, high = given["said"]
    if low == high:
        return f"{word} = {low}"
    return f"{word} in {'(' if given['low_open'] else '['}{low}, {high}{')' if given['high_open'] else ']'}"


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
        if not isinstance(unit, int):
            above = binary("mul", above, _exponential(unit[1], c, far))
            continue
        e, q = _iterated(unit, far), c.rational()
        if e.head == "div":  # 1/t for the distance t
            e, q, c = e.args[1], None if q is None else -q, -c
        if q is not None and q < 0:
            below = binary("mul", below, _power(e, -q))
        else:
            above = binary("mul", above, _power(e, q) if q is not None else binary("pow", e, _constant(c)))
    return binary("div", above, below)


def _power(e: Expression, q: Fraction) -> Expression:
    return call("sqrt", e) if q == Fraction(1, 2) else binary("pow", e, num(q))


def _exponential(m: Any, c: Constant, far: Expression) -> Expression:
    """exp(m)^c."""
    logs = [(key[0][0][1], q) for key, q in c.key if len(key) == 1 and key[0][0][0] == "log" and key[0][1] == 1]
    if len(c.key) == len(logs) == 1:
        return binary("pow", num(logs[0][0]), _times(num(logs[0][1]), _monomial(m, far)))
    return call("exp", _times(_constant(c), _monomial(m, far)))


def _iterated(times: int, far: Expression) -> Expression:
    e = far
    for _ in range(times):
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
    if kind == "zeta":
        return call("zeta", num(rest[0]))
    if kind == "of":
        inside = _constant(Constant(dict(rest[1])))
        return inside if rest[0] == "sum" else call(rest[0], inside)
    return Expression("const", (kind,))
