"""Appendix A: composition, post-processing, groups and the Laplace mechanism."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim, restate
from banditproof.claims.sets import Count, Nonnegative
from banditproof.claims.steps import enumerated, pick, tried_at
from banditproof.theory import log, sqrt, worst_composed_delta

restate(
    "ADV-L13", "TH-S2.1e/approximate", r"Adaptive composition adds the budgets up: two mechanisms, times $<factor>$."
)

restate("ADV-L16", "TH-P2.7/approximate")

restate("ADV-D7", "TH-T2.13/one-coordinate")


@claim(
    "ADV-L15",
    tried_at(k=40, epsilon="1/10", slack="1/100"),
    enumerated(
        k=pick([1, 2, 3, 10, 40], [1, 2, 3, 5, 10, 40, 120, 400]),
        epsilon=["0", "0.01", "0.1", "0.5", "1", "2", "5"],
        slack=["1/1000000", "1/100", "1/2", "1"],
    ),
    false=[{"linear": "1/8"}, {"root": "1/2"}],
)
def advanced_composition(
    k: Count, epsilon: Nonnegative, slack: Annotated[Any, "(0, 1]"], linear=Fraction(3, 2), root=6
):
    r"""$k$ mechanisms that are $\varepsilon$-DP are together $(\varepsilon',\delta')$-DP with
    $\varepsilon'=<linear>k\varepsilon^2+\sqrt{<root>k\varepsilon^2\log\frac1{\delta'}}$, for every $\varepsilon$ and
    $\delta'\le1$.

    The worst case is k-fold randomised response, whose exact delta' is a binomial sum; unequal budgets are not tried.
    """
    target = linear * k * epsilon**2 + sqrt(root * k * epsilon**2 * log(1 / slack))
    return worst_composed_delta(k, epsilon, 0 * slack, target), "<=", slack
