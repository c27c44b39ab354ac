r"""Appendix G: regret over time in all instances (Figures 4 to 7), and against the privacy budget (Figure 8).

The figures are drawn again from the studies: medians and bands instead of means of 20 runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from banditproof.claims import COLOURS, Arrays, Check, claim, figure, item, statistics
from banditproof.paper_checks.bernoulli_dp.facts.experiments import (
    NOT_NEAR,
    PANELS,
    POLICIES,
    RUNS,
    SHOWN,
    Budget,
    Instance,
    Test,
    below,
    draw_band,
    draw_bound,
    draw_panels,
    near_lower_bound,
    panels,
)
from banditproof.paper_checks.bernoulli_dp.studies import (
    BENCHMARK,
    COMPARED,
    EARLIER,
    FIGURE_8,
    INSTANCES,
    LAZY,
    SWEEP,
    lower_bound,
)
from banditproof.verify import Domain

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

item(
    "BDP-E-G1",
    r"(Figures 4 to 7) DP-IMED and DP-KLUCB have the lowest regret for $\mu_1,\dots,\mu_4$ and all budgets",
    domain=PANELS,
)


def imed_against_klucb(check: Check, stream: str) -> list[Test]:
    regret = {name: array[:, -1] for name, array in check.study(COMPARED, stream).items()}
    return [
        below(panel, regret[f"DP-IMED, {panel}"], regret[f"DP-KLUCB, {panel}"], check.constants["probability"])
        for panel in map(", ".join, panels())
    ]


@claim(
    "BDP-E-G1/imed-below-klucb",
    statistics(imed_against_klucb, routes=RUNS),
    false={"probability": "0.995"},
    role="figure",
    studies=[COMPARED],
)
def imed_is_below_klucb(instance: Instance, epsilon: Budget, probability=Fraction(1, 2)):
    r"""in every panel a run of DP-IMED has less regret than one of DP-KLUCB with probability at least $1/2$ ($T=10^6$,
    $n_0=1$, $\alpha=2$)

    Single runs are compared; the means may be in the other order, since the regret of DP-IMED has heavy tails (see
    BDP-E5.1).
    """


def of_panels(check: Check, stream: str) -> Iterator[tuple[str, np.ndarray, Fraction]]:
    regret = check.study(COMPARED, stream)
    for policy, (instance, budget) in itertools.product(POLICIES, panels()):
        name = f"{policy}, {instance}, {budget}"
        yield name, regret[name][:, -1], lower_bound(INSTANCES[instance], budget)


@claim("BDP-E-G1/near-the-lower-bound", near_lower_bound(of_panels), false=NOT_NEAR, role="figure", studies=[COMPARED])
def panels_near_the_lower_bound(instance: Instance, epsilon: Budget, low=Fraction(1, 2), high=2):
    r"""in every panel the median regret of both algorithms at $T=10^6$ lies within $[1/2,2]$ times the lower bound of
    Theorem 3.1, $2$ being the batch ratio $\alpha$ of Theorem 4.3

    Both theorems are asymptotic, so they imply neither side at this horizon; a value below the bound is no
    contradiction.
    """


SWEPT = [f"{k}/100" for k in range(1, 101)]
Swept = Annotated[Any, SWEPT]

item(
    "BDP-E-G2",
    r"""(Figure 8) for $\mu=(.8,.1,.1,.1,.1)$, $\alpha=1.1$, $T=10^7$ and 100 budgets in $[0,1]$ (without 0, where
    $\mathrm{Lap}(1/\epsilon)$ is not defined) the regret of DP-IMED matches the lower bound, and the change between the
    privacy regimes is smooth""",
    domain=Domain.of(epsilon=SWEPT),
)


def swept(check: Check) -> list[str]:
    return SWEEP.parameters(check.profile)["budgets"]


def sweep_near_the_lower_bound(n0: int) -> statistics:
    def regrets(check: Check, stream: str) -> Iterator[tuple[str, np.ndarray, Fraction]]:
        for budget, row in zip(swept(check), check.study(SWEEP, stream)[f"n0 = {n0}"], strict=True):
            yield budget, row, lower_bound(FIGURE_8, budget, 10**7)

    return near_lower_bound(regrets, covers=lambda check: {"epsilon": swept(check)})


@claim("BDP-E-G2/matches", sweep_near_the_lower_bound(1), false=NOT_NEAR, studies=[SWEEP])
def regret_matches_the_lower_bound(epsilon: Swept, low=Fraction(1, 2), high=2):
    r"""at every budget the median regret lies within $[1/2,2]$ times the lower bound ($n_0=1$)"""


@claim(
    "BDP-E-G2/matches-with-ten-first-pulls",
    sweep_near_the_lower_bound(10),
    false=NOT_NEAR,
    role="reading",
    studies=[SWEEP],
)
def regret_matches_with_ten_first_pulls(epsilon: Swept, low=Fraction(1, 2), high=2):
    r"""at every budget the median regret lies within $[1/2,2]$ times the lower bound ($n_0=10$)"""


def draw_instance(number: int, instance: str) -> None:
    @figure(
        f"bernoulli-dp-figure-{number}",
        studies=[BENCHMARK, COMPARED, EARLIER, LAZY[instance]],
        caption=rf"Figure {number} again. {SHOWN}",
        claims=["BDP-E-G1", "BDP-E-G1/near-the-lower-bound", "BDP-E-G1/imed-below-klucb", "BDP-E-G1/vs-lazy-dp-ts"],
    )
    def figure_of_instance(free: Arrays, *private: Arrays) -> Drawing:
        return draw_panels([(instance, budget) for budget in ("0.01", "0.1", "0.5", "1")], 2, free, private)


for number, instance in zip(range(4, 8), INSTANCES, strict=True):
    draw_instance(number, instance)


@figure(
    "bernoulli-dp-figure-8",
    studies=[SWEEP],
    caption=r"Figure 8, reproduced: regret of DP-IMED at $T=10^7$ against the budget, "
    r"$\mu=(.8,.1,.1,.1,.1)$, $\alpha=1.1$; "
    r"median (line) and 10 % to 90 % band for two values of $n_0$, which the paper leaves open; dashed: the "
    r"coefficient of Theorem 3.1 times $\log T$. The paper plots mean and standard deviation of 20 runs. The whole "
    r"range is in the high privacy regime: the change comes at $\epsilon_0(.1,.8)=\log36\approx3.58$.",
    claims=["BDP-E-G2", "BDP-E-G2/matches", "BDP-E-G2/change-is-plotted"],
)
def figure_8(sweep: Arrays) -> Drawing:
    """Regret against the budget."""
    from matplotlib.figure import Figure as Drawing

    drawing: Any = Drawing()
    axes, budgets = drawing.subplots(), sweep["budget"]
    for name, colour in zip(("n0 = 1", "n0 = 10"), COLOURS, strict=False):
        draw_band(axes, budgets, sweep[name].T, colour, f"DP-IMED, {name}")
    draw_bound(axes, budgets, (lower_bound(FIGURE_8, f"{b:.2f}", 10**7) for b in budgets))
    axes.set(yscale="log", xlabel="budget ε", ylabel="regret at T = 10⁷", xlim=(0, 1))
    axes.legend(loc="upper right")
    return drawing
