"""The simulations behind the experiments: BDP-E5.1, E-G1, E-G2, S5.1.

Ties are broken at random: the best arm is listed first in all instances, which a rule by arm number would flatter. The
last batch of a run is cut at the horizon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.compiled import simulate_compiled
from banditproof.algorithms.dp_index import DPIMED, DPKLUCB, BatchedIndexPolicy
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.index import IMED
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.sweep import simulate_chunks
from banditproof.paper_checks.study import Arrays, Study
from banditproof.theory.bernoulli import dp_klucb_index
from banditproof.theory.budget import Budget
from banditproof.theory.lower_bounds import regret_lower_bound

INSTANCES = {
    "mu1": ("0.75", "0.70", "0.70", "0.70", "0.70"),
    "mu2": ("0.75", "0.625", "0.5", "0.375", "0.25"),
    "mu3": ("0.75", "0.53125", "0.375", "0.28125", "0.25"),
    "mu4": ("0.75", "0.71875", "0.625", "0.46875", "0.25"),
}
FIGURE_8 = ("0.8", "0.1", "0.1", "0.1", "0.1")
BUDGETS = ("0.01", "0.1", "0.25", "0.5", "1")  # 0.25 in Figure 1, the others in Figures 4 to 7
HORIZON = 10**6
RECORD_TIMES = np.unique(np.round(np.logspace(1, 6, 21)).astype(int))
TIE_RULES = ("random", "lowest-arm", "most-pulled", "least-pulled")


class ThriceOptimistic(DPKLUCB):
    """DP-KLUCB with the exploration level 3 log(t) / N instead of log(t) / N. Source: BDP-S5.1"""

    def score(self, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
        level = 3 * np.log(self.clock + 1)[:, np.newaxis] / samples
        return dp_klucb_index(means, level, self.epsilon[:, np.newaxis])


POLICIES: dict[str, type[BatchedIndexPolicy]] = {"DP-IMED": DPIMED, "DP-KLUCB": DPKLUCB, "3 log t": ThriceOptimistic}


@dataclass(frozen=True)
class Setting:
    """What is run: a policy, a bandit, batches, and the two switches of `BatchedIndexPolicy`."""

    policy: str
    means: Sequence[str]
    horizon: int = HORIZON
    alpha: str = "2"
    n0: int = 1
    ties: str = "random"
    forgetting: bool = False

    def regret(
        self, budgets: Sequence[str], runs: int, seed: np.random.SeedSequence, record_times: Any = None
    ) -> dict[str, np.ndarray]:
        """Regret [runs, times] per budget, at the horizon alone by default."""
        epsilon = np.repeat([float(b) for b in budgets], runs)
        batches = GeometricBatches(self.alpha, self.n0)

        def policy(rows: slice, generator: np.random.Generator) -> BatchedIndexPolicy:
            return POLICIES[self.policy](
                len(self.means), Budget.pure(epsilon[rows]), batches, NoiseSource(generator), generator=generator,
                ties=self.ties, forgetting=self.forgetting,
            )  # fmt: skip

        bandit = BernoulliBandit([float(mean) for mean in self.means])
        result = simulate_chunks(
            policy,
            bandit,
            self.horizon,
            replications=epsilon.size,
            seed=seed,
            record_times=record_times,
            chunk_size=5000,
        )
        return dict(zip(budgets, np.split(result.regret, len(budgets)), strict=True))


def lower_bound(means: Sequence[str], budget: str, horizon: int = HORIZON) -> Fraction:
    """Lower end of the bound of Theorem 3.1, constant times log(horizon). Source: BDP-T3.1"""
    return Fraction(regret_lower_bound(means, budget, horizon)["double-change"].value.lower)


def _regrets(seed: np.random.SeedSequence, curves: Mapping[str, tuple[Setting, Sequence[str], int]],
             record_times: Any = None) -> Arrays:  # fmt: skip
    """Regret [runs, times] per curve and budget, under the name ``curve, budget``; at the horizon by default."""
    arrays: Arrays = {}
    for (name, (setting, budgets, runs)), child in zip(curves.items(), seed.spawn(len(curves)), strict=True):
        for budget, regret in setting.regret(budgets, runs, child, record_times).items():
            arrays[f"{name}, {budget}"] = regret
    return arrays


def compared(seed: np.random.SeedSequence, imed_runs: int, klucb_runs: int) -> Arrays:
    """DP-IMED and DP-KLUCB in all instances and budgets, over time (`RECORD_TIMES`)."""
    curves = {
        f"{policy}, {instance}": (Setting(policy, means), BUDGETS, runs)
        for policy, runs in (("DP-IMED", imed_runs), ("DP-KLUCB", klucb_runs))
        for instance, means in INSTANCES.items()
    }
    return _regrets(seed, curves, RECORD_TIMES)


def ablated(seed: np.random.SeedSequence, imed_runs: int, klucb_runs: int) -> Arrays:
    """The same at the horizon with one decision undone: forgetting switched on, or exploration at 3 log t."""
    curves = {}
    for instance, means in INSTANCES.items():
        forgetful = {policy: Setting(policy, means, forgetting=True) for policy in ("DP-IMED", "DP-KLUCB")}
        curves[f"DP-IMED, forgetting, {instance}"] = forgetful["DP-IMED"], BUDGETS, imed_runs
        curves[f"DP-KLUCB, forgetting, {instance}"] = forgetful["DP-KLUCB"], BUDGETS, klucb_runs
        curves[f"DP-KLUCB, 3 log t, {instance}"] = Setting("3 log t", means), BUDGETS, klucb_runs
    return _regrets(seed, curves)


def heavy_tails(seed: np.random.SeedSequence, group_runs: int, runs: int) -> Arrays:
    """Many runs of DP-IMED in two cells with heavy tails, in one of them with forgetting, too."""
    curves = {
        "mu2": (Setting("DP-IMED", INSTANCES["mu2"]), ["0.25"], group_runs),
        "mu1": (Setting("DP-IMED", INSTANCES["mu1"]), ["0.01"], runs),
        "mu1, forgetting": (Setting("DP-IMED", INSTANCES["mu1"], forgetting=True), ["0.01"], runs),
    }
    return _regrets(seed, curves)


def tie_rules(seed: np.random.SeedSequence, runs: int) -> Arrays:
    """The panels of Figure 1 under other rules for ties."""
    curves = {
        f"{policy}, {instance}, {ties}": (Setting(policy, INSTANCES[instance], ties=ties), ["0.25"], runs)
        for policy in ("DP-IMED", "DP-KLUCB")
        for instance in ("mu1", "mu2")
        for ties in TIE_RULES
    }
    return _regrets(seed, curves)


def budget_sweep(seed: np.random.SeedSequence, budgets: Sequence[str], runs: int) -> Arrays:
    """DP-IMED as in Figure 8: regret [budgets, runs] for n0 = 1 and n0 = 10."""
    arrays: Arrays = {"budget": np.array([float(b) for b in budgets])}
    for n0, child in zip((1, 10), seed.spawn(2), strict=True):
        setting = Setting("DP-IMED", FIGURE_8, horizon=10**7, alpha="1.1", n0=n0)
        regret = setting.regret(budgets, runs, child)
        arrays[f"n0 = {n0}"] = np.stack([regret[b][:, 0] for b in budgets])
    return arrays


def benchmark(seed: np.random.SeedSequence, horizon: int, runs: int) -> Arrays:
    """Non-private IMED, which decides at every pull: regret [runs, times] up to a horizon, and the times."""
    times = RECORD_TIMES[horizon >= RECORD_TIMES]
    arrays: Arrays = {"times": times}
    for (instance, means), child in zip(INSTANCES.items(), seed.spawn(len(INSTANCES)), strict=True):
        bandit = BernoulliBandit([float(mean) for mean in means])

        def policy(rows: slice, generator: np.random.Generator) -> IMED:
            return IMED(5, replications=rows.stop - rows.start, generator=generator, ties="random")

        result = simulate_chunks(
            policy, bandit, horizon, replications=runs, seed=child, record_times=times, engine=simulate_compiled
        )
        arrays[instance] = result.regret
    return arrays


COMPARED = Study(
    "bernoulli-dp-regret-over-time", compared,
    quick={"imed_runs": 1000, "klucb_runs": 400},
    full={"imed_runs": 10_000, "klucb_runs": 2000},
)  # fmt: skip
ABLATED = Study(
    "bernoulli-dp-ablations", ablated,
    quick={"imed_runs": 600, "klucb_runs": 100},
    full={"imed_runs": 10_000, "klucb_runs": 2000},
)  # fmt: skip
HEAVY_TAILS = Study(
    "bernoulli-dp-heavy-tails", heavy_tails,
    quick={"group_runs": 24_000, "runs": 8000}, full={"group_runs": 80_000, "runs": 80_000},
)  # fmt: skip
TIES = Study("bernoulli-dp-tie-rules", tie_rules, quick={"runs": 200}, full={"runs": 2000})
SWEEP = Study(
    "bernoulli-dp-figure-8", budget_sweep,
    quick={"budgets": ["0.01", "0.02", *(f"{k / 20:.2f}" for k in range(1, 21))], "runs": 200},
    full={"budgets": [f"{k / 100:.2f}" for k in range(1, 101)], "runs": 1000},
)  # fmt: skip
BENCHMARK = Study(
    "bernoulli-dp-imed-benchmark", benchmark,
    quick={"horizon": 10**4, "runs": 200}, full={"horizon": HORIZON, "runs": 100},
)  # fmt: skip
