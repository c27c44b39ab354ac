"""The page of curves: how seconds and memory grow with what there is more of, from the benchmarks of ``run.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10
from pathlib import Path
from typing import Any

from measuring import write_between

from banditproof.theory.drawing import STYLE

PANELS = {  # what there is more of, and the benchmarks that have more of it
    "arms": ("characteristic-time", "private-characteristic-time", "regret-lower-bounds", "cold-start"),
    "pulls": ("every-pull ucb", "every-pull imed", "every-pull dp-ucb", "every-pull lazy-dp-ts"),
    "dimensions": ("adac-oful-dimensions",),
    "actions": ("g-optimal-design", "large-design"),
    "claims": ("claims",),
    "processes": ("processes", "dask-workers"),
}
CURVES = tuple(name for names in PANELS.values() for name in names)
BEGIN, END = "<!-- measured by benchmarks/run.py -->", "<!-- end -->"
MEMORY = 16 * 2**10  # MiB
NOTICED = 0.05  # of the memory: growth that says where it ends


def write(measured: Sequence[Mapping[str, Any]], page: Path) -> None:
    """The table between two marks of the page, and its picture beside it."""
    found = {one["name"]: one for one in measured}
    lines = ["| what grows | from | to | seconds | power | memory | 16 GiB hold |", "|---|---|---|---|---|---|---|"]
    for name in CURVES:
        rows, unit = found[name]["rows"], found[name]["rows"][0]["case"].partition(" ")[2]
        first, last = rows[0], rows[-1]
        power = "" if name in PANELS["processes"] else f"{found[name]['growth']:.2f}"
        lines.append(
            f"| {name}, {unit} | {first['size']:,} | {last['size']:,} | {first['seconds']:.3g} to {last['seconds']:.3g}"
            f" | {power} | {last['peak']:.0f} MiB | {_end(rows)} |"
        )
    write_between(page, BEGIN, END, "\n".join(lines))
    _draw(found, page.parent / "pictures" / f"{page.stem}.svg")


def _end(rows: Sequence[Mapping[str, Any]]) -> str:
    """The size that fills the memory if it grows on as between the two largest sizes, to one digit; "" if it stands."""
    before, last = rows[-2:]
    slope = (last["peak"] - before["peak"]) / (last["size"] - before["size"])
    if last["peak"] - before["peak"] < NOTICED * last["peak"]:
        return ""
    size = last["size"] + (MEMORY - last["peak"]) / slope
    return f"{floor(size / (step := 10 ** floor(log10(size)))) * step:,}"


def _draw(found: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter, ScalarFormatter

    drawing = Figure(figsize=(11, 6.5), layout="constrained")
    for axes, (what, names) in zip(drawing.subplots(2, 3).flat, PANELS.items(), strict=True):
        for name in names:
            rows = found[name]["rows"]
            axes.plot([row["size"] for row in rows], [row["seconds"] for row in rows], "o-", label=name)
        if what == "processes":
            axes.set(ylim=(0, None), xticks=[row["size"] for row in rows])
        else:
            axes.set(xscale="log", yscale="log")
            axes.xaxis.set_major_formatter(ScalarFormatter())
            axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set(xlabel=what, ylabel="seconds")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    with rc_context(STYLE):  # how text is written
        drawing.savefig(path, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
