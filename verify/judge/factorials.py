"""Factorials and binomials of counts that lie a few steps apart, as multiples of one positive number.

With f for n!, (n + 2)! is (n + 2) (n + 1) f, and binom(n, k) is n! divided by k! (n - k)!. What holds for every f > 0
holds for n!, so a comparison without factorials is enough. In the same way gamma(y + 1) is y! for every number y > -1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from banditproof.verify.judge.building import HALF_LINE
from banditproof.verify.judge.formula import NoStatement, binary, call, has, mapped, name, names, num, parts
from banditproof.verify.judge.points import Asked, seems_true, unused
from banditproof.verify.judge.residues import is_whole
from banditproof.verify.judge.sentence import Compare, Expression

FREE = "f is a factorial, of which those some steps further on are multiples"
MOST_STEPS = 8  # between two factorials of one number


def with_free_factorials(asked: Asked) -> tuple[Asked, ...]:
    """A comparison with a positive number for each factorial that is no multiple of another one, and what it asks for.

    As it stands where no two factorials belong together, or where the comparison without them is false.
    """
    opened = Compare(_opened(asked.comparison.left), asked.comparison.sign, _opened(asked.comparison.right))
    inside = {p.args[1] for side in (opened.left, opened.right) for p in parts(side) if _is(p)}
    if len(inside) < 2 or any(has(side, "sum", "prod", "inf", "sup") for side in (opened.left, opened.right)):
        return (asked,)
    whole = all(is_whole(e, asked.ranges) for e in inside)
    if not whole and any(has(side, "factorial", "binom") for side in (asked.comparison.left, asked.comparison.right)):
        return (asked,)  # which are of counts alone
    from_where = (">=", num(0)) if whole else (">", num(-1))
    try:
        of = _steps(inside)
    except NoStatement:
        return (asked,)
    if len({rest for rest, _ in of.values()}) == len(inside):
        return (asked,)
    there, ranges, needed = {}, dict(asked.ranges), []
    for rest in dict.fromkeys(rest for rest, _ in of.values()):
        group = sorted((step, str(e), e) for e, (r, step) in of.items() if r == rest)
        free = unused("f", replace(asked, ranges=ranges))
        ranges[free], product = HALF_LINE, name(free)
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

    from banditproof.verify.judge.symbolic import to_sympy

    symbols = {word: sympy.Symbol(word) for e in inside for word in names(e)}
    of: dict[Expression, tuple[Any, int]] = {}
    for e in inside:
        step, rest = sympy.expand(to_sympy(e, symbols)).as_coeff_Add()
        of[e] = rest, int(step)
    for rest, step in of.values():
        if any(r == rest and abs(s - step) > MOST_STEPS for r, s in of.values()):
            raise NoStatement("factorials that are far apart")
    return of
