"""Nested data sets for Bernoulli coordinates that resemble each other without having a common odds ratio.

A coordinate with means a > b is, with a probability lambda, a coin with the common means a* > b* of its group, and else
a coin with residual means; whether it is the one or the other is drawn once for both data sets. The common coins can be
nested, and the variance of their distance stays bounded however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from banditproof.theory.laws.comonotone import least_square_distance

Coin = tuple[Fraction, Fraction]  # means a > b

GROUP = 32  # coordinates that share a common coin


def spread_of_similar(coins: Iterable[Coin]) -> Fraction:
    """An upper bound of the variance of the Hamming distance, under a coupling where its mean is the sum of a - b.

    Coordinates are sorted and grouped; groups are independent of each other. A group whose coordinates differ too much
    is coupled independently.
    """
    ordered = sorted(coins)
    groups = (ordered[i : i + GROUP] for i in range(0, len(ordered), GROUP))
    return sum((min(_independent(group), _common(group)) for group in groups), Fraction(0))


def _independent(group: list[Coin]) -> Fraction:
    return sum(((a - b) * (1 - a + b) for a, b in group), Fraction(0))


def _common(group: list[Coin]) -> Fraction:
    """Variance given who takes part, at most that of any number of common coins, plus the variance of its mean."""
    high, low = (sum(means, Fraction(0)) / len(group) for means in zip(*group, strict=True))
    high, low = high.limit_denominator(256), low.limit_denominator(256)
    if not 0 < low < high < 1:
        return _independent(group)
    taken_part = max(
        least_square_distance([(high, m)], [(low, m)]).upper - ((high - low) * m) ** 2 for m in range(len(group) + 1)
    )
    return Fraction(taken_part) + sum(_residuals(group, high, low), Fraction(0))


def _residuals(group: list[Coin], high: Fraction, low: Fraction) -> Iterator[Fraction]:
    for a, b in group:
        share = min(Fraction(1), a / high, b / low, (1 - a) / (1 - high), (1 - b) / (1 - low), (a - b) / (high - low))
        if share < 1:
            rest = 1 - share
            t = (a - b - share * (high - low)) / rest
            yield share * rest * (high - low - t) ** 2 + rest * t * (1 - t)
