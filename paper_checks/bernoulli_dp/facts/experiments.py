r"""Panels of the figures, tests of runs against runs and against the lower bound, and drawings of panels.

Regret is judged run by run: by the probability that a run does better than another, or stays below a multiple of the
lower bound, with exact binomial intervals. Means are compared only where enough runs make a valid interval. A claim of
this kind has no relation that could be evaluated at a point; its function is a signature and a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from banditproof.claims import COLOURS, INK, Arrays, Check, statistics
from banditproof.paper_checks.bernoulli_dp.studies import BUDGETS, INSTANCES, RECORD_TIMES, lower_bound
from banditproof.verify import Domain, event_test

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

Test = dict[str, Any]
Instance = Annotated[Any, "all: mu1, mu2, mu3, mu4"]
Budget = Annotated[Any, BUDGETS]
PANELS = Domain.of(instance="all: mu1, mu2, mu3, mu4", epsilon=BUDGETS)
POLICIES = ("DP-IMED", "DP-KLUCB")
RUNS = ("runs of both algorithms", "claimed order")


def panels() -> Iterator[tuple[str, str]]:
    """The instance and budget of every panel of Figures 1 and 4 to 7, and Figure 1's budget in the other instances."""
    return ((instance, budget) for instance in INSTANCES for budget in BUDGETS)


def below(name: str, a: np.ndarray, b: np.ndarray, probability: Any = "1/2") -> Test:
    """A test that a run of the first kind has less regret than an independent one of the second."""
    pairs = min(len(a), len(b))
    return event_test(name, a[:pairs] < b[:pairs], ">=", probability)


NOT_NEAR = [{"low": "1.2"}, {"high": "1/2"}]


def near_lower_bound(
    regrets: Callable[[Check, str], Iterable[tuple[str, np.ndarray, Fraction]]], covers: Any = None
) -> statistics:
    """The step: at least half of the runs lie above, and half below, the stated multiples of the lower bound.

    `regrets` gives names, runs, and the bound in question.
    """

    def tests(check: Check, stream: str) -> list[Test]:
        low, high = check.constants["low"], check.constants["high"]
        return [
            test
            for name, regret, bound in regrets(check, stream)
            for test in (
                event_test(f"{name}: at most {high} times the bound", regret <= float(high * bound), ">=", "1/2"),
                event_test(f"{name}: at least {low} of the bound", regret >= float(low * bound), ">=", "1/2"),
            )
        ]

    routes = ("runs of the algorithms", "coefficient of Theorem 3.1, as an enclosure, times log T")
    return statistics(tests, covers, routes)


BAND = (0.1, 0.9)
SHOWN = (
    r"Median (line) and 10 % to 90 % band of the regret over time for $n_0=1$, $\alpha=2$, ties broken at random; "
    r"DP-SE with $\beta=1/T$ plays the arms in order, the best first; AdaP-KLUCB with optimism 3.1; dashed: the "
    r"coefficient of Theorem 3.1 times $\log t$. The paper plots means of 20 runs. Lazy-DP-TS and non-private IMED "
    r"decide at every pull and end early under the quick profile."
)


def draw_band(axes: Any, times: np.ndarray, regret: np.ndarray, colour: str, name: str) -> None:
    """Median and quantile band of regret [runs, times]."""
    low, median, high = np.quantile(regret, (BAND[0], 0.5, BAND[1]), axis=0)
    axes.plot(times, median, color=colour, label=f"{name} ({len(regret)} runs)")
    axes.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)


def draw_bound(axes: Any, at: np.ndarray, bounds: Iterable[Fraction]) -> None:
    axes.plot(at, [float(bound) for bound in bounds], "--", color=INK, linewidth=1, label="lower bound")


def draw_panels(cells: Sequence[tuple[str, str]], rows: int, free: Arrays, private: Iterable[Arrays]) -> Drawing:
    """Regret over time in two columns of panels."""
    from matplotlib.figure import Figure as Drawing

    regret = {name: runs for arrays in private for name, runs in arrays.items()}
    drawing: Any = Drawing(figsize=(7, 2.8 * rows))
    for axes, (instance, budget) in zip(drawing.subplots(rows, 2).flat, cells, strict=True):
        for policy, colour in zip(("DP-KLUCB", "DP-IMED", "Lazy-DP-TS", "AdaP-KLUCB", "DP-SE"), COLOURS, strict=False):
            runs = regret[f"{policy}, {instance}, {budget}"]
            draw_band(axes, RECORD_TIMES[: runs.shape[1]], runs, colour, policy)
        draw_band(axes, free["times"], free[instance], COLOURS[-1], "IMED")
        draw_bound(axes, RECORD_TIMES, (lower_bound(INSTANCES[instance], budget, int(t)) for t in RECORD_TIMES))
        axes.set(xscale="log", yscale="log", xlabel="t", ylabel="regret", ylim=(1, None))
        axes.set_title(f"{instance.replace('mu', 'μ')}, ε = {budget}")
    drawing.legend(*drawing.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=7)
    return drawing
