"""Floors and ceilings of multiples of a count n: it is m j + r with 0 <= r < m, and floor(n/m) is j + floor(r/m)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from math import ceil, floor, inf, isinf, lcm

from banditproof.verify.judge.formula import (
    INFINITY,
    binary,
    call,
    has,
    linear,
    mapped,
    name,
    names,
    num,
    outside,
    parts,
    put,
    rational,
    replaced,
)
from banditproof.verify.judge.points import Asked, has_value, seems_true
from banditproof.verify.judge.sentence import Compare, Expression, Range

MOST, MOST_POWER = 12, 6  # residues, and powers of a count


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
    m = period([p.args[1] for p in rounded], n)
    if not r.integer or not isinstance(low, Fraction) or high is None or m is None:
        return None
    if (there := at_residues(asked, n, m)) is None:
        return None
    claims = []
    for at in there:
        left, right = (computed(side, n) for side in (at.comparison.left, at.comparison.right))
        claims.append(replace(at, comparison=Compare(left, at.comparison.sign, right)))
    return tuple(claims), f"{n} is written {m} {n} + r, for each r from 0 to {m - 1}"


def at_residues(asked: Asked, n: str, m: int) -> list[Asked] | None:
    """The comparison with m n + r for n, for each r from 0 to m - 1 of which the range has one."""
    r, sides, found = asked.ranges[n], (asked.comparison.left, asked.comparison.right), []
    low, high = rational(r.low), rational(r.high)
    others = [range_ for word, range_ in asked.ranges.items() if word != n]
    if not r.integer or r.low_open or not isinstance(low, Fraction) or high is None or asked.conditions:
        return None
    if not isinf(high) and r.high_open or any(n in names(end) for o in others for end in (o.low, o.high)):
        return None
    for residue in range(m):
        first = ceil((low - residue) / m)
        last = inf if isinf(high) else floor((Fraction(high) - residue) / m)
        if first > last:
            continue
        value = binary("add", binary("mul", num(m), name(n)), num(residue))
        inside = Range(num(first), INFINITY if isinf(high) else num(last), integer=True)
        left, right = (put(side, {n: value}) for side in sides)
        found.append(Asked(Compare(left, asked.comparison.sign, right), {**asked.ranges, n: inside}))
    return found


def _is_rounding(e: Expression) -> bool:
    return e.head == "call" and e.args[0] in ("floor", "ceil")


def period(formulas: list[Expression], n: str) -> int | None:
    """The first m for which the formulas are polynomials of j, but for a number with whole coefficients, at m j + r."""
    known = [polynomial(e, n) for e in formulas]
    for m in range(1, MOST + 1) if None not in known else ():
        there = [binary("add", binary("mul", num(m), name(n)), num(r)) for r in range(m)]
        moved = (polynomial(put(e, {n: at}), n) or [] for e in formulas for at in there)
        if all(c.denominator == 1 for coefficients in moved for c in coefficients[1:]):
            return m
    return None


def polynomial(e: Expression, n: str) -> list[Fraction] | None:
    """The coefficients, the constant first, of a formula that is a polynomial of n by its form."""
    head, args = e.head, e.args
    if head == "num":
        return [args[0]]
    if head == "var":
        return [Fraction(0), Fraction(1)] if args[0] == n else None
    if head == "pow":
        power = rational(args[1])
        if not isinstance(power, Fraction) or power.denominator != 1 or not 0 < power <= MOST_POWER:
            return None
        return polynomial(binary("mul", args[0], binary("pow", args[0], num(power - 1))) if power > 1 else args[0], n)
    of = [polynomial(a, n) for a in args] if head in ("neg", "add", "sub", "mul", "div") else [None]
    if None in of:
        return None
    a, b = of[0] or [], of[-1] or []
    if head == "neg":
        return [-c for c in a]
    if head == "div":
        return [c / b[0] for c in a] if len(b) == 1 and b[0] else None
    if head == "mul":
        return [
            sum((a[i] * b[k - i] for i in range(len(a)) if 0 <= k - i < len(b)), Fraction(0))
            for k in range(len(a) + len(b) - 1)
        ]
    turn = 1 if head == "add" else -1
    return [x + turn * y for x, y in zip_longest(a, b, fillvalue=Fraction(0))]


def computed(e: Expression, n: str) -> Expression:
    """With a n + floor(b) for floor(a n + b) with a whole a, and so for every polynomial with whole coefficients."""
    of = polynomial(e.args[1], n) if _is_rounding(e) else None
    if of is None or any(c.denominator != 1 for c in of[1:]):
        return mapped(e, lambda part: computed(part, n))
    whole = num(0)
    for c in (*of[:0:-1], Fraction(floor(of[0]) if e.args[0] == "floor" else ceil(of[0]))):
        whole = binary("add", binary("mul", whole, name(n)), num(c))
    return whole


MOST_PIECES = 24


def by_rounding(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """The comparison for x = m y + t with whole y and 0 <= t < m, so that floor(a x + b) is a m y + floor(a t + b).

    That is constant in t between the places where a t + b is whole, and at each of them; so is a ceiling.
    """
    sides = (asked.comparison.left, asked.comparison.right)
    rounded = [p for side in sides for p in parts(side) if _is_rounding(p)]
    words = {x for p in rounded for x in names(p)}
    if len(words) != 1 or asked.conditions or not words <= asked.ranges.keys():
        return None
    (x,) = words
    r, inside = asked.ranges[x], [linear(p.args[1], x) for p in rounded]
    low, known = rational(r.low), [line for line in inside if line is not None]
    free = not any(x in names(end) for other in asked.ranges.values() for end in (other.low, other.high))
    if r.integer or not free or len(known) < len(inside) or low is None or rational(r.high) != inf:
        return None
    m = lcm(*(a.denominator for a, _ in known))
    if sum(abs(a) * m for a, _ in known) > MOST_PIECES:
        return None
    cuts = sorted({Fraction(0), Fraction(m), *(t for a, b in known for t in _whole_places(a, b, m))})
    y, t = (_fresh(stem, asked) for stem in ("whole", "rest"))
    claims = []
    first = None if isinf(low) else floor(Fraction(low) / m)
    for number in (None,) if first is None else (first, None):
        least = Fraction(low) - m * number if number is not None else Fraction(0)
        counts = Range(
            Expression("neg", (INFINITY,)) if first is None else num(first + 1), INFINITY, first is None, True
        )
        for at, upto in zip(cuts, cuts[1:], strict=False):
            places: list[tuple[Expression, dict[str, Range]]] = []
            if at > least or at == least and (number is None or not r.low_open):
                places.append((num(at), {}))
            if upto > least:
                closed = least > at and not r.low_open  # the end of the range of x
                places.append((name(t), {t: Range(num(max(at, least)), num(upto), not closed, True)}))
            middle = (max(at, least) + upto) / 2
            for place, ranged in places:
                value = at if not ranged else middle
                whole = num(m * number) if number is not None else binary("mul", num(m), name(y))
                others = {word: s for word, s in asked.ranges.items() if word != x}
                ranges = {**others, **ranged, **({} if number is not None else {y: counts})}
                left, right = (_rounded(side, x, whole, place, value) for side in sides)
                claims.append(Asked(Compare(left, asked.comparison.sign, right), ranges, printed=False))
    return tuple(claims), f"{x} is written {f'{m} ' * (m > 1)}{y} + {t} with a whole {y} and 0 <= {t} < {m}"


def _whole_places(a: Fraction, b: Fraction, m: int) -> list[Fraction]:
    """Where a t + b is whole, for 0 <= t < m."""
    if not a:
        return []
    low, high = sorted((b, a * m + b))
    return [t for k in range(ceil(low), floor(high) + 1) if 0 <= (t := (k - b) / a) < m]


def _rounded(e: Expression, x: str, whole: Expression, place: Expression, value: Fraction) -> Expression:
    """With whole + place for x, where roundings are those at `value`."""
    if _is_rounding(e) and (line := linear(e.args[1], x)) is not None:
        a, b = line
        near = floor(a * value + b) if e.args[0] == "floor" else ceil(a * value + b)
        return binary("add", binary("mul", num(a), whole), num(near))
    if e == name(x):
        return binary("add", whole, place)
    return mapped(e, lambda part: _rounded(part, x, whole, place, value))


def _fresh(stem: str, asked: Asked) -> str:
    while stem in asked.ranges:
        stem += "_"
    return stem


MOST_WHOLE = 4


def by_whole_numbers(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """The comparison with a whole number for each floor and ceiling, and what is known of it as conditions.

    floor(e) is the whole m with m <= e < m + 1, and ceil(e) that with m - 1 < e <= m. Where e is a/b with b > 0, these
    are b m <= a < b m + b and b m - b < a <= b m; where a and b are whole too, a <= b m + b - 1 and b m - b + 1 <= a.
    Sides that are whole by their form are compared as whole numbers: L <= R where L < R + 1. What is inside of a floor
    has to have a value, as a condition without a value is never met.
    """
    sides = [asked.comparison.left, asked.comparison.right]
    ranges, conditions = dict(asked.ranges), list(asked.conditions)
    claims: list[Asked] = []
    anything = Range(Expression("neg", (INFINITY,)), INFINITY, True, True, integer=True)
    for count in range(MOST_WHOLE + 1):
        inner = [p for e in sides for p in outside(e) if _is_rounding(p) and not has(p.args[1], "floor", "ceil")]
        if not inner:
            break
        part = inner[0]
        if count == MOST_WHOLE or has(part, "sum", "prod", "inf", "sup"):
            return None
        m, inside, down = _fresh(f"whole_{count + 1}", asked), part.args[1], part.args[0] == "floor"
        a, b = inside.args if inside.head == "div" else (inside, num(1))
        there = replace(asked, ranges=_of_numbers(ranges), conditions=tuple(conditions), printed=False)
        if b.head != "num":
            claims.append(replace(there, comparison=Compare(b, ">", num(0))))
        elif b.args[0] <= 0:
            a, b = inside, num(1)
        claims.append(has_value(a, there.ranges, there.conditions))
        whole = is_whole(a, ranges) and is_whole(b, ranges)
        near, one = binary("mul", b, name(m)), num(1)
        away = binary("add" if down else "sub", near, b)
        if whole:
            strict = Compare(a, "<=", binary("sub", away, one)) if down else Compare(a, ">=", binary("add", away, one))
        else:
            strict = Compare(a, "<" if down else ">", away)
        conditions += [Compare(near, "<=" if down else ">=", a), strict]
        positive = replace(there, comparison=Compare(a, ">=", num(0)))
        ranges[m] = Range(num(0), INFINITY, False, True, integer=True) if seems_true(positive) else anything
        claims += [positive] if ranges[m] != anything else []
        sides = [replaced(e, part, name(m)) for e in sides]
    if len(ranges) == len(asked.ranges):
        return None
    (left, right), sign, one = sides, asked.comparison.sign, num(1)
    compared = [Compare(left, sign, right)]
    if is_whole(left, ranges) and is_whole(right, ranges) and sign in ("<=", ">=", "=="):
        less = Compare(left, "<", binary("add", right, one)), Compare(right, "<", binary("add", left, one))
        compared = [c for c, signs in zip(less, (("<=", "=="), (">=", "==")), strict=True) if sign in signs]
    claims += [Asked(c, _of_numbers(ranges), tuple(conditions), printed=False) for c in compared]
    return tuple(claims), "floors and ceilings are whole numbers next to what is rounded"


def _of_numbers(ranges: Mapping[str, Range]) -> dict[str, Range]:
    """The ranges with all numbers for whole ones without a first, of which provers know more."""
    return {n: replace(r, integer=r.integer and not isinf(rational(r.low) or 0)) for n, r in ranges.items()}


def is_whole(e: Expression, ranges: Mapping[str, Range]) -> bool:
    """Whether an expression is a whole number by its form."""
    if e.head == "num":
        return bool(e.args[0].denominator == 1)
    if e.head == "var":
        return e.args[0] in ranges and ranges[e.args[0]].integer
    if e.head == "call" and e.args[0] in ("floor", "ceil"):
        return True
    values = e.args[1:] if e.head == "call" and e.args[0] in ("abs", "min", "max") else e.args
    return (values != e.args or e.head in ("add", "sub", "mul", "neg")) and all(is_whole(a, ranges) for a in values)


def by_powers(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """With z for b^ceil(log_b n) or b^floor(log_b n), a whole power of b beside a count n.

    From n >= 2 on, ceil: z/b < n <= z, and both sides are whole, so z/b + 1 <= n; floor: z <= n and n + 1 <= b z.
    """
    sides = (asked.comparison.left, asked.comparison.right)
    found = {p: of for side in sides for p in parts(side) if (of := _power_beside(p)) is not None}
    if len(found) != 1 or asked.conditions:
        return None
    ((power, (word, b, n)),) = found.items()
    r = asked.ranges.get(n)
    z = _fresh("power", asked)
    low = None if r is None else rational(r.low)
    if r is None or not r.integer or r.low_open or not isinstance(low, Fraction) or low < 1:
        return None
    if any(n in names(end) for other in asked.ranges.values() for end in (other.low, other.high)):
        return None

    def change(e: Expression) -> Expression:
        if e == power.args[1]:
            return binary("div", call("log", name(z)), call("log", num(b)))
        return name(z) if e == power else mapped(e, change)

    left, right = map(change, sides)
    if any(_is_rounding(p) for side in (left, right) for p in parts(side)):
        return None
    least, claims = max(Fraction(2), low), []
    others = {word: s for word, s in asked.ranges.items() if word != n}
    if low == 1:
        at = {n: num(1), z: num(1)}
        claims.append(Asked(Compare(put(left, at), asked.comparison.sign, put(right, at)), others, printed=False))
    ratio, one = num(b), num(1)
    lower = binary("add", binary("div", name(z), ratio), one) if word == "ceil" else name(z)
    upper = name(z) if word == "ceil" else binary("sub", binary("mul", ratio, name(z)), one)
    ranges = {
        **others,
        n: Range(num(least), r.high, False, r.high_open),
        z: Range(num(b if word == "ceil" else 1), INFINITY),
    }
    within = (Compare(lower, "<=", name(n)), Compare(name(n), "<=", upper))
    claims.append(Asked(Compare(left, asked.comparison.sign, right), ranges, within, printed=False))
    return tuple(claims), f"{z} is a power of {b} next to the whole number {n}"


def _power_beside(e: Expression) -> tuple[str, Fraction, str] | None:
    """Of b^ceil(log(n)/log(b)) and b^floor(log(n)/log(b)): which, b, and n."""
    if e.head != "pow" or e.args[0].head != "num" or not _is_rounding(e.args[1]):
        return None
    (word, inside), b = e.args[1].args, e.args[0].args[0]
    log = binary("div", inside.args[0], call("log", e.args[0])) if inside.head == "div" else None
    if inside != log or inside.args[0].head != "call" or inside.args[0].args[0] != "log":
        return None
    n = inside.args[0].args[1]
    return (word, b, n.args[0]) if n.head == "var" and b.denominator == 1 and b >= 2 else None
