"""Substitutions: a variable with an infinite (or singular) end expressed through a parameter with finite ends.

A proof over the parameter's interval speaks of the variable's whole range only if the formula reaches all of it. That
follows from continuity inside and the two limits at the ends (intermediate values), which are computed symbolically.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from banditproof.verify.proof.domain import Interval, as_set
from banditproof.verify.proof.formulas import parsed
from banditproof.verify.proof.symbolic import is_zero

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


def misread_parameter(relation: Callable[..., Any], variable: str, formula: str, parameter: str) -> str | None:
    """Why a relation in the parameter may not be the relation in the variable, or None.

    The parameter may stand in one place only, ``name = EXPRESSION if parameter is None else parameter``, where the
    expression is its inverse: then both are the same formula. It may be handed on to another relation by its name.
    """
    import sympy

    function = inspect.unwrap(relation)
    if parameter not in inspect.signature(function).parameters:
        return None
    if variable not in inspect.signature(function).parameters:
        return f"it takes {parameter} and not {variable}"
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == parameter]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(uses) == 1 and isinstance(node.func, ast.Name):
            if any(k.arg == parameter and k.value in uses for k in node.keywords):
                return misread_parameter(function.__globals__[node.func.id], variable, formula, parameter)
    choices = [n for n in ast.walk(tree) if isinstance(n, ast.IfExp) and _is_default(n, parameter)]
    target = [n for n in ast.walk(tree) if isinstance(n, ast.Assign) and n.value in choices]
    reading = 2 if not target or _names(target[0].targets[0]) != {parameter} else len(uses)
    if len(choices) != 1 or len(uses) > reading:
        return f"{parameter} stands outside one '... if {parameter} is None else {parameter}'"
    symbol = sympy.Symbol(parameter, positive=True)
    given = {variable: parsed(formula).value({parameter: symbol})}
    if _names(choices[0].body) - set(function.__globals__) - {variable}:
        return f"what {parameter} stands for depends on more than {variable}"
    inverse = eval(compile(ast.Expression(choices[0].body), parameter, "eval"), function.__globals__, given)
    return None if is_zero(inverse - symbol) else f"{ast.unparse(choices[0].body)} is not {parameter} at {formula}"


def _is_default(node: ast.IfExp, parameter: str) -> bool:
    """Whether a choice is ``... if parameter is None else parameter``."""
    asked = isinstance(node.test, ast.Compare) and ast.unparse(node.test) == f"{parameter} is None"
    return asked and ast.unparse(node.orelse) == parameter


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
