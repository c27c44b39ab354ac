"""What a certificate of `exact_minimax_regret` proves, in plain Python and exact arithmetic.

Nothing here is shared with the program that found the certificate: it is read from the definitions alone.

- A policy over T rounds with rewards 0 and 1 is x(a, r): the probability that it plays a = (a_1, ..., a_T) when the
  reward of round t is r_t, whatever is played, for r = (r_1, ..., r_(T-1)). Some policy has these probabilities if and
  only if they are nonnegative and summing over a_T, then over a_(T-1), ... gives numbers that depend on the rewards
  before the action alone, and 1 in the end.
- A table d has a reward for each arm in each of the first T - 1 rounds, and a reads d_a = (d_t(a_t))_t of it. The
  policy is (log q, delta)-Table private if and only if, for tables d and d' that differ in one row,
  sum_a max(0, x(a, d_a) - q x(a, d'_a)) <= delta. The sum is largest where all of the row differs. View privacy asks
  it of tables with equal entries in each row, which are reward lists. For delta = 0 both ask the same of each a.
- Its expected loss in an instance is linear in x.
- For weights w >= 0 of the instances that sum to 1, multipliers m(a, r, s) >= 0 of place s, and prices v(d, s) >= 0
  with m(a, r, s) <= sum of v(d, s) over the tables d with d_a = r, no private policy has a worst loss below the
  smallest value, over all policies, of

      sum_(a, r) c(a, r) x(a, r) - delta sum_(d, s) v(d, s),
      c(a, r) = sum_i w_i P_i(r | a) loss_i(a) + sum_s (m(a, r, s) - q m(a, r', s)),  r' = r changed in place s,

  since the sum of m(a, r, s) (x(a, r) - q x(a, r')) is at most that of v(d, s) sum_a max(0, x(a, d_a) - q x(a, d'_a)).
  Under View privacy the best v is max_a m(a, r, s). Without privacy constraints left, the smallest value is found
  backwards: the cheapest last action, the sum over the last reward, and so on.

Source: BDP-D2.2, BDP-D2.2b, BDP-D2.2c, TH-D3.2, TH-D3.3, TH-D4.3
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

Actions = tuple[int, ...]
Rewards = tuple[int, ...]
Point = tuple[Actions, Rewards]
Means = tuple[Fraction, ...]
RewardRows = tuple[tuple[int, ...], ...]  # a table: for each round, the reward of each arm


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


def tables(notion: str, arms: int, rounds: int) -> list[RewardRows]:
    """What a policy may read under "view" or "table" privacy: a reward list is a table with equal entries in a row."""
    rows = list(product((0, 1), repeat=arms)) if notion == "table" else [(0,) * arms, (1,) * arms]
    return list(product(rows, repeat=rounds))


def read(table: RewardRows, actions: Actions) -> Rewards:
    """The rewards that these actions read of the table."""
    return tuple(row[arm] for row, arm in zip(table, actions, strict=False))


def largest_loss(
    instances: Sequence[Means],
    horizon: int,
    criterion: str,
    ratio: Fraction | None,
    delta: Fraction,
    policy: Mapping[Point, Fraction],
    notion: str = "view",
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
    if ratio is not None:
        for place in range(horizon - 1):
            over = {(a, r): max(Fraction(0), x - ratio * points[a, changed(r, place)]) for (a, r), x in points.items()}
            if not delta and any(over.values()):
                return None
            for table in tables(notion, len(arms), horizon - 1) if delta else ():
                if sum((over[a, read(table, a)] for a in product(arms, repeat=horizon)), Fraction(0)) > delta:
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
    prices: Mapping[tuple[RewardRows, int], Fraction] | None = None,
) -> Fraction | None:
    """What the weights and multipliers prove that no private policy goes below; None if they prove nothing.

    Multipliers that are left out are 0; without privacy (`ratio` None) there are none. `prices` are those of tables;
    None takes the best ones under View privacy.
    """
    if len(weights) != len(instances) or min(weights) < 0 or sum(weights) != 1:
        return None
    values = expected_losses(instances, horizon, criterion, weights)
    for (a, r, place), multiplier in multipliers.items():
        if ratio is None or multiplier < 0 or (a, r) not in values or place not in range(horizon - 1):
            return None
        values[a, r] += multiplier
        values[a, changed(r, place)] -= ratio * multiplier
    paid = delta and _paid(multipliers, prices)
    return None if paid is None else cheapest(values) - delta * paid


def expected_losses(
    instances: Sequence[Means], horizon: int, criterion: str, weights: Sequence[Fraction]
) -> dict[Point, Fraction]:
    """What each x(a, r) adds to the expected loss under the weights."""
    return {
        (a, r): sum(
            (w * likelihood(m, a, r) * loss(criterion, m, a) for w, m in zip(weights, instances, strict=True)),
            Fraction(0),
        )
        for a in product(range(len(instances[0])), repeat=horizon)
        for r in product((0, 1), repeat=horizon - 1)
    }


def cheapest(values: Mapping[Point, Fraction]) -> Fraction:
    """The smallest sum of value times probability over all policies, found backwards."""
    while True:
        best: dict[Point, Fraction] = {}
        for (a, r), value in values.items():
            best[a[:-1], r] = min(value, best.get((a[:-1], r), value))
        if ((), ()) in best:
            return best[(), ()]
        values = {}
        for (a, r), value in best.items():
            values[a, r[:-1]] = values.get((a, r[:-1]), Fraction(0)) + value


def _paid(
    multipliers: Mapping[tuple[Actions, Rewards, int], Fraction],
    prices: Mapping[tuple[RewardRows, int], Fraction] | None,
) -> Fraction | None:
    """The sum of the prices; None if they do not cover the multipliers."""
    if prices is None:
        largest: dict[tuple[Rewards, int], Fraction] = {}
        for (_, r, place), multiplier in multipliers.items():
            largest[r, place] = max(multiplier, largest.get((r, place), Fraction(0)))
        return sum(largest.values(), Fraction(0))
    covered: dict[tuple[Actions, Rewards, int], Fraction] = {}
    for actions in {a for a, _, _ in multipliers}:
        for (table, place), price in prices.items():
            key = actions, read(table, actions), place
            covered[key] = covered.get(key, Fraction(0)) + price
    short = any(multiplier > covered.get(key, 0) for key, multiplier in multipliers.items())
    return None if short or min(prices.values(), default=0) < 0 else sum(prices.values(), Fraction(0))
