"""Coefficients with which known relations add up to a goal: exact linear algebra, which ``calc`` then checks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from banditproof.verify.kernel.terms import ONE, Monomial, Poly

Row = dict[int, Fraction]


def solved(target: Poly, columns: Sequence[Poly], with_constant: bool) -> list[Fraction] | None:
    """Coefficients of the columns that give the target, whatever their signs; free unknowns are 0."""
    count = len(columns)
    reduced, pivots = _eliminated(_rows(target, columns, with_constant), range(count))
    if any(count in row for row in reduced):
        return None
    solution = [Fraction(0)] * count
    for c, row in pivots.items():
        solution[c] = row.get(count, Fraction(0))
    return solution


def combined(
    target: Poly, columns: Sequence[Poly], equations: Sequence[bool], exact: bool, strict: Sequence[bool] | None = None
) -> list[Fraction] | None:
    """The same with nonnegative coefficients but those of equations; unless `exact`, up to a nonnegative number.

    If it is said which columns are `strict`, then one of these is used, or that number is positive.
    """
    if strict is not None:
        return _strictly(target, columns, equations, strict)
    slack = [] if exact else [{ONE: Fraction(1)}]
    values = _nonnegative(_rows(target, [*columns, *slack], True), [*equations, *(False for _ in slack)])
    return None if values is None else values[: len(columns)]


def _strictly(
    target: Poly, columns: Sequence[Poly], equations: Sequence[bool], strict: Sequence[bool]
) -> list[Fraction] | None:
    """For a multiple of the target: those that have to be used add up to 1."""
    minus = {m: -c for m, c in target.items()}
    rows = _rows({}, [*columns, {ONE: Fraction(1)}, minus], True)
    count = len(columns)
    rows.append({**{k: Fraction(1) for k in range(count) if strict[k]}, count: Fraction(1), count + 2: Fraction(1)})
    values = _nonnegative(rows, [*equations, False, False])
    if values is None or target and not values[-1]:
        return None
    return [v / values[-1] if target else v for v in values[:count]]


def _nonnegative(rows: list[Row], equations: Sequence[bool]) -> list[Fraction] | None:
    """Coefficients that solve the rows, nonnegative but those of equations."""
    count = len(equations)
    rest, pivots = _eliminated(rows, [k for k in range(count) if equations[k]])
    values = _feasible(rest, [k for k in range(count) if not equations[k]], count)
    if values is None:
        return None
    for c, row in pivots.items():
        others = (v * values.get(k, Fraction(0)) for k, v in row.items() if k not in (c, count))
        values[c] = row.get(count, Fraction(0)) - sum(others, Fraction(0))
    return [values.get(k, Fraction(0)) for k in range(count)]


def _rows(target: Poly, columns: Sequence[Poly], with_constant: bool) -> list[Row]:
    """One equation a monomial; the last entry is its right side."""
    rows: dict[Monomial, Row] = {}
    for k, p in enumerate([*columns, target]):
        for m, c in p.items():
            if m != ONE or with_constant:
                rows.setdefault(m, {})[k] = c
    return list(rows.values())


def _eliminated(rows: list[Row], unknowns: Sequence[int]) -> tuple[list[Row], dict[int, Row]]:
    """The rows that speak of none of the unknowns any more, and for each unknown that could be solved its own row."""
    pivots: dict[int, Row] = {}
    for c in unknowns:
        k = next((k for k, row in enumerate(rows) if c in row), None)
        if k is None:
            continue
        pivot = rows.pop(k)
        own = pivot[c]
        pivot = {j: v / own for j, v in pivot.items()}
        for row in (*rows, *pivots.values()):
            if c in row:
                _subtract(row, row[c], pivot)
        rows = [row for row in rows if row]
        pivots[c] = pivot
    return rows, pivots


def _subtract(row: Row, factor: Fraction, pivot: Row) -> None:
    for j, v in pivot.items():
        left = row.get(j, Fraction(0)) - factor * v
        if left:
            row[j] = left
        else:
            row.pop(j, None)


def _feasible(rows: list[Row], unknowns: Sequence[int], right: int) -> dict[int, Fraction] | None:
    """Nonnegative values of the unknowns that solve the rows: the first phase of the simplex method, by Bland."""
    table: list[Row] = []
    basis: list[int] = []
    for k, row in enumerate(rows):
        sign = -1 if row.get(right, Fraction(0)) < 0 else 1
        table.append({j: sign * v for j, v in row.items()})
        basis.append(-1 - k)  # an artificial unknown, which may only leave
    while True:
        artificial = [row for row, b in zip(table, basis, strict=True) if b < 0]
        gain: Row = {}
        for row in artificial:
            for j, v in row.items():
                gain[j] = gain.get(j, Fraction(0)) + v
        if not gain.get(right, Fraction(0)):
            break
        enter = next((j for j in unknowns if gain.get(j, Fraction(0)) > 0), None)
        if enter is None:
            return None
        ratios = [
            (row.get(right, Fraction(0)) / row[enter], basis[k], k)
            for k, row in enumerate(table)
            if row.get(enter, Fraction(0)) > 0
        ]
        _, _, leave = min(ratios)
        own = table[leave][enter]
        pivot = {j: v / own for j, v in table[leave].items()}
        table[leave], basis[leave] = pivot, enter
        for k, row in enumerate(table):
            if k != leave and enter in row:
                _subtract(row, row[enter], pivot)
    return {b: row.get(right, Fraction(0)) for row, b in zip(table, basis, strict=True) if b >= 0}
