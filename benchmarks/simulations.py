"""Simulations against plain loops that play one run pull by pull.

A loop's cost per pull does not depend on the horizon, so it plays fewer pulls and is scaled up. Policies move all
replications together, or run in compiled loops.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from measuring import Pair, benchmark
from plain_sweep import dp_imed

from banditproof.algorithms import BernoulliBandit, GeometricBatches, NoiseSource
from banditproof.algorithms.adversarial.compiled import play_compiled
from banditproof.algorithms.adversarial.conversion import PrivateBatches, batch_for
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF
from banditproof.algorithms.adversarial.losses import LossTable, hard_losses, hard_panel
from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts
from banditproof.algorithms.contextual.oful import OFUL, AdaCOFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.simulation import simulate_contextual
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.finite.index import IMED, KLUCB, UCB, AnytimeUCB, FollowTheLeader
from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.finite.successive_elimination import DPSE, SuccessiveElimination
from banditproof.algorithms.finite.thompson import ThompsonSampling
from banditproof.algorithms.identification.top_two import AdaPTT
from banditproof.algorithms.linear.designs import _design
from banditproof.algorithms.linear.environment import LinearBandit
from banditproof.algorithms.registration import LinearSetting
from banditproof.algorithms.roster import algorithm, algorithms
from banditproof.algorithms.run.compiled import simulate_compiled
from banditproof.algorithms.run.identification import identify
from banditproof.algorithms.run.simulator import simulate, simulate_per_pull
from banditproof.theory import Budget
from banditproof.theory.bounds.adversarial import exp3_parameters, ftpl_parameters

BANDIT, HORIZON, PURE = BernoulliBandit([0.75, 0.625, 0.5, 0.375, 0.25]), 10**7, Budget.pure(1.0)
K, LOOP = BANDIT.arms, "the loop of the protocol, pull by pull"
Maker = Callable[[np.random.Generator, int], Any]  # of generator and number of replications

PER_STEP: dict[str, Maker] = {
    "follow-the-leader": lambda g, r: FollowTheLeader(K, replications=r),
    "ucb": lambda g, r: UCB(K, horizon=HORIZON, replications=r),
    "anytime-ucb": lambda g, r: AnytimeUCB(K, replications=r),
    "kl-ucb": lambda g, r: KLUCB(K, replications=r),
    "imed": lambda g, r: IMED(K, replications=r),
    "thompson-sampling": lambda g, r: ThompsonSampling(K, g, replications=r),
    "dp-ucb": lambda g, r: DPUCB(K, PURE, NoiseSource(g), replications=r, **DPUCB.presets["figure-5.2"]),
    "lazy-dp-ts": lambda g, r: LazyDPTS(K, PURE, NoiseSource(g), g, replications=r),
}
EPISODIC: dict[str, Maker] = {
    "episodic-ucb": lambda g, r: EpisodicUCB(K, replications=r),
    "adap-ucb": lambda g, r: AdaPUCB(K, PURE, NoiseSource(g), replications=r),
    "adap-klucb": lambda g, r: AdaPKLUCB(K, PURE, NoiseSource(g), replications=r),
    "adac-ucb": lambda g, r: AdaCUCB(K, Budget.zcdp(1.0), NoiseSource(g), replications=r),
    "adar-ucb": lambda g, r: AdaRUCB(K, Budget.rdp(2.0, 1.0), NoiseSource(g), replications=r),
    "dp-klucb": lambda g, r: DPKLUCB(K, PURE, GeometricBatches(2), NoiseSource(g), replications=r),
    "dp-imed": lambda g, r: DPIMED(K, PURE, GeometricBatches(2), NoiseSource(g), replications=r),
    "successive-elimination": lambda g, r: SuccessiveElimination(K, horizon=HORIZON, replications=r),
    "dp-se": lambda g, r: DPSE(K, PURE, NoiseSource(g), horizon=HORIZON, replications=r),
}


def pull_by_pull(make: Maker, bandit: Any, pulls: int) -> Callable[[], Any]:
    generator = np.random.default_rng(0)
    return lambda: simulate_per_pull(make(generator, 1), bandit, pulls, generator)


def compiled(make: Maker, pulls: int) -> Pair:
    generator = np.random.default_rng(1)
    ours = lambda: simulate_compiled(make(generator, 1), BANDIT, pulls, generator)  # noqa: E731
    return Pair(ours, pull_by_pull(make, BANDIT, 2000), pulls / 2000)


def together(make: Maker, runs: int) -> Pair:
    generator = np.random.default_rng(2)
    ours = lambda: simulate(make(generator, runs), BANDIT, HORIZON, generator)  # noqa: E731
    return Pair(ours, pull_by_pull(make, BANDIT, 100_000), runs * HORIZON / 100_000)


for name, make in PER_STEP.items():
    benchmark(f"every-pull {name}", baseline=LOOP, unit="pulls", sizes=[10**5, 10**6])(
        lambda pulls, make=make: compiled(make, pulls)
    )
for name, make in EPISODIC.items():
    benchmark(f"episodic {name}", baseline=LOOP, unit=f"runs of {HORIZON:.0e} pulls", sizes=[100, 1000])(
        lambda runs, make=make: together(make, runs)
    )


@benchmark(
    "figure-8-sweep", baseline="a plain NumPy prototype", unit="budgets, 20 runs of 1e7 pulls each", sizes=[10, 100]
)
def figure_8(budgets: int) -> Pair:
    """All replications move together, as the prototype's do."""
    means, runs, epsilons = [0.8, 0.1, 0.1, 0.1, 0.1], 20, np.linspace(0.01, 1, budgets)
    bandit = BernoulliBandit(means)

    def make(epsilon: Any, generator: np.random.Generator) -> DPIMED:
        batches, noise = GeometricBatches("1.1"), NoiseSource(generator)
        return DPIMED(5, Budget.pure(epsilon), batches, noise, ties="random", generator=generator)

    return Pair(
        lambda: simulate(
            make(np.repeat(epsilons, runs), np.random.default_rng(0)), bandit, HORIZON, np.random.default_rng(1)
        ),
        lambda: dp_imed(np.repeat(epsilons, runs), means, HORIZON, 1.1, seed=0),
    )


class OneByOne(AdaPTT):
    """The same strategy, heard pull by pull."""

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm, count = super().next_batch()
        return arm, np.minimum(count, 1)


@benchmark("planned-pulls", baseline="the same strategy, heard pull by pull in NumPy", unit="runs", sizes=[30, 300])
def planned_pulls(runs: int) -> Pair:
    """AdaP-TT on an instance of Figure 5.7 of the thesis."""
    bandit, cap = BernoulliBandit([0.75, 0.7, 0.7, 0.7, 0.7]), 300

    def play(kind: type[AdaPTT], most: int) -> np.ndarray:
        for_policy, rewards = np.random.default_rng(1).spawn(2)
        policy = kind(5, PURE, NoiseSource(for_policy), delta=0.01, bonus="log", replications=runs)
        return identify(policy, bandit, most, rewards).pulls

    return Pair(
        lambda: play(AdaPTT, 10**9), lambda: play(OneByOne, cap), float(play(AdaPTT, 10**9).sum()) / (runs * cap)
    )


# ------------------------------------------------------------------------------------------------------- linear bandits

LINEAR_BUDGETS = {"zcdp": Budget.zcdp(0.1), "rdp": Budget.rdp(2, 0.2), "pure": Budget.pure(0.5), "": None}


def linear(name: str, horizon: int) -> Pair:
    """100 runs on 10 actions in 3 dimensions, as in Figure 5.5 of the thesis; designs are found afresh."""
    generator, entry = np.random.default_rng(0), algorithm(name, LinearSetting)
    rows = generator.normal(size=(11, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    bandit, budget = LinearBandit(rows[:10], rows[10]), LINEAR_BUDGETS[entry.kinds[0] if entry.kinds else ""]

    def make(drawing: np.random.Generator, runs: int) -> Any:
        return entry.build(LinearSetting(10, horizon, budget, drawing, runs, bandit.actions))

    def ours() -> None:
        _design.cache_clear()
        simulate(make(generator, 100), bandit, horizon, generator)

    return Pair(ours, pull_by_pull(make, bandit, 20_000), 100 * horizon / 20_000)


for name in algorithms(LinearSetting):
    benchmark(f"linear {name}", baseline=LOOP, unit="pulls, 100 runs", sizes=[10**5, 10**7])(
        lambda horizon, name=name: linear(name, horizon)
    )


IN_CONTEXT: dict[str, Callable[[NoiseSource, dict[str, Any]], Any]] = {
    "oful": lambda noise, options: OFUL(3, **options),
    "rs-oful": lambda noise, options: RarelySwitchingOFUL(3, **options),
    "adac-oful": lambda noise, options: AdaCOFUL(3, Budget.zcdp(0.5), noise, **options),
    "linpriv": lambda noise, options: LinPriv(3, 10, Budget.pure(1), noise, **options),
    "joint-dp-linucb": lambda noise, options: JointDPLinUCB(3, Budget.zcdp(0.5), noise, **options),
}


def plain_oful(rounds: int, horizon: int, growth: float, rho: float) -> None:
    """One run of AdaC-OFUL, line by line as Algorithm 9; of OFUL for growth 0 and rho = inf."""
    dimension, arms, ridge, delta = 3, 10, 0.1, 0.001
    draw, theta = np.random.default_rng(2), np.array([0.6, 0.0, 0.8])
    design, total, estimate = ridge * np.eye(dimension), np.zeros(dimension), np.zeros(dimension)
    noise, updates, level = np.zeros(dimension), 0, np.log(horizon / delta)
    last, inverse = np.linalg.det(design), np.linalg.inv(design)
    width = np.sqrt(2 * np.log(1 / delta)) + np.sqrt(ridge)
    for _ in range(rounds):
        sets = dimension**-0.5 + np.sqrt(0.1) * draw.standard_normal((arms, dimension))
        if np.linalg.det(design) > (1 + growth) * last:
            updates += 1
            noise += np.sqrt(2 / rho) * draw.standard_normal(dimension)
            last, inverse = np.linalg.det(design), np.linalg.inv(design)
            estimate = inverse @ (total + noise)
            length = np.sqrt(2 * updates / rho * (dimension + 2 * np.sqrt(dimension * level) + 2 * level))
            volume = np.log(last / ridge**dimension)
            width = np.sqrt(2 * np.log(1 / delta) + volume) + np.sqrt(ridge)
            width += length / np.sqrt(np.linalg.eigvalsh(design)[0])
        norms = np.sqrt(np.einsum("ki,ij,kj->k", sets, inverse, sets))
        chosen = sets[np.argmax(sets @ estimate + width * norms)]
        total += chosen * (chosen @ theta + draw.standard_normal())
        design += np.outer(chosen, chosen)


def contextual(name: str, horizon: int) -> Pair:
    """25 runs at the size of Figure 5.6; the tree-based policies are set beside OFUL, which does less."""
    bandit, runs = ContextualBandit(np.array([0.6, 0.0, 0.8]), GaussianContexts(10, 3)), 25

    def ours() -> None:
        options = {"horizon": horizon, "replications": runs, "bounded": False}
        policy = IN_CONTEXT[name](NoiseSource(np.random.default_rng(0)), options)
        simulate_contextual([policy], bandit, horizon, np.random.default_rng(1))

    growth, rho = (1.0, 0.5) if name in ("rs-oful", "adac-oful") else (0.0, np.inf)
    return Pair(ours, lambda: plain_oful(1000, horizon, growth, rho), runs * horizon / 1000)


for name in IN_CONTEXT:
    benchmark(
        f"contextual {name}",
        baseline="Algorithm 9 as written, run by run",
        unit="rounds, 25 runs",
        sizes=[10**3, 10**4],
    )(lambda horizon, name=name: contextual(name, horizon))


# -------------------------------------------------------------------------------------------------- adversarial bandits

ARMS, RUNS, EPSILON = 10, 50, 0.1


def plain_exp3(losses: list[list[float]], rate: float, mixing: float, batch: int) -> None:
    """One run of the conversion of EXP3, pull by pull."""
    draw, weights = random.Random(0), [0.0] * ARMS
    for start in range(0, len(losses), batch):
        top = max(weights)
        powers = [math.exp(w - top) for w in weights]
        whole = sum(powers)
        chances = [(1 - mixing) * w / whole + mixing / ARMS for w in powers]
        arm = draw.choices(range(ARMS), chances)[0]
        heard = 0.0
        for t in range(start, min(start + batch, len(losses))):
            heard += losses[t][arm]
        noise = draw.expovariate(1) - draw.expovariate(1)
        weights[arm] -= rate * (heard + noise / EPSILON) / batch / chances[arm]


def conversions(horizon: int) -> dict[str, Callable[[np.random.Generator], Any]]:
    """The policies of Figure 1's size, by name."""
    panel = hard_panel("drifting", ARMS, ARMS)
    rate, mixing = (float(x) for x in exp3_parameters(ARMS, horizon, EPSILON))
    scale, cap = (float(x) for x in ftpl_parameters(ARMS, horizon, EPSILON))
    budget, approximate = Budget.pure(EPSILON), Budget.approximate(EPSILON, 1e-6)

    def batched(learner: Any, g: np.random.Generator, **options: Any) -> Any:
        return PrivateBatches(learner, budget, NoiseSource(g), **options)

    def htinf(g: np.random.Generator) -> Any:
        return batched(HTINF(ARMS, g, sigma=6**0.5, replications=RUNS), g)

    def batched_exp4(g: np.random.Generator) -> Any:
        options = {"batch": 1000, "rate": rate, "mixing": 0.1, "replications": RUNS}
        return PrivateEXP4(panel, approximate, NoiseSource(g), g, **options)

    return {
        "exp3": lambda g: batched(EXP3(ARMS, g, rate=rate, mixing=mixing, replications=RUNS), g),
        "ftpl": lambda g: batched(FTPL(ARMS, g, rate=scale, cap=cap, replications=RUNS), g),
        "htinf": htinf,
        "experts": lambda g: FromBandit(htinf(g), panel, g),
        "local-exp4": lambda g: batched(EXP4(panel, g, rate=rate, mixing=mixing, replications=RUNS), g, batch=1),
        "batched-exp4": batched_exp4,
    }


def conversion(name: str, horizon: int) -> Pair:
    table, generator = hard_losses("stochastic", horizon, ARMS), np.random.default_rng(0)
    rate, mixing = (float(x) for x in exp3_parameters(ARMS, horizon, EPSILON))
    part = table.losses[: horizon // 10].tolist()
    make = conversions(horizon)[name]
    play_compiled(make(generator), LossTable(table.losses[:100]))
    return Pair(
        lambda: play_compiled(make(generator), table),
        lambda: plain_exp3(part, rate, mixing, int(batch_for(EPSILON))),
        10 * RUNS,
    )


for name in conversions(100):
    benchmark(
        f"adversarial {name}", baseline="a plain loop of EXP3, run by run", unit="rounds, 50 runs", sizes=[10**4, 10**5]
    )(lambda horizon, name=name: conversion(name, horizon))
