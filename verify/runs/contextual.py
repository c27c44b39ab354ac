"""Contextual policies before the privacy sensors: an adapter that fixes the contexts, and one that makes them private.

The sensors record a policy on a list of numbers in [0, 1] and replay it on neighbours. For public contexts a number
is a reward, stretched to [-1, 1], and the contexts are given. For joint DP a number is a user: contexts and reward.

Source: ALG-R5.13, MIA-S9.3
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from banditproof.algorithms import NoiseSource, Policy
from banditproof.algorithms.contextual.environment import ContextSets, GaussianContexts, GivenContexts
from banditproof.algorithms.contextual.oful import AdaCOFUL, AdaROFUL
from banditproof.algorithms.contextual.policy import ContextualPolicy
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.alignment import find_violation
from banditproof.verify.runs.planted import with_bug
from banditproof.verify.runs.recorded import REPLAYED, budget_of, once
from banditproof.verify.runs.recorder import PolicyMaker


class WithContexts(Policy):
    """`policy` as a bandit policy whose arms are the vectors of given sets; one pull at a time."""

    def __init__(self, policy: ContextualPolicy, contexts: ContextSets) -> None:
        super().__init__(contexts.arms, policy.replications)
        self.policy, self.contexts, self.clock = policy, contexts, 0

    def shown(self) -> np.ndarray:
        """The set of this round, [R, 1, K, d]; drawn from the round's number, so that a replay meets it again."""
        return np.repeat(_drawn(self.contexts, self.clock), self.replications, axis=0)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm, _ = self.policy.next_batch(self.shown(), np.zeros(self.replications, dtype=np.int64))
        return arm[:, 0], np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        self.policy.observe(2 * total[:, np.newaxis] - 1)
        self.clock += 1


class PrivateContexts(WithContexts):
    """A number x in [0, 1] is a user: his reward is 2 x - 1 and x turns his contexts.

    The arms seen by the sensors are those that a public set would get instead: they betray what the policy knows
    before the round. What a user himself is recommended may depend on his own contexts under joint DP.
    """

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        self.probe = self.shown()
        return super().next_batch()

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        spread = total[:, np.newaxis, np.newaxis, np.newaxis]
        scaled = self.probe * (1 - 2 * spread)
        turned = np.where(spread > 0.5, np.roll(scaled, 1, axis=3), scaled)
        self.policy.next_batch(turned, np.zeros(self.replications, dtype=np.int64))
        super().observe(total, count)


@lru_cache(4096)
def _drawn(contexts: ContextSets, clock: int) -> np.ndarray:
    """The set of a round: [1, 1, K, d]."""
    return contexts.draw(1, clock, 1, np.random.default_rng([clock, contexts.dimension]))


UNIT = GaussianContexts(4, 3, 0.5, unit=True)
AXES = GivenContexts(np.stack([np.eye(3)[[0, 1, 2, 0]], -np.eye(3)[[1, 2, 0, 1]]]))
DIAGONALS = GivenContexts((1 - 2 * np.eye(3)[np.newaxis, [0, 1, 2, 0]]) / np.sqrt(3))  # the largest l1 norm there is

MAKERS: Mapping[str, Callable[[Budget, NoiseSource], Policy]] = {
    "adac-oful": lambda budget, noise: WithContexts(AdaCOFUL(3, budget, noise, horizon=1000), UNIT),
    "adac-oful-axes": lambda budget, noise: WithContexts(AdaCOFUL(3, budget, noise, horizon=1000, growth=0.2), AXES),
    "adar-oful": lambda budget, noise: WithContexts(AdaROFUL(3, budget, noise, horizon=1000), UNIT),
    "linpriv": lambda budget, noise: WithContexts(LinPriv(3, 4, budget, noise, horizon=63), AXES),
    "linpriv-diagonals": lambda budget, noise: WithContexts(LinPriv(3, 4, budget, noise, horizon=63), DIAGONALS),
    "joint-dp-linucb": lambda budget, noise: PrivateContexts(JointDPLinUCB(3, budget, noise, horizon=63), AXES),
}
"""The contextual policies in the small settings in which they are recorded."""


def contextual_maker(name: str, budget: Budget, bug: str = "none") -> PolicyMaker:
    """Builds the policy, with one replication unless told otherwise, with a planted bug where one is named."""

    def make(noise: NoiseSource, generator: np.random.Generator, replications: int = 1) -> Policy:
        spread = {name: np.full(replications, value) for name, value in budget.parameters.items()}
        return MAKERS[name](replace(budget, **spread), noise)

    return with_bug(bug, make)


@once
def contextual_violations(
    algorithm: str, budget: Sequence[Any], T: int, rewards: int, bug: str
) -> tuple[Fraction | int, str, int]:
    """Violations on random reward lists and neighbours number `rewards`."""
    spent = budget_of(budget)
    report = find_violation(contextual_maker(algorithm, spent, bug), T, spent, rewards, lists=REPLAYED)
    return 0 if report is None else len(report.violations), "==", 0


def public_contexts_made_private() -> int:
    """1 if the sensors find a violation of AdaC-OFUL once a user's contexts count as private, too."""
    budget = Budget.zcdp(0.5)

    def make(noise: NoiseSource, generator: np.random.Generator) -> Policy:
        return PrivateContexts(AdaCOFUL(3, budget, noise, horizon=100), AXES)

    return int(any(find_violation(make, 40, budget, seed) is not None for seed in range(4)))
