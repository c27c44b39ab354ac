"""Zero-concentrated privacy of a finite policy against the strongest interactive adversary, also for many arms.

The adversary sees every recommendation and chooses which arm is played and which reward is fed; recommendations do not
enter the policy's history, so the divergences of the steps add up along each history, and the worst one is found by
visiting the pairs of histories that differ in one reward. An adversary who takes the rewards from a table chosen
beforehand is a special case: the policy is rho-Interactive zCDP for the upper end.

Source: TH-D3.5, TH-T4.12
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import inf
from typing import Any

from banditproof.theory import Enclosure, to_ball, working_precision
from banditproof.verify.finite.channels import renyi_divergence
from banditproof.verify.finite.kernels import FiniteKernel, History, Row, within_limit
from banditproof.verify.finite.renyi import PRECISION, largest_quotient


def strongest_interactive_rho(kernel: FiniteKernel) -> Enclosure:
    """Encloses sup over orders > 1 and adversaries of D_order/order; [inf, inf] if a likelihood ratio is infinite.

    `verify_policy_privacy(kernel, "interactive").rho` is exact for tables, for few arms; it is at most this one.
    Raises InvalidInput where too many pairs of histories would be visited.
    """
    pairs = _worth_visiting(kernel)
    with working_precision(PRECISION):
        at_infinity = _worst(pairs, None)
        if not at_infinity.is_finite():
            return Enclosure(inf, inf)
        if at_infinity == 0:
            return Enclosure(0, 0)
        return largest_quotient(
            lambda order: _worst(pairs, order), _worst(pairs, Fraction(1)), at_infinity, splits=60
        ).value


Steps = frozenset[tuple[tuple[Row, Row], int]]  # the pairs of different rows along two histories, and how often


def _worth_visiting(kernel: FiniteKernel) -> list[Steps]:
    """The distinct collections of row pairs met along two histories that differ in one reward."""
    length = kernel.horizon - 1
    within_limit("pairs of histories", length * (kernel.arms * len(kernel.rewards)) ** length * len(kernel.rewards))
    collections: set[Steps] = {frozenset()}
    for history in (h for h in kernel.histories() if len(h) == length):
        for time, reward in ((t, r) for t in range(length) for r in kernel.rewards if r != history[t][1]):
            other = (*history[:time], (history[time][0], reward), *history[time + 1 :])
            collections.add(_steps(kernel, history, other))
    return list(collections)


def _steps(kernel: FiniteKernel, left: History, right: History) -> Steps:
    rows = [(kernel.probability(left[:t]), kernel.probability(right[:t])) for t in range(kernel.horizon)]
    apart = [pair for pair in rows if pair[0] != pair[1]]
    return frozenset((pair, apart.count(pair)) for pair in apart)


def _worst(visits: list[Steps], order: Fraction | None) -> Any:
    """The largest sum of divergences of this order (None: infinity) along two histories, a ball."""
    divergence = cache(lambda p, q: _divergence(p, q, order))
    largest = to_ball(0)
    for steps in visits:
        largest = largest.max(sum((times * divergence(p, q) for (p, q), times in steps), to_ball(0)))
    return largest


def _divergence(p: Row, q: Row, order: Fraction | None) -> Any:
    masses = [(a, b) for a, b in zip(p, q, strict=True) if a]
    if any(not b for _, b in masses):
        return to_ball(inf)
    if order is None:
        return to_ball(max(a / b for a, b in masses)).log()
    if order == 1:
        return sum((to_ball(a) * to_ball(a / b).log() for a, b in masses), to_ball(0))
    return renyi_divergence(dict(enumerate(p)), dict(enumerate(q)), order)
