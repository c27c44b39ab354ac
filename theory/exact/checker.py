"""What a certificate of `exact_minimax_regret` proves, in plain Python and exact arithmetic.

Nothing here is shared with the program that found the certificate: it is read from the definitions alone.

- A policy over T rounds with rewards 0 and 1 is x(a, r): the probability that it plays a = (a_1, ..., a_T) when the
  reward of round t is r_t, whatever is played, for r = (r_1, ..., r_(T-1)). Some policy has these probabilities if and
  only if they are nonnegative and summing over a_T, then over a_(T-1), ... gives numbers that depend on the rewards
  before the action alone, and 1 in the end.
- It is (log q, delta)-View private if and only if, for reward lists r and r' that differ in one place,
  sum_a max(0, x(a, r) - q x(a, r')) <= delta. For delta = 0 that is Table privacy as well, since a table differs from
  another one in one row, and one sequence of actions reads one reward of it.
- Its expected loss in an instance is linear in x.
- For weights w >= 0 of the instances that sum to 1 and multipliers m(a, r, s) >= 0 of place s, no private policy has a
  worst loss below the smallest value, over all policies, of

      sum_(a, r) c(a, r) x(a, r) - delta sum_(r, s) max_a m(a, r, s),
      c(a, r) = sum_i w_i P_i(r | a) loss_i(a) + sum_s (m(a, r, s) - q m(a, r', s)),  r' = r changed in place s,

  since sum_a m(a, r, s) (x(a, r) - q x(a, r')) <= delta max_a m(a, r, s). Without privacy constraints left, the
  smallest value is found backwards: the cheapest last action, the sum over the last reward, and so on.

Source: BDP-D2.2, BDP-D2.2b, BDP-D2.2c, TH-D4.3
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

Actions = tuple[int, ...]
Rewards = tuple[int, ...]
Point = tuple[Actions, Rewards]
Means = tuple[Fraction, ...]


def loss(criterion: str, means: Means, actions: Actions) -> Fraction:
    """The regret of these actions, or 1 where the last one is not best."""
    best = max(means)
    if criterion == "regret":
        return sum((best - means[arm] for arm in actions), Fraction(0))
    return Fraction(means[actions[-1]] < best)


def likelihood(means: Means, actions: Actions, rewards: Rewards) -> Fraction:
    """The probability that these actions, but for the last one, are paid these rewards."""
    result = Fraction(1)
    for arm, reward in zip(actions, rewards, strict=False):
        result *= means[arm] if reward else 1 - means[arm]
    return result


def changed(rewards: Rewards, place: int) -> Rewards:
    """The neighbour of the rewards that differs in this place."""
    return (*rewards[:place], 1 - rewards[place], *rewards[place + 1 :])


def largest_loss(
    instances: Sequence[Means],
    horizon: int,
    criterion: str,
    ratio: Fraction | None,
    delta: Fraction,
    policy: Mapping[Point, Fraction],
) -> Fraction | None:
    """The worst expected loss of the policy; None if it is no policy or not private (`ratio` None asks for no privacy).

    Points that are left out have probability 0.
    """
    arms = range(len(instances[0]))
    lists: list[Rewards] = list(product((0, 1), repeat=horizon - 1))
    points: dict[Point, Fraction] = {
        (a, r): policy.get((a, r), Fraction(0)) for a in product(arms, repeat=horizon) for r in lists
    }
    if not policy.keys() <= points.keys() or min(points.values()) < 0 or not _is_causal(points):
        return None
    for r, place in product(lists, range(horizon - 1)):
        if ratio is None:
            break
        other = changed(r, place)
        gaps = [points[a, r] - ratio * points[a, other] for a in product(arms, repeat=horizon)]
        if sum((gap for gap in gaps if gap > 0), Fraction(0)) > delta:
            return None
    played = [(a, r, x) for (a, r), x in points.items() if x]
    return max(
        sum((x * likelihood(means, a, r) * loss(criterion, means, a) for a, r, x in played), Fraction(0))
        for means in instances
    )


def _is_causal(points: Mapping[Point, Fraction]) -> bool:
    """Whether no action depends on a reward that comes later, and all probabilities add up to 1."""
    while True:
        before: dict[Point, Fraction] = {}
        for (a, r), x in points.items():
            before[a[:-1], r] = before.get((a[:-1], r), Fraction(0)) + x
        if ((), ()) in before:
            return before == {((), ()): 1}
        if any(x != before[a, changed(r, len(r) - 1)] for (a, r), x in before.items()):
            return False
        points = {(a, r[:-1]): x for (a, r), x in before.items()}


def smallest_loss(
    instances: Sequence[Means],
    horizon: int,
    criterion: str,
    ratio: Fraction | None,
    delta: Fraction,
    weights: Sequence[Fraction],
    multipliers: Mapping[tuple[Actions, Rewards, int], Fraction],
) -> Fraction | None:
    """What the weights and multipliers prove that no private policy goes below; None if they prove nothing.

    Multipliers that are left out are 0; without privacy (`ratio` None) there are none.
    """
    if len(weights) != len(instances) or min(weights) < 0 or sum(weights) != 1:
        return None
    values: dict[Point, Fraction] = {
        (a, r): sum(
            (w * likelihood(m, a, r) * loss(criterion, m, a) for w, m in zip(weights, instances, strict=True)),
            Fraction(0),
        )
        for a in product(range(len(instances[0])), repeat=horizon)
        for r in product((0, 1), repeat=horizon - 1)
    }
    allowance: dict[tuple[Rewards, int], Fraction] = {}
    for (a, r, place), multiplier in multipliers.items():
        if ratio is None or multiplier < 0 or (a, r) not in values or place not in range(horizon - 1):
            return None
        values[a, r] += multiplier
        values[a, changed(r, place)] -= ratio * multiplier
        allowance[r, place] = max(multiplier, allowance.get((r, place), Fraction(0)))
    while True:
        cheapest: dict[Point, Fraction] = {}
        for (a, r), value in values.items():
            cheapest[a[:-1], r] = min(value, cheapest.get((a[:-1], r), value))
        if ((), ()) in cheapest:
            return cheapest[(), ()] - delta * sum(allowance.values(), Fraction(0))
        values = {}
        for (a, r), value in cheapest.items():
            values[a, r[:-1]] = values.get((a, r[:-1]), Fraction(0)) + value
