"""Printed formulas as lists, which the checkers of receipts read."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Private, Promise, Range


def as_list(e: Expression) -> list[Any]:
    """A formula as the checker reads it. Raises InvalidInput for what it does not know."""
    if e.head == "diff":
        raise InvalidInput("formula", e.head, "made of values: a derivative has no receipt")
    return [e.head, *map(_part_as_list, e.args)]


def _part_as_list(part: Any) -> Any:
    if isinstance(part, Expression):
        return as_list(part)
    return range_as_list(part) if isinstance(part, Range) else str(part)


def expression_of(listed: Sequence[Any]) -> Expression:
    """The other way round."""
    head, *parts = listed
    if head == "num":
        return Expression("num", (Fraction(parts[0]),))
    return Expression(head, tuple(part if isinstance(part, str) else expression_of(part) for part in parts))


def compare_as_list(c: Compare) -> list[Any]:
    return [c.sign, as_list(c.left), as_list(c.right)]


def private_as_list(sentence: Private) -> list[Any]:
    """A sentence about a mechanism: what it is, and what it keeps."""

    def listed(v: Any) -> Any:
        if isinstance(v, Promise):
            return [v.kind, {name: as_list(e) for name, e in v.budget.items()}]
        if isinstance(v, Expression):
            return as_list(v)
        return v if isinstance(v, str) else list(map(listed, v))

    parameters = {name: listed(v) for name, v in sentence.parameters.items()}
    return ["keeps", [sentence.mechanism, parameters], listed(Promise(sentence.kind, sentence.budget))]


def range_as_list(r: Range) -> dict[str, Any]:
    return {
        "low": as_list(r.low),
        "high": as_list(r.high),
        "low_open": r.low_open,
        "high_open": r.high_open,
        "integer": r.integer,
    }


def range_of(given: dict[str, Any]) -> Range:
    """The other way round."""
    low, high = (expression_of(given[end]) for end in ("low", "high"))
    return Range(low, high, given["low_open"], given["high_open"], given["integer"])
