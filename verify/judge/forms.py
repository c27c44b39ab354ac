"""Comparisons in another form: without a root or an exponential around a side, or without the larger of two variables.

|x| <= sqrt(1 - exp(-y)) follows from log(1 - x^2) >= -y; where x < y is known, max(x, y) is y.
"""

from __future__ import annotations

from banditproof.verify.judge.formula import binary, call, mapped, name, num
from banditproof.verify.judge.points import Asked
from banditproof.verify.judge.sentence import Compare, Expression


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


def _is(e: Expression, function: str) -> bool:
    return e.head == "call" and e.args[0] == function


Cases = list[tuple[Expression, tuple[Compare, ...]]]


def in_either_order(e: Expression, p: str, q: str) -> Cases:
    """A formula where p < q and where q < p, without the larger, the smaller and the distance of p and q in it.

    A formula in which none of them stands is one case, without an order.
    """
    cases: Cases = []
    for small, large in ((name(p), name(q)), (name(q), name(p))):
        cases.append((_ordered(e, small, large), (Compare(small, "<", large),)))
    return cases if any(of != e for of, _ in cases) else [(e, ())]


def _ordered(e: Expression, small: Expression, large: Expression) -> Expression:
    if e.head == "call" and e.args[0] in ("max", "min") and set(e.args[1:]) == {small, large}:
        return large if e.args[0] == "max" else small
    if _is(e, "abs") and e.args[1].head == "sub" and set(e.args[1].args) == {small, large}:
        return binary("sub", large, small)
    return mapped(e, lambda part: _ordered(part, small, large))
