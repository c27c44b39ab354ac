"""Section 3.4, page 61: Interactive DP, its adversaries, and the policies post-processed by them."""

from fractions import Fraction
from itertools import product

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import *
from banditproof.verify import hockey_stick, replacements, reward_tables
from banditproof.verify.privacy.interactive import (
    interactive_law,
    interactive_probability,
    post_processed_policy,
    query_adversaries,
)


@claim(
    "TH-D3.5",
    enumerated(
        [
            {"T": T, "K": K, "policy": 2 * number, "ratio": ratio}
            for T, K, count in ((1, 2, 1), (2, 2, 5), (2, 3, 2), (3, 2, 1))
            for number in range(count)
            for ratio in (Fraction(1), Fraction(3, 2))
        ],
        rational=True,
        routes=("all adversaries", "worst answers, prefix by prefix"),
    ),
    false=mutation("factor 1.01", factor="1.01"),
)
def interactive_privacy(T: Count, K: Count, policy: Policy, ratio: AtLeastOne, factor=1):
    r"""$\pi$ is $(\varepsilon,\delta)$-Interactive DP when $\Pr[\mathrm{View}_{B,\pi,\mathbf x}\in S] -
    e^\varepsilon\Pr[\mathrm{View}_{B,\pi,\mathbf x'}\in S]\le\delta$ for all $B$, $S$ and neighbouring tables: the
    smallest $\delta$ over all adversaries is the one found prefix by prefix.

    Every deterministic adversary and every pair of tables is compared with the worst answers to each prefix.
    """
    pi, worst = kernel(T, K, policy), Fraction(0)
    rows = tuple(product(pi.rewards, repeat=K))
    for ask in query_adversaries(pi):
        law = {table: interactive_law(pi, ask, table) for table in reward_tables(pi)}
        for left in law:
            for right in replacements(left, rows):
                worst = max(worst, hockey_stick(law[left], law[right], ratio)[0])
    return worst, "==", factor * delta_under("interactive", pi, ratio)


item(
    "TH-R3.6",
    r"$\Pr[\mathrm{View}_{B,\pi,\mathbf x}=\mathbf a]=\prod_t\pi_t(a_t\mid q_1,x_{1,q_1},\dots)$ with "
    r"$q_t=B_t(a_1..a_t)$; thus $\Pr[\mathrm{View}_{B,\pi,\mathbf x}\in S]=\mathcal M^{\pi^B}_{\mathbf x}(S)$.",
    domain=EVERY_POLICY,
)


@claim(
    "TH-R3.6/product",
    enumerated(shapes, rational=True, routes=("protocol, step by step", "product")),
    false={"paid": "played"},
)
def product_along_the_queries(T: Count, K: Count, policy: Policy, paid="queried"):
    r"""$\Pr[\mathrm{View}_{B,\pi,\mathbf x}=\mathbf a]=\pi_1(a_1)\pi_2(a_2\mid q_1,x_{1,q_1})\cdots$, the rewards being
    those of the queried arms.

    The left side counts the sequences on which the protocol, played step by step, differs from the product along the
    queries.
    """
    pi, ask = kernel(T, K, policy), some_queries(policy + 1, K)
    table = some_table(pi, policy)
    law = interactive_law(pi, ask, table)
    return sum(law[a] != interactive_probability(pi, ask, table, a, paid) for a in law), "==", 0


@claim(
    "TH-R3.6/post-processed",
    enumerated(shapes, rational=True, routes=("protocol, step by step", "pi^B")),
    false={"shift": 1},
    repairs="TH-R3.6/eq-3.1",
)
def law_of_the_post_processed_policy(T: Count, K: Count, policy: Policy, shift=0):
    r"""$\Pr[\mathrm{View}_{B,\pi,\mathbf x}=\mathbf a]=\prod_t\pi^B_t(a_t\mid
    a_1,x_{1,q_1},\dots,a_{t-1},x_{t-1,q_{t-1}})$.

    Here pi^B is a policy by itself that observes the rewards of the queried arms.
    """
    pi, ask = kernel(T, K, policy), some_queries(policy + 1, K)
    table, wrapped = some_table(pi, policy), post_processed_policy(pi, ask)
    law, different = interactive_law(pi, ask, table), 0
    for actions in law:
        asked = [(ask(actions[:t]) + shift) % K for t in range(1, T + 1)]
        history = tuple((arm, row[q]) for arm, row, q in zip(actions, table, asked, strict=True))
        probability = Fraction(1)
        for t, arm in enumerate(actions):
            probability *= wrapped.probability(history[:t])[arm]
        different += probability != law[actions]
    return different, "==", 0


@claim(
    "TH-R3.6/eq-3.1",
    tried_at(T=2, K=2, policy=range(8), rational=True),
    displayed=True,
    cause="TH-P3.13/b-eq-3.1-only-if",
    called={"one policy and one adversary": "policy,", "the number of outcomes whose probabilities differ": "left"},
)
def view_as_a_table_mechanism(T: Count, K: Count, policy: Policy):
    r"""$\Pr[\mathrm{View}_{B,\pi,\mathbf x}\in S]=\mathcal M^{\pi^B}_{\mathbf x}(S)$ for every $S\subseteq[K]^T$, where
    $\pi^B$ is the post-processed policy and $\mathcal M$ the table mechanism of (3.1).

    The table mechanism feeds pi^B the reward of the arm that it plays; the interaction feeds the policy the reward of
    the arm that B queries. The equation holds if pi^B is fed the rewards of the queried arms.
    """
    return table_mechanism_of_post_processed(T, K, policy)
