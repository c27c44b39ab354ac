"""Recorded runs of the finite-armed algorithms: what the privacy sensors find, with and without a planted bug.

A run is recorded on a list of rewards and replayed on neighbours with the same released values. An adversary who asks
for other arms than the recommended ones is a wrapper that passes each episode to the arm it wants, chosen by the
recommendations so far; given them, the rewards it collects from a table are a list, and neighbouring tables give
neighbouring lists, so the same replay checks the interactive definition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

import numpy as np

from banditproof.algorithms import NoiseSource, Policy
from banditproof.algorithms.registration import Setting
from banditproof.algorithms.roster import algorithm
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.planted import with_bug
from banditproof.verify.runs.recorder import PolicyMaker

REPLAYED = 6  # lists of rewards at a point, coins, stretches and uniform ones, once with noise far out in the tails

Relation = TypeVar("Relation", bound=Callable[..., Any])


def once(relation: Relation) -> Relation:
    """A relation that a process computes once at each point: a run and its replays follow from their seeds."""
    kept = lru_cache(4096)(lambda arguments, named: relation(*arguments, **dict(named)))

    @wraps(relation)
    def remembered(*arguments: Any, **named: Any) -> Any:
        return kept(tuple(map(_hashable, arguments)), tuple((name, _hashable(value)) for name, value in named.items()))

    return cast(Relation, remembered)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value


class Queried(Policy):
    """`policy` with an adversary in between: each batch goes to the arm it asks for, which the policy hears of.

    The adversary asks for the recommended arm or for the next one, by a fixed function of the recommendations so far.
    """

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy.arms, policy.replications)
        self.policy, self.memory = policy, 0

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        recommended, count = self.policy.next_batch()
        self.memory = (5 * self.memory + int(recommended[0]) + 1) % 1009
        self.asked = recommended if self.memory % 3 else (recommended + 1) % self.arms
        return self.asked, count

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        self.policy.observe(total, count, self.asked)


def budget_of(budget: Sequence[Any]) -> Budget:
    """["pure", 4], ["zcdp", "1/2"], ["rdp", 2, 1], ["approximate", 1, "1/1000"]."""
    kind, *values = budget
    return Budget.of(kind, *(float(Fraction(value)) for value in values))


def maker(name: str, budget: Sequence[Any], T: int, bug: str, adversary: bool = False, arms: int = 2) -> PolicyMaker:
    """Builds the policy, with one replication unless told otherwise, with a planted bug where one is named."""
    entry, spent = algorithm(name), budget_of(budget)

    def make(noise: NoiseSource, generator: np.random.Generator, replications: int = 1) -> Policy:
        # what an algorithm draws besides noise comes from `generator`, which every replay gets afresh
        policy = entry.build(Setting(arms, T, spent, generator, replications, door=noise), **entry.hurried)
        return Queried(policy) if adversary else policy

    return with_bug(bug, make)


@once
def violations(
    algorithm: str, budget: Sequence[Any], T: int, rewards: int, bug: str, adversary: int = 0
) -> tuple[Any, str, Any]:
    """Violations on random reward lists and neighbours number `rewards`."""
    make = maker(algorithm, budget, T, bug, bool(adversary))
    report = find_violation(make, T, budget_of(budget), rewards, lists=REPLAYED)
    return 0 if report is None else len(report.violations), "==", 0
