"""Section III: mechanisms and policies, Table, View and Interactive zCDP, and what follows from it.

Under zCDP the steps of an interaction add up along each history: however an adversary chooses queries and rewards, the
divergence of its views of order alpha is at most the largest sum, over histories with the same arms that differ in one
reward, of the divergences of the policy's rows, and an adversary that asks for fixed arms attains it. So under zCDP
Table privacy of every post-processed policy, Interactive privacy and adaptive continual release of interactive
policies are one notion, also where they are not under (epsilon, delta).
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared import policies
from banditproof.paper_checks.shared.policies import EVERY_POLICY, OFF_PATH, delta_under, kernel, shapes
from banditproof.verify import (
    FiniteKernel,
    largest_divergence,
    renyi_divergence,
    replacements,
    reward_lists,
    reward_tables,
    table_epsilon,
    table_law,
    view_epsilon,
)
from banditproof.verify.kernel.document_words import word
from banditproof.verify.kernel.histories import history_is_told, last_action_is_kept
from banditproof.verify.kernel.policies import plays_arms, said_is_kept
from banditproof.verify.privacy.interactive import interactive_law, query_adversaries
from banditproof.verify.privacy.separation import matched_answer_kernel


@claim(
    "ZCDP-R1/first-arm-as-displayed",
    fails_at(T=2, K=2, policy=0, rational=True),
    displayed=True,
    slip="One index is wrong: the definition of the mechanism just before the remark has the right one.",
    called={"one policy": "policy,", "the number of pairs $a,b$ that differ": "left"},
)
def first_arm_as_displayed(T: Count, K: Count, policy: Policy, mixed=1):
    r"""The second product of $\mathcal M^\pi_d(\{a,b\})$, printed as $\prod_t\pi_t(b_t\mid
    a_1,x_{1,b_1},\dots,b_{t-1},x_{t-1,b_{t-1}})$, is $\mathcal M^\pi_d(b)$: the number of pairs $a$, $b$ for which it
    is not is 0.

    The displayed product has $a_1$ where $b_1$ belongs, so the sum is not the probability of the event.

    The number `policy` selects a random policy.
    """
    pi = kernel(T, K, policy)
    tables = list(reward_tables(pi))
    table = tables[(7 * policy + 3) % len(tables)]
    law, different = table_law(pi, table), 0
    for a, b in product(law, law):
        told = tuple((arm, table[t][b[t]]) for t, arm in enumerate((*a[:mixed], *b[mixed:])))
        second = Fraction(1)
        for t, arm in enumerate(b):
            second *= pi.probability(told[:t])[arm]
        different += second != law[b]
    return different, "==", 0


@repaired(
    "ZCDP-R1/first-arm-of-its-own",
    "ZCDP-R1/first-arm-as-displayed",
    enumerated(shapes, rational=True, routes=("displayed product", "table mechanism")),
)
def first_arm_of_its_own(mixed=0):
    r"""With $b_1$ for $a_1$ the second product is $\mathcal M^\pi_d(b)$."""


def on_bits(T: int, K: int, policy: int) -> FiniteKernel:
    """A random policy for rewards 0 and 1, by its number."""
    return FiniteKernel(T, K, (0, 1), kernel(T, K, 2 * policy).probability)


@quantity
def odds_over_tables(T: int, K: int, policy: int) -> Any:
    """e^epsilon of the smallest epsilon for which a policy is epsilon-Table DP."""
    return table_epsilon(on_bits(T, K, policy)).ratio


@quantity
def odds_over_lists(T: int, K: int, policy: int) -> Any:
    """e^epsilon of the smallest epsilon for which a policy is epsilon-View DP."""
    return view_epsilon(on_bits(T, K, policy)).ratio


ONE_STEP = enumerated(T=1, K=[1, 2, 3], policy=range(4), covers={"policy": "all: every policy"}, rational=True)


@claim("ZCDP-P1/one-step", ONE_STEP, role="remark")
def corner_of_one_step(T: Annotated[Any, [1]], K: Count, policy: Policy):
    r"""The corner $T=1$ of (a) to (d): every policy is $0$-Table DP ($e^\epsilon=1$), so (e) needs $T\ge2$.

    With one step no decision depends on a reward, so all likelihood ratios are 1, over lists and over tables.
    """
    return odds_over_tables(T, K, policy), "==", 1


@claim("ZCDP-P1/one-step-of-lists", ONE_STEP, role="remark")
def corner_of_one_step_over_lists(T: Annotated[Any, [1]], K: Count, policy: Policy):
    r"""The corner $T=1$ of (a) to (d): every policy is $0$-View DP ($e^\epsilon=1$)."""
    return odds_over_lists(T, K, policy), "==", 1


ORDERS = (Fraction(11, 10), Fraction(2), Fraction(7))
ROUNDING = Fraction(1, 2**40)  # equal divergences are equal up to rounding


def some_policy(T: int, K: int, policy: Any) -> FiniteKernel:
    """Random policy number ``policy``, or a named one mixed with uniform play, so that all divergences are finite."""
    pi = policies.some_policy(T, K, policy)
    if isinstance(policy, int):
        return pi
    return FiniteKernel(T, K, pi.rewards, lambda h: tuple((9 * p + Fraction(1, K)) / 10 for p in pi.probability(h)))


def with_orders(*special: tuple[Any, ...]) -> Callable[[Check], list[dict[str, Any]]]:
    """Random policies without certain steps, where all divergences are finite, and named ones, with three orders."""

    def points(check: Check) -> list[dict[str, Any]]:
        sizes = [(2, 2, s) for s in check.pick((0, 1, 3), range(12)) if s % 3 != 2] + [(2, 3, 0), (3, 2, 0), (3, 2, 4)]
        return [{"T": T, "K": K, "policy": policy, "order": o} for T, K, policy in (*sizes, *special) for o in ORDERS]

    return points


def equal_up_to_rounding(left: Any, right: Any) -> Sides:
    return maximum(left, right), "<=", (1 + ROUNDING) * minimum(left, right)


def divergence(notion: str, pi: FiniteKernel, order: Fraction) -> Any:
    """The largest Rényi divergence over the neighbours and adversaries of a definition, a ball."""
    return largest_divergence(pi, notion, order)[0]


def along_fixed_queries(pi: FiniteKernel, order: Fraction) -> Any:
    """max over arms and neighbouring reward lists of the sum of D_order between the policy's rows."""
    lists, largest = list(reward_lists(pi)), to_ball(0)
    heads = sorted({(*actions[:-1], 0) for actions in pi.action_sequences()})
    for arms, left in product(heads, lists):
        for right in replacements(left, pi.rewards):
            total = to_ball(0)
            for t in range(pi.horizon):
                told = (tuple(zip(arms[:t], rewards[:t], strict=True)) for rewards in (left, right))
                p, q = (dict(enumerate(pi.probability(h))) for h in told)
                if p != q:
                    total += renyi_divergence(p, q, order)
            largest = largest.max(total)
    return largest


@quantity
def interactive_divergence(T: int, K: int, policy: Any, order: Any) -> Any:
    """sup D_order over query adversaries and neighbouring tables, by the worst answers to each prefix."""
    return divergence("interactive", some_policy(T, K, policy), order)


@quantity
def divergence_over_trees(T: int, K: int, policy: Any, order: Any) -> Any:
    """sup D_order over adversaries that choose each reward as it comes."""
    return divergence("interactive-acr", some_policy(T, K, policy), order)


@quantity
def divergence_along_queries(T: int, K: int, policy: Any, order: Any) -> Any:
    """The largest sum of the divergences of the policy's rows along fixed queries."""
    return along_fixed_queries(some_policy(T, K, policy), order)


@quantity
def divergence_over_every_adversary(T: int, K: int, policy: Any, order: Any) -> Any:
    """sup D_order over all query adversaries and neighbouring tables, one by one."""
    largest = to_ball(0)
    for left, right in laws_on_neighbours(T, K, policy):
        largest = largest.max(renyi_divergence(dict(left), dict(right), order))
    return largest


@cache
def laws_on_neighbours(T: int, K: int, policy: int) -> set[tuple[Any, ...]]:
    """The pairs of laws of what a query adversary sees on two neighbouring tables, each pair once."""
    pi, pairs = some_policy(T, K, policy), set()
    rows = tuple(product(pi.rewards, repeat=pi.arms))
    tables = [(*head, rows[0]) for head in product(rows, repeat=pi.horizon - 1)]
    for ask in query_adversaries(pi):
        law = {table: tuple(interactive_law(pi, ask, table).items()) for table in tables}
        neighbours = ((left, right) for left in tables for right in replacements(left, rows) if right in law)
        pairs |= {(law[left], law[right]) for left, right in neighbours if law[left] != law[right]}
    return pairs


item(
    "ZCDP-D4",
    r"Interactive DP and zCDP: views of every adversary $B$ on neighbouring tables are $(\epsilon,\delta)$-close, or "
    r"have $D_\alpha\le\rho\alpha$ for every $\alpha>1$.",
    domain=EVERY_POLICY,
    twins=["TH-D3.5"],
)


@claim(
    "ZCDP-D4/zcdp",
    enumerated(
        lambda check: [
            {"T": T, "K": K, "policy": p, "order": o}
            for T, K, p in [(2, 2, 0), (2, 2, 3), *check.pick([], [(2, 2, 6), (2, 3, 0), (3, 2, 0)])]
            for o in (Fraction(2), Fraction(7))
        ],
        rational=True,
        routes=("all adversaries", "fixed queries"),
    ),
)
def zcdp_over_every_adversary(T: Count, K: Count, policy: Policy, order: AboveOne):
    r"""$\sup D_\alpha$ over all adversaries and neighbouring tables, visited one by one, is the one along fixed
    queries."""
    case = T, K, policy, order
    return equal_up_to_rounding(divergence_over_every_adversary(*case), divergence_along_queries(*case))


@claim(
    "ZCDP-D4/fixed-queries",
    enumerated(
        with_orders((2, 2, OFF_PATH)), rational=True, routes=("worst answers, prefix by prefix", "fixed queries")
    ),
    role="remark",
)
def fixed_queries_suffice(T: Count, K: Count, policy: Policy, order: AboveOne):
    r"""$\sup_{B,d\sim d'}D_\alpha(\mathrm{View}_{B,\pi,d}\|\mathrm{View}_{B,\pi,d'})=\max_{\mathbf a,\mathbf
    r\sim\mathbf r'}\sum_tD_\alpha(\pi_t(\cdot|\mathcal H_{t-1})\|\pi_t(\cdot|\mathcal H'_{t-1}))$ at every order: an
    adversary whose queries react to the actions gains nothing over one with fixed queries.

    The proof is by backward induction: given the actions up to the changed reward, both sides continue with the same
    weights.
    """
    case = T, K, policy, order
    return equal_up_to_rounding(interactive_divergence(*case), divergence_along_queries(*case))


@word
def plays_by_what_it_hears(pi: Any, K: Any) -> tuple[Any, ...]:
    """A policy plays arms by what it hears, and what it has said are its actions."""
    return plays_arms(pi, K), said_is_kept(), history_is_told(), last_action_is_kept()


@claim("ZCDP-R2/equivalent-under-zcdp", enumerated(with_orders((2, 2, OFF_PATH)), rational=True), role="remark")
def equivalent_under_zcdp(T: Count, K: Count, policy: Policy, order: AboveOne):
    r"""The question of Remark 2 for zCDP: the two suprema of $D_\alpha$ are equal at every order, so a fully adaptive
    adversary gains nothing.

    Both equal the largest sum along fixed queries.
    """
    case = T, K, policy, order
    return equal_up_to_rounding(interactive_divergence(*case), divergence_over_trees(*case))


@quantity
def delta_over_tables(ratio: Any) -> Fraction:
    """The delta of the policy of Remark 2 against adversaries that shuffle tables, at e^epsilon = ratio."""
    return delta_under("interactive", matched_answer_kernel(), Fraction(ratio))


@quantity
def delta_over_trees(ratio: Any) -> Fraction:
    """That against adversaries that choose each reward as it comes."""
    return delta_under("acr", matched_answer_kernel(), Fraction(ratio))


@claim(
    "ZCDP-R2/stronger-under-approximate-dp", enumerated([{"ratio": 1}], rational=True), role="remark", twins=["TH-S3.8"]
)
def stronger_under_approximate_dp(ratio: Annotated[Any, [1]]):
    r"""The same question for $(\epsilon,\delta)$: for some policy with $T=4$ adaptive rewards, with no choice of
    queries, see more than $6/5$ times the $\delta$ of every shuffling adversary at $\epsilon=0$.

    The smallest delta is 5/6 over trees and 2/3 over tables, so the two definitions are not equivalent for (epsilon,
    delta).
    """
    return Fraction(6, 5) * delta_over_tables(ratio), "<", delta_over_trees(ratio)


@claim("ZCDP-P2/a-is-strict", enumerated([{}], rational=True), false={"factor": 3}, role="remark")
def converse_of_a(factor=2):
    r"""Some policy has an Interactive $D_2$ of more than $2$ times its Table $D_2$: the converse of (a) fails.

    The policy repeats the reward of an arm that it rarely plays.
    """
    pi = some_policy(2, 2, OFF_PATH)
    return to_ball(factor) * divergence("table", pi, Fraction(2)), "<", divergence("interactive", pi, Fraction(2))
