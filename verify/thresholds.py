"""Constants that a policy compares with its clocks and counters: after how many pulls is each of them passed?

A run that is shorter never meets what happens after them, and noise can stop after 300 pulls without a branch of its
own, as in `noise * (self.t <= 300)` or `max(0, 1 - t / 300)`. So the two sides of every comparison, of `min`, `max`,
`%` and `//`, and the limits of queues are read in the policy's own code: in a policy that was just made (`named_by`),
or while it runs (`Thresholds`). There a threshold is a side that stays what it is while the other one counts towards
it. Nothing is called to read them but functions of Python and NumPy that only compute, and no property.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import operator
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import FrameType
from typing import Any

import numpy as np

from banditproof.verify.source_lines import is_library, located, parsed
from banditproof.verify.tracing import traced

_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv},
    **{ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow},
    ast.LShift: lambda number, by: number << min(by, 64),
}
_COMPUTING = (len, int, float, abs, min, max, sum, round, *(f for f in vars(math).values() if callable(f)))
_BETWEEN = {"min", "max", "minimum", "maximum", "clip", "fmin", "fmax"}
_OWNED = (int, float, np.ndarray, np.number, list, tuple, dict)  # whose methods and items only compute
ENTRIES = 16  # of an array that are followed
MOST_PULLS = 10**7  # nobody plays more
OVER = 8  # times the pulls until a comparison was made for the last time: a longer run shows that it is over
LEAST_NAMED, MOST_NAMED = 20, 10**9  # numbers that may count pulls
DEEPEST, PLAYERS = 3, 1  # objects within objects; how many of a list of players are read

_Names = tuple[Mapping[str, Any], ...]
"""What names stand for, the innermost scope first."""


def named_by(policy: Any) -> list[int]:
    """The whole numbers from 20 to 10^9 with which the own code of a policy compares something, of the players that it
    holds and of what these hold, in order."""
    found: set[int] = set()
    for thing in _held(policy, DEEPEST, set()):
        for kind in type(thing).__mro__:
            sides = (side for pair in _compared_in(kind) for side in pair)
            names = {"self": thing, "cls": kind}, vars(inspect.getmodule(kind) or builtins), vars(builtins)
            numbers = (number for side in sides for number in _numbers_of(side, names))
            found.update(int(n) for n in numbers if n == n // 1 and LEAST_NAMED <= n <= MOST_NAMED)
    return sorted(found)


def beyond(policy: Any, horizon: int) -> str:
    """What is said beside the horizon of the longest runs where the policy's own code names more than half of it."""
    named = next((N for N in named_by(policy) if 2 * N > horizon), None)
    return "" if named is None else f", though the policy's own code names {named:,}: not beyond that"


def _held(thing: Any, deeper: int, met: set[int]) -> Iterator[Any]:
    """The objects with attributes of their own, from this one on."""
    if id(thing) in met:
        return
    met.add(id(thing))
    if isinstance(thing, list | tuple) or isinstance(thing, np.ndarray) and thing.dtype == object:
        for each in thing[:PLAYERS]:
            yield from _held(each, deeper, met)
    elif deeper and hasattr(thing, "__dict__") and not isinstance(thing, type):
        yield thing
        for each in list(vars(thing).values()):
            yield from _held(each, deeper - 1, met)


def _compared_in(kind: type) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The pairs of expressions that are compared in the source of a class, if that can be had and is no library's."""
    try:
        file = inspect.getsourcefile(kind) or ""
        lines, first = ([], 0) if is_library(file) else inspect.getsourcelines(kind)
    except (OSError, TypeError):
        return
    for line, pairs in _candidates(file).items():
        if first <= line < first + len(lines):
            yield from ((left, right) for left, right, _ in pairs)


def _numbers_of(side: ast.expr, names: _Names) -> Iterator[float]:
    """The number that an expression stands for, if it is one."""
    try:
        value = _read(side, names)
    except (_Unread, ArithmeticError, ValueError, TypeError, LookupError):
        return
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        yield value


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

    def __init__(self, own: Container[str]) -> None:
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
            expected = None if self._is_over(sides) else sides.expected(self._before.get(place))
            if any(sides.steady[k] and sides.counts[1 - k] for k in (0, 1)):
                found |= {(told, at): Threshold(told, at, True, decides) for at in sides.passed}
            if len(sides.signs) == 1 and expected is not None and expected < MOST_PULLS:
                found.setdefault((told, -1), Threshold(told, math.ceil(expected), False, decides))
        return sorted(found.values(), key=lambda t: t.pull)

    def _is_over(self, sides: _Sides) -> bool:
        """Whether the comparison was made in the first pulls of the run only, as before each arm was tried."""
        return self._pulls() > OVER * max(1, sides.last[0])

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
        file, line, names = frame.f_code.co_filename, frame.f_lineno, (frame.f_locals, frame.f_globals, vars(builtins))
        for number, (left, right, _) in enumerate(_candidates(file).get(line, ())):
            try:
                with np.errstate(all="ignore"):
                    one, two = np.broadcast_arrays(_number(left, names), _number(right, names))
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
    deciding = {id(n) for test in tests for n in ast.walk(test)} | {id(n) for n in nodes if isinstance(n, ast.Match)}
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
        case ast.Call(keywords=named):
            yield from ((each.value, each.value) for each in named if each.arg == "maxlen")
        case ast.Match(subject=subject, cases=cases):
            patterns = (part for case in cases for part in ast.walk(case.pattern))
            yield from ((subject, part.value) for part in patterns if isinstance(part, ast.MatchValue))


def _number(node: ast.expr, names: _Names) -> np.ndarray:
    number = np.asarray(_read(node, names))
    if number.dtype.kind not in "biuf":
        raise _Unread
    return number.astype(float)


def _read(node: ast.expr, names: _Names) -> Any:
    """What an expression is where names stand for this, if no code of the policy runs for it."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            for scope in names:
                if name in scope:
                    return scope[name]
        case ast.Attribute(value=owner, attr=attribute):
            holder = _read(owner, names)
            if attribute in getattr(holder, "__dict__", {}):
                return holder.__dict__[attribute]
            kept = inspect.getattr_static(holder if isinstance(holder, type) else type(holder), attribute, None)
            if isinstance(kept, int | float | tuple | list | dict | np.ndarray):
                return kept
            if isinstance(holder, np.ndarray) and attribute in ("size", "shape", "T"):
                return getattr(holder, attribute)
        case ast.Subscript(value=value, slice=place):
            holder = _read(value, names)
            if type(holder) in _OWNED:
                return holder[_read(place, names)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_read(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            sides = _read(left, names), _read(right, names)
            if all(isinstance(side, int | float | np.number | np.ndarray) for side in sides):
                if not isinstance(op, ast.Pow) or abs(np.max(sides[1])) <= 64:
                    return _OPERATIONS[type(op)](*sides)
        case ast.Call(func=ast.Attribute(value=value, attr="sum" | "max" | "min" as method), args=[], keywords=[]):
            holder = _read(value, names)
            if type(holder) is np.ndarray:
                return getattr(holder, method)()
        case ast.Call(func=called, args=arguments, keywords=[]):
            function = _read(called, names)
            if isinstance(function, np.ufunc) or any(function is known for known in _COMPUTING):
                given = [_read(argument, names) for argument in arguments]
                if all(type(g) in _OWNED or isinstance(g, np.number | bool | str) for g in given):
                    return function(*given)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_read(part, names) for part in parts]
    raise _Unread
