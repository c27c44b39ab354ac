"""The inverse of the KL-UCB index in the mean, which laws of clipped means need."""

from __future__ import annotations

from functools import cache
from typing import Any

from banditproof.theory.laws.bernoulli_points import kl
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.numbers.term import quantity

HALVINGS = 60


@quantity
def largest_mean_with_index_below(target: Any, level: Any) -> Any:
    """sup of the x with U(x) <= target, U(x) the largest q with kl(x, q) <= level: a ball, 0 if there is none.

    By bisection on kl(x, target) >= level, which says the same for x <= target < 1 and costs no root at each step.
    """
    ends = (end for ball in map(to_ball, (target, level)) for end in (ball.mid(), ball.rad()))
    return _by_bisection(*(end.man_exp() for end in ends))


@cache
def _by_bisection(*balls: tuple[Any, Any]) -> Any:
    from flint import arb

    (target, level), low = (arb(arb(m), arb(r)) for m, r in (balls[:2], balls[2:])), to_ball(0)
    if target >= 1:  # no index exceeds it
        return to_ball(1)
    if kl(low, target) < level:
        return low
    high = target
    for _ in range(HALVINGS):
        middle = ((low + high) / 2).mid()
        divergence = kl(middle, target)
        if divergence >= level:
            low = middle
        elif divergence < level:
            high = middle
        else:  # within rounding: the supremum lies between the two
            break
    return low.union(high)
