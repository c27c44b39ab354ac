"""The paper's Figures 1, 4 to 7 and 8, drawn again from the studies: medians and bands instead of means of 20 runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.paper_checks.bernoulli_dp_baselines import EARLIER, LAZY
from banditproof.paper_checks.bernoulli_dp_simulations import (
    BENCHMARK,
    COMPARED,
    FIGURE_8,
    INSTANCES,
    RECORD_TIMES,
    SWEEP,
    lower_bound,
)
from banditproof.paper_checks.figures import COLOURS, INK, figure
from banditproof.paper_checks.study import Arrays

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

BAND = (0.1, 0.9)
SHOWN = (
    r"Median (line) and 10 % to 90 % band of the regret over time for $n_0=1$, $\alpha=2$, ties broken at random; "
    r"DP-SE with $\beta=1/T$ plays the arms in order, the best first; AdaP-KLUCB with optimism 3.1; dashed: the "
    r"coefficient of Theorem 3.1 times $\log t$. The paper plots means of 20 runs. Lazy-DP-TS and non-private IMED "
    r"decide at every pull and end early under the quick profile."
)  # fmt: skip


def _band(axes: Any, times: np.ndarray, regret: np.ndarray, colour: str, name: str) -> None:
    """Median and quantile band of regret [runs, times]."""
    low, median, high = np.quantile(regret, (BAND[0], 0.5, BAND[1]), axis=0)
    axes.plot(times, median, color=colour, label=f"{name} ({len(regret)} runs)")
    axes.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)


def _panel(axes: Any, regret: Arrays, free: Arrays, instance: str, budget: str) -> None:
    for policy, colour in zip(("DP-KLUCB", "DP-IMED", "Lazy-DP-TS", "AdaP-KLUCB", "DP-SE"), COLOURS, strict=False):
        runs = regret[f"{policy}, {instance}, {budget}"]
        _band(axes, RECORD_TIMES[: runs.shape[1]], runs, colour, policy)
    _band(axes, free["times"], free[instance], COLOURS[-1], "IMED")
    bound = [float(lower_bound(INSTANCES[instance], budget, int(t))) for t in RECORD_TIMES]
    axes.plot(RECORD_TIMES, bound, "--", color=INK, linewidth=1, label="lower bound")
    axes.set(xscale="log", yscale="log", xlabel="t", ylabel="regret", ylim=(1, None))


def _panels(cells: Sequence[tuple[str, str]], rows: int, free: Arrays, *private: Arrays) -> Drawing:
    from matplotlib.figure import Figure as Drawing

    regret = {name: runs for arrays in private for name, runs in arrays.items()}
    drawing: Any = Drawing(figsize=(7, 2.8 * rows))
    for axes, (instance, budget) in zip(drawing.subplots(rows, 2).flat, cells, strict=True):
        _panel(axes, regret, free, instance, budget)
        axes.set_title(f"{instance.replace('mu', 'μ')}, ε = {budget}")
    drawing.legend(*drawing.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=7)
    return drawing


@figure(
    "bernoulli-dp-figure-1",
    studies=[BENCHMARK, COMPARED, EARLIER, LAZY["mu1"], LAZY["mu2"]],
    caption=rf"Figure 1 again. {SHOWN}",
    claims=["BDP-E5.1", "BDP-E5.1/price-of-privacy", "BDP-E5.1/vs-lazy-dp-ts", "BDP-E5.1/twice-below-the-closest"],
)
def figure_1(free: Arrays, *private: Arrays) -> Drawing:
    """Regret over time at the budget of the main text. Source: BDP-E5.1"""
    return _panels([("mu1", "0.25"), ("mu2", "0.25")], 1, free, *private)


def _appendix(number: int, instance: str) -> None:
    @figure(
        f"bernoulli-dp-figure-{number}",
        studies=[BENCHMARK, COMPARED, EARLIER, LAZY[instance]],
        caption=rf"Figure {number} again. {SHOWN}",
        claims=["BDP-E-G1", "BDP-E-G1/near-the-lower-bound", "BDP-E-G1/imed-below-klucb", "BDP-E-G1/vs-lazy-dp-ts"],
    )
    def figure_of_instance(free: Arrays, *private: Arrays) -> Drawing:
        return _panels([(instance, budget) for budget in ("0.01", "0.1", "0.5", "1")], 2, free, *private)


for _number, _instance in zip(range(4, 8), INSTANCES, strict=True):
    _appendix(_number, _instance)


@figure(
    "bernoulli-dp-figure-8",
    studies=[SWEEP],
    caption=r"Figure 8 again: regret of DP-IMED at $T=10^7$ against the budget, $\mu=(.8,.1,.1,.1,.1)$, $\alpha=1.1$; "
    r"median (line) and 10 % to 90 % band for two values of $n_0$, which the paper leaves open; dashed: the "
    r"coefficient of Theorem 3.1 times $\log T$. The paper plots mean and standard deviation of 20 runs. The whole "
    r"range is in the high privacy regime: the change comes at $\epsilon_0(.1,.8)=\log36\approx3.58$.",
    claims=["BDP-E-G2", "BDP-E-G2/matches", "BDP-E-G2/change-is-plotted"],
)  # fmt: skip
def figure_8(swept: Arrays) -> Drawing:
    """Regret against the budget. Source: BDP-E-G2"""
    from matplotlib.figure import Figure as Drawing

    drawing: Any = Drawing()
    axes = drawing.subplots()
    budgets = swept["budget"]
    for name, colour in zip(("n0 = 1", "n0 = 10"), COLOURS, strict=False):
        _band(axes, budgets, swept[name].T, colour, f"DP-IMED, {name}")
    bound = [float(lower_bound(FIGURE_8, f"{b:.2f}", 10**7)) for b in budgets]
    axes.plot(budgets, bound, "--", color=INK, linewidth=1, label="lower bound")
    axes.set(yscale="log", xlabel="budget ε", ylabel="regret at T = 10⁷", xlim=(0, 1))
    axes.legend(loc="upper right")
    return drawing
