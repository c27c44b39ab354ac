"""What several sections of Section 2.1 use: events and their probabilities."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from typing import Any


def events(outcomes: Any) -> Iterator[tuple[Any, ...]]:
    """All subsets of the outcomes."""
    listed = list(outcomes)
    return chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1))


def probability(law: Any, event: Any) -> Fraction:
    return sum((law[o] for o in event), Fraction(0))
