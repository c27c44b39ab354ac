"""Small worlds, in which it is tried whether the premises of a statement can hold at all.

In each of them a space is one point, 0: every law on it is sure, every function a number. That is enough for
mechanisms that tell nothing apart, for equal laws and for a policy that always plays the first arm. A premise that
fails in all of these worlds, at all numbers that are tried, is taken for one that nothing meets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from banditproof.verify.kernel.terms import All, Formula, Rel, Term, check

Number = Fraction | float
WORLDS, TRIES, MOST_ATOMS = 100, (24, 6, 3), 64  # tries at each depth of what is bound
NUMBERS = [Fraction(k, 2) for k in (0, 1, 2, 3, 4, 6, -1)]
NATURAL = [Fraction(k) for k in range(4)]
VALUES = [Fraction(1), Fraction(0), Fraction(1, 2)]  # of functions and laws
CODES = frozenset("a b d e h o q r x y z".split())


class TooLarge(ValueError):
    """A world is too large to be looked through."""


def can_be_met(statement: All, numbers: Mapping[str, Sequence[Fraction]]) -> bool:
    """Whether some world was found in which all premises hold, on the way to the conclusion too."""
    draw = Random(0)
    return any(_met(statement.given, statement.then, world, draw) for world in _worlds(statement, numbers, draw))


def _worlds(statement: All, numbers: Mapping[str, Sequence[Fraction]], draw: Random) -> Iterator[dict[str, Number]]:
    """Values of the names; first all functions are 1, of which many premises speak."""
    kinds: dict[str, Any] = {}
    check(statement, kinds)
    for k in range(WORLDS):
        yield {
            name: draw.choice(numbers[name]) if name in numbers else _value_of(name, kinds, k, draw)
            for name in statement.params
        }


def _value_of(name: str, kinds: Mapping[str, Any], k: int, draw: Random) -> Number:
    kind = kinds.get(name, "point")
    if kind == "point" or kind[0] == "law":
        return Fraction(0)
    return draw.choice(VALUES) if k % 4 == 3 else Fraction(1) if k % 2 == 0 else Fraction(0)


def _met(given: tuple[Formula, ...], then: Formula, at: Mapping[str, Number], draw: Random) -> bool:
    """Whether the premises hold in a world, and those of the conclusion for some values of what it binds."""
    if not all(holds(g, at, draw) for g in given):
        return False
    if isinstance(then, Rel):
        return True
    return any(_met(then.given, then.then, {**at, **own}, draw) for own in _choices(then, draw, 0))


def _choices(f: All, draw: Random, depth: int) -> Iterator[dict[str, Number]]:
    """Values of what a formula binds: natural numbers where it says so."""
    kinds: dict[str, Any] = {}
    check(f, kinds)
    natural = {g.args[0].args[0] for g in f.given if isinstance(g, Rel) and g.op == "nat" and g.args[0].op == "var"}
    for k in range(TRIES[min(depth, 2)] if f.params else 1):
        yield {
            name: draw.choice(NATURAL)
            if name in natural
            else Fraction(0)
            if kinds.get(name, "point") == "point" and name in CODES
            else draw.choice(NUMBERS)
            if kinds.get(name, "point") == "point"
            else _value_of(name, kinds, k, draw)
            for name in f.params
        }


def holds(f: Formula, at: Mapping[str, Number], draw: Random, depth: int = 0) -> bool:
    """Whether a formula holds in a world, for the values that are tried of what it binds."""
    if isinstance(f, All):
        return all(
            holds(f.then, {**at, **own}, draw, depth + 1)
            for own in _choices(f, draw, depth)
            if all(holds(g, {**at, **own}, draw, depth + 1) for g in f.given)
        )
    try:
        values = [value(t, at) for t in f.args]
    except (ArithmeticError, ValueError):
        return False
    left, right = values[0], values[-1]
    if f.op == "nat":
        return left >= 0 and left == int(left)
    return left == right if f.op == "=" else left <= right if f.op == "<=" else left < right


def value(t: Term, at: Mapping[str, Number]) -> Number:
    """A number in a world. Raises ArithmeticError or ValueError where it has none."""
    if t.op in ("num", "var", "app"):
        return t.args[0] if t.op == "num" else at[t.args[0]]
    if t.op == "mean":
        (x,), law, body = t.args
        return sum((weight * value(body, {**at, x: v}) for v, weight in _atoms(law, at)), Fraction(0))
    parts: list[Any] = [value(a, at) for a in t.args]
    if t.op == "add":
        return sum(parts, Fraction(0))
    if t.op in ("mul", "inv"):
        return math.prod(parts, start=Fraction(1)) if t.op == "mul" else 1 / parts[0]
    if t.op == "ind":
        return Fraction(parts[0] <= parts[1])
    return math.exp(parts[0]) if t.op == "exp" else math.log(parts[0])


def _atoms(law: Term, at: Mapping[str, Number]) -> list[tuple[Number, Fraction]]:
    found = list(_all_atoms(law, at))
    if len(found) > MOST_ATOMS:
        raise TooLarge("a law has too many atoms")
    return found


def _all_atoms(law: Term, at: Mapping[str, Number]) -> Iterator[tuple[Number, Fraction]]:
    if law.op == "dirac":
        yield value(law.args[0], at), Fraction(1)
    elif law.op == "mix":
        (x,), first, second = law.args
        for v, weight in _atoms(first, at):
            yield from ((u, weight * share) for u, share in _atoms(second, {**at, x: v}))
    elif law.op == "steps":
        (i, h), n, start, step = law.args
        runs = [(value(start, at), Fraction(1))]
        for k in range(min(int(value(n, at)), MOST_ATOMS)):
            round_at = {**at, i: Fraction(k)}
            runs = [(u, w * s) for v, w in runs for u, s in _atoms(step, {**round_at, h: v})][: MOST_ATOMS + 1]
        yield from runs
    elif law.args[0] == "Unif":
        count = int(value(law.args[1], at)) or 1
        yield from ((Fraction(k), Fraction(1, count)) for k in range(min(count, MOST_ATOMS + 1)))
    elif law.args[0] == "Unit":
        yield from ((Fraction(k, 4), Fraction(1, 2)) for k in (1, 3))
    else:
        yield at[law.args[0]], Fraction(1)
