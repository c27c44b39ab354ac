"""The best value of a printed constant: with one number the statement fails, with another one it is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil, floor, log10

from banditproof.verify.judge.floats import value_of
from banditproof.verify.judge.formula import PI, binary, call, num
from banditproof.verify.judge.found import Bracket
from banditproof.verify.judge.goals import ways_of
from banditproof.verify.judge.points import Asked, Point, failing
from banditproof.verify.judge.printing import decimal, plain
from banditproof.verify.judge.proofs import Late, within
from banditproof.verify.judge.sentence import Compare, Expression, Reading
from banditproof.verify.judge.showing import Budget, Evidence, first_shown

FURTHEST = 64  # a best constant is looked for within this factor of the printed one
NEARBY, MOST_CHANGED = 4, 3  # the same for what repairs a false statement, and how many of its constants are tried
DIGITS = 12  # halvings of the interval between what fails and what seems to hold
DIGITS_TRIED = 4, 2, 1  # of a number near the best one, for which a proof is looked for
ROUNDED = 1e-9  # relative, of a closed form in floats
DRAWS = 3000
MOST_WAYS = 4  # in which a changed statement is proved
Place = tuple[int, ...]


def bracket(reading: Reading, budget: Budget) -> Bracket | None:
    """The best value of the first printed factor, as far as it is certain; None without one.

    Where the statement fails with every value, it is asked without the ends of its ranges.
    """
    if not isinstance(reading.sentence, Compare) or reading.sentence.sign not in ("<", "<=", ">", ">="):
        return None
    opened = {n: r if r.integer else replace(r, low_open=True, high_open=True) for n, r in reading.ranges.items()}
    for ranges in [dict(reading.ranges), opened][: 1 + (opened != reading.ranges)]:
        asked = Asked(reading.sentence, ranges, reading.conditions)
        for place, constant in _constants(asked.comparison):
            found = _around(asked, place, constant, budget, FURTHEST)
            if found is not None:
                return replace(found[0], inside=ranges == opened != reading.ranges)
    return None


def corrected(asked: Asked, budget: Budget) -> tuple[Bracket, tuple[Asked, str, Evidence] | None] | None:
    """Where the best number in place of a printed one lies, of a false comparison; and what is true with another one.

    The second is the changed comparison, the change in words, and a proof; None where none is found.

    Integers and their reciprocals come last; factors of a side come before those inside of exp, log and sqrt, and these
    before those of the conditions.
    """
    sides = (asked.comparison.left, asked.comparison.right)
    inner = [((k, *path), value) for k in (1, 0) for path, value in _inside(sides[k])]
    of_conditions = [e for c in asked.conditions if isinstance(c, Compare) for e in (c.left, c.right)]
    given = [
        ((2 + k, *path), value) for k, e in enumerate(of_conditions) for path, value in (*_factors(e), *_inside(e))
    ]
    places = dict.fromkeys((*_constants(asked.comparison), *inner, *given))
    known = None
    for place, constant in sorted(places, key=lambda found: 1 in found[1].as_integer_ratio())[:MOST_CHANGED]:
        found = _around(asked, place, constant, budget, NEARBY)
        bracket, claim, evidence = found or (None, None, ())
        if bracket is not None and claim is not None:
            said = bracket.best or (decimal(bracket.holds) if bracket.holds is not None else "")
            return bracket, (claim, f"{said} in place of {decimal(constant)}", evidence)
        known = known or bracket
        if budget.over:
            break
    return None if known is None else (known, None)


def _around(
    asked: Asked, place: Place, constant: Fraction, budget: Budget, furthest: int
) -> tuple[Bracket, Asked | None, Evidence] | None:
    """The bracket of one constant, and the comparison with one that holds, if that is proved."""
    try:
        with within(budget.left):
            found = _bracketed(asked, place, constant, furthest)
    except Late:
        return None
    if found is None:
        return None
    fails, at, seems, stronger = found

    def shown(claim: Asked) -> Evidence | None:
        way, _ = first_shown((w for w in islice(ways_of(claim), MOST_WAYS) if not w.facts), budget)
        return None if way is None else way[1]

    for guess, said in _guesses(float(seems)):
        claim, value = _with(asked, place, guess), float(value_of(guess, {}))
        if not min(seems, fails) <= value * (1 + ROUNDED) or not value * (1 - ROUNDED) <= max(seems, fails):
            continue  # another constant is better than it, or fails
        if failing(claim, DRAWS)[0] is None and (evidence := shown(claim)) is not None:
            holds = guess.args[0] if guess.head == "num" else None
            return Bracket(constant, fails, holds, said, abs(float(fails) / value - 1), stronger, at), claim, evidence
    for digits in DIGITS_TRIED:
        near = _rounded(seems, digits, down=stronger)
        claim = _with(asked, place, num(near))
        if near > 0 and (evidence := shown(claim)) is not None:
            return Bracket(constant, fails, near, larger_is_stronger=stronger, fails_at=at), claim, evidence
    return Bracket(constant, fails, None, larger_is_stronger=stronger, fails_at=at), None, ()


def _rounded(value: Fraction, digits: int, down: bool) -> Fraction:
    """A number of so many digits on the weaker side of a value, of many digits a little beyond."""
    unit, beyond = Fraction(10) ** (floor(log10(value)) + 1 - digits), int(digits == DIGITS_TRIED[0])
    return (floor(value / unit) - beyond) * unit if down else (ceil(value / unit) + beyond) * unit


def _constants(comparison: Compare) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Factors of the right and of the left side, or of a summand, by their place: not those inside of functions."""
    for side in (1, 0):
        e = (comparison.left, comparison.right)[side]
        yield from ((((side, *path)), value) for path, value in _factors(e))


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


def _bracketed(
    asked: Asked, place: Place, constant: Fraction, furthest: int
) -> tuple[Fraction, Point, Fraction, bool] | None:
    """A value that certainly fails, and where; one near it that seems to hold; and whether larger values say more."""

    seen: list[Point] = []  # where another value fails, which is where one looks first

    def fails(value: Fraction) -> bool:
        claim = _with(asked, place, num(value))
        if any(claim.fails(point) is not None for point in seen):
            return True
        found, _ = failing(claim, DRAWS)
        seen.extend([] if found is None else [found.point])
        return found is not None

    good = bad = None
    factor = Fraction(1)
    while factor <= furthest and (good is None or bad is None):
        for value in {constant * factor, constant / factor}:
            if fails(value):
                bad = value if bad is None or abs(value - constant) < abs(bad - constant) else bad
            else:
                good = value if good is None or abs(value - constant) < abs(good - constant) else good
        factor *= 2
    if good is None or bad is None:
        return None
    for _ in range(DIGITS):
        middle = (good + bad) / 2
        if fails(middle):
            bad = middle
        else:
            good = middle
    for value in (bad.limit_denominator(10**6), bad):
        found, _ = failing(_with(asked, place, num(value)), DRAWS)
        if found is not None:
            return value, found.point, good, bad > good
    return None


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
    ]
    for form in forms:
        size = float(value_of(form, {}))
        for simple in (Fraction(value / size).limit_denominator(k) for k in (1, 2, 4, 8, 12)):
            if simple and abs(float(simple) * size - value) <= 2e-3 * abs(value):
                made = binary("mul", num(simple), form) if form != num(1) else num(simple)
                yield made, plain(made)
                break
