"""Limits, orders and what holds from some count on, settled by the leading terms of both sides (`leading`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.answer import Answer
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import INFINITY, binary, call, name, names, num, put, rational
from banditproof.verify.judge.formulas.lists import as_list, range_as_list
from banditproof.verify.judge.formulas.printing import plain, plain_sentence
from banditproof.verify.judge.formulas.sentence import Compare, Exists, Expression, Limit, Order, Range, Reading
from banditproof.verify.judge.found import Expanded
from banditproof.verify.judge.receipts.leading import Constant, Expansion
from banditproof.verify.judge.ways.points import FLIPPED, Asked, Near, side_of, speaks_of

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
    if (found := _along_residues(sentence, reading, ranges)) is not None:
        return found
    side = sentence.side or side_of(replace(reading, ranges=ranges), sentence.name, sentence.to)
    if side is None or (found := _expanded(sentence, side, ranges)) is None:
        return None
    holds, why, data = found
    if not holds and reading.conditions:
        return None  # they may exclude the values of other variables for which it fails
    said = reading.said if holds else f"that {reading.said} is false"
    return Answer("proved" if holds else "refuted", why=why, evidence=(Expanded(said, data),))


def _along_residues(sentence: Limit | Order, reading: Reading, ranges: Mapping[str, Range]) -> Answer | None:
    """The answer for n = m j + r, r = 0, ..., m - 1, beside which floors of a j + b and powers of -1 are computed."""
    from banditproof.verify.judge.ways.residues import along_residues

    n, whole = sentence.name, ranges.get(sentence.name)
    ends = (sentence.body, sentence.value) if isinstance(sentence, Limit) else (sentence.left, sentence.right)
    if whole is None or not whole.integer or reading.conditions or not (split := along_residues(*ends, n)):
        return None
    names_of = ("body", "value") if isinstance(sentence, Limit) else ("left", "right")
    told: list[tuple[bool, str, Expanded]] = []
    for there, *pair in split:
        at = replace(sentence, **dict(zip(names_of, pair, strict=True)))
        if (found := _expanded(at, 0, ranges)) is None:
            continue
        holds, why, data = found
        said = plain_sentence(at) if holds else f"that {plain_sentence(at)} is false"
        told.append((holds, f"for {plain(there)} in place of {n}, {why}", Expanded(said, data)))
    against = [t for t in told if not t[0]]
    if not against and len(told) < len(split):
        return None
    kept = against[:1] or told
    because = f"{n} is written {len(split)} {n} + r, for each r from 0 to {len(split) - 1}"
    verdict = "refuted" if against else "proved"
    return Answer(
        verdict, why="; ".join(why for _, why, _ in kept), evidence=tuple(e for *_, e in kept), implied_by=because
    )


def _for_no_constant(sentence: Exists, reading: Reading) -> Answer | None:
    """That a comparison fails near an end of a range, whatever the constant."""
    if not isinstance(sentence.sentence, Compare):
        return None
    asked = Asked(sentence.sentence, reading.ranges, reading.conditions)
    return fails_near_an_end(asked, reading, {sentence.name: sentence.range})


def fails_near_an_end(asked: Asked, reading: Reading, constant: Mapping[str, Range] | None = None) -> Answer | None:
    """That a comparison fails near an end of a range, too far out or too close to it for a point; for every constant.

    One variable moves, and each other one is a number or a formula of it: a path that stays in the ranges near the end.
    With a constant, what moves may also go to some simple number between the ends.
    """
    inner, ranges = asked.comparison, asked.ranges
    conditions = [c for c in asked.conditions if isinstance(c, Compare)]
    if inner.sign not in OPPOSITE or len(conditions) < len(asked.conditions) or len(ranges) > MOST_ON_A_PATH:
        return None
    fails = replace(inner, sign=OPPOSITE[inner.sign])
    for word, r in ranges.items():
        low, high = asked.ends[word]
        within = [num(c) for c in BETWEEN if low < c < high] if constant and not r.integer else []
        for end, side in ((r.high, -1), (r.low, 1), *((place, side) for place in within for side in (1, -1))):
            tied = names(end) or any(word in names(s.low) | names(s.high) for s in ranges.values())
            if r.integer and end != INFINITY or tied or end != INFINITY and side_of(reading, word, end) is None:
                continue
            side = 0 if rational(end) in (inf, -inf) else side
            for path in _paths(name(word)) if len(ranges) > 1 else (num(0),):
                to = {n: path for n in ranges if n != word}
                if constant is None and _stays_true(asked, word, end, side, to):
                    continue
                counts = path == name(word) and (r.integer or end == INFINITY)  # whole numbers lie near this end
                if any(ranges[n].integer for n in to) and not (counts or _is_whole(path)):
                    continue
                inside = [c for n in to for c in _inside(ranges[n], path)]
                claims = [Compare(put(c.left, to), c.sign, put(c.right, to)) for c in (*inside, *conditions, fails)]
                nears = [Near(c, word, end, side, {word: r, **(constant or {})}) for c in claims]
                told: list[tuple[bool, str, Mapping[str, Any]]] = []
                for near in nears:
                    if (found := _expanded(_as_order(near), side, near.ranges)) is None or not found[0]:
                        break
                    told.append(found)
                else:
                    every = "".join(f" for every {n}" for n in constant or {})
                    along = "".join(f", with {n} = {plain(e)}" for n, e in to.items())
                    why = f"it fails near {word} = {plain(end)}{along}{every}, {told[-1][1]}"
                    of_itself = len(nears) == 1 and (constant or (inner, ranges) == (reading.sentence, reading.ranges))
                    said = [f"that {reading.said} is false"] if of_itself else [str(near) for near in nears]
                    evidence = tuple(Expanded(words, data) for words, (_, _, data) in zip(said, told, strict=True))
                    because = "" if of_itself else f"what the statement implies fails near {word} = {plain(end)}"
                    return Answer("refuted", why=why, evidence=evidence, implied_by=because)
    return None


MOST_ON_A_PATH = 3  # variables
BETWEEN = Fraction(0), Fraction(1, 2), Fraction(1)
NEAR, SETTLED, CLEAR = np.array([1e-9, 1e-12]), 1e-6, 1e-3  # distances from an end; a margin's change, and its size


def _stays_true(asked: Asked, x: str, end: Expression, side: int, to: Mapping[str, Expression]) -> bool:
    """Whether floats see that near an end the path is outside, or the margin goes to a number above 0: only a guess."""
    to_end = float(value_of(end, {}))
    t = to_end + side * NEAR if np.isfinite(to_end) else np.sign(to_end) / NEAR
    points = {x: t, **{n: np.broadcast_to(value_of(e, {x: t}), t.shape) for n, e in to.items()}}
    with np.errstate(all="ignore"):
        for n in to:
            low, high = asked.ends[n]
            if np.all((points[n] < low) | (points[n] > high)):
                return True
    before, there = asked.margins(points)
    return bool(there > CLEAR and abs(there - before) < SETTLED)


def _paths(t: Expression) -> Iterator[Expression]:
    yield from (num(Fraction(1, 2)), num(1), num(2), t, binary("pow", t, num(2)), binary("mul", num(2), t))
    yield from (binary("div", t, num(2)), binary("sub", num(1), t), binary("div", num(1), t))


def _is_whole(path: Expression) -> bool:
    return path.head == "num" and path.args[0].denominator == 1


def _inside(r: Range, path: Expression) -> Iterator[Compare]:
    """That a path lies in a range."""
    if rational(r.low) != -inf:
        yield Compare(path, ">" if r.low_open else ">=", r.low)
    if rational(r.high) != inf:
        yield Compare(path, "<" if r.high_open else "<=", r.high)


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
    from banditproof.verify.judge.receipts.leading import NoValue, Unsure, answer_to

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
