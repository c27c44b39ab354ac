"""Bandits whose rewards are what an action is worth and noise, with contexts or without: linear ones among them.

In a linear bandit an action a is worth <theta, a>. All that counts of it is the largest value in the round, `best`, and
by how much the action misses it, its gap; both are numbers of the action by its name, with which the context is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.games import code
from banditproof.verify.kernel.matrices import vector
from banditproof.verify.kernel.meanings import binding, exp, function_of, own_names, sum_of, there_is
from banditproof.verify.kernel.policies import Policy, the_same
from banditproof.verify.kernel.rewards import (
    OF_THE_SUM,
    PARTS,
    Environment,
    Given,
    did,
    earned,
    game,
    integral,
    integral_at_most,
    part_of,
    pulls,
    rounds_tell_rewards,
    runs_on_arms,
)
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Rel, Term, term, var

Real = Callable[[Any], Term]
"""A real number for each point, bounded or not."""


def rounds_tell_actions_and_rewards(T: Any) -> Given:
    return rounds_tell_rewards(T, lambda a: (), code)


def one_subgaussian(law: Term) -> All:
    """E e^(t X) <= e^(t^2/2) for all real t: the mean is the supremum of those of bounded functions below e^(t X)."""
    own_names("t")
    t = var("t")
    of_t = integral_at_most(law, lambda r: exp(t * r), exp(t * t / 2))
    return All(("t", *of_t.params), of_t.given, of_t.then)


def in_each_round(says: Callable[[Term, Term, Term], Formula]) -> All:
    """What `says` says of a round i, the run z before it and the action a, of all of them."""
    i, z, a = map(var, "iza")
    with binding("i", "z", "a"):
        said = says(i, z, a)
    return All(("i", "z", "a"), (nat(i),), said)


def noise_is_subgaussian(pi: Policy, noise: Environment, T: Any) -> Formula:
    """The noise of a round is 1-subgaussian given all that was before: E e^(t r) <= e^(t^2/2) for all real t.

    It may depend on the action; noise that is 1-subgaussian given the action too is such noise. The mean is a supremum
    over the bounded functions F(a, r) of the action and the noise that are below e^(t r).
    """
    own_names("i", "z", "a", "r", "t", "F")
    i, z, a, r, t = map(var, "izart")
    F = function_of("F", a, r)
    below = All(("a", "r"), (), le(0, F)), All(("a", "r"), (), le(F, exp(t * r)))
    drawn = mean("a", pi(i, function_of("told", z)), mean("r", noise(i, z, a), F))
    of_round = All(("t", "F"), below, le(drawn, exp(t * t / 2)))
    return All(("i", "z"), (nat(i), lt(i, T)), of_round)


def plus_noise(value: Any, noise: Term) -> Term:
    """The law of value + X, where X has the law of the noise."""
    return Term("mix", (("draw",), noise, Term("dirac", (term(value) + var("draw"),))))


def worth(best: Real, gap: Real, noise: Environment) -> Environment:
    """The reward is what the action is worth, best - gap, and noise."""
    return lambda t, z, a: plus_noise(best(code(a)) - gap(code(a)), noise(t, z, a))


def in_context(contexts: Policy, pi: Policy) -> Policy:
    """First a context is drawn after the history, and then the action after both; it is told with its context."""
    c, a = var("c"), var("a")

    def together(t: Any, h: Any) -> Term:
        chosen = pi(t, function_of("pair", h, c))
        both = Term("mix", (("a",), chosen, Term("dirac", (function_of("pair", c, a),))))
        return Term("mix", (("c",), contexts(t, h), both))

    return together


def runs_with_noise(pi: Policy, best: Real, gap: Real, noise: Environment, T: Any) -> Term:
    """The law of the runs of T rounds."""
    return game(pi, worth(best, gap, noise), T)


def gaps_are_not_negative(gap: Real) -> Formula:
    """Nothing is worth more than the best action."""
    own_names("x")
    return All(("x",), (), le(0, gap(var("x"))))


def lost(best: Real, T: Any, z: Any) -> Term:
    """The sum of best - r over the rounds of a run z."""
    return sum_of(lambda j: best(did(j, T, z)) - earned(j, T, z), T)


def sum_of_gaps(gap: Real, T: Any, z: Any) -> Term:
    return sum_of(lambda j: gap(did(j, T, z)), T)


def what_is_lost(runs: Term, best: Real, gap: Real, T: Any) -> Formula:
    """The mean of the sum of best - r over the rounds is the regret, the mean of the sum of the gaps of the actions.

    The means are integrals under the law of the runs of T rounds: that of best - r is gained - lost.
    """
    numbers, regret = tuple(map(var, OF_THE_SUM)), var("regret")
    heights = (part_of(sign, lambda z: lost(best, T, z)) for sign in PARTS)
    given = (f for height, number in zip(heights, numbers, strict=True) for f in integral(runs, height, number, "z"))
    of_gaps = integral(runs, lambda z: sum_of_gaps(gap, T, z), regret, "z")
    return All((*OF_THE_SUM, "regret"), (*given, *of_gaps), eq(numbers[0] - numbers[1], regret))


def mean_of_a_reward(value: Any, noise: Term) -> Formula:
    """The mean of value + X, where X has the law of the noise, is the value: gained - lost, by both parts."""
    numbers = tuple(map(var, OF_THE_SUM))
    heights = (part_of(sign, lambda r: value + r) for sign in PARTS)
    given = (f for height, number in zip(heights, numbers, strict=True) for f in integral(noise, height, number))
    return All(OF_THE_SUM, tuple(given), eq(numbers[0] - numbers[1], value))


def gaps_by_pulls(pi: Policy, nu: Environment, T: Any, K: Any, best: Any) -> Formula:
    """Of K arms with any values mu: the mean of the sum of best - mu over the rounds is that over the arms, each times
    how often it is played in the mean."""
    own_names("z")

    def gap(b: Any) -> Term:
        return best - function_of("mu", b)

    in_rounds = mean("z", runs_on_arms(pi, nu, T), sum_of_gaps(gap, T, var("z")))
    return All(("mu",), (), eq(in_rounds, sum_of(lambda b: gap(b) * pulls(pi, nu, T, b), K, "b")))


# ------------------------------------------------------------------------------------------------- actions in a cube


Vector = Callable[[Any], Any]  # its entries 0, 1, ...
Law = Callable[[Any], Term]  # of a number: that of a reward of this mean


def coordinate(a: Any, i: Any) -> Term:
    return function_of("coordinate", a, i)


def actions_fill_the_cube(d: Any) -> Given:
    """The actions are the vectors of [-1, 1]^d: each is one of these, and each of these is one."""
    own_names("a", "b", "i", "vector")
    a, b, i = map(var, "abi")
    place, entry = (nat(i), lt(i, d)), function_of("vector", i)
    inside = tuple(All(("a", "i"), place, f) for f in (le(-1, coordinate(a, i)), le(coordinate(a, i), 1)))
    of_cube = tuple(All(("i",), place, f) for f in (le(-1, entry), le(entry, 1)))
    some = there_is(("b",), All(("i",), place, eq(coordinate(b, i), entry)))
    return *inside, All(("vector",), of_cube, some)


def inner(theta: Vector, a: Any, d: Any) -> Term:
    """<theta, a>."""
    return sum_of(lambda i: theta(i) * coordinate(a, i), d, "i")


def least_second_moment(least: Any, law: Term, dimension: Any) -> All:
    """E <x, A>^2 >= least |x|^2 for all vectors x and A with the law: no eigenvalue of E A A^T is smaller."""
    return _along_vectors(dimension, lambda length, square: le(least * length, mean("a", law, square)))


def largest_variance(most: Any, law: Term, dimension: Any) -> All:
    """The variance of <x, A>^2 is at most `most` |x|^4 for all vectors x and A with the law: `most` if |x| = 1."""

    def says(length: Term, square: Term) -> Rel:
        centre = mean("a", law, square)
        return le(mean("a", law, square * square) - centre * centre, most * length * length)

    return _along_vectors(dimension, says)


def _along_vectors(d: Any, says: Callable[[Term, Term], Rel]) -> All:
    """What `says` says of |x|^2 and of <x, a>^2, for all vectors x."""
    own_names("vector", "a")
    along = inner(vector, var("a"), d)
    return All(("vector",), (), says(sum_of(lambda i: vector(i) * vector(i), d, "i"), along * along))


def missed_in_round(pi: Policy, theta: Vector, best: Any, reward: Law, d: Any, j: Any) -> Term:
    """The mean of <theta, best - a> in round j, where the reward of an action a has the law of <theta, a>."""
    z, a = var("z"), var("a")
    runs = game(pi, lambda t, z, a: reward(inner(theta, a, d)), j)
    return mean("z", runs, mean("a", pi(j, function_of("told", z)), inner(theta, best, d) - inner(theta, a, d)))


def linear_regret(pi: Policy, theta: Vector, best: Any, reward: Law, d: Any, T: Any) -> Term:
    """The sum over the rounds of the mean of <theta, best - a>."""
    return sum_of(lambda j: missed_in_round(pi, theta, best, reward, d, j), T)


def some_parameter_costs(pi: Policy, reward: Law, d: Any, T: Any, *bounds: Any, given: tuple[Formula, ...] = ()) -> All:
    """For some theta, of which `optimal` is a best action, the regret is at least each of these numbers."""
    own_names("a")

    def theta(i: Any) -> Term:
        return function_of("theta", i)

    best, a = var("optimal"), var("a")
    with binding("theta", "optimal"):
        regret = linear_regret(pi, theta, best, reward, d, T)
    optimal = All(("a",), (), le(inner(theta, a, d), inner(theta, best, d)))
    return there_is(("theta", "optimal"), optimal, *given, *(le(bound, regret) for bound in bounds))


def some_bounded_parameter_costs(pi: Policy, reward: Law, d: Any, T: Any, *bounds: Any) -> All:
    """The same for some theta of which every action is worth between -1 and 1."""
    own_names("a")
    worth = inner(lambda i: function_of("theta", i), var("a"), d)
    given = tuple(All(("a",), (), f) for f in (le(-1, worth), le(worth, 1)))
    return some_parameter_costs(pi, reward, d, T, *bounds, given=given)


def sign_of(b: Any) -> Term:
    """1 of the coin 1, and else -1."""
    return 2 * the_same(b, 1) - 1


def signs_are_told(d: Any) -> Given:
    """entry(j, i, coins) is the sign of coin j of a sequence of i <= d coins."""
    own_names("i", "j", "coins", "b")
    i, j, coins, b = map(var, ("i", "j", "coins", "b"))
    names, given, longer = ("i", "coins", "b"), (nat(i), lt(i, d)), function_of("pair", coins, b)
    kept = eq(function_of("entry", j, i + 1, longer), function_of("entry", j, i, coins))
    return (
        All(names, given, eq(function_of("entry", i, i + 1, longer), sign_of(b))),
        All((*names, "j"), (*given, nat(j), lt(j, i)), kept),
    )


def in_printed_set(theta: tuple[Any, Any], estimate: Any, radius: Any, design: tuple[Any, Any]) -> Rel:
    """theta is in the set around (0, estimate) of this radius in the norm of V^-1, for V = diag(design).

    That is x^2/p + (y - estimate)^2/q <= radius^2, times p q, which is positive.
    """
    (x, y), (p, q) = theta, design
    return le(q * x * x + p * (y - estimate) * (y - estimate), p * q * radius * radius)


def plays_by_printed_set(skipped: Real, radius: Real, ridge: Any, gap: Any) -> Given:
    """LinUCB with that set on the actions e_1 and e_2, theta* = (0, gap), no noise, and ties to e_1.

    `skipped(t)` is how often e_2 was played in t rounds. So V is diag(ridge + t - skipped(t), ridge + skipped(t)), and
    the ridge estimate is (0, g) with g (ridge + skipped(t)) = gap skipped(t). The index of an action is the largest
    <theta, a> in the set: e_1 is played where the set has a theta = (u, v) so that no (c, w) in it has w > u.
    """
    own_names("t", "u", "v", "g", "c", "w")
    t, u, v, g, c, w = map(var, "tuvgcw")
    count = skipped(t)
    design, around = (ridge + t - count, ridge + count), (g, radius(t))
    no_larger = All(("c", "w"), (in_printed_set((c, w), *around, design),), le(w, u))
    given = (nat(t), eq(g * (ridge + count), gap * count), in_printed_set((u, v), *around, design), no_larger)
    return (
        eq(skipped(0), 0),
        All(("t",), (nat(t),), le(0, radius(t))),
        All(("t", "u", "v", "g"), given, eq(skipped(t + 1), count)),
    )
