"""AdaC-UCB against its non-private counterpart: Figure 5.4 of the thesis and Figure 4(a) of the zcdp paper.

Both papers report the same experiment and draw the same conclusions (ALG-E5.4, ALG-S5.5a; ZCDP-E1, ZCDP-S15), so each
claim is registered under both.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.paper_checks.adac_ucb_runs import (
    BUDGETS,
    FREE,
    GAPS,
    LAST,
    LONG,
    LOWEST,
    PANEL,
    PLOTTED,
    SWEPT,
    price_of_privacy,
)
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.figures import COLOURS, INK, figure
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.study import Arrays
from banditproof.theory.numeric import exp, to_ball
from banditproof.verify.domain import Domain
from banditproof.verify.statistics import binomial_interval, event_test
from banditproof.verify.symbolic import SymbolicArgument

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

Sides = tuple[Any, str, Any]
Test = dict[str, Any]

# ------------------------------------------------------------------------------------------------------- the experiment

SETTING = r"AdaC-UCB with $\beta=1$ and its counterpart with ties at random, five Bernoulli arms"
SHARED = "runs share their random numbers"
BUDGET_DOMAIN = Domain.of(rho="[1/10, 1000]")
ROUTES = ("runs with and without privacy", "claimed relation")


def groups(regret: np.ndarray, shift: int = 0) -> np.ndarray:
    """Groups of 100 runs [groups, 100, times]; with a shift, by whole groups, of other runs."""
    return np.roll(regret[: len(regret) // 100 * 100].reshape(-1, 100, regret.shape[1]), shift, axis=0)


def difference(check: Check) -> None:
    """At the smallest budget most private runs lose more; at the largest nearly all lose the same."""

    def tests(stream: str) -> list[Test]:
        runs, c = check.study(SWEPT, stream), check.constants
        columns = [(T, int(np.searchsorted(runs["times"], T))) for T in PANEL]
        return [
            event_test(f"more at rho = 0.1, T = {T}", runs["0.1"][:, k] > runs[FREE][:, k], ">=", c["more"])
            for T, k in columns
        ] + [
            event_test(f"the same at rho = 1000, T = {T}", runs["1000"][:, k] == runs[FREE][:, k], ">=", c["same"])
            for T, k in columns
        ]

    check.statistics(tests, covers=check.domain.restrict(rho=("1/10", 1000)), routes=ROUTES)


def falling_price(check: Check, budgets: Sequence[str], shift: int = 0) -> None:
    """The price of privacy of 100 runs against that at an earlier time."""

    def tests(stream: str) -> list[Test]:
        runs = check.study(SWEPT, stream)
        early, late = (int(np.searchsorted(runs["times"], t)) for t in (int(check.constants["start"]), 10**7))
        tests = []
        for rho in budgets:
            price = price_of_privacy(groups(runs[rho]), groups(runs[FREE], shift))
            falls = float(check.constants["factor"]) * price[:, late] < price[:, early]
            tests.append(event_test(f"less at rho = {rho}", falls, ">=", check.constants["probability"]))
        return tests

    covers = check.domain.restrict(rho=budgets)
    check.statistics(tests, covers=covers, routes=("price of privacy in 100 runs at two times", "claimed order"))


def within_the_theorem(beta: Any, least: Any) -> Sides:
    return beta, ">", least


PRICE = r"$\mathrm{PoP}=(\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv})/\mathrm{Reg}_{non-priv}$"
LESS = rf"the {PRICE} of 100 runs is less at $t=10^7$ than at $t=<start>$ with probability at least $<probability>$"


def register_experiment(item: str, twin: str) -> None:
    """The claims on what the figure shows, under the item of one paper."""
    parts_decide(
        item,
        r"(Figure) the regret that privacy adds falls with the budget $\rho\in[10^{-1},10^3]$ at $T=10^5,10^6,10^7$, "
        rf"and {PRICE} falls with $t$ for $\rho=0.1,0.5,1$ ({SETTING}; 100 runs)",
        domain=BUDGET_DOMAIN,
        twins=[twin],
    )
    claim(
        f"{item}/difference",
        r"(left) at $\rho=0.1$ a private run loses more than its counterpart with probability at least $<more>$, at "
        rf"$\rho=10^3$ exactly as much with probability at least $<same>$, at each of the three horizons ({SHARED})",
        domain=BUDGET_DOMAIN,
        constants={"more": "2/3", "same": "9/10"},
        mutations=[mutation("all but one in a thousand the same", same="0.999")],
        studies=[SWEPT],
    )(difference)

    @claim(
        f"{item}/price-falls",
        rf"(right) for $\rho=0.1,0.5,1$ {LESS} ({SHARED})",
        domain=Domain.of(rho=PLOTTED),
        constants={"start": 10**4, "probability": "1/2", "factor": 1},
        mutations=[mutation("to a quarter", factor="4.01")],
        studies=[SWEPT],
    )
    def price_falls(check: Check) -> None:
        falling_price(check, PLOTTED)

    @claim(
        f"{item}/hundred-runs",
        rf"100 independent runs of each show the decrease over the last decade, at $\rho=1$, too: {LESS}",
        domain=Domain.of(rho=["1"]),
        constants={"start": 10**6, "probability": "0.85", "factor": 1},
        role="reading",
        studies=[SWEPT],
    )
    def hundred_runs(check: Check) -> None:
        """The price is about 0.02, its standard error over 100 runs of each is about 0.03."""
        falling_price(check, ["1"], shift=1)

    @claim(
        f"{item}/hundred-runs-repaired",
        rf"100 independent runs of each show the decrease over three decades at $\rho=0.1$: {LESS}",
        domain=Domain.of(rho=["0.1"]),
        constants={"start": 10**4, "probability": "0.85", "factor": 1},
        mutations=[mutation("to a quarter", factor="4.01")],
        role="repair",
        repairs=f"{item}/hundred-runs",
        studies=[SWEPT],
    )
    def hundred_runs_over_three_decades(check: Check) -> None:
        falling_price(check, ["0.1"], shift=1)

    @claim(
        f"{item}/optimism",
        r"the regret bound of AdaC-UCB, for optimism $\beta><least>$, speaks of the experiment's $\beta=1$",
        domain=Domain.of(beta=["1"]),
        constants={"least": 3},
        role="reading",
    )
    def optimism(check: Check) -> None:
        check.counterexample(within_the_theorem, {"beta": 1})

    @claim(
        f"{item}/optimism-repaired",
        r"the regret bound of AdaC-UCB, for optimism $\beta><least>$, speaks of the $\beta=3.1$ of Figure 5.2",
        domain=Domain.of(beta=["3.1"]),
        constants={"least": 3},
        mutations=[mutation("four", least="4.0")],
        role="repair",
        repairs=f"{item}/optimism",
    )
    def sufficient_optimism(check: Check) -> None:
        check.enumerate(within_the_theorem, {"beta": ["3.1"]}, rational=True)


# ------------------------------------------------------------------------------------------------------ the conclusions


COUNTERPARTS = {"random": FREE, "lowest-arm": LOWEST, "private": "0.1"}


def chance_of_another_regret(check: Check) -> None:
    """Regret is bounded by T, so that its mean converges with the probability that it is another one.

    Arms that tie are pulled one after the other: who comes first is forgotten soon, and the rule for ties matters at
    horizons of a few pulls only.
    """
    counterparts = {ties: COUNTERPARTS[ties] for ties in (check.constants["ties"], "lowest-arm")}

    def tests(stream: str) -> list[Test]:
        runs = check.study(SWEPT, stream)
        return [
            event_test(f"another regret at rho = 10^6, T = {T}, ties {ties}", runs[LAST][:, k] != runs[name][:, k],
                       "<=", check.constants["tolerance"])
            for k, T in enumerate(runs["times"]) for ties, name in counterparts.items()
        ]  # fmt: skip

    check.statistics(tests, covers=check.domain.restrict(rho=[LAST]), routes=ROUTES)
    runs, free = check.study(SWEPT), counterparts[check.constants["ties"]]
    for k, T in enumerate(runs["times"]):
        events = {rho: int((runs[rho][:, k] != runs[free][:, k]).sum()) for rho in BUDGETS}
        series = [(float(rho), list(binomial_interval(n, len(runs[free]), check.error))) for rho, n in events.items()]
        source = f"probability of another regret at T = {T}, with intervals"
        check.trend("vanishes", series, source, tolerance=float(check.constants["tolerance"]))


def price_over_time(check: Check) -> None:
    """PoP(T) log T against a multiple of what 2 / rho more samples of every arm cost, 4 sum(gap) / (rho sum(1/gap))."""
    runs = check.study(LONG)
    times, free = runs["times"], runs[FREE]
    for rho in PLOTTED:
        price = price_of_privacy(runs[rho], free)
        error = 5 * (runs[rho] - (1 + price) * free).std(axis=0) / free.mean(axis=0) / np.sqrt(len(free))
        low, high = (price - error) * np.log(times), (price + error) * np.log(times)
        series = [(int(T), [float(a), float(b)]) for T, a, b in zip(times, low, high, strict=True)]
        bound = float(check.constants["factor"]) * 4 * GAPS.sum() / (float(rho) * (1 / GAPS).sum())
        source = f"log T times the price of privacy at rho = {rho}, within five standard errors"
        check.trend("stays_below", series, source, covers=check.domain.restrict(rho=[rho]), bound=bound)


def width_with_more_samples(n: Any, rho: Any, more: Any) -> Sides:
    """Squared widths over beta log t, times 2 rho n n'^2: private at n' = n + more / rho samples, not private at n."""
    samples = n + more / rho
    return rho * n * samples + 2 * n, "<=", rho * samples**2


def width_argument(more: Any) -> SymbolicArgument:
    import sympy

    n, rho = sympy.symbols("n rho", positive=True)
    return SymbolicArgument({"n": n, "rho": rho}, more**2 / rho + (more - 2) * n, "nonnegative")


def added_regret(mu_1: Any, mu_2: Any, rho: Any, tie_share: Any) -> Any:
    """Private minus non-private regret of two arms after three pulls, in closed form.

    Both arms are pulled once, then the one with the larger reward, or noisy reward: the sign of a difference of noises
    of variance 1 / rho. `tie_share` is how often the non-private policy gives a tie to the worse arm.
    """
    gap = mu_1 - mu_2
    tail = (to_ball(rho) / 2).sqrt().erfc() / 2
    tie = mu_1 * mu_2 + (1 - mu_1) * (1 - mu_2)
    return gap * (gap * tail + tie * (to_ball("1/2") - tie_share))


def vanishing(mu_1: Any, mu_2: Any, rho: Any, tie_share: Any, decay: Any) -> Sides:
    return added_regret(mu_1, mu_2, rho, tie_share), "<=", exp(-decay * rho) / 2


QUARTERS = [f"{k}/4" for k in range(5)]
CHEAP = {"rho": [1, 4, 16, 64, 256]}
TIES = (
    r"for two arms, $T=3$, and ties that go to the worse arm with probability $<tie_share>$ without privacy, privacy "
    r"adds at most $e^{-<decay>\rho}/2$ to the regret"
)


def register_conclusions(item: str, twin: str) -> None:
    """The claims on what is concluded from the figure, under the item of one paper."""
    parts_decide(
        item,
        r"(Conclusions, finitely many arms) (1) for fixed $T$, $\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv}\to0$ as "
        rf"$\rho\to\infty$; (2) for fixed $\rho$, {PRICE} tends to 0 as $T\to\infty$",
        domain=Domain.of(rho="(0, inf)"),
        twins=[twin],
    )
    claim(
        f"{item}/free-privacy-finite-arms",
        r"(1) for fixed $T$ the probability that privacy changes the regret at all tends to 0 as $\rho\to\infty$; it "
        rf"is at most $<tolerance>$ at $\rho=10^6$, $T=10^3,\dots,10^7$, under two rules for ties "
        rf"({SETTING}; {SHARED})",
        domain=Domain.of(rho="(0, inf)"),
        constants={"tolerance": "0.01", "ties": "random"},
        mutations=[mutation("another private run for the counterpart", ties="private")],
        studies=[SWEPT],
    )(chance_of_another_regret)
    claim(
        f"{item}/no-price-finite-arms",
        r"(2) the price of privacy falls like $1/\log T$: $\log T$ times it stays below $<factor>$ times "
        r"$\frac{4\sum\Delta_a}{\rho\sum1/\Delta_a}$, which is what $2/\rho$ more samples of every arm cost, up to "
        rf"$T=10^{{15}}$ for $\rho=0.1,0.5,1$ ({SETTING}; {SHARED})",
        domain=Domain.of(rho=PLOTTED),
        constants={"factor": 5},
        mutations=[mutation("a twentieth", factor="1/20")],
        studies=[LONG],
    )(price_over_time)

    @claim(
        f"{item}/samples-that-pay",
        r"(why) with $<more>/\rho$ samples more the confidence width $\sqrt{(\frac1{2n}+\frac1{\rho n^2})\beta\log t}$ "
        r"is at most the one without privacy, at every $t$: privacy costs a number of samples that does not grow",
        domain=Domain.of(n="(0, inf)", rho="(0, inf)"),
        constants={"more": 2},
        mutations=[mutation("1/rho more", more=1)],
        role="remark",
        strongest="symbolic",
    )
    def samples_that_pay(check: Check) -> None:
        check.symbolic(width_with_more_samples, width_argument)

    @claim(
        f"{item}/ties",
        rf"conclusion (1) with ties to the lowest arm, the better one: {TIES}",
        domain=Domain.of(mu_1=QUARTERS, mu_2=QUARTERS, **CHEAP, where=["mu_2 <= mu_1"]),
        constants={"tie_share": 0, "decay": "1/2"},
        role="reading",
    )
    def ties(check: Check) -> None:
        """Noise breaks a tie for the worse arm half of the time, however small it is."""
        check.counterexample(vanishing, {"mu_1": Fraction(3, 4), "mu_2": Fraction(1, 2), "rho": 256})

    @claim(
        f"{item}/ties-repaired",
        rf"conclusion (1) with ties at random: {TIES}",
        domain=Domain.of(mu_1=QUARTERS, mu_2=QUARTERS, **CHEAP, where=["mu_2 <= mu_1"]),
        constants={"tie_share": "1/2", "decay": "1/2"},
        mutations=[mutation("twice as fast", decay=1)],
        role="repair",
        repairs=f"{item}/ties",
    )
    def ties_at_random(check: Check) -> None:
        points = [
            {"mu_1": a, "mu_2": b, "rho": rho} for a in QUARTERS for b in QUARTERS if b <= a for rho in CHEAP["rho"]
        ]
        check.enumerate(vanishing, points, routes=("normal tail", "its exponential bound"))


# --------------------------------------------------------------------------------------------------------------- figure


@figure(
    "adac-ucb-price-of-privacy",
    studies=[SWEPT, LONG],
    caption=r"Figure 5.4 of the thesis and 4(a) of the zcdp paper again. Left: mean regret that privacy adds, with "
    r"five standard errors; private and non-private runs share their random numbers. Right: price of privacy over "
    r"time, far beyond the papers' $t=10^7$ (vertical line); bars: one standard deviation of what 100 independent runs "
    r"of each, as in the papers, would show; dotted: $4\sum\Delta_a/(\rho\log T\sum1/\Delta_a)$, the cost of $2/\rho$ "
    r"samples more.",
    claims=[
        "ALG-E5.4",
        "ALG-S5.5a",
        "ALG-S5.5a/no-price-finite-arms",
        "ZCDP-E1",
        "ZCDP-S15",
        "ZCDP-S15/no-price-finite-arms",
    ],
)
def price_figure(swept: Arrays, long: Arrays) -> Drawing:
    """What privacy costs AdaC-UCB, against the budget and against time. Source: ALG-E5.4, ZCDP-E1"""
    from matplotlib.figure import Figure as Drawing

    drawing: Any = Drawing(figsize=(7, 3.2))
    left, right = drawing.subplots(1, 2)
    for T, colour in zip(PANEL, COLOURS, strict=False):
        k = int(np.searchsorted(swept["times"], T))
        added = np.array([swept[rho][:, k] - swept[FREE][:, k] for rho in BUDGETS])
        bars = 5 * added.std(axis=1) / np.sqrt(added.shape[1])
        left.errorbar(
            [float(b) for b in BUDGETS],
            added.mean(axis=1),
            bars,
            color=colour,
            label=f"T = 10{'⁵⁶⁷'[PANEL.index(T)]}",
            capsize=2,
        )
    left.axhline(0, color=INK, linewidth=0.8)
    left.set(xscale="log", xlabel="budget ρ", ylabel="added mean regret")
    left.legend()
    times = long["times"]
    for rho, colour in zip(PLOTTED, COLOURS, strict=False):
        spread = np.sqrt(long[rho].var(axis=0) + long[FREE].var(axis=0)) / 10 / long[FREE].mean(axis=0)
        right.errorbar(
            times,
            price_of_privacy(long[rho], long[FREE]),
            np.where(times <= 10**7, spread, 0),
            color=colour,
            label=f"ρ = {rho}",
        )
        limit = 4 * GAPS.sum() / (float(rho) * (1 / GAPS).sum()) / np.log(times)
        right.plot(times, limit, ":", color=colour, linewidth=1)
    right.axvline(10**7, color=INK, linewidth=0.8)
    right.set(xscale="log", xlabel="t", ylabel="price of privacy", ylim=(-0.05, 0.6))
    right.legend()
    return drawing
