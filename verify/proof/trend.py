"""Decision rules for asymptotic statements, fixed before the values are seen.

A series is a list of ``(index, value)``; values are numbers or enclosures written as ``[lower, upper]``. A rule says
'follows', 'contradicts' or 'unclear'. A trend never proves anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from banditproof.theory.errors import InvalidInput, one_of

Series = Sequence[tuple[Any, Any]]


def _range(value: Any) -> tuple[float, float]:
    if isinstance(value, list | tuple):
        return float(value[0]), float(value[1])
    if isinstance(value, Mapping):
        from banditproof.theory.numbers.enclosure import Enclosure

        enclosure = Enclosure.from_json(dict(value))
        return float(enclosure.lower), float(enclosure.upper)
    return float(value), float(value)


def vanishes(series: Series, parameters: Mapping[str, Any]) -> str:
    """Tends to zero: the second half never rises, and the last value is below ``tolerance``."""
    values = [_range(v) for _, v in series]
    tolerance = float(parameters["tolerance"])
    half = values[len(values) // 2 :]
    falling = all(b[0] <= a[1] for a, b in zip(half, half[1:], strict=False))
    if falling and max(map(abs, values[-1])) <= tolerance:
        return "follows"
    rising = half[-1][0] > half[0][1] and half[-1][0] > tolerance
    return "contradicts" if rising else "unclear"


def tends_to(series: Series, parameters: Mapping[str, Any]) -> str:
    """Tends to ``limit``: the distance to it vanishes in the sense of :func:`vanishes`."""
    limit = float(parameters["limit"])
    distances = [(n, _distance(_range(v), limit)) for n, v in series]
    return vanishes(distances, parameters)


def grows(series: Series, parameters: Mapping[str, Any]) -> str:
    """Diverges: the second half never falls, and the last value exceeds ``threshold``."""
    values = [_range(v) for _, v in series]
    half = values[len(values) // 2 :]
    rising = all(b[1] >= a[0] for a, b in zip(half, half[1:], strict=False))
    if rising and values[-1][0] >= float(parameters["threshold"]):
        return "follows"
    return "contradicts" if half[-1][1] < half[0][0] else "unclear"


def stays_below(series: Series, parameters: Mapping[str, Any]) -> str:
    """Every value in the second half is at most ``bound``."""
    values = [_range(v) for _, v in series][len(series) // 2 :]
    bound = float(parameters["bound"])
    if all(v[1] <= bound for v in values):
        return "follows"
    return "contradicts" if all(v[0] > bound for v in values) else "unclear"


def _distance(value: tuple[float, float], limit: float) -> tuple[float, float]:
    below, above = value[0] - limit, value[1] - limit
    nearest = 0.0 if below <= 0 <= above else min(abs(below), abs(above))
    return nearest, max(abs(below), abs(above))


RULES: dict[str, Callable[[Series, Mapping[str, Any]], str]] = {
    f.__name__: f for f in (vanishes, tends_to, grows, stays_below)
}
PARAMETERS = {
    "vanishes": ("tolerance",),
    "tends_to": ("limit", "tolerance"),
    "grows": ("threshold",),
    "stays_below": ("bound",),
}


def judge(rule: str, series: Series, parameters: Mapping[str, Any]) -> str:
    """Apply a named rule to a series of at least four values."""
    one_of("rule of a trend", rule, RULES)
    asked = PARAMETERS[rule]
    known = {name for names in PARAMETERS.values() for name in names}
    if not set(asked) <= set(parameters) <= known:
        given = ", ".join(parameters) or "none"
        raise InvalidInput(f"parameters of the trend {rule!r}", given, f"{' and '.join(asked)}")
    if len(series) < 4:
        raise InvalidInput("series of a trend", len(series), "at least 4 values")
    return RULES[rule](series, parameters)
