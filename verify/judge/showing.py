"""Showing a sentence by one of several ways, within what may be spent on it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from banditproof.verify.judge.expansions import near_end
from banditproof.verify.judge.formula import INFINITY
from banditproof.verify.judge.found import Expanded, Proved
from banditproof.verify.judge.goals import Way
from banditproof.verify.judge.points import Asked, Failing, Near, corners, failing
from banditproof.verify.judge.proofs import Late, proved, within

LONGEST = 300.0  # seconds of one proof, where no cap is given: far more than its work takes
OF_A_PROOF = 1000  # work
FEW = 30  # points
Evidence = tuple[Proved | Expanded, ...]


@dataclass
class Budget:
    """What may still be spent on a statement."""

    share: float
    stop: float | None
    work: int = 0

    @property
    def left(self) -> float:
        """Seconds."""
        return LONGEST if self.stop is None else max(0.05, self.stop - time.perf_counter())

    @property
    def over(self) -> bool:
        return self.stop is not None and time.perf_counter() > self.stop


def first_shown(
    ways: Iterable[Way], budget: Budget
) -> tuple[tuple[Way, tuple[Proved | Expanded, ...]] | None, list[str]]:
    """The first way all of whose comparisons are proved, with the proofs; and why the others fell."""
    reasons: list[str] = []
    known: dict[
        tuple[int, float], tuple[Asked | Near, Proved | Expanded | str]
    ] = {}  # with the claim itself, so that no other one has its number
    for way in ways:
        evidence = []
        for claim in way.claims:
            if budget.over:
                return None, [*reasons, "out of time"]
            key = id(claim), way.effort
            _, found = known.get(key) or (claim, _attempt(claim, budget, way.effort))
            known[key] = claim, found
            if isinstance(found, str):
                reasons.append(f"{way.because}: {found}" if way.because else found)
                break
            evidence.append(found)
        else:
            return (way, tuple(evidence)), reasons
    return None, reasons


def _seen_to_fail(claim: Asked) -> Failing | None:
    """A point at which a comparison fails; equations of sums are asked at few, since every point has to be computed."""
    if claim.sums and claim.comparison.sign == "==":
        found = (claim.fails(point) for point in islice(corners(claim), FEW))
        return next((f for f in found if f is not None), None)
    return failing(claim, draws=600)[0]


def _attempt(claim: Asked | Near, budget: Budget, effort: float) -> Proved | Expanded | str:
    """A proof of one comparison, unless a point shows that it is false."""
    if isinstance(claim, Near):
        return near_end(claim)
    try:
        with within(budget.left):
            found = _seen_to_fail(claim)
    except Late:
        return "points: out of time"
    if found is not None:
        return f"what it rests on fails at {', '.join(f'{n} = {v}' for n, v in found.point.items())}"
    budget.work += round(OF_A_PROOF * effort)
    shown = proved(claim, budget.share * effort, budget.left)
    if isinstance(shown, str) and not claim.ranges:  # numbers, some of which only leading terms know
        constant = near_end(Near(claim.comparison, "_", INFINITY, 0, {}))
        return shown if isinstance(constant, str) else constant
    return shown
