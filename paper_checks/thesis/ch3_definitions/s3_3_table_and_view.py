"""Section 3.3, page 58: privacy of a policy on tables and on lists of rewards."""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import delta
from banditproof.paper_checks.thesis.ch3_definitions.facts import *
from banditproof.verify import table_delta, view_delta


@quantity
def delta_over_pairs_of_tables(T: int, K: int, policy: Any, ratio: Fraction) -> Fraction:
    """The smallest delta of M^pi over all pairs of neighbouring tables."""
    return delta(table_delta(of_size(T, K, policy), ratio))


@quantity
def delta_over_pairs_of_lists(T: int, K: int, policy: Any, ratio: Fraction) -> Fraction:
    """The smallest delta of V^pi over all pairs of neighbouring lists."""
    return delta(view_delta(of_size(T, K, policy), ratio))


@claim(
    "TH-D3.2",
    enumerated(random_with_ratios, rational=True, routes=("prefix by prefix", "all pairs of tables")),
    twins=["BDP-D2.3"],
)
def table_privacy(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""$\pi$ is $(\varepsilon,\delta)$-Table DP iff $\mathcal M^\pi$ is $(\varepsilon,\delta)$-DP: the smallest
    $\delta$ found prefix by prefix is the one over all pairs of neighbouring tables."""
    return least_delta_on_tables(T, K, policy, ratio), "==", delta_over_pairs_of_tables(T, K, policy, ratio)


@claim(
    "TH-D3.3",
    enumerated(random_with_ratios, rational=True, routes=("prefix by prefix", "all pairs of lists")),
    twins=["BDP-D2.3"],
)
def view_privacy(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""$\pi$ is $(\varepsilon,\delta)$-View DP iff $\mathcal V^\pi$ is $(\varepsilon,\delta)$-DP: the smallest $\delta$
    found prefix by prefix is the one over all pairs of neighbouring lists."""
    return least_delta_on_lists(T, K, policy, ratio), "==", delta_over_pairs_of_lists(T, K, policy, ratio)
