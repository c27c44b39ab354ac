"""A comparison in one real number by a chain of derivatives, each of which changes its sign once at most.

A function has the signs (s, t) where s g >= 0 before some place and t g >= 0 after it. Where its derivative has the
signs (m, n), g moves that way: from its sign near an end, where it starts or stops, one tells its own signs, and so on,
back to the gap of the sides. A factor that is positive changes no sign, so each derivative may lose its denominators:
f_(j+1) = h_j f_j' with h_j > 0. The last one is without logarithms and exponentials, and has one sign.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from banditproof.verify.judge.formulas.floats import value_of
from banditproof.verify.judge.formulas.formula import NoSlope, NoStatement, binary, names, num, parts, rational, slope
from banditproof.verify.judge.formulas.sentence import Compare, Expression, Range
from banditproof.verify.judge.formulas.symbolic import from_sympy, symbols_of, to_sympy
from banditproof.verify.judge.ways.from_far import Claims, at_end, logged, turned
from banditproof.verify.judge.ways.pieces import SPOILED, ZERO
from banditproof.verify.judge.ways.points import Asked, Near, failing, has_value, seems_true

DEEPEST, LONGEST, MOST_STEPS = 6, 300, 40  # derivatives, their parts, and functions that are differentiated
PLACES, LEVEL, NEIGHBOURS = 40, 1e-10, 3  # where signs are looked at, and what counts as 0 beside the largest value
DRAWS, SIMPLEST = 2000, (1, 2, 3, 4, 5, 10)  # points, near one of which the sides may touch at such denominators
BECAUSE = "the derivatives of the gap of the sides change their signs once at most"
TOWARDS = "towards the ends of the range the gap of the sides moves one way"
MOST_TURNS, WIDER = 4, 3  # of the gap, and by how many places what is left for boxes is wider than them
Signs = tuple[int, int]
Link = tuple[Expression, Expression, Signs]  # a positive factor, the next function, and its signs


def by_turns(asked: Asked) -> Iterator[tuple[Claims, str]]:
    """Claims that imply a comparison in one real number, and why: on the range, or up to where the sides touch."""
    if len(asked.ranges) != 1 or asked.conditions or asked.comparison.sign not in ("<", "<=", ">", ">="):
        return
    ((x, r),) = asked.ranges.items()
    if r.integer or asked.sums or names(r.low) | names(r.high):
        return
    ends = [end for end, open_ in ((r.low, r.low_open), (r.high, r.high_open)) if not open_]
    for cut in ((), _touching(asked, x, r)):
        places = (r.low, *cut, r.high)
        pieces = [Range(a, b, low_open=True, high_open=True) for a, b in itertools.pairwise(places)]
        each = [next(_on_a_piece(asked, x, piece), None) for piece in pieces]
        if all(each):
            claims = [claim for found in each if found for claim in found]
            yield (*(at_end(asked, x, end) for end in (*ends, *cut)), *claims), BECAUSE
            return
    if (around := _around_turns(asked, x, r)) is not None:
        a, b = around
        outer = [Range(r.low, a, low_open=True, high_open=True), Range(b, r.high, low_open=True, high_open=True)]
        each = [next(_on_a_piece(asked, x, piece), None) for piece in outer if piece.low != piece.high]
        if all(each):
            claims = [claim for found in each if found for claim in found]
            between = replace(asked, ranges={x: Range(a, b)})
            if _seem_true((between,)):
                yield (*(at_end(asked, x, end) for end in ends), *claims, between), TOWARDS


def _seem_true(claims: Claims) -> bool:
    """Whether floats see no inequality fail; of equations, which SymPy gives, rounding spoils too much near 0."""
    compared = (c for c in claims if isinstance(c, Asked) and c.comparison.sign != "==")
    return all(seems_true(claim, DRAWS, SPOILED) for claim in compared)


def _around_turns(asked: Asked, x: str, r: Range) -> tuple[Expression, Expression] | None:
    """Two numbers between which the gap has all its turns, as floats see them: before and behind it moves one way."""
    low, high = asked.ends[x]
    far = np.geomspace(1e-12, 1e12, 8 * PLACES)
    if isfinite(high - low):
        at = low + (high - low) * np.concatenate([far[far < 0.5], 1 - far[far < 0.5][::-1]])
    elif isfinite(low) or isfinite(high):
        at = low + far if isfinite(low) else (high - far)[::-1]
    else:
        at = np.concatenate([-far[::-1], far])
    larger, smaller, _ = turned(asked)
    with np.errstate(all="ignore"):
        gaps = np.broadcast_to(np.asarray(value_of(binary("sub", larger, smaller), {x: at}), dtype=float), at.shape)
        moves = np.sign(np.diff(gaps)) * (np.abs(np.diff(gaps)) > LEVEL * np.abs(gaps[1:]))
    turns = np.flatnonzero(moves[1:] * moves[:-1] < 0) + 1
    if not np.all(np.isfinite(gaps)) or not 1 <= turns.size <= MOST_TURNS:
        return None
    first, last = max(turns[0] - WIDER, 0), min(turns[-1] + WIDER, at.size - 1)
    return num(_simple(*map(float, at[first : first + 2]))), num(_simple(*map(float, at[last - 1 : last + 1])))


def _simple(low: float, high: float) -> Fraction:
    """The simplest number between two numbers, or nearly."""
    return next(c for d in itertools.count() if low < (c := Fraction((low + high) / 2).limit_denominator(2**d)) < high)


def _touching(asked: Asked, x: str, r: Range) -> tuple[Expression, ...]:
    """A simple number inside of a range at which both sides are equal, as they may be at an end as well, by floats."""
    _, near = failing(asked, draws=DRAWS)
    low, high = asked.ends[x]
    simple = [near[1][x].limit_denominator(d) for d in SIMPLEST] if near is not None else []
    often = Fraction(0), Fraction(1)
    inside = (c for c in (*simple, *often) if low < c < high)
    found = (c for c in inside if abs(asked.margins({x: np.array([float(c)])})[0]) < LEVEL)
    return tuple(num(c) for c in itertools.islice(found, 1))


def links_of(gap: Expression, x: str, r: Range) -> list[Link] | None:
    """The links of a gap that is above 0 inside of a range, where there are some."""
    steps = iter(range(MOST_STEPS))
    return next(_chains(gap, (1, 1), x, r, DEEPEST, steps), None) if _signs(gap, x, r) == (1, 1) else None


def _on_a_piece(asked: Asked, x: str, r: Range) -> Iterator[Claims]:
    """Claims that imply a comparison inside of a range: of its sides, or of their logarithms."""
    larger, smaller, _ = turned(asked)
    gaps: list[tuple[Expression, Claims]] = []
    if not _has_powers(larger, smaller):
        gaps.append(_without_denominator(binary("sub", larger, smaller), x, r))
    with suppress(NoStatement):
        needed = tuple(Asked(Compare(e, ">", ZERO), {x: r}) for e in (larger, smaller))
        gaps.append((binary("sub", logged(larger)[0], logged(smaller)[0]), needed))
    for gap, needed in gaps:
        if (found := _of_a_gap(asked.comparison.sign[1:], gap, x, r)) and _seem_true(claims := (*needed, *found)):
            yield claims


def _of_a_gap(equal: str, gap: Expression, x: str, r: Range) -> Claims:
    """What shows that a gap is above 0, or at least 0; nothing where no chain was found, or a part has no slope."""
    with suppress(NoSlope):
        if chain := links_of(gap, x, r):
            return tuple(_claims(equal, gap, chain, x, r))
    return ()


def _without_denominator(gap: Expression, x: str, r: Range) -> tuple[Expression, Claims]:
    """A gap times what is below it, if that is positive and has exponentials, which no derivative would lose."""
    import sympy

    symbols = symbols_of({x: r})
    try:
        above, below = sympy.fraction(sympy.together(to_sympy(gap, symbols).rewrite(sympy.exp)))
        times, instead = from_sympy(below), from_sympy(_collected(above, symbols[x]))
    except (NoStatement, KeyError, AttributeError, TypeError, ValueError):
        return gap, ()
    if not _bends(times, x) or _signs(times, x, r) != (1, 1):
        return gap, ()
    compared = (Compare(times, ">", ZERO), Compare(binary("mul", times, gap), "==", instead))
    return instead, (*(Asked(c, {x: r}) for c in compared), has_value(gap, {x: r}))


def _has_powers(*sides: Expression) -> bool:
    """Whether there are powers that no derivative ends: their exponents are no rational numbers."""
    return any(p.head == "pow" and not isinstance(rational(p.args[1]), Fraction) for e in sides for p in parts(e))


def _signs(e: Expression, x: str, r: Range) -> Signs | None:
    """The signs of a formula inside of a range, as floats see them; None where they change more than once."""
    low, high = (float(value_of(end, {})) for end in (r.low, r.high))
    part = (1 - np.cos(np.linspace(0.2, np.pi - 0.2, PLACES))) / 2
    far = np.geomspace(0.03, 30, PLACES)
    at = low + (high - low) * part if isfinite(high - low) else low + far if isfinite(low) else (high - far)[::-1]
    with np.errstate(all="ignore"):
        values = np.broadcast_to(np.asarray(value_of(e, {x: at}), dtype=float), at.shape)
    if not np.all(np.isfinite(values)):
        return None
    sizes = np.abs(values)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(sizes, NEIGHBOURS), 2 * NEIGHBOURS + 1).max(axis=1)
    for largest in (around, sizes.max()):  # far out a formula may be so large that all of it elsewhere is as good as 0
        seen = np.sign(values[sizes > LEVEL * largest])
        if seen.size and np.count_nonzero(np.diff(seen)) <= 1:
            return int(seen[0]), int(seen[-1])
    return None


def _chains(e: Expression, signs: Signs, x: str, r: Range, deep: int, steps: Iterator[int]) -> Iterator[list[Link]]:
    """Links from a function with such signs down to one that has a single sign, as long as there are steps."""
    s, t = signs
    if next(steps, None) is None:
        return
    for factor, then in _derivatives(e, x, r):
        moves = _signs(then, x, r) if sum(1 for _ in parts(then)) < LONGEST else None
        if moves is None or (s != moves[0] and t == moves[1] and moves[0] != moves[1]):
            continue
        if moves[0] == moves[1] and not _bends(then, x):
            yield [(factor, then, moves)]
        elif deep > 1:
            yield from ([(factor, then, moves), *rest] for rest in _chains(then, moves, x, r, deep - 1, steps))


def _bends(e: Expression, x: str) -> bool:
    """Whether logarithms, exponentials or the like of a variable are left in a formula, and not only roots."""
    calls = (
        p for p in parts(e) if p.head == "call" and p.args[0] != "sqrt" or p.head == "pow" and x in names(p.args[1])
    )
    return any(x in names(p) for p in calls)


def _derivatives(e: Expression, x: str, r: Range) -> Iterator[tuple[Expression, Expression]]:
    """Positive factors with the derivative times them: as it is, without its denominator, or without an exponential.

    The first loses logarithms in the end, and the last exponentials.
    """
    import sympy

    symbols = symbols_of({x: r})
    try:
        moved = sympy.diff(to_sympy(e, symbols).rewrite(sympy.exp), symbols[x])
        above, below = sympy.fraction(sympy.together(moved))
        if not _bends(from_sympy(below), x):
            yield num(1), from_sympy(_collected(moved, symbols[x]))
        sign = _signs(from_sympy(below), x, r)
        if below.free_symbols and sign in ((1, 1), (-1, -1)):
            yield from_sympy(sign[0] * below), from_sympy(_collected(sign[0] * above, symbols[x]))
        for power in sorted((f for f in moved.atoms(sympy.exp) if f.free_symbols), key=str):
            yield from_sympy(1 / power), from_sympy(_collected(moved / power, symbols[x]))
    except (NoStatement, KeyError, AttributeError, TypeError, ValueError):
        return


def _collected(e: Any, x: Any) -> Any:
    """A sum of products of logarithms and exponentials, each with its factor."""
    import sympy

    factors: dict[Any, list[Any]] = {}
    e = sympy.expand(e)
    bent = [f for f in e.atoms(sympy.Function, sympy.exp) if f.has(x)]
    for term in sympy.Add.make_args(e):
        rest, of = term.as_independent(*bent) if bent else (term, sympy.Integer(1))
        factors.setdefault(of, []).append(rest)
    return sympy.Add(*(sympy.factor(sympy.Add(*terms)) * of for of, terms in factors.items()))


def _claims(equal: str, gap: Expression, chain: list[Link], x: str, r: Range) -> Iterator[Asked | Near]:
    """That each link is one, and the signs near the ends that tell those of each function."""
    ranges, e, (s, t) = {x: r}, gap, (1, 1)
    yield has_value(gap, ranges)
    for factor, then, (m, n) in chain:
        yield Asked(Compare(binary("mul", factor, slope(e, x)), "==", then), ranges)
        if factor != num(1):
            yield Asked(Compare(factor, ">", ZERO), ranges)
        sign = equal if e == gap else "="
        if s == m:
            yield _near(e, s, sign, x, r, 1)
        if t != n:
            yield _near(e, t, sign, x, r, -1)
        e, (s, t) = then, (m, n)
    yield Asked(Compare(e, ">=" if s > 0 else "<=", ZERO), ranges)


def _near(e: Expression, sign: int, equal: str, x: str, r: Range, side: int) -> Near:
    to = r.low if side > 0 else r.high
    far = not isfinite(float(value_of(to, {})))
    return Near(Compare(e, "<>"[sign > 0] + equal, ZERO), x, to, 0 if far else side, {x: r})
