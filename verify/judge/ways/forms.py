"""Comparisons in another form: without a root or an exponential around a side, or without the larger of two variables.

|x| <= sqrt(1 - exp(-y)) follows from log(1 - x^2) >= -y; where x < y is known, max(x, y) is y.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from math import floor, inf, log
from typing import Any

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.ways.points import Asked, has_value, seems_true

WIDE = 4  # a range of numbers is wide that has as much on both sides of 0


def opened(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """What implies L <= sqrt(B), L <= 1 - exp(-C) and exp(-C) <= B, as often as one of them is met."""
    comparison = asked.comparison
    if comparison.sign not in ("<=", ">="):
        return None
    less, more = (comparison.left, comparison.right)[:: 1 if comparison.sign == "<=" else -1]
    asks: list[Asked] = []
    changed = False
    while (step := _step(less, more)) is not None:
        less, more, positive = step
        changed = True
        if positive is not None:
            asks.append(Asked(Compare(positive, ">", num(0)), asked.ranges, asked.conditions))
    if not changed:
        return None
    claim = Asked(Compare(more, ">=", less), asked.ranges, asked.conditions)
    return (claim, *asks), "squares and logarithms do not fall"


def _step(less: Expression, more: Expression) -> tuple[Expression, Expression, Expression | None] | None:
    """Sides whose comparison implies that of these, and what has to be above 0 for it."""
    if _is(more, "sqrt"):
        inside = less.args[1] if _is(less, "abs") else less
        return binary("pow", inside, num(2)), more.args[1], None
    if more.head == "sub" and _is(more.args[1], "exp"):
        return more.args[1], binary("sub", more.args[0], less), None
    if _is(less, "exp") and not _is(more, "exp"):
        return less.args[1], call("log", more), more
    return None


def in_logarithms(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """A comparison in the logarithm u of a positive variable, where both the variable and its logarithm stand."""
    sides = (asked.comparison.left, asked.comparison.right)
    for x, r in asked.ranges.items():
        low = rational(r.low)
        if (
            not isinstance(low, Fraction)
            or low <= 0
            or rational(r.high) != inf
            or any(has(s, *COUNTING) for s in sides)
        ):
            continue
        tied = any(x in names(s.low) | names(s.high) for s in asked.ranges.values())
        if tied or not any(p == call("log", name(x)) for side in sides for p in parts(side)):
            continue
        u = f"log_{x}"
        if u in asked.ranges:
            continue
        end = log(low.numerator) - log(low.denominator)
        fine = Fraction(end).limit_denominator(10**6) - Fraction(1, 10**5)
        starts = [Fraction(floor(8 * end - 1e-6), 8), fine]  # rules know simple numbers, where these are near enough
        (d, left), (e, right) = (_power_taken(side, x) for side in sides)
        common = min(d, e)  # both sides are divided by that power of x
        changed = [
            binary("mul", _exponential(rest, x, name(u)), call("exp", binary("mul", num(degree - common), name(u))))
            if degree > common
            else _exponential(rest, x, name(u))
            for degree, rest in ((d, left), (e, right))
        ]
        conditions = tuple(put(c, {x: call("exp", name(u))}) for c in asked.conditions)
        claims = []
        for start in (max(start, Fraction(0)) if low >= 1 else start for start in starts):
            ranges = {
                (u if n == x else n): (Range(num(start), INFINITY, high_open=True) if n == x else s)
                for n, s in asked.ranges.items()
            }
            claims.append(Asked(replace(asked.comparison, left=changed[0], right=changed[1]), ranges, conditions))
        return (next((c for c in claims if seems_true(c)), claims[-1]),), f"{x} is written exp({u})"
    return None


def by_logarithms(asked: Asked, products: bool) -> tuple[tuple[Asked, ...], str] | None:
    """A comparison of positive numbers by their logarithms, where a side is an exponential; closed ends for themselves.

    `products`: both sides are exponentials, so that none is left; else, one is.
    """
    from banditproof.verify.judge.ways.from_far import logged

    c = asked.comparison
    if c.sign not in ("<", "<=", ">", ">=") or not (_is_exponential(c.left) or _is_exponential(c.right)):
        return None
    if products != all(side.head not in ("add", "sub") and _is_exponential(side) for side in (c.left, c.right)):
        return None
    try:
        (left, p), (right, q) = logged(c.left), logged(c.right)
    except NoStatement:
        return None
    inner, ends = dict(asked.ranges), []
    for word, r in asked.ranges.items():
        if r.integer or any(word in names(s.low) | names(s.high) for s in asked.ranges.values()):
            continue
        inner[word] = replace(r, low_open=True, high_open=True)
        others = {n: s for n, s in asked.ranges.items() if n != word}
        closed = [end for end, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_]
        ends += [Asked(put(c, {word: end}), others, put(asked.conditions, {word: end})) for end in closed]
    positive = [Compare(e, ">", num(0)) for e in dict.fromkeys((*p, *q)) if names(e) or e.head != "num"]
    # Where one factor of the smaller side is 0 or less, so is that side if it has a value; the larger one is positive.
    smaller = c.left if c.sign[0] == "<" else c.right
    unsure = [sign for sign in positive if not seems_true(Asked(sign, inner, asked.conditions))]
    if unsure:
        once = [e for e, way in factors_of(smaller) if way == "mul" and (*p, *q).count(e) == 1]
        if len(unsure) > 1 or unsure[0].left not in once or has(smaller, *COUNTING):
            return None
        ends.append(has_value(binary("sub", c.left, c.right), inner, asked.conditions))
    return (
        Asked(Compare(left, c.sign, right), inner, (*asked.conditions, *unsure)),
        *(Asked(sign, inner, asked.conditions) for sign in positive if sign not in unsure),
        *ends,
    ), "both sides are positive, and their logarithms are compared" + "; else the smaller one is not" * bool(unsure)


def _is_exponential(e: Expression) -> bool:
    if e.head in ("mul", "div"):
        return any(map(_is_exponential, e.args))
    return _is(e, "exp") or e.head == "pow" and bool(names(e.args[1]))


def by_denominators(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """a/b <= c/d by a d <= c b, where b, d > 0 are more than polynomials: rules multiply with those by themselves."""
    c = asked.comparison
    below = [[e for e, way in factors_of(side) if way == "div"] for side in (c.left, c.right)]
    above = [[e for e, way in factors_of(side) if way == "mul"] for side in (c.left, c.right)]
    if c.sign not in ("<", "<=", ">", ">=") or all(is_polynomial(e) for es in below for e in es):
        return None
    signed = [Compare(e, ">", num(0)) for e in dict.fromkeys(itertools.chain(*below)) if names(e) or e.head != "num"]
    claims = [replace(asked, comparison=sign, printed=False) for sign in signed]
    if not all(map(seems_true, claims)):
        return None
    for e in [e for e in below[0] if e in below[1]]:
        if e in below[1]:  # as often as on both sides
            below[0].remove(e)
            below[1].remove(e)
    left, right = (
        reduce(partial(binary, "mul"), (*own, *other)) for own, other in zip(above, reversed(below), strict=True)
    )
    claims += [replace(asked, comparison=Compare(left, c.sign, right), printed=False)]
    claims += [has_value(binary("sub", c.left, c.right), asked.ranges, asked.conditions)]
    return tuple(claims), "both sides are multiplied with what they are divided by"


def by_signs(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """A comparison of quotients of polynomials by the signs of the factors of the gap of its sides."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy

    more, less = (asked.comparison.left, asked.comparison.right)[:: 1 if asked.comparison.sign[0] == ">" else -1]
    gap, strict = binary("sub", more, less), asked.comparison.sign in ("<", ">")
    below = any(p.head == "div" and names(p.args[1]) for p in parts(gap))
    known = all(p.head in RATIONAL or is_whole_power(p) for p in parts(gap))
    if asked.comparison.sign[0] not in "<>" or not below or not known or len(asked.ranges) < 2:
        return
    try:
        quotient = sympy.factor(sympy.together(to_sympy(gap, symbols_of(asked.ranges))))
        found: Any = [sympy.factor_list(e) for e in sympy.fraction(quotient)]
        (c, above), (d, under) = found
        factors = [(from_sympy(f), int(k), of is under) for of in (above, under) for f, k in of]
        instead = from_sympy(quotient)
    except (NoStatement, sympy.PolynomialError, KeyError):
        return
    up, claims = c / d > 0, [replace(asked, comparison=Compare(gap, "==", instead), printed=False)]
    for f, k, is_below in factors:
        if k % 2 == 0 and not strict and not is_below:
            continue
        signs = (Compare(f, way + "="[strict or is_below :], num(0)) for way in "><")
        of = next((a for a in (replace(asked, comparison=s, printed=False) for s in signs) if seems_true(a)), None)
        if of is None:
            return
        up ^= of.comparison.sign[0] == "<" and k % 2 == 1
        claims.append(of)
    if up and len(claims) > 1:
        valued = has_value(gap, asked.ranges, asked.conditions)
        yield (*claims, valued), f"the gap of the sides is {plain(instead)}, whose factors have signs"


RATIONAL = "num", "var", "neg", "add", "sub", "mul", "div"


def is_whole_power(e: Expression) -> bool:
    power = rational(e.args[1]) if e.head == "pow" else None
    return isinstance(power, Fraction) and power.denominator == 1


def by_the_other(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """min(x, g) <= c where g <= c for all x >= c, and max(x, g) >= c where g >= c for all x <= c."""
    c = asked.comparison
    if c.sign not in ("<=", "<", ">=", ">"):
        return
    less, more = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
    for side, end, word in ((less, more, "min"), (more, less, "max")):
        if not _is(side, word) or len(side.args) != 3 or names(end):
            continue
        for x, other in (side.args[1:], side.args[:0:-1]):
            r = asked.ranges.get(x.args[0]) if x.head == "var" else None
            low, high = asked.ends[x.args[0]] if r is not None else (0.0, 0.0)
            if r is None or r.integer or not low < float(value_of(end, {})) < high:
                continue
            smaller = word == "min"
            beyond = replace(r, low=end, low_open=False) if smaller else replace(r, high=end, high_open=False)
            sides = (other, end) if smaller else (end, other)
            there = replace(asked, ranges={**asked.ranges, x.args[0]: beyond}, printed=False)
            claim = replace(there, comparison=Compare(sides[0], "<" + c.sign[1:], sides[1]))
            yield (claim, has_value(side, asked.ranges, asked.conditions)), f"where {plain(x)} decides, it is enough"


def by_one_of_several(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """min(a, b) <= c where b <= c wherever a > c, and max(a, b) >= c where b >= c wherever a < c."""
    c = asked.comparison
    if c.sign not in ("<=", "<", ">=", ">"):
        return
    less, more = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
    for side, end, word, beyond in ((less, more, "min", ">"), (more, less, "max", "<")):
        values = side.args[1:] if _is(side, word) else ()
        for value in values:
            pair = (value, end) if word == "min" else (end, value)
            alone = replace(asked, comparison=Compare(pair[0], "<" + c.sign[1:], pair[1]), printed=False)
            others = (Compare(o, beyond + "="[c.sign[1:] == "=" :], end) for o in values if o != value)
            among = replace(alone, conditions=(*asked.conditions, *others))
            claim = alone if seems_true(alone) else among if seems_true(among) else None
            if claim is not None:
                valued = has_value(side, asked.ranges, asked.conditions)
                yield (claim, valued), f"{plain(value)} is enough where the others are not"


def by_largest(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """A comparison with a max or a min for each of its arguments, and exp(L) <= E for L <= log(E) with E > 0.

    max(a, b) <= c asks for a <= c and b <= c; elsewhere a max is a where b <= a, and b where a <= b.
    """
    c = asked.comparison
    found = next((p for side in (c.left, c.right) for p in outside(side) if _is(p, "max") or _is(p, "min")), None)
    if c.sign not in ("<=", "<", ">=", ">") or found is None or len(found.args) < 3:
        return None
    less, more = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
    largest, values = _is(found, "max"), dict.fromkeys(found.args[1:])
    alone = found == (less if largest else more)
    simple = all(p.head in ("num", "var", "neg", "add", "sub", "mul") for value in values for p in parts(value))
    claims = [] if simple else [has_value(found, asked.ranges, asked.conditions)]  # else a condition is never met
    for value in values:
        others = [o for o in values if o != value and not alone]
        left, right = (replaced(side, found, value) for side in (less, more))
        there = replace(asked, comparison=Compare(left, "<" + c.sign[1:], right), printed=False)
        for o in others:
            there = _by_distance(there, o, value, largest)
        claims += _without_log(there)
    return tuple(claims), f"for each of the numbers in {'max' if largest else 'min'}"


def _by_distance(asked: Asked, other: Expression, value: Expression, largest: bool) -> Asked:
    """The comparison where other <= value (or >=), a free variable being written with its distance from the value."""
    order = Compare(other, "<=" if largest else ">=", value)
    word = other.args[0] if other.head == "var" else ""
    r = asked.ranges.get(word)
    s = next(s for s in (f"s_{word}", f"s_{word}_", f"s_{word}__") if s not in asked.ranges)
    tied = any(word in names(q.low) | names(q.high) for q in asked.ranges.values())
    if r is None or r.integer or tied or word in names(value) or s in names(value):
        return replace(asked, conditions=(*asked.conditions, order))
    there = {word: binary("sub" if largest else "add", value, name(s))}
    ends = [(r.low, ">" if r.low_open else ">="), (r.high, "<" if r.high_open else "<=")]
    inside = (Compare(there[word], sign, end) for end, sign in ends if rational(end) not in (inf, -inf))
    ranges = {n: q for n, q in asked.ranges.items() if n != word} | {s: Range(num(0), INFINITY, high_open=True)}
    conditions = (*put(asked.conditions, there), *inside)
    return replace(asked, comparison=put(asked.comparison, there), ranges=ranges, conditions=conditions)


def _without_log(asked: Asked) -> Iterator[Asked]:
    """What implies L <= log(E), or log(E) <= L: the same with exp(L) and E, and E > 0."""
    less, sign, more = asked.comparison.left, asked.comparison.sign, asked.comparison.right
    for side in (less, more):
        if _is(side, "log"):
            left, right = (e.args[1] if e is side else call("exp", e) for e in (less, more))
            yield replace(asked, comparison=Compare(side.args[1], ">", num(0)))
            yield replace(asked, comparison=Compare(left, sign, right))
            return
    yield asked


def with_lemmas(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """A comparison with u for log(1 + u) on its smaller side, and 1 + u for exp(u) on its larger one."""
    left, sign, right = asked.comparison.left, asked.comparison.sign, asked.comparison.right
    less, more = (left, right) if sign[0] == "<" else (right, left)
    changed = _eased(less, larger=False), _eased(more, larger=True)
    if sign[0] not in "<>" or changed == (less, more) or changed[0] == changed[1]:  # nothing, or the lemma itself
        return None
    claim = replace(asked, comparison=Compare(changed[0], "<" + sign[1:], changed[1]))
    return (
        claim,
        has_value(binary("sub", more, less), asked.ranges, asked.conditions),
    ), "log(1 + u) <= u and exp(u) >= 1 + u"


def _eased(e: Expression, larger: bool) -> Expression:
    """A formula that is at most this one, where it is the larger side, or at least this one: lemmas of its terms."""
    if e.head == "add":
        return binary("add", *(_eased(part, larger) for part in e.args))
    if e.head == "sub":
        return binary("sub", _eased(e.args[0], larger), _eased(e.args[1], not larger))
    if e.head == "neg":
        return Expression("neg", (_eased(e.args[0], not larger),))
    if not larger and _is(e, "log"):
        inside = e.args[1]
        if inside.head == "add" and num(1) in inside.args:
            return inside.args[1 - inside.args.index(num(1))]
        return Expression("neg", (inside.args[1],)) if inside.head == "sub" and inside.args[0] == num(1) else e
    if larger and _is(e, "exp"):
        return binary("add", num(1), e.args[1])
    return e


def without_condition(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """Where v >= E is a condition, v is written E + s for s >= 0; a count becomes any number, which asks for more.

    Of several the first is taken that leaves no condition.
    """
    if any(has(s, *COUNTING) for s in (asked.comparison.left, asked.comparison.right)):
        return None
    found = list(_from_bounds(asked))
    free = (((replace(claim, conditions=()),), why) for claim, why in found)
    return next((way for way in free if seems_true(way[0][0])), next((((claim,), why) for claim, why in found), None))


def _from_bounds(asked: Asked) -> Iterator[tuple[Asked, str]]:
    """The comparison with a variable written from its bound, for each variable of each condition."""
    tied = {n for r in asked.ranges.values() for n in names(r.low) | names(r.high)}
    for condition in asked.conditions:
        if not isinstance(condition, Compare) or condition.sign[0] not in "<>":
            continue
        for x, bound, above in _isolated(condition):
            if x in tied or x not in asked.ranges:
                continue
            r = asked.ranges[x]
            s = next(s for s in ("s", f"s_{x}", "s_") if s not in asked.ranges)
            there = {x: binary("add" if above else "sub", bound, name(s))}
            ends = [Compare(name(x), ">=", r.low)] if isinstance(rational(r.low), Fraction) else []
            ends += [Compare(name(x), "<=", r.high)] if isinstance(rational(r.high), Fraction) else []
            others = (*(c for c in asked.conditions if c != condition), *ends)
            ranges = {n: q for n, q in asked.ranges.items() if n != x} | {s: Range(num(0), INFINITY, high_open=True)}
            claim = Asked(put(asked.comparison, there), ranges, tuple(put(c, there) for c in others))
            yield claim, f"{x} is written with the distance {s} from its bound"


def _isolated(c: Compare) -> Iterator[tuple[str, Expression, bool]]:
    """x, E and whether x >= E: of a variable that is a side, and of others where the comparison is linear in them."""
    larger, smaller = (c.left, c.right) if c.sign[0] == ">" else (c.right, c.left)
    sides = [(larger, smaller, True), (smaller, larger, False)]
    yield from ((v.args[0], e, above) for v, e, above in sides if v.head == "var" and v.args[0] not in names(e))
    gap = binary("sub", larger, smaller)
    for x in sorted(names(gap)):
        if name(x) not in (larger, smaller) and (found := linear_part(gap, x)) is not None and found[0]:
            coefficient, rest = found
            yield x, binary("div", rest, num(-coefficient)), coefficient > 0


def on_both_sides_of_0(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """A comparison over a wide range around 0 as one for all above 0 and one for all below, if both seem true."""
    for x, r in asked.ranges.items():
        low, high = rational(r.low), rational(r.high)
        if r.integer or low is None or high is None or not low <= -WIDE < WIDE <= high:
            continue
        if any(x in names(s.low) | names(s.high) for s in asked.ranges.values()):
            continue
        all_of_it = {**asked.ranges, x: Range(Expression("neg", (INFINITY,)), INFINITY, True, True)}
        if not seems_true(replace(asked, ranges=all_of_it)):
            continue
        claims = []
        for there in ({}, {x: Expression("neg", (name(x),))}):
            ranges = {**asked.ranges, x: Range(num(0), INFINITY, False, True)}
            claims.append(Asked(put(asked.comparison, there), ranges, put(asked.conditions, there), asked.printed))
        return tuple(claims), f"for {x} >= 0 and for -{x} in its place"
    return None


def _power_taken(e: Expression, x: str) -> tuple[Fraction, Expression]:
    """A product as a power of x times the rest."""
    if e == name(x):
        return Fraction(1), num(1)
    if _is(e, "sqrt") and e.args[1] == name(x):
        return Fraction(1, 2), num(1)
    if e.head == "pow" and e.args[0] == name(x) and isinstance(power := rational(e.args[1]), Fraction):
        return power, num(1)
    if e.head in ("mul", "div"):
        (c, first), (d, second) = (_power_taken(part, x) for part in e.args)
        rest = first if second == num(1) else Expression(e.head, (first, second))
        rest = second if first == num(1) and e.head == "mul" else rest
        return c + d if e.head == "mul" else c - d, rest
    return Fraction(0), e


def _exponential(e: Expression, x: str, u: Expression) -> Expression:
    """A formula with exp(u) for x, powers and logarithms of it worked out."""
    if e == name(x):
        return call("exp", u)
    if e == call("log", name(x)):
        return u
    if e == call("sqrt", name(x)):
        return call("exp", binary("div", u, num(2)))
    if e.head == "pow" and e.args[0] == name(x):
        return call("exp", binary("mul", _exponential(e.args[1], x, u), u))
    return mapped(e, lambda part: _exponential(part, x, u))


def _is(e: Expression, function: str) -> bool:
    return e.head == "call" and e.args[0] == function


Cases = list[tuple[Expression, tuple[Compare, ...]]]


def in_either_order(e: Expression, p: str, q: str) -> Cases:
    """A formula where p < q and where q < p, without the larger, the smaller and the distance of p and q in it.

    A formula in which none of them stands is one case, without an order.
    """
    cases: Cases = []
    for small, large in ((name(p), name(q)), (name(q), name(p))):
        cases.append((ordered(e, small, large), (Compare(small, "<", large),)))
    return cases if any(of != e for of, _ in cases) else [(e, ())]


def ordered(e: Expression, small: Expression, large: Expression) -> Expression:
    if e.head == "call" and e.args[0] in ("max", "min") and set(e.args[1:]) == {small, large}:
        return large if e.args[0] == "max" else small
    if _is(e, "abs") and e.args[1].head == "sub" and set(e.args[1].args) == {small, large}:
        return binary("sub", large, small)
    return mapped(e, lambda part: ordered(part, small, large))


def is_polynomial(e: Expression) -> bool:
    """Whether a formula is a polynomial by its form, so that it has a value everywhere."""
    if e.head == "pow":
        power = rational(e.args[1])
        return isinstance(power, Fraction) and power.denominator == 1 and power >= 0 and is_polynomial(e.args[0])
    if e.head == "div":
        return rational(e.args[1]) not in (None, 0) and is_polynomial(e.args[0])
    return e.head in ("num", "var") or e.head in ("neg", "add", "sub", "mul") and all(map(is_polynomial, e.args))
