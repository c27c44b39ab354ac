"""The best value of a printed constant: with one number the statement fails, with another one it is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil, floor, inf, log10
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import PI, binary, call, has, name, num
from banditproof.verify.judge.formulas.printing import decimal, plain
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Reading
from banditproof.verify.judge.found import Bracket
from banditproof.verify.judge.showing import MOST_DEEPER, Budget, Evidence, first_shown
from banditproof.verify.judge.ways.goals import ways_of
from banditproof.verify.judge.ways.points import FAR_SUM, Asked, Point, _drawn, _moved, corners, simpler
from banditproof.verify.judge.ways.proofs import Late, within

FURTHEST = 64  # a best constant is looked for within this factor of the printed one
NEARBY, MOST_CHANGED = 4, 3  # the same for what repairs a false statement, and how many of its constants are tried
HALVINGS = 26  # of the interval between two ends
RESOLVED = 6e-4  # relative, how close to the best one it comes
STARTS, TRIES, IDLE = 4, 40, 10  # points from which one descends, tries at each, and rounds that gain nothing
FLOAT, FLOAT_OF_COUNTS, ROUGH = 1e-13, 1e-9, 0.1  # margins that say something; the share of one for rounding
NEIGHBOURS = 3 * 2.0**-52, -7 * 2.0**-52, 1e-6, -3e-6  # relative distances
FEW_DRAWS, FEW_SEEN = 200, 5  # points of sums and extrema, and points that are looked at exactly
OF_A_FAILURE = 7  # digits
DIGITS_TRIED = 2, 4  # of a number near the best one, for which a proof is looked for
MOST_GUESSES, MOST_TIMES = 2, 50  # closed forms, and how many times a number such as pi is one
CONSTANT = "_c"
SURE = 2e-4  # relative, how well exact numbers confirm floats, whose neighbours must fail too
ROUNDED = 1e-9  # relative, of a closed form in floats
DRAWS = 3000
MOST_WAYS = 4  # in which a changed statement is proved
NEAR = 1e-4  # relative: closed forms that are as close are as good
SHORT = 4  # the largest denominator of a short fraction
OF_A_CLOSER = 0.1  # the share of the work for a closer number, where a rough one is proved
Place = tuple[int, ...]
Worst = tuple[Fraction, Point, Fraction, bool]
"""A value that certainly fails, and where; one near it that seems to hold; and whether larger values say more."""


def bracket(reading: Reading, budget: Budget, facts: tuple[str, ...] = ()) -> Bracket | None:
    """The best value of a printed number, as far as it is certain; None without one.

    That is the first of these that has one: the factors of the sides, those inside of exp, log and sqrt, and numbers
    that are added. Where the statement fails with every value, it is asked without the ends of its ranges. Proofs may
    use the textbook `facts` on which the statement itself rests.
    """
    if not isinstance(reading.sentence, Compare) or reading.sentence.sign not in ("<", "<=", ">", ">="):
        return None
    opened = {n: r if r.integer else replace(r, low_open=True, high_open=True) for n, r in reading.ranges.items()}
    for ranges in [dict(reading.ranges), opened][: 1 + (opened != reading.ranges)]:
        asked = Asked(reading.sentence, ranges, reading.conditions)
        for place, constant in dict.fromkeys((*_constants(asked.comparison), *_inner(asked), *_added(asked))):
            worst = _nearby(asked, place, constant, budget, FURTHEST)
            if worst is not None:
                best, _, _ = _around(asked, place, constant, budget, worst, facts)
                return replace(best, inside=ranges == opened != reading.ranges)
    return None


def corrected(asked: Asked, budget: Budget) -> tuple[Bracket, tuple[Asked, str, Evidence] | None] | None:
    """Where the best number in place of a printed one lies, of a false comparison; and what is true with another one.

    The second is the changed comparison, the change in words, and a proof; None where none is found.

    Integers and their reciprocals come last; factors of a side come before those inside of exp, log and sqrt, and these
    before those of the conditions.
    """
    if not asked.ranges:  # any other number could stand in a comparison of numbers
        return None
    of_conditions = [e for c in asked.conditions if isinstance(c, Compare) for e in (c.left, c.right)]
    given = [
        ((2 + k, *path), value) for k, e in enumerate(of_conditions) for path, value in (*_factors(e), *_inside(e))
    ]
    places = dict.fromkeys((*_constants(asked.comparison), *_inner(asked), *given))
    every = sorted(places, key=lambda found: 1 in found[1].as_integer_ratio())[:MOST_CHANGED]
    found = [(b, c, p) for p, c in every if (b := _nearby(asked, p, c, budget, NEARBY)) is not None]
    for worst, constant, place in sorted(found, key=lambda f: _is_odd(f[0])):
        bracket, claim, evidence = _around(asked, place, constant, budget, worst)
        if claim is not None:
            said = bracket.best or (decimal(bracket.holds) if bracket.holds is not None else "")
            return bracket, (claim, f"{said} in place of {decimal(constant)}", evidence)
        if budget.over:
            break
    if not found:
        return None
    (fails, at, _, stronger), constant, _ = found[0]
    return Bracket(constant, fails, None, larger_is_stronger=stronger, fails_at=at), None


def _nearby(asked: Asked, place: Place, constant: Fraction, budget: Budget, furthest: int) -> Worst | None:
    try:
        with within(budget.left):
            return _bracketed(asked, place, constant, furthest)
    except Late:
        return None


def _is_odd(worst: Worst) -> bool:
    """Whether no short fraction is near the best value."""
    return all(guess.head != "num" or guess.args[0].denominator > SHORT for guess, _ in _between(worst))


def _between(worst: Worst) -> list[tuple[Expression, str]]:
    """Closed forms between a value that fails and one that seems to hold, those near the former first."""
    fails, _, seems, _ = worst
    low, high = sorted((seems, fails))
    sizes = [(float(value_of(guess, {})), guess, said) for guess, said in _guesses(float(seems))]
    inside = [f for f in sizes if low <= f[0] * (1 + ROUNDED) and f[0] * (1 - ROUNDED) <= high]
    inside.sort(key=lambda f: round(abs(f[0] / float(fails) - 1) / NEAR))
    return [(guess, said) for _, guess, said in inside]


def _around(
    asked: Asked, place: Place, constant: Fraction, budget: Budget, worst: Worst, facts: tuple[str, ...] = ()
) -> tuple[Bracket, Asked | None, Evidence]:
    """The bracket of one constant, and the comparison with one that holds, if that is proved."""
    fails, at, seems, stronger = worst
    hurried = budget.most < inf

    def shown(value: Expression, budget: Budget) -> Evidence | None:
        every = islice(ways_of(_with(asked, place, value)), MOST_WAYS if hurried else None)
        way, _ = first_shown((w for w in every if {*w.facts} <= {*facts}), budget, 0 if hurried else MOST_DEEPER)
        return None if way is None else way[1]

    for guess, said in islice(_between(worst), MOST_GUESSES):
        if (evidence := shown(guess, budget)) is not None:
            holds = guess.args[0] if guess.head == "num" else None
            gap = abs(float(fails) / float(value_of(guess, {})) - 1)
            return Bracket(constant, fails, holds, said, gap, stronger, at), _with(asked, place, guess), evidence
    best: tuple[Bracket, Asked | None, Evidence] | None = None
    for digits in DIGITS_TRIED:  # where a rough number cannot be proved, a close one cannot
        near = _rounded(seems if digits == DIGITS_TRIED[0] else fails, digits, down=stronger)
        if near <= 0 or (evidence := shown(num(near), budget)) is None:
            break
        found = Bracket(constant, fails, near, larger_is_stronger=stronger, fails_at=at)
        best = found, _with(asked, place, num(near)), evidence
        budget = replace(budget, share=budget.share * OF_A_CLOSER)
    return best or (Bracket(constant, fails, None, larger_is_stronger=stronger, fails_at=at), None, ())


def _rounded(value: Fraction, digits: int, down: bool) -> Fraction:
    """A number of so many digits on the weaker side of a value, of many digits a little beyond."""
    unit, beyond = Fraction(10) ** (floor(log10(value)) + 1 - digits), int(digits == DIGITS_TRIED[-1])
    return (floor(value / unit) - beyond) * unit if down else (ceil(value / unit) + beyond) * unit


def _constants(comparison: Compare) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Factors of the right and of the left side, or of a summand, by their place: not those inside of functions."""
    for side in (1, 0):
        e = (comparison.left, comparison.right)[side]
        yield from ((((side, *path)), value) for path, value in _factors(e))


def _inner(asked: Asked) -> list[tuple[Place, Fraction]]:
    sides = (asked.comparison.left, asked.comparison.right)
    return [((k, *path), value) for k in (1, 0) for path, value in _inside(sides[k])]


def _added(asked: Asked) -> Iterator[tuple[Place, Fraction]]:
    """Numbers that are summands of the right or of the left side."""
    for side in (1, 0):
        e = (asked.comparison.left, asked.comparison.right)[side]
        if e.head in ("add", "sub"):
            yield from (
                ((side, k), part.args[0]) for k, part in enumerate(e.args) if part.head == "num" and part.args[0] > 0
            )


def _factors(e: Expression) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    if e.head in ("add", "sub"):
        for k, part in enumerate(e.args):
            if part.head != "num":
                yield from (((k, *path), value) for path, value in _factors(part))
    elif e.head == "neg":
        yield from (((0, *path), value) for path, value in _factors(e.args[0]))
    elif (found := _parted(e)) is not None and found[0] > 0:
        yield (), found[0]


def _inside(e: Expression) -> Iterator[tuple[Place, Fraction]]:
    """Factors of the arguments of exp, log and sqrt, by their place, where a side only rises, or only falls, with them.

    So the values with which a statement holds are an interval, as they are for a factor of a side.
    """
    of_call = e.head == "call" and e.args[0] in ("exp", "log", "sqrt")
    inner = e.args if of_call or e.head in ("add", "sub", "neg", "mul") else e.args[: e.head == "div"]
    for k, part in enumerate(inner):
        if isinstance(part, Expression):
            yield from (((k, *path), value) for path, value in (*(_factors(part) if of_call else ()), *_inside(part)))


def _parted(e: Expression) -> tuple[Fraction, Expression] | None:
    """The number that a product is a multiple of, and the rest; None where no number is printed."""
    if e.head == "num":
        return e.args[0], num(1)
    if e.head == "neg":
        found = _parted(e.args[0])
        return None if found is None else (found[0], Expression("neg", (found[1],)))
    if e.head not in ("mul", "div"):
        return None
    parted = [_parted(part) for part in e.args]
    if parted == [None, None]:
        return None
    (a, left), (b, right) = (found or (Fraction(1), part) for found, part in zip(parted, e.args, strict=True))
    if e.head == "div" and b == 0:
        return None
    return (a * b if e.head == "mul" else a / b), binary(e.head, left, right)


def _with(asked: Asked, place: Place, value: Expression) -> Asked:
    """The comparison with another value of a constant, of a side or of a condition."""
    side, *path = place
    told = [asked.comparison, *(c for c in asked.conditions if isinstance(c, Compare))]
    c = told[side // 2]
    sides = [c.left, c.right]
    sides[side % 2] = _put_at(sides[side % 2], path, value)
    changed = Compare(sides[0], c.sign, sides[1])
    if side < 2:
        return replace(asked, comparison=changed)
    return replace(asked, conditions=tuple(changed if d is c else d for d in asked.conditions))


def _put_at(e: Expression, path: list[int], value: Expression) -> Expression:
    if path:
        parts = (_put_at(a, path[1:], value) if k == path[0] else a for k, a in enumerate(e.args))
        return Expression(e.head, tuple(parts))
    found = _parted(e)
    assert found is not None  # the place of a factor
    return binary("mul", value, found[1])


def _bracketed(asked: Asked, place: Place, constant: Fraction, furthest: int) -> Worst | None:
    """How far a constant can go, seen from points.

    Each point has a value up to which the comparison holds there, found by halving at all points at once in floats. The
    best constant is the worst of these. Exact numbers confirm the point. Without variables there is none to draw.
    """
    if not asked.ranges:
        return None
    try:
        found = _Holding(asked, place, constant, furthest).worst()
    except (ValueError, OverflowError, MemoryError):  # sums of too many terms
        return None
    if found is None:
        return None
    least, largest_fails, points = found
    for point in points:
        for beyond in (1e-5, 1e-4, 1e-3):
            value = Fraction(least * (1 + beyond if largest_fails else 1 - beyond))
            value = _rounded(value, OF_A_FAILURE, down=not largest_fails)
            if value > 0 and (failure := _with(asked, place, num(value)).fails(point)) is not None:
                seems = Fraction(least * (1 - RESOLVED if largest_fails else 1 + RESOLVED))
                return value, simpler(_with(asked, place, num(value)), failure).point, seems, largest_fails
    return None


class _Holding:
    """With which values of a constant a comparison holds at points, in floats."""

    def __init__(self, asked: Asked, place: Place, constant: Fraction, furthest: int) -> None:
        if asked.comparison.sign == "==":  # it holds with one value alone, up to which one side is at most the other
            asked = replace(asked, comparison=replace(asked.comparison, sign="<="))
        self.asked, self.place = asked, place
        self.of_value = _with(asked, place, name(CONSTANT))
        self.ends = float(constant) / furthest, float(constant) * furthest
        self.generator = np.random.default_rng(17)

    def worst(self) -> tuple[float, bool, list[Point]] | None:
        """The first value that fails somewhere, seen from those that hold; whether it is larger than them; points."""
        draws = FEW_DRAWS if self.asked.sums or _is_extreme(self.asked) else DRAWS
        at = {n: _drawn(self.asked, n, draws, self.generator) for n in self.asked.ranges}
        simple = list(islice(corners(self.asked), draws // 10))
        if self.asked.sums and len(at) == 1:
            simple += [{n: min(FAR_SUM, self.asked.ends[n][1]) for n in at}]
        at = {n: np.concatenate([[float(p[n]) for p in simple], values]) for n, values in at.items()}
        low, high = (self.fails(end, at) for end in self.ends)
        valueless = np.isnan(self.of_value.margins({**at, CONSTANT: np.full(low.shape, self.ends[0])}))[: len(simple)]
        doubtful = (*np.flatnonzero(low & high)[:FEW_SEEN], *np.flatnonzero(valueless)[:FEW_SEEN])
        for k in doubtful:  # with every value, or by rounding
            point = self.exact(at, k)
            if all(_with(self.asked, self.place, num(Fraction(e))).fails(point) is not None for e in self.ends):
                return None
        low, high = low & ~high, high & ~low
        if low.any() == high.any():
            return None
        up, chosen = bool(high.any()), np.flatnonzero(high if high.any() else low)
        at = {n: values[chosen] for n, values in at.items()}
        values = self.halved(at, up)
        order = np.argsort(values if up else -values, kind="stable")
        picked = [int(order[k]) for k in (0, *(2**k for k in range(12))) if k < order.size]
        kept = [k for k in dict.fromkeys(picked) if self.is_certain(float(values[k]), self.exact(at, k), up)][:STARTS]
        if not kept:
            return None
        for value, where in reversed(self.descended(at, values, kept, up)):
            point = {n: Fraction(v) for n, v in where.items()}
            if self.is_certain(value, point, up):
                return value, up, [point, *(self.exact(at, k) for k in kept)]
        return None

    def exact(self, at: dict[str, Any], k: int) -> Point:
        return {n: Fraction(float(values[k])) for n, values in at.items()}

    def fails(self, value: Any, at: dict[str, Any]) -> Any:
        """Where the comparison fails by more than rounding, which is how much the margins of neighbours differ."""
        shape = np.shape(next(iter(at.values())))
        values = np.broadcast_to(np.asarray(value, dtype=float), shape)
        margins = self.of_value.margins({**at, CONSTANT: values})
        reals = [n for n, r in self.asked.ranges.items() if not r.integer]
        failing = margins < -(FLOAT if reals else FLOAT_OF_COUNTS)
        some = np.flatnonzero(failing)
        if not some.size or not reals:
            return failing
        sure = np.ones(some.size, dtype=bool)
        for share in NEIGHBOURS:
            near = {n: v[some] * (1 + (share if n in reals else 0)) for n, v in at.items()}
            moved = self.of_value.margins({**near, CONSTANT: values[some]})
            sure &= ~(np.abs(moved - margins[some]) > -ROUGH * margins[some])
        failing[some] = sure
        return failing

    def halved(self, at: dict[str, Any], up: bool) -> Any:
        """At each point the value from which on the comparison fails, towards the end at which it does."""
        shape = np.shape(next(iter(at.values())))
        good, bad = (np.full(shape, np.log(end)) for end in (self.ends if up else self.ends[::-1]))
        for _ in range(HALVINGS):
            middle = (good + bad) / 2
            failing = self.fails(np.exp(middle), at)
            good, bad = np.where(failing, good, middle), np.where(failing, middle, bad)
        return np.exp(bad)

    def is_certain(self, value: float, point: Point, up: bool) -> bool:
        """Whether exact numbers say, too, that a value a little beyond fails at a point, and one before it does not."""
        beyond, before = (Fraction(value * (1 + (s if up else -s) * SURE)) for s in (1, -1))
        fails = [_with(self.asked, self.place, num(v)).fails(point) is not None for v in (beyond, before)]
        return fails == [True, False]

    def descended(
        self, at: dict[str, Any], values: Any, kept: list[int], up: bool
    ) -> list[tuple[float, dict[str, float]]]:
        """From the worst points to worse ones, by steps that get smaller: what was found, the worst last."""
        found = [(float(values[k]), {n: float(v[k]) for n, v in at.items()}) for k in reversed(kept)]
        step, idle = 0.5, 0
        while idle < IDLE:
            moves = [
                {n: _moved(self.asked, n, v, step * self.generator.standard_normal(TRIES)) for n, v in place.items()}
                for _, place in found[-STARTS:]
            ]
            near = {n: np.concatenate([m[n] for m in moves]) for n in self.asked.ranges}
            failing = np.flatnonzero(self.fails(found[-1][0] * (1 - ROUNDED if up else 1 + ROUNDED), near))
            step, idle = step * 0.8, idle + 1
            if failing.size:
                worse = {n: v[failing] for n, v in near.items()}
                reached = self.halved(worse, up)
                k = int(np.argmin(reached) if up else np.argmax(reached))
                idle = idle if abs(float(reached[k]) / found[-1][0] - 1) < SURE else 0
                found.append((float(reached[k]), {n: float(v[k]) for n, v in worse.items()}))
        return found


def _is_extreme(asked: Asked) -> bool:
    """Whether it has an infimum or a supremum, which takes long in floats."""
    return any(has(side, "inf", "sup") for side in (asked.comparison.left, asked.comparison.right))


def _guesses(value: float) -> Iterator[tuple[Expression, str]]:
    """Closed forms near a number: small quotients, and these times sqrt 2, sqrt pi, pi, e, log 2."""
    forms = [
        num(1),
        call("sqrt", num(2)),
        call("sqrt", num(3)),
        PI,
        call("sqrt", PI),
        call("exp", num(1)),
        call("log", num(2)),
        call("exp", num(-1)),
        call("sqrt", binary("mul", num(2), PI)),
        binary("pow", PI, num(2)),
    ]
    for form in forms:
        size = float(value_of(form, {}))
        for simple in (Fraction(value / size).limit_denominator(k) for k in (1, 2, 4, 8, 12)):
            if simple.numerator > MOST_TIMES and form != num(1):
                continue
            if simple and abs(float(simple) * size - value) <= 2e-3 * abs(value):
                made = binary("mul", num(simple), form) if form != num(1) else num(simple)
                yield made, plain(made)
                break
