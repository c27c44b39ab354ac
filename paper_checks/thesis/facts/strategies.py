"""Stopping times of strategies with fixed confidence beside the lower bounds on their expectation.

A mean becomes a probability by one more draw: a uniform variable below the stopping time over a cap, where both are
divided by the cap. Longer runs count as long as the cap, a multiple of the bound, which makes the test no easier.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.roster import strategy
from banditproof.algorithms.run.identification import identify_fastest
from banditproof.claims.study import Arrays
from banditproof.paper_checks.thesis.facts.best_arm import kl_of_risk
from banditproof.theory import characteristic_time, to_ball

HARD = {
    "near one half": ("0.6", "0.4"),
    "zero and one": ("1", "0"),
    "near zero": ("0.01", "0.05"),
    "near one": ("0.99", "0.9", "0.9"),
    "near tie": ("0.5", "0.52"),
    "three": ("0.7", "0.5", "0.3"),
}
TRIED: dict[str, Any] = {
    "delta": [Fraction(risk) for risk in ("0.3", "0.01", "1e-100")],
    "epsilon": [Fraction(budget) for budget in ("0.01", "0.5", "20")],
}
CAP = 10**9


@dataclass(frozen=True)
class Point:
    """A strategy of the roster at an instance of `HARD`, a risk and a budget (None: it has none).

    With `more` runs for one it is tried closely: the cap is a tenth above the bound, not twice as large.
    """

    name: str
    instance: str
    delta: str
    epsilon: str | None = None
    more: int = 1

    @property
    def over(self) -> Fraction:
        return Fraction(2) if self.more == 1 else Fraction(11, 10)

    def __str__(self) -> str:
        budget = "" if self.epsilon is None else f", epsilon = {self.epsilon}"
        return f"{self.name}, {self.instance}, delta = {self.delta}{budget}"


def run_points(points: list[Point]) -> Any:
    """A function of seeds and runs: the stopping times of every point."""

    def run(seeds: np.random.SeedSequence, runs: int) -> Arrays:
        arrays: Arrays = {}
        for point, seed in zip(points, seeds.spawn(len(points)), strict=True):
            play, rewards = (np.random.default_rng(child) for child in seed.spawn(2))
            bandit = BernoulliBandit([float(mean) for mean in HARD[point.instance]])
            epsilon = None if point.epsilon is None else float(point.epsilon)
            options: dict[str, Any] = {"bonus": "log"} if point.name.startswith("adap") else {}
            made = strategy(point.name, bandit.arms, float(point.delta), epsilon, play, runs * point.more, **options)
            arrays[str(point)] = identify_fastest(made, bandit, CAP, rewards).pulls
        return arrays

    return run


@cache
def time_of(instance: str, epsilon: str | None) -> Any:
    """T* of the instance, private with a budget, as a ball."""
    return characteristic_time(means=HARD[instance], epsilon=epsilon).value.ball()


def no_faster(
    points: list[Point], arrays: Mapping[str, np.ndarray], coins: np.random.Generator, factor: Any
) -> Iterator[tuple[str, np.ndarray, str, Fraction]]:
    """Tests that no mean stopping time is below `factor` times T* kl(delta, 1 - delta)."""
    for point in points:
        times = arrays[str(point)]
        bound = time_of(point.instance, point.epsilon) * kl_of_risk(to_ball(Fraction(point.delta)))
        cap = float(bound.mid()) * float(point.over * Fraction(factor))
        yield f"{point}: samples over the cap", coins.random(times.size) * cap < times, ">=", 1 / point.over
