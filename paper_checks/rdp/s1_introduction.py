"""Section 1: the protocol, how often rewards are accessed, and the price of RDP as the introduction states it.

L stands for log T, k for log K, price for alpha/epsilon. Orders of logarithms are compared as squares; only what
follows from the printed bounds is judged.
"""

from banditproof.claims.register import claim
from banditproof.claims.sets import AtLeastOne, Nonnegative, Positive
from banditproof.claims.steps import deduced, fails_at


@claim("RDP-S1/finite-arms-cost", deduced(), false=[{"factor": "9/10"}, {"halves": 0}])
def cost_in_the_abstract(arms: Positive, price: Positive, L: AtLeastOne, halves=2, factor=1):
    r"""Corollary 6's $K\sqrt{\frac\alpha\epsilon\log T}$ is at most $K\sqrt{\frac\alpha\epsilon}\log T$ for $\log
    T\ge1$.

    Any power of at least 1/2 would be enough.
    """
    return arms**2 * price * L, "<=", factor**2 * arms**2 * price * L**halves


@claim("RDP-S1/linear-cost", deduced(), false={"factor": "0.9"})
def cost_of_linear_bandits(d: Positive, price: Positive, k: Nonnegative, L: AtLeastOne, factor=1):
    r"""Linear bandits, given $d$ and $K$: the cell is $\sqrt{\frac\alpha\epsilon}\log T$ up to a power of $\log T$,
    $d^2\sqrt{\frac\alpha\epsilon}\log^{3/2}(KT)\le d^2(1+\log K)^{3/2}\sqrt{\log T}\cdot\sqrt{\frac\alpha\epsilon}\log
    T$ for $\log T\ge1$."""
    return d**4 * price * (k + L) ** 3, "<=", factor**2 * d**4 * (1 + k) ** 3 * L * (price * L**2)


@claim("RDP-S1/linear-free-part", deduced(), false={"factor": "0.9"})
def free_part_of_linear_bandits(d: Positive, T: Positive, k: Nonnegative, L: AtLeastOne, factor=1):
    r"""The other term is $\sqrt T$ up to a power of $\log T$: $\sqrt{dT\log(KT)}\le\sqrt{d(1+\log K)\log T}\sqrt T$."""
    return d * T * (k + L), "<=", factor**2 * d * (1 + k) * L * T


@claim("RDP-S1/uniformly-in-the-dimension", fails_at(d=100, price=1, L=1, rational=True), role="reading")
def uniformly_in_the_dimension(d: AtLeastOne, price: Positive, L: AtLeastOne, constant=1000, power=2):
    r"""The cost is $\sqrt{\frac\alpha\epsilon}\log T$ up to $1000\log^{2}T$ uniformly in $d$ (contextual bandits).

    'The cost of (alpha, epsilon)-global RDP in the regret of these algorithms' leaves open in which parameters. The
    headline contains neither d nor K, and the cells contain d^2. The cost has the stated order up to d^2 log T.
    """
    return d**4 * price * L**4, "<=", constant**2 * L ** (2 * power) * price * L**2
