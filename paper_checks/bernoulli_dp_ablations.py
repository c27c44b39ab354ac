"""The explanation offered for the experiments, by undoing one design decision at a time: BDP-S5.1."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.paper_checks.bernoulli_dp_experiments import PANELS, SETTING, Test, below, panels
from banditproof.paper_checks.bernoulli_dp_simulations import ABLATED, COMPARED, HEAVY_TAILS, HORIZON
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test
from banditproof.verify.symbolic import SymbolicArgument

Sides = tuple[Any, str, Any]

parts_decide(
    "BDP-S5.1",
    r"(Results) the regret is lower because the algorithms do not forget half of the samples, and because their "
    r"exploration level is $\log(t)/N$ rather than $3\log(t)/N$: undoing either raises the regret",
    domain=PANELS,
)


def forgotten(m: Any, growth: Any) -> Sides:
    """After batch m of B_k = growth^k: twice the samples before the last batch, against all but one.

    Both sides are multiplied by growth - 1, which keeps them whole numbers.
    """
    unit = growth - 1
    samples = growth ** (m + 1) - 1
    return 2 * (samples - unit * growth**m), "==", samples - unit


def forgotten_argument() -> SymbolicArgument:
    import sympy

    return SymbolicArgument({"m": sympy.Symbol("m", nonnegative=True, integer=True)}, sympy.Integer(0), "zero")


@claim(
    "BDP-S5.1/half-of-the-samples",
    r"with batches $B_m=<growth>^m$ forgetting drops half of all samples but one: $2(n_m-B_m)=n_m-1$",
    domain=Domain.of(m="integer [0, inf)"),
    constants={"growth": 2},
    mutations=[mutation("tripling batches", growth=3)],
    strongest="symbolic",
)
def half_of_the_samples(check: Check) -> None:
    check.symbolic(forgotten, forgotten_argument, routes=("samples before the last batch", "half of all but one"))


def undone(check: Check, variants: Collection[tuple[str, str]], factor: Fraction = Fraction(1)) -> None:
    """The algorithm as printed against `factor` times the regret of a variant, run against run, in all panels."""

    def tests(stream: str) -> list[Test]:
        printed, varied = check.study(COMPARED, stream), check.study(ABLATED, stream)
        samples = {
            f"{policy} against {variant}: {instance}, {budget}": (
                printed[f"{policy}, {instance}, {budget}"][:, -1],
                varied[f"{policy}, {variant}, {instance}, {budget}"][:, -1],
            )
            for policy, variant in variants
            for instance, budget in panels()
        }
        if ("DP-IMED", "forgetting") in variants:  # in the closest panel, the many runs there are
            samples["DP-IMED against forgetting: mu1, 0.01"] = _with_and_without_forgetting(check, stream)
        probability = check.constants["probability"]
        return [below(name, a, float(factor) * b, probability) for name, (a, b) in samples.items()]

    check.statistics(tests, routes=("runs as printed and with one decision undone", "claimed order"))


def _with_and_without_forgetting(check: Check, stream: str) -> tuple[np.ndarray, np.ndarray]:
    runs = check.study(HEAVY_TAILS, stream)
    return runs["mu1, 0.01"][:, -1], runs["mu1, forgetting, 0.01"][:, -1]


@claim(
    "BDP-S5.1/forgetting",
    r"in every panel a run without forgetting has less regret than one with it with probability at least "
    rf"$<probability>$, for both algorithms ({SETTING})",
    domain=PANELS,
    constants={"probability": "1/2"},
    mutations=[mutation("nearly always", probability="0.995")],
    studies=[COMPARED, ABLATED, HEAVY_TAILS],
)
def forgetting_costs(check: Check) -> None:
    undone(check, [("DP-IMED", "forgetting"), ("DP-KLUCB", "forgetting")])


@claim(
    "BDP-S5.1/exploration-level",
    r"in every panel a run of DP-KLUCB at exploration level $\log(t)/N$ has less than $<factor>$ times the regret of "
    rf"one at $3\log(t)/N$ with probability at least $<probability>$ ({SETTING})",
    domain=PANELS,
    constants={"probability": "1/2", "factor": 1},
    mutations=[mutation("a fifth of the regret", factor="1/5")],
    studies=[COMPARED, ABLATED],
)
def exploration_costs(check: Check) -> None:
    undone(check, [("DP-KLUCB", "3 log t")], check.constants["factor"])


MEAN_DOMAIN = Domain.of(instance="all: mu1", epsilon=["0.01"])


@claim(
    "BDP-S5.1/forgetting-in-the-mean",
    r"the same for the plotted means, where noise is largest: on $\mu_1$ at $\epsilon=0.01$ the mean regret of DP-IMED "
    rf"is at most that of DP-IMED with forgetting ({SETTING})",
    domain=MEAN_DOMAIN,
    constants={"share": "1/2"},
    role="reading",
    studies=[HEAVY_TAILS],
)
def forgetting_in_the_mean(check: Check) -> None:
    """Each pair of runs is rounded to 0 or 1 at random, with a probability that is affine in its difference.

    The regrets X, Y lie in [0, T gap], so a coin with bias 1/2 + (X - Y) / (2 T gap) is fair exactly when the means
    agree, and an exact binomial interval is valid whatever the tails. A possible reason: with forgetting a sum holds
    one Laplace term, without it m + 1, and a single bad one misleads for longer.
    """

    def tests(stream: str) -> list[Test]:
        kept, dropped = _with_and_without_forgetting(check, stream)
        largest = 0.05 * HORIZON
        heads = check.rng("coins", stream).random(kept.size) < 0.5 + (kept - dropped) / (2 * largest)
        return [event_test("coin biased towards the larger regret", heads, "<=", check.constants["share"])]

    check.statistics(tests, routes=("mean difference of regrets, by fair rounding to coins", "claimed order of means"))


@claim(
    "BDP-S5.1/forgetting-in-the-mean-repaired",
    r"on $\mu_1$ at $\epsilon=0.01$ a run of DP-IMED has less regret than one with forgetting with probability at "
    rf"least $<probability>$ ({SETTING}); that its mean is larger is due to rare runs",
    domain=MEAN_DOMAIN,
    constants={"probability": "1/2"},
    mutations=[mutation("two runs in three", probability="2/3")],
    role="repair",
    repairs="BDP-S5.1/forgetting-in-the-mean",
    studies=[HEAVY_TAILS],
)
def forgetting_run_against_run(check: Check) -> None:
    def tests(stream: str) -> list[Test]:
        kept, dropped = _with_and_without_forgetting(check, stream)
        return [below("without forgetting below", kept, dropped, check.constants["probability"])]

    check.statistics(tests, routes=("runs with and without forgetting", "claimed order"))
