"""Identification of the best arm: strategies that stop and recommend an arm, and how many rewards they need.

A strategy for K arms is a policy with 2 K actions: a < K samples the arm a, and K + a stops and recommends the arm a.
What is played then is the same for ever, and what is observed has the law with the name 0, on all bandits.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.kernel.asymptotics import Bandits, Class, Names, charge, theta_of
from banditproof.verify.kernel.bandits import Bandit, histories, of_each_arm
from banditproof.verify.kernel.couplings import private_divergence_at_most, variation_at_most
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.meanings import binding, function_of, own_names, sum_of
from banditproof.verify.kernel.policies import Policy, is_arm, the_same
from banditproof.verify.kernel.rules import eq, le, lt, mean, nat
from banditproof.verify.kernel.terms import All, Formula, Term, term, var


def is_sample(action: Any, K: Any) -> Term:
    """1 of an action that samples an arm, 0 of one that has stopped."""
    return Term("ind", (term(action) + 1, term(K)))


def answers_are_final(pi: Policy, K: Any) -> Formula:
    """After a round in which it has recommended an arm the strategy does so again."""
    i, h, a, r, x = map(var, "iharx")
    own_names("i", "h", "a", "r", "A", "x")
    after = function_of("pair", function_of("pair", h, K + a), r)
    again = eq(mean("x", pi(i, after), function_of("A", x)), function_of("A", K + a))
    return All(("i", "h", "a", "r", "A"), is_arm(a, K), again)


def observed(of: Class, theta: Names, K: Any) -> Bandit:
    """What the actions observe: rewards of the arm, and after the stop what all bandits have."""
    return lambda a: of.law(theta(a) * is_sample(a, K))


def chance(pi: Policy, nu: Bandit, n: Any, action: Any) -> Term:
    """The probability of an action in round n."""
    with binding("h", "q"):
        played = mean("q", pi(n, var("h")), the_same(var("q"), action))
    return mean("h", histories(pi, nu, n), played)


def samples(pi: Policy, nu: Bandit, K: Any, n: Any) -> Term:
    """E min(tau, n): how many of n rounds sample an arm."""

    def sampled(j: Term) -> Term:
        return mean("h", histories(pi, nu, j), mean("q", pi(j, var("h")), is_sample(var("q"), K)))

    return sum_of(sampled, n)


def _codes(of: Class, code: str) -> tuple[str, ...]:
    """What is said of a bandit besides the names of its laws: its code, where the class is one of whole bandits."""
    return (code,) if isinstance(of, Bandits) else ()


def _members(theta: Names, of: Class, K: Any, code: str) -> tuple[Formula, ...]:
    """The laws with these names are a bandit of the class."""
    a, bandit = var("a"), var(code)
    if not isinstance(of, Bandits):
        return tuple(All(("a",), is_arm(a, K), f) for f in of.holds(a, theta(a)))
    named = All(("a",), is_arm(a, K), eq(theta(a), function_of("of_bandit", bandit, a)))
    return eq(function_of("belongs", bandit), 1), named


def has_best_arm(theta: Names, top: Any, of: Class, K: Any, code: str = "bandit") -> tuple[Formula, ...]:
    """A bandit of the class with the one best arm `top`."""
    a, members = var("a"), _members(theta, of, K, code)
    others = *is_arm(a, K), lt(0, (a - top) * (a - top))
    return *members, *is_arm(top, K), All(("a",), others, lt(of.mean(theta(a)), of.mean(theta(top))))


def is_correct(pi: Policy, of: Class, K: Any, delta: Any) -> All:
    """delta-correct: on every bandit of the class it stops and recommends the best arm with probability 1 - delta.

    That is the supremum over the rounds n of the probability that it has done so: at most all that is at least these.
    """
    n, top = var("rounds"), var("top")
    with binding("theta", "top", "c", "rounds"):
        right = chance(pi, observed(of, theta_of, K), n, K + top)
    most = All(("rounds",), (nat(n),), le(right, var("c")))
    enough = All(("c",), (most,), le(1 - delta, var("c")))
    return All(("theta", "top", *_codes(of, "bandit")), has_best_arm(theta_of, top, of, K), enough)


def _alternative(a: Any) -> Term:
    return function_of("alternative", a)


def by_entropy(of: Class, K: Any) -> Formula:
    """D_KL(P_a || Q_a) <= charge(a) for all arms."""
    with binding("theta", "alternative", "charge"):
        laws = of.law(theta_of(var("a"))), of.law(_alternative(var("a")))
    return All(("a",), is_arm(var("a"), K), kl_at_most(*laws, charge(var("a"))))


def by_variation(of: Class, K: Any, epsilon: Any = 1) -> Formula:
    """epsilon TV(P_a || Q_a) <= charge(a) for all arms."""
    with binding("theta", "alternative", "charge"):
        laws = of.law(theta_of(var("a"))), of.law(_alternative(var("a")))
    return All(("a",), is_arm(var("a"), K), variation_at_most(*laws, charge(var("a")) / epsilon))


def by_private_divergence(of: Class, K: Any, epsilon: Any) -> Formula:
    """d_epsilon(P_a, Q_a) <= charge(a) for all arms."""
    with binding("theta", "alternative", "charge"):
        laws = of.law(theta_of(var("a"))), of.law(_alternative(var("a")))
    return All(("a",), is_arm(var("a"), K), private_divergence_at_most(*laws, epsilon, charge(var("a"))))


def game_is_at_most(of: Class, K: Any, prices: Formula, most: Any) -> All:
    """The value of the game is at most a number: sup over allocations omega, of inf over bandits with another best arm
    than `top` and their prices, of sum omega_a price_a.

    An infimum is at most a number if this is at least all that is at most the values. Prices are numbers, also of arms
    with omega_a = 0. To read 0 times infinity as 0 there gives the same value: what an allocation is
    worth is concave, and so the supremum is that over the allocations without a 0.
    """
    top, other = var("top"), var("rival_top")

    def share(a: Any) -> Term:
        return function_of("shares", a)

    own_names("shares", "alternative", "rival_top", "charge", "c", "a", "b")
    another = lt(0, (top - other) * (top - other))
    paid = sum_of(lambda b: share(b) * charge(b), K, "b")
    given = *has_best_arm(_alternative, other, of, K, "other_bandit"), another, prices
    least = All(("alternative", "rival_top", "charge", *_codes(of, "other_bandit")), given, le(var("c"), paid))
    allocation = of_each_arm(K, lambda a: le(0, share(a))), eq(sum_of(share, K, "b"), 1)
    return All(("shares", "c"), (*allocation, least), le(var("c"), most))


def samples_are_at_least(pi: Policy, of: Class, K: Any, prices: Formula, level: Any) -> All:
    """E tau >= T* level on every bandit of the class, where 1/T* is the value of the game with these prices.

    Of all numbers `duration` and `game` that E tau and that value are at most: the product is at least the level.
    """
    n, duration, game = var("rounds"), var("duration"), var("game")
    names = "theta", "top", "duration", "game", *_codes(of, "bandit")
    with binding(*names, "rounds"):
        taken = samples(pi, observed(of, theta_of, K), K, n)
    with binding(*names):
        value = game_is_at_most(of, K, prices, game)
    known = *has_best_arm(theta_of, var("top"), of, K), All(("rounds",), (nat(n),), le(taken, duration)), value
    return All(names, known, le(level, duration * game))
