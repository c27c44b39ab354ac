"""What functions of numbers answer: enclosures to exact numbers, floats to floats, and balls to who brought balls.

Text, Decimals, ints, Fractions and enclosures are exact: nothing of them is rounded before it is computed with. Where
all arguments are such (or infinite), the function computes with balls and answers the enclosure of its value. Where a
float stands among them it computes with floats. A ball goes out only where one came in, and inside `exactly`, where a
formula goes on with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import is_dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, wraps
from typing import Any, TypeVar

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers import numeric
from banditproof.theory.numbers.enclosure import Enclosure

F = TypeVar("F", bound=Callable[..., Any])

_GIVEN, _ROUNDED, _EXACT = range(3)


def answer(function: Callable[..., Any], values: Sequence[Any], named: dict[str, Any]) -> Any:
    """The function's value in the number system that belongs to its arguments."""
    given = (*values, *named.values()) if named else values
    way = _way(tuple(map(type, given)))
    if way == _GIVEN or numeric.inside_exactly():
        return function(*values, **named)
    if way == _EXACT or all(map(numeric.is_exact, given)):
        with numeric.exactly():
            return enclosed(function.__name__, function(*values, **named))
    return enclosed(function.__name__, function(*values, **named))


def of_numbers(function: F) -> F:
    """A decorator of a function of numbers that is no quantity: it answers as `answer` says."""

    @wraps(function)
    def answering(*values: Any, **named: Any) -> Any:
        return answer(function, values, named)

    return answering  # type: ignore[return-value]


@cache
def _way(kinds: tuple[type, ...]) -> int:
    """How arguments of these types are answered; `_ROUNDED` may be exact, as an infinite float is."""
    if all(issubclass(kind, str | Decimal | int | Fraction | Enclosure) and kind is not bool for kind in kinds):
        return _EXACT if kinds else _GIVEN
    of_flint = any(kind is not Enclosure and numeric.system_of_type(kind) != numeric.FLOAT for kind in kinds)
    return _GIVEN if of_flint else _ROUNDED


def enclosed(name: str, result: Any) -> Any:
    """The enclosures of balls, one by one in a tuple or a result with fields. InvalidInput where the function of this
    name has no value.
    """
    if numeric.is_ball(type(result)):
        if result.is_nan():
            raise InvalidInput(f"{name} of these arguments", "nan", "a number")
        return Enclosure.from_ball(result)
    if type(result) is tuple:
        return tuple(enclosed(name, part) for part in result)
    if is_dataclass(result) and any(numeric.is_ball(type(part)) for part in vars(result).values()):
        return replace(result, **{field: enclosed(name, part) for field, part in vars(result).items()})  # type: ignore[type-var]
    return result
