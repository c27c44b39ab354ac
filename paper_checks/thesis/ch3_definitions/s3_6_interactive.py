"""Section 3.6, page 70: Interactive DP against Table DP, and adversaries that draw their queries."""

from fractions import Fraction
from typing import Any

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import AboveOne, AtLeastOne, BelowOne, Count, EveryPolicy, Nonnegative, Policy, Probability
from banditproof.claims.steps import enumerated, fails_at, in_kernel
from banditproof.paper_checks.shared.policies import (
    EVERY_POLICY,
    READ_OFF,
    READS_OFF,
    delta_under,
    kernel,
    some_policy,
    some_queries,
    some_table,
)
from banditproof.paper_checks.thesis.ch3_definitions.facts import (
    ORDERS,
    least_delta_of_interactions,
    least_delta_of_post_processed,
    random_and_named,
    random_with_ratios,
)
from banditproof.theory import to_ball
from banditproof.verify import hockey_stick, largest_delta, largest_divergence, renyi_divergence, table_law
from banditproof.verify.kernel.meanings import when
from banditproof.verify.kernel.policies import private_on, queries, random_queries, zcdp_on
from banditproof.verify.privacy.interactive import identity_queries, interactive_law
from banditproof.verify.theorems import policies as policy_proofs

item(
    "TH-P3.13",
    r"""(a) Interactive DP implies Table DP; (b) $\pi$ is Interactive DP if and only if, for every deterministic
    adversary $B$, the post-processed policy
    $\pi^B_t(a\mid a_1,r_1,\dots,a_{t-1},r_{t-1})=\pi_t(a\mid q_1,r_1,\dots,q_{t-1},r_{t-1})$ with
    $q_s=B_s(a_1,\dots,a_s)$ is Table DP.""",
    domain=EVERY_POLICY,
)


@claim(
    "TH-P3.13/a-small-policies",
    enumerated(random_and_named, rational=True),
    false={"factor": "0.9"},
    role="implication",
)
def interactive_implies_table(T: Count, K: Count, policy: Policy, ratio: AtLeastOne, factor=1):
    r"""$\delta_{\rm Table}(\varepsilon)\le \delta_{\rm Interactive}(\varepsilon)$; the adversary that asks for the arm
    played has the law of the table mechanism.

    The check computes exact deltas, and the law of the identity adversary on a table.
    """
    pi = some_policy(T, K, policy)
    table = some_table(pi, 3)
    same = interactive_law(pi, identity_queries, table) == table_law(pi, table)
    return delta_under("table", pi, ratio) + (not same), "<=", factor * delta_under("interactive", pi, ratio)


TOLD_THE_QUERIED = (
    r"With $\pi^B$ told the rewards of the queried arms, the largest $\delta$ of $\pi^B$ over all deterministic $B$ is "
    r"$\delta_{\rm Interactive}$, so (b) holds both ways."
)
restate("TH-P3.13/b", "TH-D3.5", TOLD_THE_QUERIED, repairs="TH-P3.13/b-eq-3.1-only-if")
restate("TH-P3.13/b-if", "TH-D3.5", TOLD_THE_QUERIED, repairs="TH-P3.13/b-eq-3.1-if")


@claim(
    "TH-P3.13/b-eq-3.1-only-if",
    fails_at(T=3, K=2, policy=READ_OFF, ratio=1, rational=True),
    called={
        READS_OFF: "policy",
        r"$e^\varepsilon$": "ratio",
        r"the smallest $\delta$ of $\pi^{\mathcal B}$ under Table DP": "left",
        r"that of $\pi$ under Interactive DP": "right",
    },
)
def literal_only_if(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""(b), 'only if': if $\pi$ is $(\varepsilon,\delta)$-Interactive DP, then $\pi^{\mathcal B}$ is
    $(\varepsilon,\delta)$-Table DP for every deterministic adversary $\mathcal B$.

    The table mechanism gives $\pi^{\mathcal B}$ the reward of the arm $a_t$ that it plays, but in the interaction the
    policy observes the reward of the arm $q_t$ that $\mathcal B$ queries. The statement holds if $\pi^{\mathcal B}$
    receives the rewards of the queried arms.

    The second action of the policy reveals the first reward with noise. Then the policy plays arm 0, and the reward of
    step T - 1 decides how the last action reveals the first reward. The ratio is e^epsilon; both sides are the smallest
    delta.
    """
    return least_delta_of_post_processed(T, K, policy, ratio), "<=", least_delta_of_interactions(T, K, policy, ratio)


@claim(
    "TH-P3.13/b-eq-3.1-if",
    fails_at(T=4, K=2, policy=READ_OFF, ratio=1, rational=True),
    cause="TH-P3.13/b-eq-3.1-only-if",
    called={
        READS_OFF: "policy",
        r"$e^\varepsilon$": "ratio",
        r"the smallest $\delta$ of $\pi$ under Interactive DP": "left",
        r"that of $\pi^{\mathcal B}$ under Table DP": "right",
    },
)
def literal_if(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""(b), 'if': if, for every deterministic adversary $B$, the policy $\pi^B$ is $(\varepsilon,\delta)$-Table DP,
    then $\pi$ is $(\varepsilon,\delta)$-Interactive DP.

    An adversary may let the third reward depend on the second action, but in a table the third reward of $\pi^{\mathcal
    B}$ depends on its third action only. So from $T=4$ on the tables cover fewer cases than the adversaries. The
    statement holds if $\pi^{\mathcal B}$ receives the rewards of the queried arms.

    The second action of the policy reveals the first reward with noise. Then the policy plays arm 0, and the reward of
    step T - 1 decides how the last action reveals the first reward. The ratio is e^epsilon; both sides are the smallest
    delta.
    """
    return least_delta_of_interactions(T, K, policy, ratio), "<=", least_delta_of_post_processed(T, K, policy, ratio)


WEIGHTS = (Fraction(0), Fraction(1, 3), Fraction(1))


def mixed_laws(T: int, K: int, policy: int, ratio: Fraction, weight: Fraction) -> list[dict[Any, Fraction]]:
    """The laws of an adversary that is the worst one with the given weight, and another one else."""
    pi = kernel(T, K, policy)
    worst = largest_delta(pi, "interactive", ratio).inputs
    last = ((pi.rewards[0],) * K,)
    ask, tables = some_queries(policy, K), [tuple(step[side] for step in worst.steps) + last for side in (0, 1)]
    laws = []
    for certain, table in zip(worst.laws(pi), tables, strict=True):
        other = interactive_law(pi, ask, table)
        laws.append({a: weight * certain[a] + (1 - weight) * other[a] for a in certain})
    return laws


@claim(
    "TH-R3.14",
    in_kernel(policy_proofs.coins_are_tossed_before),
    covered="The proof is by events and, as a part, for zCDP; the coins have any law.",
)
def every_random_adversary(pi: EveryPolicy, T: Count, K: Count, epsilon: Nonnegative, delta: BelowOne):
    r"""Deterministic adversaries suffice: a policy that is $(\varepsilon,\delta)$-Interactive DP against these is so
    against adversaries that toss coins, of any law, and query by them."""
    against = private_on(queries(pi, T, K), epsilon, delta)
    return when(against, then=private_on(random_queries(pi, T, K), epsilon, delta))


@claim("TH-R3.14/zcdp", in_kernel(policy_proofs.coins_are_tossed_before))
def every_random_adversary_for_zcdp(pi: EveryPolicy, T: Count, K: Count, rho: Nonnegative):
    r"""Deterministic adversaries suffice for $\rho$-Interactive zCDP as well."""
    return when(zcdp_on(queries(pi, T, K), rho), then=zcdp_on(random_queries(pi, T, K), rho))


@claim(
    "TH-R3.14/small-policies",
    enumerated(
        lambda check: [{**p, "weight": w} for p in random_with_ratios(check) for w in WEIGHTS],
        rational=True,
        routes=("randomised adversary", "worst deterministic one"),
    ),
    false={"factor": "0.9"},
    role="implication",
)
def deterministic_adversaries(T: Count, K: Count, policy: Policy, ratio: AtLeastOne, weight: Probability, factor=1):
    r"""Deterministic adversaries suffice: one that draws its queries has $\delta\le \delta_{\rm Interactive}$, the
    largest over deterministic ones.

    The hockey-stick divergence is jointly convex.
    """
    left, right = mixed_laws(T, K, policy, ratio, weight)
    return hockey_stick(left, right, ratio)[0], "<=", factor * delta_under("interactive", kernel(T, K, policy), ratio)


@claim(
    "TH-R3.14/zcdp-small-policies",
    enumerated(
        T=2,
        K=2,
        policy=[0, 1, 3],
        order=ORDERS,
        weight=WEIGHTS,
        rational=True,
        routes=("randomised adversary", "worst deterministic one"),
    ),
    false={"factor": "0.5"},
    role="implication",
)
def deterministic_adversaries_for_zcdp(
    T: Count, K: Count, policy: Policy, order: AboveOne, weight: Probability, factor=1
):
    r"""The same for Rényi divergences: $D_\alpha$ is at most the largest over deterministic adversaries.

    Divergences are quasi-convex. In the false variant the worst adversary has weight one.
    """
    left, right = mixed_laws(T, K, policy, Fraction(1), weight)
    worst = largest_divergence(kernel(T, K, policy), "interactive", order)[0]
    return renyi_divergence(left, right, order), "<=", to_ball(factor) * worst + to_ball(2) ** -40
