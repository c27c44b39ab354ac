"""Count false alarms of the delta-correctness and privacy checks on every strategy, seed by seed.

The delta-correctness check chooses its instances, tilted runs among them. Strategies that decide at every pull in NumPy
are cut earlier. A plain script: python benchmarks/false_alarms_identification.py [seeds]
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from time import perf_counter

from banditproof.algorithms.identification.roster import STRATEGIES
from banditproof.theory.privacy.budget import Budget
from banditproof.verify import announced, check_delta_correct, check_privacy

ARMS, DELTAS, EPSILON, SECONDS = 2, (0.1, 1e-6), 8.0, 0.2
CAPS = {"lucb": 500, "track-and-stop": 500, "ttucb": 500}
HORIZONS = {"dp-se": 1500}


def options(name: str) -> dict[str, str]:
    return {"bonus": "log"} if name.startswith("adap") else {}


def delta_correct(name: str, delta: float, seed: int) -> str:
    """The verdict on instances that the check chooses."""

    def make(arms, generator, replications):
        return STRATEGIES[name].build(arms, delta, EPSILON, generator, replications, **options(name))

    cap = CAPS.get(name, 20_000)
    return check_delta_correct(make, ARMS, delta, cap=cap, seconds=SECONDS, seed=seed, progress=False).verdict


def private(name: str, seed: int) -> str:
    """The verdict on the whole output, at a large risk."""
    entry, budget = STRATEGIES[name], Budget.pure(EPSILON)
    given = {entry.risk: 0.9, **entry.options, **options(name)}
    make = announced(lambda noise, generator: entry.make(ARMS, budget, noise, **given))
    return check_privacy(make, budget, seconds=SECONDS, horizon=HORIZONS.get(name, 100), seed=seed).verdict


def main(seeds: int) -> None:
    begin = perf_counter()
    checks = {f"delta-correct {name}, {d:g}": partial(delta_correct, name, d) for name in STRATEGIES for d in DELTAS}
    checks |= {f"private {name}": partial(private, name) for name, entry in STRATEGIES.items() if entry.private}
    for title, check in checks.items():
        verdicts = Counter(check(seed) for seed in range(seeds))
        print(f"measured  {title:40} {verdicts['violation']} of {seeds} seeds alarmed  {dict(verdicts)}", flush=True)
    print(f"measured  in all {perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
