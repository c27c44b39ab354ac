"""Section 3.3, page 58: privacy of a policy on tables and on lists of rewards."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AtLeastOne, Count, Policy
from banditproof.claims.steps import enumerated
from banditproof.paper_checks.shared.policies import delta, delta_under, kernel, shapes
from banditproof.paper_checks.thesis.ch3_definitions.facts import (
    least_delta_on_lists,
    least_delta_on_tables,
    of_size,
    random_with_ratios,
)
from banditproof.theory.numbers.term import quantity
from banditproof.verify import reward_tables, table_delta, table_law, view_delta, view_law
from banditproof.verify.finite.kernels import kernel_separating_view_from_table


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


@claim(
    "TH-R3.4/events",
    enumerated(shapes, rational=True, routes=("table mechanism", "view mechanism")),
    false={"step": 1},
    role="implication",
)
def each_sequence_has_its_list(T: Count, K: Count, policy: Policy, step=0):
    r"""$\mathcal M^\pi_{\mathbf x}(\{\mathbf a,\mathbf b\}) = \mathcal V^\pi_{(x_{t,a_t})_t}(\mathbf a) + \mathcal
    V^\pi_{(x_{t,b_t})_t}(\mathbf b)$.

    The left side counts the pairs of sequences whose table probability is not the sum over their own lists (``step``
    rows later).
    """
    pi, different = kernel(T, K, policy), 0
    tables = list(reward_tables(pi))
    table = tables[(7 * policy + 3) % len(tables)]
    law = table_law(pi, table)
    own = {a: view_law(pi, tuple(table[(t + step) % T][arm] for t, arm in enumerate(a)))[a] for a in law}
    for a in law:
        different += sum(sum(own[w] for w in {a, b}) != sum(law[w] for w in {a, b}) for b in law)
    return different, "==", 0


@quantity
def view_delta_of_the_separating_policy(ratio: Fraction) -> Fraction:
    """The smallest delta of View DP of `kernel_separating_view_from_table`."""
    return delta_under("view", kernel_separating_view_from_table(), ratio)


@quantity
def table_delta_of_the_separating_policy(ratio: Fraction) -> Fraction:
    """The smallest delta of Table DP of `kernel_separating_view_from_table`."""
    return delta_under("table", kernel_separating_view_from_table(), ratio)


@claim(
    "TH-R3.4/gap",
    enumerated(ratio=[1], rational=True, routes=("exact delta over lists", "exact delta over tables")),
    role="implication",
)
def composite_events_tell_the_two_apart(ratio: Annotated[Any, [1]]):
    r"""There is a policy with $T = K = 2$ and $\delta_{\rm Table} > \delta_{\rm View}$ (at $\varepsilon=0$).

    The second decision of the policy reads the first reward, in one of two ways that the first action selects.
    """
    return view_delta_of_the_separating_policy(ratio), "<", table_delta_of_the_separating_policy(ratio)
