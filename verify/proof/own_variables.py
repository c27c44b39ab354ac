"""Symbolic proofs in the claim's own variables: one symbol per variable, with the assumptions of its set.

A half-open bounded interval [a, b) is (a + b s) / (1 + s) for s >= 0, which is a bijection, and a closed end that this
misses is a piece of its own; so the pieces reach every point of the domain by construction. Constraints of the domain
are not used: what is proved holds on the whole box.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from math import isinf, prod
from typing import Any

from banditproof.theory.numbers.numeric import working_precision
from banditproof.verify.proof.domain import Domain, Everything, Interval, Points, Set
from banditproof.verify.proof.evidence import RULE, Symbolic
from banditproof.verify.proof.signs import has_sign, shortest
from banditproof.verify.proof.statement import Statement
from banditproof.verify.proof.symbolic import (
    SymbolicArgument,
    contradiction_at,
    difference_of,
    may_be_undefined,
    random_point,
    undefined_somewhere,
)

MOST_PIECES = 32
MOST_COUNTS = 12
UNANSWERED = (AttributeError, TypeError, ValueError, ZeroDivisionError)  # a branch left open, a method of balls
ROUTES = ("difference of both sides, simplified", "its sign by its form")


def own_pieces(domain: Domain) -> list[SymbolicArgument] | str:
    """The pieces of a domain with the variables as expressions of symbols, or why there are none."""
    choices: dict[str, list[Any]] = {}
    for name, values in domain.variables:
        expressions = _expressions(name, values)
        if isinstance(expressions, str):
            return f"{name} ranges over {values}, {expressions}"
        choices[name] = expressions
    if prod(map(len, choices.values())) > MOST_PIECES:
        return f"the domain falls into more than {MOST_PIECES} pieces"
    combinations = itertools.product(*choices.values())
    return [SymbolicArgument(dict(zip(choices, piece, strict=True)), None, "") for piece in combinations]


def _expressions(name: str, values: Set) -> list[Any] | str:
    import sympy

    def symbol(**assumptions: bool) -> Any:
        return sympy.Symbol(name, **assumptions)

    if isinstance(values, Everything):
        return "which are not numbers"
    if isinstance(values, Points):
        return (
            [_number(v) for v in values.values] if not any(map(isinf, values.values)) else "and one of them is infinite"
        )
    low, high = values.lower, values.upper
    if (isinf(low) and not values.lower_open) or (isinf(high) and not values.upper_open):
        return "which contains an infinite end"
    if values.integer:
        return _counts(values, symbol)
    if isinf(low) and isinf(high):
        return [symbol(real=True)]
    if isinf(high):
        step = symbol(positive=True) if values.lower_open else symbol(nonnegative=True)
        return [step if low == 0 else _number(low) + step]
    if isinf(low):
        return [_number(high) - (symbol(positive=True) if values.upper_open else symbol(nonnegative=True))]
    if low == high:
        return [_number(low)]
    from_low = symbol(positive=True) if values.lower_open else symbol(nonnegative=True)
    inside = (_number(low) + _number(high) * from_low) / (1 + from_low)
    return [inside] if values.upper_open else [inside, _number(high)]


def _counts(values: Interval, symbol: Any) -> list[Any] | str:
    if isinf(values.lower):
        return "integers without a lower end"
    lowest = int(values.lower) + (values.lower_open and values.lower == int(values.lower))
    if isinf(values.upper):
        if lowest == 1:
            return [symbol(integer=True, positive=True)]
        step = symbol(integer=True, nonnegative=True)
        return [step if lowest == 0 else lowest + step]
    counts = [n for n in range(lowest, int(values.upper) + 1) if values.contains(n)]
    if not counts:
        return "which contains no integer"
    return [_number(Fraction(n)) for n in counts] if len(counts) <= MOST_COUNTS else "too many integers"


def _number(value: Any) -> Any:
    import sympy

    return sympy.Rational(Fraction(value).numerator, Fraction(value).denominator)


def prove_in_own_variables(
    statement: Statement, *, seed: int, points: int = 50, routes: tuple[str, str] = ROUTES, searches: bool = True
) -> Symbolic | str:
    """The proof of a statement on its whole domain, or a sentence that says what does not go through.

    Without `searches` no value of the statement at a point speaks against the proof: it rests on its form alone.
    """
    pieces = own_pieces(statement.domain)
    if isinstance(pieces, str):
        return pieces
    problem = undefined_somewhere(statement, searches)
    if problem is not None:
        return problem
    certificates, signs = [], set()
    for piece in pieces:
        try:
            problem = may_be_undefined(statement, piece.variables)
            difference, operator = difference_of(statement, piece.variables)
        except UNANSWERED as error:
            return f"the relation cannot be evaluated on symbols ({error})"
        if problem is not None:
            return problem
        wanted = {"<=": "nonnegative", "<": "positive", "==": "zero"}.get(operator)
        if wanted is None:
            return f"'{operator}' does not follow from the sign of a difference"
        if not has_sign(difference, wanted, searches):
            return f"the difference {shortest(difference)} is not {wanted} by its form"
        certificates.append(shortest(difference))
        signs.add(wanted)
    draw = random.Random(seed)
    with working_precision(200):
        for piece, _ in itertools.product(pieces, range(-(-points // len(pieces)) if searches else 0)):
            point = random_point(piece, draw)
            if statement.domain.contains(point) and (problem := contradiction_at(statement, point)):
                return problem
    return Symbolic(
        covers=statement.domain, routes=routes, relation=statement.name, argument="", constants={},
        certificate="; ".join(dict.fromkeys(map(str, certificates))), sign="/".join(sorted(signs)), seed=seed,
        points=points, rule=RULE,
    )  # fmt: skip
