"""Appendix H.1 and H.2: post-processing and group privacy.

Mechanisms are random finite channels with rational probabilities, re-created from an integer.
"""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.composition import chance_of_yes, counting


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
