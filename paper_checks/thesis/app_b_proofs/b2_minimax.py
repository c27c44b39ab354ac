"""Appendix B.2, page 179: the divergence on the hard set of linear bandits."""

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveZero, Count, Positive
from banditproof.claims.steps import deduced
from banditproof.paper_checks.thesis.facts.linear import divergence_on_the_hard_set


@claim("TH-EQ-B4/at-most-one", deduced(), false={"one": "0.99"})
def divergence_at_most_one(epsilon: Positive, horizon: Count, size: AboveZero, one=1):
    r"""$\frac12\varepsilon\,T\,|A_{ti}|\,2|\theta_i|\le 1$ for $|A_{ti}|\le1$, $|\theta_i|=\frac1{\varepsilon T}$
    ($A_{ti}\ne0$)."""
    return divergence_on_the_hard_set(epsilon, horizon, size, one)
