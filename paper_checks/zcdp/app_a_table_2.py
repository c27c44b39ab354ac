"""Appendix A: Table II, the bounds converted from pure DP beside those of the paper."""

from fractions import Fraction

from banditproof.claims.register import claim, item
from banditproof.claims.sets import AboveZero, AtLeastOne, Nonnegative, Positive
from banditproof.claims.steps import fails_at, symbolic, tried_at
from banditproof.paper_checks.zcdp.facts import AboveThree
from banditproof.theory import minimum, sqrt, to_ball

item(
    "ZCDP-TB2",
    r"Table II, finite arms: the private part with $\sqrt{\log T}$ against $\log T$ in the bounds converted from pure "
    r"DP by $\epsilon=\sqrt{2\rho}$ (the other rows are parts of their own).",
    rests_on=["ZCDP-T10", "ZCDP-T11"],
)


@claim("ZCDP-TB2/finite-arms", symbolic(), false={"factor": "1.1"})
def smaller_than_converted(log_horizon: AtLeastOne, factor=1):
    r"""$8\sqrt{\beta/\rho}\sqrt{\log T}\le8\sqrt{\beta/\rho}\log T$ and $\frac K{\sqrt\rho}\sqrt{\log T}\le\frac
    K{\sqrt\rho}\log T$ ($<factor>\sqrt{\log T}\le\log T$): the paper's bounds are the smaller ones for $T\ge3$,
    so $\log T\ge1$.

    (At T = 2, log T < 1 and the order is reversed.)
    """
    return factor**2 * log_horizon, "<=", log_horizon**2


@claim(
    "ZCDP-TB2/converted-constants", fails_at(gap=1, rho=Fraction(1, 200), beta=4), role="reading", twins=["ALG-T5.3"]
)
def converted_constants(gap: AboveZero, rho: Positive, beta: AboveThree, power=Fraction(1, 2), factor=1):
    r"""The converted bound $\sum_a(\frac{8\beta}{\Delta_a}\log T+<factor>\cdot8\beta^{<power>}\rho^{-1/2}\log T)$ is
    what the bound of AdaP-UCB, $\sum_a\frac{16\beta}{\min\{\Delta_a,\epsilon\}}\log T+\dots$ (in the constants
    that its authors print elsewhere), gives at $\epsilon=\sqrt{2\rho}$.

    The column is 'Converted Regret Upper Bounds'. For sqrt(2 rho) < gap the pure bound has 16 beta/sqrt(2 rho) = 8
    sqrt(2) beta/sqrt(rho): beta, not its root.
    """
    pure = 16 * beta / minimum(to_ball(gap), sqrt(2 * to_ball(rho)))
    printed = 8 * beta / to_ball(gap) + to_ball(factor) * 8 * to_ball(beta) ** to_ball(power) / sqrt(to_ball(rho))
    return pure, "<=", printed


@claim(
    "ZCDP-TB2/converted-where-the-budget-is-smaller",
    symbolic(),
    false={"factor": 15},
    role="repair",
    repairs="ZCDP-TB2/converted-constants",
)
def converted_for_small_budgets(budget: Positive, more: Nonnegative, lead=0, factor=16):
    r"""Where $\epsilon=\sqrt{2\rho}\le\Delta_a$ the pure bound is at most $\frac{<lead>\beta}{\Delta_a}\log
    T+\frac{<factor>\beta}{\sqrt{2\rho}}\log T$; the second summand is $8\sqrt2\,\beta\rho^{-1/2}\log T$.

    The gap is budget + more, the budget sqrt(2 rho).
    """
    return 16 / budget, "<=", lead / (budget + more) + factor / budget


@claim(
    "ZCDP-TB2/converted-where-the-gap-is-smaller",
    symbolic(),
    false={"lead": 15},
    role="repair",
    repairs="ZCDP-TB2/converted-constants",
)
def converted_for_large_budgets(gap: Positive, more: Nonnegative, lead=16, factor=0):
    r"""Where $\Delta_a\le\epsilon=\sqrt{2\rho}$ the pure bound is at most $\frac{<lead>\beta}{\Delta_a}\log T$, twice
    the printed first summand.

    Here sqrt(2 rho) is gap + more.
    """
    return 16 / gap, "<=", lead / gap + factor / (gap + more)


@claim("ZCDP-TB2/linear", tried_at(d=1, rho=1, M=1, rational=True), symbolic(), false={"factor": "1.1"})
def linear_smaller_than_converted(d: AtLeastOne, rho: Positive, M: AtLeastOne, factor=1):
    r"""Printed rates of the second row: $<factor>\frac d{\sqrt\rho}\log^{3/2}(KT)\le\frac{d^2}{\sqrt\rho}\log^2(KT)$
    for $\log(KT)\ge1$, the other terms being the same; ours is the cell of Table I. (The third row, also that
    of Table I, has nothing to be compared with.)

    M is log(KT). The source of the converted bound is not at hand: how it was converted is not judged.
    """
    return factor**2 * d**2 * M**3 / rho, "<=", d**4 * M**4 / rho
