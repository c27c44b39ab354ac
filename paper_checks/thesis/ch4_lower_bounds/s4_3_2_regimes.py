r"""Section 4.3.2, page 95: where the bounds under Interactive zCDP change regime, and Table 4.2."""

from fractions import Fraction
from typing import Annotated, Any

from banditproof.claims.register import claim
from banditproof.claims.sets import AtLeastOne, Count, Positive, TwoOrMore
from banditproof.claims.steps import deduced, enumerated
from banditproof.paper_checks.thesis.ch4_lower_bounds.facts import Column, Model, on_entries, table_entry
from banditproof.theory import privacy_regime_change, sqrt


@claim("TH-S4.20r/arms", deduced(), false=[{"root_rho_horizon": "0.2"}, {"root_rho_horizon": "0.23"}])
def zcdp_crossing(horizon: Count, arms: TwoOrMore, root_rho_horizon=Fraction(27, 124)):
    r"""The terms of Theorem 4.20, $\frac1{27}\sqrt{T(K-1)}$ and $\frac1{124}\sqrt{\frac{K-1}\rho}$, are equal at
    $\sqrt{\rho T}=27/124$, whatever $K$.

    Both as they are printed.
    """
    rho = root_rho_horizon**2 / horizon
    return sqrt((arms - 1) / rho) / 124, "==", sqrt(horizon * (arms - 1)) / 27


@claim(
    "TH-S4.20r/order",
    enumerated(horizon=[1, 10**3, 10**9], size=[2, 50], model=["arms", "dimension"], rational=True),
    false=[{"least": "0.05"}, {"most": "2.0"}],
)
def order_of_the_crossing(
    horizon: Count,
    size: Count,
    model: Annotated[Any, "all: arms or dimension"],
    least=Fraction(1, 25),
    most=Fraction(5, 2),
):
    r"""$1/25\le\rho T\le5/2$ at the change of regime of Theorems 4.20 and 4.21.

    The value is 27^2/124^2 = 0.047 for arms and 4 e^-1/2 = 2.43 for the linear model, whatever T, K and d are.
    """
    at = privacy_regime_change(**{model: size}, horizon=horizon, budget="rho")
    return least <= at.lower * horizon <= at.upper * horizon <= most, "==", True


@claim("TH-S4.20r/consistency", deduced(), false={"quotient": "30.0"}, role="remark")
def consistency_with_pure_budgets(epsilon: Positive, root_others: AtLeastOne, quotient=124):
    r"""$\frac1{124}\sqrt{\frac{K-1}{\varepsilon^2/2}}\le\frac1{22}\frac{K-1}\varepsilon$: Theorem 4.20 at
    $\rho=\frac12\varepsilon^2$ never says more of pure DP policies than Theorem 4.15 (variable $\sqrt{K-1}$).

    Interactive epsilon-DP is epsilon^2/2-zCDP: the zCDP bound at that rho against the pure one.
    """
    return root_others / (quotient * sqrt(epsilon * epsilon / 2)), "<=", root_others * root_others / (22 * epsilon)


@claim("TH-S4.Tab2", on_entries("zcdp"), false={"shift": "0.999"})
def minimax_column_under_zcdp(model: Model, name: Column, size: TwoOrMore, horizon: Count, budget: Positive, shift=1):
    r"""Table 4.2: the maxima of Theorems 4.20 and 4.21 (computed bounds)."""
    return table_entry(model, size, horizon, budget, name, shift)
