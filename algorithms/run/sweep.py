"""Many replications in fixed chunks, on any number of processes or machines, with the same numbers each time."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.algorithms.environment import Environment
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.checkpoints import stored
from banditproof.algorithms.run.in_order import Map, in_order
from banditproof.algorithms.run.simulator import SimulationResult, simulate
from banditproof.theory.arguments import Seed, Size, Workers, checked
from banditproof.theory.errors import InvalidInput


@checked
def simulate_chunks(
    make_policy: Callable[[slice, np.random.Generator], Policy],
    environment: Any,
    horizon: int,
    *,
    replications: Size,
    seed: Seed | np.random.SeedSequence,
    record_times: Sequence[int] | np.ndarray | None = None,
    chunk_size: Size = 1000,
    workers: Workers | Map = 1,
    checkpoints: Path | str | None = None,
    progress: Callable[[int, int], None] | None = None,
    engine: Callable[..., SimulationResult] = simulate,
) -> SimulationResult:
    """`simulate`, by chunks of `chunk_size` replications on `workers` processes, or by a `map` that calls elsewhere.

    `make_policy(rows, generator)` builds the policy for the replications of the slice `rows`; the generator is for its
    noise and its coin flips. Chunk c is seeded by child c of `seed`: the numbers depend on `seed` and `chunk_size`, not
    on `workers`, and more replications by whole chunks leave the earlier ones as they were.

    With a folder `checkpoints` every finished chunk is filed there, and taken from there by a later run of the same
    simulation (policy, environment, times and seed are part of its name): a kill loses the chunks in progress.
    `progress(done, chunks)` is called as chunks are finished, in their order. `engine` is what runs a chunk in an
    environment of its kind: `simulate`, or `simulate_compiled` for a policy that decides at every pull.

    Raises InvalidInput.
    """
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    folder = None if checkpoints is None else Path(checkpoints)
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput("checkpoints", str(folder), f"a folder that can be made ({error.strerror})") from None

    def chunk(c: int) -> SimulationResult:
        # A child by its key, not by root.spawn, which would count the children already taken.
        child = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, c))
        for_policy, for_rewards = (np.random.default_rng(s) for s in child.spawn(2))
        rows = slice(c * chunk_size, min((c + 1) * chunk_size, replications))
        policy = make_policy(rows, for_policy)
        if not hasattr(policy, "replications"):
            raise InvalidInput("make_policy", policy, "a function that returns a policy")
        if policy.replications != rows.stop - rows.start:
            raise InvalidInput("replications", policy.replications, f"{rows.stop - rows.start}, as many as asked for")
        if folder is None:
            return engine(policy, environment, horizon, for_rewards, record_times)
        times = None if record_times is None else list(record_times)
        identity = (policy, _sources(policy), engine.__name__, environment, horizon, times, for_rewards)
        arrays = stored(folder, identity, lambda: vars(engine(policy, environment, horizon, for_rewards, record_times)))
        return SimulationResult(**arrays)

    chunks = range(-(-replications // chunk_size))
    return _concatenated(_reported(in_order(chunk, chunks, workers), len(chunks), progress))


@checked
def sweep(
    make_policy: Callable[[np.ndarray, np.random.Generator], Policy],
    environment: Environment,
    horizon: int,
    *,
    budgets: Sequence[float] | np.ndarray,
    runs: Size,
    seed: Seed | np.random.SeedSequence,
    record_times: Sequence[int] | np.ndarray | None = None,
    chunk_size: Size = 1000,
    workers: Workers | Map = 1,
    checkpoints: Path | str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """`runs` replications at each of B `budgets`, moving together; the result's leading axes are [B, runs].

    `make_policy(budget, generator)` builds the policy for an array [R] with one budget per replication, e.g.
    `lambda epsilon, generator: DPIMED(5, Budget.pure(epsilon), GeometricBatches(2), NoiseSource(generator))`. Other
    arguments, checkpoints and seeding as in `simulate_chunks`. Raises InvalidInput.
    """
    budgets = np.asarray(budgets, dtype=float)
    if budgets.ndim != 1:
        raise InvalidInput("budgets", budgets, "a list of numbers")
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
        checkpoints=checkpoints,
        progress=progress,
    )
    regret, actions, pulls = (
        array.reshape(budgets.size, runs, -1) for array in (result.regret, result.actions, result.pulls)
    )
    return SimulationResult(result.record_times, regret, actions, pulls)


def _sources(policy: Policy) -> list[str]:
    """The text of every module a policy's class comes from: another text is another policy."""
    modules = (inspect.getmodule(cls) for cls in (*type(policy).__mro__, SimulationResult))
    return [inspect.getsource(module) for module in modules if module and hasattr(module, "__file__")]


def _reported(
    results: Iterable[SimulationResult], chunks: int, progress: Callable[[int, int], None] | None
) -> Iterator[SimulationResult]:
    for done, result in enumerate(results, start=1):
        if progress is not None:
            progress(done, chunks)
        yield result


def _concatenated(results: Iterable[SimulationResult]) -> SimulationResult:
    times, *parts = zip(*((r.record_times, r.regret, r.actions, r.pulls) for r in results), strict=True)
    return SimulationResult(times[0], *map(np.concatenate, parts))
