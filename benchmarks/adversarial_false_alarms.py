"""How often the checks of private adversarial bandits accuse a sound policy, over many seeds.

    python benchmarks/adversarial_false_alarms.py [seeds] [seconds]

Each policy is checked for privacy for `seconds` (1, runs of up to 300 rounds) with each of 100 `seeds`, and each
learner for unbiased estimates.
"""

import sys
from collections import Counter

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF
from banditproof.theory import Budget
from banditproof.verify import check_estimates, check_privacy

PURE, TIGHT = Budget.pure(0.04), Budget.approximate(0.5, 0.64)
PANEL = Panel([[0.5, 0.5, 0], [0, 0, 1], [1, 0, 0]])
AGREEING = Panel([[1, 0], [1, 0], [1, 0], [0, 1]])
LEARNERS = {
    "EXP3": lambda g, runs=1: EXP3(3, g, rate=0.5, mixing=0.2, replications=runs),
    "HTINF": lambda g, runs=1: HTINF(3, g, sigma=6**0.5, replications=runs),
    "FTPL": lambda g, runs=1: FTPL(3, g, rate=0.2, cap=60, replications=runs),
    "EXP4": lambda g, runs=1: EXP4(PANEL, g, rate=0.5, mixing=0.2, replications=runs),
}
POLICIES = {
    **{
        name: (PURE, lambda noise, g, make=make: PrivateBatches(make(g), PURE, noise))
        for name, make in LEARNERS.items()
    },
    "EXP3 every round": (PURE, lambda noise, g: PrivateBatches(LEARNERS["EXP3"](g), PURE, noise, batch=1)),
    "experts": (PURE, lambda noise, g: FromBandit(PrivateBatches(LEARNERS["HTINF"](g), PURE, noise), PANEL, g)),
    "batched EXP4": (TIGHT, lambda noise, g: PrivateEXP4(AGREEING, TIGHT, noise, g, batch=5, rate=0.5, mixing=0.9)),
}


def main(seeds: int = 100, seconds: float = 1.0) -> None:
    """Prints the verdicts for every policy, and how many learners were accused."""
    for name, (budget, make) in POLICIES.items():
        found = Counter(
            check_privacy(make, budget, seconds=seconds, seed=seed, horizon=300).verdict for seed in range(seeds)
        )
        print(f"privacy of {name}: {dict(found)}", flush=True)
    for name, make in LEARNERS.items():
        accused = sum(not check_estimates(make, seed=seed).ok for seed in range(seeds))
        print(f"estimates of {name}: {accused} of {seeds} accused", flush=True)


if __name__ == "__main__":
    main(*(int(text) if i == 1 else float(text) for i, text in enumerate(sys.argv[1:], start=1)))
