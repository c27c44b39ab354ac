"""Finite policies by names that evidence can store, and how private they are, exactly.

A name is a list: ["random", seed, T, K], ["response", odds, T, K] (randomised response), ["probe", odds, T, K],
["constant", probability of the first arm, T, K], ["only", number of the arm from 1, T, K], ["messenger", odds] or
["courier", error, decay].
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.finite.kernels import (
    FiniteKernel,
    History,
    Reward,
    Row,
    random_kernel,
    randomised_response_kernel,
)
from banditproof.verify.privacy.enumeration import view_epsilon
from banditproof.verify.privacy.interactive_rho import strongest_interactive_rho

PolicyName = Sequence[Any]
Rewards = tuple[Reward, ...]

NEVER, CERTAIN = Fraction(0), Fraction(1)
BITS = (0, 1)


def policy_named(name: PolicyName, rewards: Rewards = BITS) -> FiniteKernel:
    """The policy of that name, for rewards in a finite set. Raises InvalidInput for another name."""
    return _policy(tuple(name), rewards)


def view_ratio(name: PolicyName, rewards: Rewards = BITS) -> Fraction:
    """e^epsilon of the tightest epsilon for which the policy is epsilon-View DP, exactly."""
    return _view_ratio(tuple(name), rewards)


def interactive_rho(name: PolicyName) -> Fraction:
    """A rho for which the policy certainly is rho-Interactive zCDP: the upper end of an enclosure of the tightest."""
    return _interactive_rho(tuple(name))


@cache
def _policy(name: tuple[Any, ...], rewards: Rewards) -> FiniteKernel:
    kind, *parameters = name
    if kind == "messenger":
        return messenger(*map(Fraction, parameters))
    if kind == "courier":
        return courier(*map(Fraction, parameters))
    number, horizon, arms = Fraction(parameters[0]), *map(int, parameters[1:])
    if kind == "random":
        return random_kernel(int(number), horizon, arms, rewards)
    if kind == "response":
        return randomised_response_kernel(horizon, arms, number, rewards)
    if kind == "probe":
        return probe(number, horizon, arms)
    if kind == "constant":  # the other arms share what the first arm leaves
        row = (number, *((1 - number) / (arms - 1),) * (arms - 1))
        return FiniteKernel(horizon, arms, rewards, lambda history: row)
    if kind == "only":
        chosen = tuple(Fraction(arm == number) for arm in range(1, arms + 1))
        return FiniteKernel(horizon, arms, rewards, lambda history: chosen)
    raise InvalidInput("policy", kind, "random, response, probe, constant, only, messenger or courier")


@cache
def _view_ratio(name: tuple[Any, ...], rewards: Rewards) -> Fraction:
    return Fraction(view_epsilon(_policy(name, rewards)).ratio)


@cache
def _interactive_rho(name: tuple[Any, ...]) -> Fraction:
    upper = strongest_interactive_rho(_policy(name, BITS)).upper
    if not isinstance(upper, Fraction):
        raise InvalidInput("policy", name, "a policy with finite likelihood ratios")
    return upper


def probe(odds: Fraction, horizon: int, arms: int) -> FiniteKernel:
    """The last arm first; whether it paid decides, through randomised response, if it is kept."""
    likely = odds / (1 + odds)

    def row(history: History) -> Row:
        keep = (likely if history[0][1] else 1 - likely) if history else CERTAIN
        return *((1 - keep) / (arms - 1),) * (arms - 1), keep

    return FiniteKernel(horizon, arms, BITS, row)


def messenger(odds: Fraction) -> FiniteKernel:
    """T = 2, K = 3: arm 0 first, then arm 1 or 2 by randomised response on its reward."""
    likely = odds / (1 + odds)

    def row(history: History) -> Row:
        if not history:
            return CERTAIN, NEVER, NEVER
        told = likely if history[0][1] else 1 - likely
        return NEVER, told, 1 - told

    return FiniteKernel(2, 3, BITS, row)


def courier(error: Fraction, decay: Fraction) -> FiniteKernel:
    """T = 3, K = 5: arm 0 first; after a reward arm 1, else arm 2, each wrongly with probability `error`; at last one
    of the arms 2, 3, 4 for a noisy sum of both rewards, arm 2 + k with weight decay^((k - sum)^2)."""
    weights = [[decay ** ((k - total) ** 2) for k in range(3)] for total in range(3)]

    def row(history: History) -> Row:
        rewards = [int(reward) for _, reward in history]
        if not rewards:
            return CERTAIN, *(NEVER,) * 4
        if len(rewards) == 1:
            told = 1 - error if rewards[0] else error
            return NEVER, told, 1 - told, NEVER, NEVER
        masses = weights[sum(rewards)]
        return NEVER, NEVER, *(mass / sum(masses) for mass in masses)

    return FiniteKernel(3, 5, BITS, row)
