"""Time characteristic_time against the same program in cvxpy with Clarabel, and its growth up to 10,000 arms.

A plain script: python benchmarks/characteristic_time.py
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from time import perf_counter
from typing import Any

import cvxpy
import numpy as np

from banditproof.theory.best_arm.characteristic_times import CharacteristicTime, characteristic_time

COMPARED = (10, 100, 1_000)
SIZES = (10, 100, 1_000, 10_000)
REPEATS = 5
GAMES: dict[str, dict[str, Any]] = {
    "kl": {},
    "kl, beta 1/2": {"beta": "1/2"},
    "private, epsilon 0.1": {"epsilon": 0.1},
    "tv": {"divergence": "tv"},
}


def means_of(arms: int) -> list[float]:
    """A best arm at 0.9 and the others evenly spread over [0.1, 0.8]."""
    return [0.9, *np.linspace(0.8, 0.1, arms - 1).tolist()]


def median_seconds(run: Callable[[], Any]) -> tuple[float, Any]:
    seconds = []
    for _ in range(REPEATS):
        start = perf_counter()
        result = run()
        seconds.append(perf_counter() - start)
    return float(np.median(seconds)), result


def program(means: list[float], epsilon: float | None = None) -> cvxpy.Problem:
    """sup over allocations of the worst transport cost, in exponential cones."""
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


def by_cvxpy(means: list[float], epsilon: float | None = None) -> tuple[float, float]:
    """T* and the seconds of the solver alone."""
    problem = program(means, epsilon)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says the same in the exception
        problem.solve(solver=cvxpy.CLARABEL)
    return 1 / problem.value, problem.solver_stats.solve_time


def relative_width(time: CharacteristicTime) -> float:
    return float(time.value.width / time.value.lower)


def compare() -> None:
    print("characteristic_time (input, solution and certificate) against cvxpy with Clarabel, median of", REPEATS)
    print(
        f"{'game':22s}{'arms':>6s}{'ours':>11s}{'width':>9s}{'cvxpy':>11s}{'its solver':>12s}{'error':>9s}"
        f"{'ratio':>8s}{'to solver':>11s}"
    )
    for name, epsilon in (("kl", None), ("private, epsilon 0.1", 0.1)):
        for arms in COMPARED:
            means = means_of(arms)
            ours, time = median_seconds(lambda: characteristic_time(means=means, epsilon=epsilon))  # noqa: B023
            row = f"{name:22s}{arms:6d}{1e3 * ours:8.1f} ms{relative_width(time):9.0e}"
            try:
                theirs, (value, solver) = median_seconds(lambda: by_cvxpy(means, epsilon))  # noqa: B023
            except cvxpy.error.SolverError as error:
                print(f"{row}  cvxpy: {str(error).split('.')[0]}")
                continue
            wrong = abs(value / float(time.value.lower) - 1)
            print(
                f"{row}{1e3 * theirs:8.1f} ms{1e3 * solver:9.1f} ms{wrong:9.0e}"
                f"{theirs / ours:8.1f}{solver / ours:11.2f}"
            )


def growth() -> None:
    print("\ncost against the number of different arms; K = 10,000 must stay below 2 s and every width below 1e-9")
    print(f"{'game':22s}{'arms':>8s}{'seconds':>10s}{'width':>9s}{'per arm':>11s}{'against 10 times fewer':>24s}")
    for name, options in GAMES.items():
        before = None
        for arms in SIZES:
            means = means_of(arms)
            seconds, time = median_seconds(lambda: characteristic_time(means=means, **options))  # noqa: B023
            times = "" if before is None else f"{seconds / before:.1f} times"
            print(
                f"{name:22s}{arms:8d}{seconds:10.4f}{relative_width(time):9.0e}{1e6 * seconds / arms:8.0f} us"
                f"{times:>24s}"
            )
            before = seconds


def main() -> None:
    characteristic_time(means=means_of(3), epsilon=0.1)  # loads the libraries
    compare()
    growth()


if __name__ == "__main__":
    main()
