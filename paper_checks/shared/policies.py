"""Finite policies on which two documents check what they define: random ones by number, named ones, their inputs."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.pairs import *
from banditproof.verify import FiniteKernel, largest_delta, random_kernel, random_law, reward_tables, table_law
from banditproof.verify.finite.kernels import RewardList
from banditproof.verify.privacy import enumeration
from banditproof.verify.privacy.interactive import Queries, interactive_law, post_processed_policy
from banditproof.verify.privacy.named_policies import PolicyName
from banditproof.verify.privacy.separation import off_path_kernel, read_off_kernel

EVERY_POLICY = Domain.of(T="integer [1, inf)", K="integer [1, inf)", policy="all: every policy")
OFF_PATH = "repeats the reward of an arm it hardly plays"
READ_OFF = "last reward chooses what is told"
READS_OFF = "a policy whose last action reveals the first reward in one of two ways, which reward $T-1$ selects"


def shapes(check: Check) -> list[dict[str, Any]]:
    """Random policies small enough that all inputs can be visited; longer horizons under the full profile."""
    sizes = [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2)] + check.pick([], [(4, 2)])
    return [{"T": T, "K": K, "policy": seed} for T, K in sizes for seed in range(check.pick(6, 30))]


def kernel(T: int, K: int, policy: int) -> FiniteKernel:
    """Random policy number ``policy``; some have arms of probability zero, some three rewards."""
    rewards = (0, 1, 2) if policy % 2 and T < 3 else (0, 1)
    return random_kernel(policy, T, K, rewards, smallest_weight=0 if policy % 3 == 2 else 1)


def some_policy(T: int, K: int, policy: Any) -> FiniteKernel:
    """Random policy number ``policy``, or a named one."""
    if policy == OFF_PATH:
        return off_path_kernel(Fraction(1, 10))
    return read_off_kernel(T) if policy == READ_OFF else kernel(T, K, policy)


def delta_under(notion: str, pi: FiniteKernel, ratio: Fraction) -> Fraction:
    """The smallest delta at e^epsilon = ratio."""
    return largest_delta(pi, notion, ratio).excess(ratio)


def delta(witness: enumeration.PrivacyWitness) -> Fraction:
    """The delta of a witness that was asked for one."""
    assert witness.delta is not None
    return witness.delta


def differing(r: RewardList, s: RewardList) -> int:
    return sum(x != y for x, y in zip(r, s, strict=True))


# Adversaries and tables that a number chooses.


def _chosen(size: int, *labels: Any) -> int:
    law = random_law(labels[0], labels[1:], size, 0, 10**6)
    return law.index(max(law))


def some_queries(seed: int, arms: int) -> Queries:
    """A query adversary that depends on all actions so far."""
    return lambda actions: _chosen(arms, seed, "ask", actions)


def some_table(pi: FiniteKernel, seed: int) -> tuple[tuple[Any, ...], ...]:
    """One of the reward tables."""
    tables = list(reward_tables(pi))
    return tables[(11 * seed + 5) % len(tables)]


# Relations that two documents state.


def table_mechanism_of_post_processed(T: int, K: int, policy: int) -> Sides:
    """The law of the view against eq. 3.1 for pi^B, as a number of sequences on which they differ."""
    pi, ask = kernel(T, K, policy), some_queries(policy + 1, K)
    table = some_table(pi, policy)
    view, mechanism = interactive_law(pi, ask, table), table_law(post_processed_policy(pi, ask), table)
    return sum(view[a] != mechanism[a] for a in view), "==", 0


# Policies in pairs of bandits.

Logarithms = tuple[tuple[int, Fraction], ...]
Prime = Annotated[Any, "integer [2, inf)"]
POLICIES = [{"policy": name} for name in (*RANDOM, *RESPONSES, *MESSENGERS)]
PLAYS = combinations([*RANDOM, *RESPONSES, *UNMOVED], TWO_ARMS) + combinations(MESSENGERS, ONE_MESSAGE)
COURIERS = combinations([["courier", Fraction(1, 10), Fraction(1, 10**8)]], [exposure("1/10"), exposure("1/4")])


def on_plays(over: Sequence[dict[str, Any]], *routes: str) -> enumerated:
    """The step that evaluates a relation on listed plays, which stand for nothing but themselves."""
    listed = list(over)
    return enumerated(
        listed,
        covers=lambda check: {name: f"all: {len(listed)} listed cases, {name}" for name in check.domain.sets},
        rational=True,
        routes=(routes[0], routes[1]) if routes else None,
    )


def in_prime_logarithms(terms: Iterable[tuple[Fraction, Fraction]]) -> Logarithms:
    """The sum of weight * log(ratio) as rational multiples of logarithms of primes, which is unique."""
    total: dict[int, Fraction] = defaultdict(Fraction)
    for weight, ratio in terms:
        for number, sign in ((ratio.numerator, 1), (ratio.denominator, -1)):
            for prime, power in _factors(number):
                total[prime] += sign * power * weight
    return tuple(sorted((prime, value) for prime, value in total.items() if value))


def in_the_logarithm(prime: int, terms: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """The coefficient of this logarithm in that sum; 0 for what is no prime."""
    return dict(in_prime_logarithms(terms)).get(prime, Fraction(0))


def at_primes(
    cases: Callable[[], Iterable[dict[str, Any]]], *sides: Callable[..., Any], routes: tuple[str, str] | None = None
) -> enumerated:
    """The step that compares two sums of logarithms in every prime that occurs in one of them, and in log 2."""

    def primes(case: dict[str, Any]) -> list[int]:
        return sorted({2}.union(*({p for p, _ in in_prime_logarithms(side(**case))} for side in sides)))

    return enumerated(
        lambda check: [{**case, "prime": p} for case in cases() for p in primes(case)], rational=True, routes=routes
    )


def play_terms(policy: PolicyName, environment: Environment) -> list[tuple[Fraction, Fraction]]:
    """What sums up to D_KL(p, q) in the coupled environment of two bandits."""
    return [(p, p / q) for p, q in play(policy, environment).cells.values() if p]


@quantity
def play_in_the_logarithm(prime: int, policy: PolicyName, environment: Environment) -> Fraction:
    """The coefficient of log prime in D_KL(p, q) of the coupled environment."""
    return in_the_logarithm(prime, play_terms(policy, environment))


@cache
def _factors(number: int) -> tuple[tuple[int, int], ...]:
    from flint import fmpz

    return tuple((int(prime), int(power)) for prime, power in fmpz(number).factor())
