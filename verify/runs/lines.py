"""Which lines of a policy ran, and which ways of `a if condition else b`.

Lines are those of the policy's own source: neither the standard library and installed packages nor this library's
simulator, noise and sensors.
"""

from __future__ import annotations

import ast
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from banditproof import algorithms, theory, verify
from banditproof.verify.runs.recorder import located

Tracer = Callable[[FrameType, str, Any], Any]
Way = tuple[int, str]
"""One way of a conditional expression: its line and its source."""

_FOREIGN = tuple(str(Path(sysconfig.get_paths()[name]).resolve()) for name in ("stdlib", "platstdlib", "purelib"))
_OURS = tuple(str(Path(room.__path__[0]).resolve()) for room in (theory, algorithms, verify))


@cache
def is_policy(file: str) -> bool:
    """Whether a file may hold the code of a user's policy."""
    if file.startswith("<"):
        return file.startswith("<ipython")
    return not str(Path(file).resolve()).startswith((*_FOREIGN, *_OURS))


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
