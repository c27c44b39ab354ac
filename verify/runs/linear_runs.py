"""Recorded runs of the linear policies: what the privacy sensors find, with and without a planted bug.

The sensors play rewards in [0, 1]; policies for rewards in [-1, 1] hear 2 r - 1, so a change of one reward moves what
they hear by 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banditproof.algorithms import NoiseSource, Policy
from banditproof.algorithms.registration import LinearSetting
from banditproof.algorithms.roster import algorithm as algorithm_named
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.planted import with_bug
from banditproof.verify.runs.recorded import REPLAYED, Queried, budget_of, once
from banditproof.verify.runs.recorder import PolicyMaker


class Stretched(Policy):
    """`policy` on rewards in [0, 1] that it hears as numbers in [-1, 1]."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy.arms, policy.replications)
        self.policy = policy

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        return self.policy.next_batch()

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        self.policy.observe(2 * total - count, count, arm)


def linear_maker(
    name: str,
    budget: Budget,
    actions: Sequence[Sequence[float]],
    bug: str = "none",
    *,
    adversary: bool = False,
    **options: Any,
) -> PolicyMaker:
    """Builds the linear policy on rewards in [0, 1], with a planted bug where one is named; with one replication unless
    told otherwise.
    """
    entry, rows = algorithm_named(name, LinearSetting), np.array(actions, dtype=float)

    def make(noise: NoiseSource, generator: np.random.Generator, replications: int = 1) -> Policy:
        setting = LinearSetting(len(rows), 1, budget, generator, replications, rows, door=noise)
        policy = Stretched(entry.build(setting, **{**entry.hurried, **options}))
        return Queried(policy) if adversary else policy

    return with_bug(bug, make)


ACTIONS = ((1.0, 0.0), (0.6, 0.8), (0.0, 1.0), (-0.5, 0.5))
BUDGETS = {
    "adac-gope": Budget.zcdp(0.5),
    "adac-gope-var": Budget.zcdp(0.5),
    "adac-gope-output": Budget.rdp(2, 1),
    "adar-gope": Budget.rdp(2, 1),
    "gaussian-sums-gope": Budget.approximate(1, 0.01),
    "laplace-sums-gope": Budget.pure(1),
}


@once
def linear_violations(
    algorithm: str, budget: Sequence[Any], T: int, rewards: int, bug: str, adversary: int = 0, **options: Any
) -> tuple[Any, str, Any]:
    """Violations of a linear policy on four actions in the plane, on random lists and neighbours number `rewards`;
    `options` are the policy's."""
    spent = budget_of(budget)
    make = linear_maker(algorithm, spent, ACTIONS, bug, adversary=bool(adversary), **options)
    report = find_violation(make, T, spent, rewards, lists=REPLAYED)
    return 0 if report is None else len(report.violations), "==", 0
