"""Lines of source: how they are shown, and from which ones a release has its value, its sensitivity or its budget."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import cache, lru_cache
from os.path import basename

LONGEST_LINE = 100  # characters of a line of source that are shown
MOST = 3  # lines that are told besides that of the release
ASKED = {  # the arguments of a release that a cause is about; "value" is the first one
    "sensitivity": ("value", "sensitivity"),
    "records": ("value", "records"),
    "budget": ("budget",),
    "declaration": ("budget", "sensitivity", "records"),
    "noise": ("mechanism",),
}
BUILDING = "__init__"
_Definition = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.For
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_PLAIN = ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.List | ast.Tuple | ast.Constant | ast.Starred


@lru_cache(4096)
def located(file: str, line: int, function: str) -> str:
    """'policy.py:12 in observe: total = noise.laplace(...)'; a statement on several lines is shown as one."""
    tree, source = parsed(file), linecache.getline(file, line).strip()
    statement = None if tree is None else _statement(tree, line)
    if statement is not None and not hasattr(statement, "body") and statement.end_lineno != statement.lineno:
        lines = linecache.getlines(file)[statement.lineno - 1 : statement.end_lineno]
        source = " ".join(part.strip() for part in lines).replace("( ", "(")
    shown = source if len(source) <= LONGEST_LINE else f"{source[: LONGEST_LINE - 3]}..."
    return f"{basename(file)}:{line} in {function}: {shown}"


@cache
def parsed(file: str) -> ast.Module | None:
    """The syntax tree of a source, a cell of a notebook too; None if it cannot be had."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None


@lru_cache(4096)
def told(file: str, line: int, function: str, cause: str) -> str:
    """The line of a release, and 'from' those that make the arguments which a cause is about, if it makes them itself.

    They are read off the source: what a local name was assigned to last, where an attribute of that name is assigned
    outside of `__init__`, and what a function of the file returns.
    """
    tree = parsed(file)
    call = None if tree is None else _release(tree, line)
    lines = [] if tree is None or call is None else _Source(tree).feeding(call, ASKED.get(cause, ()))
    places = [(file, node.lineno, owner) for node, owner in lines if node.lineno != line]
    return "\n  from ".join(located(*place) for place in dict.fromkeys([(file, line, function), *places]))


def _statement(tree: ast.AST, line: int) -> ast.stmt | None:
    """The innermost statement on a line."""
    around = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or n.lineno)]
    return max(around, key=lambda node: node.lineno, default=None)


def _release(tree: ast.AST, line: int) -> ast.Call | None:
    """The call on a line that says its budget."""
    calls = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.lineno <= line <= (n.end_lineno or n.lineno))
    return next((c for c in calls if any(k.arg == "budget" for k in c.keywords)), None)


class _Source:
    """The definitions of a file: by name, a local one's with its function, an attribute's whosever it is."""

    def __init__(self, tree: ast.Module) -> None:
        self.definitions: list[tuple[str, _Definition, str]] = []  # name, statement, function
        todo: list[tuple[ast.AST, str]] = [(tree, "<module>")]
        for node, owner in todo:
            if isinstance(node, ast.Return):
                self.definitions.append((f"{owner}()", node, owner))
            elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self.definitions += [(name, node, owner) for target in targets for name in _assigned(target)]
            inside = node.name if isinstance(node, _Function) else owner
            todo += [(child, inside) for child in ast.iter_child_nodes(node)]
        functions = (n for n in ast.walk(tree) if isinstance(n, _Function))
        self.of_line = {line: f.name for f in functions for line in range(f.lineno, (f.end_lineno or f.lineno) + 1)}

    def feeding(self, call: ast.Call, arguments: tuple[str, ...]) -> list[tuple[_Definition, str]]:
        """The statements that make the arguments of a call, nearest first; further ones where a value is passed on."""
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        given |= {"value": call.args[0]} if call.args else {}
        owner = self.of_line.get(call.lineno, "<module>")
        todo = [(given[name], call.lineno, owner, name == "value") for name in arguments if name in given]
        lines: list[tuple[_Definition, str]] = []
        for expression, before, where, summed in todo:
            for name in _read(expression):
                for statement, place in self._definitions(name, before, where, summed):
                    if (statement, place) in lines:
                        continue
                    value = statement.iter if isinstance(statement, ast.For) else statement.value
                    if place != "<module>":
                        lines.append((statement, place))
                    if value is not None and not isinstance(statement, ast.AugAssign) and _passes_on(value):
                        todo.append((value, statement.lineno, place, summed))
        return lines[:MOST]

    def _definitions(self, name: str, before: int, where: str, summed: bool) -> list[tuple[_Definition, str]]:
        """Where a name gets what is read at a line; of an attribute that is summed up, not where it begins again."""
        those = [(statement, owner) for key, statement, owner in self.definitions if key == name]
        if name.startswith("."):
            returned = [(s, owner) for key, s, owner in self.definitions if key == f"{name[1:]}()"]
            late = [(s, owner) for s, owner in those if owner != BUILDING and not (summed and _is_reset(s))]
            late.sort(key=lambda pair: (pair[1] != where, -pair[0].lineno))
            return late[:2] or returned[:2] or those[:1]
        local = [(s, owner) for s, owner in those if owner == where and s.lineno < before]
        module = [(s, owner) for s, owner in those if owner == "<module>"]
        return local[-1:] or [(s, owner) for key, s, owner in self.definitions if key == f"{name}()"][:2] or module[:1]


def _assigned(target: ast.expr) -> Iterator[str]:
    """The names that an assignment sets, attributes with a dot before them."""
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(attr=name):
            yield f".{name}"
        case ast.Subscript(value=value) | ast.Starred(value=value):
            yield from _assigned(value)
        case ast.Tuple(elts=several) | ast.List(elts=several):
            for each in several:
                yield from _assigned(each)


def _read(expression: ast.AST) -> Iterator[str]:
    """The names that an expression reads, attributes with a dot before them; indices are left out."""
    match expression:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(attr=name, value=value):
            yield from _read(value) if not isinstance(value, ast.Name | ast.Attribute) else ()
            yield f".{name}"
        case ast.Subscript(value=value):
            yield from _read(value)
        case _:
            for child in ast.iter_child_nodes(expression):
                yield from _read(child)


def _passes_on(value: ast.expr) -> bool:
    """Whether an expression computes nothing: `np.array([x.sum])`."""
    return all(isinstance(node, _PLAIN) for node in ast.walk(value) if isinstance(node, ast.expr))


def _is_reset(statement: _Definition) -> bool:
    """Whether a statement assigns a constant."""
    if isinstance(statement, ast.AugAssign | ast.For) or statement.value is None:
        return False
    calls = [node for node in ast.walk(statement.value) if isinstance(node, ast.Call)]
    called = {part for call in calls for part in ast.walk(call.func)}
    return not any(isinstance(node, ast.Name | ast.Attribute) for node in {*ast.walk(statement.value)} - called)
