"""Floors and ceilings of multiples of a count n: it is m j + r with 0 <= r < m, and floor(n/m) is j + floor(r/m)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf, isinf, lcm

from banditproof.verify.judge.formula import INFINITY, binary, linear, mapped, name, names, num, parts, put, rational
from banditproof.verify.judge.points import Asked
from banditproof.verify.judge.sentence import Compare, Expression, Range

MOST = 12  # residues


def by_residues(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """The comparison for each residue of a count, floors and ceilings being computed; None where there are none."""
    sides = (asked.comparison.left, asked.comparison.right)
    rounded = [p for side in sides for p in parts(side) if _is_rounding(p)]
    counts = {n for p in rounded for n in names(p)}
    if len(counts) != 1 or asked.conditions or not counts <= asked.ranges.keys():
        return None
    (n,) = counts
    r = asked.ranges[n]
    low, high = rational(r.low), rational(r.high)
    slopes = [linear(p.args[1], n) for p in rounded]
    if not r.integer or not isinstance(low, Fraction) or high is None or None in slopes:
        return None
    m = lcm(*(s[0].denominator for s in slopes if s is not None))
    others = [range_ for word, range_ in asked.ranges.items() if word != n]
    if m > MOST or any(n in names(end) for o in others for end in (o.low, o.high)):
        return None
    claims = []
    for residue in range(m):
        first = ceil((low - residue) / m)
        last = inf if isinf(high) else floor((Fraction(high) - residue) / m)
        if first > last:
            continue
        value = binary("add", binary("mul", num(m), name(n)), num(residue))
        end = INFINITY if isinf(high) else num(last)
        if not isinf(high) and r.high_open or r.low_open:
            return None
        inside = {**asked.ranges, n: Range(num(first), end, integer=True)}
        left, right = (_computed(put(side, {n: value}), n) for side in sides)
        claims.append(Asked(Compare(left, asked.comparison.sign, right), inside))
    return tuple(claims), f"{n} is written {m} {n} + r, for each r from 0 to {m - 1}"


def _is_rounding(e: Expression) -> bool:
    return e.head == "call" and e.args[0] in ("floor", "ceil")


def _computed(e: Expression, n: str) -> Expression:
    """With a n + floor(b) for floor(a n + b) with a whole a."""
    if _is_rounding(e) and (of := linear(e.args[1], n)) is not None and of[0].denominator == 1:
        whole = floor(of[1]) if e.args[0] == "floor" else ceil(of[1])
        return binary("add", binary("mul", num(of[0]), name(n)), num(whole))
    return mapped(e, lambda part: _computed(part, n))
