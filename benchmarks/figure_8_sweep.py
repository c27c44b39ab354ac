"""Time a DP-IMED sweep like Figure 8 of bernoulli-dp, and compare it with the per-pull reference.

A plain script: python benchmarks/figure_8_sweep.py
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.run.simulator import simulate_per_pull
from banditproof.algorithms.run.sweep import sweep
from banditproof.theory.privacy.budget import Budget

BANDIT = BernoulliBandit([0.8, 0.1, 0.1, 0.1, 0.1])
BUDGETS = np.linspace(0.01, 1.0, 100)
RUNS = 20
HORIZON = 10**7
REPEATS = 5
REFERENCE_BUDGETS = (0.01, 0.1, 1.0)  # one full-length reference run at each


def dp_imed(epsilon: float | np.ndarray, generator: np.random.Generator) -> DPIMED:
    noise = NoiseSource(generator)
    return DPIMED(BANDIT.arms, Budget.pure(epsilon), GeometricBatches("1.1"), noise, ties="random", generator=generator)


def seconds_of_sweep(seed: int) -> float:
    start = perf_counter()
    sweep(dp_imed, BANDIT, HORIZON, budgets=BUDGETS, runs=RUNS, seed=seed)
    return perf_counter() - start


def seconds_of_reference(epsilon: float, seed: int) -> float:
    for_policy, for_rewards = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2))
    start = perf_counter()
    simulate_per_pull(dp_imed(epsilon, for_policy), BANDIT, HORIZON, for_rewards)
    return perf_counter() - start


def main() -> None:
    first, *later = (seconds_of_sweep(seed) for seed in range(REPEATS + 1))
    per_sweep = float(np.median(later))
    per_run = float(np.mean([seconds_of_reference(epsilon, seed) for seed, epsilon in enumerate(REFERENCE_BUDGETS)]))
    runs = BUDGETS.size * RUNS
    print(f"DP-IMED, means {BANDIT.means.tolist()}, alpha 1.1, n0 1, horizon {HORIZON:,}, one process")
    print(f"measured      sweep of {BUDGETS.size} budgets x {RUNS} runs, first call   {first:10.3f} s")
    print(f"measured      the same, median of {REPEATS} more calls          {per_sweep:10.3f} s")
    print(f"measured      per-pull reference, one run at full length {per_run:10.3f} s")
    print(f"              (mean of one at each epsilon of {REFERENCE_BUDGETS}; {per_run / HORIZON:.1e} s a pull)")
    print(f"extrapolated  per-pull reference, {runs} such runs         {runs * per_run:10.0f} s")
    print(f"ratio         reference / sweep                          {runs * per_run / per_sweep:10.0f}")


if __name__ == "__main__":
    main()
