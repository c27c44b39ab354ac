"""One registered claim in the arena: its false variants before provers that do not search, its true ones before all.

A false variant counts when it certainly fails at a known point of its domain. Its proving steps, and two general
provers, then run with every search for counterexamples off (``Check.searches``): a verdict 'proved' is an unsoundness
of the provers themselves. What stays is what a proof demands: that the relation has a value at the points formulas like
to divide by, that an enumeration evaluates the points it covers, that the coverage is computed.

A true variant is a claim that comes out proved as printed, or one that follows from it; a verdict 'refuted' of it is an
error too, of the searches or of the proof.
"""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any

from banditproof.claims.arena.points import UNANSWERED, Point, completed, drawn_points, failing_point, stored_points
from banditproof.claims.arena.trials import Trial, altered, as_printed, weakened
from banditproof.claims.check import Check
from banditproof.claims.register import Claim
from banditproof.claims.run.examine import run_check
from banditproof.claims.run.record import Settings
from banditproof.claims.seeds import derived_seed
from banditproof.claims.verdict import decide
from banditproof.verify.proof.compare import Relation, evaluate
from banditproof.verify.proof.domain import draw_point
from banditproof.verify.proof.evidence import Counterexample, to_data
from banditproof.verify.proof.watching import rounding_at
from banditproof.verify.stopwatch import can_be_left

BOXES = 300
STEPS = 60  # rules tried for one goal of a tree that is looked for
Prover = Callable[[Check, Relation], bool]
Gathered = tuple[Check, bool]  # a check with its evidence, and whether a prover was stopped
GENERAL: tuple[Prover, ...] = (
    lambda check, relation: check.deduction(relation, STEPS),
    lambda check, relation: check.interval(relation, boxes=BOXES),
)
"""What proves a statement of which nobody has said how; each counts its work, so that a verdict depends on no clock."""
PROVING = (None, "deduction", "interval", "enumeration")  # methods of the steps whose evidence can prove


@dataclass(frozen=True)
class Rules:
    """What an arena depends on besides the claims.

    Attributes:
        seed: variants and points are drawn from it.
        false: how many false variants of a claim are tried at most.
        true: how many weaker variants of a proved claim are tried at most.
        seconds: of the processor, after which a prover is stopped, and the search for false variants of one claim;
            what has not been shown by then is not shown. What other provers show of the same variant counts.
    """

    seed: int = 0
    false: int = 3
    true: int = 1
    seconds: float = 10.0


@dataclass(frozen=True)
class Outcome:
    """What came out for one variant: its name, whether it is true, the verdict, and how that is known."""

    name: str
    kind: str
    true: bool
    verdict: str
    reach: str
    point: str
    stopped: bool
    seconds: float
    program: bool = False  # that it is false is known by the route that its provers take

    @property
    def offends(self) -> bool:
        """A false claim proved, or a true one refuted."""
        return self.verdict == ("refuted" if self.true else "proved")


@dataclass(frozen=True)
class Contest:
    """The outcomes of one claim's variants, and why there is no false one, or ''."""

    claim_id: str
    outcomes: tuple[Outcome, ...]
    unused: str


def contest(claim: Claim, rules: Rules, alteration: str = "") -> Contest:
    """Every variant of one claim with its outcome; of one alteration only where one is named."""
    import flint

    flint.ctx.prec = 128  # as every check has it
    draw = random.Random(derived_seed(rules.seed, claim.id))
    if claim.relation is None:
        false, late = list(_of_a_function(claim, rules)), False
    else:
        variants, late = _false_variants(claim, rules, draw, alteration)
        false = [_outcome(t, False, lambda t=t: _proved(claim, t, rules), str(to_data(point))) for t, point in variants]
    true = list(_true(claim, rules, draw, alteration)) if claim.relation is not None else []
    return Contest(claim.id, (*false, *true), "" if false else _unused(claim, late))


def _unused(claim: Claim, late: bool) -> str:
    """Why no variant of a claim is known to be false."""
    if claim.relation is None:
        return "a function collects its evidence, so no variant can be refuted"
    return "no point at which a variant fails was found" + (" in time" if late else "")


# -------------------------------------------------------------------------------------------------------------- false


def _false_variants(
    claim: Claim, rules: Rules, draw: random.Random, alteration: str
) -> tuple[list[tuple[Trial, Point]], bool]:
    """Certified false variants, near and far ones in random order after the claim as printed; whether time was up."""
    first, *others = altered(claim)
    draw.shuffle(others)
    wanted = [t for t in (first, *others) if alteration in ("", t.alteration)]
    variants: list[tuple[Trial, Point]] = []
    with stopped_after(rules.seconds) as late:
        for certified in _certified(claim, wanted, draw):
            variants.append(certified)
            if len(variants) == rules.false:
                break
    return variants, late[0]


def _certified(claim: Claim, trials: Sequence[Trial], draw: random.Random) -> Iterator[tuple[Trial, Point]]:
    """The variants that certainly fail at a point, with the point; what has refuted one is tried on the next first."""
    stored = stored_points(claim, _check(claim, as_printed(claim), searches=False), draw)
    rational = _ways(claim)
    drawn: dict[Any, list[Point]] = {}
    telling: list[Point] = []
    for trial in trials:
        if trial.domain not in drawn:
            drawn[trial.domain] = _points(trial, stored, draw)
        point = failing_point(trial, [*telling, *drawn[trial.domain]], rational)
        if point is not None:
            if point not in telling:
                telling.insert(0, point)
            yield trial, point


def _points(trial: Trial, stored: list[Point], draw: random.Random) -> list[Point]:
    """Where a variant is tried; nowhere if its constraints have no value on a wider set."""
    try:
        more = list(drawn_points(trial.domain, draw)) if _all_numbers(trial) or not stored else []
        return [*completed(trial.domain, stored, draw), *more]
    except UNANSWERED:
        return []


def _all_numbers(trial: Trial) -> bool:
    return all(hasattr(s, "ends") for s in trial.domain.sets.values())


def _ways(claim: Claim) -> tuple[bool, ...]:
    """In which numbers the claim's own steps evaluate it, those first."""
    own = [way for s in claim.steps if isinstance(way := getattr(s, "rational", None), bool)]
    return tuple(dict.fromkeys([*own, False, True]))


def _proved(claim: Claim, trial: Trial, rules: Rules) -> Gathered:
    """The evidence of all proving steps without a search, each by itself: one that raises shows nothing."""
    check = _check(claim, trial, searches=False)
    own = [s for s in claim.steps if s.method in PROVING]
    late = [_asked(prover, check, trial, rules)[1] for prover in (*own, *GENERAL)]
    return check, any(late)


def _asked(prover: Prover, check: Check, trial: Trial, rules: Rules) -> tuple[bool, bool]:
    """Let one prover add its evidence: whether to go on with a claim's next step, and whether it was stopped."""
    goes_on = True
    with stopped_after(rules.seconds) as late:
        try:
            goes_on = prover(check, trial.relation)
        except UNANSWERED as error:
            check.could_not("arena", f"{type(error).__name__}: {error}")
    return goes_on, late[0]


def _check(claim: Claim, trial: Trial, searches: bool) -> Check:
    """A check of a trial, under the id under which the claim's trees are stored."""
    own = claim.checked_as
    return Check(own, trial.domain, trial.constants, relation=trial.relation, searches=searches, box_limit=BOXES)


def _of_a_function(claim: Claim, rules: Rules) -> Iterator[Outcome]:
    """Claims of which a function gathers the evidence: false as printed or as a variant where it refutes them."""
    settings = Settings()
    variants = [("printed", claim), *((m.name, claim.varied(m)) for m in claim.mutations)]
    for said, variant in variants:
        started, check = time.perf_counter(), None
        with stopped_after(rules.seconds):
            check = run_check(variant, settings, partial(Check, box_limit=BOXES), printed=variant is claim)
        if check is None:
            continue
        verdict = decide(check.domain, check.evidence)
        certified = [e for e in check.evidence if isinstance(e, Counterexample) and _exactly(e)]
        if verdict.name == "refuted" and certified:
            alone = Check(claim.checked_as, check.domain, check.constants, searches=False, box_limit=BOXES)
            with stopped_after(rules.seconds) as late:
                assert variant.check is not None
                variant.check(alone)
            came = decide(alone.domain, alone.evidence)
            yield Outcome(
                f"{claim.id}@{said}",
                "function of the check",
                False,
                came.name,
                came.reach,
                str(to_data(certified[0].point)),
                late[0],
                time.perf_counter() - started,
                program=True,
            )


def _exactly(failure: Counterexample) -> bool:
    from banditproof.verify.proof.compare import relation_named

    return rounding_at(relation_named(failure.relation), failure.point, failure.constants, failure.rational) is None


# --------------------------------------------------------------------------------------------------------------- true


def _true(claim: Claim, rules: Rules, draw: random.Random, alteration: str) -> Iterator[Outcome]:
    """The claim itself where it comes out proved, and then what follows from it."""
    if claim.studies:
        return
    printed = as_printed(claim)
    first = _outcome(printed, True, lambda: _examined(claim, printed, rules), "")
    if first.verdict != "proved":
        return
    if alteration in ("", printed.alteration):
        yield first
    others = [t for t in weakened(claim) if alteration in ("", t.alteration) and _makes_sense(t, draw)]
    for trial in draw.sample(others, min(len(others), rules.true)):
        yield _outcome(trial, True, lambda t=trial: _examined(claim, t, rules), "")


def again(claim: Claim, keys: Mapping[str, str], rules: Rules) -> Contest:
    """The true variants of these alterations that still say what they said: the keys of their statements are given."""
    import flint

    flint.ctx.prec = 128
    trials = [t for t in (as_printed(claim), *weakened(claim)) if t.alteration in keys]
    same = [t for t in trials if t.statement is not None and t.statement.key == keys[t.alteration]]
    outcomes = [_outcome(t, True, lambda t=t: _examined(claim, t, rules), "") for t in same]
    return Contest(claim.id, tuple(outcomes), "")


def _makes_sense(trial: Trial, draw: random.Random) -> bool:
    """Whether the domain has a point, at which the changed relation has sides."""
    if not _all_numbers(trial):
        return trial.kind != "subdomain"
    point = draw_point(trial.domain, draw)
    try:
        return point is not None and bool(evaluate(trial.relation, point, trial.constants))
    except UNANSWERED:
        return False


def _examined(claim: Claim, trial: Trial, rules: Rules) -> Gathered:
    """The evidence of the claim's proving steps with searches, in order, and of the general provers if they fail."""
    check, late = _check(claim, trial, searches=True), []
    for step in claim.steps:
        if step.method in PROVING:
            goes_on, stopped = _asked(step, check, trial, rules)
            late.append(stopped)
            if not goes_on:
                break
    decided = decide(check.domain, check.evidence).name == "proved" or check.refuted or trial.alteration == "printed"
    if not decided:
        late += [_asked(prover, check, trial, rules)[1] for prover in GENERAL]
    return check, any(late)


# ---------------------------------------------------------------------------------------------------------- one prover


def _outcome(trial: Trial, true: bool, gather: Callable[[], Gathered], point: str) -> Outcome:
    started = time.perf_counter()
    check, late = gather()
    came = decide(trial.domain, check.evidence)
    return Outcome(
        trial.name,
        trial.kind,
        true,
        came.name,
        came.reach,
        point,
        late,
        round(time.perf_counter() - started, 3),
        program=not true and trial.statement is None,
    )


class _Stopped(BaseException):
    """Not an Exception: no prover may take it for an answer."""


@contextmanager
def stopped_after(seconds: float) -> Iterator[Sequence[bool]]:
    """Leave the block after so much time of this process; the first entry of what it gives then is True.

    Time that other processes take does not count, so that a busy machine stops no more provers than an idle one.
    Outside the main thread, and on systems without this signal, nothing is stopped.
    """
    late = [False]
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield late
        return

    def stop(number: int, frame: FrameType | None) -> None:
        if can_be_left(frame, block):
            raise _Stopped
        signal.setitimer(signal.ITIMER_PROF, 0.05)

    block = sys._getframe(2)  # the caller of what contextmanager made
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield late
    except _Stopped:
        late[0] = True
        _forget()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _forget() -> None:
    """Drop what SymPy has cached: it may have been stopped while it noted an assumption."""
    from sympy.core.cache import clear_cache

    clear_cache()
