"""Section 3.6, page 71: adaptive continual release against Table and View DP, and the order of the three."""

from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.policies import READ_OFF, shapes
from banditproof.paper_checks.thesis.ch3_definitions.facts import *
from banditproof.paper_checks.thesis.facts.privacy import WORD, with_ratios


def random_and_codes(check: Check) -> list[dict[str, Any]]:
    return with_ratios(shapes(check) + [{"T": 3, "K": 2, "policy": name} for name in (CODE, WORD)])


@claim(
    "TH-P3.15/converse",
    enumerated(random_and_codes, rational=True, routes=("worst tree", "worst tables, scaled")),
    role="remark",
)
def best_converse(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""$\delta_{\rm ACR}(\varepsilon) \le K^{\max(0, T-2)}\,\delta_{\rm Table}(\varepsilon)$, and no smaller power of
    $K$ will do: below one prefix of $T-2$ actions a tree is a table.

    The check uses random policies, and one that leaks if the last reward encodes the first arms, for which equality
    holds.
    """
    table = least_delta_on_tables(T, K, policy, ratio)
    return least_delta_on_trees(T, K, policy, ratio), "<=", K ** maximum(0, T - 2) * table


@claim("TH-S3.6/blind-to-arms", fails_at(T=4, K=2, policy=READ_OFF, ratio=1, rational=True), role="reading")
def policies_blind_to_arms(T: Count, K: Count, policy: Policy, ratio: AtLeastOne):
    r"""Read as a statement about policies whose decisions do not depend at all on the arms fed to them: Interactive and
    Table DP coincide.

    These are policies 'closed under interactive post-processing'. The policy only reads rewards, but by its choice of
    column a query adversary still controls which reward comes when.
    """
    return least_delta_of_interactions(T, K, policy, ratio), "<=", least_delta_on_tables(T, K, policy, ratio)
