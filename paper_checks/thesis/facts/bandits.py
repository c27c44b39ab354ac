"""Bandits with finitely many histories: the random policies and laws that several chapters try, and exact regrets."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Annotated, Any

from banditproof.claims.check import Check
from banditproof.claims.steps import enumerated
from banditproof.verify import FiniteKernel, random_kernel, random_law
from banditproof.verify.finite.kernels import History, Reward

Law = dict[Any, Fraction]
Answer = Callable[[History, int], Mapping[Reward, Fraction]]  # history, arm -> law of the reward
PolicyAndLaws = Annotated[Any, "all: every policy and reward laws"]

VALUES = (Fraction(-1), Fraction(0), Fraction(3, 2))


@cache
def bandit(policy: int, horizon: int, arms: int, environment: int = 0) -> tuple[FiniteKernel, tuple[Law, ...]]:
    """Random rational policy number `policy` on rewards of either sign, and random laws of the arms."""
    laws = (random_law(policy, ("law", environment, arm), len(VALUES), 0) for arm in range(arms))
    kernel = random_kernel(policy, horizon, arms, VALUES, smallest_weight=0)
    return kernel, tuple(dict(zip(VALUES, law, strict=True)) for law in laws)


def small_bandits(check: Check) -> list[dict[str, Any]]:
    sizes = [(T, K) for T in range(1, 4) for K in range(1, 4) if K**T < 20]
    return [{"policy": seed, "horizon": T, "arms": K} for T, K in sizes for seed in range(check.pick(2, 8))]


def on_bandits(left: str, right: str) -> enumerated:
    """The step that evaluates a relation of policy, horizon and arms on random bandits, exactly."""
    return enumerated(small_bandits, rational=True, routes=(left, right))


def means(laws: Iterable[Mapping[Reward, Fraction]]) -> list[Fraction]:
    return [sum((r * p for r, p in law.items()), Fraction(0)) for law in laws]


def expected(law: Mapping[Any, Fraction], value: Callable[[Any], Any]) -> Fraction:
    """The expectation of a function of the outcome."""
    return sum((weight * value(outcome) for outcome, weight in law.items()), Fraction(0))


def differences(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction]) -> int:
    """At how many outcomes two laws differ."""
    return sum(left.get(key, 0) != right.get(key, 0) for key in {*left, *right})


def played(kernel: FiniteKernel, answer: Answer) -> Law:
    """The law of histories: round after round sample an arm from the policy, then the reward from the answer."""
    reached: Law = {(): Fraction(1)}
    for _ in range(kernel.horizon):
        after: Law = defaultdict(Fraction)
        for history, weight in reached.items():
            for arm, chance in enumerate(kernel.probability(history)):
                for reward, mass in answer(history, arm).items():
                    after[(*history, (arm, reward))] += weight * chance * mass
        reached = after
    return dict(reached)
