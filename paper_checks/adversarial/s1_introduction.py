"""Section 1 and the abstract: the rates that are promised, against the theorems and against Table 1.

L stands for log(KT) or log(NT), n for log N; rates are compared as squares where roots stand.
"""

from banditproof.claims.register import claim, repaired
from banditproof.claims.sets import AboveOne, AboveZero, AtLeastOne, Count, Positive, TwoOrMore
from banditproof.claims.steps import deduced, fails_at
from banditproof.theory import log, to_ball


@claim("ADV-S0.1/improvement", deduced(), restricted="to KT >= 3")
def better_than_before(K: AtLeastOne, T: AtLeastOne, L: AtLeastOne, epsilon: AboveZero):
    r"""$\frac{KT}\varepsilon\le1^2\frac{KT\log(KT)}{\varepsilon^2}$ for $\varepsilon\le1$ and $\log(KT)\ge1$."""
    return K * T / epsilon, "<=", K * T * L / epsilon**2


@claim("ADV-S0.1/second-term", fails_at(K=1, T=1, epsilon="1/1000000", rational=True), role="reading")
def second_term_hidden(K: AtLeastOne, T: AtLeastOne, epsilon: AboveZero, factor=100):
    r"""'For every $\varepsilon\le1$': the $\frac1\varepsilon$ of Corollary 2 is at most
    $100\sqrt{\frac{KT}\varepsilon}$, as squares.

    Corollary 2 has epsilon >= 1/T, the abstract 'for all epsilon <= 1'. The abstract leaves open whether it also means
    its rate alone below 1/T.
    """
    return 1 / epsilon**2, "<=", factor**2 * K * T / epsilon


@repaired(
    "ADV-S0.1/second-term-repaired",
    "ADV-S0.1/second-term",
    deduced(),
    where=["epsilon*T >= 1"],
    false={"factor": "0.99"},
)
def second_term_absorbed(factor=1):
    r"""For $\varepsilon\ge\frac1T$ it is at most $\sqrt{\frac{KT}\varepsilon}$, as squares."""


@claim("ADV-S1.1/same-as-abstract", fails_at(K=2, T=1000), false={"factor": 2}, role="reading")
def earlier_rates(K: TwoOrMore, T: Count, factor=3):
    r"""'The existing upper bound' of the abstract and of Table 1, $\frac{\sqrt{KT\log(KT)}}\varepsilon$, is this one:
    $\log(KT)\le3^2\log K$.

    For fixed K their ratio grows like sqrt(log T). The text states two different rates for the same papers and leaves
    open which rate they have.
    """
    return log(to_ball(K * T)), "<=", factor**2 * log(to_ball(K))


@claim("ADV-S0.2/first-term", deduced(), restricted="to NT >= 3")
def first_term_of_the_third(L: AtLeastOne, share: AboveZero):
    r"""Theorem 10 has $\log^{1/3}(NT)\log^{1/3}N$ where the abstract has $\log(NT)$: it is at most that, for
    $\log(NT)\ge1$, cubes; $\log N$ is a share of $\log(NT)$."""
    return L * (L * share), "<=", L**3


@claim("ADV-TAB1/second-term", fails_at(n=20), role="reading")
def second_term_of_the_third(n: AboveOne, factor=10):
    r"""'Summary of upper bounds with constant factors suppressed', term by term: the second term of Theorem 10,
    $\frac{N^{1/2}\log(NT)\log N}\varepsilon$, is at most $10$ times that of the table: $\log N\le10$.

    The caption only mentions constants and log(1/delta) as suppressed, but log N is suppressed as well. As a bound on
    the regret the table holds.
    """
    return n, "<=", factor


@claim("ADV-TAB1/where-it-counts", deduced(), where=["s*s*n*n*n >= T*T"])
def vacuous_where_it_counts(s: Positive, T: AtLeastOne, n: AtLeastOne):
    r"""Where the second term of Theorem 10, with a $\log N$ that the table lacks, exceeds the first one of the table,
    $s\log N\ge s^{1/3}T^{2/3}$ for $s=\frac{N^{1/2}}\varepsilon$, that first term with its $\log(NT)\ge n$ is at least
    $T$, as no regret is: $T^3\le sT^2n^3$, cubes."""
    return T**3, "<=", s * T**2 * n**3


@claim("ADV-S1.2/sublinear", deduced(), false={"factor": 209})
def sublinear_above_one_over_the_horizon(K: AtLeastOne, y: AboveZero, factor=210):
    r"""Divided by $T$, with $y=\sqrt{\frac K{\varepsilon T}}\le1$: $208y+\frac{2y^2}K\le210y$, which tends to 0 as
    $\varepsilon T\to\infty$, for a fixed budget or any that is $\omega(\frac1T)$."""
    return 208 * y + 2 * y**2 / K, "<=", factor * y
