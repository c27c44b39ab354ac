"""Planted leaks of every family of bandits against a black-box audit: after how many runs each of them is refuted.

Every leak is audited by the actions alone, at a claimed budget, until it is refuted or the cap is reached; the search
for reward lists and events is part of the runs. The sound policy stands first: it is refuted with probability at most
the error. A plain script: python benchmarks/audit_power.py [family, all] [policy, all] [cap, 60000]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.experts import Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL
from banditproof.algorithms.identification.top_two import AdaPTT
from banditproof.theory import Budget
from banditproof.verify import ADVERSARIAL_BUGS, LINEAR_BUGS, PLANTED, announced, audit_until_refuted, plant
from banditproof.verify.guarantees.identification_bugs import LEAKS
from banditproof.verify.runs.contextual import contextual_maker
from banditproof.verify.runs.linear_runs import ACTIONS, linear_maker
from banditproof.verify.runs.planted import Bug
from banditproof.verify.runs.recorded import maker

ERROR, CAP = Fraction(1, 1000), 60_000
FEW = 4000  # runs for what is played one by one
PURE, GAUSSIAN, RENYI = Budget.pure(2), Budget.zcdp(0.5), Budget.rdp(2, 1)
EVERYWHERE: Mapping[str, Any] = {"sound": Bug, **PLANTED}
OF_NOISE = ("noise of the wrong dimension", "norm factor missing", "noise added once")
OF_SUMS = {name: LINEAR_BUGS[name] for name in (*OF_NOISE, "rewards reused across phases")}
OF_CONTEXTS = {"contexts leak into the release": LINEAR_BUGS["contexts leak into the release"]}
OF_TREES = {name: LINEAR_BUGS[name] for name in OF_NOISE}
FOUR = {name: EVERYWHERE[name] for name in ("sound", "noise halved", "sensitivity per record", "raw value used")}
# these bugs remember something of a run, and take replications that release together for one
REMEMBERING = ("seed reused", "noise reused", "noise once instead of always", "noise added once", "old rewards again")


OUT_OF_REACH = {
    "records too short": "changes what is declared, and no release: the law of the actions is that of the sound policy",
    "last partial batch released": "is released after the last action",
    "noise halved in batched exp4": "keeps the budget: the sound one spends sqrt(N / log(1/delta)) / 3 = 0.31 of it",
}
"""What no audit of actions can refute, and why."""


@dataclass(frozen=True)
class Audited:
    """A policy, the budget it claims, the length of the reward lists and the bugs that are planted into it."""

    family: str
    name: str
    budget: Budget
    horizon: int
    make: Callable[..., Any]
    bugs: Mapping[str, Any]


def finite(name: str, *budget: Any) -> Callable[..., Any]:
    return maker(name, budget, 40, "none")


def batched(learner: Callable[..., Any]) -> Callable[..., Any]:
    return lambda noise, generator, replications=1: PrivateBatches(
        learner(generator, replications), PURE, noise, batch=4
    )


def exp3(generator: np.random.Generator, runs: int) -> EXP3:
    return EXP3(2, generator, rate=10.0, mixing=0.02, replications=runs)


def ftpl(generator: np.random.Generator, runs: int) -> FTPL:
    return FTPL(2, generator, rate=3.0, cap=5, replications=runs)


PANEL = Panel([[1, 0], [1, 0], [1, 0], [0, 1]])
WIDE = Budget.approximate(1.0, 0.01)
OF_LOSSES = {
    name: ADVERSARIAL_BUGS[name] for name in ("noise scaled by the wrong batch size", "last partial batch released")
}
OF_EXPERTS = {
    name: ADVERSARIAL_BUGS[name]
    for name in ("noise scaled by the wrong batch size", "expert weights updated with raw losses")
}


def exp4(noise: Any, generator: np.random.Generator, replications: int = 1) -> PrivateEXP4:
    return PrivateEXP4(PANEL, WIDE, noise, generator, batch=4, rate=10.0, mixing=0.05, replications=replications)


class Hasty(AdaPTT):
    """Stops as soon as one mean leads by a little, so that short runs show stopping and recommendation."""

    def threshold(self, leads: np.ndarray, own: np.ndarray, others: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        return np.full(leads.shape, 0.5)


def hasty(noise: Any, generator: np.random.Generator, replications: int = 1) -> Hasty:
    return Hasty(2, PURE, noise, delta=0.5, replications=replications)


AUDITED = (
    *(
        Audited("finite", name, PURE, 24, finite(name, "pure", 2), bugs)
        for name, bugs in (
            ("dp-imed", EVERYWHERE),
            ("adap-ucb", EVERYWHERE),
            ("adap-klucb", FOUR),
            ("dp-klucb", FOUR),
            ("lazy-dp-ts", FOUR),
            ("dp-ucb", FOUR),
        )
    ),
    Audited("finite", "adac-ucb", GAUSSIAN, 24, finite("adac-ucb", "zcdp", "1/2"), FOUR),
    Audited("finite", "adar-ucb", RENYI, 24, finite("adar-ucb", "rdp", 2, 1), FOUR),
    *(
        Audited("linear", name, budget, 60, linear_maker(name, budget, ACTIONS), bugs | OF_SUMS)
        for name, budget, bugs in (
            ("adac-gope", GAUSSIAN, EVERYWHERE),
            ("adar-gope", RENYI, FOUR),
            ("laplace-sums-gope", PURE, FOUR),
        )
    ),
    *(
        Audited("contextual", name, budget, 60, contextual_maker(setting, budget), bugs)
        for name, setting, budget, bugs in (
            ("adac-oful", "adac-oful-axes", GAUSSIAN, EVERYWHERE | OF_SUMS),
            ("linpriv", "linpriv-diagonals", PURE, FOUR | OF_TREES),
            ("joint-dp-linucb", "joint-dp-linucb", GAUSSIAN, FOUR | OF_TREES | OF_CONTEXTS),
        )
    ),
    Audited("adversarial", "exp3", PURE, 22, batched(exp3), EVERYWHERE | OF_LOSSES),
    Audited("adversarial", "ftpl", PURE, 22, batched(ftpl), FOUR | OF_LOSSES),
    Audited("adversarial", "batched exp4", WIDE, 24, exp4, FOUR | OF_EXPERTS),
    Audited("identification", "adap-tt, hasty", PURE, 24, hasty, EVERYWHERE | LEAKS),
)


def main(family: str = "all", policy: str = "all", cap: str = str(CAP)) -> None:
    print(f"{'family':15}{'policy':18}{'claimed':38}{'leak':46}{'runs until refuted':20}on changing reward")
    for audited in AUDITED:
        if family not in ("all", audited.family) or policy not in ("all", audited.name):
            continue
        for leak, bug in audited.bugs.items():
            leaky, runs = plant(bug, audited.make), int(cap)
            if audited.family == "identification":
                leaky = announced(leaky)
            if leak == "seed reused" or leak in REMEMBERING and audited.family not in ("finite", "adversarial"):
                leaky, runs = _alone(leaky), min(FEW, runs)
            report = audit_until_refuted(leaky, audited.budget, horizon=audited.horizon, runs=runs, error=ERROR)
            row = f"{audited.family:15}{audited.name:18}{str(audited.budget):38}{leak:46}"
            if report.verdict == "violation":
                time = next(
                    t for t, pair in enumerate(zip(report.rewards, report.neighbour, strict=True)) if len(set(pair)) > 1
                )
                print(f"{row}{report.runs:<20}{time}: {report.statistic}", flush=True)
            else:
                print(f"{row}not in {report.runs}", flush=True)

    for leak, why in OUT_OF_REACH.items():
        print(f"out of reach: {leak}, which {why}")


def _alone(make: Callable[..., Any]) -> Callable[..., Any]:
    return lambda noise, generator: make(noise, generator)


if __name__ == "__main__":
    main(*sys.argv[1:])
