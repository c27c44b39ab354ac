"""Time the sweep of Figure 5.7 of the thesis, point by point, and compare planned pulls with a per-pull reference.

A plain script: python benchmarks/figure_5_7_sweep.py [runs]
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from time import perf_counter

import numpy as np

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.identification.roster import strategy
from banditproof.algorithms.identification.top_two import AdaPTT
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.run.identification import identify, identify_fastest
from banditproof.theory.privacy.budget import Budget

INSTANCES = {"mu_1": [0.95, 0.9, 0.9, 0.9, 0.5], "mu_2": [0.75, 0.7, 0.7, 0.7, 0.7]}
BUDGETS = np.geomspace(0.01, 10, 10)
DELTA, CAP, PROCESSES = 0.01, 10**9, 2
REFERENCE_RUNS, REFERENCE_PULLS = 1000, 3000


def stopping_times(job: tuple[str, str, float | None, int]) -> tuple[np.ndarray, float]:
    """Stopping times of one strategy on one instance, and the seconds they took."""
    name, instance, epsilon, runs = job
    begin, (play, rewards) = perf_counter(), np.random.default_rng(0).spawn(2)
    options = {"bonus": "log"} if name.startswith("adap") else {}
    run = strategy(name).build(5, DELTA, epsilon, play, runs, **options)
    pulls = identify_fastest(run, BernoulliBandit(INSTANCES[instance]), CAP, rewards).pulls
    return pulls, perf_counter() - begin


class OneByOne(AdaPTT):
    """The same strategy, heard pull by pull."""

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm, count = super().next_batch()
        return arm, np.minimum(count, 1)


def seconds_a_pull(policy: type[AdaPTT], cap: int) -> float:
    """Of AdaP-TT at epsilon 1 on the second instance."""
    play, rewards = np.random.default_rng(1).spawn(2)
    run = policy(5, Budget.pure(1.0), NoiseSource(play), delta=DELTA, bonus="log", replications=REFERENCE_RUNS)
    begin = perf_counter()
    pulls = identify(run, BernoulliBandit(INSTANCES["mu_2"]), cap, rewards).pulls
    return (perf_counter() - begin) / float(pulls.sum())


def main(runs: int) -> None:
    private = product(("adap-tt", "adap-tt-star", "dp-se"), INSTANCES, BUDGETS.tolist(), [runs])
    jobs = [*product(["ttucb"], INSTANCES, [None], [runs]), *private]
    begin = perf_counter()
    with ProcessPoolExecutor(PROCESSES) as pool:
        waiting = {pool.submit(stopping_times, job): job for job in jobs}
        for done, future in enumerate(as_completed(waiting), start=1):
            name, instance, epsilon, _ = waiting[future]
            pulls, seconds = future.result()
            at = "" if epsilon is None else f"{epsilon:.3g}"
            middle = f"{np.median(pulls):12.0f}{pulls.mean():12.0f} +- {pulls.std():10.0f}"
            print(f"{done:3} of {len(jobs)}  {name:14}{instance:6}{at:>8}{middle}  {seconds:8.1f} s", flush=True)
    total = perf_counter() - begin
    print(f"measured  whole sweep, {len(jobs)} points x {runs} runs, {PROCESSES} processes {total:8.1f} s")
    planned, single = seconds_a_pull(AdaPTT, CAP), seconds_a_pull(OneByOne, REFERENCE_PULLS)
    print(
        f"measured  a pull, planned {planned:.2e} s, one by one in NumPy {single:.2e} s, ratio {single / planned:.0f}"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
