"""What grows with the arms: certified regret bounds, and the start of an index policy."""

from __future__ import annotations

from typing import Any

import numpy as np
from measuring import ALONE, Pair, benchmark
from scipy.optimize import minimize_scalar

from banditproof.algorithms import BernoulliBandit, GeometricBatches, NoiseSource
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.algorithms.run.simulator import simulate
from banditproof.theory import Budget, kl_bernoulli, regret_lower_bound, regret_upper_bound


def spread(arms: int) -> np.ndarray:
    return np.r_[0.9, np.linspace(0.8, 0.1, arms - 1)]


@benchmark("regret-lower-bounds", baseline="one of the seven, by SciPy in floats", unit="arms", sizes=[10, 100, 1000])
def lower_bounds(arms: int) -> Pair:
    best, *others = spread(arms).tolist()

    def information(mean: float) -> float:
        cost = lambda z: 0.25 * (z - mean) + kl_bernoulli(z, best)  # noqa: E731
        return minimize_scalar(cost, bounds=(mean, best), method="bounded").fun

    return Pair(
        lambda: regret_lower_bound([best, *others], epsilon="0.25", horizon=10**6),
        lambda: sum((best - mean) / information(mean) for mean in others),
    )


@benchmark("regret-upper-bounds", baseline=ALONE, unit="arms", sizes=[10, 100, 1000])
def upper_bounds(arms: int) -> Pair:
    means = spread(arms).tolist()
    return Pair(lambda: regret_upper_bound("AdaP-UCB", means, 10**6, Budget.pure(1)))


class Eager(DPIMED):
    """The same policy, whose indices are computed from the first pull on."""

    def next_batch(self) -> Any:
        self.recommended = self._best_of_all()
        return self.recommended, self._size(self.batches_done[np.arange(self.replications), self.recommended])


@benchmark("cold-start", baseline="every index at every pull", unit="arms", sizes=[100, 1000, 10_000])
def cold_start(arms: int) -> Pair:
    bandit = BernoulliBandit(spread(arms))

    def play(kind: type[DPIMED]) -> None:
        generator = np.random.default_rng(0)
        policy = kind(arms, Budget.pure(1.0), GeometricBatches(2), NoiseSource(generator), replications=2)
        simulate(policy, bandit, arms, generator)

    return Pair(lambda: play(DPIMED), (lambda: play(Eager)) if arms <= 1000 else None)
