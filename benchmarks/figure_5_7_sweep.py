"""Time the sweep of Figure 5.7 of the thesis, and compare planned pulls with a per-pull reference on the same rewards.

A plain script: python benchmarks/figure_5_7_sweep.py [runs]. `banditproof identify --epsilon ... --plot` draws it.
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.identification.top_two import AdaPTT
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.run.identification import identify, identify_sweep
from banditproof.theory.privacy.budget import Budget

INSTANCES = {"mu_1": [0.95, 0.9, 0.9, 0.9, 0.5], "mu_2": [0.75, 0.7, 0.7, 0.7, 0.7]}
NAMES = ("ttucb", "adap-tt", "adap-tt-star", "dp-se")
BUDGETS = np.geomspace(0.01, 10, 10).tolist()
DELTA, CAP, PROCESSES = 0.01, 10**9, 2
WRITTEN, REFERENCE_RUNS = 10**6, 3


class Written(BernoulliBandit):
    """Rewards that are written down: the i-th pull of an arm brings the same to everybody. One replication."""

    def __init__(self, means: list[float], seed: int) -> None:
        super().__init__(means)
        coins = np.random.default_rng(seed).random((len(means), WRITTEN)) < self.means[:, np.newaxis]
        self.sums = np.concatenate([np.zeros((len(means), 1)), coins.cumsum(axis=1)], axis=1)
        self.pulled = np.zeros(len(means), dtype=int)

    def sum_of_rewards(self, arm: np.ndarray, count: np.ndarray, generator: np.random.Generator, *, time=0):
        begin, self.pulled[arm] = self.pulled[arm], self.pulled[arm] + count
        return self.sums[arm, begin + count] - self.sums[arm, begin]


class OneByOne(AdaPTT):
    """The same strategy, heard pull by pull."""

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm, count = super().next_batch()
        return arm, np.minimum(count, 1)


def ending(policy: type[AdaPTT], seed: int) -> tuple[list[int], int, float]:
    """Pulls of every arm, the arm that is named, and seconds: AdaP-TT at epsilon 1 on the second instance."""
    noise = NoiseSource(np.random.default_rng([seed, 1]))
    run, bandit = policy(5, Budget.pure(1.0), noise, delta=DELTA, bonus="log"), Written(INSTANCES["mu_2"], seed)
    begin = perf_counter()
    named = int(identify(run, bandit, CAP, np.random.default_rng()).recommendation[0])
    return bandit.pulled.tolist(), named, perf_counter() - begin


def main(runs: int) -> None:
    begin, points = perf_counter(), 0
    for instance, means in INSTANCES.items():
        found = identify_sweep(
            NAMES, BernoulliBandit(means), BUDGETS, DELTA, CAP, runs=runs, workers=PROCESSES, options={"bonus": "log"}
        )
        for name, epsilon, result in found:
            at, pulls = "" if epsilon is None else f"{epsilon:.3g}", result.pulls
            wrong = int((result.recommendation != int(np.argmax(means))).sum())
            middle = f"{np.median(pulls):12.0f}{pulls.mean():12.0f} +- {pulls.std():10.0f}  {wrong} wrong"
            points += 1
            print(f"{points:3}  {name:14}{instance:6}{at:>8}{middle}  {perf_counter() - begin:8.1f} s", flush=True)
    total = perf_counter() - begin
    print(f"measured  whole sweep, {points} points x {runs} runs, {PROCESSES} processes {total:8.1f} s")
    ending(AdaPTT, 0)  # compiles
    planned, single = ([ending(policy, seed) for seed in range(REFERENCE_RUNS)] for policy in (AdaPTT, OneByOne))
    assert [one[:2] for one in planned] == [one[:2] for one in single]
    seconds = [sum(one[2] for one in found) for found in (planned, single)]
    print(
        f"measured  {REFERENCE_RUNS} runs, planned {seconds[0]:.3f} s, pull by pull {seconds[1]:.1f} s, with the same "
        f"pulls and arms, ratio {seconds[1] / seconds[0]:.0f}"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
