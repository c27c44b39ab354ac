"""Attacks: every relation that a check proves, tried at points that its proof has not seen.

A ``Listener`` stands in for ``Check``: it hears which relations a claim's check would prove, on which regions, and
proves nothing. Each is then evaluated at ``unseen_points`` in balls whose precision doubles until they decide.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.derivations import facts_hold
from banditproof.claims.register import Claim
from banditproof.claims.sets import constants_of
from banditproof.theory import InvalidInput, working_precision
from banditproof.verify.proof.compare import Relation, as_ball, evaluate, holds, relation_name, relation_named
from banditproof.verify.proof.domain import Domain, Everything, Points, constant, uncovered, unseen_points

PRECISIONS = (200, 400, 800, 1600)
POINTS = 60
LARGE_COUNT = 5000  # for formulas that SymPy read: they have no loops
MOST_SEEN = 20_000
AGREEMENT = Fraction(1, 2**800)
MODERATE = 1000
BY_SYMBOLS = ("deduction", "fact")  # formulas that SymPy read take counts as they take other numbers


@dataclass
class Target:
    """A relation that a check proves on a region, with the points that an enumeration has already seen."""

    relation: Relation
    domain: Domain
    constants: Mapping[str, Any]
    method: str
    rational: bool = False
    seen: list[Mapping[str, Any]] = field(default_factory=list)
    whole: bool = False  # a claim's own relation on its whole printed domain

    @property
    def listed(self) -> bool:
        """Whether its region is a list (of numbers or described objects), which has no unseen points."""
        return all(isinstance(s, Points | Everything) for s in self.domain.sets.values())

    @property
    def described(self) -> bool:
        """Whether it needs an object that is no number, so that no point can be drawn."""
        needed = {n for n, p in inspect.signature(self.relation).parameters.items() if p.default is p.empty}
        return any(isinstance(s, Everything) and n in needed for n, s in self.domain.variables)


@dataclass
class Outcome:
    """What came of the points: how many held, stayed undecided, and the failures as (point, why)."""

    points: int = 0
    undecided: int = 0
    equal: int = 0
    failures: list[tuple[dict[str, Any], str]] = field(default_factory=list)


def attacked(target: Target, seed: str, count: int = POINTS, extremes: int = 12) -> Outcome:
    """Evaluate a target's relation at unseen points of its region.

    It fails where it certainly does not hold or has no value. Sides that agree to 800 bits count as
    `equal`; what else stays open is `undecided`.
    """
    if target.listed or target.described:
        return Outcome()
    largest = {"largest_count": min(LARGE_COUNT, 10**extremes)} if target.method in BY_SYMBOLS else {}
    outcome = Outcome()
    for point in unseen_points(target.domain, count, seed, seen=target.seen, extremes=extremes, **largest):
        outcome.points += 1
        fate = verdict_at(target, point)
        if fate == "equal":
            outcome.equal += 1
        elif fate == "undecided":
            outcome.undecided += 1
        elif fate != "holds":
            outcome.failures.append((point, fate))
    return outcome


def verdict_at(target: Target, point: Mapping[str, Any]) -> str:
    """'holds', 'equal' (both sides agree to 800 bits), 'undecided', or why the relation fails at the point."""
    if target.method in BY_SYMBOLS:
        try:
            return _verdict_at(target, {n: Fraction(v) if isinstance(v, int) else v for n, v in point.items()})
        except (TypeError, InvalidInput):  # a binomial or a sum takes counts and no other numbers
            return _verdict_at(target, point)
    return _verdict_at(target, point)


def _verdict_at(target: Target, point: Mapping[str, Any]) -> str:
    said = "undecided"
    for bits in PRECISIONS[:1] if target.rational else PRECISIONS:
        with working_precision(bits):
            try:
                left, operator, right = evaluate(target.relation, point, target.constants, target.rational)
            except ZeroDivisionError:
                return "divides by zero"
            except ArithmeticError:  # a branch is within rounding
                continue
            decided = holds(left, operator, right)
            if decided is not None:
                return "holds" if decided else f"fails: {left} {operator} {right}"
            said = _open(left, operator, right)
    if said != "nan":
        return said
    return "has no value" if _plain([*point.values(), *target.constants.values()]) else "undecided"


def _open(left: Any, operator: str, right: Any) -> str:
    """What balls say that do not decide."""
    if isinstance(left, tuple | list):
        said = {_open(a, operator, b) for a, b in zip(left, right, strict=False) if holds(a, operator, b) is None}
        return next((word for word in ("nan", "undecided") if word in said), "equal")
    left, right = as_ball(left), as_ball(right)
    if left.is_nan() or right.is_nan():
        return "nan"
    distance, scale = abs(left - right), 1 + abs(left).upper()
    return "equal" if operator in ("==", "<=", ">=") and bool(distance <= scale * as_ball(AGREEMENT)) else "undecided"


def _plain(numbers: Iterable[Any]) -> bool:
    """Whether nan is no matter of precision: a decimal tie has a width at every one, and e^x may take all bits away."""
    fractions = [Fraction(v) for v in numbers if isinstance(v, int | Fraction)]
    return all(v.denominator & (v.denominator - 1) == 0 and abs(v) <= MODERATE for v in fractions)


class Listener(Check):
    """Hears what a check would prove (``targets``), and answers every step so that the next one is taken."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim.id, claim.domain, claim.constants, relation=claim.relation)
        self.targets: list[Target] = []
        self.shown_false = False

    def _heard(self, method: str, relation: Relation, region: Domain | None, **more: Any) -> bool:
        self.targets.append(Target(relation, region or self.domain, self.constants, method, **more))
        return True

    def deduction(self, relation: Relation) -> bool:
        return self._heard("deduction", relation, None)

    def interval(self, relation: Relation, covers: Domain | None = None, **_: Any) -> bool:
        return self._heard("interval", relation, covers)

    def enumerate(self, relation: Relation, over: Any, *, covers: Any = None, rational: bool = False, **_: Any) -> bool:
        over = over if isinstance(over, Mapping) else list(over)
        region = self.region_of(relation, over, covers)
        seen = list(islice(self.points(over), MOST_SEEN))
        return self._heard("enumeration", relation, region, rational=rational, seen=seen)

    def certificate(self, verifier: Relation, data: Any, *_: Any, **__: Any) -> bool:
        if verifier is facts_hold:
            self.targets += facts_of(data, self.constants)
        return True

    def quadrature(self, *_: Any, **__: Any) -> bool:
        return True

    def statistics(self, *_: Any, **__: Any) -> bool:
        return True

    def trend(self, *_: Any, **__: Any) -> bool:
        return True

    def search(self, *_: Any, **__: Any) -> bool:
        return False

    def counterexample(self, *_: Any, **__: Any) -> bool:
        self.shown_false = True
        return False


def facts_of(data: Mapping[str, Any], constants: Mapping[str, Any]) -> Iterator[Target]:
    """The facts of a derivation, each on a domain of its own."""
    for entry in data["facts"]:
        relation, domain = relation_named(entry["relation"]), Domain.from_json(entry["domain"])
        given = {n: c for n, c in constants.items() if n not in domain.sets}
        known = {n: constant(c) for n, c in constants_of(relation).items()} | given
        yield Target(relation, domain, known, "fact")


def targets_of(claim: Claim) -> list[Target]:
    """What is attacked of a claim: its own relation on its printed domain, other relations and facts on theirs.

    None for a claim that its check shows to be false.
    """
    if claim.check is None:
        return []
    listener = Listener(claim)
    claim.check(listener)
    if listener.shown_false:
        return []
    own = [t for t in listener.targets if t.relation is claim.relation and t.method != "fact"]
    if not own or uncovered(claim.domain, [t.domain for t in own]) is not None:
        return listener.targets
    method = next((t.method for t in own if t.method in BY_SYMBOLS), own[0].method)
    seen, rational = [point for t in own for point in t.seen], all(t.rational for t in own)
    whole = Target(own[0].relation, claim.domain, claim.constants, method, rational, seen, whole=True)
    return [whole, *(t for t in listener.targets if not any(t is o for o in own))]


def stated(claim: Claim) -> Target:
    """A claim's own relation on its whole printed domain, however little of it its check covers."""
    assert claim.relation is not None
    listener = Listener(claim)
    if claim.check is not None:
        claim.check(listener)
    own = [t for t in listener.targets if t.relation is claim.relation and t.method == "enumeration"]
    seen, rational = [point for t in own for point in t.seen], any(t.rational for t in own)
    return Target(claim.relation, claim.domain, claim.constants, "enumeration", rational, seen)


def name_of(target: Target) -> str:
    """What tells targets apart: facts and restated relations occur in many claims."""
    return json.dumps([relation_name(target.relation), target.domain.to_json(), str(dict(target.constants))])
