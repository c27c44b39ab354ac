"""Many replications in fixed chunks, on any number of processes or machines, with the same numbers each time."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.environment import Environment
from banditproof.algorithms.policy import Policy, in_full
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
    pieces = [(rows, child, make_policy) for rows, child in _chunks(_root(seed), replications, chunk_size)]
    return _simulated(pieces, environment, horizon, record_times, workers, checkpoints, progress, engine)


def _root(seed: int | np.random.SeedSequence) -> np.random.SeedSequence:
    return seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)


def _child(root: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    """A child by its key, not by `root.spawn`, which would count the children already taken."""
    return np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, *key))


def _chunks(
    root: np.random.SeedSequence, replications: int, size: int
) -> Iterator[tuple[slice, np.random.SeedSequence]]:
    """The rows of every chunk and its seed."""
    for c, first in enumerate(range(0, replications, size)):
        yield slice(first, min(first + size, replications)), _child(root, c)


def _simulated(
    pieces: Sequence[tuple[slice, np.random.SeedSequence, Callable[[slice, np.random.Generator], Policy]]],
    environment: Any,
    horizon: int,
    record_times: Sequence[int] | np.ndarray | None,
    workers: Workers | Map,
    checkpoints: Path | str | None,
    progress: Callable[[int, int], None] | None,
    engine: Callable[..., SimulationResult],
) -> SimulationResult:
    """The results of all pieces in their order: rows, the seed of the chunk, and what makes its policy."""
    folder = None if checkpoints is None else Path(checkpoints)
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput("checkpoints", str(folder), f"a folder that can be created ({error.strerror})") from None

    def piece(number: int) -> SimulationResult:
        rows, child, make_policy = pieces[number]
        for_policy, for_rewards = (np.random.default_rng(s) for s in _child(child).spawn(2))
        policy = make_policy(rows, for_policy)
        first, size = rows.start, rows.stop - rows.start
        policy = in_full(policy, size, lambda k: make_policy(slice(first + k, first + k + 1), for_policy))
        if folder is None:
            return engine(policy, environment, horizon, for_rewards, record_times)
        times = None if record_times is None else list(record_times)
        identity = (policy, _sources(policy), engine.__name__, environment, horizon, times, for_rewards)
        arrays = stored(folder, identity, lambda: vars(engine(policy, environment, horizon, for_rewards, record_times)))
        return SimulationResult(**arrays)

    return _concatenated(_reported(in_order(piece, range(len(pieces)), workers), len(pieces), progress))


@checked
def sweep(
    make_policy: Annotated[Callable[[np.ndarray, np.random.Generator], Policy], "(budgets, generator)"],
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
    """`runs` replications at each of B `budgets`; the result's leading axes are [B, runs].

    `make_policy(budget, generator)` builds the policy for an array [R] with one budget per replication, e.g.
    `lambda epsilon, generator: DPIMED(5, Budget.pure(epsilon), GeometricBatches(2), NoiseSource(generator))`. Other
    arguments and checkpoints as in `simulate_chunks`, but each budget has chunks and a seed of its own, which derives
    from `seed` and its value: its runs do not depend on the other budgets, and are independent of theirs.

    Raises InvalidInput.
    """
    values = np.asarray(budgets, dtype=float)
    if values.ndim != 1 or not values.size or np.unique(values).size < values.size:
        raise InvalidInput("budgets", budgets, "a list of different numbers, at least one")

    def at(budget: float) -> Callable[[slice, np.random.Generator], Policy]:
        return lambda rows, generator: make_policy(np.full(rows.stop - rows.start, budget), generator)

    pieces = []
    for budget in values:
        own = _child(_root(seed), *budget.view((np.uint32, 2)).tolist())
        pieces += [(rows, child, at(budget)) for rows, child in _chunks(own, runs, chunk_size)]
    result = _simulated(pieces, environment, horizon, record_times, workers, checkpoints, progress, simulate)
    regret, actions, pulls = (
        array.reshape(values.size, runs, -1) for array in (result.regret, result.actions, result.pulls)
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
