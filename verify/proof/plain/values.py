"""What can be told of values: of those that stand outside of a function, and of those that a set holds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.verify.proof.domain import Points

EXACT = {int, Fraction, str, bool, type(None)}


def counted(values: Any) -> bool:
    """Whether all values are whole numbers, which relations get as ints; other single points are balls."""
    whole = isinstance(values, Points) and all(isinstance(v, Fraction) and v.denominator == 1 for v in values.values)
    return whole or getattr(values, "integer", False)


def holds_a_float(value: Any) -> bool:
    """Whether what stands outside of a function is a float or holds one; infinities are exact."""
    if isinstance(value, dict):
        return holds_a_float(list(value)) or holds_a_float(list(value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return not EXACT >= set(map(type, value)) and any(map(holds_a_float, value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fc"
    return isinstance(value, float | complex | np.floating) and not np.isinf(value)
