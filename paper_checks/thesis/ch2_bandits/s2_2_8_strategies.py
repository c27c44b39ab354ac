r"""Section 2.2.8, page 34: no strategy stops earlier than Theorem 2.32 allows.

TTUCB comes within a tenth of the bound at delta = 10^-100, so that a bound larger by a quarter is seen to be false.
"""

from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.strategies import HARD, TRIED, Point, no_faster, run_points
from banditproof.paper_checks.thesis.studies import simulated

POINTS = [
    *(
        Point(name, instance, delta)
        for name in ("ttucb", "successive-elimination")
        for instance in HARD
        for delta in ("0.3", "0.01")
    ),
    Point("ttucb", "near one half", "1e-100", more=30),
    *(Point(name, "zero and one", delta) for name in ("lucb", "track-and-stop") for delta in ("0.3", "0.01")),
]
TIMES = Study("thesis-stopping-times", run_points(POINTS), {"runs": 100}, {"runs": 1000})

Strategies = Annotated[Any, "all: TTUCB, Track-and-Stop, LUCB, successive elimination"]
Instances = Annotated[Any, "all: every instance with a unique best arm"]


@claim(
    "TH-T2.32/strategies",
    simulated(TIMES, means=f"all: {len(HARD)} Bernoulli instances", delta=TRIED["delta"]),
    false={"factor": "1.25"},
    studies=[TIMES],
    role="implication",
    restricted="to four strategies",
)
def no_strategy_is_faster(strategy: Strategies, means: Instances, delta: Inside, factor=1, *, arrays, coins):
    r"""Mean stopping times of TTUCB, Track-and-Stop, LUCB and successive elimination are at least
    $T^\star_{\mathrm{KL}}(\nu)\,\mathrm{kl}(\delta,1-\delta)$, near ties, near 0 and 1, at $\delta$ from $0.3$ to
    $10^{-100}$."""
    yield from no_faster(POINTS, arrays, coins, factor)
