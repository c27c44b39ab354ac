"""The line at which rewards enter what a policy does: two runs are written down line by line and compared backwards.

Both runs have the same coins and released values, so what differs between them comes from the rewards themselves. The
decision that differs reads a variable that differs; it was assigned on a line that read another one, and so on back to
the line that read what `observe` was told.

`Coverage` knows which lines of a policy ran, and which ways of `a if condition else b`. Lines are those of the policy's
own source: neither the standard library and installed packages nor this library's simulator, noise and sensors.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from banditproof import algorithms, theory, verify
from banditproof.verify.runs.recorder import located

Tracer = Callable[[FrameType, str, Any], Any]
Way = tuple[int, str]
"""One way of a conditional expression: its line and its source."""

_FOREIGN = tuple(str(Path(sysconfig.get_paths()[name]).resolve()) for name in ("stdlib", "platstdlib", "purelib"))
_OURS = tuple(str(Path(room.__path__[0]).resolve()) for room in (theory, algorithms, verify))
MOST_STEPS = 40_000  # with their variables; after that only the lines are written down
DEEPEST = 4  # objects within objects


@dataclass(frozen=True, eq=False)
class Step:
    """An event of a frame (its number and the caller's): at `line`, with what the variables hold before it runs."""

    file: str
    line: int
    function: str
    event: str
    frame: int
    caller: int
    held: dict[str, bytes]

    @property
    def place(self) -> tuple[str, int, str]:
        """File, line and function."""
        return self.file, self.line, self.function

    def __str__(self) -> str:
        return located(*self.place)


class Journal:
    """The lines a policy runs in one run, in order, with their variables and what functions return."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._frames: dict[FrameType, int] = {}
        self._met = 0

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write down the block."""
        before = sys.gettrace()
        sys.settrace(self._event)
        try:
            yield
        finally:
            sys.settrace(before)
            self._frames.clear()

    def mentions(self, pattern: str) -> str:
        """A line that ran and on which the pattern matches, or an empty text."""
        ran = dict.fromkeys(step.place for step in self.steps)
        return next((located(*place) for place in ran if re.search(pattern, linecache.getline(*place[:2]))), "")

    def _event(self, frame: FrameType, event: str, argument: Any) -> Tracer | None:
        code = frame.f_code
        if not is_policy(code.co_filename):
            return None
        if event == "call":
            self._met += 1
            self._frames[frame] = self._met
        held = {}
        if len(self.steps) < MOST_STEPS or code.co_name == "next_batch":
            held = _variables(frame)
            if event == "return":
                held["return"] = _content(argument)
        caller = next((self._frames[f] for f in _callers(frame) if f in self._frames), 0)
        number = self._frames.pop(frame, 0) if event == "return" else self._frames.get(frame, 0)
        self.steps.append(Step(code.co_filename, frame.f_lineno, code.co_name, event, number, caller, held))
        return self._event


def _callers(frame: FrameType) -> Iterator[FrameType]:
    while frame.f_back is not None:
        frame = frame.f_back
        yield frame


def _variables(frame: FrameType) -> dict[str, bytes]:
    """Local variables by name, attributes of `self` as 'self.name'."""
    held = {name: _content(value) for name, value in frame.f_locals.items() if name != "self"}
    for name, value in getattr(frame.f_locals.get("self"), "__dict__", {}).items():
        held[f"self.{name}"] = _content(value)
    return held


def _content(value: Any, depth: int = 0) -> bytes:
    """Something to compare values by: numbers and arrays exactly, containers and the policy's own objects by entry."""
    if isinstance(value, np.ndarray) and value.dtype != object or isinstance(value, np.generic | int | float):
        return np.asarray(value).tobytes() if not isinstance(value, int) else b"%d" % value
    if depth == DEEPEST:
        return type(value).__name__.encode()
    if isinstance(value, dict):
        return b"{" + b",".join(_content(x, depth + 1) for pair in value.items() for x in pair) + b"}"
    if isinstance(value, tuple | list):
        return b"(" + b",".join(_content(x, depth + 1) for x in value) + b")"
    home = sys.modules.get(type(value).__module__)
    if home is not None and is_policy(getattr(home, "__file__", None) or "<>"):
        return b"<" + _content(getattr(value, "__dict__", {}), depth + 1) + b">"
    return type(value).__name__.encode()


def first_difference(one: Journal, other: Journal) -> str:
    """The line of a decision that differs between two runs; 'line, from line' if rewards reach it from elsewhere.

    A decision is where the runs go different ways, or what `next_batch` returns. Before that, variables may differ: a
    sum of rewards that waits for its release does.
    """
    for k, (a, b) in enumerate(zip(one.steps, other.steps, strict=False)):
        if a.place != b.place:
            return _Trail(one.steps, other.steps).told(k, one.steps[k - 1].frame) if k else ""
        if a.function == "next_batch" and a.event == "return" and a.held["return"] != b.held["return"]:
            return _Trail(one.steps, other.steps).told(k, a.frame)
    return ""


class _Trail:
    """The way back from a decision to the rewards, over the steps of two runs that went the same way until then."""

    def __init__(self, one: list[Step], other: list[Step]) -> None:
        self.one, self.other = one, other

    def told(self, end: int, frame: int) -> str:
        """The line of the decision that is done with at step `end`, and the earlier one that fed it, if any."""
        began = max((j for j in range(end) if self._begins_decision(j)), default=0)
        start = self._line_before(end, frame)
        if start is None:
            return str(self.one[end - 1])
        here = self._back(start, end)
        while (fed := self._fed(here)) is not None:
            source = self._back(fed, self._next(fed))
            if fed < began:
                return f"{self.one[here]}\n  from {self.one[source]}"
            here = source
        return str(self.one[here])

    def _fed(self, at: int) -> int | None:
        """The line that last made an attribute differ which the line of step `at` reads."""
        names = [n for n in _reads(*self.one[at].place[:2]) if n.startswith("self.") and self._differs(at, n)]
        return max((j for n in names if (j := self._assigned(at, n, None)) is not None), default=None)

    def _back(self, at: int, end: int) -> int:
        """From a line, done with at step `end`, to the one that made a local variable differ which it reads, else into
        the function that returned a difference to it, as far as that goes: the variables it was told are the end."""
        while True:
            names = [n for n in _reads(*self.one[at].place[:2]) if "." not in n and self._differs(at, n)]
            earlier = [j for n in names if (j := self._assigned(at, n, self.one[at].frame)) is not None]
            returned = [k for k in range(at + 1, end) if self._returns_difference(k, self.one[at].frame)]
            if earlier:
                at = max(earlier)
                end = self._next(at)
            elif returned and (inner := self._line_before(returned[-1], self.one[returned[-1]].frame)) is not None:
                at, end = inner, returned[-1]
            else:
                return at

    def _begins_decision(self, k: int) -> bool:
        return self.one[k].event == "call" and self.one[k].function == "next_batch"

    def _differs(self, k: int, name: str) -> bool:
        return self.one[k].held.get(name) != self.other[k].held.get(name)

    def _returns_difference(self, k: int, caller: int) -> bool:
        return self.one[k].event == "return" and self.one[k].caller == caller and self._differs(k, "return")

    def _line_before(self, k: int, frame: int) -> int | None:
        """The last line that the frame began before step `k`."""
        lines = (j for j in range(k - 1, -1, -1) if self.one[j].frame == frame and self.one[j].event == "line")
        return next(lines, None)

    def _next(self, k: int) -> int:
        """The step at which the frame is done with the line of step `k`."""
        frame = self.one[k].frame
        return next((j for j in range(k + 1, len(self.one)) if self.one[j].frame == frame), len(self.one))

    def _assigned(self, before: int, name: str, frame: int | None) -> int | None:
        """The last line before step `before` (of the frame, if one is given) that made the variable differ."""
        for k in range(before - 1, -1, -1):
            step = self.one[k]
            if step.event != "line" or (name not in step.held if frame is None else step.frame != frame):
                continue
            after = self._next(k)
            if (
                not self._differs(k, name)
                and after < min(len(self.one), len(self.other))
                and self._differs(after, name)
            ):
                return k
        return None


def _reads(file: str, line: int) -> frozenset[str]:
    """The variables and attributes of `self` that the statement at a line reads; of a compound one, its head."""
    return _statements(file).get(line, frozenset())


@cache
def _statements(file: str) -> dict[int, frozenset[str]]:
    tree = _parsed(file)
    found: dict[int, frozenset[str]] = {}
    for statement in (
        node for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, ast.stmt)
    ):  # outer statements come first
        names = frozenset(_named(statement))
        found |= dict.fromkeys(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1), names)
    return found


def _named(statement: ast.stmt) -> Iterator[str]:
    todo: list[ast.AST] = [n for n in ast.iter_child_nodes(statement) if not isinstance(n, ast.stmt)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield f"self.{node.attr}"
        elif isinstance(node, ast.Name):
            yield node.id
        todo += list(ast.iter_child_nodes(node))


@cache
def is_policy(file: str) -> bool:
    """Whether a file may hold the code of a user's policy."""
    if file.startswith("<"):
        return file.startswith("<ipython")
    path = Path(file).resolve()
    installed = {"site-packages", "dist-packages"} & {
        *path.parts
    }  # of this environment, or of one that it borrows from
    return not installed and not str(path).startswith((*_FOREIGN, *_OURS))


class Coverage:
    """The lines and ways that did not run while the coverage was collecting, by code object."""

    def __init__(self) -> None:
        self.missing: dict[CodeType, set[int]] = {}
        self.ways: dict[CodeType, dict[int, Way]] = {}  # those that were not gone, by the instructions that go them

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Trace the block; a function costs nothing any more once all of it has run."""
        before = sys.gettrace()
        if before is not None:  # a debugger or a coverage tool is at work already
            yield
            return
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)

    def _call(self, frame: FrameType, event: str, _: Any) -> Tracer | None:
        code = frame.f_code
        if not is_policy(code.co_filename):
            return None
        if code not in self.missing:
            lines = {line for _, _, line in code.co_lines() if line is not None}
            idle = _idle_lines(code.co_filename)
            self.missing[code] = lines - {code.co_firstlineno} - idle
            self.ways[code] = {at: way for at, way in _ways(code).items() if way[0] not in idle}
        frame.f_trace_opcodes = bool(self.ways[code])
        return self._line if self.missing[code] or self.ways[code] else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Tracer | None:
        missing, ways = self.missing[frame.f_code], self.ways[frame.f_code]
        if event == "opcode" and (gone := ways.get(frame.f_lasti)):
            ways = self.ways[frame.f_code] = {at: way for at, way in ways.items() if way != gone}
            frame.f_trace_opcodes = bool(ways)
        missing.discard(frame.f_lineno)
        return self._line if missing or ways else None

    def unreached(self) -> tuple[str, ...]:
        """The first line of every stretch, and the ways, that did not run in functions that were entered."""
        found = []
        for code, missing in self.missing.items():
            starts = sorted(line for line in missing if line - 1 not in missing)
            found += [located(code.co_filename, line, code.co_name) for line in starts]
            ways = {way: None for way in self.ways[code].values() if way[0] not in missing}
            found += [f"`{text}` in {located(code.co_filename, line, code.co_name)}" for line, text in ways]
        return tuple(found)


@cache
def _parsed(file: str) -> ast.Module | None:
    try:
        return ast.parse(Path(file).read_text())
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None


def _ways(code: CodeType) -> dict[int, Way]:
    """The ways of conditional expressions, other than constants, by the offsets of the instructions that go them."""
    tree = _parsed(code.co_filename)
    if tree is None:
        return {}
    choices = [node for node in ast.walk(tree) if isinstance(node, ast.IfExp)]  # outer ones come first
    found: dict[int, Way] = {}
    for way in (way for node in choices for way in (node.body, node.orelse) if not isinstance(way, ast.Constant)):
        begin, end = (way.lineno, way.col_offset), (way.end_lineno or 0, way.end_col_offset or 0)
        for k, (line, last, column, stop) in enumerate(code.co_positions()):
            if line and begin <= (line, column or 0) and (last or line, stop or 0) <= end:
                found[2 * k] = way.lineno, ast.unparse(way)
    return found


@cache
def _idle_lines(file: str) -> frozenset[int]:
    """Lines on which nothing can leak: errors raised, docstrings, signatures, decorators."""
    tree = _parsed(file)
    idle: set[int] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Raise | ast.Assert | ast.Pass | ast.Import | ast.ImportFrom):
            idle.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            idle.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            first = node.body.lineno if isinstance(node, ast.Lambda) else node.body[0].lineno
            if first > node.lineno:
                idle.update(range(node.lineno, first))
    return frozenset(idle)
