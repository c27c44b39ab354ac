"""Section 3.8, page 76: Interactive DP, adaptive continual release, Table and View DP, each stronger than the next."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import EVERY_POLICY, delta_under, shapes
from banditproof.paper_checks.thesis.ch3_definitions.facts import *
from banditproof.paper_checks.thesis.facts.privacy import with_ratios
from banditproof.verify.privacy.separation import matched_answer_kernel

item(
    "TH-S3.8",
    "Interactive DP is stronger than DP under adaptive continual release, which is stronger than Table DP, which is "
    "stronger than View DP.",
    domain=EVERY_POLICY,
)


@claim(
    "TH-S3.8/interactive-above-release",
    fails_at(T=4, K=2, policy=MATCHED, ratio=1, rational=True),
    displayed=True,
    called={
        "one policy": "policy",
        r"$e^\varepsilon$": "ratio",
        r"$\delta_{\rm ACR}$": "left",
        r"$\delta_{\rm Interactive}$": "right",
    },
)
def interactive_above_release(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""$(\varepsilon,\delta)$-Interactive DP implies $(\varepsilon,\delta)$-DP in the adaptive continual release model:
    the smallest $\delta$ of a policy satisfies $\delta_{\rm ACR}\le\delta_{\rm Interactive}$ at every $\varepsilon$.

    A reward-feeding adversary may let the third reward depend on the second action whichever arm is queried, but a
    table has one reward per arm and round. With four rounds and two arms, some policy has delta 5/6 in the first model
    and 2/3 in the second, at epsilon = 0. For pure DP, and up to three rounds, the implication holds.

    At step 4 the policy reveals the first reward only if the third reward, of arm 0, matches the second arm, and what
    it reveals there complements what the second action revealed. The deltas at epsilon = 0 are 5/6 over trees and 2/3
    in the interaction.
    """
    return least_delta_on_trees(T, K, policy, ratio), "<=", least_delta_of_interactions(T, K, policy, ratio)


@claim(
    "TH-S3.8/pure",
    enumerated(
        lambda check: [*shapes(check), {"T": 4, "K": 2, "policy": MATCHED}],
        rational=True,
        routes=("worst tree", "worst adversary"),
    ),
    repairs="TH-S3.8/interactive-above-release",
)
def chain_for_pure(T: Count, K: Count, policy: Policy):
    r"""For pure DP the chain holds: $e^{\varepsilon_{\rm ACR}}\le e^{\varepsilon_{\rm Interactive}}$, and adaptive
    continual release, Table and View DP are the same.

    Along one sequence of actions an adversary may query the arm played, and a table contains any list of rewards.
    """
    return least_odds_on_trees(T, K, policy), "<=", least_odds_of_interactions(T, K, policy)


@claim(
    "TH-S3.8/short",
    enumerated(
        lambda check: with_ratios([*shapes(check), {"T": 4, "K": 2, "policy": MATCHED}, {"T": 4, "K": 2, "policy": 0}]),
        rational=True,
        routes=("worst tree", "worst adversary and tables"),
    ),
    role="remark",
)
def short_horizons(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""$\delta_{\rm ACR}\le K^{\max(0,T-3)}\,\delta_{\rm Interactive}$: Interactive DP implies DP under adaptive
    continual release up to $T = 3$, and with a factor $K^{T-3}$ from then on.

    Fixed queries reach any history. After the challenge, below one prefix of actions, a tree is a table.
    """
    interaction = least_delta_of_interactions(T, K, policy, ratio)
    return least_delta_on_trees(T, K, policy, ratio), "<=", K ** maximum(0, T - 3) * interaction


CLIMBED = ("97/100", "124/125", "249/250", "1", "1177/6400", "23/500", "499/500", "1/10")


@quantity
def widest_on_trees(ratio: Fraction) -> Fraction:
    """The smallest delta under adaptive continual release of the policy that hill climbing found."""
    return delta_under("acr", matched_answer_kernel(tuple(map(Fraction, CLIMBED))), ratio)


@quantity
def widest_of_interactions(ratio: Fraction) -> Fraction:
    """The smallest delta of Interactive DP of that policy."""
    return delta_under("interactive", matched_answer_kernel(tuple(map(Fraction, CLIMBED))), ratio)


@claim(
    "TH-S3.8/widest",
    enumerated(ratio=[4], rational=True, routes=("worst tree", "worst adversary and tables")),
    role="remark",
)
def widest_found(ratio: Annotated[Any, [4]]):
    r"""With $T = 4$, $K = 2$ and $e^\varepsilon = 4$ there is a policy with $\delta_{\rm ACR}\ge
    \frac{1959}{1000}\,\delta_{\rm Interactive}$ (found by hill climbing; 2 is the most there can be)."""
    return widest_on_trees(ratio), ">=", Fraction(1959, 1000) * widest_of_interactions(ratio)
