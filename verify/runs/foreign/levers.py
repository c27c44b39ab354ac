"""What can be varied in a run while everything else stays: a draw, or one variable that two independent draws make.

Noise is often made of two draws: a width and a sign, the difference of two exponential or of two geometric variables.
No value of one of them alone then does what the noise does. But the pair is a variable Z of known law and something
that does not depend on it: the distance of the sign's uniform draw from an end, or the smaller one of the two. So that
can stay, and Z is varied like a single draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, copysign, exp, floor, log, log1p
from typing import Any

from banditproof.verify.runs.foreign.draws import BELOW_ONE, Draw, Name, Place


@dataclass(frozen=True)
class Lever:
    """A variable with this law and value; `at` says what its draws are for another value.

    `key` is the same for what the same lines draw in another run, `pulls` after how many pulls they did.
    """

    key: Hashable
    law: str
    value: float
    pulls: int
    names: tuple[Name, ...]
    lines: tuple[Place, ...]  # that ask for these draws
    at: Callable[[float], dict[Name, float]]
    rate: float = 0.0  # of whole-numbered noise: its probabilities fall by exp(-rate) with each step
    by: Callable[[int], dict[Name, float]] | None = None  # what its draws are so many steps from here
    line: Hashable = None  # the same for all that the same lines draw
    called: Hashable = None  # the same for all that these lines draw when the same lines call them


def levers(draws: Sequence[Draw], time: int) -> Iterator[Lever]:
    """All of them, in the order of the draws; their keys count the draws of a line, 1 for the first after `time`."""
    ranks = Counter(dict.fromkeys(map(_line_of, draws), 0))
    ranks.subtract(_line_of(draw) for draw in draws if draw.pulls <= time)
    before: list[Draw] = []
    for draw in draws:
        line = _line_of(draw)
        ranks[line] += 1
        key = *line, ranks[line]
        alone = Lever(key, draw.law, draw.value, draw.pulls, (draw.name,), draw.places[:1], _alone(draw.name))
        yield replace(alone, line=line, called=_called(draw))
        before = [other for other in before if other.pulls == draw.pulls]
        near = (d for d in reversed(before) if d.name[-1] == draw.name[-1] and d.name[:-1] != draw.name[:-1])
        other = next(near, None)  # the same place of what another call asks for
        made = None if other is None else _made_of(other, draw)
        if other is not None and made is not None:
            alike = _called(other)[:2] == _called(draw)[:2]
            names, lines = (other.name, draw.name), (other.places[0], draw.places[0])
            value, at, *steps = made
            pair = Lever((key, _line_of(other)), "laplace", value, draw.pulls, names, lines, at, *steps)
            yield replace(pair, line=(line, _line_of(other)), called=_called(draw) if alike else None)
        before.append(draw)


def together(draws: Sequence[Draw]) -> Lever:
    """Draws of one law that are varied together, such as the coins that one sum is made of."""
    first, names = draws[0], tuple(draw.name for draw in draws)
    return Lever(names, first.law, first.value, first.pulls, names, first.places[:1], lambda v: dict.fromkeys(names, v))


def _alone(name: Name) -> Callable[[float], dict[Name, float]]:
    return lambda value: {name: value}


def _line_of(draw: Draw) -> tuple[Hashable, ...]:
    """The line that asks for a draw, with the place of the draw in what it asks for."""
    counted = len(draw.name) == 4  # in its stream, not at its line
    return draw.spot, draw.name[-1], 0 if counted else draw.name[-3]


def _called(draw: Draw) -> tuple[Hashable, ...]:
    """The line that asks for a draw with the one that calls it, and the place of the draw in what it asks for."""
    return draw.spot, draw.places[1:2], draw.name[-1]


def _made_of(one: Draw, two: Draw) -> tuple[Any, ...] | None:
    """A Laplace variable that two draws make: its value, and the draws for another one; how it steps, if it does."""
    if {one.law, two.law} == {"exponential", "uniform"}:
        width, sign = (one, two) if one.law == "exponential" else (two, one)
        side = min(sign.value, 1 - sign.value)

        def signed(value: float) -> dict[Name, float]:
            return {width.name: abs(value), sign.name: side if value < 0 else min(1 - side, BELOW_ONE)}

        return copysign(width.value, sign.value - 0.5), signed
    if one.law == two.law == "exponential":
        least = min(one.value, two.value)

        def difference(value: float) -> dict[Name, float]:
            return {one.name: least + max(value, 0.0), two.name: least + max(-value, 0.0)}

        return one.value - two.value, difference
    if one.success and one.success == two.success:
        return _geometric_difference(one, two)
    return None


def _geometric_difference(one: Draw, two: Draw) -> tuple[Any, ...]:
    """Two geometric variables with the same parameter: their difference, found by a Laplace variable, and the smaller
    one are independent."""
    rate = -log1p(-one.success)
    trials = [max(1, ceil(-log1p(-draw.value) / rate)) for draw in (one, two)]
    least, away = min(trials), trials[0] - trials[1]
    odd = log1p(exp(-rate))  # P(difference >= k) = exp(-rate k - odd)

    def found(count: int) -> float:
        return min(1 - (exp(-rate * (count - 1)) + exp(-rate * count)) / 2, BELOW_ONE)

    def apart(difference: int) -> dict[Name, float]:
        return {one.name: found(least + max(difference, 0)), two.name: found(least + max(-difference, 0))}

    def at(value: float) -> dict[Name, float]:
        far = floor((abs(value) + log(2) - odd) / rate)  # the tail beyond the value is exp(-|value|) / 2
        return apart(far if value > 0 else -far)

    middle = (abs(away) + 0.5) * rate + odd - log(2) if away else 0.0
    return copysign(middle, away), at, rate, lambda steps: apart(away + steps)
