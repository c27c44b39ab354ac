"""Factorials and binomials of counts that lie a few steps apart, as multiples of one positive number.

With f for n!, (n + 2)! is (n + 2) (n + 1) f, and binom(n, k) is n! divided by k! (n - k)!. What holds for every f >= 1
holds for n!, so a comparison without factorials is enough. In the same way gamma(y + 1) is y! for every number y > -1,
and above 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.ways.extrema import FROM_1, as_number
from banditproof.verify.judge.ways.from_far import turned
from banditproof.verify.judge.ways.points import Asked, failing, seems_true, unused
from banditproof.verify.judge.ways.residues import is_whole

FREE = "f is a factorial, and those some steps further on are multiples of it"
CONVEX = "the logarithm of the gamma function is convex above 0"
DRAWS = 600
MOST_STEPS = 8  # between two factorials of one number


def with_free_factorials(asked: Asked) -> tuple[Asked, ...]:
    """A comparison with a number for each factorial that is no multiple of another one, and what it asks for.

    As it stands where the comparison without factorials is false.
    """
    opened = Compare(_opened(asked.comparison.left), asked.comparison.sign, _opened(asked.comparison.right))
    inside = {p.args[1] for side in (opened.left, opened.right) for p in parts(side) if _is(p)}
    if not inside or any(has(side, "sum", "prod", "inf", "sup") for side in (opened.left, opened.right)):
        return (asked,)
    whole = all(is_whole(e, asked.ranges) for e in inside)
    if not whole and any(has(side, "factorial", "binom") for side in (asked.comparison.left, asked.comparison.right)):
        return (asked,)  # which are of counts alone
    from_where = (">=", num(0)) if whole else (">", num(-1))
    try:
        of = _steps(inside)
    except NoStatement:
        return (asked,)
    there, ranges, needed = {}, dict(asked.ranges), []
    for rest in dict.fromkeys(rest for rest, _ in of.values()):
        group = sorted((step, str(e), e) for e, (r, step) in of.items() if r == rest)
        free = unused("f", replace(asked, ranges=ranges))
        ranges[free], product = FROM_1 if whole else HALF_LINE, name(free)
        needed.append(replace(asked, comparison=Compare(group[0][2], *from_where), printed=False))
        for at, (step, _, e) in enumerate(group):
            for k in range(step - (group[at - 1][0] if at else step), 0, -1):
                product = binary("mul", product, binary("sub", e, num(k - 1)))
            there[e] = product

    def free_of(e: Expression) -> Expression:
        return there[e.args[1]] if _is(e) else mapped(e, free_of)

    left, right = free_of(opened.left), free_of(opened.right)
    claim = replace(asked, comparison=Compare(left, opened.sign, right), ranges=ranges, printed=False)
    return (claim, *needed) if claim.comparison.sign == "==" or seems_true(claim) else (asked,)


def by_log_convexity(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str, tuple[str, ...]]]:
    """A comparison with T = gamma(u) gamma(v)/gamma(w), or 1/T, as a factor, where u + v - w is a number.

    With i, j, l in {0, 1} and z = (u + i) + (v + j) - (w + l) > 0, T is w^l/(u^i v^j) times
    gamma(u + i) gamma(v + j)/gamma(w + l). Where w + l is at least u + i and v + j, these lie between z and w + l, and
    that quotient is at most gamma(z); where w + l lies between them, so does z, and it is at least gamma(z).
    """
    larger, smaller, sign = turned(asked)
    if sign not in (">", ">="):
        return
    gammas: dict[bool, list[Expression]] = {True: [], False: []}  # of the smaller side over the larger one
    rests, divisors = {True: num(1), False: num(1)}, []
    for side in (smaller, larger):
        for e, way in factors_of(_opened(side)):
            base, power = (e.args[0], rational(e.args[1])) if e.head == "pow" else (e, 1)
            above = (way == "mul") == (side is smaller)
            if _is(base) and power in (1, 2):
                gammas[above] += [_tidy(binary("add", base.args[1], num(1)))] * int(power)
            else:
                rests[above] = binary("mul", rests[above], e)
                divisors += [e] if way == "div" else []
    turn = len(gammas[True]) < len(gammas[False])
    pair, single = gammas[not turn], gammas[turn]
    if len(pair) != 2 or len(single) != 1:
        return
    (u, v), (w,) = pair, single
    positive = [(e, ">", num(0)) for e in dict.fromkeys((u, v, w, *divisors, rests[False]))]
    positive.append((rests[True], ">=", num(0)))
    for i, j, step in itertools.product((0, 1), repeat=3):
        x, y, far = (_tidy(binary("add", e, num(by))) for e, by in ((u, i), (v, j), (w, step)))
        z = as_number(binary("sub", binary("add", x, y), far))
        if z is None or z <= 0:
            continue
        bound = num(1) if z in (1, 2) else call("gamma", num(z))
        for e, by, way in ((w, step, "mul"), (u, i, "div"), (v, j, "div")):
            bound = binary(way, bound, e) if by else bound
        beyond = [binary("sub", far, e) for e in (x, y)]
        order = [(binary("mul", *beyond), "<=", num(0))] if turn else [(e, ">=", num(0)) for e in beyond]
        left, right = rests[True], rests[False]
        left, right = (left, binary("mul", right, bound)) if turn else (binary("mul", left, bound), right)
        claims = tuple(
            replace(asked, comparison=Compare(*c), printed=False)
            for c in ((left, "<" + sign[1:], right), *order, *positive)
        )
        if all(failing(claim, draws=DRAWS)[0] is None for claim in claims):
            yield claims, "a quotient of gamma functions beside its value where one argument is a number", (CONVEX,)
            return


def _tidy(e: Expression) -> Expression:
    import sympy

    from banditproof.verify.judge.formulas.symbolic import from_sympy, to_sympy

    try:
        return from_sympy(sympy.expand(to_sympy(e, {word: sympy.Symbol(word) for word in names(e)})))
    except NoStatement:
        return e


def _is(e: Expression) -> bool:
    return e.head == "call" and e.args[0] == "factorial" and bool(names(e))


def _opened(e: Expression) -> Expression:
    """With binom(n, k) as a quotient of factorials, and gamma(z) as one."""
    e = mapped(e, _opened)
    if e.head == "call" and e.args[0] == "gamma" and names(e):
        return call("factorial", binary("sub", e.args[1], num(1)))
    if e.head == "call" and e.args[0] == "binom" and names(e):
        n, k = e.args[1:]
        below = binary("mul", call("factorial", k), call("factorial", binary("sub", n, k)))
        return binary("div", call("factorial", n), below)
    return e


def _steps(inside: set[Expression]) -> dict[Expression, tuple[Any, int]]:
    """Each count as a formula and a number of steps from it. Raises NoStatement where they are too far apart."""
    import sympy

    from banditproof.verify.judge.formulas.symbolic import to_sympy

    symbols = {word: sympy.Symbol(word) for e in inside for word in names(e)}
    of: dict[Expression, tuple[Any, int]] = {}
    for e in inside:
        step, rest = sympy.expand(to_sympy(e, symbols)).as_coeff_Add()
        of[e] = rest, int(step)
    for rest, step in of.values():
        if any(r == rest and abs(s - step) > MOST_STEPS for r, s in of.values()):
            raise NoStatement("factorials that are far apart")
    return of
