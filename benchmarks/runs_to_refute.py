"""Runs until a mechanism that is sold at half its budget is refuted, against the least that any test can do with.

Two audits, which err with probability 1/20: one that knows the mechanism and stops when it is sure, and
`audit_mechanism`, which learns from half of the runs what to look at, with as many as refute in 95 of 100 audits.
A plain script: python benchmarks/runs_to_refute.py [audits, 200]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import expit

from banditproof.theory import Budget
from banditproof.theory.privacy.least_divergence import (
    gaussian_divergence,
    laplace_divergence,
    least_runs,
    response_divergence,
)
from banditproof.verify import SequentialAudit, audit_mechanism
from banditproof.verify.audits.refutation import tangents

ERROR, MISS = Fraction(1, 20), Fraction(1, 20)
BLOCK = 1000  # runs between two looks at the wealth


def response(epsilon: float) -> Callable[..., np.ndarray]:
    return lambda world, size, generator: world ^ (generator.random(size) > expit(epsilon))


def laplace(epsilon: float) -> Callable[..., np.ndarray]:
    return lambda world, size, generator: world + generator.laplace(0, 1 / epsilon, size)


def gaussian(mu: float) -> Callable[..., np.ndarray]:
    return lambda world, size, generator: mu * world + generator.standard_normal(size)


LOG_RATIOS: dict[str, Callable[[float, np.ndarray], np.ndarray]] = {  # of the second input's density to the first's
    "randomised response": lambda epsilon, x: epsilon * (2 * x - 1),
    "laplace": lambda epsilon, x: epsilon * (np.abs(x) - np.abs(x - 1)),
    "gaussian": lambda mu, x: mu * x - mu**2 / 2,
}
MECHANISMS: dict[str, tuple[Any, Any, Any]] = {
    "randomised response": (response, Budget.pure, response_divergence),
    "laplace": (laplace, Budget.pure, laplace_divergence),
    "gaussian": (gaussian, Budget.gdp, gaussian_divergence),
}


def informed(name: str, parameter: float, budget: Budget, generator: np.random.Generator) -> int:
    """The run after which an audit that knows the mechanism is sure: the mean wealth against the tangents counts."""
    make = MECHANISMS[name][0]
    tests = [SequentialAudit(epsilon, float(ERROR), delta) for epsilon, delta in tangents(budget)]
    needed = float(ERROR) / len(tests)  # so that one of them alone may carry the mean to 1 / ERROR
    for test in tests:
        test.error = needed
    while not any(test.refuted for test in tests):
        worlds = generator.random(BLOCK) < 0.5
        outputs = np.where(worlds, make(parameter)(1, BLOCK, generator), make(parameter)(0, BLOCK, generator))
        for test in tests:
            test.observe(worlds, expit(LOG_RATIOS[name](parameter, outputs)))
    return min(test.stopped for test in tests if test.refuted)


def learned(name: str, parameter: float, budget: Budget, audits: int) -> int:
    """Runs in all, of search and proof on both inputs, with which 95 of 100 audits refute; up to a factor sqrt(2)."""
    mechanism, half = MECHANISMS[name][0](parameter), 16.0
    while True:
        size = int(half)
        found = [
            audit_mechanism(mechanism, budget, samples=size, error=ERROR, seed=k).verdict == "violation"
            for k in range(audits)
        ]
        if np.mean(found) >= 1 - MISS:
            return 4 * size
        half *= 2**0.5


def main(audits: str = "200") -> None:
    number = int(audits)
    print(f"error {float(ERROR):g}; runs on both inputs together, and their ratio to the minimum for the same power")
    print(
        f"{'mechanism':22}{'sold at half of':>16}{'least':>9}{'informed, mean':>18}{'least':>10}{'learned, 95 %':>18}"
    )
    for name, (_, budget_of, divergence_of) in MECHANISMS.items():
        for parameter in (0.5, 1.0, 2.0):
            budget, divergence = budget_of(parameter / 2), float(divergence_of(parameter, parameter / 2))
            sure = float(least_runs(divergence, float(ERROR), 0.0))
            likely = float(least_runs(divergence, float(ERROR), float(MISS)))
            generator = np.random.default_rng(0)
            stopped = float(np.mean([informed(name, parameter, budget, generator) for _ in range(number)]))
            size = learned(name, parameter, budget, max(40, number // 5))
            row = f"{name:22}{parameter:16g}{sure:9.0f}{stopped:10.0f} ({stopped / sure:5.2f}){likely:10.0f}"
            print(f"{row}{size:10d} ({size / likely:5.1f})", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
