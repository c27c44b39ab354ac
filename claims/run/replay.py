"""A claim's registered steps, run again beside the record of a run by somebody else.

Whatever a step computes is computed again, and compared afterwards. Taken from the record, each from its place among
the evidence, is only what was searched or simulated: proofs in the kernel, whose steps are made again; bisection trees,
which are walked (one that leaves boxes undecided is searched for again); points where a bisection found the relation
to fail, at which it is evaluated; counts of events, and series that come from studies. A function of the check that
reads a study itself has it simulated again: what it makes of the numbers only it can say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from banditproof.claims.check import Check
from banditproof.verify.proof.evidence import (
    Counterexample,
    Evidence,
    IntervalProof,
    KernelProof,
    Statistics,
    Trend,
    said_of,
)
from banditproof.verify.proof.general import General
from banditproof.verify.proof.prover import bisection, refute_at
from banditproof.verify.proof.statement import Statement

MOST_TRIALS = 10**9
TEST = {"event", "successes", "trials", "operator", "probability"}


class NotShown(Exception):
    """The record does not hold, at its place, what a step can only take from there."""


class Simulated(Exception):
    """A function of the check reads a study."""


class Replay(Check):
    """As a check, on the evidence of a record.

    Attributes:
        stored: the evidence of the record, from a stranger.
        simulate: whether studies are run again, instead of taking what they gave from the record.
        resting: how many pieces of evidence rest on simulated numbers of the record.
        problem: what the record does not show.
    """

    def __init__(self, *arguments: Any, stored: list[Any], simulate: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.stored, self.simulate, self.resting = stored, simulate, 0
        self.problem = ""

    def run(self, gather: Callable[[Check], None]) -> None:
        try:
            try:
                super().run(gather)
            except Simulated:
                self.simulate, self._evidence, self.attempts = True, [], []
                super().run(gather)
        except NotShown as problem:
            self.problem = str(problem)

    def study(self, study: Any, stream: str = "") -> Any:
        if self.simulate:
            return super().study(study, stream)
        raise Simulated(study.name)

    def statistics(self, tests: Callable[[str], list[dict[str, Any]]], **options: Any) -> bool:
        if self.simulate:
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
        if "U" in tree:  # that no more was decided, only another search shows
            return super().bisected(statement, **options)
        proof = start.certified(tree, routes)
        if isinstance(proof, str):
            raise NotShown(f"interval evidence: {proof}")
        return proof

    def _next(self, *kinds: type[Evidence]) -> dict[str, Any]:
        """What the record says at the place of the next piece of evidence, which is of one of the kinds."""
        place = len(self.evidence)
        data = self.stored[place] if place < len(self.stored) else {}
        if data.get("kind") not in [kind.kind for kind in kinds]:
            raise NotShown(f"{kinds[0].kind} evidence: missing")
        return said_of(data)


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
