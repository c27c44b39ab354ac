"""Algorithm 7 with indices that are given as tables, run line by line: expected pulls, optimism, all exactly.

An index is a list with an entry for each arm: its mean and its draws. A draw is a chance and rows (s, t, value); the
index I(t - 1, beta, s) is the value of the last row whose s and t are not larger. A draw is made afresh when an arm has
a new episode, and stays until the next one: it stands for the rewards and the noise of the episode. So the index rests
on the last episode alone, which has half of all pulls of the arm (C.8).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import quantity

Row = tuple[Fraction, int, Fraction]  # from this many samples on, from this round on, the value
Draw = tuple[Fraction, tuple[Row, ...]]
Arm = tuple[Fraction, tuple[Draw, ...]]


def arms_of(index: Sequence[Any]) -> list[Arm]:
    """The arms of a table as numbers; the chances of the draws of an arm have to add up to 1."""
    arms = []
    for mean, draws in index:
        rows = [(Fraction(p), tuple((Fraction(s), int(t), Fraction(v)) for s, t, v in table)) for p, table in draws]
        if sum(p for p, _ in rows) != 1 or min(p for p, _ in rows) < 0:
            raise InvalidInput("index", index, "a table whose chances add up to 1")
        arms.append((Fraction(mean), tuple(rows)))
    return arms


def value(rows: Sequence[Row], samples: Fraction, t: int) -> Fraction:
    """I(t - 1, beta, samples): the value of the last row that has begun."""
    begun = [v for s, from_t, v in rows if s <= samples and from_t <= t]
    if not begun:
        raise InvalidInput("index", rows, f"a value for {samples} samples at round {t}")
    return begun[-1]


@quantity
def meets_the_hypotheses(index: Sequence[Any], arm: int, beta: Any) -> int:
    """1 if the arm is suboptimal, (C.9) holds and no index falls in t, otherwise 0.

    (C.9) is P(I(t - 1, beta, s) <= mean) <= (3/2) t^-beta for all arms, s > 0 and t >= 1.

    Between two rounds at which a row begins the probability is constant and the bound falls: the last round of them
    decides. After the last row the bound tends to 0, so the probability has to be 0. `beta` is an integer.
    """
    if beta != int(beta):
        raise InvalidInput("beta", beta, "an integer")
    arms = arms_of(index)
    if arms[arm][0] >= max([mean for mean, _ in arms]):
        return 0
    for mean, draws in arms:
        starts = sorted({1, *(t for _, rows in draws for _, t, _ in rows)})
        sizes = {Fraction(s) for _, rows in draws for s, _, _ in rows}
        smallest = min((s for s in sizes if s > 0), default=Fraction(1)) / 2  # between 0 and the next size
        for samples in {smallest, *(s for s in sizes if s > 0)}:
            if any(value(rows, samples, t) > value(rows, samples, u) for _, rows in draws for t, u in pairwise(starts)):
                return 0
            low = [sum(p for p, rows in draws if value(rows, samples, t) <= mean) for t in starts]
            limits = [Fraction(3, 2) / (u - 1) ** int(beta) for u in starts[1:]]
            if low[-1] > 0 or any(p > limit for p, limit in zip(low, limits, strict=False)):
                return 0
    return 1


@quantity
def expected_pulls_of(index: Sequence[Any], arm: int, horizon: int) -> Fraction:
    """E[N_a(T)] of Algorithm 7, by its lines: every draw of every episode is followed.

    Line 2: each arm once. Line 5: the arm with the largest index at t_l - 1, of its N/2 samples (C.8), the first of
    equal ones. Line 6: that arm until its pulls have doubled, or until the horizon.
    """
    arms = arms_of(index)

    def from_here(pulls: tuple[int, ...], drawn: tuple[tuple[Row, ...], ...]) -> Fraction:
        t = sum(pulls) + 1
        if t > horizon:
            return Fraction(pulls[arm])
        indices = [value(rows, Fraction(n, 2), t) for n, rows in zip(pulls, drawn, strict=True)]
        played = indices.index(max(indices))
        longer = pulls[played] + min(pulls[played], horizon - t + 1)
        after = (*pulls[:played], longer, *pulls[played + 1 :])
        later = [(p, (*drawn[:played], rows, *drawn[played + 1 :])) for p, rows in arms[played][1] if p]
        return sum([p * from_here(after, rows) for p, rows in later], Fraction(0))

    def initially(drawn: tuple[tuple[Row, ...], ...]) -> Fraction:
        if len(drawn) == len(arms):
            return from_here((1,) * len(arms), drawn)
        return sum([p * initially((*drawn, rows)) for p, rows in arms[len(drawn)][1] if p], Fraction(0))

    if horizon < len(arms):
        raise InvalidInput("horizon", horizon, f"at least {len(arms)}")
    return initially(())


@quantity
def chance_of_a_high_index(index: Sequence[Any], arm: int, samples: int, horizon: int) -> Fraction:
    """P(I_a(T - 1, beta, samples) >= mu*), the largest mean: the complement of G."""
    arms = arms_of(index)
    best = max([mean for mean, _ in arms])
    chances = [p for p, rows in arms[arm][1] if value(rows, Fraction(samples), horizon) >= best]
    return sum(chances, Fraction(0))
