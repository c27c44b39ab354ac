"""Proofs in the kernel of what a divergence says of events: two laws of small divergence are hard to tell apart."""

from __future__ import annotations

from banditproof.paper_checks.shared.divergence_proofs import powers_of_event
from banditproof.paper_checks.shared.kernel_proofs import app, bounds_of_event, law, parts_of
from banditproof.verify.kernel.meanings import exp, log
from banditproof.verify.kernel.rules import Theorem, assume, eq, exp_log, exp_positive, exp_tangent, le, lt, mean, mono
from banditproof.verify.kernel.tactics import auto, closed, fn, for_all, instance, weak
from banditproof.verify.kernel.terms import All, term, var

x, most = var("x"), var("most")


def bretagnolle_huber(statement: All) -> Theorem:
    """The divergence at u = c outside of the event and -log 2 on it, c the bound: 1/2 <= P(A)(c + log 2) + Q(A') e^c."""
    names, given, goal = parts_of(statement.then)
    known, A = assume(statement.given[-1]), app("A", x)
    idempotent = instance(assume(given[0]), {"x": x})
    low, high = bounds_of_event(A, idempotent)
    two, of_two = log(2), exp_log(auto(lt(0, 2)))
    half = auto(eq(exp(-two), term(1) / 2), (exp(-two) / 2, of_two))
    positive = auto(le(0, two), exp_tangent(-two), (exp(-two), of_two))
    small = auto(le(two, 1), (exp(-1), of_two), exp_tangent(two - 1), (exp_positive(-1), exp_tangent(1)))
    outside = auto(eq((1 - A) * (1 - A), 1 - A), idempotent)
    grown = auto(le(0, most + two), instance(known, {"u": fn("x", 0)}), positive)
    _, above = powers_of_event(1 - A, outside, most + two, grown)
    at_best = instance(known, {"u": fn("x", (most + two) * (1 - A) - two)})
    P, Q = law("P"), law("Q")
    p, missed = mean("x", P, A), 1 - mean("x", Q, A)
    not_negative = mono(low, "x", P), mono(auto(le(0, 1 - A), high), "x", Q)
    averaged = mono(above, "x", Q)
    line = auto(
        le(term(1) / 2, p * (most + two) + exp(most) * missed),
        at_best,
        (weak(exp_positive(-two)), averaged),
        (1 - missed, half),
        not_negative[1],
    )
    whole = auto(le(term(1) / 2, exp(most) * (p + missed)), line, (not_negative[0], exp_tangent(most)), (not_negative[0], small))
    return closed(statement, for_all(names, auto(goal, (exp_positive(-most), whole)), *given))
