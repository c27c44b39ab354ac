"""Which planted bugs of which strategies the two public checks find, and how soon.

A bug breaks delta only where it makes errors likelier than delta: half of AdaP-TT's threshold does not, since that is
twice the one without privacy. Risks are chosen so that a bug that breaks delta at some risk breaks it there.
A plain script: python benchmarks/planted_identification_bugs.py [seconds per check]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from banditproof.algorithms.identification.roster import STRATEGIES
from banditproof.theory.privacy.budget import Budget
from banditproof.verify import announced, check_delta_correct, check_privacy
from banditproof.verify.guarantees.identification_bugs import ERRORS, LEAKS, threshold_divided

RISKS = {"dp-se": 1e-12, "successive-elimination": 1e-12, "ttucb": 1e-12, "track-and-stop": 1e-12, "lucb": 1e-40}
SMALL, LARGE, WEAK, STRONG = 1e-60, 0.9, 50.0, 0.5
CAPS = {"lucb": 20_000, "track-and-stop": 20_000, "ttucb": 20_000}
BUGS = {"no bug": lambda strategy: strategy, **ERRORS, "threshold quartered": threshold_divided(4), **LEAKS}
TELLING = ("no bug", "ties decided", *LEAKS)  # what may tell something about rewards
FORGETFUL = ("dp-se", "successive-elimination", "adap-tt", "adap-tt-star")


def options(name: str) -> dict[str, Any]:
    return {"bonus": "log"} if name.startswith("adap") else {}


def wrong_arm(name: str, bug: Callable[[Any], Any], seconds: float) -> str:
    delta = RISKS.get(name, SMALL)

    def make(arms, generator, replications):
        return bug(STRATEGIES[name].build(arms, delta, WEAK, generator, replications, **options(name)))

    cap = CAPS.get(name, 10**6)
    return check_delta_correct(make, 2, delta, cap=cap, seconds=seconds, progress=False).verdict


def leak(name: str, bug: Callable[[Any], Any], seconds: float) -> str:
    entry, budget = STRATEGIES[name], Budget.pure(STRONG)
    given = {entry.risk: LARGE, **entry.options, **options(name)}
    make = announced(lambda noise, generator: bug(entry.make(2, budget, noise, **given)))
    return check_privacy(make, budget, seconds=seconds, horizon=3000 if name == "dp-se" else 400).verdict


def main(seconds: float) -> None:
    print(f"{'strategy':24}{'planted bug':48}{'delta-correctness':24}privacy")
    for name, entry in STRATEGIES.items():
        for title, bug in BUGS.items():
            if title == "stale counts in the stopping rule" and name not in FORGETFUL:
                continue
            if title in LEAKS and not entry.private:
                continue
            begin = perf_counter()
            found = wrong_arm(name, bug, seconds)
            middle = perf_counter()
            timed = f"{found} {middle - begin:.1f} s"
            private = "-"
            if entry.private and title in TELLING:
                private = f"{leak(name, bug, seconds)} {perf_counter() - middle:.1f} s"
            print(f"{name:24}{title:48}{timed:24}{private}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0)
