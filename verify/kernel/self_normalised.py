"""Self-normalised sums: noise times vectors that are chosen by the past, in the norm of their own design matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.least_squares import design
from banditproof.verify.kernel.matrices import Matrix, Vector, eliminates, entry_of, form, is_inverse, vector
from banditproof.verify.kernel.meanings import binding, event, formula, function_of, log, own_names, sum_of
from banditproof.verify.kernel.policies import power, the_same
from banditproof.verify.kernel.random_matrices import row
from banditproof.verify.kernel.rewards import Given, did, earned
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Fn, Formula, Rel, Term, substitute, term, var

OfRun = Callable[[Any, Any], Formula]
"""What is said of a number of rounds and a run of so many rounds."""


def played(t: Any, z: Any) -> Matrix:
    """Entry i of the vector of round s, of a run z of t rounds: any real number, the action by its name."""
    return lambda s, i: function_of("coordinate", did(s, t, z), i) / function_of("divisor", did(s, t, z))


def regularised(ridge: Any, t: Any, z: Any) -> Matrix:
    """V_t(ridge), which is ridge times the identity and the sum of A_s A_s^T over the t rounds of the run z."""
    return lambda i, j: ridge * the_same(i, j) + design(played(t, z), t)(i, j)


def squared_length(a: Any, size: Any) -> Term:
    """|A|^2 for the vector with the name a."""

    def entry(i: Any) -> Term:
        return function_of("coordinate", a, i) / function_of("divisor", a)

    return sum_of(lambda i: entry(i) * entry(i), size, "i")


def actions_are_short(size: Any) -> All:
    """|A| <= 1 for all vectors."""
    return All(("a",), (), le(squared_length(var("a"), size), 1))


def actions_are_unit_vectors(size: Any) -> All:
    """|A| = 1 for all vectors."""
    return All(("a",), (), eq(squared_length(var("a"), size), 1))


def norms_after_rounds(t: Any, z: Any, size: Any) -> Term:
    """The sum of |A_s|^2 over the t rounds of the run z, in the norm of the inverse of the design after round s."""
    return sum_of(lambda s: squared_norm_after(s, t, z, size), t, "a")


def squared_norm_after(s: Any, t: Any, z: Any, size: Any) -> Term:
    """|A_s|^2 in the norm of the inverse of the design after round s, which has A_s."""
    after = term(s) + 1
    return form(inverse(after, function_of("until", after, t, z)), lambda i: played(t, z)(s, i), size)


def norms_are_roots(T: Any, size: Any) -> Given:
    """norm_of(s, t, z, 2)/large(t, z) is |A_s| in this norm, or less this: its square is known."""
    own_names("s", "t", "z")
    s, t, z = map(var, "stz")
    large, given = function_of("large", t, z), (nat(s), nat(t), lt(s, t), le(t, T))
    root = function_of("norm_of", s, t, z, 2) / large
    own = eq(root * root, squared_norm_after(s, t, z, size))
    positive = All(("z",), (), lt(0, function_of("divisor", z))), All(("t", "z"), (), lt(0, large))
    return *positive, All(("s", "t", "z"), given, own)


def noise_sum(t: Any, z: Any) -> Vector:
    """S_t, the sum of A_s times the noise of round s over the t rounds of the run z."""
    return lambda i: sum_of(lambda s: played(t, z)(s, i) * earned(s, t, z), t, "b")


def inverse(t: Any, z: Any) -> Matrix:
    """The inverse of V_t(ridge)."""
    return lambda i, j: function_of("inverse", t, z, i, j)


def columns(t: Any, z: Any) -> Matrix:
    """What makes V_t(ridge) triangular."""
    return lambda i, j: function_of("columns", t, z, i, j) / function_of("large", t, z)


def minors(t: Any, z: Any) -> Vector:
    """The products of its first pivots; that of all of them is its determinant."""
    return lambda k: function_of("minors", t, z, k) / function_of("large", t, z)


def designs_are_resolved(ridge: Any, T: Any, size: Any) -> Given:
    """Each V_t(ridge) has its inverse and its determinant by elimination, for all runs z of t <= T rounds.

    Its minors are positive, as those of every positive definite matrix; so are the divisors of quotients.
    """
    own_names("t", "z", "k")
    t, z, k = var("t"), var("z"), var("k")
    V = regularised(ridge, t, z)
    of_each = is_inverse(inverse(t, z), V, size), *eliminates(columns(t, z), minors(t, z), V, size)
    return (
        All(("z",), (), lt(0, function_of("divisor", z))),
        All(("t", "z"), (), lt(0, function_of("large", t, z))),
        All(("t", "z", "k"), (), lt(0, function_of("minors", t, z, k))),
        *(All(("t", "z"), (nat(t), le(t, T)), f) for f in of_each),
    )


def runs_tell_their_beginnings(T: Any) -> Given:
    """A run of n rounds is the first n rounds of itself, and one round more leaves the first ones as they were."""
    own_names("t", "i", "z", "a", "q", "r")
    t, i, z, a, q, r = map(var, "tizaqr")
    longer, empty = function_of("after", z, a, q, r), var("empty")
    kept = eq(function_of("until", t, i + 1, longer), function_of("until", t, i, z))
    return (
        eq(function_of("until", 0, 0, empty), empty),
        All(("i", "z", "a", "q", "r"), (nat(i), lt(i, T)), eq(function_of("until", i + 1, i + 1, longer), longer)),
        All(("t", "i", "z", "a", "q", "r"), (nat(t), nat(i), le(t, i), lt(i, T)), kept),
    )


def squared_norm(t: Any, z: Any, size: Any) -> Term:
    """|S_t|^2 in the norm of the inverse of V_t(ridge)."""
    return form(inverse(t, z), noise_sum(t, z), size)


def log_volume(ridge: Any, t: Any, z: Any, size: Any) -> Term:
    """log(det V_t(ridge)/ridge^d)."""
    return log(minors(t, z)(size) / power(ridge, size))


def added(t: Any, z: Any) -> Vector:
    """N_t, the noise that is added to the sum of the rewards times their vectors: any real numbers."""
    return lambda i: function_of("hidden", t, z, i) / function_of("large", t, z)


def after_drawing(table: Term, runs: Term) -> Term:
    """First the table is drawn, and then the runs, which begin with it: their laws may depend on it."""
    return Term("mix", (("y",), table, substitute(runs, {"empty": var("y")})))


def runs_begin_with_the_draws(T: Any) -> Given:
    """Runs tell their beginnings, whatever they began with: no round is that, and first rounds begin with the same."""
    own_names("t", "i", "z")
    t, i, z = map(var, "tiz")
    start = function_of("until", 0, t, function_of("until", t, i, z))
    given = nat(t), nat(i), le(t, i), le(i, T)
    return (
        All(("z",), (), eq(function_of("until", 0, 0, z), z)),
        All(("t", "i", "z"), given, eq(start, function_of("until", 0, i, z))),
        *runs_tell_their_beginnings(T)[1:],
    )


def updates(t: Any, z: Any) -> Term:
    """How often noise was drawn in the run z of t rounds."""
    return function_of("updates", t, z)


def updates_as_the_volume_grows(C: Any, ridge: Any, T: Any, size: Any) -> Given:
    """An update follows a round after which det V is more than 1 + C times what it was at the last update, or at
    the start; marked(t, z, 0)/marked(t, z, 1) is log(det V/ridge^d) at the last update in the run z of t rounds.
    """
    own_names("t", "z")
    t, z = var("t"), var("z")

    def marked(t: Any, z: Any) -> Term:
        return function_of("marked", t, z, 0) / function_of("marked", t, z, 1)

    before, now = function_of("until", t, t + 1, z), log_volume(ridge, t + 1, z, size)
    more, given = 1 - Term("ind", (now, marked(t, before) + log(1 + term(C)))), (nat(t), lt(t, T))
    return (
        All(("t", "z"), (), lt(0, function_of("marked", t, z, 1))),
        All(("z",), (), eq(updates(0, z), 0)),
        All(("z",), (), eq(marked(0, z), 0)),
        All(("t", "z"), given, eq(updates(t + 1, z), updates(t, before) + more)),
        All(("t", "z"), given, eq(marked(t + 1, z), marked(t, before) + more * (now - marked(t, before)))),
    )


def after_updates(t: Any, z: Any, T: Any, says: Callable[[Any], Formula]) -> All:
    """What `says` says of m = 0 .. T - 1, where noise was drawn m + 1 times in the run z of t rounds."""
    i = var("i")
    with binding("i"):
        said = formula(says(i))
    return All(("i",), (nat(i), lt(i, T), eq(updates(t, z), i + 1)), said)


def first_draws(count: Any, i: Any, y: Any, T: Any, size: Any) -> Term:
    """The sum of the first draws in row i of the table y of T draws a row: as many as said."""
    drawn = row(i, size, y)
    return sum_of(lambda k: Term("ind", (k + 1, term(count))) * earned(k, T, drawn), T, "k")


def adds_the_first_draws(T: Any, size: Any) -> Given:
    """N_t is the sum of Y_m over the updates m up to round t, of which there are t at most: entry i of Y_m is draw m in
    row i of the table with which the run began.
    """
    own_names("t", "z", "i")
    t, z, i = map(var, "tzi")
    count, given = updates(t, z), (nat(t), le(t, T))
    own = eq(added(t, z)(i), first_draws(count, i, function_of("until", 0, t, z), T, size))
    return (
        All(("t", "z"), given, nat(count)),
        All(("t", "z"), given, le(count, t)),
        All(("t", "z", "i"), (*given, nat(i), lt(i, size)), own),
    )


def is_at_least(least: Callable[..., Term], ridge: Any, size: Any) -> OfRun:
    """No eigenvalue of V_t(ridge) is smaller: x^T V x >= least |x|^2 for all vectors x."""

    def says(t: Any, z: Any) -> All:
        with binding("vector"):
            length, own = (
                sum_of(lambda i: vector(i) * vector(i), size, "i"),
                form(regularised(ridge, t, z), vector, size),
            )
        return All(("vector",), (), le(least(t, z) * length, own))

    return says


def private_estimate(theta: Vector, t: Any, z: Any, size: Any) -> Vector:
    """The inverse of V_t(ridge) times the sum of A_s R_s and N_t, for the rewards R_s = <A_s, theta> + noise."""

    def reward(s: Any) -> Term:
        return sum_of(lambda k: played(t, z)(s, k) * theta(k), size, "k") + earned(s, t, z)

    def total(j: Any) -> Term:
        return sum_of(lambda s: played(t, z)(s, j) * reward(s), t, "b") + added(t, z)(j)

    return lambda i: entry_of(inverse(t, z), total, i, size)


def private_error(theta: Vector, t: Any, z: Any, size: Any) -> Vector:
    """The error of the estimate."""
    return lambda i: private_estimate(theta, t, z, size)(i) - theta(i)


def in_all_runs(says: OfRun, T: Any) -> All:
    """What `says` says of a number of rounds t <= T and a run z of t rounds."""
    t, z = var("t"), var("z")
    with binding("t", "z"):
        said = says(t, z)
    return All(("t", "z"), (nat(t), le(t, T)), said)


def chance_that_fails(runs: Term, says: OfRun, T: Any, most: Any) -> All:
    """P(there is t <= T of which `says` does not hold after t rounds) <= most, for runs of T rounds.

    Every event that is empty where it holds in all rounds is as rare.
    """
    t, z, A = var("t"), var("z"), function_of("A", var("z"))
    with binding("t", "z", "A"):
        said = says(t, function_of("until", t, T, z))
    always = All(("t",), (nat(t), le(t, T)), said)
    return All(("A",), (event("A"), All(("z",), (always,), eq(A, 0))), le(mean("z", runs, A), most))


def chance_of_a_long_sum(runs: Term, ridge: Any, delta: Any, T: Any, size: Any, most: Any) -> All:
    """P(there is t <= T: |S_t|^2 >= 2 log(1/delta) + log(det V_t/ridge^d)) <= most, for runs of T rounds."""

    def is_short(t: Any, z: Any) -> Rel:
        return lt(squared_norm(t, z, size), 2 * log(1 / term(delta)) + log_volume(ridge, t, z, size))

    return chance_that_fails(runs, is_short, T, most)


def noise_is_small(spread: Callable[..., Term], size: Any) -> OfRun:
    """|N_t|^2 <= spread^2, in the norm of the inverse of V_t(ridge)."""
    return lambda t, z: le(form(inverse(t, z), added(t, z), size), spread(t, z) * spread(t, z))


def in_the_ellipsoid(theta: Vector, ridge: Any, width: Callable[..., Term], size: Any) -> OfRun:
    """|estimate - theta|^2 <= width^2, in the norm of V_t(ridge)."""

    def says(t: Any, z: Any) -> Rel:
        with binding("i"):
            error = Fn(("i",), private_error(theta, t, z, size)(var("i")))
        distance = substitute(form(regularised(ridge, t, z), vector, size), {"vector": error})
        return le(distance, width(t, z) * width(t, z))

    return says


# ------------------------------------------------------------------------------------------------------------- regret


def last_update(s: Any, t: Any, z: Any) -> Term:
    """After how many rounds the estimate was made that round s of the run z of t rounds goes by."""
    return function_of("last", s, t, z)


def first_rounds(s: Any, t: Any, z: Any) -> Term:
    """The first s rounds of the run z of t rounds."""
    return function_of("until", s, t, z)


def best_vector(s: Any, t: Any, z: Any) -> Vector:
    """The vector of the context of round s that is worth most."""
    return lambda i: function_of("best_of", s, t, z, i) / function_of("large", t, z)


def value(x: Vector, theta: Vector, size: Any) -> Term:
    """<x, theta>."""
    return sum_of(lambda i: x(i) * theta(i), size, "i")


def gap_in_round(theta: Vector, s: Any, t: Any, z: Any, size: Any) -> Term:
    """<best vector - A_s, theta>."""
    return value(best_vector(s, t, z), theta, size) - value(lambda i: played(t, z)(s, i), theta, size)


def regret_in_run(theta: Vector, t: Any, z: Any, size: Any) -> Term:
    """The sum of the gaps over the rounds of the run z of t rounds."""
    return sum_of(lambda s: gap_in_round(theta, s, t, z, size), t, "a")


def regret_is_at_most(theta: Vector, most: Callable[..., Any], size: Any) -> OfRun:
    """The regret of a run."""
    return lambda t, z: le(regret_in_run(theta, t, z, size), most(t, z))


def squared_widths(width: Callable[..., Term], t: Any, z: Any) -> Term:
    """The sum of the squared widths of the estimates that the rounds of the run z of t rounds go by."""

    def used(s: Any) -> Term:
        return width(last_update(s, t, z), function_of("until", last_update(s, t, z), t, z))

    return sum_of(lambda s: used(s) * used(s), t, "a")


def runs_keep_vectors(T: Any) -> Given:
    """The first s rounds of a run have its first vectors and its first beginnings."""
    own_names("t", "i", "j", "z")
    t, i, j, z = map(var, "tijz")
    first, given = function_of("until", i, t, z), (nat(i), nat(t), le(i, t), le(t, T))
    return (
        All(("i", "j", "t", "z"), (*given, nat(j), lt(j, i)), eq(did(j, i, first), did(j, t, z))),
        All(
            ("i", "j", "t", "z"),
            (*given, nat(j), le(j, i)),
            eq(function_of("until", j, i, first), function_of("until", j, t, z)),
        ),
    )


def in_rounds_of_runs(says: Callable[[Any, Any, Any], Formula], T: Any) -> All:
    """What `says` says of a round s of a run z of t <= T rounds, which begins after s rounds."""
    s, t, z = map(var, "stz")
    with binding("s", "t", "z"):
        said = formula(says(s, t, z))
    return All(("s", "t", "z"), (nat(s), nat(t), lt(s, t), le(t, T)), said)


def updates_are_rare(C: Any, T: Any, size: Any) -> Given:
    """Since the last update the determinant has not become more than 1 + C times as large."""
    own_names("s", "t", "z")
    s, t, z = map(var, "stz")
    last = last_update(s, t, z)
    now, then = (minors(k, function_of("until", k, t, z))(size) for k in (s, last))
    says = nat(last), le(last, s), le(now, (1 + term(C)) * then)
    return tuple(All(("s", "t", "z"), (nat(s), nat(t), lt(s, t), le(t, T)), f) for f in says)


def plays_optimistically(theta: Vector, width: Callable[..., Term], T: Any, size: Any) -> Given:
    """A round plays a vector A of the largest <A, estimate> + width |A|, by the estimate, width and norm of the last
    update; norm_of(s, t, z, k) is that of the best vector for k = 0, and of A for k = 1. All gaps are from 0 to 2.
    """
    s, t, z, last = map(var, "stzq")
    run, vectors = function_of("until", last, t, z), (best_vector(s, t, z), lambda k: played(t, z)(s, k))
    norms = [function_of("norm_of", s, t, z, k) / function_of("large", t, z) for k in (0, 1)]
    with binding("s", "t", "z", "q"):
        estimate = Fn(("i",), private_estimate(theta, last, run, size)(var("i")))
        worths = [substitute(value(x, vector, size), {"vector": estimate}) for x in vectors]
        index = [worth + width(last, run) * u for worth, u in zip(worths, norms, strict=True)]
        gap = gap_in_round(theta, s, t, z, size)
        squares = [eq(u * u, form(inverse(last, run), x, size)) for x, u in zip(vectors, norms, strict=True)]
    says = le(*index), le(0, gap), le(gap, 2), *(le(0, u) for u in norms), *squares
    given = nat(s), nat(t), lt(s, t), le(t, T), nat(last), eq(last_update(s, t, z), last)
    of_rewards = All(("s", "t", "z"), (), lt(0, function_of("earned", s, t, z, 1)))
    return of_rewards, *(All(("s", "t", "z", "q"), given, f) for f in says)
