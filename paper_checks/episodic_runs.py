"""Many simulated runs of the episodic family, and what their mean regret says of a bound.

A mean regret becomes a probability by one more draw: a uniform variable below the regret divided by its largest
possible value. That holds for any law of the regret, however rare and large its bad values are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, EpisodicUCB
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.simulator import simulate
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.study import Arrays, Study
from banditproof.theory.budget import Budget
from banditproof.verify.statistics import event_test

POLICIES: dict[str, tuple[type[EpisodicUCB], Callable[[float], Budget]]] = {
    "AdaP-UCB": (AdaPUCB, Budget.pure), "AdaP-KLUCB": (AdaPKLUCB, Budget.pure), "AdaC-UCB": (AdaCUCB, Budget.zcdp),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One policy on one Bernoulli bandit; `budget` is epsilon or rho."""

    policy: str
    means: tuple[str, ...]
    budget: str
    horizon: int
    beta: str = "31/10"
    share: float = 1.0  # of the runs

    @property
    def exact(self) -> list[Fraction]:
        return [Fraction(mean) for mean in self.means]

    @property
    def gaps(self) -> list[Fraction]:
        return [max(self.exact) - mean for mean in self.exact]

    @property
    def name(self) -> str:
        return f"{self.policy} on ({', '.join(self.means)}), budget {self.budget}, beta {self.beta}, T = {self.horizon}"

    def regrets(self, runs: int, seed: np.random.SeedSequence) -> np.ndarray:
        """The regret of independent runs, [runs]."""
        policy, budget = POLICIES[self.policy]
        noise, rewards = (np.random.default_rng(child) for child in seed.spawn(2))
        player = policy(
            len(self.means), budget(float(Fraction(self.budget))), NoiseSource(noise),
            beta=float(Fraction(self.beta)), replications=runs,
        )  # fmt: skip
        bandit = BernoulliBandit([float(mean) for mean in self.exact])
        return simulate(player, bandit, self.horizon, rewards).regret[:, -1]


def run_cases(seeds: np.random.SeedSequence, runs: int, cases: list[list[Any]]) -> Arrays:
    """Of every case the values that the regret took and how often."""
    found: Arrays = {}
    for fields, seed in zip(cases, seeds.spawn(len(cases)), strict=True):
        case = Case(fields[0], tuple(fields[1]), *fields[2:])
        regrets = np.round(case.regrets(round(case.share * runs), seed), 9)
        found[f"{case.name}: values"], found[f"{case.name}: counts"] = np.unique(regrets, return_counts=True)
    return found


def study(name: str, cases: Iterable[Case], quick: int, full: int) -> Study:
    """Runs of the cases; the cases are parameters, so that others are other studies."""
    listed = [list(astuple(case)) for case in cases]
    return Study(name, run_cases, {"runs": quick, "cases": listed}, {"runs": full})


def regrets_of(arrays: Arrays, case: Case) -> np.ndarray:
    return np.repeat(arrays[f"{case.name}: values"], arrays[f"{case.name}: counts"])


def mean_regret_at_most(
    check: Check, runs: Study, cases: Iterable[Case], bound: Callable[[Case], float], covers: Any = None
) -> None:
    """Test that the expected regret in every case is at most bound(case)."""
    listed = list(cases)

    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, found = check.study(runs, stream), []
        for case in listed:
            regrets, most = regrets_of(arrays, case), case.horizon * float(max(case.gaps))
            coins = check.rng("coins", case.name, stream).random(regrets.size)
            share = Fraction(min(1.0, max(0.0, bound(case)) / most)).limit_denominator(10**9)
            event = f"{case.name}: a uniform variable is below the regret over {most:g}"
            found.append(event_test(event, coins * most < regrets, "<=", share))
        return found

    budget = "rho" if "rho" in check.domain.sets else "epsilon"
    fixed: dict[str, Any] = {
        budget: [case.budget for case in listed], "beta": [case.beta for case in listed],
        "horizon": [case.horizon for case in listed], "means": f"all: {len(listed)} cases with Bernoulli arms",
    }  # fmt: skip
    region = covers or check.domain.restrict(**{n: v for n, v in fixed.items() if n in check.domain.sets})
    check.statistics(tests, covers=region, routes=("mean regret as a probability", "the stated bound"))
