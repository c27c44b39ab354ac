"""Looking for a place where a comparison fails: floats propose, exact numbers decide.

First the ends and corners with simple numbers, then many points of all scales at once, then descent from those where
the sides come closest. All draws have a fixed seed, so that the same statement is asked at the same points everywhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas import certain
from banditproof.verify.judge.formulas.certain import NoValue, Unknown
from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain, plain_sentence

Point = dict[str, Fraction]
FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "=="}

CORNERS, OF_SUMS = 900, 200  # of simple numbers, one for each variable
DRAWN = 6000  # points of all scales
CLOSEST = 8  # of them, from which one descends
DOWN, ROUNDS, LEAST_STEP = 40, 60, 1e-6  # tries in a round of descent, rounds, and the last step
SIMPLE = tuple(
    Fraction(n, d) for n, d in ((0, 1), (1, 1), (1, 2), (2, 1), (3, 1), (-1, 1), (-1, 2), (1, 10), (10, 1), (100, 1))
)
COUNTS = (*range(0, 41), 64, 100, 128, 1000, 10**4, 10**6, 10**9, 10**12, 10**20)
FAR_SUM, FAR_DRAWN_SUM, DRAWN_OF_SUMS = 2000, 200, 300
FARTHEST, OF_ALL = 300.0, 100  # power of ten, up to which one point of so many lies in a range without an end
FARTHER = 3  # a quarter of the points: their powers of ten are this many times those of the others
MOSTLY = 0.7  # of the points
WORST, SOME = 5, 0.04  # points that are asked exactly in a first look; the share at which it has to hold
FAR_COUNT = 10**4  # up to which every count of a single variable is asked
DENOMINATORS = (1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 1000, 10**4, 10**6)


@dataclass(frozen=True)
class Asked:
    """A comparison for all numbers in ranges that meet conditions: what points are looked for of.

    `printed`: whether its formulas are those of the paper. That one of ours has no value says nothing of a statement.
    `solved`: variables in whose place a formula stands, by equations.
    """

    comparison: Compare
    ranges: Mapping[str, Range]
    conditions: tuple[Sentence, ...] = ()
    printed: bool = True
    solved: Mapping[str, Expression] = field(default_factory=dict)

    def admits(self, point: Point) -> bool:
        """Whether a point certainly lies in the ranges and meets the conditions."""
        return all(certain.inside(r, point[n], point) for n, r in self.ranges.items()) and all(
            isinstance(c, Compare) and certain.holds(c, point) for c in self.conditions
        )

    def fails(self, point: Point) -> Failing | None:
        """How the comparison certainly fails at a point that it speaks of, if it does."""
        try:
            if not self.admits(point):
                return None
            answer, left, right = certain.compared(self.comparison, point)
        except NoValue as why:
            return Failing(point, "no value", (str(why), ""), False) if self.printed else None
        except (Unknown, OverflowError, MemoryError):
            return None
        return None if answer else Failing(point, "false", (_shown(left), _shown(right)), _tied(left, right))

    @cached_property
    def sums(self) -> bool:
        """Whether it has a sum, which takes long at many points."""
        return any(_sums(side) for side in (self.comparison.left, self.comparison.right))

    @cached_property
    def ends(self) -> dict[str, tuple[float, float]]:
        """The ends of every range, as `ends_of` has them."""
        return {name: ends_of(r) for name, r in self.ranges.items()}

    @cached_property
    def limits(self) -> list[tuple[str, Any, Any]]:
        """Every variable with the ends of its range: floats, or formulas of other variables."""

        def limit(end: Expression) -> Any:
            return end if names(end) else value_of(end, {})

        return [(name, limit(r.low), limit(r.high)) for name, r in self.ranges.items()]

    def margins(self, points: Mapping[str, Any]) -> Any:
        """How far the comparison is from failing, relative to its sides, in floats [n]; NaN where nothing is known."""
        shape = np.shape(next(iter(points.values()))) if points else ()
        inside = np.ones(shape, dtype=bool)
        with np.errstate(all="ignore"):
            for condition in self.conditions:
                if isinstance(condition, Compare):
                    inside &= _margin(condition, points) >= -1e-12
            for name, *ends in self.limits:
                low, high = (value_of(end, points) if isinstance(end, Expression) else end for end in ends)
                inside &= (points[name] >= low) & (points[name] <= high)
            margin = np.broadcast_to(_margin(self.comparison, points), shape)
        return np.where(inside, margin, np.nan)


@dataclass(frozen=True)
class Near:
    """A comparison from somewhere on, as one variable goes to an end of its range, for all values of the others."""

    comparison: Compare
    name: str
    to: Expression
    side: int
    ranges: Mapping[str, Range]

    def __str__(self) -> str:
        return f"{plain_sentence(self.comparison)} from somewhere on, as {self.name} goes to {plain(self.to)}"


def side_of(reading: Reading, word: str, to: Expression) -> int | None:
    """From which side a variable goes where it goes, as its range allows: 0 from both, None if it never comes near."""
    r = reading.ranges.get(word)
    if r is None:
        return 0
    low, high, place = (rational(end) for end in (r.low, r.high, to))
    if any(word in names(s.low) | names(s.high) for s in reading.ranges.values()):
        return None
    if place == inf:
        return 0 if high == inf and not names(r.low) else None
    if place is None or low is None or high is None or r.integer:
        return None
    if not low <= place <= high or low == high:
        return None
    return 1 if place == low else -1 if place == high else 0


def speaks_of(condition: Sentence, x: str) -> bool:
    """Whether a condition may speak of a variable; one that is no comparison may speak of all."""
    return not isinstance(condition, Compare) or x in names(condition.left) | names(condition.right)


def has_value(body: Expression, ranges: Mapping[str, Range], conditions: tuple[Sentence, ...] = ()) -> Asked:
    """That a formula has a value: what is shown in its place may have one where it has none."""
    body = _valued(body)
    return Asked(Compare(body, "<=", binary("add", body, num(1))), ranges, conditions)


def _valued(e: Expression) -> Expression:
    """A formula that has a value where this one has: atan, sin and cos have one everywhere."""
    if e.head in ("add", "sub", "mul", "neg"):
        return mapped(e, _valued)
    return _valued(e.args[1]) if e.head == "call" and e.args[0] in ("atan", "sin", "cos") else e


@dataclass(frozen=True)
class Failing:
    """A point at which a comparison certainly fails: `kind`, both sides as text, and whether they are equal there."""

    point: Point
    kind: str
    sides: tuple[str, str]
    tied: bool


def _tied(left: Any, right: Any) -> bool:
    return not certain._is_ball(left) and not certain._is_ball(right) and left == right


def _shown(value: Any) -> str:
    if isinstance(value, Fraction):
        if value.denominator < 10**6 and abs(value) < 10**9:
            return str(value)
        value = certain._ball(value)  # it may be too large for a float
    return str(value) if isinstance(value, float) else value.str(9, radius=False)


def ends_of(r: Range) -> tuple[float, float]:
    """The ends of a range as floats; those that depend on other variables at their widest."""
    return _end(r.low, -inf), _end(r.high, inf)


def _end(end: Expression, otherwise: float) -> float:
    try:
        value = float(value_of(end, {}))
    except (KeyError, ValueError):
        return otherwise
    return value if not np.isnan(value) else otherwise


def _margin(comparison: Compare, points: Mapping[str, Any]) -> Any:
    try:
        left, right = (value_of(side, points) for side in (comparison.left, comparison.right))
    except (ValueError, OverflowError, MemoryError):
        return np.full(np.shape(next(iter(points.values()), 0.0)), np.nan)
    scale = 1e-300 + np.abs(left) + np.abs(right)
    if any(side.head == "num" and not side.args[0] for side in (comparison.left, comparison.right)):
        scale = 1 + scale  # else the other side would be as far from 0 everywhere
    if comparison.sign in ("<=", "<"):
        margin = right - left
    elif comparison.sign in (">=", ">"):
        margin = left - right
    else:
        margin = -np.abs(left - right) if comparison.sign == "==" else np.abs(left - right)
    return np.where(np.isfinite(scale), margin / scale, np.nan)


def failing(asked: Asked, draws: int = DRAWN) -> tuple[Failing | None, tuple[float, Point] | None]:
    """A point where the comparison fails, if one is found; and where it comes closest to failing inside its ranges."""
    if (solved := without_equation(asked)) is not None:
        return _failing_on(asked, *solved, draws)
    for point in corners(asked):
        if (found := asked.fails(point)) is not None:
            return simpler(asked, found), None
    return failing_inside(asked, draws)


def without_equation(asked: Asked) -> tuple[Asked, str, Expression] | None:
    """The comparison without a variable that an equation among the conditions gives, its name, and its formula."""
    for c in asked.conditions:
        if not isinstance(c, Compare) or c.sign != "==":
            continue
        for word, r in reversed(list(asked.ranges.items())):
            of, others = linear_part(binary("sub", c.left, c.right), word), asked.ranges.keys() - {word}
            tied = any(word in names(s.low) | names(s.high) for n, s in asked.ranges.items() if n != word)
            if of is None or not of[0] or r.integer or tied or not others:
                continue
            value = binary("div", Expression("neg", (of[1],)), num(of[0]))
            rest = [d for d in asked.conditions if d is not c]
            moved = [_put_into(d, word, value) if isinstance(d, Compare) else d for d in rest]
            ranges = {n: s for n, s in asked.ranges.items() if n != word}
            comparison = _put_into(asked.comparison, word, value)
            return Asked(comparison, ranges, (*lies_in(value, r), *moved), asked.printed), word, value
    return None


def _put_into(c: Compare, word: str, value: Expression) -> Compare:
    return Compare(put(c.left, {word: value}), c.sign, put(c.right, {word: value}))


def _failing_on(
    asked: Asked, inner: Asked, word: str, value: Expression, draws: int
) -> tuple[Failing | None, tuple[float, Point] | None]:
    """What fails on an equation, with the variable that it gives."""

    def whole(point: Point) -> Point | None:
        try:
            given = certain.value_at(value, point)
        except (NoValue, Unknown):
            return None
        return {n: given if n == word else point[n] for n in asked.ranges} if isinstance(given, Fraction) else None

    found, near = failing(inner, draws)
    if found is not None:
        point = whole(found.point)
        return (None if point is None else asked.fails(point)), None
    point = None if near is None else whole(near[1])
    return None, None if near is None or point is None else (near[0], point)


def seems_true(asked: Asked, draws: int = 4000, spoiled: float = 0.0, known: bool = False) -> bool:
    """Whether floats see no failure at a few points, or at no more than a share of them: for what is only a guess.

    `known`: and values at most of them.
    """
    generator = np.random.default_rng(11)
    margins = asked.margins({name: _drawn(asked, name, draws, generator) for name in asked.ranges})
    return float(np.mean(margins < -1e-9)) <= spoiled and not (known and np.mean(np.isfinite(margins)) < MOSTLY)


def may_hold(asked: Asked, draws: int = 1500) -> bool:
    """Whether it holds at some points, and not even exactly fails where floats say so: a first look."""
    generator = np.random.default_rng(11)
    at = {name: _drawn(asked, name, draws, generator) for name in asked.ranges}
    margins = asked.margins(at)
    worst = [k for k in np.argsort(margins)[:WORST] if margins[k] < 0]  # NaN comes last
    if any(asked.fails(_rational(asked, {n: float(v[k]) for n, v in at.items()}, None)) is not None for k in worst):
        return False
    return bool(np.mean(margins >= 0 if asked.comparison.sign == "==" else margins > 0) > SOME)


def seems_equal(asked: Asked, draws: int = 400) -> bool:
    """Whether both sides are the same at most places, as far as floats see: for what is only a guess."""
    generator = np.random.default_rng(11)
    margins = asked.margins({name: _drawn(asked, name, draws, generator) for name in asked.ranges})
    known = margins[np.isfinite(margins)]
    return bool(known.size and np.mean(np.abs(known) < 1e-9) > 0.9)


def share_that_fails(asked: Asked, draws: int = 60) -> float:
    """The share of some points inside at which the comparison certainly fails."""
    generator = np.random.default_rng(13)
    columns = {name: _drawn(asked, name, draws, generator) for name in asked.ranges}
    points = ({name: float(values[i]) for name, values in columns.items()} for i in range(draws))
    failed = [asked.fails(_rational(asked, point, None)) is not None for point in points]
    return sum(failed) / draws


def corners(asked: Asked) -> Iterator[Point]:
    """Ends that belong to the ranges, and simple numbers inside; of a single count all up to 10^4 that look wrong."""
    names = list(asked.ranges)
    choices = [_simple(asked, name) for name in names]
    grids = itertools.islice(_by_simplicity(choices), OF_SUMS if asked.sums else CORNERS)
    yield from (dict(zip(names, values, strict=True)) for values in grids)
    if len(names) == 1 and asked.ranges[names[0]].integer:
        low, high = asked.ends[names[0]]
        first = low if isfinite(low) else min(high, 0.0) - FAR_COUNT
        counts = np.arange(first, min(high, max(first, 0.0) + FAR_COUNT) + 1)
        yield from _suspects(asked, names[0], counts[np.argsort(abs(counts), kind="stable")])


def _suspects(asked: Asked, name: str, counts: Any) -> Iterator[Point]:
    """The counts at which floats say that the comparison fails, or nearly, the smallest first."""
    if asked.sums:
        counts = counts[:FAR_SUM]
    margins = asked.margins({name: counts})
    with np.errstate(invalid="ignore"):
        suspicious = counts[(margins <= 1e-12) | np.isnan(margins)]
    yield from ({name: Fraction(int(k))} for k in suspicious[: 15 if asked.sums else 60])


def _sums(expression: Any) -> bool:
    if not isinstance(expression, Expression):
        return False
    return expression.head in ("sum", "prod") or any(_sums(part) for part in expression.args)


def _by_simplicity(choices: list[list[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
    """The product of lists, those first whose places add up to little."""
    most = sum(len(c) - 1 for c in choices)
    for total in range(most + 1):
        yield from _with_total(choices, total)


def _with_total(choices: list[list[Fraction]], total: int) -> Iterator[tuple[Fraction, ...]]:
    if not choices:
        if not total:
            yield ()
        return
    for place, value in enumerate(choices[0][: total + 1]):
        yield from ((value, *rest) for rest in _with_total(choices[1:], total - place))


def _simple(asked: Asked, name: str) -> list[Fraction]:
    values, (low, high) = asked.ranges[name], asked.ends[name]
    known = [(rational(values.low), 1), (rational(values.high), -1)]
    ends = [e for e, _ in known if isinstance(e, Fraction) and _within(values, e)]
    if values.integer:
        first = [Fraction(int(low) + k) for k in range(5)] if isfinite(low) else []
        listed = [*ends, *first, *(Fraction(sign * k) for k in COUNTS for sign in (1, -1))]
    else:
        near = [e + sign * Fraction(1, 1000) for e, sign in known if isinstance(e, Fraction)]
        listed = [*ends, *SIMPLE, *near, *([Fraction(int(low) + 1)] if isfinite(low) and low > 3 else [])]
    return [v for v in dict.fromkeys(listed) if _within(values, v)][:60] or [_middle(low, high)]


def _within(values: Range, value: Fraction) -> bool:
    try:
        return certain.inside(values, value, {})
    except KeyError:  # an end that depends on another variable: the point as a whole decides
        return True


def _middle(low: float, high: float) -> Fraction:
    if isfinite(low) and isfinite(high):
        return Fraction((low + high) / 2).limit_denominator(1000)
    return Fraction(int(low) + 1 if isfinite(low) else int(high) - 1 if isfinite(high) else 0)


def failing_inside(asked: Asked, draws: int = DRAWN) -> tuple[Failing | None, tuple[float, Point] | None]:
    """The same at points that are drawn inside of the ranges, not at their ends."""
    if not asked.ranges:
        return None, None
    generator, names = np.random.default_rng(7), list(asked.ranges)
    if asked.sums:
        draws = DRAWN_OF_SUMS
    drawn = {name: _drawn(asked, name, draws, generator) for name in names}
    margins = asked.margins(drawn)
    unknown = np.isnan(margins)
    order = np.argsort(np.where(unknown, inf, margins))
    order = order[~unknown[order]]
    for k in order[: 5 if asked.sums else 20]:
        if margins[k] > 1e-9:
            break
        if (found := _confirmed(asked, {n: float(drawn[n][k]) for n in names})) is not None:
            return simpler(asked, found), None
    best: tuple[float, dict[str, float]] | None = None
    for k in order[: 2 if asked.sums else CLOSEST]:
        margin, place = _descended(asked, {n: float(drawn[n][k]) for n in names}, float(margins[k]), generator)
        if margin < 1e-9 and (found := _confirmed(asked, place)) is not None:
            return simpler(asked, found), None
        if best is None or margin < best[0]:
            best = margin, place
    return None, None if best is None else (best[0], _rational(asked, best[1], 10**6))


def _drawn(asked: Asked, name: str, count: int, generator: np.random.Generator) -> Any:
    """Numbers of a range: uniform, and of all scales at both ends."""
    values, (low, high) = asked.ranges[name], asked.ends[name]
    kind, uniform = generator.integers(4, size=count), generator.random(count)
    scale = 10.0 ** (np.where(kind < 3, 1, FARTHER) * generator.uniform(-6, 3, count))
    if values.integer:
        far = np.floor(10.0 ** (np.where(kind == 2, 1, FARTHER) * generator.uniform(0, 4, count)))
        if not isfinite(low):  # below 0, or the other end, and above 0
            start, way = min(high, 0.0), np.where(generator.random(count) < 0.5, -1, 1)
            return np.minimum(start + way * np.where(kind < 2, np.floor(30 * uniform), far), high)
        stop = high if isfinite(high) else low + (FAR_DRAWN_SUM if asked.sums else 10.0 ** (4 * FARTHER))
        near = low + np.floor(uniform * np.minimum(30, stop - low + 1))
        return np.minimum(np.where(kind < 2, near, low + far), stop)
    if isfinite(low) and isfinite(high):
        share = np.select([kind == 0, kind == 1], [10.0 ** (-7 * uniform), 1 - 10.0 ** (-7 * uniform)], uniform)
        return low + (high - low) * np.clip(share, 1e-9, 1 - 1e-9)
    few = np.arange(0, count, OF_ALL)
    scale[few] = generator.permutation(10.0 ** np.linspace(3 * FARTHER, FARTHEST, few.size))
    if isfinite(low):
        return low + scale
    if isfinite(high):
        return high - scale
    return np.where(kind % 2 == 0, scale, -scale) * np.where(kind < 2, 1.0, 0.1)


def _descended(
    asked: Asked, place: dict[str, float], margin: float, generator: np.random.Generator
) -> tuple[float, dict[str, float]]:
    """From a place to one where the comparison comes closer to failing, by steps that get smaller."""
    step = 0.3
    for _ in range(ROUNDS):
        moves = {n: _moved(asked, n, v, step * generator.standard_normal(DOWN)) for n, v in place.items()}
        margins = asked.margins(moves)
        unknown = np.isnan(margins)
        if unknown.all():
            return margin, place
        best = int(np.where(unknown, inf, margins).argmin())
        if margins[best] < margin:
            margin, place = float(margins[best]), {n: float(v[best]) for n, v in moves.items()}
            if margin < -1e-9:
                break
        elif step < LEAST_STEP:
            break
        else:
            step *= 0.6
    return margin, place


def _moved(asked: Asked, name: str, value: float, by: Any) -> Any:
    values, (low, high) = asked.ranges[name], asked.ends[name]
    if values.integer:
        moved = np.clip(value + np.rint(by * max(2.0, 0.3 * abs(value))), low, high)
        return np.minimum(moved, low + FAR_DRAWN_SUM) if asked.sums and isfinite(low) else moved
    if low == high:  # a range of one number
        return np.full(np.shape(by), low)
    with np.errstate(all="ignore"):
        if isfinite(low) and isfinite(high):
            share = np.clip((value - low) / (high - low), 1e-12, 1 - 1e-12)
            return low + (high - low) / (1 + (1 - share) / share * np.exp(-by))
        if isfinite(low):
            moved = low + (value - low) * np.exp(by)
        elif isfinite(high):
            moved = high - (high - value) * np.exp(by)
        else:
            moved = value + by * (1 + abs(value))
        return np.clip(moved, -(10.0**FARTHEST), 10.0**FARTHEST)


def _confirmed(asked: Asked, place: dict[str, float]) -> Failing | None:
    seen: list[Point] = []
    for denominator in (1000, 10**6, 10**12, None):
        point = _rational(asked, place, denominator)
        if point in seen:
            continue
        seen.append(point)
        if (found := asked.fails(point)) is not None:
            return found
    return None


def _rational(asked: Asked, place: Mapping[str, float], denominator: int | None) -> Point:
    def number(name: str, value: float) -> Fraction:
        if asked.ranges[name].integer:
            return Fraction(round(value))
        exact = Fraction(value)
        return exact if denominator is None else exact.limit_denominator(denominator)

    return {name: number(name, value) for name, value in place.items()}


def simpler(asked: Asked, found: Failing) -> Failing:
    """The same failure at a point of smaller denominators, where one is near."""
    for name, value in found.point.items():
        for denominator in DENOMINATORS:
            if denominator >= value.denominator:
                break
            near = found.point | {name: value.limit_denominator(denominator)}
            other = asked.fails(near)
            if other is not None and other.kind == found.kind and other.tied == found.tied:
                found = other
                break
    return found


def unused(stem: str, asked: Asked) -> str:
    """A name that no variable and no index has."""
    sides = (asked.comparison.left, asked.comparison.right)
    return fresh(stem, asked.ranges, {p.args[0]: p for side in sides for p in parts(side) if p.head == "var"})
