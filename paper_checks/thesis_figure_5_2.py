"""Figure 5.2 of the thesis: AdaP-UCB and AdaP-KLUCB against DP-SE and DP-UCB under pure DP (ALG-E5.2).

DP-UCB with gamma = 0.1 is read as MT15's, where gamma is a probability of failure; with the bonus that the thesis
prints, delta is open. DP-UCB decides at every pull: under the quick profile its runs end early, and what they have
lost by then is compared with what the others lose by T. Regret never falls, so that is a harder test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.algorithms.compiled import simulate_compiled
from banditproof.algorithms.dp_ucb import DPUCB
from banditproof.algorithms.environment import BernoulliBandit
from banditproof.algorithms.episodic import AdaPKLUCB, AdaPUCB
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy
from banditproof.algorithms.simulator import simulate
from banditproof.algorithms.successive_elimination import DPSE
from banditproof.algorithms.sweep import simulate_chunks
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.figures import COLOURS, INK, figure
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays, Study
from banditproof.theory.budget import Budget
from banditproof.theory.lower_bounds import regret_lower_bound
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import event_test

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

Test = dict[str, Any]
MEANS = ("0.75", "0.625", "0.5", "0.375", "0.25")
HORIZON = 10**7
BUDGET = Budget.pure(1.0)
RECORD_TIMES = np.unique(np.round(np.logspace(1, 7, 25)).astype(int))
EARLY = 316_228  # the time at which the readings of DP-UCB's bonus are compared

Make = Callable[[np.random.Generator, int], Policy]  # of the generator for noise and coins, and replications


def _tree(**options: Any) -> Make:
    return lambda g, r: DPUCB(5, BUDGET, NoiseSource(g), horizon=HORIZON, replications=r, **options)


POLICIES: dict[str, Make] = {
    "AdaP-UCB": lambda g, r: AdaPUCB(5, BUDGET, NoiseSource(g), beta=3.1, replications=r, generator=g, ties="random"),
    "AdaP-KLUCB": lambda g, r: AdaPKLUCB(
        5, BUDGET, NoiseSource(g), beta=3.1, replications=r, generator=g, ties="random"
    ),
    "DP-SE": lambda g, r: DPSE(5, BUDGET, NoiseSource(g), horizon=HORIZON, replications=r),
    "DP-UCB": _tree(variant="mt15", gamma=0.1),
    "printed, delta = 1/T": _tree(variant="thesis"),
    "printed, delta = gamma": _tree(variant="thesis", delta=0.1),
}
PROPOSED, EPISODIC = ("AdaP-KLUCB", "AdaP-UCB"), ("AdaP-KLUCB", "AdaP-UCB", "DP-SE")


def _regret(name: str, runs: int, end: int, seed: np.random.SeedSequence) -> np.ndarray:
    """Regret [runs, times] at the record times up to `end`."""
    make = POLICIES[name]
    result = simulate_chunks(
        lambda rows, generator: make(generator, rows.stop - rows.start),
        BernoulliBandit([float(mean) for mean in MEANS]),
        end,
        replications=runs,
        seed=seed,
        record_times=RECORD_TIMES[end >= RECORD_TIMES],
        engine=simulate if name in EPISODIC else simulate_compiled,
    )
    return result.regret


def episodic(seed: np.random.SeedSequence, runs: int) -> Arrays:
    """The three algorithms that pull in batches: regret [runs, times] each."""
    children = zip(EPISODIC, seed.spawn(len(EPISODIC)), strict=True)
    return {name: _regret(name, runs, HORIZON, child) for name, child in children}


def every_pull(seed: np.random.SeedSequence, runs: int, end: int) -> Arrays:
    """DP-UCB up to the time `end`, and with the bonus that is printed up to `EARLY`: regret [runs, times] each."""
    ends = {"DP-UCB": end, "printed, delta = 1/T": EARLY, "printed, delta = gamma": EARLY}
    children = zip(ends.items(), seed.spawn(len(ends)), strict=True)
    return {name: _regret(name, runs, last, child) for (name, last), child in children}


BATCHED = Study("thesis-figure-5.2-episodic", episodic, quick={"runs": 3000}, full={"runs": 20_000})
TREES = Study("thesis-figure-5.2-dp-ucb", every_pull, quick={"runs": 36, "end": EARLY}, full={"end": HORIZON})

# ----------------------------------------------------------------------------------------------------------- claims

SETTING = r"$T=10^7$, $\epsilon=1$, means $(.75,.625,.5,.375,.25)$"
DOMAIN = Domain.of(epsilon=["1"])
ROUTES = ("runs of both algorithms", "claimed order")

parts_decide(
    "ALG-E5.2",
    r"(Figure 5.2) AdaP-KLUCB has the lowest regret, then AdaP-UCB, both less than DP-SE ($\beta=1/T$) and DP-UCB "
    rf"($\gamma=0.1$), whose constants are those of other papers; 'ten times' is a reading ({SETTING}; 20 runs)",
    domain=DOMAIN,
)


def lower(name: str, ours: np.ndarray, factor: Any, theirs: np.ndarray, coins: np.random.Generator) -> Test:
    """A test that factor times a run of the one is below a run of the other at least half of the time; ties count half.

    The regret of episodic algorithms has few values, so that two runs often lose the same.
    """
    pairs = min(len(ours), len(theirs))
    a, b = float(factor) * ours[:pairs], theirs[:pairs]
    return event_test(name, (a < b) | ((a == b) & (coins.random(pairs) < 0.5)), ">=", "1/2")


def compared(check: Check, stream: str, pairs: list[tuple[str, str]], factor: Any) -> list[Test]:
    """Tests that each first algorithm, its regret taken `factor` times, is below the second, at the last times."""
    final = {name: runs[:, -1] for study in (BATCHED, TREES) for name, runs in check.study(study, stream).items()}
    coins = check.rng("coins", stream)
    return [lower(f"{a} below {b}", final[a], factor, final[b], coins) for a, b in pairs]


@claim(
    "ALG-E5.2/adap-klucb-is-lowest",
    r"a run of AdaP-KLUCB, its regret taken $<factor>$ times, has less than one of AdaP-UCB, DP-SE and DP-UCB with "
    rf"probability at least a half each ({SETTING})",
    domain=DOMAIN,
    constants={"factor": 1},
    mutations=[mutation("a third less", factor="1.5")],
    studies=[BATCHED, TREES],
)
def adap_klucb_is_lowest(check: Check) -> None:
    pairs = [("AdaP-KLUCB", other) for other in ("AdaP-UCB", "DP-SE", "DP-UCB")]
    check.statistics(lambda stream: compared(check, stream, pairs, check.constants["factor"]), routes=ROUTES)


@claim(
    "ALG-E5.2/adap-ucb-is-next",
    r"a run of AdaP-UCB, its regret taken $<factor>$ times, has less than one of DP-SE and DP-UCB with probability at "
    rf"least a half each ({SETTING})",
    domain=DOMAIN,
    constants={"factor": 1},
    mutations=[mutation("three times less", factor="3.01")],
    studies=[BATCHED, TREES],
)
def adap_ucb_is_next(check: Check) -> None:
    pairs = [("AdaP-UCB", other) for other in ("DP-SE", "DP-UCB")]
    check.statistics(lambda stream: compared(check, stream, pairs, check.constants["factor"]), routes=ROUTES)


@claim(
    "ALG-E5.2/ten-times",
    r"both have 10 times less regret than the competing algorithms, DP-SE with the constants of the paper it is from, "
    r"which are not printed here: $<factor>$ times the regret of a run is below that of one of DP-SE with probability "
    rf"at least a half ({SETTING})",
    domain=DOMAIN,
    role="reading",
    constants={"factor": 10},
    studies=[BATCHED],
)
def ten_times(check: Check) -> None:
    """DP-SE pulls every arm 2535 times in its first epoch, which costs 3169, and drops the arms but one or two."""
    _against_dp_se(check)


@claim(
    "ALG-E5.2/ten-times-repaired",
    r"both have 10 times less regret than DP-UCB, but only $<factor>$ times less than DP-SE, with probability at least "
    rf"a half ({SETTING})",
    domain=DOMAIN,
    constants={"factor": "1.8", "against_dp_ucb": 10},
    mutations=[mutation("three times less than DP-SE", factor="3.01")],
    role="repair",
    repairs="ALG-E5.2/ten-times",
    studies=[BATCHED, TREES],
)
def ten_times_less_than_dp_ucb(check: Check) -> None:
    _against_dp_se(check)
    pairs = [(name, "DP-UCB") for name in PROPOSED]
    factor = check.constants["against_dp_ucb"]
    check.statistics(lambda stream: compared(check, stream, pairs, factor), routes=ROUTES)


def _against_dp_se(check: Check) -> None:
    def tests(stream: str) -> list[Test]:
        runs, coins = check.study(BATCHED, stream), check.rng("coins", stream)
        return [
            lower(f"{name} below DP-SE", runs[name][:, -1], check.constants["factor"], runs["DP-SE"][:, -1], coins)
            for name in PROPOSED
        ]

    check.statistics(tests, routes=ROUTES)


@claim(
    "ALG-E5.2/effect-sizes",
    r"(how much) the regret of a run of AdaP-UCB is at most $<next>$ times, and that of one of DP-SE between $<low>$ "
    rf"and $<high>$ times that of one of AdaP-KLUCB, each with probability at least a half ({SETTING})",
    domain=DOMAIN,
    constants={"next": "1.4", "low": "1.8", "high": "2.8"},
    mutations=[mutation("DP-SE three times higher", low="3.01"), mutation("DP-SE hardly higher", high="1.5")],
    role="figure",
    studies=[BATCHED],
)
def effect_sizes(check: Check) -> None:
    def tests(stream: str) -> list[Test]:
        runs = {name: regret[:, -1] for name, regret in check.study(BATCHED, stream).items()}
        c, coins = check.constants, check.rng("coins", stream)
        ours = runs["AdaP-KLUCB"]
        return [
            lower("AdaP-UCB's at most the factor", runs["AdaP-UCB"] / float(c["next"]), 1, ours, coins),
            lower("DP-SE's at least the factor", ours, c["low"], runs["DP-SE"], coins),
            lower("DP-SE's at most the factor", runs["DP-SE"] / float(c["high"]), 1, ours, coins),
        ]

    check.statistics(tests, routes=ROUTES)


def _with_printed_bonus(check: Check) -> None:
    """AdaP-KLUCB against DP-UCB with the printed bonus, early in the run."""
    name = f"printed, delta = {check.constants['delta']}"

    def tests(stream: str) -> list[Test]:
        at = np.searchsorted(RECORD_TIMES, EARLY)
        ours, theirs = check.study(BATCHED, stream)["AdaP-KLUCB"][:, at], check.study(TREES, stream)[name][:, -1]
        return [lower("AdaP-KLUCB below DP-UCB", ours, check.constants["factor"], theirs, check.rng("coins", stream))]

    check.statistics(tests, routes=ROUTES)


PRINTED = (
    r"with the bonus of DP-UCB as the thesis prints it, trees at $\epsilon$ and its $\delta$ equal to <delta>, "
    r"$<factor>$ times the regret of a run of AdaP-KLUCB by $t=316\,228$ is below that of one of DP-UCB with "
    r"probability at least a half"
)


@claim(
    "ALG-E5.2/printed-bonus",
    rf"reading of $\gamma=0.1$ as the $\delta$ of the printed bonus: {PRINTED}",
    domain=DOMAIN,
    constants={"factor": 10, "delta": "gamma"},
    role="reading",
    studies=[BATCHED, TREES],
)
def printed_bonus(check: Check) -> None:
    """Then the bonus is small, and DP-UCB, which forgets nothing, loses about as much as AdaP-KLUCB."""
    _with_printed_bonus(check)


@claim(
    "ALG-E5.2/printed-bonus-repaired",
    PRINTED,
    domain=DOMAIN,
    constants={"factor": 5, "delta": "1/T"},
    mutations=[mutation("the failure probability of the figure", delta="gamma")],
    role="repair",
    repairs="ALG-E5.2/printed-bonus",
    studies=[BATCHED, TREES],
)
def printed_bonus_with_small_delta(check: Check) -> None:
    _with_printed_bonus(check)


@claim(
    "ALG-E5.2/mean-of-twenty-runs",
    r"20 runs suffice for the order of the plotted means: that of AdaP-KLUCB is below that of AdaP-UCB with "
    rf"probability at least $<probability>$ ({SETTING})",
    domain=DOMAIN,
    constants={"probability": "0.85", "runs": 20},
    mutations=[mutation("a single run", runs=1)],
    role="reading",
    studies=[BATCHED],
)
def mean_of_twenty_runs(check: Check) -> None:
    """Unlike DP-IMED (BDP-E5.1) the episodic algorithms have light tails here."""

    def tests(stream: str) -> list[Test]:
        runs = check.study(BATCHED, stream)
        first, second = (runs[name][:, -1].reshape(-1, check.constants["runs"]).mean(axis=1) for name in PROPOSED)
        return [event_test("AdaP-KLUCB's mean below AdaP-UCB's", first < second, ">=", check.constants["probability"])]

    check.statistics(tests, routes=("means of groups of runs", "claimed order"))


# ----------------------------------------------------------------------------------------------------------- figure


@figure(
    "thesis-figure-5.2",
    studies=[BATCHED, TREES],
    caption=r"Figure 5.2 again: median (line) and 10 % to 90 % band of the regret over time, $\epsilon=1$, ties broken "
    r"at random; dashed: the coefficient of Theorem 4.16 times $\log t$. DP-UCB is MT15's with $\gamma=0.1$; dotted: "
    r"its median with the bonus that the thesis prints, for two values of $\delta$. The thesis plots mean and standard "
    r"deviation of 20 runs. DP-UCB decides at every pull and ends early under the quick profile. The best arm is "
    r"listed first, so DP-SE loses nothing in the beginning.",
    claims=["ALG-E5.2", "ALG-E5.2/ten-times", "ALG-E5.2/printed-bonus"],
)
def figure_5_2(batched: Arrays, trees: Arrays) -> Drawing:
    """Regret over time of four private algorithms. Source: ALG-E5.2"""
    from matplotlib.figure import Figure as Drawing

    drawing: Any = Drawing(figsize=(6, 3.8))
    axes = drawing.subplots()
    shown = {**batched, "DP-UCB": trees["DP-UCB"]}
    for (name, runs), colour in zip(shown.items(), COLOURS, strict=False):
        low, median, high = np.quantile(runs, (0.1, 0.5, 0.9), axis=0)
        times = RECORD_TIMES[: runs.shape[1]]
        axes.plot(times, median, color=colour, label=f"{name} ({len(runs)} runs)")
        axes.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)
    for name in ("printed, delta = 1/T", "printed, delta = gamma"):
        median = np.median(trees[name], axis=0)
        colour = COLOURS[len(shown) - (name.endswith("T"))]
        axes.plot(
            RECORD_TIMES[: median.size],
            median,
            ":",
            color=colour,
            label=f"DP-UCB, {name.replace('delta', 'δ').replace('gamma', 'γ')}",
        )
    bound = [float(regret_lower_bound(MEANS, 1, int(t))["kl-tv"].value.lower) for t in RECORD_TIMES]
    axes.plot(RECORD_TIMES, bound, "--", color=INK, linewidth=1, label="lower bound")
    axes.set(xscale="log", yscale="log", xlabel="t", ylabel="regret", ylim=(1, None))
    drawing.legend(loc="outside lower center", ncols=3, fontsize=7)
    return drawing
