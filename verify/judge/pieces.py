"""A comparison from simpler ones: on parts of its range, of each summand against a tangent, without ends at 0 log 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from banditproof.verify.judge.certain import LogOfZero, NoValue, Unknown, value_at
from banditproof.verify.judge.formula import (
    NoSlope,
    binary,
    has,
    linear_part,
    name,
    names,
    num,
    parts,
    put,
    rational,
    slope,
)
from banditproof.verify.judge.points import Asked, failing, seems_true, speaks_of
from banditproof.verify.judge.sentence import Compare, Expression, Range

ZERO = num(0)
REACH = Fraction(4)  # how far from a place a range without an end is cut, at the least
LARGEST = 60  # denominator of a cut

# ------------------------------------------------------------------------------------------------- parts of a range


def by_pieces(asked: Asked) -> tuple[tuple[Asked, ...], str, tuple[str, ...]] | None:
    """A comparison in one real number near the place where its sides come closest, and on what is left on either side.

    Where sides are equal inside, or nearly so, rules prove that place, boxes the rest; on the whole neither does.
    """
    if len(asked.ranges) != 1 or asked.sums:
        return None
    ((x, r),) = asked.ranges.items()
    low, high = rational(r.low), rational(r.high)
    if r.integer or low is None or high is None or any(speaks_of(c, x) for c in asked.conditions):
        return None
    found, near = failing(asked, draws=2000)
    if found is not None or near is None:
        return None
    place = near[1][x]
    cuts = [c for c in (cut_between(low, place), cut_between(high, place)) if c is not None]
    if not cuts:
        return None
    ends = [(r.low, r.low_open), *((num(c), False) for c in cuts), (r.high, r.high_open)]
    pieces = [
        replace(asked, ranges={x: Range(a, b, a_open, b_open)})
        for (a, a_open), (b, b_open) in zip(ends, ends[1:], strict=False)
    ]
    pieces.sort(key=lambda piece: not piece.ends[x][0] <= place <= piece.ends[x][1])
    return tuple(pieces), f"{x} is cut at {' and at '.join(map(str, cuts))}", ()


def cut_between(end: Fraction | float, place: Fraction) -> Fraction | None:
    """The simplest number in the middle half between an end and a place, the nearest to the place of those."""
    if isinstance(end, float):
        end = place + (1 if end > 0 else -1) * max(REACH, 2 * abs(place))
    quarter = (end - place) / 4
    for denominator in range(1, LARGEST) if quarter else ():
        near = (place + quarter) * denominator
        cut = Fraction(ceil(near) if quarter > 0 else floor(near), denominator)
        if abs(cut - place) <= abs(3 * quarter):
            return cut
    return None


# -------------------------------------------------------------------------------------- summands against a tangent


def by_tangents(asked: Asked) -> tuple[tuple[Asked, ...], str, tuple[str, ...]] | None:
    """A sum of functions of one variable each, whose variables have a fixed sum, from the tangents at one place.

    With sum a_i x_i = s and sum a_i c_i = s: if f_i(x) >= f_i(c_i) + l a_i (x - c_i) for each i, with one l for all,
    then sum f_i(x_i) >= sum f_i(c_i).
    """
    fixed = _fixed_sum(asked)
    if fixed is None or asked.comparison.sign not in ("<=", ">=", "<", ">"):
        return None
    weights, total = fixed
    sides = (asked.comparison.left, asked.comparison.right)
    larger, smaller = sides if asked.comparison.sign[0] == ">" else sides[::-1]
    of_each, rest = _apart(binary("sub", larger, smaller), weights)
    if of_each is None:
        return None
    for place in _places(asked, weights, total):
        try:
            x, *_ = weights
            lean = binary("div", put(slope(of_each[x], x), {x: num(place[x])}), num(weights[x]))
        except NoSlope:
            return None
        claims: dict[tuple[Expression, Range], Asked] = {}
        value, facts = rest, ()
        for v, f in of_each.items():
            here = put(f, {v: num(place[v])})
            tangent = binary("mul", lean, binary("mul", num(weights[v]), binary("sub", name(v), num(place[v]))))
            above = Compare(f, ">=", binary("add", here, tangent))
            within = _within_sum(asked.ranges, weights, total, v)
            claim = Asked(above, {v: within}, printed=False)
            if (inner := without_zero_logs(claim)) is not None:
                claim, facts = inner, (ZERO_LOG,)
            claims.setdefault((put(binary("sub", above.left, above.right), {v: name("x")}), within), claim)
            value = binary("add", value, here)
        at_place = Asked(Compare(value, ">" + asked.comparison.sign[1:], ZERO), {})
        if at_place.fails({}) is None and all(map(seems_true, claims.values())):
            where = ", ".join(f"{v} = {c}" for v, c in place.items())
            because = f"every summand lies on one side of its tangent at {where}"
            return (at_place, *claims.values()), because, facts
    return None


def _fixed_sum(asked: Asked) -> tuple[dict[str, Fraction], Fraction] | None:
    """Weights and the total of them times the variables, where the only condition says so and all have a weight."""
    if len(asked.conditions) != 1 or len(asked.ranges) < 2:
        return None
    (c,) = asked.conditions
    if not isinstance(c, Compare) or c.sign != "==" or any(r.integer for r in asked.ranges.values()):
        return None
    weights, rest = {}, binary("sub", c.left, c.right)
    for v in asked.ranges:
        part = linear_part(rest, v)
        if part is None or not part[0]:
            return None
        weights[v], rest = part
    total = rational(rest)
    return (weights, -total) if isinstance(total, Fraction) else None


def _apart(e: Expression, variables: dict[str, Fraction]) -> tuple[dict[str, Expression] | None, Expression]:
    """What a sum has of each variable, and its rest without any; None where a summand has two."""
    of_each: dict[str, Expression] = dict.fromkeys(variables, ZERO)
    rest = ZERO
    for positive, summand in summands(e, True):
        found = names(summand) & variables.keys()
        if len(found) > 1:
            return None, rest
        part = summand if positive else Expression("neg", (summand,))
        if found:
            (v,) = found
            of_each[v] = part if of_each[v] == ZERO else binary("add", of_each[v], part)
        else:
            rest = binary("add", rest, part)
    return of_each, rest


def summands(e: Expression, positive: bool) -> Iterator[tuple[bool, Expression]]:
    if e.head in ("add", "sub"):
        first, *others = e.args
        yield from summands(first, positive)
        for other in others:
            yield from summands(other, positive == (e.head == "add"))
    elif e.head == "neg":
        yield from summands(e.args[0], not positive)
    else:
        yield positive, e


def _places(asked: Asked, weights: dict[str, Fraction], total: Fraction) -> Iterator[dict[str, Fraction]]:
    """Where all variables are equal; where a search saw the sides come closest, in simple numbers."""
    if (of_all := sum(weights.values())) != 0:
        yield dict.fromkeys(weights, total / of_all)
    _, near = failing(asked, draws=2000)
    if near is not None:
        *free, last = weights
        place = {v: near[1][v].limit_denominator(12) for v in free}
        yield place | {last: (total - sum(weights[v] * c for v, c in place.items())) / weights[last]}


def _within_sum(ranges: Mapping[str, Range], weights: dict[str, Fraction], total: Fraction, v: str) -> Range:
    """The range of a variable, with the end that the sum gives it where all are bounded below."""
    ends = {n: rational(r.low) for n, r in ranges.items() if n != v}
    lows = {n: low for n, low in ends.items() if isinstance(low, Fraction)}
    if min(weights.values()) <= 0 or len(lows) < len(ends):
        return ranges[v]
    most = (total - sum(weights[n] * low for n, low in lows.items())) / weights[v]
    high = rational(ranges[v].high)
    return ranges[v] if high is not None and high <= most else replace(ranges[v], high=num(most), high_open=False)


# ------------------------------------------------------------------------------------------------------- 0 log 0

NOT_CONTINUOUS = ("floor", "ceil", "sum", "prod", "inf", "sup", "diff", "kl", "binom", "factorial")
ZERO_LOG = "0 log 0 is 0, so that both sides are continuous"


def without_zero_logs(asked: Asked) -> Asked | None:
    """The comparison without the ends of its range at which the only trouble is 0 log 0; None where there are none.

    Of a weak comparison in one variable that is enough where both sides are built of continuous functions.
    """
    if len(asked.ranges) != 1:
        return None
    ((variable, r),) = asked.ranges.items()
    sides = (asked.comparison.left, asked.comparison.right)
    ends = [e.args[0] for e, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_ and e.head == "num"]
    plain = not any(has(side, *NOT_CONTINUOUS) for side in sides)
    powers = (p for side in sides for p in parts(side) if p.head == "pow")
    if r.integer or not plain or asked.comparison.sign not in ("<=", ">=") or any(names(p.args[1]) for p in powers):
        return None
    places = [(side, {variable: end}) for end in ends for side in sides]
    if not all(_has_value(*place) for place in places) or not any(_by_zero_log(*place) for place in places):
        return None
    opened = replace(r, low_open=r.low.head == "num" or r.low_open, high_open=r.high.head == "num" or r.high_open)
    return replace(asked, ranges={variable: opened})


def _has_value(expression: Expression, point: Mapping[str, Fraction]) -> bool:
    try:
        value_at(expression, point)
    except (NoValue, Unknown):
        return False
    return True


def _by_zero_log(expression: Expression, point: Mapping[str, Fraction]) -> bool:
    """Whether a formula has its value by 0 log 0."""
    return any(p.head == "mul" and any(_lacks_log(factor, point) for factor in p.args) for p in parts(expression))


def _lacks_log(expression: Expression, point: Mapping[str, Fraction]) -> bool:
    try:
        value_at(expression, point)
    except LogOfZero:
        return True
    except (NoValue, Unknown, KeyError):  # a factor in a sum has an index besides
        return False
    return False
