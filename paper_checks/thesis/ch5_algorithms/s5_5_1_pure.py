"""Section 5.5.1, page 125: Figures 5.2 and 5.3, the experiments under pure DP.

Figure 5.2: DP-UCB with gamma = 0.1 is read as MT15's, where gamma is a probability of failure; with the bonus that the
thesis prints, delta is open. DP-UCB decides at every pull: under the quick profile its runs end early, and what they
have lost by then is compared with what the others lose by T. Regret never falls, so that is a harder test.

Figure 5.3: the budget at which the lower bound of Theorem 4.16 changes its regime, its knee, is KL / TV =
kl(.1, .8) / .7 = 1.637. AdaP-KLUCB needs as many samples n as make kl(.1 + L / (epsilon n), .8) = L / n,
L = beta log t, and its regret bends at the same budgets. The bound min{kl, 6 epsilon Delta} that the Bernoulli paper
quotes (BDP-S1.5) has its knee at 0.273.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.claims.report.figures import COLOURS, INK, figure
from banditproof.paper_checks.thesis import studies
from banditproof.paper_checks.thesis.studies import BATCHED, HIGH, LOW, SWEPT, TREES, simulated
from banditproof.theory import regret_lower_bound

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

Claimed = tuple[str, np.ndarray, str, Fraction]
Coins = np.random.Generator
One = Annotated[Any, [1]]

HALF = Fraction(1, 2)
PROPOSED = ("AdaP-KLUCB", "AdaP-UCB")
RUNS = simulated(BATCHED, TREES)
BATCHED_RUNS = simulated(BATCHED)
PAIRED = {"runs": TREES.quick["runs"]}  # as many as are compared
PAIRED_RUNS = simulated(
    BATCHED,
    TREES,
    again=[
        {**PAIRED, "ends": {"AdaP-KLUCB": studies.EARLY}},
        {**PAIRED, "ends": {"printed, delta = gamma": studies.EARLY}},
    ],
)


def lower(name: str, ours: np.ndarray, factor: Any, theirs: np.ndarray, coins: Coins) -> Claimed:
    """That factor times a run of the one is below a run of the other at least half of the time; ties count half.

    The regret of episodic algorithms has few values, so that two runs often lose the same.
    """
    pairs = min(len(ours), len(theirs))
    a, b = float(factor) * ours[:pairs], theirs[:pairs]
    return name, (a < b) | ((a == b) & (coins.random(pairs) < 0.5)), ">=", HALF


def below(first: str, second: str, factor: Any, arrays: Arrays, coins: Coins) -> Claimed:
    """That the first algorithm, its regret taken `factor` times, is below the second, at the last times."""
    return lower(f"{first} below {second}", arrays[first][:, -1], factor, arrays[second][:, -1], coins)


@claim("ALG-E5.2/adap-klucb-is-lowest", RUNS, false={"factor": "1.5"}, studies=[BATCHED, TREES])
def adap_klucb_is_lowest(epsilon: One, factor=1, *, arrays, coins):
    r"""the regret of a run of AdaP-KLUCB is less than that of one of AdaP-UCB, DP-SE and DP-UCB with probability at
    least a half each ($T=10^7$, $\epsilon=1$, means $(.75,.625,.5,.375,.25)$)"""
    for other in ("AdaP-UCB", "DP-SE", "DP-UCB"):
        yield below("AdaP-KLUCB", other, factor, arrays, coins)


@claim("ALG-E5.2/adap-ucb-is-next", RUNS, false={"factor": "3.01"}, studies=[BATCHED, TREES])
def adap_ucb_is_next(epsilon: One, factor=1, *, arrays, coins):
    r"""the regret of a run of AdaP-UCB is less than that of one of DP-SE and DP-UCB with probability at least a half
    each ($T=10^7$, $\epsilon=1$, means $(.75,.625,.5,.375,.25)$)"""
    for other in ("DP-SE", "DP-UCB"):
        yield below("AdaP-UCB", other, factor, arrays, coins)


@claim("ALG-E5.2/ten-times", simulated(BATCHED, again={"runs": 300}), studies=[BATCHED])
def ten_times_less(epsilon: One, factor=10, *, arrays, coins):
    r"""'both of them achieve $10$ times lower regret than the competing algorithms', here than DP-SE, with the
    constants of the paper that it is cited from: $10$ times the regret of a run is below that of one of DP-SE with
    probability at least a half ($T=10^7$, $\epsilon=1$, means $(.75,.625,.5,.375,.25)$)

    DP-SE pulls every arm 2535 times in its first epoch, which costs 3169, and drops the arms but one or two.
    """
    for name in PROPOSED:
        yield below(name, "DP-SE", factor, arrays, coins)


@claim(
    "ALG-E5.2/ten-times-repaired",
    RUNS,
    false={"factor": "3.01"},
    repairs="ALG-E5.2/ten-times",
    studies=[BATCHED, TREES],
)
def ten_times_less_than_dp_ucb(epsilon: One, factor=Fraction("1.8"), against_dp_ucb=10, *, arrays, coins):
    r"""both have 10 times less regret than DP-UCB, but only $9/5$ times less than DP-SE, with probability at least a
    half ($T=10^7$, $\epsilon=1$, means $(.75,.625,.5,.375,.25)$)"""
    for name in PROPOSED:
        yield below(name, "DP-SE", factor, arrays, coins)
        yield below(name, "DP-UCB", against_dp_ucb, arrays, coins)


@claim(
    "ALG-E5.2/effect-sizes", BATCHED_RUNS, false=[{"low": "3.01"}, {"high": "1.5"}], role="figure", studies=[BATCHED]
)
def effect_sizes(epsilon: One, next=Fraction("1.4"), low=Fraction("1.8"), high=Fraction("2.8"), *, arrays, coins):
    r"""(how much) the regret of a run of AdaP-UCB is at most $7/5$ times, and that of one of DP-SE between $9/5$ and
    $14/5$ times that of one of AdaP-KLUCB, each with probability at least a half ($T=10^7$, $\epsilon=1$, means
    $(.75,.625,.5,.375,.25)$)"""
    ours, second, third = (arrays[name][:, -1] for name in ("AdaP-KLUCB", "AdaP-UCB", "DP-SE"))
    yield lower("AdaP-UCB's at most the factor", second / float(next), 1, ours, coins)
    yield lower("DP-SE's at least the factor", ours, low, third, coins)
    yield lower("DP-SE's at most the factor", third / float(high), 1, ours, coins)


def with_printed_bonus(factor: Any, delta: str, arrays: Arrays, coins: Coins) -> Claimed:
    """AdaP-KLUCB against DP-UCB with the printed bonus, early in the run."""
    ours = arrays["AdaP-KLUCB"][:, np.searchsorted(studies.RECORD_TIMES, studies.EARLY)]
    return lower("AdaP-KLUCB below DP-UCB", ours, factor, arrays[f"printed, delta = {delta}"][:, -1], coins)


@claim("ALG-E5.2/printed-bonus", PAIRED_RUNS, role="reading", studies=[BATCHED, TREES])
def printed_bonus(epsilon: One, factor=10, delta="gamma", *, arrays, coins):
    r"""reading of $\gamma=0.1$ as the $\delta$ of the printed bonus: with the bonus of DP-UCB as the thesis prints it,
    trees at $\epsilon$ and its $\delta$ equal to $\gamma$, $10$ times the regret of a run of AdaP-KLUCB by $t=316\,228$
    is below that of one of DP-UCB with probability at least a half

    'We assign gamma = 0.1 for DP-UCB.' Then the bonus is small, and DP-UCB, which forgets nothing, loses about as much
    as AdaP-KLUCB.
    """
    yield with_printed_bonus(factor, delta, arrays, coins)


@repaired(
    "ALG-E5.2/printed-bonus-repaired",
    "ALG-E5.2/printed-bonus",
    RUNS,
    false={"delta": "gamma"},
    studies=[BATCHED, TREES],
)
def printed_bonus_with_small_delta(factor=5, delta="1/T"):
    r"""with the bonus of DP-UCB as the thesis prints it, trees at $\epsilon$ and its $\delta$ equal to $1/T$, $5$ times
    the regret of a run of AdaP-KLUCB by $t=316\,228$ is below that of one of DP-UCB with probability at least a half"""


@claim("ALG-E5.2/mean-of-twenty-runs", BATCHED_RUNS, false={"runs": 1}, role="reading", studies=[BATCHED])
def mean_of_twenty_runs(epsilon: One, probability=Fraction("0.85"), runs=20, *, arrays):
    r"""20 runs are enough for the order of the plotted means: the mean of AdaP-KLUCB is below the mean of AdaP-UCB with
    probability at least $17/20$ ($T=10^7$, $\epsilon=1$, means $(.75,.625,.5,.375,.25)$)

    Unlike DP-IMED (BDP-E5.1) the episodic algorithms have light tails here.
    """
    first, second = (arrays[name][:, -1].reshape(-1, runs).mean(axis=1) for name in PROPOSED)
    yield "AdaP-KLUCB's mean below AdaP-UCB's", first < second, ">=", probability


@figure(
    "thesis-figure-5.2",
    studies=[BATCHED, TREES],
    caption=r"Figure 5.2, reproduced: median (line) and 10 % to 90 % band of the regret over time, "
    r"$\epsilon=1$, ties broken "
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
        times = studies.RECORD_TIMES[: runs.shape[1]]
        axes.plot(times, median, color=colour, label=f"{name} ({len(runs)} runs)")
        axes.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)
    for name in ("printed, delta = 1/T", "printed, delta = gamma"):
        median, colour = np.median(trees[name], axis=0), COLOURS[len(shown) - (name.endswith("T"))]
        label = f"DP-UCB, {name.replace('delta', 'δ').replace('gamma', 'γ')}"
        axes.plot(studies.RECORD_TIMES[: median.size], median, ":", color=colour, label=label)
    bound = [float(regret_lower_bound(studies.MEANS, 1, int(t))["kl-tv"].value.lower) for t in studies.RECORD_TIMES]
    axes.plot(studies.RECORD_TIMES, bound, "--", color=INK, linewidth=1, label="lower bound")
    axes.set(xscale="log", yscale="log", xlabel="t", ylabel="regret", ylim=(1, None))
    drawing.legend(loc="outside lower center", ncols=3, fontsize=7)
    return drawing


@claim("ALG-E5.3/high-privacy", simulated(SWEPT, epsilon=HIGH), false={"factor": "5/2"}, studies=[SWEPT])
def regret_falls_with_small_budgets(epsilon: Annotated[Any, "[1/20, 3/10)"], factor=Fraction(3, 2), *, arrays):
    r"""for $\epsilon<0.3$ the regret depends on $\epsilon$: at half the budget a run has more than $3/2$ times the
    regret, with probability at least a half (AdaP-KLUCB with optimism 3.1, means $(.8,.1,.1,.1,.1)$, $T=10^7$)"""
    for a, b in pairwise(epsilon):
        yield f"{a} against {b}", arrays[a] > float(factor) * arrays[b], ">=", HALF


@claim("ALG-E5.3/low-privacy", simulated(SWEPT, epsilon=LOW, again={"budgets": LOW, "runs": 100}), studies=[SWEPT])
def regret_is_flat(epsilon: Annotated[Any, "(3/10, 10]"], factor=Fraction(5, 2), *, arrays):
    r"""for $\epsilon>0.3$ the regret does not depend on $\epsilon$: a run has at most $5/2$ times the regret of one at
    $\epsilon=10$, with probability at least a half; a factor of 2 is one episode more (AdaP-KLUCB with optimism 3.1,
    means $(.8,.1,.1,.1,.1)$, $T=10^7$)

    At 0.35 the shift L / (epsilon n) alone keeps an arm alive for four times as many samples as kl does.
    """
    for b in epsilon:
        yield f"{b} against 10", arrays[b] <= float(factor) * np.roll(arrays["10"], 1), ">=", HALF


@repaired(
    "ALG-E5.3/low-privacy-repaired",
    "ALG-E5.3/low-privacy",
    simulated(SWEPT, epsilon=[b for b in LOW if float(b) >= 1.65]),
    false={"factor": "5/4"},
    studies=[SWEPT],
)
def regret_is_flat_beyond_the_knee(epsilon: Annotated[Any, "[33/20, 10]"]):
    r"""from the knee of Theorem 4.16 on, $\epsilon\ge\mathrm{kl}(.1,.8)/.7=1.637\dots$, the regret hardly depends on
    $\epsilon$: a run has at most $5/2$ times the regret of one at $\epsilon=10$, with probability at least a half; a
    factor of 2 is one episode more (AdaP-KLUCB with optimism 3.1, means $(.8,.1,.1,.1,.1)$, $T=10^7$)"""


@claim("ALG-E5.3/knee", simulated(SWEPT, epsilon=("1/20", 10)), false={"weight": "6.0"}, role="figure", studies=[SWEPT])
def knee(epsilon: Annotated[Any, "[1/20, 10]"], factor=Fraction(3, 2), weight=1, *, arrays):
    r"""where the regret at small budgets, a multiple of $1/\epsilon$, would reach that at $\epsilon=10$, lies within a
    factor $3/2$ of the knee of the lower bound $\min\{\mathrm{kl},\epsilon\Delta\}$ of Theorem 4.16, with probability
    at least a half (AdaP-KLUCB with optimism 3.1, means $(.8,.1,.1,.1,.1)$, $T=10^7$)

    The two ends of the curve are compared, so that episodes that double do not hide the bend.
    """
    ours = 0.05 * arrays["0.05"] / np.roll(arrays["10"], 1)
    bound = kl_bernoulli(0.1, 0.8) / (float(weight) * 0.7)
    yield "knees within the factor", np.maximum(ours / bound, bound / ours) <= float(factor), ">=", HALF


BEST, OTHER = "4/5", "1/10"


@figure(
    "thesis-figure-5.3",
    studies=[SWEPT],
    caption=r"Figure 5.3, reproduced: regret of AdaP-KLUCB at $T=10^7$ against the budget, median (line) "
    r"and 10 % to 90 % "
    r"band; dashed: the lower bound of Theorem 4.16, $\sum\Delta/\min\{\mathrm{kl},\epsilon\Delta\}$ times $\log T$; "
    r"dotted: the earlier bound with $6\epsilon\Delta$. Vertical lines: the knees of the two bounds. The thesis reads "
    r"a change at 0.3; up to the knee of Theorem 4.16 the regret is a multiple of $1/\epsilon$, in the steps of "
    r"doubling episodes.",
    claims=["ALG-E5.3", "ALG-E5.3/low-privacy", "ALG-E5.3/knee", "ALG-E5.3/knee-of-the-bound"],
)
def figure_5_3(swept: Arrays) -> Drawing:
    """Regret against the budget, with both lower bounds. Source: ALG-E5.3"""
    from matplotlib.figure import Figure as Drawing

    drawing: Any = Drawing()
    axes = drawing.subplots()
    order = sorted(swept, key=float)
    budgets = np.array([float(b) for b in order])
    low, median, high = np.array([np.quantile(swept[b], (0.1, 0.5, 0.9)) for b in order]).T
    axes.plot(budgets, median, color=COLOURS[0], label=f"AdaP-KLUCB ({swept[order[0]].size} runs)")
    axes.fill_between(budgets, low, high, color=COLOURS[0], alpha=0.15, linewidth=0)
    means, fine = (BEST, *(OTHER,) * 4), np.geomspace(0.05, 10, 100)
    for name, style, label, weight in (("kl-tv", "--", "Theorem 4.16", 1), ("earlier-tv", ":", "with 6 ε Δ", 6)):
        bound = [float(regret_lower_bound(means, b, studies.HORIZON)[name].value.lower) for b in fine]
        axes.plot(fine, bound, style, color=INK, linewidth=1, label=label)
        axes.axvline(kl_bernoulli(0.1, 0.8) / (0.7 * weight), linestyle=style, color=COLOURS[1], linewidth=1)
    axes.set(xscale="log", yscale="log", xlabel="budget ε", ylabel="regret at T = 10⁷")
    axes.legend(loc="upper right")
    return drawing
