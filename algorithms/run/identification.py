"""Running a strategy until it names the best arm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.environment import Environment, heard
from banditproof.algorithms.identification.ttucb_loop import has_ttucb_loop, run_ttucb
from banditproof.algorithms.policy import A_STRATEGY, Strategy, asked, check_calls, recommended
from banditproof.algorithms.registration import Algorithm, IdentificationSetting
from banditproof.algorithms.roster import algorithm
from banditproof.algorithms.run.in_order import Map, in_order
from banditproof.theory.errors import InvalidInput


@dataclass(frozen=True, eq=False)
class IdentificationResult:
    """`recommendation` [R]: the arm that was named, -1 in a run that had not stopped by the cap; `pulls` [R]."""

    recommendation: np.ndarray
    pulls: np.ndarray


def identify(
    strategy: Strategy,
    environment: Environment,
    cap: int,
    generator: np.random.Generator,
    progress: Callable[[int, int], None] | None = None,
    over: Callable[[], bool] | None = None,
) -> IdentificationResult:
    """Run all replications of a fresh `strategy` until they stop, for at most `cap` pulls each.

    Batches are drawn as in `simulate`, and cut at the cap. Where several arms are best a strategy has no reason to
    stop: most of such runs end at the cap and name no arm, and those that stop name a best one but for the risk.
    `progress(done, replications)` is called before every batch with the number of runs that have ended, and so is
    `over()`: if it is true, the runs that go on name no arm. Raises InvalidInput for another number of arms, and for a
    recommendation that is no arm.
    """
    if not isinstance(strategy, Strategy):
        raise InvalidInput("strategy", type(strategy).__name__, A_STRATEGY)
    check_calls(strategy, "strategy")
    if strategy.arms != environment.arms:
        raise InvalidInput("arms", strategy.arms, f"{environment.arms}, the number of arms of the environment")
    if not isinstance(cap, int | np.integer) or cap < 1:
        raise InvalidInput("cap", cap, "an integer, at least 1")
    rows = np.arange(strategy.replications)
    recommendation, pulls = np.full(rows.size, -1), np.zeros(rows.size, dtype=np.int64)
    while True:
        stopped = np.array(strategy.stopped, dtype=bool)
        named = recommended(strategy)[stopped]
        if named.size and not (0 <= named.min() and named.max() < environment.arms):
            raise InvalidInput("recommendation", named.tolist(), f"between 0 and {environment.arms - 1}")
        recommendation[rows[stopped]] = named
        running = ~stopped & (pulls[rows] < cap)
        if progress is not None:
            progress(pulls.size - int(running.sum()), pulls.size)
        if not running.any() or (over is not None and over()):
            return IdentificationResult(recommendation, pulls)
        if not running.all():
            rows = rows[running]
            strategy.keep(running)
        arm, count = asked(strategy, rows.size)
        count = np.minimum(count, cap - pulls[rows])
        strategy.observe(heard(environment, arm, count, generator, time=pulls[rows]), count)
        pulls[rows] += count


def identify_fastest(
    strategy: Strategy,
    environment: Environment,
    cap: int,
    generator: np.random.Generator,
    progress: Callable[[int, int], None] | None = None,
) -> IdentificationResult:
    """`identify`, in a compiled loop where there is one (TTUCB with coins) and numba is installed: same law of runs."""
    known = has_ttucb_loop(strategy, environment) and strategy.arms == environment.arms
    if not known or not isinstance(cap, int | np.integer) or cap < 1:
        return identify(strategy, environment, cap, generator, progress)
    named, pulls = run_ttucb(strategy, environment, int(cap), generator)  # pyright: ignore[reportArgumentType]
    return IdentificationResult(named, pulls.sum(axis=1))


def identify_sweep(
    names: Sequence[str],
    environment: Environment,
    budgets: Sequence[float | None],
    delta: float,
    cap: int,
    *,
    runs: int,
    seed: int = 0,
    workers: int | Map = 1,
    progress: Callable[[int, int], None] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Iterator[tuple[str, float | None, IdentificationResult]]:
    """Strategies of the roster at every budget (None without one: once), in order, on `workers` processes or a `map`.

    `progress(done, runs)` tells how many runs of a point have ended, where they run in this process (`workers` = 1).
    Every point has the same `seed`, so that its numbers do not depend on the others. An option goes to the strategies
    that know it. Raises InvalidInput, also for an option that none knows, before anything runs.
    """
    entries = [algorithm(name, IdentificationSetting) for name in dict.fromkeys(names)]
    known = {key for entry in entries for key in entry.options}

    def build(entry: Algorithm, budget: float | None, generator: np.random.Generator, replications: int) -> Strategy:
        own = {key: value for key, value in (options or {}).items() if key in entry.options or key not in known}
        setting = IdentificationSetting.of(environment.arms, delta, budget, generator, replications)
        return entry.build(setting, **own)

    def run(point: tuple[Algorithm, float | None]) -> IdentificationResult:
        entry, budget = point
        play, rewards = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2))
        return identify_fastest(build(entry, budget, play, runs), environment, cap, rewards, watch)

    watch = progress if workers == 1 else None
    points = [(entry, budget) for entry in entries for budget in (budgets if entry.private else [None])]
    for entry, budget in points:
        build(entry, budget, np.random.default_rng(0), 1)
    for (entry, budget), result in zip(points, in_order(run, points, workers), strict=True):
        yield entry.name, budget, result
