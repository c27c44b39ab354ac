"""A comparison at the place of one number where its sides are closest, from which their difference grows both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from banditproof.verify.judge.formulas.formula import NoSlope, binary, mapped, name, names, num, parts, put, slope
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range
from banditproof.verify.judge.formulas.symbolic import is_zero, roots
from banditproof.verify.judge.ways.points import Asked, has_value, seems_true, speaks_of

ZERO = num(0)


def by_worst_place(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], str]]:
    """Of sides whose gap has a slope in a number x: the slope times x - p is at least 0, and the gap is so at x = p.

    p is a zero of the slope, or p of kl(p, x), and depends on the other numbers. Closed ends are taken for themselves.
    """
    c = asked.comparison
    if c.sign not in ("<", "<=", ">", ">=") or len(asked.ranges) < 2:
        return
    larger, smaller = (c.right, c.left) if c.sign[0] == "<" else (c.left, c.right)
    gap = binary("sub", larger, smaller)
    for x, r in asked.ranges.items():
        tied = any(x in names(s.low) | names(s.high) for s in asked.ranges.values())
        if r.integer or tied or any(speaks_of(condition, x) for condition in asked.conditions):
            continue
        try:
            change = slope(gap, x)
        except NoSlope:
            continue
        others = {y: s for y, s in asked.ranges.items() if y != x}
        inner = {**others, x: replace(r, low_open=True, high_open=True)}
        for p in _places(gap, x, asked.ranges):
            grows = replace(asked, comparison=_growing(change, x, p, inner), ranges=inner, printed=False)
            there = Asked(put(c, {x: p}), others, asked.conditions, printed=False)
            within = (*_within(p, r, others, asked), *_at_ends(asked, x, r, others))
            if all(map(seems_true, (there, *within))) and (grows.comparison.sign == "==" or seems_true(grows)):
                needed = (*within, grows, has_value(_of(gap, x), inner, asked.conditions))
                yield there, needed, f"the sides are closest where {x} = {plain(p)}"


def _of(e: Expression, x: str) -> Expression:
    """The summands in which a number stands: the others have a value at the place."""
    if x not in names(e):
        return ZERO
    return mapped(e, lambda part: _of(part, x)) if e.head in ("add", "sub", "neg") else e


def _growing(change: Expression, x: str, p: Expression, inner: dict[str, Range]) -> Compare:
    """That a slope is 0 everywhere, or has the sign of x - p."""
    if is_zero(change, inner):
        return Compare(change, "==", ZERO)
    return Compare(binary("mul", binary("sub", name(x), p), change), ">=", ZERO)


def _places(gap: Expression, x: str, ranges: Mapping[str, Range]) -> Iterator[Expression]:
    """Zeros of a slope in a number, and p of kl(p, x), that depend on the other numbers."""
    of_entropies = (e.args[1] for e in parts(gap) if e.head == "call" and e.args[0] == "kl" and x in names(e.args[2]))
    for p in dict.fromkeys((*of_entropies, *roots(gap, x, ranges))):
        if names(p) and x not in names(p):
            yield p


def _within(p: Expression, r: Range, others: dict[str, Range], asked: Asked) -> Iterator[Asked]:
    """That a place lies inside of a range."""
    for end, sign in ((r.low, ">"), (r.high, "<")):
        if not {e.args[0] for e in parts(end) if e.head == "const"} & {"inf"}:
            yield Asked(Compare(p, sign, end), others, asked.conditions, printed=False)


def _at_ends(asked: Asked, x: str, r: Range, others: dict[str, Range]) -> Iterator[Asked]:
    for end, is_open in ((r.low, r.low_open), (r.high, r.high_open)):
        if not is_open:
            comparison, conditions = put((asked.comparison, asked.conditions), {x: end})
            yield Asked(comparison, others, conditions, printed=False)
