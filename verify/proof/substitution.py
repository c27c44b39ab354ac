"""Substitutions: a variable with an infinite (or singular) end expressed through a parameter with finite ends.

A proof over the parameter's interval speaks of the variable's whole range only if the formula reaches all of it. That
follows from continuity inside and the two limits at the ends (intermediate values), which are computed symbolically.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.numbers.term import Term, number, parts, substituted, tidied, var, variables
from banditproof.verify.proof.domain import Domain, Everything, Interval, as_set
from banditproof.verify.proof.evaluation import call, compiled, value_at
from banditproof.verify.proof.parsing import parsed
from banditproof.verify.proof.statement import Statement

STEPS = 20  # rules that a search tries for an identity
Substitution = tuple[str, str, str]  # parameter, its interval, formula of the replaced variable


def bounded(domain: Domain) -> dict[str, Substitution]:
    """Substitutions that put the infinite real ranges of a domain onto bounded ones: low + t/(1 - t), t/(1 - t^2)."""
    made = {}
    for name, s in domain.variables:
        if not isinstance(s, Interval) or s.integer:
            continue
        t = f"{name}_t"
        if s.lower == -inf and s.upper == inf:
            made[name] = (t, "(-1, 1)", f"{t}/(1-{t}**2)")
        elif s.upper == inf:
            made[name] = (t, f"{'(' if s.lower_open else '['}0, 1)", f"({s.lower}) + {t}/(1-{t})")
        elif s.lower == -inf:
            made[name] = (t, f"{'(' if s.upper_open else '['}0, 1)", f"({s.upper}) - {t}/(1-{t})")
    return made


def gap_in_image(variable: str, values: Any, formula: str, parameter_range: str) -> str | None:
    """Why the formula does not reach the variable's whole range, or None when it does."""
    import sympy

    inner = as_set(parameter_range)
    if not isinstance(inner, Interval) or not isinstance(values, Interval):
        return f"{variable} and its parameter must range over intervals"
    (name,) = variables(parsed(formula))
    parameter = sympy.Symbol(name)
    expression = sympy.sympify(value_at(parsed(formula), {name: parameter}))
    low, high = _number(inner.lower), _number(inner.upper)
    try:
        inside = sympy.calculus.util.continuous_domain(expression, parameter, sympy.Interval.open(low, high))
        if inside != sympy.Interval.open(low, high):
            return f"{formula} is not continuous for {parameter} in {parameter_range}"
        ends = sorted((sympy.limit(expression, parameter, low, "+"), sympy.limit(expression, parameter, high, "-")))
    except (NotImplementedError, TypeError, ValueError, AttributeError):
        return f"SymPy finds no limits of {formula} at the ends of {parameter_range}"
    if ends[0] > _number(values.lower) or ends[1] < _number(values.upper):
        return f"{formula} ranges over ({ends[0]}, {ends[1]}), not over {values}"
    return None


def _number(value: Any) -> Any:
    import sympy

    return sympy.oo * (1 if value > 0 else -1) if isinstance(value, float) else sympy.Rational(value)


def in_parameters(statement: Statement, substitutions: Mapping[str, Sequence[str]]) -> Callable[..., Any]:
    """The relation of a statement in its variables and in the parameters of their substitutions.

    A part of the term that is the inverse of a variable's formula, and so has the parameter for its value, becomes the
    parameter: what has a limit at an end of the parameter's interval is bounded there. ``x`` for ``1/u`` may stay
    beside ``u``; both have their values.

    Args:
        statement: what is proved.
        substitutions: variable -> (formula in its parameter, the parameter's interval).
    """
    left, right = tidied(statement.left), tidied(statement.right)
    change: dict[Term, Term] = {}
    for variable, (text, interval) in substitutions.items():
        (parameter,) = variables(parsed(text))
        for part in (*parts(left), *parts(right)):
            if (
                part.op != "var"
                and variables(part) == {variable}
                and _is_inverse(part, statement, variable, text, interval)
            ):
                change[part] = var(parameter)
    given = [n for n, values in statement.domain.variables if not isinstance(values, Everything)]
    names = [*given, *(p for text, _ in substitutions.values() for p in variables(parsed(text)))]
    return compiled(tuple(names), substituted(left, change), statement.operator, substituted(right, change))


def _is_inverse(part: Term, statement: Statement, variable: str, text: str, interval: str) -> bool:
    """Whether a term of one variable is the parameter for all values of it: seen in balls first, then by a tree.

    It has to have a value wherever the variable may be: at the closed ends of its range the parameter's end, between by
    its form.
    """
    (parameter,) = variables(parsed(text))
    values = as_set(interval)
    if not isinstance(values, Interval):
        return False
    function = compiled((variable,), part, "==", part)
    middle = [values.lower + (values.upper - values.lower) * share for share in (Fraction(1, 3), Fraction(3, 5))]
    for value in map(to_ball, middle):
        again = to_ball(call(function, {variable: value_at(parsed(text), {parameter: value})})[0])
        if again.is_nan() or not again.overlaps(value):
            return False
    if not _meets_the_ends(part, statement.domain.sets[variable], variable, values, parsed(text), middle):
        return False
    between = Domain(((parameter, Interval(values.lower, values.upper, True, True)),))
    return _is_shown(Statement(between, substituted(part, {var(variable): parsed(text)}), "==", var(parameter)))


def _is_shown(statement: Statement) -> bool:
    """Whether a tree is found for a statement, and proves it when it is replayed: the search is not trusted."""
    from banditproof.verify.proof.deduce import Stuck, search
    from banditproof.verify.proof.deduction import deduced

    try:
        tree = search(statement, STEPS)
    except Stuck:
        return False
    return not isinstance(deduced(statement, tree), str)


def _meets_the_ends(
    part: Term, own: Any, variable: str, values: Interval, formula: Term, middle: Sequence[Any]
) -> bool:
    """Whether a part, at each closed end of the variable's range, is the parameter there.

    That is the end of the parameter's interval, exactly, or what the formula takes back to the variable's end.
    """
    (parameter,) = variables(formula)
    low, high = (to_ball(value_at(formula, {parameter: to_ball(value)})) for value in middle)
    rises, falls = bool(low < high), bool(low > high)
    if not isinstance(own, Interval) or rises == falls:
        return False
    facing = (values.lower, values.upper) if rises else (values.upper, values.lower)
    ends = [
        (end, its)
        for end, its, is_open in zip((own.lower, own.upper), facing, (own.lower_open, own.upper_open), strict=True)
        if not is_open
    ]
    return all(_is_end(part, variable, end, its) or _leads_back(part, variable, end, formula) for end, its in ends)


def _is_end(part: Term, variable: str, end: Any, parameter: Any) -> bool:
    try:
        value = value_at(part, {variable: end})
    except ArithmeticError:
        return False
    return bool(value == parameter if isinstance(value, int | Fraction) else value == to_ball(parameter))


def _leads_back(part: Term, variable: str, end: Any, formula: Term) -> bool:
    if isinstance(end, float):  # an infinity, which no finite parameter gives
        return False
    (parameter,) = variables(formula)
    value = substituted(part, {var(variable): number(end)})
    return _is_shown(Statement(Domain(()), substituted(formula, {var(parameter): value}), "==", number(end)))
