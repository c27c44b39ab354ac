"""Failures as annotations that a workflow of GitHub Actions shows beside the line of the code."""

from __future__ import annotations

import os
from pathlib import Path


def wanted() -> bool:
    """Whether this runs in a workflow of GitHub Actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def annotation(level: str, title: str, message: str, file: str = "", line: int | None = None) -> str:
    """A workflow command: `level` is "error", "warning" or "notice".

    A file outside of the repository is left out, since no change of the repository shows it.

    >>> annotation("error", "D-1: refuted", "at x = 1, 2 < 1")
    '::error title=D-1%3A refuted::at x = 1, 2 < 1'
    """
    path = in_repository(file)
    place = {"file": path, "line": str(line or "")} if path else {}
    given = ",".join(f"{name}={_escaped(text, ':,')}" for name, text in {**place, "title": title}.items() if text)
    return f"::{level} {given}::{_escaped(message)}"


def in_repository(file: str) -> str:
    """The file from the root of the repository (GITHUB_WORKSPACE, else the working folder); "" if it is outside."""
    root = os.environ.get("GITHUB_WORKSPACE") or os.curdir
    path = os.path.relpath(os.path.realpath(file), os.path.realpath(root)) if file else ""
    return "" if path.startswith("..") or Path(path).is_absolute() else path


def _escaped(text: str, also: str = "") -> str:
    """Text without what would end it or begin another command."""
    for sign in ("%", "\r", "\n", *also):
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
