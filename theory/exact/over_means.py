"""The smallest worst-case regret over an interval of means for each arm: no grid is left in the result.

A policy that is best for finitely many instances proves a lower bound for all that contain them. Its own worst regret
over the whole box of means is an upper bound; where it is attained is the next instance, until both agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from math import comb, lcm
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput
from banditproof.theory.exact.checker import Means, Point
from banditproof.theory.exact.minimax_value import ExactMinimax, exact_minimax_regret
from banditproof.theory.numbers.enclosure import Enclosure, Valued
from banditproof.theory.numbers.exact_numbers import exact
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import working_precision

Box = tuple[tuple[Fraction, Fraction], ...]  # the interval in which the mean of each arm lies

_BITS = 160
_MOST_INSTANCES = 90
_FINE = 2**20  # denominator of the means that are added


@dataclass(frozen=True, repr=False)
class MinimaxOverMeans(Valued):
    """The smallest worst-case regret over a box of means: `lower` <= it <= `upper`, both rational.

    `value` contains both ends. `below` is the exact value for finitely many instances in the box, which proves `lower`.
    `above` holds the policy that proves `upper`: so much it loses at most, whatever the means are.
    """

    box: Box
    value: Enclosure
    lower: Fraction
    upper: Fraction
    below: ExactMinimax
    above: ExactMinimax

    @cached_property
    def worst(self) -> Means:
        """Means at which the policy loses almost `upper`."""
        return largest_regret(self.box, self.above.horizon, self.above.policy, self.upper)[2]

    @question
    def recheck(self) -> bool:
        """Whether both certificates prove their ends, in exact arithmetic and without a solver."""
        inside = all(low <= mean <= high for m in self.below.instances for mean, (low, high) in _beside(m, self.box))
        alike = all(
            getattr(self.below, name) == getattr(self.above, name) for name in ("horizon", "ratios", "rho", "delta")
        )
        proved = self.below.recheck() and self.above.recheck() and self.below.lower == self.lower
        if not (inside and alike and proved and self.below.notion == self.above.notion):
            return False
        most = largest_regret(self.box, self.above.horizon, self.above.policy, self.upper)[1]
        return most <= self.upper and self.value.lower <= self.lower <= self.upper <= self.value.upper

    def __repr__(self) -> str:
        said = ", ".join(f"[{low}, {high}]" for low, high in self.box)
        return f"<MinimaxOverMeans {self.value.decimal(6)}: means in {said}, horizon {self.below.horizon}>"


@named
def minimax_regret_over_means(
    means: Sequence[tuple[Exact, Exact]],
    horizon: int,
    epsilon: Exact | None = None,
    *,
    ratio: Exact | None = None,
    rho: Exact | None = None,
    delta: Exact = 0,
    notion: str = "view",
    tolerance: Exact = "1/1000",
) -> MinimaxOverMeans:
    """The smallest worst-case regret of any private policy, where the mean of each arm may be anywhere in an interval.

    `means`: for each arm both ends of its interval, exact numbers in [0, 1]. Both ends of the value are at most
    `tolerance` apart, a positive number, unless 90 instances are not enough. Other arguments as in
    `exact_minimax_regret`, which says how large the horizon may be. Raises InvalidInput.

    Source: TH-D4.3, TH-D3.2, TH-D3.3, BDP-D2.2c, BDP-EQ2

    >>> found = minimax_regret_over_means([(0, 1), (0, 1)], 2, ratio=2, tolerance="1/100")
    >>> found.upper - found.lower <= Fraction(1, 100), found.recheck()
    (True, True)
    """
    box = _read(means)
    close = exact("tolerance", tolerance, lambda t: t > 0, "a positive number")
    instances = [corner for corner in product(*box) if len({*corner}) > 1] or [tuple(low for low, _ in box)]
    below: ExactMinimax | None = None
    above: tuple[Fraction, ExactMinimax] | None = None
    while True:
        at_vertices = exact_minimax_regret(
            instances, horizon, epsilon, ratio=ratio, rho=rho, delta=delta, notion=notion
        )
        if below is None or at_vertices.lower > below.lower:
            below = at_vertices
        _, upper, worst = largest_regret(box, horizon, at_vertices.policy, at_vertices.upper + close / 4, close / 4)
        if above is None or upper < above[0]:
            above = upper, at_vertices
        added = [one for one in _alike(worst, box) if one not in instances]
        if above[0] <= below.lower + close or not added or len(instances) + len(added) > _MOST_INSTANCES:
            break
        instances += added
    upper, policy = above
    with working_precision(_BITS):
        value = Enclosure(Enclosure.outward(below.lower).lower, Enclosure.outward(upper).upper)
    return MinimaxOverMeans(box, value, below.lower, upper, below, policy)


def largest_regret(
    box: Box, horizon: int, policy: Mapping[Point, Fraction], enough: Fraction, gap: Fraction | None = None
) -> tuple[Fraction, Fraction, Means]:
    """The worst expected regret of a policy over a box of means: two ends around it, and means that attain the lower.

    The regret is the largest, over the arms b, of that against b, a polynomial in the means. On a box it is at most its
    largest Bernstein coefficient there, and the coefficients of the corners are its values. The box with the largest
    one is cut in two, until the upper end is at most `enough`, or at most `gap` above a value that was met. Without one
    it stops where some value is above `enough`.
    """
    lower, worst = Fraction(-1), tuple(low for low, _ in box)
    parts = [_Part.of(polynomial, box, horizon) for polynomial in _regrets(policy, len(box), horizon)]
    new = list(parts)
    while True:
        for part in new:
            value, means = part.largest_corner()
            if value > lower:
                lower, worst = value, means
        k = max(range(len(parts)), key=lambda k: parts[k].most)
        near = lower > enough if gap is None else parts[k].most <= lower + gap
        if near or parts[k].most <= enough:
            return lower, parts[k].most, worst
        new = list(parts.pop(k).halves())
        parts += new


@dataclass(frozen=True)
class _Part:
    """A polynomial on a box by its Bernstein coefficients there: whole numbers over `scale`."""

    box: Box
    coefficients: Any  # [horizon + 1] for each arm
    scale: int

    @property
    def degree(self) -> int:
        return int(self.coefficients.shape[0]) - 1

    @property
    def most(self) -> Fraction:
        return Fraction(int(self.coefficients.max()), self.scale)

    @staticmethod
    def of(polynomial: Mapping[tuple[int, ...], Fraction], box: Box, degree: int) -> _Part:
        powers = np.full((degree + 1,) * len(box), Fraction(0), dtype=object)
        for exponents, coefficient in polynomial.items():
            powers[exponents] += coefficient
        for axis, (low, high) in enumerate(box):
            moved = [
                [comb(i, j) * low ** (i - j) * (high - low) ** j if j <= i else 0 for i in range(degree + 1)]
                for j in range(degree + 1)
            ]
            raised = [[Fraction(comb(i, j), comb(degree, j)) for j in range(degree + 1)] for i in range(degree + 1)]
            powers = _along(axis, raised, _along(axis, moved, powers))
        scale = lcm(*(c.denominator for c in powers.flat))
        return _Part(box, np.vectorize(lambda c: int(c * scale), otypes=[object])(powers), scale)

    def largest_corner(self) -> tuple[Fraction, Means]:
        ends = product((0, 1), repeat=len(self.box))
        value, end = max((self.coefficients[tuple(self.degree * e for e in end)], end) for end in ends)
        return Fraction(int(value), self.scale), tuple(sides[e] for sides, e in zip(self.box, end, strict=True))

    def halves(self) -> Iterator[_Part]:
        """The two parts on the halves of the longest side."""
        axis = max(range(len(self.box)), key=lambda arm: self.box[arm][1] - self.box[arm][0])
        n, (low, high) = self.degree, self.box[axis]
        lower = [[comb(i, j) * 2 ** (n - i) for j in range(n + 1)] for i in range(n + 1)]
        upper = [row[::-1] for row in lower[::-1]]
        middle = (low + high) / 2
        for matrix, side in ((lower, (low, middle)), (upper, (middle, high))):
            box = (*self.box[:axis], side, *self.box[axis + 1 :])
            yield _Part(box, _along(axis, matrix, self.coefficients), self.scale * 2**n)


def _along(axis: int, matrix: Any, coefficients: Any) -> Any:
    """A matrix applied to one index of the coefficients."""
    product_ = np.tensordot(np.array(matrix, dtype=object), coefficients, axes=(1, axis))
    return np.moveaxis(product_, 0, axis)


def _regrets(policy: Mapping[Point, Fraction], arms: int, horizon: int) -> list[dict[tuple[int, ...], Fraction]]:
    """For each arm, the regret against it as a polynomial in the means: coefficients by exponents."""
    counted: dict[tuple[tuple[int, ...], ...], Fraction] = {}
    for (a, r), x in policy.items():
        paid, unpaid, pulls = [0] * arms, [0] * arms, [0] * arms
        for arm, reward in zip(a, r, strict=False):
            (paid if reward else unpaid)[arm] += 1
        for arm in a:
            pulls[arm] += 1
        key = tuple(paid), tuple(unpaid), tuple(pulls)
        counted[key] = counted.get(key, Fraction(0)) + x
    regrets: list[dict[tuple[int, ...], Fraction]] = [{} for _ in range(arms)]
    for (paid_, unpaid_, pulls_), x in counted.items():
        for drawn in product(*(range(f + 1) for f in unpaid_)):  # (1 - m)^f is a sum of powers of m
            sign = Fraction((-1) ** sum(drawn))
            for f, j in zip(unpaid_, drawn, strict=True):
                sign *= comb(f, j)
            exponents = [s + j for s, j in zip(paid_, drawn, strict=True)]
            for best in range(arms):
                gaps = [-n for n in pulls_]
                gaps[best] += horizon
                for arm, gap in enumerate(gaps):
                    raised = tuple(e + (k == arm) for k, e in enumerate(exponents))
                    regrets[best][raised] = regrets[best].get(raised, Fraction(0)) + x * sign * gap
    return regrets


def _read(means: Any) -> Box:
    allowed = "for each of at least two arms both ends of an interval in [0, 1], the smaller one first"
    try:
        pairs = [(low, high) for low, high in means]
    except (TypeError, ValueError):
        raise InvalidInput("means", means, allowed) from None

    def read(end: Exact) -> Fraction:
        return exact("mean", end, lambda m: 0 <= m <= 1, "a number in [0, 1]")

    box = tuple((read(low), read(high)) for low, high in pairs)
    if len(box) < 2 or any(low > high for low, high in box):
        raise InvalidInput("means", means, allowed)
    return box


def _alike(worst: Means, box: Box) -> list[Means]:
    """The means, rounded within the box, and those that a permutation of equal intervals makes of them."""
    rounded = [min(max(Fraction(round(mean * _FINE), _FINE), low), high) for mean, (low, high) in _beside(worst, box)]
    orders = permutations(range(len(box))) if len({*box}) == 1 else [tuple(range(len(box)))]
    return list(dict.fromkeys(tuple(rounded[k] for k in order) for order in orders))


def _beside(means: Means, box: Box) -> Iterator[tuple[Fraction, tuple[Fraction, Fraction]]]:
    return zip(means, box, strict=True)
