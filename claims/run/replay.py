"""A claim's registered steps, run again beside the record of a run by somebody else.

Whatever a step computes is computed again, and compared afterwards. Taken from the record, each from its place among
the evidence, is only what was searched or simulated: bisection trees, which are walked (one that leaves boxes undecided
is searched for again); points where a bisection found the relation to fail, at which it is evaluated; counts of events,
and series that come from studies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from banditproof.claims.check import Check
from banditproof.verify.proof.compare import Relation
from banditproof.verify.proof.domain import Domain
from banditproof.verify.proof.evidence import (
    Counterexample,
    Evidence,
    IntervalProof,
    Statistics,
    Trend,
    evidence_from_json,
)
from banditproof.verify.proof.prover import refute_at, without_tree
from banditproof.verify.proof.recheck import recheck

MOST_TRIALS = 10**9
TEST = {"event", "successes", "trials", "operator", "probability"}


class NotShown(Exception):
    """The record does not hold, at its place, what a step can only take from there."""


class Simulated(Exception):
    """A step reads a study."""


class Replay(Check):
    """As a check, on the evidence of a record.

    Attributes:
        stored: the evidence of the record, from a stranger.
        simulate: whether studies are run again, instead of taking what they gave from the record.
        resting: how many pieces of evidence rest on simulated numbers of the record.
        cut: whether a function of the check ended where it reads a study: what it attempted there is not known.
        problem: what the record does not show.
    """

    def __init__(self, *arguments: Any, stored: list[Any], simulate: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.stored, self.simulate, self.resting = stored, simulate, 0
        self.cut, self.problem = False, ""

    def run(self, gather: Callable[[Check], None]) -> None:
        try:
            try:
                super().run(gather)
            except Simulated:
                self._take_the_rest()
        except NotShown as problem:
            self.problem = str(problem)

    def study(self, study: Any, stream: str = "") -> Any:
        if self.simulate:
            return super().study(study, stream)
        raise Simulated(study.name)

    def statistics(self, tests: Callable[[str], list[dict[str, Any]]], **options: Any) -> bool:
        if self.simulate:
            return super().statistics(tests, **options)
        counts = cast(Statistics, self._next(Statistics))
        _well_formed(counts)
        self.resting += 1
        return super().statistics(lambda stream: counts.fresh if stream else counts.tests, **options)

    def trend(self, rule: str, series: Iterable[tuple[Any, Any]], *arguments: Any, **options: Any) -> bool:
        try:
            values = list(series)
        except Simulated:
            values = cast(Trend, self._next(Trend)).series
            self.resting += 1
        return super().trend(rule, values, *arguments, **options)

    def bisected(self, relation: Relation, region: Domain, **options: Any) -> IntervalProof | Counterexample:
        asked = {name: value for name, value in options.items() if name != "boxes"}
        formula = self.formula(relation)
        proof = without_tree(formula, region, self.constants, **asked)  # raises where none can be, before one is sought
        stored = self._next(IntervalProof, Counterexample)
        if isinstance(stored, Counterexample):
            covers = self.domain if stored.covers == self.domain else region
            again = refute_at(formula, covers, self.constants, stored.point)
            if again is None:
                raise NotShown(f"counterexample evidence: the relation does not fail at {str(stored.point)[:100]}")
            return again
        tree, boxes = cast(IntervalProof, stored).tree, options["boxes"]
        if not isinstance(tree, str) or len(tree) > 2 * boxes + 1:
            raise NotShown(f"interval evidence: no bisection tree in which at most {boxes} boxes are examined")
        if "U" in tree:  # that no more was decided, only another search shows
            return super().bisected(relation, region, **options)
        proof = replace(proof, tree=tree)
        if problem := recheck(proof.to_json()):
            raise NotShown(f"interval evidence: {problem}")
        return proof

    def _take_the_rest(self) -> None:
        """The counts and series that a function of the check finds in a study, as they stand."""
        rest = [evidence_from_json(data) for data in self.stored[len(self.evidence) :]]
        self.cut = True
        if not rest:
            raise NotShown("statistics or trend evidence: missing")
        for evidence in rest:
            if isinstance(evidence, Statistics):
                _well_formed(evidence)
            elif not isinstance(evidence, Trend):
                raise NotShown(f"{evidence.kind} evidence: its check reads simulations, from which this cannot come")
            self._found.append(evidence)
            self.resting += 1

    def _next(self, *kinds: type[Evidence]) -> Evidence:
        place = len(self.evidence)
        found = evidence_from_json(self.stored[place]) if place < len(self.stored) else None
        if not isinstance(found, kinds):
            raise NotShown(f"{kinds[0].kind} evidence: missing")
        return found


def _well_formed(counts: Statistics) -> None:
    """Raise NotShown unless these are counts of events, repeated for all of them where one is repeated."""
    for test in (*counts.tests, *counts.fresh):
        given = test if isinstance(test, Mapping) and set(test) == TEST else {}
        successes, trials = given.get("successes"), given.get("trials")
        if not (type(successes) is int and type(trials) is int and 0 <= successes <= trials <= MOST_TRIALS):
            raise NotShown(
                f"statistics evidence: {str(test)[:100]} is no test of an event in at most {MOST_TRIALS} trials"
            )
    events, again = ([(t["event"], t["operator"]) for t in tests] for tests in (counts.tests, counts.fresh))
    if again != (events if "violated" in counts.outcomes else []):
        raise NotShown("statistics evidence: the repetition on fresh seeds is not that of its events")
