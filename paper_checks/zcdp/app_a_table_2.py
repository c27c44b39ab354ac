"""Appendix A: Table II, the bounds converted from pure DP beside those of the paper."""

from fractions import Fraction

from banditproof.claims.register import claim
from banditproof.claims.sets import AboveZero, AtLeastOne, Positive
from banditproof.claims.steps import deduced, fails_at
from banditproof.paper_checks.zcdp.facts import AboveThree
from banditproof.theory import minimum, sqrt, to_ball


@claim("ZCDP-TB2/finite-arms", deduced())
def smaller_than_converted(log_horizon: AtLeastOne):
    r"""$8\sqrt{\beta/\rho}\sqrt{\log T}\le8\sqrt{\beta/\rho}\log T$ and $\frac K{\sqrt\rho}\sqrt{\log T}\le\frac
    K{\sqrt\rho}\log T$ ($\sqrt{\log T}\le\log T$): the paper's bounds are the smaller ones for $T\ge3$, so $\log
    T\ge1$.

    (At T = 2, log T < 1 and the order is reversed.)
    """
    return log_horizon, "<=", log_horizon**2


@claim(
    "ZCDP-TB2/converted-constants", fails_at(gap=1, rho=Fraction(1, 200), beta=4), role="reading", twins=["ALG-T5.3"]
)
def converted_constants(gap: AboveZero, rho: Positive, beta: AboveThree, power=Fraction(1, 2), factor=1):
    r"""The converted bound $\sum_a(\frac{8\beta}{\Delta_a}\log T+8\beta^{1/2}\rho^{-1/2}\log T)$ is what the bound of
    AdaP-UCB, $\sum_a\frac{16\beta}{\min\{\Delta_a,\epsilon\}}\log T+\dots$ (in the constants that its authors print
    elsewhere), gives at $\epsilon=\sqrt{2\rho}$.

    The column is 'Converted Regret Upper Bounds'. For sqrt(2 rho) < gap the pure bound has 16 beta/sqrt(2 rho) = 8
    sqrt(2) beta/sqrt(rho), which contains beta and not its square root.
    """
    pure = 16 * beta / minimum(to_ball(gap), sqrt(2 * to_ball(rho)))
    printed = 8 * beta / to_ball(gap) + to_ball(factor) * 8 * to_ball(beta) ** to_ball(power) / sqrt(to_ball(rho))
    return pure, "<=", printed


@claim(
    "ZCDP-TB2/converted-with-beta",
    deduced(),
    false=[{"lead": "15.9"}, {"factor": "7.9"}],
    repairs="ZCDP-TB2/converted-constants",
)
def converted_with_beta(gap: Positive, budget: Positive, beta: AboveThree, lead=16, factor=8):
    r"""It gives at most $\sum_a(\frac{16\beta}{\Delta_a}\log T+8\sqrt2\,\beta\rho^{-1/2}\log T)$: for
    $\sqrt{2\rho}\le\Delta_a$ the second summand, for $\Delta_a\le\sqrt{2\rho}$ the first, twice the printed one (budget
    is $\epsilon=\sqrt{2\rho}$)."""
    rho = budget**2 / 2
    return 16 * beta / minimum(gap, budget), "<=", lead * beta / gap + factor * beta * sqrt(2 / rho)


@claim("ZCDP-TB2/linear", deduced(), false={"factor": "1.1"})
def linear_smaller_than_converted(d: AtLeastOne, rho: Positive, M: AtLeastOne, factor=1):
    r"""Printed rates of the second row: $\frac d{\sqrt\rho}\log^{3/2}(KT)\le\frac{d^2}{\sqrt\rho}\log^2(KT)$ for
    $\log(KT)\ge1$, the other terms being the same; ours is the cell of Table I. (The third row, also that of Table I,
    has nothing to be compared with.)

    M is log(KT). The source of the converted bound is not available, so the conversion itself is not checked.
    """
    return factor**2 * d**2 * M**3 / rho, "<=", d**4 * M**4 / rho
