"""A policy with Gaussian noise on which the second moment of Theorem 4.14 is too small: its law, in balls."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from operator import mul
from typing import Any

from banditproof.theory.numbers.numeric import log, sqrt, to_ball, working_precision

BITS, REACH = 128, 8


def _above(x: Any, variance: Fraction) -> Any:
    """P(N(0, variance) >= x)."""
    return (to_ball(x) / sqrt(2 * to_ball(variance))).erfc() / 2


def _mixed(weights: list[Any], *chances: list[Any]) -> list[Any]:
    """The mixtures of the first chances of each list."""
    from flint import arb_mat

    rows = arb_mat([[*one[: len(weights)], *[0] * (len(weights) - len(one))] for one in chances])
    return (rows * arb_mat([[weight] for weight in weights])).entries()  # type: ignore[no-any-return]


@cache
def gaussian_courier(records: int, pulls: int, threshold: int, rho_1: Fraction, rho_2: Fraction, parts: int) -> Any:
    """(KL of the actions, E[A^2], E[V]), balls, of a policy and two Bernoulli bandits.

    Arm 0 is played `records` times; if the sum of rewards plus N(0, 1/(2 rho_1)) reaches the threshold, arm 1 is played
    `pulls` times, else arm 2; the last action names the cell, of width 1/parts, in which the sum of all rewards plus
    N(0, 1/(2 rho_2)) lies (the outermost cells are half-lines). One reward moves each sum by at most 1, so the two
    releases satisfy rho_1- and rho_2-zCDP (TH-T2.14/zcdp), what is done with them too (TH-P2.7/zcdp), and the policy
    satisfies their sum, whichever arms an adversary has played. Arm 0 has means 1/2 and 0, arm 1 has 1 and 0, and the
    others pay nothing in both bandits: t = 1/2, 1, 0.
    """
    with working_precision(BITS):
        v_1, v_2 = 1 / (2 * Fraction(rho_1)), 1 / (2 * Fraction(rho_2))
        masses = [to_ball(Fraction(comb(records, s), 2**records)) for s in range(records + 1)]
        reached = [_above(threshold - s, v_1) for s in range(records + 1)]
        (sent,) = _mixed(masses, reached)
        low, high = -REACH * parts, (records + pulls + REACH) * parts
        first = low - (records + pulls) * parts
        tails = [_above(Fraction(k, parts), v_2) for k in range(high + 1)]
        # P(k/parts < noise <= (k+1)/parts) from k = first on, without cancellation in the tails
        cells = [tails[k] - tails[k + 1] if k >= 0 else tails[-k - 1] - tails[-k] for k in range(first, high)]
        kl = to_ball(0)
        for sent_on, chances in ((pulls, reached), (0, [1 - r for r in reached])):
            weights = list(map(mul, masses, chances))  # of sum s + sent_on, s = 0, ..., records
            start = first + sent_on * parts
            seen = [cells[k - start :: -parts] for k in range(low, high)]
            seen += [tails[sent_on * parts - low :: parts], tails[high - sent_on * parts :: -parts]]
            plain = [*(cells[k - first] for k in range(low, high)), tails[-low], tails[high]]
            both = list(zip(_mixed(weights, *seen), plain, strict=True))
            kl += sum((p * log(p / (chances[0] * q)) for p, q in both), to_ball(0))
        square = to_ball(Fraction(records, 2) ** 2) + sent * (records * pulls + pulls**2)
        return kl, square, to_ball(Fraction(records, 4))
