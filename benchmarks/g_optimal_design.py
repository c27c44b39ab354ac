"""Time g_optimal_design against cvxpy on 3,000 x 10, and alone on 100,000 x 30 with its memory.

A plain script: python benchmarks/g_optimal_design.py
"""

from __future__ import annotations

import resource
from time import perf_counter

import numpy as np

from banditproof.theory.linear.optimal_design import GOptimalDesign, g_optimal_design

REPEATS = 7


def gaussian_actions(count: int, dimension: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, dimension))


def seconds_and_design(actions: np.ndarray, tol: float, repeats: int) -> tuple[float, GOptimalDesign]:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        design = g_optimal_design(actions, tol)
        times.append(perf_counter() - start)
    return float(np.median(times)), design


def by_cvxpy(actions: np.ndarray) -> tuple[float, float]:
    """Seconds and Kiefer-Wolfowitz gap of cvxpy's default solver, modelling included."""
    import cvxpy

    count, dimension = actions.shape
    start = perf_counter()
    weights = cvxpy.Variable(count, nonneg=True)
    information = actions.T @ cvxpy.diag(weights) @ actions
    cvxpy.Problem(cvxpy.Maximize(cvxpy.log_det(information)), [cvxpy.sum(weights) == 1]).solve()
    seconds = perf_counter() - start
    found = np.maximum(weights.value, 0)
    inverse = np.linalg.inv((actions.T * (found / found.sum())) @ actions)
    return seconds, float(np.einsum("ij,jk,ik->i", actions, inverse, actions).max()) - dimension


def peak_memory() -> float:
    """GiB, the whole process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    g_optimal_design(gaussian_actions(50, 3))  # imports and the linear algebra library's first call
    large = gaussian_actions(100_000, 30)
    seconds, design = seconds_and_design(large, 1e-4, 3)
    print(
        f"100,000 x 30, tol 1e-4   {seconds:8.3f} s   gap <= {design.gap.floats[1]:.1e}"
        f"   peak memory {peak_memory():.2f} GiB   support {len(design.support)}"
    )
    small = gaussian_actions(3_000, 10)
    seconds, design = seconds_and_design(small, 1e-9, REPEATS)
    print(f"  3,000 x 10, tol 1e-9   {seconds:8.4f} s   gap <= {design.gap.floats[1]:.1e} (certified)")
    other, gap = by_cvxpy(small)
    print(f"  3,000 x 10, cvxpy      {other:8.3f} s   gap    {gap:.1e}")
    print(f"  ratio cvxpy / g_optimal_design   {other / seconds:.0f}")
    for count in (1_000, 10_000, 100_000):
        seconds, _ = seconds_and_design(gaussian_actions(count, 10), 1e-9, 3)
        print(f"{count:>7,} x 10               {seconds:8.4f} s")


if __name__ == "__main__":
    main()
