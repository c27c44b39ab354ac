"""Which conditions are settled before a run begins? Options, kinds of arguments, arguments that every call settles.

What such a condition excludes is no dead branch of this policy: no rewards could take it there. A condition is settled
if it is made of constants, globals and attributes that nothing changes after the policy is built, items of dictionaries
that nothing changes, parameters that are read before they are set and that every call leaves to their default or gives
a settled value, and of questions for the kind of a value. So is a pattern of such values, and `a and b` if one of them
is settled and false. A call that gives another value is itself asked for, so that it does not hide behind this. And so
is a question for the reward that a policy is told if all possible rewards answer it alike, as `math.isnan(reward)`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum, EnumMeta
from functools import cache
from inspect import getattr_static
from itertools import pairwise
from types import FrameType, MappingProxyType, MemberDescriptorType, SimpleNamespace
from typing import Any

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.asking import HEAR, names_the_reward
from banditproof.verify.runs.possible_rewards import PossibleRewards

KINDS = ("ndim", "shape", "dtype")
ASKING = ("isinstance", "hasattr", "callable")
BUILDING = ("__init__", "__post_init__", "__new__")
PLAIN = frozenset("bool int float str max min len abs round tuple dict sqrt log exp ceil SimpleNamespace".split())
BY_NAME = ("setattr", "vars", "__dict__", "__setattr__", "exec", "eval")  # what is changed so, nobody sees
CHANGING = frozenset("update pop popitem clear setdefault __setitem__ __delitem__ __ior__".split())
DEFERRED = ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.GeneratorExp
REPEATING = ast.For | ast.AsyncFor | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | DEFERRED
ASSIGNING = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr
PLAYED = ("observe", "next_batch", "keep")  # the check calls these, with all that they take
TOLD = 2  # arguments at most that the check gives to the methods of a policy of somebody else: an arm and a reward
UNNUMBERED = 10**6  # the place of a parameter that has none
NUMBERS = ("int", "float", "len", "str", "bool", "abs", "round")
ARRAYS = ("array", "asarray", "zeros", "ones", "full", "arange", "int64", "float64")
DEEPEST = 4  # names that stand for one another
SCALARS = (bool, int, float, str, type(None), Enum)


class Settled:
    """Answers for one function that was entered, given the syntax trees of the policy's own code."""

    def __init__(
        self,
        function: ast.AST | None,
        frame: FrameType,
        trees: Collection[ast.Module],
        files: Collection[str],
        outside: frozenset[str] = frozenset(),
        possible: PossibleRewards | None = None,
    ) -> None:
        self.function, self.frame, self.trees, self.files = function, frame, trees, files
        self.possible = possible
        self.opaque = any(_changes_by_name(tree) for tree in trees)
        self.built = _built(tuple(trees), outside)
        self.relied: set[type] = set()  # classes of the objects by which the last questions were settled

    def __call__(self, node: ast.AST) -> bool:
        """Whether the value of a condition is the same whenever the function is called."""
        match node:
            case ast.Constant():
                return True
            case ast.Call() | ast.Compare() if self._alike_for_rewards(node) is not None:
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
            case ast.BoolOp(op=op, values=parts) if any(self._is(part, isinstance(op, ast.Or)) for part in parts):
                return True
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

    def _alike_for_rewards(self, node: ast.Call | ast.Compare) -> bool | None:
        """What all possible rewards answer where a question is one for the reward that is told; None for other ones."""
        if (possible := self.possible) is None:
            return None
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=module), attr="isnan" | "isinf" | "isfinite" as asked),
                args=[ast.Name() as read],
                keywords=[],
            ) if getattr(self.frame.f_globals.get(module), "__name__", "") in ("math", "numpy"):
                return asked == "isfinite" if self._is_told(self.function, read) else None
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [left, *others]
                read = [side for side in sides if isinstance(side, ast.Name)]
                if len({one.id for one in read}) != 1 or not all(self._is_told(self.function, one) for one in read):
                    return None
                answers = [_answered(op, a, b, possible) for op, (a, b) in zip(ops, pairwise(sides), strict=True)]
                return False if False in answers else None if None in answers else True
        return None

    def _is_told(self, function: Any, read: ast.Name, within: tuple[Any, ...] = ()) -> bool:
        """Whether a parameter is the reward that the policy is told, in every call, and nothing has set it when it is
        read here."""
        if not isinstance(function, ast.FunctionDef) or function in within or _is_set_before(function, read):
            return False
        ordered = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        told = ordered[1:] if ordered[:1] == ["self"] else ordered
        if read.id not in told or any(function.name in _handed_on(tree) for tree in self.trees):
            return False
        place, sites = told.index(read.id), [s for t in self.trees for s in _sites(t) if s.name == function.name]
        second = not names_the_reward(told[0])
        heard = function.name in HEAR and len(ordered) > len(told) == TOLD and place == second
        if not heard and (not sites or self._is_called_from_outside(function)):
            return False
        return all(self._passes_reward(site, place, read.id, (*within, function)) for site in sites)

    def _passes_reward(self, site: _Site, place: int, name: str, within: tuple[Any, ...]) -> bool:
        call = site.call
        if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            return False
        given = [k.value for k in call.keywords if k.arg == name] or call.args[place : place + 1]
        return bool(given) and isinstance(given[0], ast.Name) and self._is_told(site.function, given[0], within)

    def _is(self, node: ast.expr, truth: bool) -> bool:
        """Whether a condition is settled and has this truth; settled ones run no code of the policy."""
        if not self(node):
            return False
        try:
            asked = compile(ast.Expression(node), "<a settled condition>", "eval")
            return bool(eval(asked, self.frame.f_globals, dict(self.frame.f_locals))) is truth
        except Exception:  # it reads what is not there yet
            return False

    def _holds(self, node: ast.AST, anything: bool = False) -> bool:
        """Whether a name or an attribute keeps its value; a value that can change inside only says that it is there."""
        code = self.frame.f_code
        if isinstance(node, ast.Name):
            if node.id in code.co_varnames:
                fixed = anything or _is_fixed(self.frame.f_locals.get(node.id))
                return fixed and self._is_given_alike(self.function, node, anything)
            if node.id in (*code.co_cellvars, *code.co_freevars):
                return False
            return self._holds_global(node.id, anything)
        if not isinstance(node, ast.Attribute):
            return False
        match node.value:
            case ast.Name(id="self"):
                return self._keeps_attribute(self.frame.f_locals.get("self"), node.attr, anything)
            case ast.Name(id=name) if self._holds(node.value, anything=True):
                members = self.frame.f_globals.get(name)
                return isinstance(members, EnumMeta) and node.attr in members.__members__
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute) if self._holds(node.value, anything=True):
                (owner,) = _found(self.frame.f_locals.get("self"), attribute)
                if _is_frozen(owner) and (_is_frozen_inside(owner) or (anything and bool(_found(owner, node.attr)))):
                    return True
                return (_is_frozen(owner) or self._is_own(owner)) and self._keeps_attribute(owner, node.attr, anything)
        return False

    def _holds_global(self, name: str, anything: bool = False) -> bool:
        value = self.frame.f_globals.get(name, getattr(builtins, name, None))
        return (anything or _is_fixed(value)) and not any(_rebinds(tree, name) for tree in self.trees)

    def _keeps_attribute(self, owner: Any, attribute: str, anything: bool = False) -> bool:
        """Whether nothing that can run gives an attribute of this object another value after the policy is built."""
        kinds = frozenset(kind.__name__ for kind in type(owner).__mro__)
        if self.opaque or not all(_keeps(tree, attribute, kinds, self.built) for tree in self.trees):
            return False
        self.relied.add(type(owner))
        found = _found(owner, attribute)
        return bool(found) and (anything or _is_fixed(found[0]))

    def _is_own(self, owner: Any) -> bool:
        """Whether only the policy's own code changes an object: its class is written there, or is a plain namespace."""
        name = type(owner).__name__
        classes = (n for tree in self.trees for n in ast.walk(tree) if isinstance(n, ast.ClassDef))
        return isinstance(owner, SimpleNamespace) or any(n.name == name for n in classes)

    def _keeps_item(self, node: ast.expr, key: Any, owner: Any = None) -> bool:
        """Whether an item of a dictionary keeps its value: it is an attribute that the policy only reads, and nothing
        that may be the same dictionary is changed at this key. An item that is not there stays away."""
        policy = owner or self.frame.f_locals.get("self")
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"):
            return False
        if not self._keeps_attribute(policy, node.attr, anything=True):
            return False
        (items,) = _found(policy, node.attr)
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
            kept = self._keeps_attribute(policy, changed.attr, anything=True)
            return bool(found) and found[0] is not items and (kept or not isinstance(found[0], dict))

        for tree in self.trees:
            if node.attr in _read_otherwise(tree):
                return False
            if not all(is_another(changed) for changed, at in _changed(tree) if at in (None, key)):
                return False
        return True

    def _is_given_alike(self, function: Any, read: ast.Name, anything: bool, within: tuple[Any, ...] = ()) -> bool:
        """Whether every call in the policy's own code, by the function's name, leaves the parameter to its default or
        gives it a settled value, and nothing has set it when it is read here."""
        if not isinstance(function, ast.FunctionDef) or function in within or _is_set_before(function, read):
            return False
        arguments, name = function.args, read.id
        ordered = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        if name not in (*ordered, *(a.arg for a in arguments.kwonlyargs)) or name == "self":
            return False
        if function.name in PLAYED or function.name.startswith("__"):
            return False
        given = dict(zip(reversed(ordered), reversed(arguments.defaults), strict=False))
        given |= {
            a.arg: default
            for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if default is not None
        }
        if "<locals>" in self.frame.f_code.co_qualname and not isinstance(given.get(name), ast.Constant):
            return False  # a run may have made the function, and its default with it
        place = ordered.index(name) if name in ordered else UNNUMBERED
        place -= bool(ordered) and ordered[0] == "self"
        if self._is_called_from_outside(function) and (place < TOLD or name not in given):
            return False
        for tree in self.trees:
            if function.name in _handed_on(tree):
                return False
            for site in _sites(tree):
                if site.name == function.name and not self._gives_settled(site, place, name, given, anything, within):
                    return False
        return True

    def _is_called_from_outside(self, function: ast.FunctionDef) -> bool:
        """Whether something else than the policy's own code calls a function, or nothing that is written there."""
        sites = (site for tree in self.trees for site in _sites(tree) if site.name == function.name)
        lines = [(site.call.lineno, site.call.end_lineno) for site in sites]
        frame: FrameType | None = self.frame
        while frame is not None and frame.f_code.co_name != function.name:
            frame = frame.f_back
        caller = None if frame is None else frame.f_back
        if caller is None:
            return not lines
        at = caller.f_lineno
        return caller.f_code.co_filename not in self.files or not any(a <= at <= (b or a) for a, b in lines)

    def _gives_settled(
        self, site: _Site, place: int, name: str, given: Mapping[str, ast.expr], anything: bool, within: tuple[Any, ...]
    ) -> bool:
        """Whether a call leaves a parameter to its default, or gives it a value that is settled where it is called."""
        call = site.call
        if any(isinstance(a, ast.Starred) for a in call.args):
            return False
        for joined in (k.value for k in call.keywords if k.arg is None):
            owner = self._self_of(site.kind)
            if owner is None or not self._keeps_item(joined, name, owner):
                return False
            if name in _found(owner, joined.attr)[0]:  # type: ignore[attr-defined]
                return True
        named = [k.value for k in call.keywords if k.arg == name]
        values = named or (call.args[place : place + 1] if place < UNNUMBERED else [])
        if not values:
            return name in given
        match values[0]:
            case ast.Constant(value=value):
                return isinstance(value, SCALARS)
            case value if anything and self._is_something(value, site.function):
                return True
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                owner = self._self_of(site.kind)
                return owner is not None and self._keeps_attribute(owner, attribute, anything)
            case ast.Attribute(value=ast.Name(id=owner), attr=attribute):
                members = self.frame.f_globals.get(owner)
                return (
                    isinstance(members, EnumMeta)
                    and attribute in members.__members__
                    and self._holds_global(owner, anything=True)
                )
            case ast.Name(id=passed) as argument if site.function is not None:
                inner = (*within, self.function if not within else site.function)
                if any(passed == a.arg for a in ast.walk(site.function.args) if isinstance(a, ast.arg)):
                    return self._is_given_alike(site.function, argument, anything, inner)
                local = any(_binds(n, passed) for n in ast.walk(site.function))
                return not local and self._holds_global(passed, anything)
        return False

    def _is_something(self, value: ast.AST | None, function: ast.FunctionDef | None, within: int = 0) -> bool:
        """Whether an expression is never None: an operation, a number, or a name that only gets such values."""
        match value:
            case ast.BinOp() | ast.Compare() | ast.Tuple() | ast.List() | ast.Dict() | ast.JoinedStr():
                return True
            case ast.Call(func=ast.Name(id=name)):
                return name in NUMBERS and not any(_names(tree, name) for tree in self.trees)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name)):
                return name in ARRAYS
            case ast.IfExp(body=one, orelse=two):
                return self._is_something(one, function, within) and self._is_something(two, function, within)
            case ast.Constant(value=known):
                return known is not None
            case ast.Name(id=name) if function is not None and within < DEEPEST:
                if any(a.arg == name for a in ast.walk(function.args) if isinstance(a, ast.arg)):
                    return False
                given = [pair for n in ast.walk(function) for pair in _assigned(n) if _binds_in(pair[0], name)]
                bound = sum(_binds(n, name) for n in ast.walk(function))
                return len(given) == bound > 0 and all(
                    isinstance(target, ast.Name) and self._is_something(v, function, within + 1) for target, v in given
                )
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if within < DEEPEST and not self.opaque:
                given = [
                    (target, v, f)
                    for tree in self.trees
                    for n, f in _statements(tree, None)
                    for target, v in _assigned(n)
                    if any(
                        name in (getattr(t, "attr", ""), "" if f else getattr(t, "id", "")) for t in ast.walk(target)
                    )
                ]
                return bool(given) and all(
                    not isinstance(target, ast.Tuple | ast.List) and self._is_something(v, f, within + 1)
                    for target, v, f in given
                )
        return False

    def _self_of(self, kind: str) -> Any:
        """The object of this class, or of one derived from it, whose method is under way."""
        frame: FrameType | None = self.frame
        while frame is not None:
            owner = frame.f_locals.get("self")
            if any(base.__name__ == kind for base in type(owner).__mro__):
                return owner
            frame = frame.f_back
        return None


def _answered(op: ast.cmpop, a: ast.expr, b: ast.expr, possible: PossibleRewards) -> bool | None:
    """How all possible rewards answer a comparison of the reward, a name, with itself, a number or None."""
    ranges = [(possible.low, possible.high) if isinstance(side, ast.Name) else _number(side) for side in (a, b)]
    if isinstance(op, ast.Is | ast.IsNot):
        is_none = isinstance(b, ast.Constant) and b.value is None
        return isinstance(op, ast.IsNot) if isinstance(a, ast.Name) and is_none else None
    if None in ranges:
        return None
    (low, high), (least, most) = ranges  # type: ignore[misc]
    same = isinstance(a, ast.Name) and isinstance(b, ast.Name)
    match op:
        case ast.Lt() | ast.GtE():
            less = False if same or low >= most else True if high < least else None
            return less if less is None or isinstance(op, ast.Lt) else not less
        case ast.LtE() | ast.Gt():
            most_equal = True if same or high <= least else False if low > most else None
            return most_equal if most_equal is None or isinstance(op, ast.LtE) else not most_equal
        case ast.Eq() | ast.NotEq():
            equal = True if same else False if low > most or high < least else None
            return equal if equal is None or isinstance(op, ast.Eq) else not equal
    return None


def _number(side: ast.expr) -> tuple[float, float] | None:
    """A number that is written there, as an interval of one."""
    try:
        value = ast.literal_eval(side)
    except (ValueError, TypeError):  # no literal, or one that cannot be made
        return None
    return (value, value) if isinstance(value, int | float) and not isinstance(value, bool) else None


@dataclass(frozen=True, eq=False)
class _Site:
    """A call: the name of what is called, and the function and the class that it stands in."""

    name: str
    call: ast.Call
    function: ast.FunctionDef | None
    kind: str


@cache
def _sites(tree: ast.Module) -> tuple[_Site, ...]:
    return tuple(_sites_in(tree, None, ""))


def _sites_in(node: ast.AST, function: ast.FunctionDef | None, kind: str) -> Iterator[_Site]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield _Site(getattr(child.func, "id", getattr(child.func, "attr", "")), child, function, kind)
        match child:
            case ast.ClassDef(name=name):
                yield from _sites_in(child, None, name)
            case ast.FunctionDef():
                yield from _sites_in(child, child, kind)
            case _:
                yield from _sites_in(child, function, kind)


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


def _statements(node: ast.AST, function: Any) -> Iterator[tuple[ast.AST, Any]]:
    """All nodes, and the outermost function that they are in."""
    for child in ast.iter_child_nodes(node):
        yield child, function
        yield from _statements(child, child if function is None and isinstance(child, ast.FunctionDef) else function)


def _binds_in(target: ast.AST, name: str) -> bool:
    return any(_binds(n, name) for n in ast.walk(target))


@cache
def _names(tree: ast.Module, name: str) -> bool:
    """Whether a module has something of its own of this name."""
    return any(_binds(n, name) for n in ast.walk(tree))


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
    """Whether attributes may be given values by their names after a policy is built."""
    given = {id(own) for node, building in _nodes(tree, False) if building for own in _given_by_name(node)}
    return any(
        (isinstance(n, ast.Name) and n.id in BY_NAME) or (isinstance(n, ast.Attribute) and n.attr in BY_NAME)
        for n in ast.walk(tree)
        if id(n) not in given
    )


def _given_by_name(node: ast.AST) -> Iterator[ast.AST]:
    """By what an object gives attributes to itself, such as its options: `self.__dict__.update(options)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="self")) | ast.Call(args=[ast.Name(id="self")]) as own,
                attr="update",
            ),
            args=[ast.Name()],
        ):
            yield own.func if isinstance(own, ast.Call) else own
        case ast.Call(func=own, args=[ast.Name(id="self"), ast.Name() | ast.Constant(), value]):
            if _is_plain(value, PLAIN):
                yield own


@cache
def _rebinds(tree: ast.Module, name: str) -> bool:
    """Whether a function of the module gives a global another value."""
    return any(isinstance(n, ast.Global) and name in n.names for n in ast.walk(tree))


@cache
def _built(trees: tuple[ast.Module, ...], outside: frozenset[str]) -> frozenset[str]:
    """The methods that build a policy: those that only such functions call, and nothing from outside."""
    sites = [site for tree in trees for site in _sites(tree)]
    others = {*outside, *PLAYED, *(n.name for tree in trees for n in tree.body if isinstance(n, ast.FunctionDef))}
    called = {id(site.call.func) for site in sites}
    nodes = (n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Attribute) and id(n) not in called)
    others |= {n.attr for n in nodes}
    built, before = frozenset(BUILDING), frozenset[str]()
    while built != before:
        before = built
        elsewhere = {s.name for s in sites if s.function is None or s.function.name not in built}
        built = frozenset({*built, *({s.name for s in sites} - elsewhere - others)})
    return built


@cache
def _keeps(tree: ast.Module, attribute: str, kinds: frozenset[str], building: frozenset[str]) -> bool:
    """Whether an attribute is given a value where a policy is built only, and there by no coin.

    `kinds` are the classes of the object: what a method of another one gives to its own `self` is something else.
    """
    return all(
        built and plain
        for name, built, plain, kind in _attributes_set(tree, building)
        if name == attribute and (not kind or kind in kinds)
    )


@cache
def _attributes_set(tree: ast.Module, building: frozenset[str]) -> tuple[tuple[str, bool, bool, str], ...]:
    """(attribute, where a policy is built, by plain means, the class) wherever an attribute is given a value.

    The class is "" unless it is that of the object: methods that are called by the name of a class may have any object.
    """
    classes = frozenset(n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef))
    owners = (n.value for n in ast.walk(tree) if isinstance(n, ast.Attribute))
    by_class = {getattr(owner, "id", getattr(owner, "attr", "")) for owner in owners}
    return tuple(
        (name, built, plain, "" if kind in by_class else kind)
        for name, built, plain, kind in _attributes_set_in(tree, False, "", PLAIN | classes, building)
    )


def _attributes_set_in(
    node: ast.AST, building: bool, kind: str, known: Collection[str], built: frozenset[str]
) -> Iterator[tuple[str, bool, bool, str]]:
    for child in ast.iter_child_nodes(node):
        inside = child.name in built if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else building
        for target, value in _assigned(child):
            plain = isinstance(value, ast.AST) and _is_plain(value, known)
            for n in ast.walk(target):
                if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store | ast.Del):
                    own = isinstance(n.value, ast.Name) and n.value.id == "self"
                    yield n.attr, building, plain, kind if own else ""
        yield from _attributes_set_in(
            child, inside, child.name if isinstance(child, ast.ClassDef) else kind, known, built
        )


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
            case ast.keyword(arg=None, value=value):  # a call gets its own dictionary
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


def _is_plain(value: ast.AST, known: Collection[str]) -> bool:
    """Whether an expression draws nothing: its calls are of known functions and classes."""
    calls = [n for n in ast.walk(value) if isinstance(n, ast.Call)]
    return all(getattr(c.func, "id", getattr(c.func, "attr", "")) in known for c in calls)


@cache
def _handed_on(tree: ast.Module) -> frozenset[str]:
    """Names of functions that are used otherwise than by calling them."""
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    loads = (n for n in ast.walk(tree) if isinstance(n, ast.Name | ast.Attribute) and id(n) not in called)
    return frozenset(getattr(n, "id", getattr(n, "attr", "")) for n in loads if isinstance(n.ctx, ast.Load))
