"""Section III-D and Appendix B of the zCDP paper: Interactive zCDP, its adversaries, and what follows from it.

Under zCDP the steps of an interaction add up along each history: however an adversary chooses queries and rewards, the
divergence of its views of order alpha is at most the largest sum, over histories with the same arms that differ in one
reward, of the divergences of the policy's rows, and an adversary that asks for fixed arms attains it. So under zCDP
Table privacy of every post-processed policy, Interactive privacy and adaptive continual release of interactive
policies are one notion, also where they are not under (epsilon, delta).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.paper_checks import thesis_order_of_definitions
from banditproof.paper_checks.bernoulli_dp_definitions import EVERY_POLICY
from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.paper_checks.thesis_definitions import delta_under
from banditproof.paper_checks.thesis_interactive import OFF_PATH
from banditproof.paper_checks.thesis_interactive import some_policy as sure_policy
from banditproof.paper_checks.thesis_kl_decomposition import POLICIES, differing, enumerate_plays
from banditproof.paper_checks.thesis_policies import PolicyName, interactive_rho, policy_named
from banditproof.paper_checks.twins import restate
from banditproof.theory.numeric import to_ball
from banditproof.verify.channels import renyi_divergence
from banditproof.verify.domain import Domain
from banditproof.verify.interactive import interactive_law, query_adversaries
from banditproof.verify.kernels import FiniteKernel, replacements, reward_lists
from banditproof.verify.kl_decompositions import relative_entropy
from banditproof.verify.output_laws import view_law
from banditproof.verify.policy_privacy import largest_divergence
from banditproof.verify.separation import matched_answer_kernel

Sides = tuple[Any, str, Any]
RESTATED = (thesis_order_of_definitions,)  # the module whose claims are restated here

EVERY_ORDER = EVERY_POLICY.restrict(order="(1, inf)")
ORDERS = (Fraction(11, 10), Fraction(2), Fraction(7))
ROUNDING = Fraction(1, 2**40)  # equal divergences are equal up to rounding


def some_policy(T: int, K: int, policy: Any) -> FiniteKernel:
    """Random policy number ``policy``, or a named one mixed with uniform play, so that all divergences are finite."""
    pi = sure_policy(T, K, policy)
    if isinstance(policy, int):
        return pi
    return FiniteKernel(T, K, pi.rewards, lambda h: tuple((9 * p + Fraction(1, K)) / 10 for p in pi.probability(h)))


def zcdp_points(check: Check, special: tuple[Any, ...] = ()) -> list[dict[str, Any]]:
    """Random policies without certain steps, where all divergences are finite, and named ones."""
    sizes = [(2, 2, s) for s in check.pick((0, 1, 3), range(12)) if s % 3 != 2] + [(2, 3, 0), (3, 2, 0), (3, 2, 4)]
    listed = [{"T": T, "K": K, "policy": policy} for T, K, policy in (*sizes, *special)]
    return [{**point, "order": order} for point in listed for order in ORDERS]


def divergence(notion: str, pi: FiniteKernel, order: Fraction) -> Any:
    """The largest Rényi divergence over the neighbours and adversaries of a definition, a ball."""
    return largest_divergence(pi, notion, order)[0]


# ------------------------------------------------------------------------------------------ the protocol, Definition 4

restate("ZCDP-A-INT", "TH-A3.INT")


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


def fixed_queries(T: int, K: int, policy: Any, order: Fraction, factor: Any) -> Sides:
    pi = some_policy(T, K, policy)
    found, fixed = divergence("interactive", pi, order), along_fixed_queries(pi, order)
    return abs(found - to_ball(factor) * fixed), "<=", to_ball(ROUNDING)


@claim(
    "ZCDP-D4/fixed-queries",
    r"$\sup_{B,d\sim d'}D_\alpha(\mathrm{View}_{B,\pi,d}\|\mathrm{View}_{B,\pi,d'})=<factor>\max_{\mathbf a,\mathbf r"
    r"\sim\mathbf r'}\sum_tD_\alpha(\pi_t(\cdot|\mathcal H_{t-1})\|\pi_t(\cdot|\mathcal H'_{t-1}))$ at every order: an "
    "adversary whose queries react to the actions gains nothing over one with fixed queries.",
    role="remark", domain=EVERY_ORDER, constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def fixed_queries_suffice(check: Check) -> None:
    """Backward induction: given the actions up to the changed reward both sides go on with the same weights."""
    points = zcdp_points(check, ((2, 2, OFF_PATH),))
    check.enumerate(fixed_queries, points, rational=True, routes=("worst answers, prefix by prefix", "fixed queries"))


def every_adversary(T: int, K: int, policy: Any, order: Fraction, factor: Any) -> Sides:
    """All query adversaries and all pairs of neighbouring tables, one by one, against fixed queries."""
    pi = some_policy(T, K, policy)
    rows, largest = tuple(product(pi.rewards, repeat=pi.arms)), to_ball(0)
    last = (rows[0],)
    tables = [(*head, *last) for head in product(rows, repeat=pi.horizon - 1)]
    for ask in query_adversaries(pi):
        law = {table: interactive_law(pi, ask, table) for table in tables}
        for left in tables:
            for right in replacements(left, rows):
                if right in law and left != right:
                    largest = largest.max(renyi_divergence(law[left], law[right], order))
    return abs(largest - to_ball(factor) * along_fixed_queries(pi, order)), "<=", to_ball(ROUNDING)


parts_decide(
    "ZCDP-D4",
    r"Interactive DP and zCDP: views of every adversary $B$ on neighbouring tables are $(\epsilon,\delta)$-close, or "
    r"have $D_\alpha\le\rho\alpha$ for every $\alpha>1$.",
    domain=EVERY_POLICY, twins=["TH-D3.5"],
)  # fmt: skip
restate("ZCDP-D4/approximate", "TH-D3.5", role="part")


@claim(
    "ZCDP-D4/zcdp",
    r"$\sup D_\alpha$ over all adversaries and neighbouring tables, visited one by one, is $<factor>$ times the one "
    "along fixed queries.",
    domain=EVERY_ORDER, constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def zcdp_over_every_adversary(check: Check) -> None:
    sizes = [(2, 2, 0), (2, 2, 3), *check.pick([], [(2, 2, 6), (2, 3, 0), (3, 2, 0)])]
    points = [{"T": T, "K": K, "policy": p, "order": o} for T, K, p in sizes for o in (Fraction(2), Fraction(7))]
    check.enumerate(every_adversary, points, rational=True, routes=("all adversaries", "fixed queries"))


# ------------------------------------------------------------------------------- Remark 2: rewards chosen as they come


def tables_below_trees(T: int, K: int, policy: Any, order: Fraction, factor: Any) -> Sides:
    pi = some_policy(T, K, policy)
    trees = divergence("interactive-acr", pi, order)
    return divergence("interactive", pi, order), "<=", to_ball(factor) * trees + to_ball(ROUNDING)


@claim(
    "ZCDP-R2",
    r"An adversary that chooses each reward as it comes may be stronger than one that shuffles a table: $D_\alpha$ "
    r"over tables is at most $<factor>$ times that over reward trees.",
    domain=EVERY_ORDER, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def trees_at_least_tables(check: Check) -> None:
    check.enumerate(tables_below_trees, zcdp_points(check), rational=True, routes=("worst table", "worst reward tree"))


def tables_against_trees(T: int, K: int, policy: Any, order: Fraction, factor: Any) -> Sides:
    pi = some_policy(T, K, policy)
    gap = divergence("interactive", pi, order) - to_ball(factor) * divergence("interactive-acr", pi, order)
    return abs(gap), "<=", to_ball(ROUNDING)


@claim(
    "ZCDP-R2/equivalent-under-zcdp",
    r"The question of Remark 2 for zCDP: the two suprema of $D_\alpha$ are equal at every order (factor $<factor>$), "
    r"so "
    "a fully adaptive adversary gains nothing.",
    role="remark", domain=EVERY_ORDER, constants={"factor": 1}, mutations=[mutation("1 % more", factor="1.01")],
    strongest="enumeration",
)  # fmt: skip
def equivalent_under_zcdp(check: Check) -> None:
    """Both equal the largest sum along fixed queries."""
    points = zcdp_points(check, ((2, 2, OFF_PATH),))
    check.enumerate(tables_against_trees, points, rational=True, routes=("worst table", "worst reward tree"))


def adaptive_rewards(ratio: Fraction, factor: Fraction) -> Sides:
    pi = matched_answer_kernel()
    return factor * delta_under("interactive", pi, ratio), "<", delta_under("acr", pi, ratio)


@claim(
    "ZCDP-R2/stronger-under-approximate-dp",
    r"The same question for $(\epsilon,\delta)$: for some policy with $T=4$ adaptive rewards, with no choice of "
    r"queries, see more than $<factor>$ times the $\delta$ of every shuffling adversary at $\epsilon=0$.",
    role="remark", domain=Domain.of(ratio=[1]), constants={"factor": "6/5"},
    mutations=[mutation("factor 3/2", factor="3/2")], twins=["TH-S3.8"],
    strongest="enumeration",
)  # fmt: skip
def stronger_under_approximate_dp(check: Check) -> None:
    """5/6 over trees against 2/3 over tables: the two definitions are not equivalent there."""
    check.enumerate(adaptive_rewards, [{"ratio": 1}], rational=True, routes=("worst table", "worst reward tree"))


# --------------------------------------------------------------------------------- what Interactive DP is said to give

parts_decide(
    "ZCDP-S7",
    "Interactive DP (a) defends against an adversary that manipulates rewards at every step, (b) protects users who do "
    "not follow the recommendation, (c) is robust against online reward poisoning.",
    domain=EVERY_POLICY,
)
restate("ZCDP-S7/manipulation", "TH-S3.4", role="part")
restate("ZCDP-S7/non-compliant", "TH-S3.4/non-compliant", role="part")

INTERACTIVE = Domain.of(policy="all: every Interactive zCDP policy")


def poisoned(policy: PolicyName, factor: Any) -> Sides:
    """The largest KL(V_r, V_r') / k^2 over pairs of lists that differ in k rewards, against rho."""
    pi = policy_named(policy)
    laws, largest = {rewards: view_law(pi, rewards) for rewards in reward_lists(pi)}, to_ball(0)
    for left, right in product(laws, laws):
        if left != right:
            largest = largest.max(relative_entropy(laws[left], laws[right]) / differing(left, right) ** 2)
    return largest, "<=", to_ball(factor * interactive_rho(policy))


@claim(
    "ZCDP-S7/poisoning",
    r"For a $\rho$-Interactive zCDP policy, poisoning $k$ rewards moves the law of the actions by "
    r"$\mathrm{KL}\le<factor>\,\rho k^2$.",
    domain=INTERACTIVE, constants={"factor": 1}, mutations=[mutation("1 % less", factor="0.99")],
    strongest="enumeration",
)  # fmt: skip
def reward_poisoning(check: Check) -> None:
    enumerate_plays(check, poisoned, POLICIES, ("laws of the actions on all lists", "Rényi divergences of adversaries"))
