"""Lines of source: how they are shown, which statements stand on them, and what functions mention."""

from __future__ import annotations

import ast
import linecache
import sysconfig
from collections.abc import Iterator
from functools import cache, lru_cache
from os.path import basename
from types import CodeType

from banditproof import algorithms, theory, verify

LIBRARIES = ("/site-packages/", "/dist-packages/")
ROOTS = (sysconfig.get_paths()["stdlib"], *(room.__path__[0] for room in (theory, algorithms, verify)))
LONGEST_LINE = 100  # characters of a line of source that are shown
PLACES: dict[str, tuple[str, int]] = {}
"""The file and the number of a line that was shown, by its text."""


@lru_cache(4096)
def located(file: str, line: int, function: str) -> str:
    """'policy.py:12 in observe: total = noise.laplace(...)'; a statement on several lines is shown as one."""
    tree, source = parsed(file), linecache.getline(file, line).strip()
    statement = None if tree is None else _statement(tree, line)
    if statement is not None and not hasattr(statement, "body") and statement.end_lineno != statement.lineno:
        lines = linecache.getlines(file)[statement.lineno - 1 : statement.end_lineno]
        source = " ".join(part.strip() for part in lines).replace("( ", "(")
    shown = source if len(source) <= LONGEST_LINE else f"{source[: LONGEST_LINE - 3]}..."
    text = f"{basename(file)}:{line} in {function}: {shown}"
    PLACES[text] = file, line
    return text


@cache
def parsed(file: str) -> ast.Module | None:
    """The syntax tree of a source, a cell of a notebook too; None if it cannot be had."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None


@cache
def _heads(file: str) -> dict[int, list[ast.stmt]]:
    """The statements that a line begins or goes on with, of those that hold others only their heads."""
    lines: dict[int, list[ast.stmt]] = {}
    for node in ast.walk(parsed(file) or ast.Module([], [])):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            first = min(line for n in ast.walk(body[0]) if (line := getattr(n, "lineno", 0))) if body else 0
            last = first - 1 if body else node.end_lineno or 0
            for line in range(node.lineno, max(last, node.lineno) + 1):
                lines.setdefault(line, []).append(node)
    return lines


def statements_on(file: str, line: int) -> list[ast.stmt]:
    """The statements on a line; several where they stand side by side or after a colon."""
    return _heads(file).get(line, [])


def loops_around(file: str, line: int) -> list[int]:
    """The line of the innermost loop around a line of the same function; none where there is no loop."""
    inside: list[tuple[int, bool]] = []
    for n in ast.walk(parsed(file) or ast.Module([], [])):
        if isinstance(n, ast.For | ast.AsyncFor | ast.While | ast.FunctionDef | ast.AsyncFunctionDef):
            if n.lineno < line <= (n.end_lineno or 0):
                inside.append((n.lineno, isinstance(n, ast.For | ast.AsyncFor | ast.While)))
    first, loop = max(inside, default=(0, False))
    return [first] if loop else []


def nodes_of(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement, without the statements in it."""
    todo: list[ast.AST] = [statement]
    for node in todo:
        yield node
        todo += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def _statement(tree: ast.AST, line: int) -> ast.stmt | None:
    """The innermost statement on a line."""
    around = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or n.lineno)]
    return max(around, key=lambda node: node.lineno, default=None)


def is_library(file: str) -> bool:
    """Whether a file belongs to a library, this one included."""
    return file.startswith(ROOTS) or any(name in file for name in LIBRARIES)


def names_of(code: CodeType) -> Iterator[str]:
    """What a function and those in it mention."""
    yield from code.co_names
    yield from code.co_freevars
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_of(inner)
