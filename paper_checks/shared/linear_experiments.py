"""GOPE, AdaC-GOPE and its variant on instances of the linear experiments: ten actions and a parameter, drawn from the
sphere in three dimensions, normal rewards, delta = 0.001, designs by Frank-Wolfe.

The papers draw one instance and 100 runs; here a record is the mean over 100 runs on an instance of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.linear.elimination import GOPE, AdaCGOPE, NoisySumsGOPE
from banditproof.algorithms.linear.environment import LinearBandit
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.run.simulator import simulate
from banditproof.claims.study import Arrays, Study
from banditproof.theory import Budget

ARMS, DIMENSION, RUNS, DELTA = 10, 3, 100, 0.001
TIMES = (10**4, 10**5, 10**6, 10**7)
BUDGETS, HIGH = ("0.001", "0.1", "1", "1000"), "0.001"  # the variants are played in the high privacy regime only
SOLVER = "frank-wolfe"
FREE, BASELINE = "free", "gope"  # AdaC-GOPE without noise, and GOPE with its own, shorter phases


def run_linear(seed: np.random.SeedSequence, instances: int, times: Sequence[int], budgets: Sequence[str]) -> Arrays:
    """Mean regret of 100 runs [instances, times]: AdaC-GOPE by its budget, the variant by "var" and the budget.

    "long" and the budget is the variant with phases that are as long as its noise needs.
    """
    found: dict[str, list[np.ndarray]] = {}
    for child in seed.spawn(instances):
        generator = np.random.default_rng(child)
        rows = generator.normal(size=(ARMS + 1, DIMENSION))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        bandit = LinearBandit(rows[:ARMS], rows[ARMS])
        policies: dict[str, Policy] = {BASELINE: GOPE(bandit.actions, delta=DELTA, replications=RUNS, design=SOLVER)}
        for budget in (*budgets, FREE):
            spent = Budget.zcdp(np.inf if budget == FREE else float(budget))
            kinds: dict[str, Any] = {budget: AdaCGOPE}
            if budget == HIGH:
                kinds |= {
                    f"var {budget}": NoisySumsGOPE,
                    f"long {budget}": partial(NoisySumsGOPE, lengths="calibrated"),
                }
            for name, kind in kinds.items():
                noise = NoiseSource(generator)
                policies[name] = kind(bandit.actions, spent, noise, delta=DELTA, replications=RUNS, design=SOLVER)
        for name, policy in policies.items():
            regret = simulate(policy, bandit, times[-1], generator, times).regret
            found.setdefault(name, []).append(regret.mean(axis=0))
    return {"times": np.array(times)} | {name: np.array(means) for name, means in found.items()}


SPHERE = Study(
    "linear-on-the-sphere",
    run_linear,
    quick={"instances": 240, "times": TIMES, "budgets": BUDGETS},
    full={"instances": 3000},
)
