"""A counterexample's arithmetic line by line: the formulas of its relation and the number that each gives."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from banditproof.claims.report.evidence import in_symbols, number, shortened
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.numeric import exactly, working_precision
from banditproof.verify.proof.compare import at_exact_point, relation_named
from banditproof.verify.proof.evaluation import is_ball
from banditproof.verify.proof.evidence import BITS, from_data, to_data

LONGEST = 240  # signs of a formula
RIGHT = "right side"
FUNCTIONS = "sqrt log exp abs min max".split()
NUMBER = re.compile(r"(?:\d·)?\d+(?:\^\d+)?")
FORMULA = re.compile(rf"(?:[\s+*/(),-]|\d+|[^\W\d_]+(?:_\w)?(?!\w|\()|(?:{'|'.join(FUNCTIONS)})(?=\()){{1,60}}")


def working(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Lines 'formula' and 'number' from the point to both sides; none where the relation cannot be followed."""
    given = {**from_data(evidence["point"]), **from_data(evidence["constants"])}
    try:
        relation = relation_named(evidence["relation"])
        with exactly(), working_precision(BITS):
            exact = given if evidence["rational"] else at_exact_point(given)
            lines = list(_lines(relation, exact, evidence["constants"]))
    except (InvalidInput, ArithmeticError, OSError):  # unknown here, not decided at this precision, without source
        return []
    if len(lines) < 2 or not lines[-1][0].startswith(RIGHT):
        return []
    (left, _), (right, _) = lines[-2:]  # their numbers are those of the check, which knew how precise to be
    return [*lines[:-2], (left, number(evidence["left"])), (right, number(evidence["right"]))]


def _lines(
    relation: Callable[..., Any], given: Mapping[str, Any], constants: Collection[str]
) -> Iterator[tuple[str, str]]:
    """The constants, what is assigned on the way, and both sides; through a relation that only calls another one."""
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(relation))).body
    *steps, last = function.body  # type: ignore[attr-defined]
    if not isinstance(last, ast.Return) or any(isinstance(n, ast.Return) for s in steps for n in ast.walk(s)):
        return
    signature = inspect.signature(relation)
    bound = signature.bind(**{name: value for name, value in given.items() if name in signature.parameters})
    bound.apply_defaults()
    yield from (_line(n, v) for n, v in bound.arguments.items() if n in constants and _readable(v))
    scope = {**getattr(relation, "__globals__", {}), **inspect.getclosurevars(relation).nonlocals, **bound.arguments}
    told: list[tuple[str, str, Any]] = []
    for step in steps:
        exec(compile(ast.Module([step], []), "step", "exec"), scope)
        for target in step.targets if isinstance(step, ast.Assign) else ():
            names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name) and n.id in scope and n.id != "_"]
            formula = f" = {ast.unparse(step.value)}" if isinstance(target, ast.Name) else ""
            told += [(name, f"{name}{formula}", scope[name]) for name in names if _readable(scope[name])]
    yield from (_line(line, value) for name, line, value in told if scope[name] is value)  # not changed since
    if isinstance(last.value, ast.Tuple) and len(last.value.elts) == 3:
        left, _, right = last.value.elts
        yield _line(f"left side = {ast.unparse(left)}", _value(left, scope))
        yield _line(f"{RIGHT} = {ast.unparse(right)}", _value(right, scope))
    elif isinstance(last.value, ast.Call) and isinstance(last.value.func, ast.Name) and not last.value.keywords:
        other = scope[last.value.func.id]
        values = _value(ast.List(last.value.args, ast.Load()), scope)
        yield from _lines(other, inspect.signature(other).bind(*values).arguments, ())


def claimed(lines: Sequence[tuple[str, str]], operator: str, given: Collection[str]) -> str:
    """'1 - (1 - δ)^n ≤ ε': the two formulas of a working, 'left side' or 'right side' for one that is not plain.

    Plain is a short formula of the names in `given` and of what such formulas define; constants are shown by values.
    """
    constants = {name: value for name, value in lines if name.isalpha() and NUMBER.fullmatch(value)}
    known, sides = {*given, *FUNCTIONS}, ["left side", RIGHT]

    def plain(formula: str) -> bool:
        return bool(FORMULA.fullmatch(formula)) and known >= set(re.findall(r"[^\W\d]\w*", formula))

    for k, (line, _) in enumerate(lines, 2 - len(lines)):
        name, _, formula = line.partition(" = ")
        formula = re.sub(r"\b[A-Za-z]+\b", lambda word: constants.get(word[0], word[0]), formula)
        if not plain(formula):
            continue
        known.add(name)
        if k >= 0:
            formula = re.sub(r"\((\w+) \+ 0\)| \+ 0\b(?! [*/])", r"\1", formula)
            formula = formula.replace(" ** ", "^").replace(" * ", "·").replace(" / ", "/")
            formula = formula.replace("sqrt(", "√(")
            sides[k] = re.sub(r"(?<![\w.^])1·|/1(?![\w.^])", "", formula)
    return f" {operator} ".join(sides)


def _value(node: ast.expr, scope: dict[str, Any]) -> Any:
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "side", "eval"), scope)


def _readable(value: Any) -> bool:
    return isinstance(value, int | str) or is_ball(value) or hasattr(value, "numerator")


def _line(formula: str, value: Any) -> tuple[str, str]:
    plain = re.sub(r"\b(?:to_ball|as_ball)\((\w+)\)", r"\1", formula)
    plain = re.sub(r"\b[A-Za-z]\w*\b(?!\()|[<>!=]=", lambda name: in_symbols(name[0]), plain)  # not those of functions
    return shortened(plain, LONGEST), number(to_data(value))
