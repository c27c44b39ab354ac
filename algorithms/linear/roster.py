"""Every algorithm for linear bandits with a fixed set of actions by its name, like the roster of finite-armed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.linear.elimination import (
    GOPE,
    AdaCGOPE,
    AdaRGOPE,
    LaplaceSumsGOPE,
    NoisySumsGOPE,
    OutputGOPE,
)
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.roster import Algorithm, Setting
from banditproof.theory.errors import one_of


@dataclass(frozen=True)
class LinearSetting(Setting):
    """A setting with the table of actions [K, d]; `rewards` are the smallest and largest reward."""

    actions: np.ndarray
    rewards: tuple[float, float] = (-1.0, 1.0)


def _phased(policy: Callable[..., Policy]) -> Callable[..., Policy]:
    def make(s: LinearSetting, **options: Any) -> Policy:
        budget = () if policy is GOPE else (s.budget, s.noise)
        return policy(s.actions, *budget, rewards=s.rewards, replications=s.replications, **options)

    return make


GAUSSIAN = ("zcdp", "rdp", "approximate")
COMMON = {"delta": 0.001, "design": "newton", "share": 1.0}
SMALL = {**COMMON, "design": "core-set", "lengths": "calibrated"}

LINEAR_ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("gope", "ALG-A-GOPE", (), False, _phased(GOPE), COMMON),
        Algorithm("adac-gope", "ZCDP-A2", GAUSSIAN, False, _phased(AdaCGOPE), {**COMMON, "printed": False}),
        Algorithm("adac-gope-var", "ZCDP-E4", GAUSSIAN, False, _phased(NoisySumsGOPE), {**COMMON, "lengths": "same"}),
        Algorithm("adac-gope-output", "ZCDP-S18", GAUSSIAN, False, _phased(OutputGOPE), COMMON),
        Algorithm("adar-gope", "RDP-A3", ("rdp",), False, _phased(AdaRGOPE), COMMON),
        Algorithm("gaussian-sums-gope", "ZCDP-S19", GAUSSIAN, False, _phased(NoisySumsGOPE), SMALL),
        Algorithm("laplace-sums-gope", "ZCDP-S19", ("pure",), False, _phased(LaplaceSumsGOPE), SMALL),
    )
}


def linear_algorithm(name: str) -> Algorithm:
    """The algorithm of this name. Raises InvalidInput with the names there are."""
    one_of("algorithm", name, LINEAR_ALGORITHMS)
    return LINEAR_ALGORITHMS[name]
