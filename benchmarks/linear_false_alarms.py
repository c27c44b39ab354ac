"""How often the privacy check accuses a sound linear or contextual policy, over many seeds.

    python benchmarks/linear_false_alarms.py [seeds] [seconds] [policy ...]

Each policy (all of them by default) is checked for `seconds` (0.5) with each of 100 `seeds`, in runs of up to 300
rounds.
"""

import sys
from collections import Counter

from banditproof.theory import Budget
from banditproof.verify import check_privacy
from banditproof.verify.runs.contextual import contextual_maker
from banditproof.verify.runs.linear_runs import ACTIONS, SHORT, linear_maker

LINEAR = {
    "adac-gope": Budget.zcdp(0.5),
    "adac-gope-var": Budget.zcdp(0.5),
    "adac-gope-output": Budget.rdp(2, 1),
    "adar-gope": Budget.rdp(2, 1),
    "gaussian-sums-gope": Budget.approximate(1, 0.01),
    "laplace-sums-gope": Budget.pure(1),
}
CONTEXTUAL = {
    "adac-oful": (Budget.zcdp(0.5), 300),
    "adac-oful-axes": (Budget.zcdp(0.5), 300),
    "adar-oful": (Budget.rdp(2, 1), 300),
    "linpriv": (Budget.pure(2), 60),  # the trees are built for 63 rounds
    "linpriv-diagonals": (Budget.pure(2), 60),
    "joint-dp-linucb": (Budget.zcdp(0.5), 60),
}


def main(seeds: int = 100, seconds: float = 0.5, *names: str) -> None:
    """Prints the verdicts for these policies, or for all."""
    policies = {name: (linear_maker(name, spent, ACTIONS, **SHORT), spent, 300) for name, spent in LINEAR.items()}
    policies |= {name: (contextual_maker(name, spent), spent, most) for name, (spent, most) in CONTEXTUAL.items()}
    for name in names or policies:
        make, spent, most = policies[name]
        found = Counter(
            check_privacy(make, spent, seconds=seconds, seed=seed, horizon=most).verdict for seed in range(seeds)
        )
        print(f"{name}: {dict(found)}", flush=True)


if __name__ == "__main__":
    numbers = [kind(text) for kind, text in zip((int, float), sys.argv[1:3], strict=False)]
    main(*numbers, *sys.argv[3:])
