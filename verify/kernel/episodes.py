"""Algorithms that play an arm for an episode and are told the noisy mean of its rewards at the end: AdaC-UCB.

A run of i episodes is a point: ``after(z, a, a, y)`` is the run z and then an episode of the arm a, at whose end y was
released. What an index is made of is read off a run, by the equations of ``episodes_are_counted``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.asymptotics import bernoulli, from_some_round_on
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.meanings import binding, event, exp, function_of, log, own_names, sum_of
from banditproof.verify.kernel.policies import Policy, every, is_arm, the_same
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Rel, Term, term, var
from banditproof.verify.kernel.variables import gaussian, laplace

Given = tuple[Formula, ...]
Releases = Callable[[Any, Any], Term]
"""The law of what is released at the end of an episode of an arm that was played so often before."""


def pulled(i: Any, z: Any, a: Any) -> Term:
    """How often the arm a was played in the i episodes of the run z."""
    return function_of("pulled", i, z, a)


def begins(i: Any, z: Any) -> Term:
    """The round in which episode i begins, after the run z: the first round is 1."""
    return function_of("begins", i, z)


def released(i: Any, z: Any, a: Any) -> Term:
    """What was released after the last episode of the arm a."""
    return function_of("released", i, z, a, 0) / function_of("released", i, z, a, 1)


def in_time(i: Any, z: Any, a: Any) -> Term:
    """How often the arm a was played in those of the rounds 1 .. T that are in the i episodes of the run z."""
    return function_of("in_time", i, z, a)


def next_length(count: Any) -> Term:
    """The length of an episode of an arm that was played so often: 1 for the first one, else as many rounds."""
    return term(count) + the_same(count, 0)


def until(t: Any, T: Any) -> Term:
    """min(t, T)."""
    early = Term("ind", (term(t), term(T)))
    return t * early + T * (1 - early)


def runs_of_episodes(pi: Policy, release: Releases, T: Any) -> Term:
    """The law of the runs of T episodes, at the end of each of which something is released of its arm."""
    i, z, a, r = map(var, "izar")
    with binding("i", "z", "a", "r"):
        arm, told = pi(i, z), release(a, pulled(i, z, a))
    step = Term("mix", (("a",), arm, Term("mix", (("r",), told, Term("dirac", (function_of("after", z, a, a, r),))))))
    return Term("steps", (("i", "z"), term(T), var("empty"), step))


def episodes_are_counted(T: Any, K: Any) -> Given:
    """What one can tell of a run of i episodes, by induction over i: ``pulled``, ``begins`` and the others."""
    i, z, a, b, r, empty = (*map(var, "izabr"), var("empty"))
    own_names("i", "z", "a", "b", "r")
    more, longer, same = next_length(pulled(i, z, a)), function_of("after", z, a, a, r), the_same(a, b)
    start = begins(i, z) - 1
    new = {
        pulled: pulled(i, z, b) + same * more,
        released: same * r + (1 - same) * released(i, z, b),
        in_time: in_time(i, z, b) + same * (until(start + more, T) - until(start, T)),
    }
    arms = *is_arm(a, K), *is_arm(b, K)
    return (
        All(("i", "z", "a"), (), lt(0, function_of("released", i, z, a, 1))),
        All(("i", "z"), (), lt(0, begins(i, z))),
        eq(begins(0, empty), 1),
        *(All(("a",), is_arm(a, K), eq(count(0, empty, a), 0)) for count in (pulled, in_time)),
        All(("i", "z", "a", "r"), (nat(i), lt(i, T), *is_arm(a, K)), eq(begins(i + 1, longer), begins(i, z) + more)),
        *(
            All(("i", "z", "a", "b", "r"), (nat(i), lt(i, T), *arms), eq(value(i + 1, longer, b), then))
            for value, then in new.items()
        ),
    )


def each_arm_first(pi: Policy, T: Any, K: Any) -> All:
    """Episode i is one of the arm i, for the K first ones: every event without this arm has the probability 0."""
    i, h = var("i"), var("h")
    return _plays_only(pi, (lt(i, K), lt(i, T)), lambda a: (eq(a, i),), h)


def largest_index(pi: Policy, index: Callable[[Any, Any, Any], Term], T: Any, K: Any) -> All:
    """From then on an arm has an episode if no arm has a larger index."""
    i, h, b = map(var, "ihb")

    def is_largest(a: Term) -> Given:
        return *is_arm(a, K), All(("b",), is_arm(b, K), le(index(i, h, b), index(i, h, a)))

    return _plays_only(pi, (le(K, i), lt(i, T)), is_largest, h)


def _plays_only(pi: Policy, rounds: Given, may_be: Callable[[Term], Given], h: Term) -> All:
    i, a, A = var("i"), var("a"), function_of("A", var("a"))
    with binding("i", "h", "A", "x", "a", "b"):
        law, given = pi(i, h), may_be(a)
    never = All(("a",), given, eq(A, 0))
    return All(("i", "h", "A"), (nat(i), *rounds, event("A"), never), eq(mean("a", law, A), 0))


def noisy_means(release: Releases, nu: Callable[[Any], Term], noise: Callable[[Any], Term], K: Any) -> Given:
    """What is released is the mean of the rewards of the episode, with the noise for n, half of its plays."""
    a, m, r = map(var, "amr")

    def is_told(before: Any, size: Any) -> Rel:
        with binding("a", "m", "g"):
            told, noisy = release(a, before), noisy_mean(nu(a), size, noise((term(before) + size) / 2))
        return eq(mean("r", told, function_of("g", r)), mean("r", noisy, function_of("g", r)))

    arms = is_arm(a, K)
    return All(("a", "g"), arms, is_told(0, 1)), All(("a", "m", "g"), (*arms, nat(m)), is_told(m + 1, m + 1))


def noisy_mean(reward: Term, m: Any, noise: Term) -> Term:
    """The law of the mean of m rewards with noise of this law."""
    q, v, w = map(var, "qvw")
    own_names("j", "q", "v", "w")
    one_more = Term("mix", (("q",), reward, Term("dirac", (v + q,))))
    total = Term("steps", (("j", "v"), term(m), term(0), one_more))
    return Term("mix", (("v",), total, Term("mix", (("w",), noise, Term("dirac", (v / m + w,))))))


def private_index(i: Any, z: Any, a: Any) -> Term:
    """The released mean and the width of the arm a."""
    return released(i, z, a) + function_of("half_width", i, z, a)


def private_widths(share: Any, spread: Callable[[Any], Any], beta: Any, T: Any, K: Any) -> Given:
    """The width is share beta log t/n and the root of spread(n) beta log t/n^2: n is half of its plays, t the round."""
    i, z, a = map(var, "iza")
    own_names("i", "z", "a")
    n, level = pulled(i, z, a) / 2, beta * log(begins(i, z))
    root = function_of("half_width", i, z, a) * n - share * level
    given = (nat(i), lt(i, T), *is_arm(a, K), le(1, pulled(i, z, a)))
    return tuple(All(("i", "z", "a"), given, f) for f in (le(0, root), eq(root * root, spread(n) * level)))


def adac_ucb(pi: Policy, release: Releases, nu: Callable[[Any], Term], rho: Any, beta: Any, T: Any, K: Any) -> Given:
    """AdaC-UCB. Each arm has one episode, of one round; then an arm with a largest index has one, which doubles its
    plays. At its end the mean of its rewards is released, with noise of N(0, 1/(2 rho n^2)), for n, half of all plays
    of the arm. The index adds the root of (1/(2 n) + 1/(rho n^2)) beta log t to what was released last, where t is the
    round in which the episode begins.
    """
    noisy = noisy_means(release, nu, lambda n: gaussian(1 / (2 * rho * n * n)), K)
    return *_doubling(pi, T, K), *noisy, *private_widths(0, lambda n: n / 2 + 1 / rho, beta, T, K)


def adap_ucb(
    pi: Policy, release: Releases, nu: Callable[[Any], Term], epsilon: Any, beta: Any, T: Any, K: Any
) -> Given:
    """AdaP-UCB: AdaC-UCB with noise of Lap(1/(epsilon n)), whose index adds the root of beta log t/(2 n) and beta log
    t/(epsilon n).
    """
    noisy = noisy_means(release, nu, lambda n: laplace(1 / (epsilon * n)), K)
    return *_doubling(pi, T, K), *noisy, *private_widths(1 / epsilon, lambda n: n / 2, beta, T, K)


def _doubling(pi: Policy, T: Any, K: Any, index: Callable[[Any, Any, Any], Term] = private_index) -> Given:
    return *episodes_are_counted(T, K), each_arm_first(pi, T, K), largest_index(pi, index, T, K)


def mean_plays(runs: Term, T: Any, a: Any) -> Term:
    """The mean number of plays of the arm a in the rounds 1 .. T."""
    own_names("z")
    return mean("z", runs, in_time(T, var("z"), a))


def regret_of_episodes(runs: Term, T: Any, K: Any, centre: Callable[[Any], Any], best: Any) -> Term:
    """The sum over the arms of centre(best) - centre(a), times the mean number of plays of a in the rounds 1 .. T."""
    return sum_of(lambda a: (centre(best) - centre(a)) * mean_plays(runs, T, a), K, "a")


# ----------------------------------------------------------------------------------------------------------------- UCB


def mean_so_far(i: Any, z: Any, a: Any) -> Term:
    """The mean of the rewards of the arm a in the i rounds of the run z."""
    return function_of("mean_so_far", i, z, a, 0) / function_of("mean_so_far", i, z, a, 1)


def index_of_average(i: Any, z: Any, a: Any) -> Term:
    """The mean of the rewards of the arm a and the width."""
    return mean_so_far(i, z, a) + function_of("half_width", i, z, a)


def runs_of_rounds(pi: Policy, nu: Callable[[Any], Term], T: Any) -> Term:
    """The law of the runs of T rounds, in each of which an arm is played and its reward is told."""
    i, z, a, r = map(var, "izar")
    with binding("i", "z", "a", "r"):
        arm, reward = pi(i, z), nu(a)
    longer = Term("dirac", (function_of("after", z, a, a, r),))
    step = Term("mix", (("a",), arm, Term("mix", (("r",), reward, longer))))
    return Term("steps", (("i", "z"), term(T), var("empty"), step))


def with_noise_of(
    nu: Callable[[Any], Term], centre: Callable[[Any], Any], noise: Callable[[Any], Term], K: Any, scale: Any = 1
) -> All:
    """The reward of an arm a has the law of centre(a) and its noise, or so many times its noise."""
    a, r = var("a"), var("r")
    with binding("a", "g"):
        reward, own, told = nu(a), noise(a), centre(a) + (r if scale == 1 else scale * r)
    same = eq(mean("r", reward, function_of("g", r)), mean("r", own, function_of("g", told)))
    return All(("a", "g"), is_arm(a, K), same)


def rounds_are_counted(T: Any, K: Any) -> Given:
    """How often an arm was played in a run, and that the mean of its rewards times that is their sum."""
    i, z, a, b, r, empty = (*map(var, "izabr"), var("empty"))
    own_names("i", "z", "a", "b", "r")
    longer, same = function_of("after", z, a, a, r), the_same(a, b)
    given = nat(i), lt(i, T), *is_arm(a, K), *is_arm(b, K)
    names = "i", "z", "a", "b", "r"
    total = pulled(i, z, b) * mean_so_far(i, z, b) + same * r
    return (
        All(("i", "z", "a"), (), lt(0, function_of("mean_so_far", i, z, a, 1))),
        All(("a",), is_arm(a, K), eq(pulled(0, empty, a), 0)),
        All(names, given, eq(pulled(i + 1, longer, b), pulled(i, z, b) + same)),
        All(names, given, eq(pulled(i + 1, longer, b) * mean_so_far(i + 1, longer, b), total)),
    )


def ucb(pi: Policy, T: Any, K: Any) -> Given:
    """UCB with delta = 1/T^2. Each arm is played once, then one with a largest index: the mean of its N rewards and the
    root of 2 log(1/delta)/N = 4 log(T)/N.
    """
    return _index_of_average(pi, lambda i: 2 * log(T), T, K)


def anytime_ucb(pi: Policy, T: Any, K: Any) -> Given:
    """The first T rounds of UCB for any number of rounds: in round t = 1, 2, ... the index adds the root of 2 log
    f(t)/N, with f(t) = 1 + t log(t)^2.
    """
    return _index_of_average(pi, log_f, T, K)


def log_f(i: Any) -> Term:
    """log f(t) in round t = i + 1, after i rounds: f(t) = 1 + t log(t)^2."""
    t = term(i) + 1
    return log(1 + t * (log(t) * log(t)))


def _index_of_average(pi: Policy, level: Callable[[Any], Any], T: Any, K: Any) -> Given:
    """Each arm is played once, then one with a largest index: the mean and the root of 2 level/N after i rounds."""
    i, z, a = map(var, "iza")
    own_names("i", "z", "a")
    width, count = function_of("half_width", i, z, a), pulled(i, z, a)
    given = nat(i), lt(i, T), *is_arm(a, K), le(1, count)
    return (
        *rounds_are_counted(T, K),
        each_arm_first(pi, T, K),
        largest_index(pi, index_of_average, T, K),
        All(("i", "z", "a"), (), le(0, width)),
        All(("i", "z", "a"), given, eq(width * width * count, 2 * level(i))),
    )


def regret_of_rounds(runs: Term, T: Any, K: Any, centre: Callable[[Any], Any], best: Any) -> Term:
    """The sum over the arms of centre(best) - centre(a), times the mean number of plays of a in T rounds."""

    def of_arm(a: Term) -> Term:
        return (centre(best) - centre(a)) * mean("z", runs, pulled(T, var("z"), a))

    return sum_of(of_arm, K, "a")


def anytime_regret_at_most(pi: Policy, nu: Callable[[Any], Term], K: Any, centre: Any, best: Any, most: Any) -> All:
    """limsup Reg_T/log T <= most for UCB with log f(t): for each small > 0, Reg_T <= (most + small) log T from some T
    on, where the policy plays as this UCB does in the first T rounds.
    """
    return _regret_at_most(pi, nu, K, centre, best, most, "half_width", anytime_ucb)


def _regret_at_most(
    pi: Policy, nu: Callable[[Any], Term], K: Any, centre: Any, best: Any, most: Any, index: str, plays: Any
) -> All:
    small = var("small")

    def says(T: Term, log_T: Term) -> Formula:
        regret = regret_of_rounds(runs_of_rounds(pi, nu, T), T, K, centre, best)
        return every(("pulled", "mean_so_far", index), plays(pi, T, K), le(regret, (most + small) * log_T))

    with binding("small"):
        return All(("small",), (lt(0, small),), from_some_round_on(says))


# -------------------------------------------------------------------------------------------------------------- KL-UCB


def largest_means() -> Given:
    """largest_mean(p, c) is the largest q in [0, 1] with kl(p, q) <= c, for c >= 0.

    A p outside [0, 1], which no mean of rewards 0 and 1 is, counts as the end that is next to it.
    """
    p, c, q = map(var, "pcq")
    own_names("p", "c", "q")
    largest = function_of("largest_mean", p, c)
    own = (le(0, largest), le(largest, 1), kl_at_most(bernoulli(p), bernoulli(largest), c))
    allowed = le(0, c), le(0, q), le(q, 1), kl_at_most(bernoulli(p), bernoulli(q), c)
    return *(All(("p", "c"), (le(0, c),), f) for f in own), All(("p", "c", "q"), allowed, le(q, largest))


def optimistic(i: Any, z: Any, a: Any) -> Term:
    """The index of the arm a after the i rounds of the run z."""
    return function_of("optimistic", i, z, a)


def adap_klucb(
    pi: Policy, release: Releases, nu: Callable[[Any], Term], epsilon: Any, beta: Any, T: Any, K: Any
) -> Given:
    """AdaP-KLUCB: AdaP-UCB whose index, with n half of all plays of the arm and c = beta log t/n, is the largest mean
    whose divergence from what was released last and c/epsilon, clipped to [0, 1], is at most c.
    """
    i, z, a, c = map(var, "izac")
    own_names("i", "z", "a", "c")
    n, clipped = pulled(i, z, a) / 2, released(i, z, a) + c / epsilon
    given = nat(i), lt(i, T), *is_arm(a, K), le(1, pulled(i, z, a)), eq(c * n, beta * log(begins(i, z)))
    index = All(("i", "z", "a", "c"), given, eq(optimistic(i, z, a), function_of("largest_mean", clipped, c)))
    noisy = noisy_means(release, nu, lambda n: laplace(1 / (epsilon * n)), K)
    return *_doubling(pi, T, K, optimistic), *noisy, index


def kl_ucb(pi: Policy, T: Any, K: Any) -> Given:
    """The first T rounds of KL-UCB. Each arm is played once, then one with a largest index: the largest mean whose
    divergence from that of its N rewards is at most c = log f(t)/N, with f(t) = 1 + t log(t)^2.
    """
    i, z, a, c = map(var, "izac")
    own_names("i", "z", "a", "c")
    count, largest = pulled(i, z, a), function_of("largest_mean", mean_so_far(i, z, a), c)
    given = nat(i), lt(i, T), *is_arm(a, K), le(1, count), eq(c * count, log_f(i))
    index = All(("i", "z", "a", "c"), given, eq(optimistic(i, z, a), largest))
    return *rounds_are_counted(T, K), each_arm_first(pi, T, K), largest_index(pi, optimistic, T, K), index


def bernoulli_rewards(nu: Callable[[Any], Term], centre: Callable[[Any], Any], K: Any) -> Given:
    """The reward of an arm a is 1 with the probability centre(a), and else 0."""
    a, r = var("a"), var("r")
    own_names("a", "r", "g")
    laws = nu(a), bernoulli(centre(a))
    same = eq(*(mean("r", law, function_of("g", r)) for law in laws))
    ranges = tuple(All(("a",), is_arm(a, K), f) for f in (le(0, centre(a)), le(centre(a), 1)))
    return *ranges, All(("a", "g"), is_arm(a, K), same)


def kl_ucb_regret_at_most(pi: Policy, nu: Callable[[Any], Term], K: Any, centre: Any, best: Any, most: Any) -> All:
    """limsup Reg_T/log T <= most for KL-UCB: for each small > 0, Reg_T <= (most + small) log T from some T on, where
    the policy plays as KL-UCB does in the first T rounds.
    """
    return _regret_at_most(pi, nu, K, centre, best, most, "optimistic", kl_ucb)


# ------------------------------------------------------------------------------------------------ all rounds, by arms


def second_logs(K: Any) -> All:
    """second_log(t, z, a) is log(4 + log N) for an arm with N plays: named by exponentials, since N may be 0."""
    own_names("t", "z", "a")
    t, z, a = map(var, "tza")
    count = exp(exp(function_of("second_log", t, z, a)) - 4)
    return All(("t", "z", "a"), (*is_arm(a, K), le(1, pulled(t, z, a))), eq(count, pulled(t, z, a)))


def means_are_near(
    chosen: Callable[[Any], Any], centre: Callable[[Any], Any], sigma: Any, K: Any, most: Any
) -> Callable[[Any, Any], All]:
    """Once every arm of the set S was played, the sum over them of N (mean - centre)^2/(2 sigma^2) is at most a number
    and that of 2 log(4 + log N), for N rewards: chosen(a) is 1 for a in S, and else 0."""

    def says(t: Any, z: Any) -> All:
        def far(a: Term) -> Term:
            off = mean_so_far(t, z, a) - centre(a)
            return chosen(a) * pulled(t, z, a) / (2 * term(sigma) * sigma) * off * off

        a = var("a")
        with binding("a"):
            played = All(("a",), (*is_arm(a, K), eq(chosen(a), 1)), le(1, pulled(t, z, a)))
        room = sum_of(lambda a: chosen(a) * 2 * function_of("second_log", t, z, a), K, "b")
        return All((), (played,), le(sum_of(far, K, "b"), room + most))

    return says
