"""Proofs in the kernel about confidence ellipsoids with normal noise, which is drawn in a table before the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.language import *
from banditproof.verify.kernel.least_squares import rewards_are_told
from banditproof.verify.kernel.random_matrices import draws, normal_table, row, rows_are_told
from banditproof.verify.kernel.rewards import earned, game
from banditproof.verify.kernel.self_normalised import (
    added,
    adds_the_first_draws,
    chance_that_fails,
    first_draws,
    noise_is_small,
    runs_begin_with_the_draws,
    updates,
)
from banditproof.verify.kernel.variables import gaussian, sum_of_squares
from banditproof.verify.theorems import squares
from banditproof.verify.theorems.ellipsoids import beta, long_sum, none_of, outside, short_solution, spread, widths
from banditproof.verify.theorems.matrices import d, inner, points
from banditproof.verify.theorems.moments import all_of_them, multiplied
from banditproof.verify.theorems.policies import sum_inside, sum_over
from banditproof.verify.theorems.self_normalised import (
    BEGINNINGS,
    RESOLVED,
    RIDGE,
    SHORT,
    Design,
    until,
    volume_of_short,
)
from banditproof.verify.theorems.squares import ordered_logs
from banditproof.verify.theorems.tails import of_gaussian

T, N, V, SCALE, DELTA, ETA, LEVEL = map(var, ("T", "N", "variance", "scale", "delta", "eta", "level"))
b, i, j, k, n, r, t, w, x, y, z = map(var, "bijknrtwxyz")
M = var("few")
EMPTY, X = var("empty"), law("X")


# ---------------------------------------------------------------------------------------------- sums over what is drawn


def summed(value: Callable[[Any, Any, Any], Term], count: Any, run: Any) -> Term:
    """The sum of value(j, count, run) over j below the count."""
    return sum_of(lambda j: value(j, count, run), count, "b")


def has_law_of_sum(
    one: Term,
    longer: Callable[[Any, Any], Term],
    value: Callable[[Any, Any, Any], Term],
    own: Theorem,
    kept: Theorem,
    count: Term,
    of_one: Term,
) -> Theorem:
    """The sum of the values of so many draws from `one`, which are listed in a run, has the law of independent ones.

    `own` says what the draw r is worth after the run z of n draws, of which `of_one` is the law, and `kept` that the
    worth of the earlier draw b stays.
    """
    worth = own.conclusion.args[1]  # type: ignore[union-attr]
    step = Term("mix", (("r",), one, Term("dirac", (longer(z, r),))))

    def listed(n: Any) -> Term:
        return Term("steps", (("n", "z"), term(n), EMPTY, step))

    def says(n: Any) -> Rel:
        left = mean("z", listed(n), app("g", summed(value, n, z)))
        return eq(left, mean("x", sum_of_all(lambda i: substitute(of_one, {"n": i}), n), app("g", x)))

    claim, pn, room = All((), (le(n, count),), All(("g",), (), says(n))), assume(nat(n)), assume(le(n + 1, count))
    of_sum = sum_of_all(lambda i: substitute(of_one, {"n": i}), n).args[2:]
    base = auto(says(term(0)), steps_zero("x", app("g", x), "i", "h", *of_sum))
    more = uniform_next(pn, "b", value(b, n + 1, longer(z, r)))
    grown = auto(eq(summed(value, n + 1, longer(z, r)), summed(value, n, z) + worth), more, sum_over(kept, "b", n), own)
    inside = mono(mono(same(grown, "v", app("g", var("v"))), "r", one), "z", listed(n))
    known = instance(
        instance(assume(claim), {}, auto(le(n, count), room)), {"g": fn("x", mean("r", one, app("g", x + worth)))}
    )
    after = steps_next(pn, "z", app("g", summed(value, n + 1, z)), "n", "z", EMPTY, step)
    whole = steps_next(pn, "x", app("g", x), "i", "h", *of_sum)
    step_of = auto(says(n + 1), after, inside, known, whole)
    return instance(induction("n", base, step_of, claim, at=count), {})


def c(k: Any) -> Term:
    return app("c", k)


ROOM = le(n + 1, N)
TOLD, ROWS = rewards_are_told(N), rows_are_told(d)


def here(f: Formula, count: Term, **at: Any) -> Theorem:
    """What one tells after n draws."""
    early = [assume(g) for g in (nat(b), lt(b, n)) if "j" in at]
    return instance(assume(f), {"i": n, **at}, assume(nat(n)), auto(lt(n, count), assume(le(n + 1, count))), *early)


@lemma("X c N earned after empty", nat(N), *TOLD)
def of_draws() -> Theorem:
    """c(0) X_0 + ... + c(N - 1) X_(N - 1), for N draws from X in a run, has the law of the sum of independent ones."""
    value = lambda k, n, z: c(k) * earned(k, n, z)  # noqa: E731
    longer = lambda z, r: app("after", z, n, n, r)  # noqa: E731
    own, kept = here(TOLD[1], N, a=n, q=n), here(TOLD[2], N, a=n, q=n, j=b)
    last = auto(eq(value(n, n + 1, longer(z, r)), c(n) * r), (c(n), own))
    early = auto(eq(0, value(b, n + 1, longer(z, r)) - value(b, n, z)), (c(b), kept))
    return has_law_of_sum(X, longer, value, last, early, N, multiple(c(n), X))


def share(k: Any) -> Term:
    """What draw k counts in the sum of the first few."""
    return ind(k + 1, M)


def total(run: Any) -> Term:
    """The sum of the first m draws of a run of N draws, times a scale."""
    return sum_of(lambda k: SCALE * share(k) * earned(k, N, run), N, "k")


@lemma("few N", nat(N), nat(M))
def counted() -> Theorem:
    """No more than m of the draws are counted."""

    def most(n: Any) -> tuple[Rel, Rel]:
        count = sum_of(share, n, "b")
        return le(count, n), le(count, M)

    def step(goal: Rel) -> Theorem:
        more = uniform_next(assume(nat(n)), "b", share(b))
        counts = auto(goal, more, instance(whole, {}), assume(le(n + 1, M)))
        stays = auto(goal, more, instance(known, {}), not_at_most(assume(lt(M, n + 1))))
        return cases(counts, stays, n + 1, M)

    short = auto(le(0, 1 - share(b)))
    whole = for_all("", auto(le(sum_of(share, n, "b"), n), sum_over(short, "b", n)))
    claim = All((), (le(n, N),), most(n)[1])
    known = for_all("", instance(assume(claim), {}, auto(le(n, N), assume(ROOM))))
    base = auto(most(term(0))[1])
    return instance(induction("n", base, step(most(n + 1)[1]), claim, at=N), {})


GIVEN_SCALE = nat(M), lt(0, V), le(SCALE * SCALE * V * M, 1)


@lemma("few N scale variance earned after empty", nat(N), *TOLD, *GIVEN_SCALE)
def draws_are_subgaussian() -> Theorem:
    """The sum of the first m draws from N(0, v) times a scale is 1-subgaussian, where scale^2 v few <= 1."""
    one = Term("mix", (("w",), draws(gaussian(V), N), Term("dirac", (total(w),))))
    names, given, goal = parts_of(subgaussian(one, 1))
    moved_to = instance(of_draws(), {"X": fn("", gaussian(V)), "c": fn("k", SCALE * share(k))})
    same_law = instance(moved_to)
    at = SCALE * share(i)
    each = instance(of_gaussian(), {"t": t * at, "v": V})
    part = instance(multiplied(), {"X": fn("", gaussian(V)), "c": at, "l": t * at * t * at * V / 2}, each)
    laws = {"X": fn("i", multiple(at, gaussian(V))), "t": t, "l": fn("i", t * at * t * at * V / 2)}
    bound = instance(instance(all_of_them(), laws, part), {}, *map(assume, given))
    few = instance(counted(), {}), sum_over(auto(eq(0, share(j) * share(j) - share(j)), indicator(j + 1, M, 0)), "j", N)
    factor = auto(le(0, t * t * SCALE * SCALE * V / 2))
    small = (factor, few[0]), (t * t * SCALE * SCALE * V / 2, few[1]), (square(t), assume(GIVEN_SCALE[2]))
    cost = sum_of(lambda j: substitute(t * at * t * at * V / 2, {"i": j}), N)
    less = exp_monotone(auto(le(cost, t * t / 2), *small))
    return for_all(names, auto(goal, same_law, bound, less), *given)


ROOT, COST = var("root"), var("price")
SIZES = nat(d), le(1, d), le(0, ROOT)
RADIUS, ROOM_OF_ROOT = d + 2 * ROOT + 2 * COST, le(d * COST, ROOT * ROOT)
NAMES = "few N dimension root price variance scale earned after row with_row empty"
OF_TABLE = nat(N), *TOLD, *ROWS, *SIZES, ROOM_OF_ROOT, *GIVEN_SCALE
TABLE = normal_table(V, d, N)


@once
def long_squares() -> Theorem:
    """The tail of the sum of squares for all subgaussian variables: delta is e^-price."""
    each = All(("i",), (nat(i), lt(i, d)), subgaussian(law("X", i), 1))
    whole, LOG, small = sum_of_squares(lambda i: law("X", i), d), log(1 / DELTA), exp(-COST)
    then = le(mean("x", whole, ind(d + 2 * ROOT + 2 * LOG, x)), DELTA)
    names, given = ("X", "dimension", "root", "delta"), (*SIZES, lt(0, DELTA), each, le(d * LOG, ROOT * ROOT))
    every = squares.sum_of_squares(All(names, given, then))
    own, value = log(1 / small), exp_log(auto(lt(0, 1 / small)))
    both = [ordered_logs(auto(le(exp(x), exp(y)), value)) for x, y in ((own, COST), (COST, own))]
    fits = auto(le(d * own, ROOT * ROOT), (d, antisymmetric(*both)), assume(ROOM_OF_ROOT))
    laws = {"X": fn("i", law("X", i)), "delta": small}
    known = [assume(f) for f in (*SIZES, each)]
    rare = instance(every, laws, *known[:3], known[3], fits)
    far = mono(same(antisymmetric(*both), "v", ind(d + 2 * ROOT + 2 * var("v"), x)), "x", whole)
    goal = le(mean("x", whole, ind(RADIUS, x)), small)
    return for_all("X dimension root price", auto(goal, rare, far), *SIZES, each, ROOM_OF_ROOT)


@lemma(NAMES, *OF_TABLE)
def scaled_tail() -> Theorem:
    """P(scale^2 |N|^2 >= d + 2 root + 2 price) <= e^-price for the sum N of the first few draws of each row."""
    one = Term("mix", (("w",), draws(gaussian(V), N), Term("dirac", (total(w),))))
    known = instance(draws_are_subgaussian(), {})
    rare = instance(long_squares(), {"X": fn("i", one)}, known)

    squared = Term("mix", (("y",), one, Term("dirac", (y * y,))))

    def value(i: Any, n: Any, y: Any) -> Term:
        return total(row(i, n, y)) * total(row(i, n, y))

    def longer(y: Any, w: Any) -> Term:
        return app("with_row", y, w)

    own, kept = (here(f, d, y=z, w=r, **at) for f, at in zip(ROWS, ({}, {"j": b}), strict=True))
    last = same(own, "v", total(var("v")) * total(var("v")))
    early = same(kept, "v", total(var("v")) * total(var("v")))
    stays = auto(eq(0, value(b, n + 1, longer(z, r)) - value(b, n, z)), early)
    same_law = has_law_of_sum(draws(gaussian(V), N), longer, value, last, stays, d, squared)
    far = instance(same_law, {"g": fn("x", ind(RADIUS, x))})
    return auto(le(mean("y", TABLE, ind(RADIUS, summed(value, d, y))), exp(-COST)), far, rare)


# -------------------------------------------------------------------------------------------- after any number of draws


def square_of_sums(few: Any, y: Any) -> Term:
    """|N|^2 for the sum N of the first few draws of each row of a table."""
    return sum_of(lambda i: first_draws(few, i, y, N, d) * first_draws(few, i, y, N, d), d, "i")


@lemma(NAMES.replace("scale ", ""), *OF_TABLE[:-3], lt(0, V), nat(M), le(1, M))
def tail_of_draws() -> Theorem:
    """P(|N|^2 >= few v (d + 2 root + 2 price)) <= e^-price."""
    whole, far = auto(lt(0, V * M)), square_of_sums(M, y)
    scale, inverse = exp(-log(V * M) / 2), exp(-log(V * M))
    is_one = auto(eq(inverse * V * M, 1), (inverse, exp_log(whole)))
    rare = instance(scaled_tail(), {"scale": scale}, auto(le(scale * scale * V * M, 1), is_one))
    goal = le(ind(M * V * RADIUS, far), ind(RADIUS, inverse * far))
    large = at_most(auto(le(RADIUS, inverse * far), (inverse, assume(le(M * V * RADIUS, far))), (RADIUS, is_one)))
    small = not_at_most(assume(lt(far, M * V * RADIUS)))
    less = cases(auto(goal, large), auto(goal, small), M * V * RADIUS, far)
    return auto(le(mean("y", TABLE, ind(M * V * RADIUS, far)), exp(-COST)), mono(less, "y", TABLE), rare)


def numbers_at(k: Any) -> dict[str, Any]:
    """What the tail is asked about, for T draws a row and the chance e^-cost(k)."""
    return {"N": T, "price": app("cost", k), "root": app("level", k)}


def allowed(k: Any) -> Term:
    """What is allowed to |N|^2 for each draw."""
    return substitute(V * RADIUS, numbers_at(k))


def square_after(count: Any, y: Any) -> Term:
    return substitute(square_of_sums(count, y), {"N": T})


def is_far(k: Any, y: Any) -> Term:
    """1 where |N|^2 is at least what is allowed after k + 1 draws."""
    return ind((k + 1) * allowed(k), square_after(k + 1, y))


def bad(y: Any) -> Term:
    """1 where it is too large after some number of draws."""
    return ind(term(1), sum_of(lambda j: is_far(j, y), T))


IN_RANGE = nat(j), lt(j, T)
OF_LEVEL = [All(("i",), (nat(i), lt(i, T)), replace(f, numbers_at(i))) for f in (SIZES[2], ROOM_OF_ROOT)]
OF_T = *(replace(f, {"N": T}) for f in (*OF_TABLE[:-7], *SIZES[:2], lt(0, V))), *OF_LEVEL
CHANCES = le(sum_of(lambda j: exp(-app("cost", j)), T), DELTA)


@lemma("T dimension level cost delta variance earned after row with_row empty", *OF_T, CHANCES)
def rarely_bad() -> Theorem:
    """By the union over the numbers of draws: each is too large with its own chance."""
    natural, table = assume(nat(j)), substitute(TABLE, {"N": T})
    of_level = [instance(assume(f), {"i": j}, *map(assume, IN_RANGE)) for f in OF_LEVEL]
    one = nat_next(natural), auto(le(1, j + 1), nat_nonnegative(natural))
    each = instance(tail_of_draws(), numbers_at(j) | {"few": j + 1}, *of_level, *one)
    far, count = is_far(j, y), sum_of(lambda j: is_far(j, y), T)
    whole = sum_over(auto(le(0, exp(-app("cost", j)) - mean("y", table, far)), each), "j", T)
    least = product(auto(le(0, count)), auto(le(0, 1 - bad(y))))
    few = auto(le(bad(y), count), indicator(term(1), count, 1), least)
    swapped, goal = sum_inside("j", T, "y", table, far), le(mean("y", table, bad(y)), DELTA)
    return auto(goal, mono(few, "y", table), swapped, whole)


# -------------------------------------------------------------------------------------------------------- in all rounds

RUNS = substitute(game(lambda t, h: law("pi", t, h), lambda t, z, a: law("noise", t, z, a), T), {"empty": y})
BEGINS, FIRST = runs_begin_with_the_draws(T), until(t, T, z)
OWN, SMALL = until(0, T, z), noise_is_small(spread, d)


@lemma("f T y pi noise told until after", nat(T), BEGINS[0], BEGINNINGS[2])
def keeps_its_table() -> Theorem:
    """A run that begins with y tells y after T rounds."""
    a, start, step = var("a"), *RUNS.args[2:]

    def says(n: Any) -> Rel:
        return eq(mean("z", Term("steps", (("t", "z"), term(n), start, step)), app("f", until(0, n, z))), app("f", y))

    claim, pn, room = All((), (le(n, T),), says(n)), assume(nat(n)), assume(le(n + 1, T))
    first = instance(assume(BEGINS[0]), {"z": y})
    base = auto(
        says(0), steps_zero("z", app("f", until(0, 0, z)), "t", "z", start, step), same(first, "v", app("f", var("v")))
    )
    at = {"t": term(0), "i": n, "z": z, "a": a, "q": a, "r": r}
    kept = instance(assume(BEGINNINGS[2]), at, pn, nat_nonnegative(pn), auto(lt(n, T), room))
    body = mono(same(kept, "v", app("f", var("v"))), "r", law("noise", n, z, a))
    inside = mono(mono(body, "a", law("pi", n, app("told", z))), "z", Term("steps", (("t", "z"), n, start, step)))
    more = steps_next(pn, "z", app("f", until(0, n + 1, z)), "t", "z", start, step)
    known = instance(assume(claim), {}, auto(le(n, T), room))
    return instance(induction("n", base, auto(says(n + 1), more, inside, known), claim, at=T), {})


def least(t: Any, z: Any) -> Term:
    return app("least", t, z, 0) / app("least", t, z, 1)


def small_in_round(of_least: Theorem, not_far: Theorem, above: Theorem, enough: Theorem) -> Theorem:
    """What is added in round t is small, for a design of at least `least` > 0 and draws that are not too far."""
    round_t, at = (assume(nat(t)), assume(le(t, T))), {"t": t, "z": FIRST}
    u, h, D = updates(t, FIRST), added(t, FIRST), Design(t, FIRST, *round_t)
    counted, few, own = (assume(f) for f in adds_the_first_draws(T, d))
    is_count, at_most_t = (instance(f, at, *round_t) for f in (counted, few))
    begun = instance(assume(BEGINS[1]), {"i": T}, round_t[0], round_t[1])
    total = first_draws(u, i, OWN, T, d)
    is_sum = instance(own, at | {"i": i}, *round_t, *map(assume, (nat(i), lt(i, d))))
    entry = auto(eq(h(i), total), is_sum, same(begun, "v", first_draws(u, i, var("v"), T, d)))
    lengths = sum_over(auto(eq(0, h(i) * h(i) - total * total), (h(i) + total, entry)), "i", d)
    # no more than is allowed after u draws
    some, none, most = assume(le(1, u)), assume(lt(u, 1)), spread(t, FIRST) * spread(t, FIRST)
    before = nat_minus(nat_zero(), is_count, auto(lt(0, u), some))
    last = before, auto(lt(u - 1, T), at_most_t, round_t[1])
    near, room = instance(not_far, {"j": u - 1}, *last), instance(enough, {"i": u - 1}, *last)
    draw, goal = earned(k, T, row(i, d, OWN)), le(square_after(u, OWN), least(t, FIRST) * most)
    early = not_at_most(auto(lt(u, k + 1), none, nat_nonnegative(assume(nat(k)))))
    empty = sum_over(auto(eq(0, ind(k + 1, u) * draw), (draw, early)), "k", T)
    nothing = sum_over(auto(eq(0, total * total), (total, empty)), "i", d)
    bound = cases(auto(goal, near, room), auto(goal, nothing, (above, square(spread(t, FIRST)))), term(1), u)
    # and so in the norm of the inverse design
    q = D.times(h)
    values = {"N": D.names[""], "x": points(q), "parameter": points(h), "ridge": least(t, FIRST)}
    short = instance(short_solution(), values, above, of_least, D.solves(h))
    scaled = auto(le(least(t, FIRST) * inner(h, q), least(t, FIRST) * most), short, lengths, bound)
    inverse = reciprocal(above)
    return auto(SMALL(t, FIRST), (weak(reciprocal_positive(above)), scaled), (inner(h, q), inverse), (most, inverse))


def printed_radius() -> Theorem:
    """A square of 2 log(1/delta) + d log((ridge d + t)/(ridge d)) is large enough, for vectors of length 1 at most."""
    here, large = (nat(t), le(t, T)), 2 * log(1 / DELTA) + d * log((RIDGE * d + t) / (RIDGE * d))
    known = instance(assume(All(("t", "z"), here, le(large, beta(t, z) * beta(t, z)))), {}, *map(assume, here))
    volume = instance(
        volume_of_short(), {"n": t}, *map(assume, (nat(d), le(1, d), lt(0, RIDGE), *RESOLVED, SHORT, *here))
    )
    return for_all("t z", auto(widths(t, z)[1], known, volume), *here)


@proof
def ellipsoid(statement: All) -> Theorem:
    """The sum of the noise is long with a chance of delta, whatever the table is.

    What is added is large where some sum of draws is too large or a design too small.
    """
    runs: Term = conclusion(statement).args[0].args[1]
    table, A = runs.args[1], app("A", z)
    long = instance(long_sum(), {"empty": y}, instance(assume(BEGINS[0]), {"z": y}))
    given = long.conclusion.given  # type: ignore[union-attr]
    rare = mono(instance(long, {}, *map(assume, given)), "y", table)
    of_sum = for_all("A", auto(le(mean("z", runs, A), DELTA), rare), *given)
    # in a round
    *_, above, enough, of_least = statement.given
    (always,), here = parts_of(of_least.given[1])[1], (assume(nat(t)), assume(le(t, T)))  # type: ignore[union-attr]
    of_round = [instance(assume(f), {"z": FIRST}, *here) for f in (above, enough)]
    far, count = is_far(j, OWN), sum_of(lambda j: is_far(j, OWN), T)
    near = for_all("j", instance(none_of(lt(*reversed(far.args)), j, T, far), {}, assume(lt(j, T))), *IN_RANGE)
    quiet = for_all("t", small_in_round(instance(assume(always), {}, *here), near, *of_round), *parts_of(always)[1])
    # an event on which what is added is large
    names, given, goal = parts_of(chance_that_fails(runs, SMALL, T, DELTA + ETA))
    is_bad, event_of_A = bad(OWN), instance(assume(given[0]), {"x": z})
    left, nothing = A * (1 - is_bad), eq(A * (1 - is_bad), 0)
    happened = auto(nothing, (A, at_most(assume(le(1, count)))))
    not_yet = auto(nothing, (1 - is_bad, instance(assume(given[1]), {}, quiet)))
    empty = for_all("z", cases(happened, not_yet, term(1), count), always)
    squares = (1 - 2 * is_bad + is_bad * is_bad, event_of_A), (A, indicator(term(1), count, 0))
    few = instance(assume(of_least), {"A": fn("z", left)}, for_all("z", auto(eq(left * left, left), *squares)), empty)
    high = bounds_of_event(A, event_of_A)[1]
    either = mono(auto(le(A, left + is_bad), (indicator(term(1), count, 3), high)), "z", runs)
    tables = mono(instance(keeps_its_table(), {"f": fn("y", bad(y))}), "y", table)
    of_noise = for_all(names, auto(goal, either, few, tables, instance(rarely_bad(), {})), *given)
    return outside(statement, of_sum, of_noise, printed_radius(), instance(assume(BEGINS[0]), {"z": EMPTY}))
