"""Which planted bugs of which strategies the three public checks find, and how soon.

A bug breaks delta only where it makes errors likelier than delta, and the thresholds of private means have room. Risks
are chosen so that a bug that breaks delta at some risk breaks it there. Whether Top Two stops as its threshold is
printed is seen apart from that: the last column has the least evidence with which a run stopped, in units of what the
rule asks.
A plain script: python benchmarks/planted_identification_bugs.py [seconds per check]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.registration import IdentificationSetting
from banditproof.algorithms.roster import algorithms, strategy
from banditproof.theory.best_arm.thresholds import private_threshold, star_threshold, transportation_cost
from banditproof.theory.privacy.budget import Budget
from banditproof.verify import against_rivals, announced, check_delta_correct, check_privacy, check_stopping
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
        return bug(strategy(name, arms, delta, WEAK, generator, replications, **options(name)))

    cap = CAPS.get(name, 10**6)
    return check_delta_correct(make, 2, delta, cap=cap, seconds=seconds, progress=False).verdict


def leak(name: str, bug: Callable[[Any], Any], seconds: float) -> str:
    make = announced(lambda noise, g: bug(strategy(name, 2, LARGE, STRONG, g, door=noise, **options(name))))
    return check_privacy(make, Budget.pure(STRONG), seconds=seconds, horizon=3000 if name == "dp-se" else 400).verdict


def adap_tt(lead: float, own: float, other: float) -> float:
    return transportation_cost(lead, own, other) / private_threshold(own, other, SMALL, 2, WEAK)


def adap_tt_star(lead: float, own: float, other: float) -> float:
    return transportation_cost(lead, own, other, WEAK) / star_threshold(lead, own, other, SMALL, 2, WEAK)


RULES = {"adap-tt": adap_tt, "adap-tt-star": adap_tt_star}


def early(name: str, bug: Callable[[Any], Any]) -> str:
    def make(noise, generator):
        return bug(strategy(name, 2, SMALL, WEAK, generator, door=noise, **options(name)))

    found = check_stopping(make, [BernoulliBandit([0.3, 0.7])], against_rivals(RULES[name]))
    return f"{found.verdict} at {found.least:.4g}"


def main(seconds: float) -> None:
    print(f"{'strategy':24}{'planted bug':48}{'delta-correctness':24}{'privacy':24}stopping rule")
    for name, entry in algorithms(IdentificationSetting).items():
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
            stops = early(name, bug) if name in RULES else "-"
            print(f"{name:24}{title:48}{timed:24}{private:24}{stops}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0)
