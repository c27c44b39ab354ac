"""Every algorithm for linear contextual bandits by its name, like the rosters of finite-armed and linear ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.contextual.environment import ContextualBandit
from banditproof.algorithms.contextual.oful import OFUL, AdaCOFUL, AdaROFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.policy import ContextualPolicy
from banditproof.algorithms.contextual.simulation import simulate_contextual
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.algorithms.roster import Algorithm, Setting
from banditproof.algorithms.run.simulator import SimulationResult
from banditproof.theory.errors import one_of


@dataclass(frozen=True)
class ContextualSetting(Setting):
    """A setting with sets of `arms` vectors in R^`dimension`; unless `bounded`, any reward and vector is let in."""

    dimension: int
    bounded: bool = True


def _built(policy: Callable[..., ContextualPolicy], *, private: bool, per_arm: bool = False) -> Callable[..., Any]:
    def make(s: ContextualSetting, **options: Any) -> ContextualPolicy:
        arguments = (s.dimension, *((s.arms,) if per_arm else ()), *((s.budget, s.noise) if private else ()))
        return policy(*arguments, horizon=s.horizon, replications=s.replications, bounded=s.bounded, **options)

    return make


WIDTH = {"confidence": 0.001, "radius": 1.0}
PLAIN = {"ridge": 0.1, **WIDTH}
RARE = {"growth": 1.0, **PLAIN}

CONTEXTUAL_ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("oful", "ALG-A-RSOFUL", (), True, _built(OFUL, private=False), PLAIN),
        Algorithm("rs-oful", "ALG-A-RSOFUL", (), True, _built(RarelySwitchingOFUL, private=False), RARE),
        Algorithm("adac-oful", "ZCDP-A3", ("zcdp",), True, _built(AdaCOFUL, private=True), RARE),
        Algorithm("adar-oful", "RDP-A4", ("rdp",), True, _built(AdaROFUL, private=True), RARE),
        Algorithm(
            "linpriv",
            "ALG-A-LINPRIV",
            ("pure",),
            True,
            _built(LinPriv, private=True, per_arm=True),
            {"ridge": 1.0, **WIDTH},
        ),
        Algorithm("joint-dp-linucb", "MIA-S9.3", ("zcdp",), True, _built(JointDPLinUCB, private=True), WIDTH),
    )
}


def contextual_algorithm(name: str) -> Algorithm:
    """The algorithm of this name. Raises InvalidInput with the names there are."""
    one_of("algorithm", name, CONTEXTUAL_ALGORITHMS)
    return CONTEXTUAL_ALGORITHMS[name]


def simulate_one(
    policy: Any, bandit: ContextualBandit, horizon: int, generator: np.random.Generator, record_times: Any = None
) -> SimulationResult:
    """`simulate_contextual` with one policy, as an engine of `simulate_chunks`; no arms are counted, so none are told.

    Raises InvalidInput.
    """
    regret = simulate_contextual([policy], bandit, horizon, generator, record_times)[0]
    untold = np.zeros((policy.replications, 0), dtype=np.int64)
    return SimulationResult(np.asarray([horizon] if record_times is None else record_times), regret, untold, untold)
