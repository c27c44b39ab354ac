"""Section 1.1, page 2: the entropy of a coin."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims import claim, interval
from banditproof.theory import kl_bernoulli

Biased = Annotated[Any, "[3/5, 9/10]"]


@claim("COIN-T1", interval(), false={"factor": "2.1"})
def entropy_above_the_square(x: Biased, factor=2, fair=Fraction(1, 2)):
    r"""A coin with $x\in[0.6,0.9]$ has $\mathrm{kl}(x,\frac12)\ge2(x-\frac12)^2$."""
    return kl_bernoulli(x, fair), ">=", factor * (x - fair) * (x - fair)
