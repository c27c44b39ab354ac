"""Values of formulas as floats that are on the safe side, of numbers or of rows of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_BITS = 256


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


def of_rows(function: Callable[..., float], *parameters: Any) -> float | np.ndarray:
    """The function of every row of numbers [R], or of the numbers."""
    arrays = np.broadcast_arrays(*parameters)
    values = np.array([function(*row) for row in zip(*(a.ravel().tolist() for a in arrays), strict=True)])
    return float(values[0]) if arrays[0].ndim == 0 else values.reshape(arrays[0].shape)
