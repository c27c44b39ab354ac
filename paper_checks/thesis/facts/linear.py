r"""Linear bandits in exact arithmetic: what the lower bounds of Chapters 2 and 4 and their proofs in B.3 share."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from banditproof.claims.language import *
from banditproof.paper_checks.shared.linear_designs import *
from banditproof.paper_checks.shared.response_ucb import Rows, inner
from banditproof.verify.privacy.named_policies import policy_named

Point = dict[str, Any]

NEARLY_PARALLEL = [[Fraction(1), Fraction(1, 100)], [Fraction(1), Fraction(-1, 100)]]
THREE_ARMS: list[tuple[list[list[Any]], list[Any]]] = [
    ([[1, 0], [0, 1], [1, 1]], [Fraction(1, 2), Fraction(-1, 4)]),
    ([[1, 0], [0, 1], [Fraction(9, 10), Fraction(1, 5)]], [1, 0]),
    ([[1, Fraction(1, 100)], [1, Fraction(-1, 100)], [0, 1]], [Fraction(1, 2), 50]),
]
POLICIES: list[list[Any]] = [
    ["random", 1, 4, 3],
    ["random", 2, 4, 3],
    ["response", Fraction(2), 4, 3],
    ["response", Fraction(9), 4, 3],
    ["constant", Fraction(9, 10), 4, 3],
]


def means_of(actions: Rows, theta: Sequence[Any]) -> list[Fraction]:
    return [inner(a, theta) for a in actions]


def regret(pulls: Sequence[Any], means: Sequence[Fraction]) -> Any:
    best = max(means)
    return sum((count * to_ball(best - mean) for count, mean in zip(pulls, means, strict=True)), to_ball(0))


def two_environments(policy: Sequence[Any], actions: Rows, theta: Sequence[Any], action: int, alpha: Any) -> Any:
    """(Reg_T + Reg'_T, |a - a*|^2 in the norm of G^-1, Delta_a), all certain.

    theta' = theta + (Delta_a + alpha) G^-1 (a - a*) / |a - a*|^2. G is that of weights w just above E N, which only
    makes the divergences that follow larger: they are sums of w_j times nonnegative terms.
    """
    means = means_of(actions, theta)
    best = means.index(max(means))
    pulls = expected_pulls(policy, means)
    weights = [Fraction(math.ceil(float((1000 * n).upper()) + 1e-9), 1000) for n in pulls]
    move = [Fraction(x) - Fraction(y) for x, y in zip(actions[action], actions[best], strict=True)]
    direction = solved(information(actions, weights), move)
    norm, gap = inner(move, direction), means[best] - means[action]
    other = [Fraction(t) + (gap + Fraction(alpha)) / norm * v for t, v in zip(theta, direction, strict=True)]
    there = means_of(actions, other)
    return regret(pulls, means) + regret(expected_pulls(policy, there), there), norm, gap


def _environments(policy: Sequence[Any], actions: Rows, theta: Sequence[Any], action: int, alpha: Any) -> Any:
    exact = tuple(map(Fraction, theta)), action, Fraction(alpha)
    return _two_environments(tuple(policy), exact_rows(actions), *exact)


@cache
def _two_environments(policy: Any, actions: Any, theta: Any, action: int, alpha: Fraction) -> Any:
    return two_environments(policy, actions, theta, action, alpha)


@quantity
def regret_of_two_parameters(
    policy: Sequence[Any], actions: Rows, theta: Sequence[Any], action: int, alpha: Any
) -> Any:
    """Reg_T + Reg'_T, the latter under the parameter that makes the action better than the best one by alpha."""
    return _environments(policy, actions, theta, action, alpha)[0]


@quantity
def norm_of_the_move(policy: Sequence[Any], actions: Rows, theta: Sequence[Any], action: int, alpha: Any) -> Any:
    """|a - a*|^2 in the norm of the inverse of the expected design, which is not larger than this."""
    return _environments(policy, actions, theta, action, alpha)[1]


@quantity
def gap_of_an_action(actions: Rows, theta: Sequence[Any], action: int) -> Fraction:
    """Delta_a."""
    means = means_of(actions, theta)
    return max(means) - means[action]


@quantity
def rounds_of(policy: Sequence[Any]) -> int:
    """T."""
    return policy_named(policy).horizon


@quantity
def span_ratio_of_an_action(actions: Rows, theta: Sequence[Any], action: int) -> Fraction:
    """rho_a, the largest l1 norm of the coordinates of a - a* in a basis made of actions."""
    means = means_of(actions, theta)
    return largest_span_ratio(actions, action, means.index(max(means)))


def finite_points() -> list[Point]:
    points = []
    for actions, theta in THREE_ARMS:
        means = means_of(actions, theta)
        gaps = [max(means) - m for m in means]
        alpha = min(g for g in gaps if g) * Fraction(9, 10)
        points += [
            {"policy": policy, "actions": actions, "theta": theta, "action": action, "alpha": alpha}
            for policy in POLICIES
            for action, gap in enumerate(gaps)
            if gap
        ]
    return points


def dual_vector(actions: Rows) -> list[Fraction]:
    """For actions (a, a*) of the plane: the vector b with <a*, b> = 0 and <a, b> = 1."""
    (x, y), (p, q) = exact_rows(actions)
    determinant = x * q - y * p
    return [q / determinant, -p / determinant]


def divergence_on_the_hard_set(epsilon: Positive, horizon: Count, size: AboveZero, one=1) -> Sides:
    """1/2 epsilon T |A_ti| 2 |theta_i| for |theta_i| = 1/(epsilon T) and |A_ti| = size."""
    return epsilon * horizon * size * 2 / (epsilon * horizon) / 2, "<=", one
