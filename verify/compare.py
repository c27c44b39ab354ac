"""Comparing two sides of a relation with certainty, and evaluating relations at exact points.

A *relation* is a module-level function of the domain's variables and the claim's constants, all by name, that returns
``(left side, operator, right side)``. It is known to evidence by ``module:name``, so that whoever re-checks evidence
evaluates the formula itself and not a copy.
"""

from __future__ import annotations

import importlib
import inspect
import operator as operators
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from banditproof.theory.errors import InvalidInput

Relation = Callable[..., Any]

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operators.lt,
    "<=": operators.le,
    "==": operators.eq,
    ">=": operators.ge,
    ">": operators.gt,
    "!=": operators.ne,
}


def relation_name(relation: Relation) -> str:
    """``module:function`` of a relation; it must be importable, or evidence could not be re-checked."""
    name = f"{relation.__module__}:{relation.__qualname__}"
    if "<" in name:
        raise InvalidInput("relation", name, "a module-level function")
    return name


def relation_named(name: str) -> Relation:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def is_ball(value: Any) -> bool:
    return type(value).__name__ == "arb"


def as_ball(value: Any) -> Any:
    from banditproof.theory.numeric import to_ball

    return value if is_ball(value) else to_ball(value)


def holds(left: Any, operator: str, right: Any) -> bool | None:
    """Whether ``left operator right`` is certainly true, certainly false, or neither (None).

    Rationals are compared exactly; as soon as a ball is involved the comparison must hold for all its points.
    """
    if not (is_ball(left) or is_ball(right)):
        return _holds_exactly(left, operator, right)
    left, right = as_ball(left), as_ball(right)
    if left.is_nan() or right.is_nan():
        return None
    if operator in (">", ">="):
        left, right, operator = right, left, operator.replace(">", "<")
    if operator == "<=":
        return True if left <= right else False if left > right else None
    if operator == "<":
        return True if left < right else False if left >= right else None
    apart = bool(left < right) or bool(left > right)
    same = left.is_exact() and right.is_exact() and bool(left == right)
    verdict = False if apart else True if same else None
    return verdict if operator == "==" or verdict is None else not verdict


def _holds_exactly(left: Any, operator: str, right: Any) -> bool:
    return bool(_COMPARE[operator](left, right))


def at_exact_point(point: Mapping[str, Any]) -> dict[str, Any]:
    """Rationals become balls (of radius zero where they are dyadic); ints (counts) and objects stay as they are."""
    return {n: as_ball(v) if isinstance(v, Fraction | float) else v for n, v in point.items()}


def evaluate(
    relation: Relation, point: Mapping[str, Any], constants: Mapping[str, Any], rational: bool = False
) -> tuple[Any, str, Any]:
    """Both sides of a relation at an exact point: in balls, or in rationals where the relation is rational."""
    arguments = dict(point) | dict(constants)
    return call(relation, arguments if rational else at_exact_point(arguments))


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Call a relation (or another function of variables and constants) with those of the named arguments it takes."""
    wanted = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in wanted.values()):
        return function(**arguments)
    return function(**{name: value for name, value in arguments.items() if name in wanted})
