"""AdaC-UCB and its non-private counterpart on shared random numbers: the m-th episode of an arm pays the same sum and
meets the same standard normal at every budget. For Figure 5.4 of the thesis, which is Figure 4(a) of the zcdp paper.

The counterpart at rho = 10^24 has the index without privacy up to 1e-11 and noise that only breaks ties: UCB with
adaptive episodes and forgetting whose ties are broken at random. Another rule for ties is another counterpart.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from banditproof.algorithms import AdaCUCB, BernoulliBandit, DoublingBatches, NoiseSource, simulate
from banditproof.claims.language import *

MEANS = np.array([0.75, 0.625, 0.5, 0.375, 0.25])
GAPS = MEANS.max() - MEANS[1:]
PANEL, PLOTTED = (10**5, 10**6, 10**7), ("0.1", "0.5", "1")  # horizons on the left of the figure, budgets on the right
LAST = "1000000"
BUDGETS = (*PLOTTED, "10", "100", "1000", LAST)
FREE, LOWEST = "free", "lowest-arm"  # the counterpart, and the same with ties that go to the lowest arm


class SharedRuns(AdaCUCB):
    """AdaC-UCB that knows which run each replication is, and which episode of its arm is being played."""

    per_replication = (*AdaCUCB.per_replication, "run")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.run = np.arange(self.replications)

    @property
    def episode(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Run, arm and number of the episode of every replication: where its shared numbers are."""
        return self.run, self.recommended, self.batches_done[np.arange(self.replications), self.recommended]


class SharedNoise(NoiseSource):
    """Noise from standard normals [runs, arms, episodes] that are drawn beforehand."""

    def __init__(self, normals: np.ndarray) -> None:
        super().__init__()
        self.normals = normals
        self.policy: SharedRuns | None = None

    def draw(self, distribution: str, scale: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        assert self.policy is not None
        return scale * self.normals[self.policy.episode]


class SharedRewards(BernoulliBandit):
    """Sums of whole episodes [runs, arms, episodes] that are drawn beforehand.

    An episode that the horizon cuts pays its whole sum, which no action hears of any more.
    """

    def __init__(self, sums: np.ndarray, policy: SharedRuns) -> None:
        super().__init__(MEANS)
        self.sums, self.policy = sums, policy

    def sum_of_rewards(self, arm: Any, count: Any, generator: Any, *, time: Any = 0) -> np.ndarray:
        return self.sums[self.policy.episode]


def coupled_regret(
    seed: np.random.SeedSequence, budgets: Sequence[str], runs: int, times: Sequence[int], beta: float = 1.0
) -> Arrays:
    """Regret [runs, times] for every budget rho, and for the two counterparts `FREE` and `LOWEST`."""
    generator = np.random.default_rng(seed)
    sizes = DoublingBatches().sizes_until(times[-1])
    sums = generator.binomial(sizes, np.broadcast_to(MEANS[:, np.newaxis], (runs, 5, sizes.size))).astype(float)
    normals = generator.standard_normal(sums.shape)
    arrays: Arrays = {"times": np.array(times)}
    for name in (*budgets, FREE, LOWEST):
        rho = 1e24 if name in (FREE, LOWEST) else float(name)
        noise = SharedNoise(normals)
        multiplier = 0.0 if name == LOWEST else None
        policy = SharedRuns(5, Budget.zcdp(rho), noise, beta=beta, replications=runs, multiplier=multiplier)
        noise.policy = policy
        arrays[name] = simulate(policy, SharedRewards(sums, policy), times[-1], generator, times).regret
    return arrays


SWEPT = Study(
    "adac-ucb-budgets",
    coupled_regret,
    quick={"budgets": BUDGETS, "runs": 20_000, "times": (10**3, 10**4, *PANEL)},
    full={"runs": 50_000},
)
LONG = Study(
    "adac-ucb-horizons",
    coupled_regret,
    quick={"budgets": PLOTTED, "runs": 10_000, "times": tuple(10**k for k in range(2, 16))},
    full={"runs": 40_000, "times": tuple(10**k for k in range(2, 19))},
)


def price_of_privacy(private: np.ndarray, free: np.ndarray) -> np.ndarray:
    """(mean private - mean free) / mean free, means over the second last axis."""
    return private.mean(axis=-2) / free.mean(axis=-2) - 1
