"""What a record may be, and maps of one record with the few records at which they are extreme."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any

from banditproof.theory.arguments import Count, checked
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.exact_numbers import check_count, exact, exact_or_infinite
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import sqrt, to_ball

NORMS = ("l1", "l2", "linf")
NEIGHBOURS = ("replace", "add or remove")
FAR = 10**9  # a record that stands for the open end of an unbounded domain in a pair
Vector = tuple[Any, ...]


def largest(values: Sequence[Any]) -> Any:
    """The largest of Fractions, balls and infinities: exact where all are Fractions."""
    if any(isinstance(value, float) and math.isinf(value) for value in values):
        return math.inf
    if all(isinstance(value, int | Fraction) for value in values):
        return max(values)
    return reduce(lambda a, b: a.max(b), map(to_ball, values))


def length(vector: Vector, norm: str) -> Any:
    """The norm of a vector of Fractions and balls."""
    sizes = [abs(entry) for entry in vector]
    if len(sizes) == 1 or norm == "linf":
        return largest(sizes)
    if any(isinstance(size, float) and math.isinf(size) for size in sizes):
        return math.inf
    if norm == "l1":
        return sum(sizes)
    return root(sum(size * size for size in sizes))


def root(number: Any) -> Any:
    """The square root, a Fraction where it is one."""
    if isinstance(number, int | Fraction):
        over, under = (math.isqrt(part) for part in Fraction(number).as_integer_ratio())
        if Fraction(over * over, under * under) == number:
            return Fraction(over, under)
    return sqrt(number)


@dataclass(frozen=True)
class Interval:
    """Records are numbers from `lower` to `upper`, exact numbers; either end may be infinite.

    Raises InvalidInput for ends that are no numbers or out of order.
    """

    lower: Exact
    upper: Exact

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            given = getattr(self, name)
            minus = str(given).strip().lower() in ("-inf", "-infinity")
            read = -math.inf if minus else exact_or_infinite(name, given, lambda _: True, "a number or an infinity")
            object.__setattr__(self, name, read)
        if not self.ends[0] <= self.ends[1] or self.ends[0] == math.inf or self.ends[1] == -math.inf:
            raise InvalidInput("domain", (self.lower, self.upper), "an interval (lower, upper), lower at most upper")

    @property
    def ends(self) -> tuple[Any, Any]:
        """Both ends, as Fractions or infinities."""
        return self.lower, self.upper

    @property
    def bounded(self) -> bool:
        """Whether both ends are finite."""
        return all(isinstance(end, Fraction) for end in self.ends)

    def points(self, norm: str) -> list[Any]:
        """Records worth trying in a pair: the ends."""
        return [*dict.fromkeys(self.ends)]

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"


@dataclass(frozen=True)
class Categories:
    """Records are categories 0, ..., count - 1; raises InvalidInput for a count that is not in 1, ..., 1000."""

    count: int

    def __post_init__(self) -> None:
        check_count("count", self.count, 1, 1000)

    def points(self, norm: str) -> list[Any]:
        """The first two: a histogram is the same whatever the categories are called."""
        return list(range(min(self.count, 2)))

    def __str__(self) -> str:
        return f"{self.count} categories"


@dataclass(frozen=True)
class Ball:
    """Records are vectors (tuples) of `dimension` numbers whose l2 norm is at most `radius`, such as clipped gradients.

    Raises InvalidInput for a radius that is not positive and a dimension that is not in 1, ..., 1000.
    """

    radius: Any
    dimension: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", exact("radius", self.radius, lambda r: r > 0, "positive and finite"))
        check_count("dimension", self.dimension, 1, 1000)

    def along(self, *directions: Any) -> list[Vector]:
        """The vector on the sphere in a direction, the first coordinates of which are given."""
        size = root(sum(d * d for d in directions))
        rest = (Fraction(0),) * (self.dimension - len(directions))
        return [(*(self.radius * d / size for d in directions), *rest)]

    def points(self, norm: str) -> list[Any]:
        """Where the norm is largest on the ball, two opposite records: the diagonal for l1, an axis for l2 and linf."""
        ones = [Fraction(1)] * (self.dimension if norm == "l1" else 1)
        return self.along(*ones) + self.along(*(-one for one in ones))

    def __str__(self) -> str:
        return f"vectors of {self.dimension} numbers with l2 norm at most {self.radius}"


@dataclass(frozen=True)
class Box:
    """Records are vectors (tuples) of `dimension` numbers from `lower` to `upper`; errors as of `Interval`."""

    lower: Exact
    upper: Exact
    dimension: int

    def __post_init__(self) -> None:
        check_count("dimension", self.dimension, 1, 1000)
        Interval(self.lower, self.upper)

    def points(self, norm: str) -> list[Any]:
        """The two opposite corners at which all coordinates are extreme together."""
        return [(end,) * self.dimension for end in Interval(self.lower, self.upper).ends]

    def __str__(self) -> str:
        return f"vectors of {self.dimension} numbers in {Interval(self.lower, self.upper)}"


@dataclass(frozen=True)
class Labelled:
    """Records are pairs (x, y) of a vector x of a `Ball` and a number y with |y| at most `bound`, as in regression."""

    ball: Ball
    bound: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "bound", exact("bound", self.bound, lambda b: b > 0, "positive and finite"))

    def points(self, norm: str) -> list[Any]:
        """Extreme vectors with extreme labels."""
        vectors = self.ball.points(norm) + _gram_points(self.ball, norm)
        return [(x, y) for x in vectors for y in (self.bound, -self.bound)]

    def __str__(self) -> str:
        return f"pairs of {self.ball} and a number in [-{self.bound}, {self.bound}]"


Domain = Interval | Categories | Ball | Box | Labelled


@dataclass(frozen=True)
class Map:
    """What one record adds to a statistic.

    `turns` are the numbers between which a map of numbers is monotone, so that its range over an interval lies between
    its values at these and at the ends; it is `linear` if it is so between them. For other records `domain` is the
    kind, and `images(domain, norm)` lists pairs (record, value) with this property: a norm of a difference
    s f(x) - t f(y), s, t >= 0, is largest at two of them. Whoever writes a map of their own vouches for that.
    """

    name: str
    of: Callable[[Any], Any]
    turns: tuple[Any, ...] = ()
    linear: bool = False
    domain: tuple[type, ...] = (Interval,)
    own_images: Callable[[Any, str], list[tuple[Any, Any]]] | None = field(default=None, compare=False)

    def __call__(self, record: Any) -> Vector:
        value = self.of(record)
        return value if isinstance(value, tuple) else (value,)

    def images(self, domain: Domain, norm: str) -> list[tuple[Any, Vector]]:
        """Records at which the map is extreme, with its values."""
        if not isinstance(domain, self.domain):
            kinds = " or ".join(kind.__name__ for kind in self.domain)
            raise InvalidInput("domain", str(domain), f"of the kind {kinds} for {self.name}")
        if self.own_images is not None:
            return self.own_images(domain, norm)
        points = domain.points(norm)
        if isinstance(domain, Interval):
            low, high = domain.ends
            points += [turn for turn in self.turns if low < turn < high]
        pairs = [(point, self(point)) for point in points]
        for point, value in pairs:
            open_end = isinstance(point, float) and any(isinstance(v, float) and not math.isinf(v) for v in value)
            if open_end or any(v != v for v in value if isinstance(v, float)):
                raise InvalidInput("domain", str(domain), f"bounded for {self.name}")
        return pairs


# ----------------------------------------------------------------------------------------- what records add to a sum


def vectors() -> Map:
    """The record itself: a number or a vector."""
    return Map("x", lambda x: x, linear=True, domain=(Interval, Ball, Box))


@checked
def one_hot(count: Count) -> Map:
    """1 in the place of the record's category. Two different ones differ by 2 in l1, sqrt 2 in l2 and 1 in linf."""

    def of(category: Any) -> Vector:
        return tuple(Fraction(category == k) for k in range(count))

    def images(domain: Categories, norm: str) -> list[tuple[Any, Any]]:
        if domain.count != count:
            raise InvalidInput("domain", str(domain), f"{count} categories for a histogram of {count}")
        return [(c, of(c)) for c in domain.points(norm)]

    return Map("one count per category", of, domain=(Categories,), own_images=images)


def outer() -> Map:
    """x x^T of a vector in a ball of radius r, its d^2 entries; of a labelled record, of its vector.

    For |x| = |y| = r with a right angle between them the Frobenius distance is sqrt 2 r^2, and no larger: |x|^4 + |y|^4
    - 2 (x.y)^2 is convex in |x|^2 and in |y|^2. Entries are at most r^2. In l1, x x^T is |x|_1^2, at most d r^2; a
    difference of two in the plane is r^2 ((p, q), (q, -p)) with p^2 + q^2 <= 1, so 2 sqrt 2 r^2 at most.
    """

    def of(record: Any) -> Vector:
        x = record[0] if isinstance(record[0], tuple) else record
        return tuple(v * w for v in x for w in x)

    def images(domain: Any, norm: str) -> list[tuple[Any, Any]]:
        ball = domain.ball if isinstance(domain, Labelled) else domain
        if norm == "l1" and ball.dimension > 2:
            raise InvalidInput("norm", norm, '"l2" or "linf" for outer products of more than 2 dimensions')
        points = _gram_points(ball, norm)
        return [((x, domain.bound) if isinstance(domain, Labelled) else x, of(x)) for x in points]

    return Map("x x^T", of, domain=(Ball, Labelled), own_images=images)


def _gram_points(ball: Ball, norm: str) -> list[Vector]:
    points: list[Vector] = [(Fraction(0),) * ball.dimension]
    if norm == "l1" and ball.dimension == 2:
        tilt = root(Fraction(2)) + 1  # the tangent of 3 pi / 8
        return [*points, *ball.along(tilt, Fraction(1)), *ball.along(Fraction(1), -tilt), *ball.points("l1")]
    axes = [[Fraction(i == k) for i in range(k + 1)] for k in range(min(ball.dimension, 2))]
    return points + [ball.along(*axis)[0] for axis in axes]


def label_times_vector() -> Map:
    """y x of a labelled record: a vector in the ball of radius r times the bound of y."""

    def of(record: Any) -> Vector:
        return tuple(record[1] * v for v in record[0])

    def images(domain: Labelled, norm: str) -> list[tuple[Any, Any]]:
        return [((x, domain.bound), of((x, domain.bound))) for x in domain.ball.points(norm)]

    return Map("y x", of, domain=(Labelled,), own_images=images)


def nearest(centres: Sequence[Exact]) -> Map:
    """One count and the record itself in the place of the nearest centre (the smaller of two): a step of k-means.

    On a cell the map is affine, so that every norm of a difference, a convex function, is largest at ends of cells.
    """
    at = sorted(exact("centres", c, lambda _: True, "finite numbers") for c in centres)
    if len(set(at)) < len(at) or not at:
        raise InvalidInput("centres", list(centres), "different numbers, at least one")
    walls = [(one + other) / 2 for one, other in zip(at, at[1:], strict=False)]

    def placed(x: Any, cell: int) -> Vector:
        return tuple(entry for c in range(len(at)) for entry in ((Fraction(1), x) if c == cell else (Fraction(0),) * 2))

    def of(x: Any) -> Vector:
        return placed(x, sum(x > wall for wall in walls))

    def images(domain: Interval, norm: str) -> list[tuple[Any, Any]]:
        if not domain.bounded:
            raise InvalidInput("domain", str(domain), "bounded for a k-means step")
        low, high = domain.ends
        found = [(end, of(end)) for end in (low, high)]
        for cell, (start, stop) in enumerate(zip([low, *walls], [*walls, high], strict=True)):
            start, stop = max(start, low), min(stop, high)
            if start < stop:
                just_inside = start + (stop - start) / 2**64 if start in walls else start
                found += [(just_inside, placed(start, cell)), (stop, placed(stop, cell))]
        return found

    return Map("count and sum per centre", of, own_images=images)
