"""Bugs of private linear and contextual bandits, to be planted into a fresh policy.

A bug is a function of a fresh policy: `LINEAR_BUGS["norm factor missing"]`. `check_privacy` has to find all but the
design on the wrong set, which costs regret and no privacy: the noise is scaled to what was played (`compare_regret`).

Source: ZCDP-A2, ALG-A9
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banditproof.algorithms.contextual.oful import AdaCOFUL
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB
from banditproof.algorithms.linear.elimination import GOPE
from banditproof.theory.errors import InvalidInput
from banditproof.verify.bugs import Bugs
from banditproof.verify.guarantees.regret_bugs import changed
from banditproof.verify.runs.planted import PLANTED, Bug

LINEAR_BUGS = Bugs("linear")
"""Bugs of private linear bandits, by name: `LINEAR_BUGS["norm factor missing"](policy)` is the policy with it."""


class OneDrawForAll(Bug):
    """All coordinates get the noise of the first one."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        private = super().release(distribution, value, scale, **declared)
        return value + (private - value)[:, :1]


class NormFactorMissing(Bug):
    """The sensitivity is that of one coordinate: a factor sqrt(d) is missing."""

    def release(self, distribution: str, value: np.ndarray, scale: np.ndarray, **declared: Any) -> np.ndarray:
        root = np.sqrt(value.shape[1])
        smaller = {**declared, "sensitivity": declared["sensitivity"] / root}
        return super().release(distribution, value, scale / root, **smaller)


def _between(bug: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def planted(policy: Any) -> Any:
        inner = _innermost(policy)
        inner.noise = bug(inner.noise)
        return policy

    return planted


LINEAR_BUGS.named("noise of the wrong dimension")(_between(OneDrawForAll))
LINEAR_BUGS.named("norm factor missing")(_between(NormFactorMissing))
LINEAR_BUGS.named("noise added once")(_between(PLANTED["noise once instead of always"]))


@LINEAR_BUGS.named("rewards reused across phases")
def _rewards_kept(policy: Any) -> Any:
    """What a phase or an episode has heard stays in the sums of the next one."""
    inner = _asked(policy, GOPE, AdaCOFUL)
    method, kept = ("_begin", "sums") if isinstance(inner, GOPE) else ("renew", "pending")

    def again(before: Any, self: Any, rows: np.ndarray) -> None:
        heard = getattr(self, kept)[rows].copy()
        before(self, rows)
        getattr(self, kept)[rows] = heard

    changed(inner, **{method: again})
    return policy


@LINEAR_BUGS.named("design solved on the wrong set")
def _all_actions(policy: Any) -> Any:
    """The design is solved on all actions, those that were dropped included."""

    def begin(before: Any, self: Any, rows: np.ndarray) -> None:
        active = self.active.copy()
        self.active[rows[active[rows].sum(axis=1) > 1]] = True
        before(self, rows)
        self.active = active

    changed(_asked(policy, GOPE), _begin=begin)
    return policy


@LINEAR_BUGS.named("contexts leak into the release")
def _raw_contexts(policy: Any) -> Any:
    """The contexts' part of the noisy design is replaced by the true one."""

    def learn(before: Any, self: Any, reward: np.ndarray) -> None:
        before(self, reward)
        contexts = self.upper[1] < self.dimension
        self.tree.noisy[..., contexts] = self.tree.true[..., contexts]

    changed(_asked(policy, JointDPLinUCB), learn=learn)
    return policy


def _innermost(policy: Any) -> Any:
    """The policy inside its adapters."""
    while hasattr(policy, "policy"):
        policy = policy.policy
    return policy


def _asked(policy: Any, *families: type) -> Any:
    """The innermost policy. Raises InvalidInput where the bug belongs to another family of policies."""
    inner = _innermost(policy)
    if not isinstance(inner, families):
        raise InvalidInput("policy", type(inner).__name__, " or ".join(family.__name__ for family in families))
    return inner
