"""Checks whose result nobody looks at: a test that only calls `check_privacy` passes, whatever it finds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from banditproof.theory.face import modules_behind

ASSERTED = {
    "check_privacy": "assert_private",
    "audit_private": "assert_private(..., black_box=True)",
    "check_regret": "assert_regret",
    "check_theorem": "assert_regret",
    "check_delta_correct": "assert_delta_correct",
}
EXPECTED = ("raises", "warns")  # what a call inside of such a block is for


def unread(file: Path, module: ModuleType) -> Iterator[tuple[int, str]]:
    """The line of each check in a test file whose result is dropped, or named and never read, and what to write."""
    text = file.read_text(encoding="utf-8")
    if not any(name in text for name in _checks()):  # most files: the others are parsed once more
        return
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            read = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
            for statement in _statements(function):
                if name := _check_in(statement, read, module):
                    passes = '!= "violation"' if name.startswith("audit_") else '== "ok"'  # an audit shows no privacy
                    yield statement.lineno, ASSERTED.get(name, f"assert {name}(...).verdict {passes}")


@cache
def _checks() -> frozenset[str]:
    """The names of `banditproof.verify` that answer with a report."""
    known = modules_behind("banditproof.verify")
    return frozenset(name for name in known if name.startswith(("check_", "audit_", "compare_")))


def _statements(block: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a function, without those of functions in it and those from which an error is expected."""
    for node in ast.iter_child_nodes(block):
        expected = isinstance(node, ast.With) and any(_name(item.context_expr) in EXPECTED for item in node.items)
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) and not expected:
            yield from [node] if isinstance(node, ast.stmt) else []
            yield from _statements(node)


def _check_in(statement: ast.stmt, read: set[str], module: ModuleType) -> str:
    """The name of the check that a statement calls in vain, or nothing."""
    match statement:
        case ast.Expr(value=value) if isinstance(call := _dropped(value), ast.Call):
            pass
        case ast.Assert(test=ast.Compare(left=ast.Call() as call, comparators=[ast.Constant(value=None)])):
            pass
        case ast.Assign(targets=[ast.Name(id=given)], value=ast.Call() as call) if given not in read:
            pass
        case _:
            return ""
    name = _name(call)
    of = getattr(getattr(module, name, None), "__module__", "banditproof.") if isinstance(call.func, ast.Name) else ""
    return name if name in _checks() and (not of or of.startswith("banditproof.")) else ""


def _dropped(value: ast.expr) -> ast.expr:
    """What an expression that nobody keeps is made of: a report whose `ok` is asked, or that is printed."""
    while True:
        match value:
            case ast.Attribute(value=inner) | ast.Call(func=ast.Name(id="print"), args=[inner]):
                value = inner
            case _:
                return value


def _name(call: ast.expr) -> str:
    function = getattr(call, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))
