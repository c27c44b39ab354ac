"""A comparison in several numbers from comparisons that rules know: by a place where the sides touch, by both ends, by
squares, by tangents of roots.

Each way is sufficient; none is needed. The gap of a comparison is its larger side less its smaller one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.ways.from_far import turned
from banditproof.verify.judge.ways.pieces import ZERO_LOG
from banditproof.verify.judge.ways.points import Asked, failing, has_value, seems_true, speaks_of

ZERO = num(0)
Claims = tuple[Asked, ...]
Found = tuple[Claims, str]
FEW, SOME = 500, 0.03  # draws of a guess, and the share of them that rounding may spoil
LEVEL = Fraction(1, 10**9)
NEAR_ENDS = 0.3  # the share of draws at which rounding may hide an equation
MOST_ORDER = 3  # of derivatives at an end
MOST_ROOTS = 3  # squares one inside of the other
NOT_SMOOTH = ("min", "max", "abs", "floor", "ceil", "inf", "sup", "sum", "prod", *COUNTING)


def _gap(asked: Asked) -> Expression | None:
    larger, smaller, sign = turned(asked)
    return binary("sub", larger, smaller) if sign == ">=" else None


def by_touching(asked: Asked) -> Iterator[Found]:
    """g >= 0 from g(c) >= 0, g'(c) = 0 and g'' >= 0, along one number.

    By Taylor's formula g(t) = g(c) + g'(c) (t - c) + g''(z) (t - c)^2/2 for some z between. The place c is a number,
    another variable with the same range, or where the derivative is 0 on the whole line. A formula that has a
    derivative here is smooth wherever that has a value.
    """
    gap = _gap(asked)
    if gap is None or has(gap, *NOT_SMOOTH):
        return
    for t, r in asked.ranges.items():
        tied = any(t in names(s.low) | names(s.high) for s in asked.ranges.values()) or names(r.low) | names(r.high)
        if r.integer or tied or any(speaks_of(c, t) for c in asked.conditions):
            continue
        try:
            first = slope(gap, t)
            second = slope(first, t)
        except NoSlope:
            continue
        line = replace(asked, ranges={**asked.ranges, t: LINE})
        wider = r != LINE and goes_on(gap, t) and seems_true(line, FEW, SOME)
        yield from _along(line if wider else asked, t, gap, first, second)


def _along(asked: Asked, t: str, gap: Expression, first: Expression, second: Expression) -> Iterator[Found]:
    r = asked.ranges[t]
    others = {n: s for n, s in asked.ranges.items() if n != t}
    inner = replace(asked, ranges={**asked.ranges, t: replace(r, low_open=True, high_open=True)}, printed=False)
    closed = [end for end, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_]
    ends = [Asked(put(asked.comparison, {t: end}), others, put(asked.conditions, {t: end})) for end in closed]
    for c in dict.fromkeys(_places(asked, gap, t)):
        at = [Asked(put(d, {t: c}), others, asked.conditions) for d in (asked.comparison, Compare(first, "==", ZERO))]
        curved = replace(inner, comparison=_at_least_0(second))
        if r == HALF_LINE:
            at.append(Asked(Compare(c, ">", ZERO), others, asked.conditions))
        if _level(at[1]) and seems_true(at[0], FEW, SOME) and seems_true(curved, FEW, SOME):
            claims = (*at, curved, has_value(gap, inner.ranges, asked.conditions), *ends)
            yield claims, f"at {t} = {plain(c)} the gap of the sides is 0 or more and flat, and it curves upwards"


def by_taylor(asked: Asked) -> Iterator[Found]:
    """g >= 0 on one side of c from g(c) >= 0, g'(c) >= 0, ..., and that the last derivative is so, in this direction.

    Taylor's formula at an end c of the range of one number: where the derivatives have values at c they go on to it.
    """
    larger, smaller, sign = turned(asked)
    gap = binary("sub", larger, smaller)
    if sign not in (">", ">=") or has(gap, *NOT_SMOOTH):
        return
    for t, r in asked.ranges.items():
        tied = any(t in names(s.low) | names(s.high) for s in asked.ranges.values()) or names(r.low) | names(r.high)
        if r.integer or tied or any(speaks_of(c, t) for c in asked.conditions):
            continue
        for end, way in ((r.low, 1), (r.high, -1)):
            if isinstance(rational(end), Fraction):
                yield from _from_an_end(asked, gap, sign, t, end, way)


def _from_an_end(asked: Asked, gap: Expression, sign: str, t: str, end: Expression, way: int) -> Iterator[Found]:
    r = asked.ranges[t]
    others = {n: s for n, s in asked.ranges.items() if n != t}
    inner = replace(asked, ranges={**asked.ranges, t: replace(r, low_open=True, high_open=True)}, printed=False)
    closed = [e for e, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_]
    ends = [Asked(put(asked.comparison, {t: e}), others, asked.conditions) for e in closed]
    at, moved = [], gap
    for order in range(1, MOST_ORDER + 1):
        there = Asked(_at_least_0(put(moved, {t: end})), others, asked.conditions)  # it has a value there
        if not (_level(there) or seems_true(there, FEW, SOME, known=True)):
            return
        at.append(there)
        try:
            moved = slope(moved, t) if way > 0 else _minus(slope(moved, t))
        except NoSlope:
            return
        last = replace(inner, comparison=replace(_at_least_0(moved), sign=sign))
        if order > 1 and seems_true(last, FEW, SOME, known=True):
            claims = (*at, last, has_value(gap, inner.ranges, asked.conditions), *ends)
            yield claims, f"at {t} = {plain(end)} the gap of the sides is 0 or more and rises, by Taylor's formula"


def by_touching_inside(asked: Asked) -> Iterator[tuple[Claims, str, tuple[str, ...]]]:
    """The same for numbers of [0, inf), above 0, and where one of them is 0; with the fact that 0 log 0 is 0."""
    closed = [n for n, r in asked.ranges.items() if not r.integer and replace(r, low_open=True) == HALF_LINE != r]
    if not closed or any(set(closed) & (names(r.low) | names(r.high)) for r in asked.ranges.values()):
        return
    ends, sides_at_0 = [], []
    for x in closed:
        comparison, conditions = put((asked.comparison, asked.conditions), {x: ZERO})
        sides_at_0 += [comparison.left, comparison.right]
        comparison = Compare(_no_log_of_0(comparison.left), comparison.sign, _no_log_of_0(comparison.right))
        others = {n: r for n, r in asked.ranges.items() if n != x}
        ends.append(replace(asked, comparison=comparison, conditions=conditions, ranges=others))
    inner = replace(asked, ranges={n: HALF_LINE if n in closed else r for n, r in asked.ranges.items()})
    facts = (ZERO_LOG,) if any(_LOG_OF_0 in parts(side) for side in sides_at_0) else ()
    for claims, because in by_touching(inner):
        yield (*claims, *ends), because, facts


_LOG_OF_0 = call("log", ZERO)


def _no_log_of_0(e: Expression) -> Expression:
    """With 0 for 0 log(0)."""
    return ZERO if e.head == "mul" and {*e.args} == {ZERO, _LOG_OF_0} else mapped(e, _no_log_of_0)


def without_equation(asked: Asked) -> Iterator[tuple[Asked, Claims, str]]:
    """Without a variable q that an equation among the conditions gives: D (L - R) is a q + b, and a is not 0."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy

    for c in asked.conditions:
        if not isinstance(c, Compare) or c.sign != "==":
            continue
        difference, symbols = binary("sub", c.left, c.right), symbols_of(asked.ranges)
        for q, r in reversed([*asked.ranges.items()]):
            tied = any(q in names(s.low) | names(s.high) for s in asked.ranges.values())
            if q not in names(difference) or r.integer or tied:
                continue
            try:
                above, below = sympy.fraction(sympy.together(to_sympy(difference, symbols)))
                of = sympy.Poly(above, symbols[q]).all_coeffs()
                a, b, d = (from_sympy(x) for x in (*of, below)) if len(of) == 2 else (ZERO, ZERO, ZERO)
            except (NoStatement, sympy.PolynomialError, KeyError):
                continue
            free = replace(asked, conditions=tuple(e for e in asked.conditions if e is not c), printed=False)
            line = Compare(binary("mul", d, difference), "==", binary("add", binary("mul", a, name(q)), b))
            known = rational(a)
            signs = "<>" if known is None else "<" if known < 0 else ">" if known > 0 else ""
            steep = next(
                (c for c in (replace(free, comparison=Compare(a, s, ZERO)) for s in signs) if seems_true(c)), None
            )
            if steep is None:
                continue
            value = binary("div", binary("sub", ZERO, b), a)
            ranges = {n: s for n, s in asked.ranges.items() if n != q}
            comparison, conditions = put((asked.comparison, free.conditions), {q: value})
            kept = Asked(comparison, ranges, (*lies_in(value, r), *conditions), printed=False)
            anywhere = replace(kept, conditions=conditions)
            instead = anywhere if seems_true(anywhere, FEW, SOME) else kept
            yield instead, (steep, replace(free, comparison=line)), f"{q} is {plain(value)}"


def by_ends(asked: Asked) -> Iterator[Found]:
    """g >= 0 between two ends from g >= 0 at both and g'' <= 0: a concave gap lies above its chord."""
    gap = _gap(asked)
    if gap is None or has(gap, *NOT_SMOOTH):
        return
    for x, r in asked.ranges.items():
        tied = any(x in names(s.low) | names(s.high) for s in asked.ranges.values())
        closed = not r.low_open and not r.high_open and INFINITY not in (r.low, r.high)
        if r.integer or tied or not closed or any(speaks_of(c, x) for c in asked.conditions):
            continue
        try:
            second = slope(slope(gap, x), x)
        except NoSlope:
            continue
        others = {n: s for n, s in asked.ranges.items() if n != x}
        ends = [Asked(put(asked.comparison, {x: end}), others, asked.conditions) for end in (r.low, r.high)]
        inner = {**asked.ranges, x: replace(r, low_open=True, high_open=True)}
        concave = replace(asked, ranges=inner, comparison=_at_least_0(_minus(second)), printed=False)
        if seems_true(concave, FEW, SOME):
            yield (
                (concave, has_value(gap, asked.ranges, asked.conditions), *ends),
                f"in {x} the gap lies above its chord",
            )


def _places(asked: Asked, gap: Expression, t: str) -> Iterator[Expression]:
    """Places that are in the range of t for all values of the others."""
    from banditproof.verify.judge.formulas.symbolic import roots

    r, (low, high) = asked.ranges[t], asked.ends[t]
    yield from (num(Fraction(c)) for c in (0, 1, Fraction(1, 2)) if low < c < high)
    for other, s in asked.ranges.items():
        inside = (s.low, s.high) == (r.low, r.high) and r.low_open <= s.low_open and r.high_open <= s.high_open
        if other != t and inside and not s.integer:
            yield name(other)
    if r in (LINE, HALF_LINE):
        yield from roots(gap, t, {n: s for n, s in asked.ranges.items() if n != t})


def _at_least_0(e: Expression) -> Compare:
    """e >= 0, with a difference as two sides, of which floats see how close they are."""
    return Compare(e.args[0], ">=", e.args[1]) if e.head == "sub" else Compare(e, ">=", ZERO)


def _level(claim: Asked) -> bool:
    """Whether a formula seems to be 0, up to rounding."""
    e = claim.comparison.left
    size = num(1)
    for part in e.args if e.head in ("add", "sub") else (e,):
        size = binary("add", size, call("abs", part))
    small = replace(claim, comparison=Compare(call("abs", e), "<=", binary("mul", num(LEVEL), size)))
    return not any(isinstance(c, Compare) and c.sign == "==" for c in claim.conditions) and seems_true(
        small, FEW, NEAR_ENDS
    )


# --------------------------------------------------------------------------------------------------------- squares


def by_squares(asked: Asked) -> Iterator[Found]:
    """A comparison without its roots: X <= W from W >= 0 and X^2 <= W^2, once for each root.

    For a root on the smaller side X is what stands with it; for one on the larger side W is, and X is the rest. What
    stands below a root has to be 0 or more, which its having a value says.
    """
    gap = _gap(asked)
    if gap is None or not has(gap, "sqrt"):
        return
    for claims in _without_roots(gap, ZERO, MOST_ROOTS):
        asks = tuple(replace(asked, comparison=c, printed=False) for c in claims)
        if all(seems_true(a, FEW, SOME) for a in asks):
            yield (
                (*asks, has_value(gap, asked.ranges, asked.conditions)),
                "squares of both sides of a root are compared",
            )
            return


def _without_roots(larger: Expression, smaller: Expression, depth: int) -> Iterator[tuple[Compare, ...]]:
    """Comparisons without roots that together imply this one."""
    gap = larger if smaller == ZERO else binary("sub", larger, smaller)
    roots = [p for p in dict.fromkeys(parts(gap)) if _is_root(p)]
    if not roots:
        if (value := rational(gap)) is None or names(gap):
            yield (Compare(larger, ">=", smaller),)
        elif value >= 0:
            yield ()
        return
    for root in roots if depth else ():
        found = _in_root(gap, root)
        if found is None or any(root in parts(f) for f in found):
            continue
        a, b = found  # gap = a + b root
        squares = binary("mul", a, a), binary("mul", binary("mul", b, b), root.args[1])
        for positive, (more, less) in ((a, squares), (b, squares[::-1])):  # -b root <= a, or -a <= b root
            for first in _without_roots(positive, ZERO, depth - 1):
                for rest in _without_roots(more, less, depth - 1):
                    yield (*first, *rest)


def _is_root(e: Expression) -> bool:
    return e.head == "call" and e.args[0] == "sqrt" and bool(names(e.args[1]))


def _in_root(e: Expression, root: Expression) -> tuple[Expression, Expression] | None:
    """a and b where a formula is a + b root by its form; products of the root with itself are worked out."""
    head, args = e.head, e.args
    if e == root:
        return ZERO, num(1)
    if root not in parts(e):
        return e, ZERO
    if head == "neg":
        inner = _in_root(args[0], root)
        return None if inner is None else (_minus(inner[0]), _minus(inner[1]))
    if head in ("add", "sub", "mul"):
        first, second = _in_root(args[0], root), _in_root(args[1], root)
        if first is None or second is None:
            return None
        if head != "mul":
            return binary(head, first[0], second[0]), binary(head, first[1], second[1])
        (a, b), (c, d) = first, second
        ac, bd = binary("mul", a, c), binary("mul", binary("mul", b, d), root.args[1])
        return binary("add", ac, bd), binary("add", binary("mul", a, d), binary("mul", b, c))
    if head == "div" and root not in parts(args[1]):
        inner = _in_root(args[0], root)
        return None if inner is None else (binary("div", inner[0], args[1]), binary("div", inner[1], args[1]))
    if head == "pow" and args[1] == num(2):
        return _in_root(binary("mul", args[0], args[0]), root)
    return None


def _minus(e: Expression) -> Expression:
    return binary("sub", *e.args[::-1]) if e.head == "sub" else binary("sub", ZERO, e)


# ------------------------------------------------------------------------------------------------ tangents of roots


def by_tangents_of_roots(asked: Asked) -> Iterator[Found]:
    """sqrt(Q) >= L from Q >= L^2 on the larger side, where L is the tangent at x = y = ... = 1 of a form Q of degree 2.

    So sqrt(x^2 + y^2) >= (x + y)/sqrt(2), and a sum of such roots is compared with a sum of numbers.
    """
    more, less, sign = turned(asked)
    roots = [p for p in dict.fromkeys(parts(more)) if _is_root(p) and len(names(p)) > 1] if sign == ">=" else []
    claims: list[Compare] = []
    for root in roots:
        before, linear = _factor_of(more, root), _tangent_at_1(root.args[1])
        if before is None or linear is None:
            return
        q, at_1 = linear
        more = replaced(more, root, binary("mul", call("sqrt", num(q)), at_1))
        claims.append(Compare(root.args[1], ">=", binary("mul", num(q), binary("pow", at_1, num(2)))))
        claims += [] if isinstance(rational(before), Fraction) else [Compare(before, ">=", ZERO)]
        if (known := rational(before)) is not None and known < 0:
            return
    found = tuple(replace(asked, comparison=c, printed=False) for c in (*claims, Compare(more, ">=", less)))
    if roots and all(seems_true(a, FEW) for a in found):
        yield found, "each root lies above its tangent where all numbers are alike"


def by_tangents_above_roots(asked: Asked) -> Iterator[Found]:
    """sqrt(u) <= (u + t)/(2 sqrt(t)) for t > 0, with the t that u has where the sides come closest."""
    more, less, sign = turned(asked)
    roots = [p for p in dict.fromkeys(parts(less)) if _is_root(p) and names(p)] if sign[0] == ">" else []
    several = len(roots) > 1 and len(asked.ranges) > 1
    closest = failing(asked, draws=2000)[1] if several else None
    if closest is None:
        return
    place = {n: num(v.limit_denominator(40)) for n, v in closest[1].items()}
    claims: list[Compare] = []
    for root in roots:
        before, t = _factor_of(less, root), rational(put(root.args[1], place))
        if before is None or not isinstance(t, Fraction) or t <= 0:
            return
        tangent = binary("div", binary("add", root.args[1], num(t)), num(2))
        less = replaced(less, root, binary("div", tangent, call("sqrt", num(t))))
        claims += [Compare(root.args[1], ">=", ZERO), Compare(before, ">=", ZERO)]
    found = tuple(replace(asked, comparison=c, printed=False) for c in (*claims, Compare(more, sign, less)))
    if all(seems_true(a, FEW) for a in found):
        yield found, "each root lies below its tangent at the place where the sides come closest"


def _tangent_at_1(form: Expression) -> tuple[Fraction, Expression] | None:
    """q and l where sqrt(q) l is the tangent of the root of a form of degree 2 at 1, ..., 1."""
    ones = {n: num(1) for n in names(form)}
    try:
        slopes = {n: rational(put(slope(form, n), ones)) for n in sorted(ones)}
        q = rational(put(form, ones))
    except (NoSlope, ArithmeticError):  # a form without a value there is no form
        return None
    known = {n: g for n, g in slopes.items() if isinstance(g, Fraction)}
    if not isinstance(q, Fraction) or q <= 0 or len(known) < len(slopes) or sum(known.values()) != 2 * q:
        return None
    total: Expression = ZERO
    for n, g in known.items():
        total = binary("add", total, binary("mul", num(g / (2 * q)), name(n)))
    return q, total


def _factor_of(e: Expression, part: Expression) -> Expression | None:
    """What a part is multiplied by, where it is a summand, or a factor of one, once."""
    if e == part:
        return num(1)
    if part not in parts(e):
        return None
    if e.head in ("add", "sub", "mul") and part in parts(e.args[0]) and part in parts(e.args[1]):
        return None
    if e.head == "add":
        return _factor_of(e.args[0] if part in parts(e.args[0]) else e.args[1], part)
    if e.head == "sub" and part not in parts(e.args[1]):
        return _factor_of(e.args[0], part)
    if e.head == "mul":
        mine, other = e.args if part in parts(e.args[0]) else e.args[::-1]
        inner = _factor_of(mine, part)
        return None if inner is None else other if inner == num(1) else binary("mul", inner, other)
    if e.head == "div" and part not in parts(e.args[1]):
        inner = _factor_of(e.args[0], part)
        return None if inner is None else binary("div", inner, e.args[1])
    return None
