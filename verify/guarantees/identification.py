"""Does a strategy name a wrong arm more often than it promises?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit, Environment
from banditproof.algorithms.policy import Strategy
from banditproof.algorithms.run.identification import identify
from banditproof.theory.errors import InvalidInput
from banditproof.verify.guarantees.report import VIOLATION, StatisticalReport, combined
from banditproof.verify.guarantees.sequential import MISSED, Draw, check_mean
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.stopwatch import Stopwatch

MakeStrategy = Callable[[int, np.random.Generator, int], Strategy]
"""Builds a fresh strategy for (arms, generator, replications); its noise and coin flips come from the generator."""


def check_delta_correct(
    make_strategy: MakeStrategy,
    environments: Environment | Sequence[Environment],
    delta: float,
    *,
    cap: int = 1_000_000,
    error: Fraction | float = REPORT_ERROR,
    missed: Fraction | float = MISSED,
    seconds: float = 20,
    seed: int = 0,
    progress: bool | None = None,
) -> StatisticalReport:
    """Test that P(a wrong arm is named) <= `delta` in every one of the `environments`.

    An arm is wrong if its mean is not the largest. A run that has not stopped after `cap` pulls is undecided: it is no
    wrong arm where delta is attacked, it is left out where delta is supported, and the report counts it; a strategy
    that never stops is therefore never ok. `identification_instances` has environments that are hard in different ways.
    The search ends at the first violation. The error is shared by the environments, `missed` and the time are as in
    `check_regret`. Raises InvalidInput.
    """
    if not 0 < delta < 1:
        raise InvalidInput("delta", delta, "between 0 and 1")
    listed = list(environments) if isinstance(environments, Sequence) else [environments]
    if not listed:
        raise InvalidInput("environments", environments, "at least one")
    watch, parts = Stopwatch(), []
    for i, environment in enumerate(listed):
        left = max(seconds - watch.seconds(), seconds / 10)
        parts.append(
            check_mean(
                _wrong(make_strategy, environment, cap, np.random.SeedSequence(seed, spawn_key=(i,))),
                delta,
                1.0,
                tested=f"P(wrong arm) <= {delta:g} with means {', '.join(f'{mean:g}' for mean in environment.means)}",
                cause="a wrong arm is named too often",
                error=float(error) / len(listed),
                missed=missed,
                seconds=left / (len(listed) - i),
                progress=progress,
            )
        )
        if parts[-1].verdict == VIOLATION:
            break
    undecided, runs = sum(part.undecided for part in parts), sum(part.runs for part in parts)
    notes = (f"{undecided} of {runs} runs had not stopped after {cap} pulls",) if undecided else ()
    return combined(f"delta-correctness, delta = {delta:g}", parts, float(error), watch.seconds(), notes=notes)


def identification_instances(arms: int) -> list[BernoulliBandit]:
    """Bandits on which wrong stopping rules show: permuted, near-ties, a second best among bad arms, means 0 and 1."""
    if not arms >= 2:
        raise InvalidInput("arms", arms, "at least 2")
    rest = arms - 2
    return [
        BernoulliBandit(means)
        for means in (
            [0.3] * (arms - 1) + [0.7],
            [0.7] + [0.3] * (arms - 1),
            [0.5, 0.6] + [0.1] * rest,
            [0.45] * (arms - 1) + [0.55],
            [0.0] * (arms - 1) + [1.0],
            [0.9, 0.99] + [0.5] * rest,
            [0.1, 0.01] + [0.0] * rest,
        )
    ]


def _wrong(make_strategy: MakeStrategy, environment: Environment, cap: int, root: np.random.SeedSequence) -> Draw:
    """Draws whether a wrong arm was named: 1, 0, or nan in a run that did not stop."""
    right = environment.means == environment.means.max()

    def draw(count: int) -> np.ndarray:
        for_strategy, for_rewards = (np.random.default_rng(s) for s in root.spawn(2))
        strategy = make_strategy(environment.arms, for_strategy, count)
        if strategy.replications != count:
            raise InvalidInput("replications", strategy.replications, f"{count}, as many as asked for")
        named = identify(strategy, environment, cap, for_rewards).recommendation
        return np.where(named < 0, np.nan, ~right[named])

    return draw
