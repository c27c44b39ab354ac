"""The code of a formula: what a report reads of a claim that is no code, as it reads the body of one that is."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from banditproof.theory.numbers.term import Term, children, parts, quantity_named, substituted, total, var
from banditproof.verify.proof.evaluation import FUNCTIONS

_OPERATIONS: Mapping[str, tuple[str, int, tuple[int, int]]] = {  # how it is written, its rank, those of its operands
    "add": ("{} + {}", 1, (1, 2)),
    "sub": ("{} - {}", 1, (1, 2)),
    "mul": ("{} * {}", 3, (3, 4)),
    "pow": ("{}**{}", 5, (6, 5)),
}


def body_of(
    formula: tuple[Term, str, Term], definitions: Mapping[str, Term]
) -> tuple[ast.FunctionDef, Mapping[str, Any]]:
    """A function that assigns the definitions and returns both sides, and what the names in it stand for."""
    left, operator, right = formula
    names = {term: var(name) for name, term in definitions.items()}
    lines = [f"{name} = {_code(substituted(term, _without(names, term)))}" for name, term in definitions.items()]
    sides = [_code(names[side] if side in names else substituted(side, names)) for side in (left, right)]
    source = "\n    ".join(["def relation():", *lines, f"return {sides[0]}, {operator!r}, {sides[1]}"])
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    return function, _scope(left, right)


class _Strokes(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "Fraction" and len(node.args) == 2:
            return ast.BinOp(node.args[0], ast.Div(), node.args[1])
        return node


def with_strokes(node: ast.expr) -> ast.expr:
    """A formula in which exact quotients are written as quotients, for reading."""
    return _Strokes().visit(deepcopy(node))  # type: ignore[no-any-return]


def _without(names: Mapping[Term, Term], term: Term) -> dict[Term, Term]:
    return {t: name for t, name in names.items() if t is not term}


def _scope(*sides: Term) -> dict[str, Any]:
    named = {part.args[0] for side in sides for part in parts(side) if part.op == "quantity"}
    elementary = {name.removesuffix("_"): function for name, function in FUNCTIONS.items()}
    quotient = {"Fraction": elementary["ratio"]}  # a name that no variable has
    return elementary | {name: quantity_named(name) for name in named} | quotient | {"total": total}


def _code(t: Term, needed: int = 0) -> str:
    if t.op == "var":
        return str(t.args[0]).replace("_k", "k", 1) if str(t.args[0]).startswith("_k") else str(t.args[0])
    if t.op == "num":
        return _number(t.args[0], needed)
    if t.op in _OPERATIONS:
        written, rank, needs = _OPERATIONS[t.op]
        text = written.format(*map(_code, t.args, needs))
        return text if rank >= needed else f"({text})"
    if t.op == "neg":
        text = f"-{_code(t.args[0], 3)}"
        return text if needed <= 2 else f"({text})"
    inside = [_code(a) for a in children(t)]
    if t.op == "div":
        return f"Fraction({', '.join(inside)})"
    if t.op == "total":
        bound, (low, _, body) = _code(var(t.args[0])), inside
        return f"total(lambda {bound}: {body}, {low}, {_code(t.args[2] - 1)})"
    if t.op == "where":
        return f"where({inside[0]}, {t.args[0]!r}, {', '.join(inside[1:])})"
    return f"{t.args[0]}({', '.join(inside)})"


def _number(value: Any, needed: int) -> str:
    if isinstance(value, float):
        return f"float({str(value)!r})"
    text = str(value.numerator) if value.denominator == 1 else f"Fraction({value.numerator}, {value.denominator})"
    return f"({text})" if value < 0 and needed > 2 else text
