r"""The simulations behind the experiments of Section 5 and Appendix G.

Ties are broken at random: the best arm is listed first in all instances, which a rule by arm number would flatter. The
last batch of a run is cut at the horizon.

DP-SE with beta = 1/T, AdaP-KLUCB with optimism 3.1 and Lazy-DP-TS run in every panel. Lazy-DP-TS decides at every pull;
under the quick profile its runs end early, and what they have lost by then is compared with what the new algorithms
lose by T. Regret never falls, so this is a harder test of the claim.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB, BatchedIndexPolicy
from banditproof.algorithms.finite.episodic import AdaPKLUCB
from banditproof.algorithms.finite.index import IMED
from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.compiled import simulate_fastest
from banditproof.algorithms.run.simulator import simulate
from banditproof.algorithms.run.sweep import simulate_chunks
from banditproof.claims.study import Arrays, Study
from banditproof.theory import Budget, dp_klucb_index, regret_lower_bound

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
    """DP-KLUCB with the exploration level 3 log(t) / N instead of log(t) / N."""

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
            budget, switches = Budget.pure(epsilon[rows]), {"ties": self.ties, "forgetting": self.forgetting}
            noise = NoiseSource(generator)
            return POLICIES[self.policy](len(self.means), budget, batches, noise, generator=generator, **switches)

        bandit = BernoulliBandit([float(mean) for mean in self.means])
        options = {"replications": epsilon.size, "seed": seed, "record_times": record_times, "chunk_size": 5000}
        result = simulate_chunks(policy, bandit, self.horizon, **options)
        return dict(zip(budgets, np.split(result.regret, len(budgets)), strict=True))


def lower_bound(means: Sequence[str], budget: str, horizon: int = HORIZON) -> Fraction:
    """Lower end of the bound of Theorem 3.1, constant times log(horizon)."""
    return Fraction(regret_lower_bound(means, budget, horizon)["d-epsilon"].value.lower)


def regrets(
    seed: np.random.SeedSequence, curves: Mapping[str, tuple[Setting, Sequence[str], int]], record_times: Any = None
) -> Arrays:
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
    return regrets(seed, curves, RECORD_TIMES)


def ablated(seed: np.random.SeedSequence, imed_runs: int, klucb_runs: int) -> Arrays:
    """The same at the horizon with one decision undone: forgetting switched on, or exploration at 3 log t."""
    curves = {}
    for instance, means in INSTANCES.items():
        forgetful = {policy: Setting(policy, means, forgetting=True) for policy in ("DP-IMED", "DP-KLUCB")}
        curves[f"DP-IMED, forgetting, {instance}"] = forgetful["DP-IMED"], BUDGETS, imed_runs
        curves[f"DP-KLUCB, forgetting, {instance}"] = forgetful["DP-KLUCB"], BUDGETS, klucb_runs
        curves[f"DP-KLUCB, 3 log t, {instance}"] = Setting("3 log t", means), BUDGETS, klucb_runs
    return regrets(seed, curves)


def heavy_tails(seed: np.random.SeedSequence, group_runs: int, runs: int) -> Arrays:
    """Many runs of DP-IMED in two cells with heavy tails, in one of them with forgetting, too."""
    curves = {
        "mu2": (Setting("DP-IMED", INSTANCES["mu2"]), ["0.25"], group_runs),
        "mu1": (Setting("DP-IMED", INSTANCES["mu1"]), ["0.01"], runs),
        "mu1, forgetting": (Setting("DP-IMED", INSTANCES["mu1"], forgetting=True), ["0.01"], runs),
    }
    return regrets(seed, curves)


def tie_rules(seed: np.random.SeedSequence, runs: int) -> Arrays:
    """The panels of Figure 1 under other rules for ties."""
    curves = {
        f"{policy}, {instance}, {ties}": (Setting(policy, INSTANCES[instance], ties=ties), ["0.25"], runs)
        for policy in ("DP-IMED", "DP-KLUCB")
        for instance in ("mu1", "mu2")
        for ties in TIE_RULES
    }
    return regrets(seed, curves)


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
            policy, bandit, horizon, replications=runs, seed=child, record_times=times, engine=simulate_fastest
        )
        arrays[instance] = result.regret
    return arrays


EPISODIC = ("DP-SE", "AdaP-KLUCB")
HEAVY, WIDEST = ("mu2", "0.1"), ("mu3", "1")  # panels: the closest mean regrets, the largest factor between medians


def baseline(name: str, epsilon: np.ndarray, generator: np.random.Generator) -> Policy:
    """An earlier algorithm as the experiments set it up, for the budgets of all replications [R]."""
    budget, noise = Budget.pure(epsilon), NoiseSource(generator)
    if name == "DP-SE":
        return DPSE(5, budget, noise, horizon=HORIZON)
    if name == "AdaP-KLUCB":
        return AdaPKLUCB(5, budget, noise, beta=3.1, generator=generator, ties="random")
    return LazyDPTS(5, budget, noise, generator)


def baseline_regret(
    name: str, instance: str, budgets: tuple[str, ...], runs: int, end: int, seed: np.random.SeedSequence
) -> dict[str, np.ndarray]:
    """Regret [runs, times] per budget at the record times up to `end`."""
    epsilon = np.repeat([float(b) for b in budgets], runs)
    options = {"replications": epsilon.size, "seed": seed, "record_times": RECORD_TIMES[end >= RECORD_TIMES]}
    result = simulate_chunks(
        lambda rows, generator: baseline(name, epsilon[rows], generator),
        BernoulliBandit([float(mean) for mean in INSTANCES[instance]]),
        end,
        engine=simulate if name in EPISODIC else simulate_fastest,
        **options,
    )
    return dict(zip(budgets, np.split(result.regret, len(budgets)), strict=True))


def earlier_algorithms(seed: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret [runs, times] of DP-SE and AdaP-KLUCB in every panel, under the name "algorithm, instance, budget"."""
    curves = [(name, instance) for name in EPISODIC for instance in INSTANCES]
    arrays: Arrays = {}
    for (name, instance), child in zip(curves, seed.spawn(len(curves)), strict=True):
        found = baseline_regret(name, instance, BUDGETS, runs, HORIZON, child)
        arrays |= {f"{name}, {instance}, {budget}": regret for budget, regret in found.items()}
    return arrays


def lazy_dp_ts(seed: np.random.SeedSequence, instance: str, runs: int, ends: Sequence[int]) -> Arrays:
    """Regret [runs, times] of Lazy-DP-TS up to a time per budget, under the name "Lazy-DP-TS, instance, budget"."""
    arrays: Arrays = {}
    for budget, end, child in zip(BUDGETS, ends, seed.spawn(len(BUDGETS)), strict=True):
        regret = baseline_regret("Lazy-DP-TS", instance, (budget,), runs, end, child)
        arrays[f"Lazy-DP-TS, {instance}, {budget}"] = regret[budget]
    return arrays


def single_panels(seed: np.random.SeedSequence, heavy_runs: int, runs: int) -> Arrays:
    """Many runs of DP-IMED and DP-SE in two panels, at the horizon: [runs] each."""
    arrays: Arrays = {}
    for (instance, budget), count, child in zip((HEAVY, WIDEST), (heavy_runs, runs), seed.spawn(2), strict=True):
        ours, theirs = child.spawn(2)
        imed = Setting("DP-IMED", INSTANCES[instance]).regret([budget], count, ours)
        se = baseline_regret("DP-SE", instance, (budget,), count, HORIZON, theirs)
        arrays |= {f"{name}, {instance}": by[budget][:, -1] for name, by in (("DP-IMED", imed), ("DP-SE", se))}
    return arrays


COMPARED = Study(
    "bernoulli-dp-regret-over-time",
    compared,
    {"imed_runs": 1000, "klucb_runs": 400},
    {"imed_runs": 10_000, "klucb_runs": 2000},
)
ABLATED = Study(
    "bernoulli-dp-ablations", ablated, {"imed_runs": 600, "klucb_runs": 100}, {"imed_runs": 10_000, "klucb_runs": 2000}
)
HEAVY_TAILS = Study(
    "bernoulli-dp-heavy-tails",
    heavy_tails,
    {"group_runs": 24_000, "runs": 8000},
    {"group_runs": 80_000, "runs": 80_000},
)
TIES = Study("bernoulli-dp-tie-rules", tie_rules, {"runs": 200}, {"runs": 2000})
SWEEP = Study(
    "bernoulli-dp-figure-8",
    budget_sweep,
    {"budgets": ["0.01", "0.02", *(f"{k / 20:.2f}" for k in range(1, 21))], "runs": 200},
    {"budgets": [f"{k / 100:.2f}" for k in range(1, 101)], "runs": 1000},
)
BENCHMARK = Study(
    "bernoulli-dp-imed-benchmark", benchmark, {"horizon": 10**4, "runs": 200}, {"horizon": HORIZON, "runs": 100}
)
EARLIER = Study("bernoulli-dp-earlier-algorithms", earlier_algorithms, {"runs": 100}, {"runs": 1000})
SINGLE = Study(
    "bernoulli-dp-single-panels",
    single_panels,
    {"heavy_runs": 22_000, "runs": 1000},
    {"heavy_runs": 80_000, "runs": 10_000},
)

SOON, LATER = 31_623, 10**5
ENDS = {"mu1": (316_228, LATER, SOON, SOON, 177_828)}  # record times, by budget
LAZY = {
    instance: Study(
        f"bernoulli-dp-lazy-dp-ts-{instance}",
        lazy_dp_ts,
        {"instance": instance, "runs": 48, "ends": ENDS.get(instance, (LATER, *(SOON,) * 4))},
        {"ends": (HORIZON,) * len(BUDGETS)},
    )
    for instance in INSTANCES
}
