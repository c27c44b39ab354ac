"""Contextual policies at the size of Figure 5.6, against loops over runs and rounds as the pseudo code is written.

    python benchmarks/contextual_bandits.py [horizon] [runs]

What is compared is the time per round and run on contexts of the same law. The loops play one run of a few rounds; OFUL
and AdaC-OFUL have one each, the tree-based policies are set beside that of OFUL, which does less.
"""

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts, simulate_contextual
from banditproof.algorithms.contextual.oful import OFUL, AdaCOFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.tree_policies import JointDPLinUCB, LinPriv
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget

THETA, DIMENSION, ARMS, RIDGE, GROWTH, DELTA, RHO = np.array([0.6, 0.0, 0.8]), 3, 10, 0.1, 1.0, 0.001, 0.5
CHUNK, LOOPED = 25, 5000

POLICIES: dict[str, Callable[[NoiseSource, dict[str, Any]], Any]] = {
    "OFUL": lambda noise, options: OFUL(DIMENSION, **options),
    "RS-OFUL": lambda noise, options: RarelySwitchingOFUL(DIMENSION, **options),
    "AdaC-OFUL": lambda noise, options: AdaCOFUL(DIMENSION, Budget.zcdp(RHO), noise, **options),
    "LinPriv": lambda noise, options: LinPriv(DIMENSION, ARMS, Budget.pure(1), noise, **options),
    "joint-DP LinUCB": lambda noise, options: JointDPLinUCB(DIMENSION, Budget.zcdp(RHO), noise, **options),
}


def together(name: str, horizon: int, compiled: bool) -> float:
    """Seconds per round and run for a chunk of runs."""
    noise = NoiseSource(np.random.default_rng(0))
    bandit = ContextualBandit(THETA, GaussianContexts(ARMS, DIMENSION))

    def run(rounds: int) -> float:
        policy = POLICIES[name](noise, {"horizon": rounds, "replications": CHUNK, "bounded": False})
        began = perf_counter()
        simulate_contextual([policy], bandit, rounds, np.random.default_rng(1), compiled=compiled)
        return perf_counter() - began

    run(10)  # compiles
    return run(horizon) / horizon / CHUNK


def plain_loop(horizon: int, growth: float, rho: float) -> float:
    """Seconds per round of one run, line by line as Algorithm 9; OFUL for growth 0."""
    draw = np.random.default_rng(2)
    design, total, estimate = RIDGE * np.eye(DIMENSION), np.zeros(DIMENSION), np.zeros(DIMENSION)
    noise, updates, level = np.zeros(DIMENSION), 0, np.log(horizon / DELTA)
    last, inverse = np.linalg.det(design), np.linalg.inv(design)
    width = np.sqrt(2 * np.log(1 / DELTA)) + np.sqrt(RIDGE)
    began = perf_counter()
    for _ in range(LOOPED):
        sets = DIMENSION**-0.5 + np.sqrt(0.1) * draw.standard_normal((ARMS, DIMENSION))
        if np.linalg.det(design) > (1 + growth) * last:
            updates += 1
            noise += np.sqrt(2 / rho) * draw.standard_normal(DIMENSION)
            last, inverse = np.linalg.det(design), np.linalg.inv(design)
            estimate = inverse @ (total + noise)
            length = np.sqrt(2 * updates / rho * (DIMENSION + 2 * np.sqrt(DIMENSION * level) + 2 * level))
            volume = np.log(last / RIDGE**DIMENSION)
            width = np.sqrt(2 * np.log(1 / DELTA) + volume) + np.sqrt(RIDGE)
            width += length / np.sqrt(np.linalg.eigvalsh(design)[0])
        norms = np.sqrt(np.einsum("ki,ij,kj->k", sets, inverse, sets))
        chosen = sets[np.argmax(sets @ estimate + width * norms)]
        total += chosen * (chosen @ THETA + draw.standard_normal())
        design += np.outer(chosen, chosen)
    return (perf_counter() - began) / LOOPED


if __name__ == "__main__":
    horizon, runs = [int(float(x)) for x in (sys.argv[1:] + ["100000", "100"][len(sys.argv) - 1 :])]
    rare, every = plain_loop(horizon, GROWTH, RHO), plain_loop(horizon, 0.0, np.inf)
    print(f"plain loops: {1e6 * rare:.1f} us per round of AdaC-OFUL, {1e6 * every:.1f} of OFUL")
    for name in POLICIES:
        beside = rare if name in ("RS-OFUL", "AdaC-OFUL") else every
        for compiled in (True, False) if beside is every else (False,):
            each = together(name, horizon if compiled or beside is rare else min(horizon, 10_000), compiled)
            route = "compiled" if compiled else "NumPy"
            print(
                f"{name}, {route}: {1e6 * each:.2f} us per round, a loop takes {beside / each:.0f} times as long; "
                f"{runs} runs of {horizon:g} rounds in {each * runs * horizon:.0f} s on one core",
                flush=True,
            )
