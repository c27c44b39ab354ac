"""The experiments over time: BDP-E5.1 (Figure 1), E-G1 (Figures 4 to 7), and the outlook S6.1.

What is claimed of earlier algorithms, the parts of both items, is in `bernoulli_dp_baselines`.

Regret is judged run by run: by the probability that a run does better than another, or stays below a multiple of the
lower bound, with exact binomial intervals. Means are compared only where enough runs make a valid interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.paper_checks.bernoulli_dp_simulations import (
    BENCHMARK,
    BUDGETS,
    COMPARED,
    HEAVY_TAILS,
    INSTANCES,
    RECORD_TIMES,
    TIES,
    lower_bound,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, not_checkable, parts_decide
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test

Test = dict[str, Any]
POLICIES = ("DP-IMED", "DP-KLUCB")
PANELS = Domain.of(instance="all: mu1, mu2, mu3, mu4", epsilon=BUDGETS)
FIGURE_1 = Domain.of(instance="all: mu1, mu2", epsilon=["0.25"])
SETTING = r"$T=10^6$, $n_0=1$, $\alpha=2$"


def panels() -> Iterator[tuple[str, str]]:
    """The instance and budget of every panel of Figures 1 and 4 to 7, and Figure 1's budget in the other instances."""
    return ((instance, budget) for instance in INSTANCES for budget in BUDGETS)


def below(name: str, a: np.ndarray, b: np.ndarray, probability: Fraction) -> Test:
    """A test that a run of the first kind has less regret than an independent one of the second."""
    pairs = min(len(a), len(b))
    return event_test(name, a[:pairs] < b[:pairs], ">=", probability)


parts_decide(
    "BDP-E5.1",
    r"(Results) DP-KLUCB and DP-IMED have less regret than the private algorithms DP-SE, AdaP-KLUCB and Lazy-DP-TS in "
    r"all environments and budgets, up to 10 times less on average (Figure 1: $\mu_1$, $\mu_2$, $\epsilon=0.25$)",
    domain=PANELS,
)
parts_decide(
    "BDP-E-G1",
    r"(Figures 4 to 7) DP-IMED and DP-KLUCB have the lowest regret for $\mu_1,\dots,\mu_4$ and all budgets",
    domain=PANELS,
)


# ----------------------------------------------------------------------------------- what Figures 1 and 4 to 7 can show


@claim(
    "BDP-E5.1/price-of-privacy",
    r"(benchmark of Figure 1) non-private IMED has less regret than either private algorithm: with probability at "
    r"least $<probability>$ run against run, at $t=10^4$",
    domain=FIGURE_1,
    constants={"probability": "1/2"},
    mutations=[mutation("never more regret", probability="0.995")],
    role="figure",
    studies=[COMPARED, BENCHMARK],
)
def benchmark_is_lower(check: Check) -> None:
    """t = 10^4 is where the benchmark, which has to be simulated pull by pull, ends under the quick profile."""

    def tests(stream: str) -> list[Test]:
        private, free = check.study(COMPARED, stream), check.study(BENCHMARK, stream)
        early, last = np.searchsorted(RECORD_TIMES, 10**4), np.searchsorted(free["times"], 10**4)
        return [
            below(f"IMED below {policy} on {instance}", free[instance][:, last],
                  private[f"{policy}, {instance}, 0.25"][:, early], check.constants["probability"])
            for policy in POLICIES for instance in ("mu1", "mu2")
        ]  # fmt: skip

    check.statistics(tests, routes=("runs of both algorithms", "claimed order"))


@claim(
    "BDP-E-G1/imed-below-klucb",
    r"in every panel a run of DP-IMED has less regret than one of DP-KLUCB with probability at least $<probability>$ "
    rf"({SETTING})",
    domain=PANELS,
    constants={"probability": "1/2"},
    mutations=[mutation("nearly always", probability="0.995")],
    role="figure",
    studies=[COMPARED],
)
def imed_is_below_klucb(check: Check) -> None:
    """Run against run; the means may be in the other order, since DP-IMED's tails are heavy (see BDP-E5.1)."""

    def tests(stream: str) -> list[Test]:
        final = check.study(COMPARED, stream)
        regret = {name: array[:, -1] for name, array in final.items()}
        return [
            below(f"{instance}, {budget}", regret[f"DP-IMED, {instance}, {budget}"],
                  regret[f"DP-KLUCB, {instance}, {budget}"], check.constants["probability"])
            for instance, budget in panels()
        ]  # fmt: skip

    check.statistics(tests, routes=("runs of both algorithms", "claimed order"))


def near_lower_bound(check: Check, name: str, regret: np.ndarray, bound: Fraction) -> list[Test]:
    """Tests that at least half of the runs lie above, and half below, the stated multiples of the lower bound."""
    low, high = (float(check.constants[n] * bound) for n in ("low", "high"))
    return [
        event_test(f"{name}: at most {check.constants['high']} times the bound", regret <= high, ">=", Fraction(1, 2)),
        event_test(f"{name}: at least {check.constants['low']} of the bound", regret >= low, ">=", Fraction(1, 2)),
    ]


BOUND_ROUTES = ("runs of the algorithms", "coefficient of Theorem 3.1, as an enclosure, times log T")
BOUND_FACTORS: dict[str, Any] = {"low": "1/2", "high": 2}
BOUND_MUTATIONS = [mutation("above the bound", low="1.2"), mutation("half of the bound", high="1/2")]


@claim(
    "BDP-E-G1/near-the-lower-bound",
    r"in every panel the median regret of both algorithms at $T=10^6$ lies within $[<low>,<high>]$ times the lower "
    r"bound of Theorem 3.1, $<high>$ being the batch ratio $\alpha$ of Theorem 4.3",
    domain=PANELS,
    constants=BOUND_FACTORS,
    mutations=BOUND_MUTATIONS,
    role="figure",
    studies=[COMPARED],
)
def panels_near_the_lower_bound(check: Check) -> None:
    """Both theorems are asymptotic, so neither side is implied at this horizon; below the bound is no contradiction."""

    def tests(stream: str) -> list[Test]:
        regret = check.study(COMPARED, stream)
        return [
            test for policy in POLICIES for instance, budget in panels()
            for test in near_lower_bound(check, f"{policy}, {instance}, {budget}",
                                         regret[f"{policy}, {instance}, {budget}"][:, -1],
                                         lower_bound(INSTANCES[instance], budget))
        ]  # fmt: skip

    check.statistics(tests, routes=BOUND_ROUTES)


@claim(
    "BDP-E5.1/ties",
    r"reading of unstated ties: under each of four rules the median regret in Figure 1's panels lies within "
    r"$[<low>,<high>]$ times the lower bound",
    domain=FIGURE_1,
    constants=BOUND_FACTORS,
    mutations=BOUND_MUTATIONS,
    role="reading",
    studies=[TIES],
)
def tie_rules_do_not_matter(check: Check) -> None:
    def tests(stream: str) -> list[Test]:
        bounds = {instance: lower_bound(INSTANCES[instance], "0.25") for instance in ("mu1", "mu2")}
        runs = check.study(TIES, stream)
        return [
            test for instance, bound in bounds.items() for name in runs if instance in name
            for test in near_lower_bound(check, name, runs[name][:, -1], bound)
        ]  # fmt: skip

    check.statistics(tests, routes=BOUND_ROUTES)


def _repeats(check: Check, statistic: Callable[..., np.ndarray]) -> None:
    """How often a statistic of 20 runs comes out within the factor of its value on 20 other runs."""

    def tests(stream: str) -> list[Test]:
        values = statistic(check.study(HEAVY_TAILS, stream)["mu2, 0.25"].reshape(-1, 20), axis=1)
        ratio = values[::2] / values[1::2]
        close = np.maximum(ratio, 1 / ratio) <= float(check.constants["factor"])
        return [event_test("two groups of 20 runs agree", close, ">=", check.constants["probability"])]

    check.statistics(tests, routes=(f"groups of 20 runs, {statistic.__name__}s", "claimed agreement"))


REPEATABLE = (
    r"for DP-IMED on $\mu_2$ at $\epsilon=0.25$ (Figure 1, right) two <statistic>s over 20 runs differ by at "
    rf"most a factor $<factor>$ with probability at least $<probability>$ ({SETTING})"
)
HEAVY_PANEL = Domain.of(instance="all: mu2", epsilon=["0.25"])


@claim(
    "BDP-E5.1/mean-of-twenty-runs",
    rf"20 runs suffice to read a factor off the plotted means: {REPEATABLE}",
    domain=HEAVY_PANEL,
    constants={"factor": 2, "probability": "0.95", "statistic": "mean"},
    role="reading",
    studies=[HEAVY_TAILS],
)
def mean_of_twenty_runs(check: Check) -> None:
    """A few runs settle on a wrong arm for a long time and make most of the mean."""
    _repeats(check, np.mean)


@claim(
    "BDP-E5.1/mean-of-twenty-runs-repaired",
    rf"20 runs suffice to read a factor off the medians: {REPEATABLE}",
    domain=HEAVY_PANEL,
    constants={"factor": 2, "probability": "0.95", "statistic": "median"},
    mutations=[mutation("within 5 %", factor="1.05")],
    role="repair",
    repairs="BDP-E5.1/mean-of-twenty-runs",
    studies=[HEAVY_TAILS],
)
def median_of_twenty_runs(check: Check) -> None:
    _repeats(check, np.median)


# ---------------------------------------------------------------------------------------------------------------- S6.1

not_checkable(
    "BDP-S6.1",
    r"(Outlook) general families (sub-Gaussian, exponential) are left open",
    "no statement",
    "a concentration inequality, or a regret bound, for a named family",
)
