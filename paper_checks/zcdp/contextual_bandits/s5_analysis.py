"""Section V: privacy and regret of AdaC-OFUL (the contextual parts of Theorem 3, Assumption 2, Theorem 5)."""

from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveZero
from banditproof.claims.steps import fails_at
from banditproof.paper_checks.shared.contexts import AVERAGE


@claim(
    "ZCDP-T5/hypotheses",
    fails_at(d=2, share=1, rational=True),
    role="hypotheses",
    assuming=AVERAGE,
    twins=["ALG-T5.17"],
    called={
        r"$d\lambda_0$": "share",
        r"the average variance of $(z^\top A)^2$, at least,": "left",
        r"$\lambda_0^2/8$, which the third condition allows,": "right",
    },
)
def room_for_a_law(d: Annotated[Any, "[2, inf)"], share: AboveZero, eight=8):
    r"""Assumption 2 leaves room for a law of contexts in every dimension $d\ge2$ and for every $\lambda_0\le1/d$.

    For unit vectors the variance of $(z^\top A)^2$, averaged over all unit $z$, is larger than what the assumption
    allows for every $z$, unless $d=1$. So no law meets Assumption 2 unless $d=1$, and Theorem 5 is only about $d=1$.
    Without the third condition, or with a larger constant in it, there are such laws. The variance is at least
    $\frac{2(d-1)\lambda_0}{d(d+2)}$, and at most $\lambda_0^2/8$ is allowed, with $\lambda_0\le1/d$.

    The average is $2(1-\mathrm{tr}S^2)/(d(d+2))$ for $S=\mathbb E[AA^\top]$, and the trace of $S^2$ is largest if all
    eigenvalues but one are equal to the least one.
    """
    return 2 * (d - 1) * (share / d) / (d * (d + 2)), "<=", (share / d) ** 2 / eight
