r"""Section 4.4, page 97: no private strategy of the thesis stops earlier than Theorem 4.24 allows.

Each is private (claims on its runs) and delta-correct (claims on its errors). DP-SE is within a factor 4 of the bound
at small risks and budgets, AdaP-TT* at small risks and large budgets, so these points see bounds that large.
"""

from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Inside, Positive
from banditproof.claims.study import Study
from banditproof.paper_checks.thesis.facts.strategies import HARD, TRIED, Point, no_faster, run_points
from banditproof.paper_checks.thesis.studies import simulated

PRIVATE = ("adap-tt", "adap-tt-star", "dp-se")
POINTS = [
    *(
        Point("dp-se", instance, delta, epsilon, more=15)
        for instance in HARD
        for delta in ("0.3", "1e-100")
        for epsilon in ("0.01", "20")
    ),
    *(
        Point(name, instance, delta, epsilon)
        for name in PRIVATE[:2]
        for instance, delta, epsilon in (
            ("near one half", "0.01", "0.01"),
            ("near one half", "1e-100", "20"),
            ("zero and one", "0.3", "0.01"),
            ("near tie", "0.01", "20"),
            ("near one", "0.01", "0.5"),
        )
    ),
]
TIMES = Study("thesis-private-stopping-times", run_points(POINTS), {"runs": 40}, {"runs": 400})

Strategies = Annotated[Any, f"all: {', '.join(PRIVATE)}"]
Instances = Annotated[Any, "all: every instance with a unique best arm"]


@claim(
    "TH-T4.24/strategies",
    simulated(TIMES, means=f"all: {len(HARD)} Bernoulli instances", **TRIED),
    false={"factor": 4},
    studies=[TIMES],
    role="implication",
    restricted="to the strategies of the thesis, with a bonus of order log n",
)
def no_private_strategy_is_faster(
    strategy: Strategies, means: Instances, delta: Inside, epsilon: Positive, factor=1, *, arrays, coins
):
    r"""Mean stopping times of AdaP-TT, AdaP-TT* and DP-SE are at least $<factor>\,T^\star(\nu;\varepsilon)\,
    \mathrm{kl}(\delta,1-\delta)$, near ties, near 0 and 1, at $\delta$ from $0.3$ to $10^{-100}$ and $\varepsilon$ from
    $0.01$ to $20$."""
    yield from no_faster(POINTS, arrays, coins, factor)
