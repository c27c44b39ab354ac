"""Which code of a file can run with a policy: what its classes, and the functions that play it, come to by name.

Beside a policy stand other policies, tests and scripts, whose attributes and calls say nothing about it. A class or a
function can run if code that can run mentions it, if an object within reach is one of it, or if a decorator may have
noted it down. Code that looks names up while it runs can come to everything.
"""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from types import BuiltinFunctionType, FrameType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, TypeGuard

import numpy as np

from banditproof.verify.source_lines import names_of

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


def reachable(
    trees: Collection[ast.Module], names: Iterable[str], frame: FrameType, files: Collection[str]
) -> tuple[ast.Module, ...]:
    """The trees without what can run neither by these names nor by what the functions of these files hold now."""
    kinds: set[type] = set()
    found = _names_held(frame, files, kinds)
    if found is None:
        return tuple(trees)
    noted = tuple(sorted(_noted_by(trees, frame.f_globals).items()))
    return _unshadowed(_reachable(tuple(trees), frozenset({*names, *found}), noted), frozenset(kinds))


def _noted_by(trees: Collection[ast.Module], module: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """The decorators that are functions, by name, and the globals where they may note down what they decorate."""
    noted = {}
    nodes = (n for tree in trees for n in ast.walk(tree) if isinstance(n, DEFINED))
    for name in {_decorator(d) for n in nodes for d in n.decorator_list}:
        todo, seen = [module.get(name)], set[str]()
        while todo and isinstance(function := todo[-1], FunctionType):
            todo.pop()
            new = [n for n in names_of(function.__code__) if n in function.__globals__ and n not in seen]
            seen.update(new)
            todo += [value for n in new if isinstance(value := function.__globals__[n], FunctionType)]
        if not todo:
            noted[name] = frozenset(seen)
    return noted


def _decorator(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return getattr(called, "id", "")


def _unshadowed(trees: tuple[ast.Module, ...], kinds: frozenset[type]) -> tuple[ast.Module, ...]:
    """The trees without methods that the classes of all objects within reach override, and that nothing calls by class.

    That holds for classes that nothing mentions but as the base of another one: no object is of them alone.
    """
    nodes = [node for tree in trees for node in ast.walk(tree)]
    classes = Counter(n.name for n in nodes if isinstance(n, ast.ClassDef))
    bases = {id(b) for n in nodes if isinstance(n, ast.ClassDef) for b in n.bases}
    mentioned = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in bases}
    by_class = {n.attr for n in nodes if isinstance(n, ast.Attribute) and not _is_of_object(n.value, classes)}
    dropped: set[int] = set()
    held = {kind.__name__ for kind in kinds}
    for node in nodes:
        if not isinstance(node, ast.ClassDef) or classes[node.name] > 1 or node.name in mentioned | held:
            continue
        below = [kind for kind in kinds if node.name in {base.__name__ for base in kind.__mro__}]
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and below and member.name not in by_class:
                owners = (next((b for b in kind.__mro__ if member.name in vars(b)), kind) for kind in below)
                if all(owner.__name__ != node.name for owner in owners):
                    dropped.add(id(member))
    return tuple(ast.Module(_without_members(tree.body, dropped), []) for tree in trees) if dropped else trees


def _is_of_object(node: ast.expr, classes: Collection[str]) -> bool:
    """Whether an attribute is one of an object, and not of a class or of `super()`."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") not in ("super", "type")
    return not (isinstance(node, ast.Name) and node.id in classes)


def _without_members(body: Collection[ast.stmt], dropped: Collection[int]) -> list[ast.stmt]:
    kept: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.ClassDef) and any(id(member) in dropped for member in node.body):
            left = [member for member in node.body if id(member) not in dropped] or [ast.Pass()]
            kept.append(ast.copy_location(ast.ClassDef(node.name, node.bases, node.keywords, left, []), node))
        else:
            kept.append(node)
    return kept


def _names_held(frame: FrameType | None, files: Collection[str], kinds: set[type]) -> set[str] | None:
    """The functions under way, the classes of all objects that they hold, and what functions among these mention.

    None for too many objects. The classes themselves are added to `kinds`.
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
        kinds.add(kind)
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
def _reachable(
    trees: tuple[ast.Module, ...], names: frozenset[str], noted: tuple[tuple[str, frozenset[str]], ...]
) -> tuple[ast.Module, ...]:
    mentioned, waiting = set(names), [piece for tree in trees for piece in _pieces(tree.body, dict(noted))]
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


def _pieces(body: Collection[ast.stmt], known: Mapping[str, frozenset[str]]) -> Iterator[_Piece]:
    """The definitions of a module, those in functions too, and what gives values to variables beside them.

    Decorators that are `known` note down what they decorate in globals alone.
    """
    for node in body:
        if isinstance(node, DEFINED):
            places = {_decorator(d) for d in node.decorator_list} & known.keys()
            others = [d for d in node.decorator_list if _decorator(d) not in places]
            noted = any(NOTING_NOTHING.isdisjoint(_mentions(d)) for d in others)
            made_by = [k.value for k in node.keywords if k.arg == "metaclass"] if isinstance(node, ast.ClassDef) else []
            noted |= any(PLAIN_KINDS.isdisjoint(_mentions(kind)) for kind in made_by)
            piece = _piece(node, {node.name, *(name for place in places for name in known[place])}, noted)
            yield replace(piece, mentions=piece.mentions - places)
            if not isinstance(node, ast.ClassDef):
                yield from _pieces(node.body, known)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield _Piece(node, frozenset({alias.asname or alias.name}), frozenset({alias.name}), False, False)
        else:
            inner = [n for n in ast.walk(node) if isinstance(n, ast.stmt) and n is not node]
            yield from _pieces([n for n in inner if isinstance(n, DEFINED)], known)
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
    names, given = set(), {id(n.func.value) for n in ast.walk(node) if _gives_attributes(n)}
    for n in ast.walk(node):
        match n:
            case _ if id(n) in given:
                pass
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                names.add(name)
            case ast.Constant(value=str(text)) if text.isidentifier():
                names.add(text)
            case ast.FunctionDef(name="__init_subclass__" as name):
                names.add(name)
    return frozenset(names)


def _gives_attributes(node: ast.AST) -> TypeGuard[Any]:
    """Whether an object is given attributes by their names, as in `self.__dict__.update(options)`: nothing looks up."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="__dict__"), attr="update")):
            return True
    return False


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
