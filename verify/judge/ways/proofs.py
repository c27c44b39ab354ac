"""Proving one comparison: by rules, by boxes, or by its value where nothing is left to vary.

Nothing here is trusted: a tree is replayed, a box certified, a value enclosed by the code that checks claims.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from types import FrameType
from typing import Any

from banditproof.verify.judge.formulas.formula import NoStatement
from banditproof.verify.judge.found import Proved
from banditproof.verify.judge.ways.goals import statement_of
from banditproof.verify.judge.ways.points import Asked
from banditproof.verify.proof.statement import Statement
from banditproof.verify.stopwatch import can_be_left

RULES, BOXES = 600, 4000  # for the usual amount of work
FEW_OF_ALL = 0.05  # of the boxes, before rules are asked
MOST_ON_BOXES = 3  # variables
SHORTEST = 0.05  # seconds that a block gets
LONGEST = 300.0  # seconds of a proof or of a receipt, where no cap is given: far more than it takes


class Late(Exception):
    """The time is over."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """The block, or Late: provers count steps, and a step of somebody else's library may not end.

    Only the main thread can be interrupted; elsewhere the block takes what it takes. A block within another one takes
    no more than is left of that.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_: int, frame: FrameType | None) -> None:
        if can_be_left(frame, block):
            raise Late
        signal.setitimer(signal.ITIMER_REAL, SHORTEST)

    block = sys._getframe(2)  # the caller of what contextmanager made
    begun, (around, _) = time.perf_counter(), signal.getitimer(signal.ITIMER_REAL)
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(SHORTEST, min(seconds, around or seconds)))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if around:
            signal.setitimer(signal.ITIMER_REAL, max(SHORTEST, around - (time.perf_counter() - begun)))


def proved(asked: Asked, share: float, seconds: float) -> Proved | str:
    """A proof, or why there is none. `share` is how much of the usual work may be done."""
    try:
        statement = statement_of(asked)
    except NoStatement as why:
        return str(why)
    if not asked.ranges:
        found = _by_value(statement)
        return found if isinstance(found, Proved) else _by_rules(statement, share, seconds)
    reasons = []
    few = share * FEW_OF_ALL if _is_one_piece(asked) else 0.0
    ways = (_by_boxes, few), (_by_rules, share), (_by_boxes, share)
    for way, part in ways if few else ways[1:]:
        found = way(statement, part, seconds)
        if isinstance(found, Proved):
            return found
        reasons.append(found)
    return "; ".join(reasons)


def _is_one_piece(asked: Asked) -> bool:
    """Whether one number moves between two others, where a few boxes are often enough."""
    ((x, r), *others) = asked.ranges.items()
    low, high = asked.ends[x]
    return not others and not r.integer and not (r.low_open or r.high_open) and isfinite(low) and isfinite(high)


def _by_value(statement: Statement) -> Proved | str:
    from banditproof.verify.proof.enumeration import enumerated

    try:
        proof = enumerated(statement, [{}], statement.domain)
    except (ArithmeticError, TypeError, ValueError) as why:
        return f"values: {str(why)[:160]}"
    return Proved(statement, proof=proof) if _is_complete(proof) else "values: both sides are too close"


def _is_complete(proof: Any) -> bool:
    from banditproof.verify.proof.evidence import Enumeration

    return isinstance(proof, Enumeration) and getattr(proof, "complete", False)


def _by_rules(statement: Statement, share: float, seconds: float) -> Proved | str:
    from banditproof.theory.errors import InvalidInput
    from banditproof.theory.numbers.term import NoTerm
    from banditproof.verify.proof.deduce import Stuck, search
    from banditproof.verify.proof.deduction import deduced, unfit
    from banditproof.verify.proof.evidence import Deduction

    try:
        with within(seconds * 0.75):
            tree = search(statement, max(10, round(RULES * min(share, 1.0))))
            proof = deduced(statement, tree)
    except Late:
        return "rules: out of time"
    except (Stuck, NoTerm, InvalidInput, *unfit()) as why:
        return f"rules: {str(why)[:160]}"
    return Proved(statement, tree=tree, proof=proof) if isinstance(proof, Deduction) else f"rules: {str(proof)[:160]}"


def _by_boxes(statement: Statement, share: float, seconds: float) -> Proved | str:
    from banditproof.theory.errors import InvalidInput
    from banditproof.theory.numbers.term import NoTerm
    from banditproof.verify.proof.deduction import unfit
    from banditproof.verify.proof.evidence import IntervalProof
    from banditproof.verify.proof.prover import prove
    from banditproof.verify.proof.substitution import bounded

    if any(getattr(values, "integer", False) for _, values in statement.domain.variables):
        return "boxes: counts are not cut"
    if len(statement.domain.variables) > MOST_ON_BOXES:
        return "boxes: too many variables"
    try:
        with within(seconds * 0.25):
            boxes = max(10, round(BOXES * share))
            found = prove(statement, substitutions=bounded(statement.domain) or None, boxes=boxes, searches=False)
    except Late:
        return "boxes: out of time"
    except (NoTerm, InvalidInput, *unfit()) as why:
        return f"boxes: {str(why)[:120]}"
    if isinstance(found, IntervalProof) and "U" not in found.tree:
        return Proved(statement, proof=found)
    return "boxes: some are left undecided"
