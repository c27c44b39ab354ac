"""Section 3: Table 1 against the printed theorems and against Table I of the zCDP paper.

L stands for log T, k for log K, price for alpha/epsilon. Orders of logarithms are compared as squares; universal
constants are divided out. The relations are those of Table I of the zCDP paper, alpha/epsilon for 1/rho.
"""

from banditproof.claims.language import *


@claim("RDP-TB1/linear-same-as-main-text", fails_at(k=0, L=10**5), where=["L >= k + 1"], role="reading")
def same_as_main_text(k: Nonnegative, L: AtLeastOne, square=10000):
    r"""For $T\ge eK$ the cell is the bound of Theorem 8 in the main text:
    $\log^{3/2}(KT)\le\sqrt{10000}\sqrt{\log(KT\log T)\log T}$.

    The caption, 'Regret upper bounds for Renyi DP bandits', names no theorem. The ratio of the two is of the order of
    sqrt(log T).
    """
    return (k + L) ** 3, "<=", square * (k + L + log(to_ball(L))) * L


@claim(
    "RDP-TB1/linear-same-as-zcdp-table",
    fails_at(d=1001, price=1, M=1, rational=True),
    role="reading",
    twins=["ZCDP-TB1"],
)
def linear_tables(d: AtLeastOne, price: Positive, M: Positive, factor=1000):
    r"""The linear rows of this paper and of the zCDP paper agree for $\frac\alpha\epsilon=\frac1\rho$:
    $d^2\sqrt{\frac\alpha\epsilon}\log^{3/2}(KT)$ is at most $1000$ times $\frac d{\sqrt\rho}\log^{3/2}(KT)$.

    M = log(KT). The algorithms add the noise in different places: here to the sum of every arm, in the zCDP paper to
    phi. The ratio is d.
    """
    return d**4 * price * M**3, "<=", factor**2 * d**2 * price * M**3
