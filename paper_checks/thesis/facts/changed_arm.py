"""Two bandits that differ in one arm, and what a finite policy does in both: where asymptotic lower bounds come from.

Rewards take the values 0, 1/2 and 1. A bandit pair is named by the laws of its arms on these values (arm 1 is optimal),
the arm that changes, and its law in the second bandit, where it is optimal. All laws of actions are enumerated exactly.

Source: TH-S.B1, TH-T4.16, TH-T2.31
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import quantity
from banditproof.verify.finite.kernels import Actions, FiniteKernel, Reward
from banditproof.verify.finite.output_laws import history_law
from banditproof.verify.privacy.named_policies import policy_named

REWARDS = (Fraction(0), Fraction(1, 2), Fraction(1))
Law = tuple[Fraction, ...]  # probabilities of the three rewards


@dataclass(frozen=True)
class Pair:
    """What the two bandits and the policy give: all that the proofs use.

    `gap` = Delta_a and `lead` = mu'_a - mu* for the changed arm a; `regrets` in both bandits; `pulls` = E[N_a(T)] in
    the first; `first`, `second`: the laws of the actions; `laws`: of the changed arm.
    """

    horizon: int
    arm: int
    gap: Fraction
    lead: Fraction
    regrets: tuple[Fraction, Fraction]
    pulls: Fraction
    first: dict[Actions, Fraction]
    second: dict[Actions, Fraction]
    laws: tuple[Law, Law]


def pair(policy: Sequence[Any], bandits: Any) -> Pair:
    """The policy in both bandits; `bandits` = [laws of the arms, number of the changed arm (from 1), its new law]."""
    arms, changed, law = bandits
    return _pair(tuple(policy), tuple(_law(arm) for arm in arms), int(changed) - 1, _law(law))


@cache
def _pair(policy: tuple[Any, ...], arms: tuple[Law, ...], changed: int, law: Law) -> Pair:
    kernel = policy_named(policy, REWARDS)
    bandits = arms, (*arms[:changed], law, *arms[changed + 1 :])
    means = [[_mean(arm) for arm in bandit] for bandit in bandits]
    best = means[0][0]
    if max(means[0]) != best or means[1][changed] <= best or means[0][changed] == best:
        raise InvalidInput("bandits", means, "first arm optimal before, changed arm after the change only")
    marginals = [_action_law(kernel, bandit) for bandit in bandits]
    regrets = [
        sum((p * sum(max(m) - m[a] for a in actions) for actions, p in marginal.items()), Fraction(0))
        for m, marginal in zip(means, marginals, strict=True)
    ]
    pulls = sum((p * actions.count(changed) for actions, p in marginals[0].items()), Fraction(0))
    return Pair(
        kernel.horizon,
        changed,
        best - means[0][changed],
        means[1][changed] - best,
        (regrets[0], regrets[1]),
        pulls,
        marginals[0],
        marginals[1],
        (arms[changed], law),
    )


# ---------------------------------------------------------------------------------------- what the statements speak of


@quantity
def horizon_of(policy: Sequence[Any], bandits: Any) -> int:
    """T."""
    return pair(policy, bandits).horizon


@quantity
def sum_of_regrets(policy: Sequence[Any], bandits: Any) -> Fraction:
    """Reg_T in the first bandit and Reg'_T in the second one, together."""
    return sum(pair(policy, bandits).regrets, Fraction(0))


@quantity
def gap_of_the_changed_arm(policy: Sequence[Any], bandits: Any) -> Fraction:
    """Delta_a = mu* - mu_a."""
    return pair(policy, bandits).gap


@quantity
def lead_of_the_changed_arm(policy: Sequence[Any], bandits: Any) -> Fraction:
    """mu'_a - mu*."""
    return pair(policy, bandits).lead


def _chance(law: dict[Actions, Fraction], event: Callable[[Actions], bool]) -> Fraction:
    return sum((p for actions, p in law.items() if event(actions)), Fraction(0))


@quantity
def chance_of_few_first(policy: Sequence[Any], bandits: Any) -> Fraction:
    """The chance of N_1(T) <= T/2 in the first bandit."""
    both = pair(policy, bandits)
    return _chance(both.first, lambda actions: 2 * actions.count(0) <= both.horizon)


@quantity
def chance_of_many_first(policy: Sequence[Any], bandits: Any) -> Fraction:
    """The chance of N_1(T) > T/2 in the second bandit."""
    both = pair(policy, bandits)
    return _chance(both.second, lambda actions: 2 * actions.count(0) > both.horizon)


def _action_law(kernel: FiniteKernel, bandit: tuple[Law, ...]) -> dict[Actions, Fraction]:
    laws: tuple[dict[Reward, Fraction], ...] = tuple(
        {r: p for r, p in zip(REWARDS, law, strict=True) if p} for law in bandit
    )
    marginal: dict[Actions, Fraction] = defaultdict(Fraction)
    for history, weight in history_law(kernel, laws).items():
        if weight:
            marginal[tuple(arm for arm, _ in history)] += weight
    return dict(marginal)


def _law(probabilities: Sequence[Any]) -> Law:
    law = tuple(Fraction(p) for p in probabilities)
    if len(law) != len(REWARDS) or sum(law) != 1 or min(law) < 0:
        raise InvalidInput("law", probabilities, "probabilities of the rewards 0, 1/2 and 1")
    return law


def _mean(law: Law) -> Fraction:
    return sum((p * r for p, r in zip(law, REWARDS, strict=True)), Fraction(0))


# ----------------------------------------------------------------------------------------------------------- the cases

TWO_ARMS = [
    [[["1/4", "0", "3/4"], ["3/4", "0", "1/4"]], 2, ["1/10", "0", "9/10"]],
    [[["0", "1", "0"], ["1/2", "1/4", "1/4"]], 2, ["1/4", "1/4", "1/2"]],
    [[["1/4", "0", "3/4"], ["99/100", "0", "1/100"]], 2, ["1/100", "0", "99/100"]],
]
THREE_ARMS = [
    [[["1/4", "1/4", "1/2"], ["1/3", "1/3", "1/3"], ["1/2", "1/2", "0"]], 3, ["0", "1/2", "1/2"]],
    [[["1/2", "0", "1/2"], ["11/20", "0", "9/20"], ["1", "0", "0"]], 3, ["9/20", "0", "11/20"]],
]
