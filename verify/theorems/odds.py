"""Proofs in the kernel of the most that weights relative to the best arm gain, for lists of gaps of any length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.policies import sum_over

rest, closest, least, a = map(var, ("rest", "closest", "least", "a"))


def gap(at: Any) -> Term:
    return app("gaps", at)


def inverse(at: Any) -> Term:
    return app("inverses", at)


class Arm:
    """What the premises say of one arm beside the best one."""

    def __init__(self, at: Term):
        self.at, self.is_one = at, [assume(f) for f in is_arm(at, rest)]
        self.positive = self.of(lambda a: lt(0, gap(a)))
        self.unit = self.of(lambda a: eq(inverse(a) * gap(a), 1))
        inverted = (weak(self.positive), square(inverse(at))), (inverse(at), self.unit)
        self.inverse_low = auto(le(0, inverse(at)), *inverted)

    def of(self, says: Callable[[Term], Formula]) -> Theorem:
        premise = All(("a",), is_arm(a, rest), says(a))
        return instance(assume(premise), {"a": self.at}, *self.is_one)


def gain(odds: Term, at: Term) -> Term:
    """min(1, x) times the gap."""
    return (1 + odds - size(1 - odds)) / 2 * gap(at)


def size_at_least(t: Term) -> list[Theorem]:
    """t <= |t| and -t <= |t|."""
    sign = indicator(term(0), t, 1), indicator(term(0), t, 2)
    return [auto(le(s * t, size(t)), *sign) for s in (1, -1)]


@proof
def ratio(statement: All) -> Theorem:
    """No g_a is above the gap, nor above the gap times the odds."""
    b = var("b")
    of_b, of_closest = Arm(b), Arm(closest)

    def at_most_gain(arm: Arm, which: int) -> Theorem:
        """The least gain over the gap is at most x (0) or 1 (1)."""
        odds = app("weights", arm.at)
        bound = (odds, term(1))[which]
        low = arm.of(lambda a: le(least, gain(app("weights", a), a)))
        both = auto(le(least, bound * gap(arm.at)), low, (arm.positive, size_at_least(1 - odds)[which]))
        return auto(le(least * inverse(arm.at), bound), (arm.inverse_low, both), arm.unit)

    each = sum_over(auto(le(0, app("weights", b) - least * inverse(b)), at_most_gain(of_b, 0)), "b", rest)
    return auto(statement.then, each, at_most_gain(of_closest, 1))


@proof
def ratio_attained(statement: All) -> Theorem:
    """At x = gap(closest)/gap every arm gains the smallest gap: no odds are above 1."""
    arm, first = Arm(var("arm")), Arm(closest)
    odds = gap(closest) * inverse(arm.at)
    no_closer = arm.of(lambda a: le(gap(closest), gap(a)))
    small = auto(le(0, 1 - odds), (arm.inverse_low, no_closer), arm.unit)
    goal = statement.then
    assert isinstance(goal, Rel)
    return auto(goal, at_most(small), arm.unit, first.unit)
