"""Count false alarms of the delta-correctness and privacy checks on sound strategies, seed by seed.

A plain script: python benchmarks/false_alarms_identification.py [seeds]
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from time import perf_counter

from banditproof.algorithms.identification.roster import STRATEGIES
from banditproof.algorithms.identification.top_two import AdaPTT, AdaPTTStar
from banditproof.theory.privacy.budget import Budget
from banditproof.verify import announced, check_delta_correct, check_privacy, identification_instances

ARMS, DELTA, EPSILON, CAP, SECONDS = 2, 0.1, 1.0, 20_000, 0.3
SOUND = ("dp-se", "successive-elimination", "adap-tt", "adap-tt-star")
PRIVATE_EPSILON, HORIZON = 8.0, 100


def delta_correct(name: str, seed: int) -> str:
    """The verdict on a strategy of the roster on a hard instance, another one for every seed."""

    def make(arms, generator, replications):
        return STRATEGIES[name].build(arms, DELTA, EPSILON, generator, replications)

    instances = identification_instances(ARMS)
    chosen = instances[seed % len(instances)]
    return check_delta_correct(make, chosen, DELTA, cap=CAP, seconds=SECONDS, seed=seed, progress=False).verdict


def private(policy: type[AdaPTT] | type[AdaPTTStar], seed: int) -> str:
    """The verdict on the whole output."""
    budget = Budget.pure(PRIVATE_EPSILON)
    make = announced(lambda noise, generator: policy(ARMS, budget, noise, delta=0.9))
    return check_privacy(make, budget, seconds=SECONDS, horizon=HORIZON, seed=seed).verdict


def main(seeds: int) -> None:
    begin = perf_counter()
    checks = {f"delta-correct {name}": partial(delta_correct, name) for name in SOUND}
    checks |= {f"private {policy.__name__}": partial(private, policy) for policy in (AdaPTT, AdaPTTStar)}
    for title, check in checks.items():
        verdicts = Counter(check(seed) for seed in range(seeds))
        alarms = verdicts["violation"]
        print(f"measured  {title:40} {alarms} of {seeds} seeds alarmed  {dict(verdicts)}", flush=True)
    print(f"measured  in all {perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
