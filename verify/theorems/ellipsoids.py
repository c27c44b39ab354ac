"""Proofs in the kernel about confidence ellipsoids: the sum of the noise, the ridge and what is added, by the triangle
inequality in the norm of the inverse design."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.matrices import Vector, entry_of, form, place, positive_semidefinite
from banditproof.verify.kernel.rewards import earned, game
from banditproof.verify.kernel.self_normalised import (
    added,
    chance_of_a_long_sum,
    in_all_runs,
    in_the_ellipsoid,
    log_volume,
    noise_is_small,
    noise_sum,
    played,
    private_error,
)
from banditproof.verify.theorems.matrices import d, forms_of, i, inner, matrix, minus, numbers, points
from banditproof.verify.theorems.policies import picked, sum_over
from banditproof.verify.theorems.rank_one import RIDGE, against, solution, turned
from banditproof.verify.theorems.self_normalised import ASSUMED, RUNS, Design, is_small, self_normalised_bound, until

N, P, Q = matrix("N"), numbers("p"), numbers("q")
ALPHA, GAMMA, K = map(var, ("alpha", "gamma", "K"))
SIZES = le(0, ALPHA), le(0, GAMMA), le(form(N, P, d), ALPHA * ALPHA), le(form(N, Q, d), GAMMA * GAMMA)
MIXED = inner(P, lambda i: entry_of(N, Q, i, d))


@lemma("N p q dimension", nat(d), *positive_semidefinite(N, d), le(form(N, P, d), 0))
def no_mixed_form() -> Theorem:
    """p^T N q <= 0 where p^T N p is 0: else the form would be below 0 at q - t p for some t."""
    some, own = assume(lt(0, MIXED)), form(N, Q, d)
    t = (own + 1) / (2 * MIXED)
    low = forms_of(N)(minus(Q, P, t)), turned(N, P, Q), (square(t), assume(le(form(N, P, d), 0)))
    false = contradiction(*low, (own + 1, reciprocal(some)))
    return cases(assume(le(MIXED, 0)), absurd(false, le(MIXED, 0)), MIXED, term(0))


@lemma("N p q alpha gamma dimension", nat(d), *positive_semidefinite(N, d), *SIZES)
def mixed_form() -> Theorem:
    """p^T N q <= alpha gamma for forms of at most alpha^2 and gamma^2: by the form of gamma p - alpha q."""
    goal, low, high = le(MIXED, ALPHA * GAMMA), assume(lt(0, ALPHA)), assume(lt(0, GAMMA))
    at = forms_of(N)(lambda i: GAMMA * P(i) - ALPHA * Q(i)), turned(N, P, Q)
    sizes = (square(GAMMA), assume(SIZES[2])), (square(ALPHA), assume(SIZES[3]))
    both = product(low, high)
    doubled = auto(le(2 * ALPHA * GAMMA * MIXED, 2 * ALPHA * ALPHA * GAMMA * GAMMA), *at, *sizes)
    inverse = (MIXED, reciprocal(both)), (ALPHA * GAMMA, reciprocal(both))
    main = auto(goal, (weak(reciprocal_positive(both)), doubled), *inverse)

    low_zero, high_zero = (antisymmetric(assume(le(v, 0)), assume(le(0, v))) for v in (ALPHA, GAMMA))
    turn = {"p": points(Q), "q": points(P)}
    first = instance(no_mixed_form(), {}, auto(le(SIZES[2].args[0], 0), (ALPHA, low_zero)))
    second = instance(no_mixed_form(), turn, auto(le(SIZES[3].args[0], 0), (GAMMA, high_zero)))
    flat = auto(goal, second, turned(N, P, Q))
    return cases(auto(goal, first), cases(flat, main, GAMMA, term(0)), ALPHA, term(0))


U, THETA, X = numbers("u"), numbers("parameter"), numbers("x")
KAPPA, ROOT, LENGTH = map(var, ("kappa", "root", "length"))


THIRD = le(0, KAPPA), le(form(N, U, d), KAPPA * KAPPA)


@lemma("N p q u alpha gamma kappa dimension", nat(d), *positive_semidefinite(N, d), *SIZES, *THIRD)
def triangle() -> Theorem:
    """|p + q + u| <= alpha + gamma + kappa, squared, in the norm of N."""
    lengths, whole = [(P, ALPHA), (Q, GAMMA), (U, KAPPA)], ALPHA + GAMMA + KAPPA
    facts = [assume(f) for f in (*SIZES[2:], THIRD[1])]
    for (x, a), (y, b) in combinations(lengths, 2):
        values = {"p": points(x), "q": points(y), "alpha": a, "gamma": b}
        facts += [instance(mixed_form(), values), turned(N, x, y)]
    return auto(le(form(N, lambda i: P(i) + Q(i) + U(i), d), whole * whole), *facts)


OF_RIDGE = All(("vector",), (), le(RIDGE * inner(numbers("vector"), numbers("vector")), form(N, numbers("vector"), d)))
LENGTHS = le(RIDGE, ROOT * ROOT), le(inner(THETA, THETA), LENGTH * LENGTH)


@lemma("N x parameter ridge dimension", nat(d), lt(0, RIDGE), OF_RIDGE, solution(N, X, THETA))
def short_solution() -> Theorem:
    """ridge theta^T N^-1 theta <= |theta|^2, from |theta - ridge N^-1 theta|^2 >= 0."""
    far, at = sum_over(square(minus(THETA, X, RIDGE)(i)), "i", d), instance(assume(OF_RIDGE), {"vector": points(X)})
    own = against(X, solution(N, X, THETA))
    return auto(le(RIDGE * inner(X, THETA), inner(THETA, THETA)), far, (RIDGE, at), (RIDGE, own))


@lemma("N x parameter ridge root length dimension", nat(d), lt(0, RIDGE), OF_RIDGE, solution(N, X, THETA), *LENGTHS)
def ridge_costs() -> Theorem:
    """ridge |theta| <= root |theta|, squared, in the norm of N^-1."""
    short, own = instance(short_solution(), {}), against(X, solution(N, X, THETA))
    cost = form(N, lambda i: -RIDGE * X(i), d)
    return auto(le(cost, ROOT * ROOT * LENGTH * LENGTH), own, (RIDGE, short))


E, F, TOTAL = map(numbers, ("error", "f", "total"))


@lemma(
    "N error f total dimension", nat(d), positive_semidefinite(N, d)[0], solution(N, E, TOTAL), solution(N, F, TOTAL)
)
def same_form() -> Theorem:
    """Two solutions have one form."""
    facts = [against(x, solution(N, y, TOTAL)) for x in (E, F) for y in (E, F)]
    return auto(eq(form(N, E, d), form(N, F, d)), *facts, turned(N, E, F))


# ------------------------------------------------------------------------------------------------------- in all rounds

b, n, t, z, T, DELTA, ETA, AT = map(var, ("b", "n", "t", "z", "T", "delta", "eta", "spot"))
OF = numbers("of")


def beta(t: Any, z: Any) -> Term:
    return app("beta", t, z, 0) / app("beta", t, z, 1)


def spread(t: Any, z: Any) -> Term:
    return app("spread", t, z, 0) / app("spread", t, z, 1)


@lemma("N x of dimension", nat(d), solution(N, X, OF))
def form_of_solution() -> Theorem:
    """x^T N x = x^T of, where N x = of."""
    return auto(eq(form(N, X, d), inner(X, OF)), against(X, solution(N, X, OF)))


def widths(t: Any, z: Any) -> tuple[Rel, ...]:
    b = beta(t, z)
    return le(0, b), le(2 * log(1 / DELTA) + log_volume(RIDGE, t, z, d), b * b), le(0, spread(t, z))


GIVEN = *LENGTHS, le(0, ROOT), le(0, LENGTH)
SMALL = noise_is_small(spread, d)
INSIDE = in_the_ellipsoid(THETA, RIDGE, lambda t, z: beta(t, z) + ROOT * LENGTH + spread(t, z), d)
OF_RUN = nat(n), le(n, T), *widths(n, z), is_small(n, z), SMALL(n, z)
NAMES = RUNS + " hidden parameter beta spread root length"


@lemma(NAMES + " n z", *ASSUMED, *GIVEN, *OF_RUN)
def inside() -> Theorem:
    """The parameter is in the ellipsoid, where the sum of the noise is short and what is added is small."""
    D, is_place = Design(n, z, *map(assume, OF_RUN[:2])), place(AT, size=d)
    S, H, error = noise_sum(n, z), added(n, z), private_error(THETA, n, z, d)
    played_in, rounds = played(n, z), uniform(n)

    def reward(s: Any) -> Term:
        return sum_of(lambda k: played_in(s, k) * THETA(k), d, "k") + earned(s, n, z)

    def sums(j: Any) -> Term:
        return sum_of(lambda s: played_in(s, j) * reward(s), n, "b") + H(j)

    def total(i: Any) -> Term:
        return S(i) + H(i) - RIDGE * THETA(i)

    def row(x: Vector) -> Theorem:
        return instance(D.solves(x), {}, *map(assume, is_place))

    def at_each(x: Vector, *facts: Fact) -> Theorem:
        image = substitute(entry_of(D.V, X, AT, d), {"x": points(x)})
        return for_all("spot", auto(eq(image, total(AT)), *facts), *is_place)

    def form_at(x: Vector) -> Term:
        return substitute(form(D.V, X, d), {"x": points(x)})

    p, q, x = D.times(S), D.times(H), D.times(THETA)
    swapped = fubini("b", rounds, "k", uniform(d), played_in(b, AT) * played_in(b, var("k")) * THETA(var("k")))
    of_error = at_each(error, row(sums), (n * d, swapped), (RIDGE, picked(THETA, AT, d)))
    whole = lambda i: p(i) + q(i) + -RIDGE * x(i)  # noqa: E731
    of_whole = at_each(whole, row(S), row(H), (RIDGE, row(THETA)))
    names = {"N": D.names[""]}
    known = assume(nat(d)), *D.positive

    def own(x: Vector, of: Vector) -> Theorem:
        return instance(form_of_solution(), names | {"x": points(x), "of": points(of)}, D.solves(of))

    radius, extra, ridge = beta(n, z), spread(n, z), ROOT * LENGTH
    values = names | {"p": points(p), "q": points(q), "u": points(lambda i: -RIDGE * x(i))}
    values |= {"alpha": radius, "gamma": extra, "kappa": ridge}
    short = auto(le(form_at(p), radius * radius), own(p, S), *map(assume, (OF_RUN[3], OF_RUN[5])))
    small = auto(le(form_at(q), extra * extra), own(q, H))
    of_theta = known[0], assume(lt(0, RIDGE)), D.above, D.solves(THETA), *map(assume, LENGTHS)
    costs = instance(ridge_costs(), names | {"x": points(x)}, *of_theta)
    sizes = *map(assume, (OF_RUN[2], OF_RUN[4])), short, small, product(*map(assume, GIVEN[2:])), costs
    far = instance(triangle(), values, *known, *sizes)
    solutions = {"error": points(error), "f": points(whole), "total": points(total)}
    return auto(INSIDE(n, z), far, instance(same_form(), names | solutions, of_error, of_whole))


FIRST = until(t, T, z)


def one_of_all(part: Term, t: Term, count: Term) -> Theorem:
    """A nonnegative part for a natural t below a count is at most the sum of all of them."""
    at = lambda i: substitute(part, {str(t): i})  # noqa: E731
    others = auto(le(0, 1 - equal(i, t)), (ind(t, i), indicator(i, t, 4)), indicator(t, i, 4))
    rest = sum_over(product(auto(le(0, at(i))), others), "i", count)
    return auto(le(part, count * mean(str(t), uniform(count), part)), rest, picked(at, t, count))


def none_of(holds: Rel, t: Term, count: Term, fails: Term) -> Theorem:
    """What holds for a natural t below a count, where the sum over these of indicators that it `fails` is below 1."""
    total, all_fail = count * mean(str(t), uniform(count), fails), at_most(assume(le(*reversed(holds.args))))
    false = contradiction(assume(lt(total, 1)), one_of_all(fails, t, count), all_fail)
    return for_all("", by_contradiction(holds, false), lt(t, count))


@once
def long_sum() -> Theorem:
    """The self-normalised bound for all that it speaks of."""
    runs = game(lambda t, h: law("pi", t, h), lambda t, z, a: law("noise", t, z, a), T)
    names = *RUNS.split(), "pi", "told", "empty", "code"
    return self_normalised_bound(All(names, ASSUMED, chance_of_a_long_sum(runs, RIDGE, DELTA, T, d, DELTA)))


@proof
def ellipsoid(statement: All) -> Theorem:
    """The radius and the chance of large noise are premises."""
    radius = assume(in_all_runs(lambda t, z: widths(t, z)[1], T))
    return outside(statement, instance(long_sum(), {}), assume(statement.given[-1]), radius)


def outside(statement: All, of_sum: Theorem, of_noise: Theorem, of_radius: Theorem, *begins: Theorem) -> Theorem:
    """An event outside is one on which the sum is long, or one on which what is added is large: both are rare."""
    A, short, natural = app("A", z), is_small(t, FIRST), assume(nat(t))
    is_long = ind(short.args[1], short.args[0])
    count = (T + 1) * mean("t", uniform(T + 1), is_long)
    some = ind(term(1), count)
    # 1 where some sum is long
    places = (
        natural,
        auto(le(t, T), nat_nonnegative(nat_minus(natural, nat_next(assume(nat(T))), assume(lt(t, T + 1))))),
    )
    never = All(("t",), (nat(t), le(t, T)), short)
    all_short = instance(assume(never), {}, *places)
    none = sum_over(auto(eq(0, is_long), not_at_most(all_short)), "t", T + 1)
    empty = for_all("z", auto(eq(some, 0), same(none, "w", ind(term(1), var("w")))), never)
    bits = for_all("z", indicator(term(1), count, 0))
    rare = instance(of_sum, {"A": fn("z", some)}, bits, empty)
    # where no sum is long
    not_long = instance(none_of(short, t, T + 1, is_long), {}, auto(lt(t, T + 1), assume(le(t, T))))
    quiet = All(("t",), never.given, SMALL(t, FIRST))
    here, own = [assume(f) for f in never.given], statement.then.given[1]  # type: ignore[union-attr]
    low, extra = (assume(in_all_runs(lambda t, z, k=k: widths(t, z)[k], T)) for k in (0, 2))
    facts = (
        *(instance(p, {"z": FIRST}, *here) for p in (low, of_radius, extra)),
        not_long,
        instance(assume(quiet), {}, *here),
    )
    stays = for_all("t", instance(inside(), {"n": t, "z": FIRST}, *here, *facts, *begins), *never.given)
    left, goal = A * (1 - some), eq(A * (1 - some), 0)
    long_now = auto(goal, (A, at_most(assume(le(1, count)))))
    short_now = auto(goal, (1 - some, instance(assume(own), {}, stays)))
    nothing = for_all("z", cases(long_now, short_now, term(1), count), quiet)
    event_of_A = instance(assume(event("A")), {"x": z})
    squares = (1 - 2 * some + some * some, event_of_A), (A, indicator(term(1), count, 0))
    idempotent = for_all("z", auto(eq(left * left, left), *squares))
    noisy = instance(of_noise, {"A": fn("z", left)}, idempotent, nothing)
    low, high = bounds_of_event(A, event_of_A)
    runs: Term = conclusion(statement).args[0].args[1]
    either = mono(auto(le(A, left + some), (auto(le(0, some)), high)), "z", runs)
    return auto(conclusion(statement), either, noisy, rare)
