"""Which conditions are settled before a run begins? Options, kinds of arguments, arguments left to their defaults.

What such a condition excludes is no dead branch of this policy: no rewards could take it there. A condition is settled
if it is made of constants, globals and attributes that nothing changes after the policy is built, items of dictionaries
that nothing changes, parameters that every call leaves to their default and that are read before they are set, and of
questions for the kind of a value. So is a pattern of such values.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum, EnumMeta
from functools import cache
from inspect import getattr_static
from types import FrameType, MappingProxyType, MemberDescriptorType
from typing import Any

from banditproof.theory.privacy.budget import Budget

KINDS = ("ndim", "shape", "dtype")
ASKING = ("isinstance", "hasattr", "callable")
BUILDING = ("__init__", "__post_init__", "__new__")
PLAIN = frozenset("bool int float str max min len abs round tuple dict sqrt log exp ceil".split())
BY_NAME = ("setattr", "vars", "__dict__", "__setattr__", "exec", "eval")  # what is changed so, nobody sees
CHANGING = frozenset("update pop popitem clear setdefault __setitem__ __delitem__ __ior__".split())
DEFERRED = ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.GeneratorExp
REPEATING = ast.For | ast.AsyncFor | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | DEFERRED
ASSIGNING = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr
SCALARS = (bool, int, float, str, type(None), Enum)


class Settled:
    """Answers for one function that was entered, given the syntax trees of the policy's own code."""

    def __init__(self, function: ast.AST | None, frame: FrameType, trees: Collection[ast.Module]) -> None:
        self.function, self.frame, self.trees = function, frame, trees
        self.opaque = any(_changes_by_name(tree) for tree in trees)

    def __call__(self, node: ast.AST) -> bool:
        """Whether the value of a condition is the same whenever the function is called."""
        match node:
            case ast.Constant():
                return True
            case ast.Attribute(attr=attribute) if attribute in KINDS:
                return True
            case ast.Call(func=ast.Name(id=name)) if name in ASKING:
                return True
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
                return self._holds(left, anything=True)
            case ast.Name() | ast.Attribute():
                return self._holds(node)
            case ast.UnaryOp(operand=operand):
                return self(operand)
            case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return all(map(self, parts))
            case ast.Compare(left=left, comparators=parts):
                return all(map(self, (left, *parts)))
            case ast.BinOp(left=left, right=right):
                return self(left) and self(right)
            case ast.Subscript(value=ast.Attribute(attr=attribute), slice=place) if attribute in KINDS:
                return self(place)
            case ast.Subscript(value=ast.Attribute() as kept, slice=ast.Constant(value=key)):
                return self._keeps_item(kept, key)
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute() as kept, attr="get"),
                args=[ast.Constant(value=key)] | [ast.Constant(value=key), ast.Constant()],
                keywords=[],
            ):
                return self._keeps_item(kept, key)
            case ast.MatchValue(value=value):
                return self(value)
            case ast.MatchSingleton() | ast.MatchAs(pattern=None):
                return True
            case ast.MatchAs(pattern=ast.pattern() as pattern):
                return self(pattern)
            case ast.MatchOr(patterns=patterns):
                return all(map(self, patterns))
        return False

    def _holds(self, node: ast.AST, anything: bool = False) -> bool:
        """Whether a name or an attribute keeps its value; a value that can change inside only says that it is there."""
        code = self.frame.f_code
        if isinstance(node, ast.Name):
            if node.id in code.co_varnames:
                fixed = anything or _is_fixed(self.frame.f_locals.get(node.id))
                return fixed and self._left_to_default(node)
            if node.id in (*code.co_cellvars, *code.co_freevars):
                return False
            value = self.frame.f_globals.get(node.id, getattr(builtins, node.id, None))
            return (anything or _is_fixed(value)) and not any(_rebinds(tree, node.id) for tree in self.trees)
        if not isinstance(node, ast.Attribute):
            return False
        match node.value:
            case ast.Name(id="self"):
                if self.opaque or not all(_keeps(tree, node.attr) for tree in self.trees):
                    return False
                found = _found(self.frame.f_locals.get("self"), node.attr)
                return bool(found) and (anything or _is_fixed(found[0]))
            case ast.Name(id=name) if self._holds(node.value, anything=True):
                members = self.frame.f_globals.get(name)
                return isinstance(members, EnumMeta) and node.attr in members.__members__
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute) if self._holds(node.value, anything=True):
                (owner,) = _found(self.frame.f_locals.get("self"), attribute)
                found = _found(owner, node.attr)
                direct = bool(found) and (anything or _is_fixed(found[0]))
                return _is_frozen(owner) and (direct or _is_frozen_inside(owner))
        return False

    def _keeps_item(self, node: ast.Attribute, key: Any) -> bool:
        """Whether an item of a dictionary keeps its value: it is an attribute that the policy only reads, and nothing
        that may be the same dictionary is changed at this key."""
        if not (isinstance(node.value, ast.Name) and node.value.id == "self" and self._holds(node, anything=True)):
            return False
        (items,) = _found(policy := self.frame.f_locals.get("self"), node.attr)
        if type(items) not in (dict, MappingProxyType) or not _is_fixed(items.get(key)):
            return False
        fresh = all(_is_made_there(tree, node.attr) for tree in self.trees)
        if any(value is items for value in self.frame.f_globals.values()):
            return False

        def is_another(changed: ast.AST) -> bool:
            if isinstance(changed, ast.Name):
                return fresh
            if not isinstance(changed, ast.Attribute) or changed.attr == node.attr:
                return False
            found = _found(policy, changed.attr)
            kept = all(_keeps(tree, changed.attr) for tree in self.trees)
            return bool(found) and found[0] is not items and (kept or not isinstance(found[0], dict))

        for tree in self.trees:
            if node.attr in _read_otherwise(tree):
                return False
            if not all(is_another(changed) for changed, at in _changed(tree) if at in (None, key)):
                return False
        return True

    def _left_to_default(self, read: ast.Name) -> bool:
        """Whether no call in the policy's own code, by the function's name, says what the parameter is, and nothing has
        set it when it is read here."""
        name = read.id
        if not isinstance(self.function, ast.FunctionDef) or self.function.name in ("observe", "next_batch", "keep"):
            return False
        arguments = self.function.args
        ordered = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        optional = {*ordered[len(ordered) - len(arguments.defaults) :], *(a.arg for a in arguments.kwonlyargs)}
        if name not in optional or _is_set_before(self.function, read):
            return False
        given = [*zip(reversed(ordered), reversed(arguments.defaults), strict=False)]
        given += [(a.arg, default) for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        if "<locals>" in self.frame.f_code.co_qualname and not isinstance(dict(given)[name], ast.Constant):
            return False  # a run may have made the function, and its default with it
        place = ordered.index(name) if name in ordered else len(ordered)
        place -= bool(ordered) and ordered[0] == "self"
        for tree in self.trees:
            for called, positional, keywords in _calls(tree):
                if called == self.function.name and (positional > place or name in keywords or None in keywords):
                    return False
            if any(self.function.name == other for other in _handed_on(tree)):
                return False
        return True


def _is_fixed(value: Any) -> bool:
    return isinstance(value, SCALARS) or _is_frozen(value)


def _is_frozen(value: Any) -> bool:
    return isinstance(value, Budget) or (is_dataclass(value) and type(value).__dataclass_params__.frozen)  # type: ignore[attr-defined]


def _is_frozen_inside(value: Any) -> bool:
    """Whether nothing in a frozen object can change either, so that its properties do not."""
    return isinstance(value, Budget) or all(_is_fixed(getattr(value, field.name, field)) for field in fields(value))


def _found(owner: Any, attribute: str) -> tuple[Any, ...]:
    """What an attribute is, without running any code; nothing where that is what a property or the like makes."""
    if attribute in getattr(owner, "__dict__", {}):
        return (owner.__dict__[attribute],)
    kept = getattr_static(type(owner), attribute, None)
    if isinstance(kept, MemberDescriptorType) and hasattr(owner, attribute):
        return (getattr(owner, attribute),)
    return (kept,) if isinstance(kept, SCALARS) and kept is not None else ()


def _is_set_before(function: ast.FunctionDef, read: ast.Name) -> bool:
    """Whether something may have given a parameter another value when it is read here.

    What comes later in the text runs later, but in a loop; what is inside another function may run at any time.
    """
    setting = [n for n in ast.walk(function) if _binds(n, read.id)]
    around = [n for n in ast.walk(function) if n is not function and isinstance(n, REPEATING) and _contains(n, read)]
    if any(isinstance(n, DEFERRED) for n in around):
        return bool(setting)
    return any(any(_contains(n, node) for n in around) or _done(function, node) < _begun(read) for node in setting)


def _done(function: ast.FunctionDef, node: Any) -> tuple[int, int]:
    """Where a name has its value: after the innermost assignment around it, whose value is computed before."""
    around = [n for n in ast.walk(function) if isinstance(n, ASSIGNING) and _contains(n, node)]
    return min(((n.end_lineno or 0, n.end_col_offset or 0) for n in around), default=_begun(node))


def _begun(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _contains(outer: ast.AST, inner: ast.AST) -> bool:
    return any(n is inner for n in ast.walk(outer))


def _binds(node: Any, name: str) -> bool:
    """Whether a name is given a value, or taken away."""
    match node:
        case ast.Name(id=named):
            return named == name and isinstance(node.ctx, ast.Store | ast.Del)
        case ast.alias():
            return name in (node.asname or node.name).split(".")
        case ast.MatchMapping(rest=named) | ast.MatchAs(name=named) | ast.MatchStar(name=named):
            return named == name
        case ast.ExceptHandler(name=named) | ast.FunctionDef(name=named) | ast.ClassDef(name=named):
            return named == name
    return False


@cache
def _changes_by_name(tree: ast.Module) -> bool:
    return any(
        (isinstance(n, ast.Name) and n.id in BY_NAME) or (isinstance(n, ast.Attribute) and n.attr in BY_NAME)
        for n in ast.walk(tree)
    )


@cache
def _rebinds(tree: ast.Module, name: str) -> bool:
    """Whether a function of the module gives a global another value."""
    return any(isinstance(n, ast.Global) and name in n.names for n in ast.walk(tree))


@cache
def _keeps(tree: ast.Module, attribute: str) -> bool:
    """Whether an attribute is given a value where a policy is built only, and there by no coin."""
    return all(built and plain for name, built, plain in _attributes_set(tree) if name == attribute)


@cache
def _attributes_set(tree: ast.Module) -> tuple[tuple[str, bool, bool], ...]:
    """(attribute, where a policy is built, by plain means) wherever an attribute is given a value."""
    return tuple(_attributes_set_in(tree, False))


def _attributes_set_in(node: ast.AST, building: bool) -> Iterator[tuple[str, bool, bool]]:
    for child in ast.iter_child_nodes(node):
        inside = child.name in BUILDING if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else building
        for target, value in _assigned(child):
            plain = isinstance(value, ast.AST) and _is_plain(value)
            for n in ast.walk(target):
                if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store | ast.Del):
                    yield n.attr, building, plain
        yield from _attributes_set_in(child, inside)


@cache
def _is_made_there(tree: ast.Module, attribute: str) -> bool:
    """Whether an attribute is a new dictionary wherever it is given a value, so that no other name is one of it."""
    for node in ast.walk(tree):
        targets = [target for target, _ in _assigned(node)] if isinstance(node, ast.stmt) else []
        if any(isinstance(t, ast.Attribute) and t.attr == attribute for t in targets):
            value = getattr(node, "value", None)
            made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict"
            if len(targets) > 1 or not (made or isinstance(value, ast.Dict | ast.DictComp)):
                return False
    return True


@cache
def _read_otherwise(tree: ast.Module) -> frozenset[str]:
    """Attributes that are read after a policy is built, but not for something in them: they may get another name."""
    direct: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=value):
                direct.add(id(value))
            case ast.Attribute(value=value, attr=method) if method not in CHANGING:
                direct.add(id(value))
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[value]):
                direct.add(id(value))
    nodes = (n for n, building in _nodes(tree, False) if not building and isinstance(n, ast.Attribute))
    return frozenset(n.attr for n in nodes if isinstance(n.ctx, ast.Load) and id(n) not in direct)


@cache
def _changed(tree: ast.Module) -> tuple[tuple[ast.AST, Any], ...]:
    """(what, the key) wherever an item is set after a policy is built; None where it may be any key."""
    changed: list[tuple[ast.AST, Any]] = []
    for node, building in _nodes(tree, False):
        match node:
            case ast.Subscript(value=value, slice=place, ctx=ast.Store() | ast.Del()) if not building:
                changed.append((value, place.value if isinstance(place, ast.Constant) else None))
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in CHANGING and not building:
                changed.append((value, None))
            case ast.AugAssign(target=value, op=ast.BitOr()) if not building:
                changed.append((value, None))
    return tuple(changed)


def _nodes(node: ast.AST, building: bool) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes, and whether they run only where a policy is built."""
    for child in ast.iter_child_nodes(node):
        yield child, building
        inside = building and not isinstance(child, ast.Lambda)
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = child.name in BUILDING
        yield from _nodes(child, inside)


def _assigned(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """(target, value) of a statement that gives values; of a tuple, one by one; None where the value is not written."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            yield from zip(names, values, strict=True)
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.AugAssign(target=target) | ast.For(target=target) | ast.comprehension(target=target):
            yield target, None
        case ast.Delete(targets=targets):
            yield from ((target, None) for target in targets)
        case ast.With(items=items):
            yield from ((item.optional_vars, None) for item in items if item.optional_vars is not None)


def _is_plain(value: ast.AST) -> bool:
    """Whether an expression draws nothing: its calls are of a few functions of its arguments."""
    calls = [n for n in ast.walk(value) if isinstance(n, ast.Call)]
    return all(getattr(c.func, "id", getattr(c.func, "attr", "")) in PLAIN for c in calls)


@cache
def _calls(tree: ast.Module) -> tuple[tuple[str, int, tuple[str | None, ...]], ...]:
    """(name, positional arguments, keywords) of every call; one with a star has very many."""
    return tuple(
        (
            getattr(n.func, "id", getattr(n.func, "attr", "")),
            10**6 if any(isinstance(a, ast.Starred) for a in n.args) else len(n.args),
            tuple(k.arg for k in n.keywords),
        )
        for n in ast.walk(tree)
        if isinstance(n, ast.Call)
    )


@cache
def _handed_on(tree: ast.Module) -> frozenset[str]:
    """Names of functions that are used otherwise than by calling them."""
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    loads = (n for n in ast.walk(tree) if isinstance(n, ast.Name | ast.Attribute) and id(n) not in called)
    return frozenset(getattr(n, "id", getattr(n, "attr", "")) for n in loads if isinstance(n.ctx, ast.Load))
