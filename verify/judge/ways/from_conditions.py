"""What a condition says of the range of a number: n >= E with E > 0 leaves only n > 0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf

from banditproof.verify.judge.formulas.formula import names, num, rational
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range, Sentence
from banditproof.verify.judge.ways.points import FLIPPED, Asked, seems_true, speaks_of


def within_conditions(asked: Asked) -> tuple[Asked, tuple[Asked, ...], str] | None:
    """The comparison in ranges that begin at 0 (or 1) as conditions say, what is needed for it, and why."""
    needed: list[Asked] = []
    found = asked
    while (step := next(_steps(found), None)) is not None:
        found, need = step
        needed.append(need)
    said = ", ".join(
        f"{n} >{'=' * (not found.ranges[n].low_open)} {found.ranges[n].low.args[0]}" for n in _moved(asked, found)
    )
    return (found, tuple(needed), f"its conditions say that {said}") if needed else None


def in_ranges(asked: Asked) -> Asked:
    """The comparison with conditions on one number alone, such as x > 1, as ends of its range."""
    for condition in asked.conditions:
        for x, end, sign in _ends(condition):
            r = asked.ranges.get(x)
            if r is not None and (narrower := _narrower(r, end, sign)) is not None:
                rest = tuple(c for c in asked.conditions if c != condition)
                asked = replace(asked, ranges={**asked.ranges, x: narrower}, conditions=rest)
                break
    return asked


def _ends(condition: Sentence) -> Iterator[tuple[str, Fraction, str]]:
    """x, q and the sign, of a condition that compares x with the number q."""
    if isinstance(condition, Compare) and condition.sign in ("<", "<=", ">", ">="):
        sides = ((condition.left, condition.sign, condition.right),)
        for left, sign, right in (*sides, (condition.right, FLIPPED[condition.sign], condition.left)):
            end = rational(right)
            if left.head == "var" and isinstance(end, Fraction):
                yield left.args[0], end, sign


def _narrower(r: Range, end: Fraction, sign: str) -> Range | None:
    """A range up to, or from, this end; None where it is one of counts, has other ends, or nothing would be left."""
    low, high = rational(r.low), rational(r.high)
    if r.integer or low is None or high is None:
        return None
    strict = sign in ("<", ">")
    if sign[0] == ">":
        found = replace(r, low=num(end), low_open=strict or low == end and r.low_open) if end >= low else r
        low = max(low, end)
    else:
        found = replace(r, high=num(end), high_open=strict or high == end and r.high_open) if end <= high else r
        high = min(high, end)
    return found if low < high else None


def _moved(asked: Asked, found: Asked) -> list[str]:
    return [n for n, r in found.ranges.items() if r != asked.ranges[n]]


def _steps(asked: Asked) -> Iterator[tuple[Asked, Asked]]:
    """A comparison in a smaller range of one number, and what its lower bound has to be."""
    for condition in asked.conditions:
        for n, bound, strict in lower_bounds(condition):
            r = asked.ranges.get(n)
            if r is None or rational(r.low) != -inf or n in names(bound):
                continue
            others = tuple(c for c in asked.conditions if not speaks_of(c, n))
            ranges = {m: q for m, q in asked.ranges.items() if m != n}
            for sign in (">", ">="):
                need = Asked(Compare(bound, sign, num(0)), ranges, others, printed=False)
                if seems_true(need):
                    yield replace(asked, ranges={**asked.ranges, n: above_zero(r, strict or sign == ">")}), need
                    break


def lower_bounds(condition: Sentence) -> Iterator[tuple[str, Expression, bool]]:
    """n, E and whether equality is left out, of n >= E, n > E, E <= n or E < n."""
    if isinstance(condition, Compare) and condition.sign in FLIPPED:
        for left, sign, right in (
            (condition.left, condition.sign, condition.right),
            (condition.right, FLIPPED[condition.sign], condition.left),
        ):
            if left.head == "var" and sign in (">", ">=") and left != right:
                yield left.args[0], right, sign == ">"


def above_zero(r: Range, strict: bool) -> Range:
    """A range without what is below 0, or without 0 as well."""
    return replace(r, low=num(int(strict and r.integer)), low_open=strict and not r.integer)
