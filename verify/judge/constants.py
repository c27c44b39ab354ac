"""The best value of a printed constant: with one number the statement fails, with another one it is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from banditproof.verify.judge.floats import value_of
from banditproof.verify.judge.formula import PI, binary, call, num
from banditproof.verify.judge.found import Bracket
from banditproof.verify.judge.goals import Way
from banditproof.verify.judge.points import Asked, Point, failing
from banditproof.verify.judge.sentence import Compare, Expression, Reading
from banditproof.verify.judge.showing import Budget, first_shown

FURTHEST = 64  # a best constant is looked for within this factor of the printed one
DIGITS = 12  # halvings of the interval between what fails and what seems to hold
CLOSE = Fraction(1, 1000)  # relative: how near to the best one a proof is looked for
ROUNDED = 1e-9  # relative, of a closed form in floats
DRAWS = 3000


def bracket(reading: Reading, budget: Budget) -> Bracket | None:
    """The best value of the first printed factor, as far as it is certain; None without one.

    Where the statement fails with every value, it is asked without the ends of its ranges.
    """
    if not isinstance(reading.sentence, Compare) or reading.sentence.sign not in ("<", "<=", ">", ">="):
        return None
    opened = {n: r if r.integer else replace(r, low_open=True, high_open=True) for n, r in reading.ranges.items()}
    for ranges in [dict(reading.ranges), opened][: 1 + (opened != reading.ranges)]:
        found = _in_ranges(Asked(reading.sentence, ranges, reading.conditions), budget)
        if found is not None:
            return replace(found, inside=ranges == opened != reading.ranges)
    return None


def _in_ranges(asked: Asked, budget: Budget) -> Bracket | None:
    for place, constant in _constants(asked.comparison):
        found = _bracketed(asked, place, constant)
        if found is None:
            continue
        fails, at, seems, stronger = found
        for guess, said in _guesses(float(seems)):
            claim, value = _with(asked, place, guess), float(value_of(guess, {}))
            if not min(seems, fails) <= value * (1 + ROUNDED) or not value * (1 - ROUNDED) <= max(seems, fails):
                continue  # another constant is better than it, or fails
            if failing(claim, DRAWS)[0] is not None:
                continue
            if first_shown((Way((claim,)),), budget)[0] is not None:
                holds = guess.args[0] if guess.head == "num" else None
                return Bracket(constant, fails, holds, said, abs(float(fails) / value - 1), stronger, at)
        near = (seems * (1 - CLOSE) if stronger else seems * (1 + CLOSE)).limit_denominator(10**4)
        shown, _ = first_shown((Way((_with(asked, place, num(near)),)),), budget)
        return Bracket(constant, fails, near if shown else None, larger_is_stronger=stronger, fails_at=at)
    return None


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


def _with(asked: Asked, place: tuple[int, ...], value: Expression) -> Asked:
    """The comparison with another value of a constant."""
    side, *path = place
    sides = [asked.comparison.left, asked.comparison.right]
    sides[side] = _put_at(sides[side], path, value)
    return replace(asked, comparison=Compare(sides[0], asked.comparison.sign, sides[1]))


def _put_at(e: Expression, path: list[int], value: Expression) -> Expression:
    if path:
        parts = (_put_at(a, path[1:], value) if k == path[0] else a for k, a in enumerate(e.args))
        return Expression(e.head, tuple(parts))
    found = _parted(e)
    assert found is not None  # the place of a factor
    return binary("mul", value, found[1])


def _bracketed(
    asked: Asked, place: tuple[int, ...], constant: Fraction
) -> tuple[Fraction, Point, Fraction, bool] | None:
    """A value that certainly fails, and where; one near it that seems to hold; and whether larger values say more."""

    def fails(value: Fraction) -> bool:
        return failing(_with(asked, place, num(value)), DRAWS)[0] is not None

    good = bad = None
    factor = Fraction(1)
    while factor <= FURTHEST and (good is None or bad is None):
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
    from banditproof.verify.judge.printing import plain

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
