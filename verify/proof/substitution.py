"""Substitutions: a variable with an infinite (or singular) end expressed through a parameter with finite ends.

A proof over the parameter's interval speaks of the variable's whole range only if the formula reaches all of it. That
follows from continuity inside and the two limits at the ends (intermediate values), which are computed symbolically.
"""

from __future__ import annotations

from typing import Any

from banditproof.verify.proof.domain import Interval, as_set
from banditproof.verify.proof.formulas import parsed

Substitution = tuple[str, str, str]  # parameter, its interval, formula of the replaced variable


def gap_in_image(variable: str, values: Any, formula: str, parameter_range: str) -> str | None:
    """Why the formula does not reach the variable's whole range, or None when it does."""
    import sympy

    inner = as_set(parameter_range)
    if not isinstance(inner, Interval) or not isinstance(values, Interval):
        return f"{variable} and its parameter must range over intervals"
    (name,) = sorted(parsed(formula).names)
    parameter = sympy.Symbol(name)
    expression = sympy.sympify(parsed(formula).value({name: parameter}))
    low, high = _number(inner.lower), _number(inner.upper)
    inside = sympy.calculus.util.continuous_domain(expression, parameter, sympy.Interval.open(low, high))
    if inside != sympy.Interval.open(low, high):
        return f"{formula} is not continuous for {parameter} in {parameter_range}"
    ends = sorted((sympy.limit(expression, parameter, low, "+"), sympy.limit(expression, parameter, high, "-")))
    if ends[0] > _number(values.lower) or ends[1] < _number(values.upper):
        return f"{formula} ranges over ({ends[0]}, {ends[1]}), not over {values}"
    return None


def _number(value: Any) -> Any:
    import sympy

    return sympy.oo * (1 if value > 0 else -1) if isinstance(value, float) else sympy.Rational(value)
