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

from banditproof.theory.numbers.numeric import absolute, least, lower_end, maximum, to_ball

_PIECES = 4000


def objective(family: Any, z: Fraction, x: Fraction, y: Fraction, epsilon: Any) -> Any:
    """epsilon TV(P_x, P_z) + KL(P_z, P_y) as a ball; nothing is paid for z = x, whatever the budget."""
    paid = to_ball(0) if z == x else epsilon * family.tv_between(to_ball(x), to_ball(z))
    return paid + family.kl_between(to_ball(z), to_ball(y))


def cheapest(family: Any, x: Fraction, y: Fraction, epsilon: Any) -> tuple[Fraction, tuple[Fraction, ...]]:
    """A mean z and breakpoints from x to y: f(z) is nearly the minimum, and the partition nearly proves it."""
    best, value = x, objective(family, x, x, y, epsilon)
    queue = [(lower_end(piece_bound(family, x, y, x, y, epsilon)), x, y)]
    following = y
    for _ in range(_PIECES):
        other = objective(family, following, x, y, epsilon)
        if other.mid() < value.mid() or value.is_nan():
            best, value = following, other
        lowest, low, high = queue[0]
        if lowest >= lower_end(value) * (1 - to_ball(Fraction(1, 2**64))):
            break
        following = (low + high) / 2
        left, right = (
            (lower_end(piece_bound(family, *ends, x, y, epsilon)), *ends)
            for ends in ((low, following), (following, high))
        )
        heapq.heapreplace(queue, left)
        heapq.heappush(queue, right)
    return best, tuple(sorted({low for _, low, _ in queue})) + (y,)


def lower_bound(family: Any, breakpoints: tuple[Fraction, ...], x: Fraction, y: Fraction, epsilon: Any) -> Any:
    """The lower bound that a partition of [x, y] proves, a ball."""
    pieces = zip(breakpoints, breakpoints[1:], strict=False)
    return least(piece_bound(family, low, high, x, y, epsilon) for low, high in pieces)


def piece_bound(family: Any, low: Fraction, high: Fraction, x: Fraction, y: Fraction, epsilon: Any) -> Any:
    """A lower bound of the objective on [low, high], as a ball."""
    smallest, largest = family.tv_slopes(x, low, high)
    falls, rises = (family.kl_slope(to_ball(end), to_ball(y)) for end in (low, high))
    down, up = epsilon * smallest + falls, epsilon * largest + rises  # the slope of the objective lies between
    if down >= 0:
        return objective(family, low, x, y, epsilon)
    if up <= 0:
        return objective(family, high, x, y, epsilon)
    paid = to_ball(0) if low == x else epsilon * family.tv_between(to_ball(x), to_ball(low))
    by_ends = paid + family.kl_between(to_ball(high), to_ball(y))
    steepest = maximum(absolute(down), absolute(up))
    if not steepest.is_finite():
        return by_ends
    middle = objective(family, (low + high) / 2, x, y, epsilon)
    return maximum(by_ends, middle - steepest * to_ball((high - low) / 2))
