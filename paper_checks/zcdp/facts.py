"""What several sections of the zCDP paper share: recorded runs of AdaC-UCB, the first phase of AdaC-GOPE."""

from fractions import Fraction
from functools import cache
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import AdaCUCB, simulate
from banditproof.algorithms.environment import RewardList
from banditproof.claims.check import Check
from banditproof.theory import Budget
from banditproof.verify import RecordingNoise, Release

AboveThree = Annotated[Any, "(3, inf)"]
Run = Annotated[Any, "all: every reward list and noise"]
BUDGETS = [["zcdp", "1/10"], ["zcdp", 2]]


@cache
def actions_and_releases(
    arms: int, horizon: int, rho: Fraction, beta: Fraction, run: int
) -> tuple[tuple[int, ...], tuple[Release, ...]]:
    """Actions and releases of run number `run` on random rewards in [0, 1] (binary for even numbers)."""
    rewards = np.random.default_rng(run).random(horizon)
    noise = RecordingNoise(np.random.default_rng((run, 1)))
    policy = AdaCUCB(arms, Budget.zcdp(float(rho)), noise, beta=float(beta))
    listed = RewardList(rewards if run % 2 else np.round(rewards), arms)
    result = simulate(policy, listed, horizon, np.random.default_rng(run), np.arange(1, horizon + 1))
    return tuple(result.actions[0].tolist()), tuple(noise.releases)


def runs(check: Check) -> list[dict[str, Any]]:
    """The runs that are looked at, with beta = 3.1."""
    return [
        {"arms": K, "horizon": T, "rho": Fraction(rho), "beta": Fraction(31, 10), "run": seed}
        for K, T in ((2, 40), (3, 500), (5, 64))
        for rho in ("1/10", "1", "20")
        for seed in range(check.pick(3, 40))
    ]
