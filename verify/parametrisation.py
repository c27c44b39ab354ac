"""Does a parametrisation reach its whole region? Points drawn from the region, ends and ties included, are solved for.

A symbolic proof speaks of the region that its symbols reach under their assumptions. Where the variables are rational
functions of the symbols, a drawn point can be solved for exactly; a region end that a positive symbol does not reach
shows at once.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from banditproof.verify.domain import Domain, Everything, Interval, Points, Set

TRIES = 300


def missed_point(variables: Mapping[str, Any], region: Domain, seed: int, points: int) -> dict[str, Any] | None:
    """A point of the region that no values of the symbols give, or None.

    None as well where the variables are not rational functions of the symbols: then nothing is decided.
    """
    import sympy

    numbers = [n for n, s in region.variables if not isinstance(s, Everything)]
    return _missed(tuple((n, sympy.sympify(variables[n])) for n in numbers), region, seed, points)


@lru_cache(maxsize=1024)
def _missed(formulas: tuple[tuple[str, Any], ...], region: Domain, seed: int, points: int) -> dict[str, Any] | None:
    """Remembered, since a check and its mutations ask the same of one parametrisation again and again."""
    if not all(f.is_rational_function() for _, f in formulas):
        return None
    draw = random.Random(seed)
    for _ in range(points):
        point = draw_point(region, draw)
        if point is not None and not _reached(dict(formulas), point):
            return point
    return None


def _reached(formulas: Mapping[str, Any], point: Mapping[str, Any]) -> bool:
    import sympy

    symbols = sorted({s for f in formulas.values() for s in f.free_symbols}, key=str)
    free = {s: sympy.Dummy(s.name) for s in symbols}  # without assumptions: a solution is found first, then judged
    equations = [f.subs(free) - sympy.Rational(str(point[n])) for n, f in formulas.items()]
    open_equations = [e for e in equations if sympy.simplify(e) != 0]
    if not open_equations:
        return True
    if not all(e.free_symbols for e in open_equations):
        return False
    for solution in sympy.solve(open_equations, list(free.values()), dict=True):
        for value in (sympy.Integer(1), sympy.Rational(1, 3), sympy.Integer(5)):
            rest = {d: value for d in free.values() if d not in solution}
            if all(_allowed(s, (solution.get(d, d)).subs(rest)) for s, d in free.items()):
                return True
    return False


def _allowed(symbol: Any, value: Any) -> bool:
    number = complex(value.evalf(30))
    if abs(number.imag) > 1e-15:
        return False
    real = number.real
    signs = {"positive": real > 0, "nonnegative": real >= 0, "negative": real < 0, "nonpositive": real <= 0}
    fits = all(holds for name, holds in signs.items() if getattr(symbol, f"is_{name}"))
    return fits and (not symbol.is_integer or real == round(real))


def draw_point(region: Domain, draw: random.Random) -> dict[str, Any] | None:
    """A rational point of the region: often at a closed end, sometimes a tie of two variables; None if none is met."""
    for _ in range(TRIES):
        point = {n: _draw(s, draw) for n, s in region.variables if not isinstance(s, Everything)}
        if region.where and len(point) > 1 and draw.random() < 0.2:
            first, second = draw.sample(sorted(point), 2)
            point[second] = point[first]
        if region.contains(point):
            return point
    return None


def _draw(values: Set, draw: random.Random) -> Any:
    if isinstance(values, Points):
        return draw.choice(values.values)
    assert isinstance(values, Interval)
    ends = ((values.lower, values.lower_open), (values.upper, values.upper_open))
    closed = [Fraction(end) for end, is_open in ends if not is_open and math.isfinite(end)]
    if closed and draw.random() < 0.25:
        return draw.choice(closed)
    low, high = math.isfinite(values.lower), math.isfinite(values.upper)
    if values.integer:
        return (int(values.lower) if low else 0) + draw.randint(0, 8)
    if low and high:
        return values.lower + (values.upper - values.lower) * Fraction(draw.randint(1, 96), 97)
    step = Fraction(draw.randint(1, 600), draw.choice((7, 70, 700)))
    return values.lower + step if low else values.upper - step if high else step * draw.choice((-1, 1))
