"""Appendix A: composition, post-processing, groups and the Laplace mechanism."""

from fractions import Fraction
from itertools import chain, combinations
from math import inf
from typing import Annotated, Any

from banditproof.claims.language import *

# ------------------------------------------------------------------------------------------------------ definitions

Laws = Annotated[Any, "all: every pair of laws"]
SEEDS = list(range(1, 25))


def drawn_laws(seed: int, records: int = 1) -> list[dict[int, Fraction]]:
    """Laws on four outcomes for every list of `records` bits, some without an outcome."""
    from random import Random

    draw, laws = Random(f"laws {seed}"), []
    for _ in range(2**records):
        weights = [draw.choice([0, 1, 2, 3, 5]) for _ in range(4)]
        whole = max(sum(weights), 1)
        law = {x: Fraction(w, whole) for x, w in enumerate(weights)}
        laws.append(law if sum(weights) else {x: Fraction(int(x == 0)) for x in range(4)})
    return laws


def largest_ratio(one: Any, other: Any, least: Any, *, atoms: bool) -> Any:
    """The largest (P(S) - least)/Q(S) over events (or single outcomes) with P(S) > least; None where Q(S) = 0."""
    sizes = (1,) if atoms else range(1, 5)
    largest = Fraction(0)
    for event in chain.from_iterable(combinations(range(4), size) for size in sizes):
        P, Q = (sum((law[x] for x in event), Fraction(0)) for law in (one, other))
        if P > least and not Q:
            return None
        if Q:
            largest = max(largest, (P - least) / Q)
    return largest


@quantity
def largest_ratio_of_events(laws: int, delta: Any) -> Any:
    """The largest (P(S) - delta)/Q(S) over events with P(S) > delta of a pair of laws; infinite where Q(S) = 0."""
    one, other = drawn_laws(laws)
    found = largest_ratio(one, other, Fraction(delta), atoms=False)
    return inf if found is None else found


@quantity
def largest_ratio_of_outcomes(laws: int) -> Any:
    """The largest P(x)/Q(x) over outcomes with P(x) > 0 of a pair of laws; infinite where Q(x) = 0."""
    one, other = drawn_laws(laws)
    found = largest_ratio(one, other, Fraction(0), atoms=True)
    return inf if found is None else found


@quantity
def excess_of_a_pair(laws: int, ratio: Any) -> Fraction:
    """The sum of (P(x) - ratio Q(x))_+ over the outcomes of a pair of laws."""
    one, other = drawn_laws(laws)
    return sum((max(Fraction(0), one[x] - ratio * other[x]) for x in one), Fraction(0))


@claim("ADV-D5", enumerated(laws=SEEDS, rational=True, routes=("all events", "single outcomes")))
def events_or_outcomes(laws: Laws):
    r"""The maximum over events $S$ of $\frac{\mathbb P(X\in S)}{\mathbb P(Y\in S)}$ is the largest ratio of single
    outcomes, infinite for both where one has probability 0 under $Y$ alone."""
    return largest_ratio_of_events(laws, 0), "==", largest_ratio_of_outcomes(laws)


@claim(
    "ADV-D6",
    enumerated(
        [{"laws": s, "delta": d, "ratio": r} for s in SEEDS for d in ("1/20", "1/4") for r in ("1", "3/2", "4")],
        rational=True,
        routes=("the definition", "a hockey-stick sum"),
    ),
)
def approximate_indistinguishability(laws: Laws, delta: Annotated[Any, "(0, 1)"], ratio: Annotated[Any, "[1, inf)"]):
    r"""$D_\infty^\delta(X\|Y)\le\varepsilon$ exactly where $\sum_x(\mathbb P(X=x)-e^\varepsilon\mathbb P(Y=x))_+\le
    \delta$; both are counted as 0 or 1."""
    close = where(largest_ratio_of_events(laws, delta), "<=", ratio, 1, 0)
    return close, "==", where(excess_of_a_pair(laws, ratio), "<=", delta, 1, 0)
