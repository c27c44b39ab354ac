"""Proofs in the kernel about a design matrix to which one vector is added: its inverse and its determinant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.matrices import (
    Matrix,
    Vector,
    eliminates,
    entry_of,
    form,
    is_above,
    place,
    positive_semidefinite,
)
from banditproof.verify.kernel.tactics import positive
from banditproof.verify.theorems.matrices import *
from banditproof.verify.theorems.policies import picked, sum_over

M, N, C_M, C_N = map(matrix, ("M", "N", "C_M", "C_N"))
A, S, MORE, U, m_M, m_N = map(numbers, ("act", "vec", "more", "u", "m_M", "m_N"))
eta = var("eta")
SIZE, MEAN = inner(A, X), inner(A, W)  # s = a V^-1 a and m = a V^-1 S, for V x = a and V y = S


def solution(V: Matrix, x: Vector, of: Vector) -> All:
    """V x = of."""
    return All(("i",), here, eq(entry_of(V, x, i, d), of(i)))


IS_SYMMETRIC, HAS_FORMS = positive_semidefinite(N, d)
POSITIVE = nat(d), IS_SYMMETRIC, HAS_FORMS
OF_ACT, OF_SUM = solution(N, X, A), solution(N, W, S)
ONE_MORE = All(("i", "r"), place(i, r, size=d), eq(M(i, r), N(i, r) + A(i) * A(r)))
ONE_NOISE = All(("i",), here, eq(MORE(i), S(i) + eta * A(i)))


def against(y: Vector, known: All) -> Theorem:
    """y^T V x = y^T of."""
    row = of_given(known)
    left, right = conclusion(row.conclusion).args
    return sum_over(auto(eq(0, y(i) * (left - right)), (y(i), row)), "i", d)


def turned(V: Matrix, x: Vector, y: Vector) -> Theorem:
    return instance(both_ways(), {"N": fn("i j", V(i, j)), "x": points(x), "y": points(y)})


@lemma("N x act dimension", *POSITIVE, OF_ACT)
def size_is_not_negative() -> Theorem:
    """0 <= s, the form of V at V^-1 a."""
    return auto(le(0, SIZE), forms_of(N)(X), against(X, OF_ACT))


def rest(i: Any, j: Any) -> Term:
    return M(i, j) - N(i, j)


PIVOTS = *eliminates(C_M, m_M, M, d), *eliminates(C_N, m_N, N, d)


@once
def order_of_determinants() -> tuple[Theorem, Theorem]:
    """Lemma 27 and Lemma 31 of the thesis, for all that they speak of."""
    names, x = "M N C_M C_N m_M m_N dimension".split(), numbers("direction")
    given = nat(d), le(1, d), *positive_semidefinite(N, d), *PIVOTS
    plain = All((*names,), (*given, is_above(M, N, d)), le(m_N(d), m_M(d)))
    quotient = le(form(M, x, d) * m_N(d), m_M(d) * form(N, x, d))
    scaled = All((*names, "direction"), (*given, *positive_semidefinite(rest, d)), quotient)
    return determinants(plain), quotients(scaled)


def entry_of_more() -> Theorem:
    """M(i, j) = N(i, j) + a_i a_j."""
    return instance(assume(ONE_MORE), {"r": j}, *map(assume, place(i, j, size=d)))


def symmetric(V: Matrix, *facts: Theorem) -> Theorem:
    """V is symmetric, which is M or M - N."""
    swapped = instance(assume(ONE_MORE), {"i": r, "r": i}, *map(assume, place(r, i, size=d)))
    return for_all("i r", auto(eq(V(i, r), V(r, i)), of_given(ONE_MORE), swapped, *facts), *place(i, r, size=d))


@lemma("M N C_M C_N m_M m_N x act dimension", le(1, d), *POSITIVE, OF_ACT, ONE_MORE, *PIVOTS)
def volume() -> Theorem:
    """(1 + s) det V <= det (V + a a^T): Lemma 31 at V^-1 a."""
    (first, second), y = order_of_determinants(), numbers("vector")

    def squared(y: Vector) -> Theorem:
        """y^T M y = y^T N y + <a, y>^2."""
        part = y(i) * y(j)
        row = sum_over(auto(eq(0, part * (rest(i, j) - A(i) * A(j))), (part, entry_of_more())), "j", d)
        return sum_over(row, "i", d)

    larger = for_all("vector", auto(le(form(N, y, d), form(M, y, d)), squared(y)))
    of_rest = for_all("vector", auto(le(0, form(rest, y, d)), squared(y)))
    more, at_x = instance(first, {}, larger), instance(second, {"direction": points(X)}, symmetric(rest), of_rest)
    size, goal, of_N = instance(size_is_not_negative(), {}), le((1 + SIZE) * m_N(d), m_M(d)), against(X, OF_ACT)
    some, none = assume(lt(0, SIZE)), antisymmetric(assume(le(SIZE, 0)), size)
    forms = (m_N(d), squared(X)), (m_N(d), of_N), (m_M(d), of_N)
    scaled = auto(le((SIZE + SIZE * SIZE) * m_N(d), m_M(d) * SIZE), at_x, *forms)
    inverse = ((by, reciprocal(some)) for by in ((1 + SIZE) * m_N(d), m_M(d)))
    large = auto(goal, (weak(reciprocal_positive(some)), scaled), *inverse)
    return cases(auto(goal, more, (m_N(d), none)), large, SIZE, term(0))


@lemma("M N x y u act vec more eta dimension", *POSITIVE, OF_ACT, OF_SUM, ONE_MORE, ONE_NOISE, solution(M, U, MORE))
def norm() -> Theorem:
    """|S + eta a|^2 = |S|^2 + (2 eta m + eta^2 s - m^2)/(1 + s), each in the norm of its own design.

    V + a a^T takes y + t x to S + eta a for t = (eta - m)/(1 + s), and so the left side is <S + eta a, y + t x>.
    """
    size = instance(size_is_not_negative(), {})
    t, some = (eta - MEAN) / (1 + SIZE), auto(lt(0, 1 + SIZE), size)
    best = minus(W, X, -t)
    row = sum_over(auto(eq(0, best(j) * (rest(i, j) - A(i) * A(j))), (best(j), entry_of_more())), "j", d)
    of_entry = of_given(OF_ACT), of_given(OF_SUM), (t, of_given(OF_ACT)), of_given(ONE_NOISE)
    image = auto(eq(entry_of(M, best, i, d), MORE(i)), row, *of_entry, (A(i) * (eta - MEAN), reciprocal(some)))
    reached = sum_over(auto(eq(0, U(i) * (entry_of(M, best, i, d) - MORE(i))), (U(i), image)), "i", d)
    values = {"N": fn("i j", M(i, j)), "x": points(U), "y": points(best)}
    of_N = instance(assume(IS_SYMMETRIC), {}, *map(assume, place(i, r, size=d)))
    mixed = instance(both_ways(), values, symmetric(M, of_N)), against(best, solution(M, U, MORE))
    noise = sum_over(auto(eq(0, best(i) * (MORE(i) - S(i) - eta * A(i))), (best(i), of_given(ONE_NOISE))), "i", d)
    along = t, auto(eq(inner(S, X), MEAN), turned(N, X, W), against(W, OF_ACT), against(X, OF_SUM))
    change = (2 * eta * MEAN + eta * eta * SIZE - MEAN * MEAN) / (1 + SIZE)
    inverse = (eta * (eta - MEAN), reciprocal(some)), (eta * MEAN, reciprocal(some))
    return auto(eq(inner(MORE, U), inner(S, W) + change), reached, *mixed, noise, along, *inverse)


RIDGE = var("ridge")


ANY = numbers("vector")
OF_RIDGE = All(("vector",), (), le(RIDGE * inner(ANY, ANY), form(M, ANY, d)))


@lemma("M C_M m_M ridge dimension", nat(d), lt(0, RIDGE), OF_RIDGE, *eliminates(C_M, m_M, M, d))
def least_volume() -> Theorem:
    """ridge^d <= det V, where V is at least ridge times the identity: pivots are forms of vectors with an entry 1."""
    of = Eliminated(M, "M")
    col, is_place = of.column, [assume(f) for f in place(k, size=d)]
    others = auto(le(0, 1 - equal(i, k)), (ind(k, i), indicator(i, k, 4)))
    squared = sum_over(auto(le(0, col(i) * col(i) * (1 - equal(i, k))), (square(col(i)), others)), "i", d)
    length = auto(le(1, inner(col, col)), squared, picked(lambda i: col(i) * col(i), k, d), (col(k) + 1, of.is_one()))
    above = instance(assume(OF_RIDGE), {"vector": points(col)})
    pivot = auto(le(RIDGE, of.pivot), above, of.own_form(), (RIDGE, length))
    power = lambda n: exp(n * log(RIDGE))  # noqa: E731
    claim = All((), (le(k, d),), le(power(k), m_M(k)))
    before = instance(assume(claim), {}, auto(le(k, d), is_place[1]))
    larger = auto(le(0, m_M(k)), before)
    parts = (larger, pivot), (RIDGE, before), (power(k), exp_log(positive(RIDGE)))
    step = auto(le(power(k + 1), m_M(k + 1)), of.more(), *parts)
    soon = instance(for_all("", step, lt(k, d)), {}, auto(lt(k, d), assume(le(k + 1, d))))
    base = auto(le(power(term(0)), m_M(0)))
    return instance(induction("spot", base, soon, claim, at=d), {})


WIDTH = var("width")


@lemma("M C_M m_M width dimension", nat(d), *positive_semidefinite(M, d), *eliminates(C_M, m_M, M, d), lt(0, WIDTH))
def greatest_volume() -> Theorem:
    """det M <= width^d e^(tr M/width - d): a pivot is at most the entry M(k, k), by e_k - C_k, and x <= e^(x - 1)."""
    of = Eliminated(M, "M")
    unit = lambda i: equal(i, k)  # noqa: E731
    zeros = for_all("i", auto(eq(unit(i), 0), (ind(k, i), not_at_most(assume(lt(k, i))))), *here, lt(k, i))
    of_row = auto(eq(0, unit(r) * (entry_of(M, unit, r, d) - M(r, k))), (unit(r), picked(lambda j: M(r, j), k, d)))
    row = sum_over(of_row, "r", d)
    own = auto(eq(form(M, unit, d), M(k, k)), row, picked(lambda i: M(i, k), k, d))
    mixed = of.by_pivot(unit, zeros), turned(M, unit, of.column)
    low = auto(le(0, of.pivot), forms_of(M)(of.column), of.own_form())
    less = auto(le(of.pivot, M(k, k)), forms_of(M)(minus(unit, of.column)), own, of.own_form(), *mixed)
    # k pivots
    tilt = M(k, k) / WIDTH - 1
    grown = lambda n: exp(n * log(WIDTH) + n * mean("i", uniform(n), M(i, i) / WIDTH - 1))  # noqa: E731
    soon, value = auto(lt(k, d), assume(le(k + 1, d))), exp_log(positive(WIDTH))

    def by_pivots(says: Callable[[Any], Rel], step: Callable[[Theorem], Theorem]) -> Theorem:
        """What is said of k pivots, for all k <= d."""
        claim = All((), (le(k, d),), says(k))
        before = instance(assume(claim), {}, auto(le(k, d), assume(le(k + 1, d))))
        after = instance(for_all("", step(before), lt(k, d)), {}, soon)
        return induction("spot", auto(says(term(0))), after, claim)

    signs = by_pivots(lambda k: le(0, m_M(k)), lambda p: auto(le(0, m_M(k + 1)), of.more(), product(p, low)))
    sign = instance(instance(signs, {}, assume(nat(k))), {}, assume(le(k, d)))
    tilted = auto(le(M(k, k), WIDTH * exp(tilt)), (WIDTH, exp_tangent(tilt)))
    more = exp_equal(uniform_next(assume(nat(k)), "i", M(i, i) / WIDTH - 1))
    above = auto(le(0, WIDTH * exp(tilt)))

    def step(before: Theorem) -> Theorem:
        least = instance(for_all("", sign, le(k, d)), {}, auto(le(k, d), assume(lt(k, d))))
        parts = (least, less), (least, tilted), (above, before), (grown(k) * exp(tilt), value)
        return auto(le(m_M(k + 1), grown(k + 1)), of.more(), *parts, (exp((k + 1) * log(WIDTH)), more))

    every = by_pivots(lambda k: le(m_M(k), grown(k)), step)
    return instance(instance(every, {"spot": d}), {})
