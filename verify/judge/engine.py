"""The engine: settles a reading. Points come first, since they settle nine of ten false statements in an instant; then
proofs; then, of what is refuted, what is true instead.

The budget is counted in work and not in time, so that the same statement has the same verdict on every machine.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf

from banditproof.verify.judge.answer import Answer
from banditproof.verify.judge.formulas.certain import literally
from banditproof.verify.judge.formulas.formula import parts, rational
from banditproof.verify.judge.formulas.sentence import All, Compare, Exists, Expression, Private, Range, Reading
from banditproof.verify.judge.found import Bracket, Expanded, Failure, Proved, Repair
from banditproof.verify.judge.showing import OF_A_PROOF, Budget, first_shown
from banditproof.verify.judge.ways.goals import FIRST, Plan, Way, ways_of
from banditproof.verify.judge.ways.pieces import ZERO_LOG, by_zero_logs, without_zero_logs
from banditproof.verify.judge.ways.points import (
    Asked,
    Failing,
    Point,
    corners,
    ends_of,
    failing,
    failing_inside,
    may_hold,
    seems_true,
    share_that_fails,
)
from banditproof.verify.judge.ways.proofs import Late, within
from banditproof.verify.proof.domain import EMPTY

USUAL = 20_000  # work
OF_A_POINT = 1  # work
LOOKING = 20.0  # seconds at most for points, of which all but sums of sums take a hundredth
OF_FAR = 0.2  # of the time that is left, for expansions in several orders
OF_A_REPAIR, OF_A_RANGE = 0.05, 0.1  # shares of the work for another constant, and for a smaller range
ATTEMPTS, OF_RANGES, MOST_REPAIRS = 3, 1, 2  # that prove nothing: of a constant, of ranges, without edges
USUAL_SIZE = 20  # parts of a comparison; a step takes the longer, the more there are

EQUALITY = "equality is allowed"
SAYS_NOTHING = f"the assumptions hold nowhere: {EMPTY}, so nothing is claimed"
OF_AN_EDGE = 100  # simple points at which 0 log 0 is looked for
SOME, NEAREST = 0.04, 40  # share of places that fail; steps of an eighth towards an end


def judge(reading: Reading, work: int = USUAL, seconds: float | None = None, constant: bool = False) -> Answer:
    """The verdict on a reading, with its evidence; with `constant` also the best value of its constant."""
    begun = time.perf_counter()
    budget = Budget(work / USUAL, None if seconds is None else begun + seconds)
    answer = _settled(reading, budget)
    if constant:
        from banditproof.verify.judge.constants import bracket

        found = answer.bracket or bracket(reading, budget, answer.facts)
        none = "" if found else "it has no constant whose best value could be found"
        answer = replace(answer, bracket=found, why="; ".join(filter(None, (answer.why, none))))
    return replace(answer, reading=reading, work=budget.work, seconds=time.perf_counter() - begun)


def _settled(reading: Reading, budget: Budget, repairs: bool = True) -> Answer:
    """The answer; `repairs`: whether a sentence that fails is looked at on smaller ranges."""
    from banditproof.verify.judge.expansions import by_leading_terms
    from banditproof.verify.judge.ways.kinds import plan_of

    if "cases(" in reading.said and not isinstance(reading.sentence, Compare | All):
        return Answer("open", why="cases are told apart in comparisons alone")
    try:
        with within(budget.left):
            from_leading = by_leading_terms(reading)
            asked_which = isinstance(reading.sentence, Exists)  # a first count, of which leading terms tell that it is
            if from_leading is not None and not (asked_which and from_leading.verdict == "proved"):
                return from_leading
            made = plan_of(reading, budget)
    except Late:
        return Answer("open", why="the time was over before it was known what to show")
    closest: tuple[float, Point] | None = None
    for asked in made.implied:
        found, near = _looked_at(asked, budget)
        budget.work += OF_A_POINT
        if found is not None:
            of_itself = asked.comparison == reading.sentence and asked.ranges == reading.ranges
            if repairs and not of_itself and (at_edge := _only_at_ends(reading, asked, found, budget)) is not None:
                return at_edge
            return _refuted(reading, asked, found, made, budget, repairs)
        if near is not None and (closest is None or near[0] < closest[0]):
            closest = near
        if (answer := _tied(reading, asked, near, made, budget, repairs)) is not None:
            return answer
    for asked in made.implied:
        if asked.printed and (far := _far_away(asked, reading, budget)) is not None:
            return replace(far, facts=made.facts)
    if made.against:
        shown_false, _ = first_shown((way for way, _ in made.against), budget)
        if shown_false is not None:
            against, evidence = shown_false
            failure = next(failure for way, failure in made.against if way.claims == against.claims)
            return Answer("refuted", why=against.because, failure=failure, evidence=evidence, facts=made.facts)
    if made.why_not:
        return Answer("open", why=made.why_not, closest=closest)
    way, reasons = first_shown(_inside_of_zero_logs(reading, made), budget)
    if way is None:
        way, reasons = first_shown(made.ways, budget)
    if way is None and from_leading is not None:  # that there is a first count, but not which
        return from_leading
    if way is None:
        of_all = [r for r in reasons if EMPTY in r and r.startswith(("boxes: ", "rules: "))]  # and not of a part
        why = SAYS_NOTHING if of_all else "no proof and no counterexample was found"
        return Answer("open", why=why, closest=closest, tried=tuple(reasons))
    shown, evidence = way
    if all(isinstance(e, Proved) and e.tree is None and "P" not in getattr(e.proof, "tree", "P") for e in evidence):
        return Answer("open", why=SAYS_NOTHING)
    facts = tuple(dict.fromkeys((*made.facts, *shown.facts)))
    verdict = "proved from named facts" if facts else "proved"
    if ZERO_LOG in facts and not reading.zero_log and (edge := _at_zero_logs(reading, evidence)) is not None:
        return edge
    return Answer(verdict, why=_how(evidence), evidence=evidence, implied_by=shown.because, facts=facts)


def _at_zero_logs(reading: Reading, evidence: tuple[Proved | Expanded, ...]) -> Answer | None:
    """The answer where the text does not say that 0 log 0 is 0: there is no value at such an end of the range."""
    if not isinstance(reading.sentence, Compare):
        return None
    asked = Asked(reading.sentence, dict(reading.ranges), reading.conditions)
    with literally():
        found = next(filter(None, map(asked.fails, itertools.islice(corners(asked), OF_AN_EDGE))), None)
    if found is None:
        return None
    failure = Failure(asked.comparison, found.point, found.kind, found.sides, asked.ranges, asked.conditions, True)
    inner, *_ = by_zero_logs(asked)
    repair = _repair(inner, asked, evidence) if inner != asked else None
    where = ", ".join(f"{n} = {v}" for n, v in found.point.items())
    why = f"it has no value at {where}, unless 0 log 0 counts as 0 (write 'with 0 log 0 = 0'); {ELSE_PROVED}"
    return Answer("refuted at an edge", why=why, failure=failure, repair=repair)


def _inside_of_zero_logs(reading: Reading, made: Plan) -> Iterator[Way]:
    """The ways of the inner part of ranges at whose ends the only trouble is 0 log 0, and what those ends need."""
    if not made.implied or list(made.implied[0].ranges) != list(reading.ranges):
        return  # the place of an infimum is one more
    asked, *others = made.implied
    if any(other.printed for other in others):
        return
    inner: Asked | None
    if len(asked.ranges) == 1:
        inner, ends, why = without_zero_logs(asked), (), "the ends follow by continuity"
    else:
        (inner, *ends), why = by_zero_logs(asked), "at the ends, with 0 for 0 log 0, and between them"
    if inner is None or inner == asked:
        return
    for way in itertools.chain((Way((inner,), effort=FIRST),), ways_of(inner)):
        because = "; ".join(filter(None, (why, way.because)))
        yield replace(way, claims=(*way.claims, *ends), because=because, facts=(ZERO_LOG, *way.facts))


def _looked_at(asked: Asked, budget: Budget) -> tuple[Failing | None, tuple[float, Point] | None]:
    """What points show, as long as there is time: sums of sums take long at each of them."""
    try:
        with within(min(budget.left, LOOKING)):
            return failing(asked)
    except Late:
        return None, None


def _far_away(asked: Asked, reading: Reading, budget: Budget) -> Answer | None:
    from banditproof.verify.judge.expansions import fails_near_an_end

    try:
        with within(min(budget.left * OF_FAR, LOOKING)):
            return fails_near_an_end(asked, reading)
    except Late:
        return None


def _tied(
    reading: Reading, asked: Asked, near: tuple[float, Point] | None, made: Plan, budget: Budget, repairs: bool
) -> Answer | None:
    """The answer where a strict comparison fails because both sides are equal at a place that is no matter of balls."""
    from banditproof.verify.judge.formulas.printing import plain
    from banditproof.verify.judge.ways.ties import tied

    found = tied(asked, near, budget.share, budget.left)
    if found is None:
        return None
    place, evidence = found
    where = ", ".join(f"{n} = {plain(e)}" for n, e in place.items())
    equal = f"both sides are equal{where and f' at {where}'}"
    point = {n: e.args[0] for n, e in place.items() if e.head == "num"}
    sides = ("equal to the right side", f"the same{where and f', at {where}'}")
    if len(point) == len(place):
        answer = _refuted(reading, asked, Failing(point, "false", sides, True), made, budget, repairs)
    else:
        failure = Failure(asked.comparison, {}, "false", sides, asked.ranges, asked.conditions)
        answer = Answer("refuted at an edge", why=equal, failure=failure, facts=made.facts)
    return replace(answer, evidence=tuple(evidence), implied_by=equal)


def _how(evidence: tuple[Proved | Expanded, ...]) -> str:
    from banditproof.verify.judge.telling import how

    ways = list(dict.fromkeys(how(p) for p in evidence))
    return " and ".join(ways)


# ------------------------------------------------------------------------------------------------------- refuted


ELSE_PROVED = "it is proved on a smaller range"


def _refuted(reading: Reading, asked: Asked, found: Failing, made: Plan, budget: Budget, repairs: bool) -> Answer:
    """Refuted, or only at an edge: at an end, or at single values inside, and nowhere else that one sees."""
    failure = Failure(
        asked.comparison, found.point, found.kind, found.sides, asked.ranges, asked.conditions, solved=asked.solved
    )
    why = "it has no value" if found.kind == "no value" else "it fails"
    of_itself = asked.comparison == reading.sentence and asked.ranges == reading.ranges  # else of what it implies
    without = _only_at_edges(asked, found, budget) if of_itself else []
    if not without:
        repair, bracket = _other_constant(asked, budget) if of_itself and found.kind == "false" else (None, None)
        if repair is not None:
            why += "; it is true with another constant"
        elif of_itself and (repair := _with_equality(asked, found, budget)) is not None:
            why += "; it is true with equality"
        elif of_itself and (repair := _assumption(asked, budget)) is not None:
            why += "; it is true on a smaller range"
        elif repairs and not of_itself and (repair := _promised(reading, asked, budget)) is not None:
            why += "; it is true on a smaller range"
        return Answer("refuted", why=why, failure=failure, repair=repair, bracket=bracket, facts=made.facts)
    repair = _first_repair(without, asked, budget)
    where = ", ".join(f"{n} = {v}" for n, v in found.point.items())
    if repair is None and without[0] == _weak(asked):
        beyond = "where both sides are equal, and it was not seen to fail otherwise"
    elif repair is None:
        beyond = "and no other place was found"
    elif repair.changed == EQUALITY:
        beyond = "where both sides are equal, and it is proved with equality"
    else:
        beyond = f"and {ELSE_PROVED}"
    why = f"{why}{where and f' at {where}'}, {beyond}"
    return Answer("refuted at an edge", why=why, failure=failure, repair=repair, facts=made.facts)


def _only_at_ends(reading: Reading, asked: Asked, found: Failing, budget: Budget) -> Answer | None:
    """The answer where a sentence that is no comparison fails at ends of its ranges, and is proved without them."""
    if budget.over or not (ends := _open_ends(reading.ranges, found)):
        return None
    inner = replace(reading, ranges={**reading.ranges, **ends})
    little = Budget(budget.share, budget.stop, most=OF_A_PROOF)
    repair, facts = _sentence_repaired(inner, f"the range of {', '.join(ends)}", little)
    budget.work += little.work
    if repair is None:
        return None
    where = ", ".join(f"{n} = {found.point[n]}" for n in ends)
    why = f"{'it has no value' if found.kind == 'no value' else 'it fails'} at {where}, and {ELSE_PROVED}"
    failure = Failure(asked.comparison, found.point, found.kind, found.sides, asked.ranges, asked.conditions)
    return Answer("refuted at an edge", why=why, failure=failure, repair=repair, facts=facts)


def _sentence_repaired(inner: Reading, changed: str, budget: Budget) -> tuple[Repair | None, tuple[str, ...]]:
    """A sentence on smaller ranges, where it is proved, and the facts that this rests on."""
    from banditproof.verify.judge.formulas.printing import latex, said

    rest = _settled(inner, budget, repairs=False)
    if not rest.verdict.startswith("proved"):
        return None, ()
    text, tex = said(inner.sentence, inner.ranges, inner.conditions), latex(inner.sentence, inner.ranges)
    return Repair(text, tex, changed, rest.evidence), rest.facts


def _first_repair(rests: list[Asked], asked: Asked, budget: Budget) -> Repair | None:
    """The first of some smaller comparisons that is proved."""
    little = Budget(budget.share, budget.stop, most=MOST_REPAIRS * OF_A_PROOF)
    for rest in rests:
        shown, _ = first_shown((Way((rest,)),), little)
        if shown is not None:
            return _repair(rest, asked, shown[1])
    return None


def _with_equality(asked: Asked, found: Failing, budget: Budget) -> Repair | None:
    """The comparison with equality allowed, where both sides are equal on more than single values."""
    if not found.tied or asked.comparison.sign not in ("<", ">"):
        return None
    weak = _weak(asked)
    return _first_repair([weak], asked, budget) if seems_true(weak) else None


def _only_at_edges(asked: Asked, found: Failing, budget: Budget) -> list[Asked]:
    """What is left of the comparison without the edges at which it fails, where no point refutes that too."""
    try:
        with within(min(budget.left, LOOKING)):
            if _ties_widely(asked):
                return []
            without = [r for r in _without_edges(asked, found) if failing(r)[0] is None and not _beside(r, found)]
            return without if without and failing_inside(without[0])[0] is None else []
    except Late:
        return []


def _ties_widely(asked: Asked) -> bool:
    """Whether both sides of a strict comparison are equal at many places, and not at single ones."""
    return asked.comparison.sign in ("<", ">") and share_that_fails(asked) > SOME


def _beside(rest: Asked, found: Failing) -> bool:
    """Whether a comparison without some ends, or with equality, fails next to where it failed before."""
    for name, r in rest.ranges.items():
        low, high = rest.ends[name]
        value = found.point.get(name)
        if value is None or r.integer:
            continue
        width = Fraction(high - low) if high - low < inf else Fraction(1)
        for step in (sign * width / 8**k for k in range(1, NEAREST) for sign in (1, -1)):
            if rest.fails({**found.point, name: value + step}) is not None:
                return True
    return False


def _weak(asked: Asked) -> Asked:
    """The comparison with equality allowed."""
    return replace(asked, comparison=replace(asked.comparison, sign=f"{asked.comparison.sign}="))


def _open_ends(ranges: Mapping[str, Range], found: Failing) -> dict[str, Range]:
    """The ranges at whose ends something fails, without these ends."""
    changed: dict[str, Range] = {}
    for name, value in found.point.items():
        r = ranges.get(name)
        if r is None:
            continue
        for end, closed, inwards in (("low", not r.low_open, 1), ("high", not r.high_open, -1)):
            if closed and rational(getattr(r, end)) == value and name not in changed:
                beyond = {end: Expression("num", (value + inwards,))} if r.integer else {f"{end}_open": True}
                changed[name] = replace(r, **beyond)
    return changed


def _without_edges(asked: Asked, found: Failing) -> Iterator[Asked]:
    """The comparison without the ends at which it fails, one variable or all; or with equality allowed."""
    open_ends = _open_ends(asked.ranges, found)
    for name, changed in open_ends.items():
        yield replace(asked, ranges={**asked.ranges, name: changed})
    if len(open_ends) > 1:
        yield replace(asked, ranges={**asked.ranges, **open_ends})
    both = {name: _inner(r) for name, r in asked.ranges.items()}
    if open_ends and both != asked.ranges:
        yield replace(asked, ranges=both)
    if found.tied and asked.comparison.sign in ("<", ">"):
        yield _weak(asked)


def _inner(r: Range) -> Range:
    """A real range without its ends; a range of counts stays."""
    return r if r.integer else replace(r, low_open=True, high_open=True)


def _repair(rest: Asked, asked: Asked, evidence: tuple[Proved | Expanded, ...]) -> Repair:
    from banditproof.verify.judge.formulas.printing import latex, said

    changed = [n for n, r in rest.ranges.items() if r != asked.ranges.get(n)]
    what = f"the range of {', '.join(changed)}" if changed else EQUALITY
    text, tex = said(rest.comparison, rest.ranges, rest.conditions), latex(rest.comparison, rest.ranges)
    return Repair(text, tex, what, evidence)


def _share(asked: Asked, share: float) -> float:
    """A share of the usual work, less where each step takes long."""
    size = sum(1 for side in (asked.comparison.left, asked.comparison.right) for _ in parts(side))
    return share * min(1.0, (USUAL_SIZE / size) ** 2)


def _other_constant(asked: Asked, budget: Budget) -> tuple[Repair | None, Bracket | None]:
    """The comparison with another number in place of a printed one, proved within a few seconds, and what is best."""
    from banditproof.verify.judge.constants import corrected

    found = corrected(asked, Budget(_share(asked, OF_A_REPAIR), budget.stop, most=ATTEMPTS * OF_A_PROOF))
    bracket, instead = found or (None, None)
    if instead is None:
        return None, bracket
    claim, changed, evidence = instead
    return replace(_repair(claim, asked, evidence), changed=changed), bracket


CUTS = tuple(map(Fraction, "0 1/10 1/4 1/3 1/2 1 2 3 10 100".split()))


def _assumption(asked: Asked, budget: Budget) -> Repair | None:
    """A simple bound on one variable under which the comparison holds and is proved."""
    if len(asked.ranges) > 3 or budget.over:
        return None
    little = Budget(_share(asked, OF_A_RANGE), budget.stop, most=OF_RANGES * OF_A_PROOF)
    for name, cut in _cuts(asked.ranges):
        rest = replace(asked, ranges={**asked.ranges, name: cut})
        if not may_hold(rest):
            continue
        shown, _ = first_shown((Way((rest,)),), little)
        if shown is not None:
            return replace(_repair(rest, asked, shown[1]), changed=f"the range of {name}, which may be larger")
        if little.over:
            return None
    return None


def _promised(reading: Reading, asked: Asked, budget: Budget) -> Repair | None:
    """A simple bound on one variable under which a mechanism keeps its promise, of which this comparison was asked."""
    if not isinstance(reading.sentence, Private) or len(reading.ranges) > 3:
        return None
    little = Budget(_share(asked, OF_A_RANGE), budget.stop, most=OF_RANGES * OF_A_PROOF)
    repair = None
    for name, cut in _cuts(reading.ranges):
        inner = replace(reading, ranges={**reading.ranges, name: cut})
        repair, _ = _sentence_repaired(inner, f"the range of {name}, which may be larger", little)
        if repair is not None or little.over or budget.over:
            break
    budget.work += little.work
    return repair


def _cuts(ranges: Mapping[str, Range]) -> Iterator[tuple[str, Range]]:
    """Each range of real numbers cut at simple numbers inside of it, above and then below; the largest are first."""
    for name, r in ranges.items():
        low, high = ends_of(r)
        inside = [c for c in CUTS if not r.integer and low < c < high]
        for side, cuts in (("high", inside[::-1]), ("low", inside)):
            for cut in cuts:
                yield name, replace(r, **{side: Expression("num", (cut,)), f"{side}_open": False})
