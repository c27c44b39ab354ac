"""Showing a sentence by one of several ways, within what may be spent on it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from math import inf
from typing import Any

from banditproof.verify.judge.expansions import near_end
from banditproof.verify.judge.formulas.formula import INFINITY, parts
from banditproof.verify.judge.formulas.printing import plain_sentence
from banditproof.verify.judge.found import Expanded, Proved
from banditproof.verify.judge.ways.factorials import FREE, with_free_factorials
from banditproof.verify.judge.ways.goals import OF_A_PIECE, Each, Way, all_of, ways_of
from banditproof.verify.judge.ways.points import Asked, Failing, Near, corners, failing
from banditproof.verify.judge.ways.proofs import LONGEST, Late, proved, within

OF_A_PROOF = 1000  # work
OF_TIME = 5  # times the effort, at most the whole: the part of the time left that one attempt may take
STAGES = 0.1, 0.3, 1.0  # of the work: what a way gets first, and what it gets if it is still open
AHEAD = 2  # ways that are looked at before one of them gets more, and that get as little as it gets more
USUAL_SIZE, LEAST = 20, 0.2  # parts of a comparison, and the least share of that work for a longer one
FEW = 30  # points
MOST_DEEPER = 6  # comparisons
Evidence = tuple[Proved | Expanded, ...]


@dataclass
class Budget:
    """What may still be spent on a statement: it is over after so much fruitless work; `stop` is only a cap."""

    share: float
    stop: float | None
    work: int = 0
    most: float = inf
    fruitless: int = 0

    @property
    def left(self) -> float:
        """Seconds."""
        return LONGEST if self.stop is None else max(0.05, self.stop - time.perf_counter())

    @property
    def over(self) -> bool:
        return self.fruitless >= self.most or (self.stop is not None and time.perf_counter() > self.stop)


class Fails(str):
    """Why a comparison cannot be shown: a point at which it is false."""


def first_shown(
    ways: Iterable[Way], budget: Budget, deeper: int = MOST_DEEPER
) -> tuple[tuple[Way, Evidence] | None, list[str]]:
    """The first way all of whose comparisons are proved, with the proofs; and why the others fell.

    Each way gets a little first; those that are still open get more of their effort in between, when the others have
    taken as much. Where no way is, comparisons that are only open are shown by ways of their own, `deeper`
    of them at most.
    """
    if isinstance(ways, Each):
        return _each_shown(ways, budget, deeper)
    reasons: list[str] = []
    known: dict[Any, Proved | Expanded | str] = {}
    left: list[Way] = []

    def shown(claim: Asked | Near, effort: float) -> Proved | Expanded | str:
        of = (getattr(claim, part.name) for part in fields(claim))
        key = *(tuple(v.items()) if isinstance(v, dict) else v for v in of), effort
        if key not in known:
            known[key] = _attempt(claim, budget, effort)
        return known[key]

    waiting: deque[tuple[Way, int]] = deque()
    looks, each = 0.0, _in_time(ways, budget)
    following = next(each, None)
    while following is not None or waiting:
        soon = following is not None and (not waiting or looks < AHEAD)
        way, stage = (following, 0) if following is not None and soon else waiting.popleft()
        effort, evidence = min(way.effort, STAGES[stage]), []
        for claim in way.claims:
            if budget.over:
                return None, [*reasons, "out of time"]
            found = shown(claim, effort * _lightness(claim) if soon else effort)
            if isinstance(found, str):
                reasons.append(f"{way.because}: {found}" if way.because else found)
                if isinstance(found, Fails):
                    break
                looks += 1 if soon else -effort / STAGES[0]
                if effort < way.effort:
                    waiting.append((way, stage + 1))
                elif way.because:
                    left.append(way)
                break
            evidence.append(found)
        else:
            return (way, tuple(evidence)), reasons
        following = next(each, None) if soon else following
    if budget.over:
        return None, [*reasons, "out of time"]
    for way in left:
        proofs, because, facts = [], way.because, way.facts
        for claim in way.claims:
            if budget.over:
                return None, [*reasons, "out of time"]
            found = shown(claim, way.effort)
            if not isinstance(found, str):
                proofs.append(found)
                continue
            if isinstance(found, Fails) or isinstance(claim, Near) or not deeper or not claim.ranges:
                break
            deeper -= 1
            inner, _ = first_shown(_ways_deeper(claim, way.effort), budget, 0)
            if inner is None:
                break
            proofs.extend(inner[1])
            because = f"{because}; {plain_sentence(claim.comparison)}: {inner[0].because}"
            facts = (*facts, *inner[0].facts)
        else:
            return (Way(way.claims, because, tuple(dict.fromkeys(facts))), tuple(proofs)), reasons
    return None, reasons


def _each_shown(ways: Each, budget: Budget, deeper: int) -> tuple[tuple[Way, Evidence] | None, list[str]]:
    """A way of every part, with all their proofs; and why the others fell."""
    found: list[tuple[Way, Evidence]] = []
    told: list[str] = []
    for part in ways.parts:
        shown, reasons = first_shown(part, budget, deeper)
        told += reasons
        if shown is None:
            return None, told
        found.append(shown)
    return (all_of([way for way, _ in found]), tuple(e for _, evidence in found for e in evidence)), told


def _lightness(claim: Asked | Near) -> float:
    """1, or less for a long comparison, of which each step takes long."""
    size = sum(1 for side in (claim.comparison.left, claim.comparison.right) for _ in parts(side))
    return max(LEAST, min(1.0, USUAL_SIZE / size))


def _in_time(ways: Iterable[Way], budget: Budget) -> Iterator[Way]:
    """The ways, as long as there is time: to find one takes long where equations are solved for it."""
    each = iter(ways)
    while True:
        try:
            with within(budget.left):
                way = next(each, None)
        except Late:
            return
        if way is None:
            return
        yield _without_factorials(way)


def _without_factorials(way: Way) -> Way:
    """The way with numbers for factorials, which no prover knows."""
    claims = tuple(
        c for claim in way.claims for c in (with_free_factorials(claim) if isinstance(claim, Asked) else [claim])
    )
    if claims == way.claims:
        return way
    return replace(way, claims=claims, because="; ".join(filter(None, (way.because, FREE))))


def _ways_deeper(claim: Asked, effort: float) -> Iterator[Way]:
    """Ways to show a comparison that another one rests on, besides as it stands."""
    for way in ways_of(claim):
        if way.because:
            yield replace(way, effort=effort * OF_A_PIECE)


def _seen_to_fail(claim: Asked) -> Failing | None:
    """A point at which a comparison fails; equations of sums are asked at few, since every point has to be computed."""
    if claim.sums and claim.comparison.sign == "==":
        found = (claim.fails(point) for point in islice(corners(claim), FEW))
        return next((f for f in found if f is not None), None)
    return failing(claim, draws=600)[0]


def _attempt(claim: Asked | Near, budget: Budget, effort: float) -> Proved | Expanded | str:
    """A proof of one comparison, unless a point shows that it is false."""
    seconds = budget.left * min(1.0, OF_TIME * effort)
    try:
        with within(seconds if isinstance(claim, Near) else budget.left):
            if isinstance(claim, Near):
                return near_end(claim)
            found = _seen_to_fail(claim)
    except Late:
        return "leading terms: out of time" if isinstance(claim, Near) else "points: out of time"
    if found is not None:
        return Fails(f"what it rests on fails at {', '.join(f'{n} = {v}' for n, v in found.point.items())}")
    budget.work += round(OF_A_PROOF * effort)
    shown = proved(claim, budget.share * effort, seconds)
    if isinstance(shown, str) and not claim.ranges:  # numbers, some of which only leading terms know
        constant = _attempt(Near(claim.comparison, "_", INFINITY, 0, {}), budget, effort)
        shown = shown if isinstance(constant, str) else constant
    budget.fruitless += round(OF_A_PROOF * effort) if isinstance(shown, str) else 0
    return shown
