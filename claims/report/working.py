"""A counterexample's arithmetic line by line: the formulas of its relation and the number that each gives."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

from banditproof.claims.report.evidence import as_float, counterexample, in_symbols, number, rounded, shortened
from banditproof.claims.report.sides import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import exactly, working_precision
from banditproof.verify.proof.compare import at_exact_point, relation_named
from banditproof.verify.proof.evaluation import is_ball
from banditproof.verify.proof.evidence import BITS, from_data, to_data

LONGEST = 240  # signs of a formula
SIDES: tuple[str, str] = ("left side", "right side")
NUMBER = re.compile(r"-?(?:\d·)?\d+(?:/\d+|\^-?\d+)?")
CONTRARY = {"≤": ">", "<": "≥", "≥": "<", ">": "≤", "=": "≠", "≠": "="}
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
        """The number of a part of a side, to six digits; nothing for a variable of the point or what is no number."""
        if isinstance(node, ast.Name) and node.id in {*self.given, *self.constants}:
            return ""
        try:
            with exactly(), working_precision(BITS):
                data = to_data(_value(node, dict(self.scope)))
        except (InvalidInput, ArithmeticError, TypeError):
            return ""
        return "" if as_float(data) is None else rounded(data)


def working(evidence: Mapping[str, Any]) -> Working | None:
    """The way from the point to both sides; None where the relation cannot be followed or leads elsewhere."""
    given = {**from_data(evidence["point"]), **from_data(evidence["constants"])}
    scope: dict[str, Any] = {}
    try:
        relation = relation_named(evidence["relation"])
        with exactly(), working_precision(BITS):
            exact = given if evidence["rational"] else at_exact_point(given)
            steps = list(_steps(relation, exact, evidence["constants"], scope))
    except (InvalidInput, ArithmeticError, OSError):  # unknown here, not decided at this precision, without source
        return None
    *before, left, right = [(None, None, None), (None, None, None), *steps]
    if (left[0], right[0]) != SIDES or left[1] is None or right[1] is None:
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
    relation: Callable[..., Any], given: Mapping[str, Any], constants: Collection[str], ends: dict[str, Any]
) -> Iterator[Step]:
    """The constants, what is assigned on the way, and both sides; through a relation that only calls another one.

    `ends` becomes what the names stand for where the sides are returned.
    """
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(relation))).body
    *steps, last = function.body  # type: ignore[attr-defined]
    if not isinstance(last, ast.Return) or any(isinstance(n, ast.Return) for s in steps for n in ast.walk(s)):
        return
    signature = inspect.signature(relation)
    bound = signature.bind(**{name: value for name, value in given.items() if name in signature.parameters})
    bound.apply_defaults()
    yield from ((n, None, v) for n, v in bound.arguments.items() if n in constants and _readable(v))
    scope = {**getattr(relation, "__globals__", {}), **inspect.getclosurevars(relation).nonlocals, **bound.arguments}
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
        yield SIDES[0], left, _value(left, scope)
        yield SIDES[1], right, _value(right, scope)
    elif isinstance(last.value, ast.Call) and isinstance(last.value.func, ast.Name) and not last.value.keywords:
        other = scope[last.value.func.id]
        values = _value(ast.List(last.value.args, ast.Load()), scope)
        yield from _steps(other, inspect.signature(other).bind(*values).arguments, (), ends)


def compared(found: Working | None, left: str, operator: str, right: str) -> str:
    """'claimed KL of actions ≤ bound, in fact 8.3 > 6.4, with ρ = 20.2': both sides by name, and every number in them.

    Where the relation cannot be followed, or a side has no name, it is called by its place. A side that is a number is
    said once.
    """
    told: list[str] = list(SIDES)
    used: dict[str, ast.expr] = {}
    for k, side in enumerate(found.sides if found else ()):
        text, parts = named(side, found.given, found.known, found.constants)  # type: ignore[union-attr]
        told[k], used = text or told[k], used | dict(parts)
    beside = [f"{part} = {value}" for part, node in used.items() if found and (value := found.number(node))]
    truth = left if told[1] == right else f"{left} {CONTRARY.get(operator, 'and')} {right}"
    text = f"claimed {f' {operator} '.join(told)}, in fact {truth}"
    return f"{text}, with {', '.join(beside)}" if beside else text


def told_at(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """What a card shows of a counterexample: the point, both sides, and how they compare."""
    shown = counterexample(evidence)
    return shown | {"compared": compared(working(evidence), *shown["brief"])}


def _value(node: ast.expr, scope: dict[str, Any]) -> Any:
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "side", "eval"), scope)


def _readable(value: Any) -> bool:
    return isinstance(value, int | str) or is_ball(value) or hasattr(value, "numerator")


def _line(name: str, node: ast.expr | None, value: Any) -> tuple[str, str]:
    formula = f"{name} = {ast.unparse(node)}" if node is not None else name
    plain = re.sub(r"\b(?:to_ball|as_ball)\((\w+)\)", r"\1", formula)
    plain = re.sub(r"\b[A-Za-z]\w*\b(?!\()|[<>!=]=", lambda name: in_symbols(name[0]), plain)  # not those of functions
    return shortened(plain, LONGEST), number(to_data(value))
