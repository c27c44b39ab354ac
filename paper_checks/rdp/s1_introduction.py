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


@claim("RDP-S1/finite-arms-free-part", deduced(), false={"root": 5})
def part_without_privacy(horizon: Positive, arms: Positive, L: Positive, beta: Positive, root=6):
    r"""The other term of Corollary 6, explicitly $4\sqrt{2\beta KT\log T}$, is at most $6\sqrt{\beta K\log T}\sqrt
    T$."""
    return 32 * beta * arms * horizon * L, "<=", root**2 * beta * arms * L * horizon


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


@claim("RDP-S3/additive-term", deduced(), false={"halves": 0})
def additive_term(arms: Positive, price: Positive, L: AtLeastOne, halves=2):
    r"""The term of Theorem 5 is of that order: $\sqrt{\frac\alpha\epsilon\log T}\le\sqrt{\frac\alpha\epsilon}\log T$
    for $\log T\ge1$ (per arm, $8\sqrt\beta$ left out).

    Any power of at least 1/2 would be enough.
    """
    return arms**2 * price * L, "<=", arms**2 * price * L**halves


@claim("RDP-S3/same-as-after-theorem-5", fails_at(arms=1, price=1, L=10**5, rational=True), role="reading")
def two_places_of_one_paper(arms: Positive, price: Positive, L: Positive, halves=2, factor=100):
    r"""The introduction and the discussion of Theorem 5 state the same term: $\sqrt{\frac\alpha\epsilon}\log T$ is at
    most $100$ times $\sqrt{\frac\alpha\epsilon\log T}$.

    After Theorem 5 the text says 'The price of (alpha, epsilon)-global RDP is the additive term'. The ratio of the two
    terms is sqrt(log T), which no constant bounds. With the root of the logarithm in the introduction the two terms are
    equal.
    """
    return arms**2 * price * L**halves, "<=", factor**2 * arms**2 * price * L


@claim("RDP-S3/contrast", deduced())
def contrast_with_pure_privacy(price: Positive, epsilon: Positive, share: Positive, more: Nonnegative):
    r"""The contrast needs the root: $\sqrt{\frac\alpha\epsilon\log T}\le\eta\frac{\log T}\epsilon$ as soon as $\log
    T\ge\frac{\alpha\epsilon}{\eta^2}$, for every $\eta>0$."""
    L = price * epsilon**2 / share**2 + more
    return price * L, "<=", share**2 * L**2 / epsilon**2
