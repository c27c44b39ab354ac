"""Pictures of bounds and curves: what the `plot` methods return, and what ``--plot`` writes.

matplotlib is imported when something is drawn; every function here raises ImportError without the extra `report`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from banditproof.theory.numbers.enclosure import Enclosure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
DOTS = (":", "-.", (0, (5, 3)), (0, (1, 4)))  # of the lines beside one curve
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "banditproof",
    "font.size": 9,
    "lines.linewidth": 1.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.constrained_layout.use": True,
}
POINTS = 81
SPAN = 30.0  # the budgets shown reach this factor below the first and above the last change of regime


def against_budget(
    bounds_at: Callable[[float], Mapping[str, Enclosure | None]],
    changes: Sequence[float],
    *,
    title: str,
    ylabel: str,
    budget: str = "epsilon",
    marked: float | None = None,
) -> Any:
    """A figure of every bound on logarithmic axes over budgets around the changes of regime.

    `bounds_at(budget)` names the bounds and their enclosures (None where a bound does not apply); they are drawn at
    their lower ends, which is what is guaranteed. The changes of regime are vertical lines, the range in which some
    arms are in the high and others in the low privacy regime is shaded, and `marked` is the budget asked for.
    """
    from matplotlib import rc_context

    interesting = [change for change in (*changes, marked) if change and 0 < change < math.inf] or [1.0]
    low, high = min(interesting) / SPAN, max(interesting) * SPAN
    budgets = [low * (high / low) ** (i / (POINTS - 1)) for i in range(POINTS)]
    values = [bounds_at(value) for value in budgets]
    with rc_context(STYLE):
        return _draw(budgets, values, [c for c in changes if 0 < c < math.inf], title, ylabel, budget, marked)


def _draw(
    budgets: list[float],
    values: list[Mapping[str, Enclosure | None]],
    changes: list[float],
    title: str,
    ylabel: str,
    budget: str,
    marked: float | None,
) -> Any:
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.4, 4.2))
    axes = drawing.subplots()
    same: dict[tuple[str, ...], list[str]] = {}  # bounds that are one curve have one line, with all their names
    for name in dict.fromkeys(name for row in values for name in row):
        heights = [_height(row.get(name)) for row in values]
        if not all(map(math.isnan, heights)):
            same.setdefault(tuple(f"{height:.6g}" for height in heights), []).append(name)
    for index, (heights, names) in enumerate(same.items()):
        look = {"color": COLOURS[index % len(COLOURS)], "linestyle": DASHES[index % len(DASHES)]}
        axes.plot(budgets, list(map(float, heights)), label=" = ".join(names), **look)
    axes.set(xscale="log", yscale="log", xlabel=f"privacy budget {budget}", ylabel=ylabel, title=title)
    axes.grid(alpha=0.2)
    if changes:
        _mark_regimes(axes, min(changes), max(changes), sorted(set(changes)))
    if marked is not None:
        axes.axvline(marked, color="#000000", linewidth=1, linestyle=(0, (4, 2)))
        axes.annotate(
            f"{budget} = {marked:g}",
            (marked, 0.02),
            xycoords=("data", "axes fraction"),
            rotation=90,
            xytext=(3, 0),
            textcoords="offset points",
            fontsize=8,
            bbox={"facecolor": "#ffffff", "edgecolor": "none", "pad": 1},
        )
    axes.legend(frameon=False, fontsize=8)
    return drawing


def _height(value: Enclosure | None) -> float:
    lower = math.nan if value is None else float(value.lower)
    return lower if 0 < lower < math.inf else math.nan  # a logarithmic axis has no place for the others


def _mark_regimes(axes: Any, first: float, last: float, changes: list[float]) -> None:
    for change in changes[:20]:  # many arms: the shade says it
        axes.axvline(change, color="#888888", linewidth=0.8, linestyle=":")
    if first < last:
        axes.axvspan(first, last, color="#888888", alpha=0.12, linewidth=0)
    for position, side, offset, text in ((first, "right", -4, "high privacy"), (last, "left", 4, "low privacy")):
        axes.annotate(text, (position, 1.0), xycoords=("data", "axes fraction"), ha=side, va="top", fontsize=8,
                      xytext=(offset, -2), textcoords="offset points", color="#555555")  # fmt: skip


def curves(
    places: Any,
    drawn: Mapping[str, Any],
    *,
    title: str,
    axes: tuple[str, str] = ("pulls", "regret"),
    lines: Mapping[str, tuple[str | None, Sequence[float], Sequence[float]]] | None = None,
    changes: Sequence[float] = (),
    notes: Sequence[str] = (),
) -> Any:
    """A figure of curves over `places` [n] on logarithmic axes; each is (middle, low, high), every one [n].

    `lines` are drawn beside them: (the curve that it belongs to, whose colour it has, or None; places; heights).
    `changes` of regime are vertical. `notes` are sentences under the axes.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(6.4, 4.2 + 0.2 * len(notes)))
        plane = drawing.subplots()
        for index, (name, (middle, low, high)) in enumerate(drawn.items()):
            colour = COLOURS[index % len(COLOURS)]
            plane.plot(places, middle, label=name, color=colour, linestyle=DASHES[index % len(DASHES)])
            plane.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)
        colours = dict(zip(drawn, (line.get_color() for line in plane.get_lines()), strict=True))
        beside: list[str] = []
        for name, (curve, at, heights) in (lines or {}).items():
            look: dict[str, Any] = {"color": "#000000"}
            if curve is not None:
                look = {"color": colours[curve], "linestyle": DOTS[beside.count(curve) % len(DOTS)]}
                beside.append(curve)
            plane.plot(at, heights, label=name, linewidth=1, **look)
        plane.set(xscale="log", yscale="log", xlabel=axes[0], ylabel=axes[1], title=title)
        plane.grid(alpha=0.2)
        if changes:
            _mark_regimes(plane, min(changes), max(changes), sorted(set(changes)))
        plane.legend(frameon=False, fontsize=8)
        if notes:
            drawing.supxlabel("\n".join(notes), fontsize=8, x=0.02, ha="left")
        return drawing
