"""Stochastic bandits: the game with a law of rewards for each arm, means of rewards that need not be bounded, regret.

The integral of a real function that is not bounded is that of its positive part less that of its negative part, and
each of these is the supremum of the integrals of the bounded functions below it. A mean exists where both are numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.games import code
from banditproof.verify.kernel.meanings import binding, function_of, own_names, size, sum_of
from banditproof.verify.kernel.policies import Policy, is_arm, of_arms, only, power, starts, the_same
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Term, term, var

Environment = Callable[..., Term]
"""The law of the rewards of an arm."""
Given = tuple[Formula, ...]
Height = Callable[[Term], Term]
"""A number from 0 on for each point, bounded or not."""
PARTS = (1, -1)  # the positive and the negative part of a reward


def part(r: Term, sign: int) -> Term:
    """max(r, 0), or max(-r, 0)."""
    return r * Term("ind", (term(0), r)) if sign == 1 else -r * Term("ind", (r, term(0)))


def part_of(sign: int, value: Height = lambda r: r) -> Height:
    """One part of the value of a point."""
    return lambda x: part(value(x), sign)


def integral_at_most(law: Term, height: Height, most: Any, point: str = "r") -> All:
    """E g <= most for all bounded functions g with 0 <= g(r) <= height(r): the integral of the height is their
    supremum."""
    own_names(point, "g")
    x = var(point)
    g = function_of("g", x)
    below = All((point,), (), le(0, g)), All((point,), (), le(g, height(x)))
    return All(("g",), below, le(mean(point, law, g), most))


def integral(law: Term, height: Height, number: Any, point: str = "r") -> tuple[Formula, Formula]:
    """The number is the integral of the height: the supremum, so at most all that is at least the means of those g."""
    own_names("c")
    at_most = integral_at_most(law, height, var("c"), point)
    return integral_at_most(law, height, number, point), All(("c",), (at_most,), le(number, var("c")))


def have_means(nu: Environment, K: Any) -> tuple[Formula, ...]:
    """gain(a) and loss(a) are the integrals of both parts of the rewards of each arm: its mean is their difference."""
    a = var("a")
    of_arms = (
        f for s, name in zip(PARTS, SIZES, strict=True) for f in integral(nu(a), part_of(s), function_of(name, a))
    )
    return tuple(All(("a",), is_arm(a, K), f) for f in of_arms)


SIZES, OF_THE_SUM = ("gain", "loss"), ("gained", "lost")


def mean_reward(a: Any) -> Term:
    """The mean of the rewards of an arm."""
    return function_of("gain", a) - function_of("loss", a)


def game(pi: Policy, nu: Environment, T: Any) -> Term:
    """The law of the runs of T rounds in any environment: a ~ pi_t after the history, and then r ~ nu(t, z, a)."""
    t, z, a, r = var("t"), var("z"), var("a"), var("r")
    then = Term("mix", (("r",), nu(t, z, a), Term("dirac", (function_of("after", z, a, a, r),))))
    step = Term("mix", (("a",), pi(t, function_of("told", z)), then))
    return Term("steps", (("t", "z"), term(T), var("empty"), step))


def heard(j: Any, n: Any, z: Any) -> Term:
    """Of a run z of n rounds the history before round j."""
    return function_of("heard", j, n, z)


def did(j: Any, n: Any, z: Any) -> Term:
    """The action, by its name, in round j of a run z of n rounds."""
    return function_of("did", j, n, z)


def rounds_tell_histories(T: Any) -> tuple[All, All]:
    """After a round one can tell the history before it, and those that could be told before."""
    i, j, z, a, q, r = map(var, "ijzaqr")
    own_names("i", "j", "z", "a", "q", "r")
    longer, given = function_of("after", z, a, q, r), (nat(i), lt(i, T))
    names, early = ("i", "z", "a", "q", "r"), (*given, nat(j), lt(j, i))
    return (
        All(names, given, eq(heard(i, i + 1, longer), function_of("told", z))),
        All((*names, "j"), early, eq(heard(j, i + 1, longer), heard(j, i, z))),
    )


def rounds_of_runs(T: Any) -> tuple[Formula, ...]:
    """After a round one can tell the history before it and the action of it, and what could be told before."""
    i, j, z, a, q, r = map(var, "ijzaqr")
    own, kept = rounds_tell_histories(T)
    longer = function_of("after", z, a, q, r)
    return (
        own,
        All(own.params, own.given, eq(did(i, i + 1, longer), code(a))),
        kept,
        All(kept.params, kept.given, eq(did(j, i + 1, longer), did(j, i, z))),
    )


def goes_by_the_history(pi: Policy, nu: Environment, T: Any) -> Formula:
    """The conditional law of the action in round j, given the history H before it, is pi_j(. | H).

    That is: E B(H) A(a_j) = E B(H) pi_j(A | H) for all functions B of the history and A of the action.
    """
    j, z = var("j"), var("z")
    runs, history = game(pi, nu, T), heard(j, T, z)
    B, A = function_of("B", history), function_of("A", code(var("a")))
    left = mean("z", runs, B * function_of("A", did(j, T, z)))
    return All(("B", "A", "j"), (nat(j), lt(j, T)), eq(left, mean("z", runs, B * mean("a", pi(j, history), A))))


def rewarded_by_the_arm(pi: Policy, nu: Environment, T: Any) -> Formula:
    """The conditional law of the reward of round j, given the history H before it and the action a_j, is nu(a_j).

    That is: E B(H, a_j) g(r_j) = E B(H, a_j) nu(a_j)(g) for all functions B of history and action and g of the reward.
    """
    j, z, r = var("j"), var("z"), var("r")
    runs = runs_on_arms(pi, nu, T)
    before = function_of("B", heard(j, T, z), did(j, T, z))
    left = mean("z", runs, before * function_of("g", earned(j, T, z)))
    drawn = mean("r", nu(did(j, T, z)), function_of("g", r))
    return All(("B", "g", "j"), (nat(j), lt(j, T)), eq(left, mean("z", runs, before * drawn)))


# ------------------------------------------------------------------------------------------------- the canonical model


def of_density(nu: Environment, K: Any) -> Formula:
    """Each arm's law has the density above(a, r)/below(a, r) by the measure that the law `base` is the reference of.

    That is: E[below(a, r) g(r)] for rewards r of the arm is E[above(a, r) g(r)] for r of the base. A density p by a
    sigma-finite measure m need not be bounded, nor m be finite; m is a law divided by a positive w, and p w a quotient.
    """
    a, r = var("a"), var("r")
    own_names("a", "r", "g")
    g = function_of("g", r)
    sides = (mean("r", one, function_of(name, a, r) * g) for one, name in ((nu(a), "below"), (_base(), "above")))
    return All(("a", "g"), is_arm(a, K), eq(*sides))


def _base() -> Term:
    return Term("law", ("base",))


def by_rounds(T: Any, K: Any, name: str, factor: Callable[[Term, Term, Term, Term], Any]) -> tuple[Formula, Formula]:
    """name(t, z) is the product over the t rounds of the run z of factors: of round, run before it, arm and reward."""
    i, z, a, r = map(var, "izar")
    own_names("i", "z", "a", "r")
    longer = function_of(name, i + 1, function_of("after", z, a, a, r))
    step = eq(longer, function_of(name, i, z) * factor(i, z, a, r))
    first = eq(function_of(name, 0, var("empty")), 1)
    return first, All(("i", "z", "a", "r"), (nat(i), lt(i, T), *is_arm(a, K)), step)


def probability(pi: Policy, i: Any, z: Any, a: Any) -> Term:
    """pi_i(a | H), H being the history of the run z."""
    b = var("b")
    own_names("b")
    return mean("b", pi(i, function_of("told", z)), the_same(b, a))


def canonical_density(pi: Policy, nu: Environment, T: Any, K: Any) -> Formula:
    """The law of the runs has the density that multiplies pi_t(a_t | H_{t-1}) p_{a_t}(r_t) over the rounds.

    It is upper/lower: the mean of lower(T, z) G(z) for runs z of the game is that of K^T upper(T, z) G(z) for runs of
    arms that are drawn uniformly and rewards of the base, for all functions G of runs.
    """
    z = var("z")

    def weight(i: Term, z: Term, a: Term, r: Term) -> Term:
        return probability(pi, i, z, a) * function_of("above", a, r)

    upper = by_rounds(T, K, "upper", weight)
    lower = by_rounds(T, K, "lower", lambda i, z, a, r: function_of("below", a, r))
    uniform = Term("law", ("Unif", term(K)))
    G = function_of("G", z)
    left = mean("z", game(pi, lambda t, z, a: nu(a), T), G * function_of("lower", T, z))
    right = mean("z", game(lambda i, h: uniform, lambda t, z, a: _base(), T), G * function_of("upper", T, z))
    given = (of_density(nu, K), *upper, *lower)
    return All(("above", "below", "base", "upper", "lower", "G"), given, eq(left, power(K, T) * right))


def along_the_word(nu: Environment, T: Any) -> Term:
    """The law of the runs in which the arms letter(0), ..., letter(T - 1) are played, with rewards of theirs."""
    t, z, r = var("t"), var("z"), var("r")
    arm = function_of("letter", t)
    step = Term("mix", (("r",), nu(arm), Term("dirac", (function_of("after", z, arm, arm, r),))))
    return Term("steps", (("t", "z"), term(T), var("empty"), step))


def word_of_arms(pi: Policy, T: Any, K: Any) -> tuple[Formula, ...]:
    """word(T) are the arms letter(0), ..., letter(T - 1), A the event of these, chances what the policy gives them."""
    begins = eq(function_of("word", 0), function_of("said", var("empty")))
    chances = by_rounds(T, K, "chances", lambda i, z, a, r: probability(pi, i, z, a))
    return begins, starts(T), *of_arms(T, K), *chances, *only(function_of("word", T))


def canonical_marginal(pi: Policy, nu: Environment, T: Any, K: Any) -> Formula:
    """The probability of the actions letter(0), ..., letter(T - 1) integrates the chances of them over their rewards.

    The integral of the product of pi_t(a_t | H_{t-1}) p_{a_t}(r_t) over r_0, ..., r_{T-1} is the mean of the product of
    the first factors over rewards r_i with the laws nu(letter(i)), one after the other.
    """
    z = var("z")
    left = mean("z", game(pi, lambda t, z, a: nu(a), T), function_of("A", function_of("said", z)))
    right = mean("z", along_the_word(nu, T), function_of("chances", T, z))
    return All(("letter", "word", "chances", "A"), word_of_arms(pi, T, K), eq(left, right))


def stopped_game(pi: Policy, recommending: Policy, nu: Environment, T: Any, K: Any) -> Formula:
    """After these actions of arms the policy plays `top`, which stops, and recommends `guess`: how likely that is.

    The chances of the actions, of stopping and of recommending by the history are integrated over the rewards.
    """
    z, a, b, top, guess = map(var, ("z", "a", "b", "top", "guess"))
    own_names("z", "a", "b")

    def last(one: Policy, name: Term, value: Term) -> Term:
        return mean(name.args[0], one(T, function_of("told", z)), the_same(name, value))

    stopped = last(pi, a, top) * last(recommending, b, guess)
    left = mean("z", game(pi, lambda t, z, a: nu(a), T), function_of("A", function_of("said", z)) * stopped)
    right = mean("z", along_the_word(nu, T), function_of("chances", T, z) * stopped)
    return All(("letter", "word", "chances", "top", "guess", "A"), word_of_arms(pi, T, K), eq(left, right))


# ------------------------------------------------------------------------------------------------------------- regret


def earned(j: Any, n: Any, z: Any) -> Term:
    """Of a run z of n rounds the reward of round j: any real number, so a quotient of two bounded functions."""
    return function_of("earned", j, n, z, 0) / function_of("earned", j, n, z, 1)


def rounds_tell_rewards(T: Any, whose: Callable[[Any], tuple[Formula, ...]], name: Callable[[Any], Any]) -> Given:
    """After a round one can tell its reward, the name of an action of those `whose` it is, and what could be told."""
    own_names("i", "j", "z", "a", "q", "r", "t")
    i, j, z, a, q, r, t = map(var, "ijzaqrt")
    longer, given, names = function_of("after", z, a, q, r), (nat(i), lt(i, T)), ("i", "z", "a", "q", "r")
    early = (*given, nat(j), lt(j, i))
    return (
        All(("j", "t", "z"), (), lt(0, function_of("earned", j, t, z, 1))),
        All(names, (*given, *whose(a)), eq(did(i, i + 1, longer), name(a))),
        All(names, given, eq(earned(i, i + 1, longer), r)),
        All((*names, "j"), early, eq(did(j, i + 1, longer), did(j, i, z))),
        All((*names, "j"), early, eq(earned(j, i + 1, longer), earned(j, i, z))),
    )


def rounds_tell_arms_and_rewards(T: Any, K: Any) -> Given:
    return rounds_tell_rewards(T, lambda a: is_arm(a, K), lambda a: a)


def runs_on_arms(pi: Policy, nu: Environment, T: Any) -> Term:
    """The law of the runs of T rounds in a bandit: a ~ pi_t after the history, and then r ~ nu(a)."""
    return game(pi, lambda t, z, a: nu(a), T)


def actions_on_arms(pi: Policy, nu: Environment, T: Any) -> Term:
    """The law of the actions of T rounds in a bandit."""
    return Term("mix", (("z",), runs_on_arms(pi, nu, T), Term("dirac", (function_of("said", var("z")),))))


def sum_of_rewards(T: Any, z: Any) -> Term:
    """The sum of the rewards of a run z of T rounds."""
    return sum_of(lambda j: earned(j, T, z), T)


def pulls(pi: Policy, nu: Environment, T: Any, arm: Any) -> Term:
    """E[N_a(T)]: in how many of the T rounds the arm is played."""
    with binding("z"):
        count = sum_of(lambda j: the_same(did(j, T, var("z")), arm), T)
    return mean("z", runs_on_arms(pi, nu, T), count)


def mean_size_of_the_sum_at_most(pi: Policy, nu: Environment, T: Any, K: Any, most: Callable[..., Any]) -> Formula:
    """E |r_0 + ... + r_(T - 1)| <= most(size) where E |r| <= size(a) of each arm a: what is summed up has a mean."""
    own_names("a")
    a = var("a")
    with binding("size"):
        bound = most(lambda b: function_of("size", b))
    of_arms = All(("a",), is_arm(a, K), integral_at_most(nu(a), size, function_of("size", a)))
    of_the_sum = integral_at_most(runs_on_arms(pi, nu, T), lambda z: size(sum_of_rewards(T, z)), bound, "z")
    return All(("size",), (of_arms,), of_the_sum)


def with_mean_of_the_sum(pi: Policy, nu: Environment, T: Any, K: Any, says: Callable[[Term], Formula]) -> Formula:
    """What `says` says of E[r_0 + ... + r_(T - 1)], under the law of the runs of T rounds, where the arms have means.

    gained and lost are the integrals of both parts of the sum of the rewards: its mean is their difference.
    """
    runs, numbers = runs_on_arms(pi, nu, T), tuple(map(var, OF_THE_SUM))
    with binding("gained", "lost"):
        said = says(numbers[0] - numbers[1])
    heights = (part_of(sign, lambda z: sum_of_rewards(T, z)) for sign in PARTS)
    of_sum = (f for height, number in zip(heights, numbers, strict=True) for f in integral(runs, height, number, "z"))
    return All((*SIZES, *OF_THE_SUM), (*have_means(nu, K), *of_sum), said)
