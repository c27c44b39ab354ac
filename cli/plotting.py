"""``--plot out.svg``: whether a picture can be drawn, and writing it."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from banditproof.theory.drawing import COLOURS, DASHES, POINTS, STYLE
from banditproof.theory.errors import InvalidInput


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
    unnamed = path.is_file() and not path.suffix  # of some other kind
    if unnamed or not path.parent.is_dir() or path.is_dir() or path.suffix.lstrip(".") not in {"", *known}:
        allowed = f"a file in a folder that exists, such as out.svg, of a kind among {', '.join(sorted(known))}"
        raise InvalidInput("plot", str(path), allowed)


def draw(path: Path, picture: Callable[[], Any]) -> None:
    """Write a picture of bounds against the budget, once it is known that it can be drawn."""
    if can_draw(path):
        print(f"drawing {path}: bounds at {POINTS} budgets", file=sys.stderr)
        write(picture(), path)


def write(drawing: Any, path: Path) -> None:
    """Write a figure. Raises InvalidInput for a path that cannot be written."""
    from matplotlib import rc_context

    drawn = io.BytesIO()  # what draws into a file on a full disk raises whatever comes to its mind
    try:
        with rc_context(STYLE):  # how text is written
            drawing.savefig(drawn, format=path.suffix.lstrip(".") or "svg", metadata={"Date": None})
        path.write_bytes(drawn.getvalue())
    except (OSError, ValueError) as error:
        raise InvalidInput("plot", str(path), f"a file that can be written, such as out.svg ({error})") from None
    print(f"drawn: {path}", file=sys.stderr)


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
        write(drawing, path)


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
        write(drawing, path)
