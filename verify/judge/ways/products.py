"""Products up to a variable end, and powers (1 + v)^y, by bounds of their factors; and a sum that stands alone.

1 + v <= exp(v), so that a product of factors f(k) >= 0 is at most exp(sum of f(k) - 1); the logarithm of a product of
positive factors is a sum, of which other ways know; and prod f(k) >= 1 + sum (f(k) - 1) where all factors lie in
[0, 1], or all are at least 1 (Weierstrass).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.bounded_parts import rising
from banditproof.verify.judge.ways.known_sums import is_whole
from banditproof.verify.judge.ways.pieces import summands
from banditproof.verify.judge.ways.points import FLIPPED, Asked, seems_true, speaks_of

ZERO, ONE = num(0), num(1)
Changed = tuple[Asked, tuple[Asked, ...], str]


def by_factors_of_products(asked: Asked) -> Iterator[Changed]:
    """A comparison with one product without it, what has to hold besides, and why that is enough."""
    sides = (asked.comparison.left, asked.comparison.right)
    products = {p for side in sides for p in outside(side) if p.head == "prod"}
    if len(products) != 1 or asked.comparison.sign not in ("<", "<=", ">", ">="):
        return
    (product,) = products
    index, low, high, factor = product.args
    if index in asked.ranges or not all(is_whole(end, asked.ranges, 0) for end in (low, high)):
        return
    less, more = sides if asked.comparison.sign[0] == "<" else sides[::-1]
    sign = "<" + asked.comparison.sign[1:]
    of_factors = replace(asked, ranges={**asked.ranges, index: Range(low, high, integer=True)}, printed=False)

    def each(order: str, value: Expression) -> Asked:
        return replace(of_factors, comparison=Compare(factor, order, value))

    def compared(a: Expression, b: Expression) -> Asked:
        return replace(asked, comparison=Compare(a, sign, b), printed=False)

    def summed(of: Expression) -> Expression:
        return Expression("sum", (index, low, high, of))

    excess = summed(_without_one(factor) or binary("sub", factor, ONE))
    of_exponents = less == product and more.head == "call" and more.args[0] == "exp"
    if of_exponents:
        claims, because = (each(">=", ZERO),), "every factor 1 + v is at most exp(v)"
        yield compared(excess, more.args[1]), claims, because
    if any(p.head == "pow" and index in names(p.args[1]) for p in parts(factor)):  # what follows is a geometric sum
        yield from _after_first_factors(asked, product, less, more)
    logs = call("log", factor)
    if product in (less, more):
        other, positive = more if less == product else less, each(">", ZERO)
        above = replace(asked, comparison=Compare(other, ">", ZERO), printed=False)
        if seems_true(positive) and seems_true(above):
            minus = Expression("neg", (call("log", other),))
            if less == product:
                by_logs = compared(summed(logs), call("log", other))
            else:
                by_logs = compared(summed(Expression("neg", (logs,))), minus)
            yield by_logs, (positive, above), "the logarithm of the product is a sum"
    bounds: list[tuple[Expression, Expression, tuple[Asked, ...], str]]
    bounds = [(less, call("exp", excess), (each(">=", ZERO),), "every factor 1 + v is at most exp(v)")]
    for within in ((each(">=", ZERO), each("<=", ONE)), (each(">=", ONE),)):
        if all(map(seems_true, within)):
            bounds.append(
                (more, binary("add", ONE, excess), within, "a product is at least 1 + the sum of factors - 1")
            )
    for side, bound, claims, because in bounds:
        if product not in set(outside(side)) or product in set(outside(more if side is less else less)):
            continue
        steps = rising(side, product, asked)
        changed = (replaced(less, product, bound), more) if side is less else (less, replaced(more, product, bound))
        if steps is not None and not of_exponents:
            yield compared(*changed), (*claims, *steps), because


FIRST_FACTORS = 3, 10


def _after_first_factors(asked: Asked, product: Expression, less: Expression, more: Expression) -> Iterator[Changed]:
    """prod f(k) over k up to n, alone on a side, as its first factors F, a number, times a bound of what follows.

    For n >= m: F exp(sum of f(k) - 1 over k > m) where all these f(k) >= 0; at least F (1 + sum of f(k) - 1) where they
    lie in [0, 1]; for F >= 0. The counts before m are asked one by one.
    """
    from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at

    index, low, high, factor = product.args
    start, n = rational(low), high.args[0] if high.head == "var" else ""
    r = asked.ranges.get(n)
    alone = product in (less, more) and names(factor) == {index} and list(asked.ranges) == [n] and not asked.conditions
    if not alone or r is None or r.low != low or r.low_open or not isinstance(start, Fraction):
        return
    sign, below = "<" + asked.comparison.sign[1:], product == less
    for count in FIRST_FACTORS:
        m = int(start) + count - 1
        try:
            firsts = [value_at(put(product, {n: num(k)}), {}) for k in range(int(start), m + 1)]
        except (NoValue, Unknown):
            return
        if not all(isinstance(f, Fraction) and f >= 0 for f in firsts):
            return
        rest = Expression("sum", (index, num(m + 1), high, _without_one(factor) or binary("sub", factor, ONE)))
        bound = binary("mul", num(firsts[-1]), call("exp", rest) if below else binary("add", ONE, rest))
        later = replace(asked, ranges={n: replace(r, low=num(m))}, printed=False)
        instead = replace(later, comparison=Compare(*((bound, sign, more) if below else (less, sign, bound))))
        after = Asked(Compare(factor, ">=", ZERO), {index: Range(num(m + 1), INFINITY, high_open=True, integer=True)})
        claims = [after, *([] if below else [replace(after, comparison=Compare(factor, "<=", ONE))])]
        for k, first in enumerate(firsts, int(start)):
            other = put(more if below else less, {n: num(k)})
            claims.append(Asked(Compare(*((num(first), sign, other) if below else (other, sign, num(first)))), {}))
        if all(map(seems_true, (instead, *claims))):
            yield instead, tuple(claims), f"the first {count} factors are {firsts[-1]}, and the others have a bound"
            return


def with_exponentials(asked: Asked) -> tuple[tuple[Asked, ...], str] | None:
    """A comparison with exp(v y) for (1 + v)^y, where 1 + v >= 0 and y >= 0, and with u for a product n p.

    Where two numbers that are 0 or more stand nowhere but as their product, that is one number, 0 or more.
    """
    less, more = (asked.comparison.left, asked.comparison.right)[:: 1 if asked.comparison.sign[0] == "<" else -1]
    if asked.comparison.sign[0] not in "<>":
        return None
    for part in dict.fromkeys((*outside(less), *outside(more))):
        if part.head != "pow" or not names(part.args[1]) or (v := _without_one(part.args[0])) is None:
            continue
        s = name("part")
        gap = replaced(binary("sub", more, less), part, s)
        try:
            moved = slope(gap, "part")
        except NoSlope:
            continue
        if "part" in asked.ranges or "part" in names(moved):
            continue
        falls = Compare(moved, "<=", ZERO)  # the comparison gets harder as the power grows, at the same rate
        base, exponent = part.args
        claims = [falls, Compare(base, ">=", ZERO), Compare(exponent, ">=", ZERO)]
        bound = call("exp", binary("mul", v, exponent))
        sides = (replaced(side, part, bound) for side in (less, more))
        claim = replace(asked, comparison=Compare(*_ordered(sides, asked.comparison.sign)), printed=False)
        if all(seems_true(replace(asked, comparison=c)) for c in claims) and seems_true(claim):
            claim = of_one_product(claim) or claim
            return (claim, *(replace(asked, comparison=c, printed=False) for c in claims)), "1 + v <= exp(v)"
    return None


def _ordered(sides: Iterator[Expression], sign: str) -> tuple[Expression, str, Expression]:
    less, more = sides
    return less, "<" + sign[1:], more


def _without_one(e: Expression) -> Expression | None:
    """v of 1 + v, v + 1 and 1 - w."""
    if e.head == "sub" and e.args[0] == ONE:
        return Expression("neg", (e.args[1],))
    if e.head == "add" and ONE in e.args:
        return e.args[1 - e.args.index(ONE)]
    return None


def of_one_product(asked: Asked) -> Asked | None:
    """The comparison for all u >= 0, where two variables that are 0 or more stand only in their product u."""
    positive = [n for n, r in asked.ranges.items() if (low := rational(r.low)) is not None and low >= 0]
    u = "product"
    for a, b in itertools.combinations(positive, 2):
        tied = any({a, b} & (names(r.low) | names(r.high)) for r in asked.ranges.values())
        said = [c for c in (asked.comparison, *asked.conditions) if isinstance(c, Compare)]
        if u in asked.ranges or tied or len(said) <= len(asked.conditions):
            continue
        put_in = partial(_with_product, a=name(a), b=name(b), u=name(u))
        comparison, *conditions = (Compare(put_in(c.left), c.sign, put_in(c.right)) for c in said)
        if any(speaks_of(c, n) for c in (comparison, *conditions) for n in (a, b)):
            continue
        others = {n: r for n, r in asked.ranges.items() if n not in (a, b)}
        ranges = {**others, u: Range(ZERO, INFINITY, False, True)}
        return replace(asked, comparison=comparison, ranges=ranges, conditions=tuple(conditions))
    return None


def _with_product(e: Expression, a: Expression, b: Expression, u: Expression) -> Expression:
    if e.head in ("mul", "neg"):
        factors = list(_flat(e))
        if factors.count(a) == factors.count(b) == 1:
            made = u
            for f in factors:
                if f not in (a, b):
                    made = binary("mul", _with_product(f, a, b, u), made)
            return made
    return mapped(e, lambda part: _with_product(part, a, b, u))


def _flat(e: Expression) -> Iterator[Expression]:
    if e.head == "mul":
        for part in e.args:
            yield from _flat(part)
    elif e.head == "neg":
        yield num(-1)
        yield from _flat(e.args[0])
    else:
        yield e


def by_sum_alone(asked: Asked) -> Changed | None:
    """w S + d >= 0 for the only sum S of a comparison, as S >= -d/w where w > 0, or S <= -d/w where w < 0."""
    sides = (asked.comparison.left, asked.comparison.right)
    sums = {p for side in sides for p in outside(side) if p.head == "sum"}
    if len(sums) != 1 or asked.comparison.sign[0] not in "<>":
        return None
    (total,) = sums
    larger, smaller = sides if asked.comparison.sign[0] == ">" else sides[::-1]
    terms = list(summands(binary("sub", larger, smaller), True))
    of_sum = [(positive, w) for positive, e in terms if total in parts(e) and (w := _weight(e, total))]
    others = [(positive, e) for positive, e in terms if not has(e, "sum")]
    if len(of_sum) != 1 or len(terms) != len(others) + 1 or not names(of_sum[0][1]):
        return None
    ((plus, w),) = of_sum
    for order in "><":
        signed = replace(asked, comparison=Compare(w, order, ZERO), printed=False)
        if seems_true(signed):
            value = ZERO
            for positive, e in others:
                value = binary("sub" if positive == plus else "add", value, _over(e, w))
            sign = (order if plus else FLIPPED[order]) + asked.comparison.sign[1:]
            alone = replace(asked, comparison=Compare(total, sign, value), printed=False)
            return alone, (signed,), "the sum stands alone"
    return None


def _weight(e: Expression, total: Expression) -> Expression | None:
    """w where an expression is written as a product w S."""
    if e == total:
        return num(1)
    if e.head == "neg":
        w = _weight(e.args[0], total)
        return w and Expression("neg", (w,))
    if e.head not in ("mul", "div") or total in parts(e.args[1]) and (e.head == "div" or total in parts(e.args[0])):
        return None
    of, other = e.args if total in parts(e.args[0]) else e.args[::-1]
    w = _weight(of, total)
    return w and (other if (e.head, w) == ("mul", num(1)) else binary(e.head, w, other))


def _over(e: Expression, w: Expression) -> Expression:
    """e/w for a w that is not 0, without the factors that both have."""
    if w.head == "div":
        return _over(binary("mul", e, w.args[1]), w.args[0])
    left, below = list(_flat(e)), []
    for f in _flat(w):
        if f in left:
            left.remove(f)
        elif f != num(1):
            below.append(f)
    made, under = (reduce(partial(binary, "mul"), part) if part else num(1) for part in (left, below))
    return made if not below else binary("div", made, under)
