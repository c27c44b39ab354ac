"""A comparison with a variable in other units: where gamma functions are of n/2, and where a range is a multiple of n."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import lcm

from banditproof.verify.judge.between import unused
from banditproof.verify.judge.building import put as put_in
from banditproof.verify.judge.formula import (
    INFINITY,
    binary,
    has,
    linear_part,
    mapped,
    name,
    names,
    num,
    parts,
    rational,
)
from banditproof.verify.judge.points import Asked, speaks_of
from banditproof.verify.judge.sentence import Compare, Expression, Range, Sentence

UNITS = 6
MINUS_INFINITY = Expression("neg", (INFINITY,))


def in_whole_steps(asked: Asked) -> Iterator[tuple[Asked, str]]:
    """With k x for n, where gamma functions are of multiples of n/k: for all numbers x, of which n/k are some."""
    sides = (asked.comparison.left, asked.comparison.right)
    inside = [p.args[1] for side in sides for p in parts(side) if p.head == "call" and p.args[0] == "gamma"]
    if any(has(side, "sum", "prod", "factorial", "binom", "floor", "ceil") for side in sides):
        return
    for n, r in asked.ranges.items():
        found = [linear_part(z, n) for z in inside if n in names(z)]
        low, high = rational(r.low), rational(r.high)
        tied = any(n in names(s.low) | names(s.high) for s in asked.ranges.values())
        if tied or not found or None in found or low is None or high is None:
            continue
        k = lcm(*(of[0].denominator for of in found if of is not None))
        if not (1 < k <= UNITS or k == 1 and r.integer):
            continue
        x = unused("x", asked)
        ends = [num(end / k) if isinstance(end, Fraction) else shown for end, shown in ((low, r.low), (high, r.high))]
        ranges = {word: s for word, s in asked.ranges.items() if word != n} | {x: Range(*ends, r.low_open, r.high_open)}
        there = {n: name(x) if k == 1 else binary("mul", num(k), name(x))}
        comparison, conditions = put_in((asked.comparison, asked.conditions), there)
        yield Asked(comparison, ranges, conditions, printed=False), f"for all numbers {x} = {n}/{k}"


def in_multiples(asked: Asked) -> Iterator[tuple[Asked, tuple[Asked, ...], str]]:
    """With n y for x, where x lies between multiples of n > 0, as its range or conditions say."""
    sides = (asked.comparison.left, asked.comparison.right)
    if any(has(side, "sum", "prod", "inf", "sup") for side in sides):
        return
    for x, r in asked.ranges.items():
        others = {word: s for word, s in asked.ranges.items() if word != x}
        tied = any(x in names(s.low) | names(s.high) for s in others.values())
        speaking = [c for c in asked.conditions if speaks_of(c, x)]
        within = r
        for c in speaking:
            within = within and _with_end(within, c, x)
        of = names(within.low) | names(within.high) if within is not None else ()
        if r.integer or tied or within is None or len(of) != 1:
            continue
        (n,) = of
        low, high = _share(within.low, n), _share(within.high, n)
        if low is None or high is None:
            continue
        y = unused("y", asked)

        def change(e: Expression, x: str = x, n: str = n, y: str = y) -> Expression:
            if e == binary("div", name(x), name(n)):
                return name(y)
            return binary("mul", name(n), name(y)) if e == name(x) else mapped(e, change)

        comparison = Compare(change(sides[0]), asked.comparison.sign, change(sides[1]))
        conditions = tuple(c for c in asked.conditions if c not in speaking)
        ranges = {**others, y: Range(low, high, within.low_open, within.high_open)}
        positive = Asked(Compare(name(n), ">", num(0)), {n: others[n]}, printed=False)
        yield Asked(comparison, ranges, conditions, printed=False), (positive,), f"{x} is written {n} {y}"


def _with_end(r: Range, c: Sentence, x: str) -> Range | None:
    """A range of x with what a condition says of an end that it does not have yet."""
    if not isinstance(c, Compare) or c.sign[0] not in "<>":
        return None
    small, large = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
    open_ = not c.sign[1:]
    if large == name(x) and r.low == MINUS_INFINITY:
        return replace(r, low=small, low_open=open_)
    return replace(r, high=large, high_open=open_) if small == name(x) and r.high == INFINITY else None


def _share(end: Expression, n: str) -> Expression | None:
    """a of an end a n; infinite ends stay."""
    if end in (INFINITY, MINUS_INFINITY):
        return end
    of = linear_part(end, n)
    return num(of[0]) if of is not None and rational(of[1]) == 0 else None
