"""Numbers that users type or pass, kept exactly: ints, floats (the dyadic rationals that they are), Fractions, strings
such as "0.7" or "2/3".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput

INFINITE = ("inf", "+inf", "infinity", "+infinity")


def exact(name: str, value: Any, holds: Callable[[Fraction], bool], allowed: str) -> Fraction:
    """The value as a Fraction; InvalidInput unless it is a finite number for which `holds` is true."""
    try:
        number = Fraction(value.item() if isinstance(value, np.generic) else value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InvalidInput(name, value, allowed) from None
    if isinstance(value, bool) or not holds(number):
        raise InvalidInput(name, value, allowed)
    return number


def exact_or_infinite(name: str, value: Any, holds: Callable[[Fraction], bool], allowed: str) -> Fraction | float:
    """As `exact`, and inf for an infinite value."""
    return math.inf if str(value).strip().lower() in INFINITE else exact(name, value, holds, allowed)


def exact_budget(epsilon: Any, name: str = "epsilon") -> Fraction | float:
    """A privacy budget in (0, inf], exactly."""
    return exact_or_infinite(name, epsilon, lambda e: e > 0, "a positive number, inf allowed")
