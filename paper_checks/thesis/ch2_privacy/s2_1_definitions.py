"""Sections 2.1.1 and 2.1.2, page 13: mechanisms, neighbours, the definitions of privacy, and their form as tests.

Mechanisms are random finite channels with rational probabilities, re-created from an integer; what is said of every
mechanism is supported by them, and proved where the statement is an identity of two numbers.
"""

from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveOne, AtLeastOne, Count, EveryMechanism, Nonnegative, Probability
from banditproof.claims.steps import enumerated, in_kernel, pick
from banditproof.paper_checks.shared.composition import RATIOS, numbered
from banditproof.paper_checks.thesis.ch2_privacy.facts import (
    events,
    largest_excess_over_events,
    least_delta,
    probability,
)
from banditproof.paper_checks.thesis.facts.privacy import Mechanism, on_mechanisms
from banditproof.theory.numbers.term import quantity
from banditproof.verify.kernel import meanings as said
from banditproof.verify.kernel.meanings import every_test, private, symmetric_neighbours, when
from banditproof.verify.theorems import divergences as divergence_proofs


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


@claim("TH-D2.3/approximate", on_mechanisms(30, 300, ratio=RATIOS, routes=("all events", "sum of positive parts")))
def hockey_stick_is_the_supremum(mechanism: Mechanism, ratio: AtLeastOne):
    r"""The least $\delta$ of $(\varepsilon,\delta)$-DP, the supremum of $\mathcal M_D(A)-e^\varepsilon\mathcal
    M_{D'}(A)$ over events and neighbours, is the largest $\sum_o(\mathcal M_D(o)-e^\varepsilon\mathcal
    M_{D'}(o))_+$."""
    return largest_excess_over_events(mechanism, ratio), "==", least_delta(mechanism, ratio)


@claim("TH-T2.4/false-alarms", in_kernel(divergence_proofs.of_tests))
def false_alarms_cost_the_most(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""(2.3): if $\mathcal M$ is $(\varepsilon,\delta)$-DP then $P_{FA}+e^\varepsilon P_{MD}\ge1-\delta$ for all
    regions $S$."""
    return when(private(M, epsilon, delta), then=every_test(M, first_line(epsilon, delta)))


@claim("TH-T2.4/missed-detections", in_kernel(divergence_proofs.of_tests))
def missed_detections_cost_the_most(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""(2.4): if $\mathcal M$ is $(\varepsilon,\delta)$-DP then $e^\varepsilon P_{FA}+P_{MD}\ge1-\delta$ for all
    regions $S$."""

    def second_line(false_alarm, missed):
        return said.exp(epsilon) * false_alarm + missed, ">=", 1 - delta

    return when(symmetric_neighbours(), private(M, epsilon, delta), then=every_test(M, second_line))


@claim("TH-T2.4/converse", in_kernel(divergence_proofs.from_tests))
def tests_show_privacy(M: EveryMechanism, epsilon: Nonnegative, delta: Probability):
    r"""If (2.3) holds for all neighbours and all regions $S$, then $\mathcal M$ is $(\varepsilon,\delta)$-DP."""
    return when(every_test(M, first_line(epsilon, delta)), then=private(M, epsilon, delta))


def first_line(epsilon: Any, delta: Any) -> Any:
    """(2.3) of the errors of a test."""
    return lambda false_alarm, missed: (false_alarm + said.exp(epsilon) * missed, ">=", 1 - delta)


@quantity
def least_delta_of_tests(mechanism: Any, ratio: Any) -> Fraction:
    """The least delta with which all rejection regions of a numbered mechanism satisfy (2.3) and (2.4)."""
    channel, needed = numbered(mechanism), Fraction(0)
    for a, b in channel.pairs():
        for region in events(channel.laws[a]):
            false_alarm, missed = probability(channel.laws[a], region), 1 - probability(channel.laws[b], region)
            needed = max(needed, 1 - false_alarm - ratio * missed, 1 - ratio * false_alarm - missed)
    return needed


@claim(
    "TH-T2.4/finite-channels",
    on_mechanisms(
        30, 300, ratio=[r for r in RATIOS if r > 1], routes=("all rejection regions", "hockey-stick divergence")
    ),
    role="implication",
)
def form_as_tests(mechanism: Mechanism, ratio: AboveOne):
    r"""$\mathcal M$ is $(\varepsilon,\delta)$-DP iff $P_{FA}+e^\varepsilon P_{MD}\ge1-\delta$ and $e^\varepsilon
    P_{FA}+P_{MD}\ge1-\delta$ for all regions $S$: the least $\delta$ with which all $2^{|\mathcal O|}$ rejection
    regions satisfy (2.3) and (2.4) is the least $\delta$ of $(\varepsilon,\delta)$-DP.

    Each condition holds from its smallest delta on, so the two conditions are equivalent if these values agree. ratio
    is e^epsilon; the claim is about all ordered pairs of neighbours.
    """
    return least_delta_of_tests(mechanism, ratio), "==", least_delta(mechanism, ratio)


@claim(
    "TH-T2.4/budget-zero",
    on_mechanisms(30, 300, ratio=[1], routes=("all rejection regions", "total variation")),
    role="remark",
)
def testing_form_without_budget(mechanism: Mechanism, ratio: Annotated[Any, [1]]):
    r"""The equivalence holds at $\varepsilon=0$ as well, where (2.3) and (2.4) are one (the least $\delta$); Definition
    2.3 permits it, the theorem leaves it out."""
    return form_as_tests(mechanism, ratio)
