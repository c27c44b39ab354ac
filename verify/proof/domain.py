"""Domains: which values of which variables a claim speaks of, and whether evidence covers all of them.

A domain is a box (one set per variable) cut by constraints. Coverage is decided exactly: the box is cut into
elementary pieces at every end that occurs, and every combination of signs of the constraints' two sides is tried, so
an open end, a single missing point or a missing tie ``x == y`` is seen.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from operator import and_
from typing import Any

import numpy as np

from banditproof.theory.arguments import checked
from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.numbers.numeric import exactly
from banditproof.theory.numbers.term import Term, parts, variables
from banditproof.verify.proof.compare import holds, is_number
from banditproof.verify.proof.evaluation import compiled, value_at
from banditproof.verify.proof.parsing import comparison

INFINITY = math.inf
EMPTY = "no point lies in the domain"
LONGEST = 1000  # digits of a number that is read from text
MOST_CONSTRAINTS = 10  # whose sign patterns are told apart
MOST_SHOWN = 4  # cells that a message names
_POWER = re.compile(r"[eE]([+-]?\d{1,18})")
Exact = Fraction | float  # a rational, or one of the two infinities


def exact(value: Any) -> Exact:
    """A rational number (or an infinity) from an int, a Fraction, a decimal string such as '0.25', '1/3', 'inf'."""
    if type(value) is Fraction:
        return value
    if isinstance(value, str) and value.strip() in ("inf", "-inf", "+inf"):
        return float(value)
    if isinstance(value, float) and math.isinf(value):
        return value
    if isinstance(value, str) and (len(value) > LONGEST or (m := _POWER.search(value)) and abs(int(m[1])) > LONGEST):
        raise InvalidInput("value", f"{value[:40]}...", f"a number of at most {LONGEST} digits")
    try:
        return Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raise InvalidInput("value", value, "a rational number such as '0.25' or '1/3', or 'inf'") from error


def constant(value: Any) -> Any:
    """Constants are exact: ints stay, numbers written as strings become Fractions, other strings are names."""
    if isinstance(value, str) and is_number(value):
        return exact(value)
    if isinstance(value, float):
        raise InvalidInput("constant", value, "an int, a Fraction, or a string such as '0.1'")
    return value


@dataclass(frozen=True)
class Interval:
    """An interval of reals, or of integers, with open or closed and possibly infinite ends."""

    lower: Exact
    upper: Exact
    lower_open: bool = False
    upper_open: bool = False
    integer: bool = False

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise InvalidInput("interval", str(self), "lower end <= upper end")

    def __str__(self) -> str:
        left, right = "[("[self.lower_open], "])"[self.upper_open]
        return f"{'integer ' if self.integer else ''}{left}{self.lower}, {self.upper}{right}"

    def contains(self, value: Any) -> bool:
        value = exact(value)
        if self.integer and (isinstance(value, float) or value.denominator != 1):
            return False
        above = value > self.lower if self.lower_open else value >= self.lower
        below = value < self.upper if self.upper_open else value <= self.upper
        return above and below

    def ends(self) -> tuple[Exact, ...]:
        return (self.lower, self.upper)

    def covers_piece(self, piece: Interval) -> bool:
        """Whether an elementary piece (a point, or an open interval without inner ends) lies inside."""
        if piece.lower == piece.upper:
            return self.contains(piece.lower)
        return (not self.integer or piece.integer) and self.lower <= piece.lower and piece.upper <= self.upper


@dataclass(frozen=True)
class Points:
    """Finitely many numbers."""

    values: tuple[Exact, ...]

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.values[:6]))
        return f"{{{shown}{', ...' if len(self.values) > 6 else ''}}} ({len(self.values)} values)"

    @cached_property
    def members(self) -> frozenset[Exact]:
        """The values for fast look-up."""
        return frozenset(self.values)

    def contains(self, value: Any) -> bool:
        return exact(value) in self.members

    def ends(self) -> tuple[Exact, ...]:
        return self.values

    def covers_piece(self, piece: Interval) -> bool:
        return piece.lower == piece.upper and piece.lower in self.members


@dataclass(frozen=True)
class Everything:
    """A set of objects that are not numbers, known by its name only: 'every policy', '200 random policies'."""

    name: str

    def __str__(self) -> str:
        return self.name

    def contains(self, value: Any) -> bool:
        """Whether it may be a member: a whole number may count them, another number is none; objects are built."""
        return not isinstance(value, float | Fraction) or value == int(value)


Set = Interval | Points | Everything

_INTERVAL = re.compile(r"^(integer\s*)?([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])$")


SETS = "'[a, b)', 'integer [a, b]', '{1, ..., 50}', '{1/2, 2}' or 'all: ...'"
_DOTS = ("...", "\u2026", r"\dots", r"\ldots")


def as_set(value: Any) -> Set:
    """'[0, 1)', 'integer [1, inf)', '{1, ..., 50}', '{1/2, 2}', a range, a list of numbers, or 'all: every policy'."""
    if isinstance(value, Interval | Points | Everything):
        return value
    if isinstance(value, str):
        if value.startswith("all:"):
            return Everything(value[4:].strip())
        match = _INTERVAL.match(value.strip())
        if match:
            integer, left, low, high, right = match.groups()
            return Interval(exact(low), exact(high), left == "(", right == ")", bool(integer))
        if value.strip()[:1] == "{" and value.strip()[-1:] == "}":
            return _listed(value)
        raise InvalidInput("set", value, SETS)
    several = isinstance(value, Iterable) and not (isinstance(value, np.ndarray) and not value.ndim)
    return Points(tuple(dict.fromkeys(exact(_exact_number(v)) for v in (value if several else (value,)))))


def _listed(text: str) -> Set:
    """A set in braces: numbers, or whole numbers one after another with dots, '{1, 2, ...}' without an end."""
    entries = [entry.strip() for entry in text.strip()[1:-1].split(",")]
    if not any(entry in _DOTS for entry in entries):
        return Points(tuple(dict.fromkeys(map(exact, entries))))
    numbers = [math.inf if entry in _DOTS else exact(entry) for entry in entries]
    dots = numbers.index(math.inf)
    first, last = numbers[:dots], numbers[dots + 1 :] or [math.inf]
    in_a_row = bool(first) and all(b - a == 1 for part in (first, last) for a, b in itertools.pairwise(part))
    if not in_a_row or any(n != int(n) for n in (*first, *last) if n != math.inf) or math.inf in last[:-1]:
        allowed = "whole numbers one after another, such as {1, ..., 50} or {1, 2, ...}; list all of others"
        raise InvalidInput("set", text, allowed)
    return Interval(first[0], last[-1], False, last[-1] == math.inf, True)


def _exact_number(value: Any) -> Any:
    """A number of a set, unless it was a float: which number was meant, its digits do not say."""
    if isinstance(value, float) and not value.is_integer() and math.isfinite(value):
        raise InvalidInput("set", value, f"exact numbers: write '{value}' or a Fraction")
    return value


_SIGNS = {"<": {-1}, "<=": {-1, 0}, "==": {0}, ">=": {0, 1}, ">": {1}, "!=": {-1, 1}}


@dataclass(frozen=True)
class Constraint:
    """A comparison of two terms, as it was written: ``x <= y`` or ``n < log(x)``."""

    text: str
    left: Term = field(init=False, repr=False, compare=False)
    operator: str = field(init=False, repr=False, compare=False)
    right: Term = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, part in zip(("left", "operator", "right"), comparison(self.text), strict=True):
            object.__setattr__(self, name, part)

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables it speaks of."""
        return variables(self.left) | variables(self.right)

    @cached_property
    def key_and_signs(self) -> tuple[Term, set[int]]:
        """The difference of both sides, in a fixed order, and the signs of it that the constraint allows."""
        signs = _SIGNS[self.operator]
        if str(self.left) <= str(self.right):
            return self.left - self.right, signs
        return self.right - self.left, {-s for s in signs}

    @cached_property
    def may_have_no_value(self) -> bool:
        """Whether a side may be undefined somewhere, so that neither the constraint nor its opposite holds there."""
        return any(map(_is_partial, (*parts(self.left), *parts(self.right))))

    def holds(self, point: Mapping[str, Any]) -> bool | None:
        """Whether it certainly holds at a point (or on a box of balls), certainly fails, or neither (None)."""
        if missing := sorted(self.names - set(point)):
            raise InvalidInput(
                "constraint", self.text, f"a comparison of the variables {', '.join(point)} ({missing[0]} is not one)"
            )
        names = tuple(sorted(self.names))
        with exactly():
            return holds(*compiled(names, self.left, self.operator, self.right)(*(point[n] for n in names)))


def _is_partial(t: Term) -> bool:
    """Whether a step of a formula is a quotient, a power that may be one, or a logarithm or root."""
    last = t.args[-1]
    if t.op == "div":
        return last.op != "num" or last.args[0] == 0
    if t.op == "pow":
        return last.op != "num" or last.args[0] < 0 or last.args[0].denominator != 1
    return t.op == "fn" and t.args[0] in ("log", "log1p", "sqrt")


@checked
@dataclass(frozen=True)
class Domain:
    """Sets for the variables and constraints between them; ``Domain.of(x='[0, 1]', y='[0, 1)', where=['x <= y'])``."""

    variables: tuple[tuple[str, Set], ...]
    where: tuple[Constraint, ...] = ()

    def __post_init__(self) -> None:
        for constraint in self.where:
            if strange := sorted(constraint.names - self.sets.keys()):
                known = ", ".join(self.sets) or "there is none"
                meant = close_to(strange[0], self.sets)
                raise InvalidInput(
                    "constraint",
                    constraint.text,
                    f"a comparison of variables of the domain: {known} ({strange[0]} is not one)",
                    meant,
                )

    @classmethod
    @checked
    def of(cls, where: Sequence[str] = (), **variables: Any) -> Domain:
        return cls(tuple((n, as_set(v)) for n, v in variables.items()), tuple(Constraint(c) for c in where))

    @property
    def sets(self) -> dict[str, Set]:
        return dict(self.variables)

    def __str__(self) -> str:
        named: dict[Set, list[str]] = {}
        for name, values in self.variables:
            named.setdefault(values, []).append(name)
        parts = [f"{', '.join(names)} in {values}" for values, names in named.items()] + [c.text for c in self.where]
        return "; ".join(parts) or "a single statement"

    def restrict(self, where: Iterable[str] = (), **variables: Any) -> Domain:
        """The same domain with some sets replaced and constraints added."""
        sets = self.sets | {n: as_set(v) for n, v in variables.items()}
        return Domain(tuple(sets.items()), (*self.where, *(Constraint(c) for c in where)))

    def contains(self, point: Mapping[str, Any]) -> bool:
        """Whether a point given by exact numbers certainly lies in the domain."""
        numbers = {n: v for n, v in point.items() if isinstance(v, int | float | Fraction)}
        if any(n not in point for n, s in self.variables if not isinstance(s, Everything)):
            return False
        inside = all(s.contains(point[n]) for n, s in self.variables if n in point)
        return inside and all(_holds_at(c, numbers) for c in self.where)

    def to_json(self) -> dict[str, Any]:
        sets = {n: list(map(str, s.values)) if isinstance(s, Points) else
                f"all: {s}" if isinstance(s, Everything) else str(s) for n, s in self.variables}  # fmt: skip
        return {"variables": sets, "where": [c.text for c in self.where]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Domain:
        return cls.of(where=data["where"], **data["variables"])


def _holds_at(constraint: Constraint, point: Mapping[str, Any]) -> bool:
    """Whether a constraint certainly holds at a point; where a side has no value it does not."""
    try:
        return constraint.holds({n: exact(v) for n, v in point.items()}) is True
    except ZeroDivisionError:
        return False


def uncovered(domain: Domain, regions: Iterable[Domain]) -> str | None:
    """What of the domain no region covers, cell by cell, or None when the regions cover all of it.

    Sound: None is returned only when every point is covered. (A sign pattern that no point of the box realises may be
    reported as uncovered; give such a region explicitly.)
    """
    regions = [r for r in regions if set(r.sets) == set(domain.sets)]
    if not regions:
        return str(domain)
    if len(_constraint_by_difference(domain, regions)) > MOST_CONSTRAINTS:
        return f"{domain} (more than {MOST_CONSTRAINTS} constraints)"
    left = []
    for cell, signs in open_cells(domain, regions):
        box = ", ".join(f"{n} in {p}" for n, p in cell.items())
        cut = ", ".join(f"sign({key}) = {s}" for key, s in signs.items())
        left.append(f"{box}{'; ' + cut if cut else ''}")
        if len(left) > MOST_SHOWN:
            return f"{' or '.join(left[:MOST_SHOWN])}, and more"
    return " or ".join(left) or None


def open_cells(domain: Domain, regions: Iterable[Domain]) -> Iterator[tuple[Cell, Signs]]:
    """The cells of a domain that no region covers, each with the signs of its constraints' differences there.

    A cell has a piece of each variable's set: a point, or an open interval without an end of a region inside.
    """
    regions = [r for r in regions if set(r.sets) == set(domain.sets)]
    if domain in regions:
        return
    compared = _constraint_by_difference(domain, regions)
    keys = sorted(compared, key=str)
    signs_of = [(-1, 0, 1, None) if compared[key].may_have_no_value else (-1, 0, 1) for key in keys]
    every = (dict(zip(keys, pattern, strict=True)) for pattern in itertools.product(*signs_of))
    patterns = [(signs, _those(_allows(r, signs) for r in regions)) for signs in every if _allows(domain, signs)]
    cut = [
        [(piece, _those(_covers(r.sets[name], piece) for r in regions)) for piece in pieces(name, values, regions)]
        for name, values in domain.variables
    ]
    names = [name for name, _ in domain.variables]
    for parts_of in itertools.product(*cut):
        covering = reduce(and_, (those for _, those in parts_of), -1)
        cell: dict[str, Any] | None = None
        for signs, allowing in patterns:
            if covering & allowing:
                continue
            cell = cell or {name: piece for name, (piece, _) in zip(names, parts_of, strict=True)}
            if not _contradicts(compared.values(), cell, signs):
                yield cell, signs


def _those(holding: Iterable[bool]) -> int:
    """Which of several things hold, as the bits of a number."""
    return sum(1 << place for place, holds in enumerate(holding) if holds)


def _constraint_by_difference(domain: Domain, regions: Iterable[Domain]) -> dict[Term, Constraint]:
    """The constraints by the differences that they compare with 0."""
    return {c.key_and_signs[0]: c for d in (domain, *regions) for c in d.where}


Cell = Mapping[str, "Interval | Everything"]
Signs = Mapping[Term, int | None]  # of the difference of two sides; None where one has no value


def _allows(domain: Domain, signs: Signs) -> bool:
    return all(signs[key] in allowed for key, allowed in (c.key_and_signs for c in domain.where))


def _contradicts(where: Iterable[Constraint], cell: Mapping[str, Any], signs: Signs) -> bool:
    """Whether a box has no point with these signs, seen from the ends where a constraint compares two variables."""
    for constraint in where:
        key = constraint.key_and_signs[0]
        a, b = (cell.get(t.args[0]) if t.op == "var" else None for t in key.args)
        sign = signs[key]
        if not isinstance(a, Interval) or not isinstance(b, Interval) or sign is None:
            continue
        least, most = a.lower - b.upper, a.upper - b.lower  # of the difference
        above = least > 0 or (least == 0 and (a.lower_open or b.upper_open))
        below = most < 0 or (most == 0 and (a.upper_open or b.lower_open))
        if (
            (sign < 0 and (above or least == 0))
            or (sign > 0 and (below or most == 0))
            or (sign == 0 and (above or below))
        ):
            return True
    return False


def _covers(values: Set, piece: Interval | Everything) -> bool:
    if isinstance(piece, Everything) or isinstance(values, Everything):
        return piece == values
    return values.covers_piece(piece)


def pieces(name: str, values: Set, regions: Iterable[Domain]) -> list[Interval | Everything]:
    """The points and open intervals into which a variable's set is cut at the ends of the regions."""
    if isinstance(values, Everything):
        return [values]
    if isinstance(values, Points):
        return [Interval(v, v) for v in values.values]
    others = (r.sets[name] for r in regions)
    ends = sorted({e for s in (values, *others) if not isinstance(s, Everything) for e in s.ends()})
    inner = [e for e in ends if values.lower <= e <= values.upper]
    points = [Interval(e, e, integer=values.integer) for e in inner if values.contains(e) or e in (INFINITY, -INFINITY)]
    points = [p for p in points if values.contains(p.lower)]
    gaps = [Interval(a, b, True, True, values.integer) for a, b in itertools.pairwise(inner)]
    return [*points, *(g for g in gaps if not (g.integer and _no_integer_inside(g)))]


def _no_integer_inside(gap: Interval) -> bool:
    if math.isinf(gap.lower) or math.isinf(gap.upper):
        return False
    return math.floor(gap.lower) + 1 > math.ceil(gap.upper) - 1


TRIES = 2000


def shown(point: Mapping[str, Any]) -> str:
    """A point for reading: 'vectors = [same, 1], x = 1/2'."""
    return ", ".join(f"{n} = {_plain(v)}" for n, v in point.items())


def _plain(value: Any) -> str:
    return f"[{', '.join(map(_plain, value))}]" if isinstance(value, list | tuple) else str(value)


def draw_point(region: Domain, draw: random.Random) -> dict[str, Any] | None:
    """A rational point of the region: often at a closed end, sometimes a tie of two variables; None if none is met."""
    for _ in range(TRIES):
        point = {n: _draw(s, draw) for n, s in region.variables if not isinstance(s, Everything)}
        if region.where and len(point) > 1 and draw.random() < 0.2:
            first, second = draw.sample(sorted(point), 2)
            point[second] = point[first]
        if region.contains(point):
            return point
    return None


def _draw(values: Set, draw: random.Random) -> Any:
    if isinstance(values, Points):
        return draw.choice(values.values)
    assert isinstance(values, Interval)
    ends = ((values.lower, values.lower_open), (values.upper, values.upper_open))
    closed = [Fraction(end) for end, is_open in ends if not is_open and math.isfinite(end)]
    if closed and draw.random() < 0.25:
        return draw.choice(closed)
    low, high = math.isfinite(values.lower), math.isfinite(values.upper)
    if values.integer:
        return (int(values.lower) if low else 0) + draw.randint(0, 8)
    if low and high:
        return values.lower + (values.upper - values.lower) * Fraction(draw.randint(1, 96), 97)
    step = Fraction(draw.randint(1, 600), draw.choice((7, 70, 700)))
    return values.lower + step if low else values.upper - step if high else step * draw.choice((-1, 1))


LARGEST_COUNT = 30  # that is drawn unless larger ones are allowed
_NEAR = (Fraction(1, 10**3), Fraction(1, 2**20), Fraction(1, 10**12), Fraction(1, 2**50))
_SIZES = (-12, -6, -3, -1, 1, 3, 6, 12)  # powers of ten of extreme values where a range has no end


def counted(values: Any) -> bool:
    """Whether all values are whole numbers, which relations get as ints; other single points are balls."""
    whole = isinstance(values, Points) and all(isinstance(v, Fraction) and v.denominator == 1 for v in values.values)
    return whole or getattr(values, "integer", False)


def unseen_points(
    domain: Domain,
    count: int,
    seed: str,
    *,
    seen: Iterable[Mapping[str, Any]] = (),
    largest_count: int = LARGEST_COUNT,
    extremes: int = 12,
    patience: int = 2000,
) -> Iterator[dict[str, Any]]:
    """Different points of a domain that are unlike those of its proofs, one by one: where a false relation would fail.

    Decimals, dyadic numbers and extreme sizes; points at and next to ends and corners; ties, near ties and complements
    of two variables; and points on or next to the surfaces where a constraint is an equality. Fewer than `count` come
    where the domain has no more; described objects are left out. What is drawn depends on the arguments alone.

    Args:
        seed: of the draw, any text.
        seen: points that are not drawn.
        largest_count: about the largest whole number that is drawn where an integer range has no end.
        extremes: how many powers of ten values without bounds reach up and down.
        patience: how many draws in a row may bring no new point, where a domain may have none.
    """
    sizes = [s for s in _SIZES if abs(s) <= extremes]
    draw = random.Random(f"unseen {seed}")
    known, found, latest = {_key(point) for point in seen}, 0, 0
    for tried in range(max(TRIES, 60 * count)):
        if found == count or tried - latest > patience:
            break
        point = {
            n: _unlike(s, draw, largest_count, sizes) for n, s in domain.variables if not isinstance(s, Everything)
        }
        _tie(point, domain, draw)
        if domain.where and draw.random() < 0.4:
            _to_surface(point, domain, draw, lambda s: _unlike(s, draw, largest_count, sizes))
        if point and _key(point) not in known and domain.contains(point):
            known.add(_key(point))
            found, latest = found + 1, tried
            yield point


def _key(point: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((n, v) for n, v in point.items() if isinstance(v, int | float | Fraction)))


def _unlike(values: Interval | Points, draw: random.Random, largest_count: int, sizes: Sequence[int]) -> Any:
    """One number of a set, by a kind that is drawn first."""
    if isinstance(values, Points):
        number = draw.choice(values.values)
        return int(number) if isinstance(number, Fraction) and number.denominator == 1 else number
    low, high = values.lower, values.upper
    if values.integer:
        return _whole_unlike(values, draw, largest_count)
    sign = -1 if math.isinf(low) and (math.isfinite(high) or draw.random() < 0.5) else 1
    start = Fraction(low) if math.isfinite(low) else Fraction(high) if math.isfinite(high) else Fraction(0)
    if math.isinf(low) or math.isinf(high):
        return start + sign * _positive_unlike(draw, sizes)
    return start + (Fraction(high) - start) * _share_unlike(draw)


def _share_unlike(draw: random.Random) -> Fraction:
    kind = draw.random()
    if kind < 0.45:
        scale = draw.choice((10, 100, 1000, 1 << draw.randint(1, 12), 89, 1013))
        return Fraction(draw.randint(0, scale), scale)
    share = draw.choice(_NEAR) * draw.choice((1, 3, Fraction(7, 5)))
    return draw.choice((share, 1 - share)) if kind < 0.9 else Fraction(draw.randint(0, 1))


def _positive_unlike(draw: random.Random, sizes: Sequence[int]) -> Fraction:
    kind = draw.random()
    if kind < 0.4:
        return Fraction(draw.randint(0, 300), draw.choice((10, 100, 16, 64, 89)))
    if kind < 0.9:
        return draw.choice((1, Fraction(17, 10), Fraction(3, 4))) * Fraction(10) ** draw.choice(sizes)
    return 1 + draw.choice((-1, 1)) * draw.choice(_NEAR)


def _whole_unlike(values: Interval, draw: random.Random, largest: int) -> int:
    low, high = values.lower, values.upper
    if math.isfinite(low) and math.isfinite(high):
        first, last = math.ceil(low), math.floor(high)
        return draw.choice((draw.randint(first, last), first + draw.randint(0, 3), last - draw.randint(0, 3)))
    size = draw.randint(0, 12) if draw.random() < 0.6 else draw.randint(0, min(10 ** draw.randint(1, 7), largest))
    return math.ceil(low) + size if math.isfinite(low) else math.floor(high) - size if math.isfinite(high) else size


def _tie(point: dict[str, Any], domain: Domain, draw: random.Random) -> None:
    """Now and then: one variable equal to another, next to it, or what is missing to one."""
    if len(point) < 2 or draw.random() > 0.35:
        return
    first, second = draw.sample(sorted(point), 2)
    values, number = domain.sets[second], point[first]
    if isinstance(number, float):
        return
    number = Fraction(number)
    if getattr(values, "integer", False) or isinstance(values, Points):
        point[second] = int(number) if number.denominator == 1 else number
    else:
        near = number * (1 + draw.choice((-1, 1)) * draw.choice(_NEAR))
        point[second] = draw.choice((number, near, near, 1 - number))


def _to_surface(point: dict[str, Any], domain: Domain, draw: random.Random, another: Callable[[Interval], Any]) -> None:
    """Move one variable to, or next to, a value where a constraint is an equality, if one is met between two draws."""
    constraint = draw.choice(domain.where)
    movable = sorted(n for n in constraint.names if isinstance(domain.sets.get(n), Interval))
    if not movable:
        return
    name = draw.choice(movable)
    values = domain.sets[name]
    assert isinstance(values, Interval)
    try:
        root = _root(constraint, point, name, Fraction(another(values)))
    except (ArithmeticError, InvalidInput):  # a side has no value there
        return
    if root is None:
        return
    if values.integer:
        point[name] = math.floor(root) + draw.randint(0, 1) if root.denominator > 1 else int(root)
    else:
        point[name] = draw.choice((root, root, root * (1 + draw.choice((-1, 1)) * draw.choice(_NEAR))))


def _root(constraint: Constraint, point: Mapping[str, Any], name: str, other: Fraction) -> Fraction | None:
    """Where the sides of a constraint are equal as one variable moves to another value: exact where that is a line."""
    difference = constraint.left - constraint.right

    def gap(value: Fraction) -> Any:
        return value_at(difference, {n: exact(v) for n, v in {**point, name: value}.items()})

    one = Fraction(point[name])
    first, last = gap(one), gap(other)
    if isinstance(first, int | Fraction) and isinstance(last, int | Fraction) and first != last:
        root = one - first * (other - one) / (last - first)
        if gap(root) == 0:
            return root
    if not (first < 0 < last or last < 0 < first):
        return None
    rising = bool(first < 0)
    for _ in range(48):
        middle = (one + other) / 2
        if bool(gap(middle) < 0) == rising:
            one = middle
        else:
            other = middle
    return one
