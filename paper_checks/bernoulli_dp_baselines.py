"""The comparisons with earlier private algorithms in BDP-E5.1 (Figure 1) and BDP-E-G1 (Figures 4 to 7).

DP-SE with beta = 1/T, AdaP-KLUCB with optimism 3.1 and Lazy-DP-TS run in every panel. Lazy-DP-TS decides at every pull;
under the quick profile its runs end early, and what they have lost by then is compared with what the new algorithms
lose by T. Regret never falls, so this is a harder test of the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from banditproof.algorithms.compiled import simulate_compiled
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.episodic import AdaPKLUCB
from banditproof.algorithms.lazy_dp_ts import LazyDPTS
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.simulator import simulate
from banditproof.algorithms.successive_elimination import DPSE
from banditproof.algorithms.sweep import simulate_chunks
from banditproof.paper_checks.bernoulli_dp_experiments import PANELS, SETTING, Test, panels
from banditproof.paper_checks.bernoulli_dp_simulations import (
    BUDGETS,
    COMPARED,
    HORIZON,
    INSTANCES,
    RECORD_TIMES,
    Setting,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation
from banditproof.paper_checks.study import Arrays, Study
from banditproof.theory.budget import Budget
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test

EPISODIC = ("DP-SE", "AdaP-KLUCB")
HEAVY, WIDEST = ("mu2", "0.1"), ("mu3", "1")  # panels: the closest mean regrets, the largest factor between medians


def baseline(name: str, epsilon: np.ndarray, generator: np.random.Generator) -> Policy:
    """An earlier algorithm as the experiments set it up, for the budgets of all replications [R]."""
    budget, noise = Budget.pure(epsilon), NoiseSource(generator)
    if name == "DP-SE":
        return DPSE(5, budget, noise, horizon=HORIZON)
    if name == "AdaP-KLUCB":
        return AdaPKLUCB(5, budget, noise, beta=3.1, generator=generator, ties="random")
    return LazyDPTS(5, budget, noise, generator)


def baseline_regret(
    name: str, instance: str, budgets: tuple[str, ...], runs: int, end: int, seed: np.random.SeedSequence
) -> dict[str, np.ndarray]:
    """Regret [runs, times] per budget at the record times up to `end`."""
    epsilon = np.repeat([float(b) for b in budgets], runs)
    result = simulate_chunks(
        lambda rows, generator: baseline(name, epsilon[rows], generator),
        BernoulliBandit([float(mean) for mean in INSTANCES[instance]]),
        end,
        replications=epsilon.size,
        seed=seed,
        record_times=RECORD_TIMES[end >= RECORD_TIMES],
        engine=simulate if name in EPISODIC else simulate_compiled,
    )
    return dict(zip(budgets, np.split(result.regret, len(budgets)), strict=True))


def earlier_algorithms(seed: np.random.SeedSequence, runs: int) -> Arrays:
    """Regret [runs, times] of DP-SE and AdaP-KLUCB in every panel, under the name "algorithm, instance, budget"."""
    curves = [(name, instance) for name in EPISODIC for instance in INSTANCES]
    arrays: Arrays = {}
    for (name, instance), child in zip(curves, seed.spawn(len(curves)), strict=True):
        found = baseline_regret(name, instance, BUDGETS, runs, HORIZON, child)
        arrays |= {f"{name}, {instance}, {budget}": regret for budget, regret in found.items()}
    return arrays


def lazy_dp_ts(seed: np.random.SeedSequence, instance: str, runs: int, ends: Sequence[int]) -> Arrays:
    """Regret [runs, times] of Lazy-DP-TS up to a time per budget, under the name "Lazy-DP-TS, instance, budget"."""
    arrays: Arrays = {}
    for budget, end, child in zip(BUDGETS, ends, seed.spawn(len(BUDGETS)), strict=True):
        found = baseline_regret("Lazy-DP-TS", instance, (budget,), runs, end, child)
        arrays[f"Lazy-DP-TS, {instance}, {budget}"] = found[budget]
    return arrays


def single_panels(seed: np.random.SeedSequence, heavy_runs: int, runs: int) -> Arrays:
    """Many runs of DP-IMED and DP-SE in two panels, at the horizon: [runs] each."""
    arrays: Arrays = {}
    for (instance, budget), count, child in zip((HEAVY, WIDEST), (heavy_runs, runs), seed.spawn(2), strict=True):
        ours, theirs = child.spawn(2)
        imed = Setting("DP-IMED", INSTANCES[instance]).regret([budget], count, ours)
        se = baseline_regret("DP-SE", instance, (budget,), count, HORIZON, theirs)
        arrays |= {f"{name}, {instance}": by[budget][:, -1] for name, by in (("DP-IMED", imed), ("DP-SE", se))}
    return arrays


EARLIER = Study("bernoulli-dp-earlier-algorithms", earlier_algorithms, quick={"runs": 100}, full={"runs": 1000})
SINGLE = Study(
    "bernoulli-dp-single-panels", single_panels,
    quick={"heavy_runs": 22_000, "runs": 1000}, full={"heavy_runs": 80_000, "runs": 10_000},
)  # fmt: skip
_SOON, _LATER = 31_623, 10**5
_ENDS = {"mu1": (316_228, _LATER, _SOON, _SOON, 177_828)}  # record times, by budget
LAZY = {
    instance: Study(
        f"bernoulli-dp-lazy-dp-ts-{instance}", lazy_dp_ts,
        quick={"instance": instance, "runs": 48, "ends": _ENDS.get(instance, (_LATER, *(_SOON,) * 4))},
        full={"ends": (HORIZON,) * len(BUDGETS)},
    )
    for instance in INSTANCES
}  # fmt: skip


# ----------------------------------------------------------------------------------------- BDP-E5.1 and BDP-E-G1: parts


def medians(regret: np.ndarray, group: Any) -> np.ndarray:
    """The medians of disjoint groups of runs: [runs // group] from [runs]."""
    size = int(group)
    return np.median(regret[: len(regret) // size * size].reshape(-1, size), axis=1)


def lower(name: str, ours: np.ndarray, factor: Any, theirs: np.ndarray) -> Test:
    """A test that `factor` times the one is less than an independent value of the other at least half of the time."""
    pairs = min(len(ours), len(theirs))
    return event_test(name, float(factor) * ours[:pairs] < theirs[:pairs], ">=", "1/2")


def baseline_runs(check: Check, stream: str, name: str) -> Arrays:
    """The study of an earlier algorithm; on fresh seeds Lazy-DP-TS runs in the cheapest instance alone."""
    if name in EPISODIC:
        return check.study(EARLIER, stream)
    instances = ["mu3"] if stream else list(INSTANCES)
    return {key: regret for i in instances for key, regret in check.study(LAZY[i], stream).items()}


def compared_with(check: Check, stream: str, name: str, groups: dict[str, str]) -> list[Test]:
    """Groups of runs of the policies in `groups` against runs of an earlier algorithm, in every panel."""
    ours, theirs = check.study(COMPARED, stream), baseline_runs(check, stream, name)
    return [
        lower(
            f"{policy} below {name}: {instance}, {budget}",
            medians(ours[f"{policy}, {instance}, {budget}"][:, -1], check.constants[runs]),
            check.constants["factor"],
            theirs[f"{name}, {instance}, {budget}"][:, -1],
        )
        for policy, runs in groups.items()
        for instance, budget in panels()
        if f"{name}, {instance}, {budget}" in theirs
    ]


ROUTES = ("runs of both algorithms", "claimed order")
STUDIES = {name: [COMPARED, EARLIER] for name in EPISODIC} | {"Lazy-DP-TS": [COMPARED, *LAZY.values()]}


def _against(item: str, slug: str, name: str, note: str) -> None:
    @claim(
        f"{item}/{slug}",
        rf"DP-KLUCB and DP-IMED have less regret than {name} in every environment at every budget: the median of "
        r"<imed_runs> runs of DP-IMED, and of <klucb_runs> of DP-KLUCB, times $<factor>$ is below the regret of one "
        rf"run of {name} with probability at least a half ({SETTING}{note})",
        domain=PANELS,
        constants={"imed_runs": 20, "klucb_runs": 8, "factor": 1},
        mutations=[mutation("a sixtieth of the regret", factor="60.5")],
        studies=STUDIES[name],
    )
    def compare_with_earlier_algorithm(check: Check) -> None:
        """Medians of groups, since a few runs in a hundred of DP-IMED settle on a wrong arm for a long time."""
        groups = {"DP-IMED": "imed_runs", "DP-KLUCB": "klucb_runs"}
        check.statistics(lambda stream: compared_with(check, stream, name, groups), routes=ROUTES)


for _item in ("BDP-E5.1", "BDP-E-G1"):
    _against(_item, "vs-dp-se", "DP-SE", r"; $\beta=1/T$")
    _against(_item, "vs-adap-klucb", "AdaP-KLUCB", "; optimism 3.1")
    _against(_item, "vs-lazy-dp-ts", "Lazy-DP-TS", "; the quick profile takes what it has lost at an earlier time")


@claim(
    "BDP-E5.1/twice-below-the-closest",
    r"the closest baseline is Lazy-DP-TS: the median of <imed_runs> runs of DP-IMED times $<factor>$ is below the "
    rf"regret of one of its runs with probability at least a half in every panel ({SETTING})",
    domain=PANELS,
    constants={"imed_runs": 20, "factor": 2},
    mutations=[mutation("twenty times", factor="20.5")],
    role="figure",
    studies=STUDIES["Lazy-DP-TS"],
)
def twice_below_the_closest(check: Check) -> None:
    groups = {"DP-IMED": "imed_runs"}
    check.statistics(lambda stream: compared_with(check, stream, "Lazy-DP-TS", groups), routes=ROUTES)


# ------------------------------------------------------------------------- BDP-E5.1: "up to 10 times less", and 20 runs

WIDEST_PANEL = Domain.of(instance="all: mu3", epsilon=["1"])


def _runs_of_dp_imed(check: Check, event: str, holds: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
    """How often factor times the regret of DP-IMED and that of DP-SE stand in a relation, in the widest panel."""

    def tests(stream: str) -> list[Test]:
        runs = check.study(SINGLE, stream)
        ours, theirs = (runs[f"{name}, {WIDEST[0]}"] for name in ("DP-IMED", "DP-SE"))
        return [event_test(event, holds(float(check.constants["factor"]) * ours, theirs), ">=", "1/2")]

    check.statistics(tests, routes=ROUTES)


@claim(
    "BDP-E5.1/up-to-ten-times",
    r"the new algorithms have up to 10 times less regret than a baseline: there is a panel, $\mu_3$ at $\epsilon=1$, "
    r"where $<factor>$ times the regret of a run of DP-IMED is below that of one of DP-SE with probability at least a "
    r"half",
    domain=WIDEST_PANEL,
    constants={"factor": 10},
    mutations=[mutation("a hundred times", factor="100.5")],
    studies=[SINGLE],
)
def up_to_ten_times(check: Check) -> None:
    """Read as a factor that is attained, not as a limit."""
    _runs_of_dp_imed(check, "DP-IMED below DP-SE", np.less)


NO_MORE = (
    r"on $\mu_3$ at $\epsilon=1$ the regret of a run of DP-IMED, taken $<factor>$ times, is at least that of one of "
    r"DP-SE with probability at least a half"
)


@claim(
    "BDP-E5.1/no-more-than-ten-times",
    rf"the other reading, no factor is larger than 10: {NO_MORE}",
    domain=WIDEST_PANEL,
    constants={"factor": 10},
    role="reading",
    studies=[SINGLE],
)
def no_more_than_ten_times(check: Check) -> None:
    _runs_of_dp_imed(check, "DP-SE at most at the factor", np.greater_equal)


@claim(
    "BDP-E5.1/no-more-than-ten-times-repaired",
    NO_MORE,
    domain=WIDEST_PANEL,
    constants={"factor": 50},
    mutations=[mutation("a factor of thirty", factor="30.5")],
    role="repair",
    repairs="BDP-E5.1/no-more-than-ten-times",
    studies=[SINGLE],
)
def no_more_than_fifty_times(check: Check) -> None:
    _runs_of_dp_imed(check, "DP-SE at most at the factor", np.greater_equal)


ORDER = (
    r"20 runs show who is lower in a panel: the <statistic> of 20 runs of DP-IMED is below that of 20 runs of DP-SE "
    rf"with probability at least $<probability>$ on $\mu_2$ at $\epsilon=0.1$ ({SETTING})"
)
HEAVY_PANEL = Domain.of(instance="all: mu2", epsilon=["0.1"])


def _order_of_twenty_runs(check: Check) -> None:
    statistic = {"mean": np.mean, "median": np.median}[check.constants["statistic"]]

    def tests(stream: str) -> list[Test]:
        runs = check.study(SINGLE, stream)
        ours, theirs = (statistic(runs[f"{name}, mu2"].reshape(-1, 20), axis=1) for name in ("DP-IMED", "DP-SE"))
        return [event_test("twenty runs below twenty runs", ours < theirs, ">=", check.constants["probability"])]

    check.statistics(tests, routes=("groups of 20 runs of both algorithms", "claimed order"))


@claim(
    "BDP-E5.1/order-of-twenty-runs",
    ORDER,
    domain=HEAVY_PANEL,
    constants={"probability": "0.98", "statistic": "mean"},
    role="reading",
    studies=[SINGLE],
)
def order_of_means_of_twenty_runs(check: Check) -> None:
    """A run of DP-IMED that settles on the second arm costs 125 000, and one in twenty turns the plotted means over."""
    _order_of_twenty_runs(check)


@claim(
    "BDP-E5.1/order-of-twenty-runs-repaired",
    ORDER,
    domain=HEAVY_PANEL,
    constants={"probability": "0.98", "statistic": "median"},
    mutations=[mutation("the means", statistic="mean")],
    role="repair",
    repairs="BDP-E5.1/order-of-twenty-runs",
    studies=[SINGLE],
)
def order_of_medians_of_twenty_runs(check: Check) -> None:
    _order_of_twenty_runs(check)
