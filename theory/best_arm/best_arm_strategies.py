"""Certificates for the allocation game of best-arm identification: two strategies, evaluated in ball arithmetic.

The sup player's allocation bounds the value 1/T* from below by its worst case, which has a closed form for each
challenger; the inf player's mixture of alternatives bounds it from above by what the best reply to it earns.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from banditproof.theory.best_arm.transport_costs import EntropyCosts
from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import to_ball, working_precision


@dataclass(frozen=True)
class Strategies:
    """Both players' strategies as nonnegative weights, which need not sum to 1; one entry per arm, in the given order.

    `weights` is the allocation. The mixture gives `replies[a]` to the instance in which the best arm and a meet at
    their mean weighted by the allocation (priced in relative entropy), `raised[a]` to the one in which a goes up to the
    best arm and `lowered[a]` to the one in which the best arm goes down to a (both priced in total variation). Entries
    of the best arm are 0 but for `weights`.
    """

    weights: tuple[float, ...]
    replies: tuple[float, ...]
    raised: tuple[float, ...]
    lowered: tuple[float, ...]

    def check(self, arms: int, best: int) -> None:
        """InvalidInput unless these are strategies for that many arms."""
        for name in ("weights", "replies", "raised", "lowered"):
            values = getattr(self, name)
            if len(values) != arms or not all(isinstance(v, float) and 0 <= v < math.inf for v in values):
                raise InvalidInput(name, values, f"{arms} finite nonnegative floats")
            if name != "weights" and values[best] != 0:
                raise InvalidInput(name, values[best], "0 for the best arm")
        if not all(self.weights):
            raise InvalidInput("weights", 0.0, "positive for every arm")
        if not any(self.replies) and not any(self.raised) and not any(self.lowered):
            raise InvalidInput("replies, raised, lowered", 0.0, "positive for at least one alternative")


@dataclass(frozen=True)
class Prices:
    """What alternatives cost, for challengers numbered 0, ..., n-1: all of them different, see `Strategies`.

    `entropy` and `variation` are the two prices (either may be missing); each alternative costs the smaller one.
    """

    entropy: EntropyCosts | None
    variation: Sequence[Any] | None  # balls
    beta: Fraction | None


def certified_time(strategies: Strategies, prices: Prices, best: int, kind: Sequence[int], bits: int) -> Enclosure:
    """The interval that the two strategies prove for T*; `kind[a]` is the number of arm a among the challengers.

    Raises InvalidInput for data that are not strategies.
    """
    strategies.check(len(kind), best)
    with working_precision(bits):
        guaranteed, conceded = _value(strategies, prices, best, kind)
        lower = Enclosure.from_ball(1 / conceded).lower
        upper = Enclosure.from_ball(1 / guaranteed).upper if guaranteed > 0 else math.inf
    return Enclosure(max(lower, 0), upper)


def _value(strategies: Strategies, prices: Prices, best: int, kind: Sequence[int]) -> tuple[Any, Any]:
    """Balls: what the allocation guarantees, and what the mixture concedes, of the value 1/T*."""
    rows = zip(kind, strategies.weights, strategies.replies, strategies.raised, strategies.lowered, strict=True)
    groups = Counter(row for arm, row in enumerate(rows) if arm != best)
    scaled = _scaling(strategies.weights[best], groups, prices.beta)
    guaranteed, richest, of_best, mass = None, to_ball(0), to_ball(0), to_ball(0)
    for (number, weight, reply, raised, lowered), count in groups.items():
        earned = _Earnings(prices, number, scaled.best, weight * scaled.factor)
        worst = earned.worst_case()
        guaranteed = worst if guaranteed is None else guaranteed.min(worst)
        paid_best, paid_challenger = earned.under(reply, raised, lowered)
        richest, of_best = richest.max(paid_challenger), of_best + count * paid_best
        mass += count * (to_ball(reply) + raised + lowered)
    beta = None if prices.beta is None else to_ball(prices.beta)
    conceded = of_best.max(richest) if beta is None else beta * of_best + (1 - beta) * richest
    return guaranteed, conceded / mass


@dataclass(frozen=True)
class _Scaling:
    """The allocation in balls: the best arm's proportion, and the factor on the other weights; they sum to 1."""

    best: Any
    factor: Any


def _scaling(best: float, groups: Counter[Any], beta: Fraction | None) -> _Scaling:
    others = sum((to_ball(row[1]) * count for row, count in groups.items()), to_ball(0))
    if beta is None:
        total = others + best
        return _Scaling(best / total, 1 / total)
    return _Scaling(to_ball(beta), (1 - to_ball(beta)) / others)


class _Earnings:
    """What the sup player gets in the alternatives of one challenger."""

    def __init__(self, prices: Prices, number: int, best: Any, weight: Any) -> None:
        self.best, self.weight = best, weight
        self.variation = None if prices.variation is None else prices.variation[number]
        self.entropies = None
        if prices.entropy is not None:
            total = best + weight
            self.entropies = prices.entropy.balls(number, weight / total, best / total)

    def worst_case(self) -> Any:
        """The infimum over all alternatives in which this challenger overtakes, given the allocation."""
        options = []
        if self.entropies is not None:
            options.append(self.best * self.entropies[0] + self.weight * self.entropies[1])
        if self.variation is not None:
            options.append(self.best.min(self.weight) * self.variation)
        return options[0] if len(options) == 1 else options[0].min(options[1])

    def under(self, reply: float, raised: float, lowered: float) -> tuple[Any, Any]:
        """What a pull of the best arm and one of the challenger earn in the mixture of its alternatives."""
        of_best, of_challenger = to_ball(0), to_ball(0)
        if reply:
            if self.entropies is None:
                raise InvalidInput("replies", reply, "0 in a game without relative entropy")
            of_best, of_challenger = reply * self.entropies[0], reply * self.entropies[1]
        if raised or lowered:
            if self.variation is None:
                raise InvalidInput("raised, lowered", (raised, lowered), "0 in a game without total variation")
            of_best, of_challenger = of_best + lowered * self.variation, of_challenger + raised * self.variation
        return of_best, of_challenger
