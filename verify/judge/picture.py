"""A picture of a comparison in one or two variables: both sides, or where it holds, with the place that decides.

What is drawn are floats; the verdict does not rest on them. Every function here raises ImportError without matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isinf
from typing import Any

import numpy as np

from banditproof.theory.drawing import COLOURS, DASHES, STYLE
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.printing import plain, plain_sentence
from banditproof.verify.judge.formulas.sentence import All, Compare, Range, Sentence
from banditproof.verify.judge.found import Found

ALONG, ACROSS = 600, 160  # points of a line, and on each side of a map
FAR = 10.0  # how far an infinite range is drawn, and how far beyond a marked point relative to it
COUNTS = 60  # of a variable that counts
INSIDE = 1e-9  # how near an open end is drawn
FAILS, HOLDS, NOTHING = COLOURS[1], "#cfe3f1", "#dddddd"


class NoPicture(ValueError):
    """Why a statement has no picture, in words."""


def picture(answer: Found) -> Any:
    """The figure of an answer. Raises NoPicture for more than two variables, and for what is no comparison."""
    from matplotlib import rc_context

    reading = answer.reading
    if reading is None:
        raise NoPicture("the statement was not read")
    comparison, names = _comparison(reading.sentence, answer), list(reading.ranges)
    if len(names) not in (1, 2):
        raise NoPicture(f"a picture has one or two variables, and the statement has {len(names)}")
    marked = _marked(answer)
    with rc_context(STYLE):
        draw = _line if len(names) == 1 else _map
        figure = draw(comparison, reading.ranges, marked)
        figure.suptitle(f"{answer.verdict}: {plain_sentence(comparison)}", fontsize=9, wrap=True)
        return figure


def _comparison(sentence: Sentence, answer: Found) -> Compare:
    """The comparison that is drawn: the part that fails, or the first."""
    failing = answer.failure.sentence if answer.failure is not None else None
    while isinstance(sentence, All):
        sentence = failing if failing in sentence.parts else sentence.parts[0]
    if not isinstance(sentence, Compare):
        raise NoPicture("only a comparison of two formulas is drawn")
    return sentence


def _marked(answer: Found) -> tuple[str, Mapping[str, Fraction]] | None:
    """The place that decides, and what it is."""
    if answer.failure is not None:
        return ("no value" if answer.failure.kind == "no value" else "counterexample"), answer.failure.point
    return None if answer.closest is None else ("where the sides come closest", answer.closest[1])


def _places(values: Range, name: str, marked: tuple[str, Mapping[str, Fraction]] | None, points: int) -> Any:
    """Where a variable is drawn: its range, or the part of it around the marked place."""
    low, high = (float(value_of(end, {})) for end in (values.low, values.high))
    place = float(marked[1][name]) if marked is not None and name in marked[1] else None
    far = FAR if place is None else max(FAR, 2 * abs(place))
    if isinf(low) and isinf(high):
        low, high = -far, far
    elif isinf(high):
        high = low + far
    elif isinf(low):
        low = high - far
    if values.integer:
        step = max(1, round((high - low) / COUNTS))
        counts = np.arange(np.ceil(low), high + 1, step)
        return counts if place is None else np.unique(np.append(counts, place))
    inside = INSIDE * (high - low)
    return np.linspace(low + inside * values.low_open, high - inside * values.high_open, points)


def _line(comparison: Compare, ranges: Mapping[str, Range], marked: Any) -> Any:
    from matplotlib.figure import Figure

    ((name, values),) = ranges.items()
    at = _places(values, name, marked, ALONG)
    figure = Figure(figsize=(6, 3.6))
    axes = figure.subplots()
    for side, colour, dash in zip((comparison.left, comparison.right), COLOURS, DASHES, strict=False):
        drawn = _sides(side, {name: at}, at.shape)
        style: dict[str, Any] = {"marker": "o", "markersize": 3, "linestyle": ""} if values.integer else {}
        axes.plot(at, drawn, label=plain(side), color=colour, **{"linestyle": dash, **style})
    if marked is not None:
        axes.axvline(float(marked[1][name]), color="#555555", linestyle=":", linewidth=1, label=marked[0])
    axes.set_xlabel(name)
    axes.legend(frameon=False, fontsize=8)
    return figure


def _map(comparison: Compare, ranges: Mapping[str, Range], marked: Any) -> Any:
    from matplotlib.colors import BoundaryNorm, ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    (first, across), (second, up) = ranges.items()
    x, y = _places(across, first, marked, ACROSS), _places(up, second, marked, ACROSS)
    grid = dict(zip((first, second), np.meshgrid(x, y), strict=True))
    shape = (len(y), len(x))
    left, right = (_sides(side, grid, shape) for side in (comparison.left, comparison.right))
    holds = _COMPARED[comparison.sign](left, right)
    state = np.where(np.isnan(left) | np.isnan(right), 0, np.where(holds, 2, 1))
    figure = Figure(figsize=(6, 4.2))
    axes = figure.subplots()
    colours = ListedColormap([NOTHING, FAILS, HOLDS])
    axes.pcolormesh(x, y, state, cmap=colours, norm=BoundaryNorm([-0.5, 0.5, 1.5, 2.5], 3), shading="nearest")
    named = ((HOLDS, "holds"), (FAILS, "fails"), (NOTHING, "no value"))
    handles: list[Any] = [Patch(facecolor=colour, edgecolor="#555555", label=label) for colour, label in named]
    if marked is not None:
        place = (float(marked[1][first]), float(marked[1][second]))
        handles += axes.plot(*place, "kx", markersize=9, label=marked[0], clip_on=False)
    axes.set_xlabel(first)
    axes.set_ylabel(second)
    axes.legend(handles=handles, frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def _sides(side: Any, values: Mapping[str, Any], shape: tuple[int, ...]) -> Any:
    try:
        return np.broadcast_to(value_of(side, values), shape)
    except ValueError as error:
        raise NoPicture(str(error)) from None


ROUNDING = 1e-9  # sides that are equal up to this are drawn as equal


def _equal(left: Any, right: Any) -> Any:
    return np.isclose(left, right, rtol=ROUNDING, atol=ROUNDING)


_COMPARED = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: (left <= right) | _equal(left, right),
    ">": lambda left, right: left > right,
    ">=": lambda left, right: (left >= right) | _equal(left, right),
    "==": _equal,
    "!=": lambda left, right: ~_equal(left, right),
}
