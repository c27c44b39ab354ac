"""Certified programs against cvxpy: characteristic times and G-optimal designs."""

from __future__ import annotations

from typing import Any

import cvxpy
import numpy as np
from measuring import ALONE, Pair, benchmark

from banditproof.theory import characteristic_time, g_optimal_design

CVXPY = "cvxpy with Clarabel, without a certificate"
SMALL = 100  # arms up to which Clarabel solves the program


def means_of(arms: int) -> list[float]:
    """A best arm at 0.9 and the others evenly spread over [0.1, 0.8]."""
    return [0.9, *np.linspace(0.8, 0.1, arms - 1).tolist()]


def in_exponential_cones(means: list[float], epsilon: float | None) -> Any:
    """The program of 1/T*: the supremum over allocations of the worst transport cost."""
    best, others = means[0], np.array(means[1:])
    weights, level = cvxpy.Variable(len(means), nonneg=True), cvxpy.Variable()
    first, rest = weights[0], weights[1:]
    total, ones = first + rest, first * best + cvxpy.multiply(others, rest)

    def negentropy(p: Any) -> Any:
        return p * np.log(p) + (1 - p) * np.log(1 - p)

    cost = first * negentropy(best) + cvxpy.multiply(negentropy(others), rest)
    cost = cost - cvxpy.rel_entr(ones, total) - cvxpy.rel_entr(total - ones, total)
    constraints = [cvxpy.sum(weights) == 1, level <= cost]
    if epsilon is not None:
        gaps = epsilon * (best - others)
        constraints += [level <= gaps * first, level <= cvxpy.multiply(gaps, rest)]
    return cvxpy.Problem(cvxpy.Maximize(level), constraints)


def time_of(arms: int, epsilon: float | None) -> Pair:
    means = means_of(arms)
    other = (lambda: in_exponential_cones(means, epsilon).solve(solver=cvxpy.CLARABEL)) if arms <= SMALL else None
    return Pair(lambda: characteristic_time(means=means, epsilon=epsilon), other)


@benchmark("characteristic-time", baseline=CVXPY, unit="arms", sizes=[10, 100, 1000, 10_000])
def kl_time(arms: int) -> Pair:
    return time_of(arms, None)


@benchmark("private-characteristic-time", baseline=CVXPY, unit="arms", sizes=[10, 100, 10_000])
def private_time(arms: int) -> Pair:
    return time_of(arms, 0.1)


def design_by_cvxpy(actions: np.ndarray) -> Any:
    weights = cvxpy.Variable(len(actions), nonneg=True)
    information = actions.T @ cvxpy.diag(weights) @ actions
    cvxpy.Problem(cvxpy.Maximize(cvxpy.log_det(information)), [cvxpy.sum(weights) == 1]).solve()
    return weights.value


@benchmark(
    "g-optimal-design",
    baseline="cvxpy's default solver, without a certificate",
    unit="actions in 10 dimensions",
    sizes=[300, 3000, 30_000],
)
def design(count: int) -> Pair:
    actions = np.random.default_rng(0).standard_normal((count, 10))
    return Pair(lambda: g_optimal_design(actions, 1e-9), (lambda: design_by_cvxpy(actions)) if count <= 3000 else None)


@benchmark("large-design", baseline=ALONE, unit="actions in 30 dimensions", sizes=[10_000, 100_000])
def large_design(count: int) -> Pair:
    actions = np.random.default_rng(0).standard_normal((count, 30))
    return Pair(lambda: g_optimal_design(actions, 1e-4))
