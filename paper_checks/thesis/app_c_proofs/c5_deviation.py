r"""Appendix C.5, page 233: the deviation C_G of Gaussian arms.

The minimum in C_G is enclosed by a tangent of the convex g_G (``theory.best_arm.thresholds``). It grows like
x + log(x)/2: the printed x + log x is equivalent to it, and wrong in its second term.
"""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.theory.best_arm.thresholds import gaussian_deviation

FAR = ["10", "1000", "1000000", "1000000000000", "1" + 30 * "0"]


@claim("ALG-EQC.30/second-term", fails_at(x="1" + 30 * "0"), role="reading")
def second_term(x: Annotated[Any, "[10, inf)"], share=1, slack=5):
    r"""$\mathcal C_G(x)\approx x+\log x$, read with its second term: $|\mathcal C_G(x)-x-\log x|\le5$."""
    return absolute(gaussian_deviation(x) - x - to_ball(share) * log(x)), "<=", slack


@repaired(
    "ALG-EQC.30/second-term-repaired",
    "ALG-EQC.30/second-term",
    enumerated(x=FAR),
    deduced(),
    false=[{"share": "0.6"}, {"share": "0.4"}],
)
def half_a_logarithm(share=Fraction(1, 2)):
    r"""$|\mathcal C_G(x)-x-\frac12\log x|\le5$ for $x\ge10$.

    At w = 1 - 1/(2x) the value is x + log(2x)/2 + 5/2 - log 16 + log zeta(2) up to what vanishes.
    """
