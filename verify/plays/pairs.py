"""Finite policies and pairs of bandits on which the thesis' decompositions of divergences are enumerated.

A policy is a list that evidence can store: those of `coupled_environment`, and two that pass rewards on as actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import FiniteKernel, History, Row
from banditproof.verify.plays import coupled as coupled_environment
from banditproof.verify.plays.kl_decompositions import CoupledPlay, coupled_play
from banditproof.verify.privacy.enumeration import view_epsilon
from banditproof.verify.privacy.interactive_rho import strongest_interactive_rho

PolicyName = Sequence[Any]
Environment = Sequence[Any]  # means of the arms, and of the arms of the other bandit

CERTAIN = Fraction(1)


def messenger(ratio: Fraction) -> FiniteKernel:
    """T = 2, K = 3: arm 0 first, then arm 1 or 2 by randomised response on its reward, with odds `ratio`."""
    likely = ratio / (1 + ratio)

    def row(history: History) -> Row:
        if not history:
            return CERTAIN, Fraction(0), Fraction(0)
        told = likely if history[0][1] else 1 - likely
        return Fraction(0), told, 1 - told

    return FiniteKernel(2, 3, (0, 1), row)


def courier(error: Fraction, decay: Fraction) -> FiniteKernel:
    """T = 3, K = 5: arm 0 first; after a reward arm 1, else arm 2, each wrongly with probability `error`; at last one
    of the arms 2, 3, 4 for a noisy sum of both rewards, arm 2 + k with weight decay^((k - sum)^2)."""
    weights = [[decay ** ((k - total) ** 2) for k in range(3)] for total in range(3)]

    def row(history: History) -> Row:
        rewards = [int(reward) for _, reward in history]
        if not rewards:
            return CERTAIN, *(Fraction(0),) * 4
        if len(rewards) == 1:
            told = 1 - error if rewards[0] else error
            return Fraction(0), told, 1 - told, Fraction(0), Fraction(0)
        masses = weights[sum(rewards)]
        return Fraction(0), Fraction(0), *(mass / sum(masses) for mass in masses)

    return FiniteKernel(3, 5, (0, 1), row)


@cache
def _named(name: tuple[Any, ...]) -> FiniteKernel:
    kind, *parameters = name
    if kind == "messenger":
        return messenger(*map(Fraction, parameters))
    if kind == "courier":
        return courier(*map(Fraction, parameters))
    return coupled_environment.policy_named(name)


def policy_named(name: PolicyName) -> FiniteKernel:
    """The policy of that name."""
    return _named(tuple(name))


@cache
def _ratio(name: tuple[Any, ...]) -> Fraction:
    return Fraction(view_epsilon(_named(name)).ratio)


def view_ratio(name: PolicyName) -> Fraction:
    """e^epsilon of the tightest epsilon-View privacy, exactly."""
    return _ratio(tuple(name))


@cache
def _rho(name: tuple[Any, ...]) -> Fraction:
    upper = strongest_interactive_rho(_named(name)).upper
    if not isinstance(upper, Fraction):
        raise InvalidInput("policy", name, "a policy with finite likelihood ratios")
    return upper


def interactive_rho(name: PolicyName) -> Fraction:
    """A rho for which the policy certainly is rho-Interactive zCDP: the upper end of an enclosure of the tightest."""
    return _rho(tuple(name))


@cache
def _play(name: tuple[Any, ...], means: tuple[Fraction, ...], others: tuple[Fraction, ...]) -> CoupledPlay:
    return coupled_play(_named(name), means, others)


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
