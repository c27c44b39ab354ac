"""Which conditions are settled before a run begins? Options, kinds of arguments, arguments left to their defaults.

What such a condition excludes is no dead branch of this policy: no rewards could take it there. A condition is settled
if it is made of constants, globals and attributes that nothing changes after the policy is built, parameters that every
call leaves to their default, and of questions for the kind of a value.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from types import FrameType
from typing import Any

from banditproof.theory.privacy.budget import Budget

KINDS = ("ndim", "shape", "dtype")
ASKING = ("isinstance", "hasattr", "callable")
BUILDING = ("__init__", "__post_init__", "__new__")
PLAIN = frozenset("bool int float str max min len abs round tuple sqrt log exp ceil".split())
BY_NAME = ("setattr", "vars", "__dict__", "__setattr__", "exec", "eval")  # what is changed so, nobody sees
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
            case ast.Subscript(value=value, slice=place):
                return isinstance(value, ast.Attribute) and value.attr in KINDS and self(place)
        return False

    def _holds(self, node: ast.AST, anything: bool = False) -> bool:
        """Whether a name or an attribute keeps its value; a value that can change inside only says that it is there."""
        code = self.frame.f_code
        if isinstance(node, ast.Name):
            if node.id in code.co_varnames:
                return self._left_to_default(node.id)
            if node.id in (*code.co_cellvars, *code.co_freevars):
                return False
            value = self.frame.f_globals.get(node.id, getattr(builtins, node.id, None))
            return (anything or _is_fixed(value)) and not any(_rebinds(tree, node.id) for tree in self.trees)
        if not isinstance(node, ast.Attribute):
            return False
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            if self.opaque or not all(_keeps(tree, node.attr) for tree in self.trees):
                return False
            return anything or _is_fixed(getattr(self.frame.f_locals.get("self"), "__dict__", {}).get(node.attr))
        if isinstance(node.value, ast.Attribute) and self._holds(node.value, anything=True):
            owner = getattr(self.frame.f_locals.get("self"), "__dict__", {}).get(node.value.attr)
            return _is_frozen(owner)
        return False

    def _left_to_default(self, name: str) -> bool:
        """Whether no call in the policy's own code, by the function's name, says what the parameter is."""
        if not isinstance(self.function, ast.FunctionDef) or self.function.name in ("observe", "next_batch", "keep"):
            return False
        arguments = self.function.args
        ordered = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        optional = {*ordered[len(ordered) - len(arguments.defaults) :], *(a.arg for a in arguments.kwonlyargs)}
        if name not in optional or any(_stores(n, name) for n in ast.walk(self.function)):
            return False
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


def _stores(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store | ast.Del)


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
