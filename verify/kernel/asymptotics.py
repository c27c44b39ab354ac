"""What holds from some round on, or up to a constant: consistent policies, their regret, and tails of noisy sums.

The laws of a class have names; the class of an arm is those that are its members, member(a, theta) = 1. A bandit is the
name theta(a) of a law for each arm. log T is the number whose exponential is T.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from banditproof.verify.kernel.bandits import of_each_arm, pulls_times
from banditproof.verify.kernel.couplings import private_divergence_at_most, variation_at_most
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.meanings import binding, either, exp, function_of, own_names, sum_of, there_is, when
from banditproof.verify.kernel.policies import Policy, is_arm, lists, private_on, queries, zcdp_on
from banditproof.verify.kernel.rules import eq, le, lt, nat
from banditproof.verify.kernel.terms import All, Formula, Term, term, var

Names = Callable[[Any], Term]  # of an arm, the name of its law
OfNames = Callable[[Any], Any]  # of a name, the law or its mean


@dataclass(frozen=True)
class Class:
    """Laws with names, their means, and of which names there are laws that an arm may have."""

    law: OfNames
    mean: OfNames
    holds: Callable[[Any, Any], tuple[Formula, ...]] = lambda a, theta: (eq(function_of("member", a, theta), 1),)


class Bandits(Class):
    """Any class of bandits, in which a law of one arm may tell the laws of others: one for each code with
    belongs(code) = 1, of which the law of the arm a has the name of_bandit(code, a)."""


def bernoulli(theta: Any) -> Term:
    """The law of a reward that is 1 with the probability theta and else 0: of 1[u <= theta], u uniform on [0, 1]."""
    own_names("v")
    reward = Term("dirac", (Term("ind", (var("v"), term(theta))),))
    return Term("mix", (("v",), Term("law", ("Unit",)), reward))


BERNOULLI = Class(bernoulli, lambda theta: theta, lambda a, theta: (le(0, theta), le(theta, 1)))


@dataclass(frozen=True)
class Price:
    """What the numbers and laws with these names are if the law P of an arm a is changed to Q, and what that costs."""

    names: tuple[str, ...]
    says: Callable[[Any, Term, Term], tuple[Formula, ...]]
    cost: Callable[[Any], Any]


def charge(a: Any) -> Term:
    """The number that the law of an arm costs to change."""
    return function_of("charge", a)


DIVERGENCE = Price(("charge",), lambda a, P, Q: (kl_at_most(P, Q, charge(a)),), charge)
"""D_KL(P || Q)."""


def cheaper_change(epsilon: Any) -> Price:
    """min{D_KL(P || Q), epsilon TV(P || Q)}."""

    def says(a: Any, P: Term, Q: Term) -> tuple[Formula, ...]:
        return (either(kl_at_most(P, Q, charge(a)), variation_at_most(P, Q, charge(a) / epsilon)),)

    return Price(("charge",), says, charge)


def private_divergence(epsilon: Any) -> Price:
    """d_epsilon(P, Q)."""
    return Price(("charge",), lambda a, P, Q: (private_divergence_at_most(P, Q, epsilon, charge(a)),), charge)


def double_change(of: Class, epsilon: Any) -> Price:
    """epsilon TV(P || R) + D_KL(R || Q) of some law R with a name."""

    def tv(a: Any) -> Term:
        return function_of("tv", a)

    def says(a: Any, P: Term, Q: Term) -> tuple[Formula, ...]:
        R = of.law(function_of("middle", a))
        return variation_at_most(P, R, tv(a)), kl_at_most(R, Q, charge(a))

    return Price(("middle", "tv", "charge"), says, lambda a: epsilon * tv(a) + charge(a))


def at_every_horizon(says: Callable[[Term], Formula]) -> All:
    """What `says` says of the number T of the rounds, whatever it is."""
    T = var("horizon")
    with binding("horizon"):
        said = says(T)
    return All(("horizon",), (nat(T),), said)


def private_at_every_horizon(pi: Policy, epsilon: Any) -> All:
    """epsilon-View DP, whatever the number T of the rounds is."""
    return at_every_horizon(lambda T: private_on(lists(pi, T), epsilon))


def zcdp_at_every_horizon(pi: Policy, K: Any, rho: Any) -> All:
    """rho-Interactive zCDP, whatever the number T of the rounds is."""
    return at_every_horizon(lambda T: zcdp_on(queries(pi, T, K), rho))


def zcdp_of_actions_at_every_horizon(pi: Policy, rho: Any) -> All:
    """The same where an action is any point, and an adversary asks for any of them."""
    return zcdp_at_every_horizon(pi, None, rho)


def from_some_round_on(says: Callable[[Term, Term], Formula], *numbers: str) -> All:
    """What `says` says of T and log T, for all T from some number on; perhaps with more `numbers` of at least 0."""
    rounds, log, names = var("rounds"), var("log_rounds"), ("since", *numbers)
    with binding("rounds", "log_rounds", *names):
        said = says(rounds, log)
    large = nat(rounds), le(var("since"), rounds), eq(exp(log), rounds)
    return there_is(names, *(le(0, var(name)) for name in names), All(("rounds", "log_rounds"), large, said))


def is_bandit(theta: Names, top: Any, of: Class, K: Any) -> tuple[Formula, ...]:
    """A bandit of the class, of which no arm has a larger mean than `top`."""
    with binding("a"):
        members = of.holds(var("a"), theta(var("a")))
    of_arms = (All(("a",), is_arm(var("a"), K), f) for f in members)
    return *of_arms, *is_arm(top, K), of_each_arm(K, lambda a: le(of.mean(theta(a)), of.mean(theta(top))))


def regret_on(pi: Policy, of: Class, theta: Names, top: Any, T: Any, K: Any) -> Term:
    """The sum of the gaps of the arms, each times how often the arm is played in the mean."""
    return pulls_times(pi, lambda a: of.law(theta(a)), T, K, lambda a: of.mean(theta(top)) - of.mean(theta(a)))


def theta_of(a: Any) -> Term:
    """The name of the law of an arm."""
    return function_of("theta", a)


def consistent(pi: Policy, of: Class, K: Any) -> All:
    """Reg_T/T^p tends to 0 for every bandit of the class and every p > 0."""
    top, growth, small = var("top"), var("growth"), var("small")
    with binding("theta", "top", "growth", "small"):
        known = is_bandit(theta_of, top, of, K)
        then = from_some_round_on(lambda T, log: le(regret_on(pi, of, theta_of, top, T, K), small * exp(growth * log)))
    return All(("theta", "top", "growth", "small"), (*known, lt(0, growth), lt(0, small)), then)


def logarithmic(pi: Policy, of: Class, K: Any) -> All:
    """Reg_T is at most a number times log T from some round on, for every bandit of the class."""
    top, constant = var("top"), var("constant")
    with binding("theta", "top"):
        known = is_bandit(theta_of, top, of, K)
        then = from_some_round_on(lambda T, log: le(regret_on(pi, of, theta_of, top, T, K), constant * log), "constant")
    return All(("theta", "top"), known, then)


def regret_is_its_gap(pi: Policy, of: Class, T: Any, K: Any, arm: Any) -> All:
    """Reg_T is T times the gap of this arm, for all names of laws and whatever the best arm is."""
    top = var("top")
    with binding("theta", "top"):
        gap = of.mean(theta_of(top)) - of.mean(theta_of(arm))
        then = eq(regret_on(pi, of, theta_of, top, T, K), T * gap)
    return All(("theta", "top"), (), then)


def is_always_best(of: Class, K: Any, arm: Any) -> All:
    """No arm of a bandit of the class has a larger mean than this one."""
    with binding("theta", "top"):
        known, no_more = (
            is_bandit(theta_of, var("top"), of, K),
            le(of.mean(theta_of(var("top"))), of.mean(theta_of(arm))),
        )
    return All(("theta", "top"), known, no_more)


def _speed(a: Any) -> Term:
    return function_of("speed", a)


def regret_is_at_least(pi: Policy, of: Class, K: Any, price: Price = DIVERGENCE) -> All:
    """liminf Reg_T/log T is at least the sum of gap/price over the suboptimal arms of every bandit of the class.

    The price of an arm is the infimum of what it costs to change its law to one of its class whose mean is larger than
    the best one: by default KL_inf. So the sum is the supremum of sums of rates: a rate is at least 0, and if it is
    larger, then the arm has a gap, there is such an alternative, and the rate times its cost is below the gap.
    """
    top, names = var("top"), ("theta", "top", "alternative", *price.names, "speed")
    own_names("a")

    def other(a: Any) -> Term:
        return function_of("alternative", a)

    with binding(*names):
        a, best = var("a"), of.mean(theta_of(top))
        of_positive = (
            *of.holds(a, other(a)),
            lt(best, of.mean(other(a))),
            *price.says(a, of.law(theta_of(a)), of.law(other(a))),
        )
        given, then = _rates(pi, of, K, of_positive, price.cost)
    return All(names, given, then)


def bernoulli_regret_is_at_least(pi: Policy, K: Any, epsilon: Any) -> All:
    """liminf Reg_T/log T is at least the sum of gap/d_epsilon(mu_a, mu_top) over the suboptimal arms of every Bernoulli
    bandit with mu_top < 1.

    d_epsilon(x, y) is the infimum of epsilon (z - x) + kl(z, y) over z from x on, kl being D_KL of Bernoulli laws.
    """
    top, names = var("top"), ("theta", "top", "middle", "charge", "speed")
    own_names("a")

    def middle(a: Any) -> Term:
        return function_of("middle", a)

    with binding(*names):
        a, best = var("a"), theta_of(top)
        of_positive = le(theta_of(a), middle(a)), kl_at_most(bernoulli(middle(a)), bernoulli(best), charge(a))
        given, then = _rates(pi, BERNOULLI, K, of_positive, lambda a: epsilon * (middle(a) - theta_of(a)) + charge(a))
    return All(names, (lt(best, 1), *given), then)


def _rates(
    pi: Policy, of: Class, K: Any, of_positive: tuple[Formula, ...], cost: Callable[[Any], Any]
) -> tuple[tuple[Formula, ...], All]:
    """What a bandit and the rates of its arms are, and that from some round on the regret is at least their sum."""
    a, top = var("a"), var("top")
    gap = of.mean(theta_of(top)) - of.mean(theta_of(a))
    suboptimal = lt(of.mean(theta_of(a)), of.mean(theta_of(top)))
    known = suboptimal, *of_positive, lt(_speed(a) * cost(a), gap)
    rates = of_each_arm(K, lambda a: le(0, _speed(a)))
    positive = (of_each_arm(K, lambda a, f=f: when(lt(0, _speed(a)), then=f)) for f in known)
    total = sum_of(_speed, K, "b")
    then = from_some_round_on(lambda T, log: le(total * log, regret_on(pi, of, theta_of, top, T, K)))
    return (*is_bandit(theta_of, top, of, K), rates, *positive), then


# -------------------------------------------------------------------------------------- sums of coins and noise terms


def for_each_sum(says: Callable[[Term, Term], Formula]) -> All:
    """What `says` says of m and n_m, for all m = 0, 1, ...; each n_m is at least 1."""
    m, n = var("terms"), var("count")
    with binding("terms", "count"):
        said = says(m, n)
    is_number = eq(function_of("samples", m, n), 1)
    return All(("terms", "count"), (nat(m), nat(n), le(1, n), is_number), said)


def terms_are_few() -> All:
    """m/n_m tends to 0."""
    small, since = var("small"), var("since")
    with binding("small", "since"):
        later = for_each_sum(lambda m, n: when(le(since, m), then=le(m, small * n)))
    return All(("small",), (lt(0, small),), there_is(("since",), le(0, since), later))


def for_some_constant(says: Callable[[Term], tuple[Formula, ...]]) -> All:
    """Some number above 0 is a constant of which all that `says` says holds."""
    with binding("constant"):
        said = says(var("constant"))
    return there_is(("constant",), lt(0, var("constant")), *said)
