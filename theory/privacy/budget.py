"""Privacy budgets as values: pure, approximate, zero-concentrated, Renyi and Gaussian differential privacy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput

_POSITIVE = "positive (inf means no privacy)"
PARAMETERS = {
    "pure": ("epsilon",),
    "approximate": ("epsilon", "delta"),
    "zcdp": ("rho",),
    "rdp": ("order", "epsilon"),
    "gdp": ("mu",),
}
"""What a budget of every kind consists of."""


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

    def __post_init__(self) -> None:
        known = PARAMETERS.get(self.kind) if isinstance(self.kind, str) else None
        if known is None or self.parameters.keys() != {*known}:
            made = ", ".join(f"Budget.{kind}({', '.join(names)})" for kind, names in PARAMETERS.items())
            raise InvalidInput("budget", self.kind if not self.parameters else str(self), f"one of {made}")

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
        return {name: value for name in _names() if (value := getattr(self, name)) is not None}

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


@cache
def _names() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Budget) if field.name != "kind")


def checked_budget(value: Any, parameter: str = "budget") -> Budget:
    """The budget that was given; InvalidInput for anything else."""
    if not isinstance(value, Budget):
        raise InvalidInput(parameter, value, "a Budget, such as Budget.pure(1.0)")
    return value


def rounded_up(formula: Callable[..., Any], *parameters: Any) -> float | np.ndarray:
    """The least float at or above a formula, of floats or arrays [R] taken exactly.

    A budget that holds may be larger than needed, and not smaller by a rounding. inf where no float is large enough.
    """
    from banditproof.theory.numbers.enclosure import Enclosure
    from banditproof.theory.numbers.numeric import to_ball, working_precision

    def one(*numbers: float) -> float:
        with working_precision(_BITS):
            return Enclosure.from_ball(formula(*map(to_ball, numbers))).floats[1]

    return of_rows(one, *parameters)


_BITS = 256
GAUSSIAN_KINDS = ("approximate", "zcdp", "rdp", "gdp")


def of_rows(function: Callable[..., float], *parameters: Any) -> float | np.ndarray:
    """The function of every row of numbers [R], or of the numbers."""
    arrays = np.broadcast_arrays(*parameters)
    found = np.array([function(*row) for row in zip(*(a.ravel().tolist() for a in arrays), strict=True)])
    return float(found[0]) if arrays[0].ndim == 0 else found.reshape(arrays[0].shape)


def gaussian_delta(mu: float, epsilon: float) -> float:
    """The smallest delta for which N(0, 1) and N(mu, 1) are (epsilon, delta)-indistinguishable. Source: TH-P2.6"""
    if epsilon == np.inf or mu == 0:
        return 0.0
    if mu == np.inf:
        return 1.0
    with np.errstate(all="ignore"):
        return _finite_delta(float(mu), float(epsilon))


def _finite_delta(mu: float, epsilon: float) -> float:
    from scipy.special import erfcx, ndtr

    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if near > 40:  # below the smallest float
        return 0.0
    decay = np.exp(-near * near / 2) / 2
    if mu < 0.25:  # an integral, as the difference would cancel
        points = near + mu * (1 + _NODES) / 2
        slopes = np.sqrt(2 / np.pi) - points * erfcx(points / np.sqrt(2))
        return float(decay * mu / 2 * np.sum(_WEIGHTS * slopes))
    if near < 0:
        return float(ndtr(-near) - decay * erfcx(far / np.sqrt(2)))
    return float(decay * (erfcx(near / np.sqrt(2)) - erfcx(far / np.sqrt(2))))


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


def _checked(parameter: str, value: Any, low: float, high: float, allowed: str, closed: bool = False) -> Any:
    if type(value) is float and low < value <= high:
        return value
    try:
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(parameter, value, f"a number or an array of numbers, {allowed}") from None
    above = numbers >= low if closed else numbers > low
    if np.asarray(value).dtype == bool:  # which is no number
        raise InvalidInput(parameter, value, allowed)
    if numbers.size == 0 or not np.all(above & (numbers <= high)):
        raise InvalidInput(parameter, value, allowed)
    if numbers.ndim == 0:
        return float(numbers)
    numbers.flags.writeable = False
    return numbers
