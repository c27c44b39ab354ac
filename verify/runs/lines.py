"""Which lines of a policy ran.

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
