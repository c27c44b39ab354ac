"""Sentences that are no comparison by themselves: limits, orders, constants that are asked for.

A limit is shown by an explicit bound of the distance, and refuted by a bound that keeps away from it. A constant is
found, or it is shown that every one fails somewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice, zip_longest
from math import inf, isfinite
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.language import *
from banditproof.verify.judge.found import Failure
from banditproof.verify.judge.ways.bounds import factors, shrinking_with, steady
from banditproof.verify.judge.ways.goals import Each, Later, Plan, Way, plan, ways_of
from banditproof.verify.judge.ways.points import FLIPPED, Asked, corners, failing, seems_true, side_of, speaks_of
from banditproof.verify.judge.ways.primitives import of_riemann

POWERS = tuple(Fraction(n, d) for n, d in ((2, 1), (1, 1), (1, 2), (1, 4)))
STARTS = (1, 2, 3, 10, 100)
NEAR = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 10), Fraction(1, 100))
MOST_WAYS = 6  # in which constants are tried
AT = (Fraction(0), Fraction(1), Fraction(1, 2))  # of other variables where a constant fails
CONSTANTS = tuple(
    Fraction(n, d) for n, d in ((1, 1), (1, 2), (2, 1), (1, 4), (4, 1), (1, 10), (10, 1), (1, 100), (100, 1))
)
MOST_BOUNDS, LARGEST, SLACK = 2, 100, 8  # that depend on other variables
BOUNDS = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), 1, 2, 3, 5, 10, 20, 50, 100, 1000)
FAR, FAR_OF_SUMS = 10.0**6, 1000.0


def plan_of(reading: Reading, budget: Any) -> Plan:
    """What to show, what to look for, and what would refute it."""
    sentence = reading.sentence
    if isinstance(sentence, Limit):
        return _limit(sentence, reading)
    if isinstance(sentence, Order):
        return _order(sentence, reading)
    if isinstance(sentence, Exists):
        return _exists(sentence, reading)
    if isinstance(sentence, Best):
        from banditproof.verify.judge.ways.best import plan_of_best

        return plan_of_best(sentence, reading)
    if isinstance(sentence, Private):
        from banditproof.verify.judge.ways.promises import promise

        return promise(sentence, reading)
    return plan(reading)


# ----------------------------------------------------------------------------------------------- limits and orders


def _toward(
    reading: Reading, word: str, to: Expression, side: int, body: Expression
) -> Iterator[list[tuple[Expression, Range]]]:
    """The variable by its distance t > 0 from where it goes (itself at infinity), and shrinking parts of the way there.

    The second is the range of t that is near: a proof on all of one list, which has both sides, speaks of the limit.
    """
    r = reading.ranges.get(word)
    whole = r is not None and r.integer
    if rational(to) == inf:
        if whole and not has(body, *COUNTING):
            yield [(name(word), Range(num(0), INFINITY, low_open=True, high_open=True))]  # real numbers are simpler
        for start in STARTS:
            low = num(start)
            yield [(name(word), Range(low, INFINITY, integer=whole, high_open=True))]
        return
    signs = (1, -1) if not side else (side,)
    for near in NEAR:
        there = Range(num(0), num(near), low_open=True)
        yield [(binary("add" if sign > 0 else "sub", to, name(word)), there) for sign in signs]


def _others(reading: Reading, word: str) -> dict[str, Range]:
    return {n: r for n, r in reading.ranges.items() if n != word}


def _limit(sentence: Limit, reading: Reading) -> Plan:
    word, at_infinity = sentence.name, rational(sentence.to) == inf
    if rational(sentence.value) in (inf, -inf):
        return Plan(why_not="a limit that is infinite")
    if not at_infinity and any(speaks_of(c, word) for c in reading.conditions):
        return Plan(why_not=f"conditions on {word}, which goes to its limit")
    side = sentence.side or side_of(reading, word, sentence.to)
    if side is None:
        return Plan(why_not=f"the range of {word} does not reach its limit, or depends on others")
    if (found := of_riemann(sentence)) is not None:
        return Plan((), (Way(*found),))
    ways: list[Way] = []
    others = _others(reading, word)
    groups = list(_toward(reading, word, sentence.to, side, sentence.body))
    for group in groups:
        for shrinking in _shrinking(word, others, at_infinity, sentence.body):
            distances = [binary("sub", put(sentence.body, {word: there}), sentence.value) for there, _ in group]
            bounds = [
                _bounds(d, shrinking, {**others, word: near}, reading)
                for d, (_, near) in zip(distances, group, strict=True)
            ]
            for found in zip(*bounds, strict=False):
                claims: list[Asked] = []
                for distance, (_, near), bound in zip(distances, group, found, strict=True):
                    claims += _within(distance, bound, {**others, word: near}, reading.conditions)
                ways.append(Way(tuple(claims), f"the distance from the limit is at most {_said(found[0])}"))
    return Plan((), tuple(ways[:10]), "" if ways else "no bound of the distance was found")


def _shrinking(word: str, others: Mapping[str, Range], at_infinity: bool, body: Expression) -> Iterator[Expression]:
    """What goes to 0 as a variable goes to infinity, or to 0."""
    if at_infinity:
        yield from shrinking_with(word, others, body)
    for power in POWERS:
        shrinking = binary("pow", name(word), num(power))
        yield binary("div", num(1), shrinking) if at_infinity else shrinking


def _within(distance: Expression, bound: Expression, ranges: dict[str, Range], conditions: Any) -> list[Asked]:
    """That something is at most a bound in size."""
    both = Compare(distance, "<=", bound), Compare(distance, ">=", Expression("neg", (bound,)))
    return [Asked(one, ranges, conditions) for one in both]


def _bounds(
    distance: Expression, shape: Expression, ranges: dict[str, Range], reading: Reading
) -> Iterator[Expression]:
    """Multiples of a shape that bound a distance, as far as points tell: by a number, else by one for each place."""
    size = call("abs", distance)
    constant = _constant_of(size, shape, ranges, reading)
    if constant is not None and seems_true(Asked(Compare(size, "<=", binary("mul", num(constant), shape)), ranges)):
        yield binary("mul", num(constant), shape)
    others = {n: r for n, r in ranges.items() if n in reading.ranges and n not in _last(ranges)}
    found = 0
    for factor in factors(others) if not reading.conditions else ():
        whole = binary("mul", factor, shape)
        most = steady(size, whole, ranges)
        constant = None if most is None else next((Fraction(c) for c in BOUNDS if c >= SLACK * most), None)
        if constant is None or constant > LARGEST:
            continue
        bound = binary("mul", num(constant), whole)
        if all(seems_true(a) for a in _within(distance, bound, ranges, reading.conditions)):
            yield bound
            found += 1
        if found == MOST_BOUNDS:
            return


def _last(ranges: dict[str, Range]) -> tuple[str, ...]:
    """The variable that goes somewhere, which stands last."""
    return tuple(ranges)[-1:]


def _order(sentence: Order, reading: Reading) -> Plan:
    """O and o by a bound with an explicit constant; their failure by a bound of the other kind; the others by these."""
    if sentence.kind == "~":
        quotient = Limit(binary("div", sentence.left, sentence.right), sentence.name, sentence.to, num(1))
        return _limit(quotient, replace(reading, sentence=quotient))
    if sentence.kind in ("Omega", "Theta"):
        turned = _order(replace(sentence, kind="O", left=sentence.right, right=sentence.left), reading)
        return turned if sentence.kind == "Omega" else _both(_order(replace(sentence, kind="O"), reading), turned)
    if sentence.kind not in ("O", "o"):
        return Plan(why_not=f"nothing is known yet of the order {sentence.kind}")
    word, others, conditions = sentence.name, _others(reading, sentence.name), reading.conditions
    at_infinity = rational(sentence.to) == inf
    if not at_infinity and any(speaks_of(c, word) for c in conditions):
        return Plan(why_not=f"conditions on {word}, which goes to its limit")
    side = sentence.side or side_of(reading, word, sentence.to)
    if side is None:
        return Plan(why_not=f"the range of {word} does not reach {_said(sentence.to)}, or depends on others")
    shapes = _growing(word, at_infinity)
    ways, against = [], []
    for group in _toward(reading, word, sentence.to, side, binary("add", sentence.left, sentence.right)):
        sides = [(put(sentence.left, {word: t}), put(sentence.right, {word: t}), near) for t, near in group]
        for shape in shapes if sentence.kind == "o" else (num(1),):
            bounds = []
            for left, right, near in sides:
                falling = right if shape == num(1) else binary("div", right, shape)
                bounds.append(_bounds(left, falling, {**others, word: near}, reading))
            for found in zip(*bounds, strict=False):
                claims: list[Asked] = []
                for (left, _, near), bound in zip(sides, found, strict=True):
                    claims += _within(left, bound, {**others, word: near}, conditions)
                because = f"the left side is at most {_said(found[0])} in size"
                ways += _each_by_its_ways(claims, because)
        for place in _places(others, reading) if not conditions else ():
            fixed = {n: num(v) for n, v in place.items()}
            left, right = (put(e, fixed) for e in sides[0][:2])
            near = sides[0][2]
            for shape in shapes if sentence.kind == "O" else (num(1),):
                growing = right if shape == num(1) else binary("mul", right, shape)
                constant = _constant_of(growing, left, {word: near}, reading)
                if constant is not None:
                    claim = Asked(Compare(left, ">=", binary("mul", num(1 / constant), growing)), {word: near})
                    positive = Asked(Compare(right, ">", num(0)), {word: near})
                    grows = f"grows at least as {_said(growing)}", f"{_said(sentence.right)} is printed"
                    failure = Failure(sentence, place, "false", grows)
                    faster = _each_by_its_ways([claim, positive], "the left side grows faster")
                    against.append([(way, failure) for way in faster])
    refuting = tuple(chain.from_iterable(against[:4]))
    return Plan((), tuple(ways[:10]), "" if ways or against else "no bound was found", against=refuting)


def _each_by_its_ways(claims: list[Asked], because: str) -> list[Way]:
    """Several comparisons, of which each with sums or factorials is shown by one of its ways."""
    made = [Way((), because)]
    for claim in claims:
        counts = any(has(side, *COUNTING) for side in (claim.comparison.left, claim.comparison.right))
        made = [
            Way((*w.claims, *v.claims), "; ".join(filter(None, (w.because, v.because))), (*w.facts, *v.facts))
            for w in made
            for v in (islice(ways_of(claim), 4) if counts else [Way((claim,))])
        ]
    return made


def _growing(word: str, at_infinity: bool) -> list[Expression]:
    """What grows without a bound as a variable goes to infinity, or a distance to 0."""
    x = name(word) if at_infinity else binary("div", num(1), name(word))
    return [*(binary("pow", x, num(power)) for power in POWERS), call("log", x)]


def _both(first: Plan, second: Plan) -> Plan:
    """Two sentences that hold together."""
    why_not = "" if first.against or second.against else first.why_not or second.why_not
    ways = () if first.why_not or second.why_not else Each((first.ways, second.ways))
    return Plan((), ways, why_not, against=(*first.against, *second.against))


def _said(e: Expression) -> str:
    from banditproof.verify.judge.formulas.printing import plain

    return plain(e)


def _places(others: Mapping[str, Range], reading: Reading) -> list[dict[str, Fraction]]:
    """A few simple values of the other variables."""
    if not others:
        return [{}]
    asked = Asked(Compare(num(0), "<=", num(1)), others)
    found = []
    for point in corners(asked):
        if asked.admits(point):
            found.append(point)
        if len(found) == 3:
            break
    return found


def _samples(ranges: Mapping[str, Range], sums: bool) -> dict[str, Any]:
    """Floats of all scales in ranges, in all combinations of a few."""
    lists = []
    for r in ranges.values():
        low, high = (float(value_of(end, {})) for end in (r.low, r.high))
        far = FAR_OF_SUMS if sums else FAR
        if r.integer:
            lists.append(np.unique(np.floor(np.geomspace(max(low, 1), min(high, far), 40))))
        elif isfinite(high):
            lists.append(low + (high - low) * np.concatenate([np.geomspace(1e-4, 1, 20) - 5e-5, [0.5, 0.9]]))
        else:
            lists.append((low if isfinite(low) else 0) + np.geomspace(1e-3, far, 40))
    grids = np.meshgrid(*[entry[:: 1 + (len(lists) > 1) * 3] for entry in lists])
    return {n: grid.ravel() for n, grid in zip(ranges, grids, strict=True)}


def _constant_of(left: Expression, right: Expression, ranges: Mapping[str, Range], reading: Reading) -> Fraction | None:
    """A simple constant C with left <= C right at many places, a little larger than it need be; None without one."""
    try:
        at = _samples(ranges, has(left, "sum", "prod") or has(right, "sum", "prod"))
        with np.errstate(all="ignore"):
            ratio = value_of(left, at) / value_of(right, at)
    except (ValueError, KeyError, ZeroDivisionError, MemoryError):
        return None
    ratio = ratio[np.isfinite(ratio)]
    if not ratio.size or not 0 <= (most := float(ratio.max())) < 1e6:
        return None
    ends = ratio[-5:]
    if ends.size > 3 and ends[-1] == most and ends[-1] > 1.02 * ends[0]:
        return None  # it still grows
    return next((Fraction(c) for c in BOUNDS if c >= 1.02 * most), None)


# ------------------------------------------------------------------------------------------------------- constants


def _exists(sentence: Exists, reading: Reading) -> Plan:
    inner = sentence.sentence
    if not isinstance(inner, Compare):
        return Plan(why_not="a constant of something else than a comparison")
    if sentence.wanted == "least":
        return _first_count(sentence, inner, reading)
    word, ranges = sentence.name, dict(reading.ranges)

    def with_constant(c: Fraction) -> Asked:
        sides = (put(side, {word: num(c)}) for side in (inner.left, inner.right))
        return Asked(Compare(next(sides), inner.sign, next(sides)), ranges, reading.conditions)

    found = [c for c in CONSTANTS if _admits(sentence.range, c) and failing(with_constant(c), draws=1500)[0] is None]

    def ways() -> Iterator[Way]:
        """In turn one for each of three constants: what is hard for the least may be easy with room."""
        chosen = dict.fromkeys((found[0], found[len(found) // 2], found[-1])) if found else ()
        yield from islice(filter(None, chain.from_iterable(zip_longest(*map(ways_with, chosen)))), MOST_WAYS)

    def ways_with(c: Fraction) -> Iterator[Way]:
        for w in plan(Reading(with_constant(c).comparison, ranges, reading.conditions)).ways:
            yield replace(w, because="; ".join(filter(None, (f"{word} = {c} will do", w.because))))

    against: list[tuple[Way, Failure]] = []
    if inner.sign in FLIPPED and inner.sign != "==" and not reading.conditions:
        against = [*islice(_for_every(sentence, inner, ranges, {}), 2)]
        for y in ranges if not against and len(ranges) > 1 else ():
            for value in (v for v in AT if _admits(ranges[y], v)):
                against += islice(_for_every(sentence, inner, ranges, {y: num(value)}), 1)
    return Plan((), Later(ways), "" if found or against else "no constant was found", against=tuple(against[:3]))


def _for_every(
    sentence: Exists, inner: Compare, ranges: Mapping[str, Range], at: Mapping[str, Expression]
) -> Iterator[tuple[Way, Failure]]:
    """Places that depend on the constant, with some variables at numbers, where the comparison fails whatever it is."""
    word, opposite = sentence.name, {"<=": ">", ">=": "<", "<": ">=", ">": "<="}[inner.sign]
    for x in ranges.keys() - at.keys():
        rest = {word: sentence.range, **{n: r for n, r in ranges.items() if n != x and n not in at}}
        if any({x, *at} & (names(r.low) | names(r.high)) for r in rest.values()):
            continue
        for witness in _witnesses(word):
            there = {**at, x: witness}
            fails = Asked(Compare(put(inner.left, there), opposite, put(inner.right, there)), rest)
            inside = _membership(witness, ranges[x], {word: sentence.range})
            if failing(fails, draws=1500)[0] is None and all(failing(a, draws=300)[0] is None for a in inside):
                place = ", ".join(f"{n} = {_said(e)}" for n, e in there.items())
                failure = Failure(sentence, {}, "false", (f"fails for every {word}, at {place}", ""))
                yield Way((fails, *inside), f"at {place} it fails, for every {word}"), failure


def _witnesses(word: str) -> Iterator[Expression]:
    """Places that depend on a constant: far away for a small or a large one."""
    c = name(word)
    for k in (1, 2, 10):
        yield binary("div", num(k), c)
        yield binary("mul", num(k), c)
        yield binary("div", num(k), binary("pow", c, num(2)))
        yield binary("add", binary("div", num(k), c), num(k))
        yield call("exp", binary("div", num(k), c))
        yield call("exp", Expression("neg", (binary("div", num(k), c),)))
        yield binary("add", c, num(k))
        yield call("exp", Expression("neg", (binary("add", c, num(k)),)))


def _membership(e: Expression, r: Range, ranges: Mapping[str, Range]) -> list[Asked]:
    made = []
    for end, sign in ((r.low, ">" if r.low_open else ">="), (r.high, "<" if r.high_open else "<=")):
        if rational(end) not in (inf, -inf):
            made.append(Asked(Compare(e, sign, end), ranges))
    return made if not r.integer else [Asked(Compare(num(0), ">", num(1)), {})]  # a witness that may not be whole


def _admits(r: Range, value: Fraction) -> bool:
    from banditproof.verify.judge.formulas.certain import inside

    return inside(r, value, {})


def _first_count(sentence: Exists, inner: Compare, reading: Reading) -> Plan:
    """For all n from some n_0 on: the count after the last one that fails, or one far out; or it fails from one on."""
    counts = [n for n, r in reading.ranges.items() if r.integer and sentence.name in names(r.low)]
    if len(counts) != 1 or len(reading.ranges) != 1:
        return Plan(why_not="the first count of a statement with other variables")
    n = counts[0]
    low = rational(sentence.range.low)
    start = int(low) if isinstance(low, Fraction) else 1
    fails = ">" if inner.sign == "==" else {"<=": ">", ">=": "<", "<": ">=", ">": "<="}[inner.sign]

    def from_(first: int, sign: str) -> Asked:
        ranges = {n: Range(num(first), INFINITY, integer=True)}
        return Asked(replace(inner, sign=sign), ranges, reading.conditions)

    def failing_among(at: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            margins = from_(start, inner.sign).margins({n: at})
        return at[margins < (-1e-12 if "=" in inner.sign else 1e-12)]  # beyond the largest float nothing is known

    near = np.arange(start, start + 3000.0)
    bad = failing_among(near)
    counting = any(has(side, *COUNTING) for side in (inner.left, inner.right))
    asked = from_(start, inner.sign)
    far = {k for k in FAR_FIRSTS if not counting and asked.fails({n: Fraction(10**k)}) is not None}
    if far:
        later = [k for k in FAR_FIRSTS if k > max(far)]
        first = 10 ** later[0] if later else 0
    else:
        first = start if not bad.size else int(bad[-1]) + 1 if bad[-1] < near[-1] else 10 ** FAR_FIRSTS[0]
    ways, against = [], []
    if first:
        ways = [
            replace(way, because="; ".join(filter(None, (f"{sentence.name} = {_short(first)}", way.because))))
            for way in ways_of(from_(first, inner.sign))
        ]
    last = max(far, default=0) == FAR_FIRSTS[-1] and inner.sign != "==" and not reading.conditions
    for k in sorted(far) if last else ():
        failure = Failure(sentence, {}, "false", (f"fails for every {n} from {_short(10**k)} on", ""))
        against.append((Way((from_(10**k, fails),), f"it fails from {_short(10**k)} on"), failure))
    return Plan((), tuple(ways), "" if ways or against else "no first count was found", against=tuple(against))


FAR_FIRSTS = (6, 12, 40, 100, 200, 300)  # powers of ten at which a first count is looked for


def _short(count: int) -> str:
    return str(count) if count < 10**6 else f"10^{len(str(count)) - 1}"
