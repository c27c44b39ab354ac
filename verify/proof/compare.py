"""Comparing two sides of a relation with certainty, and evaluating relations at exact points.

A *relation* is a module-level function of the domain's variables and the claim's constants, all by name, that returns
``(left side, operator, right side)``. It is known to evidence by ``module:name``, so that whoever re-checks evidence
evaluates the formula itself and not a copy.
"""

from __future__ import annotations

import inspect
import json
import math
import operator as operators
import sys
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from keyword import iskeyword
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput, close_to
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.numbers.term import NAME, NoTerm, from_nodes, to_nodes, variables
from banditproof.verify.proof.evaluation import call, compiled, formula_of, is_ball

Relation = Callable[..., Any]
MACHINERY = tuple(f"banditproof.{room}" for room in ("theory", "verify", "algorithms", "claims"))

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operators.lt,
    "<=": operators.le,
    "==": operators.eq,
    ">=": operators.ge,
    ">": operators.gt,
    "!=": operators.ne,
}


OPERATORS = tuple(_COMPARE)
NAMED = "term:"  # the name of a formula in evidence is the formula itself
MOST_CHARACTERS = 200_000  # of it, from whoever hands it in

_KNOWN: dict[str, Relation] = {}
_TRUSTED: set[str] = set()


def trust(module: str) -> None:
    """Let evidence name functions of a module (or of a package and what is below it)."""
    _TRUSTED.add(module)


def relation_name(relation: Relation) -> str:
    """``module:function`` of a relation, or its term; a function must be importable, or nobody could re-check it."""
    if (formula := name_of_formula(relation)) is not None:
        return formula
    name = f"{relation.__module__}:{relation.__qualname__}"
    if "<" in name:
        raise InvalidInput("relation", name, "a module-level function")
    _KNOWN[name] = relation
    return name


def relation_named(name: str) -> Relation:
    """The function that evidence names: one that this process named itself, or a function of a trusted module.

    Evidence may come from strangers, so a name never imports anything: the module must be loaded, trusted, and the one
    that defines the function. Raises InvalidInput otherwise.
    """
    if name.startswith(NAMED):
        return formula_named(name)
    if name in _KNOWN:
        return _KNOWN[name]
    module, _, attribute = name.partition(":")
    trusted = any(module == m or module.startswith(f"{m}.") for m in _TRUSTED)
    relation = getattr(sys.modules.get(module), attribute, None) if trusted else None
    if not callable(relation) or isinstance(relation, type) or relation.__module__ != module:
        raise InvalidInput("name in evidence", name[:200], "a function of a registered document")
    return relation


def name_of_formula(relation: Callable[..., Any]) -> str | None:
    """How evidence names a relation that is compiled from its term: by the term; None for a program."""
    if (formula := formula_of(relation)) is None:
        return None
    left, operator, right = formula
    nodes, ends = to_nodes([left, right])
    data = {"of": list(inspect.signature(relation).parameters), "nodes": nodes, "sides": ends, "operator": operator}
    return NAMED + json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def formula_named(name: str) -> Callable[..., Any]:
    """The relation whose term a name of evidence is. Raises InvalidInput for what is none."""
    refused = InvalidInput("formula in evidence", name[:100], "a term: names, nodes, two sides and an operator")
    if len(name) > MOST_CHARACTERS:
        raise refused
    try:
        data = json.loads(name.removeprefix(NAMED))
        names, operator = data["of"], data["operator"]
        left, right = from_nodes(data["nodes"], data["sides"])
        good = all(type(n) is str and NAME.fullmatch(n) and not iskeyword(n) for n in names)
        good = good and len(set(names)) == len(names) and operator in OPERATORS
    except (KeyError, TypeError, ValueError, IndexError, RecursionError, NoTerm) as error:
        raise refused from error
    if not good or not variables(left) | variables(right) <= set(names):
        raise refused
    return compiled(tuple(names), left, operator, right)


def as_ball(value: Any) -> Any:
    return value if is_ball(value) else to_ball(value)


def is_number(text: str) -> bool:
    """Whether a text reads as a number, in whichever way numbers are written."""
    try:
        return all(float(part) == float(part) for part in text.split("/", 1))
    except ValueError:
        return False


def holds(left: Any, operator: str, right: Any) -> bool | None:
    """Whether ``left operator right`` is certainly true, certainly false, or neither (None).

    Rationals are compared exactly; as soon as a ball is involved the comparison must hold for all its points.
    """
    if type(operator) is not str or operator not in _COMPARE:
        raise InvalidInput("operator of a relation", repr(operator)[:100], f"one of {' '.join(_COMPARE)}")
    if isinstance(left, tuple | list) or isinstance(right, tuple | list):
        return _holds_entry_by_entry(left, operator, right)
    left, right = _side(left), _side(right)
    if isinstance(left, str) or isinstance(right, str):
        if operator not in ("==", "!=") or type(left) is not type(right):
            allowed = "texts compared with other texts by == or !="
            raise InvalidInput("sides of a relation", f"{left!r} {operator} {right!r}"[:100], allowed)
    if (left is None) is not (right is None):
        raise InvalidInput(
            "sides of a relation", f"{left!r} {operator} {right!r}"[:100], "two values, or None on both sides"
        )
    if not (is_ball(left) or is_ball(right)):
        return bool(_COMPARE[operator](left, right))
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


def decided(left: Any, operator: str, right: Any) -> bool:
    """Whether ``left operator right``; ArithmeticError where balls leave it open. For branches of relations."""
    verdict = holds(left, operator, right)
    if verdict is None:
        raise ArithmeticError(f"{left} {operator} {right} is within rounding")
    return verdict


def _holds_entry_by_entry(left: Any, operator: str, right: Any) -> bool | None:
    """Tuples are equal where they are as long as each other and all their entries are."""
    if operator not in ("==", "!=") or not isinstance(left, tuple | list) or not isinstance(right, tuple | list):
        raise InvalidInput(
            "sides of a relation", f"{left!r} {operator} {right!r}"[:100], "tuples compared with == or !="
        )
    equalities = [holds(a, "==", b) for a, b in zip(left, right, strict=False)] + [len(left) == len(right)]
    equal = False if False in equalities else None if None in equalities else True
    return equal if operator == "==" or equal is None else not equal


def _side(value: Any) -> Any:
    """A side that can be compared with certainty: an exact number, a ball, an infinity, a name or a truth value.

    Floats are rounded, numbers of other libraries too, and a nan compares with nothing.
    """
    if isinstance(value, np.bool_ | np.integer):
        value = value.item()
    infinite = isinstance(value, float) and math.isinf(value)
    if value is None or infinite or is_ball(value) or type(value) in (bool, int, Fraction):
        return value
    if type(value) is str and not is_number(value):
        return value
    if isinstance(value, dict):
        return {_entry(key): _entry(entry) for key, entry in value.items()}
    if isinstance(value, set | frozenset):
        return frozenset(map(_entry, value))
    allowed = "an int, a Fraction, a ball or an infinity: floats are rounded (divide counts as Fractions or balls)"
    if type(value) is str:
        allowed = "a number: a text that looks like a number is compared letter by letter"
    raise InvalidInput("side of a relation", repr(value)[:100], allowed)


def _entry(value: Any) -> Any:
    """What stands in a set or a law: a side, or a tuple of such; balls cannot be told apart there."""
    entry = tuple(map(_entry, value)) if isinstance(value, tuple) else _side(value)
    if is_ball(entry):
        raise InvalidInput(
            "entry of a side", repr(value)[:100], "an exact number: the equality of balls is never certain"
        )
    return entry


def at_exact_point(point: Mapping[str, Any]) -> dict[str, Any]:
    """Rationals become balls (of radius zero where they are dyadic); ints (counts) and objects stay as they are."""
    return {n: as_ball(v) if isinstance(v, Fraction | float) else v for n, v in point.items()}


def fits(
    relation: Relation,
    domain: Any,
    constants: Mapping[str, Any],
    replaced: Mapping[str, str] | None = None,
    every: bool = True,
) -> None:
    """Raise InvalidInput unless a relation takes every number of a domain, and nothing that nobody would pass.

    Its optional parameters are constants, described objects, or the parameter of a substitution that `replaced` maps to
    the variable it stands for. A constant named like a variable would take the variable's place. Without `every`, it
    may leave variables out: what holds without them holds for all of them.
    """
    name = getattr(relation, "__name__", str(relation))
    clash = sorted(set(constants) & set(domain.sets))
    if clash:
        raise InvalidInput(f"constant of {name}", clash[0], "a name that is not a variable of the domain")
    parameters = parameters_of(relation)
    loose = [p.name for p in parameters.values() if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if loose:
        raise InvalidInput(f"parameter of {name}", f"*{loose[0]}", "variables and constants by name")
    replaced = dict(replaced or {})
    taken = {*parameters, *(variable for parameter, variable in replaced.items() if parameter in parameters)}
    missing = [n for n, values in domain.variables if hasattr(values, "ends") and n not in taken]
    if missing and every:
        raise InvalidInput(
            f"parameters of {name}", ", ".join(parameters), f"the variable {missing[0]} of the domain too"
        )
    known = {*domain.sets, *constants, *replaced}
    optional = [p for p in parameters.values() if p.default is not p.empty and p.kind is not p.KEYWORD_ONLY]
    stray = [p.name for p in optional if p.name not in known]
    if stray:
        raise InvalidInput(f"parameter of {name}", stray[0], f"one of {', '.join(sorted(known))}")


@lru_cache(8192)
def parameters_of(relation: Relation) -> Mapping[str, inspect.Parameter]:
    """Those of its signature, which every one of thousands of points asks for."""
    return inspect.signature(relation).parameters


def only_variables(names: Iterable[str], domain: Any, relation: Relation) -> None:
    """Raise InvalidInput where a point names what is no variable, or a parameter that has a value by itself.

    Parameters without one, such as those of a described policy, a point has to give; it speaks of that choice alone.
    """
    parameters = parameters_of(relation)
    given = {n for n, p in parameters.items() if p.default is p.empty}
    stray = [n for n in names if n not in domain.sets and n not in given]
    if stray:
        known = f"a variable of the domain: {', '.join(domain.sets)}"
        raise InvalidInput("name at a point", stray[0], known, close_to(stray[0], domain.sets))


def chosen_by_hand(names: Iterable[str], domain: Any) -> str:
    """What a point gives besides the variables, in words."""
    stray = [name for name in names if name not in domain.sets]
    return f"{', '.join(stray)} as chosen" if stray else ""


def numbers_by_default(relation: Relation) -> list[str]:
    """The keyword-only parameters that are numbers where nobody gives them: no variables, and no constants."""
    parameters = parameters_of(relation).values()
    numbers = int | float | Fraction
    return [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and isinstance(p.default, numbers)]


def evaluate(
    relation: Relation, point: Mapping[str, Any], constants: Mapping[str, Any], rational: bool = False
) -> tuple[Any, str, Any]:
    """Both sides of a relation at an exact point: in balls, or in rationals where the relation is rational."""
    arguments = dict(point) | dict(constants)
    sides: object = call(relation, arguments if rational else at_exact_point(arguments))
    if not isinstance(sides, tuple) or len(sides) != 3:
        raise InvalidInput("what the body returns", sides, "(left side, sign, right side)")
    return sides
