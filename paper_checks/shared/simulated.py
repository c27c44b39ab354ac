"""The step that holds what a relation says about the runs of studies against them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from banditproof.claims import Check, Study
from banditproof.verify import Relation, event_test
from banditproof.verify.proof.evaluation import call


class simulated:
    """The step that reads studies: the relation says which events of their runs are how probable.

    The relation is called with the constants, the studies' `arrays`, a generator as `coins`, and the values of the
    variables that the runs are about; it yields (what happens, in which runs, operator, probability). `again` are the
    parameters of the quick studies when they are repeated, of all or one set for each: a part of them with all runs
    that the relation speaks of.
    """

    method: ClassVar[str] = "statistics"

    def __init__(
        self,
        *studies: Study,
        of: Relation | None = None,
        again: Mapping[str, Any] | Sequence[Mapping[str, Any]] = (),
        **values: Any,
    ) -> None:
        self.studies, self.of, self.values = studies, of, values
        parts = [again] * len(studies) if isinstance(again, Mapping) else again or [{}] * len(studies)
        self.repeated = [replace(s, quick={**s.quick, **part}) for s, part in zip(studies, parts, strict=True)]

    def __call__(self, check: Check, relation: Relation) -> bool:
        fixed = {**dict.fromkeys(check.domain.sets), **self.values, **check.constants}

        def tests(stream: str) -> list[dict[str, Any]]:
            studies = self.repeated if stream else self.studies
            arrays = {name: array for study in studies for name, array in check.study(study, stream).items()}
            claimed = call(self.of or relation, {**fixed, "arrays": arrays, "coins": check.rng("coins", stream)})
            return [event_test(*each) for each in claimed]

        return check.statistics(tests, covers=check.domain.restrict(**self.values))
