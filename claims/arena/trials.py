"""Variants of registered claims whose truth is known: false ones that fail at a point, true ones that are weaker.

A variant changes constants, the domain or the operator. An operator is changed by a relation around the relation, which
is itself a plain formula: exact in rationals, certain in balls, by form on symbols.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, wraps
from math import isinf
from typing import Any

from banditproof.claims.register import Claim
from banditproof.claims.stating import stated
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.proof.compare import Relation
from banditproof.verify.proof.domain import Domain, Interval
from banditproof.verify.proof.statement import Statement, stating
from banditproof.verify.proof.variants import REVERSED, STRICT, orders, shapes, sizes

FACTORS = tuple(map(Fraction, ("1000", "10", "2", "11/10", "101/100", "99/100", "9/10", "1/2", "1/10", "1/1000")))
SLACK = Fraction(1, 1000)
WEAK = {"<": "<=", ">": ">="}
NO_NUMBERS = (bool, str, tuple, list, dict, set, frozenset, type(None))

Sides = tuple[Any, str, Any]


@dataclass(frozen=True)
class Trial:
    """A variant of a registered claim: the claim's id, what was changed, and the statement that results."""

    claim_id: str
    alteration: str
    domain: Domain
    constants: Mapping[str, Any]
    relation: Relation
    kind: str = field(default="")

    @cached_property
    def statement(self) -> Statement | None:
        """What it says as a term; None for a program."""
        try:
            return stating(self.relation, self.domain, self.constants)
        except (NoTerm, TypeError):
            return None

    @property
    def name(self) -> str:
        """The id under which it is run again: ``BDP-T3.1@scale=99/100``."""
        return f"{self.claim_id}@{self.alteration}"


def as_printed(claim: Claim) -> Trial:
    """The claim itself. The claim must state a relation."""
    assert claim.relation is not None
    return Trial(claim.id, "printed", claim.domain, claim.constants, claim.relation, "printed")


def altered(claim: Claim) -> Iterator[Trial]:
    """Variants that may be false: the claim as printed, its registered variants, other constants, sets, operators."""
    own = as_printed(claim)
    yield own
    statement = stated(claim)
    if not isinstance(statement, str):
        for said, other in itertools.chain(sizes(statement), orders(statement), shapes(statement)):
            yield Trial(claim.id, said, claim.domain, {}, other.relation, "term")
    for place, variant in enumerate(claim.mutations):
        false = claim.varied(variant)
        relation = variant.relation or own.relation
        yield Trial(claim.id, f"registered-{place}", false.domain, false.constants, relation, "registered variant")
    for name, value in claim.constants.items() if isinstance(statement, str) else ():
        for other in _near(value):
            constants = {**claim.constants, name: other}
            yield Trial(claim.id, f"{name}={other}", claim.domain, constants, own.relation, "constant")
    for said, domain in widened(claim.domain):
        yield Trial(claim.id, said, domain, claim.constants, own.relation, "domain")
    for said, change in (("strict", _operator(STRICT)), ("reversed", _operator(REVERSED))):
        if isinstance(statement, str):
            yield _around(own, said, change, "operator")
    for factor in FACTORS:
        yield _around(own, f"left-times-{factor}", _scaled(factor), "factor")


def weakened(claim: Claim) -> Iterator[Trial]:
    """Variants that follow from the claim; those whose operator does not fit raise TypeError when evaluated."""
    own = as_printed(claim)
    yield _around(own, "weak", _operator(WEAK), "weak operator")
    yield _around(own, "slack", _slack, "slack")
    yield _around(own, "at-most", _operator({"==": "<="}), "one side of an equality")
    yield _around(own, "at-least", _operator({"==": ">="}), "one side of an equality")
    for said, domain in narrowed(claim.domain):
        yield Trial(claim.id, said, domain, claim.constants, own.relation, "subdomain")


# ------------------------------------------------------------------------------------------------- constants and sets


def _near(value: Any) -> Iterator[Any]:
    """Other values of a constant: its multiples, and its neighbours where it counts something."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return
    whole = isinstance(value, int)
    multiples = (value * f for f in FACTORS)
    others = [int(m) if whole and m.denominator == 1 else m for m in multiples] + ([value + 1, value - 1] * whole)
    yield from (other for other in dict.fromkeys(others) if other != value)


def widened(domain: Domain) -> Iterator[tuple[str, Domain]]:
    """Larger domains, one set at a time: ends closed, ends moved outwards, and constraints dropped."""
    for name, values in domain.variables:
        if isinstance(values, Interval):
            for said, larger in _larger(values):
                yield f"{said}-{name}", _with(domain, {name: larger})
    for place in range(len(domain.where)):
        yield f"without-constraint-{place}", Domain(domain.variables, domain.where[:place] + domain.where[place + 1 :])


def _larger(values: Interval) -> Iterator[tuple[str, Interval]]:
    low, high, whole = values.lower, values.upper, values.integer
    low_open, high_open = values.lower_open and isinf(low), values.upper_open and isinf(high)
    if (low_open, high_open) != (values.lower_open, values.upper_open):
        yield "closed", Interval(low, high, low_open, high_open, whole)
    step = 1 if isinf(low) or isinf(high) else max(high - low, 1)
    if not isinf(low):
        yield "lower", Interval(low - step, high, low_open, high_open, whole)
    if not isinf(high):
        yield "higher", Interval(low, high + step, low_open, high_open, whole)


def narrowed(domain: Domain) -> Iterator[tuple[str, Domain]]:
    """A smaller domain: every real interval replaced by a bounded part of it."""
    smaller = {n: _smaller(s) for n, s in domain.variables if isinstance(s, Interval) and not s.integer}
    if smaller:
        yield "part", _with(domain, smaller)


def _with(domain: Domain, sets: Mapping[str, Any]) -> Domain:
    return domain.restrict(**sets)


def _smaller(values: Interval) -> Interval:
    low, high = values.lower, values.upper
    if isinf(low) and isinf(high):
        return Interval(Fraction(-2), Fraction(3))
    if isinf(high):
        return Interval(low + 1, low + 4)
    if isinf(low):
        return Interval(high - 4, high - 1)
    quarter = (high - low) / 4
    return Interval(low + quarter, high - quarter)


# ---------------------------------------------------------------------------------------------------------- operators


def _around(own: Trial, said: str, change: Callable[[Any, str, Any], Sides], kind: str) -> Trial:
    """The statement with its sides or its operator changed.

    The changed relation passes for a function of the claim's module and is read as the relation it stands around: what
    is done to the sides beyond that is a product and a sum with whole numbers.
    """
    relation = own.relation

    @wraps(relation)
    def changed(*args: Any, **kwargs: Any) -> Sides:
        left, operator, right = relation(*args, **kwargs)
        return change(left, operator, right)

    changed.__qualname__ = f"{relation.__qualname__}@{said}"
    return Trial(own.claim_id, said, own.domain, own.constants, changed, kind)


def _operator(others: Mapping[str, str]) -> Callable[[Any, str, Any], Sides]:
    def change(left: Any, operator: str, right: Any) -> Sides:
        if operator not in others:
            raise TypeError(f"'{operator}' is not among {', '.join(others)}")
        return left, others[operator], right

    return change


def _scaled(factor: Fraction) -> Callable[[Any, str, Any], Sides]:
    def change(left: Any, operator: str, right: Any) -> Sides:
        _numbers(left, right)
        return factor.numerator * left, operator, factor.denominator * right

    return change


def _slack(left: Any, operator: str, right: Any) -> Sides:
    _numbers(left, right)
    if operator not in ("<", "<=", ">", ">="):
        raise TypeError(f"'{operator}' leaves no slack")
    less = SLACK.numerator if operator in ("<", "<=") else -SLACK.numerator
    return SLACK.denominator * left - less, operator, SLACK.denominator * right


def _numbers(*sides: Any) -> None:
    if any(isinstance(side, NO_NUMBERS) for side in sides):
        raise TypeError("a side is not a number")
