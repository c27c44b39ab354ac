"""Section 2.2.4, page 26: subgaussian variables, Chernoff's tail, and how they scale and add up."""

from fractions import Fraction

from banditproof.claims.language import *


@claim("TH-L2.21/gaussian", deduced(), false={"half": "0.55"}, role="remark")
def gaussian_tails(epsilon: Nonnegative, sigma: Positive, half=Fraction(1, 2)):
    r"""A Gaussian $X\sim\mathcal N(0,\sigma^2)$ has $\Pr(X\ge\varepsilon)\le e^{-\frac12\varepsilon^2/\sigma^2}$, by
    its exact tail."""
    return normal_cdf(-epsilon / sigma), "<=", exp(-half * epsilon**2 / sigma**2)
