"""A comparison as a sum of multiples of its conditions: what Farkas' lemma says of formulas that are linear.

Of a linear comparison that follows from linear ones, the gap of the sides is a sum of their gaps with factors that are
not negative, and a rest that is none either. Floats propose which factors are not 0, at fixed values of the numbers
that do not stand linearly; SymPy solves for these, and the equation and the signs are claims.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import NoStatement, binary, name, names, negative, num
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range
from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy
from banditproof.verify.judge.ways.points import Asked, seems_true, speaks_of

MOST_LINEAR, MOST_KNOWN, PLACES = 4, 24, 5
SMALL = 1e-9


@dataclass(frozen=True)
class Known:
    """What is not below 0, as a condition or the end of a range says."""

    place: int | tuple[str, str]  # which condition, or a variable and its "low" or "high" end
    gap: Expression


@dataclass(frozen=True)
class Sum:
    """The gap of a comparison as a sum of multiples of what is known, and a rest that speaks of the ranges alone."""

    gap: Expression
    multiples: tuple[tuple[Expression, Known], ...]
    rest: Expression
    ranges: Mapping[str, Range]


def by_conditions_together(asked: Asked) -> Iterator[tuple[tuple[Asked, ...], str]]:
    """The claims that the gap is such a sum, and that its factors and the rest are not negative."""
    for found in sums_of_conditions(asked):
        products = (binary("mul", factor, known.gap) for factor, known in found.multiples)
        total = reduce(lambda a, b: binary("add", a, b), products, found.rest)
        equal = replace(asked, comparison=Compare(found.gap, "==", total), conditions=(), printed=False)
        because = "the gap of the sides is a sum of multiples of what its conditions say is not negative"
        yield (equal, *_signs(asked, found)), because


def sums_of_conditions(asked: Asked) -> Iterator[Sum]:
    """The sums of multiples that the gap may be: their factors and rests have the right signs where floats look."""
    if not asked.conditions or asked.comparison.sign not in ("<", "<=", ">", ">="):
        return
    known, gap = _known(asked), _gap(asked.comparison)
    found = _linear(
        [gap, *(k.gap for k in known)], [n for n in asked.ranges if any(speaks_of(c, n) for c in asked.conditions)]
    )
    if found is None or len(known) > MOST_KNOWN:
        return
    linear, terms = found
    rows, symbols = [[t.get(n, num(0)) for n in (*linear, "")] for t in terms], symbols_of(asked.ranges)
    ranges = {n: r for n, r in asked.ranges.items() if n not in linear}
    for chosen in dict.fromkeys(_above_0(rows, ranges, asked)):
        try:
            of_gap, *of_known = [[to_sympy(c, symbols) for c in rows[i]] for i in (0, *(1 + i for i in chosen))]
        except NoStatement:
            return
        for factors, rest in _solved(of_gap, of_known):
            total = Sum(gap, tuple(zip(factors, (known[i] for i in chosen), strict=True)), rest, ranges)
            if all(map(seems_true, _signs(asked, total))):
                yield total


def _signs(asked: Asked, found: Sum) -> list[Asked]:
    claims = [Compare(factor, ">=", num(0)) for factor, _ in found.multiples]
    claims.append(Compare(found.rest, ">=" if "=" in asked.comparison.sign else ">", num(0)))
    return [Asked(c, found.ranges, printed=False) for c in claims]


def _gap(c: Compare) -> Expression:
    larger, smaller = (c.right, c.left) if c.sign[0] == "<" else (c.left, c.right)
    return binary("sub", larger, smaller)


def _known(asked: Asked) -> list[Known]:
    found = [Known(k, _gap(c)) for k, c in enumerate(asked.conditions) if isinstance(c, Compare) and c.sign[0] in "<>"]
    for n, (low, high) in asked.ends.items():
        r = asked.ranges[n]
        found += [Known((n, "low"), binary("sub", name(n), r.low))] * isfinite(low)
        found += [Known((n, "high"), binary("sub", r.high, name(n)))] * isfinite(high)
    return found


def _linear(terms: list[Expression], among: list[str]) -> tuple[tuple[str, ...], list[dict[str, Expression]]] | None:
    """The most variables in which all terms are linear by their form, and their coefficients in each."""
    for size in range(min(len(among), MOST_LINEAR), 0, -1):
        for some in combinations(among, size):
            found = [_coefficients(t, some) for t in terms]
            if all(f is not None for f in found):
                return some, [f for f in found if f is not None]
    return None


def _coefficients(e: Expression, linear: Container[str]) -> dict[str, Expression] | None:
    """The coefficients of the linear variables, and under "" what stands without them; None where e is not linear."""
    if not any(n in linear for n in names(e)):
        return {"": e}
    if e.head == "var":
        return {e.args[0]: num(1)}
    of = [_coefficients(a, linear) for a in e.args] if e.head in ("neg", "add", "sub", "mul", "div") else [None]
    if any(f is None for f in of):
        return None
    first, last = of[0] or {}, of[-1] or {}
    if e.head == "neg":
        return {n: negative(c) for n, c in first.items()}
    if e.head in ("add", "sub"):
        return {n: binary(e.head, first.get(n, num(0)), last.get(n, num(0))) for n in {**first, **last}}
    if e.head == "mul" and first.keys() == {""}:
        first, last = last, first
    return {n: binary(e.head, c, last[""]) for n, c in first.items()} if last.keys() == {""} else None


def _above_0(rows: list[list[Expression]], free: Iterable[str], asked: Asked) -> Iterator[tuple[int, ...]]:
    """Which factors are above 0 at some values of the other numbers; the rest is one more, of 1."""
    from scipy.optimize import nnls

    generator = np.random.default_rng(3)
    for _ in range(PLACES):
        place = {n: _some(*asked.ends[n], asked.ranges[n].integer, generator) for n in free}
        with suppress(ValueError, KeyError, RuntimeError):  # what floats do not know, or do not solve
            gap, *known = np.array([[value_of(c, place) for c in row] for row in rows], dtype=float)
            factors, error = nnls(np.vstack([*known, np.eye(len(gap))[-1]]).T, gap)
            if error < SMALL * (1 + np.abs(gap).max()):
                yield tuple(int(i) for i in np.flatnonzero(factors[:-1] > SMALL))


def _some(low: float, high: float, integer: bool, generator: np.random.Generator) -> float:
    u = float(generator.uniform(0.1, 0.9))
    if isfinite(low) and isfinite(high):
        found = low + u * (high - low)
    else:
        found = low + 3 * u if isfinite(low) else high - 3 * u if isfinite(high) else 4 * u - 2
    return float(np.ceil(found)) if integer else found


def _solved(of_gap: list[Any], rows: list[list[Any]]) -> Iterator[tuple[list[Expression], Expression]]:
    """The factors and the rest; without a rest where there may be one."""
    import sympy

    factors = sympy.symbols(f"factor:{len(rows)}")
    *linear, rest = (g - sum(f * r[k] for f, r in zip(factors, rows, strict=True)) for k, g in enumerate(of_gap))
    for equations in (linear, [*linear, rest]):
        solutions: Any = sympy.linsolve(equations, factors) if rows else [()]
        for solution in solutions:
            if any(s.free_symbols & {*factors} for s in solution):
                continue
            left = rest.xreplace(dict(zip(factors, solution, strict=True)))
            try:
                yield [from_sympy(sympy.simplify(s)) for s in solution], from_sympy(sympy.simplify(left))
            except NoStatement:
                continue
            return
