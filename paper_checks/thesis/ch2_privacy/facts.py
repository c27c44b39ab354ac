"""What several sections of Section 2.1 use: events and their probabilities."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from banditproof.paper_checks.shared.composition import numbered
from banditproof.theory.numbers.term import quantity


def events(outcomes: Any) -> Iterator[tuple[Any, ...]]:
    """All subsets of the outcomes."""
    listed = list(outcomes)
    return chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1))


def probability(law: Any, event: Any) -> Fraction:
    return sum((law[o] for o in event), Fraction(0))


@quantity
def largest_excess_over_events(mechanism: Any, ratio: Any) -> Fraction:
    """The largest M_D(A) - ratio M_D'(A) of a numbered mechanism over events and neighbours."""
    channel = numbered(mechanism)
    return max(
        probability(channel.laws[a], event) - ratio * probability(channel.laws[b], event)
        for a, b in channel.pairs()
        for event in events(channel.laws[a])
    )
