"""A counterexample's arithmetic line by line: the formulas of its relation and the number that each gives."""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isclose
from typing import Any

from banditproof.claims.report.evidence import (
    ABOUT,
    apart,
    as_float,
    counterexample,
    in_a_row,
    in_brief,
    in_symbols,
    number,
    shortened,
    variable,
)
from banditproof.claims.report.sides import named
from banditproof.claims.report.spoken import body_of, with_strokes
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import exactly, working_precision
from banditproof.theory.numbers.term import Term
from banditproof.verify.proof.compare import at_exact_point, relation_named
from banditproof.verify.proof.evaluation import formula_of, is_ball
from banditproof.verify.proof.evidence import BITS, from_data, to_data
from banditproof.verify.proof.values import NO_VALUE

LONGEST = 240  # signs of a formula
SIDES: tuple[str, str] = ("left", "right")
NUMBER = re.compile(r"-?(?:\d·)?\d+(?:/\d+|\^-?\d+|\.\d+)?")
MIRRORED = str.maketrans("<>", "><")
CLAIMED = {"<=": "at most", "<": "below", ">=": "at least", ">": "above", "==": "", "!=": "different from"}
Told = list[tuple[str, str]]  # names and numbers
Step = tuple[str, ast.expr | None, Any]  # what gets a value, by which formula, and the value


@dataclass(frozen=True)
class Working:
    """How both sides of a counterexample come about.

    Attributes:
        lines: 'formula' and 'number', from the constants to both sides.
        sides: the formulas of both sides, as in the code.
        given: the names of the point's variables.
        known: the other numbers that these formulas may name; ``constants`` are those of the claim.
        scope: what all names in these formulas stand for.
    """

    lines: Sequence[tuple[str, str]]
    sides: tuple[ast.expr, ast.expr]
    given: Collection[str]
    known: Collection[str]
    constants: Mapping[str, str]
    scope: Mapping[str, Any]

    def number(self, node: ast.expr) -> str:
        """The number of a part of a side, in brief; nothing for a variable of the point or what is no number."""
        if isinstance(node, ast.Name) and node.id in {*self.given, *self.constants}:
            return ""
        try:
            with exactly(), working_precision(BITS):
                data = to_data(_value(node, dict(self.scope)))
        except (InvalidInput, ArithmeticError, TypeError):
            return ""
        return "" if as_float(data) is None else in_brief(data)


def working(evidence: Mapping[str, Any], definitions: Mapping[str, Term] | None = None) -> Working | None:
    """The way from the point to both sides; None where the relation cannot be followed or leads elsewhere.

    A formula is told with the names that its `definitions` give to parts of it.
    """
    return _worked(json.dumps(evidence, sort_keys=True), tuple((definitions or {}).items()))


@cache
def _worked(written: str, definitions: tuple[tuple[str, Term], ...]) -> Working | None:
    evidence = json.loads(written)
    given = {**from_data(evidence["point"]), **from_data(evidence["constants"])}
    scope: dict[str, Any] = {}
    try:
        relation = relation_named(evidence["relation"])
        with exactly(), working_precision(BITS):
            exact = given if evidence["rational"] else at_exact_point(given)
            steps = list(_steps(relation, exact, evidence["constants"], scope, dict(definitions)))
    except (InvalidInput, ArithmeticError, OSError):  # unknown here, not decided at this precision, without source
        return None
    *before, left, right = [(None, None, None), (None, None, None), *steps]
    if (left[0], right[0]) != ("left side", "right side") or left[1] is None or right[1] is None:
        return None
    shown = [evidence["left"], evidence["right"]]  # the numbers of the check, which knew how precise to be
    if not all(map(_agree, shown, (left[2], right[2]))):
        return None
    lines = [_line(*step) for step in before[2:]]
    lines += [(_line(*side)[0], number(value)) for side, value in zip((left, right), shown, strict=True)]
    constants = {n: number(to_data(scope[n])) for n in evidence["constants"] if _readable(scope.get(n))}
    constants = {name: value for name, value in constants.items() if NUMBER.fullmatch(value)}
    known = {name for name, value in scope.items() if _readable(value)}
    return Working(lines, (left[1], right[1]), set(evidence["point"]), known, constants, scope)


def _agree(shown: Any, value: Any) -> bool:
    """Whether a number is that of the check, as far as both are numbers."""
    first, second = as_float(shown), as_float(to_data(value))
    return first is None or second is None or first == second or isclose(first, second, rel_tol=1e-6)


def _steps(
    relation: Callable[..., Any],
    given: Mapping[str, Any],
    constants: Collection[str],
    ends: dict[str, Any],
    definitions: Mapping[str, Term],
) -> Iterator[Step]:
    """The constants, what is assigned on the way, and both sides; through a relation that only calls another one.

    `ends` becomes what the names stand for where the sides are returned.
    """
    if (formula := formula_of(relation)) is not None:
        function, around = body_of(formula, definitions)
    else:
        (function,) = ast.parse(textwrap.dedent(inspect.getsource(relation))).body
        around = {**getattr(relation, "__globals__", {}), **inspect.getclosurevars(relation).nonlocals}
    *steps, last = function.body  # type: ignore[attr-defined]
    if not isinstance(last, ast.Return) or any(isinstance(n, ast.Return) for s in steps for n in ast.walk(s)):
        return
    signature = inspect.signature(relation)
    bound = signature.bind(**{name: value for name, value in given.items() if name in signature.parameters})
    bound.apply_defaults()
    yield from ((n, None, v) for n, v in bound.arguments.items() if n in constants and _readable(v))
    scope = {**around, **bound.arguments}
    told: list[Step] = []
    for step in steps:
        exec(compile(ast.Module([step], []), "step", "exec"), scope)
        for target in step.targets if isinstance(step, ast.Assign) else ():
            names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name) and n.id in scope and n.id != "_"]
            formula = step.value if isinstance(step, ast.Assign) and isinstance(target, ast.Name) else None
            told += [(name, formula, scope[name]) for name in names if _readable(scope[name])]
    told = [(name, formula, value) for name, formula, value in told if scope[name] is value]  # not changed since
    yield from told
    ends.clear()
    ends |= scope
    if isinstance(last.value, ast.Tuple) and len(last.value.elts) == 3:
        left, _, right = last.value.elts
        yield "left side", left, _value(left, scope)
        yield "right side", right, _value(right, scope)
    elif isinstance(last.value, ast.Call) and isinstance(last.value.func, ast.Name) and not last.value.keywords:
        other = scope[last.value.func.id]
        values = _value(ast.List(last.value.args, ast.Load()), scope)
        yield from _steps(other, inspect.signature(other).bind(*values).arguments, (), ends, {})


def at_point(evidence: Mapping[str, Any], called: Mapping[str, str]) -> str:
    """Where a relation fails, in the words of the statement: 'k = 2, ε = 3'; what words describe is not shown."""
    point = evidence["point"]
    named = {name: what for name, what in called.items() if _variables(what, point)}
    told = {v for what in named.values() for v in _variables(what, point)}
    described = [name for name, what in named.items() if "," in what or _is_object(point[what])]
    shown = {name: point[what] for name, what in named.items() if name not in described}
    shown |= {variable(v): value for v, value in point.items() if v not in told}
    return ", ".join([*described, *(f"{name} {_equals(in_brief(value))}" for name, value in shown.items())])


def describes(evidence: Mapping[str, Any], called: Mapping[str, str]) -> bool:
    """Whether words stand for a policy, a law or a list of the point, which is written out elsewhere."""
    point = evidence["point"]
    return any(_is_object(point[v]) for what in called.values() for v in _variables(what, point))


def _variables(what: str, point: Mapping[str, Any]) -> list[str]:
    """The variables of the point that a name stands for; none where it stands for something else."""
    names = [name.strip() for name in what.split(",") if name.strip()]
    return names if set(names) <= set(point) else []


def _is_object(value: Any) -> bool:
    """Whether a value of a point is a list or has a name, so that no number stands for it."""
    return isinstance(value, list) or (isinstance(value, str) and as_float(value) is None)


def _equals(text: str) -> str:
    return f"≈ {text.removeprefix(ABOUT)}" if text.startswith(ABOUT) else f"= {text}"


def outcome(evidence: Mapping[str, Any], worked: Working | None, called: Mapping[str, str]) -> str:
    """'M(A) is about 0.0211, but the printed bound is about 0.00544': both sides, and the other numbers that enter.

    They are called as the claim says; otherwise by formulas of the relation, or by their place where it has no names
    for them. A side that is a mere number is said once: 'the width is about -3, not above 0'.
    """
    if evidence.get("no_value"):
        return f"the {_sides_without_value(evidence)} no value: {evidence['no_value']}"
    values = dict(zip(SIDES, apart(evidence["left"], evidence["right"]), strict=True))
    own = {name: what for name, what in called.items() if not _variables(what, evidence["point"])}
    if own:
        told = [(name, values[what] if what in SIDES else _number(worked, what)) for name, what in own.items()]
        sides, others = told[:2], told[2:]
    else:
        sides, others = _by_formula(values, worked)
    (first, is_first), *second = sides
    operator, other = evidence["operator"], values["right"]
    if list(own.values()) == ["right"]:
        operator, other = operator.translate(MIRRORED), values["left"]
    if not second:
        text = f"{first} is {is_first}, " + " ".join(filter(None, ("not", CLAIMED[operator], other)))
    elif second[0][1] == is_first:
        text = f"{first} and {second[0][0]} are both {is_first}"
    else:
        text = f"{first} is {is_first}, but {second[0][0]} is {second[0][1]}"
    where = in_a_row([f"{name} is {value}" for name, value in others])
    return f"{text}, where {where}" if where else text


def _sides_without_value(evidence: Mapping[str, Any]) -> str:
    missing = [f"{side} side" for side in SIDES if evidence[side] == NO_VALUE]
    return f"{' and the '.join(missing)} {'have' if len(missing) > 1 else 'has'}"


def _number(worked: Working | None, formula: str) -> str:
    """The number of a formula in the names of a relation; a question mark where that cannot be followed."""
    return (worked and worked.number(ast.parse(formula, mode="eval").body)) or "?"


def _by_formula(values: Mapping[str, str], worked: Working | None) -> tuple[Told, Told]:
    """Both sides by formulas of the relation or by their place, one where the other is a number, and what enters."""
    sides, used = [], {}
    for k, (place, value) in enumerate(values.items()):
        text, parts = named(worked.sides[k], worked.given, worked.known, worked.constants) if worked else ("", [])
        sides.append((text or f"the {place} side", value))
        used |= dict(parts)
    alone = sides[1][0] == values["right"] or not any(c.isalpha() for c in sides[1][0])
    beside = [(part, value) for part, node in used.items() if worked and (value := worked.number(node))]
    return (sides[:1] if alone else sides), beside


def in_a_sentence(evidence: Mapping[str, Any], called: Mapping[str, str], worked: Working | None = None) -> str:
    """'For k = 2, ε = 3: M(A) is about 0.0211, but the printed bound is about 0.00544'; `found` is its working."""
    where, sides = at_point(evidence, called), outcome(evidence, worked or working(evidence), called)
    return f"For {where}: {sides}" if where else re.sub("^[a-z]", lambda first: first[0].upper(), sides)


def told_at(
    evidence: Mapping[str, Any], called: Mapping[str, str], definitions: Mapping[str, Term] | None = None
) -> dict[str, Any]:
    """What a card shows of a counterexample: the point, both sides, and how they compare."""
    return counterexample(evidence) | {"compared": outcome(evidence, working(evidence, definitions), called)}


def _value(node: ast.expr, scope: dict[str, Any]) -> Any:
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "side", "eval"), scope)


def _readable(value: Any) -> bool:
    return isinstance(value, int | str) or is_ball(value) or hasattr(value, "numerator")


def _line(name: str, node: ast.expr | None, value: Any) -> tuple[str, str]:
    formula = f"{name} = {ast.unparse(with_strokes(node))}" if node is not None else name
    plain = re.sub(r"\b(?:to_ball|as_ball)\((\w+)\)", r"\1", formula)
    plain = re.sub(r"\b[A-Za-z]\w*\b(?!\()|[<>!=]=", lambda name: in_symbols(name[0]), plain)  # not those of functions
    return shortened(plain, LONGEST), number(to_data(value))
