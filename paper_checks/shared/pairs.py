"""Named policies and pairs of bandits on which decompositions of divergences are enumerated."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.verify.finite.coupled_play import CoupledPlay, coupled_play
from banditproof.verify.privacy.named_policies import PolicyName, policy_named

Environment = Sequence[Any]  # means of the arms, and of the arms of the other bandit


@cache
def _play(name: tuple[Any, ...], means: tuple[Fraction, ...], others: tuple[Fraction, ...]) -> CoupledPlay:
    return coupled_play(policy_named(name), means, others)


def play(name: PolicyName, environment: Environment) -> CoupledPlay:
    """The policy in the coupled environment of two Bernoulli bandits."""
    means, others = (tuple(map(Fraction, side)) for side in environment)
    return _play(tuple(name), means, others)


def fractions(*numbers: str) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


TWO_ARMS: list[list[list[Fraction]]] = [
    [fractions("1/2", "1/3"), fractions("1/4", "2/3")],
    [fractions("9/10", "1/2"), fractions("1/10", "1/2")],
    [fractions("1", "0"), fractions("0", "1")],
    [fractions("1/100", "1"), fractions("0", "1/2")],
]
RANDOM: list[list[Any]] = [["random", seed, 3, 2] for seed in range(5)] + [["random", seed, 2, 2] for seed in range(3)]
RESPONSES: list[list[Any]] = [["response", Fraction(3), 3, 2], ["response", Fraction(99), 3, 2]]
UNMOVED: list[list[Any]] = [["constant", Fraction(1, 3), 3, 2], ["random", 0, 1, 2]]
ONE_MESSAGE: list[list[list[Fraction]]] = [
    [fractions("1", "0", "0"), fractions("0", "0", "0")],
    [fractions("99/100", "1/2", "1/2"), fractions("0", "1/2", "1/2")],
]
MESSENGERS: list[list[Any]] = [["messenger", Fraction(3)], ["messenger", Fraction(99)]]


def exposure(p: str) -> list[list[Fraction]]:
    """Arm 0 pays with probability p, arm 1 always, in the first bandit; nothing pays in the other."""
    return [fractions(p, "1", "0", "0", "0"), fractions("0", "0", "0", "0", "0")]


def combinations(policies: Sequence[PolicyName], environments: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"policy": list(policy), "environment": e} for policy in policies for e in environments]
