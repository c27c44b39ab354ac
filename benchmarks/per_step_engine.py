"""Time the compiled loops for policies that decide at every pull against the per-pull reference, in one run.

A plain script: python benchmarks/per_step_engine.py. The reference runs for fewer pulls and is scaled up: its cost per
pull does not depend on the horizon. The last part is what Figure 5.2 of the thesis simulates, on two processes.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.finite.dp_index import DPIMED, DPKLUCB
from banditproof.algorithms.finite.dp_ucb import DPUCB
from banditproof.algorithms.finite.episodic import AdaCUCB, AdaPKLUCB, AdaPUCB, AdaRUCB, EpisodicUCB
from banditproof.algorithms.finite.index import IMED, KLUCB, UCB, AnytimeUCB, FollowTheLeader
from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.finite.successive_elimination import DPSE, SuccessiveElimination
from banditproof.algorithms.finite.thompson import ThompsonSampling
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.compiled import simulate_compiled
from banditproof.algorithms.run.simulator import simulate, simulate_per_pull
from banditproof.theory.privacy.budget import Budget

BANDIT = BernoulliBandit([0.75, 0.625, 0.5, 0.375, 0.25])
K, HORIZON, REFERENCE_PULLS, RUNS = BANDIT.arms, 10**7, 10_000, 20
PURE = Budget.pure(1.0)

Maker = Callable[[np.random.Generator, int], Any]  # of generator and number of replications

PER_STEP: dict[str, Maker] = {
    "follow the leader": lambda g, r: FollowTheLeader(K, replications=r),
    "UCB": lambda g, r: UCB(K, horizon=HORIZON, replications=r),
    "anytime UCB": lambda g, r: AnytimeUCB(K, replications=r),
    "KL-UCB": lambda g, r: KLUCB(K, replications=r),
    "IMED": lambda g, r: IMED(K, replications=r),
    "Thompson sampling": lambda g, r: ThompsonSampling(K, g, replications=r),
    "DP-UCB": lambda g, r: DPUCB(K, PURE, NoiseSource(g), replications=r, **DPUCB.presets["figure-5.2"]),
    "Lazy-DP-TS": lambda g, r: LazyDPTS(K, PURE, NoiseSource(g), g, replications=r),
}
EPISODIC: dict[str, Maker] = {
    "episodic UCB": lambda g, r: EpisodicUCB(K, replications=r),
    "AdaP-UCB": lambda g, r: AdaPUCB(K, PURE, NoiseSource(g), replications=r),
    "AdaP-KLUCB": lambda g, r: AdaPKLUCB(K, PURE, NoiseSource(g), replications=r),
    "AdaC-UCB": lambda g, r: AdaCUCB(K, Budget.zcdp(1.0), NoiseSource(g), replications=r),
    "AdaR-UCB": lambda g, r: AdaRUCB(K, Budget.rdp(2.0, 1.0), NoiseSource(g), replications=r),
    "DP-KLUCB": lambda g, r: DPKLUCB(K, PURE, GeometricBatches(2), NoiseSource(g), replications=r),
    "DP-IMED": lambda g, r: DPIMED(K, PURE, GeometricBatches(2), NoiseSource(g), replications=r),
    "successive elimination": lambda g, r: SuccessiveElimination(K, horizon=HORIZON, replications=r),
    "DP-SE": lambda g, r: DPSE(K, PURE, NoiseSource(g), horizon=HORIZON, replications=r),
}


def seconds(run: Callable[[], Any]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def reference_seconds(make: Maker, policy_every_pull: bool) -> float:
    """One run of `HORIZON` pulls in the plain loop, scaled up from fewer pulls.

    Episodic policies decide rarely, so what they pay per pull is the loop itself.
    """
    pulls = REFERENCE_PULLS if policy_every_pull else 50 * REFERENCE_PULLS
    generator = np.random.default_rng(0)
    policy: Policy = make(generator, 1)
    return seconds(lambda: simulate_per_pull(policy, BANDIT, pulls, generator)) * HORIZON / pulls


def compiled_run(make: Maker, seed: int = 1) -> None:
    generator = np.random.default_rng(seed)
    simulate_compiled(make(generator, 1), BANDIT, HORIZON, generator)


def figure_5_2(seed: int) -> None:
    """Ten of the twenty runs of each of the four algorithms: the share of one of two processes."""
    for name in ("AdaP-UCB", "AdaP-KLUCB", "DP-SE"):
        generator = np.random.default_rng(seed)
        simulate(EPISODIC[name](generator, RUNS // 2), BANDIT, HORIZON, generator)
    generator = np.random.default_rng(seed)
    simulate_compiled(PER_STEP["DP-UCB"](generator, RUNS // 2), BANDIT, HORIZON, generator)


def batched_run(make: Maker, runs: int = 5000) -> float:
    """Seconds per run when many move together."""
    generator = np.random.default_rng(2)
    return seconds(lambda: simulate(make(generator, runs), BANDIT, HORIZON, generator)) / runs


def shown(name: str, before: float, now: float) -> float:
    print(f"{name:22} {before:10.0f} {now:10.6f} {before / now:10.0f}", flush=True)
    return before / now


def main() -> None:
    from joblib import Parallel, delayed

    first = seconds(lambda: simulate_compiled(UCB(K, delta=0.1), BANDIT, 10, np.random.default_rng(0)))
    print(f"{K} arms, horizon {HORIZON:,}, seconds per run; compiling or loading the loops took {first:.1f} s")
    print(f"{'':22} {'reference':>10} {'here':>10} {'ratio':>10}")
    per_step = [
        shown(name, reference_seconds(make, True), min(seconds(lambda m=make: compiled_run(m)) for _ in range(2)))
        for name, make in PER_STEP.items()
    ]
    episodic = [shown(name, reference_seconds(make, False), batched_run(make)) for name, make in EPISODIC.items()]
    print(f"smallest ratios: {min(per_step):.0f} per step (wanted 100), {min(episodic):.0f} episodic (wanted 10000)")
    taken = seconds(lambda: Parallel(n_jobs=2)(delayed(figure_5_2)(seed) for seed in (0, 1)))
    print(f"thesis Figure 5.2: four algorithms, {RUNS} runs, two processes: {taken:.1f} s (wanted 60)")


if __name__ == "__main__":
    main()
