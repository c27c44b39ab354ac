"""Time the linear algorithms at the size of Figure 5.5 of the thesis against the per-pull loop, in one run.

A plain script: python benchmarks/linear_elimination.py. The loop runs for fewer pulls and is scaled up: its cost per
pull does not depend on the horizon. Designs are found once per set of active actions, so each row starts without any.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from banditproof.algorithms.linear.designs import _design
from banditproof.algorithms.linear.environment import LinearBandit
from banditproof.algorithms.linear.roster import LINEAR_ALGORITHMS, LinearSetting
from banditproof.algorithms.run.simulator import simulate, simulate_per_pull
from banditproof.theory.privacy.budget import Budget

HORIZON, RUNS, REFERENCE_PULLS = 10**7, 100, 100_000
BUDGETS = {"zcdp": Budget.zcdp(0.1), "rdp": Budget.rdp(2, 0.2), "pure": Budget.pure(0.5), "": None}


def main() -> None:
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(11, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    bandit = LinearBandit(rows[:10], rows[10])
    times = np.unique(np.geomspace(10, HORIZON, 60).round().astype(int))
    print(
        f"{RUNS} runs of {HORIZON:g} pulls on 10 actions in 3 dimensions; the loop for {REFERENCE_PULLS} pulls of one"
    )
    total = 0.0
    for name, entry in LINEAR_ALGORITHMS.items():
        budget = BUDGETS[entry.kinds[0] if entry.kinds else ""]
        _design.cache_clear()
        start = perf_counter()
        policy = entry.build(LinearSetting(10, HORIZON, budget, generator, RUNS, bandit.actions))
        simulate(policy, bandit, HORIZON, generator, times)
        fast = perf_counter() - start
        start = perf_counter()
        alone = entry.build(LinearSetting(10, HORIZON, budget, generator, 1, bandit.actions))
        simulate_per_pull(alone, bandit, REFERENCE_PULLS, generator)
        slow = (perf_counter() - start) * RUNS * HORIZON / REFERENCE_PULLS
        total += fast
        print(f"{name:20} {fast:8.2f} s   loop {slow:8.0f} s   ratio {slow / fast:10.0f}")
    print(f"all {total:.2f} s")


if __name__ == "__main__":
    main()
