"""Sums of independent Bernoulli variables, and how close two such sums can be brought by a coupling.

For couplings of two integer variables E[S S'] <= sum over j, k >= 1 of min(P(S >= j), P(S' >= k)), with equality for
the quantile coupling. The tails are rounded down and up to integer multiples of 2^-BITS; the double sum is then taken
in integers, which gives both ends of an enclosure without comparing balls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import to_ball, working_precision

Chances = Sequence[tuple[Fraction, int]]  # (success probability, how many trials)

BITS = 256
_ONE = 1 << BITS


def mean_and_variance(chances: Chances) -> tuple[Fraction, Fraction]:
    """Of the sum of independent Bernoulli variables, exactly."""
    mean = sum((a * count for a, count in chances), Fraction(0))
    return mean, sum((a * (1 - a) * count for a, count in chances), Fraction(0))


def _masses(chances: Chances, up: bool) -> list[int]:
    """P(S = s) for s = 0..n in units of 2^-BITS, rounded down or up."""
    from flint import arb_poly

    with working_precision(BITS + 64):
        factors = [arb_poly([to_ball(1 - a), to_ball(a)]) ** count for a, count in chances] or [arb_poly([1])]
        while len(factors) > 1:
            pairs = zip(factors[::2], factors[1::2], strict=False)
            factors = [a * b for a, b in pairs] + ([factors[-1]] if len(factors) % 2 else [])
        size = 1 + sum(count for _, count in chances)
        return [max(0, _scaled(factors[0][s], up)) for s in range(size)]


def _scaled(ball: Any, up: bool) -> int:
    from math import ceil, floor

    interval = Enclosure.from_ball(ball)
    return ceil(interval.upper * _ONE) if up else floor(interval.lower * _ONE)


def _tails(masses: list[int]) -> list[int]:
    """P(S >= j) for j = 1..n."""
    total, tails = 0, []
    for mass in reversed(masses[1:]):
        total += mass
        tails.append(total)
    return tails[::-1]


def _sum_of_minima(a: list[int], b: list[int]) -> int:
    """The sum of min(x, y) over all pairs from two nonincreasing lists."""
    below = sum(b)
    total = larger = 0
    for x in a:
        while larger < len(b) and b[larger] >= x:
            below -= b[larger]
            larger += 1
        total += x * larger + below
    return total


@named
def least_square_distance(chances: Chances, others: Chances) -> Enclosure:
    """The least E[(S - S')^2] over couplings of two sums of independent Bernoulli variables, enclosed.

    `chances` and `others` list (success probability, number of trials); probabilities are exact rationals.

    >>> least_square_distance([(Fraction(1, 2), 1)], [(Fraction(1, 4), 1)])
    <Enclosure 0.25, exact ends: .lower, .upper>
    """
    squares = Fraction(0)
    for name, law in (("chances", chances), ("others", others)):
        _check_chances(name, law)
        mean, variance = mean_and_variance(law)
        squares += mean * mean + variance
    products = [_sum_of_minima(_tails(_masses(chances, up)), _tails(_masses(others, up))) for up in (True, False)]
    lower, upper = (squares - Fraction(2 * product, _ONE) for product in products)
    with working_precision(BITS):
        return Enclosure(Enclosure.outward(max(lower, Fraction(0))).lower, Enclosure.outward(max(upper, lower)).upper)


def _check_chances(name: str, law: Any) -> None:
    allowed = "pairs of a probability (an exact rational) and a number of trials"
    try:
        good = all(isinstance(p, (int, Fraction)) and 0 <= p <= 1 and isinstance(n, int) and n >= 0 for p, n in law)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise InvalidInput(name, law, allowed)


def quantile_cost(chances: Chances, others: Chances, cost: Callable[[int], Any], largest: Any) -> Any:
    """An upper bound, as a ball, of E[cost(|S - S'|)] under the quantile coupling of the two sums.

    `cost` maps a distance to a ball, and `largest` bounds it; the mass that rounding leaves uncoupled pays `largest`.
    """
    left, right = _masses(chances, False), _masses(others, False)
    by_distance: dict[int, int] = {}
    coupled = i = j = 0
    while i < len(left) and j < len(right):
        mass = min(left[i], right[j])
        by_distance[abs(i - j)] = by_distance.get(abs(i - j), 0) + mass
        coupled += mass
        left[i] -= mass
        right[j] -= mass
        i, j = i + (not left[i]), j + (not right[j])
    paid = sum((to_ball(Fraction(mass, _ONE)) * cost(d) for d, mass in by_distance.items() if mass), to_ball(0))
    return paid + to_ball(Fraction(_ONE - coupled, _ONE)) * largest


def sum_cost(chances: Chances, cost: Callable[[int], Any]) -> Any:
    """E[cost(S)] as a ball."""
    terms: Iterable[tuple[int, tuple[int, int]]] = enumerate(
        zip(_masses(chances, False), _masses(chances, True), strict=True)
    )
    return sum((to_ball(Fraction(low, _ONE)).union(to_ball(Fraction(high, _ONE))) * cost(s)
                for s, (low, high) in terms if high), to_ball(0))  # fmt: skip
