"""Proofs in the kernel about optimal designs: the norm of an action, by the determinant on the way to it."""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.least_squares import bilinear, no_larger_determinant, squared_norms, weighted
from banditproof.verify.kernel.matrices import eliminates, entry_of, form, is_inverse, place, positive_semidefinite
from banditproof.verify.kernel.meanings import for_each
from banditproof.verify.kernel.policies import is_arm
from banditproof.verify.theorems.least_squares import ANY, WEIGHTS, A, B, G, M, along, form_of_support, support
from banditproof.verify.theorems.matrices import d, matrix, numbers, points, quotients, solves
from banditproof.verify.theorems.policies import picked, sum_over

b, i, j, k, r, s = map(var, ("b", "i", "j", "k", "r", "s"))
V, MOST, COLUMNS, MINORS = weighted(WEIGHTS, B, M), var("most"), matrix("C_V"), numbers("m_V")
LOG, DET = log(1 - s), MINORS(d)


def mean_norm() -> Theorem:
    """The weighted sum of the squared norms is the trace of V G, which is d."""
    over, actions = uniform(d), uniform(M)
    body = WEIGHTS(b) * B(b, r) * B(b, j) * G(j, r)
    row = instance(assume(is_inverse(G, V, d)), {"i": r}, *map(assume, place(r, size=d)))
    one = auto(eq(0, conclusion(row.conclusion).args[0] - 1), row)
    inside = mono(fubini("j", over, "b", actions, body), "r", over)
    outside = fubini("r", over, "b", actions, mean("j", over, body))
    turned = mono(fubini("r", over, "j", over, body), "b", actions)
    total = squared_norms(WEIGHTS, B, G, M, d)
    return auto(eq(total, d), sum_over(one, "r", d), *((d * d * M, f) for f in (inside, outside, turned)))


@proof
def norms_add_up(statement: All) -> Theorem:
    return auto(statement.then, mean_norm())


def towards(i: Any) -> Term:
    """Entry i of G a, along which the forms of the designs are compared."""
    return sum_of(lambda p: G(i, p) * A(p), d, "p")


def mixed(i: Any, j: Any) -> Term:
    return (1 - s) * V(i, j) + s * A(i) * A(j)


def rest(i: Any, j: Any) -> Term:
    return (1 - s) * V(i, j)


def steps_to(k: Any) -> Term:
    """How many of the places 0 .. d - 1 are below k."""
    return sum_of(lambda j: ind(j + 1, k), d)


def power(k: Any) -> Term:
    """(1 - s)^k, for k up to d; bounded, as functions are."""
    return exp(LOG * steps_to(k))


NORM, SMALL = form(G, A, d), assume(lt(0, 1 - s))


def one_step_more() -> Theorem:
    """One place more is below r + 1 than below r."""
    goal, far = eq(0, ind(j + 1, r + 1) - ind(j + 1, r) - equal(j, r)), assume(lt(r, j))
    beyond = not_at_most(auto(lt(r, j + 1), far))
    above = auto(goal, not_at_most(far), beyond)
    near, at = assume(le(j, r)), assume(le(r, j))
    here = auto(goal, not_at_most(auto(lt(r, j + 1), at)), (ind(j, r), at_most(at)))
    apart = nat_nonnegative(nat_minus(assume(nat(j)), assume(nat(r)), assume(lt(j, r))))
    below = auto(goal, at_most(near), at_most(auto(le(j + 1, r), apart)), (ind(j, r), not_at_most(assume(lt(j, r)))))
    each = cases(cases(here, below, r, j), above, j, r)
    return auto(eq(steps_to(r + 1), steps_to(r) + 1), sum_over(each, "j", d), picked(lambda j: term(1), r, d))


def no_step() -> Theorem:
    none = not_at_most(auto(lt(0, j + 1), nat_nonnegative(assume(nat(j)))))
    return auto(eq(steps_to(0), 0), sum_over(auto(eq(0, ind(j + 1, 0)), none), "j", d))


def all_steps() -> Theorem:
    whole = at_most(auto(le(j + 1, d), nat_nonnegative(nat_minus(assume(nat(j)), assume(nat(d)), assume(lt(j, d))))))
    return auto(eq(steps_to(d), d), sum_over(auto(eq(0, 1 - ind(j + 1, d)), whole), "j", d))


def eliminated_rest() -> list[Theorem]:
    """The columns of V make (1 - s) V triangular too, with pivots that are 1 - s times as large."""
    ones, zeros, reduced, first, following = (assume(f) for f in eliminates(COLUMNS, MINORS, V, d))
    at = {"i": i, "r": r}, *map(assume, (*place(i, r, size=d), lt(i, r)))
    entry = entry_of(rest, lambda j: COLUMNS(j, r), i, d)
    is_zero = auto(eq(entry, 0), (1 - s, instance(reduced, *at)))
    more = instance(following, {}, *map(assume, place(r, size=d)))
    pivot = entry_of(V, lambda j: COLUMNS(j, r), r, d)
    grown = exp_equal(auto(eq(LOG * steps_to(r + 1), LOG * steps_to(r) + LOG), (LOG, one_step_more())))
    value = exp_log(SMALL)
    goal = eq(power(r + 1) * MINORS(r + 1), power(r) * MINORS(r) * (1 - s) * pivot)
    facts = (MINORS(r + 1), grown), (exp(LOG * steps_to(r)) * MINORS(r + 1), value), ((1 - s) * power(r), more)
    begin = auto(eq(power(0) * MINORS(0), 1), (MINORS(0), exp_equal(auto(eq(LOG * steps_to(0), 0), (LOG, no_step())))))
    places = place(i, r, size=d)
    return [
        ones,
        zeros,
        for_all("i r", is_zero, *places, lt(i, r)),
        begin,
        for_all("r", auto(goal, *facts), *place(r, size=d)),
    ]


@once
def quotient() -> Theorem:
    """Lemma C.31 of the thesis for all that it speaks of."""
    high, low, x = matrix("M"), matrix("N"), numbers("direction")
    gain = positive_semidefinite(lambda i, j: high(i, j) - low(i, j), d)
    pivots = (eliminates(matrix(f"C_{name}"), numbers(f"m_{name}"), of, d) for name, of in (("M", high), ("N", low)))
    given = nat(d), le(1, d), *positive_semidefinite(low, d), *gain, *(f for one in pivots for f in one)
    then = le(form(high, x, d) * numbers("m_N")(d), numbers("m_M")(d) * form(low, x, d))
    return quotients(All(("dimension", "M", "N", "C_M", "C_N", "m_M", "m_N", "direction"), given, then))


def rest_is_positive() -> list[Theorem]:
    """(1 - s) V is symmetric, and its form is 1 - s times a sum of squares with weights."""
    chosen = [assume(f) for f in is_arm(b, M)]
    least = product(instance(assume(All(("i",), (nat(i),), le(0, WEIGHTS(i)))), {"i": b}, chosen[0]), square(along()))
    share = weak(SMALL), auto(le(0, form(V, ANY, d)), sum_over(least, "b", M), form_of_support(WEIGHTS))
    symmetric = for_all("i r", auto(eq(rest(i, r), rest(r, i))), *place(i, r, size=d))
    return [symmetric, for_all("vector", auto(le(0, form(rest, ANY, d)), share))]


def gain_is_positive() -> list[Theorem]:
    """s a a^T is symmetric, and its form is s times a square."""

    def gain(i: Any, j: Any) -> Term:
        return mixed(i, j) - rest(i, j)

    symmetric = for_all("i r", auto(eq(gain(i, r), gain(r, i))), *place(i, r, size=d))
    along_a = square(sum_of(lambda i: ANY(i) * A(i), d, "i"))
    return [symmetric, for_all("vector", auto(le(0, form(gain, ANY, d)), (weak(assume(lt(0, s))), along_a)))]


def form_of_design() -> Theorem:
    """x^T V x is a^T G a for x = G a, as V x = a."""
    values = {"G": fn("i j", G(i, j)), "M": fn("i j", V(i, j)), "x": points(A)}
    row = instance(instance(solves(), values), {"spot": i}, *map(assume, place(i, size=d)))
    each = auto(eq(0, towards(i) * (conclusion(row.conclusion).args[0] - A(i))), (towards(i), row))
    return auto(eq(form(V, towards, d), NORM), sum_over(each, "i", d))


def compared() -> Theorem:
    """(1 - s)^(d - 1) (1 - s + s q) <= 1, for the squared norm q of a, where the determinant does not grow."""
    *swept, most = no_larger_determinant(V, A, MINORS(d), d)
    share = assume(lt(0, s)), assume(le(s, term(1) / 2))
    of_mixture = [instance(assume(f), {}, *share) for f in (*swept, most)]
    values = {"M": fn("i j", mixed(i, j)), "N": fn("i j", rest(i, j)), "C_N": fn("i j", COLUMNS(i, j))}
    values |= {"C_M": fn("i j", app("mixed_columns", s, i, j)), "m_M": fn("i", app("mixed_minors", s, i))}
    values |= {"m_N": fn("i", power(i) * MINORS(i)), "direction": points(towards)}
    known = *rest_is_positive(), *gain_is_positive(), *of_mixture[:-1], *eliminated_rest()
    whole = instance(quotient(), values, *known)
    size, some = product(weak(SMALL), weak(assume(lt(0, NORM)))), assume(lt(0, DET))
    own = form_of_design()
    grown = exp_equal(auto(eq(LOG * steps_to(d), LOG * d), (LOG, all_steps())))
    forms = ((1 - s) * power(d) * DET, own), ((1 - s) * app("mixed_minors", s, d), own)
    q = (1 - s) * NORM + s * NORM * NORM
    first = auto(
        le(q * exp(LOG * d) * DET, (1 - s) * NORM * DET), whole, *forms, (size, of_mixture[-1]), (q * DET, grown)
    )
    last = exp(LOG * (d - 1)) * (1 - s + s * NORM)
    times = product(product(SMALL, assume(lt(0, NORM))), some)
    inverse, one = reciprocal_positive(times), reciprocal(times)
    value = exp_log(SMALL)
    scale = (1 - s) * NORM * DET
    return auto(le(last, 1), (inverse, first), (exp(LOG * (d - 1)) * q * DET / scale, value), (last, one), (1, one))


def share_of_norm() -> Theorem:
    """q - d + d s - d s q <= 0: e^((d - 1) log(1 - s)) is at least 1 - (d - 1) s/(1 - s)."""
    value = exp_log(SMALL)
    tangent, slope = exp_tangent(LOG * (d - 1)), exp_tangent(-LOG)
    some = assume(lt(0, s))
    low = auto(le(-s, (1 - s) * LOG), (SMALL, slope), (exp(-LOG), value))
    y = 1 - s + s * NORM
    positive = auto(lt(0, y), SMALL, product(some, assume(lt(0, NORM))))
    more = product(auto(le(0, d - 1)), weak(positive))
    whole = auto(le((1 - d * s) * y, 1 - s), (SMALL, compared()), (product(SMALL, positive), tangent), (more, low))
    goal = le(NORM - d + d * s - d * s * NORM, 0)
    return auto(goal, (reciprocal_positive(some), whole), (NORM - d + d * s - d * s * NORM, reciprocal(some)))


def is_at_most_d() -> Theorem:
    """q <= d: else the share (q - d)/(2 d q) of the weights would make the determinant larger."""
    above = assume(lt(d, NORM))
    some = auto(lt(0, NORM), above)
    times = product(auto(lt(0, 2 * d)), some)
    share, inverse, one = (NORM - d) / (2 * d * NORM), reciprocal_positive(times), reciprocal(times)
    positive = product(auto(lt(0, NORM - d), above), inverse)
    most = auto(le(NORM - d, d * NORM), product(auto(le(0, d - 1)), weak(some)))
    half = auto(le(share, term(1) / 2), (inverse, most), one)
    given = lt(0, 1 - s), lt(0, s), le(s, term(1) / 2), lt(0, NORM)
    at = instance(for_all("s", share_of_norm(), *given), {"s": share}, positive, half, some)
    false = contradiction(at, (NORM - d, one), product(positive, auto(lt(0, d))), above)
    return by_contradiction(le(NORM, d), false)


@proof
def optimal(statement: All) -> Theorem:
    """The norm of the action is at most d, and the largest norm is at least their mean, which is d."""
    largest, chosen = var("most"), [assume(f) for f in is_arm(b, M)]
    weight = instance(assume(All(("i",), (nat(i),), le(0, WEIGHTS(i)))), {"i": b}, chosen[0])
    norms = for_each(M, lambda i: le(bilinear(support(i), G, support(i), d), largest))
    below = instance(assume(norms), {"i": b}, *chosen)
    rest = sum_over(product(weight, auto(le(0, largest - below.conclusion.args[0]), below)), "b", M)  # type: ignore[union-attr]
    all_weights = largest, assume(eq(sum_of(WEIGHTS, M), 1))
    at_least = auto(le(d, largest), rest, mean_norm(), all_weights)
    return antisymmetric(auto(le(largest, d), is_at_most_d()), at_least)
