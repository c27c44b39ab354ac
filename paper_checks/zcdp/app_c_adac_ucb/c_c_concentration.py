"""Appendix C-C: Lemma 2, tails of a mean with Gaussian noise."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Annotated, Any

from banditproof.claims.register import claim, mutation
from banditproof.claims.sets import AboveZero, Count, Nonnegative, Positive
from banditproof.claims.steps import argued, enumerated, pick
from banditproof.theory import log, normal_cdf, sqrt, to_ball
from banditproof.theory.numbers.numeric import ratio
from banditproof.theory.numbers.term import quantity


def tail_of_coins(p: Fraction, n: int, rho: Any, threshold: Any) -> Any:
    """P(mean of n coins of mean p + N(0, 1/(2 rho n^2)) >= p + threshold), a ball."""
    total, root = to_ball(0), sqrt(2 * to_ball(rho))
    for k in range(n + 1):
        weight = to_ball(comb(n, k) * p**k * (1 - p) ** (n - k))
        if weight:
            total += weight * normal_cdf((to_ball(Fraction(k, n) - p) - threshold) * root * to_ball(n))
    return total


@quantity
def tail_of_the_noisy_mean(law: Sequence[Any], side: str, n: int, rho: Any, width: Any) -> Any:
    """The upper or lower tail, at this distance, of the noisy mean of n coins of the mean that `law` names."""
    mean = Fraction(law[1])
    return tail_of_coins(mean if side == "upper" else 1 - mean, n, rho, to_ball(width))


def variances_add_up(n: Count, rho: Positive, level: Nonnegative, hoeffding=Fraction(1, 2), private=1):
    """The Chernoff exponent w^2/(2 (1/(4n) + 1/(2 rho n^2))) at the printed width w against log(1/delta)."""
    squared = (to_ball(hoeffding) / n + to_ball(private) / (rho * n**2)) * level
    variance = 1 / (4 * to_ball(n)) + 1 / (2 * rho * to_ball(n) ** 2)
    return squared / (2 * variance), "==", level


@claim(
    "ZCDP-L2/tails",
    enumerated(
        law=[["coin", p] for p in ("0", "1/100", "1/2", "9/10")],
        n=pick([1, 2, 16], [1, 2, 16, 128]),
        rho=["1/100", "1", "1000"],
        delta=["1", "1/2", "1/100", "1/1000000"],
        side=["upper", "lower"],
        rational=True,
        covers={"law": "all: coins"},
    ),
    argued(
        "a reward in [0, 1] is 1/2-subgaussian about its mean, the noise 1/sqrt(2 rho n^2)-subgaussian, independent "
        "sums add their variances (Lemma 9), and Chernoff's bound (Lemma 8)",
        variances_add_up,
    ),
    false=[mutation("1/(8n)", hoeffding="1/8"), mutation("no term for the noise", private=0)],
    role="implication",
)
def tails_of_the_noisy_mean(
    law: Annotated[Any, "all: every law on [0, 1]"],
    n: Count,
    rho: Positive,
    delta: AboveZero,
    side: Annotated[Any, "all: upper or lower"],
    hoeffding=Fraction(1, 2),
    private=1,
):
    r"""Both tails are at most $\delta$ with $w=\sqrt{(\frac{1/2}n+\frac{1}{\rho n^2})\log\frac1\delta}$,
    $0<\delta\le1$.

    The tails are exact for coins of the mean that `law` names; the lower tail is the upper tail of the reversed coins.
    For other rewards the check uses their subgaussian bound.
    """
    width = sqrt((ratio(hoeffding, n) + private / (rho * n**2)) * log(1 / delta))
    return tail_of_the_noisy_mean(law, side, n, rho, width), "<=", delta
