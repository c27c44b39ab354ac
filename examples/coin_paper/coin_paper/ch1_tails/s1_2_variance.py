"""Section 1.2, page 3: the variance of a coin."""

from fractions import Fraction

from banditproof.claims import Probability, claim, deduced


@claim("COIN-L2", deduced(), false={"top": "0.24"})
def variance_at_most(x: Probability, top=Fraction(1, 4)):
    r"""$x(1-x)\le\frac14$ for every $x\in[0,1]$."""
    return x * (1 - x), "<=", top
