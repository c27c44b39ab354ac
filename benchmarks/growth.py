"""What grows with the arms, the dimension, the number of claims, and the processes that check them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from distributed import LocalCluster
from measuring import ALONE, Pair, benchmark
from scipy.optimize import minimize_scalar

from banditproof.algorithms import BernoulliBandit, GeometricBatches, NoiseSource
from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts
from banditproof.algorithms.contextual.oful import AdaCOFUL
from banditproof.algorithms.contextual.simulation import simulate_contextual
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.algorithms.run.simulator import simulate
from banditproof.claims import REGISTER, load
from banditproof.theory import Budget, kl_bernoulli, regret_lower_bound, regret_upper_bound

CLAIMS = 60  # that are checked by one process and by several


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


@benchmark("adac-oful-dimensions", baseline=ALONE, unit="dimensions, 25 runs of 1000 rounds", sizes=[3, 10, 30, 100])
def dimensions(d: int) -> Pair:
    bandit = ContextualBandit(np.full(d, d**-0.5), GaussianContexts(10, d))

    def ours() -> None:
        noise = NoiseSource(np.random.default_rng(0))
        policy = AdaCOFUL(d, Budget.zcdp(0.5), noise, horizon=1000, replications=25, bounded=False)
        simulate_contextual([policy], bandit, 1000, np.random.default_rng(1))

    return Pair(ours)


def checked(count: int, *options: str) -> None:
    """A fresh check of so many claims under items, drawn from all of them, in a folder that is thrown away."""
    load()
    some = Random(0).sample(sorted(name for name, c in REGISTER.items() if c.check is not None and "/" in name), count)
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "banditproof", "check", "--quiet", "--format", "terminal", *options]
        command += ["--output", folder, *(word for name in some for word in ("--claim", name))]
        subprocess.run(command, check=False, capture_output=True, cwd=Path(__file__).parent)


@benchmark("claims", baseline=ALONE, unit="claims", sizes=[20, 60, 200])
def claims(count: int) -> Pair:
    return Pair(lambda: checked(count, "--workers", "1"))


@benchmark("processes", baseline=ALONE, unit=f"processes, {CLAIMS} claims", sizes=[1, 2, 3, 4])
def processes(workers: int) -> Pair:
    return Pair(lambda: checked(CLAIMS, "--workers", str(workers)))


@benchmark("dask-workers", baseline=ALONE, unit=f"workers of Dask, {CLAIMS} claims", sizes=[1, 2, 3, 4])
def dask_workers(workers: int) -> Pair:
    def ours() -> None:
        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
            checked(CLAIMS, "--scheduler", cluster.scheduler_address)

    return Pair(ours)
