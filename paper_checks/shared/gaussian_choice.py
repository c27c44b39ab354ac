r"""Two arms whose released means carry Gaussian noise: laws of the arms that AdaC-UCB chooses, in balls.

Source: ZCDP-A4, ZCDP-T12
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from banditproof.claims.language import *

BEYOND = 14  # deviations; the mass of a normal law outside is added to the radius

Law = dict[Any, Any]  # outcome -> probability, a ball


def bonus(n: int, start: int, rho: Any, beta: Any) -> Any:
    """sqrt((1/(2n) + 1/(rho n^2)) beta log t) for a last episode of n rewards, at an episode that starts at t."""
    return sqrt((1 / to_ball(2 * n) + 1 / (to_ball(rho) * n * n)) * to_ball(beta) * log(to_ball(start)))


def fresh_choice(blocks: Sequence[Sequence[Any]], start: int, rho: Any, beta: Any) -> Law:
    """The law of the arm chosen at `start` if the noise of both arms is drawn there; `blocks` are (sum, n) per arm."""
    (mean_0, n_0), (mean_1, n_1) = ((to_ball(total) / n, n) for total, n in blocks)
    lead = mean_0 + bonus(n_0, start, rho, beta) - mean_1 - bonus(n_1, start, rho, beta)
    deviation = sqrt((1 / to_ball(n_0) ** 2 + 1 / to_ball(n_1) ** 2) / (2 * to_ball(rho)))
    return {0: normal_cdf(lead / deviation), 1: normal_cdf(-lead / deviation)}


def divergence(left: Law, right: Law, order: Any) -> Any:
    """D_order between two laws of positive balls, a ball."""
    a = to_ball(order)
    moment = sum((exp(a * log(p) + (1 - a) * log(right[o])) for o, p in left.items()), to_ball(0))
    return log(moment) / (a - 1)


def average(function: Callable[[Any], Any]) -> Any:
    """E[function(Z)] for a standard normal Z and an entire function with values in [0, 1] on the line, a ball."""
    from flint import acb, arb

    root = (2 * acb.pi()).sqrt()
    inside = acb.integral(lambda z, _: function(z) * (-z * z / 2).exp() / root, -BEYOND, BEYOND).real
    outside = (arb(BEYOND) / arb(2).sqrt()).erfc()
    return inside + outside.union(arb(0))


def _phi(x: Any) -> Any:
    """The normal distribution function of a complex ball."""
    from flint import acb

    return (-x / acb(2).sqrt()).erfc() / 2


Table = tuple[int, int, tuple[int, int]]  # r_1 of arm 0, r_2 of arm 1, both rewards of user 3


def tables() -> list[Table]:
    return [(a, b, (c, d)) for a, b, c, d in product((0, 1), repeat=4)]


def neighbouring(left: Table, right: Table) -> bool:
    return sum(x != y for x, y in zip(left, right, strict=True)) == 1


def first_choices(table: Table, queries: tuple[int, int], rho: Fraction, noise: Fraction) -> Law:
    """The law of (o_3, o_4) for two arms pulled once each, noise of deviation `noise`/sqrt(2 rho) drawn once per block.

    All blocks have one reward, so both exploration bonuses agree at t = 3 and at t = 4. The adversary asks for arm
    `queries[o_3]` at t = 3; that arm then has a new block and the other one keeps its released value.
    """
    law: Law = {}
    rewards, row = table[:2], table[2]
    for first, asked in enumerate(queries):
        again = _asked_again(first, asked, rewards[asked], rewards[1 - asked], row[asked], rho, noise)
        lead = (rewards[first] - rewards[1 - first]) * sqrt(to_ball(rho)) / to_ball(noise)
        law[first, asked], law[first, 1 - asked] = again, normal_cdf(lead) - again
    return law


@cache
def _asked_again(first: int, asked: int, before: int, other: int, after: int, rho: Fraction, noise: Fraction) -> Any:
    """P(o_3 = first, o_4 = asked): the average over the noise of the arm that is not asked for, which is kept."""
    from flint import acb

    deviation = acb(to_ball(noise) / sqrt(2 * to_ball(rho)))

    def both(z: Any) -> Any:
        kept = other + deviation * z
        lead, lead_then = ((reward - kept) / deviation for reward in (before, after))
        return _phi(lead if first == asked else -lead) * _phi(lead_then)

    return average(both)
