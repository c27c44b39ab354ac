"""Section 3.6, page 70: Interactive DP against Table DP, and adversaries that draw their queries."""

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import EVERY_POLICY, READ_OFF, READS_OFF
from banditproof.paper_checks.thesis.ch3_definitions.facts import *

item(
    "TH-P3.13",
    r"""(a) Interactive DP implies Table DP; (b) $\pi$ is Interactive DP if and only if, for every deterministic
    adversary $B$, the post-processed policy
    $\pi^B_t(a\mid a_1,r_1,\dots,a_{t-1},r_{t-1})=\pi_t(a\mid q_1,r_1,\dots,q_{t-1},r_{t-1})$ with
    $q_s=B_s(a_1,\dots,a_s)$ is Table DP.""",
    domain=EVERY_POLICY,
)


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
