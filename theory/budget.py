"""Privacy budgets as values: pure, approximate, zero-concentrated, Renyi and Gaussian differential privacy."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput

_POSITIVE = "positive (inf means no privacy)"


@dataclass(frozen=True, eq=False)
class Budget:
    """A privacy budget of one `kind`; the fields that its kind does not use are None.

    Each parameter is a float or, for a sweep over R budgets, a read-only float64 array of shape [R].
    Build one with `Budget.pure`, `.approximate`, `.zcdp`, `.rdp` or `.gdp`.

    Source: BDP-D2.2 (pure and approximate), BDP-DB.2 (zCDP)
    """

    kind: str
    epsilon: Any = None
    delta: Any = None
    rho: Any = None
    order: Any = None
    mu: Any = None

    @classmethod
    def pure(cls, epsilon: float | np.ndarray) -> Budget:
        """epsilon-DP, `epsilon` > 0."""
        return cls("pure", epsilon=_checked("epsilon", epsilon, 0.0, np.inf, _POSITIVE))

    @classmethod
    def approximate(cls, epsilon: float | np.ndarray, delta: float | np.ndarray) -> Budget:
        """(epsilon, delta)-DP, `epsilon` >= 0 and 0 < `delta` < 1."""
        epsilon = _checked("epsilon", epsilon, 0.0, np.inf, "nonnegative", closed=True)
        delta = _checked("delta", delta, 0.0, np.nextafter(1.0, 0.0), "in (0, 1)")
        return cls("approximate", epsilon=epsilon, delta=delta)

    @classmethod
    def zcdp(cls, rho: float | np.ndarray) -> Budget:
        """rho-zero-concentrated DP, `rho` > 0."""
        return cls("zcdp", rho=_checked("rho", rho, 0.0, np.inf, _POSITIVE))

    @classmethod
    def rdp(cls, order: float | np.ndarray, epsilon: float | np.ndarray) -> Budget:
        """(order, epsilon)-Renyi DP, `order` > 1 and `epsilon` > 0."""
        order = _checked("order", order, 1.0, np.inf, "greater than 1")
        return cls("rdp", order=order, epsilon=_checked("epsilon", epsilon, 0.0, np.inf, _POSITIVE))

    @classmethod
    def gdp(cls, mu: float | np.ndarray) -> Budget:
        """mu-Gaussian DP, `mu` > 0."""
        return cls("gdp", mu=_checked("mu", mu, 0.0, np.inf, _POSITIVE))

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters this kind uses, by name."""
        names = [field.name for field in fields(self) if field.name != "kind"]
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Budget):
            return NotImplemented
        mine, theirs = self.parameters, other.parameters
        same = self.kind == other.kind and mine.keys() == theirs.keys()
        return same and all(np.array_equal(mine[name], theirs[name]) for name in mine)

    def __hash__(self) -> int:
        return hash((self.kind, *(np.asarray(value).tobytes() for value in self.parameters.values())))

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(f'{name}={value}' for name, value in self.parameters.items())})"


def gaussian_multiplier(budget: Budget) -> float | np.ndarray:
    """The standard deviation of Gaussian noise that spends `budget`, per unit of l2 sensitivity; shaped as the budget.

    zCDP: 1 / sqrt(2 rho). RDP: sqrt(order / (2 epsilon)). Gaussian DP: 1 / mu. Approximate: the smallest one whose
    exact delta at epsilon is delta, found in floating point; no range of epsilon is excluded.

    Raises InvalidInput for a pure budget, which no Gaussian noise meets. Source: TH-T2.14

    >>> gaussian_multiplier(Budget.zcdp(0.125))
    2.0
    """
    if budget.kind == "zcdp":
        variance = 1 / (2 * budget.rho)
    elif budget.kind == "rdp":
        variance = budget.order / (2 * budget.epsilon)
    elif budget.kind == "gdp":
        variance = 1 / budget.mu**2
    elif budget.kind == "approximate":
        variance = 1 / largest_gaussian_shift(budget.epsilon, budget.delta) ** 2
    else:
        raise InvalidInput("budget", str(budget), "approximate, zcdp, rdp or gdp for Gaussian noise")
    return np.sqrt(variance) if np.ndim(variance) else float(np.sqrt(variance))


def gaussian_delta(mu: float, epsilon: float) -> float:
    """The smallest delta for which N(0, 1) and N(mu, 1) are (epsilon, delta)-indistinguishable. Source: TH-P2.6"""
    from scipy.special import log_ndtr

    if epsilon == np.inf or mu == 0:
        return 0.0
    above, below = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return float(-np.exp(above) * np.expm1(below - above))


def largest_gaussian_shift(epsilon: Any, delta: Any) -> float | np.ndarray:
    """The largest mu with `gaussian_delta(mu, epsilon)` <= delta, in floating point; inf for an infinite epsilon."""
    from scipy.optimize import brentq

    def largest(epsilon: float, delta: float) -> float:
        if epsilon == np.inf:
            return np.inf
        top = 1.0
        while gaussian_delta(top, epsilon) < delta:
            top *= 2
        excess = lambda mu: gaussian_delta(mu, epsilon) - delta  # noqa: E731
        return float(brentq(excess, 0.0, top, xtol=1e-300, rtol=np.float64(1e-14)))  # pyright: ignore[reportArgumentType]

    found = np.vectorize(largest, otypes=[float])(epsilon, delta)
    return float(found) if found.ndim == 0 else found


def _checked(parameter: str, value: Any, low: float, high: float, allowed: str, closed: bool = False) -> Any:
    try:
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(parameter, value, f"a number or an array of numbers, {allowed}") from None
    above = numbers >= low if closed else numbers > low
    if numbers.size == 0 or not np.all(above & (numbers <= high)):
        raise InvalidInput(parameter, value, allowed)
    if numbers.ndim == 0:
        return float(numbers)
    numbers.flags.writeable = False
    return numbers
