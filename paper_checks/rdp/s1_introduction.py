"""Section 1: the protocol, how often rewards are accessed, and the price of RDP as the introduction states it.

L stands for log T, k for log K, price for alpha/epsilon. Orders of logarithms are compared as squares; only what
follows from the printed bounds is judged.
"""

from banditproof.claims.language import *


@claim("RDP-S1/uniformly-in-the-dimension", fails_at(d=100, price=1, L=1, rational=True), role="reading")
def uniformly_in_the_dimension(d: AtLeastOne, price: Positive, L: AtLeastOne, constant=1000, power=2):
    r"""The cost is $\sqrt{\frac\alpha\epsilon}\log T$ up to $1000\log^{2}T$ uniformly in $d$ (contextual bandits).

    'The cost of (alpha, epsilon)-global RDP in the regret of these algorithms' leaves open in which parameters. The
    headline contains neither d nor K, and the cells contain d^2. The cost has the stated order up to d^2 log T.
    """
    return d**4 * price * L**4, "<=", constant**2 * L ** (2 * power) * price * L**2
