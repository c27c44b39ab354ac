"""A claim's registered steps, run again beside the record of a run by somebody else.

What proves or refutes is done again: the steps of kernel proofs, the rules of trees, the leaves of bisections, and the
relation at the point of a counterexample. Taken from the record, each from its place among the evidence, is what was
searched or drawn: proofs and trees, counts of events, and series that come from studies. What only supports a claim is
taken too, that a relation held at each point of a list and which variants fail there; with `redo` nothing of this is,
and studies are simulated again. A function of the check that reads a study itself has it simulated in any case: what it
makes of the numbers only it can say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from banditproof.claims.check import Check
from banditproof.claims.resolution import Resolution, Sight
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.enumeration import Unconfirmed, enumerated, point_list
from banditproof.verify.proof.evidence import (
    Counterexample,
    Deduction,
    Enumeration,
    Evidence,
    IntervalProof,
    KernelProof,
    NotEvaluated,
    Statistics,
    Trend,
    said_of,
)
from banditproof.verify.proof.general import General
from banditproof.verify.proof.prover import bisection, refute_at
from banditproof.verify.proof.statement import Program, Statement

MOST_TRIALS = 10**9
TEST = {"event", "successes", "trials", "operator", "probability"}


class NotShown(Exception):
    """The record does not hold, at its place, what a step can only take from there."""


class Simulated(Exception):
    """A function of the check reads a study."""


class Replay(Check):
    """As a check, on the evidence of a record.

    Attributes:
        record: the record, from a stranger.
        redo: whether points are evaluated, and studies run, again; also where the record tells of points that failed.
        resting: how many pieces of evidence rest on simulated numbers of the record.
        taken: the places of enumerations in the evidence that are the record's: no point of theirs was evaluated.
        problem: what the record does not show.
    """

    def __init__(self, *arguments: Any, record: Mapping[str, Any], redo: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        points_failed = {"counterexample", "enumeration"} & {method for method, _ in record.get("attempts", ())}
        self.record, self.redo, self.resting = record, redo or bool(points_failed), 0
        self.taken: list[int] = []
        self.problem = ""

    def run(self, gather: Callable[[Check], None]) -> None:
        try:
            try:
                super().run(gather)
            except Simulated:
                self.redo, self._evidence, self.attempts, self.taken = True, [], [], []
                super().run(gather)
        except NotShown as problem:
            self.problem = str(problem)

    @property
    def searches(self) -> bool:
        """Points are not looked for: what was found stands in the record, and is evaluated there."""
        return super().searches and (self.redo or self._shown(Counterexample, NotEvaluated) is not None)

    def found_tree(self, statement: Statement, steps: int) -> Any:
        said = None if self.redo else self._shown(Deduction)
        return super().found_tree(statement, steps) if said is None else said["tree"]

    def study(self, study: Any, stream: str = "") -> Any:
        if self.redo:
            return super().study(study, stream)
        raise Simulated(study.name)

    def statistics(self, tests: Callable[[str], list[dict[str, Any]]], **options: Any) -> bool:
        if self.redo:
            return super().statistics(tests, **options)
        counts = Statistics(**self._next(Statistics))
        _well_formed(counts)
        self.resting += 1
        return super().statistics(lambda stream: counts.fresh if stream else counts.tests, **options)

    def trend(self, rule: str, series: Iterable[tuple[Any, Any]], *arguments: Any, **options: Any) -> bool:
        try:
            values = list(series)
        except Simulated:
            values = self._next(Trend)["series"]
            self.resting += 1
        return super().trend(rule, values, *arguments, **options)

    def enumerated(
        self, problem: Statement | Program, points: Any, region: Domain, **options: Any
    ) -> Enumeration | Unconfirmed | str:
        said = None if self.redo else self._shown(Enumeration)
        if said is None:
            return super().enumerated(problem, points, region, **options)
        measured = said["tightest"], said["noticed"]
        if not all(isinstance(told, str) for told in measured):
            raise NotShown(f"enumeration evidence: {str(measured)[:100]} is not how close the sides came")
        self.taken.append(len(self.evidence))
        return enumerated(problem, points, region, measured=measured, **options)

    def told(self, statement: Statement, points: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        said = None if self.redo else self._shown(Enumeration)
        if said is None:
            return super().told(statement, points)
        listed = [*point_list(said["points"])]
        return [point for point in points if point in listed]

    def resolved(self, sight: Sight) -> tuple[Resolution, Sequence[Mapping[str, Any]]]:
        if self.redo or not isinstance(self.record.get("resolution"), Mapping):
            return super().resolved(sight)
        demands = self._shown(Enumeration)
        return Resolution.of_json(self.record["resolution"]), [*point_list(demands["points"])] if demands else []

    def kernel_proof_of(self, statement: General, proof: Callable[[Any], Any]) -> Any:
        try:
            return self._next(KernelProof)["proof"]
        except NotShown:  # that its steps are refused, only the steps show
            return super().kernel_proof_of(statement, proof)

    def bisected(self, statement: Statement, **options: Any) -> IntervalProof | Counterexample:
        boxes, routes = options["boxes"], options["routes"]
        start = bisection(statement, substitutions=options["substitutions"], precision=options["precision"])
        said = self._next(IntervalProof, Counterexample)
        if "point" in said:
            again = refute_at(
                statement.over(self.domain) if said["covers"] == self.domain else statement, said["point"]
            )
            if again is None:
                raise NotShown(f"counterexample evidence: the relation does not fail at {str(said['point'])[:100]}")
            return again
        tree = said["tree"]
        if not isinstance(tree, str) or len(tree) > 2 * boxes + 1:
            raise NotShown(f"interval evidence: no bisection tree in which at most {boxes} boxes are examined")
        if self.redo and "U" in tree:  # that no more was decided, only another search shows
            return super().bisected(statement, **options)
        proof = start.certified(tree, routes)
        if isinstance(proof, str):
            raise NotShown(f"interval evidence: {proof}")
        return proof

    def _next(self, *kinds: type[Evidence]) -> dict[str, Any]:
        """What the record says at the place of the next piece of evidence, which is of one of the kinds."""
        said = self._shown(*kinds)
        if said is None:
            raise NotShown(f"{kinds[0].kind} evidence: missing")
        return said

    def _shown(self, *kinds: type[Evidence]) -> dict[str, Any] | None:
        """As above; None where there is none."""
        place, stored = len(self.evidence), self.record["evidence"]
        data = stored[place] if place < len(stored) else {}
        return said_of(data) if data.get("kind") in [kind.kind for kind in kinds] else None


def _well_formed(counts: Statistics) -> None:
    """Raise NotShown unless these are counts of events, repeated for all of them where one is repeated."""
    for test in (*counts.tests, *counts.fresh):
        given = test if isinstance(test, Mapping) and set(test) == TEST else {}
        successes, trials = given.get("successes"), given.get("trials")
        if not (type(successes) is int and type(trials) is int and 0 <= successes <= trials <= MOST_TRIALS):
            raise NotShown(
                f"statistics evidence: {str(test)[:100]} is not a test of an event in at most {MOST_TRIALS} trials"
            )
    events, again = ([(t["event"], t["operator"]) for t in tests] for tests in (counts.tests, counts.fresh))
    if again != (events if "violated" in counts.outcomes else []):
        raise NotShown("statistics evidence: the repetition on fresh seeds is about other events")
