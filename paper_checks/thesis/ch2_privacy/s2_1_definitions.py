"""Sections 2.1.1 and 2.1.2, page 13: mechanisms, neighbours, the definitions of privacy, and their form as tests.

Mechanisms are random finite channels with rational probabilities, re-created from an integer; what is said of every
mechanism is supported by them, and proved where the statement is an identity of two numbers.
"""

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.claims.language import *
from banditproof.verify.kernel import meanings as said
from banditproof.verify.kernel.document_words import word


def hamming(left: Any, right: Any) -> int:
    return sum(a != b for a, b in zip(left, right, strict=True))


@claim(
    "TH-D2.2",
    enumerated(
        records=pick([1, 2, 3], [1, 2, 3, 4]),
        values=[1, 2, 3],
        rational=True,
        routes=("breadth-first search", "Hamming distance"),
    ),
    false={"factor": "0.5"},
)
def hamming_is_the_graph_distance(records: Count, values: Count, factor=1):
    r"""$d_{\rm Ham}$ counts differing records, and $D\sim D'$ iff it is at most 1; so any $D,D'$ are joined by $d_{\rm
    Ham}(D,D')$ neighbour steps and no fewer.

    The left side is the largest difference, over all pairs, between the Hamming distance and the smallest number of
    neighbour steps. Equal datasets are neighbours as well, at distance 0.
    """
    data = list(product(range(values), repeat=records))
    worst = Fraction(0)
    for start in data:
        reached, front, steps = {start}, {start}, {start: 0}
        while front:
            front = {d for d in data if d not in reached and any(hamming(d, e) <= 1 for e in front)}
            reached |= front
            steps |= dict.fromkeys(front, max(steps.values()) + 1)
        worst = max(worst, max(abs(factor * hamming(start, d) - steps[d]) for d in data))
    return worst, "==", 0


@word
def first_line(epsilon: Any, delta: Any) -> Any:
    """(2.3) of the errors of a test."""
    return lambda false_alarm, missed: (false_alarm + said.exp(epsilon) * missed, ">=", 1 - delta)
