"""Simulations against plain loops that play one run pull by pull.

A loop's cost per pull does not depend on the horizon, so it plays fewer pulls and is scaled up. Policies move all
replications together, or run in compiled loops; the loops of `plain_loops` are compiled, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import plain_loops
from measuring import Pair, benchmark

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
K, LOOP, COMPILED = BANDIT.arms, "the loop of the protocol, pull by pull", "a plain numba loop"
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


def sweep(budgets: int) -> Pair:
    """20 runs of DP-IMED at each budget, as in Figure 8; all of them move together."""
    epsilons, batches = np.repeat(np.linspace(0.01, 1, budgets), 20), GeometricBatches("1.1")
    bandit, sizes = BernoulliBandit([0.8, 0.1, 0.1, 0.1, 0.1]), batches.sizes_until(HORIZON)

    def ours() -> Any:
        generator = np.random.default_rng(0)
        noise = NoiseSource(generator)
        policy = DPIMED(5, Budget.pure(epsilons), batches, noise, ties="random", generator=generator)
        return simulate(policy, bandit, HORIZON, np.random.default_rng(1))

    return Pair(ours, lambda: plain_loops.dp_imed(epsilons, bandit.means, HORIZON, sizes, np.random.default_rng(1)))


benchmark("figure-8-sweep", baseline=COMPILED, unit="budgets, 20 runs of 1e7 pulls each", sizes=[10, 100])(sweep)


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


THETA = np.array([0.6, 0.0, 0.8])
IN_CONTEXT: dict[str, Callable[[int, NoiseSource, dict[str, Any]], Any]] = {
    "oful": lambda d, noise, options: OFUL(d, **options),
    "rs-oful": lambda d, noise, options: RarelySwitchingOFUL(d, **options),
    "adac-oful": lambda d, noise, options: AdaCOFUL(d, Budget.zcdp(0.5), noise, **options),
    "linpriv": lambda d, noise, options: LinPriv(d, 10, Budget.pure(1), noise, **options),
    "joint-dp-linucb": lambda d, noise, options: JointDPLinUCB(d, Budget.zcdp(0.5), noise, **options),
}


def contextual(name: str, horizon: int, theta: np.ndarray = THETA, runs: int = 25) -> Pair:
    """At the size of Figure 5.6; all are set beside AdaC-OFUL, though the tree-based policies do more."""
    bandit = ContextualBandit(theta, GaussianContexts(10, theta.size))

    def ours() -> None:
        options = {"horizon": horizon, "replications": runs, "bounded": False}
        policy = IN_CONTEXT[name](theta.size, NoiseSource(np.random.default_rng(0)), options)
        simulate_contextual([policy], bandit, horizon, np.random.default_rng(1))

    plain = lambda: plain_loops.adac_oful(theta, 1000, 10, 0.5, np.random.default_rng(2))  # noqa: E731
    return Pair(ours, plain, runs * horizon / 1000)


for name in IN_CONTEXT:
    benchmark(f"contextual {name}", baseline=f"{COMPILED} of AdaC-OFUL", unit="rounds, 25 runs", sizes=[10**3, 10**4])(
        lambda horizon, name=name: contextual(name, horizon)
    )


# -------------------------------------------------------------------------------------------------- adversarial bandits

ARMS, EPSILON = 10, 0.1
BATCH = int(batch_for(EPSILON))


def conversions(horizon: int, runs: int) -> dict[str, Callable[[np.random.Generator], Any]]:
    """The policies of Figure 1's size, by name."""
    panel = hard_panel("drifting", ARMS, ARMS)
    rate, mixing = (float(x) for x in exp3_parameters(ARMS, horizon, EPSILON))
    scale, cap = (float(x) for x in ftpl_parameters(ARMS, horizon, EPSILON))
    budget, approximate = Budget.pure(EPSILON), Budget.approximate(EPSILON, 1e-6)

    def batched(learner: Any, g: np.random.Generator, **options: Any) -> Any:
        return PrivateBatches(learner, budget, NoiseSource(g), **options)

    def htinf(g: np.random.Generator) -> Any:
        return batched(HTINF(ARMS, g, sigma=6**0.5, replications=runs), g)

    def batched_exp4(g: np.random.Generator) -> Any:
        options = {"batch": 1000, "rate": rate, "mixing": 0.1, "replications": runs}
        return PrivateEXP4(panel, approximate, NoiseSource(g), g, **options)

    return {
        "exp3": lambda g: batched(EXP3(ARMS, g, rate=rate, mixing=mixing, replications=runs), g),
        "ftpl": lambda g: batched(FTPL(ARMS, g, rate=scale, cap=cap, replications=runs), g),
        "htinf": htinf,
        "experts": lambda g: FromBandit(htinf(g), panel, g),
        "local-exp4": lambda g: batched(EXP4(panel, g, rate=rate, mixing=mixing, replications=runs), g, batch=1),
        "batched-exp4": batched_exp4,
    }


def conversion(name: str, horizon: int, runs: int = 50) -> Pair:
    """A policy of Figure 1 beside a plain loop: of FTPL if it is that, else of EXP3."""
    table, generator = hard_losses("stochastic", horizon, ARMS), np.random.default_rng(0)
    make, losses = conversions(horizon, runs)[name], table.cumulated
    rate, mixing = (float(x) for x in exp3_parameters(ARMS, horizon, EPSILON))
    scale, cap = ftpl_parameters(ARMS, horizon, EPSILON)
    play_compiled(make(generator), LossTable(table.losses[:100]))

    def plain() -> float:
        if name == "ftpl":
            return plain_loops.ftpl(losses, float(scale), int(cap), BATCH, EPSILON, runs, generator)
        return plain_loops.exp3(losses, rate, mixing, BATCH, EPSILON, runs, generator)

    return Pair(lambda: play_compiled(make(generator), table), plain)


for name in conversions(100, 1):
    benchmark(
        f"adversarial {name}", baseline=f"{COMPILED} of EXP3 or FTPL", unit="rounds, 50 runs", sizes=[10**4, 10**5]
    )(lambda horizon, name=name: conversion(name, horizon))
