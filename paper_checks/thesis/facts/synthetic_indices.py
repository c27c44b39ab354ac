"""Algorithm 7 with two arms and synthetic indices: its expected pulls, exactly.

The best arm has the index mu* + 1, except that it has mu* - 1 while its stored coin U <= (3/2) t^-beta; U is uniform
and drawn anew with each of its episodes. The other arm has an index in (mu* - 1, mu*) after an episode of some `low`
lengths, and the index infinity after any other. Every index rests on the last episode alone (C.8), lies below the mean
of its arm with probability at most (3/2) t^-beta (C.9), and never falls in t.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.term import quantity


def expected_pulls(low: Collection[int], beta: int, horizon: int) -> Fraction:
    """E[N_a(T)] of the other arm, for horizon >= 2 and an integer beta; its first reward counts as an episode of 1."""
    if horizon < 2:
        raise InvalidInput("horizon", horizon, "at least 2")
    lengths = frozenset(low)

    @cache
    def later_pulls(best: int, other: int, coin: Fraction) -> Fraction:
        """Pulls of the other arm from now on, after so many of each; U is uniform on [0, coin]."""
        t, left = best + other + 1, horizon - best - other
        if left <= 0:
            return Fraction(0)
        chosen = min(other, left)
        if last_episode(other) not in lengths:
            return chosen + later_pulls(best, 2 * other, coin)
        misled = min(1, Fraction(3, 2) / t**beta / coin)
        found = misled * (chosen + later_pulls(best, 2 * other, coin * misled)) if misled else Fraction(0)
        return found + (1 - misled) * later_pulls(2 * best, other, Fraction(1)) if misled < 1 else found

    return 1 + later_pulls(1, 1, Fraction(1))


def last_episode(pulls: int) -> int:
    """Its length, when an arm has 1, 2, 4, ... pulls."""
    return max(1, pulls // 2)


@quantity
def expected_pulls_with_an_index(low: Collection[int], beta: Any, horizon: int) -> Fraction:
    """E[N_a(T)] of the other arm, for an integer beta; `low` lists the episode lengths after which its index is low."""
    if beta != int(beta):
        raise InvalidInput("beta", beta, "an integer")
    return expected_pulls(low, int(beta), horizon)


@quantity
def chance_of_misleading(low: Collection[int], m: int) -> int:
    """P(G^c_{a,m,T}), which is 1 unless the index is low after an episode of 2^m rewards."""
    return int(2**m not in low)


@quantity
def blocks_below(horizon: int) -> int:
    """How many m >= 0 have 2^m < horizon."""
    return max(0, horizon - 1).bit_length()
