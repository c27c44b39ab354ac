"""How often checks accuse what is sound, or miss what is not, over seeds: few by default, more with ``--longer``.

`wrong` counts false alarms: a violation reported of a policy, a strategy or a mechanism that keeps its promise. For the
two collections of policies whose privacy is known (``tests/verify``) it also counts bugs that were called ok.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from measuring import alarms

from banditproof.algorithms.adversarial.conversion import PrivateBatches
from banditproof.algorithms.adversarial.experts import EXP4, FromBandit, Panel, PrivateEXP4
from banditproof.algorithms.adversarial.learners import EXP3, FTPL, HTINF
from banditproof.algorithms.registration import IdentificationSetting
from banditproof.algorithms.roster import algorithms, strategy
from banditproof.theory import Budget
from banditproof.verify import announced, audit_mechanism, check_delta_correct, check_estimates, check_privacy
from banditproof.verify.runs.contextual import contextual_maker
from banditproof.verify.runs.linear_runs import ACTIONS, BUDGETS, linear_maker

Cases = Iterator[tuple[str, int, int]]
EVERY_PULL = ("lucb", "track-and-stop", "ttucb")  # which decide at every pull in NumPy, and are cut earlier
STATED = "the error that the check states"


def counted(case: str, verdict: Callable[[int], str], seeds: int) -> tuple[str, int, int]:
    return case, sum(verdict(seed) == "violation" for seed in range(seeds)), seeds


def privacy(make: Any, budget: Budget, seconds: float, horizon: int) -> Callable[[int], str]:
    return lambda seed: check_privacy(make, budget, seconds=seconds, seed=seed, horizon=horizon).verdict


PANEL, AGREEING = Panel([[0.5, 0.5, 0], [0, 0, 1], [1, 0, 0]]), Panel([[1, 0], [1, 0], [1, 0], [0, 1]])
SMALL, TIGHT = Budget.pure(0.04), Budget.approximate(0.5, 0.64)
LEARNERS = {
    "EXP3": lambda g, runs=1: EXP3(3, g, rate=0.5, mixing=0.2, replications=runs),
    "HTINF": lambda g, runs=1: HTINF(3, g, sigma=6**0.5, replications=runs),
    "FTPL": lambda g, runs=1: FTPL(3, g, rate=0.2, cap=60, replications=runs),
    "EXP4": lambda g, runs=1: EXP4(PANEL, g, rate=0.5, mixing=0.2, replications=runs),
}


@alarms("alarms-adversarial", baseline=STATED, seeds=5)
def adversarial(seeds: int) -> Cases:
    """Privacy of the conversions, and unbiased estimates of the learners."""
    policies: dict[str, tuple[Budget, Any]] = {
        name: (SMALL, lambda noise, g, make=make: PrivateBatches(make(g), SMALL, noise))
        for name, make in LEARNERS.items()
    }
    policies["EXP3 every round"] = SMALL, lambda n, g: PrivateBatches(LEARNERS["EXP3"](g), SMALL, n, batch=1)
    policies["experts"] = SMALL, lambda n, g: FromBandit(PrivateBatches(LEARNERS["HTINF"](g), SMALL, n), PANEL, g)
    policies["batched EXP4"] = (TIGHT, lambda n, g: PrivateEXP4(AGREEING, TIGHT, n, g, batch=5, rate=0.5, mixing=0.9))
    for name, (budget, make) in policies.items():
        yield counted(f"privacy of {name}", privacy(make, budget, 0.5, 300), seeds)
    for name, make in LEARNERS.items():
        wrong = sum(not check_estimates(make, seed=seed).ok for seed in range(seeds))
        yield f"estimates of {name}", wrong, seeds


@alarms("alarms-linear", baseline=STATED, seeds=3)
def linear(seeds: int) -> Cases:
    """Privacy of linear and contextual policies."""
    for name, budget in BUDGETS.items():
        yield counted(name, privacy(linear_maker(name, budget, ACTIONS), budget, 0.5, 300), seeds)
    in_context = {
        "adac-oful": (Budget.zcdp(0.5), 300),
        "adac-oful-axes": (Budget.zcdp(0.5), 300),
        "adar-oful": (Budget.rdp(2, 1), 300),
        "joint-dp-linucb": (Budget.zcdp(0.5), 60),
        "linpriv": (Budget.pure(2), 60),
        "linpriv-diagonals": (Budget.pure(2), 60),  # trees for 63 rounds
    }
    for name, (budget, most) in in_context.items():
        yield counted(name, privacy(contextual_maker(name, budget), budget, 0.5, most), seeds)


@alarms("alarms-identification", baseline=STATED, seeds=2)
def identification(seeds: int) -> Cases:
    """delta-correctness of every strategy on instances that the check chooses, and privacy of the whole output."""
    for name, entry in algorithms(IdentificationSetting).items():
        bonus = {"bonus": "log"} if name.startswith("adap") else {}
        for delta in (0.1, 1e-6):

            def make(arms: int, g: Any, runs: int, name: str = name, risk: float = delta, bonus: Any = bonus) -> Any:
                return strategy(name, arms, risk, 8.0, g, runs, **bonus)

            def verdict(seed: int, make: Any = make, name: str = name, risk: float = delta) -> str:
                options = {"cap": 500 if name in EVERY_PULL else 20_000, "seconds": 0.2, "progress": False}
                return check_delta_correct(make, 2, risk, seed=seed, **options).verdict

            yield counted(f"delta-correct {name}, {delta:g}", verdict, seeds)
        if entry.private:
            made = announced(
                lambda noise, g, name=name, bonus=bonus: strategy(name, 2, 0.9, 8.0, g, door=noise, **bonus)
            )
            horizon = 1500 if name == "dp-se" else 100
            yield counted(f"private {name}", privacy(made, Budget.pure(8.0), 0.2, horizon), seeds)


def laplace(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    return world + generator.laplace(0, 1, size)


def gaussian(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    return world + generator.standard_normal(size)


def randomised_response(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    return world ^ (generator.random(size) > 1 / (1 + np.exp(-1)))


def leaky_response(world: int, size: int, generator: np.random.Generator) -> np.ndarray:
    told = generator.random(size) < 0.2
    return np.where(told, 2 + world, randomised_response(world, size, generator))


@alarms("alarms-audits", baseline="an error of 1/10", seeds=100)
def audits(seeds: int) -> Cases:
    """Audits of mechanisms that spend exactly their budget."""
    known = {
        "laplace": (laplace, Budget.pure(1.0)),
        "randomised response": (randomised_response, Budget.pure(1.0)),
        "leaky response": (leaky_response, Budget.approximate(1.0, 0.2)),
        "gaussian, GDP": (gaussian, Budget.gdp(1.0)),
        "gaussian, zCDP": (gaussian, Budget.zcdp(0.5)),
    }
    for name, (mechanism, true) in known.items():

        def verdict(seed: int, mechanism: Any = mechanism, true: Budget = true) -> str:
            return audit_mechanism(mechanism, true, samples=200, error=Fraction(1, 10), seed=seed).verdict

        yield counted(name, verdict, seeds)


def collected(collection: str) -> list[Any]:
    """The policies of one of the collections beside the tests."""
    folder = str(Path(__file__).parents[1] / "tests" / "verify")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module("specimens.collected").collected(collection)


@alarms("known-specimens", baseline="written before the check was tuned", seeds=1)
def specimens(seeds: int) -> Cases:
    """Policies whose privacy is known: `wrong` are sound ones accused, and bugs called ok."""
    yield from judged(collected("privacy"), seeds)


@alarms("known-strangers", baseline="written by somebody who had not seen the check", seeds=1)
def strangers(seeds: int) -> Cases:
    """As specimens."""
    yield from judged(collected("strangers"), seeds)


def judged(policies: list[Any], seeds: int) -> Cases:
    for leaks, bad in ((False, "violation"), (True, "ok")):
        chosen = [one for one in policies if one.leaks is leaks]
        verdicts = [
            check_privacy(one.make_policy, one.budget, seconds=0.5, seed=1000 * seed).verdict
            for one in chosen
            for seed in range(seeds)
        ]
        yield f"{'bugs called ok' if leaks else 'sound ones accused'}", verdicts.count(bad), len(verdicts)
