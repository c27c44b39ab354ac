"""Symbolic proofs: the difference of a relation's two sides equals an expression whose sign can be read off.

An *argument* is a module-level function that returns a ``SymbolicArgument``: symbols with assumptions, the domain's
variables expressed through them, and a certificate expression. The proof consists of two machine-checked facts: the
difference minus the certificate simplifies to zero (without forcing any simplification), and the certificate is
non-negative, positive or zero by its form. Points where something was divided by or a logarithm taken stay uncovered
unless the symbols' assumptions exclude them.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from banditproof.theory.numbers.numeric import exp, working_precision
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.proof.compare import holds, relation_name
from banditproof.verify.proof.domain import Domain, Everything, Interval, shown, unseen_points
from banditproof.verify.proof.evaluation import call, is_ball
from banditproof.verify.proof.evidence import RULE, Symbolic
from banditproof.verify.proof.on_symbols import on_symbols
from banditproof.verify.proof.parametrisation import unreached
from banditproof.verify.proof.signs import draw_symbol, has_sign, is_zero
from banditproof.verify.proof.statement import Statement
from banditproof.verify.proof.symbols import factors, has


@dataclass(frozen=True)
class SymbolicArgument:
    """The ingredients of a symbolic proof.

    Attributes:
        variables: the domain's variables as SymPy expressions of symbols with assumptions; the map must reach every
            point of the region (for example ``x = y * s / (1 + s)`` with positive ``s`` reaches every ``x < y``).
        certificate: SymPy expression that must equal right side minus left side.
        sign: 'nonnegative', 'positive' or 'zero'; it must fit the relation's operator.
        uncovered: points of the region that the argument excludes, in words.
        name: how evidence names the function that gave it.
    """

    variables: dict[str, Any]
    certificate: Any
    sign: str
    uncovered: tuple[str, ...] = ()
    name: str = ""


def argument_of(function: Callable[..., SymbolicArgument], constants: Mapping[str, Any]) -> SymbolicArgument:
    """What a function of constants, which are numbers of SymPy for it, proposes as an argument."""
    import sympy

    known = {n: sympy.Rational(c) if isinstance(c, Fraction) else c for n, c in constants.items()}
    return replace(call(function, known), name=relation_name(function))


_SIGN_FOR = {"<=": ("nonnegative", "positive", "zero"), "<": ("positive",), "==": ("zero",)}


def prove_symbolically(
    statement: Statement,
    stated: SymbolicArgument,
    *,
    seed: int,
    points: int = 50,
    routes: tuple[str, str] = ("difference of both sides, simplified", "certificate of known sign"),
    searches: bool = True,
) -> Symbolic | str:
    """The proof, or a sentence that says why the argument does not establish the statement.

    Without `searches` no value of the statement at a point speaks against the proof: it rests on its form alone.
    """
    problem = (
        _rounded_part(stated)
        or _not_established(statement, stated, searches)
        or undefined_somewhere(statement, searches)
        or may_be_undefined(statement, stated.variables)
        or (_contradiction(statement, stated, seed, points) if searches else None)
    )
    if problem is not None:
        return problem
    return Symbolic(
        covers=statement.domain, routes=routes, relation=statement.name, argument=stated.name, constants={},
        certificate=str(stated.certificate), sign=stated.sign, seed=seed, points=points,
        uncovered=(*stated.uncovered, *_open_reach(stated, statement.domain)), rule=RULE,
    )  # fmt: skip


def _rounded_part(stated: SymbolicArgument) -> str | None:
    """Which part of an argument SymPy has rounded: a float, from a constant or from a ball."""
    import sympy

    for expression in (stated.certificate, *stated.variables.values()):
        if floats := sympy.sympify(expression).atoms(sympy.Float):
            return f"the argument has the float {min(floats, key=str)}"
    return None


def _open_reach(stated: SymbolicArgument, domain: Domain) -> tuple[str, ...]:
    """What is not established about the points that the parametrisation reaches."""
    import sympy

    formulas = tuple((n, sympy.sympify(e)) for n, e in stated.variables.items() if n in domain.sets)
    reason = unreached(formulas, domain)
    return () if reason is None else (f"the points that the parametrisation does not reach ({reason})",)


def _not_established(statement: Statement, stated: SymbolicArgument, searches: bool) -> str | None:
    """What the two machine-checked facts lack, or None when they hold."""
    import sympy

    try:
        difference, operator = difference_of(statement, stated.variables)
    except NoTerm as why:
        return str(why)
    if stated.sign not in _SIGN_FOR.get(operator, ()):
        return f"a {stated.sign} certificate does not establish '{operator}'"
    if not is_zero(difference - stated.certificate, searches):
        return "the difference of both sides does not reduce to the certificate"
    if not has_sign(sympy.sympify(stated.certificate), stated.sign, searches):
        return f"the certificate is not {stated.sign} by its form"
    return None


def difference_of(statement: Statement, variables: Mapping[str, Any]) -> tuple[Any, str]:
    """The larger side minus the smaller one on symbols, and the operator <=, < or == that says so.

    A larger side that is infinite is compared through exp: what it is then to be above is exp(-inf) = 0.
    Raises NoTerm for what is no formula on symbols.
    """
    import sympy

    (left, right), _ = on_symbols((statement.left, statement.right), variables)
    operator = statement.operator
    if operator in (">", ">="):
        left, right, operator = right, left, operator.replace(">", "<")
    if right == sympy.oo and operator in ("<", "<="):
        left, right = exp(-right), exp(-left)
    return right - left, operator


def _contradiction(statement: Statement, stated: SymbolicArgument, seed: int, points: int) -> str | None:
    """The statement at random points of the parametrisation, which must not leave the region."""
    draw = random.Random(seed)
    with working_precision(200):
        for _ in range(points):
            point = random_point(stated, draw)
            if not statement.domain.contains(point):
                return f"the parametrisation leaves the region at {shown(point)}"
            if problem := contradiction_at(statement, point):
                return problem
    return None


SPECIAL = (0, 1, -1, Fraction(1, 2), 2, 3)
MOST_SPECIAL = 400
POINTS_ON_AN_EDGE = 3


def undefined_somewhere(statement: Statement, searches: bool = True) -> str | None:
    """Where a statement has no value among the points that formulas like to divide by, or None.

    SymPy cancels ``x / x`` before anybody sees it; in balls, at 0, it has no value. A point at which the relation has
    values and fails is a counterexample, and counts with `searches` only.
    """
    domain, choices = statement.domain, []
    for name, values in domain.variables:
        if isinstance(values, Everything):
            continue
        ends = [e for e in values.ends() if not math.isinf(e)]
        chosen = [Fraction(v) for v in dict.fromkeys([*ends, *map(Fraction, SPECIAL)]) if values.contains(v)]
        known = chosen or [Fraction(e) for e in ends] or [Fraction(1)]
        choices.append((name, [int(v) for v in known] if isinstance(values, Interval) and values.integer else known))
    names = [name for name, _ in choices]
    grid = itertools.islice(itertools.product(*(values for _, values in choices)), MOST_SPECIAL)
    with working_precision(200):
        for point in (*(dict(zip(names, values, strict=True)) for values in grid), *_on_edges(domain)):
            if domain.contains(point) and (problem := _undefined_at(statement, point, searches)):
                return problem
    return None


def _on_edges(domain: Domain) -> Iterator[dict[str, Any]]:
    """Points at which one variable is 0 or at an end and the constraints hold, which may exclude all special points."""
    for name, values in domain.variables if domain.where else ():
        ends = () if isinstance(values, Everything) else {0, *values.ends()}
        for end in (e for e in ends if not math.isinf(e) and values.contains(e)):
            edge = domain.restrict(**{name: [end]})
            for point in unseen_points(edge, POINTS_ON_AN_EDGE, f"{name} = {end}", extremes=2, patience=300):
                yield {n: value if isinstance(value, int) else Fraction(value) for n, value in point.items()}


def may_be_undefined(statement: Statement, variables: Mapping[str, Any]) -> str | None:
    """Which step of a formula may have no value for some values of the symbols, or None where each has one.

    A symbol that may be zero is tried at zero, where ``undefined_somewhere`` asks balls, and for positive values apart.
    """
    import sympy

    variables = {n: sympy.sympify(e) for n, e in variables.items()}
    symbols = {s for e in variables.values() for s in e.free_symbols}
    try:
        _, asked = on_symbols((statement.left, statement.right), variables)
    except (NoTerm, ZeroDivisionError) as why:
        return f"it is not known where it has a value ({why})"
    asked = [
        (n, e) for n, e in asked if e.free_symbols <= symbols and not e.has(sympy.zoo, sympy.nan) and e != sympy.oo
    ]
    apart = (
        frozenset().union(*(factors(d, vanishing=True) for d in _differences(statement.domain, variables)))
        if asked
        else frozenset()
    )
    for need, expression in asked:
        if has(expression, need, apart):
            continue
        edges = sorted(
            (s for s in expression.free_symbols & symbols if s.is_positive is None and s.is_nonnegative), key=str
        )
        if not edges:
            return f"it may have no value: {expression} is not {need} by its form"
        inside = sympy.Dummy(edges[0].name, positive=True, integer=edges[0].is_integer)  # its name may be taken
        slices = ({n: e.subs(edges[0], v) for n, e in variables.items()} for v in (sympy.S.Zero, inside))
        return next(filter(None, (may_be_undefined(statement, s) for s in slices)), None)
    return None


def _differences(domain: Domain, variables: Mapping[str, Any]) -> list[Any]:
    """What the domain's constraints keep from being zero, on symbols."""
    differences = []
    for c in domain.where:
        if c.names <= set(variables) and c.operator in ("<", ">", "!="):
            with suppress(NoTerm):
                differences += on_symbols((c.left - c.right,), variables)[0]
    return differences


def contradiction_at(statement: Statement, point: Mapping[str, Any], searches: bool = True) -> str | None:
    """Why a statement cannot hold everywhere: it fails at a point (seen with `searches`), or divides by zero there."""
    try:
        fails = holds(*statement.sides(point)) is False
    except ZeroDivisionError:
        return f"the relation has no value at {shown(point)}"
    return f"the relation fails at {shown(point)}" if fails and searches else None


def _undefined_at(statement: Statement, point: Mapping[str, Any], searches: bool) -> str | None:
    """As above, and a side that is no number counts too: at a point of few digits, precision is no reason for it."""
    if problem := contradiction_at(statement, point, searches):
        return problem
    left, _, right = statement.sides(point)
    undefined = any(is_ball(side) and side.is_nan() for side in (left, right))
    return f"the relation has no value at {shown(point)}" if undefined else None


def random_point(stated: SymbolicArgument, draw: random.Random) -> dict[str, Any]:
    """A rational point of the parametrisation (rounded where it is not rational)."""
    import sympy

    expressions = {n: sympy.sympify(e) for n, e in stated.variables.items()}
    symbols = sorted(frozenset().union(*(e.free_symbols for e in expressions.values())), key=str)
    values = {s: draw_symbol(s, draw) for s in symbols}
    exact = {s: Fraction(v.p, v.q) for s, v in values.items()}
    return {n: _exactly_at(e, exact) or _rational(e.subs(values)) for n, e in expressions.items()}


def _exactly_at(expression: Any, values: Mapping[Any, Fraction]) -> Fraction | None:
    """The value of an expression; None unless it is made of rationals by whole powers, products and sums."""
    if expression.is_Symbol:
        return values[expression]
    if expression.is_Rational:
        return Fraction(expression.p, expression.q)
    if expression.is_Pow and expression.exp.is_Integer:
        base = _exactly_at(expression.base, values)
        return None if base is None or not base else base ** int(expression.exp)
    if not (expression.is_Add or expression.is_Mul):
        return None
    total: Fraction | None = None
    for part in expression.args:
        value = _exactly_at(part, values)
        if value is None:
            return None
        total = value if total is None else total + value if expression.is_Add else total * value
    return total


def _rational(value: Any) -> Any:
    import sympy

    value = value if value.is_Rational else sympy.Rational(str(sympy.N(value, 60)))
    return Fraction(int(value.p), int(value.q))
