"""Sums and products with dots: `1 + 1/2 + ... + 1/n` is the sum whose terms are as printed, or it is asked back.

The general term is the last one with a letter in place of one of its parts, and the first terms have to be its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isfinite
from random import Random
from typing import Any

from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.sentence import Expression
from banditproof.verify.judge.reading import building as b

POINTS, ENOUGH = 24, 3  # where terms are compared, and at how many of them they need a value
MOST_PLACES = 3  # at which the part stands that becomes the letter
STARTS = (0, 1, 2)
MOST_TERMS = 20_000
CLOSE = 1e-9  # of two values in balls of 64 bits
_HOW = "Write the first terms and the last one, as in 1 + 1/2 + ... + 1/n"


@dataclass(frozen=True)
class Row:
    """A sum or product for the first terms from `skipped` on, the dots and `used` terms behind them."""

    whole: Expression
    skipped: int
    used: int


def row(head: str, first: Sequence[Expression], last: Sequence[Expression], node: Any, scope: b.Scope) -> Row:
    """The one reading of terms, dots and a last term; `last` has what this may be, with more of what follows."""
    for family in (_family(first, e) for e in last):
        if family:
            raise b.refuse(f"{family} is one number for each index: such a family is not read", node)
    letter = next(
        k for k in "kjilmrst" if not any(k in b.names_in(e) for e in (*first, *last)) and k not in scope.bound
    )
    for skipped in range(max(1, len(first) - 1)):
        found = [
            Row(whole, skipped, used)
            for used, e in enumerate(last)
            for whole in dict.fromkeys(_rows(head, first[skipped:], e, letter))
        ]
        if found:
            return _only(head, found, last, node, scope)
    raise b.refuse(f"what do the dots stand for? No general term fits. {_HOW}, or as sum(1/k, k=1..n)", node)


def _only(head: str, found: Sequence[Row], last: Sequence[Expression], node: Any, scope: b.Scope) -> Row:
    """The simplest of readings that all have the same values."""
    points = list(_points([*b.names_in(tuple(last)), *(n for r in found for n in b.names_in(r.whole))]))[:8]
    simple: list[Row] = []  # of each value
    for r in sorted(found, key=lambda r: (len(plain(r.whole)), plain(r.whole))):
        if not any(_agree(_total(head, r, last), _total(head, s, last), points) for s in simple):
            simple.append(r)
    best = b.either("the row with dots", [r.whole for r in simple], node) if len(simple) > 1 else simple[0].whole
    scope.say(f"the dots are read as {plain(best)}")
    if best.args[2].head == "var":
        scope.integers.add(best.args[2].args[0])
    return next(r for r in simple if r.whole == best)


def _total(head: str, r: Row, last: Sequence[Expression]) -> Expression:
    """The row with what stays behind its last term."""
    if r.used == len(last) - 1:
        return r.whole
    if head == "prod":
        return b.binary("mul", r.whole, b.binary("div", last[-1], last[r.used]))
    return b.binary("add", r.whole, b.binary("sub", last[-1], last[r.used]))


def _rows(head: str, first: Sequence[Expression], last: Expression, letter: str) -> Iterator[Expression]:
    """The sums whose first terms and whose last term are these."""
    starts = [*map(b.number, STARTS), *(e for e in _parts(first[0]) if _counts(e))]
    for end, term in _with_signs(first, last, letter):
        names = [*b.names_in((end, last)), *b.names_in(tuple(first)), *b.names_in(tuple(starts))]
        points = list(_points(names))
        for start in dict.fromkeys(starts):
            for low, high, step in ((start, end, 1), (end, start, -1)):
                inside = [p for p in points if _is_count(b.binary("sub", high, low), p, len(first) - 1)]
                values = [b.put(term, {letter: _moved(start, step * i)}) for i in range(len(first))]
                if all(_agree(v, t, inside) for v, t in zip(values, first, strict=True)):
                    yield Expression(head, (letter, low, high, term))


def _with_signs(first: Sequence[Expression], last: Expression, letter: str) -> Iterator[tuple[Expression, Expression]]:
    """The parts that may count, each with its term; where the signs change, also with (-1)^k times its term."""
    yield from _general(last, letter)
    if [e.head == "neg" for e in first[-2:]] in ([True, False], [False, True]):
        for end, term in _general(last.args[0] if last.head == "neg" else last, letter):
            for shift in (0, 1):
                sign = b.binary("pow", b.number(-1), _moved(b.variable(letter), shift))
                one_over = term.head == "div" and term.args[0] == b.ONE
                signed = b.binary("div", sign, term.args[1]) if one_over else b.binary("mul", sign, term)
                if _agree(b.put(signed, {letter: end}), last, list(_points([*b.names_in(last)]))):
                    yield end, signed


def _general(last: Expression, letter: str) -> Iterator[tuple[Expression, Expression]]:
    """The parts of the last term that may count, each with the term in which a letter stands for it."""
    fixed = not any(True for _ in b.names_in(last))
    for part in dict.fromkeys(_parts(last)):
        if not _counts(part) or (not fixed and part.head == "num"):
            continue
        places = range(sum(p == part for p in _parts(last)))
        sizes = range(1, len(places) + 1) if len(places) <= MOST_PLACES else (len(places),)
        for size in sizes:
            for chosen in combinations(places, size):
                yield part, _replaced(last, part, b.variable(letter), iter(places), chosen)


def _replaced(e: Any, part: Expression, by: Expression, places: Iterator[int], chosen: Sequence[int]) -> Any:
    if e == part:
        return by if next(places) in chosen else e
    if isinstance(e, Expression):
        return Expression(e.head, tuple(_replaced(a, part, by, places, chosen) for a in e.args))
    return e


def _parts(e: Any) -> Iterator[Expression]:
    if isinstance(e, Expression):
        yield e
        for a in e.args:
            yield from _parts(a)


def _counts(e: Expression) -> bool:
    """Whether a formula may be the number of a term: whole numbers and names by + - * and powers."""
    if e.head == "num":
        return e.args[0].denominator == 1
    return e.head == "var" or (e.head in ("add", "sub", "mul", "pow") and all(map(_counts, e.args)))


def _moved(e: Expression, by: int) -> Expression:
    if not by:
        return e
    return b.number(e.args[0] + by) if e.head == "num" else b.binary("add", e, b.number(by))


def _points(names: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    generator = Random(7)
    for _ in range(POINTS):
        yield {n: Fraction(generator.randint(3, 14)) for n in sorted({*names})}


def _is_count(e: Expression, point: dict[str, Fraction], least: int) -> bool:
    value = _value(e, point)
    return isinstance(value, Fraction) and value.denominator == 1 and least <= value <= MOST_TERMS


def _agree(left: Expression, right: Expression, points: Sequence[dict[str, Fraction]]) -> bool:
    """Whether two formulas have the same values, at enough points."""
    pairs = [(u, v) for p in points if (u := _value(left, p)) is not None and (v := _value(right, p)) is not None]
    return len(pairs) >= ENOUGH and all(u == v or _near(u, v) for u, v in pairs)


def _near(u: Any, v: Any) -> bool:
    if isinstance(u, Fraction) and isinstance(v, Fraction):
        return False
    x, y = (float(e) if isinstance(e, Fraction | float) else float(e.mid()) for e in (u, v))
    return isfinite(x) and isfinite(y) and abs(x - y) <= CLOSE * max(abs(x), abs(y), CLOSE)


def _value(e: Expression, point: dict[str, Fraction]) -> Any:
    try:
        return value_at(e, point)
    except (NoValue, Unknown, OverflowError):
        return None


def _family(first: Sequence[Expression], last: Expression) -> str:
    """x_n of x_1 + ... + x_n."""
    stems = {n.split("_")[0] for e in first for n in b.names_in(e) if "_" in n}
    others = {n for e in first for n in b.names_in(e)}
    return next((n for n in b.names_in(last) if "_" in n and n not in others and n.split("_")[0] in stems), "")


def summed(terms: Sequence[tuple[int, Any]], scope: b.Scope) -> list[tuple[int, Expression]]:
    """The terms of a sum with dots among them, each with its sign: those of the row are one."""
    at, *more = (i for i, (_, term) in enumerate(terms) if getattr(term, "type", "") == "ELLIPSIS")
    node = terms[at][1]
    if more or not at or at == len(terms) - 1:
        raise b.refuse(f"what do the dots stand for? {_HOW}", node)
    built = [(sign, b.ZERO if i == at else b.expression(term, scope)) for i, (sign, term) in enumerate(terms)]
    before, after = built[:at], built[at + 1 :]
    alike = {sign for sign, _ in before[-2:] + after[:1]}
    if len(alike) == 1 and terms[at][0] not in alike:
        raise b.refuse("which sign have the terms for which the dots stand?", node)
    sign = -1 if alike == {-1} else 1
    first = [e if s == sign else b.negative(e) for s, e in before]
    last = [after[0][1] if after[0][0] == sign else b.negative(after[0][1])]
    if len(after) > 1 and after[1][1].head == "num":  # 1 + 3 + ... + 2n - 1
        last.append(b.binary("add" if after[1][0] == sign else "sub", last[0], after[1][1]))
    found = row("sum", first, last, node, scope)
    return [*before[: found.skipped], (sign, found.whole), *after[found.used + 1 :]]


def multiplied(factors: Sequence[tuple[str, Any, Any]], scope: b.Scope) -> list[tuple[str, Expression, Any]]:
    """The factors of a term with dots (None) among them, each with TIMES, SLASH or nothing before it."""
    at, *more = (i for i, (_, e, _) in enumerate(factors) if e is None)
    node = factors[at][2]
    if more or not at or at == len(factors) - 1 or "SLASH" in (factors[at][0], factors[at + 1][0]):
        raise b.refuse(f"what do the dots stand for? {_HOW}", node)
    first: list[Expression] = []
    for op, e, _ in factors[:at]:
        if op == "SLASH":
            first[-1] = b.binary("div", first[-1], e)
        else:
            first.append(e)
    after = factors[at + 1 :]
    last = [after[0][1]]
    if len(after) > 1 and after[1][0] == "SLASH":  # 1/2 * 3/4 * ... * (2n - 1)/(2n)
        last.append(b.binary("div", last[0], after[1][1]))
    elif len(after) > 1 and last[0].head == "num" and after[1][0] == "":  # 2 * 4 * ... * 2n
        last.append(b.binary("mul", last[0], after[1][1]))
    found = row("prod", first, last, node, scope)
    kept = [("TIMES", e, node) for e in first[: found.skipped]]
    return [*kept, ("TIMES", found.whole, node), *after[found.used + 1 :]]
