"""The zero of an increasing function: found by a search that proves nothing, enclosed by the signs beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banditproof.theory.numbers.numeric import maximum, minimum, to_ball

MOST_STEPS = 300


def crossing(increasing: Callable[[Any], Any], low: Any, high: Any, bits: int) -> Any:
    """A ball around the zero in [low, high] of a function of balls that increases and changes its sign there.

    Its ends are 2^-bits of that interval apart, or more where rounding hides the signs.
    """
    apart = ((high - low) / to_ball(2) ** (bits + 1)).mid()
    nearby, width = _near_zero(increasing, low, high, apart), apart
    while width < high - low:
        below, above = (nearby - width).mid(), (nearby + width).mid()
        if (below <= low or increasing(below) < 0) and (above >= high or increasing(above) > 0):
            return maximum(below, low).union(minimum(above, high))
        width *= 4
    return low.union(high)


def _near_zero(increasing: Callable[[Any], Any], low: Any, high: Any, apart: Any) -> Any:
    """A number near the zero, by false position; of an end that stays half the value counts (the Illinois rule)."""
    at_low = at_high = rose = None
    point = high
    for _ in range(MOST_STEPS):
        before = point
        if at_low is None or at_high is None:
            point = ((low + high) / 2).mid()
        else:
            point = (low - at_low * (high - low) / (at_high - at_low)).mid()
        value = increasing(point).mid()
        if value == 0 or abs(point - before) < apart:
            break
        if value < 0:
            low, at_low = point, value
            at_high = at_high / 2 if rose is True and at_high is not None else at_high
        else:
            high, at_high = point, value
            at_low = at_low / 2 if rose is False and at_low is not None else at_low
        rose = bool(value < 0)
    return point
