r"""Section 4.3.2, page 95: where the bounds under Interactive zCDP change regime, and Table 4.2."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.language import *
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import (
    ENTRIES,
    as_computed,
    bound_of_theorem_4_20,
    bound_of_theorem_4_21,
)
from banditproof.theory import privacy_regime_change


@quantity
def change_of_regime(model: str, size: int, horizon: int) -> Any:
    """The rho at which the terms of Theorem 4.20 (of arms) or 4.21 (of a dimension) are equal."""
    return privacy_regime_change(**{model: size}, horizon=horizon, budget="rho").ball()


AT_THE_CHANGE = enumerated(horizon=[1, 10**3, 10**9], size=[2, 50], model=["arms", "dimension"], rational=True)
EitherModel = Annotated[Any, "all: arms or dimension"]


@claim("TH-S4.20r/order", AT_THE_CHANGE)
def largest_crossing(horizon: Count, size: Count, model: EitherModel):
    r"""$\rho T\le5/2$ at the change of regime of Theorems 4.20 and 4.21.

    The value is 27^2/124^2 = 0.047 for arms and 4 e^-1/2 = 2.43 for the linear model, whatever T, K and d are.
    """
    return change_of_regime(model, size, horizon) * horizon, "<=", Fraction(5, 2)


@claim("TH-S4.20r/order-from-below", AT_THE_CHANGE)
def smallest_crossing(horizon: Count, size: Count, model: EitherModel):
    r"""$\rho T\ge1/25$ at the change of regime of Theorems 4.20 and 4.21."""
    return change_of_regime(model, size, horizon) * horizon, ">=", Fraction(1, 25)


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
