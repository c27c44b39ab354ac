"""Which lines of a policy ran, and which one first behaved differently on two reward lists.

Lines are those of the policy's own source: neither the standard library and installed packages nor this library's
simulator, noise and sensors.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from banditproof import algorithms, theory, verify
from banditproof.verify.runs.recorder import located

Tracer = Callable[[FrameType, str, Any], Any]
_FOREIGN = tuple(str(Path(sysconfig.get_paths()[name]).resolve()) for name in ("stdlib", "platstdlib", "purelib"))
_OURS = tuple(str(Path(room.__path__[0]).resolve()) for room in (theory, algorithms, verify))


@cache
def is_policy(file: str) -> bool:
    """Whether a file may hold the code of a user's policy."""
    if file.startswith("<"):
        return file.startswith("<ipython")
    return not str(Path(file).resolve()).startswith((*_FOREIGN, *_OURS))


class Coverage:
    """The lines that ran while the coverage was collecting, by code object."""

    def __init__(self) -> None:
        self.missing: dict[CodeType, set[int]] = {}

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Trace the block; a function costs nothing any more once all its lines have run."""
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
            self.missing[code] = lines - {code.co_firstlineno} - _idle_lines(code.co_filename)
        return self._line if self.missing[code] else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Tracer | None:
        missing = self.missing[frame.f_code]
        missing.discard(frame.f_lineno)
        return self._line if missing else None

    def unreached(self) -> tuple[str, ...]:
        """The first line of every stretch that did not run, in functions that were entered."""
        found = []
        for code, missing in self.missing.items():
            starts = sorted(line for line in missing if line - 1 not in missing)
            found += [located(code.co_filename, line, code.co_name) for line in starts]
        return tuple(found)


@cache
def _idle_lines(file: str) -> frozenset[int]:
    """Lines on which nothing can leak: errors raised, docstrings, signatures, decorators."""
    try:
        tree = ast.parse(Path(file).read_text())
    except (OSError, SyntaxError, UnicodeDecodeError):
        return frozenset()
    idle: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise | ast.Assert | ast.Pass | ast.Import | ast.ImportFrom):
            idle.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            idle.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            first = node.body.lineno if isinstance(node, ast.Lambda) else node.body[0].lineno
            if first > node.lineno:
                idle.update(range(node.lineno, first))
    return frozenset(idle)


Step = tuple[str, int, str, dict[str, bytes]]  # file, line, function, what the variables of `next_batch` hold


class Journal:
    """The lines a policy runs in one run, in order; of `next_batch` with its variables and what it returns."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write down the block."""
        before = sys.gettrace()
        sys.settrace(self._event)
        try:
            yield
        finally:
            sys.settrace(before)

    def mentions(self, pattern: str) -> str:
        """A line that ran and on which the pattern matches, or an empty text."""
        ran = dict.fromkeys(step[:3] for step in self.steps)
        return next((located(*place) for place in ran if re.search(pattern, linecache.getline(*place[:2]))), "")

    def _event(self, frame: FrameType, event: str, argument: Any) -> Tracer | None:
        code = frame.f_code
        if not is_policy(code.co_filename):
            return None
        held = {}
        if code.co_name == "next_batch":
            held = {name: _content(value) for name, value in frame.f_locals.items()}
            if event == "return":
                held["return"] = _content(argument)
        self.steps.append((code.co_filename, frame.f_lineno, code.co_name, held))
        return self._event


def _content(value: Any) -> bytes:
    """Something to compare values by: numbers and arrays exactly, containers entry by entry, objects by type."""
    if isinstance(value, np.ndarray | np.generic | int | float):
        return np.asarray(value).tobytes()
    if isinstance(value, tuple | list):
        return b"(" + b",".join(map(_content, value)) + b")"
    return type(value).__name__.encode()


def first_difference(one: Journal, other: Journal) -> str:
    """The line at which two runs went different ways, else the one that gave `next_batch` what it returns differently.

    Before that, variables may differ: a sum of rewards that waits for its release does.
    """
    for k, (a, b) in enumerate(zip(one.steps, other.steps, strict=False)):
        if a[:3] != b[:3]:
            return located(*one.steps[k - 1][:3]) if k else ""
        if a[3].get("return") != b[3].get("return"):
            named = _names_on(a[0], a[1])
            start = max(j for j in range(k + 1) if j == 0 or one.steps[j - 1][3].get("return") is not None)
            for j in range(start, k):
                if any(one.steps[j + 1][3].get(n) != other.steps[j + 1][3].get(n) for n in named):
                    return located(*one.steps[j][:3])
            return located(*a[:3])
    return ""


def _names_on(file: str, line: int) -> set[str]:
    """The variables that a return statement names."""
    try:
        tree = ast.parse(linecache.getline(file, line).strip())
    except SyntaxError:  # a statement over several lines
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
