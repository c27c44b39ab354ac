r"""Section 5.5.2, page 126: AdaC-OFUL and RS-OFUL on Gaussian contexts (Figure 5.6), and what is concluded.

The private and the non-private policy meet the same contexts and the same noise in the rewards.
"""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from banditproof.algorithms.contextual.environment import ContextualBandit, GaussianContexts
from banditproof.algorithms.contextual.oful import AdaCOFUL, RarelySwitchingOFUL
from banditproof.algorithms.contextual.simulation import simulate_contextual
from banditproof.algorithms.noise import NoiseSource
from banditproof.claims.language import *
from banditproof.claims.report.figures import COLOURS, figure
from banditproof.paper_checks.thesis.studies import simulated

FREE, BUDGETS, LARGE = "RS-OFUL", ("0.1", "0.5", "1"), "1e12"
MORE = ("10",)  # for the figure


def figure_5_6(seed: np.random.SeedSequence, *, runs: int, times: list[int]) -> Arrays:
    """Regret [runs, times] of RS-OFUL and of AdaC-OFUL by budget, with theta uniform on the sphere."""
    start, noise, rounds = (np.random.default_rng(child) for child in seed.spawn(3))
    theta = start.standard_normal((runs, 3))
    bandit = ContextualBandit(theta / np.linalg.norm(theta, axis=1, keepdims=True), GaussianContexts())
    options: dict[str, Any] = {"horizon": times[-1], "replications": runs, "bounded": False}
    policies: dict[str, AdaCOFUL] = {FREE: RarelySwitchingOFUL(3, **options)}
    for rho in (*BUDGETS, *MORE, LARGE):
        policies[rho] = AdaCOFUL(3, Budget.zcdp(float(rho)), NoiseSource(noise), **options)
    regret = simulate_contextual(list(policies.values()), bandit, times[-1], rounds, times)
    return {"times": np.array(times), **dict(zip(policies, regret, strict=True))}


CONTEXTUAL = Study(
    "figure-5.6",
    figure_5_6,
    {"runs": 40, "times": [100, 300, 1000, 3000, 10_000, 25_000, 50_000]},
    {"runs": 100, "times": [100, 1000, 10_000, 100_000, 300_000, 600_000]},
)


@claim(
    "ALG-E5.6/mean-square-one",
    enumerated(d=3, variance="1/10", rational=True),
    false={"centre": 1},
    repairs="ALG-E5.6/assumption",
)
def contexts_have_mean_square_one(
    d: Annotated[Any, "[3, 3]"], variance: Annotated[Any, "[1/10, 1/10]"], centre=Fraction(7, 10)
):
    r"""With a mean of squared norm $7/10$ the contexts have norm 1 in mean square (and exactly, once scaled)."""
    return centre + d * variance, "==", 1


@claim(
    "ALG-S5.5a/free-privacy-contextual",
    simulated(CONTEXTUAL, rho=[Fraction(10**12)]),
    false={"budget": "least"},
    restricted="to contexts of the experiment",
    studies=[CONTEXTUAL],
)
def contextual_regret_with_large_budgets(rho: Positive, share=Fraction(1, 2), budget="largest", *, arrays):
    r"""(1) for fixed $T$, $\mathrm{Reg}_{priv}-\mathrm{Reg}_{non-priv}\to0$: at $\rho=10^{12}$ the regrets of most runs
    differ by less than a hundredth (linear contextual bandits; runs share contexts and noise; largest budget of the
    study, share 1/2)."""
    rho_run = LARGE if budget == "largest" else BUDGETS[0]
    for T in (1000, 10_000, int(arrays["times"][-1])):
        k = arrays["times"].tolist().index(T)
        private, free = arrays[rho_run][:, k], arrays[FREE][:, k]
        yield f"regret differs by 1 % at T = {T}", np.abs(private - free) > free / 100, "<=", share


@claim(
    "ALG-S5.5a/no-price-contextual",
    simulated(CONTEXTUAL),
    false={"direction": "rises"},
    restricted="to contexts of the experiment, and to a price that falls from 10^4 pulls on",
    studies=[CONTEXTUAL],
)
def contextual_price_falls(rho: Positive, half=Fraction(1, 2), direction="falls", *, arrays):
    r"""(2) for fixed $\rho$ the price of privacy falls as $T$ increases: in most runs (above 1/2) it falls from
    $T=10^4$ to the last horizon, for $\rho=0.1,0.5,1$ (linear contextual bandits).

    Before, up to about a thousand pulls, it rises; at 6 10^5 pulls the means of 40 runs are still at 1.6, 0.8 and 0.5.
    """
    for rho_run in BUDGETS:
        price = arrays[rho_run] / arrays[FREE] - 1
        falls = price[:, -1] < price[:, arrays["times"].tolist().index(10**4)]
        yield f"the price {direction}, rho = {rho_run}", falls if direction == "falls" else ~falls, ">=", half


@figure(
    "adac-oful-price-of-privacy",
    studies=[CONTEXTUAL],
    caption=r"Figure 5.6 of the thesis and 4(c) of the zcdp paper, reproduced (means, with two standard "
    r"errors; private and "
    r"non-private runs share contexts and rewards). Left: what the budget adds to the regret of RS-OFUL; dotted: the "
    r"rate $\rho^{-1/2}$ of Theorem 5.17. Right: price of privacy over time; dotted: $\rho^{-1/2}\log^2t$ over "
    r"RS-OFUL's regret as measured. All dotted lines share one factor, fitted to the end of the first curve.",
    claims=["ALG-E5.6", "ZCDP-E3", "ALG-T5.17", "ALG-S5.5a/free-privacy-contextual", "ALG-S5.5a/no-price-contextual"],
)
def price_figure(runs: Arrays) -> Any:
    """What privacy costs AdaC-OFUL, against the budget and against time. Source: ALG-E5.6, ZCDP-E3"""
    from matplotlib.figure import Figure as Drawing

    drawing: Any = Drawing(figsize=(7, 3.2))
    left, right = drawing.subplots(1, 2)
    times, shown = runs["times"], (*BUDGETS, *MORE)
    added = {rho: runs[rho] - runs[FREE] for rho in shown}
    at = np.array([float(rho) for rho in shown])
    factor = added[shown[0]][:, -1].mean() * np.sqrt(at[0]) / np.log(times[-1]) ** 2
    for T, colour in zip((1000, 10_000, times[-1]), COLOURS, strict=False):
        k = times.tolist().index(T)
        middle = [added[rho][:, k].mean() for rho in shown]
        bars = [2 * added[rho][:, k].std() / np.sqrt(len(added[rho])) for rho in shown]
        left.errorbar(at, middle, bars, color=colour, label=f"T = {T:,}".replace(",", " "), capsize=2)
        left.plot(at, factor * np.log(T) ** 2 / np.sqrt(at), ":", color=colour)
    left.set(xscale="log", yscale="log", xlabel="budget \u03c1", ylabel="added mean regret")
    left.legend()
    for rho, colour in zip(BUDGETS, COLOURS, strict=False):
        free = runs[FREE].mean(axis=0)
        right.plot(
            times, added[rho].mean(axis=0) / free, color=colour, label=f"\u03c1 = {rho}", marker="o", markersize=3
        )
        right.plot(times, factor * np.log(times) ** 2 / np.sqrt(float(rho)) / free, ":", color=colour)
    right.set(xscale="log", xlabel="t", ylabel="price of privacy", ylim=(0, None))
    right.legend()
    return drawing
