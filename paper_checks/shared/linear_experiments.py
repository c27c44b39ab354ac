"""GOPE, AdaC-GOPE and its variant on instances of the linear experiments: ten actions and a parameter, drawn from the
sphere in three dimensions, normal rewards, delta = 0.001, designs by Frank-Wolfe.

The papers draw one instance and 100 runs; here a record is the mean over 100 runs on an instance of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms import NoiseSource, Policy, simulate
from banditproof.algorithms.linear.elimination import GOPE, AdaCGOPE, AdaRGOPE, NoisySumsGOPE
from banditproof.algorithms.linear.environment import LinearBandit
from banditproof.claims.study import Arrays, Study
from banditproof.theory import Budget
from banditproof.theory.linear.phases import chi_square_radius

ARMS, DIMENSION, RUNS, DELTA = 10, 3, 100, 0.001
TIMES = (10**4, 10**5, 10**6, 10**7)
BUDGETS, HIGH = ("0.001", "0.1", "1", "1000"), "0.001"  # the variants are played in the high privacy regime only
SOLVER = "frank-wolfe"
FREE, BASELINE = "free", "gope"  # AdaC-GOPE without noise, and GOPE with its own, shorter phases
VARIANTS: dict[str, Any] = {"var": NoisySumsGOPE, "long": partial(NoisySumsGOPE, lengths="calibrated")}


def run_linear(
    seed: np.random.SeedSequence,
    instances: int,
    times: Sequence[int],
    budgets: Sequence[str],
    counterparts: Sequence[str] = (BASELINE, FREE),
    lengths: Sequence[str] = ("var", "long"),
) -> Arrays:
    """Mean regret of 100 runs [instances, times]: AdaC-GOPE by its budget, the variant by "var" and the budget.

    "long" and the budget is the variant with phases that are as long as its noise needs.
    """
    arrays: dict[str, list[np.ndarray]] = {}
    for child in seed.spawn(instances):
        generator = np.random.default_rng(child)
        rows = generator.normal(size=(ARMS + 1, DIMENSION))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        bandit = LinearBandit(rows[:ARMS], rows[ARMS])
        policies: dict[str, Policy] = {}
        if BASELINE in counterparts:
            policies[BASELINE] = GOPE(bandit.actions, delta=DELTA, replications=RUNS, design=SOLVER)
        for budget in (*budgets, *(name for name in counterparts if name == FREE)):
            spent = Budget.zcdp(np.inf if budget == FREE else float(budget))
            kinds: dict[str, Any] = {budget: AdaCGOPE}
            if budget == HIGH:
                kinds |= {f"{length} {budget}": VARIANTS[length] for length in lengths}
            for name, kind in kinds.items():
                noise = NoiseSource(generator)
                policies[name] = kind(bandit.actions, spent, noise, delta=DELTA, replications=RUNS, design=SOLVER)
        for name, policy in policies.items():
            regret = simulate(policy, bandit, times[-1], generator, times).regret
            arrays.setdefault(name, []).append(regret.mean(axis=0))
    return {"times": np.array(times)} | {name: np.array(means) for name, means in arrays.items()}


SPHERE = Study(
    "linear-on-the-sphere",
    run_linear,
    quick={"instances": 240, "times": TIMES, "budgets": BUDGETS},
    full={"instances": 3000},
)


RISK, PRICES = 0.1, (1e-3, 1.0, 1e3)  # a price of x: the two parts of a width are as large for x = 1


def run_estimates(seed: np.random.SeedSequence, runs: int) -> Arrays:
    """The error [runs] of the private estimate of a first phase where it is largest, with the two parts of its width.

    By policy, dimension and price: "error", and "plain" and "private" [1], for rewards of -1 or 1. The budget is such
    that the parts have the ratio `price`.
    """
    arrays: Arrays = {}
    for d, child in zip((2, 3, 6), seed.spawn(3), strict=True):
        generator = np.random.default_rng(child)
        rows = generator.standard_normal((3 * d + 1, d))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        actions, theta = rows[1:], rows[0]
        for name, price in product(("adac", "adar"), PRICES):
            first = AdaCGOPE(actions, Budget.zcdp(np.inf), NoiseSource())
            inverse = np.linalg.inv((actions.T * first.planned[0]) @ actions)
            norms = np.sqrt(np.einsum("ki,ij,kj->k", actions, inverse, actions))
            largest, level = norms.max(), np.log(4 / RISK)
            plain = largest * np.sqrt(2 * level)
            factor = chi_square_radius(d, RISK / 2) if name == "adac" else d * (d + 1) * level
            rho = 2 * factor * (largest**2 / (price * plain)) ** 2
            kind, budget = (AdaCGOPE, Budget.zcdp(rho)) if name == "adac" else (AdaRGOPE, Budget.rdp(2, 2 * rho))
            policy = kind(actions, budget, NoiseSource(generator), replications=runs)
            policy.planned[:] = first.planned[0]
            counts = np.broadcast_to(first.planned[0], policy.sums.shape)
            policy.sums[:] = 2.0 * generator.binomial(counts, (1 + actions @ theta) / 2) - counts
            error = (policy.estimate(np.arange(runs)) - theta) @ actions[norms.argmax()]
            case = f"{name}, {d}, {price:g}"
            arrays[f"{case}, error"] = np.abs(error)
            arrays[f"{case}, plain"], arrays[f"{case}, private"] = np.array([plain]), np.array([price * plain])
    return arrays


ESTIMATES = Study("linear-estimates", run_estimates, quick={"runs": 8000}, full={"runs": 40_000})


def errors_beyond(arrays: Arrays, policy: str, plain: Any, private: Any) -> Iterator[tuple[str, Any, str, Fraction]]:
    """The events that an estimate of this policy leaves `plain` and `private` times the parts of its width."""
    for d, price in product((2, 3, 6), PRICES):
        case = f"{policy}, {d}, {price:g}"
        width = float(plain) * arrays[f"{case}, plain"] + float(private) * arrays[f"{case}, private"]
        yield f"the estimate is further off, {case}", arrays[f"{case}, error"] >= width, "<=", Fraction(1, 10)
