"""Appendix H of the Bernoulli paper, H.1 and H.2: post-processing and group privacy.

Mechanisms are random finite channels with rational probabilities, re-created from an integer.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from banditproof.paper_checks.check import Check
from banditproof.paper_checks.register import claim, mutation, parts_decide
from banditproof.theory.numeric import exp, to_ball
from banditproof.verify import channels
from banditproof.verify.channels import FiniteChannel, channel_delta, channel_ratio, random_channel
from banditproof.verify.domain import Domain
from banditproof.verify.kernels import random_law

EVERY_MECHANISM = Domain.of(mechanism="all: every mechanism")
RATIOS = (Fraction(1), Fraction(3, 2), Fraction(4))  # values of e^epsilon


def numbered(seed: int, records: int = 2) -> FiniteChannel:
    """Random channel number ``seed``; every third one may give an output probability zero."""
    return random_channel(seed, records, outputs=2 + seed % 2, smallest_weight=0 if seed % 3 == 2 else 1)


# -- H.1 post-processing --------------------------------------------------------------------------------------


def ratio_after_processing(mechanism: int, factor: int) -> tuple[Any, str, Any]:
    channel = numbered(mechanism)
    after = channels.post_process(channel, lambda y: dict(enumerate(random_law(mechanism, ("kernel", y), 2, 0, 5))))
    return channel_ratio(after).value, "<=", factor * channel_ratio(channel).value


@claim(
    "BDP-PH.1",
    r"Post-processing: if $\mathcal M$ is $\epsilon$-DP then so is $f\circ\mathcal M$ for every "
    r"randomised $f$ ($e^\epsilon$ grows by at most $<factor>$).",
    domain=EVERY_MECHANISM,
    constants={"factor": 1},
    mutations=[mutation("factor 0.5", factor="0.5")],
    strongest="enumeration",
    twins=["TH-P2.7", "ADV-L16", "ZCDP-S8"],
)
def post_processing(check: Check) -> None:
    """The exact largest likelihood ratio before and after a random stochastic matrix."""
    check.enumerate(
        ratio_after_processing,
        [{"mechanism": s} for s in range(check.pick(60, 600))],
        rational=True,
        covers=finitely_many(check, "random channels and stochastic matrices"),
        routes=("after", "before"),
    )


def finitely_many(check: Check, what: str) -> Domain:
    """The region that a list of mechanisms speaks of: never every mechanism."""
    return check.domain.restrict(mechanism=f"all: {check.pick('some', 'many')} {what}")


# -- H.2 group privacy ----------------------------------------------------------------------------------------

GROUPS = Domain.of(mechanism="all: every mechanism", epsilon="[0, inf)", delta="[0, 1]", distance="integer [1, inf)")


def leak(epsilon: Any, delta: Any, distance: int) -> tuple[Any, Any]:
    """The event 'the secret was printed': with probability delta if there are ``distance`` changed records, else never.

    On one changed record it is the (0, delta)-DP mechanism that prints the record with probability delta.
    """
    return 1 - (1 - delta) ** distance, to_ball(0) * epsilon


def group_event(epsilon: Any, delta: Any, distance: int) -> tuple[Any, str, Any]:
    first, second = leak(epsilon, delta, distance)
    return first, "<=", exp(epsilon * distance) * second


parts_decide(
    "BDP-PH.2",
    r"Group privacy: if $\mathcal M$ is $(\epsilon,\delta)$-DP then $\mathcal M_D(A)\le "
    r"e^{\epsilon d_{\rm Ham}(D,D')}\mathcal M_{D'}(A)$ for any two datasets.",
    domain=GROUPS,
    twins=["TH-P2.8", "ADV-L17"],
)


@claim(
    "BDP-PH.2/with-leak",
    r"The printed inequality for the mechanism that prints each record with probability $\delta$, "
    r"and the event that something is printed which $D'$ does not contain.",
    role="edge",
    domain=GROUPS,
    strongest="enumeration",
)
def group_privacy_of_a_leak(check: Check) -> None:
    """Printing a record with probability delta is (0, delta)-DP; the right side lacks any delta, and is zero here."""
    check.counterexample(
        group_event,
        {
            "mechanism": "print each record with probability delta",
            "epsilon": Fraction(0),
            "delta": Fraction(1, 2),
            "distance": 1,
        },
    )


def group_ratio(mechanism: int, distance: int, exponent: int) -> tuple[Any, str, Any]:
    channel = numbered(mechanism, 3)
    one = channel_ratio(channel).value
    return channel_ratio(channel, distance).value, "<=", one ** (exponent * distance)


@claim(
    "BDP-PH.2/repair-pure",
    r"If $\mathcal M$ is $\epsilon$-DP (so $\delta=0$) then $\mathcal M_D(A)\le "
    r"e^{<exponent>\epsilon\, d_{\rm Ham}(D,D')}\mathcal M_{D'}(A)$.",
    role="repair",
    repairs="BDP-PH.2/with-leak",
    domain=Domain.of(mechanism="all: every mechanism", distance="integer [1, inf)"),
    constants={"exponent": 1},
    mutations=[mutation("no growth with the distance", exponent=0)],
    strongest="enumeration",
)
def group_privacy_of_pure_mechanisms(check: Check) -> None:
    """The exact ratio at distances 2 and 3 against powers of the ratio at distance 1."""
    points = [{"mechanism": s, "distance": d} for s in range(check.pick(20, 200)) for d in (1, 2, 3)]
    check.enumerate(
        group_ratio,
        points,
        rational=True,
        covers=finitely_many(check, "random channels").restrict(distance=[1, 2, 3]),
        routes=("ratio at the distance", "power of the ratio of neighbours"),
    )


def group_delta(mechanism: int, distance: int, ratio: Fraction, factor: int) -> tuple[Any, str, Any]:
    channel = numbered(mechanism, 3)
    delta = channel_delta(channel, ratio).value
    total = sum((ratio**i for i in range(distance)), Fraction(0))
    return channel_delta(channel, ratio**distance, distance).value, "<=", factor * total * delta


@claim(
    "BDP-PH.2/repair-approximate",
    r"If $\mathcal M$ is $(\epsilon,\delta)$-DP then $\mathcal M_D(A)\le e^{\epsilon k}\mathcal "
    r"M_{D'}(A) + <factor>\,\delta\sum_{i<k}e^{\epsilon i}$ with $k = d_{\rm Ham}(D,D')$.",
    role="repair",
    domain=Domain.of(mechanism="all: every mechanism", ratio="[1, inf)", distance="integer [1, inf)"),
    constants={"factor": 1},
    mutations=[mutation("a tenth", factor="0.1")],
    strongest="enumeration",
)
def group_privacy_of_approximate_mechanisms(check: Check) -> None:
    """The exact delta at distances 1, 2, 3 against the telescoped bound."""
    points = [
        {"mechanism": s, "distance": d, "ratio": r}
        for s in range(check.pick(12, 100))
        for d in (1, 2, 3)
        for r in RATIOS
    ]
    check.enumerate(
        group_delta,
        points,
        rational=True,
        covers=finitely_many(check, "random channels").restrict(distance=[1, 2, 3], ratio=RATIOS),
        routes=("hockey stick at the distance", "telescoped bound"),
    )
