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
