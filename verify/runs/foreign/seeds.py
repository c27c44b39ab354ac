"""Where does a seed come from? One that follows from constants and counters of the program is the same in every run.

What a generator draws then is a function of the seed, so it hides nothing. A seed that a caller could have given, or
that is read from a system, a file or another generator, is not of this kind: whatever cannot be traced back to numbers
in the source counts as one from outside. Names are taken for the same wherever they stand in a file, so that too many
seeds may seem to come from outside, never too few.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from types import CodeType, FrameType
from typing import Any, NamedTuple

from banditproof.verify.runs.flows import OPAQUE
from banditproof.verify.source_lines import parsed

GENERATORS = frozenset(
    "default_rng Generator RandomState SeedSequence PCG64 PCG64DXSM MT19937 Philox SFC64 Random".split()
)
MODULES = frozenset("numpy random math itertools hashlib zlib struct collections".split())
ASKED_AND_TOLD = frozenset("self cls arm action pulled reward payoff gain".split())  # names of what a run is told
PURE = (GENERATORS | ASKED_AND_TOLD) | frozenset(
    "len int float bool str abs min max sum round list tuple dict range enumerate zip bytes repr divmod pow "
    "seed array asarray zeros ones full uint32 uint64 int32 int64 floor count cycle crc32 adler32 md5 sha1 sha256 "
    "sha512 blake2b blake2s digest hexdigest encode from_bytes to_bytes pack generate_state spawn "
    "defaultdict Counter".split()
)
OF_SHAPES = frozenset("len size shape ndim enumerate".split())  # read how many numbers there are
SEED_NAMES = ("seed", "key", "salt", "secret", "entropy", "random_state")  # parts of the names of such arguments
FILLING = ("append", "appendleft", "add", "update", "extend", "insert", "setdefault", "fill")
MAKING = ("__init__", "__new__", "__post_init__")
Known = tuple[frozenset[str], frozenset[int], frozenset[str]]
"""Names of makers, first lines of functions that were called from elsewhere, and fields that were given."""
OUTSIDE = ast.Name("")  # stands for a value that nothing in the file gives


class Outside(NamedTuple):
    """What is not the program: functions that make the policy, functions that were called from elsewhere when they
    did, whose arguments are those of whoever runs it, and fields of dataclasses that had other values than their
    defaults."""

    makers: frozenset[CodeType]
    called: frozenset[CodeType]
    fields: frozenset[str] = frozenset()

    @classmethod
    def of(cls, make: Callable[[], Any], makers: frozenset[CodeType]) -> Outside:
        called, fields = set[CodeType](), set[str]()

        def look(frame: FrameType, event: str, _: Any) -> None:
            by = frame.f_back.f_code if event == "call" and frame.f_back else frame.f_code
            if by in makers or by.co_filename != frame.f_code.co_filename:
                called.add(frame.f_code)
            made = type(frame.f_locals.get("self"))
            if event == "call" and frame.f_code.co_name == "__init__" and is_dataclass(made):
                fields.update(name for name, value in frame.f_locals.items() if getattr(made, name, None) is not value)

        before = sys.getprofile()
        sys.setprofile(look)
        try:
            with suppress(Exception):  # the first run says what it raises
                make()
        finally:
            sys.setprofile(before)
        return cls(makers, frozenset(called), frozenset(fields))


def is_own(frame: FrameType, outside: Outside) -> bool:
    """Whether the call that runs in the frame gives a seed that its own program fixes."""
    code, at = frame.f_code, frame.f_lasti
    if code in outside.makers:
        return False
    lines = frozenset(c.co_firstlineno for c in outside.called if c.co_filename == code.co_filename)
    return _is_own(code, at, (frozenset(maker.co_name for maker in outside.makers), lines, outside.fields))


@cache
def _is_own(code: CodeType, at: int, outside: Known) -> bool:
    place = list(code.co_positions())[at // 2]
    calls = (n for n in ast.walk(parsed(code.co_filename) or ast.Module([], [])) if isinstance(n, ast.Call))
    call = next((n for n in calls if (n.lineno, n.end_lineno, n.col_offset, n.end_col_offset) == place), None)
    return call is not None and _gives(call, code.co_filename, outside)


@cache
def named_seed(file: str | None, name: str) -> str | None:
    """The seed that a module or a class gives the generator that it holds under this name, if the program fixes it."""
    tree = (parsed(file) if file else None) or ast.Module([], [])
    *classes, name = name.split(".")
    held: Any = tree
    for inner in classes:
        held = next((n for n in held.body if isinstance(n, ast.ClassDef) and n.name == inner), ast.Module([], []))
    assigns = (n for n in held.body if isinstance(n, ast.Assign))
    values = [n.value for n in assigns if name in [getattr(target, "id", "") for target in n.targets]]
    if any(isinstance(n, ast.Global) and name in n.names for n in ast.walk(tree)):
        return None
    call = values[0] if len(values) == 1 else None
    if file and isinstance(call, ast.Call) and _called(call) in GENERATORS and [*_arguments(call)]:
        return ", ".join(map(ast.unparse, _arguments(call))) if _gives(call, file) else None
    return None


def _gives(call: ast.Call, file: str, outside: Known = (frozenset(), frozenset(), frozenset())) -> bool:
    """Whether all that the arguments of a call read is given by numbers in the source."""
    given, told = _given(file, outside), _told(file)

    def follows(parts: Callable[[ast.AST], Iterator[ast.AST]], unread: frozenset[str] = frozenset()) -> bool:
        todo, seen = [*_arguments(call)], set[str]()
        for expression in todo:
            for name in {*_read(parts(expression), told)} - seen:
                seen.add(name)
                if name in unread or name not in PURE and name not in given:
                    return False
                todo += given.get(name, ())
        return True

    return follows(ast.walk) or follows(_contents, OF_SHAPES)


@cache
def _told(file: str) -> frozenset[ast.AST]:
    """Where functions read what they are told, such as the arm that was played, and not what has the same name."""
    told = set[ast.AST]()
    for function in (n for n in ast.walk(parsed(file) or ast.Module([], [])) if isinstance(n, ast.FunctionDef)):
        names = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
        own = ASKED_AND_TOLD.intersection(parameter.arg for parameter in function.args.args)
        own -= {n.id for n in names if not isinstance(n.ctx, ast.Load)}
        told |= {n for n in names if n.id in own}
    return frozenset(told)


def _contents(expression: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that give what it holds, without those that only say how many zeros these are."""
    yield expression
    match expression:
        case ast.Call(func=func) if _called(expression) == "zeros":
            parts = [func]
        case (
            ast.BinOp(left=ast.List(elts=[ast.Constant(value=0) as zero]), op=ast.Mult())
            | ast.BinOp(op=ast.Mult(), right=ast.List(elts=[ast.Constant(value=0) as zero]))
            | ast.ListComp(elt=ast.Constant(value=0) as zero)
        ):
            parts = [zero]
        case _:
            parts = [*ast.iter_child_nodes(expression)]
    for part in parts:
        yield from _contents(part)


def _read(parts: Iterator[ast.AST], told: frozenset[ast.AST]) -> Iterator[str]:
    """The names that parts of an expression read, but for those `told`; '' for one that nothing in the source gives."""
    for node in parts:
        if isinstance(node, ast.Call) and not (node.args or node.keywords):
            if _called(node) in GENERATORS | {"seed"}:  # which the system seeds
                yield ""
        if isinstance(node, ast.Name) and node not in told:
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and node.value is None:
            yield ""


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


@cache
def _given(file: str, outside: Known) -> dict[str, list[ast.AST]]:
    """The expressions that may give a name its value, anywhere in the file."""
    makers, called, fields = outside
    tree, given = parsed(file) or ast.Module([], []), defaultdict[str, list[ast.AST]](list)
    if {getattr(node, "id", "") for node in ast.walk(tree)} & OPAQUE:
        return {}
    calls = defaultdict[str, list[ast.Call | None]](list)
    targets = [n.target for n in ast.walk(tree) if isinstance(n, ast.AugAssign)]
    added_to = (target.attr for target in targets if isinstance(target, ast.Attribute))
    counters = {name for name in added_to if not any(word in name.lower() for word in SEED_NAMES)} - fields

    def of(function: ast.FunctionDef | ast.Lambda, name: str) -> list[ast.Call | None]:
        """The calls of a function; None is one from elsewhere."""
        first = min([function.lineno, *(d.lineno for d in getattr(function, "decorator_list", ()))])
        return [*calls[name], *([None] if first in called else [])]

    for inside, call in _calls(tree, (), makers):
        calls[_called(call)].append(call if inside else None)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                known = (module or alias.name).partition(".")[0] in MODULES and (not module or alias.name in PURE)
                given[alias.asname or alias.name.partition(".")[0]] += [] if known else [OUTSIDE]
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                _give(given, target, node.value)
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            _give(given, node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            _give(given, node.target, node.iter)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            _give(given, node.optional_vars, node.context_expr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FILLING:
            for argument in _arguments(node):
                _give(given, node.func.value, argument)
        elif isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            name = getattr(node, "name", "<lambda>")
            returns = (n for n in ast.walk(node) if isinstance(n, ast.Return | ast.Yield | ast.YieldFrom) and n.value)
            given[name] += [value for n in returns if (value := n.value) is not None]
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and inner.name in MAKING:
                        _give_parameters(given, inner, of(inner, name))
                for inner in node.body:  # a field, which whoever makes an object may give, if it is no counter
                    if isinstance(inner, ast.AnnAssign) and not (inner.value and _name(inner.target) in counters):
                        _give(given, inner.target, OUTSIDE)
            elif name not in MAKING:
                _give_parameters(given, node, of(node, name))
    return dict(given)


def _calls(node: ast.AST, around: tuple[str, ...], makers: frozenset[str]) -> Iterator[tuple[bool, ast.Call]]:
    """All calls, and whether the program itself makes them: in methods, in functions in functions, not in `makers`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield len(around) > 1 and makers.isdisjoint(around), child
        named = isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef)
        yield from _calls(child, (*around, getattr(child, "name", "<lambda>")) if named else around, makers)


def _called(call: ast.Call) -> str:
    return _name(call.func)


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _give(given: dict[str, list[ast.AST]], target: ast.AST, value: ast.AST) -> None:
    if isinstance(target, ast.Tuple | ast.List):
        paired = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        for k, inner in enumerate(target.elts):
            _give(given, inner, value.elts[k] if paired and isinstance(value, ast.Tuple | ast.List) else value)
    elif isinstance(target, ast.Name):
        given[target.id].append(value)
    elif isinstance(target, ast.Attribute):
        given[target.attr].append(value)
    elif isinstance(target, ast.Subscript | ast.Starred):
        _give(given, target.value, value)


def _give_parameters(
    given: dict[str, list[ast.AST]], function: ast.FunctionDef | ast.Lambda, calls: list[ast.Call | None]
) -> None:
    """Parameters have the values of all calls; where there is none in the program, somebody else gives them, as in a
    call that is None."""
    arguments = function.args
    placed = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)]
    rest = [p.arg for p in (arguments.vararg, arguments.kwarg) if p is not None]
    names = [*placed, *(parameter.arg for parameter in arguments.kwonlyargs), *rest]
    defaults = [default for default in (*arguments.defaults, *arguments.kw_defaults) if default is not None]
    values: dict[str, list[ast.AST]] = {name: [] if calls else [OUTSIDE] for name in names}
    for call in calls:
        unpacked = call is None or any(isinstance(x, ast.Starred) for x in call.args)
        if call is None or unpacked or any(keyword.arg is None for keyword in call.keywords):
            for name in names:
                values[name] += [OUTSIDE] if call is None else _arguments(call)
            continue
        free = placed[1:] if placed[:1] in (["self"], ["cls"]) else placed
        for k, value in enumerate(call.args):
            for name in [free[k]] if k < len(free) else rest[:1]:
                values[name].append(value)
        for keyword in call.keywords:
            for name in [keyword.arg] if keyword.arg in values else rest[-1:]:
                values[str(name)].append(keyword.value)
    for name in names:
        if name not in ASKED_AND_TOLD:
            given[name] += [*defaults, *values[name]]
