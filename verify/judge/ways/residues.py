"""Floors and ceilings of multiples of a count n: it is m j + r with 0 <= r < m, and floor(n/m) is j + floor(r/m)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from math import ceil, floor, inf, isinf, lcm

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.points import FLIPPED, Asked, has_value, seems_true

MOST, MOST_POWER = 12, 6  # residues, and powers of a count
MOST_FIRST = 6  # counts that are compared by themselves


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


def _alternates(e: Expression, n: str) -> list[Fraction] | None:
    """The exponent of a power of -1."""
    return polynomial(e.args[1], n) if e.head == "pow" and rational(e.args[0]) == -1 else None


def along_residues(left: Expression, right: Expression, n: str) -> list[tuple[Expression, Expression, Expression]]:
    """m n + r, and both sides there, for each r, floors, ceilings and powers of -1 being computed; none without any."""
    inside = [p.args[1] for e in (left, right) for p in parts(e) if _is_rounding(p) and n in names(p)]
    signs = [p for e in (left, right) for p in parts(e) if n in names(p) and _alternates(p, n) is not None]
    if not (inside or signs) or (m := period(inside, n)) is None:
        return []
    m = lcm(m, 2) if signs else m
    there = (binary("add", binary("mul", num(m), name(n)), num(r)) for r in range(m))
    return [(at, computed(put(left, {n: at}), n), computed(put(right, {n: at}), n)) for at in there]


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
        sign = _alternates(e, n)
        if sign is not None and all(c.denominator == 1 and c % 2 == 0 for c in sign[1:]) and sign[0].denominator == 1:
            return num((-1) ** int(sign[0] % 2))
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
    y, t = (fresh(stem, asked.ranges) for stem in ("whole", "rest"))
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


def beside_a_whole_number(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """floor(A) against a whole number B by A: at most B where A < B + 1, at least B where A >= B; and so for ceil."""
    c = asked.comparison
    turned = not _is_rounding(c.left)
    rounded, sign, whole = (c.right, FLIPPED.get(c.sign, ""), c.left) if turned else (c.left, c.sign, c.right)
    if not _is_rounding(rounded) or has(whole, "floor", "ceil") or not is_whole(whole, asked.ranges):
        return None
    down, one = rounded.args[0] == "floor", num(1)
    after, before = binary("add", whole, one), binary("sub", whole, one)
    bounds = {
        "<=": ("<", after) if down else ("<=", whole),
        ">=": (">=", whole) if down else (">", before),
        "<": ("<", whole) if down else ("<=", before),
        ">": (">=", after) if down else (">", whole),
    }
    signs = [s for s in bounds if s == sign or sign == "==" and s in ("<=", ">=")]
    claims = [replace(asked, comparison=Compare(rounded.args[1], *bounds[s]), printed=False) for s in signs]
    return (tuple(claims), f"{rounded.args[0]} is compared with a whole number") if claims else None


def by_what_is_rounded(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """floor(A) <= floor(B) from A <= B, and so for ceilings and equations, with a root in place of the same floor."""
    c = asked.comparison
    rounded = _is_rounding(c.left) and _is_rounding(c.right) and c.left.args[0] == c.right.args[0]
    orders = [(c.left, c.right), (c.right, c.left)][c.sign == ">=" : 1 + (c.sign in ("==", ">="))]
    if not rounded or c.sign not in ("<=", ">=", "=="):
        return None
    down = c.left.args[0] == "floor"
    claims = [has_value(side.args[1], asked.ranges, asked.conditions) for side in (c.left, c.right)]
    for small, large in orders:
        less, more = (
            _with_nearest_square(e, asked.ranges) if e is (small if down else large) else e.args[1]
            for e in (small, large)
        )
        claims.append(replace(asked, comparison=Compare(less, "<=", more), printed=False))
    because = f"{c.left.args[0]} does not fall, and is the same for all that is next to no other square"
    return (tuple(claims), because) if all(map(seems_true, claims)) else None


def _with_nearest_square(part: Expression, ranges: Mapping[str, Range]) -> Expression:
    return call("sqrt", _nearest_square(part, ranges)) if _is_root(part.args[1]) else part.args[1]


MOST_WHOLE = 4


def by_whole_numbers(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """The comparison with a whole number for each floor and ceiling, and what is known of it as conditions.

    floor(e) is the whole m with m <= e < m + 1, and ceil(e) that with m - 1 < e <= m; of roots and logarithms these are
    comparisons of squares, and of powers z = b^m. Sides that are whole by their form are compared as whole numbers:
    L <= R where L < R + 1. What is inside of a floor has to have a value, as a condition without a value is never met.
    """
    sides = [asked.comparison.left, asked.comparison.right]
    ranges, conditions = dict(asked.ranges), list(asked.conditions)
    claims: list[Asked] = []
    powers: dict[str, tuple[str, Fraction]] = {}  # z and b of a whole m of which b^m is known
    for count in range(MOST_WHOLE + 1):
        inner = [p for e in sides for p in outside(e) if _is_rounding(p) and not has(p.args[1], "floor", "ceil")]
        if not inner:
            break
        part = inner[0]
        if count == MOST_WHOLE or has(part, "sum", "prod", "inf", "sup"):
            return None
        m = fresh(f"whole_{count + 1}", asked.ranges)
        there = replace(asked, ranges=_of_numbers(ranges, powers), conditions=tuple(conditions), printed=False)
        base = _base_of_log(part.args[1])
        if base is None:
            asks, known = (_of_root if _is_root(part.args[1]) else _of_quotient)(part, m, there, ranges)
        else:
            powers[m] = (fresh(f"power_{count + 1}", asked.ranges), base)
            asks, known = _of_logarithm(part, *powers[m], there, ranges)
            ranges[powers[m][0]] = Range(num(0), INFINITY, True, True)
        claims += [has_value(part.args[1], there.ranges, there.conditions), *asks]
        conditions += known
        ranges[m] = WHOLE_NUMBERS
        positive = replace(there, comparison=Compare(part.args[1], ">=", num(0)))
        if base is None and seems_true(positive):
            ranges[m] = replace(WHOLE_NUMBERS, low=num(0), low_open=False)
            claims.append(positive)
        sides = [replaced(e, part, name(m)) for e in sides]
    if len(ranges) == len(asked.ranges):
        return None
    (left, right), sign, one = sides, asked.comparison.sign, num(1)
    compared = [Compare(left, sign, right)]
    if is_whole(left, ranges) and is_whole(right, ranges) and sign in ("<=", ">=", "=="):
        less = Compare(left, "<", binary("add", right, one)), Compare(right, "<", binary("add", left, one))
        compared = [c for c, signs in zip(less, (("<=", "=="), (">=", "==")), strict=True) if sign in signs]
    there = replace(asked, ranges=_of_numbers(ranges, powers), conditions=tuple(conditions), printed=False)
    claims += [replace(there, comparison=_in_powers(c, powers)) for c in compared]
    return tuple(claims), "floors and ceilings are whole numbers next to what is rounded"


WHOLE_NUMBERS = Range(Expression("neg", (INFINITY,)), INFINITY, True, True, integer=True)
Beside = tuple[list[Asked], list[Compare]]


def _of_quotient(part: Expression, m: str, there: Asked, ranges: Mapping[str, Range]) -> Beside:
    """Of a/b with b > 0: b m <= a < b m + b, or b m - b < a <= b m; of whole a and b, with 1 instead of <."""
    down, inside, asks = part.args[0] == "floor", part.args[1], []
    a, b = inside.args if inside.head == "div" else (inside, num(1))
    if b.head != "num":
        asks = [replace(there, comparison=Compare(b, ">", num(0)))]
    elif b.args[0] <= 0:
        a, b = inside, num(1)
    near, whole = binary("mul", b, name(m)), is_whole(a, ranges) and is_whole(b, ranges)
    return asks, _between(near, a, binary("add" if down else "sub", near, b), down, whole)


def _between(near: Expression, a: Expression, away: Expression, down: bool, whole: bool) -> list[Compare]:
    """near <= a < away, or near >= a > away where not `down`; of whole numbers without <."""
    if whole:
        strict = Compare(a, "<=" if down else ">=", binary("sub" if down else "add", away, num(1)))
    else:
        strict = Compare(a, "<" if down else ">", away)
    return [Compare(near, "<=" if down else ">=", a), strict]


def _of_root(part: Expression, m: str, there: Asked, ranges: Mapping[str, Range]) -> Beside:
    """Of sqrt(u): m^2 <= u < (m + 1)^2, or (m - 1)^2 < u <= m^2 where u > 0, with a whole u next to it."""
    down, u = part.args[0] == "floor", _nearest_square(part, ranges)
    asks = [] if down else [replace(there, comparison=Compare(part.args[1].args[1], ">", num(0)))]
    near, other = (binary("pow", e, num(2)) for e in (name(m), binary("add" if down else "sub", name(m), num(1))))
    return asks, _between(near, u, other, down, is_whole(u, ranges))


def _nearest_square(part: Expression, ranges: Mapping[str, Range]) -> Expression:
    """The u of floor(sqrt(u)), or of ceil, moved to where squares may be: as a n + b are only some of them."""
    u, turn, down = part.args[1].args[1], -1 if part.args[0] == "floor" else 1, part.args[0] == "floor"
    u = _rounded_constant(u, down, ranges)
    line = linear(u, next(iter(names(u)))) if len(names(u)) == 1 and is_whole(u, ranges) else None
    if line is None or not 1 < abs(line[0]) <= MOST:
        return u
    m = int(abs(line[0]))
    step = min((turn * (k * k - int(line[1]))) % m for k in range(m))
    return binary("add", u, num(turn * step)) if step else u


def _rounded_constant(u: Expression, down: bool, ranges: Mapping[str, Range]) -> Expression:
    """With the whole number next to c for it, of a whole number and a number c: no whole number is between."""
    c = rational(u.args[1]) if u.head in ("add", "sub") and is_whole(u.args[0], ranges) else None
    if not isinstance(c, Fraction) or c.denominator == 1:
        return u
    c = c if u.head == "add" else -c
    return binary("add", u.args[0], num(floor(c) if down else ceil(c)))


def _of_logarithm(part: Expression, z: str, b: Fraction, there: Asked, ranges: Mapping[str, Range]) -> Beside:
    """Of log(u)/log(b): z <= u < b z, or z/b < u <= z, with a whole u next to it."""
    down, u = part.args[0] == "floor", part.args[1].args[0].args[1]
    u, near = _rounded_constant(u, down, ranges), name(z)
    away, whole = binary("mul" if down else "div", near, num(b)), is_whole(u, ranges)
    known = _between(near, u, away, down, whole and down)
    one = replace(there, comparison=Compare(u, ">=", num(1)))
    return ([one], [*known, Compare(near, ">=", num(1))]) if seems_true(one) else ([], known)


def _is_root(e: Expression) -> bool:
    return e.head == "call" and e.args[0] == "sqrt"


def _base_of_log(e: Expression) -> Fraction | None:
    """b of log(u)/log(b), where it is a whole number."""
    if (
        e.head != "div"
        or any(a.head != "call" or a.args[0] != "log" for a in e.args)
        or e.args[1].args[1].head != "num"
    ):
        return None
    b: Fraction = e.args[1].args[1].args[0]
    return b if b.denominator == 1 and b >= 2 else None


def _in_powers(c: Compare, powers: Mapping[str, tuple[str, Fraction]]) -> Compare:
    """With z for b^m and log(z)/log(b) for m; a comparison of multiples of such m as one of products of powers."""
    bases = {b for _, b in powers.values()}
    gap: Expression | None = binary("sub", c.right, c.left)
    below, above = num(1), num(1)
    for m, (z, _) in powers.items():
        of = linear_part(gap, m) if gap is not None else None
        gap = of[1] if of is not None and of[0].denominator == 1 else None
        power = binary("pow", name(z), num(abs(of[0]))) if of is not None and of[0] else num(1)
        below, above = (
            (binary("mul", below, power), above) if of and of[0] < 0 else (below, binary("mul", above, power))
        )
    rest = rational(gap) if gap is not None and not names(gap) else None
    if powers and len(bases) == 1 and isinstance(rest, Fraction):
        return Compare(below, c.sign, binary("mul", above, binary("pow", num(bases.pop()), num(rest))))

    def change(e: Expression) -> Expression:
        if e.head == "pow" and e.args[0].head == "num":
            for m, (z, b) in powers.items():
                of = linear_part(e.args[1], m) if e.args[0].args[0] == b else None
                if of is not None and of[0]:
                    return binary("mul", binary("pow", name(z), num(of[0])), change(binary("pow", e.args[0], of[1])))
        if e.head == "var" and e.args[0] in powers:
            z, b = powers[e.args[0]]
            return binary("div", call("log", name(z)), call("log", num(b)))
        return mapped(e, change)

    return Compare(change(c.left), c.sign, change(c.right))


def _of_numbers(ranges: Mapping[str, Range], but: Container[str] = ()) -> dict[str, Range]:
    """The ranges but for some, with all numbers for whole ones without a first, of which provers know more."""
    return {
        n: replace(r, integer=r.integer and not isinf(rational(r.low) or 0)) for n, r in ranges.items() if n not in but
    }


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
    z = fresh("power", asked.ranges)
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


def by_first_counts(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """A count as a real number from some count on, and those before by themselves; below 0 the same of -n."""
    sides = (asked.comparison.left, asked.comparison.right)
    for n, r in asked.ranges.items():
        low, high = rational(r.low), rational(r.high)
        tied = any(n in names(s.low) | names(s.high) for s in asked.ranges.values())
        if not r.integer or tied or low is None or high is None or any(has(side, *COUNTING) for side in sides):
            continue
        claims: list[tuple[Asked, ...] | None] = []
        if isinf(high):
            claims.append(_from_some_count_on(asked, n, 0 if isinf(low) else ceil(low)))
        if isinf(low):
            mirrored = _put(asked, {n: Expression("neg", (name(n),))}, asked.ranges)
            claims.append(_from_some_count_on(mirrored, n, 1 if isinf(high) else ceil(-high)))
        if claims and None not in claims:
            because = f"{n} is a real number from some count on, and the counts before are compared by themselves"
            more = f"; for negative {n} the same of -{n}" if isinf(low) else ""
            return tuple(c for found in claims if found for c in found), because + more
    return None


def _from_some_count_on(asked: Asked, n: str, first: int) -> tuple[Asked, ...] | None:
    """The comparison at counts from the first one, and for all real numbers from where on it seems true of these."""
    others = {word: r for word, r in asked.ranges.items() if word != n}
    for k in range(first, first + MOST_FIRST):
        real = replace(asked, ranges={**asked.ranges, n: Range(num(k), INFINITY, high_open=True)}, printed=False)
        if seems_true(real):
            return (*(_put(asked, {n: num(j)}, others) for j in range(first, k)), real)
    return None


def _put(asked: Asked, there: Mapping[str, Expression], ranges: Mapping[str, Range]) -> Asked:
    comparison, conditions = put((asked.comparison, asked.conditions), there)
    return Asked(comparison, dict(ranges), conditions, printed=False)
