"""How fine the check of a supported claim is: the weakest false variant that it notices.

The variants come from the claim's term (``verify.proof.variants``). One is noticed where a piece of the evidence would
have come out otherwise: at a point of an enumeration it fails, and a proof of the statement as a whole is no proof of
another one. Those that are not noticed are tried at other points of the domain; where one fails it is false, and the
check is blind to it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log
from typing import Any

from banditproof.claims.sets import constants_of
from banditproof.theory.numbers.numeric import working_precision
from banditproof.theory.numbers.term import NoTerm
from banditproof.verify.proof.compare import Relation, evaluate, holds, relation_name, relation_named
from banditproof.verify.proof.domain import Domain, constant, unseen_points
from banditproof.verify.proof.evidence import BITS, Certificate, Enumeration, Evidence, IntervalProof, Symbolic
from banditproof.verify.proof.recheck import point_list
from banditproof.verify.proof.statement import Statement, stating
from banditproof.verify.proof.variants import TENTH, TWICE, orders, shapes, sizes

UNANSWERED = (ArithmeticError, TypeError, ValueError, AttributeError)
MEASURED, CLOSEST, OTHERS = 2000, 24, 16  # points of an enumeration: measured, and those at which variants are tried
ELSEWHERE = 12  # points at which a variant that the evidence does not notice is tried


@dataclass(frozen=True)
class Resolution:
    """What the evidence of a supported claim notices.

    Attributes:
        size: the factor by which a side may be off before it is noticed: '1.1', '2', or '' for none of them.
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
        """'sharp' where a tenth is noticed, 'coarse' where a factor of 2 is, 'blind' where a false shape passes."""
        if self.accepted or not self.size:
            return "blind"
        return "sharp" if self.size == f"{float(TENTH):g}" else "coarse"

    def to_json(self) -> dict[str, Any]:
        return {
            "word": self.word, "size": self.size, "accepted": list(self.accepted), "tried": self.tried,
            "refuted": self.refuted, "not shown": self.open,
        }  # fmt: skip


def resolution(statement: Statement, evidence: Sequence[Evidence]) -> Resolution:
    """The resolution of what supports a statement, from its own pieces of evidence."""
    sees = _Sight(statement, evidence)
    size = next((f"{float(f):g}" for f in (TENTH, TWICE) if all(sees(v) for _, v in sizes(statement, f))), "")
    accepted, refuted, unclear = [], 0, 0
    others = list(itertools.chain(orders(statement), shapes(statement)))
    for said, variant in others:
        if sees(variant):
            refuted += 1
        elif sees.is_false(variant):
            accepted.append(said)
        else:
            unclear += 1
    return Resolution(size, tuple(accepted), len(others), refuted, unclear)


def resolved(found: Mapping[str, Any]) -> str:
    """A resolution in words: 'sharp: a side that is off by a factor of 1.1 is noticed, and 12 of 13 other shapes'."""
    size = f"a side that is off by a factor of {found['size']} is noticed" if found["size"] else (
        "a side may be off by a factor of 2"
    )  # fmt: skip
    shapes = f"{found['refuted']} of {found['tried']} variants of another shape are noticed"
    if found["not shown"]:
        shapes += f", {found['not shown']} are not known to be false"
    passing = "; ".join(found["accepted"][:3]) + (", and more" if len(found["accepted"]) > 3 else "")
    return f"{found['word']}: {size}; {shapes}" + (f"; what passes: {passing}" if passing else "")


class _Sight:
    """What the evidence for a statement would say of a variant of it."""

    def __init__(self, statement: Statement, evidence: Sequence[Evidence]) -> None:
        self.statement = statement
        name = relation_name(statement.relation)
        own = [e for e in evidence if getattr(e, "relation", None) == name]
        self.proved = any(isinstance(e, Symbolic | IntervalProof) and e.covers == statement.domain for e in own)
        self.proved |= any(_is_fact(statement, e) for e in evidence)
        found = [e for e in own if isinstance(e, Enumeration)]
        self.rational = any(e.rational for e in found)
        self.points = _closest(statement, [p for e in found for p in point_list(e.points)])
        self.elsewhere: list[Mapping[str, Any]] | None = None

    def __call__(self, variant: Statement) -> bool:
        """Whether the evidence would have come out otherwise."""
        return self.proved or fails_at_some(variant.relation, self.points, self.rational)

    def is_false(self, variant: Statement) -> bool:
        if self.elsewhere is None:
            try:
                self.elsewhere = list(unseen_points(self.statement.domain, ELSEWHERE, "resolution", largest_count=30))
            except UNANSWERED:
                self.elsewhere = []
        return fails_at_some(variant.relation, self.elsewhere)


def fails_at_some(relation: Relation, points: Iterable[Mapping[str, Any]], rational: bool = False) -> bool:
    """Whether a relation certainly fails at one of the points: in balls, or exactly where these leave it open."""
    with working_precision(BITS):
        for point in points:
            answer = _answer(relation, point, False)
            if answer is False or (answer is None and rational and _answer(relation, point, True) is False):
                return True
    return False


def _answer(relation: Relation, point: Mapping[str, Any], rational: bool) -> bool | None:
    try:
        return holds(*evaluate(relation, point, {}, rational))
    except UNANSWERED:
        return None


def _closest(statement: Statement, points: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The points at which the sides are closest to each other, by their ratio, and some of the others."""
    measured = points[:: -(-len(points) // MEASURED)] if points else []
    order = sorted(range(len(measured)), key=lambda place: (_apart(statement, measured[place]), place))
    rest = sorted(order[CLOSEST:])
    return [measured[place] for place in (*order[:CLOSEST], *rest[:: -(-len(rest) // OTHERS) or 1])]


def _apart(statement: Statement, point: Mapping[str, Any]) -> float:
    try:
        left, _, right = (
            float(side) if i != 1 else 0.0 for i, side in enumerate(evaluate(statement.relation, point, {}))
        )
        return abs(log(abs(left)) - log(abs(right)))
    except (*UNANSWERED, OverflowError):
        return inf


def _is_fact(statement: Statement, evidence: Evidence) -> bool:
    """Whether a certificate proves the statement itself, on its domain, among its facts."""
    facts = (
        evidence.data.get("facts", ()) if isinstance(evidence, Certificate) and isinstance(evidence.data, dict) else ()
    )
    return any(_stated(fact) == statement for fact in facts)


def _stated(fact: Mapping[str, Any]) -> Statement | None:
    relation, domain = relation_named(fact["relation"]), Domain.from_json(fact["domain"])
    constants = {n: constant(c) for n, c in constants_of(relation).items()}
    try:
        return stating(relation, domain, constants)
    except NoTerm:
        return None
