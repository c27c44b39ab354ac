"""What holds from some round on, or up to a constant: consistent policies, their regret, and tails of noisy sums.

The laws of a class have names; the class of an arm is those that are its members, member(a, theta) = 1. A bandit is the
name theta(a) of a law for each arm. log T is the number whose exponential is T.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.verify.kernel.bandits import of_each_arm, pulls_times
from banditproof.verify.kernel.divergences import kl_at_most
from banditproof.verify.kernel.meanings import binding, exp, function_of, own_names, sum_of, there_is, when
from banditproof.verify.kernel.policies import Policy, is_arm
from banditproof.verify.kernel.rules import eq, le, lt, nat
from banditproof.verify.kernel.terms import All, Formula, Term, var

Names = Callable[[Any], Term]  # of an arm, the name of its law
OfNames = Callable[[Any], Term]  # of a name, the law or its mean


def from_some_round_on(says: Callable[[Term, Term], Formula]) -> All:
    """What `says` says of T and log T, for all T from some number on."""
    rounds, log = var("rounds"), var("log_rounds")
    with binding("rounds", "log_rounds", "since"):
        said = says(rounds, log)
    large = nat(rounds), le(var("since"), rounds), eq(exp(log), rounds)
    return there_is(("since",), le(0, var("since")), All(("rounds", "log_rounds"), large, said))


def is_bandit(theta: Names, top: Any, worth: OfNames, K: Any) -> tuple[Formula, ...]:
    """A bandit of the class, of which no arm has a larger mean than `top`."""
    member = of_each_arm(K, lambda a: eq(function_of("member", a, theta(a)), 1))
    return member, *is_arm(top, K), of_each_arm(K, lambda a: le(worth(theta(a)), worth(theta(top))))


def regret_on(pi: Policy, laws: OfNames, worth: OfNames, theta: Names, top: Any, T: Any, K: Any) -> Term:
    """The sum of the gaps of the arms, each times how often the arm is played in the mean."""
    return pulls_times(pi, lambda a: laws(theta(a)), T, K, lambda a: worth(theta(top)) - worth(theta(a)))


def _theta(a: Any) -> Term:
    return function_of("theta", a)


def consistent(pi: Policy, laws: OfNames, worth: OfNames, K: Any) -> All:
    """Reg_T/T^p tends to 0 for every bandit of the class and every p > 0."""
    top, growth, small = var("top"), var("growth"), var("small")
    with binding("theta", "top", "growth", "small"):
        known = is_bandit(_theta, top, worth, K)
        then = from_some_round_on(
            lambda T, log: le(regret_on(pi, laws, worth, _theta, top, T, K), small * exp(growth * log))
        )
    return All(("theta", "top", "growth", "small"), (*known, lt(0, growth), lt(0, small)), then)


def regret_is_at_least(pi: Policy, laws: OfNames, worth: OfNames, K: Any) -> All:
    """liminf Reg_T/log T is at least the sum of gap/KL_inf over the suboptimal arms of every bandit of the class.

    KL_inf is the infimum of the divergences from the law of the arm to one of its class whose mean is larger than the
    best one. So the sum is the supremum of sums of rates: a rate is at least 0, and if it is larger, then the arm has a
    gap, there is such an alternative, and the rate times the divergence is below the gap.
    """
    top, own_names_of = var("top"), ("theta", "top", "alternative", "charge", "speed")
    own_names("a")

    def rate(a: Any) -> Term:
        return function_of("speed", a)

    def other(a: Any) -> Term:
        return function_of("alternative", a)

    def cost(a: Any) -> Term:
        return function_of("charge", a)

    with binding(*own_names_of):
        best = worth(_theta(top))
        of_positive: tuple[Callable[[Term], Formula], ...] = (
            lambda a: lt(worth(_theta(a)), best),
            lambda a: eq(function_of("member", a, other(a)), 1),
            lambda a: lt(best, worth(other(a))),
            lambda a: kl_at_most(laws(_theta(a)), laws(other(a)), cost(a)),
            lambda a: lt(rate(a) * cost(a), best - worth(_theta(a))),
        )
        rates = of_each_arm(K, lambda a: le(0, rate(a)))
        known = tuple(of_each_arm(K, lambda a, f=f: when(lt(0, rate(a)), then=f(a))) for f in of_positive)
        total = sum_of(rate, K, "b")
        then = from_some_round_on(lambda T, log: le(total * log, regret_on(pi, laws, worth, _theta, top, T, K)))
    return All(own_names_of, (*is_bandit(_theta, top, worth, K), rates, *known), then)


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
