r"""Section 4.1, page 78: the two-environment method, and the minimax bound without privacy (Theorem 2.28)."""

from fractions import Fraction

from banditproof.claims.language import *

EIGHTHS = [Fraction(n, 8) for n in range(9)]


@claim(
    "TH-S4.1b/bretagnolle-huber-certain-events",
    enumerated([{"p": p, "q": q} for p in EIGHTHS for q in EIGHTHS if p in (0, 1) or q in (0, 1)]),
    deduced(),
    false={"factor": "1.01"},
    where=["p*q*(1-p)*(1-q) == 0"],
    role="edge",
)
def certain_events(p: Probability, q: Probability, factor=Fraction(1, 2)):
    r"""Bretagnolle-Huber, for any event: $\mathbb M_\mu(A)+\mathbb M_{\mu'}(A^c)\ge \frac12\,e^{-D_{\mathrm{KL}}}$,
    where one of the probabilities is 0 or 1.

    For p = 0, 1 - q >= (1 - q)/2; for p = 1, 2 - q >= q/2; for q in {0, 1} and other p the right side is 0.
    """
    return p + 1 - q, ">=", factor * exp(-kl_bernoulli(p, q))
