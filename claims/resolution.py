"""How fine the check of a supported claim is: the weakest false variant that it notices.

The variants come from the claim's term (``verify.proof.variants``). One is noticed where a piece of the evidence would
have come out otherwise: at a point of an enumeration it fails, and a proof of the statement as a whole is no proof of
another one. Points at which the others fail are looked for over the whole domain, and where both sides come closest to
each other; the claim itself is then tried at these points too (``Sight.demands``), so that what is known to be false is
noticed. What a program computes has no variants: of it the evidence says by which factor a side may be off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite, log
from typing import Any

from banditproof.claims.sets import constants_of
from banditproof.theory.numbers.numeric import working_precision
from banditproof.theory.numbers.term import NoTerm, children, parts, variables
from banditproof.verify.proof.compare import Relation, evaluate, holds, relation_name, relation_named
from banditproof.verify.proof.domain import Domain, Everything, Interval, constant, unseen_points
from banditproof.verify.proof.enumeration import point_list
from banditproof.verify.proof.evaluation import remembering
from banditproof.verify.proof.evidence import (
    BITS,
    Certificate,
    Deduction,
    Enumeration,
    Evidence,
    IntervalProof,
    Statistics,
)
from banditproof.verify.proof.statement import Statement, stating
from banditproof.verify.proof.variants import TENTH, TWICE, orders, shapes, sizes

Point = Mapping[str, Any]

UNANSWERED = (ArithmeticError, TypeError, ValueError, AttributeError, LookupError)  # the last: a list has no such entry
LARGEST_COUNT, SIZES = 30, 3  # a quantity may take steps in proportion: counts, and powers of ten of other numbers


@dataclass(frozen=True)
class Effort:
    """How many points of an enumeration are measured, at how many of the closest and the others variants are tried,
    and at how many of the whole domain; how many moves lead from the closest point to closer ones, and how many
    variants of another shape are tried."""

    measured: int
    closest: int
    others: int
    elsewhere: int
    moves: int
    shapes: int


LONGEST_SUM = 200  # of the points at which many variants of a sum are tried
USUAL = Effort(200, 12, 8, 16, 50, 80)
LONG_SUMS, SUMS_OF_SUMS = Effort(50, 4, 2, 4, 6, 12), Effort(6, 2, 1, 2, 0, 8)  # as long as a count


@dataclass(frozen=True)
class Resolution:
    """What the evidence of a supported claim notices.

    Attributes:
        size: the smallest factor by which a side may be off and is noticed, '1.1' or '2'; '' for none of them. Of a
            program it is what its points show, rounded up.
        accepted: the false variants of another shape that pass, in words.
        tried: how many variants there were; `refuted` of them are noticed, and `open` not shown to be false.
    """

    size: str
    accepted: tuple[str, ...] = field(default=())
    tried: int = 0
    refuted: int = 0
    open: int = 0

    @property
    def word(self) -> str:
        """'blind' where a false shape passes or nothing is noticed, 'sharp' where a tenth is, else 'coarse'."""
        if self.accepted or not (self.size or self.refuted):
            return "blind"
        return "sharp" if self.size and Fraction(self.size) <= TENTH else "coarse"

    def to_json(self) -> dict[str, Any]:
        return {
            "word": self.word,
            "size": self.size,
            "accepted": list(self.accepted),
            "tried": self.tried,
            "refuted": self.refuted,
            "not shown": self.open,
        }

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Resolution:
        """What ``to_json`` says, but for its word, which follows from the rest."""
        return cls(data["size"], tuple(data["accepted"]), data["tried"], data["refuted"], data["not shown"])


def resolved(resolution: Mapping[str, Any]) -> str:
    """A resolution in words: 'sharp: the check notices a side that is off by a factor of 1.1; ...'."""
    size = "the check does not notice a side that is off by a factor of 2"
    if resolution["size"]:
        both_meet = Fraction(resolution["size"]) <= 1
        factor = "any factor" if both_meet else f"a factor of {resolution['size']}"
        size = f"the check notices a side that is off by {factor}"
    elif not resolution["tried"]:
        size = "no variant of another shape was tried, and it is not known what the check would notice"
    if not resolution["tried"]:
        return f"{resolution['word']}: {size}"
    shapes = f"it notices {resolution['refuted']} of {resolution['tried']} variants of another shape"
    if resolution["not shown"]:
        shapes += f", {resolution['not shown']} are not known to be false"
    passing = "; ".join(resolution["accepted"][:3]) + (", and more" if len(resolution["accepted"]) > 3 else "")
    return f"{resolution['word']}: {size}; {shapes}" + (f"; these pass: {passing}" if passing else "")


def of_program(evidence: Sequence[Evidence]) -> Resolution:
    """The resolution of what supports a claim that is no formula: the factor that its points or runs notice."""
    sizes = [e.noticed for e in evidence if isinstance(e, Enumeration | Statistics) and e.noticed]
    return Resolution(min(sizes, key=Fraction, default=""))


def with_alternatives(resolution: Mapping[str, Any], tried: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The resolution of a check once its author's false alternatives were tried: they are the variants of a program."""
    if resolution["tried"]:
        return dict(resolution)
    passing = tuple(m["name"] for m in tried if not m["caught"])
    return Resolution(resolution["size"], passing, len(tried), len(tried) - len(passing)).to_json()


class Sight:
    """What the evidence for a statement says of its variants.

    Attributes:
        demands: points of the domain at which a false variant fails that the evidence does not notice.
        region: what these speak of: the domain, of described objects those that the evidence speaks of.
    """

    def __init__(self, statement: Statement, evidence: Sequence[Evidence]) -> None:
        self.statement = statement
        name = relation_name(statement.relation)
        own = [e for e in evidence if getattr(e, "relation", None) == name]
        self.proved = any(isinstance(e, Deduction | IntervalProof) and e.covers == statement.domain for e in own)
        self.proved |= any(_is_fact(statement, e) for e in evidence)
        counts = {n for n, v in statement.domain.variables if isinstance(v, Interval) and v.integer}
        every = [t for side in (statement.left, statement.right) for t in parts(side)]
        sums = [t for t in every if t.op == "total" or (t.op == "quantity" and variables(t) & counts)]
        nested = any(part.op == "total" for one in sums for body in children(one) for part in parts(body))
        self.effort = SUMS_OF_SUMS if nested else LONG_SUMS if sums else USUAL
        enumerations = [e for e in own if isinstance(e, Enumeration)]
        self.rational = any(e.rational for e in enumerations)
        seen = [p for e in enumerations for p in point_list(e.points)]
        if sums:
            seen = [p for p in seen if all(p[n] <= LONGEST_SUM for n in counts & set(p))]
        self._seen = seen[:: -(-len(seen) // self.effort.measured)] if seen else []
        self.largest = {n: max((p[n] for p in seen if n in p), default=LARGEST_COUNT) for n in counts}
        self.asked = {n for n, s in statement.domain.variables if hasattr(s, "ends") or n in statement.names}
        self.demands: list[Point] = []
        described = [n for n, values in statement.domain.variables if isinstance(values, Everything)]
        self._may_demand = bool(enumerations) or not described
        narrowed = {n: enumerations[0].covers.sets[n] for n in described} if enumerations else {}
        self.region = statement.domain.restrict(**{n: f"all: {values}" for n, values in narrowed.items()})

    @cached_property
    def points(self) -> list[Point]:
        """The points of the evidence at which variants are tried."""
        return self._closest(self._seen)

    def resolution(self) -> Resolution:
        """The resolution; what it needs to be as fine as that are the points in `demands`."""
        with remembering():
            return self._resolution()

    def _resolution(self) -> Resolution:
        size = ""
        for factor in (TWICE, TENTH):
            if not all(self._noticed(variant.relation) for _, variant in sizes(self.statement, factor)):
                break
            size = f"{float(factor):g}"
        others = list(shapes(self.statement))
        others = others[:: -(-len(others) // self.effort.shapes) or 1]
        by_variant = {said: self._noticed(v.relation) for said, v in (*orders(self.statement), *others)}
        fates = list(by_variant.values())
        accepted = tuple(said for said, noticed in by_variant.items() if noticed is False)
        return Resolution(size, accepted, len(by_variant), fates.count(True), fates.count(None))

    def _noticed(self, variant: Relation) -> bool | None:
        """Whether a variant is noticed; None where nothing shows that it is false."""
        if self.proved or self._failing(variant, (*self.points, *self.demands)):
            return True
        failing = self._failing(variant, self._others)
        if failing is None:
            return None
        if self._may_demand:  # the author's points may hold described objects, of which the statement has no use
            self.demands.append({n: v for n, v in failing.items() if n in self.asked})
        return self._may_demand

    @cached_property
    def _others(self) -> list[Point]:
        """Points of the whole domain, and some at which both sides come close, where the statement is decided."""
        try:
            most = min(LARGEST_COUNT, max(self.largest.values(), default=LARGEST_COUNT))
            drawn = [
                *unseen_points(
                    self.statement.domain, self.effort.elsewhere, "resolution", largest_count=most, extremes=SIZES
                )
            ]
        except UNANSWERED:
            return []
        nearest = self._closest([*self.points, *drawn])[:1]
        return [p for p in (*drawn, *self._closer(nearest)) if self._verdict(self.statement.relation, p) is not None]

    def _failing(self, relation: Relation, points: Iterable[Point]) -> Point | None:
        """The first of the points at which a relation certainly fails."""
        return next((point for point in points if self._verdict(relation, point) is False), None)

    def _verdict(self, relation: Relation, point: Point) -> bool | None:
        """Whether it holds: in balls, and exactly where these leave it open and the evidence is rational."""
        holding = _holds(relation, point, False)
        return _holds(relation, point, True) if holding is None and self.rational else holding

    def _closer(self, start: Iterable[Point]) -> Iterator[Point]:
        """Points on the way from a point to where both sides are closest, one variable at a time."""
        left = self.effort.moves
        for best in start:
            least, moved = _apart(self.statement, best), True
            while moved and left > 0 and least > 0:
                moved = False
                for point in _neighbours(self.statement.domain, best, self.largest):
                    left -= 1
                    if left < 0:
                        break
                    if (distance := _apart(self.statement, point)) < least:
                        least, best, moved = distance, point, True
                        yield point

    def _closest(self, points: Sequence[Point]) -> list[Point]:
        """The points at which the sides are closest to each other, by their ratio, and some of the others."""
        order = sorted(range(len(points)), key=lambda place: (_apart(self.statement, points[place]), place))
        rest = sorted(order[self.effort.closest :])
        return [
            points[place]
            for place in (*order[: self.effort.closest], *rest[:: -(-len(rest) // self.effort.others) or 1])
        ]


def _neighbours(domain: Domain, point: Point, largest: Mapping[str, int]) -> Iterator[Point]:
    """Points that differ in one variable; no count exceeds its `largest`: a sum may take as many steps."""
    for name, values in domain.variables:
        if not isinstance(values, Interval) or name not in point:
            continue
        here = point[name]
        if values.integer:
            tried = [here + 1, here - 1, 2 * here, here // 2]
        else:
            ends = [Fraction(end) for end in (values.lower, values.upper) if isfinite(end)]
            tried = [(here + end) / 2 for end in ends] + [here * 2, here / 2, here * TENTH, here / TENTH]
        for value in tried:
            moved = {**point, name: value if values.integer else Fraction(value).limit_denominator(10**6)}
            if value != here and abs(value) <= largest.get(name, 10**SIZES) and domain.contains(moved):
                yield moved


def _holds(relation: Relation, point: Point, rational: bool) -> bool | None:
    with working_precision(BITS):
        try:
            return holds(*evaluate(relation, point, {}, rational))
        except UNANSWERED:
            return None


def _apart(statement: Statement, point: Point) -> float:
    """How far apart both sides are, by their ratio: in balls, or in rationals where a quantity takes no balls."""
    for rational in (False, True):
        try:
            left, _, right = evaluate(statement.relation, point, {}, rational)
            return abs(log(abs(float(left))) - log(abs(float(right))))
        except (*UNANSWERED, OverflowError):
            continue
    return inf


def _is_fact(statement: Statement, evidence: Evidence) -> bool:
    """Whether a certificate proves the statement itself, on its domain, among its facts."""
    facts = (
        evidence.data.get("facts", ()) if isinstance(evidence, Certificate) and isinstance(evidence.data, dict) else ()
    )
    return any(
        proved is not None
        and (proved.domain, proved.operator) == (statement.domain, statement.operator)
        and proved.left is statement.left
        and proved.right is statement.right
        for proved in map(_stated, facts)
    )


def _stated(fact: Mapping[str, Any]) -> Statement | None:
    relation, domain = relation_named(fact["relation"]), Domain.from_json(fact["domain"])
    constants = {n: constant(c) for n, c in constants_of(relation).items()}
    try:
        return stating(relation, domain, constants)
    except NoTerm:
        return None
