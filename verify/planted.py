"""One-line bugs planted into Algorithm 1, which the privacy checks have to find.

`PLANTED` names each bug and holds a mixin that replaces the one line of `observe` where a batch is released. `plant`
puts it in front of a policy class. `Sound` is the same template without a bug, which the checks have to pass.

Source: BDP-A1, BDP-P4.2
"""

import numpy as np

from banditproof.algorithms.dp_index import BatchedIndexPolicy
from banditproof.algorithms.noise import Records
from banditproof.theory.budget import Budget

Index = tuple[np.ndarray, np.ndarray]  # (replication, arm) of the batch that has ended


class Sound(BatchedIndexPolicy):
    """`BatchedIndexPolicy.observe` with the release of the batch as a method of its own; no bug."""

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        at = np.arange(self.replications), self.recommended if arm is None else arm
        self.sums[at] += self.released(total, (self.clock, self.clock + count), at)
        self.samples[at] += count
        self.batches_done[at] += 1
        self.clock = self.clock + count

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        """What is added to the arm's noisy sum when a batch with reward sum `total` ends."""
        return self.noise.laplace(total, sensitivity=1.0, budget=self.budget, records=records)


class NoiseHalved(Sound):
    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        return total + (super().released(total, records, at) - total) / 2


class BudgetDoubled(Sound):
    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        return self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(2 * self.epsilon), records=records)


class NoiseReused(Sound):
    """The noise of the first batch of the run serves all batches."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        if not hasattr(self, "first_noise"):
            self.first_noise = super().released(total, records, at) - total
        return total + self.first_noise


class SeedReused(Sound):
    """The noise generator is set back before every release."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        if self.noise.generator is not None:
            self.noise.generator = np.random.default_rng(0)
        return super().released(total, records, at)


class SensitivityWrong(Sound):
    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        return self.noise.laplace(total, sensitivity=0.5, budget=self.budget, records=records)


class SensitivityOfMean(Sound):
    """The sum is released with the sensitivity of the mean."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        count = records[1] - records[0]
        return self.noise.laplace(total, sensitivity=1.0 / count, budget=self.budget, records=records)


class SumScaledUp(Sound):
    """Ten times the sum is released as if it moved by one, then divided by ten."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        return super().released(10 * total, records, at) / 10


class RecordsTooShort(Sound):
    """The last reward of every batch is not declared, so whoever reads it again is not charged."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        return super().released(total, (records[0], records[1] - 1), at)


class RawMeanInIndex(Sound):
    """The noisy sum is released, the raw one is used."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        super().released(total, records, at)
        return total


class BudgetSplitWrongly(Sound):
    """Two releases of the same batch are averaged, each with the whole budget instead of half of it."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        return (super().released(total, records, at) + super().released(total, records, at)) / 2


class NoiseOnce(Sound):
    """Noise is added with the arm's first batch only."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        return super().released(total, records, at) if (self.batches_done[at] == 0).all() else total


class SumReleasedAgain(Sound):
    """Each release holds all rewards of the arm so far, and is charged to the last batch only."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        if not hasattr(self, "raw"):
            self.raw = np.zeros_like(self.sums)
        self.raw[at] += total
        return super().released(self.raw[at], records, at) - self.sums[at]


class ScaleFollowsRewards(Sound):
    """Less noise for batches with few successes."""

    def released(self, total: np.ndarray, records: Records, at: Index) -> np.ndarray:
        share = (1.0 + total) / (1.0 + records[1] - records[0])
        return self.noise.laplace(total, sensitivity=share, budget=self.budget, records=records)


PLANTED: dict[str, type[Sound]] = {
    "noise halved": NoiseHalved,
    "budget doubled": BudgetDoubled,
    "noise reused": NoiseReused,
    "seed reused": SeedReused,
    "sensitivity wrong": SensitivityWrong,
    "sensitivity of the mean": SensitivityOfMean,
    "sum scaled up": SumScaledUp,
    "records too short": RecordsTooShort,
    "raw mean in the index": RawMeanInIndex,
    "budget split wrongly": BudgetSplitWrongly,
    "noise once instead of per batch": NoiseOnce,
    "sum released again": SumReleasedAgain,
    "scale follows rewards": ScaleFollowsRewards,
}


def plant(bug: type[Sound], policy: type[BatchedIndexPolicy]) -> type[BatchedIndexPolicy]:
    """A policy class like `policy` but with the bug (or with `Sound`, without one)."""
    return type(f"{bug.__name__}{policy.__name__}", (bug, policy), {})
