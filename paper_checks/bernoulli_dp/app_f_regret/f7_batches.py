r"""Appendix F.7: every step of the regret proofs of Theorems F.7 and F.9 that is about the geometric batches only.

A real number beside a count of pulls is written as that count plus or minus a distance.
"""

from fractions import Fraction
from typing import Any

from banditproof.algorithms.batches import GeometricBatches
from banditproof.claims.language import *
from banditproof.paper_checks.bernoulli_dp.facts.batches import EXACT, ON_GRID, RATIOS, batch
from banditproof.verify.forms.geometric_sums import geometric_power


@claim("BDP-TF.7/36", ON_GRID, deduced(), false={"factor": "1.9"}, role="step")
def batches_at_most_twice_geometric(alpha: AboveOne, n0: Count, m: Natural, factor=2):
    r"""(36): $B_m\le n_0\frac{\alpha^{m+1}-1}{\alpha-1}-n_0\frac{\alpha^m-1}{\alpha-1}+1\le 2\,n_0\alpha^m$ (the first
    inequality is within one pull of (14))"""
    return batch(alpha, n0, m), "<=", factor * n0 * geometric_power(alpha, m)


def simplified_first_part(alpha: Any, n0: Any, level: Any, offset: Any) -> Sides:
    """Step to (45): the bound from (44), against its printed simplification; `level` is H."""
    from_44 = n0 * (alpha * ((alpha - 1) * level / n0 + 1) - 1) / (alpha - 1) + 1 - n0
    return from_44, "<=", alpha * level + 1 - offset * n0 * alpha / (alpha - 1)


AT_LEVELS = enumerated(alpha=RATIOS[3:], n0=[1, 2], level=["1", "7/3", "100"], rational=True, routes=EXACT)


@claim(
    "BDP-TF.7/45-simplification",
    AT_LEVELS,
    role="step",
    slip="A slip of calculation: with alpha H + 1 on the right the bound holds, and the extra 1 does not affect (47).",
    called={"$n_0$": "n0", "$H$": "level", "the left side of the inequality": "left", "the right one": "right"},
)
def printed_simplification(alpha: AboveOne, n0: Count, level: Positive, offset=1):
    r"""before (45), for $H>0$ (level): $n_0\frac{\alpha(\frac{(\alpha-1)H}{n_0}+1)-1}{\alpha-1}+1-n_0\le\alpha
    H+1-\frac{n_0\alpha}{\alpha-1}$

    The left side is exactly alpha H + 1, since n_0 (alpha - 1)/(alpha - 1) - n_0 = 0, so nothing can be subtracted on
    the right. With alpha H + 1 on the right the line holds.
    """
    return simplified_first_part(alpha, n0, level, offset)


@quantity
def pulls_when_reached(alpha: Fraction, n0: int, level: Any) -> int:
    """n_m for the first m with n_m >= level, counted batch by batch."""
    return next(total for total in GeometricBatches(alpha, n0).totals() if total >= level)


@claim(
    "BDP-TF.7/45-first-part",
    enumerated(alpha=["2", "3", "3/2"], n0=[1], level=["1", "11/10", "5", "40"], rational=True),
    role="step",
    cause="BDP-TF.7/45-simplification",
    slip="The bound is one pull too small. The bound is of the order log T, so this does not affect (47).",
    called={"$n_0$": "n0", "$H$": "level", "$n_{m^*}-n_0$": "left", r"$\alpha H$": "right"},
)
def pulls_before_the_tail(alpha: AboveOne, n0: Count, level: Positive):
    r"""(45): the pulls before the tail, $n_{m^*}-n_0$ with $m^*=\inf\{m:n_m\ge H\}$, are at most $\alpha H$ ($H$:
    level)

    For alpha = 3/2 and n_0 = 1, n = 1, 3, ...; if H is just above 1, then m* = 1 and the 2 pulls exceed 3/2 H. With
    alpha H + 1 on the right the bound holds, and one more pull does not change the leading term.
    """
    return pulls_when_reached(alpha, n0, level) - n0, "<=", alpha * level
