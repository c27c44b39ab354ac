"""The line at which rewards enter what a policy does: two runs are written down line by line and compared backwards.

Both runs have the same coins and released values, so what differs between them comes from the rewards themselves. The
decision that differs reads a variable that differs; it was assigned on a line that read another one, and so on back to
the line that read what `observe` was told. Lines are those of the policy's own code.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import FrameType
from typing import Any

import numpy as np

from banditproof.verify.own_code import OwnCode
from banditproof.verify.runs.recorder import RecordingNoise, clock_of
from banditproof.verify.source_lines import located, parsed, statements_on
from banditproof.verify.stopwatch import Stopwatch
from banditproof.verify.tracing import Tracer, traced

ASKED = ("next_batch", "stopped", "recommendation")  # what a policy answers is a decision
MOST_STEPS = 400_000
MOST_SECONDS = 1.0  # of writing down variables; after that only the lines
RELEASING = RecordingNoise.release.__code__
DEEPEST = 4  # objects within objects
MOST_LINES = 8  # that are told: from the decision back to where rewards enter


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """An event of a frame (its number and the caller's): at `line`, with what the variables hold before it runs.

    `held` are hashes, None where they were not written down. `decides` says whether the frame answers a question of the
    simulator, `owner` is the identity of the object whose method it is, 0 for none.
    """

    file: str
    line: int
    function: str
    event: str
    frame: int
    caller: int
    decides: bool
    held: dict[str, int] | None
    owner: int = 0

    @property
    def place(self) -> tuple[str, int, str]:
        """File, line and function."""
        return self.file, self.line, self.function

    def __str__(self) -> str:
        return located(*self.place)


class Journal:
    """The lines a policy runs in one run, in order, with their variables and what functions return.

    It begins with the batch of pull `since`, before which two runs on neighbouring lists are the same. With `like`, the
    variables of as many steps are written down as in that journal. `released` says how many steps were before each
    release.
    """

    def __init__(self, own: OwnCode | None = None, since: int = 0, like: Journal | None = None) -> None:
        self.own, self.since = own or OwnCode(), since
        self.steps: list[Step] = []
        self.released: list[int] = []
        self.most = like.written if like else MOST_STEPS
        self.written = 0
        self._timed = like is None
        self._clock = 0
        self._frames: dict[FrameType, tuple[int, int, bool, int]] = {}
        self._lines: dict[FrameType, int] = {}  # the last one of each
        self._met = 0

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write down the block."""
        self._watch = Stopwatch()
        with traced(self._event):
            try:
                yield
            finally:
                self._frames.clear()
                self._lines.clear()

    def mentions(self, pattern: str) -> str:
        """A line that ran and on which the pattern matches, or an empty text."""
        ran = dict.fromkeys(step.place for step in self.steps)
        return next((located(*place) for place in ran if re.search(pattern, linecache.getline(*place[:2]))), "")

    def _event(self, frame: FrameType, event: str, argument: Any) -> Tracer | None:
        code = frame.f_code
        if self._clock <= self.since and self.since and event == "call":
            self._clock += clock_of(frame)
            if self._clock <= self.since:
                return None
        if code is RELEASING and event == "call":
            self.released.append(len(self.steps))
        if code.co_filename not in self.own or len(self.steps) >= MOST_STEPS:
            return None
        if event == "call":
            self._met += 1
            caller = next((self._frames[f][0] for f in _callers(frame) if f in self._frames), 0)
            asked = not caller and any(f.f_code.co_name in ASKED for f in (frame, *_callers(frame)))
            self._frames[frame] = self._met, caller, asked, id(self._owner(frame))
        number, caller, decides, owner = self._frames.get(frame, (0, 0, False, 0))
        if event == "return":
            self._frames.pop(frame, None)
            self._lines.pop(frame, None)
        if event == "line":
            before, self._lines[frame] = self._lines.get(frame, 0), frame.f_lineno
            if _leaves(code.co_filename, before, frame.f_lineno):
                return self._event
        held = None
        if len(self.steps) < self.most:
            held = self._variables(frame)
            if event == "return":
                held["return"] = hash(_content(argument, self.own))
            self.written = len(self.steps) + 1
            if self._timed and self.written % 256 == 0 and self._watch.seconds() > MOST_SECONDS:
                self.most = self.written
        self.steps.append(
            Step(code.co_filename, frame.f_lineno, code.co_name, event, number, caller, decides, held, owner)
        )
        return self._event

    def _first(self, frame: FrameType) -> str:
        """The variable that holds the object whose method it is; an empty text if there is none."""
        code, local = frame.f_code, frame.f_locals
        names = (*code.co_varnames[: min(code.co_argcount, 1)], *code.co_freevars)
        return next((name for name in names if name == "self" or _is_own(local.get(name), self.own)), "")

    def _owner(self, frame: FrameType) -> Any:
        return frame.f_locals.get(self._first(frame))

    def _variables(self, frame: FrameType) -> dict[str, int]:
        """Local variables by name, attributes of the object whose method it is as 'self.name'."""
        local, first = frame.f_locals, self._first(frame)
        owner = local.get(first)
        held = {name: hash(_content(value, self.own)) for name, value in local.items() if name != first}
        for name, value in getattr(owner, "__dict__", {}).items():
            held[f"self.{name}"] = hash(_content(value, self.own))
        return held


def _callers(frame: FrameType) -> Iterator[FrameType]:
    while frame.f_back is not None:
        frame = frame.f_back
        yield frame


def _is_own(value: Any, own: OwnCode) -> bool:
    """Whether a value is an object of a class of the policy's own code."""
    home = sys.modules.get(type(value).__module__)
    return type(value) in own.classes or (home is not None and (getattr(home, "__file__", None) or "<>") in own)


def _content(value: Any, own: OwnCode, depth: int = 0) -> bytes:
    """Something to compare values by: numbers and arrays exactly, containers and the policy's own objects by entry."""
    if isinstance(value, int):
        return b"%d" % value
    if isinstance(value, np.ndarray) and value.dtype != object or isinstance(value, np.generic | float):
        return np.asarray(value).tobytes()
    if isinstance(value, str | Fraction | Decimal | complex):
        return repr(value).encode()
    if depth == DEEPEST:
        return type(value).__name__.encode()
    if isinstance(value, dict):
        return b"{" + b",".join(_content(x, own, depth + 1) for pair in value.items() for x in pair) + b"}"
    if isinstance(value, tuple | list | deque | set | frozenset | np.ndarray):
        return b"(" + b",".join(_content(x, own, depth + 1) for x in value) + b")"
    if _is_own(value, own):
        return b"<" + _content(getattr(value, "__dict__", {}), own, depth + 1) + b">"
    return type(value).__name__.encode()


def first_difference(one: Journal, other: Journal, *, answers: bool = True) -> str:
    """The line of a decision that differs between two runs; 'line, from line, ...' back to where rewards enter.

    A decision is where the runs go different ways, or, with `answers`, what the policy answers to the simulator. Before
    that, variables may differ: a sum of rewards that waits for its release does.
    """
    for k, (a, b) in enumerate(zip(one.steps, other.steps, strict=False)):
        if a.place != b.place:
            return _Trail(one.steps, other.steps).told(k, one.steps[k - 1].frame) if k else ""
        if answers and a.decides and a.event == "return" and _Trail.tells(a, b, "return"):
            return _Trail(one.steps, other.steps).told(k, a.frame)
    return ""


class _Trail:
    """The way back from a decision to the rewards, over the steps of two runs that went the same way until then."""

    def __init__(self, one: list[Step], other: list[Step]) -> None:
        self.one, self.other = one, other

    @staticmethod
    def tells(one: Step, other: Step, name: str) -> bool:
        """Whether both runs wrote down the variable, or one of them that there is none, and not the same."""
        return one.held is not None and other.held is not None and one.held.get(name) != other.held.get(name)

    def told(self, end: int, frame: int) -> str:
        """The line of the decision that is done with at step `end`, and the earlier ones that fed it, if any."""
        start = self._line_before(end, frame)
        if start is None:
            return str(self.one[end - 1])
        trail = self._back(start, end)
        ends = trail[-1:]
        for at in ends:
            for fed in self._steps_that_fed(at):
                if fed not in trail:
                    trail += self._back(fed, self._next(fed))
                    ends.append(trail[-1])
            if at == ends[-1] and (heard := self._heard(at)) is not None:
                trail.append(heard)
        first = {self.one[k].place[:2]: k for k in reversed(trail)}
        lines = [str(self.one[k]) for k in reversed(first.values())]
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES // 2], *lines[-MOST_LINES // 2 :]]
        return "\n  from ".join(lines)

    def _heard(self, at: int) -> int | None:
        """Where the way back ends at what a library answers: the last line before that read a variable that differs."""
        if any(self._differs(at, name) for name in _reads(*self.one[at].place[:2])):
            return None
        lines = (k for k in range(at - 1, -1, -1) if self.one[k].event == "line" and not self.one[k].decides)
        return next((k for k in lines if any(self._differs(k, n) for n in _reads(*self.one[k].place[:2]))), None)

    def _steps_that_fed(self, at: int) -> list[int]:
        """The lines that last made attributes differ which the line of step `at` reads, the latest first."""
        names = [n for n in _reads(*self.one[at].place[:2]) if n.startswith("self.") and self._differs(at, n)]
        made = {j for n in names if (j := self._step_that_assigned(at, n, None)) is not None}
        return sorted(made, reverse=True)

    def _back(self, at: int, end: int) -> list[int]:
        """From a line, done with at step `end`, to the one that made a local variable differ which it reads, else into
        the function that returned a difference to it, else to the line that told it one, as far as that goes."""
        trail = [at]
        while True:
            names = [n for n in _reads(*self.one[at].place[:2]) if "." not in n and self._differs(at, n)]
            earlier = [j for n in names if (j := self._step_that_assigned(at, n, self.one[at].frame)) is not None]
            returned = [k for k in range(self._began(at) + 1, end) if self._returns_difference(k, self.one[at].frame)]
            if earlier:
                at = max(earlier)
                end = self._next(at)
            elif returned and (inner := self._line_before(returned[-1], self.one[returned[-1]].frame)) is not None:
                at, end = inner, returned[-1]
            elif names and (outer := self._line_of_caller(at)) is not None:
                at, end = outer, at
            else:
                return trail
            trail.append(at)

    def _differs(self, k: int, name: str) -> bool:
        return self.tells(self.one[k], self.other[k], name)

    def _returns_difference(self, k: int, caller: int) -> bool:
        return self.one[k].event == "return" and self.one[k].caller == caller and self._differs(k, "return")

    def _line_before(self, k: int, frame: int) -> int | None:
        """The last line that the frame began before step `k`."""
        lines = (j for j in range(k - 1, -1, -1) if self.one[j].frame == frame and self.one[j].event == "line")
        return next(lines, None)

    def _line_of_caller(self, k: int) -> int | None:
        """The line that called the function of step `k`, in the policy's own code."""
        frame, caller = self.one[k].frame, self.one[k].caller
        began = next((j for j in range(k, -1, -1) if self.one[j].frame == frame and self.one[j].event == "call"), None)
        return None if began is None or not caller else self._line_before(began, caller)

    def _began(self, k: int) -> int:
        """The step at which the frame began the line of step `k`, before it went round on it, as comprehensions do."""
        for j in range(k - 1, -1, -1):
            if self.one[j].frame == self.one[k].frame:
                if self.one[j].line != self.one[k].line or self.one[j].event == "call":
                    return k
                k = j
        return k

    def _next(self, k: int) -> int:
        """The step at which the frame is done with the line of step `k`."""
        frame = self.one[k].frame
        return next((j for j in range(k + 1, len(self.one)) if self.one[j].frame == frame), len(self.one))

    def _step_that_assigned(self, before: int, name: str, frame: int | None) -> int | None:
        """The last line before step `before` (of the frame, if one is given) that made the variable differ."""
        for k in range(before - 1, -1, -1):
            step = self.one[k]
            if step.event != "line" or (name not in (step.held or ()) if frame is None else step.frame != frame):
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
    names_at: dict[int, frozenset[str]] = {}
    todo: list[tuple[ast.AST, str]] = [(parsed(file) or ast.Module([], []), "")]
    for node, owner in todo:
        if isinstance(node, ast.stmt):
            names = frozenset(_names_in(node, owner))
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            names_at |= {k: names_at.get(k, frozenset()) | names for k in lines if node in statements_on(file, k)}
        if isinstance(node, ast.FunctionDef):
            owner = next((argument.arg for argument in (*node.args.posonlyargs, *node.args.args)), "")
        todo += [(child, owner) for child in ast.iter_child_nodes(node)]
    return names_at


@cache
def _within(file: str) -> dict[int, int]:
    """The last line of what stands in a `with`, by its first line."""
    nodes = ast.walk(parsed(file) or ast.Module([], []))
    return {n.lineno: n.end_lineno or n.lineno for n in nodes if isinstance(n, ast.With | ast.AsyncWith)}


def _leaves(file: str, before: int, line: int) -> bool:
    """Whether a line runs once more because what stands in its `with` is done."""
    return line < before <= _within(file).get(line, 0)


def _names_in(statement: ast.stmt, owner: str) -> Iterator[str]:
    todo: list[ast.AST] = [n for n in ast.iter_child_nodes(statement) if not isinstance(n, ast.stmt)]
    while todo:
        node = todo.pop()
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == owner:
                yield f"self.{attribute}"
            case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id=name), ast.Constant(value=attribute), *_]):
                yield f"self.{attribute}" if name == owner else name
            case ast.Name(id=name):
                yield name
        todo += list(ast.iter_child_nodes(node))
