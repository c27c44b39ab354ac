"""What the privacy of DP-KLUCB and DP-IMED is checked on: policies, planted bugs, reward lists, recorded runs."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms import DPIMED, DPKLUCB, BatchedIndexPolicy, NoiseSource
from banditproof.algorithms.batches import BatchSchedule, GeometricBatches, PolynomialBatches
from banditproof.claims.steps import pick
from banditproof.theory import Budget
from banditproof.verify import PolicyMaker
from banditproof.verify.runs.planted import with_bug

BothAlgorithms = Annotated[Any, "all: DP-KLUCB and DP-IMED"]
RewardList = Annotated[Any, "all: every list in [0, 1]^T"]
Schedule = Annotated[Any, "all: every schedule fixed in advance"]
POLICIES: dict[str, type[BatchedIndexPolicy]] = {"DP-KLUCB": DPKLUCB, "DP-IMED": DPIMED}
SCHEDULES: tuple[BatchSchedule, ...] = (GeometricBatches(2, 1), GeometricBatches("1.1", 1), PolynomialBatches(2))


def maker(algorithm: str, epsilon: Fraction, batches: int, bug: str, arms: int = 3) -> PolicyMaker:
    """Builds the policy, with a planted bug where one is named."""
    kind = POLICIES[algorithm]

    def make(noise: NoiseSource, generator: np.random.Generator) -> BatchedIndexPolicy:
        return kind(arms, Budget.pure(float(epsilon)), SCHEDULES[batches], noise, generator=generator, ties="random")

    return with_bug(bug, make)


def reward_list(seed: int, T: int) -> list[float]:
    """Bernoulli rewards for even seeds, uniform ones for odd seeds."""
    generator = np.random.default_rng(seed)
    uniform = generator.random(T)
    return (uniform if seed % 2 else (uniform < generator.random()).astype(float)).tolist()


EPSILONS = [Fraction(1, 100), Fraction(1, 4), Fraction(1), Fraction(8)]
SEEDS = pick(range(2), range(60))
SOME_RUNS = {"algorithm": list(POLICIES), "epsilon": EPSILONS, "batches": range(len(SCHEDULES)), "rewards": SEEDS}
