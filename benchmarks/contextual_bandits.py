"""AdaC-OFUL at the size of Figure 5.6, against a loop over runs and rounds as the pseudo code is written.

    python benchmarks/contextual_bandits.py [horizon] [runs]

Both draw the same kind of contexts. The loop plays one run of a small part of the horizon; what is compared is the time
per round and run.
"""

import sys
from time import perf_counter

import numpy as np

from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts, simulate_contextual
from banditproof.algorithms.contextual.oful import AdaCOFUL
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory import Budget

THETA, DIMENSION, ARMS, RIDGE, GROWTH, DELTA, RHO = np.array([0.6, 0.0, 0.8]), 3, 10, 0.1, 1.0, 0.001, 0.5


def batched(horizon: int, runs: int) -> float:
    """Seconds for all runs together."""
    noise = NoiseSource(np.random.default_rng(0))
    policy = AdaCOFUL(DIMENSION, Budget.zcdp(RHO), noise, horizon=horizon, replications=runs, bounded=False)
    bandit = ContextualBandit(THETA, GaussianContexts(ARMS, DIMENSION))
    began = perf_counter()
    simulate_contextual([policy], bandit, horizon, np.random.default_rng(1))
    return perf_counter() - began


def plain_loop(rounds: int, horizon: int) -> float:
    """Seconds for `rounds` rounds of one run, line by line as Algorithm 9."""
    draw = np.random.default_rng(2)
    design, total, estimate = RIDGE * np.eye(DIMENSION), np.zeros(DIMENSION), np.zeros(DIMENSION)
    noise, updates, level = np.zeros(DIMENSION), 0, np.log(horizon / DELTA)
    last, inverse = np.linalg.det(design), np.linalg.inv(design)
    width = np.sqrt(2 * np.log(1 / DELTA)) + np.sqrt(RIDGE)
    began = perf_counter()
    for _ in range(rounds):
        sets = DIMENSION**-0.5 + np.sqrt(0.1) * draw.standard_normal((ARMS, DIMENSION))
        if np.linalg.det(design) > (1 + GROWTH) * last:
            updates += 1
            noise += np.sqrt(2 / RHO) * draw.standard_normal(DIMENSION)
            last, inverse = np.linalg.det(design), np.linalg.inv(design)
            estimate = inverse @ (total + noise)
            length = np.sqrt(2 * updates / RHO * (DIMENSION + 2 * np.sqrt(DIMENSION * level) + 2 * level))
            volume = np.log(last / RIDGE**DIMENSION)
            width = np.sqrt(2 * np.log(1 / DELTA) + volume) + np.sqrt(RIDGE)
            width += length / np.sqrt(np.linalg.eigvalsh(design)[0])
        norms = np.sqrt(np.einsum("ki,ij,kj->k", sets, inverse, sets))
        chosen = sets[np.argmax(sets @ estimate + width * norms)]
        total += chosen * (chosen @ THETA + draw.standard_normal())
        design += np.outer(chosen, chosen)
    return perf_counter() - began


if __name__ == "__main__":
    horizon, runs = [int(x) for x in (sys.argv[1:] + ["100000", "100"][len(sys.argv) - 1 :])]
    together = batched(horizon, runs)
    alone = plain_loop(5000, horizon) / 5000
    print(f"{runs} runs of {horizon} rounds: {together:.1f} s, {1e6 * together / runs / horizon:.2f} us per round")
    print(f"plain loop: {1e6 * alone:.1f} us per round, {alone * runs * horizon / together:.0f} times as long")
