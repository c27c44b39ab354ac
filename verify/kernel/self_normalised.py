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


def actions_are_short(size: Any) -> All:
    """|A| <= 1 for all vectors."""
    own_names("a")
    a = var("a")

    def entry(i: Any) -> Term:
        return function_of("coordinate", a, i) / function_of("divisor", a)

    return All(("a",), (), le(sum_of(lambda i: entry(i) * entry(i), size, "i"), 1))


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


def private_error(theta: Vector, t: Any, z: Any, size: Any) -> Vector:
    """The error of the estimate, which is the inverse of V_t(ridge) times the sum of A_s R_s and N_t.

    The rewards are R_s = <A_s, theta> + noise.
    """

    def reward(s: Any) -> Term:
        return sum_of(lambda k: played(t, z)(s, k) * theta(k), size, "k") + earned(s, t, z)

    def total(j: Any) -> Term:
        return sum_of(lambda s: played(t, z)(s, j) * reward(s), t, "b") + added(t, z)(j)

    return lambda i: entry_of(inverse(t, z), total, i, size) - theta(i)


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
