"""How much regret a private linear bandit forces, by alternative parameters that are priced in d_epsilon.

Let the alternative theta' agree with theta at the best action a*, and some other action be at least as good there. By
SHARP-3 and the proof of SHARP-1 (docs/arm-by-arm.md) a consistent policy has, with alpha_a = E[N_a] / log T,

    liminf of sum_a alpha_a d_epsilon(N(<a, theta>, 1), N(<a, theta'>, 1)) >= 1.

So for nonnegative weights z of alternatives with sum_i z_i d_epsilon(a, i) <= Delta_a for every a, the regret is at
least sum_i z_i log T. The price is a concave function of the squared difference: alternatives are searched for by
quadratic programs that bound it from above, weights and pulls by a linear program. Any alternatives prove a bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.best_arm.arm_by_arm import divergences
from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws.families import Gaussian
from banditproof.theory.linear.action_span import exact_row, exact_rows
from banditproof.theory.linear.linear_lower_bound import Row, check_set, gaps_and_best, reduced
from banditproof.theory.numbers.enclosure import Enclosure, Valued
from banditproof.theory.numbers.exact_numbers import exact_budget
from banditproof.theory.numbers.number_types import Exact
from banditproof.theory.numbers.numeric import to_ball, working_precision

Array = np.ndarray
_BITS, _ROUNDS, _STEPS, _GRID = 128, 30, 8, 600
_CLOSE = 1e-7  # an alternative that costs at least 1 less this adds nothing
_RIDGE = 1e-12


@dataclass(frozen=True)
class LinearAlternatives(Valued):
    """A lower bound on the coefficient of log T in the regret, and the alternatives that prove it.

    Attributes:
        actions, theta, epsilon: the instance and the budget of pure View DP, exact; inf for no privacy.
        best, gaps: index of the best action, and Delta_a, exact.
        value: what the alternatives prove; no claim is made that others do not prove more.
        alternatives, weights: the parameters theta' and their z.
    """

    actions: tuple[Row, ...] = field(repr=False)
    theta: Row
    epsilon: Fraction | float
    best: int
    gaps: Row = field(repr=False)
    value: Enclosure
    alternatives: tuple[Row, ...] = field(repr=False)
    weights: tuple[float, ...] = field(repr=False)

    applies = True
    why = "alternatives whose actions are priced arm by arm in d_epsilon (SHARP-3)"

    @question
    def recheck(self) -> bool:
        """Whether the alternatives prove `value`: balls and rationals, no solver."""
        try:
            gaps, best = gaps_and_best(self.actions, self.theta)
            proved = _certified(self.actions, self.theta, exact_budget(self.epsilon), self.alternatives, self.weights)
        except (ArithmeticError, InvalidInput):
            return False
        return (gaps, best) == (self.gaps, self.best) and self.value == proved


@named
def linear_regret_alternatives(
    actions: Sequence[Sequence[Exact]] | np.ndarray, theta: Sequence[Exact] | np.ndarray, epsilon: Exact
) -> LinearAlternatives:
    """A certified lower bound on liminf regret / log T of epsilon-View DP policies on a linear bandit, by d_epsilon.

    Rewards are <a, theta> + N(0, 1), and policies are consistent for all parameters. Arguments and errors are those of
    `linear_regret_constant`; `epsilon` is in (0, inf].

    Source: SHARP-1

    >>> linear_regret_alternatives([[1, 0], [0, 1]], [1, "1/2"], "0.1").value.decimal(5)
    '[26.927, 26.928]'
    """
    rows, parameter, budget = exact_rows(actions), exact_row("theta", theta), exact_budget(epsilon)
    check_set(rows, parameter)
    gaps, best = gaps_and_best(rows, parameter)
    images = reduced(rows, best)
    try:
        changes, weights = _searched(images, gaps, budget)
        found = tuple(_alternative(rows, parameter, best, gaps, images, *change) for change in changes)
        value = _certified(rows, parameter, budget, found, weights)
    except (ArithmeticError, ValueError):
        given = "gaps whose prices are too small or too large for floats"
        raise InvalidInput("actions, theta and epsilon", given, "prices that floats can tell apart") from None
    return LinearAlternatives(rows, parameter, budget, best, gaps, value, found, weights)


def _product(row: Row, other: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(row, other, strict=True)), Fraction(0))


def _certified(
    rows: Sequence[Row], theta: Row, epsilon: Any, alternatives: Sequence[Row], weights: Sequence[float]
) -> Enclosure:
    """What the weights of the alternatives prove, after division by the most they overspend."""
    gaps, best = gaps_and_best(tuple(rows), theta)
    if len(alternatives) != len(weights) or not all(0 < weight < math.inf for weight in weights):
        raise InvalidInput("weights", weights, "a positive number for each alternative")
    with working_precision(_BITS):
        loads = [to_ball(0)] * len(rows)
        for alternative, weight in zip(alternatives, weights, strict=True):
            changes = [_product(row, alternative) - _product(row, theta) for row in rows]
            reached = [c >= gap > 0 for c, gap in zip(changes, gaps, strict=True)]
            if changes[best] or not any(reached):
                raise InvalidInput("alternatives", alternative, "equal at the best action, which another one reaches")
            prices = _prices(changes, epsilon)
            loads = [load + to_ball(weight) * price for load, price in zip(loads, prices, strict=True)]
        spent = [load / to_ball(gap) for load, gap in zip(loads, gaps, strict=True) if gap]
        if not weights:
            return Enclosure(0, 0)
        factor = max((ball.upper() for ball in spent), key=float)
        return Enclosure.from_ball(sum(map(to_ball, weights), to_ball(0)) / to_ball(factor))


def _prices(changes: Sequence[Fraction], epsilon: Any) -> list[Any]:
    """Upper bounds of d_epsilon(N(0, 1), N(change, 1)) in balls."""
    if epsilon == math.inf:
        return [to_ball(change) ** 2 / 2 for change in changes]
    return [end[1] for end in divergences(Gaussian(0), epsilon).ends([(Fraction(0), abs(c)) for c in changes])]


def _alternative(
    rows: Sequence[Row], theta: Row, best: int, gaps: Row, images: Sequence[Row], challenger: int, change: Array
) -> Row:
    """theta' from its change modulo a*, scaled so that the challenger ties exactly."""
    moved = [Fraction(float(x)) for x in change]
    scale = gaps[challenger] / _product(images[challenger], moved)
    star, moved = rows[best], [scale * x for x in moved]
    if any(star):
        pivot = max(range(len(star)), key=lambda i: abs(star[i]))
        rest = [x for i, x in enumerate(star) if i != pivot]
        moved.insert(pivot, -_product(tuple(rest), moved) / star[pivot])
    return tuple(t + x for t, x in zip(theta, moved, strict=True))


# ------------------------------------------------------------------------------------------ the search, in floats


class _Prices:
    """d_epsilon(N(0, 1), N(x, 1)) and its slope divided by x, from a table."""

    def __init__(self, epsilon: Any) -> None:
        self.budget = epsilon
        self.at = np.linspace(math.log(1e-4), math.log(60), _GRID)
        x = np.exp(self.at)
        value, slope = self.exact(x)
        self.value, self.slope = np.log(value / x**2), np.log(np.maximum(slope / x, 1e-300))

    def exact(self, x: Array) -> tuple[Array, Array]:
        """The value and the slope at positive x, without the table."""
        if self.budget == math.inf:
            return x**2 / 2, x
        with np.errstate(all="ignore"):
            return divergences(Gaussian(0), self.budget).floats(0 * x, x, False)

    def __call__(self, x: Array) -> tuple[Array, Array]:
        size = np.maximum(np.abs(x), 1e-300)
        value = size**2 * np.exp(np.interp(np.log(size), self.at, self.value))
        return np.minimum(value, float(self.budget)), np.exp(np.interp(np.log(size), self.at, self.slope))


def _searched(images: Sequence[Row], gaps: Row, epsilon: Any) -> tuple[list[tuple[int, Array]], tuple[float, ...]]:
    """(challenger, change) and weights of the alternatives that count."""
    y, gap = np.array(images, dtype=float), np.array(gaps, dtype=float)
    challengers = np.array([k for k, image in enumerate(images) if gaps[k] and any(image)], dtype=int)
    if not challengers.size:
        return [], ()
    price, paid = _Prices(epsilon), np.flatnonzero(gap)
    change = _cheapest(y, gap, challengers, np.ones((len(challengers), len(gap))))
    owners, changes = challengers, change
    for _ in range(_ROUNDS):
        weights, pulls = _balanced(price(changes @ y.T)[0], gap, paid)
        for _ in range(_STEPS):
            change = _cheapest(y, gap, challengers, pulls * price(change @ y.T)[1])
        new = price(change @ y.T)[0] @ pulls < 1 - _CLOSE
        if not new.any():
            break
        owners, changes = np.concatenate([owners, challengers[new]]), np.concatenate([changes, change[new]])
    kept = np.flatnonzero(weights > _CLOSE * weights.max())
    sizes = np.maximum(np.abs(changes[kept] @ y.T), 1e-9)
    weights = _balanced(price.exact(sizes)[0], gap, paid)[0]
    found = [
        (int(owners[i]), changes[i], weight) for i, weight in zip(kept, weights.tolist(), strict=True) if weight > 0
    ]
    return [one[:2] for one in found], tuple(one[2] for one in found)


def _cheapest(y: Array, gap: Array, challengers: Array, slopes: Array) -> Array:
    """The changes [m, n] at which each challenger ties and that cost least if prices are quadratic with `slopes`."""
    grams = np.einsum("mk,ki,kj->mij", slopes, y, y)
    grams += _RIDGE * np.trace(grams, axis1=1, axis2=2)[:, np.newaxis, np.newaxis] * np.eye(y.shape[1])
    towards = np.linalg.solve(grams, y[challengers][..., np.newaxis])[..., 0]
    return towards * (gap[challengers] / np.einsum("mi,mi->m", towards, y[challengers]))[:, np.newaxis]


def _balanced(prices: Array, gap: Array, paid: Array) -> tuple[Array, Array]:
    """The weights of the alternatives with the largest sum that overspend at no action, and the pulls of actions."""
    from scipy.optimize import linprog

    unit = prices.max()
    solved = linprog(-np.ones(len(prices)), A_ub=prices.T[paid] / unit, b_ub=gap[paid], method="highs")
    if solved.x is None:
        raise ArithmeticError(solved.message)
    pulls = np.zeros(len(gap))
    pulls[paid] = -solved.ineqlin.marginals / unit
    return solved.x / unit, pulls
