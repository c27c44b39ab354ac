"""Bandits with finitely many histories: the random policies and laws that several chapters try, and exact regrets."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims import Check, enumerated
from banditproof.verify.finite.kernels import Reward

Law = dict[Any, Fraction]
PolicyAndLaws = Annotated[Any, "all: every policy and reward laws"]


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
