"""Appendix H.1 and H.2: post-processing and group privacy.

Mechanisms are random finite channels with rational probabilities, re-created from an integer.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AtLeastOne, Count, EveryFunction, EveryMechanism, Natural, Nonnegative, Probability
from banditproof.claims.steps import enumerated, fails_at, in_kernel, pick
from banditproof.paper_checks.shared.composition import (
    RATIOS,
    chance_of_yes,
    counting,
    finitely_many,
    group_delta,
    numbered,
)
from banditproof.theory import exp, to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify import channel_ratio, post_process, random_law
from banditproof.verify.kernel.meanings import after, close_at_distance, private, sum_of, when
from banditproof.verify.kernel.meanings import exp as of_e
from banditproof.verify.theorems import mechanisms as kernel_proofs

Mechanism = Annotated[Any, "all: every mechanism"]


@claim("BDP-PH.1", in_kernel(kernel_proofs.post_processing), twins=["TH-P2.7", "ADV-L16", "ZCDP-S8"])
def post_processing(M: EveryMechanism, f: EveryFunction, epsilon: Nonnegative):
    r"""Post-processing: if $\mathcal M$ is $\epsilon$-DP then so is $f\circ\mathcal M$ for every randomised $f$."""
    return when(private(M, epsilon), then=private(after(f, M), epsilon))


@quantity
def ratio_of_a_channel(mechanism: int) -> Any:
    """e^epsilon of a random channel: its largest ratio of probabilities of an output on neighbours."""
    return channel_ratio(numbered(mechanism)).value


@quantity
def ratio_after_processing(mechanism: int) -> Any:
    """The same after a random stochastic matrix."""
    after = post_process(numbered(mechanism), lambda y: dict(enumerate(random_law(mechanism, ("kernel", y), 2, 0, 5))))
    return channel_ratio(after).value


@quantity
def ratio_at_a_distance(mechanism: int, distance: int) -> Any:
    """The largest ratio of a random channel on three records that differ in up to so many."""
    return channel_ratio(numbered(mechanism, 3), distance).value


@claim(
    "BDP-PH.1/finite-channels",
    enumerated(
        mechanism=pick(range(60), range(600)),
        rational=True,
        covers=lambda check: finitely_many(check, "random channels and stochastic matrices"),
        routes=("after", "before"),
    ),
    false={"factor": "0.5"},
    role="implication",
)
def post_processing_of_finite_channels(mechanism: Mechanism, factor=1):
    r"""For a channel with finitely many outputs, $e^\epsilon$ does not grow."""
    return ratio_after_processing(mechanism), "<=", factor * ratio_of_a_channel(mechanism)


@quantity
def chance_of_leaking(delta: Any, distance: int, ones: int) -> Fraction:
    """M_D(A) if D has `ones` of `distance` bits set, for M that says 'yes' with probability delta for each of them.

    A is the event 'yes'. Raises InvalidInput unless M is (0, delta)-DP, and so (epsilon, delta)-DP for every epsilon.
    """
    exact = Fraction(delta)
    chances = [1 - (1 - exact) ** j for j in range(distance + 1)]
    return chance_of_yes(counting(chances, Fraction(1), exact), ones)


@claim(
    "BDP-PH.2/with-leak",
    fails_at(epsilon=1, delta=Fraction(1, 1000), distance=1, rational=True),
    slip="""The hypothesis should read epsilon-DP, which is the only case that the document uses: Section 2 announces
    group privacy for it, and step (a) of the proof of Lemma C.1 applies it to an epsilon-DP policy.""",
    called={
        r"""the mechanism that says 'yes' with probability $\delta$ for each bit of the data that is 1, $A$ = 'yes', $D$
        = all ones, $D'$ = all zeros, $d_{\rm Ham}(D,D')$""": "distance",
        r"$\mathcal M_D(A)$": "left",
        r"$e^{\epsilon d_{\rm Ham}(D,D')}\mathcal M_{D'}(A)$": "right",
    },
)
def group_privacy_of_a_leak(epsilon: Nonnegative, delta: Probability, distance: Count):
    r"""(50): if $\mathcal M$ is $(\epsilon,\delta)$-DP, then $\mathcal M_D(A)\le e^{\epsilon d_{\rm Ham}(D,D')}\mathcal
    M_{D'}(A)$ for every event $A$ and any two datasets.

    The right side has no term in $\delta$. The mechanism of the counterexample says 'yes' with probability $\delta$ for
    each bit of the data that is 1, so it is $(0,\delta)$-DP and says 'yes' on some datasets only. (50) holds if M is
    epsilon-DP; for delta > 0 the term delta (1 + e^epsilon + ... + e^((k-1) epsilon)) has to be added, with k the
    distance.

    It fails for every delta > 0, every epsilon and every distance.
    """
    on_ones, on_zeros = (chance_of_leaking(delta, distance, ones) for ones in (distance, 0))
    return on_ones, "<=", exp(epsilon * distance) * to_ball(on_zeros)


@claim("BDP-PH.2/repair-pure", in_kernel(kernel_proofs.group_privacy), repairs="BDP-PH.2/with-leak")
def group_privacy_of_pure_mechanisms(M: EveryMechanism, m: Natural, epsilon: Nonnegative):
    r"""If $\mathcal M$ is $\epsilon$-DP (so $\delta=0$) then $\mathcal M_D(A)\le e^{\epsilon\, d_{\rm
    Ham}(D,D')}\mathcal M_{D'}(A)$."""
    return when(private(M, epsilon), then=close_at_distance(M, m, m * epsilon, 0))


@claim(
    "BDP-PH.2/finite-pure",
    enumerated(
        mechanism=pick(range(20), range(200)),
        distance=[1, 2, 3],
        rational=True,
        covers=lambda check: finitely_many(check, "random channels"),
        routes=("ratio at the distance", "power of the ratio of neighbours"),
    ),
    false={"exponent": 0},
    role="implication",
)
def group_privacy_of_finite_channels(mechanism: Mechanism, distance: Count, exponent=1):
    r"""For an $\epsilon$-DP channel with finitely many outputs, the ratio of probabilities at distance $k$ is at most
    $e^{k\epsilon}$."""
    one = ratio_at_a_distance(mechanism, 1)
    return ratio_at_a_distance(mechanism, distance), "<=", one ** (exponent * distance)


@claim("BDP-PH.2/repair-approximate", in_kernel(kernel_proofs.group_privacy), role="repair")
def group_privacy_of_approximate_mechanisms(M: EveryMechanism, m: Natural, epsilon: Nonnegative, delta: Probability):
    r"""If $\mathcal M$ is $(\epsilon,\delta)$-DP then $\mathcal M_D(A)\le e^{\epsilon k}\mathcal M_{D'}(A)
    +\delta\sum_{i<k}e^{\epsilon i}$ with $k = d_{\rm Ham}(D,D')$."""
    leak = delta * sum_of(lambda j: of_e(j * epsilon), m)
    return when(private(M, epsilon, delta), then=close_at_distance(M, m, m * epsilon, leak))


@claim(
    "BDP-PH.2/finite-approximate",
    enumerated(
        mechanism=pick(range(12), range(100)),
        distance=[1, 2, 3],
        ratio=RATIOS,
        rational=True,
        covers=lambda check: finitely_many(check, "random channels"),
        routes=("hockey stick at the distance", "telescoped bound"),
    ),
    false={"factor": "0.1"},
    role="implication",
)
def group_privacy_of_leaking_channels(mechanism: Mechanism, ratio: AtLeastOne, distance: Count, factor=1):
    r"""For an $(\epsilon,\delta)$-DP channel with finitely many outputs, the smallest $\delta$ at distance $k$ and
    budget $k\epsilon$ is at most $\delta\sum_{i<k}e^{\epsilon i}$."""
    return group_delta(mechanism, distance, ratio, factor)
