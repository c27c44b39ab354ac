r"""Section 4.5, page 99: what the conclusion says of total variation and of the regimes."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import Probability
from banditproof.claims.steps import deduced, enumerated, interval
from banditproof.paper_checks.shared.couplings import PAIRS_AND_EDGES
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import maximal_against_transport
from banditproof.paper_checks.thesis.facts.environments import variation_over_gap
from banditproof.theory import absolute
from banditproof.theory.numbers.numeric import square


def variation(p: Any, q: Any) -> Any:
    """Half the sum of |P(x) - Q(x)| over both values of Bernoulli variables with these means."""
    return (absolute(p - q) + absolute((1 - p) - (1 - q))) / 2


@claim("TH-S4.5/transport", deduced(), where=["both + first + second <= 1"])
def transport_value(both: Probability, first: Probability, second: Probability):
    r"""$\mathrm{TV}(P,Q)\le\mathbb E[\mathbb 1_{X\ne Y}]$ for every coupling of two Bernoulli laws (squared): both,
    first and second are $\mathbb P(X=Y=1)$, $\mathbb P(X=1,Y=0)$ and $\mathbb P(X=0,Y=1)$.

    Total variation from the two marginals, the expectation from the values of the pair that differ.
    """
    return square(variation(both + first, both + second)), "<=", square(first + second)


@claim("TH-S4.5/attained", deduced(), where=["p <= q"])
def attained_transport(p: Probability, q: Probability):
    r"""$\mathbb E[\mathbb 1_{X\ne Y}]=\mathrm{TV}(P,Q)$ for the coupling with $\mathbb P(X=1,Y=0)=0$, where $P(1)\le
    Q(1)$ (squared).

    The check computes the mass that the marginals p and q leave for the other pairs of values, and the total variation
    from the two laws.
    """
    both = p
    second = q - both
    return square(second), "==", square(variation(p, q))


@claim(
    "TH-S4.5/transport-of-any-laws",
    enumerated(
        pair=[list(pair) for pair in PAIRS_AND_EDGES],
        covers={"pair": f"all: {len(PAIRS_AND_EDGES)} pairs of rational laws on 2 to 5 atoms"},
        rational=True,
        routes=("overlap coupling and total variation", "potentials of the transport problem"),
    ),
    false={"factor": "1.05"},
    role="implication",
)
def transport_of_any_laws(pair: Annotated[Any, "all: every pair of probability laws"], factor=1):
    r"""$\mathrm{TV}(P,Q)=\inf_{(X,Y)\sim(P,Q)}\mathbb E[\mathbb 1_{X\ne Y}]$ for laws on any number of points, attained
    by a coupling (Proposition 4.7)."""
    return maximal_against_transport(pair, factor)


@claim("TH-S4.5/order-of-the-gap", interval(), false=[{"most": "1.3"}, {"least": "1.26"}])
def order_of_the_gap(gap: Annotated[Any, "[0, 1/2]"], least=Fraction(5, 4), most=Fraction(4, 3)):
    r"""Gaussian arms, $\Delta\le1$: $\varepsilon_0=\mathrm{KL}/\mathrm{TV}$ satisfies
    $\frac54\,\Delta\le\varepsilon_0\le\frac43\,\Delta$ (gap is $\Delta/2$).

    The middle term is KL/TV divided by Delta, for unit-variance Gaussian arms at distance Delta = 2 gap: gap/TV =
    1/variation_over_gap.
    """
    slope = variation_over_gap(gap, 1)[0]
    return (1 / slope - (most + least) / 2) ** 2, "<=", ((most - least) / 2) ** 2
