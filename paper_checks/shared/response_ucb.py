"""A private policy for linear bandits with linearly independent actions, and what its regret is at most.

Only the sign of a reward is used, and only through randomised response; UCB1 plays on what comes out. The reward of
action a is N(<a, theta>, 1), so its sign bit has mean Phi(<a, theta>), which grows with <a, theta>: the best action for
the bits is the best action. The theory of Bernoulli bandits then applies as it stands.

Privacy. One response is released per reward, likelier by at most e^epsilon under one reward than under another, and
the actions are a function of the responses: epsilon-View DP, for real rewards.

Regret. The responses are independent bits; those of two actions have means tanh(epsilon/2) (Phi(m) - Phi(m')) apart.
UCB1 (index: mean + sqrt(2 log t / pulls)) pulls an action whose mean lies g below the best at most
8 log(T) / g^2 + 1 + pi^2 / 3 times in expectation, at every T: once pulled 8 log(T) / g^2 times, it is chosen only if a
mean of at most t bits lies sqrt(2 log t / pulls) from its expectation, which by Hoeffding's inequality and a union
bound has probability at most 2 t^2 t^-4. As this holds at every instance the policy is consistent.

Source: TH-T4.18
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, TypeAlias

from banditproof.claims.language import *
from banditproof.verify.finite.kernels import FiniteKernel, History

Rows: TypeAlias = Sequence[Sequence[Any]]


def sign_mean(mean: Any) -> Any:
    """P(N(mean, 1) > 0) as a ball."""
    return (1 + (to_ball(mean) / sqrt(to_ball(2))).erf()) / 2


def inner(left: Sequence[Any], right: Sequence[Any]) -> Fraction:
    return sum((Fraction(x) * Fraction(y) for x, y in zip(left, right, strict=True)), Fraction(0))


def regret_coefficient(actions: Rows, theta: Sequence[Any], epsilon: Any) -> Any:
    """A ball around sum_a 8 Delta_a / g_a^2: an upper bound of limsup Reg_T / log T of the policy."""
    means = [inner(a, theta) for a in actions]
    best = max(means)
    likely = exp(to_ball(epsilon))
    kept = (likely - 1) / (likely + 1)
    gaps = [(to_ball(best - m), kept * (sign_mean(best) - sign_mean(m))) for m in means if m < best]
    return sum((8 * gap / (seen * seen) for gap, seen in gaps), to_ball(0))


def chosen(pulls: Sequence[int], sums: Sequence[int]) -> int:
    """The action of UCB1: every action once, then the largest index, the first of equal ones."""
    for action, count in enumerate(pulls):
        if count == 0:
            return action
    time = 1 + sum(pulls)
    indices = [s / n + math.sqrt(2 * math.log(time) / n) for s, n in zip(sums, pulls, strict=True)]
    return indices.index(max(indices))


def response_ucb_kernel(horizon: int, arms: int, ratio: Fraction) -> FiniteKernel:
    """The policy on bits as a finite kernel: its law given the raw bits, the responses being hidden."""
    likely = ratio / (1 + ratio)

    @cache
    def probability(history: History) -> tuple[Fraction, ...]:
        weights = [Fraction(0)] * arms
        for responses in product((0, 1), repeat=len(history)):
            pulls, sums, weight = [0] * arms, [0] * arms, Fraction(1)
            for (action, bit), response in zip(history, responses, strict=True):
                if chosen(pulls, sums) != action:
                    weight = Fraction(0)
                    break
                weight *= likely if response == bit else 1 - likely
                pulls[action] += 1
                sums[action] += response
            if weight:
                weights[chosen(pulls, sums)] += weight
        total = sum(weights)
        return tuple(w / total for w in weights) if total else (Fraction(1), *(Fraction(0),) * (arms - 1))

    return FiniteKernel(horizon, arms, (0, 1), probability)
