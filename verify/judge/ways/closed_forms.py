"""Guesses that are proved: closed forms of sums, ratios of neighbours. SymPy proposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy
from banditproof.verify.judge.ways.between import by_next_count
from banditproof.verify.judge.ways.degrees import by_raising
from banditproof.verify.judge.ways.points import Asked, Near, seems_true
from banditproof.verify.judge.ways.residues import is_whole

Closing = tuple[Expression, Mapping[str, Range], dict[str, Expression]]
MOST_PARTS = 40  # of a sum: SymPy may never be done with simplifying a long one


def by_closed_sum(asked: Asked, geometric: bool) -> tuple[tuple[Asked | Near, ...], str] | None:
    """The closed form of a sum, geometric or by Gosper's algorithm, is proved; then it stands for the sum."""
    sums = [p for side in (asked.comparison.left, asked.comparison.right) for p in parts(side) if p.head == "sum"]
    if len(set(sums)) != 1:
        return None
    total = sums[0]
    rounded = has(total.args[2], "floor", "ceil")
    general, ranges, there = rounded and _with_whole_end(total, asked) or (total, asked.ranges, {})
    if (form := closed(general, ranges, geometric)) is None:
        return None

    def change(e: Expression) -> Expression:
        return put(form, there) if e == total else mapped(e, change)

    equal = Asked(Compare(general, "==", form), ranges, asked.conditions)
    left, right = change(asked.comparison.left), change(asked.comparison.right)
    shown = next(by_next_count(equal), None) if has(total, "factorial", "binom") else None
    return (
        *(shown[0] if shown else (equal,)),
        *(replace(asked, comparison=Compare(e, ">=", ranges[m].low)) for m, e in there.items()),
        Asked(Compare(left, asked.comparison.sign, right), asked.ranges, asked.conditions),
    ), "the sum has a closed form"


def _with_whole_end(total: Expression, asked: Asked) -> Closing | None:
    """A sum up to any count m, from the one before its first; the range of m; and m in the printed sum."""
    index, low, high, body = total.args
    first = rational(low)
    if not isinstance(first, Fraction) or not is_whole(high, asked.ranges):
        return None
    m = fresh("last", asked.ranges, dict.fromkeys(names(total)))
    upto = Range(num(first - 1), INFINITY, False, True, integer=True)
    return Expression("sum", (index, low, name(m), body)), {**asked.ranges, m: upto}, {m: high}


def closed(total: Expression, ranges: Mapping[str, Range], geometric: bool) -> Expression | None:
    """The closed form of a sum, geometric or by Gosper's algorithm; None where none is found."""
    if sum(1 for _ in parts(total)) > MOST_PARTS:
        return None
    try:
        return _closed(total, ranges, geometric)
    except (NoStatement, Unread, ArithmeticError, TypeError, ValueError, KeyError, NotImplementedError):
        return None


def _closed(total: Expression, ranges: Mapping[str, Range], geometric: bool) -> Expression | None:
    import sympy
    from sympy.concrete.gosper import gosper_sum

    index, low, high, body = total.args
    symbols = symbols_of(ranges)
    k = sympy.Symbol(index, positive=True, integer=True)
    f, a, b = to_sympy(body, {**symbols, index: k}), to_sympy(low, symbols), to_sympy(high, symbols)
    ratio = sympy.simplify(f.subs(k, k + 1) / f)
    if (k not in ratio.free_symbols) != geometric:
        return None
    if geometric:
        if ratio == 1:
            return None
        return from_sympy(sympy.simplify(f.subs(k, a) * (1 - ratio ** (b - a + 1)) / (1 - ratio)))
    form = gosper_sum(f, (k, a, b))
    return None if form is None else from_sympy(form if form.has(sympy.factorial) else sympy.simplify(form))


def by_tail(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """sum(f, k=a..n) <= B(n) for all n >= a: what comes after some first terms telescopes.

    Where f(k) <= c (g(k - 1/2) - g(k + 1/2)) for k > m, the sum is at most its first terms and
    c (g(m + 1/2) - g(n + 1/2)).
    """
    left, sign, right = asked.comparison.left, asked.comparison.sign, asked.comparison.right
    total, bound = (left, right) if sign[0] == "<" else (right, left)
    if total.head != "sum" or sign[0] not in "<>" or len(asked.ranges) != 1 or asked.conditions or has(bound, "sum"):
        return
    ((n, r),) = asked.ranges.items()
    index, first, last, f = total.args
    a, low = rational(first), rational(r.low)
    if last != name(n) or not isinstance(a, Fraction) or low != a or r.low_open or rational(r.high) != inf:
        return
    if not r.integer or a.denominator != 1 or n in names(f):
        return
    sign = "<" + sign[1:]
    at = np.arange(float(a) + 1, float(a) + 400)
    for power in TAILS:

        def g(x: Expression, power: Fraction = power) -> Expression:
            return binary("div", num(1 / (power - 1)), binary("pow", x, num(power - 1)))

        half = num(Fraction(1, 2))
        step = binary("sub", *(g(binary(way, name(index), half)) for way in ("sub", "add")))
        try:
            with np.errstate(all="ignore"):
                ratio = value_of(f, {index: at}) / value_of(step, {index: at})
        except (ValueError, KeyError):  # what floats do not know
            return
        if not np.isfinite(ratio).all() or ratio[-1] > 1.01 * ratio[-50]:
            continue
        for known in FIRST_TERMS:
            m = int(a) + known
            most = float(ratio[known:].max())
            c = num(1) if most <= 1 + 1e-9 else num(Fraction(1.001 * most).limit_denominator(1000))
            start = _written_sum(total, m)
            rest = binary("mul", c, binary("sub", g(num(m + Fraction(1, 2))), g(binary("add", name(n), half))))
            after = {n: replace(r, low=num(m))}
            claims = [
                Asked(Compare(f, "<=", binary("mul", c, step)), {index: Range(num(m + 1), r.high, False, True, True)}),
                Asked(Compare(binary("add", start, rest), sign, bound), after),
                *(Asked(Compare(_written_sum(total, k), sign, put(bound, {n: num(k)})), {}) for k in range(int(a), m)),
            ]
            if all(seems_true(claim) for claim in claims[1:]):  # floats cannot see the step of large counts
                yield tuple(claims), f"what is summed after {m} telescopes"


TAILS = (Fraction(2), Fraction(3, 2), Fraction(3))  # powers of the index that a summand is compared with
FIRST_TERMS = (0, 1, 3, 10)


def _written_sum(total: Expression, upto: int) -> Expression:
    from banditproof.verify.judge.formulas.certain import NoValue, Unknown, value_at

    index, first, _, f = total.args
    written = num(0)
    for k in range(int(rational(first) or 0), upto + 1):
        written = binary("add", written, put(f, {index: num(k)}))
    try:
        known = value_at(written, {})
    except (NoValue, Unknown):
        return written
    return num(known) if isinstance(known, Fraction) else written


# ------------------------------------------------------------------------------------------- ratios of neighbours


def by_neighbours(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """Of positive formulas with products and factorials: the first count, and the ratio of each side to the next."""
    comparison, ranges = asked.comparison, asked.ranges
    sides = (comparison.left, comparison.right)
    if comparison.sign == "!=" or not any(has(s, *PRODUCTS) for s in sides):
        return
    weak = {"<": "<=", ">": ">="}.get(comparison.sign, comparison.sign)
    for n, r in ranges.items():
        low, upto = rational(r.low), _up_to(n, asked)
        if not r.integer or r.low_open or not isinstance(low, Fraction) or upto is None:
            continue
        others = {m: s for m, s in ranges.items() if m != n}
        if any(n in names(s.low) | names(s.high) for s in others.values()):
            continue
        positive = _Positive(ranges)
        try:
            left, right = (_ratio(side, n, int(low), positive) for side in sides)
        except (NoStatement, OverflowError):
            continue
        first = {n: num(low)}
        at_first = tuple(Compare(put(c.left, first), c.sign, put(c.right, first)) for c in upto)
        free = tuple(c for c in asked.conditions if c not in upto)
        later = {n: binary("add", name(n), num(1))}
        next_ = tuple(Compare(put(c.left, later), c.sign, put(c.right, later)) for c in upto)
        stepped = {**ranges, n: r if rational(r.high) == inf else replace(r, high=binary("sub", r.high, num(1)))}
        start = Compare(_written(put(sides[0], first)), comparison.sign, _written(put(sides[1], first)))
        claims = list(_gathered(Asked(start, others, (*free, *at_first))))
        claims += [Asked(Compare(e, ">", num(0)), ranges, asked.conditions) for e in dict.fromkeys(positive.always)]
        claims += [
            Asked(Compare(_written(e), ">", num(0)), others, (*free, *at_first))
            for e in dict.fromkeys(positive.at_first)
        ]
        claims += [Asked(Compare(e, ">", num(0)), stepped, (*free, *next_)) for e in dict.fromkeys(positive.next)]
        claims.append(Asked(Compare(left, weak, right), stepped, (*free, *next_)))
        yield tuple(claims), f"both sides are positive: the first count, and the ratio of each to the next in {n}"


def _gathered(asked: Asked) -> tuple[Asked, ...]:
    """A comparison of products with factorials put together, and what that asks for; as it stands, where none are."""
    found = next(by_raising(asked), None)
    return (asked,) if found is None else (found[0], *found[1])


PRODUCTS = ("factorial", "binom", "prod")


@dataclass
class _Positive:
    """What has to be above 0 so that ratios of neighbours speak of a formula."""

    ranges: Mapping[str, Range]
    always: list[Expression] = field(default_factory=list)
    at_first: list[Expression] = field(default_factory=list)  # products up to the first count
    next: list[Expression] = field(default_factory=list)  # factors that the next count adds


def _up_to(n: str, asked: Asked) -> tuple[Compare, ...] | None:
    """The conditions on a count, if they are upper bounds only: what they allow has no gaps. None otherwise."""
    speaking = [c for c in asked.conditions if not isinstance(c, Compare) or n in names(c.left) | names(c.right)]
    bounds = []
    for c in speaking:
        if not isinstance(c, Compare) or c.sign not in ("<=", "<", ">=", ">"):
            return None
        left, sign, right = (c.left, c.sign, c.right) if c.sign[0] == "<" else (c.right, "<" + c.sign[1:], c.left)
        if left != name(n) or n in names(right):
            return None
        bounds.append(c)
    return tuple(bounds)


def _written(e: Expression) -> Expression:
    """A formula whose products of few factors are written out, factorials being numbers."""
    from banditproof.verify.judge.ways.from_far import folded

    def change(e: Expression) -> Expression:
        if e.head == "prod":
            index, first, last, body = e.args
            low, high = rational(first), rational(last)
            if isinstance(low, Fraction) and isinstance(high, Fraction) and high - low <= MOST_FACTORS:
                product = num(1)
                for k in range(int(low), int(high) + 1):
                    product = binary("mul", product, put(body, {index: num(k)}))
                return change(product)
        e = mapped(e, change)
        return binary(e.head, *e.args) if e.head in ("add", "sub", "mul", "pow") else e

    return folded(change(e))


MOST_FACTORS = 10


def _ratio(e: Expression, n: str, low: int, positive: _Positive) -> Expression:
    """e(n + 1) / e(n) of a positive product."""
    head, a = e.head, e.args
    if n not in names(e) and not has(e, "factorial", "binom"):
        positive.always.append(e)
        return num(1)
    if head in ("mul", "div"):
        return binary(head, _ratio(a[0], n, low, positive), _ratio(a[1], n, low, positive))
    if head == "pow" and n not in names(a[1]):
        return binary("pow", _ratio(a[0], n, low, positive), a[1])
    if head == "call" and a[0] == "sqrt":
        return call("sqrt", _ratio(a[1], n, low, positive))
    if head == "call" and a[0] == "exp" and not has(e, "sum", *PRODUCTS):
        return call("exp", binary("sub", put(a[1], {n: binary("add", name(n), num(1))}), a[1]))
    if head == "call" and a[0] == "factorial":
        return _factorial_ratio(a[1], n, positive)
    if head == "call" and a[0] == "binom":
        above, below = a[1:]
        rest = binary("sub", above, below)
        lower = binary("mul", _factorial_ratio(below, n, positive), _factorial_ratio(rest, n, positive))
        return binary("div", _factorial_ratio(above, n, positive), lower)
    start = rational(a[1]) if head == "prod" else None
    if isinstance(start, Fraction) and start <= low + 1 and a[2] == name(n) and n not in names(a[3]):
        added = put(a[3], {a[0]: binary("add", name(n), num(1))})
        positive.at_first.append(put(e, {n: num(low)}))
        positive.next.append(added)
        return added
    if has(e, "gamma", "sum", *PRODUCTS):
        raise NoStatement("a factorial inside of a sum")
    positive.always.append(e)
    return binary("div", put(e, {n: binary("add", name(n), num(1))}), e)


def _factorial_ratio(inside: Expression, n: str, positive: _Positive) -> Expression:
    """(a n + b + a)!/(a n + b)! for a whole a, where a n + b is a count."""
    from banditproof.verify.judge.ways.residues import is_whole

    of = linear_part(inside, n)
    if of is None or of[0].denominator != 1 or abs(of[0]) > 8 or not is_whole(inside, positive.ranges):
        raise NoStatement("a factorial of something else than a multiple of the count")
    positive.always.append(binary("add", inside, num(1)))
    product = num(1)
    for k in range(1, int(of[0]) + 1):
        product = binary("mul", product, binary("add", inside, num(k)))
    for k in range(int(-of[0])):
        product = binary("mul", product, binary("sub", inside, num(k)))
    return product if of[0] >= 0 else binary("div", num(1), product)
