"""From a sentence to comparisons: what it implies, which points may refute, and what together implies it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from keyword import iskeyword
from typing import Any

from banditproof.verify.judge.formulas.formula import domain_of, term
from banditproof.verify.judge.formulas.formula import fresh as unused
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.formulas.printing import plain_sentence
from banditproof.verify.judge.found import Failure
from banditproof.verify.judge.ways.equations import by_contrapositive, on_solutions
from banditproof.verify.judge.ways.pieces import ZERO_LOG, is_continuous, without_zero_logs
from banditproof.verify.judge.ways.points import FLIPPED, Asked, corners, has_value, seems_true, speaks_of
from banditproof.verify.proof.statement import Statement

OF_A_PIECE = 0.2  # of the work, for a piece of a range or the sign of a derivative
MOST_OF_WORST = 8  # ways, at each of two places
MOST_OF_LOGARITHMS = 2  # ways
MOST_OF_A_PART = 3  # ways, where those of several parts are joined before they are tried
FIRST = 0.05  # of the work, for a comparison as a whole before its parts are tried


@dataclass(frozen=True)
class Way:
    """Comparisons that together imply a sentence, and why."""

    claims: tuple[Any, ...]  # Asked, or Near an end
    because: str = ""
    facts: tuple[str, ...] = ()
    effort: float = 1.0  # the part of the usual work that it gets


@dataclass(frozen=True)
class Later:
    """Ways that are looked for when they are asked for: most false statements fall before."""

    made: Callable[[], Iterator[Way]]

    def __iter__(self) -> Iterator[Way]:
        return self.made()


@dataclass(frozen=True)
class Each:
    """Ways to show a sentence in parts: one of every part is needed."""

    parts: tuple[Iterable[Way], ...]

    def __iter__(self) -> Iterator[Way]:
        yield from map(all_of, itertools.product(*(itertools.islice(p, MOST_OF_A_PART) for p in self.parts)))


def all_of(ways: Sequence[Way]) -> Way:
    """Several ways as one, of what they show together."""
    because = "; ".join(filter(None, (w.because for w in ways)))
    return Way(tuple(c for w in ways for c in w.claims), because, tuple(f for w in ways for f in w.facts))


@dataclass(frozen=True)
class Plan:
    """What a sentence implies (a point at which that fails refutes it), ways to show it, and ways to refute it."""

    implied: tuple[Asked, ...] = ()
    ways: Iterable[Way] = ()
    why_not: str = ""  # why nothing is known of it
    against: tuple[tuple[Way, Failure], ...] = ()
    facts: tuple[str, ...] = field(default=())


def statement_of(asked: Asked) -> Statement:
    """The provers' statement. Raises NoStatement."""
    from banditproof.theory.numbers.term import var

    if not all(isinstance(c, Compare) for c in asked.conditions):
        raise NoStatement("a condition that is no comparison")
    asked = _nameable(asked)
    domain = domain_of(asked.ranges, asked.conditions)  # type: ignore[arg-type]
    values = {word: var(word) for word in asked.ranges}
    sides = (term(side, values) for side in (asked.comparison.left, asked.comparison.right))
    left, right = sides
    if asked.comparison.sign == "!=":
        raise NoStatement("no prover knows !=")
    return Statement(domain, left, asked.comparison.sign, right)


def _nameable(asked: Asked) -> Asked:
    """The same with names that a prover can have: not lambda, and none with a prime."""
    change: dict[str, str] = {}
    for word in asked.ranges:
        new = word.replace("'", "_p")
        while not new.isidentifier() or iskeyword(new) or (new != word and new in (*asked.ranges, *change.values())):
            new += "0"
        change[word] = new
    renamed = {word: name(new) for word, new in change.items() if word != new}
    if not renamed:
        return asked
    ranges = {change[word]: put(r, renamed) for word, r in asked.ranges.items()}
    comparison, conditions = put((asked.comparison, asked.conditions), renamed)
    return replace(asked, comparison=comparison, conditions=conditions, ranges=ranges)


def plan(reading: Reading) -> Plan:
    """What to show and what to look for of a sentence about numbers."""
    return _plan(reading.sentence, dict(reading.ranges), reading.conditions)


def _plan(sentence: Sentence, ranges: dict[str, Range], conditions: tuple[Sentence, ...]) -> Plan:
    if isinstance(sentence, Compare):
        return _comparison(sentence, ranges, conditions)
    if isinstance(sentence, All):
        if where := equality(sentence):
            first: Any = sentence.parts[0]
            strict, equal = (replace(first, sign=sign) for sign in (first.sign[0], "=="))
            elsewhere = (*conditions, replace(where, sign="!="))
            return _together([_plan(strict, ranges, elsewhere), _plan(equal, ranges, (*conditions, where))])
        return _together([_plan(part, ranges, conditions) for part in sentence.parts])
    if "cases(" in plain_sentence(sentence):
        return Plan(why_not="cases outside of a comparison")
    if isinstance(sentence, Iff):
        both = ((sentence.left, sentence.right), (sentence.right, sentence.left))
        return _together([_plan(then, ranges, (*conditions, when)) for when, then in both])
    if isinstance(sentence, Monotone):
        return _monotone(sentence, ranges, conditions)
    if isinstance(sentence, Curved):
        return _curved(sentence, ranges, conditions)
    return Plan(why_not=f"nothing is known yet of a sentence of the kind {type(sentence).__name__.lower()}")


def _together(plans: list[Plan]) -> Plan:
    """Every part holds: what any part implies, and a way of each part."""
    implied = tuple(a for p in plans for a in p.implied)
    if without := next((p.why_not for p in plans if p.why_not), ""):
        return Plan(implied, why_not=without)
    return Plan(implied, Each(tuple(p.ways for p in plans)))


# ------------------------------------------------------------------------------------------------ comparisons


def _case_by_case(sentence: Compare, ranges: dict[str, Range], conditions: tuple[Sentence, ...]) -> Plan | None:
    """The plan of a comparison with each branch of a case, where its condition holds; None without one."""
    sides = (sentence.left, sentence.right)
    branching = next((p for side in sides for p in outside(side) if p.head == "cases"), None)
    if branching is None:
        return None
    sign, left, right, *branches = branching.args
    plans = []
    for value, of, other in zip(branches, (sign, OPPOSITE[sign]), (OPPOSITE[sign], sign), strict=True):
        inner = Compare(replaced(sides[0], branching, value), sentence.sign, replaced(sides[1], branching, value))
        plan_here = _plan(inner, ranges, (*conditions, Compare(left, of, right)))
        never = Asked(Compare(left, other, right), ranges, conditions, printed=False)
        if seems_true(never):
            none = Way((never,), "one of the cases is none")
            plan_here = replace(plan_here, ways=Later(lambda p=plan_here, none=none: itertools.chain((none,), p.ways)))
        plans.append(plan_here)
    return _together(plans)


OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def _comparison(sentence: Compare, ranges: dict[str, Range], conditions: tuple[Sentence, ...]) -> Plan:
    if (of_cases := _case_by_case(sentence, ranges, conditions)) is not None:
        return of_cases
    if "cases(" in plain_sentence(All((sentence, *conditions))):
        return Plan(why_not="cases inside of a sum, an infimum or a condition")
    if any("diff(" in plain_sentence(condition) for condition in conditions):
        return Plan(why_not="a derivative inside of a condition")
    if any(has(side, "diff") for side in (sentence.left, sentence.right)):
        return _with_slopes(sentence, ranges, conditions)
    if (of_infimum := _by_definition(sentence, ranges, conditions)) is not None:
        return of_infimum
    for place, side in enumerate((sentence.left, sentence.right)):
        if side.head in ("inf", "sup"):
            of_each = _of_each(sentence)
            if len(of_each) > 1:
                return _together([_extremum(one, place, ranges, conditions) for one in of_each])
            return _extremum(sentence, place, ranges, conditions)
    asked = Asked(sentence, ranges, conditions)
    sides = (sentence.left, sentence.right)
    if any(has(side, "inf", "sup") for side in sides):
        return Plan((asked,), why_not="an infimum inside of a formula")
    if (found := _with_known_sums(asked)) is not None:
        return found
    if any(has(side, "W") for side in sides):
        return Plan((asked,), Later(partial(_without_lambert, asked)))
    return Plan((asked, *on_solutions(asked)), Later(partial(ways_of, asked)))


def defined(e: Expression, ranges: Mapping[str, Range], other: Expression) -> Expression:
    """The infimum that d_epsilon(x, y) is, over the letter of an infimum that it is compared with."""
    if e.head != "call" or e.args[0] != "d_eps":
        return e
    _, x, y, epsilon = e.args
    taken = names(e)
    named = other.head == "inf" and other.args[0] not in taken
    z = other.args[0] if named else unused("z", ranges, dict.fromkeys(taken | names(other)))
    far = binary("mul", epsilon, call("abs", binary("sub", x, name(z))))
    return Expression("inf", (z, Range(num(0), num(1)), binary("add", call("kl", name(z), y), far)))


def _by_definition(sentence: Compare, ranges: dict[str, Range], conditions: tuple[Sentence, ...]) -> Plan | None:
    """The plan of a comparison of d_epsilon(x, y) with the infimum that it is, for x in [0, 1] and y in (0, 1)."""
    sides = (sentence.left, sentence.right)
    place = next((k for k, side in enumerate(sides) if side.head == "call" and side.args[0] == "d_eps"), None)
    if place is None:
        return None
    _, x, y, epsilon = sides[place].args
    if len(of_each := _of_each(sentence)) > 1:
        return _together([_comparison(one, ranges, conditions) for one in of_each])
    other, infimum = sides[1 - place], defined(sides[place], ranges, sides[1 - place])
    bounds = (x, ">=", 0), (x, "<=", 1), (y, ">", 0), (y, "<", 1), (epsilon, ">=", 0)
    within = tuple(Asked(Compare(e, sign, num(n)), ranges, conditions, printed=False) for e, sign, n in bounds)
    because = "d_epsilon is an infimum by its definition"
    if infimum == other:
        return Plan(ways=(Way(within, because),)) if sentence.sign in ("==", "<=", ">=") else None
    left, right = (infimum, other)[:: 1 - 2 * place]
    found = _comparison(Compare(left, sentence.sign, right), ranges, conditions)
    asked = Asked(sentence, ranges, conditions)

    def ways() -> Iterator[Way]:
        for way in found.ways:
            yield replace(way, claims=(*within, *way.claims), because="; ".join(filter(None, (because, way.because))))
        yield from ways_of(asked)

    return Plan((asked,), Later(ways))


def _with_slopes(sentence: Compare, ranges: dict[str, Range], conditions: tuple[Sentence, ...]) -> Plan:
    """The plan of a comparison with derivatives worked out, where what is differentiated has a value."""
    inside: list[Expression] = []

    def worked_out(e: Expression) -> Expression:
        if e.head != "diff":
            return mapped(e, worked_out)
        inside.append(worked_out(e.args[0]))
        return slope(inside[-1], e.args[1])

    try:
        found = _comparison(
            Compare(worked_out(sentence.left), sentence.sign, worked_out(sentence.right)), ranges, conditions
        )
    except NoSlope as why:
        return Plan(why_not=f"{why} inside of a formula")
    valued = tuple(has_value(e, ranges, conditions) for e in inside)

    def ways() -> Iterator[Way]:
        for way in found.ways:
            because = "; ".join(filter(None, ("the derivatives are worked out", way.because)))
            yield replace(way, claims=(*valued, *way.claims), because=because)

    return replace(found, implied=tuple(replace(a, printed=False) for a in found.implied), ways=Later(ways))


def _of_each(sentence: Compare) -> list[Compare]:
    """A comparison with the smallest of numbers above it, or the largest below it, as one with each of them."""
    sides = (sentence.left, sentence.right)
    for place, function in ((0, "max"), (1, "min")) if sentence.sign in ("<=", "<") else ((0, "min"), (1, "max")):
        side = sides[place]
        if sentence.sign in FLIPPED and sentence.sign != "==" and side.head == "call" and side.args[0] == function:
            return [
                Compare(*((e, sentence.sign, sides[1]) if place == 0 else (sides[0], sentence.sign, e)))
                for e in side.args[1:]
            ]
    return [sentence]


def _with_known_sums(asked: Asked) -> Plan | None:
    """The plan of a comparison with series, or sums of binomials, that have a known value; None without one."""
    from banditproof.verify.judge.ways.known_sums import has_known_sum, series, with_known_sums

    sides = (asked.comparison.left, asked.comparison.right)
    if not any(has(side, "sum") and has_known_sum(side) for side in sides):
        return None
    try:
        left, right = (with_known_sums(side, asked.ranges) for side in sides)
    except NoStatement as why:
        from banditproof.verify.judge.ways.between import by_integral, by_rest_of_series
        from banditproof.verify.judge.ways.primitives import by_primitive

        against = tuple(itertools.islice(itertools.chain(_by_first_terms(asked), _series_at_points(asked)), 1))
        if found := (*by_rest_of_series(asked), *by_integral(asked), *by_primitive(asked)):
            return Plan((asked,), tuple(Way(*way) for way in found), against=against)
        return Plan((asked,), why_not=str(why), against=against) if any(any(series(side)) for side in sides) else None
    facts = tuple(dict.fromkeys((*left.facts, *right.facts)))
    where = tuple(dict.fromkeys((*left.where, *right.where)))
    if not facts:
        return None
    closed = replace(asked, comparison=Compare(left.formula, asked.comparison.sign, right.formula), printed=False)
    converge = tuple(replace(asked, comparison=c, ranges=asked.ranges if names(c.left) else {}) for c in where)

    def ways() -> Iterator[Way]:
        for way in ways_of(closed):
            yield Way((*converge, *way.claims), way.because or "every sum has a known value", (*facts, *way.facts))

    implied = replace(closed, conditions=(*asked.conditions, *where))
    return Plan((implied,), Later(ways), facts=facts)


FEW_POINTS, FIRST_TERMS = 12, 200


def _series_at_points(asked: Asked) -> Iterator[tuple[Way, Failure]]:
    """Simple points at which every series has a known value, and the comparison is false."""
    from banditproof.verify.judge.formulas.certain import holds
    from banditproof.verify.judge.ways.known_sums import with_known_sums

    c = asked.comparison
    for point in itertools.islice(corners(asked), FEW_POINTS if c.sign in OPPOSITE else 0):
        here = {n: num(value) for n, value in point.items()}
        try:
            left, right = (with_known_sums(put(side, here), {}) for side in (c.left, c.right))
        except NoStatement:
            continue
        false = Compare(left.formula, OPPOSITE[c.sign], right.formula)
        if asked.admits(point) and all(holds(w, {}) for w in (*left.where, *right.where, false)):
            because = "; ".join((*left.facts, *right.facts))
            sides = (said_of(left.formula), said_of(right.formula))
            yield Way((Asked(false, {}),), because), Failure(c, point, "false", sides, asked.ranges, asked.conditions)


def _by_first_terms(asked: Asked) -> Iterator[tuple[Way, Failure]]:
    """Simple points at which the first terms of a series are more than it should be, and the others are 0 or more."""
    from banditproof.verify.judge.formulas.certain import holds

    c = asked.comparison
    less, more = (c.left, c.right) if c.sign[0] == "<" else (c.right, c.left)
    if less.head != "sum" or less.args[2] != INFINITY or c.sign[0] not in "<>" or has(more, "sum"):
        return
    index, low, _, body = less.args
    for point in itertools.islice(corners(asked), FEW_POINTS):
        here = {n: num(value) for n, value in point.items()}
        first = rational(put(low, here))
        if not asked.admits(point) or not isinstance(first, Fraction):
            continue
        terms = Expression("sum", (index, num(first), num(first + FIRST_TERMS), put(body, here)))
        false = Compare(terms, OPPOSITE["<" + c.sign[1:]], put(more, here))
        rest = Range(num(first), INFINITY, high_open=True, integer=True)
        positive = Asked(Compare(put(body, here), ">=", num(0)), {index: rest}, printed=False)
        if holds(false, {}) and seems_true(positive):
            failure = Failure(c, point, "false", (f"at least {said_of(terms)}", said_of(put(more, here))), asked.ranges)
            yield Way((positive, Asked(false, {})), f"the first {FIRST_TERMS} terms are too much"), failure


def ways_of(asked: Asked) -> Iterator[Way]:
    """Ways to show a comparison, in the ranges that its conditions leave, and then without conditions not needed."""
    from banditproof.verify.judge.ways.from_conditions import within_conditions

    if (found := within_conditions(asked)) is not None:
        narrower, needed, because = found
        for way in _as_it_stands(narrower):
            yield replace(way, claims=(*needed, *way.claims), because="; ".join(filter(None, (because, way.because))))
    yield from _as_it_stands(asked)
    yield from _with_fewer_conditions(asked)


def _instead(simpler: Iterable[tuple[Asked, tuple[Asked, ...], str]]) -> Iterator[Way]:
    """The ways of other comparisons, each with what it needs and why it is enough."""
    for other, needed, because in simpler:
        for way in _as_it_stands(other):
            yield Way((*needed, *way.claims), "; ".join(filter(None, (because, way.because))), way.facts, way.effort)


def _as_it_stands(asked: Asked) -> Iterator[Way]:
    """From the diagonal; by a lemma; as it stands; a sum by its closed form or its tail; factorials by neighbours."""
    from banditproof.verify.judge.ways.logarithms import by_bounds_of_logarithms

    if any(has(side, "kl") for side in (asked.comparison.left, asked.comparison.right)):
        from banditproof.verify.judge.ways.forms import opened

        exact = (way for way in by_bounds_of_logarithms(asked) if way[0][0].comparison.sign == "==")
        yield from (Way(*found) for found in itertools.islice(exact, 1))
        yield from _from_the_diagonal(asked)
        if (found := opened(asked)) is not None:
            (claim, *asks), because = found
            for way in _from_the_diagonal(claim):
                yield Way((*way.claims, *asks), f"{because}; {way.because}")
    from banditproof.verify.judge.ways.between import (
        by_alternating_rest,
        by_next_count,
        by_residues_of_sum,
        by_two_counts,
        with_free_sums,
        with_still_summands,
    )
    from banditproof.verify.judge.ways.circular import by_circles
    from banditproof.verify.judge.ways.closed_forms import by_closed_sum, by_neighbours, by_tail
    from banditproof.verify.judge.ways.combined import by_conditions_together
    from banditproof.verify.judge.ways.curving import by_derivatives
    from banditproof.verify.judge.ways.degrees import (
        by_degree,
        by_fixed_sum,
        by_powers_of_roots,
        by_raising,
        by_shift,
        on_the_circle,
    )
    from banditproof.verify.judge.ways.factorials import by_log_convexity
    from banditproof.verify.judge.ways.forms import (
        by_denominators,
        by_largest,
        by_logarithms,
        by_one_of_several,
        by_signs,
        by_the_other,
        in_logarithms,
        on_both_sides_of_0,
        with_lemmas,
        without_condition,
    )
    from banditproof.verify.judge.ways.from_far import by_distance, by_far_end
    from banditproof.verify.judge.ways.gram import by_sum_of_squares
    from banditproof.verify.judge.ways.known_sums import TELESCOPES, below_its_series, by_factors, has_rounded_logs
    from banditproof.verify.judge.ways.ordered import by_order
    from banditproof.verify.judge.ways.pieces import by_pieces, by_tangents
    from banditproof.verify.judge.ways.primitives import by_primitive
    from banditproof.verify.judge.ways.products import by_factors_of_products, by_sum_alone, with_exponentials
    from banditproof.verify.judge.ways.residues import (
        beside_a_whole_number,
        by_first_counts,
        by_powers,
        by_residues,
        by_rounding,
        by_what_is_rounded,
        by_whole_numbers,
    )
    from banditproof.verify.judge.ways.scaled import (
        in_exponentials,
        in_logs,
        in_multiples,
        in_nested_roots,
        in_normal_units,
        in_probabilities,
        in_roots,
        in_whole_steps,
    )
    from banditproof.verify.judge.ways.several import (
        by_tangents_above_roots,
        by_tangents_of_roots,
        by_taylor,
        without_equation,
    )
    from banditproof.verify.judge.ways.tails import by_chernoff
    from banditproof.verify.judge.ways.turning import by_turns

    yield from (Way(*found) for found in by_conditions_together(asked))
    if len(asked.conditions) > 1:  # in fixed sums, before a variable is put in
        yield from (Way(*found) for found in (by_tangents(asked),) if found is not None)
        yield from _by_bounds(asked)
    for (instead, *needed), because, facts in by_chernoff(asked):
        yield Way((instead, *needed), because, facts, OF_A_PIECE)
        for way in _as_it_stands(instead):
            reason = "; ".join(filter(None, (because, way.because)))
            yield Way((*needed, *way.claims), reason, (*facts, *way.facts), way.effort)
    yield from (Way(*found) for found in by_log_convexity(asked))
    for rounding in (beside_a_whole_number, by_what_is_rounded, by_residues, by_rounding, by_powers):
        if (found := rounding(asked)) is not None:
            yield Way(*found)
    if (found := by_closed_sum(asked, geometric=True)) is not None:
        yield Way(*found)
    yield from (Way(*found) for found in itertools.chain(by_tangents_of_roots(asked), by_sum_of_squares(asked)))
    yield from (Way(*found) for found in by_tangents_above_roots(asked))
    sides = (asked.comparison.left, asked.comparison.right)
    part = below_its_series(asked) if any(has(side, "sum") for side in sides) else None
    if part is not None and TELESCOPES in part[2] and (found := by_closed_sum(asked, geometric=False)) is not None:
        yield Way(*found)  # of which no fact has to be named
    if part is not None and len(asked.ranges) > 1:
        yield Way(*part)
    equal = asked.comparison.sign == "=="
    unknown = [
        p for side in sides for p in parts(side) if p == EULER or p.head == "sum" and (equal or names(p.args[1]))
    ]
    for claims, because in by_far_end(asked) if unknown else ():
        yield Way(claims, because)
    if part is not None and len(asked.ranges) == 1:
        yield Way(*part)
    steps = [Way(*found) for found in by_alternating_rest(asked)]
    for by_counts in (by_next_count, by_residues_of_sum, by_two_counts):
        steps += [Way(*found) for found in by_counts(asked)]
    steps += [Way(*found) for found in by_primitive(asked)]
    sums = [p for side in sides for p in parts(side) if p.head == "sum"]
    if not all(isinstance(rational(p.args[1]), Fraction) for p in sums):
        yield from steps
        steps = []  # else as it stands first: such a proof has a receipt of its own
    in_units = [
        (claim, (), because) for form in (in_whole_steps, in_normal_units, in_roots) for claim, because in form(asked)
    ]
    in_units += [
        *in_nested_roots(asked),
        *in_probabilities(asked),
        *in_logs(asked),
        *with_still_summands(asked),
        *with_free_sums(asked),
    ]
    without = [*in_units, *in_multiples(asked), *by_fixed_sum(asked), *without_equation(asked), *by_raising(asked)]
    without += by_powers_of_roots(asked)
    without += list(by_factors_of_products(asked)) if any(has(side, "prod") for side in sides) else []
    without += [found for found in (by_sum_alone(asked),) if found is not None]
    for instead, needed, because in without:
        for way in _as_it_stands(instead):
            yield Way((*needed, *way.claims), "; ".join(filter(None, (because, way.because))), way.facts)
    for apart, because in by_contrapositive(asked):
        for way in Each(tuple(Later(partial(ways_of, claim)) for claim in apart)):
            yield replace(way, because="; ".join(filter(None, (because, way.because))))
    if of_normal := any(has(side, "Phi") for side in sides):
        yield Way((asked,), effort=FIRST)
    alike = [*by_degree(asked)]
    if of_normal:  # of one number, before bounds of its tails
        yield from _instead(alike)
    falling = _from_far((asked,), "by derivatives", 4) if of_normal else iter(())
    if not any(r.integer for r in asked.ranges.values()):  # of a count bounds are simpler
        yield from falling
    if len(asked.conditions) <= 1:
        yield from _by_bounds(asked)
    yield from falling
    for form in (with_lemmas, partial(by_logarithms, products=True)):
        if (found := form(asked)) is not None:
            yield Way(*found)
            (of_logs, *needed), because = found
            for way in _from_worst_place(of_logs):
                yield Way((*needed, *way.claims), f"{because}; {way.because}", way.facts)
    yield from _instead((beyond, tuple(valued), because) for (beyond, *valued), because in by_the_other(asked))
    simpler = [*on_the_circle(asked), *(() if of_normal else alike), *by_shift(asked), *in_logs(asked)]
    simpler += in_exponentials(asked)
    if simpler:
        yield Way((asked,), effort=FIRST)
    yield from _instead(simpler)
    yield from (Way(*found) for found in itertools.chain(by_signs(asked), by_one_of_several(asked)))
    first = [
        Way(*found) for form in (with_exponentials, by_largest, by_denominators) if (found := form(asked)) is not None
    ]
    yield from (Way(*found) for found in by_circles(asked))
    smooth = any(has(side, "sin", "cos", "Phi") for side in sides)
    if first or smooth:
        yield Way((asked,), effort=FIRST)
    if smooth:
        yield from _touching(asked)
        yield from () if of_normal else _from_far((asked,), "by derivatives", 4)
    yield from first
    halves = on_both_sides_of_0(asked)
    bent = any(has(side, "exp", "log", "cosh", "sinh") for side in sides)
    bent = bent and len(asked.ranges) > 1
    if bent and not smooth:
        yield from _touching(asked)
    if halves is not None and bent:
        of_logs = [by_logarithms(half, products=False) for half in halves[0]]
        if all(of_logs):
            claims = tuple(c for found in of_logs if found for c in found[0])
            yield Way(claims, f"{halves[1]}, and by logarithms")
        yield Way(*halves)
    for claims, because in by_factors(asked) if len(asked.ranges) > 1 else ():
        yield Way(claims, because)
    yield from _from_worst_place(asked)
    changed = [Way(*found) for found in itertools.islice(by_bounds_of_logarithms(asked), MOST_OF_LOGARITHMS)]
    changed += [Way(*found) for found in by_order(asked, changed=True)]
    parted = [Way(*found) for form in (by_pieces, by_tangents) if (found := form(asked)) is not None]
    changed += [*_in_several(asked), *(() if smooth or bent else _touching(asked))]
    changed = [*steps, *changed]
    others = bool(first or changed or parted or asked.conditions)
    yield Way((asked,), effort=FIRST if others else 1.0)
    yield from (Way(*found, effort=OF_A_PIECE) for found in itertools.chain(by_turns(asked), by_taylor(asked)))
    yield from changed
    for claims, because in by_derivatives(asked) if parted else ():
        yield Way(claims, because, effort=OF_A_PIECE)
    yield from parted
    if others and not asked.conditions:
        yield Way((asked,))
    for form in (by_whole_numbers, by_first_counts):
        if (found := form(asked)) is not None:
            yield Way(*found)
    for claims, because in by_order(asked, changed=False):
        yield Way(claims, because)
    if asked.conditions:  # cheaper without them
        yield Way((asked,))
    if (found := by_closed_sum(asked, geometric=False)) is not None:
        yield Way(*found)
    yield from _with_rounded_logs(asked) if any(map(has_rounded_logs, sides)) else ()
    far = () if unknown else itertools.chain(by_far_end(asked), by_distance(asked))
    for claims, because in itertools.chain(far, by_neighbours(asked), by_tail(asked)):
        yield Way(claims, because)
    for form in (without_condition, in_logarithms, partial(by_logarithms, products=False)):
        if (found := form(asked)) is not None:
            yield Way(*found)
            yield from _from_far(*found) if form is in_logarithms else ()


def _with_fewer_conditions(asked: Asked) -> Iterator[Way]:
    """Without conditions that are not needed, as it seems at points: one may be such that no prover can read it.

    First without all of them, where proofs are cheapest, then without each alone: k conditions give k + 1 choices.
    """
    none = asked
    for condition in asked.conditions:
        none = less if seems_true(less := _without(none, condition)) else none
    alone = [less for c in asked.conditions if seems_true(less := _without(asked, c)) and less != none]
    for less in [none] * (none != asked) + alone:
        gone = ", ".join(plain_sentence(c) for c in asked.conditions if c not in less.conditions)
        because = f"it holds also without the condition {gone}"
        yield from (replace(w, because="; ".join(filter(None, (because, w.because)))) for w in _as_it_stands(less))


def _without(asked: Asked, condition: Sentence) -> Asked:
    """A comparison without one of its conditions."""
    return replace(asked, conditions=tuple(c for c in asked.conditions if c != condition), printed=False)


def _with_rounded_logs(asked: Asked) -> Iterator[Way]:
    """With the values of sums of logarithms that are rounded to whole numbers."""
    from banditproof.verify.judge.ways.known_sums import with_known_sums

    c = asked.comparison
    try:
        left, right = (with_known_sums(side, asked.ranges) for side in (c.left, c.right))
    except NoStatement:
        return
    closed = replace(asked, comparison=Compare(left.formula, c.sign, right.formula), printed=False)
    for way in _as_it_stands(closed) if not (*left.where, *right.where) else ():
        yield replace(
            way, because=way.because or "every sum has a known value", facts=(*left.facts, *right.facts, *way.facts)
        )


def _in_several(asked: Asked) -> Iterator[Way]:
    """By squares, both ends, or a place where the logarithms of the sides touch."""
    from banditproof.verify.judge.ways.forms import by_logarithms
    from banditproof.verify.judge.ways.several import by_ends, by_squares, by_taylor, by_touching

    for form in (by_squares, by_ends):
        for found in form(asked):
            yield Way(*found)
    if len(asked.ranges) > 1 and (of_logs := by_logarithms(asked, products=False)) is not None:
        (first, *others), because = of_logs
        for claims, why in itertools.chain(by_touching(first), by_taylor(first)):
            yield Way((*claims, *others), f"{because}; {why}")


def _touching(asked: Asked) -> Iterator[Way]:
    """By a place where the sides touch, along one number of several; for all real numbers, where these are counts."""
    from banditproof.verify.judge.ways.several import NOT_SMOOTH, by_touching, by_touching_inside

    real = replace(asked, ranges={n: replace(r, integer=False) for n, r in asked.ranges.items()}, printed=False)
    if real.ranges != asked.ranges:
        smooth = not any(has(side, *NOT_SMOOTH) for side in (asked.comparison.left, asked.comparison.right))
        if not smooth or not seems_true(real):
            return
        asked = real
    for claims, why in by_touching(asked):
        yield Way(claims, why, effort=OF_A_PIECE)
    for found in by_touching_inside(asked):
        yield Way(*found, effort=OF_A_PIECE)


def _from_far(claims: tuple[Asked, ...], because: str, deepest: int = 2) -> Iterator[Way]:
    """A comparison of one number in another form, from its far end."""
    from banditproof.verify.judge.ways.curving import by_slopes

    for found in by_slopes(claims[0], deepest) if len(claims) == len(claims[0].ranges) == 1 else ():
        yield Way(found, f"{because}, and the gap of the sides falls towards an end, near which it is 0 or more")


def _by_bounds(asked: Asked) -> Iterator[Way]:
    """With bounds for binomials, for sums of them, for relative entropies, and for variables in a side."""
    from banditproof.verify.judge.ways.bounded_parts import by_bounds, by_identities, cut_at_1, in_order

    sides = (asked.comparison.left, asked.comparison.right)
    several = [("kl", "abs"), ("kl", "sqrt"), ("kl", "pow"), ("kl", "exp"), ("Phi", "sqrt"), ("exp", "log")]
    several += [("log", "abs")]
    powers = {p for side in sides for p in parts(side) if p.head == "pow" and names(p.args[0]) and names(p.args[1])}
    beside = any(
        any(has(side, one) for side in sides) and any(has(side, other) for side in sides) for one, other in several
    )
    if any(isinstance(c, Compare) and c.sign == "==" for c in asked.conditions):
        powers = set()  # draws never meet the conditions of a bound
    told = any(isinstance(c, Compare) and c.sign[0] in "<>" for c in asked.conditions)
    if not (beside or powers or told or any(has(side, "binom") for side in sides)):
        return
    if powers and (found := cut_at_1(asked)) is not None:
        yield Way((asked,), effort=FIRST)
        pieces, because = found
        each = [next(_by_bounds(piece), Way((piece,))) for piece in pieces]
        reasons = dict.fromkeys((because, *(way.because for way in each)))
        facts = dict.fromkeys(fact for way in each for fact in way.facts)
        yield Way(tuple(c for way in each for c in way.claims), "; ".join(filter(None, reasons)), tuple(facts))
    for instead, claims, fact in by_identities(asked):
        for way in _as_it_stands(instead):
            yield Way((*claims, *way.claims), "; ".join(filter(None, (fact, way.because))), (fact, *way.facts))
    for instead, claims, bound in by_bounds(asked):
        facts = (bound.fact,) if bound.fact else ()
        shown = list(_from_the_diagonal(bound.lemma)) if bound.lemma else [Way(())]
        because = f"{said_of(bound.formula)} is {'an upper' if bound.upper else 'a lower'} bound of a part"
        of = next((p for side in sides for p in parts(side) if p.head == "call" and p.args[0] == "kl"), None)
        ways = _as_it_stands(instead) if of is None or not bound.lemma else [Way(in_order(instead, of))]
        for way, lemma in ((way, lemma) for way in ways for lemma in shown[:2]):  # each way only when it is asked for
            reason = "; ".join(filter(None, (because, way.because)))
            yield Way((*claims, *lemma.claims, *way.claims), reason, (*facts, *way.facts))


def _from_the_diagonal(asked: Asked) -> Iterator[Way]:
    """A comparison of two numbers of one interval that holds where they are equal, and better the farther one moves.

    Where the left side less the right one does not fall as q moves away from p, it is at least what it is at q = p.
    Ends of the range of p are taken one by one.
    """
    sign, sides = asked.comparison.sign, (asked.comparison.left, asked.comparison.right)
    if sign not in ("<=", ">=") or len(asked.ranges) != 2 or asked.conditions:
        return
    from banditproof.verify.judge.ways.forms import in_either_order
    from banditproof.verify.judge.ways.ordered import by_order

    larger, smaller = sides if sign == ">=" else sides[::-1]
    excess = binary("sub", larger, smaller)
    for (p, of_p), (q, of_q) in (list(asked.ranges.items()), list(asked.ranges.items())[::-1]):
        same = (of_p.low, of_p.high) == (of_q.low, of_q.high) and not names(of_p.low) | names(of_p.high)
        if of_p.integer or of_q.integer or not same:
            continue
        inner = replace(of_p, low_open=True, high_open=True)
        away = binary("sub", name(q), name(p))
        try:
            moving = [(binary("mul", away, slope(of, q)), order) for of, order in in_either_order(excess, p, q)]
        except NoSlope:
            continue
        claims = [
            Asked(Compare(put(excess, {q: name(p)}), ">=", num(0)), {p: inner}),
            *(Asked(Compare(moved, ">=", num(0)), {p: inner, q: inner}, order) for moved, order in moving),
            has_value(excess, {p: inner, q: inner}),
        ]
        for word, other, r, s in ((p, q, of_p, of_q), (q, p, of_q, of_p)):
            ends = [end for end, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_]
            claims += [
                Asked(Compare(put(sides[0], {word: e}), sign, put(sides[1], {word: e})), {other: s}) for e in ends
            ]
        because = f"as {q} moves away from {p} the difference of the sides does not fall; at the ends it is at least 0"
        yield Way(tuple(claims), because)
        again = [next(by_order(claim, changed=True), None) for claim in claims[1 : 1 + len(moving)]]
        if all(again):  # the slope is 0 or more for the same reason
            of_slopes = tuple(claim for way in again if way for claim in way[0])
            yield Way((*claims[:1], *of_slopes, *claims[1 + len(moving) :]), because)


def _from_worst_place(asked: Asked) -> Iterator[Way]:
    from banditproof.verify.judge.ways.worst import by_worst_place

    for there, needed, because in itertools.islice(by_worst_place(asked), 2):
        for way in itertools.islice(_as_it_stands(there), MOST_OF_WORST):
            reason = "; ".join(filter(None, (because, way.because)))
            yield Way((*needed, *way.claims), reason, way.facts, way.effort)


def _without_lambert(asked: Asked) -> Iterator[Way]:
    """W of a variable: x = w e^w maps ranges of w onto those of x, increasingly; or by w e^w of the other side."""
    from banditproof.verify.judge.ways.between import by_inverse_of_lambert

    of_value = list(_with_its_value(asked))
    yield from (replace(way, effort=FIRST) for way in of_value)
    for instead, claims, because in by_inverse_of_lambert(asked):
        yield Way((*claims, instead), because)
    yield from of_value
    for instead, claims, because in by_inverse_of_lambert(asked):
        for way in _as_it_stands(instead):
            yield Way((*claims, *way.claims), "; ".join(filter(None, (because, way.because))), way.facts, way.effort)


def _with_its_value(asked: Asked) -> Iterator[Way]:
    inside = {p.args[1] for side in (asked.comparison.left, asked.comparison.right) for p in parts(side) if _is_w(p)}
    if len(inside) != 1 or (word := next(iter(inside))).head != "var":
        return
    x = word.args[0]
    r = asked.ranges[x]
    low, high = (_lambert_at(end) for end in (r.low, r.high))
    if r.integer or low is None or high is None:
        return
    w = unused(f"w_{x}", asked.ranges)
    there = binary("mul", name(w), call("exp", name(w)))

    def change(e: Expression) -> Expression:
        if _is_w(e):
            return name(w)
        if e == call("log", word):  # neither has a value for w <= 0
            return binary("add", name(w), call("log", name(w)))
        return there if e == word else mapped(e, change)

    ranges = {(w if n == x else n): (_inside(r, low, high) if n == x else v) for n, v in asked.ranges.items()}
    ends = ((r.low, low, ">" if r.low_open else ">="), (r.high, high, "<" if r.high_open else "<="))
    within = tuple(Compare(there, sign, end) for end, known, sign in ends if known == UNKNOWN)
    sides = (change(asked.comparison.left), change(asked.comparison.right))
    conditions = tuple(
        Compare(change(c.left), c.sign, change(c.right)) for c in asked.conditions if isinstance(c, Compare)
    )
    if len(conditions) == len(asked.conditions):
        claim = Asked(Compare(sides[0], asked.comparison.sign, sides[1]), ranges, (*conditions, *within))
        yield Way((claim,), f"{x} is written {w} exp({w}), which maps the range of {w} onto that of {x}: W({x}) is {w}")


UNIT_INTERVALS = [Range(num(0), num(1), low_open=open_, high_open=open_) for open_ in (False, True)]
UNKNOWN = name("")  # where W is some number above 0
_E = Expression("const", ("e",))
_BRANCH = (
    Expression("neg", (binary("div", num(1), _E),)),
    binary("div", Expression("neg", (num(1),)), _E),
    binary("div", num(-1), _E),
    Expression("neg", (call("exp", Expression("neg", (num(1),))),)),
    Expression("neg", (call("exp", num(-1)),)),
)  # ways to write -1/e, from where on w exp(w) increases in w >= -1


def _lambert_at(end: Expression) -> Expression | None:
    """W at an end of a range, UNKNOWN at other numbers above 0; None elsewhere."""
    if end in (num(0), INFINITY):
        return end
    if end == _E or end in _BRANCH:
        return num(1 if end == _E else -1)
    value = rational(end)
    return UNKNOWN if isinstance(value, Fraction) and value > 0 else None


def _inside(r: Range, low: Expression, high: Expression) -> Range:
    """The range of w: up to an end that is known, or only above 0."""
    if low == UNKNOWN:
        r, low = replace(r, low_open=True), num(0)
    if high == UNKNOWN:
        r, high = replace(r, high_open=True), INFINITY
    return replace(r, low=low, high=high)


def _is_w(e: Expression) -> bool:
    return e.head == "call" and e.args[0] == "W"


def _extremum(sentence: Compare, place: int, ranges: dict[str, Range], conditions: tuple[Sentence, ...]) -> Plan:
    """An infimum against a formula: all values are at least it, and one of them, or a limit of them, is at most it."""
    side, other = (sentence.left, sentence.right)[:: 1 - 2 * place]
    sign = FLIPPED[sentence.sign] if place else sentence.sign
    word, over, body = side.args
    fresh = unused(word, ranges, dict.fromkeys(names(other)))
    body = put(body, {word: name(fresh)})
    least = side.head == "inf"
    down, up = ("<=", ">=") if least else (">=", "<=")
    every = Asked(Compare(body, up, other), {**ranges, fresh: over}, conditions)
    from banditproof.verify.judge.ways.extrema import approached, kept_apart, least_mean_entropy
    from banditproof.verify.judge.ways.residues import is_whole

    ends = [(over.low, ">" if over.low_open else ">="), (over.high, "<" if over.high_open else "<=")]
    ends = [end for end in ends if not _infinite(end[0])]

    def at(place: Expression) -> tuple[Asked, ...]:
        """That the extremum is the value at a place of the range, where it has to be one."""
        there = Asked(Compare(body, up, put(body, {fresh: place})), every.ranges, conditions)
        inside = (Asked(Compare(place, s, end), ranges, conditions) for end, s in ends)
        return (there, *inside) if over.reached else ()

    if over.reached and sign in (up, up[0]):
        bound = replace(every, comparison=replace(every.comparison, sign=sign))
        places = (w for w in _witnesses(body, fresh, over, ranges) if not over.integer or is_whole(w, ranges))
        return Plan((bound,), tuple(Way((bound, *at(w)), f"{fresh} = {said_of(w)} is a place") for w in places))
    closed = []
    if least and over in UNIT_INTERVALS and not over.reached and (known := least_mean_entropy(body, fresh)) is not None:
        value, where, fact = known
        needed = tuple(Asked(c, ranges, conditions) for c in where)
        because = f"the least value is {said_of(value)}"
        for way in itertools.islice(ways_of(Asked(Compare(value, sign, other), ranges, conditions, printed=False)), 4):
            reason = "; ".join(filter(None, (because, way.because)))
            closed.append(Way((*needed, *way.claims), reason, (fact, *way.facts)))
    if sign == up:
        return Plan((every,), Later(lambda: itertools.chain(closed, ways_of(every))))
    if sign not in ("==", down, down[0], up[0]):
        return Plan(why_not="an infimum that is compared with !=")
    if sign == up[0]:  # all values are above a number that is above the other side, which is one number as well
        apart = () if ranges or conditions else kept_apart(body, fresh, over, ranges, up, other)
        ways = tuple(Way((c,), f"all values are {up} {b}") for c, _, b, _ in apart)
        failure = Failure(sentence, {}, "false", ("not beyond it", said_of(other)), ranges)
        limits = () if conditions else approached(body, fresh, over, ranges, down, other)
        return Plan((every_weak(every, up),), ways, against=tuple((Way(c, why), failure) for c, why in limits))
    strictly = sign == down[0]
    ways = []
    for witness in _witnesses(body, fresh, over, ranges):
        if over.integer and not is_whole(witness, ranges):
            continue
        reached = Asked(Compare(put(body, {fresh: witness}), down[0] if strictly else down, other), ranges, conditions)
        within = [Asked(Compare(witness, s, end), ranges, conditions) for end, s in ends]
        needed = (every,) if sign == "==" else at(witness)
        ways.append(Way((*needed, reached, *within), f"{fresh} = {said_of(witness)} is a place"))
    ways[1:1] = closed
    if not strictly and not over.reached:
        for claims, because in approached(body, fresh, over, ranges, down, other, conditions):
            ways.append(Way((*((every,) if sign == "==" else ()), *claims), because))
    ways += _below_exp(side, sign, other, ranges, conditions)
    against = []
    if sign == "==" and over.reached and not conditions:
        failure = Failure(sentence, {}, "false", ("not reached", said_of(other)), ranges)
        against.append((Way((every_weak(every, up),), f"no value is {said_of(other)}"), failure))
    if strictly and not conditions:
        failure = Failure(sentence, {}, "false", ("not beyond it", said_of(other)), ranges)
        against.append((Way((every,), f"no value is {down[0]} the other side"), failure))
    for claim, point, bound, printed in kept_apart(body, fresh, over, ranges, up, other, conditions):
        of_values, of_other = f"{up} {bound}, as all values are", f"{printed:.9g}"
        shown = (of_other, of_values) if place else (of_values, of_other)
        failure = Failure(sentence, point, "false", shown, ranges)
        against.append((Way((claim,), f"all values are {up} {bound}"), failure))
    # where the infimum is smaller than the formula everywhere, the formula fails: points of `every` show it
    return Plan((every,) if sign == "==" else (), tuple(ways), against=tuple(against))


def _below_exp(
    side: Expression, sign: str, other: Expression, ranges: dict[str, Range], conditions: tuple[Sentence, ...]
) -> Iterator[Way]:
    """exp is continuous and rises, so an infimum of exp(f) compares with c > 0 as that of f does with log(c)."""
    word, over, body = side.args
    if not _is_exp(body):
        return
    inside = Expression(side.head, (word, over, body.args[1]))
    value = other.args[1] if _is_exp(other) else call("log", other)
    positive = () if _is_exp(other) else (Asked(Compare(other, ">", num(0)), ranges, conditions),)
    for way in _extremum(Compare(inside, sign, value), 0, ranges, conditions).ways:
        because = "; ".join(filter(None, ("the exponents are compared", way.because)))
        yield replace(way, claims=(*positive, *way.claims), because=because)


def _is_exp(e: Expression) -> bool:
    return e.head == "call" and e.args[0] == "exp"


def said_of(e: Expression) -> str:
    from banditproof.verify.judge.formulas.printing import plain

    return plain(e)


def every_weak(every: Asked, up: str) -> Asked:
    """What a strict bound of an infimum implies of every value: a strict one too."""
    return replace(every, comparison=replace(every.comparison, sign=up[0]))


def _infinite(end: Expression) -> bool:
    return end.head == "const" and end.args[0] == "inf" or end.head == "neg" and _infinite(end.args[0])


def _witnesses(body: Expression, word: str, over: Range, ranges: Mapping[str, Range]) -> Iterator[Expression]:
    """Where an infimum may be reached: counts, zeros of the derivative, the other variables, the ends, the nearer."""
    from banditproof.verify.judge.formulas.symbolic import roots
    from banditproof.verify.judge.ways.extrema import extreme_counts, mean_of_entropies

    yield from mean_of_entropies(body, word)
    if over.integer and names(body) == {word}:
        yield from extreme_counts(body, word, over)
    turning = list(itertools.chain.from_iterable(roots(e, word, ranges) for e in _without_distances(body)))
    yield from turning
    alike = [(r.low, r.high) != (over.low, over.high) for r in ranges.values()]
    yield from (name(n) for _, n in sorted(zip(alike, ranges, strict=True), key=lambda pair: pair[0]))
    for end, open_ in ((over.low, over.low_open), (over.high, over.high_open)):
        if not open_ and not _infinite(end):
            yield end
            yield from (call("min" if end == over.high else "max", place, end) for place in turning)


def _without_distances(e: Expression) -> list[Expression]:
    """The formula with the number, and with its opposite, for each absolute value; or as it is."""
    inside = next((p for p in outside(e) if p.head == "call" and p.args[0] == "abs"), None)
    if inside is None:
        return [e]
    u = inside.args[1]
    return [f for v in (u, Expression("neg", (u,))) for f in _without_distances(replaced(e, inside, v))]


# ---------------------------------------------------------------------------------------- monotone and convex


def _is_tied(x: str, ranges: Mapping[str, Range]) -> bool:
    """Whether the range of a variable depends on x, or that of x on another one."""
    ends = {n: names(r.low) | names(r.high) for n, r in ranges.items()}
    return bool(ends[x]) or any(x in others for others in ends.values())


def _at(condition: Sentence, x: str, y: str) -> Sentence:
    """A condition at another place of a variable; one that is no comparison is never met, and proves nothing."""
    if not isinstance(condition, Compare):
        return condition
    return Compare(put(condition.left, {x: name(y)}), condition.sign, put(condition.right, {x: name(y)}))


def _monotone(sentence: Monotone, ranges: dict[str, Range], conditions: tuple[Sentence, ...]) -> Plan:
    """Two places in order: a count and the next one, or any two; or the sign of the derivative.

    Where conditions speak of the variable, its places need not be an interval: then any two count, and nothing else.
    """
    x, r = sentence.name, ranges[sentence.name]
    if _is_tied(x, ranges):
        return Plan(why_not=f"a range that depends on {x}, in which the formula is to be monotone")
    sign = ("<" if sentence.strict else "<=") if sentence.increasing else (">" if sentence.strict else ">=")
    cut = any(speaks_of(c, x) for c in conditions)
    if r.integer and not cut:
        later = put(sentence.body, {x: binary("add", name(x), num(1))})
        high = r.high if _infinite(r.high) else binary("sub", r.high, num(1))
        asked = Asked(Compare(sentence.body, sign, later), {**ranges, x: replace(r, high=high)}, conditions)
        return Plan((asked,), (*(Way(w.claims, w.because or f"from {x} to {x} + 1") for w in ways_of(asked)),))
    y = f"{x}_2" if f"{x}_2" not in ranges else f"{x}_3"
    later = put(sentence.body, {x: name(y)})
    there = tuple(_at(c, x, y) for c in conditions if speaks_of(c, x))
    in_order = Compare(name(x), "<", name(y))
    pair = Asked(Compare(sentence.body, sign, later), {**ranges, y: r}, (*conditions, *there, in_order))
    if cut:
        return Plan((pair,), (Way((pair,), "at any two places"),))
    ways = []
    try:
        upward = ">" if sentence.strict else ">="
        zero = Compare(slope(sentence.body, x), upward if sentence.increasing else FLIPPED[upward], num(0))
        ways.append(_by_sign(zero, sentence, ranges, conditions, "derivative"))
    except NoSlope:
        ways = []
    return Plan((pair,), (*ways, Way((pair,), "at any two places")))


def _by_sign(
    zero: Compare, sentence: Monotone | Curved, ranges: dict[str, Range], conditions: tuple[Sentence, ...], of: str
) -> Way:
    """The sign of a derivative; of a continuous function, inside of the range is enough."""
    x, inner = sentence.name, dict(ranges)
    if is_continuous(sentence.body):
        inner[x] = replace(ranges[x], low_open=True, high_open=True)
    valued = has_value(sentence.body, ranges, conditions)
    within = without_zero_logs(valued)
    claims = Asked(zero, inner, conditions), within or valued
    plain = [next((way.claims[0] for way in _with_its_value(c)), c) for c in claims]
    return Way(tuple(plain), f"the sign of the {of} in {x}", (ZERO_LOG,) if within else ())


def _curved(sentence: Curved, ranges: dict[str, Range], conditions: tuple[Sentence, ...]) -> Plan:
    """The middle of two places against the mean; or the sign of the second derivative."""
    x, r = sentence.name, ranges[sentence.name]
    if _is_tied(x, ranges) or any(speaks_of(c, x) for c in conditions):
        return Plan(why_not=f"conditions on {x}, along which the formula is to be curved")
    y = f"{x}_2" if f"{x}_2" not in ranges else f"{x}_3"
    strictly = "" if sentence.strict else "="
    apart = (Compare(name(x), "<", name(y)),) if sentence.strict else ()
    middle = binary("div", binary("add", name(x), name(y)), num(2))
    mean = binary("div", binary("add", sentence.body, put(sentence.body, {x: name(y)})), num(2))
    sign = ("<" if sentence.convex else ">") + strictly
    pair = Asked(Compare(put(sentence.body, {x: middle}), sign, mean), {**ranges, y: r}, (*conditions, *apart))
    if r.integer:
        steps = put(sentence.body, {x: binary("add", name(x), num(2))})
        next_ = binary("mul", num(2), put(sentence.body, {x: binary("add", name(x), num(1))}))
        asked = Asked(Compare(next_, sign, binary("add", sentence.body, steps)), ranges, conditions)
        return Plan((asked,), (Way((asked,), "at three neighbouring counts"),))
    ways = []
    try:
        second = slope(slope(sentence.body, x), x)
        zero = Compare(second, FLIPPED[sign], num(0))
        ways = [_by_sign(zero, sentence, ranges, conditions, "second derivative")]
    except NoSlope:
        ways = []
    if not has(sentence.body, "floor", "ceil", "binom", "sum"):  # a formula without them is continuous
        because = "a continuous function is convex where the middle lies below the mean"
        if has(sentence.body, "gamma"):
            ways += [replace(w, because=f"{because}; {w.because}") for w in ways_of(pair)]
        ways.append(Way((pair,), because))
    return Plan((pair,), tuple(ways))
