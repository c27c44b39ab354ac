"""`sensitivity`: how far one record moves a statistic, with the pair of data sets that shows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput, NoNumber, one_of
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import check_count
from banditproof.theory.numbers.numeric import exactly, working_precision
from banditproof.theory.sensitivities.domains import NEIGHBOURS, NORMS, Domain, Interval, largest
from banditproof.theory.sensitivities.statistics import Bound, Pair, Program, Statistic, best, near

_BITS = 256
_TRIED = 200_000  # records in all pairs that are tried where no rule gives the pair
_SIZES = (1, 2, 3, 4, 5, 8, 64)  # of data sets tried for a statement about every n
MOST_RECORDS = 10**5
End = Fraction | float


@dataclass(frozen=True)
class Sensitivity(NoNumber):
    """A proved sensitivity: the true one lies in [lower, upper], both exact numbers.

    Attributes:
        statistic, domain: what is computed, of what records.
        neighbours: "replace" or "add or remove" (one record).
        norm: "l1", "l2" or "linf"; for a single number they are the same.
        n: the number of records of one of both data sets; None for every number of records.
        lower: what the pair attains, in exact or ball arithmetic; inf where a rule proves that there is no bound.
        upper: what the rule proves; inf where it is not known to be bounded.
        pair: two neighbouring data sets, the statistic of which is `lower` apart; None where no pair is known.
        rule: why there is nothing above `upper`.
        dimension: how many numbers the statistic is, at the pair; 0 without one.
    """

    statistic: Any
    domain: Domain
    neighbours: str
    norm: str
    n: int | None
    lower: End
    upper: End
    pair: Pair | None
    rule: str
    dimension: int

    @property
    def exact(self) -> bool:
        """Whether both ends are the same number."""
        return self.lower == self.upper

    @property
    def value(self) -> Enclosure:
        """The enclosure with dyadic ends, rounded outward."""
        with working_precision(_BITS):
            return Enclosure(*(getattr(Enclosure.outward(getattr(self, end)), end) for end in ("lower", "upper")))

    def at(self, n: int) -> Sensitivity:
        """The same statement for one number of records."""
        return sensitivity(self.statistic, self.domain, self.neighbours, self.norm, n)

    @question
    def recheck(self) -> bool:
        """Whether the pair and the rule, evaluated again, give no less and no more than both ends say."""
        with working_precision(_BITS), exactly():
            attained = (
                self.lower == math.inf
                or not self.lower
                or self.pair is not None
                and are_neighbours(*self.pair, self.neighbours)
            )
            if attained and self.lower and self.pair is not None and self.lower < math.inf:
                attained = _ends(self.statistic.distance(self.pair, self.norm))[0] >= self.lower
            bounds = _bounds(self.statistic, self.domain, self.neighbours, self.norm, self.n)
            return bool(attained) and _upper(bounds)[0] <= self.upper

    def __float__(self) -> float:
        """The least float that is certainly not below it, which noise may be calibrated to.

        Raises InvalidInput where it is not known to be finite.
        """
        if self.upper == math.inf:
            raise InvalidInput("sensitivity", str(self), "one with a finite upper end")
        return self.value.floats[1]

    def __str__(self) -> str:
        size = "every n" if self.n is None else f"n = {self.n}"
        said = f"{self.statistic.name} over {self.domain}, {self.neighbours} one record, {self.norm}, {size}"
        if self.upper == math.inf:
            return f"{said}: {'infinite' if self.exact else f'at least {_text(self.lower)}, no upper end'}"
        return f"{said}: {_text(self.upper) if self.exact else self.value.decimal(6)}"

    __repr__ = __str__


def _text(end: End) -> str:
    short = isinstance(end, Fraction) and len(str(end)) <= 20
    return str(end) if short else Enclosure.outward(end).decimal(6)


@named
def sensitivity(
    statistic: Statistic | Callable[[list[Any]], Any],
    domain: Domain | tuple[Any, Any],
    neighbours: str = "replace",
    norm: str = "l1",
    n: int | None = None,
) -> Sensitivity:
    """How far one record can move a statistic: exact or enclosed, with the pair of data sets that attains it.

    `statistic` is one of `banditproof.theory.statistics`, or a Python function of a list of records, for which pairs
    are tried: then `upper` is inf, as nothing is known of other pairs. `domain` is (lower, upper) for numbers, or
    another domain of `statistics`. `neighbours` is "replace" (one of n records is another one) or "add or remove" (one
    of both data sets has n records, the other one more or one less). Without n the statement is about every number of
    records for which the statistic has a value.

    The upper end is what the rule of the statistic proves, evaluated in fractions, and in balls where roots or
    logarithms enter; the lower end is the distance of the values at the pair, in the same arithmetic.

    Raises InvalidInput for arguments that are none of these, for domains for which the statistic has no rule of its own
    kind, and for an n for which it has no value (what is the mean of no records? `mean(empty=...)` says it).

    >>> from banditproof.theory import statistics
    >>> sensitivity(statistics.mean(), (0, 1), n=10)
    the mean of x over [0, 1], replace one record, l1, n = 10: 1/10
    >>> [list(map(str, records)) for records in sensitivity(statistics.median(), (0, 1), n=3).pair]
    [['1', '0', '1'], ['0', '0', '1']]
    >>> sensitivity(statistics.histogram(5), statistics.Categories(5), "add or remove", "l2")
    the histogram over 5 categories, add or remove one record, l2, every n: 1
    """
    if isinstance(neighbours, int):
        raise InvalidInput("neighbours", neighbours, f"one of {', '.join(NEIGHBOURS)}", f"n={neighbours}")
    one_of("neighbours", neighbours, NEIGHBOURS)
    one_of("norm", norm, NORMS)
    if isinstance(domain, tuple) and len(domain) == 2:
        domain = Interval(*domain)
    if not isinstance(domain, Domain):
        ends = domain if isinstance(domain, list) else [0, domain]
        meant = str(tuple(ends)) if len(ends) == 2 and all(isinstance(end, int | float) for end in ends) else ""
        raise InvalidInput("domain", domain, "(lower, upper), or a domain of banditproof.theory.statistics", meant)
    if not isinstance(statistic, Statistic):
        if not callable(statistic):
            raise InvalidInput("statistic", statistic, "one of banditproof.theory.statistics, or a function of a list")
        if getattr(statistic, "__module__", "") == Statistic.__module__:
            raise InvalidInput(
                "statistic", statistic, f"what this function makes: statistics.{statistic.__name__}(...)"
            )
        statistic = Program(statistic)
    if n is not None:
        n = check_count("n", n, 1, MOST_RECORDS)
    with working_precision(_BITS), exactly():
        bounds = _bounds(statistic, domain, neighbours, norm, n)
        upper, rule, proved = _upper(bounds)
        lower, pair = (upper, None) if proved else _lower(statistic, domain, neighbours, norm, bounds, upper)
        if not lower <= upper:
            raise ArithmeticError(f"the rule of {statistic.name} says {upper}, but a pair attains {lower}: {pair}")
        dimension = 0 if pair is None else max(len(statistic.value(records)) for records in pair)
    return Sensitivity(statistic, domain, neighbours, norm, n, lower, upper, pair, rule, dimension)


Bounds = list[tuple[int | None, Bound]]  # by the number of records of the smaller data set; None: of every one


def _bounds(statistic: Statistic, domain: Domain, neighbours: str, norm: str, n: int | None) -> Bounds:
    """What the rules say for the numbers of records that a statement is about."""
    added = neighbours != "replace"
    if added and statistic.stream:
        raise InvalidInput("neighbours", neighbours, f'"replace" for {statistic.name}: a stream has a fixed length')
    least = statistic.least if added else max(statistic.least, 1)
    sizes = [size for size in _SIZES if size >= least] if n is None else [n - 1, n] if added else [n]
    if n is None and added and not least:
        sizes = [0, *sizes]
    if sizes[0] < least:
        hint = "; empty=... gives no records a value" if "empty" in vars(statistic) else ""
        allowed = f"at least {least + added} for {statistic.name}: fewer than {least} records have no value{hint}"
        raise InvalidInput("n", n, allowed)
    bounds: Bounds = [(size, statistic.at_size(domain, neighbours, norm, size)) for size in sizes]
    return [*bounds, (None, statistic.always(domain, neighbours, norm))] if n is None else bounds


def _upper(bounds: Bounds) -> tuple[End, str, bool]:
    """The upper end of a statement, the rule, and whether it is proved that there is none."""
    deciding = [bound for size, bound in bounds if size is None] or [bound for _, bound in bounds]
    infinite = next((bound for size, bound in bounds if size is not None and bound.value == math.inf), None)
    if infinite is not None:
        return math.inf, infinite.why, True
    unknown = next((bound for bound in deciding if bound.value is None), None)
    if unknown is not None:
        return math.inf, unknown.why, False
    value = largest([bound.value for bound in deciding])
    return _ends(value)[1], deciding[best([bound.value for bound in deciding])].why, False


def _ends(value: Any) -> tuple[End, End]:
    """The number itself, twice, or both ends of a ball."""
    if isinstance(value, int | Fraction):
        return Fraction(value), Fraction(value)
    interval = Enclosure.outward(value)
    return interval.lower, interval.upper


def _lower(
    statistic: Statistic, domain: Domain, neighbours: str, norm: str, bounds: Bounds, upper: End
) -> tuple[End, Pair | None]:
    """The largest distance at a pair: of the rules, then of those that are tried, until the upper end is reached."""
    found: tuple[End, Pair | None] = (Fraction(0), None)
    sizes = [size for size, _ in bounds if size is not None]
    hints = (bound.pair for _, bound in bounds if bound.pair is not None)
    tried = (pair for size in sizes for pair in _pairs(statistic, domain, neighbours, norm, size, _TRIED // len(sizes)))
    for source in (hints, tried):
        for pair in source:
            attained = _ends(statistic.distance(pair, norm))
            if attained[0] > found[0] or found[1] is None:
                found = attained[0], pair
            if attained[1] >= upper:
                return found
    return found


def _pairs(statistic: Statistic, domain: Domain, neighbours: str, norm: str, n: int, most: int) -> Iterator[Pair]:
    """Pairs whose records, but one, are one value up to some place and another from there on."""
    points = [near(x) for x in statistic.points(domain, norm, max(n, 1))]
    if not n:
        yield from (([], [u]) for u in points)
        return
    others = n - (neighbours == "replace")
    cuts = sorted(
        {k for k in (0, 1, 2, others // 2, others // 2 + 1, others - 2, others - 1, others) if 0 <= k <= others}
    )
    places = dict.fromkeys([others // 2] if statistic.symmetric else [0, others // 2, others, *statistic.places])
    left = most // n
    for p, q, cut in product(points, points, cuts):
        rest = [p] * cut + [q] * (others - cut)
        for place, u in product(places, points):
            for v in points if neighbours == "replace" else [None]:
                if left <= 0:
                    return
                left -= 1
                one, other = ([*rest[:place], *new, *rest[place:]] for new in ([] if v is None else [v], [u]))
                yield one, other


def are_neighbours(one: list[Any], other: list[Any], neighbours: str) -> bool:
    """Whether two data sets differ in one record, or whether one of them has one record more."""
    if neighbours == "replace":
        return len(one) == len(other) and sum(not _same(a, b) for a, b in zip(one, other, strict=True)) <= 1
    small, large = sorted((one, other), key=len)
    place = next((k for k, (a, b) in enumerate(zip(small, large, strict=False)) if not _same(a, b)), len(small))
    return len(large) == len(small) + 1 and all(map(_same, small[place:], large[place + 1 :]))


def _same(a: Any, b: Any) -> bool:
    return a is b or bool(a == b)


def declared(name: str, value: Any, norm: str, neighbours: str | None = None) -> Any:
    """The number to calibrate to: of a proved `Sensitivity` its upper end, rounded up to a float; others pass.

    Raises InvalidInput for one in another norm (unless it is of a single number), for other neighbours than are
    meant, and for one that is not known to be finite.
    """
    if not isinstance(value, Sensitivity):
        return value
    if value.norm != norm and value.dimension != 1:
        raise InvalidInput(name, str(value), f'proved in the norm "{norm}", to which this noise is calibrated')
    if neighbours is not None and value.neighbours != neighbours:
        raise InvalidInput(name, str(value), f'proved for neighbours="{neighbours}", as rewards are')
    return float(value)


def not_below(typed: float, proved: Sensitivity) -> None:
    """Raises InvalidInput if a typed sensitivity is below what a pair of neighbouring data sets attains."""
    if typed < _ends(proved.lower)[0] and typed < float(proved.lower):
        raise InvalidInput("sensitivity", typed, f"at least {_text(proved.lower)}, which is proved for {proved}")
