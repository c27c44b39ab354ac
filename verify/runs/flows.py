"""Which code that never ran could leak? Rewards are followed through the source, from where they are heard to releases.

What may hold a reward that was not released are names: the total that `observe` is told, and attributes, variables,
arguments and results to which it goes, by values, by items, by aliases, or by what decides whether a statement runs. A
release of the noise source ends that. What says how a release is made (its records, sensitivity and budget) counts as
much. A part of a function that never ran is harmless if neither it nor what decides about it reads such a name, if it
releases nothing, and if what it skips gives none of them a value. Names are taken for the same wherever they stand in
the classes that can run, so that too much may be followed, never too little; what changes names while it runs ends it.
"""

from __future__ import annotations

import ast
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from banditproof.algorithms.noise import NoiseSource

RELEASES = frozenset(n for n in vars(NoiseSource) if not n.startswith("_")) - {"generator", "coins", "draw", "sample"}
DOORS = {"observe": ("total",), "next_batch": (), "keep": (), "__init__": (), "__post_init__": (), "__new__": ()}
PURE = frozenset(
    "len int float bool str abs min max sum round sorted list tuple set dict range enumerate zip reversed any all "
    "array asarray zeros ones full argmax argmin argsort mean sqrt log log2 log1p exp ceil floor isfinite isnan "
    "clip where maximum minimum copy item tolist astype get keys values items isinstance getattr hasattr print".split()
)
OF_CONTAINERS = frozenset(n for kind in (dict, list, set, deque, np.ndarray) for n in dir(kind)) - PURE
OPAQUE = frozenset("setattr delattr vars exec eval globals locals __dict__ __setattr__ __getattr__ attrgetter".split())
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
LEAVING = ast.Return | ast.Continue | ast.Break | ast.Raise

GIVEN = frozenset({"noise", "generator"})  # what a function that makes a policy is called with
ORDERING = frozenset({"max", "min", "sorted", "nlargest", "nsmallest"})

THEMSELVES = frozenset({"self", "cls", "np", "numpy", "math", "arms", "replications", "has_played"})

Span = tuple[int, int, int, int]  # line and column of the first character, and of the one after the last
Key = tuple[str, str]
"""The function that a variable is of, or "." for an attribute, "=" for what a function returns; and the name."""


@dataclass(frozen=True, eq=False)
class _Function:
    node: ast.FunctionDef | ast.AsyncFunctionDef
    name: str  # under which its variables are known

    def parameters(self) -> list[str]:
        a = self.node.args
        names = [x.arg for x in (*a.posonlyargs, *a.args)]
        return names[1:] if names[:1] in (["self"], ["cls"]) else names

    @cached_property
    def variables(self) -> frozenset[str]:
        """Names that are its own, or those of a function in it: others are globals."""
        nodes = list(ast.walk(self.node))
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        named = {n.name for n in nodes if isinstance(n, ast.MatchAs | ast.MatchStar | ast.ExceptHandler) and n.name}
        return frozenset({*stored, *named, *(n.arg for n in nodes if isinstance(n, ast.arg))})

    def key(self, name: str) -> Key:
        """What stands for a variable of this name, read or written here."""
        return (self.name if name in self.variables else "", name)

    def others(self) -> list[str]:
        a = self.node.args
        return [x.arg for x in (*a.kwonlyargs, a.vararg, a.kwarg) if x is not None]


class Flows:
    """What rewards reach in the code of these trees, where noise sources are kept under these attributes.

    What is excluded, by function and place, never runs whatever the rewards are.
    """

    def __init__(
        self, trees: Collection[ast.Module], sources: Collection[str], excluded: Collection[tuple[str, Span]] = ()
    ) -> None:
        self.sources, self.excluded = frozenset(sources), frozenset(excluded)
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self.functions = [_Function(n, named(n)) for n in _outermost(trees)]
        self.named: dict[str, list[_Function]] = defaultdict(list)
        for function in self.functions:
            self.named[function.node.name].append(function)
        self.classes = {n.name for n in nodes if isinstance(n, ast.ClassDef)}
        self.opaque = bool(RELEASES & self.named.keys()) or any(_is_opaque(n) for n in nodes)
        calls = [n for n in nodes if isinstance(n, ast.Call)]
        places = {id(place): _name(place) for n in calls for place in (n.func, _key_of(n)) if place is not None}
        free = (n for n in nodes if id(n) not in places and isinstance(getattr(n, "ctx", None), ast.Load))
        local = {name for f in self.functions for name in f.variables}
        handed = {_name(n) for n in free if isinstance(n, ast.Attribute) or _name(n) not in local}  # to unknown callers
        called = {*places.values()} - handed
        self.raw: set[Key] = set()
        self.under: set[str] = set()  # functions that rewards decide to call
        self.edges: dict[Key, set[Key]] = defaultdict(set)  # an alias, and what it may be the same object as
        self.how: set[Key] = set()  # what says how a release is made
        for f in self.functions:
            told = DOORS.get(f.node.name)
            if told is None and f.node.name not in called:
                told = [name for name in (*f.parameters(), *f.others()) if name not in GIVEN]
            self.raw |= {(f.name, name) for name in told or ()}
            if f.node.name == "observe" and f.parameters():
                self.raw.add((f.name, f.parameters()[0]))
        self.given = {
            key[1] for f in self.functions for n in ast.walk(f.node) for t, _ in _given(n) for key in self._keys(f, t)
        }
        self.given |= {n.id for c in nodes if isinstance(c, ast.ClassDef) for n in _class_names(c)}
        for how in (False, True):
            before = -1
            while before != (before := self._size()):
                for f in self.functions:
                    self._block(f, f.node.body, f.name in self.under, how)

    def _size(self) -> int:
        return len(self.raw) + len(self.how) + len(self.under) + sum(map(len, self.edges.values()))

    # ------------------------------------------------------------------------------------------------- what is followed

    def _block(self, f: _Function, body: Iterable[ast.stmt], decided: bool, how: bool) -> bool:
        """Follow values through statements; whether rewards decide to leave them."""
        left = False
        for node in body:
            if self._is_excluded(f, node):
                continue
            inner = decided or left or any(self.reads(f, test) for test in _tests(node))
            self._statement(f, node, inner, how)
            inside = False
            for block in _blocks(node):
                inside |= self._block(f, block, inner, how)
            if inside and isinstance(node, ast.For | ast.While):  # what comes first in it comes after the rest, too
                self._statement(f, node, True, how)
                for block in _blocks(node):
                    self._block(f, block, True, how)
            if inner and isinstance(node, LEAVING):
                left = True
                if isinstance(node, ast.Raise):
                    self.raw.add(("=", f.node.name))
            left |= inside
        return left

    def _statement(self, f: _Function, node: ast.stmt, decided: bool, how: bool) -> None:
        for target, value in _given(node):
            keys = set(self._keys(f, target))
            places = (n.slice for n in ast.walk(target) if isinstance(n, ast.Subscript))
            if decided or (value is not None and self.reads(f, value)) or any(self.reads(f, p) for p in places):
                bound = isinstance(target, ast.Name) or ast.unparse(target).rpartition(".")[0] == "self"
                self._mark(keys, isinstance(node, ast.AugAssign) or not bound)
            if value is not None:
                for chain in _chains(value):
                    for key in keys:
                        self.edges[key] |= set(self._keys(f, chain))
            if how and value is not None and keys & self.how:
                self.how |= set(self._read_keys(f, value))
        if isinstance(node, ast.Return) and node.value is not None and (decided or self.reads(f, node.value)):
            self.raw.add(("=", f.node.name))
        if how and isinstance(node, ast.Return) and node.value is not None and ("=", f.node.name) in self.how:
            self.how |= set(self._read_keys(f, node.value))
        for call in (n for e in _expressions(node) for n in ast.walk(e) if isinstance(n, ast.Call)):
            self._call(f, call, decided, how)
        for n in (n for e in _expressions(node) for n in ast.walk(e)):
            if isinstance(n, ast.NamedExpr) and (decided or self.reads(f, n.value)):
                self._mark(set(self._keys(f, n.target)), False)
            if isinstance(n, ast.comprehension) and self.reads(f, n.iter):
                self._mark(set(self._keys(f, n.target)), False)
            if isinstance(n, ast.Yield | ast.YieldFrom) and n.value is not None and self.reads(f, n.value):
                self.raw.add(("=", f.node.name))

    def _call(self, f: _Function, call: ast.Call, decided: bool, how: bool) -> None:
        name = _name(call.func)
        arguments = [*call.args, *(k.value for k in call.keywords)]
        if self.is_release(call):
            if how:
                given = [*call.args[1:], *(k.value for k in call.keywords if k.arg != "value")]
                self.how |= {key for a in given for key in self._read_keys(f, a)}
            return
        told = any(self.reads(f, a) for a in arguments)
        known = name in self.named or name in self.classes or name in PURE
        self.opaque |= not known and any(isinstance(a, ast.Name) and a.id == "self" for a in arguments)
        if (key := _key_of(call)) is not None and _name(key) in self.named:  # it is called with what is put in order
            self._call(f, ast.Call(key, [ast.Tuple(call.args)], []), decided, how)
        for g in self._called(call):
            self.under |= {g.name} if decided else set()
            parameters = g.parameters()
            starred = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
            pairs = list(zip(parameters, call.args, strict=False))
            pairs += [(p, a) for p in g.others() for a in call.args[len(parameters) :]]
            pairs += [
                (k.arg if k.arg in parameters else p, k.value) for k in call.keywords for p in (k.arg, *g.others()) if p
            ]
            pairs += [(p, a) for p in (*parameters, *g.others()) for a in arguments] if starred else []
            for parameter, argument in pairs:
                key = (g.name, parameter)
                if self.reads(f, argument):
                    self.raw.add(key)
                for chain in _chains(argument):
                    self.edges[key] |= set(self._keys(f, chain))
                if how and key in self.how:
                    self.how |= set(self._read_keys(f, argument))
        if (told or decided) and (not known or self._may_fill(call)):
            touched = [*arguments, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
            self._mark({key for t in touched for chain in _chains(t) for key in self._keys(f, chain)}, True)

    def _mark(self, keys: set[Key], inside: bool) -> None:
        """These may hold a reward; with `inside`, so may what they are another name of."""
        todo = list(keys)
        while todo:
            key = todo.pop()
            if key[1] in THEMSELVES and key[0] != ".":  # an attribute that code writes is its own, whatever its name
                continue
            self.raw.add(key)
            if inside:
                todo += [other for other in self.edges[key] if other not in self.raw]

    # ------------------------------------------------------------------------------------------------ what is asked for

    def reads(self, f: _Function, node: ast.AST) -> str:
        """What in an expression may hold a reward; '' for nothing."""
        if isinstance(node, ast.Call) and self.is_release(node):
            return ""
        if isinstance(node, ast.Call):
            name = _name(node.func)
            if name in self.named:  # arguments go into the function
                return name if ("=", name) in self.raw else self.reads(f, node.func)
        if isinstance(node, ast.Name) and self._is_raw(f, node.id):
            return node.id
        if isinstance(node, ast.Attribute):
            of_self = isinstance(node.value, ast.Name) and node.value.id == "self"
            unknown = of_self and node.attr not in (*self.given, *self.named, *self.sources, *THEMSELVES)
            if unknown or not {(".", node.attr), ("=", node.attr)}.isdisjoint(self.raw):
                return ast.unparse(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):  # of getattr
            if not {(".", node.value), ("=", node.value)}.isdisjoint(self.raw):
                return node.value
        inner = (child for child in ast.iter_child_nodes(node) if not self._is_excluded(f, child))
        return next((told for child in inner if (told := self.reads(f, child))), "")

    def _is_excluded(self, f: _Function, node: ast.AST) -> bool:
        return (
            bool(self.excluded) and isinstance(node, ast.expr | ast.stmt) and (f.name, span_of(node)) in self.excluded
        )

    def _is_raw(self, f: _Function, name: str) -> bool:
        return not {f.key(name), ("=", name)}.isdisjoint(self.raw)

    def is_release(self, call: ast.Call) -> bool:
        """Whether a call releases: a method of the noise source, kept where nothing else is."""
        match call.func:
            case ast.Attribute(attr=method, value=ast.Attribute(attr=kept)):
                return method in RELEASES and kept in self.sources and (".", kept) not in self.raw
        return False

    def leak(self, function: ast.AST, part: Collection[ast.AST], skipped: Collection[ast.AST]) -> str | None:
        """Why a part of a function could leak if it ran and what it skips did not; None where it cannot.

        `part` has the nodes that run, and all that decides whether they do.
        """
        if self.opaque:
            return "the code looks names up while it runs, so nothing is followed"
        f = next((f for f in self.functions if f.node is function or _holds(f.node, function)), None)
        if f is None:
            return "its code is not followed"
        if f.name in self.under:
            return f"rewards decide whether {f.node.name} is called"
        for node in part:
            read = (n for n in ast.walk(node) if isinstance(getattr(n, "ctx", None), ast.Load))
            if told := next((told for n in read if (told := self.reads(f, n))), "") or self.reads(f, node):
                return f"it reads {told}"
            for n in ast.walk(node):
                if isinstance(n, ast.Call) and (told := self._does(n, frozenset())):
                    return f"it comes to {told}"
        for node in part:
            if told := self._changes(f, node, False, frozenset()):
                return f"it sets {told}"
        for node in skipped:
            if told := self._changes(f, node, True, frozenset()):
                return f"it leaves out what sets {told}"
        if any(isinstance(n, ast.Return | ast.Yield) for node in part for n in ast.walk(node)):
            if ("=", f.node.name) in self.how:
                return f"what {f.node.name} returns says how a release is made"
        for node in part:  # a value in an expression that says how a release is made
            for call in (n for n in ast.walk(f.node) if isinstance(n, ast.Call) and self.is_release(n)):
                if any(_holds(a, node) for a in (*call.args, *(k.value for k in call.keywords))):
                    return "it says how a release is made"
            for target, value in (pair for n in ast.walk(f.node) for pair in _given(n)):
                if value is not None and _holds(value, node) and set(self._keys(f, target)) & self.how:
                    return f"{ast.unparse(target)} says how a release is made"
            for call in (n for n in ast.walk(f.node) if isinstance(n, ast.Call) and _holds(n, node) and n is not node):
                if any((g.name, p) in self.how for g in self._called(call) for p in (*g.parameters(), *g.others())):
                    return "its value says how a release is made"
        return None

    def _does(self, call: ast.Call, within: frozenset[str]) -> str:
        """What a call does that could leak: a release, or what reads rewards or gives them a place."""
        if self.is_release(call):
            return "a release"
        for g in self._called(call):
            if g.name in within:
                continue
            for n in ast.walk(g.node):
                if isinstance(n, ast.Name | ast.Attribute) and (told := self.reads(g, n)):
                    return f"{told} in {g.node.name}"
                if isinstance(n, ast.stmt):
                    for target, _ in _given(n):
                        if set(self._keys(g, target)) & self.how:
                            return f"{ast.unparse(target)} in {g.node.name}"
                if isinstance(n, ast.Call) and (told := self._does(n, within | {g.name})):
                    return told
        return ""

    def _changes(self, f: _Function, node: ast.AST, skipped: bool, within: frozenset[str]) -> str:
        """What gets a value that a release is made of; what only adds to it does no harm if it is skipped."""
        kept = self.how | {key for key in self.raw if key[0] == "."}
        for n in ast.walk(node):
            targets = [target for target, _ in _given(n)]
            if skipped and isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add):
                targets = [t for t in targets if set(self._keys(f, t)) & self.how]
            if isinstance(n, ast.Call):
                name = getattr(n.func, "attr", "")
                if (
                    isinstance(n.func, ast.Attribute)
                    and name not in PURE | RELEASES
                    and not (skipped and name == "append")
                ):
                    targets += [n.func.value] if name not in self.named or self._may_fill(n) else []
                for g in self._called(n):
                    if g.name not in within and (told := self._changes(g, g.node, skipped, within | {g.name})):
                        return told
            for target in targets:
                if keys := set(self._keys(f, target)) & kept:
                    return f"{sorted(keys)[0][1]}, on which a release depends"
        return ""

    def _may_fill(self, call: ast.Call) -> bool:
        """Whether a call by the name of a method of this code may be one of a container."""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        of_self = owner is None or isinstance(owner, ast.Name) and owner.id in ("self", "cls")
        return not of_self and getattr(call.func, "attr", "") in OF_CONTAINERS

    def _called(self, call: ast.Call) -> list[_Function]:
        """The functions that a call may run, by name; what is no function of the code by its name may be an object."""
        name = _name(call.func)
        if name in self.named:
            return self.named[name]
        if name in self.classes:
            return [*self.named["__init__"], *self.named["__post_init__"]]
        return [] if name in PURE else list(self.named["__call__"])

    # ----------------------------------------------------------------------------------------------------------- names

    def _keys(self, f: _Function, target: ast.AST) -> Iterator[Key]:
        """What is given a value, or changed, where this is the target."""
        match target:
            case ast.Name(id=name):
                yield f.key(name)
            case ast.Attribute(attr=attribute, value=owner):
                yield ".", attribute
                if not (isinstance(owner, ast.Name) and owner.id in ("self", "cls")):
                    yield from self._keys(f, owner)
            case ast.Subscript(value=owner) | ast.Starred(value=owner):
                yield from self._keys(f, owner)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    yield from self._keys(f, part)

    def _read_keys(self, f: _Function, node: ast.AST) -> Iterator[Key]:
        for n in ast.walk(node):
            match n:
                case ast.Name(id=name) if name not in ("self", "np"):
                    yield f.key(name)
                    if name in self.named:
                        yield "=", name
                case ast.Attribute(attr=attribute):
                    yield ("=" if attribute in self.named else "."), attribute


def _outermost(trees: Iterable[ast.AST]) -> Iterator[Any]:
    """The functions that are in no other one: variables of those inside count as theirs."""
    for tree in trees:
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, FUNCTION):
                yield node
            elif isinstance(node, ast.stmt):
                yield from _outermost([node])


def _name(node: ast.AST | None) -> str:
    """The last name of what is called."""
    return getattr(node, "attr", getattr(node, "id", ""))


def _key_of(call: ast.Call) -> ast.expr | None:
    """The function by which a call puts things in order, or chooses one."""
    return next((k.value for k in call.keywords if k.arg == "key" and _name(call.func) in ORDERING), None)


def _is_opaque(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in OPAQUE
        case ast.Call(func=ast.Name(id="getattr"), args=[_, place, *_]):
            return not isinstance(place, ast.Constant)
        case ast.FunctionDef(decorator_list=decorators):
            plain = {"property", "staticmethod", "classmethod", "override", "setter", "abstractmethod"}
            inner = any(isinstance(n, FUNCTION) for n in ast.walk(node) if n is not node)
            return inner or any(getattr(d, "attr", getattr(d, "id", "")) not in plain for d in decorators)
        case ast.Global() | ast.Nonlocal() | ast.AsyncFunctionDef() | ast.TryStar():
            return True
    return False


def _tests(node: ast.AST) -> Iterator[ast.AST]:
    """What decides whether the statements in this one run."""
    match node:
        case ast.If(test=test) | ast.While(test=test):
            yield test
        case ast.For(iter=through):
            yield through
        case ast.Match(subject=subject, cases=cases):
            yield subject
            yield from (case.guard for case in cases if case.guard is not None)
        case ast.Try(body=body) if node.handlers:
            yield from body


def _class_names(kind: ast.ClassDef) -> Iterator[ast.Name]:
    """The attributes that the body of a class gives a value."""
    for statement in kind.body:
        yield from (t for t, _ in _given(statement) if isinstance(t, ast.Name))


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and not isinstance(node, FUNCTION | ast.ClassDef):
            yield block
    for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield inner.body


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions of a statement, without those of the statements in it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem | ast.match_case | ast.keyword):
            yield from _expressions(child)


def _given(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AugAssign(target=target, value=value) | ast.AnnAssign(target=target, value=value):
            yield target, value
        case ast.For(target=target, iter=value):
            yield target, value
        case ast.With(items=items):
            yield from ((i.optional_vars, i.context_expr) for i in items if i.optional_vars is not None)
        case ast.Delete(targets=targets):
            yield from ((target, None) for target in targets)
        case ast.Match(subject=subject, cases=cases):
            for case in cases:
                for n in ast.walk(case.pattern):
                    if isinstance(n, ast.MatchAs | ast.MatchStar) and n.name:
                        yield ast.Name(n.name, ast.Store()), subject


def _chains(node: ast.AST) -> Iterator[ast.AST]:
    """Names and attributes of which an expression may be the object itself, or hold it."""
    match node:
        case ast.Name() | ast.Attribute() | ast.Subscript():
            yield node
        case ast.IfExp(body=one, orelse=two):
            yield from (*_chains(one), *_chains(two))
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            for part in parts:
                yield from _chains(part)
        case ast.Dict(values=parts):
            for part in parts:
                yield from _chains(part)
        case ast.Starred(value=value) | ast.NamedExpr(value=value):
            yield from _chains(value)
        case ast.Call(args=arguments):
            for argument in arguments:
                yield from _chains(argument)
            if isinstance(node.func, ast.Attribute):
                yield from _chains(node.func.value)


def _holds(outer: ast.AST, inner: ast.AST) -> bool:
    return any(n is inner for n in ast.walk(outer))


def named(function: Any) -> str:
    """The name under which the variables of a function are known."""
    return f"{function.name}@{function.lineno}"


def span_of(node: Any) -> Span:
    """Where a statement or expression stands."""
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


@cache
def flows_of(trees: tuple[ast.Module, ...], sources: frozenset[str], excluded: frozenset[tuple[str, Span]]) -> Flows:
    """The same for the same trees."""
    return Flows(trees, sources, excluded)
