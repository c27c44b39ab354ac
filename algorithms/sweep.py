"""Many replications in fixed chunks, on any number of processes, with the same numbers each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from banditproof.algorithms.environment import Environment
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.simulator import SimulationResult, simulate
from banditproof.theory.errors import InvalidInput


def simulate_chunks(
    make_policy: Callable[[slice, np.random.Generator], Policy],
    environment: Environment,
    horizon: int,
    *,
    replications: int,
    seed: int | np.random.SeedSequence,
    record_times: Sequence[int] | np.ndarray | None = None,
    chunk_size: int = 1000,
    workers: int = 1,
) -> SimulationResult:
    """`simulate`, by chunks of `chunk_size` replications on `workers` processes.

    `make_policy(rows, generator)` builds the policy for the replications of the slice `rows`; the generator is for its
    noise and its coin flips. Chunk c is seeded by child c of `seed`: the numbers depend on `seed` and `chunk_size`, not
    on `workers`, and more replications by whole chunks leave the earlier ones as they were.

    Raises InvalidInput.
    """
    _check_positive(replications=replications, chunk_size=chunk_size, workers=workers)
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)

    def chunk(c: int) -> SimulationResult:
        # A child by its key, not by root.spawn, which would count the children already taken.
        child = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, c))
        for_policy, for_rewards = (np.random.default_rng(s) for s in child.spawn(2))
        rows = slice(c * chunk_size, min((c + 1) * chunk_size, replications))
        policy = make_policy(rows, for_policy)
        if policy.replications != rows.stop - rows.start:
            raise InvalidInput("replications", policy.replications, f"{rows.stop - rows.start}, as many as asked for")
        return simulate(policy, environment, horizon, for_rewards, record_times)

    chunks = range(-(-replications // chunk_size))
    if workers == 1:
        return _concatenated(map(chunk, chunks))
    from joblib import Parallel, delayed

    results: Any = Parallel(n_jobs=workers)(delayed(chunk)(c) for c in chunks)
    return _concatenated(results)


def sweep(
    make_policy: Callable[[np.ndarray, np.random.Generator], Policy],
    environment: Environment,
    horizon: int,
    *,
    budgets: Sequence[float] | np.ndarray,
    runs: int,
    seed: int | np.random.SeedSequence,
    record_times: Sequence[int] | np.ndarray | None = None,
    chunk_size: int = 1000,
    workers: int = 1,
) -> SimulationResult:
    """`runs` replications at each of B `budgets`, moving together; the result's leading axes are [B, runs].

    `make_policy(budget, generator)` builds the policy for an array [R] with one budget per replication, e.g.
    `lambda epsilon, generator: DPIMED(5, Budget.pure(epsilon), GeometricBatches(2), NoiseSource(generator))`. Other
    arguments and seeding as in `simulate_chunks`. Raises InvalidInput.
    """
    budgets = np.asarray(budgets, dtype=float)
    if budgets.ndim != 1:
        raise InvalidInput("budgets", budgets, "a list of numbers")
    _check_positive(runs=runs)
    per_replication = np.repeat(budgets, runs)
    result = simulate_chunks(
        lambda rows, generator: make_policy(per_replication[rows], generator),
        environment,
        horizon,
        replications=per_replication.size,
        seed=seed,
        record_times=record_times,
        chunk_size=chunk_size,
        workers=workers,
    )
    regret, actions, pulls = (
        array.reshape(budgets.size, runs, -1) for array in (result.regret, result.actions, result.pulls)
    )
    return SimulationResult(result.record_times, regret, actions, pulls)


def _check_positive(**numbers: int) -> None:
    for name, value in numbers.items():
        if not isinstance(value, int | np.integer) or value < 1:
            raise InvalidInput(name, value, "an integer, at least 1")


def _concatenated(results: Iterable[SimulationResult]) -> SimulationResult:
    times, *parts = zip(*((r.record_times, r.regret, r.actions, r.pulls) for r in results), strict=True)
    return SimulationResult(times[0], *map(np.concatenate, parts))
