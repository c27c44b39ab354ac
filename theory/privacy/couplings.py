"""Maximal couplings, and the optimal transport between two product laws for the Hamming distance and its square.

Outcomes of a coordinate with equal likelihood ratio are merged, and coordinates with equal laws dropped; neither
changes the optimum, since an outcome can be redrawn within its class from one common law. For the Hamming distance the
product of maximal couplings is optimal. For its square three things are known:

- A coordinate with two classes is a Bernoulli pair of means a > b. With S and S' the numbers of ones, the distance is
  at least |S - S'|. If the odds of a are a common multiple of the odds of b in all coordinates, both data sets have the
  same law given their number of ones, and more ones mean stochastically more (Efron, 1965, for independent log-concave
  variables given their sum): they can be nested, the distance is |S - S'|, and the quantile coupling of the two sums is
  optimal for any number of coordinates. Identical Bernoulli coordinates are the simplest case.
- In general the sets {p_i > q_i} still give the lower bound; groups of such coordinates, and of similar Bernoulli
  coordinates (`similar_coins`), coupled independently of each other, give an upper bound.
- If the types (how often each class occurs among equal coordinates) are few, the optimum is a small linear program.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.laws.comonotone import least_square_distance, mean_and_variance
from banditproof.theory.laws.similar_coins import GROUP, spread_of_similar
from banditproof.theory.numbers.enclosure import Enclosure, Valued
from banditproof.theory.numbers.exact_numbers import read
from banditproof.theory.numbers.numeric import working_precision
from banditproof.theory.privacy.transport import Transport, optimal_transport

Law = Mapping[Any, Fraction]
Classes = tuple[tuple[Fraction, Fraction], ...]  # (p, q) of the outcomes of one likelihood ratio, p/q decreasing
Blocks = tuple[tuple[Classes, int], ...]  # equal coordinates, and how many there are
Events = tuple[frozenset[Any], ...]

_COSTS = ("hamming", "hamming-squared")
MOST_COORDINATES = 30_000  # their bounds take a time that grows with the square
LARGEST_PROGRAM = 80  # types on each side up to which the linear program is solved


Mass = float | Fraction | str
FiniteLaw = Mass | Sequence[Mass] | Mapping[Any, Mass]
"""What `finite_law` reads."""


def finite_law(name: str, law: FiniteLaw) -> dict[Any, Fraction]:
    """A law on finitely many outcomes, exactly.

    `law` is a Bernoulli mean, a sequence of probabilities of 0, 1, 2, ..., or a mapping from outcomes to
    probabilities. Probabilities are ints, Fractions, strings such as "0.3" or "1/3", or floats, which are the dyadic
    rationals that they are (0.1 is not "0.1"). Raises InvalidInput unless they are >= 0 and sum to 1 exactly.
    """
    try:
        if isinstance(law, (int, float, str, Fraction)):
            mean = read(law) if isinstance(law, str) else Fraction(law)
            exact = {0: 1 - mean, 1: mean}
        else:
            items = law.items() if isinstance(law, Mapping) else enumerate(law)
            exact = {outcome: read(mass) if isinstance(mass, str) else Fraction(mass) for outcome, mass in items}
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        exact = {}
    if not exact or min(exact.values()) < 0 or sum(exact.values()) != 1:
        allowed = 'probabilities that sum to 1 exactly (write "0.1", not 0.1), or a mean in [0, 1]'
        if hasattr(law, "mean"):
            allowed = 'a Bernoulli mean, such as "0.3", or the probabilities of finitely many outcomes, and no law'
        raise InvalidInput(name, law, allowed)
    return exact


@named
def maximal_coupling(p: FiniteLaw, q: FiniteLaw) -> dict[tuple[Any, Any], Fraction]:
    """A coupling of two finite laws that differs with probability TV(p, q), the least possible, as exact masses.

    The overlap min(p, q) stays; what is left of both sides is coupled independently. Laws as for `finite_law`; only
    cells of positive mass are listed. Raises InvalidInput.

    Source: TH-P4.7, BDP-D3.2

    >>> maximal_coupling("1/2", "1/3")
    {(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 3), (1, 0): Fraction(1, 6)}
    """
    left, right = finite_law("p", p), finite_law("q", q)
    overlap = {x: min(mass, right.get(x, Fraction(0))) for x, mass in left.items()}
    variation = 1 - sum(overlap.values())
    cells = {(x, x): mass for x, mass in overlap.items() if mass}
    over = {x: mass - overlap[x] for x, mass in left.items() if mass > overlap[x]}
    under = {y: mass - overlap.get(y, 0) for y, mass in right.items() if mass > overlap.get(y, 0)}
    return cells | {(x, y): a * b / variation for (x, a), (y, b) in product(over.items(), under.items())}


def variation(p: Law, q: Law) -> Fraction:
    """Total variation distance of two exact laws."""
    return sum((max(mass - q.get(x, 0), Fraction(0)) for x, mass in p.items()), Fraction(0))


@dataclass(frozen=True)
class OptimalCoupling(Valued):
    """The least cost over all couplings of two product laws, with its certificate.

    Attributes:
        cost: "hamming" or "hamming-squared".
        laws, other_laws: one exact law per coordinate.
        value: encloses the infimum over all couplings; `exact` is the infimum itself where it is known as a rational.
        product: the cost of the product of maximal couplings.
        method: "maximal coupling", "linear program", "comonotone sums" (optimal up to rounding), or "bounds".
        certificate: events A_i, one per coordinate, or the solved transport problem between the types.

    Source: TH-T4.6, TH-T4.8
    """

    cost: str
    laws: tuple[Law, ...]
    other_laws: tuple[Law, ...]
    value: Enclosure
    exact: Fraction | None
    product: Fraction
    method: str
    certificate: Events | Transport

    @question
    def recheck(self) -> bool:
        """Whether the certificate proves value, exact and product; uses rationals and integers, and no solver."""
        try:
            exact_laws(self.laws, self.other_laws)
        except InvalidInput:
            return False
        if self.cost not in _COSTS or self.product != product_cost(self.laws, self.other_laws, self.cost):
            return False
        if self.exact is not None and not self.value.contains(self.exact):
            return False
        if isinstance(self.certificate, Transport):
            program = _type_program(blocks_of(self.laws, self.other_laws))
            certified = (self.certificate.p, self.certificate.q, self.certificate.cost)
            solved = certified == program and self.certificate.recheck() and self.exact == self.certificate.value
            return solved and (self.cost, self.method) == ("hamming-squared", "linear program")
        if len(self.certificate) != len(self.laws):
            return False
        if self.cost == "hamming":
            bounds = _set_bound(self.laws, self.other_laws, self.certificate), _differing(self.laws, self.other_laws)
            return bounds == (self.exact, self.exact) and self.method == "maximal coupling"
        if self.method != _method(blocks_of(self.laws, self.other_laws)):
            return False
        return self.exact is None and self.value.contains(_proved(self.laws, self.other_laws, self.certificate))


@named
def optimal_coupling(
    laws: Iterable[FiniteLaw], other_laws: Iterable[FiniteLaw], cost: str = "hamming"
) -> OptimalCoupling:
    """The least expected Hamming distance, or squared Hamming distance, over all couplings of two product laws.

    `laws` and `other_laws` hold one law per coordinate, as for `finite_law` (a number is a Bernoulli mean). The value
    is exact for "hamming" (eq. 4.3); for "hamming-squared" (eq. 4.4) it is exact for few types, enclosed to about 70
    digits for coordinates with two likelihood ratios of a common odds ratio (thousands of equal Bernoulli coordinates,
    say), and otherwise enclosed between a dual bound and the cost of an explicit coupling.

    Raises InvalidInput for another cost, for no coordinates, different numbers of them, or something that is no law.

    Source: TH-T4.6, TH-T4.8

    >>> found = optimal_coupling(["1/2", "1/2"], ["1/4", "1/4"], cost="hamming-squared")
    >>> found.exact, found.product
    (Fraction(1, 2), Fraction(5, 8))
    """
    left, right = exact_laws(laws, other_laws)
    one_of("cost", cost, _COSTS)
    independent = product_cost(left, right, cost)
    events = tuple(_event(p, q) for p, q in zip(left, right, strict=True))
    if cost == "hamming":
        return OptimalCoupling(
            cost, left, right, _around(independent), independent, independent, "maximal coupling", events
        )
    blocks = blocks_of(left, right)
    if _number_of_types(blocks) <= LARGEST_PROGRAM:
        solved = optimal_transport(*_type_program(blocks))
        value = solved.value
        return OptimalCoupling(cost, left, right, _around(value), value, independent, "linear program", solved)
    proved = _proved(left, right, events)
    return OptimalCoupling(cost, left, right, proved, None, independent, _method(blocks), events)


def exact_laws(laws: Iterable[Any], other_laws: Iterable[Any]) -> tuple[tuple[Law, ...], tuple[Law, ...]]:
    """Both sequences of coordinate laws, exact; InvalidInput unless they are equally long and not empty."""
    known: dict[Any, dict[Any, Fraction]] = {}

    def read(name: str, given: Iterable[Any]) -> tuple[Law, ...]:
        if isinstance(given, str) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) == 0:
            raise InvalidInput(name, given, "a sequence with one law per coordinate")
        listed = list(islice(given, MOST_COORDINATES + 1))
        if len(listed) > MOST_COORDINATES:
            raise InvalidInput(name, f"more than {MOST_COORDINATES} laws", f"at most {MOST_COORDINATES} laws")
        return tuple(_remembered(known, name, law) for law in listed)

    left, right = read("laws", laws), read("other_laws", other_laws)
    if not left or len(left) != len(right):
        allowed = f"{len(left) or 'at least 1'} laws, as many as the first product has"
        raise InvalidInput("other_laws", f"{len(right)} laws", allowed)
    return left, right


def _remembered(known: dict[Any, dict[Any, Fraction]], name: str, law: Any) -> dict[Any, Fraction]:
    try:
        key = (type(law), law if not isinstance(law, list) else tuple(law))
        return known.setdefault(key, finite_law(name, law)) if key not in known else known[key]
    except TypeError:  # not hashable, a mapping for instance
        return finite_law(name, law)


def product_cost(laws: Sequence[Law], other_laws: Sequence[Law], cost: str) -> Fraction:
    """E[d] or E[d^2] of the Hamming distance d under the product of maximal couplings. Source: TH-T4.8"""
    chances = [(variation(p, q), 1) for p, q in zip(laws, other_laws, strict=True)]
    mean, variance = mean_and_variance(chances)
    return mean if cost == "hamming" else mean * mean + variance


# ----------------------------------------------------------------------------------------------- the structure of pairs


def _event(p: Law, q: Law) -> frozenset[Any]:
    """The outcomes that p makes more likely than q does."""
    return frozenset(x for x, mass in p.items() if mass > q.get(x, 0))


def _classes(p: Law, q: Law) -> Classes:
    merged: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for x in {**p, **q}:
        a, b = p.get(x, Fraction(0)), q.get(x, Fraction(0))
        if a or b:
            before = merged.get(a / (a + b), (Fraction(0), Fraction(0)))
            merged[a / (a + b)] = (before[0] + a, before[1] + b)
    return tuple(merged[share] for share in sorted(merged, reverse=True))


def blocks_of(laws: Sequence[Law], other_laws: Sequence[Law]) -> Blocks:
    """Equal coordinates counted, after merging outcomes of one likelihood ratio; without coordinates of equal laws."""
    cache: dict[tuple[int, int], Classes] = {}
    counted: Counter[Classes] = Counter()
    for p, q in zip(laws, other_laws, strict=True):
        key = (id(p), id(q))
        if key not in cache:
            cache[key] = _classes(p, q)
        counted[cache[key]] += 1
    return tuple((classes, count) for classes, count in counted.items() if len(classes) > 1)


def _odds_ratio(classes: Classes) -> Fraction | float:
    """Odds of the first class under p over its odds under q, for coordinates with two classes."""
    (a, b), *_ = classes
    return a * (1 - b) / (b * (1 - a)) if b and a != 1 else math.inf


def sums_can_be_nested(blocks: Blocks) -> bool:
    """Whether all coordinates have two classes and one common odds ratio: the quantile coupling is optimal."""
    return all(len(classes) == 2 for classes, _ in blocks) and len({_odds_ratio(c) for c, _ in blocks}) == 1


def _method(blocks: Blocks) -> str:
    return "comonotone sums" if sums_can_be_nested(blocks) else "bounds"


def _proved(laws: Sequence[Law], other_laws: Sequence[Law], events: Events) -> Enclosure:
    """From below by the sums of the events' indicators; from above by groups that are nested, or nearly so."""
    triples = zip(laws, other_laws, events, strict=True)
    counts = Counter((_probability(p, event), _probability(q, event)) for p, q, event in triples)
    below = least_square_distance([(a, n) for (a, _), n in counts.items()], [(b, n) for (_, b), n in counts.items()])
    groups: dict[Any, list[tuple[tuple[Fraction, Fraction], int]]] = defaultdict(list)
    mean = spread = Fraction(0)
    for classes, count in blocks_of(laws, other_laws):
        t = sum((max(a - b, Fraction(0)) for a, b in classes), Fraction(0))
        mean += t * count
        if len(classes) == 2:
            groups[_odds_ratio(classes)].append((classes[0], count))
        else:
            spread += t * (1 - t) * count
    small: list[tuple[tuple[Fraction, Fraction], int]] = []
    apart = Fraction(0)
    for group in groups.values():
        nested = _spread(group, below if dict(group) == counts else None)
        if sum(count for _, count in group) >= GROUP:
            spread += nested
        else:
            small += group
            apart += nested
    spread += min(apart, spread_of_similar(coin for coin, count in small for _ in range(count)))
    return Enclosure(below.lower, max(_around(mean * mean + spread).upper, below.lower))


def _spread(group: Sequence[tuple[tuple[Fraction, Fraction], int]], closest: Enclosure | None) -> Fraction:
    """An upper bound of the variance of the distance between nested data sets of one odds ratio."""
    chances, others = [(a, n) for (a, _), n in group], [(b, n) for (_, b), n in group]
    mean = mean_and_variance(chances)[0] - mean_and_variance(others)[0]
    independent = sum(((a - b) * (1 - a + b) * n for (a, b), n in group), Fraction(0))
    if sum(n for _, n in group) == 1:
        return independent
    closest = closest or least_square_distance(chances, others)
    return min(Fraction(closest.upper) - mean * mean, independent)


def _set_bound(laws: Sequence[Law], other_laws: Sequence[Law], events: Events) -> Fraction:
    """A lower bound of the expected distance: how much more often the events occur under the first law."""
    triples = zip(laws, other_laws, events, strict=True)
    return sum((_probability(p, event) - _probability(q, event) for p, q, event in triples), Fraction(0))


def _probability(law: Law, event: frozenset[Any]) -> Fraction:
    return sum((law.get(x, Fraction(0)) for x in event), Fraction(0))


def _differing(laws: Sequence[Law], other_laws: Sequence[Law]) -> Fraction | None:
    """The expected distance under the product of maximal couplings, from their cells; None if one is no coupling."""
    total, known = Fraction(0), {}
    for p, q in zip(laws, other_laws, strict=True):
        key = (id(p), id(q))
        if key not in known:
            cells = maximal_coupling(p, q)
            rows = all(sum(m for (x, _), m in cells.items() if x == z) == mass for z, mass in p.items())
            columns = all(sum(m for (_, y), m in cells.items() if y == z) == mass for z, mass in q.items())
            known[key] = sum(m for (x, y), m in cells.items() if x != y) if rows and columns else None
        if known[key] is None:
            return None
        total += known[key]
    return total


# ------------------------------------------------------------------------------------------------ the linear program


def _number_of_types(blocks: Blocks) -> int:
    return math.prod(math.comb(count + len(classes) - 1, len(classes) - 1) for classes, count in blocks)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield first, *rest


def _type_law(classes: Classes, count: int, side: int) -> dict[tuple[int, ...], Fraction]:
    """The multinomial law of how often each class occurs."""
    law = {}
    for counts in _compositions(count, len(classes)):
        ways, left = 1, count
        for n in counts:
            ways, left = ways * math.comb(left, n), left - n
        law[counts] = ways * math.prod(
            (pair[side] ** n for pair, n in zip(classes, counts, strict=True)), start=Fraction(1)
        )
    return law


def _type_program(blocks: Blocks) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...], tuple[tuple[int, ...], ...]]:
    """Masses of the types under both laws, and the least squared Hamming distance between data sets of two types.

    Both laws are exchangeable within a block, so a data set is its types in uniformly random order, and two sets of
    types can be arranged to differ in as few places as their counts allow.
    """
    sides = []
    for side in (0, 1):
        laws = [_type_law(classes, count, side) for classes, count in blocks]
        sides.append(
            {
                types: math.prod((law[t] for law, t in zip(laws, types, strict=True)), start=Fraction(1))
                for types in product(*laws)
            }
        )
    cost = tuple(tuple(_distance(s, t) ** 2 for t in sides[1]) for s in sides[0])
    return tuple(sides[0].values()), tuple(sides[1].values()), cost


def _distance(types: tuple[tuple[int, ...], ...], others: tuple[tuple[int, ...], ...]) -> int:
    return sum(abs(a - b) for one, two in zip(types, others, strict=True) for a, b in zip(one, two, strict=True)) // 2


def _around(value: Fraction) -> Enclosure:
    with working_precision(256):
        return Enclosure.outward(value)
