"""Divergences of Bernoulli distributions: kl, total variation, and d_epsilon, which prices privacy and information.

    d_epsilon(x, y) = inf over z between x and y of epsilon |x - z| + kl(z, y),    x, y in [0, 1], 0 <= epsilon <= inf

The first argument carries the price of privacy, the second is the second argument of kl. Everything works on floats
and arrays (which broadcast), mpf, balls, series of balls (to first order) and SymPy expressions; see `numeric`.
Arguments outside their domain raise `InvalidInput`. For balls the contract is "the argument lies in its domain": what a
ball has outside is cut off, and since every quantity is monotone in each argument or away from the diagonal, the
enclosures are the exact ranges up to rounding. A ball cannot hold [a, inf): where a range ends at inf it is the line.

The formulas themselves, on points, are in `bernoulli_points`; `ranges` makes them functions on every number system.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.theory.arguments import named
from banditproof.theory.errors import InvalidInput
from banditproof.theory.laws import bernoulli_floats as floats
from banditproof.theory.laws import bernoulli_points as points
from banditproof.theory.laws.index_root import largest_mean
from banditproof.theory.numbers.balls import at_most_one
from banditproof.theory.numbers.number_types import Number
from banditproof.theory.numbers.numeric import BALL, joined, log, product, sqrt, system, where
from banditproof.theory.numbers.ranges import (
    UNIT,
    Ends,
    Formula,
    away_from_diagonal,
    check,
    defined_on,
    evaluate,
    inside,
    monotone,
    numbers,
)
from banditproof.theory.numbers.term import PARTIALS, finite_as, quantity

# ------------------------------------------------------- formulas that have a value where the quantities are finite


def _in_unit(*means: Any) -> Any:
    return sum((sqrt(mean) + sqrt(1 - mean) for mean in means), 0)


def _where_kl(p: Any, q: Any) -> Any:
    return _in_unit(p, q) + _summand_of_kl(p, q) + _summand_of_kl(1 - p, 1 - q)


def _summand_of_kl(p: Any, q: Any) -> Any:
    return where(p, "==", 0, 0, lambda: where(q, "==", 0, np.inf, lambda: log(p / q)))


def _where_threshold(x: Any, y: Any) -> Any:
    return _in_unit(x, y) + where(x, "==", y, 0, lambda: log(y / (1 - y)) - log(x / (1 - x)))


def _where_d_epsilon(x: Any, y: Any, epsilon: Any) -> Any:
    """As d_epsilon is at most epsilon |x - y|; without privacy it is kl."""
    return _in_unit(x, y) + where(epsilon, "==", np.inf, lambda: _where_kl(x, y), lambda: sqrt(epsilon))


def _where_dual_objective(lam: Any, x: Any, y: Any) -> Any:
    return _in_unit(x, y) + lam


def _where_kl_inf(mean: Any, target: Any) -> Any:
    below_one = lambda: where(mean, "<=", target, lambda: _where_kl(mean, target), lambda: 0)  # noqa: E731
    return _in_unit(mean, target) + where(target, "==", 1, np.inf, below_one)


# ------------------------------------------------------------------------------------------------------ the quantities


def _is_float(mean: Any) -> bool:
    """Whether this is a single float in [0, 1]: for such there is a shorter way."""
    return type(mean) is float and 0 <= mean <= 1


@finite_as(_where_kl)
@defined_on()
def kl_bernoulli(p: Number, q: Number) -> Any:
    """kl(p, q) = p log(p/q) + (1-p) log((1-p)/(1-q)), the Kullback-Leibler divergence of two Bernoulli distributions.

    Singular values are limits: kl(p, p) = 0 also at 0 and 1, kl(0, q) = -log(1-q), kl(1, q) = -log q, and inf for q in
    {0, 1} and p != q.

    Source: BDP-D2.1c
    """
    if _is_float(p) and _is_float(q):
        return np.float64(floats.kl(p, q))  # pyright: ignore[reportArgumentType]
    gradient = (lambda p, q: d_epsilon_dx(p, q, np.inf), lambda p, q: d_epsilon_dy(p, q, np.inf))
    return evaluate(points.kl, away_from_diagonal, gradient, p=p, q=q)


@quantity
def tv_bernoulli(p: Number, q: Number) -> Any:
    """The total variation |p - q|.

    Source: BDP-D3.2
    """
    sign = (lambda p, q: joined(p, "<", q, -1, 1), lambda p, q: joined(p, "<", q, 1, -1))
    return evaluate(points.tv, away_from_diagonal, sign, p=p, q=q)


@finite_as(_where_threshold)
def privacy_threshold(x: Number, y: Number) -> Any:
    """epsilon_0 = |logit y - logit x|: budgets from epsilon_0 on cost nothing. inf if x != y and one of them is 0 or 1.

    Source: BDP-EQ8
    """
    return evaluate(points.threshold, away_from_diagonal, None, x=x, y=y)


@named
def privacy_regime(x: Number, y: Number, epsilon: Number) -> Any:
    """The regime of (8): "low" privacy if epsilon >= epsilon_0, where d_epsilon = kl, else "high".

    Arrays give an array of names. Raises InvalidInput for balls that do not decide.

    Source: BDP-EQ8
    """
    x, y, epsilon = numbers(x=x, y=y, epsilon=epsilon)
    check(epsilon=epsilon)
    return regime_at(epsilon, privacy_threshold(x, y))


def regime_at(epsilon: Any, threshold: Any) -> Any:
    """The regime, "low" where the budget reaches the threshold. Raises InvalidInput for balls that do not decide."""
    if system(epsilon, threshold) != BALL:
        return joined(epsilon, ">=", threshold, "low", "high")
    if not (epsilon >= threshold or epsilon < threshold):
        raise InvalidInput("epsilon", epsilon, "so far from the privacy threshold that its side is certain")
    return "low" if epsilon >= threshold else "high"


@finite_as(_where_d_epsilon)
@defined_on()
def d_epsilon(x: Number, y: Number, epsilon: Number) -> Any:
    """inf over z between x and y of epsilon |x - z| + kl(z, y), on the whole closed square and for 0 <= epsilon <= inf.

    d_0 = 0, d_inf = kl, d_epsilon(x, 0) = epsilon x, d_epsilon(x, 1) = epsilon (1 - x); nondecreasing in epsilon,
    jointly convex in (x, y) and 0 on the diagonal, hence monotone away from it in both x and y. In float64 the error
    stays within 16 ulp for arguments that are 0 or normal numbers.

    Source: BDP-EQ6, in the closed form of BDP-EQ8 and BDP-LF.1
    """
    if _is_float(x) and _is_float(y) and type(epsilon) is float and epsilon >= 0:
        return np.float64(floats.d(x, y, epsilon))  # pyright: ignore[reportArgumentType]
    gradient = (d_epsilon_dx, d_epsilon_dy, d_epsilon_depsilon)
    return evaluate(points.d, away_from_diagonal, gradient, x=x, y=y, epsilon=epsilon)


@quantity
def d_epsilon_objective(z: Number, x: Number, y: Number, epsilon: Number) -> Any:
    """epsilon |x - z| + kl(z, y): what d_epsilon minimises over z between x and y. Source: BDP-EQ6"""
    z, x, y, epsilon = inside(z=z, x=x, y=y, epsilon=epsilon)
    return product(epsilon, tv_bernoulli(x, z)) + kl_bernoulli(z, y)


@quantity
def d_epsilon_minimiser(x: Number, y: Number, epsilon: Number) -> Any:
    """z*, the point between x and y where d_epsilon_objective is smallest; y in the degenerate case y in {0, 1}.

    Below the diagonal it is max(x, y / (y + (1-y) e^epsilon)). Source: BDP-LF.1
    """
    return evaluate(points.minimiser, monotone("++?"), None, x=x, y=y, epsilon=epsilon)


@finite_as(_where_dual_objective)
def d_epsilon_dual_objective(lam: Number, x: Number, y: Number) -> Any:
    """lam x - log(1 - y + y e^lam), concave in the real lam; its maximum over |lam| <= epsilon is d_epsilon(x, y).

    Source: BDP-DF1
    """
    lam, x, y = inside({"lam": (-np.inf, np.inf, "a number"), "x": UNIT, "y": UNIT}, lam=lam, x=x, y=y)
    with np.errstate(all="ignore"):
        return points.dual_objective(lam, x, y)


@quantity
def d_epsilon_dual(x: Number, y: Number, epsilon: Number) -> tuple[Any, Any]:
    """(lam*, value): the maximiser of the dual objective on [-epsilon, epsilon] and the maximum, which is d_epsilon.

    lam* = clip(logit x - logit y, -epsilon, epsilon) is a certificate: any feasible lam bounds d_epsilon from below.

    Source: BDP-DF1
    """
    lam = d_epsilon_dx(x, y, epsilon)
    return lam, d_epsilon_dual_objective(lam, x, y)


@quantity
def d_epsilon_dx(x: Number, y: Number, epsilon: Number) -> Any:
    """The derivative of d_epsilon in x: lam* = clip(logit x - logit y, -epsilon, epsilon).

    One-sided (into the square) at x in {0, 1}; at y = 0 it is epsilon and at y = 1 it is -epsilon, for every x.

    Source: BDP-LF.3, BDP-DF1
    """
    return evaluate(points.slope_x, monotone("+-?"), None, x=x, y=y, epsilon=epsilon)


@quantity
def d_epsilon_dy(x: Number, y: Number, epsilon: Number) -> Any:
    """The derivative of d_epsilon in y: (y - z*) / (y (1-y)) with z* the minimiser.

    One-sided (into the square) at y in {0, 1}: there +-(e^epsilon - 1) if x != y, and 1 - e^-epsilon at (0, 0), its
    negative at (1, 1).

    Source: BDP-LF.5
    """
    return evaluate(points.slope_y, monotone("-+?"), None, x=x, y=y, epsilon=epsilon)


@quantity
def d_epsilon_depsilon(x: Number, y: Number, epsilon: Number) -> Any:
    """The derivative of d_epsilon in epsilon: |z* - x|, continuous; at epsilon = 0 it is |x - y|. Source: BDP-DF4"""

    def decreasing_in_epsilon(formula: Formula, x: Ends, y: Ends, epsilon: Ends) -> Any:
        return away_from_diagonal(formula, x, y, (epsilon[1], epsilon[0]))

    return evaluate(points.slope_epsilon, decreasing_in_epsilon, None, x=x, y=y, epsilon=epsilon)


PARTIALS.update({("d_epsilon", k): slope for k, slope in enumerate((d_epsilon_dx, d_epsilon_dy, d_epsilon_depsilon))})


# ------------------------------------------------------------------------------------- divergences to a better mean


@finite_as(_where_kl_inf)
def kl_inf(mean: Number, target: Number) -> Any:
    """inf of kl(mean, m) over Bernoulli alternatives with mean m > target, strictly; inf if there is none.

    That is kl(mean, target) for mean <= target < 1, 0 for target < mean, and inf for target = 1, whatever the mean.

    Source: BDP-EQ3
    """
    if _is_float(mean) and _is_float(target):
        return np.float64(floats.better_than(floats.kl, mean, target))  # pyright: ignore[reportArgumentType]
    return evaluate(points.better_than(points.kl), monotone("-+"), None, mean=mean, target=target)


@quantity
def tv_inf(mean: Number, target: Number) -> Any:
    """inf of |mean - m| over Bernoulli alternatives with mean m > target, strictly; inf if there is none.

    That is max(target - mean, 0) for target < 1 and inf for target = 1, whatever the mean.

    Source: BDP-S1.5
    """
    return evaluate(points.better_than(points.tv), monotone("-+"), None, mean=mean, target=target)


@quantity
def d_inf(mean: Number, target: Number, epsilon: Number) -> Any:
    """inf of d_epsilon(mean, m) over Bernoulli alternatives with mean m > target, strictly; inf if there is none.

    That is d_epsilon(mean, target) for mean <= target < 1, 0 for target < mean, and inf for target = 1.

    Source: BDP-EQ9
    """
    if _is_float(mean) and _is_float(target) and type(epsilon) is float and epsilon >= 0:
        return np.float64(floats.better_than(floats.d, mean, target, epsilon))  # pyright: ignore[reportArgumentType]
    return evaluate(points.better_than(points.d), monotone("-++"), None, mean=mean, target=target, epsilon=epsilon)


# ---------------------------------------------------------------------------------------------- indices (largest means)


@quantity
def kl_ucb_index(x: Number, level: Number) -> Any:
    """max of mu in [0, 1] with kl(x, mu) <= level, for level >= 0: the KL-UCB index. Not for SymPy.

    Source: BDP-S2.1
    """
    return dp_klucb_index(x, level, np.inf)


@quantity
def dp_klucb_index(x: Number, level: Number, epsilon: Number) -> Any:
    """max of mu in [0, 1] with d_epsilon(x, mu) <= level, for level >= 0: the DP-KLUCB index. Not for SymPy.

    It is 1 as soon as level >= epsilon (1 - x).

    Source: BDP-EQ12, in the closed form of BDP-DF5
    """
    if _is_float(x) and type(level) is type(epsilon) is float and level >= 0 and epsilon >= 0:
        return np.float64(floats.largest_mean(x, level, epsilon))  # pyright: ignore[reportArgumentType]
    index = evaluate(largest_mean, monotone("++-"), None, x=x, level=level, epsilon=epsilon)
    return at_most_one(index) if system(index) == BALL else index
