r"""The geometric batches (14) in rationals, in balls and in symbols.

Batch m lasts B_m = n_m - n_{m-1} pulls with n_m = ceil(n_0 (alpha^{m+1} - 1) / (alpha - 1)). In rationals the
formulas are evaluated as they are printed. In symbols they use two facts for all real alpha > 1 at once: the quotient
(alpha^m - 1) / (alpha - 1) = 1 + alpha + ... + alpha^{m-1} is not negative, and ceil(x) exceeds x by t / (1 + t) for
some t >= 0.
"""

from fractions import Fraction
from typing import Any

from banditproof.claims.steps import enumerated
from banditproof.theory.numbers.numeric import SYMBOL, least_integer, ratio, system
from banditproof.verify import Domain, SymbolicArgument

BATCH = Domain.of(alpha="(1, inf)", n0="integer [1, inf)", m="integer [0, inf)")
EXACT = ("exact ceilings in rationals", "the bound in rationals")
RATIOS = [Fraction(r) for r in ("101/100", "21/20", "11/10", "3/2", "5/3", "2", "5/2", "3", "10")]
GRID: dict[str, Any] = {"alpha": RATIOS, "n0": [1, 2, 3, 7], "m": range(9)}
ON_GRID = enumerated(GRID, rational=True, routes=EXACT)


def quotient(alpha: Any, m: Any, ahead: int = 0) -> Any:
    """(alpha^(m + ahead) - 1) / (alpha - 1)."""
    if system(alpha, m) != SYMBOL:
        return ratio(alpha ** (m + ahead) - 1, alpha - 1)
    import sympy

    value = sympy.Function("quotient", nonnegative=True, integer=alpha.is_integer)(m)
    for _ in range(ahead):
        value = 1 + alpha * value
    return value


def power(alpha: Any, m: Any, ahead: int = 0) -> Any:
    """alpha^(m + ahead), in symbols through its quotient."""
    return 1 + (alpha - 1) * quotient(alpha, m, ahead) if system(alpha, m) == SYMBOL else alpha ** (m + ahead)


def ceiling(x: Any) -> Any:
    """The smallest integer at or above x."""
    if system(x) == SYMBOL:
        return x if x.is_integer else x + excess(x)
    return least_integer(x)


def excess(x: Any) -> Any:
    """ceil(x) - x in symbols: t / (1 + t) with an unknown t >= 0, which reaches every value in [0, 1)."""
    import sympy

    t = sympy.Function("t", nonnegative=True)(x)
    return t / (1 + t)


def room(x: Any) -> Any:
    """1 - (ceil(x) - x) > 0 in symbols."""
    import sympy

    return 1 / (1 + sympy.Function("t", nonnegative=True)(x))


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
