r"""Section 4.4, page 97: no private strategy of the thesis stops earlier than Theorem 4.24 allows.

Each is private (claims on its runs) and delta-correct (claims on its errors). DP-SE is within a factor 4 of the bound
at small risks and budgets, AdaP-TT* at small risks and large budgets, so these points see bounds that large. On a class
of two instances a test on randomised responses comes as close to the bound as one likes, which shows that neither price
in T* can be lowered. A bound without one of the two, or with a larger epsilon, is weaker and as true.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.facts.strategies import HARD, TRIED, Point, no_faster, run_points
from banditproof.paper_checks.thesis.studies import simulated


@claim(
    "TH-T4.24/two-instances",
    enumerated(
        p=["3/5", "3/4", "99/100", 1 - Fraction(1, 10**15)],
        epsilon=["1/10", "1", "5", "20"],
        lead=[1, 5, 400],
        rational=True,
        routes=("stopping time of the test", "value of the game on the class"),
    ),
    false=[{"price": "0.9"}, {"information": "0.9"}, {"factor": "1.1"}, {"constant": "1/3"}],
    role="implication",
)
def bound_for_two_instances(
    p: Annotated[Any, "(1/2, 1)"], epsilon: Positive, lead: Count, factor=1, price=1, information=1, constant=3
):
    r"""On the class of $\nu=(p,1-p)$ and $(1-p,p)$, for which
    $T^\star(\nu;\varepsilon)^{-1}=\min\{\mathrm{kl}(p,1-p),\varepsilon(2p-1)\}$: pulling arm 1 until $k$ more of its
    randomised responses are one than zero, or zero than one, takes $\mathbb E[\tau]\ge T^\star\log\frac1{3\delta}$ at
    its error $\delta$.

    Every reward enters one response: epsilon-View DP. The responses are bits of mean q = 1 - f + (2 f - 1)(1 - p) with
    f = 1/(1 + e^epsilon), so that delta = 1/(1 + (q/(1 - q))^k) and, by Wald's identity, E tau = k (1 - 2 delta) /
    (2 q - 1). Both arms pay alike, whatever the proportions.
    """
    one, zero, flipped = to_ball(p), to_ball(1 - p), 1 / (1 + exp(to_ball(epsilon)))
    q = one * (1 - flipped) + zero * flipped
    risk = 1 / (1 + (q / (1 - q)) ** lead)
    time = lead * (1 - 2 * risk) / (2 * q - 1)
    inverse = minimum(to_ball(information) * kl_bernoulli(one, zero), to_ball(price * epsilon * (2 * p - 1)))
    return to_ball(factor) * log(1 / (to_ball(constant) * risk)) / inverse, "<=", time


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
    r"""Mean stopping times of AdaP-TT, AdaP-TT* and DP-SE are at least $T^\star(\nu;\varepsilon)\,
    \mathrm{kl}(\delta,1-\delta)$, near ties, near 0 and 1, at $\delta$ from $0.3$ to $10^{-100}$ and $\varepsilon$ from
    $0.01$ to $20$."""
    yield from no_faster(POINTS, arrays, coins, factor)
