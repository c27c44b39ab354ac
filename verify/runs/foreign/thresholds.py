"""Constants that a policy compares with its clocks and counters: after how many pulls each of them is passed.

Noise can stop after 300 pulls without a branch of its own, as in `noise * (self.t <= 300)` or `max(0, 1 - t / 300)`. So
the two sides of every comparison, of `min`, `max`, `%` and `//`, in the policy's own code are read while it runs. A
threshold is a side that stays what it is while the other one counts towards it. Nothing is called to read them but
functions of Python and NumPy that only compute, and no property.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from inspect import getattr_static
from types import FrameType
from typing import Any

import numpy as np

from banditproof.verify.runs.own_code import OwnCode
from banditproof.verify.runs.source_lines import located, parsed
from banditproof.verify.runs.tracing import traced

_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv},
    **{ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow},
}
_COMPUTING = (len, int, float, abs, min, max, sum, round, *(f for f in vars(math).values() if callable(f)))
_BETWEEN = {"min", "max", "minimum", "maximum", "clip", "fmin", "fmax"}
_OWNED = (int, float, np.ndarray, np.number, list, tuple, dict)  # whose methods and items only compute
ENTRIES = 16  # of an array that are followed
MOST_PULLS = 10**7  # nobody plays more


class _Unread(Exception):
    """What cannot be read without running code of the policy."""


@dataclass
class _Sides:
    """What one comparison of one number with another was while a run went on."""

    first: tuple[int, float, float]
    last: tuple[int, float, float]
    signs: set[float] = field(default_factory=set)
    passed: list[int] = field(default_factory=list)  # pulls before which it came out otherwise for the first time
    steady: list[bool] = field(default_factory=lambda: [True, True])  # which sides have never changed
    counts: list[bool] = field(default_factory=lambda: [True, True])  # which sides have only risen, or only fallen
    whole: list[bool] = field(default_factory=lambda: [True, True])  # which sides are whole numbers

    def hear(self, pull: int, sides: tuple[float, float]) -> None:
        before = self.last[1:]
        for k in (0, 1):
            self.steady[k] &= sides[k] == before[k]
            way = self.last[1 + k] - self.first[1 + k]
            self.counts[k] &= (sides[k] - before[k]) * way >= 0
            self.whole[k] &= sides[k] == round(sides[k])
        sign = float(np.sign(sides[0] - sides[1]))
        if sign not in self.signs:
            self.passed += [pull] if self.signs else []
            self.signs.add(sign)
        self.last = pull, *sides

    def expected(self, other: _Sides | None) -> float | None:
        """The pull at which one side, as it counts on, will have passed the other one; None if it never does.

        What counts has whole numbers, or is the same in another run on other rewards.
        """
        (start, *begun), (pull, *sides) = self.first, self.last
        for moving, still in ((0, 1), (1, 0)):
            way, left = sides[moving] - begun[moving], sides[still] - sides[moving]
            clock = other is not None and other.first == self.first and other.last == self.last
            if self.steady[still] and self.counts[moving] and (self.whole[moving] or clock) and way * left > 0:
                return pull + left * (pull - start) / way if pull > start else None
        return None


@dataclass(frozen=True)
class Threshold:
    """A comparison: its line, and the pull before which it came out otherwise, or about at which it will."""

    line: str
    pull: int
    passed: bool
    decides: bool  # between branches: those have to run anyway


class Thresholds:
    """The comparisons in the policy's own code, as runs show them."""

    def __init__(self, own: OwnCode) -> None:
        self.own = own
        self._heard: dict[tuple[str, int, int, str, int], _Sides] = {}
        self._before = self._heard  # in the run before
        self._pulls: Callable[[], int] = lambda: 0

    @contextmanager
    def reading(self, pulls: Callable[[], int]) -> Iterator[None]:
        """Read the sides in the block, a run; `pulls` are those that it has had so far."""
        self._before, self._heard, self._pulls = self._heard, {}, pulls
        with traced(self._call):
            yield

    def found(self) -> list[Threshold]:
        """The thresholds of the last run: those that a counter passed, and those that one will pass."""
        found: dict[tuple[str, int], Threshold] = {}
        for place, sides in self._heard.items():
            file, line, number, function, _ = place
            told, decides = located(file, line, function), _candidates(file)[line][number][2]
            expected = sides.expected(self._before.get(place))
            if any(sides.steady[k] and sides.counts[1 - k] for k in (0, 1)):
                found |= {(told, at): Threshold(told, at, True, decides) for at in sides.passed}
            if len(sides.signs) == 1 and expected is not None and expected < MOST_PULLS:
                found.setdefault((told, -1), Threshold(told, math.ceil(expected), False, decides))
        return sorted(found.values(), key=lambda t: t.pull)

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self.own:
            return None
        lines = _candidates(code.co_filename)
        mine = {line for _, _, line in code.co_lines() if line in lines}
        return self._line if mine else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event != "line":
            return self._line
        file, line = frame.f_code.co_filename, frame.f_lineno
        for number, (left, right, _) in enumerate(_candidates(file).get(line, ())):
            try:
                with np.errstate(all="ignore"):
                    one, two = np.broadcast_arrays(_number(left, frame), _number(right, frame))
            except (_Unread, ArithmeticError, ValueError, TypeError, LookupError):
                continue
            for k, sides in enumerate(zip(one.ravel()[:ENTRIES].tolist(), two.ravel()[:ENTRIES].tolist(), strict=True)):
                key, pull = (file, line, number, frame.f_code.co_name, k), self._pulls()
                if all(map(math.isfinite, sides)):
                    heard = self._heard.setdefault(key, _Sides((pull, *sides), (pull, *sides)))
                    heard.hear(pull, sides)
        return self._line


@cache
def _candidates(file: str) -> dict[int, list[tuple[ast.expr, ast.expr, bool]]]:
    """By line, the pairs of expressions that are compared there, and whether a branch is what they decide."""
    tree, found = parsed(file), {}
    nodes = list(ast.walk(tree)) if tree is not None else []
    tests = [n.test for n in nodes if isinstance(n, ast.If | ast.While | ast.IfExp | ast.Assert)]
    deciding = {id(n) for test in tests for n in ast.walk(test)}
    for node in nodes:
        for left, right in _pairs(node):
            line = getattr(node, "lineno", 0)
            found.setdefault(line, []).append((left, right, id(node) in deciding))
    return found


def _pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            ordered = ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq | ast.NotEq
            for one, op, two in zip([left, *others], ops, others, strict=False):
                if isinstance(op, ordered):
                    yield one, two
        case ast.BinOp(left=left, op=ast.Mod() | ast.FloorDiv(), right=right):
            yield left, right
        case ast.Call(func=func, args=[first, *others]) if getattr(func, "attr", getattr(func, "id", "")) in _BETWEEN:
            yield from ((first, other) for other in others)


def _number(node: ast.expr, frame: FrameType) -> np.ndarray:
    number = np.asarray(_read(node, frame))
    if number.dtype.kind not in "biuf":
        raise _Unread
    return number.astype(float)


def _read(node: ast.expr, frame: FrameType) -> Any:
    """What an expression is in a frame, if no code of the policy runs for it."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            for names in (frame.f_locals, frame.f_globals, vars(builtins)):
                if name in names:
                    return names[name]
        case ast.Attribute(value=owner, attr=attribute):
            holder = _read(owner, frame)
            if attribute in getattr(holder, "__dict__", {}):
                return holder.__dict__[attribute]
            kept = getattr_static(type(holder), attribute, None)
            if isinstance(kept, int | float | tuple | list | dict | np.ndarray):
                return kept
            if isinstance(holder, np.ndarray) and attribute in ("size", "shape", "T"):
                return getattr(holder, attribute)
        case ast.Subscript(value=value, slice=place):
            holder = _read(value, frame)
            if type(holder) in _OWNED:
                return holder[_read(place, frame)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_read(operand, frame)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            sides = _read(left, frame), _read(right, frame)
            if all(isinstance(side, int | float | np.number | np.ndarray) for side in sides):
                if not isinstance(op, ast.Pow) or abs(np.max(sides[1])) <= 64:
                    return _OPERATIONS[type(op)](*sides)
        case ast.Call(func=ast.Attribute(value=value, attr="sum" | "max" | "min" as method), args=[], keywords=[]):
            holder = _read(value, frame)
            if type(holder) is np.ndarray:
                return getattr(holder, method)()
        case ast.Call(func=called, args=arguments, keywords=[]):
            function = _read(called, frame)
            if isinstance(function, np.ufunc) or any(function is known for known in _COMPUTING):
                given = [_read(argument, frame) for argument in arguments]
                if all(type(g) in _OWNED or isinstance(g, np.number | bool | str) for g in given):
                    return function(*given)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_read(part, frame) for part in parts]
    raise _Unread
