"""Numbers that users type or pass, kept exactly: ints, floats (the dyadic rationals that they are), Fractions, strings
such as "0.7" or "2/3".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput

INFINITE = ("inf", "+inf", "infinity", "+infinity")
LARGEST_EXPONENT = 1000
"""Numbers that are typed are 0 or between 10^-1000 and 10^1000 in size: far beyond, exact arithmetic would not end."""

_LARGEST = 10**LARGEST_EXPONENT
SIZE = f"0 or between 1e-{LARGEST_EXPONENT} and 1e{LARGEST_EXPONENT} in size"
_LONGEST = 3000
FAR_FROM_ONE = 1e-6  # for a sum of probabilities: no rounding of floats
_EXPONENT = re.compile(r"[eE]([-+]?[0-9_]+)\s*$")


class Monstrous(ValueError):
    """A number that would take forever to write out."""


def read(text: str) -> Fraction:
    """The number that a string such as "0.7", "2/3" or "1e-9" says; ValueError for others, Monstrous for huge ones."""
    exponent = _EXPONENT.search(text)
    if len(text) > _LONGEST or exponent and (len(exponent[1]) > 9 or abs(int(exponent[1])) > 2 * _LONGEST):
        raise Monstrous(text[:40])
    return Fraction(text)


def of_reasonable_size(number: Fraction) -> bool:
    """Whether the number is 0, or at most 10^1000 and at least its inverse in size."""
    return not number or abs(number.numerator) <= _LARGEST * number.denominator <= _LARGEST**2 * abs(number.numerator)


def shown(value: Fraction | float) -> str:
    """The number exactly, of any size: a decimal of at most 28 digits where there is one, else a fraction.

    >>> shown(Fraction(3, 4)), shown(10**6), shown(Fraction(1, 3)), shown(Fraction(0.1)), shown(Fraction("1e-400"))
    ('0.75', '1e+06', '1/3', '3602879701896397/36028797018963968', '1e-400')
    """
    if value in (math.inf, -math.inf):
        return str(value)
    over, under = map(Decimal, Fraction(value).as_integer_ratio())
    quotient = over / under
    if Fraction(quotient) != value:
        return f"{over:f}/{under:f}".removesuffix("/1")
    few = f"{float(quotient):g}"
    return few if Decimal(few) == quotient else f"{quotient.normalize():g}"


def with_points(text: str) -> str:
    """The numbers that may have been meant by digits with blanks or commas between them, a power of ten, thousands (k)
    or millions, a percentage or a sign for infinity; nothing where there are none."""
    typed = "".join(text.split())
    if re.fullmatch(r"\d+(\.\d+)?[kKM]", typed):
        return typed[:-1] + ("e6" if typed[-1] == "M" else "e3")
    if re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+", typed):  # between thousands
        return typed.replace(",", "")
    if re.fullmatch(r"10(\^|\*\*)\d+", typed):
        return re.sub(r"10\D+", "1e", typed)
    if re.fullmatch(r"\d{1,3}( \d{3})+", text.strip()):
        return typed
    if re.fullmatch(r"[\d.]+%|∞", typed):
        return typed.replace("%", "/100").replace("∞", "inf")
    if re.fullmatch(r"-?\d+,\d+(;-?\d+,\d+)*", typed):
        return typed.replace(",", ".").replace(";", ",")
    return re.sub(r"0,(\d+)", r"0.\1", typed) if re.fullmatch(r"0,\d+(,0,\d+)+", typed) else ""


def exact(name: str, value: Any, holds: Callable[[Fraction], bool], allowed: str) -> Fraction:
    """The value as a Fraction; InvalidInput unless it is a finite number for which `holds` is true."""
    plain = value.item() if isinstance(value, np.generic) else value
    try:
        number = read(plain) if isinstance(plain, str) else Fraction(plain)
    except Monstrous:
        raise InvalidInput(name, value, f"{allowed}, {SIZE}") from None
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InvalidInput(name, value, allowed, with_points(value) if isinstance(value, str) else "") from None
    if isinstance(plain, bool) or not holds(number):
        raise InvalidInput(name, value, allowed)
    if isinstance(plain, str) and not of_reasonable_size(number):
        raise InvalidInput(name, value, f"{allowed}, {SIZE}")
    return number


def exact_or_infinite(name: str, value: Any, holds: Callable[[Fraction], bool], allowed: str) -> Fraction | float:
    """As `exact`, and inf for an infinite value."""
    if not isinstance(value, (int, Fraction)) and str(value).strip().lower() in INFINITE:
        return math.inf
    return exact(name, value, holds, allowed)


def exact_budget(epsilon: Any, name: str = "epsilon") -> Fraction | float:
    """A privacy budget in (0, inf], exactly."""
    if isinstance(epsilon, list | tuple) or getattr(epsilon, "ndim", 0):
        raise InvalidInput(name, epsilon, "one positive number, inf allowed: ask for each of several in its turn")
    return exact_or_infinite(name, epsilon, lambda e: e > 0, "a positive number, inf allowed")


def check_count(parameter: str, value: Any, least: int, most: int | None = None) -> int:
    """The value as an int, or InvalidInput unless it is an integer from `least` on (up to `most`)."""
    allowed = f"an integer, at least {least}" if most is None else f"an integer from {least} to {most}"
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InvalidInput(parameter, value, allowed)
    if most is not None and value > most:
        raise InvalidInput(parameter, value, allowed)
    return int(value)
