"""Proofs in the kernel of what a divergence says of events: two laws of small divergence are hard to tell apart."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.language import *
from banditproof.verify.theorems.hoeffding import two_values

x, most = var("x"), var("most")


def chord(V: Term, low: Theorem, high: Theorem, c: Term) -> Theorem:
    """e^(c V) <= 1 - V + V e^c for 0 <= V <= 1: two tangents of e^t at t = c V."""
    factor = weak(exp_positive(c * V))
    tangents = product(factor, auto(le(0, 1 - V), high)), product(factor, low)
    return auto(
        le(exp(c * V), 1 - V + V * exp(c)), (tangents[0], exp_tangent(-c * V)), (tangents[1], exp_tangent(c - c * V))
    )


def errors_of_a_test(
    known: Theorem, laws: tuple[Term, Term], point: str, V: Term, low: Theorem, high: Theorem, most: Any
) -> Theorem:
    """e^-c/2 <= E V + 1 - E' V for a test 0 <= V <= 1 of the point, if D_KL(P || Q) <= c.

    The divergence at u = c (1 - V) - V log 2: 1/2 <= E V (c + log 2) + E' (1 - V) e^c.
    """
    c, (P, Q) = term(most), laws
    two, of_two = log(2), exp_log(auto(lt(0, 2)))
    half = auto(eq(exp(-two), term(1) / 2), (exp(-two) / 2, of_two))
    small = auto(le(two, 1), (exp(-1), of_two), exp_tangent(two - 1), (exp(-1), exp_tangent(1)))
    missed = 1 - mean(point, Q, V)
    above = chord(1 - V, auto(le(0, 1 - V), high), auto(le(1 - V, 1), low), c + two)
    at_best = instance(known, {"u": fn(point, (c + two) * (1 - V) - two)})
    p, positive = mean(point, P, V), mono(low, point, P)
    line = auto(
        le(term(1) / 2, p * (c + two) + exp(c) * missed),
        at_best,
        (exp(-two), mono(above, point, Q)),
        (1 - missed, half),
        mono(high, point, Q),
    )
    whole = auto(le(term(1) / 2, exp(c) * (p + missed)), line, (positive, exp_tangent(c)), (positive, small))
    return auto(le(exp(-c) / 2, p + missed), (exp(-c), whole))


@proof
def bretagnolle_huber(statement: All) -> Theorem:
    """An event is a test."""
    _, given, goal = parts_of(statement.then)
    A = app("A", x)
    low, high = bounds_of_event(A, instance(assume(given[0])))
    proved = errors_of_a_test(assume(statement.given[-1]), (law("P"), law("Q")), "x", A, low, high, most)
    return auto(goal, proved)


P, Q, A = law("P"), law("Q"), app("A", x)
CLOSE = kl_at_most(P, Q, most)


@lemma("P Q most A", CLOSE, event("A"))
def square_at_most() -> Theorem:
    """2 (P(A) - Q(A))^2 <= most for an event A, by Pinsker.

    The divergence at u = t (A - Q(A)) - t^2/8, whose e^u has a mean of at most 1; t = 4 (P(A) - Q(A)).
    """
    low, high = bounds_of_event(A, instance(assume(event("A"))))
    p, q = (mean("x", one, A) for one in (P, Q))
    t = 4 * (p - q)
    here = instance(assume(CLOSE), {"u": fn("x", t * A - t * q - t * t / 8)})
    above = mono(chord(A, low, high, t), "x", Q)
    two = instance(two_values(), {"p": q, "s": t}, mono(high, "x", Q))
    return auto(le(2 * (p - q) * (p - q), most), here, above, (exp(-t * t / 8), two))


@proof
def pinsker(statement: All) -> Theorem:
    """What the lemma says."""
    return auto(conclusion(statement), instance(square_at_most(), {}))
