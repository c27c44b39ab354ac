"""Sums against formulas, and limits of sums, by a primitive: F with F' >= f, or F' <= f, where summands f rise or fall.

By the mean value theorem F(k) - F(k - 1) >= f(k) where f falls and F' >= f, and F(k + 1) - F(k) <= f(k) where f falls
and F' <= f; where f rises, the other way round. SymPy proposes F; its derivative is compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain
from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy
from banditproof.verify.judge.ways.between import _only, isolated
from banditproof.verify.judge.ways.points import Asked, Near, has_value, seems_true, speaks_of, unused

ZERO, ONE = num(0), num(1)
Claims = tuple[Asked | Near, ...]
FIRST = (-1, 0, 1, 2, 9)  # summands after the first one, from which on the primitive takes over
MOST = 2  # ways
POWERS = (Fraction(1, 2), Fraction(-1, 2), Fraction(-1), Fraction(-2))
FAR, STEADY = np.geomspace(10, 1e5, 50), 1.5  # where functions are compared, and by how much their quotient may move


def by_primitive(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """sum(f, k=a..n) <= S + F(n) - F(m), with S the first summands up to m, and the same of a series and from below."""
    total = _only(asked, "sum")
    if total is None or (found := isolated(asked, total)) is None or found[0][0] == "=":
        return
    sign, bound, needed = found
    index, first, last, f = total.args
    a, n = rational(first), last.args[0] if last.head == "var" else ""
    if not isinstance(a, Fraction) or a.denominator != 1 or n in names(f) or has(f, "sum", "floor", "ceil"):
        return
    if last != INFINITY and not _is_free_count(n, asked) or last == INFINITY and sign[0] == ">":
        return  # a series need not converge
    x = unused("x", asked)
    proposed, ways = _primitives(put(f, {index: name(x)}), bound, n, x, asked), 0
    for primitive, m in itertools.product(proposed, (int(a) + k for k in FIRST)):
        if not names(begin := put(primitive, {x: num(m)})) and not _is_finite(begin):
            continue
        for claims in _beside(asked, total, (sign, bound), (primitive, x), m):
            if all(seems_true(c) for c in claims if isinstance(c, Asked)):
                because = f"from {m} on, the sum is compared with {plain(primitive)}"
                yield (*needed, *claims), because
                if parted := _parted(claims[-1]):
                    yield (*needed, *claims[:-1], *parted), because
                ways += 1
                break
        if ways == MOST:
            return


def _parted(asked: Asked | Near) -> Claims:
    """a + (F - c) against b by F against b, and by a against c, which are often numbers."""
    c = asked.comparison
    if isinstance(asked, Near) or c.left.head != "add" or c.left.args[1].head != "sub":
        return ()
    first, (end, start) = c.left.args[0], c.left.args[1].args
    speaking = names(first) | names(start)
    ranges = {n: r for n, r in asked.ranges.items() if n in speaking} if not asked.conditions else asked.ranges
    claims = (
        replace(asked, comparison=Compare(end, c.sign[0] + "=", c.right)),
        replace(asked, comparison=Compare(first, c.sign, start), ranges=ranges),
    )
    return claims if all(map(seems_true, claims)) else ()


def of_riemann(limit: Limit) -> tuple[Claims, str] | None:
    """sum(f(n, k), k=1..n) w(n) -> F(1) - F(0) where n w(n) f(n, k) = h(k/n), h is continuous on [0, 1] and F' = h.

    h and F are built of functions that are continuous where they have a value.
    """
    import sympy
    from sympy.integrals.manualintegrate import manualintegrate

    n, totals = name(limit.name), [p for p in outside(limit.body) if p.head == "sum"]
    index, first, last, f = totals[0].args if len(totals) == 1 else ("", ZERO, ZERO, ZERO)
    ends = first in (ZERO, ONE) and last in (n, binary("sub", n, ONE))
    if not ends or limit.to != INFINITY or names(limit.body) != {limit.name} or has(f, "floor", "ceil", *COUNTING):
        return None
    count, k, x = (sympy.Symbol(word, positive=True) for word in (limit.name, index, "x"))
    weighted = replaced(limit.body, totals[0], f)
    alone = replaced(limit.body, totals[0], ZERO)
    try:
        moved = to_sympy(weighted, {limit.name: count, index: k})
        linear = sympy.simplify(to_sympy(alone, {limit.name: count})) == 0
        h = sympy.simplify(count * moved.subs(k, count * x))
        primitive = manualintegrate(h, x)
        density, of_it = from_sympy(h), from_sympy(sympy.simplify(primitive))
        moves = slope(of_it, "x")
    except (NoStatement, NoSlope, NotImplementedError, ValueError, TypeError, KeyError, AttributeError):
        return None
    if not linear or count in h.free_symbols:
        return None
    closed = {"x": Range(ZERO, ONE)}
    each = {limit.name: Range(ONE, INFINITY, False, True, True), index: Range(first, n, integer=True)}
    at_each = put(density, {"x": binary("div", name(index), n)})
    known = {call("atan", ONE): binary("div", PI, num(4)), call("atan", ZERO): ZERO}
    value = binary("sub", *(put(of_it, {"x": end}) for end in (ONE, ZERO)))
    for part, is_ in known.items():
        value = replaced(value, part, is_)
    claims = (
        Asked(Compare(binary("mul", n, weighted), "==", at_each), each, printed=False),
        Asked(Compare(moves, "==", density), {"x": Range(ZERO, ONE, True, True)}, printed=False),
        *(has_value(e, closed) for e in (density, of_it)),
        Asked(Compare(value, "==", limit.value), {}, printed=False),
    )
    return claims, f"it is a sum of Riemann for {plain(density)}, with the primitive {plain(of_it)}"


def _is_finite(e: Expression) -> bool:
    with np.errstate(all="ignore"):
        return bool(np.isfinite(value_of(e, {})))


def _is_free_count(n: str, asked: Asked) -> bool:
    """Whether a count has a first value and no last one, and nothing else depends on it."""
    r = asked.ranges.get(n)
    tied = any(n in names(s.low) | names(s.high) for s in asked.ranges.values())
    endless = r is not None and r.integer and rational(r.high) == inf and isinstance(rational(r.low), Fraction)
    return endless and not tied and not any(speaks_of(c, n) for c in asked.conditions)


def _by_sympy(f: Expression, n: str, x: str, asked: Asked) -> list[Expression]:
    """The primitive that SymPy finds, if it does; 0 far out where there is no last count."""
    import sympy
    from sympy.integrals.manualintegrate import manualintegrate

    symbols = symbols_of(asked.ranges) | {x: sympy.Symbol(x, positive=True)}
    try:
        found = manualintegrate(to_sympy(f, symbols), symbols[x])
        if found.has(sympy.Integral):
            return []
        found = sympy.simplify(found)
        return [from_sympy(found if n else found - sympy.limit(found, symbols[x], sympy.oo))]
    except (NoStatement, NotImplementedError, ValueError, TypeError, KeyError, AttributeError):
        return []


def _primitives(f: Expression, bound: Expression, n: str, x: str, asked: Asked) -> Iterator[Expression]:
    """F of x: the bound itself; what SymPy finds, 0 far out if it can be; functions in proportion to that far out."""
    if n in names(bound) and not has(bound, "sum", "factorial"):
        yield put(bound, {n: name(x)})
    yield from _by_sympy(f, n, x, asked)
    log = call("log", name(x))
    for shape in (log, binary("div", num(-1), log), *(binary("pow", name(x), num(p)) for p in POWERS)):
        if names(f) != {x}:
            return
        with np.errstate(all="ignore"):
            ratio = value_of(f, {x: FAR}) / value_of(slope(shape, x), {x: FAR})
        if np.isfinite(ratio).all() and ratio.min() > 0 and ratio.max() < STEADY * ratio.min():
            c = Fraction(float(ratio.max())).limit_denominator(20) + Fraction(1, 20)
            yield binary("mul", num(c), shape)


def _beside(
    asked: Asked, total: Expression, wanted: tuple[str, Expression], of: tuple[Expression, str], m: int
) -> Iterator[Claims]:
    """Claims from which the comparison follows, for summands that fall from m on, or that rise."""
    (sign, bound), (index, first, last, body), (primitive, x) = wanted, total.args, of
    upper, a, n = sign[0] == "<", int(rational(first) or 0), last.args[0]
    f, others = put(body, {index: name(x)}), {word: r for word, r in asked.ranges.items() if word != n}
    try:
        moved, steep = slope(f, x), slope(primitive, x)
    except NoSlope:
        return
    onward = replace(asked, ranges={**others, x: Range(num(m), INFINITY, high_open=True)}, printed=False)

    def claimed(left: Expression, sign: str, right: Expression) -> Asked:
        return replace(onward, comparison=Compare(left, sign, right))

    def firsts(upto: int) -> Expression:
        summed = ZERO
        for k in range(a, upto + 1):
            summed = binary("add", summed, put(body, {index: num(k)}))
        return summed

    for falls in (True, False) if m >= a else (upper,):
        after = falls == upper  # F(k) - F(k - 1) against f(k); else F(k + 1) - F(k)
        claims: list[Asked | Near] = [
            claimed(steep, ">=" if upper else "<=", f),
            claimed(moved, "<=" if falls else ">=", ZERO),
            has_value(primitive, onward.ranges, asked.conditions),
        ]
        ranges, end = others, ZERO
        if last == INFINITY:
            eta = unused("eta", asked)
            small = {**onward.ranges, eta: Range(ZERO, INFINITY, True, True)}
            claims += [Near(Compare(primitive, "<=", name(eta)), x, INFINITY, 0, small), claimed(f, ">=", ZERO)]
        else:
            end = put(primitive, {x: last if after else binary("add", last, ONE)})
            r = asked.ranges[n]
            low = int(rational(r.low) or 0) + r.low_open
            ranges = {**asked.ranges, n: replace(r, low=num(max(low, m)), low_open=False)}
            for k in range(low, m):
                early = Compare(firsts(k), sign, put(bound, {n: num(k)}))
                claims.append(replace(asked, comparison=early, ranges=others, printed=False))
        rest = binary("sub", end, put(primitive, {x: num(m)}))
        summed = Compare(binary("add", firsts(m if after else m - 1), rest), sign, bound)
        yield (*claims, replace(asked, comparison=summed, ranges=ranges, printed=False))
