r"""The geometric batches (14) in rationals, in balls and in symbols.

Batch m lasts B_m = n_m - n_{m-1} pulls with n_m = ceil(n_0 (alpha^{m+1} - 1) / (alpha - 1)).
"""

from fractions import Fraction
from typing import Any

from banditproof.claims.steps import enumerated
from banditproof.verify import Domain, SymbolicArgument
from banditproof.verify.forms.geometric_sums import quotient
from banditproof.verify.proof.symbols import ceiling

BATCH = Domain.of(alpha="(1, inf)", n0="integer [1, inf)", m="integer [0, inf)")
EXACT = ("exact ceilings in rationals", "the bound in rationals")
RATIOS = [Fraction(r) for r in ("101/100", "21/20", "11/10", "3/2", "5/3", "2", "5/2", "3", "10")]
GRID: dict[str, Any] = {"alpha": RATIOS, "n0": [1, 2, 3, 7], "m": range(9)}
ON_GRID = enumerated(GRID, rational=True, routes=EXACT)


def pulls(alpha: Any, n0: Any, m: Any, ahead: int = 0) -> Any:
    """n_{m + ahead - 1}, the number of pulls before batch m + ahead, as printed."""
    return ceiling(n0 * quotient(alpha, m, ahead))


def batch(alpha: Any, n0: Any, m: Any, ahead: int = 0) -> Any:
    """B_{m + ahead}."""
    return pulls(alpha, n0, m, ahead + 1) - pulls(alpha, n0, m, ahead)


class Symbols:
    """alpha = 1 + s, n_0 = 1 + k and m with s > 0 and integers k, m >= 0."""

    def __init__(self) -> None:
        import sympy

        self.s = sympy.Symbol("s", positive=True)
        self.k, self.m = sympy.symbols("k m", integer=True, nonnegative=True)
        self.alpha, self.n0 = 1 + self.s, 1 + self.k
        self.q = quotient(self.alpha, self.m)
        self.y = [self.n0 * quotient(self.alpha, self.m, ahead) for ahead in range(3)]  # before the ceilings

    def positive(self, certificate: Any) -> SymbolicArgument:
        return SymbolicArgument({"alpha": self.alpha, "n0": self.n0, "m": self.m}, certificate, "positive")
