"""The syntax of a function: its source, the names that it binds, and what an assignment gives to which."""

from __future__ import annotations
import __future__

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from types import CodeType
from typing import Any

from banditproof.verify.proof.compare import MACHINERY

CACHE = type(lru_cache(abs))


@lru_cache(4096)
def source(function: Callable[..., Any]) -> ast.FunctionDef | str:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return f"the source of {getattr(function, '__name__', function)} cannot be read"
    code = getattr(inspect.unwrap(function), "__code__", None)
    if not isinstance(tree, ast.FunctionDef) or not code or tree.name != code.co_name:  # it may be a lambda in that one
        return f"{function.__name__} is not a plain function"
    return tree if code in _codes(code.co_filename) else f"the source of {function.__name__} is not what runs"


def is_hidden(function: Any) -> bool:
    """Whether something stands around a function that may give other values: neither a cache nor the machinery's own.

    What is read is the function within.
    """
    while hasattr(function, "__wrapped__"):
        home = str(getattr(function, "__globals__", {}).get("__name__", ""))
        if not isinstance(function, CACHE) and not home.startswith(MACHINERY):
            return True
        function = function.__wrapped__
    return False


@lru_cache(256)
def _codes(file: str) -> frozenset[CodeType]:
    """The code of all functions of a file, from its source."""
    found: set[CodeType] = set()
    todo = [compile("".join(linecache.getlines(file)), file, "exec", dont_inherit=True)]
    while todo:
        within = [c for c in todo.pop().co_consts if isinstance(c, CodeType)]
        found.update(within)
        todo += within
    return frozenset(found)


def compiled(tree: ast.FunctionDef, like: CodeType) -> CodeType:
    """A function's code from its source; what it takes from around it, as the code that runs does, it takes there."""
    around = ast.parse(f"def around({', '.join(like.co_freevars)}): pass")
    around.body[0].body = [tree]  # type: ignore[attr-defined]
    code = compile(
        ast.fix_missing_locations(around),
        like.co_filename,
        "exec",
        like.co_flags & __future__.annotations.compiler_flag,
        dont_inherit=True,
    )
    for name in ("around", tree.name):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)
    return code


@lru_cache(4096)
def local_imports(function: Callable[..., Any]) -> dict[str, Any]:
    """What a function imports itself, by the names it gives."""
    tree, found = source(inspect.unwrap(function)), {}
    for node in ast.walk(tree) if not isinstance(tree, str) else ():
        if isinstance(node, ast.Import):
            found |= {a.asname or a.name.partition(".")[0]: import_module(a.name) for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = import_module(node.module)
            found |= {a.asname or a.name: getattr(module, a.name, None) for a in node.names}
    return found


@lru_cache(4096)
def bound_within(function: Callable[..., Any]) -> frozenset[str]:
    """The names that a function, or one within it, binds itself."""
    tree = source(inspect.unwrap(function))
    nodes = [] if isinstance(tree, str) else list(ast.walk(tree))
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(stored | {n.arg for n in nodes if isinstance(n, ast.arg)})


def names(target: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}


def roots(target: ast.expr) -> set[str]:
    """The names of the objects into which an assignment writes."""
    if isinstance(target, ast.Tuple | ast.List):
        return set().union(*map(roots, target.elts))
    while isinstance(target, ast.Attribute | ast.Subscript | ast.Starred):
        target = target.value
    return names(target)


def pairs(target: ast.expr, value: ast.expr | None) -> list[tuple[set[str], ast.expr | None]]:
    """The names that an assignment binds, with what it gives each: entry by entry where both sides are tuples."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        if not any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts)):
            return [(names(t), v) for t, v in zip(target.elts, value.elts, strict=True)]
    return [(names(target), value)]


def parameters(arguments: ast.arguments) -> set[str]:
    return {node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg)}


def asks_for_none(node: ast.AST) -> bool:
    """``y is None``: whether a parameter was given, which no ball decides."""
    if not isinstance(node, ast.Compare) or any(not isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
        return False
    return any(isinstance(side, ast.Constant) and side.value is None for side in [node.left, *node.comparators])


def any_entry(value: Any, asked: Callable[[ast.AST], bool]) -> bool:
    """Whether something holds of an argument, or of one that is unpacked into it."""
    values = value if isinstance(value, tuple) else value.values() if isinstance(value, dict) else (value,)
    return any(isinstance(v, ast.AST) and asked(v) for v in values)
