"""The coupled environment behind the regret lower bound, in exact arithmetic.

A policy plays an instance whose last arm has mean `mu`. At each of its pulls a second reward is drawn along with the
first, as if the mean were `mu_prime`, and the two differ as rarely as possible; the policy sees the first only. All
that the proof asks of a run are three counts of the last arm: how often it was pulled, at how many pulls the rewards
differed, and how many second rewards were one.

Source: BDP-D3.2, BDP-S3.5, BDP-LC.1, BDP-LC.3, BDP-LC.5
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, lcm
from typing import Any

from banditproof.theory import exp, kl_bernoulli, log, maximal_coupling, to_ball
from banditproof.verify.finite.kernels import History, Reward
from banditproof.verify.finite.output_laws import history_law
from banditproof.verify.privacy.named_policies import PolicyName, policy_named

Counts = tuple[int, int, int]  # pulls of the last arm, pulls at which the rewards differ, second rewards that are one


def instance(mu_1: Fraction, last: Fraction, arms: int) -> tuple[Fraction, ...]:
    """Means (mu_1, ..., mu_1, last): all arms but the last are optimal as long as last <= mu_1."""
    return (Fraction(mu_1),) * (arms - 1) + (Fraction(last),)


@cache
def _coupled_law(name: tuple, means: tuple[Fraction, ...], mu_prime: Fraction) -> dict[Counts, Fraction]:
    kernel = policy_named(name)
    last = kernel.arms - 1
    couplings = [maximal_coupling(mean, mean) for mean in means[:-1]] + [maximal_coupling(means[-1], mu_prime)]
    reached: dict[tuple[History, Counts], Fraction] = {((), (0, 0, 0)): Fraction(1)}
    for _ in range(kernel.horizon):
        after: dict[tuple[History, Counts], Fraction] = defaultdict(Fraction)
        for (history, (pulls, differing, ones)), weight in reached.items():
            for arm, chance in enumerate(kernel.probability(history)):
                for (seen, other), mass in couplings[arm].items():
                    counts = (pulls + (arm == last), differing + (seen != other), ones + (arm == last and other))
                    after[(*history, (arm, seen)), counts] += weight * chance * mass
        reached = after
    law: dict[Counts, Fraction] = defaultdict(Fraction)
    for (_, counts), weight in reached.items():
        law[counts] += weight
    return dict(law)


def coupled_law(name: PolicyName, mu_1: Fraction, mu: Fraction, mu_prime: Fraction) -> dict[Counts, Fraction]:
    """The exact law of the three counts in the coupled environment (step 1 of the proof)."""
    arms = policy_named(name).arms
    return _coupled_law(tuple(name), instance(mu_1, mu, arms), Fraction(mu_prime))


@cache
def _pulls_law(name: tuple, means: tuple[Fraction, ...]) -> dict[int, Fraction]:
    kernel = policy_named(name)
    laws: tuple[dict[Reward, Fraction], ...] = tuple(
        {r: m for r, m in ((0, 1 - mean), (1, mean)) if m} for mean in means
    )
    law: dict[int, Fraction] = defaultdict(Fraction)
    for history, weight in history_law(kernel, laws).items():
        law[sum(arm == kernel.arms - 1 for arm, _ in history)] += weight
    return dict(law)


def pulls_law(name: PolicyName, mu_1: Fraction, mu: Fraction) -> dict[int, Fraction]:
    """The exact law of the number of pulls of the last arm, straight from the law of histories (BDP-EQ1)."""
    return _pulls_law(tuple(name), instance(mu_1, mu, policy_named(name).arms))


def few_pulls(law: dict[int, Fraction], n_2: Fraction) -> Fraction:
    """P(N_2(T) <= n_2)."""
    return sum((mass for pulls, mass in law.items() if pulls <= n_2), Fraction(0))


def expected_pulls(law: dict[int, Fraction]) -> Fraction:
    """E[N_2(T)]."""
    return sum((pulls * mass for pulls, mass in law.items()), Fraction(0))


def probability(law: dict[Counts, Fraction], event: Callable[[int, int, int], bool]) -> Fraction:
    """The probability of an event that the three counts decide."""
    return sum((mass for counts, mass in law.items() if event(*counts)), Fraction(0))


def rarely_different(differing: int, n_2: Fraction, alpha: Fraction, variation: Fraction) -> bool:
    """The event L: the rewards differ at no more than (1 + alpha) n_2 TV pulls."""
    return differing <= (1 + alpha) * n_2 * variation


def likely(pulls: int, ones: int, n_2: Fraction, alpha: Fraction, mu_prime: Fraction, mu_alt: Fraction) -> bool:
    """The event A: the log-likelihood ratio of the second rewards is at most (1 + alpha) n_2 kl(mu_prime, mu_alt).

    With the terms of both sides collected it reads u log(mu'/mu'') + v log((1-mu')/(1-mu'')) <= 0, which rationals
    decide, ties included. Rewards that mu_prime never pays do not occur.
    """
    if mu_prime == mu_alt or mu_alt in (0, 1):
        return True  # both sides are 0, or the right side is infinite
    bound = (1 + alpha) * n_2
    sides = [(ones, mu_prime, mu_alt), (pulls - ones, 1 - mu_prime, 1 - mu_alt)]
    terms = [(count - bound * chance, Fraction(chance) / alt) for count, chance, alt in sides if chance]
    total = sum(to_ball(weight) * log(to_ball(ratio)) for weight, ratio in terms)
    if total < 0 or total > 0:
        return bool(total < 0)
    scale = lcm(*(Fraction(weight).denominator for weight, _ in terms))
    product = Fraction(1)
    for weight, ratio in terms:
        product *= ratio ** int(weight * scale)
    return product <= 1


def walk_crosses(n: int | Fraction, alpha: Fraction, mu_prime: Fraction, mu_alt: Fraction) -> Any:
    """P(max over m <= n of W_1 + ... + W_m > (1 + alpha) n kl), a ball; W = log dP'/dP'' at a reward from P'.

    Walks on the lattice of (ones, zeros) are followed until they first cross.
    """
    mu_prime = Fraction(mu_prime)
    one, zero = to_ball(mu_prime), to_ball(1 - mu_prime)
    inside, crossed = {0: to_ball(1)}, to_ball(0)
    for m in range(1, int(n) + 1):
        after: dict[int, Any] = defaultdict(lambda: to_ball(0))
        for ones, mass in inside.items():
            for step, chance in ((1, one), (0, zero)):
                if chance == 0:
                    continue
                if likely(m, ones + step, Fraction(n), alpha, mu_prime, mu_alt):
                    after[ones + step] += mass * chance
                else:
                    crossed += mass * chance
        inside = after
    return crossed


def walk_bound(n: Any, alpha: Fraction, mu_prime: Fraction, mu_alt: Fraction) -> Any:
    """exp(-2 alpha^2 n kl^2 / R^2), R the distance of the two values of W: a ball, an upper bound of `walk_crosses`.

    As kl >= 0, the sum after m <= n steps exceeds (1 + alpha) n kl only if its martingale part exceeds alpha n kl, and
    Doob's inequality extends Hoeffding's bound to the maximum. For real n >= 1 it bounds the walk of floor(n) steps.
    Where W has one value only, or is unbounded and A certain, the walk does not cross and the bound is 0.
    """
    if mu_prime in (0, 1) or mu_alt in (0, 1) or mu_prime == mu_alt:
        return to_ball(0)
    spread = log(to_ball(Fraction((1 - mu_prime) * mu_alt) / (mu_prime * (1 - mu_alt))))
    return exp(-2 * to_ball(n) * (to_ball(alpha) * kl_bernoulli(to_ball(mu_prime), to_ball(mu_alt)) / spread) ** 2)


def binomial_tail(n: int | Fraction, p: Fraction, threshold: Fraction) -> Fraction:
    """P(Bin(floor(n), p) > threshold), exactly."""
    trials, p = int(n), Fraction(p)
    masses = (comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1) if k > threshold)
    return sum(masses, Fraction(0))


def binomial_bound(n: Any, alpha: Fraction, p: Fraction) -> Any:
    """exp(-n kl((1 + alpha) p, p)) >= P(Bin(floor(n), p) > (1 + alpha) n p), a ball; 0 where that event is empty."""
    level = (1 + alpha) * p
    if p == 0 or level >= 1:
        return to_ball(0)
    return exp(-to_ball(n) * kl_bernoulli(to_ball(level), to_ball(p)))


def transport_cost(mu: Fraction, mu_prime: Fraction, mu_alt: Fraction, epsilon: Any) -> Any:
    """epsilon TV(P_2, P_2') + kl(mu_2', mu_2''), a ball: the price per pull of the double change of environment."""
    return to_ball(epsilon) * to_ball(abs(mu_prime - mu)) + kl_bernoulli(to_ball(mu_prime), to_ball(mu_alt))
