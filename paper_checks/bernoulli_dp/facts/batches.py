r"""The geometric batches (14) in rationals and in balls.

Batch m lasts B_m = n_m - n_{m-1} pulls with n_m = ceil(n_0 (alpha^{m+1} - 1) / (alpha - 1)).
"""

from fractions import Fraction
from typing import Any

from banditproof.claims.language import *
from banditproof.verify.forms.geometric_sums import geometric_sum

BATCH = Domain.of(alpha="(1, inf)", n0="integer [1, inf)", m="integer [0, inf)")
EXACT = ("exact ceilings in rationals", "the bound in rationals")
RATIOS = [Fraction(r) for r in ("101/100", "21/20", "11/10", "3/2", "5/3", "2", "5/2", "3", "10")]
GRID: dict[str, Any] = {"alpha": RATIOS, "n0": [1, 2, 3, 7], "m": range(9)}
ON_GRID = enumerated(GRID, rational=True, routes=EXACT)


def pulls(alpha: Any, n0: Any, m: Any, ahead: int = 0) -> Any:
    """n_{m + ahead - 1}, the number of pulls before batch m + ahead, as printed."""
    return least_integer(n0 * geometric_sum(alpha, m + ahead))


def batch(alpha: Any, n0: Any, m: Any, ahead: int = 0) -> Any:
    """B_{m + ahead}."""
    return pulls(alpha, n0, m, ahead + 1) - pulls(alpha, n0, m, ahead)
