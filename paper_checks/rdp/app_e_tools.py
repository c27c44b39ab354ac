"""Appendix E: post-processing, tails and subgaussian variables."""

from banditproof.claims.register import claim, restate_parts
from banditproof.claims.sets import Nonnegative
from banditproof.claims.steps import fails_at

restate_parts(
    "RDP-L25",
    r"$\mathbb P(\|M\|>4\sqrt{d+1}+2\log\frac1\delta)\le\delta$ for independent $\mathcal N(0,1)$ entries.",
    {part: f"ALG-LC.29/{part}" for part in ("tail", "matrices")},
)


@claim("RDP-L28/singular", fails_at(b=0, rational=True), role="reading")
def determinant_of_the_smaller(b: Nonnegative):
    r"""'Positive semi-definite': for $B=\mathrm{diag}(1,b)$ and $C=\mathrm{diag}(1,0)$ $\det B>0$.

    For b = 0 the bound is 0/0, but the left side is 2.
    """
    return b, ">", 0
