"""Section 5.5.2, page 125: Figure 5.4, AdaC-UCB against its non-private counterpart, and what is concluded from it.

Private and non-private runs share their random numbers (`paper_checks.shared.experiments`). The zcdp paper reports the
same experiment and draws the same conclusions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from banditproof.claims.language import *
from banditproof.claims.report.figures import COLOURS, INK, figure
from banditproof.paper_checks.shared import experiments
from banditproof.paper_checks.shared.experiments import FREE, GAPS, LONG, PLOTTED, SWEPT, price_of_privacy
from banditproof.paper_checks.thesis.studies import simulated
from banditproof.verify import Relation, binomial_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

Plotted = Annotated[Any, PLOTTED]


@claim("ALG-E5.4/difference", simulated(SWEPT, rho=("1/10", 1000)), false={"same": "0.999"}, studies=[SWEPT])
def private_and_free_runs(rho: Annotated[Any, "[1/10, 1000]"], more=Fraction(2, 3), same=Fraction(9, 10), *, arrays):
    r"""(left) at $\rho=0.1$ a private run loses more than its counterpart with probability at least $2/3$, at
    $\rho=10^3$ exactly as much with probability at least $9/10$, at each of the three horizons (runs share their random
    numbers)"""
    for T in experiments.PANEL:
        k = int(np.searchsorted(arrays["times"], T))
        private, cheap, free = (arrays[name][:, k] for name in ("0.1", "1000", FREE))
        yield f"more at rho = 0.1, T = {T}", private > free, ">=", more
        yield f"the same at rho = 1000, T = {T}", cheap == free, ">=", same


def groups(regret: np.ndarray, shift: int = 0) -> np.ndarray:
    """Groups of 100 runs [groups, 100, times]; with a shift, by whole groups, of other runs."""
    return np.roll(regret[: len(regret) // 100 * 100].reshape(-1, 100, regret.shape[1]), shift, axis=0)


def falling_price(
    rho: Any, start: Any, probability: Any, factor: Any, arrays: Arrays, shift: int
) -> Iterator[tuple[str, Any, str, Any]]:
    """The price of privacy of 100 runs at the end against that at an earlier time."""
    early, late = (int(np.searchsorted(arrays["times"], t)) for t in (int(start), 10**7))
    for budget in rho:
        price = price_of_privacy(groups(arrays[budget]), groups(arrays[FREE], shift))
        yield f"less at rho = {budget}", float(factor) * price[:, late] < price[:, early], ">=", probability


@claim("ALG-E5.4/price-falls", simulated(SWEPT, rho=PLOTTED), false={"factor": "4.01"}, studies=[SWEPT])
def price_falls(rho: Plotted, start=10**4, probability=Fraction(1, 2), factor=1, *, arrays):
    r"""(right) for $\rho=0.1,0.5,1$ the
    $\mathrm{PoP}=(\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv})/\mathrm{Reg}_{non-priv}$ of 100 runs is less at $t=10^7$
    than at $t=10000$ with probability at least $1/2$ (runs share their random numbers)"""
    return falling_price(rho, start, probability, factor, arrays, shift=0)


@claim("ALG-E5.4/hundred-runs", simulated(SWEPT, rho=["1"], again={"budgets": ("1",)}), role="reading", studies=[SWEPT])
def price_of_hundred_runs(rho: Annotated[Any, [1]], start=10**6, probability=Fraction("0.85"), factor=1, *, arrays):
    r"""100 independent runs of each show the decrease over the last decade, at $\rho=1$, too: the
    $\mathrm{PoP}=(\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv})/\mathrm{Reg}_{non-priv}$ of 100 runs is less at $t=10^7$
    than at $t=10^{6}$ with probability at least $17/20$

    The price is about 0.02, its standard error over 100 runs of each is about 0.03.
    """
    return falling_price(rho, start, probability, factor, arrays, shift=1)


@repaired(
    "ALG-E5.4/hundred-runs-repaired",
    "ALG-E5.4/hundred-runs",
    simulated(SWEPT, rho=["0.1"]),
    false={"factor": "4.01"},
    studies=[SWEPT],
)
def price_over_three_decades(rho: Annotated[Any, ["0.1"]], start=10**4):
    r"""100 independent runs of each show the decrease over three decades at $\rho=0.1$: the
    $\mathrm{PoP}=(\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv})/\mathrm{Reg}_{non-priv}$ of 100 runs is less at $t=10^7$
    than at $t=10000$ with probability at least $17/20$"""


COUNTERPARTS = {"random": FREE, "lowest-arm": experiments.LOWEST, "private": "0.1"}


def chance_along_budgets(check: Check, _: Relation) -> None:
    """Regret is bounded by T, so that its mean converges with the probability that it is another one."""
    runs = check.study(SWEPT)
    free = runs[COUNTERPARTS[check.constants["ties"]]]
    for k, T in enumerate(runs["times"]):
        events = {rho: int((runs[rho][:, k] != free[:, k]).sum()) for rho in experiments.BUDGETS}
        series = [(float(rho), list(binomial_interval(n, len(free), check.error))) for rho, n in events.items()]
        source = f"probability of another regret at T = {T}, with intervals"
        check.trend("vanishes", series, source, tolerance=float(check.constants["tolerance"]))


@claim(
    "ALG-S5.5a/free-privacy-finite-arms",
    simulated(SWEPT, rho=[experiments.LAST]),
    step(chance_along_budgets, "trend"),
    false={"ties": "private"},
    studies=[SWEPT],
)
def chance_of_another_regret(rho: Positive, tolerance=Fraction(1, 100), ties="random", *, arrays):
    r"""(1) for fixed $T$ the probability that privacy changes the regret at all tends to 0 as $\rho\to\infty$; it is at
    most $1/100$ at $\rho=10^6$, $T=10^3,\dots,10^7$, under two rules for ties (AdaC-UCB with $\beta=1$ and its
    counterpart with ties at random, five Bernoulli arms; runs share their random numbers)

    Arms that tie are pulled one after the other: who comes first is forgotten soon, and the rule for ties matters at
    horizons of a few pulls only.
    """
    for k, T in enumerate(arrays["times"]):
        for rule in (ties, "lowest-arm"):
            another = arrays[experiments.LAST][:, k] != arrays[COUNTERPARTS[rule]][:, k]
            yield f"another regret at rho = 10^6, T = {T}, ties {rule}", another, "<=", tolerance


def price_over_time(check: Check, relation: Relation) -> None:
    runs = check.study(LONG)
    times, free = runs["times"], runs[FREE]
    for rho in PLOTTED:
        price = price_of_privacy(runs[rho], free)
        error = 5 * (runs[rho] - (1 + price) * free).std(axis=0) / free.mean(axis=0) / np.sqrt(len(free))
        low, high = (price - error) * np.log(times), (price + error) * np.log(times)
        series = [(int(T), [float(a), float(b)]) for T, a, b in zip(times, low, high, strict=True)]
        bound = float(relation(float(rho), float(check.constants["factor"]))[2])
        source = f"log T times the price of privacy at rho = {rho}, within five standard errors"
        check.trend("stays_below", series, source, covers=check.domain.restrict(rho=[rho]), bound=bound)


@claim("ALG-S5.5a/no-price-finite-arms", step(price_over_time, "trend"), false={"factor": "1/20"}, studies=[LONG])
def price_times_logarithm(rho: Plotted, factor=5):
    r"""(2) the price of privacy falls like $1/\log T$: $\log T$ times it stays below $5$ times
    $\frac{4\sum\Delta_a}{\rho\sum1/\Delta_a}$, which is what $2/\rho$ more samples of every arm cost, up to $T=10^{15}$
    for $\rho=0.1,0.5,1$ (AdaC-UCB with $\beta=1$ and its counterpart with ties at random, five Bernoulli arms; runs
    share their random numbers)"""
    return ("log T times the price of privacy", "<=", factor * 4 * GAPS.sum() / (rho * (1 / GAPS).sum()))


QUARTERS = [Fraction(k, 4) for k in range(5)]
CHEAP = [1, 4, 16, 64, 256]
Quarter = Annotated[Any, QUARTERS]
Cheap = Annotated[Any, CHEAP]


def added_regret(mu_1: Any, mu_2: Any, rho: Any, tie_share: Any) -> Any:
    """Private minus non-private regret of two arms after three pulls, in closed form.

    Both arms are pulled once, then the one with the larger reward, or noisy reward: the sign of a difference of noises
    of variance 1 / rho. `tie_share` is how often the non-private policy gives a tie to the worse arm.
    """
    gap = mu_1 - mu_2
    tail = normal_cdf(-sqrt(rho))
    tie = mu_1 * mu_2 + (1 - mu_1) * (1 - mu_2)
    return gap * (gap * tail + tie * (to_ball("1/2") - tie_share))


@claim(
    "ALG-S5.5a/ties",
    fails_at(mu_1=Fraction(3, 4), mu_2=Fraction(1, 2), rho=256),
    where=["mu_2 <= mu_1"],
    role="reading",
)
def ties_to_the_lowest(mu_1: Quarter, mu_2: Quarter, rho: Cheap, tie_share=0, decay=Fraction(1, 2)):
    r"""conclusion (1) with ties to the lowest arm, the better one: for two arms, $T=3$, and ties that go to the worse
    arm with probability $0$ without privacy, privacy adds at most $e^{-\frac12\rho}/2$ to the regret

    'Converges to zero as the privacy budget rho -> infinity' says nothing about ties. Noise breaks a tie for the worse
    arm half of the time, however small it is.
    """
    return added_regret(mu_1, mu_2, rho, tie_share), "<=", exp(-decay * rho) / 2


@figure(
    "adac-ucb-price-of-privacy",
    studies=[SWEPT, LONG],
    caption=r"Figure 5.4 of the thesis and 4(a) of the zcdp paper, reproduced. Left: mean regret that "
    r"privacy adds, with "
    r"five standard errors; private and non-private runs share their random numbers. Right: price of privacy over "
    r"time, far beyond the papers' $t=10^7$ (vertical line); bars: one standard deviation of what 100 independent runs "
    r"of each, as in the papers, would show; dotted: $4\sum\Delta_a/(\rho\log T\sum1/\Delta_a)$, the cost of $2/\rho$ "
    r"more samples.",
    claims=[
        f"{name}{part}"
        for figure_, conclusions in (("ALG-E5.4", "ALG-S5.5a"), ("ZCDP-E1", "ZCDP-S15"))
        for name, part in ((figure_, ""), (conclusions, ""), (conclusions, "/no-price-finite-arms"))
    ],
)
def price_figure(swept: Arrays, long: Arrays) -> Drawing:
    """What privacy costs AdaC-UCB, against the budget and against time. Source: ALG-E5.4, ZCDP-E1"""
    from matplotlib.figure import Figure as Drawing

    drawing: Any = Drawing(figsize=(7, 3.2))
    left, right = drawing.subplots(1, 2)
    for T, power, colour in zip(experiments.PANEL, "⁵⁶⁷", COLOURS, strict=False):
        k = int(np.searchsorted(swept["times"], T))
        added = np.array([swept[rho][:, k] - swept[FREE][:, k] for rho in experiments.BUDGETS])
        bars, at = 5 * added.std(axis=1) / np.sqrt(added.shape[1]), [float(b) for b in experiments.BUDGETS]
        left.errorbar(at, added.mean(axis=1), bars, color=colour, label=f"T = 10{power}", capsize=2)
    left.axhline(0, color=INK, linewidth=0.8)
    left.set(xscale="log", xlabel="budget ρ", ylabel="added mean regret")
    left.legend()
    times = long["times"]
    for rho, colour in zip(PLOTTED, COLOURS, strict=False):
        spread = np.sqrt(long[rho].var(axis=0) + long[FREE].var(axis=0)) / 10 / long[FREE].mean(axis=0)
        price, bars = price_of_privacy(long[rho], long[FREE]), np.where(times <= 10**7, spread, 0)
        right.errorbar(times, price, bars, color=colour, label=f"ρ = {rho}")
        limit = price_times_logarithm(float(rho), 1)[2] / np.log(times)
        right.plot(times, limit, ":", color=colour, linewidth=1)
    right.axvline(10**7, color=INK, linewidth=0.8)
    right.set(xscale="log", xlabel="t", ylabel="price of privacy", ylim=(-0.05, 0.6))
    right.legend()
    return drawing
