"""Between which lists do the arms tell most of a reward? Rewards are driven there one by one; all draws but one stay.

Noise that has an end, or few values, hides rewards on most lists. It fails where the end, or a step, lies between what
a policy compares and its limit, and few lists are there. As one reward after the other is replaced, the probability of
the next arms changes; the half of the way on which it changes most leads to one reward that does most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf, log

from banditproof.verify.runs.foreign.arms import ENDS, QUANTILES, chance_between
from banditproof.verify.runs.foreign.levers import Lever
from banditproof.verify.runs.foreign.policies import Played, Stage
from banditproof.verify.runs.possible_rewards import PossibleRewards
from banditproof.verify.runs.recorder import Rewards

AFTER = 6  # arms after the draw that are looked at
HALVINGS = 14  # of a step of the grid
LEAST = 0.01  # probability of arms that fresh runs can show

_Shares = dict[tuple[float, ...], tuple[float, list[float]]]
"""Of the arms after a draw: their probability, and values of the draw that lead to them."""
NONE: tuple[float, list[float]] = 0.0, []


def steepest(
    stage: Stage, run: Played, seed: int, lever: Lever, possible: PossibleRewards, allowed: float
) -> Iterator[tuple[Rewards, Rewards, int]]:
    """Neighbouring lists that differ before the draw, and a seed with which the run on the first one has arms that tell
    the two apart by more than is allowed."""
    for end in (possible.high, possible.low):
        places = [t for t in range(min(lever.pulls, len(run.rewards))) if run.rewards[t] != end]

        def driven(count: int, end: float = end, places: list[int] = places) -> Rewards:
            mixed = list(run.rewards)
            for t in places[:count]:
                mixed[t] = end
            return tuple(mixed)

        low, high = 0, len(places)
        at = {count: _shares(stage, driven(count), seed, lever) for count in {low, high}}
        while high - low > 1 and _loss(at[low], at[high])[0] > allowed:
            middle = (low + high) // 2
            at[middle] = _shares(stage, driven(middle), seed, lever)
            lower = _loss(at[low], at[middle])[0] >= _loss(at[middle], at[high])[0]
            low, high = (low, middle) if lower else (middle, high)
        loss, arms = _loss(at[low], at[high])
        if loss > allowed:
            one, two = (low, high) if at[low].get(arms, NONE) > at[high].get(arms, NONE) else (high, low)
            values, there = at[one][arms][1], at[two].get(arms, NONE)[1]
            value = next((v for v in values if v not in there), values[0])
            yield driven(one), driven(two), stage.with_draws(seed, lever.at(value))


def _shares(stage: Stage, rewards: Rewards, seed: int, lever: Lever) -> _Shares:
    def arms(value: float) -> tuple[float, ...]:
        pulls = min(len(rewards), lever.pulls + AFTER)
        return stage.play(rewards, seed, lever.at(value), pulls, bare=True).actions

    values = QUANTILES[lever.law]
    said, shares = [arms(value) for value in values], _Shares()
    since, last = ENDS.get(lever.law, (-inf, inf))
    for k, (value, now) in enumerate(zip(values, said, strict=True)):
        following = said[k + 1] if k + 1 < len(said) else ()
        share, several = shares.get(now, NONE)
        if following != now:
            until = _change(arms, value, values[k + 1]) if following else last
            share, since = share + chance_between(lever.law, since, until), until
        shares[now] = share, [*several, value]
    return shares


def _change(arms: Callable[[float], tuple[float, ...]], low: float, high: float) -> float:
    there = arms(low)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if arms(middle) == there else (low, middle)
    return (low + high) / 2


def _loss(one: _Shares, two: _Shares) -> tuple[float, tuple[float, ...]]:
    """The largest logarithm of a ratio of probabilities that fresh runs can show, and whose it is."""
    worst: tuple[float, tuple[float, ...]] = 0.0, ()
    for arms in {**one, **two}:
        a, b = one.get(arms, NONE)[0], two.get(arms, NONE)[0]
        if max(a, b) >= LEAST:
            worst = max(worst, (abs(log(a / b)) if a and b else inf, arms))
    return worst
