"""Which code of a file can run with a policy: what its classes, and the functions that play it, come to by name.

Beside a policy stand other policies, tests and scripts, whose attributes and calls say nothing about it. A class or a
function can run if code that can run mentions it, if an object within reach is one of it, or if a decorator may have
noted it down. Code that looks names up while it runs can come to everything.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy as np

DEFINED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
LOOKING_UP = frozenset(
    "eval exec globals locals vars __dict__ __subclasses__ __init_subclass__ __import__ import_module attrgetter "
    "methodcaller".split()
)
PLAIN_KINDS = frozenset({"ABCMeta", "EnumMeta"})  # metaclasses that note nothing down for the policy
NOTING_NOTHING = frozenset(
    "dataclass property setter getter deleter staticmethod classmethod cache lru_cache cached_property abstractmethod "
    "override overload final wraps contextmanager total_ordering fixture mark parametrize jit njit".split()
)
CHANGING = frozenset("append extend insert add register update setdefault __setitem__".split())
LEAVES = (bool, int, float, complex, str, bytes, type(None), BuiltinFunctionType, ModuleType)
MOST_OBJECTS = 5000  # that are looked at; of more, everything can run


def names_of(code: CodeType) -> Iterator[str]:
    """What a function and those in it mention."""
    yield from code.co_names
    yield from code.co_freevars
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_of(inner)


def reachable(
    trees: Collection[ast.Module], names: Iterable[str], frame: FrameType, files: Collection[str]
) -> tuple[ast.Module, ...]:
    """The trees without what can run neither by these names nor by what the functions of these files hold now."""
    found = _names_held(frame, files)
    return tuple(trees) if found is None else _reachable(tuple(trees), frozenset({*names, *found}))


def _names_held(frame: FrameType | None, files: Collection[str]) -> set[str] | None:
    """The functions under way, the classes of all objects that they hold, and what functions among these mention.

    None for too many objects.
    """
    todo: list[Any] = []
    names: set[str] = set()
    while frame is not None and not _is_ours(frame.f_globals.get("__name__", "")):
        if frame.f_code.co_filename in files:
            names.add(frame.f_code.co_name)
            todo += frame.f_locals.values()
        frame = frame.f_back
    seen: set[int] = set()
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, LEAVES):
            continue
        seen.add(id(thing))
        if len(seen) > MOST_OBJECTS:
            return None
        if isinstance(thing, FunctionType):
            names.update(names_of(thing.__code__))
            todo += [cell.cell_contents for cell in thing.__closure__ or () if cell != type(cell)()]
            continue
        kind = thing if isinstance(thing, type) else type(thing)
        names.update(base.__name__ for base in kind.__mro__)
        if isinstance(thing, MethodType):
            todo += [thing.__self__, thing.__func__]
        elif isinstance(thing, partial):
            todo += [thing.func, *thing.args, *thing.keywords.values()]
        elif isinstance(thing, dict):
            todo += [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple | set | frozenset | deque):
            todo += thing
        elif isinstance(thing, np.ndarray):
            todo += thing.tolist() if thing.dtype == object else []
        elif not isinstance(thing, type) and not _is_ours(kind.__module__):
            todo += [*getattr(thing, "__dict__", {}).values(), *_in_slots(thing)]
    return names


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "banditproof"


def _in_slots(thing: Any) -> Iterator[Any]:
    for kind in type(thing).__mro__:
        for member in vars(kind).values():
            if isinstance(member, MemberDescriptorType) and hasattr(thing, member.__name__):
                yield getattr(thing, member.__name__)


@cache
def _reachable(trees: tuple[ast.Module, ...], names: frozenset[str]) -> tuple[ast.Module, ...]:
    mentioned, waiting = set(names), [piece for tree in trees for piece in _pieces(tree.body)]
    while ready := [piece for piece in waiting if piece.runs(mentioned)]:
        waiting = [piece for piece in waiting if piece not in ready]
        mentioned.update(*(piece.mentions for piece in ready))
        if LOOKING_UP & mentioned or any(piece.looks_up for piece in ready):
            return trees
    dropped = {id(piece.node) for piece in waiting}
    return tuple(ast.Module(_without(tree.body, dropped), []) for tree in trees)


@dataclass(frozen=True, eq=False)
class _Piece:
    """A definition, or a statement beside definitions: by which names it may come to run, and what it mentions."""

    node: ast.stmt
    by: frozenset[str]
    mentions: frozenset[str]
    looks_up: bool
    always: bool

    def runs(self, mentioned: Collection[str]) -> bool:
        return self.always or not self.by.isdisjoint(mentioned)


def _pieces(body: Collection[ast.stmt]) -> Iterator[_Piece]:
    """The definitions of a module, those in functions too, and what gives values to variables beside them."""
    for node in body:
        if isinstance(node, DEFINED):
            noted = any(NOTING_NOTHING.isdisjoint(_mentions(d)) for d in node.decorator_list)
            made_by = [k.value for k in node.keywords if k.arg == "metaclass"] if isinstance(node, ast.ClassDef) else []
            noted |= any(PLAIN_KINDS.isdisjoint(_mentions(kind)) for kind in made_by)
            yield _piece(node, {node.name}, noted)
            if not isinstance(node, ast.ClassDef):
                yield from _pieces(node.body)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield _Piece(node, frozenset({alias.asname or alias.name}), frozenset({alias.name}), False, False)
        else:
            inner = [n for n in ast.walk(node) if isinstance(n, ast.stmt) and n is not node]
            yield from _pieces([n for n in inner if isinstance(n, DEFINED)])
            yield _piece(node, {*_changed_names(node)}, False)


def _piece(node: ast.stmt, by: Collection[str], always: bool) -> _Piece:
    looks_up = any(
        isinstance(n, ast.Call)
        and getattr(n.func, "id", "") in ("getattr", "setattr", "delattr")
        and len(n.args) > 1
        and not isinstance(n.args[1], ast.Constant)
        for n in ast.walk(node)
    )
    return _Piece(node, frozenset(by), _mentions(node), looks_up, always)


def _mentions(node: ast.AST) -> frozenset[str]:
    names = set()
    for n in ast.walk(node):
        match n:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                names.add(name)
            case ast.Constant(value=str(text)) if text.isidentifier():
                names.add(text)
            case ast.FunctionDef(name="__init_subclass__" as name):
                names.add(name)
    return frozenset(names)


def _changed_names(node: ast.stmt) -> Iterator[str]:
    """The variables that a statement gives a value, or whose objects it may change: what calls a method is that too."""
    for n in ast.walk(node):
        match n:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in CHANGING:
                yield name


def _without(body: Collection[ast.stmt], dropped: Collection[int]) -> list[ast.stmt]:
    """The statements without definitions that are dropped; a function around others stays, with what is left in it."""
    kept: list[ast.stmt] = []
    for node in body:
        if not isinstance(node, DEFINED) or id(node) not in dropped:
            kept.append(node)
        elif not isinstance(node, ast.ClassDef):
            inner = [n for n in _without(node.body, dropped) if isinstance(n, DEFINED)]
            kept += inner
    return kept
