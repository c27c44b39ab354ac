"""Formulas and proofs as data, written; not trusted, since ``replay`` makes again whatever stands there."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from banditproof.verify.kernel.rules import Theorem
from banditproof.verify.kernel.terms import All, Fn, Formula, Rel, Term


class Nodes:
    """The table of nodes, written."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._places: dict[Any, int] = {}

    def place(self, value: Any) -> int:
        if value not in self._places:
            row = self._row(value)
            self.rows.append(row)
            self._places[value] = len(self.rows) - 1
        return self._places[value]

    def _row(self, value: Any) -> list[Any]:
        if isinstance(value, Fn):
            return ["fn", list(value.params), self.place(value.body)]
        if isinstance(value, All):
            return ["all", list(value.params), [self.place(g) for g in value.given], self.place(value.then)]
        if isinstance(value, Rel):
            return [value.op, *map(self.place, value.args)]
        if value.op == "num":
            return ["num", value.args[0].numerator, value.args[0].denominator]
        return [
            value.op,
            *(self.place(a) if isinstance(a, Term) else list(a) if isinstance(a, tuple) else a for a in value.args),
        ]


def formula_to_data(f: Formula) -> list[list[Any]]:
    """A formula as a table, of which it is the last node."""
    nodes = Nodes()
    nodes.place(f)
    return nodes.rows


def to_data(theorem: Theorem) -> dict[str, Any]:
    """The proof of a theorem as JSON; what a rule makes twice of the same stands there once."""
    nodes, steps = Nodes(), []
    places: dict[int, int] = {}
    same: dict[str, int] = {}

    def place(one: Theorem) -> int:
        if id(one) not in places:
            row = [one.rule, *[argument(a) for a in one.arguments]]
            places[id(one)] = same.setdefault(json.dumps(row), len(steps))
            if places[id(one)] == len(steps):
                steps.append(row)
        return places[id(one)]

    def argument(value: Any) -> Any:
        if isinstance(value, Theorem):
            return {"step": place(value)}
        if isinstance(value, Term | Fn | Rel | All):
            return {"node": nodes.place(value)}
        if isinstance(value, Fraction):
            return {"number": [value.numerator, value.denominator]}
        return [argument(v) for v in value] if isinstance(value, list | tuple) else value

    place(theorem)
    return {"nodes": nodes.rows, "steps": steps}
