"""Lists of numbers as variables of a claim: the means of an instance, gaps, weights. A sum over them is a `total`."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.claims.language import *


@quantity
def length_of(values: Sequence[Any]) -> int:
    """How many entries a list has."""
    return len(values)


@quantity
def entry_of(values: Sequence[Any], place: int) -> Fraction:
    """The entry at a place, counted from 0."""
    if not 0 <= place < len(values):
        raise InvalidInput("place", place, f"one of {len(values)}, counted from 0")
    return Fraction(values[place])


@quantity
def largest_of(values: Sequence[Any]) -> Fraction:
    """The largest entry."""
    return max(map(Fraction, values))


@quantity
def smallest_of(values: Sequence[Any]) -> Fraction:
    """The smallest entry."""
    return min(map(Fraction, values))


def sum_over(values: Sequence[Any], body: Any, first: int = 0) -> Any:
    """The sum of `body(place, entry)` over a list, from a place on."""
    return total(lambda a: body(a, entry_of(values, a)), first, length_of(values) - 1)
