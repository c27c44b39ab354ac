"""inf over z in [x, y] of epsilon TV(P_x, P_z) + KL(P_z, P_y) in a one-parameter family, by certified branch and bound.

Laws are given by their means. In z, TV(P_x, P_z) increases, with a slope that a family bounds on intervals, and
KL(P_z, P_y) is convex and decreases to 0 at y. A partition of [x, y] certifies a lower bound: on each piece the
objective is at least its value at an end (where the sign of the slope is certain) or the first-order bound from the
middle. Around a minimiser that bound errs by the square of the width, so that few pieces suffice.
"""

from __future__ import annotations

import heapq
from fractions import Fraction
from typing import Any

from banditproof.theory.numeric import to_ball

_PIECES = 4000


def objective(family: Any, z: Fraction, x: Fraction, y: Fraction, epsilon: Any) -> Any:
    """epsilon TV(P_x, P_z) + KL(P_z, P_y) as a ball."""
    return epsilon * family.tv_between(to_ball(x), to_ball(z)) + family.kl_between(to_ball(z), to_ball(y))


def cheapest(family: Any, x: Fraction, y: Fraction, epsilon: Any) -> tuple[Fraction, tuple[Fraction, ...]]:
    """A mean z and breakpoints from x to y: f(z) is nearly the minimum, and the partition nearly proves it."""
    best, least = min(((z, objective(family, z, x, y, epsilon)) for z in (x, y)), key=lambda pair: pair[1].mid())
    queue = [(_key(piece_bound(family, x, y, x, y, epsilon)), x, y)]
    for _ in range(_PIECES):
        lowest, low, high = queue[0]
        if lowest >= least.lower() * (1 - to_ball(Fraction(1, 2**64))):
            break
        middle = (low + high) / 2
        value = objective(family, middle, x, y, epsilon)
        if value.mid() < least.mid():
            best, least = middle, value
        heapq.heapreplace(queue, (_key(piece_bound(family, low, middle, x, y, epsilon)), low, middle))
        heapq.heappush(queue, (_key(piece_bound(family, middle, high, x, y, epsilon)), middle, high))
    return best, tuple(sorted({low for _, low, _ in queue})) + (y,)


def lower_bound(family: Any, breakpoints: tuple[Fraction, ...], x: Fraction, y: Fraction, epsilon: Any) -> Any | None:
    """The lower bound that a partition of [x, y] proves; None if it is no partition."""
    if not isinstance(breakpoints, tuple) or len(breakpoints) < 2:
        return None
    increasing = all(a < b for a, b in zip(breakpoints, breakpoints[1:], strict=False))
    if breakpoints[0] != x or breakpoints[-1] != y or not increasing:
        return None
    pieces = zip(breakpoints, breakpoints[1:], strict=False)
    return min((piece_bound(family, low, high, x, y, epsilon) for low, high in pieces), key=_key)


def piece_bound(family: Any, low: Fraction, high: Fraction, x: Fraction, y: Fraction, epsilon: Any) -> Any:
    """A lower bound of the objective on [low, high], as a ball."""
    least, most = family.tv_slopes(x, low, high)
    falls, rises = (family.kl_slope(to_ball(end), to_ball(y)) for end in (low, high))
    down, up = epsilon * least + falls, epsilon * most + rises  # the slope of the objective lies between
    if down >= 0:
        return objective(family, low, x, y, epsilon)
    if up <= 0:
        return objective(family, high, x, y, epsilon)
    by_ends = epsilon * family.tv_between(to_ball(x), to_ball(low)) + family.kl_between(to_ball(high), to_ball(y))
    steepest = abs(down).max(abs(up))
    if not steepest.is_finite():
        return by_ends
    middle = objective(family, (low + high) / 2, x, y, epsilon)
    by_slope = middle - steepest * to_ball((high - low) / 2)
    return by_slope if by_slope.lower() > by_ends.lower() else by_ends


def _key(ball: Any) -> Any:
    return ball.lower()
