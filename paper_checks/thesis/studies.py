r"""Simulations that claims of the thesis read, and the steps that hold a relation against them.

A mean regret becomes a probability by one more draw: a uniform variable below the regret divided by its largest
possible value. That holds for any law of the regret, however rare and large its bad values are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, EpisodicUCB
from banditproof.algorithms.finite.successive_elimination import DPSE
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.compiled import simulate_fastest
from banditproof.algorithms.run.simulator import simulate
from banditproof.algorithms.run.sweep import simulate_chunks, sweep
from banditproof.claims import Arrays, Check, Study
from banditproof.paper_checks.shared.simulated import simulated as simulated
from banditproof.theory import Budget
from banditproof.verify import Relation, event_test
from banditproof.verify.proof.evaluation import call

# Steps.

EXPECTED_REGRET = "the expected regret"


@dataclass(frozen=True)
class mean_regret:
    """The step that holds a bound on the expected regret, the right side of the relation, against runs of cases."""

    runs: Study
    cases: Iterable[Case]
    method: ClassVar[str] = "statistics"

    def __call__(self, check: Check, relation: Relation) -> bool:
        mean_regret_at_most(check, self.runs, self.cases, lambda case: bound_at(case, relation, **check.constants))
        return not check.refuted


def bound_at(case: Case, relation: Relation, **constants: Any) -> float:
    """The right side of a relation in a case, in floats."""
    budget = float(Fraction(case.budget))
    point = {"means": [float(mean) for mean in case.exact], "epsilon": budget, "rho": budget}
    point |= {"beta": float(Fraction(case.beta)), "horizon": case.horizon}
    return float(call(relation, {**point, **{name: float(Fraction(value)) for name, value in constants.items()}})[2])


# The episodic family, for bounds on the expected regret.

POLICIES: dict[str, tuple[type[EpisodicUCB], Callable[[float], Budget]]] = {
    "AdaP-UCB": (AdaPUCB, Budget.pure),
    "AdaP-KLUCB": (AdaPKLUCB, Budget.pure),
    "AdaC-UCB": (AdaCUCB, Budget.zcdp),
}


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
        spent, beta = budget(float(Fraction(self.budget))), float(Fraction(self.beta))
        player = policy(len(self.means), spent, NoiseSource(noise), beta=beta, replications=runs)
        bandit = BernoulliBandit([float(mean) for mean in self.exact])
        return simulate(player, bandit, self.horizon, rewards).regret[:, -1]


def run_cases(seeds: np.random.SeedSequence, runs: int, cases: list[list[Any]]) -> Arrays:
    """Of every case the values that the regret took and how often."""
    arrays: Arrays = {}
    for fields, seed in zip(cases, seeds.spawn(len(cases)), strict=True):
        case = Case(fields[0], tuple(fields[1]), *fields[2:])
        regrets = np.round(case.regrets(round(case.share * runs), seed), 9)
        arrays[f"{case.name}: values"], arrays[f"{case.name}: counts"] = np.unique(regrets, return_counts=True)
    return arrays


def study(name: str, cases: Iterable[Case], quick: int, full: int) -> Study:
    """Runs of the cases; the cases are parameters, so that others are other studies."""
    listed = [list(astuple(case)) for case in cases]
    return Study(name, run_cases, {"runs": quick, "cases": listed}, {"runs": full})


def regrets_of(arrays: Arrays, case: Case) -> np.ndarray:
    return np.repeat(arrays[f"{case.name}: values"], arrays[f"{case.name}: counts"])


def below(case: str, regrets: np.ndarray, most: float, coins: np.ndarray, bound: float) -> tuple[str, Any, str, Any]:
    """What a bound on the expected regret says of the event that a uniform variable is below the share of regret."""
    share = Fraction(min(1.0, max(0.0, bound) / most)).limit_denominator(10**9)
    return f"{case}: a uniform variable is below the regret over {most:g}", coins * most < regrets, "<=", share


def mean_regret_at_most(check: Check, runs: Study, cases: Iterable[Case], bound: Callable[[Case], float]) -> None:
    """Test that the expected regret in every case is at most bound(case)."""
    listed = list(cases)

    def tests(stream: str) -> list[dict[str, Any]]:
        arrays, events = check.study(runs, stream), []
        for case in listed:
            regrets, most = regrets_of(arrays, case), case.horizon * float(max(case.gaps))
            coins = check.rng("coins", case.name, stream).random(regrets.size)
            events.append(event_test(*below(case.name, regrets, most, coins, bound(case))))
        return events

    budget = "rho" if "rho" in check.domain.sets else "epsilon"
    fixed: dict[str, Any] = {
        budget: [case.budget for case in listed],
        "beta": [case.beta for case in listed],
        "horizon": [case.horizon for case in listed],
        "means": f"all: {len(listed)} cases with Bernoulli arms",
    }
    region = check.domain.restrict(**{n: v for n, v in fixed.items() if n in check.domain.sets})
    check.statistics(tests, covers=region, routes=("mean regret as a probability", "the stated bound"))


# Section 5.1: DP-UCB with delta = 1/T.

DP_UCB_BANDITS = {"two arms": (0.9, 0.1), "three arms": (0.8, 0.4, 0.2)}
DP_UCB_HORIZON, DP_UCB_BUDGET = 1500, 400.0


def run_dp_ucb(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret and a uniform variable for every run."""
    arrays, T, budget = {}, DP_UCB_HORIZON, Budget.pure(DP_UCB_BUDGET)
    for (name, means), seed in zip(DP_UCB_BANDITS.items(), seeds.spawn(len(DP_UCB_BANDITS)), strict=True):
        rewards, coins, noise = (np.random.default_rng(s) for s in seed.spawn(3))
        policy = DPUCB(len(means), budget, NoiseSource(noise), horizon=T, replications=runs)
        arrays[name] = simulate(policy, BernoulliBandit(means), T, rewards).regret[:, 0]
        arrays[f"{name}, uniform"] = coins.random(runs)
    return arrays


DP_UCB_RUNS = Study("thesis-dp-ucb-regret", run_dp_ucb, {"runs": 1500}, {"runs": 30_000})

# Section 5.2: the first attempt at a private UCB, with epsilon = 1 and delta = 1/T.

FIRST_ATTEMPT = {"two arms": (0.9, 0.1), "three arms": (0.8, 0.5, 0.2)}
LENGTHS = (100, 200, 400, 800)


def run_first_attempt(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret over T for each T of LENGTHS."""
    arrays = {}
    for (name, means), seed in zip(FIRST_ATTEMPT.items(), seeds.spawn(len(FIRST_ATTEMPT)), strict=True):
        generator, K = np.random.default_rng(seed), len(means)
        for T in LENGTHS:
            deep, rows = np.log(2 * T), np.arange(runs)
            pulls = np.ones((runs, K))
            sums = (generator.random((runs, K)) < means).astype(float)
            for _ in range(T - K):
                private = K * T / pulls
                index = sums / pulls + private * (generator.laplace(size=(runs, K)) + deep) + np.sqrt(2 * deep / pulls)
                arm = index.argmax(axis=1)
                sums[rows, arm] += generator.random(runs) < np.asarray(means)[arm]
                pulls[rows, arm] += 1
            arrays[f"{name}, {T}"] = pulls @ (max(means) - np.asarray(means)) / T
    return arrays


FIRST_ATTEMPT_RUNS = Study("thesis-first-private-ucb", run_first_attempt, {"runs": 300}, {"runs": 4000})

# Section 5.4.3: DP-SE stopped when one arm is left.

BEST_ARM = {"apart": (0.9, 0.4, 0.3), "close": (0.75, 0.5)}
RISK = 0.1


def run_until_one_arm_is_left(seeds: np.random.SeedSequence, runs: int) -> Arrays:
    """The number of samples of every arm."""
    arrays = {}
    for (name, means), seed in zip(BEST_ARM.items(), seeds.spawn(len(BEST_ARM)), strict=True):
        rewards, noise = (np.random.default_rng(s) for s in seed.spawn(2))
        policy = DPSE(len(means), Budget.pure(1.0), NoiseSource(noise), beta=RISK, replications=runs)
        environment = BernoulliBandit(means)
        samples, rows = np.zeros((runs, len(means))), np.arange(runs)
        while rows.size:
            arm, count = policy.next_batch()
            policy.observe(environment.sum_of_rewards(arm, count, rewards), count)
            samples[rows, arm] += count
            running = policy.active.sum(axis=1) > 1
            rows = rows[running]
            policy.keep(running)
        arrays[name] = samples
    return arrays


SURVIVORS = Study("thesis-dp-se-best-arm", run_until_one_arm_is_left, {"runs": 4000}, {"runs": 60_000})

# Figure 5.2.

MEANS = ("0.75", "0.625", "0.5", "0.375", "0.25")
HORIZON = 10**7
RECORD_TIMES = np.unique(np.round(np.logspace(1, 7, 25)).astype(int))
EARLY = 316_228  # the time at which the readings of DP-UCB's bonus are compared
EPISODIC = ("AdaP-KLUCB", "AdaP-UCB", "DP-SE")


def competitor(name: str, generator: np.random.Generator, replications: int) -> Policy:
    """The policies of the figure; the bonus of DP-UCB is that of MT15, or the printed one at some delta."""
    spent, noise = Budget.pure(1.0), NoiseSource(generator)
    if name in ("AdaP-UCB", "AdaP-KLUCB"):
        kind, coins = POLICIES[name][0], {"generator": generator, "ties": "random"}
        return kind(5, spent, noise, beta=3.1, replications=replications, **coins)
    if name == "DP-SE":
        return DPSE(5, spent, noise, horizon=HORIZON, replications=replications)
    bonus: dict[str, dict[str, Any]] = {
        "DP-UCB": {"variant": "mt15", "gamma": 0.1},
        "printed, delta = 1/T": {"variant": "thesis"},
        "printed, delta = gamma": {"variant": "thesis", "delta": 0.1},
    }
    return DPUCB(5, spent, noise, horizon=HORIZON, replications=replications, **bonus[name])


def competitor_regret(name: str, runs: int, end: int, seed: np.random.SeedSequence) -> np.ndarray:
    """Regret [runs, times] at the record times up to `end`."""
    return simulate_chunks(
        lambda rows, generator: competitor(name, generator, rows.stop - rows.start),
        BernoulliBandit([float(mean) for mean in MEANS]),
        end,
        replications=runs,
        seed=seed,
        record_times=RECORD_TIMES[end >= RECORD_TIMES],
        engine=simulate if name in EPISODIC else simulate_fastest,
    ).regret


def competitors(seed: np.random.SeedSequence, runs: int, ends: Mapping[str, int]) -> Arrays:
    """Regret [runs, times] of each policy up to its end."""
    children = zip(ends.items(), seed.spawn(len(ends)), strict=True)
    return {name: competitor_regret(name, runs, end, child) for (name, end), child in children}


BATCHED = Study(
    "thesis-figure-5.2-episodic",
    competitors,
    {"runs": 3000, "ends": dict.fromkeys(EPISODIC, HORIZON)},
    {"runs": 20_000},
)
PRINTED = {"printed, delta = 1/T": EARLY, "printed, delta = gamma": EARLY}
TREES = Study(
    "thesis-figure-5.2-dp-ucb",
    competitors,
    {"runs": 36, "ends": {"DP-UCB": EARLY, **PRINTED}},
    {"ends": {"DP-UCB": HORIZON, **PRINTED}},
)

# Figure 5.3.

HIGH, LOW = ("0.05", "0.1", "0.2"), ("0.35", "0.5", "0.7", "1", "1.65", "2", "3", "5", "7", "10")
FINE = tuple(f"{b:.3g}" for b in np.geomspace(0.05, 10, 60))


def budget_sweep(seed: np.random.SeedSequence, budgets: Sequence[str], runs: int) -> Arrays:
    """Regret [runs] of AdaP-KLUCB for every budget, under the budget as it is written."""

    def make(epsilon: Any, generator: np.random.Generator) -> Policy:
        noise = NoiseSource(generator)
        return AdaPKLUCB(5, Budget.pure(epsilon), noise, beta=3.1, generator=generator, ties="random")

    bandit = BernoulliBandit([0.8, 0.1, 0.1, 0.1, 0.1])
    result = sweep(make, bandit, HORIZON, budgets=[float(b) for b in budgets], runs=runs, seed=seed)
    return dict(zip(budgets, result.regret[:, :, -1], strict=True))


SWEPT = Study(
    "thesis-figure-5.3",
    budget_sweep,
    quick={"budgets": (*HIGH, *LOW), "runs": 200},
    full={"budgets": tuple(dict.fromkeys((*HIGH, *LOW, *FINE))), "runs": 1000},
)
