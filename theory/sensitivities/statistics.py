"""Statistics of n records whose sensitivity is proved, as objects: `sensitivity` of `banditproof.theory` takes them.

Three ideas carry most of them. A sum of maps of single records changes by the difference of two values of a map. A
weighted sum of ordered records (minimum, median, trimmed mean, ...) is linear wherever the order stays the same, so it
is extreme where every record is at an end of the domain. A convex or concave function of a sum changes most where the
other records are all alike. What is left has a formula with a derivation of its own.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain, groupby, product
from typing import TYPE_CHECKING, Any

from banditproof.theory.arguments import checked, named
from banditproof.theory.errors import InvalidInput, close_to, no_attribute
from banditproof.theory.numbers import numeric
from banditproof.theory.numbers.exact_numbers import check_count, exact
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.sensitivities.domains import (
    FAR,
    Ball,
    Box,
    Categories,
    Domain,
    Interval,
    Labelled,
    Map,
    Vector,
    label_times_vector,
    largest,
    length,
    nearest,
    one_hot,
    outer,
    root,
    vectors,
)

__all__ = ["Ball", "Box", "Categories", "Interval", "Labelled"]
MOST_POSITIONS = 200  # records of a statistic with weights by position, where one is added: all places are tried
Pair = tuple[list[Any], list[Any]]
if not TYPE_CHECKING:  # or type checkers would let in any name

    def __getattr__(name: str) -> Any:
        own = [n for n, one in globals().items() if n.islower() and getattr(one, "__module__", "") == __name__]
        own = [] if name.startswith("_") else [n for n in own if n[0] != "_"]
        meant = {"sum": "total", "average": "mean"}.get(name) or close_to(name, own)
        hint = f": did you mean {meant}?" if meant else f": it has {', '.join(own)}" * bool(own)
        raise no_attribute(sys.modules[__name__], name, hint)


@dataclass(frozen=True)
class Bound:
    """An upper end: its value (inf is a proof that there is none, None means not known), why, and a pair to try."""

    value: Any
    why: str
    pair: Pair | None = None


class Statistic:
    """A function of n records. Subclasses say how it is computed, `of`, and how far a neighbour moves it, `bound`.

    Attributes:
        name: what it is, in words.
        least: the fewest records for which it has a value.
        symmetric: whether the order of the records does not count.
        stream: whether records are a stream of fixed length, of which none can be added or removed.
        falls: whether its sensitivity does not grow with n, from the second smallest n on.
    """

    name: str
    least = 0
    symmetric = True
    stream = False
    falls = False
    empty: Any = None
    places: tuple[int, ...] = ()  # positions worth trying in a pair, besides the first, the middle and the last

    def of(self, records: Sequence[Any]) -> Vector:
        """Its value, a tuple of numbers: exact for exact records, or balls."""
        raise NotImplementedError

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        """An upper end for n records where one is replaced, or where one is added to n records."""
        raise NotImplementedError

    def points(self, domain: Domain, norm: str, n: int) -> list[Any]:
        """Records worth trying in a pair."""
        return domain.points(norm)

    def always(self, domain: Domain, neighbours: str, norm: str) -> Bound:
        """An upper end for every n."""
        if not self.falls:
            return Bound(None, "no bound for every n is known: ask for one n")
        start = max(self.least, 1) if neighbours == "replace" else self.least
        bounds = [self.at_size(domain, neighbours, norm, n) for n in range(start, start + 3)]
        if any(bound.value is None for bound in bounds):
            return next(bound for bound in bounds if bound.value is None)
        return Bound(largest([bound.value for bound in bounds]), f"{bounds[-1].why}; largest for few records")

    def at_size(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        """As `bound`, also where a record is added to none."""
        return self.bound(domain, neighbours, norm, n) if n else self.first(domain, norm)

    def first(self, domain: Domain, norm: str) -> Bound:
        """How far the first record moves the statistic of none."""
        pairs = [([], [point]) for point in self.points(domain, norm, 1)]
        moved = [self.distance(pair, norm) for pair in pairs]
        value = largest(moved)
        return Bound(value, "the statistic of one record is extreme at these", pairs[best(moved)])

    def distance(self, pair: Pair, norm: str) -> Any:
        """The norm of the difference of the values at two data sets."""
        one, other = (self.value(records) for records in pair)
        if len(one) != len(other):
            raise InvalidInput("neighbours", "add or remove", f'"replace" for {self.name}, as many numbers as records')
        return length(tuple(a - b for a, b in zip(one, other, strict=True)), norm)

    def value(self, records: Sequence[Any]) -> Vector:
        """As `of`, with the value that was declared for no records."""
        if len(records) < self.least:
            raise InvalidInput("n", len(records), f"at least {self.least} for {self.name}")
        return (self.empty,) if not records and self.empty is not None else self.of(records)

    def __repr__(self) -> str:
        return self.name


def best(values: Sequence[Any]) -> int:
    """The place of the largest value (of balls, of their middles)."""
    exact_ones = all(isinstance(value, int | Fraction) for value in values)
    return max(range(len(values)), key=lambda k: values[k] if exact_ones else to_ball(values[k]).mid())


def _runs(records: Sequence[Any]) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Records with all that follow and are the same object, as the others of a pair are."""
    return ((x, chain([x], rest)) for _, run in groupby(records, key=id) for x, rest in [(next(run), run)])


def _declared(statistic: Statistic, empty: Exact | None) -> None:
    """With a value for no records, or the need of one record."""
    if empty is not None:
        statistic.empty, statistic.least = exact("empty", empty, lambda _: True, "a finite number"), 0
    else:
        statistic.empty, statistic.least = None, max(statistic.least, 1)


# ------------------------------------------------------------------------------------------------ sums over records


class Separable(Statistic):
    """sum_i w_i f_i(x_i). Replacing record i moves it by |w_i| |f_i(u) - f_i(v)|, whatever the other records are.

    Where a record is added and weights depend on n alone, it moves by w' f(u) + (w' - w) sum f(x_j): a convex function
    of each record's value, so that all x_j are extreme, and alike. With weights by position, the records behind the new
    one move on; for numbers, each adds (w'_j - w_i) f(x_j), or a difference of piecewise linear maps, extreme at their
    turns, so the most is the sum of what each can add.
    """

    def __init__(self, name: str, part: Callable[[int, int], tuple[Any, Map]], alike: bool) -> None:
        self.name, self.part, self.symmetric = name, part, alike
        self.ever: Any = None  # the largest |w| there is, where only weights depend on n and position

    def of(self, records: Sequence[Any]) -> Vector:
        n = len(records)
        if not n:
            return (Fraction(0),)
        if self.symmetric:
            weight, each = self.part(1, n)
            runs = [(len(list(run)), each(x)) for x, run in _runs(records)]
            return tuple(weight * sum(k * v[i] for k, v in runs) for i in range(len(runs[0][1])))
        total = Fraction(0)
        for i, x in enumerate(records, 1):
            weight, each = self.part(i, n)
            total = total + weight * each(x)[0]
        return (total,)

    def distance(self, pair: Pair, norm: str) -> Any:
        if not pair[0] or not pair[1]:  # none sum to 0, or are the declared value, in every coordinate
            value = self.value(pair[0] or pair[1])
            return length(tuple(entry - (self.empty or 0) for entry in value), norm)
        return super().distance(pair, norm)

    def first(self, domain: Domain, norm: str) -> Bound:
        weight, each = self.part(1, 1)
        images = each.images(domain, norm)
        if self.empty and len(images[0][1]) > 1:
            return Bound(None, "no rule for vectors beside a value of no records that is not 0")
        moved = [_apart(weight, image, 1, (self.empty or Fraction(0),) * len(image), norm) for _, image in images]
        pair = _changed([], 0, images[best(moved)][0])
        return Bound(largest(moved), f"{each.name} of one record is extreme at these", pair)

    def points(self, domain: Domain, norm: str, n: int) -> list[Any]:
        return [point for point, _ in self.part(1, n)[1].images(domain, norm)]

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        if not self.symmetric:
            _interval(self, domain)
        if neighbours == "replace":
            return self._replaced(domain, norm, n)
        return self._added(domain, norm, n) if self.symmetric else self._inserted(domain, n)

    def _replaced(self, domain: Domain, norm: str, n: int) -> Bound:
        spreads: dict[Any, tuple[Any, Any, Any]] = {}
        moved = []
        for i in [1] if self.symmetric else range(1, n + 1):
            weight, each = self.part(i, n)
            if (key := id(each) if self.ever is not None else i) not in spreads:
                images = each.images(domain, norm)
                spreads[key] = _farthest([(u, v, _apart(1, fu, 1, fv, norm)) for u, fu in images for v, fv in images])
            u, v, spread = spreads[key]
            moved.append((i, u, v, _scaled(weight, spread)))
        i, u, v, value = moved[best([m[3] for m in moved])]
        pair = _changed([v] * (n - 1), i - 1, u, v)
        value = largest([m[3] for m in moved])
        return Bound(value, f"the largest weight times the width of the range of {self.part(1, n)[1].name}", pair)

    def _added(self, domain: Domain, norm: str, n: int) -> Bound:
        (before, each), (after, _) = self.part(1, n), self.part(1, n + 1)
        images, drop = each.images(domain, norm), n * (before - after)
        u, t, value = _farthest([(u, t, _apart(after, fu, drop, ft, norm)) for u, fu in images for t, ft in images])
        said = f"the weight times the largest distance of {each.name} from {'its mean at the others' if drop else '0'}"
        return Bound(value, said, _changed([t] * n, n, u))

    def _inserted(self, domain: Domain, n: int) -> Bound:
        if n > MOST_POSITIONS:
            return Bound(None, f"all places are tried for at most {MOST_POSITIONS} records")
        after = [self.part(j, n + 1) for j in range(1, n + 2)]
        before = [self.part(j, n) for j in range(1, n + 1)]
        if not all(each is after[0][1] or each.linear for _, each in before + after):
            return Bound(None, "no rule for maps by position that are not piecewise linear")

        @cache
        def extremes(j: int, i: int | None) -> list[tuple[Any, Any]]:
            """What the record at place j of n + 1, which was at place i of n, adds at most and at least."""
            (weight, each), (old, map_) = after[j], before[i] if i is not None else (0, after[j][1])
            points = dict.fromkeys(p for m in (each, map_) for p, _ in m.images(domain, "l1"))
            if not all(isinstance(p, Fraction) for p in points):
                raise InvalidInput("domain", str(domain), f"bounded for {self.name} where records are added")
            gains = [(p, weight * each(p)[0] - (old * map_(p)[0] if i is not None else 0)) for p in points]
            signed = [[sign * gain for _, gain in gains] for sign in (1, -1)]
            return [(gains[best(g)][0], sign * largest(g)) for sign, g in zip((1, -1), signed, strict=True)]

        found = []
        for place in range(n + 1):
            parts = [extremes(j, None if j == place else j - (j > place)) for j in range(n + 1)]
            for side in (0, 1):
                records = [part[side][0] for part in parts]
                found.append((records, place, abs(sum(part[side][1] for part in parts))))
        records, place, _ = found[best([value for *_, value in found])]
        pair = (records[:place] + records[place + 1 :], records)
        return Bound(largest([value for *_, value in found]), "each record adds what it can, for all places", pair)

    def always(self, domain: Domain, neighbours: str, norm: str) -> Bound:
        if self.falls or neighbours != "replace" or self.ever is None:
            return super().always(domain, neighbours, norm)
        spread = _added(self.part(1, 1)[1]).bound(domain, neighbours, norm, 1)
        return Bound(_scaled(self.ever, spread.value), f"no weight exceeds {self.ever}, as stated; {spread.why}")


def _scaled(weight: Any, size: Any) -> Any:
    return Fraction(0) if not weight else abs(weight) * size


def _apart(s: Any, one: Vector, t: Any, other: Vector, norm: str) -> Any:
    """|s one - t other|: 0 for the same open end, inf for others."""
    if one == other and s == t:
        return Fraction(0)
    entries = []
    for a, b in zip(one, other, strict=True):
        scaled = [factor * x if factor else Fraction(0) for factor, x in ((s, a), (-t, b))]
        if any(isinstance(x, float) and math.isinf(x) for x in scaled):
            return math.inf
        entries.append(sum(scaled))
    return length(tuple(entries), norm)


def _farthest(found: list[tuple[Any, Any, Any]]) -> tuple[Any, Any, Any]:
    """The pair of records that is farthest apart, with an upper end of the largest distance."""
    one, other, _ = found[best([distance for *_, distance in found])]
    return one, other, largest([distance for *_, distance in found])


def _changed(others: list[Any], place: int, u: Any, *v: Any) -> Pair:
    """Data sets with u and v (or nothing) at one place between the others; open ends become far records."""
    one, other = ([*others[:place], *middle, *others[place:]] for middle in ([*v], [u]))
    return tuple([near(x) for x in records] for records in (one, other))  # type: ignore[return-value]


def near(x: Any) -> Any:
    """The record, or a far one for an open end."""
    return Fraction(int(math.copysign(FAR, x))) if isinstance(x, float) and math.isinf(x) else x


def _added(each: Map, name: str = "") -> Separable:
    statistic = Separable(name or f"the sum of {each.name}", lambda i, n: (1, each), alike=True)
    statistic.falls = True
    return statistic


@checked
def total(each: Map | None = None) -> Separable:
    """sum f(x_i): of numbers or vectors, or of a map of them. Of no records it is 0.

    Replace: the diameter of the range of f; add or remove: its radius around 0.
    """
    return _added(each or vectors(), "the sum" if each is None else "")


@checked
def mean(each: Map | None = None, empty: Exact | None = None) -> Separable:
    """(1/n) sum f(x_i). The mean of no records has no value: it is `empty`, or data sets have at least one record.

    With D the diameter of the range of f: replace D/n; where one is added to n records, D/(n + 1).
    """
    each = each or vectors()
    statistic = Separable(f"the mean of {each.name}", lambda i, n: (Fraction(1, n), each), alike=True)
    statistic.falls = True
    _declared(statistic, empty)
    return statistic


@checked
def weighted_sum(weight: Callable[[int, int], Any], ever: Exact | None = None, each: Map | None = None) -> Separable:
    """sum_i w(i, n) f(x_i), i = 1, ..., n, of numbers; weights are exact. `ever`: no weight is larger, whatever n.

    Replace: the largest |w(i, n)| times the width of the range.
    """
    each = each or vectors()
    statistic = Separable("a weighted sum", lambda i, n: (Fraction(weight(i, n)), each), alike=False)
    statistic.ever = None if ever is None else exact("ever", ever, lambda e: e >= 0, "a nonnegative number")
    return statistic


def total_by_position(part: Callable[[int, int], Map]) -> Separable:
    """sum_i f_(i, n)(x_i), of piecewise linear maps of numbers (`clipped`, `distance_to`), i = 1, ..., n."""
    return Separable("a sum of maps by position", lambda i, n: (1, part(i, n)), alike=False)


def histogram(count: int) -> Separable:
    """How many records are of each of `count` categories: replace 2, sqrt 2, 1 (l1, l2, linf); add or remove 1."""
    return _added(one_hot(check_count("count", count, 1, 1000)), "the histogram")


def gram() -> Separable:
    """sum x x^T of vectors in a `Ball` of radius r (or `Labelled` ones): l2 replace sqrt 2 r^2, add or remove r^2."""
    return _added(outer())


def ridge() -> Stack:
    """(sum x x^T, sum y x), what ridge regression uses of `Labelled` records."""
    return stack(gram(), _added(label_times_vector()))


def kmeans_step(centres: Sequence[Exact]) -> Separable:
    """Count and sum of the numbers nearest to each centre: one step of k-means on an `Interval`."""
    return _added(nearest(centres))


# --------------------------------------------------------------------------------------------------- maps of numbers


def _number(name: str, value: Exact) -> Fraction:
    return exact(name, value, lambda _: True, "a finite number")


def clipped(lower: Exact, upper: Exact) -> Map:
    """x, or the nearer end of [lower, upper] where it is outside: monotone."""
    low, high = _number("lower", lower), _number("upper", upper)
    if low > high:
        raise InvalidInput("upper", upper, f"at least {lower}")
    return Map(f"x clipped to [{lower}, {upper}]", lambda x: min(max(x, low), high), (low, high), linear=True)


def above(threshold: Exact) -> Map:
    """1 if x > threshold, else 0: monotone."""
    t = _number("threshold", threshold)
    return Map(f"1[x > {threshold}]", lambda x: Fraction(x > t))


def within(lower: Exact, upper: Exact) -> Map:
    """1 if lower <= x <= upper, else 0: rises at `lower` and falls behind `upper`."""
    low, high = _number("lower", lower), _number("upper", upper)
    return Map(f"1[{lower} <= x <= {upper}]", lambda x: Fraction(low <= x <= high), (low, high))


def distance_to(centre: Exact) -> Map:
    """|x - centre|: falls, then rises."""
    c = _number("centre", centre)
    return Map(f"|x - {centre}|", lambda x: abs(x - c), (c,), linear=True)


def power(exponent: int, centre: Exact = 0) -> Map:
    """(x - centre)^exponent, for an exponent of at least 1: monotone on both sides of the centre."""
    k, c = check_count("exponent", exponent, 1, 1000), _number("centre", centre)
    return Map(f"(x - {centre})^{k}" if c else f"x^{k}", lambda x: (x - c) ** k, (c,))


def absolute_power(exponent: int) -> Map:
    """|x|^exponent, for an exponent of at least 1."""
    k = check_count("exponent", exponent, 1, 1000)
    return Map(f"|x|^{k}", lambda x: abs(x) ** k, (Fraction(0),))


def parabola(exponent: int = 1) -> Map:
    """(x (1 - x))^exponent: rises to 1/2 and falls; even powers turn at 0 and 1 as well."""
    k = check_count("exponent", exponent, 1, 1000)
    return Map(f"(x (1 - x))^{k}", lambda x: (x * (1 - x)) ** k, (Fraction(0), Fraction(1, 2), Fraction(1)))


def exponential(rate: Exact = 1) -> Map:
    """e^(rate x): monotone."""
    r = _number("rate", rate)
    return Map(f"exp({rate} x)", lambda x: numeric.exp(r * x))


def _wave(name: str, of: Callable[[Any], Any], turn: Fraction) -> Map:
    def within_reach(x: Any) -> Any:
        return of(to_ball(_required(-50 < x < 50, x, f"numbers between -50 and 50 for {name}")))

    return Map(name, within_reach, tuple(turn + k for k in range(-50, 51)))


sine = _wave("sin(pi x)", lambda ball: ball.sin_pi(), Fraction(1, 2))
cosine = _wave("cos(pi x)", lambda ball: ball.cos_pi(), Fraction(0))
square_root = Map("sqrt(x)", lambda x: root(_required(x >= 0, x, "numbers that are at least 0 for sqrt(x)")))
log_plus_one = Map("log(1 + x)", lambda x: numeric.log(1 + _required(x >= 0, x, "at least 0 for log(1 + x)")))
arctangent = Map("atan(x)", lambda x: numeric.atan(to_ball(x)))
sigmoid = Map("1/(1 + exp(-x))", lambda x: 1 / (1 + numeric.exp(-to_ball(x))))
inverse_square = Map("1/(1 + x^2)", lambda x: 1 / (1 + x * x), (Fraction(0),))  # rises to 0 and falls


def entropy(shift: Exact) -> Map:
    """-x log(x + shift), for x >= 0 and shift >= 1: the product of two functions that rise from 0 on, so it falls."""
    s = exact("shift", shift, lambda v: v >= 1, "a number, at least 1")
    allowed = "numbers that are at least 0 for x log(x + shift)"
    return Map(f"-x log(x + {shift})", lambda x: -_required(x >= 0, x, allowed) * numeric.log(to_ball(x + s)))


def _required(holds: bool, x: Any, allowed: str) -> Any:
    if not holds:
        raise InvalidInput("domain", str(x), allowed)
    return x


# ----------------------------------------------------------------------------------------------- ordered records


class Ordered(Statistic):
    """sum_k c_k x_(k) over the records in ascending order, of numbers in [a, b].

    Replace: raising one record by d raises each x_(k) by d_k >= 0, and sum d_k = d. So it moves by |sum c_k d_k|, at
    most (b - a) max |c_k|; one record that moves from a to b, with the others at the ends, attains it. Add: the
    difference is linear in the n + 1 records where their order stays the same, so it is extreme where all are a or b.
    """

    def __init__(self, name: str, weights: Callable[[int], list[Fraction]], empty: Exact | None) -> None:
        self.name, self.weights = name, cache(weights)
        _declared(self, empty)

    def of(self, records: Sequence[Any]) -> Vector:
        return (sum((c * x for c, x in zip(self.weights(len(records)), sorted(records), strict=True)), Fraction(0)),)

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        a, b = _interval(self, domain)
        weights = self.weights(n)
        if neighbours == "replace":
            k = best([abs(c) for c in weights])
            pair = _changed([a] * k + [b] * (n - 1 - k), 0, a, b)
            return Bound(_scaled(weights[k], b - a), f"{abs(weights[k])}, the largest weight, times b - a", pair)
        after, found = self.weights(n + 1), []
        tails, tails_after = [_tails(w) for w in (weights, after)]
        for j in range(n + 1):
            for new in (0, 1):
                upper = tails_after[j + new] - tails[j]
                parts = ((sum(after) - sum(weights) - upper, a), (upper, b))
                open_end = any(c and math.isinf(x) for c, x in parts)
                value = math.inf if open_end else abs(sum(c * x for c, x in parts if c))
                found.append((value, _changed([a] * (n - j) + [b] * j, n, b if new else a)))
        k = best([value for value, _ in found])
        return Bound(found[k][0], "the most over all data sets of records at the ends", found[k][1])

    def always(self, domain: Domain, neighbours: str, norm: str) -> Bound:
        a, b = _interval(self, domain)
        empty = self.first(domain, norm).value if self.empty is not None and neighbours != "replace" else 0
        return Bound(largest([b - a, empty]), f"all its values lie in an interval that is as wide as {domain}")


def _tails(weights: list[Fraction]) -> list[Fraction]:
    """The sums of the last 0, 1, 2, ... weights."""
    sums = [Fraction(0)]
    for weight in reversed(weights):
        sums.append(sums[-1] + weight)
    return sums


def _interval(statistic: Statistic, domain: Domain) -> tuple[Any, Any]:
    if not isinstance(domain, Interval):
        raise InvalidInput("domain", str(domain), f"an interval (lower, upper) for {statistic.name}")
    return domain.ends


def quantile(level: Exact, empty: Exact | None = None) -> Ordered:
    """The quantile at a level in [0, 1], linear between neighbouring records at (n - 1) level, as NumPy's default."""
    q = exact("level", level, lambda v: 0 <= v <= 1, "a number in [0, 1]")
    return Ordered(f"the quantile at {level}", lambda n: _at_level(q, n), empty)


def _at_level(level: Fraction, n: int) -> list[Fraction]:
    weights, at = [Fraction(0)] * n, (n - 1) * level
    low = math.floor(at)
    weights[low] += 1 - (at - low)
    if at > low:
        weights[low + 1] += at - low
    return weights


def minimum(empty: Exact | None = None) -> Ordered:
    """The smallest record: replace b - a."""
    return quantile(0, empty)


def maximum(empty: Exact | None = None) -> Ordered:
    """The largest record: replace b - a."""
    return quantile(1, empty)


def median(empty: Exact | None = None) -> Ordered:
    """The middle record, or the mean of both middle ones: replace b - a for odd n, (b - a)/2 for even n."""
    return quantile(Fraction(1, 2), empty)


def quantile_range(lower: Exact = Fraction(1, 4), upper: Exact = Fraction(3, 4), empty: Exact | None = None) -> Ordered:
    """The difference of two quantiles: the interquartile range, or the range (0, 1)."""
    low, high = (exact("level", level, lambda v: 0 <= v <= 1, "a number in [0, 1]") for level in (lower, upper))
    if low > high:
        raise InvalidInput("upper", upper, f"at least {lower}")

    def weights(n: int) -> list[Fraction]:
        return [one - other for one, other in zip(_at_level(high, n), _at_level(low, n), strict=True)]

    return Ordered(f"the quantile at {upper} less that at {lower}", weights, empty)


def trimmed_mean(share: Exact, empty: Exact | None = None) -> Ordered:
    """The mean without floor(share n) records at each side, share < 1/2. Replace: (b - a)/(n - 2 floor(share n))."""
    part = exact("share", share, lambda v: 0 <= v < Fraction(1, 2), "a number in [0, 1/2)")

    def weights(n: int) -> list[Fraction]:
        cut = math.floor(part * n)
        return [Fraction(cut <= k < n - cut, n - 2 * cut) for k in range(n)]

    return Ordered(f"the mean trimmed by {share}", weights, empty)


def winsorised_mean(share: Exact, empty: Exact | None = None) -> Ordered:
    """As `trimmed_mean`, but each record cut off is replaced by the nearest one that stays."""
    part = exact("share", share, lambda v: 0 <= v < Fraction(1, 2), "a number in [0, 1/2)")

    def weights(n: int) -> list[Fraction]:
        cut, result = math.floor(part * n), [Fraction(0)] * n
        for k in range(n):
            result[min(max(k, cut), n - 1 - cut)] += Fraction(1, n)
        return result

    return Ordered(f"the winsorised mean at {share}", weights, empty)


# -------------------------------------------------------------------------------------------- functions of sums


class Through(Statistic):
    """G(sum f(x_i)) for a monotone G that is convex or concave, and f >= 0.

    For two values of one record the difference is monotone in what the others sum to, which is extreme where they are
    all alike; for given others it is extreme where the record is.
    """

    def __init__(self, name: str, outer: Callable[[Any], Any], each: Map, falls: bool, least: int = 0) -> None:
        self.name, self.outer, self.each, self.falls, self.least = name, outer, each, falls, least

    def of(self, records: Sequence[Any]) -> Vector:
        return (self.outer(sum((len(list(run)) * self.each(x)[0] for x, run in _runs(records)), Fraction(0))),)

    def points(self, domain: Domain, norm: str, n: int) -> list[Any]:
        return [point for point, _ in self.each.images(domain, norm)]

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        if not isinstance(domain, Interval) or not domain.bounded:
            raise InvalidInput("domain", str(domain), f"a bounded interval for {self.name}")
        points = self.points(domain, norm, n)
        if neighbours == "replace":
            pairs = [_changed([t] * (n - 1), 0, u, v) for t, u, v in product(points, repeat=3)]
        else:
            pairs = [_changed([t] * n, n, u) for t, u in product(points, repeat=2)]
        moved = [self.distance(pair, norm) for pair in pairs]
        return Bound(largest(moved), "the others are alike and extreme, and so is this record", pairs[best(moved)])


def norm_of_records(exponent: int = 2) -> Through:
    """(sum |x_i|^p)^(1/p) of numbers, for p = 1, 2, ...; 0 of no records."""
    p = check_count("exponent", exponent, 1, 100)

    def rooted(s: Any) -> Any:
        return s if p == 1 else root(s) if p == 2 else s if s == 0 else to_ball(s) ** (to_ball(1) / p)

    return Through(f"the l{p} norm of the records", rooted, absolute_power(p), falls=True)


def log_sum_exp() -> Through:
    """log sum e^(x_i); of no records it has no value."""
    return Through("log-sum-exp", lambda s: numeric.log(to_ball(s)), exponential(), falls=True, least=1)


def log_of_squares() -> Through:
    """log(1 + sum x_i^2)."""
    return Through("log(1 + the sum of squares)", lambda s: numeric.log(to_ball(1 + s)), power(2), falls=True)


def exp_of_squares() -> Through:
    """exp(-sum x_i^2)."""
    return Through("exp(-the sum of squares)", lambda s: numeric.exp(-to_ball(s)), power(2), falls=True)


# ----------------------------------------------------------------------------------- neighbouring records, streams


class Windows(Statistic):
    """sum of h(x_i, x_(i + 1)), h symmetric and of numbers, extreme where records are at the ends of the domain.

    A record is in two windows, so three records show all that replacing one can do, and two all that adding one can.
    Between neighbours l and r: |x - y| is linear while the order stays the same; x y is linear in each record, and so
    is l u + u r - l r. For (x - y)^2, replacing v by u moves it by (l - u)^2 + (u - r)^2 - (l - v)^2 - (v - r)^2, at
    most 2 (b - a)^2, with l = r = v; adding u moves it by 2 (u - l)(u - r), from -(b - a)^2 / 2 to 2 (b - a)^2.
    """

    symmetric, falls = False, False

    def __init__(self, name: str, window: Callable[[Any, Any], Any]) -> None:
        self.name, self.window = name, window

    def of(self, records: Sequence[Any]) -> Vector:
        return (sum((self.window(x, y) for x, y in zip(records, records[1:], strict=False)), Fraction(0)),)

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        a, b = _interval(self, domain)
        added = neighbours != "replace"
        few = min(n, 2 if added else 3)
        if not domain.bounded:  # type: ignore[union-attr]
            return Bound(math.inf if few + added > 1 else Fraction(0), "one window grows without bound")
        places = range(few + added if few == n else few + added - 1)  # the last one is the first, mirrored
        pairs = [
            _changed([*others], place, u, *([] if added else [v]))
            for others in product((a, b), repeat=few - (not added))
            for place in places
            for u, v in product((a, b), repeat=2)
        ]
        moved = [self.distance(pair, norm) for pair in pairs]
        one, other = pairs[best(moved)]
        pair = (one + [one[-1]] * (n - few), other + [other[-1]] * (n - few)) if n > few else (one, other)
        return Bound(largest(moved), "windows are local, and records at the ends of the domain", pair)

    def always(self, domain: Domain, neighbours: str, norm: str) -> Bound:
        bounds = [self.bound(domain, neighbours, norm, n) for n in range(1, 4)]
        return Bound(largest([Fraction(0), *(bound.value for bound in bounds)]), bounds[-1].why)


def total_variation() -> Windows:
    """sum |x_i - x_(i+1)|: 2 (b - a) from three records on."""
    return Windows("the sum of |x_i - x_(i+1)|", lambda x, y: abs(x - y))


def adjacent_products() -> Windows:
    """sum x_i x_(i+1)."""
    return Windows("the sum of x_i x_(i+1)", lambda x, y: x * y)


def squared_steps() -> Windows:
    """sum (x_i - x_(i+1))^2: 2 (b - a)^2 from three records on."""
    return Windows("the sum of (x_i - x_(i+1))^2", lambda x, y: (x - y) ** 2)


class Spans(Statistic):
    """Sums of a stream of numbers over spans of it. A record enters every span over it: c of them move by b - a each,
    which is c, sqrt c and 1 times b - a in l1, l2 and linf, for the record in the most spans."""

    symmetric, stream = False, True

    def __init__(self, name: str, spans: Callable[[int], list[tuple[int, int]]]) -> None:
        self.name, self.spans = name, cache(spans)

    def of(self, records: Sequence[Any]) -> Vector:
        sums = [Fraction(0)]
        for x in records:
            sums.append(sums[-1] + x)
        return tuple(sums[stop] - sums[start] for start, stop in self.spans(len(records))) or (Fraction(0),)

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        a, b = _interval(self, domain)
        steps = [0] * (n + 1)
        for start, stop in self.spans(n):
            steps[start] += 1
            steps[stop] -= 1
        covered = list(accumulate(steps))[:n]
        place = best(covered)
        count = Fraction(covered[place])
        factor = {"l1": count, "l2": root(count), "linf": min(count, Fraction(1))}[norm]
        return Bound(
            _scaled(factor, b - a), f"a record is in {count} sums at most", _changed([a] * (n - 1), place, a, b)
        )


def prefix_sums() -> Spans:
    """The sums of the first 1, 2, ..., n records."""
    return Spans("all prefix sums", lambda n: [(0, t) for t in range(1, n + 1)])


def window_sums(width: int) -> Spans:
    """The sums of all `width` records in a row."""
    w = check_count("width", width, 1)
    return Spans(f"the sums of {w} records in a row", lambda n: [(t, t + w) for t in range(n - w + 1)])


def tree_nodes() -> Spans:
    """The nodes of the binary tree over a stream that n records close: floor(log2 n) + 1 over the first one."""

    def spans(n: int) -> list[tuple[int, int]]:
        sizes = [1 << level for level in range(n.bit_length())]
        return [(start, start + size) for size in sizes for start in range(0, n - size + 1, size)]

    return Spans("the nodes of a binary tree", spans)


# ------------------------------------------------------------------------------------------------ with derivations


@dataclass(eq=False, repr=False)
class Derived(Statistic):
    """A statistic of numbers in [a, b] with formulas of its own, in a, b and n, for replacing and adding a record.

    `ever` is one for every n; the derivation is where the statistic is defined. `holds` says on which intervals they
    hold, if not on all, and `extra` gives records, besides the ends, that may be in a pair.
    """

    name: str
    function: Callable[[Sequence[Any]], Any]
    replace: str
    added: str = ""
    ever: str = ""
    falls: bool = False
    least: int = 0
    symmetric: bool = True
    holds: Callable[[Any, Any], bool] | None = None
    extra: Callable[[Any, Any, int], list[Any]] | None = None
    places: tuple[int, ...] = ()

    def of(self, records: Sequence[Any]) -> Vector:
        value = self.function(records)
        return value if isinstance(value, tuple) else (value,)

    def points(self, domain: Domain, norm: str, n: int) -> list[Any]:
        a, b = _interval(self, domain)
        bounded = isinstance(a, Fraction) and isinstance(b, Fraction)
        extra = self.extra(a, b, n) if self.extra and bounded else []
        inside = [x for x in extra if (a <= x <= b if isinstance(x, Fraction) else to_ball(a) <= x <= to_ball(b))]
        return domain.points(norm) + inside

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        return self._evaluated(self.replace if neighbours == "replace" else self.added, domain, norm, n)

    def first(self, domain: Domain, norm: str) -> Bound:
        return self.bound(domain, "add or remove", norm, 0) if self.empty is None else super().first(domain, norm)

    def always(self, domain: Domain, neighbours: str, norm: str) -> Bound:
        return self._evaluated(self.ever, domain, norm, 1) if self.ever else super().always(domain, neighbours, norm)

    def _evaluated(self, formula: str, domain: Domain, norm: str, n: int) -> Bound:
        a, b = _interval(self, domain)
        if not formula:
            return Bound(None, "no rule: only pairs were tried")
        bounded = isinstance(a, Fraction) and isinstance(b, Fraction)
        if self.holds is not None and not (bounded and self.holds(a, b)):
            return Bound(None, f"the rule for {self.name} does not hold on {domain}")
        if not bounded:  # formulas are polynomials of the ends: on [a, t] they are constant, or grow with t
            near, far = ([math.copysign(t, e) if math.isinf(e) else e for e in (a, b)] for t in (1e9, 1e18))
            values = [self._at(formula, Fraction(low), Fraction(high), norm, n) for low, high in (near, far)]
            return Bound(values[0] if values[0] == values[1] else math.inf, f"{formula}, as derived for {self.name}")
        return Bound(self._at(formula, a, b, norm, n), f"{formula}, as derived for {self.name}")

    @staticmethod
    def _at(formula: str, a: Any, b: Any, norm: str, n: int) -> Any:
        scope = {**_WORDS, "a": a, "b": b, "n": Fraction(n), "norm": norm}
        value = eval(formula, scope)  # one of the formulas below
        return Fraction(value) if isinstance(value, int) else value


def _squares(low: Any, high: Any) -> Any:
    """The width of the range of t^2 over [low, high]."""
    most = largest([low * low, high * high])
    return most - (0 if low <= 0 <= high else min(low * low, high * high))


def _jump(a: Any, b: Any, n: Any) -> Any:
    """The most that one entry of a softmax of n scores in [a, b] moves with its score."""
    w, others = to_ball(b - a), int(n) - 1
    if others == 0:
        return Fraction(0)
    if numeric.log(to_ball(others)) <= w / 2:
        return (w / 4).tanh()
    return 1 / (1 + others * (-w).exp()) - to_ball(Fraction(1, others + 1))


def _exp(x: Any) -> Any:
    return numeric.exp(to_ball(x))


_WORDS: dict[str, Any] = {"__builtins__": {}, "abs": abs, "largest": largest, "root": root, "exp": _exp}
_WORDS |= {"squares": _squares, "jump": _jump}


def derived(
    replace: str, added: str = "", ever: str = "", **more: Any
) -> Callable[[Callable[[Sequence[Any]], Any]], Callable[[], Derived]]:
    """A decorator: the statistic that a function of records computes, with these formulas, which its text derives."""

    def named(function: Callable[[Sequence[Any]], Any]) -> Callable[[], Derived]:
        def made() -> Derived:
            return Derived(function.__name__.replace("_", " "), function, replace, added, ever, **more)

        made.__name__, made.__doc__ = function.__name__, function.__doc__
        return made

    return named


@derived("(n - 1)*(b - a)**2/n", "n*(b - a)**2/(n + 1)", "(b - a)**2")
def squared_deviations(x: Sequence[Any]) -> Any:
    """sum (x_i - mean)^2; 0 of no records.

    With t the sum of the others, replacing v by u moves it by (u - v)((u + v)(n - 1)/n - 2 t/n), which is linear in t:
    the others are all a or all b. Adding u to n records with mean m adds n (u - m)^2/(n + 1).
    """
    return sum(v * v for v in x) - Fraction(1, len(x)) * sum(x) ** 2 if x else Fraction(0)


@named
def variance(sample: bool = False, empty: Exact | None = None) -> Derived:
    """The variance, divided by n, or by n - 1 for the sample variance, which needs two records.

    Replace: (n - 1)(b - a)^2/n^2, or (b - a)^2/n, as for `squared_deviations`. Adding u to n records with mean m and
    squared deviations s moves it by n (u - m)^2/(n + 1)^2 - s/(n (n + 1)), or (u - m)^2/(n + 1) - s/(n (n - 1)), where
    s is at most n (b - a)^2/4: most for s = 0. The first one has no value of no records: give `empty`.
    """
    squares = squared_deviations().function
    if sample:
        formulas = "(b - a)**2/n", "(b - a)**2/(n + 1)"
        return Derived(
            "sample variance", lambda x: squares(x) * Fraction(1, len(x) - 1), *formulas, falls=True, least=2
        )
    formulas = "(n - 1)*(b - a)**2/n**2", "n*(b - a)**2/(n + 1)**2"
    statistic = Derived("variance", lambda x: squares(x) * Fraction(1, len(x)), *formulas, falls=True)
    _declared(statistic, empty)
    return statistic


@derived("2*(n - 1)*(b - a)/n", "2*n*(b - a)/(n + 1)", "2*(b - a)")
def absolute_deviations(x: Sequence[Any]) -> Any:
    """sum |x_i - mean|; 0 of no records.

    A norm of a linear map moves by at most the norm of a column, 2 (n - 1)/n. A record at the mean adds nothing, and
    moving it from there to u moves the value by at most 2 n |u - mean|/(n + 1); nothing is taken away.
    """
    return sum((abs(v - sum(x) * Fraction(1, len(x))) for v in x), Fraction(0))


@derived("root(2)*(b - a) if n > 1 else 0", "root(2)*(b - a) if n else 0", "root(2)*(b - a)", symmetric=False)
def cyclic_steps(x: Sequence[Any]) -> Any:
    """sqrt(sum (x_i - x_(i+1))^2), where the first record follows the last.

    A norm of a linear map moves by at most the norm of a column, sqrt 2. A new record between l and r adds
    2 (u - l)(u - r) to the square, from -(b - a)^2/2 to 2 (b - a)^2, and roots differ by at most the root of that.
    """
    return root(sum(((v - w) ** 2 for v, w in zip(x, [*x[1:], *x[:1]], strict=True)), Fraction(0)))


@derived(
    "largest([squares(n*a, (n - 1)*a + b), squares((n - 1)*b + a, n*b)])",
    "largest([abs(u*(2*n*t + u)) for u in (a, b) for t in (a, b)] + [(n*t)**2 for t in (a, b) if a <= -n*t <= b])",
    extra=lambda a, b, n: [-k * t for k in (n - 1, n) for t in (a, b)],
)
def squared_sum(x: Sequence[Any]) -> Any:
    """(sum x_i)^2. Differences are linear in the sum of the others, so they are all a or all b; then it is a square
    over an interval, extreme at an end or at the vertex."""
    return sum(x, Fraction(0)) ** 2


@derived("(n - 1)*(b - a)*largest([abs(a), abs(b)])", "n*largest([a*a, b*b])")
def pair_products(x: Sequence[Any]) -> Any:
    """sum over i < j of x_i x_j: a record is multiplied by the sum of the others."""
    return (sum(x, Fraction(0)) ** 2 - sum(v * v for v in x)) / 2


@derived(
    "(b - a)*largest([abs(a), abs(b)])**(n - 1)",
    "largest([abs(a), abs(b)])**n*largest([abs(a - 1), abs(b - 1)])",
    "largest([b - a, abs(a - 1), abs(b - 1)]) if -1 <= a and b <= 1 else None",
)
def product_of_records(x: Sequence[Any]) -> Any:
    """The product of all records; 1 of none: a record is multiplied by the product of the others."""
    return math.prod(x, start=Fraction(1))


@derived(
    "jump(a, b, n)*{'l1': 2, 'l2': root(2), 'linf': 1}[norm]",
    falls=True,
    least=1,
    holds=lambda a, b: True,
    extra=lambda a, b, n: [to_ball((a + b) / 2) - numeric.log(to_ball(n - 1))] if n > 1 else [],
)
def softmax(x: Sequence[Any]) -> Any:
    """The softmax of the records: n numbers. Replacing one score raises its own entry by d and lowers the others by d
    in all; d is largest where the others' log-sum-exp is in the middle of both values, or as near to it as can be."""
    weights = [_exp(v) for v in x]
    return tuple(w / sum(weights) for w in weights)


@derived(
    "(b - a)*exp(b - a)/(exp(b - a) + n - 1)",
    "(b - a)*exp(b - a)/(exp(b - a) + n)",
    falls=True,
    least=1,
    holds=lambda a, b: b - a <= 1,
)
def softmax_mean(x: Sequence[Any]) -> Any:
    """sum x_i e^(x_i) / sum e^(x_i), on domains of width at most 1.

    There it rises in each record, as its derivatives p_i (1 + x_i - value) are not negative, and this rise falls in the
    others, as p_j falls and the value grows with x_i. Adding u moves it by e^u (u - value)/(sum + e^u): upwards most
    with the others at a; downwards by d it is at most (b - u)/(1 + n e^(a - u)), which is less.
    """
    weights = [_exp(v) for v in x]
    return sum(w * to_ball(v) for w, v in zip(weights, x, strict=True)) / sum(weights)


@derived("b*b/(1 + b)", "b*b/(1 + b)", falls=True, holds=lambda a, b: a == 0 and b <= 3)
def squares_over_sum(x: Sequence[Any]) -> Any:
    """sum x_i^2 / (1 + sum x_i) of records in [0, b], b <= 3.

    With Q and c - 1 the sums of the others' squares and of the others, it is (Q + u^2)/(c + u), convex in u. Up to b it
    rises by at most b^2/(c + b), where Q = 0; from u down to 0 it rises by u (Q - c u)/(c (c + u)), at most
    u (b - u)/(c + u) as Q <= b c, and so b^2/4, which is less. Adding u is the same as replacing 0 by u.
    """
    return sum(v * v for v in x) / (1 + sum(x, Fraction(0)))


def rank(place: int) -> Derived:
    """1 + how many records are smaller than the one at `place` (1, 2, ...): from 1 to n, the number of records."""
    k = check_count("place", place, 1)
    formulas = "n - 1 if b > a else 0", "n if b > a else 0"
    return Derived(
        f"the rank of record {k}",
        lambda x: Fraction(1 + sum(v < x[k - 1] for v in x)),
        *formulas,
        symmetric=False,
        least=k,
        places=(k - 1,),
    )


def indicator(
    name: str, holds: Callable[[Sequence[Any]], bool], least: int = 0, points: Sequence[Exact] = ()
) -> Derived:
    """1 if a property of the records holds, else 0: at most 1 whatever it is. `points` are records worth trying."""
    given = [_number("points", point) for point in points]
    ones, found = ("1", "1", "1"), lambda a, b, n: given
    return Derived(name, lambda x: Fraction(bool(holds(x))), *ones, symmetric=False, least=least, extra=found)


# ------------------------------------------------------------------------------------------------ several, programs


class Stack(Statistic):
    """Several statistics of the same records, released together. Their sensitivities add in l1, their squares in l2."""

    def __init__(self, parts: Sequence[Statistic]) -> None:
        self.parts, self.name = parts, " and ".join(part.name for part in parts)
        self.least = max(part.least for part in parts)
        self.symmetric = all(part.symmetric for part in parts)
        self.stream = any(part.stream for part in parts)

    def of(self, records: Sequence[Any]) -> Vector:
        return tuple(entry for part in self.parts for entry in part.value(records))

    def distance(self, pair: Pair, norm: str) -> Any:
        return length(tuple(part.distance(pair, norm) for part in self.parts), norm)

    def first(self, domain: Domain, norm: str) -> Bound:
        return _together([part.first(domain, norm) for part in self.parts], norm)

    def points(self, domain: Domain, norm: str, n: int) -> list[Any]:
        found = [point for part in self.parts for point in part.points(domain, norm, n)]
        return [*{repr(point): point for point in found}.values()]  # balls have no hash

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        return _together([part.bound(domain, neighbours, norm, n) for part in self.parts], norm)

    def always(self, domain: Domain, neighbours: str, norm: str) -> Bound:
        return _together([part.always(domain, neighbours, norm) for part in self.parts], norm)


def _together(bounds: list[Bound], norm: str) -> Bound:
    if any(bound.value is None for bound in bounds):
        return next(bound for bound in bounds if bound.value is None)
    pair = next((bound.pair for bound in bounds if bound.pair), None)
    return Bound(
        length(tuple(bound.value for bound in bounds), norm), f"the {norm} norm of the parts' sensitivities", pair
    )


def stack(*parts: Statistic) -> Stack:
    """Several statistics of the same records, one after the other: for example the scores of several arms."""
    if not parts or not all(isinstance(part, Statistic) for part in parts):
        raise InvalidInput("parts", parts, "statistics, at least one")
    return Stack(parts)


class Program(Statistic):
    """A Python function of a list of exact records: what it does elsewhere than on the pairs tried is not known."""

    symmetric, least = False, 1

    def __init__(self, function: Callable[[list[Any]], Any]) -> None:
        self.function, self.name = function, f"the program {getattr(function, '__name__', 'given')}"
        self._steady = False

    def of(self, records: Sequence[Any]) -> Vector:
        answer = self._of(records)
        if not self._steady and answer != self._of(records):
            raise InvalidInput(
                "statistic", self.function, "a function that gives one answer for one list: it is random"
            )
        self._steady = True
        return answer

    def _of(self, records: Sequence[Any]) -> Vector:
        """One answer, as exact numbers."""
        try:
            answer = self.function(list(records))
        except (AttributeError, TypeError) as error:
            raise InvalidInput("statistic", self.function, f"a function of one list of numbers ({error})") from error
        entries = (
            answer
            if isinstance(answer, list | tuple)
            else answer.ravel().tolist()
            if hasattr(answer, "ravel")
            else [answer]
        )
        return tuple(
            e
            if hasattr(e, "mid")
            else exact("what statistic returns", e, lambda _: True, "a finite number, or a list of them")
            for e in entries
        )

    def points(self, domain: Domain, norm: str, n: int) -> list[Any]:
        points = domain.points(norm)
        if isinstance(domain, Interval) and domain.bounded:
            a, b = domain.ends
            points += [a + (b - a) * Fraction(k, 4) for k in (1, 2, 3)]
        return points

    def bound(self, domain: Domain, neighbours: str, norm: str, n: int) -> Bound:
        return Bound(None, "a program: pairs were tried, and others may move it further")

    def always(self, domain: Domain, neighbours: str, norm: str) -> Bound:
        return self.bound(domain, neighbours, norm, 0)
