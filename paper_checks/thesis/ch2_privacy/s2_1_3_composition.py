"""Section 2.1.3, page 16: post-processing, and composition of mechanisms on the same data and on disjoint parts of it.

The proof of Lemma 2.10 is in Appendix C.1.1.
"""

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.composition import RATIOS, numbered
from banditproof.paper_checks.thesis.ch2_privacy.facts import events, probability
from banditproof.paper_checks.thesis.facts.privacy import Mechanism, odds_of_answers, on_mechanisms
from banditproof.theory.numbers.numeric import ratio as quotient
from banditproof.verify import channel_delta
from banditproof.verify.finite.channels import compose_in_parallel


@claim("TH-P2.9/attained", deduced(), role="remark")
def composition_is_attained(ratio: AtLeastOne, other: AtLeastOne):
    r"""Randomised responses attain the sum of the $\varepsilon_i$: $e^\varepsilon=e^{\varepsilon_1+\varepsilon_2}$.

    The left side is the largest likelihood ratio of two answers, each of them true or false.
    """
    first, second = odds_of_answers(ratio), odds_of_answers(other)
    return most(a * b for a in first for b in second), "==", ratio * other


@claim("TH-S2.1f/root-k-for-every-budget", fails_at(k=100, epsilon=1, slack=Fraction(1, 100)), role="reading")
def root_k_for_every_budget(k: Count, epsilon: Positive, slack: AboveZero, factor=2):
    r"""'Roughly $(\sqrt k\varepsilon,\delta)$-DP': $\varepsilon'\le\sqrt k\,\varepsilon(\sqrt{2\log(1/\delta')}+2)$ for
    all $k$ and $\varepsilon$.

    The second term of epsilon' is k epsilon (e^epsilon - 1), which is of order k epsilon for a constant epsilon. The
    check divides both sides by sqrt(k) epsilon and omits the common term.
    """
    return sqrt(k) * (exp(epsilon) - 1), "<=", factor + 0 * log(slack)


@repaired(
    "TH-S2.1f/root-k-for-small-budgets",
    "TH-S2.1f/root-k-for-every-budget",
    enumerated(
        [
            {"k": root * root, "epsilon": share / root, "slack": Fraction(1, 100)}
            for root in (1, 2, 10, 1000)
            for share in (Fraction(1, 100), Fraction(1, 2), Fraction(1))
        ]
    ),
    deduced(),
    where=["k*epsilon*epsilon <= 1"],
    false={"factor": "1.5"},
)
def root_k_for_small_budgets():
    r"""For $\varepsilon\le1/\sqrt k$: $\varepsilon'\le\sqrt k\,\varepsilon(\sqrt{2\log(1/\delta')}+2)$.

    In this range sqrt(k) (e^epsilon - 1) <= (e^epsilon - 1)/epsilon <= e - 1.
    """


@quantity
def largest_excess_of_products(size: int, ratio: Any) -> Any:
    """The largest P(A x B) - ratio Q(A x B), P uniform on the diagonal of size^2 outputs and Q uniform on all."""
    sizes = product(range(size + 1), repeat=2)
    return most(quotient(min(a, b) * size - ratio * a * b, size * size) for a, b in sizes)


@claim("TH-L2.10/product-events", fails_at(size=2, ratio=1, rational=True), role="reading")
def product_events_suffice(size: TwoOrMore, ratio: AtLeastOne, factor=1):
    r"""The proof bounds $P(E)-e^\varepsilon Q(E)$ for events $E=E_1\times\dots\times E_\ell$ and concludes for every
    event. Read as a step that needs nothing else of the two laws: over all events the excess is at most the largest
    over products.

    A bound on products of events does not imply a bound on other events, so the proof has a gap here. For the laws of
    the lemma, which differ in one block only, the conclusion holds.

    P is uniform on the diagonal of size^2 outputs, Q is uniform on all of them. For four outputs, the event of the two
    diagonal ones has the excess 1/2, and no product of events has an excess above 1/4.
    """
    p, q = quotient(1, size), quotient(1, size * size)
    return size * (p - ratio * q), "<=", factor * largest_excess_of_products(size, ratio)


@quantity
def excess_of_the_whole(mechanism: int, ratio: Any) -> Fraction:
    """The largest excess over all events of two numbered mechanisms in parallel, where the first block changes."""
    whole, worst = compose_in_parallel([numbered(mechanism, 1), numbered(mechanism + 1, 1)]), Fraction(0)
    for a, b in whole.pairs():
        if a[0] != b[0]:
            excess = {o: p - ratio * whole.laws[b][o] for o, p in whole.laws[a].items()}
            worst = max(worst, *(probability(excess, event) for event in events(excess)))
    return worst


@quantity
def delta_of_the_changed_block(mechanism: int, ratio: Any) -> Fraction:
    """The least delta of the first of them."""
    return Fraction(channel_delta(numbered(mechanism, 1), ratio).value)


@claim(
    "TH-L2.10/all-events",
    on_mechanisms(
        4, 40, "pairs of random channels", ratio=RATIOS, routes=("all events", "hockey stick of the changed block")
    ),
    repairs="TH-L2.10/product-events",
)
def all_events_of_the_whole(mechanism: Mechanism, ratio: AtLeastOne):
    r"""Given the outputs of the unchanged blocks every event is an event of the changed block: over all events of
    $\mathcal G$ the excess is the one of the changed block."""
    return excess_of_the_whole(mechanism, ratio), "==", delta_of_the_changed_block(mechanism, ratio)
