r"""Section 4.3.2, page 95: where the bounds under Interactive zCDP change regime, and Table 4.2."""

from fractions import Fraction

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import *


@claim("TH-S4.Tab2/arms", ENTRIES)
def minimax_of_arms_under_zcdp(size: TwoOrMore, horizon: Count, budget: Positive):
    r"""Table 4.2 has for finite-armed bandits $\max\{\frac1{27}\sqrt{T(K-1)},\frac1{124}\sqrt{\frac{K-1}\rho}\}$,
    which is what Theorem 4.20 states."""
    entry = maximum(sqrt(horizon * (size - 1)) / 27, sqrt((size - 1) / budget) / 124)
    return as_computed(bound_of_theorem_4_20(size, horizon, budget), entry)


@claim("TH-S4.Tab2/linear", ENTRIES)
def minimax_of_linear_bandits_under_zcdp(size: Count, horizon: Count, budget: Positive):
    r"""Table 4.2 has for linear bandits
    $\max\{\frac{e^{-2}}8d\sqrt T,\frac{e^{-2.25}}4\frac d{\sqrt\rho}\}$, which is what Theorem 4.21 states."""
    entry = maximum(exp(-2) / 8 * size * sqrt(horizon), exp(Fraction(-9, 4)) / 4 * size / sqrt(budget))
    return as_computed(bound_of_theorem_4_21(size, horizon, budget), entry)
