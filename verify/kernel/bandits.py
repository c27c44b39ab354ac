"""What a policy does on a bandit: the law of its histories, how often it plays an arm, and its regret.

A history is a point: ``pair(pair(h, a), r)`` is the history h and then a round in which the policy played a and got r.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.histories import acts
from banditproof.verify.kernel.meanings import binding, function_of, own_names, sum_of, there_is, when
from banditproof.verify.kernel.policies import Policy, is_arm, the_same
from banditproof.verify.kernel.rules import eq, le, lt, mean
from banditproof.verify.kernel.terms import All, Formula, Term, term, var

Bandit = Callable[[Any], Term]  # the law of the rewards of each arm
Costs = Callable[[Any], Any]  # a number for each arm


def histories(pi: Policy, nu: Bandit, T: Any) -> Term:
    """The law of histories of T rounds: pi draws an arm b after the history h, and the reward r has the law nu(b)."""
    h, b, r = var("h"), var("b"), var("r")
    with binding("i", "h", "b", "r"):
        arm, reward = pi(var("i"), h), nu(b)
    told = Term("dirac", (function_of("pair", function_of("pair", h, b), r),))
    step = Term("mix", (("b",), arm, Term("mix", (("r",), reward, told))))
    return Term("steps", (("i", "h"), term(T), var("empty"), step))


def played_actions(pi: Policy, nu: Bandit, T: Any) -> Term:
    """The law of the actions of T rounds."""
    own_names("h")
    return Term("mix", (("h",), histories(pi, nu, T), Term("dirac", (acts(var("h")),))))


def pulls(pi: Policy, nu: Bandit, a: Any, T: Any) -> Term:
    """E N_a(T), the sum of the probabilities of playing a in the rounds 0 .. T - 1."""

    def chance(i: Term) -> Term:
        with binding("h", "q"):
            arm = pi(i, var("h"))
        return mean("h", histories(pi, nu, i), mean("q", arm, the_same(var("q"), a)))

    return sum_of(chance, T)


def of_each_arm(K: Any, says: Callable[[Term], Formula]) -> Formula:
    """What `says` says, of each arm."""
    with binding("a"):
        said = says(var("a"))
    return All(("a",), is_arm(var("a"), K), said)


def kl_of_arms_at_most(pi: Policy, nu: Bandit, other: Bandit, T: Any, K: Any, costs: Costs) -> Formula:
    """D_KL(nu(a) || other(a)) <= costs(a) for each arm a that is played at all: E N_a(T) D_KL is 0 for E N_a(T) = 0."""

    def of_arm(a: Term) -> Formula:
        return when(lt(0, pulls(pi, nu, a, T)), then=kl_at_most(nu(a), other(a), costs(a)))

    return of_each_arm(K, of_arm)


def pulls_times(pi: Policy, nu: Bandit, T: Any, K: Any, costs: Costs) -> Term:
    """The sum of E N_a(T) costs(a) over the arms a."""
    return sum_of(lambda a: pulls(pi, nu, a, T) * term(costs(a)), K, "a")


def least_played(pi: Policy, nu: Bandit, arm: Any, T: Any, K: Any) -> Formula:
    """Of the arms 1 .. K - 1 none is played less often in the mean than this one."""
    a = var("a")
    with binding("a"):
        no_less = le(pulls(pi, nu, arm, T), pulls(pi, nu, a, T))
    return All(("a",), (*is_arm(a, K), lt(0, a)), no_less)


def whatever_arms_cost(pi: Policy, nu: Bandit, T: Any, K: Any) -> All:
    """E of the sum of price(a_t) over the rounds t < T is the sum of E N_a(T) price(a) over the arms."""

    def price(arm: Any) -> Term:
        return function_of("price", arm)

    def in_round(i: Term) -> Term:
        with binding("h", "q"):
            arm = pi(i, var("h"))
        return mean("h", histories(pi, nu, i), mean("q", arm, price(var("q"))))

    with binding("price"):
        by_arms = pulls_times(pi, nu, T, K, price)
    return All(("price",), (), eq(sum_of(in_round, T), by_arms))


def rounds_are_kept() -> Formula:
    """A history tells its last round: every function g(h, a, r) of what was before it, its arm and its reward is one of
    the history with this round, G(pair(pair(h, a), r)).
    """
    own_names("g", "h", "x", "r")
    h, x, r = map(var, "hxr")
    told = function_of("G", function_of("pair", function_of("pair", h, x), r))
    same = All(("h", "x", "r"), (), eq(told, function_of("g", h, x, r)))
    return All(("g",), (), there_is(("G",), same))


# ------------------------------------------------------------------------------------------------------------- regret


def first_arm_is_good(N: Bandit, gap: Any) -> Bandit:
    """The arms have the means (gap, 0, ..., 0)."""
    return lambda a: N(gap * the_same(a, 0))


def arm_is_better(N: Bandit, gap: Any, arm: Any) -> Bandit:
    """The same, and the mean 2 gap for this arm."""
    return lambda a: N(gap * the_same(a, 0) + 2 * gap * the_same(a, arm))


def regret(pi: Policy, N: Bandit, T: Any, K: Any, mean_of: Costs, top: Any) -> Term:
    """The sum of mean_of(top) - mean_of(a), times E N_a(T), over the arms a, which have laws of these means."""
    return pulls_times(pi, lambda a: N(mean_of(a)), T, K, lambda a: mean_of(top) - mean_of(a))


def only_good_arm(level: Any, arm: Any) -> Costs:
    """The mean of this arm is the level, and those of all others are 0."""
    return lambda a: level * the_same(a, arm)


def _mean_of(a: Term) -> Term:
    return function_of("mu", a)


def means_in_the_unit_interval(K: Any) -> tuple[Formula, ...]:
    """The arms have means mu(a) in [0, 1], and no arm is better than `top`."""
    best = _mean_of(var("top"))
    known = (lambda a: le(0, _mean_of(a))), (lambda a: le(_mean_of(a), 1)), (lambda a: le(_mean_of(a), best))
    return *is_arm(var("top"), K), *(of_each_arm(K, says) for says in known)


def regret_at_most(pi: Policy, N: Bandit, T: Any, K: Any, most: Any) -> All:
    """The regret is at most a number on all bandits of these laws with means in [0, 1]."""
    with binding("mu", "top"):
        given = means_in_the_unit_interval(K)
        then = le(regret(pi, N, T, K, _mean_of, var("top")), most)
    return All(("mu", "top"), given, then)
