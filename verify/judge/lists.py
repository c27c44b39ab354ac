"""Printed formulas as lists, which the checkers of receipts read."""

from __future__ import annotations

from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.sentence import Compare, Expression, Range


def as_list(e: Expression) -> list[Any]:
    """A formula as the checker reads it. Raises InvalidInput for what it does not know."""
    if e.head in ("inf", "sup", "diff"):
        raise InvalidInput("formula", e.head, "made of values: an infimum or a derivative has no receipt")
    listed: list[Any] = [e.head]
    for part in e.args:
        listed.append(as_list(part) if isinstance(part, Expression) else str(part))
    return listed


def compare_as_list(c: Compare) -> list[Any]:
    return [c.sign, as_list(c.left), as_list(c.right)]


def range_as_list(r: Range) -> dict[str, Any]:
    return {
        "low": as_list(r.low),
        "high": as_list(r.high),
        "low_open": r.low_open,
        "high_open": r.high_open,
        "integer": r.integer,
    }
