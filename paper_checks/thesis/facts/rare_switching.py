"""Algorithm 9 on sequences of chosen vectors in exact arithmetic: determinants, bonuses and the rounds of its updates.

When a rarely switching policy updates follows from the vectors it chose alone, so every policy is covered by sequences.
A sequence is ["axes", d], ["same", d], ["turn", d, n] (the first axis n times, then the second) or ["random", d, seed].

Source: ALG-A9
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from banditproof.theory.linear.action_span import as_fraction, rational_matrix

Vector = tuple[Fraction, ...]

_EDGES = {1: [(1,)], 2: [(1, 0), (3, 4), (4, -3), (5, 12)], 3: [(1, 0, 0), (1, 2, 2), (3, 4, 0), (2, -1, 2)]}


def unit_vectors(sequence: Sequence[Any], rounds: int) -> tuple[Vector, ...]:
    """The first vectors of a sequence; all have norm 1."""
    kind, d, *more = sequence
    axes = [tuple(Fraction(i == k) for i in range(d)) for k in range(d)]
    if kind == "random":
        draw = random.Random(f"{d} {more[0]}")
        chosen = (draw.sample(row, d) for row in draw.choices(_EDGES[d], k=rounds))
        return tuple(tuple(Fraction(x, round(sum(y * y for y in row) ** 0.5)) for x in row) for row in chosen)
    indices = {"axes": lambda t: t % d, "same": lambda t: 0, "turn": lambda t: int(t >= more[0])}[kind]
    return tuple(axes[indices(t)] for t in range(rounds))


def determinant(matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    return as_fraction(rational_matrix(matrix).det())


def designs(vectors: Sequence[Vector], ridge: Fraction) -> list[list[list[Fraction]]]:
    """V_0 = ridge I, ..., V_n."""
    order = range(len(vectors[0]))
    found = [[[ridge * (i == j) for j in order] for i in order]]
    for a in vectors:
        found.append([[found[-1][i][j] + a[i] * a[j] for j in order] for i in order])
    return found


@lru_cache(256)
def volumes(vectors: tuple[Vector, ...], ridge: Fraction) -> tuple[Fraction, ...]:
    """det V_0, ..., det V_n: the same for every growth that an update waits for."""
    return tuple(determinant(v) for v in designs(vectors, ridge))


def squared_bonus(design: Sequence[Sequence[Fraction]], a: Vector) -> Fraction:
    """|a|^2 in the norm of V^-1, as det(V + a a^T) / det V - 1."""
    grown = [[x + a[i] * a[j] for j, x in enumerate(row)] for i, row in enumerate(design)]
    return determinant(grown) / determinant(design) - 1


@lru_cache(256)
def bonuses(vectors: tuple[Vector, ...], ridge: Fraction) -> tuple[Fraction, ...]:
    """|A_t|^2 in the norm of V_{t-1}^-1, t = 1, ..., n."""
    return tuple(squared_bonus(v, a) for v, a in zip(designs(vectors, ridge), vectors, strict=False))


def last_updates(vectors: tuple[Vector, ...], ridge: Fraction, growth: Fraction | int) -> list[int]:
    """tau_t for t = 1, ..., n: the round whose design was used last, 0 before the first update."""
    volume = volumes(vectors, ridge)
    tau, found = 0, []
    for t in range(1, len(vectors) + 1):
        if volume[t - 1] > (1 + growth) * volume[tau]:
            tau = t - 1
        found.append(tau)
    return found


def episode_starts(vectors: tuple[Vector, ...], ridge: Fraction, growth: Fraction | int) -> list[int]:
    """t_1 = 1 and the rounds t in which the estimate is computed anew."""
    taus = last_updates(vectors, ridge, growth)
    return [1, *(t for t, (before, now) in enumerate(zip(taus, taus[1:], strict=False), start=2) if now != before)]
