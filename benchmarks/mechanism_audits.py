"""How often audits of mechanisms whose budget is known are wrong, and what they need to refute half of it.

A plain script: python benchmarks/mechanism_audits.py [audits, 2000]
"""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np

from banditproof.theory import Budget
from banditproof.verify import audit_mechanism

ERROR = Fraction(1, 10)


def laplace(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    return world + generator.laplace(0, 1, size)


def gaussian(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    return world + generator.standard_normal(size)


def randomised_response(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    return world ^ (generator.random(size) > 1 / (1 + np.exp(-1)))


def leaky_response(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    told = generator.random(size) < 0.2
    return np.where(told, 2 + world, randomised_response(world, size, generator))


KNOWN = {
    "laplace": (laplace, Budget.pure(1.0), Budget.pure(0.5)),
    "randomised response": (randomised_response, Budget.pure(1.0), Budget.pure(0.5)),
    "leaky response": (leaky_response, Budget.approximate(1.0, 0.2), Budget.approximate(0.5, 0.2)),
    "gaussian, GDP": (gaussian, Budget.gdp(1.0), Budget.gdp(0.5)),
    "gaussian, zCDP": (gaussian, Budget.zcdp(0.5), Budget.zcdp(0.25)),
}


def main(audits: str = "2000") -> None:
    number = int(audits)
    print(f"{'mechanism':22}wrong of {number} at error {float(ERROR):g}   runs until half of the budget is refuted")
    for name, (mechanism, true, half) in KNOWN.items():
        wrong = sum(
            audit_mechanism(mechanism, true, samples=200, error=ERROR, seed=s).verdict == "violation"
            for s in range(number)
        )
        size = 16
        while audit_mechanism(mechanism, half, samples=size, error=ERROR, seed=1).verdict != "violation":
            size *= 2
        print(f"{name:22}{wrong:6d}{size:40d}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
