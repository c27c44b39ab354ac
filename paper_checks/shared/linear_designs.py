"""Designs on finitely many actions in exact arithmetic, and the expected pulls of finite policies on Gaussian rewards.

Source: TH-T4.18, TH-L-B1
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.paper_checks.shared.response_ucb import Rows, inner, sign_mean
from banditproof.theory.linear.action_span import action_span_ratios, as_fraction, basis_ratios, rational_matrix
from banditproof.theory.numbers.numeric import to_ball
from banditproof.theory.numbers.term import quantity
from banditproof.verify.finite.kernels import History
from banditproof.verify.privacy.named_policies import policy_named


def exact_rows(rows: Rows) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(x) for x in row) for row in rows)


def ratio_of(actions: Rows, action: int, best: int, kind: str) -> Fraction:
    """rho_a: "printed", the sum over all actions, or "bases", the largest l1 norm of coordinates in a basis."""
    ratios = (action_span_ratios if kind == "printed" else basis_ratios)(exact_rows(actions), best)
    return Fraction(ratios[action] or 0)


@quantity
def printed_span_ratio(actions: Rows, action: int, best: int) -> Fraction:
    """rho_a of Appendix B.3: the sum of |<a_j, a - a*>|/|a_j|^2 over all actions."""
    return ratio_of(actions, action, best, "printed")


@quantity
def largest_span_ratio(actions: Rows, action: int, best: int) -> Fraction:
    """The largest l1 norm of the coordinates of a - a* in a basis made of actions."""
    return ratio_of(actions, action, best, "bases")


RATIOS_OF = {"printed": printed_span_ratio, "bases": largest_span_ratio}


def mapped(matrix: Rows, rows: Rows) -> list[list[Fraction]]:
    """B a for every row a."""
    return [[inner(line, row) for line in matrix] for row in rows]


def information(actions: Rows, weights: Sequence[Any]) -> list[list[Any]]:
    """G(w) = sum_j w_j a_j a_j^T, for rationals or balls."""
    order = range(len(actions[0]))
    pairs = list(zip(weights, exact_rows(actions), strict=True))
    return [
        [sum((w * (a[i] * a[j]) for w, a in pairs[1:]), pairs[0][0] * (pairs[0][1][i] * pairs[0][1][j])) for j in order]
        for i in order
    ]


def solved(matrix: Sequence[Sequence[Any]], right: Sequence[Any]) -> list[Any]:
    """G^-1 x for a regular matrix of rationals, or of balls."""
    from flint import arb_mat

    column = [[value] for value in right]
    if all(isinstance(x, (int, Fraction)) for row in (*matrix, right) for x in row):
        return [as_fraction(x) for x in rational_matrix(matrix).solve(rational_matrix(column)).entries()]
    left, image = (arb_mat([[to_ball(x) for x in row] for row in rows]) for rows in (matrix, column))
    return left.solve(image).entries()


def shares(actions: Rows, weights: Sequence[Fraction], action: int, best: int) -> list[Fraction]:
    """w_j |<a_j, G(w)^-1 (a - a*)>| for every j, exact; w_j = 0 allowed where the others span."""
    rows = exact_rows(actions)
    move = [x - y for x, y in zip(rows[action], rows[best], strict=True)]
    direction = solved(information(rows, weights), move)
    return [w * abs(inner(row, direction)) for w, row in zip(weights, rows, strict=True)]


@cache
def _paths(name: tuple) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """Chance that the policy's own coins allow a run, by (pulls, ones) of every arm: times p^ones q^zeros, its law."""
    kernel = policy_named(name)
    reached: dict[History, Fraction] = {(): Fraction(1)}
    for _ in range(kernel.horizon):
        after: dict[History, Fraction] = {}
        for history, weight in reached.items():
            for arm, chance in enumerate(kernel.probability(history)):
                for bit in kernel.rewards:
                    if chance:
                        after[(*history, (arm, bit))] = weight * chance
        reached = after
    counted: dict[tuple[tuple[int, int], ...], Fraction] = defaultdict(Fraction)
    for history, weight in reached.items():
        counts = tuple(
            (sum(a == arm for a, _ in history), sum(bit == 1 for a, bit in history if a == arm))
            for arm in range(kernel.arms)
        )
        counted[counts] += weight
    return dict(counted)


def expected_pulls(policy: Sequence[Any], means: Sequence[Fraction]) -> list[Any]:
    """E N_a(T) as balls, when the policy reads the signs of rewards N(mean, 1)."""
    return list(_expected_pulls(tuple(policy), tuple(means)))


@cache
def _expected_pulls(policy: tuple, means: tuple[Fraction, ...]) -> tuple[Any, ...]:
    horizon = policy_named(policy).horizon
    powers = [[_powers(p, horizon) for p in (sign_mean(-m), sign_mean(m))] for m in means]
    totals = [to_ball(0)] * len(means)
    for counts, weight in _paths(policy).items():
        mass = to_ball(weight)
        for arm, (pulls, ones) in enumerate(counts):
            mass = mass * powers[arm][1][ones] * powers[arm][0][pulls - ones]
        totals = [total + pulls * mass for total, (pulls, _) in zip(totals, counts, strict=True)]
    return tuple(totals)


def _powers(value: Any, highest: int) -> list[Any]:
    powers = [to_ball(1)]
    for _ in range(highest):
        powers.append(powers[-1] * value)
    return powers
