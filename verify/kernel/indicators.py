"""Numbers that are equal or ordered, told by indicators: what proofs do with 1[s <= t] and 1[s = t]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.context import lemma, suppose
from banditproof.verify.kernel.rules import (
    Theorem,
    antisymmetric,
    assume,
    cases,
    eq,
    indicator,
    le,
    lt,
    reciprocal,
    same,
    square,
    use,
)
from banditproof.verify.kernel.tactics import auto, reciprocal_positive, weak
from banditproof.verify.kernel.terms import Term, substitute, term, var


def ind(s: Any, t: Any) -> Term:
    """1 where s <= t, else 0."""
    return Term("ind", (term(s), term(t)))


def equal(s: Any, t: Any) -> Term:
    """1 where s = t, else 0."""
    return ind(s, t) * ind(t, s)


def _of_two(lemma: Theorem, known: Theorem, s: Term, t: Term) -> Theorem:
    return use(lemma, [("s", s), ("t", t)], [known])


def not_at_most(below: Theorem) -> Theorem:
    """1[s <= t] = 0 from t < s."""
    t, s = below.conclusion.args  # type: ignore[union-attr]
    return _of_two(_off(), below, s, t)


@lemma("s t")
def _off() -> Theorem:
    s, t = var("s"), var("t")
    one = ind(s, t)
    (below,) = suppose(lt(t, s))
    gap = auto(lt(0, s - t), below)
    at_most = auto(le(one, 0), (reciprocal_positive(gap), indicator(s, t, 1)), (one, reciprocal(gap)))
    return antisymmetric(at_most, indicator(s, t, 3))


def at_most(known: Theorem) -> Theorem:
    """1[s <= t] = 1 from s <= t or s < t."""
    s, t = known.conclusion.args  # type: ignore[union-attr]
    return _of_two(_on(), known if known.conclusion.op == "<=" else weak(known), s, t)  # type: ignore[union-attr]


@lemma("s t")
def _on() -> Theorem:
    s, t = var("s"), var("t")
    below, one = assume(lt(s, t)), ind(s, t)
    (known,) = suppose(le(s, t))
    gap = auto(lt(0, t - s), below)
    at_least = auto(le(1, one), (reciprocal_positive(gap), indicator(s, t, 2)), (1 - one, reciprocal(gap)))
    strict = antisymmetric(indicator(s, t, 4), at_least)
    ends = auto(eq(one, 1), same(antisymmetric(known, assume(le(t, s))), "v", ind(var("v"), t)))
    return cases(ends, strict, t, s)


def is_equal(known: Theorem) -> Theorem:
    """1[s = t] = 1 from s = t."""
    s, t = known.conclusion.args  # type: ignore[union-attr]
    return auto(eq(equal(s, t), 1), at_most(auto(le(s, t), known)), (ind(s, t), at_most(auto(le(t, s), known))))


def unless_equal(
    s: Any, t: Any, then: Callable[[Theorem], Theorem], other: Callable[[Term, Theorem], Theorem]
) -> Theorem:
    """A conclusion that follows from s = t, and otherwise from 1[s = t] = 0."""
    s, t = term(s), term(t)
    low, high = le(s, t), le(t, s)
    same_numbers = then(antisymmetric(assume(low), assume(high)))
    above, below = not_at_most(assume(lt(s, t))), not_at_most(assume(lt(t, s)))  # 1[t <= s] = 0, 1[s <= t] = 0
    first = auto(eq(equal(s, t), 0), (ind(s, t), above))
    second = auto(eq(equal(s, t), 0), (ind(t, s), below))
    return cases(cases(same_numbers, other(equal(s, t), first), t, s), other(equal(s, t), second), s, t)


def under(s: Any, t: Any, context: Term) -> Theorem:
    """context(s) 1[s = t] = context(t) 1[s = t]."""
    s, t = term(s), term(t)
    left, right = (substitute(context, {"w": value}) for value in (s, t))
    goal = eq(left * equal(s, t), right * equal(s, t))
    return unless_equal(
        s,
        t,
        lambda proved: auto(goal, (equal(s, t), same(proved, "w", context))),
        lambda one, zero: auto(goal, (left - right, zero)),
    )


def equal_is_event(s: Any, t: Any) -> Theorem:
    """1[s = t] is 0 or 1."""
    return use(_events(), [("s", term(s)), ("t", term(t))], [])


@lemma("s t")
def _events() -> Theorem:
    s, t = var("s"), var("t")
    one, two = ind(s, t), ind(t, s)
    goal = eq(equal(s, t) * equal(s, t), equal(s, t))
    return auto(goal, (two * two, indicator(s, t, 0)), (one, indicator(t, s, 0)))


def bounds_of_event(A: Term, idempotent: Theorem) -> tuple[Theorem, Theorem]:
    """0 <= A <= 1 from A A = A."""
    return auto(le(0, A), square(A), idempotent), auto(le(A, 1), square(1 - A), idempotent)
