"""``--plot out.svg``: bounds against the privacy budget with the regimes marked, and regret curves."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.theory.errors import InvalidInput

if TYPE_CHECKING:
    from banditproof.theory.numbers.enclosure import Enclosure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
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


def plot_against_budget(
    path: Path,
    bounds_at: Callable[[float], Mapping[str, Enclosure | None]],
    changes: Sequence[float],
    *,
    title: str,
    ylabel: str,
    budget: str = "epsilon",
    marked: float | None = None,
) -> None:
    """Draw every bound on logarithmic axes over budgets around the changes of regime.

    `bounds_at(budget)` names the bounds and their enclosures (None where a bound does not apply); they are drawn at
    their lower ends, which is what is guaranteed. The changes of regime are vertical lines, the range in which some
    arms are in the high and others in the low privacy regime is shaded, and `marked` is the budget asked for.
    Raises InvalidInput for a path that cannot be written.
    """
    if not can_draw(path):
        return
    from matplotlib import rc_context

    print(f"computing bounds at {POINTS} budgets for {path}", file=sys.stderr)
    interesting = [change for change in (*changes, marked) if change and 0 < change < math.inf] or [1.0]
    low, high = min(interesting) / SPAN, max(interesting) * SPAN
    budgets = [low * (high / low) ** (i / (POINTS - 1)) for i in range(POINTS)]
    values = [bounds_at(value) for value in budgets]
    with rc_context(STYLE):
        drawing = _draw(budgets, values, [c for c in changes if 0 < c < math.inf], title, ylabel, budget, marked)
        _write(drawing, path)


def can_draw(path: Path) -> bool:
    """Whether matplotlib is there; if not, one line says so.

    Raises InvalidInput, before anything is computed, for a path that cannot be drawn into.
    """
    if find_spec("matplotlib") is None:
        print(f"{path} is not drawn: pip install 'banditproof[report]' (matplotlib missing)", file=sys.stderr)
        return False
    check_path(path)
    return True


def check_path(path: Path) -> None:
    """Raises InvalidInput for a path that cannot be drawn into, as far as can be told without matplotlib."""
    if find_spec("matplotlib") is None:
        return
    from matplotlib.figure import Figure

    known = Figure().canvas.get_supported_filetypes()
    if not path.parent.is_dir() or path.is_dir() or path.suffix.lstrip(".") not in {"", *known}:
        allowed = f"a file in a folder that exists, such as out.svg, of a kind among {', '.join(sorted(known))}"
        raise InvalidInput("plot", str(path), allowed)


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
    names = list(dict.fromkeys(name for row in values for name in row))
    for index, name in enumerate(names):
        heights = [_height(row.get(name)) for row in values]
        if all(map(math.isnan, heights)):
            continue
        look = {"color": COLOURS[index % len(COLOURS)], "linestyle": DASHES[index % len(DASHES)]}
        axes.plot(budgets, heights, label=name, **look)
    axes.set(xscale="log", yscale="log", xlabel=f"privacy budget {budget}", ylabel=ylabel, title=title)
    axes.grid(alpha=0.2)
    if changes:
        _mark_regimes(axes, min(changes), max(changes), sorted(set(changes)))
    if marked is not None:
        axes.axvline(marked, color="#000000", linewidth=1, linestyle=(0, (4, 2)))
        axes.annotate(f"{budget} = {marked:g}", (marked, 0.02), xycoords=("data", "axes fraction"), rotation=90,
                      xytext=(3, 0), textcoords="offset points", fontsize=8)  # fmt: skip
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


def _write(drawing: Any, path: Path) -> None:
    drawn = io.BytesIO()  # what draws into a file on a full disk raises whatever comes to its mind
    try:
        drawing.savefig(drawn, format=path.suffix.lstrip(".") or "svg", metadata={"Date": None})
        path.write_bytes(drawn.getvalue())
    except (OSError, ValueError) as error:
        raise InvalidInput("plot", str(path), f"a file that can be written, such as out.svg ({error})") from None
    print(f"drawn: {path}", file=sys.stderr)


def plot_curves(
    path: Path,
    places: Any,
    curves: Mapping[str, Any],
    *,
    title: str,
    axes: tuple[str, str] = ("pulls", "regret"),
    lines: Mapping[str, Any] | None = None,
    changes: Sequence[float] = (),
) -> None:
    """Draw curves over `places` [n] on logarithmic axes; each is (middle, low, high), every one [n].

    `lines` are drawn beside them, `changes` of regime are vertical. Ask `can_draw` first, before what is to be drawn is
    computed.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(6.4, 4.2))
        plane = drawing.subplots()
        for index, (name, (middle, low, high)) in enumerate(curves.items()):
            colour = COLOURS[index % len(COLOURS)]
            plane.plot(places, middle, label=name, color=colour, linestyle=DASHES[index % len(DASHES)])
            plane.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)
        for name, heights in (lines or {}).items():
            plane.plot(places, heights, label=name, color="#000000", linewidth=1)
        plane.set(xscale="log", yscale="log", xlabel=axes[0], ylabel=axes[1], title=title)
        plane.grid(alpha=0.2)
        if changes:
            _mark_regimes(plane, min(changes), max(changes), sorted(set(changes)))
        plane.legend(frameon=False, fontsize=8)
        _write(drawing, path)


def plot_rates(
    path: Path, panels: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Mapping[float, float]]]], *, title: str
) -> None:
    """Draw measured regret with intervals and fitted exponents beside bounds and rates, one panel per axis label.

    Every panel is (curves, lines): `RateCurve`s by name, and bounds or rates by name as values at sizes; a line with
    the name of a curve has its colour. Ask `can_draw` first.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(6.4 * len(panels), 5.2))
        drawing.suptitle(title)
        for axes, (label, (curves, lines)) in zip(
            drawing.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True
        ):
            colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(curves)}
            for name, curve in curves.items():
                low, high = curve.interval
                said = f"{name}: exponent {curve.exponent:.3f} [{low:.3f}, {high:.3f}]"
                axes.plot(curve.sizes, curve.mean, label=said, color=colours[name], marker="o", markersize=4)
                axes.fill_between(curve.sizes, curve.low, curve.high, color=colours[name], alpha=0.2, linewidth=0)
            for i, (name, values) in enumerate(lines.items()):
                look = {"color": colours.get(name, "#555555"), "linestyle": DASHES[1 + i % (len(DASHES) - 1)]}
                said = f"{name}: bound" if name in colours else name
                axes.plot(list(values), list(values.values()), label=said, linewidth=1, **look)
            axes.set(xscale="log", yscale="log", xlabel=label, ylabel="regret")
            axes.grid(alpha=0.2)
            axes.legend(frameon=False, fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
        _write(drawing, path)


def plot_trade_offs(path: Path, curves: Mapping[str, Any], *, title: str) -> None:
    """Draw trade-off curves; each is ((levels, powers) as counted, (levels, powers) of theory or None)."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing: Any = Figure(figsize=(5.2, 4.2))
        axes = drawing.subplots()
        for (name, (counted, theory)), colour in zip(curves.items(), (*COLOURS, *COLOURS), strict=False):
            axes.step(*counted, where="post", color=colour, label=name)
            if theory is not None:
                axes.plot(*theory, ":", color=colour)
        axes.set(
            xscale="log", xlim=(1e-3, 1), ylim=(0, 1), xlabel="level (false positives)", ylabel="power", title=title
        )
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.14), "ncols": 3}  # curves reach every corner
        axes.legend(frameon=False, fontsize=8, title="solid: counted; dotted: theory", **below)
        _write(drawing, path)
