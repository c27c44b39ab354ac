"""A comparison from simpler ones: on parts of its range, of each summand against a tangent, without ends at 0 log 0."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas.certain import LogOfZero, NoValue, Unknown, value_at
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.points import Asked, failing, has_value, seems_true, speaks_of

ZERO = num(0)
REACH = Fraction(4)  # how far from a place a range without an end is cut, at the least
LARGEST = 60  # denominator of a cut
SHORT, ROUNDED = 12, 1e-9  # denominator of a slope, and how near it is
DRAWS, SPOILED = 2000, 0.03  # points at which a guess is looked at, and the share of them that rounding may spoil

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
    """A sum of functions of some variables each, of which sums are fixed, from the tangents at one place.

    With sum a_v x_v = s and sum a_v c_v = s for each fixed sum: if f_i(x) >= f_i(c) + sum l a_v (x_v - c_v) over the
    variables v of f_i, with one l for each fixed sum, then sum f_i(x) >= sum f_i(c).
    """
    fixed = fixed_sums(asked)
    if not fixed or asked.comparison.sign not in ("<=", ">=", "<", ">"):
        return None
    weights = {v: w for of, _ in fixed for v, w in of.items()}
    sides = (asked.comparison.left, asked.comparison.right)
    larger, smaller = sides if asked.comparison.sign[0] == ">" else sides[::-1]
    blocks, rest = _apart(binary("sub", larger, smaller), weights)
    within = {v: _within_sum(asked.ranges, of, total, v) for of, total in fixed for v in of}
    for place in _places(asked, fixed) if len(blocks) > 1 else ():
        at = {v: num(c) for v, c in place.items()}
        leans: dict[str, Expression] = {}
        try:
            for of, _ in fixed:
                x = next(iter(of))
                f = next(f for block, f in blocks if x in block)
                leans |= dict.fromkeys(of, binary("div", put(slope(f, x), at), num(of[x])))
        except NoSlope:
            return None
        claims: dict[Any, Asked] = {}
        value, facts = rest, ()
        for block, f in blocks:
            here = tangent = put(f, at)
            for v in block:
                distance = binary("sub", name(v), at[v])
                tangent = binary(
                    "add", tangent, binary("mul", _simple(leans[v]), binary("mul", num(weights[v]), distance))
                )
            above = Compare(f, ">=", tangent)
            claim = Asked(above, {v: within[v] for v in block}, printed=False)
            if (inner := without_zero_logs(claim)) is not None:
                claim, facts = inner, (ZERO_LOG,)
            same = {v: name(f"x_{k}") for k, v in enumerate(block)}
            claims.setdefault((put(binary("sub", f, tangent), same), *claim.ranges.values()), claim)
            value = binary("add", value, here)
        at_place = Asked(Compare(value, ">" + asked.comparison.sign[1:], ZERO), {})
        if at_place.fails({}) is None and all(seems_true(claim, DRAWS, SPOILED) for claim in claims.values()):
            where = ", ".join(f"{v} = {c}" for v, c in place.items())
            because = f"every summand lies on one side of its tangent at {where}"
            return (at_place, *claims.values()), because, facts
    return None


def _simple(e: Expression) -> Expression:
    """A number near a formula without variables, if it is a short one: any slope of a tangent may be tried."""
    with np.errstate(all="ignore"):
        value = float(value_of(e, {}))
    short = Fraction(value).limit_denominator(SHORT) if np.isfinite(value) else Fraction(0)
    return num(short) if abs(short - value) < ROUNDED else e


def fixed_sums(asked: Asked) -> list[tuple[dict[str, Fraction], Fraction]]:
    """Weights and the total of them times variables, where the conditions say that, and each variable is in one."""
    fixed: list[tuple[dict[str, Fraction], Fraction]] = []
    if len(asked.ranges) < 2 or any(r.integer for r in asked.ranges.values()):
        return []
    for c in asked.conditions:
        if not isinstance(c, Compare) or c.sign != "==":
            return []
        weights, rest = {}, binary("sub", c.left, c.right)
        for v in names(rest):
            part = linear_part(rest, v)
            if part is None or not part[0]:
                return []
            weights[v], rest = part
        total = rational(rest)
        if not isinstance(total, Fraction):
            return []
        fixed.append(({v: weights[v] for v in asked.ranges if v in weights}, -total))
    once = sorted(v for of, _ in fixed for v in of) == sorted(asked.ranges)
    return fixed if once else []


def _apart(
    e: Expression, variables: Mapping[str, Fraction]
) -> tuple[list[tuple[tuple[str, ...], Expression]], Expression]:
    """What a sum has of variables that stand in one summand, each with the others, and its rest without any."""
    of_each: dict[frozenset[str], Expression] = {frozenset([v]): ZERO for v in variables}
    rest = ZERO
    for positive, summand in summands(_multiplied(e), True):
        found = names(summand) & variables.keys()
        part = summand if positive else Expression("neg", (summand,))
        if not found:
            rest = binary("add", rest, part)
            continue
        joined = [block for block in of_each if block & found]
        total = ZERO
        for block in joined:
            total = binary("add", total, of_each.pop(block))
        of_each[frozenset().union(*joined)] = binary("add", total, part)
    return [(tuple(v for v in variables if v in block), f) for block, f in of_each.items()], rest


def _multiplied(e: Expression) -> Expression:
    """A sum whose parts that are a sum times a number are multiplied out."""
    if e.head in ("add", "sub", "neg"):
        return Expression(e.head, tuple(map(_multiplied, e.args)))
    if e.head == "mul" and not names(e.args[1]):
        e = Expression("mul", e.args[::-1])
    factor, inner = (e.args if e.head == "mul" else e.args[::-1]) if e.head in ("mul", "div") else (e, ZERO)
    if names(factor) or inner.head not in ("add", "sub", "neg"):
        return e
    shares = (Expression(e.head, (factor, part) if e.head == "mul" else (part, factor)) for part in inner.args)
    return _multiplied(Expression(inner.head, tuple(shares)))


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


def _places(asked: Asked, fixed: list[tuple[dict[str, Fraction], Fraction]]) -> Iterator[dict[str, Fraction]]:
    """Where all variables of a sum are equal; where a search saw the sides come closest, in simple numbers."""
    if all(sum(weights.values()) for weights, _ in fixed):
        yield {v: total / sum(weights.values()) for weights, total in fixed for v in weights}
    _, near = failing(asked, draws=2000)
    if near is not None and len(fixed) == 1:
        ((weights, total),) = fixed
        *free, last = weights
        place = {v: near[1][v].limit_denominator(12) for v in free}
        yield place | {last: (total - sum(weights[v] * c for v, c in place.items())) / weights[last]}


def _within_sum(ranges: Mapping[str, Range], weights: dict[str, Fraction], total: Fraction, v: str) -> Range:
    """The range of a variable, with the end that the sum gives it where all are bounded below."""
    ends = {n: rational(ranges[n].low) for n in weights if n != v}
    lows = {n: low for n, low in ends.items() if isinstance(low, Fraction)}
    if min(weights.values()) <= 0 or len(lows) < len(ends):
        return ranges[v]
    most = (total - sum(weights[n] * low for n, low in lows.items())) / weights[v]
    high = rational(ranges[v].high)
    return ranges[v] if high is not None and high <= most else replace(ranges[v], high=num(most), high_open=False)


# ------------------------------------------------------------------------------------------------------- 0 log 0

NOT_CONTINUOUS = ("floor", "ceil", "sum", "prod", "inf", "sup", "diff", "binom", "factorial")
ZERO_LOG = "0 log 0 is 0, so that both sides are continuous"


def is_continuous(e: Expression) -> bool:
    """Whether a formula is continuous by its form wherever it has a value, 0 log 0 being 0."""
    found = [p for p in parts(e) if p.head in ("pow", "call", "cases")]
    of_kl = (rational(p.args[2]) for p in found if p.args[0] == "kl")  # continuous for 0 < q < 1
    moving = any(p.head == "pow" and names(p.args[1]) or p.head == "cases" for p in found)
    return not moving and not has(e, *NOT_CONTINUOUS) and all(q is not None and 0 < q < 1 for q in of_kl)


def without_zero_logs(asked: Asked) -> Asked | None:
    """The comparison without the ends of its range at which the only trouble is 0 log 0; None where there are none.

    Of one variable and no strict comparison that is enough where both sides are built of continuous functions.
    """
    if len(asked.ranges) != 1:
        return None
    ((variable, r),) = asked.ranges.items()
    sides = (asked.comparison.left, asked.comparison.right)
    ends = [e.args[0] for e, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_ and e.head == "num"]
    strict = asked.comparison.sign not in ("<=", ">=", "==")
    if r.integer or strict or not all(map(is_continuous, sides)):
        return None
    places = [(side, {variable: end}) for end in ends for side in sides]
    if not all(_has_value(*place) for place in places) or not any(_by_zero_log(*place) for place in places):
        return None
    opened = replace(r, low_open=r.low.head == "num" or r.low_open, high_open=r.high.head == "num" or r.high_open)
    return replace(asked, ranges={variable: opened})


def by_zero_logs(asked: Asked) -> tuple[Asked, ...]:
    """The comparison inside of its ranges, and at each closed end where 0 log 0 stands, with 0 in its place."""
    for x, r in asked.ranges.items():
        closed = [e for e, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_ and e.head == "num"]
        faces = {end: face for end in closed if (face := _face(asked, x, end))} if not r.integer else {}
        if faces:
            opened = replace(r, low_open=r.low in faces or r.low_open, high_open=r.high in faces or r.high_open)
            inner = replace(asked, ranges={**asked.ranges, x: opened})
            return tuple(claim for one in (inner, *itertools.chain(*faces.values())) for claim in by_zero_logs(one))
    return (asked,)


def _face(asked: Asked, x: str, end: Expression) -> tuple[Asked, ...]:
    """The comparison at an end of a range, and that its divisors are not 0; empty without 0 log 0 there."""
    others = {n: r for n, r in asked.ranges.items() if n != x}
    if any(x in names(r.low) | names(r.high) for r in others.values()):
        return ()
    there: Asked = replace(asked, ranges=others, conditions=put(asked.conditions, {x: end}), printed=False)
    inside: list[Expression] = []
    left, right = (_without_0_log_0(put(e, {x: end}), inside) for e in (asked.comparison.left, asked.comparison.right))
    valued = (has_value(e, others, there.conditions) for e in dict.fromkeys(inside))
    return (replace(there, comparison=Compare(left, asked.comparison.sign, right)), *valued) if inside else ()


def _without_0_log_0(e: Expression, inside: list[Expression]) -> Expression:
    """A formula with 0 for 0 log 0 and 0 log(0/u), of which 1/u has a value."""
    e = mapped(e, lambda part: _without_0_log_0(part, inside))
    if all(a.head == "num" for a in e.args if isinstance(a, Expression)):
        return _worked_out(e)
    log = next((a.args[1] for a in e.args if isinstance(a, Expression) and a.args[:1] == ("log",)), None)
    divided = log is not None and log.head == "div" and log.args[0] == ZERO
    if e.head != "mul" or ZERO not in e.args or not (log == ZERO or divided):
        return e
    inside.append(binary("div", num(1), log.args[1]) if log is not None and divided else ZERO)
    return ZERO


def _worked_out(e: Expression) -> Expression:
    """A sum or a product of two numbers as one, and 0 for its roots and powers."""
    if e.args[-1] == ZERO and e.head == "call" and e.args[0] == "sqrt" or e.head == "pow" and e.args[0] == ZERO:
        return ZERO if e.head == "call" or e.args[1].args[0] > 0 else e
    value = rational(e) if e.head in ("add", "sub", "mul", "neg") else None
    return num(value) if isinstance(value, Fraction) else e


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
