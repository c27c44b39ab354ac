"""Which constant is the best one: "the largest c with A(c) is 2" says that A(2) holds, and A(c) for no larger c.

The comparison is a(x) >= c b(x) with b >= 0, or the other way round, so that it holds for c up to the infimum of a/b.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import INFINITY, NoSlope, binary, name, names, num, put, rational, slope
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.sentence import Best, Compare, Expression, Range, Reading
from banditproof.verify.judge.found import Failure
from banditproof.verify.judge.ways.goals import Later, Plan, Way, plan, ways_of
from banditproof.verify.judge.ways.points import Asked, Near, seems_true

BETTER = tuple(Fraction(n, d) for n, d in ((1, 1), (1, 4), (1, 20), (1, 200)))  # shares of the printed constant
FIXED = tuple(Fraction(n, d) for n, d in ((1, 2), (1, 1), (0, 1), (2, 1)))  # for the other variables
NEAR, POINTS, MOST_WAYS, FIRST = 2e-3, 400, 6, 4  # FIRST: counts


def plan_of_best(sentence: Best, reading: Reading) -> Plan:
    """That the comparison holds with the printed constant, and with no better one."""
    c, of, value = sentence.name, sentence.sentence, sentence.value
    at_least = of.sign[0] == ">"
    larger, smaller = (of.left, of.right) if at_least else (of.right, of.left)
    gap = binary("sub", larger, smaller)
    try:
        moved = slope(gap, c)
    except NoSlope:
        moved = name(c)
    if c in names(moved) or of.sign not in ("<", "<=", ">", ">="):
        return Plan(why_not=f"a comparison that is not linear in {c}")
    asked = Asked(of, dict(reading.ranges), reading.conditions)
    harder = {sign: replace(asked, comparison=Compare(moved, sign, num(0))) for sign in ("<=", ">=")}
    way = next((sign for sign in harder if seems_true(harder[sign])), None)
    if way is None or sentence.largest is (way == ">="):
        return Plan(why_not=f"larger {c} are not always harder, or not always easier")
    up = way == "<="

    def given(value: Expression) -> Asked:
        return replace(asked, comparison=Compare(put(of.left, {c: value}), of.sign, put(of.right, {c: value})))

    against = []
    for share in BETTER:
        size = float(value_of(value, {})) or 1.0
        step = num(Fraction(abs(size) * share).limit_denominator(10**4))
        other = binary("add" if up else "sub", value, step)
        claim = given(other)
        if step.args[0] and seems_true(claim):
            failure = Failure(
                of, {}, "false", (f"the best {c}, no worse than {plain(other)},", plain(value)), asked.ranges
            )
            because = f"it holds with {c} = {plain(other)} too"
            for shown in itertools.islice(ways_of(claim), MOST_WAYS):
                against.append((Way((*shown.claims, harder[way]), because, shown.facts), failure))
            break
    a, b = put(gap, {c: num(0)}), Expression("neg", (moved,)) if up else moved
    first = given(value)

    def ways() -> Iterator[Way]:
        quotient = binary("div", a if up else Expression("neg", (a,)), b)
        every = list(itertools.islice(ways_of(first), MOST_WAYS))
        for none_better in _none_better(quotient, b, value, up, reading):
            for holds in every:
                claims = (harder[way], *none_better.claims, *holds.claims)
                reason = f"it holds with {plain(value)}, and {none_better.because}"
                yield Way(claims, reason, (*holds.facts, *none_better.facts))

    return Plan((first,), Later(ways), against=tuple(against))


def _none_better(quotient: Expression, b: Expression, value: Expression, up: bool, reading: Reading) -> Iterator[Way]:
    """Along one variable, the others being fixed, the quotient comes to the constant: its infimum, or supremum."""
    sought = float(value_of(value, {}))
    if reading.conditions:
        return
    for x, r in reading.ranges.items():
        others = [n for n in reading.ranges if n != x]
        low, high = rational(r.low), rational(r.high)
        if low is None or high is None:
            continue
        for fixed in itertools.product(FIXED, repeat=len(others)):
            point = dict(zip(others, fixed, strict=True))
            if not all(_inside(reading.ranges[n], v) for n, v in point.items()):
                continue
            at = {n: num(v) for n, v in point.items()}
            along, positive = put(quotient, at), put(b, at)
            if r.integer:
                yield from _none_better_counts(along, Asked(Compare(positive, ">", num(0)), {x: r}), x, value)
                continue
            cuts = sorted({low, high, *(v for v in (*fixed, Fraction(0)) if low < v < high)})
            for begin, end in itertools.pairwise(cuts):
                over = Range(_number(begin), _number(end), begin != low or r.low_open, end != high or r.high_open)
                for place in dict.fromkeys((over, replace(over, low_open=True), replace(over, high_open=True))):
                    if not _comes_near(along, x, begin, end, sought, up):
                        continue
                    bound = Expression("inf" if up else "sup", (x, place, along))
                    reached = Reading(Compare(bound, "<=" if up else ">=", value), {})
                    some = Asked(Compare(positive, ">", num(0)), {x: place})
                    for way in itertools.islice(plan(reached).ways, MOST_WAYS):
                        if not all(seems_true(claim) for claim in way.claims if isinstance(claim, Asked)):
                            continue
                        yield Way(
                            (some, *way.claims), f"the quotient of both sides comes to it ({way.because})", way.facts
                        )


def _none_better_counts(along: Expression, some: Asked, x: str, value: Expression) -> Iterator[Way]:
    """The quotient is the constant at one of the first counts, or comes to it as they grow."""
    r = some.ranges[x]
    low = rational(r.low)
    for k in range(int(low), int(low) + FIRST) if isinstance(low, Fraction) else ():
        place = {x: num(k)}
        claims = Asked(put(some.comparison, place), {}), Asked(Compare(put(along, place), "==", value), {})
        if all(map(seems_true, claims)) and not (k == low and r.low_open):
            yield Way(claims, f"the quotient of both sides is that at {x} = {k}")
    if r.high == INFINITY and value != num(0):
        there = Near(Compare(along, "~", value), x, INFINITY, 0, {x: r})
        yield Way((some, there), f"the quotient of both sides comes to it as {x} grows")


def _inside(r: Range, value: Fraction) -> bool:
    low, high = rational(r.low), rational(r.high)
    if low is None or high is None:
        return False
    whole = not r.integer or value.denominator == 1
    return whole and low <= value <= high and not (value == low and r.low_open) and not (value == high and r.high_open)


def _number(value: Fraction | float) -> Expression:
    if isinstance(value, Fraction):
        return num(value)
    return INFINITY if value > 0 else Expression("neg", (INFINITY,))


def _comes_near(e: Expression, x: str, low: Fraction | float, high: Fraction | float, sought: float, up: bool) -> bool:
    """Whether floats see a quotient near the constant in an interval."""
    begin, end = float(low), float(high)
    shares = np.concatenate([np.geomspace(1e-5, 0.5, POINTS), 1 - np.geomspace(1e-5, 0.5, POINTS)])
    if np.isfinite(begin) and np.isfinite(end):
        at = begin + (end - begin) * shares
    elif np.isfinite(begin):
        at = begin + np.geomspace(1e-4, 1e6, 2 * POINTS)
    elif np.isfinite(end):
        at = end - np.geomspace(1e-4, 1e6, 2 * POINTS)
    else:
        return False
    try:
        with np.errstate(all="ignore"):
            values = np.broadcast_to(value_of(e, {x: at}), at.shape)
    except (ValueError, KeyError, OverflowError):
        return False
    values = values[np.isfinite(values)]
    if not values.size:
        return False
    extreme = values.min() if up else values.max()
    return bool(abs(extreme - sought) <= NEAR * max(1.0, abs(sought)))
