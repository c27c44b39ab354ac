"""Appendix B.2, page 179: the divergence on the hard set of linear bandits."""

from banditproof.claims.register import claim, item, restate
from banditproof.claims.sets import AboveZero, Count, Positive
from banditproof.claims.steps import symbolic
from banditproof.paper_checks.thesis.facts.linear import divergence_on_the_hard_set

item(
    "TH-EQ-B4",
    r"$\varepsilon\,\mathbb E\sum_t\mathrm{TV}(\mathcal N(\langle A_t,\theta\rangle,1)\|\mathcal N(\langle A_t,\theta'"
    r"\rangle,1))\le\frac12\varepsilon\,\mathbb E\sum_t|\langle A_t,\theta-\theta'\rangle|\le1$ on the hard set.",
    restricted="to one round, the sum over rounds and the expectation being taken by hand",
)
restate(
    "TH-EQ-B4/pinsker",
    "TH-T4.15/step-variation",
    r"$\mathrm{TV}(\mathcal N(0,1)\|\mathcal N(x,1))=2\Phi(\frac x2)-1\le \frac x2$ (gap is $\frac x2$).",
    role="part",
)


@claim("TH-EQ-B4/at-most-one", symbolic(), false={"one": "0.99"})
def divergence_at_most_one(epsilon: Positive, horizon: Count, size: AboveZero, one=1):
    r"""$\frac12\varepsilon\,T\,|A_{ti}|\,2|\theta_i|\le 1$ for $|A_{ti}|\le1$, $|\theta_i|=\frac1{\varepsilon T}$
    ($A_{ti}\ne0$)."""
    return divergence_on_the_hard_set(epsilon, horizon, size, one)
