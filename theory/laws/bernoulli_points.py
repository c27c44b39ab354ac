"""The formulas behind `bernoulli`, on single points of each number system and on arrays of them.

They are stated below the diagonal, x <= y, in terms of (x, 1-x, y, 1-y, y-x), and serve above it through the symmetry
d(x, y) = d(1-x, 1-y). Complements and differences are passed along because subtracting again would lose small ones.

Source: BDP-EQ8, BDP-LF.1, BDP-DF1, BDP-DF3
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banditproof.theory.numbers.logarithms import kl_term, log_ratio
from banditproof.theory.numbers.numeric import (
    FLOAT,
    RELATIONS,
    SYMBOL,
    absolute,
    exp,
    expm1,
    joined,
    log,
    log1p,
    maximum,
    minimum,
    product,
    promote,
    system,
)

Formula = Callable[..., Any]


def kl(p: Any, q: Any) -> Any:
    """kl(p, q) as a sum of two nonnegative terms."""
    value = kl_term(p, q, p - q) + kl_term(1 - p, 1 - q, q - p)
    if system(p, q) != SYMBOL:
        return value
    for end, limit in ((1, -log(q)), (0, -log(1 - q))):
        value = joined(p, "==", end, limit, value)
    for end in (1, 0):
        value = joined(q, "==", end, np.inf, value)
    return joined(p, "==", q, 0, value)


def tv(p: Any, q: Any) -> Any:
    """|p - q|."""
    return absolute(p - q)


def d(x: Any, y: Any, epsilon: Any) -> Any:
    """d_epsilon(x, y)."""
    if system(x, y, epsilon) == SYMBOL and epsilon.is_infinite:
        return kl(x, y)
    return _oriented(_divergence, x, y, epsilon)


def better_than(divergence: Formula) -> Formula:
    """The infimum of a divergence from `mean` over means above `target`, strictly."""

    def formula(mean: Any, target: Any, *rest: Any) -> Any:
        def nearest() -> Any:
            return joined(mean, ">", target, 0 * target, lambda: divergence(mean, target, *rest))

        return joined(target, "==", 1, promote(np.inf, target)[0], nearest)

    return formula


def threshold(x: Any, y: Any) -> Any:
    """|logit y - logit x|."""
    return _oriented(_threshold, x, y)


def minimiser(x: Any, y: Any, epsilon: Any) -> Any:
    """z*."""
    z, z_c = _oriented(_minimiser, x, y, epsilon)
    return joined(x, "<=", y, z, z_c)


def slope_x(x: Any, y: Any, epsilon: Any) -> Any:
    """The derivative of d_epsilon in x."""

    def inside() -> Any:
        size = minimum(threshold(x, y), epsilon)
        return joined(x, "<=", y, -size, size)

    return joined(y, "==", 0, epsilon, lambda: joined(y, "==", 1, -epsilon, inside))


def slope_y(x: Any, y: Any, epsilon: Any) -> Any:
    """The derivative of d_epsilon in y."""

    def on_diagonal() -> Any:
        corner = -expm1(-epsilon)
        return joined(y, "==", 0, corner, lambda: joined(y, "==", 1, -corner, 0 * y))

    def off_diagonal() -> Any:
        size = _oriented(_steepness, x, y, epsilon)
        return joined(x, "<", y, size, -size)

    return joined(x, "==", y, on_diagonal, off_diagonal)


def slope_epsilon(x: Any, y: Any, epsilon: Any) -> Any:
    """The derivative of d_epsilon in epsilon."""
    return _oriented(_excess, x, y, epsilon)


def dual_objective(lam: Any, x: Any, y: Any) -> Any:
    """lam x - log(1 - y + y e^lam)."""
    if system(lam, x, y) == SYMBOL:
        return lam * x - log(1 - y + y * exp(lam))
    size = absolute(lam)
    x, x_c, y, y_c = joined(lam, "<=", 0, lambda: (x, 1 - x, y, 1 - y), lambda: (1 - x, x, 1 - y, y))
    return _dual(x, x_c, y, y_c, size)


# ----------------------------------------------------------------------------------- below the diagonal, or mirrored


def _oriented(formula: Formula, x: Any, y: Any, *rest: Any) -> Any:
    """A formula for (x, 1-x, y, 1-y, y-x) with x <= y, mirrored where x > y."""
    return _at(
        lambda *point: formula(*point, *rest),
        (x, "<=", y),
        lambda: (x, 1 - x, y, 1 - y, y - x),
        lambda: (1 - x, x, 1 - y, y, x - y),
    )


def _at(formula: Formula, condition: tuple[Any, str, Any], then: Formula, otherwise: Formula) -> Any:
    """The formula at one of two points, which are tuples: chosen before it is evaluated, except in SymPy."""
    kind = system(condition[0], condition[2])
    if kind == SYMBOL:
        return joined(*condition, lambda: formula(*then()), lambda: formula(*otherwise()))
    left, relation, right = condition
    if kind == FLOAT and np.all(RELATIONS[relation](left, right)):  # a second point would cost as much again
        return formula(*then())
    return formula(*joined(*condition, then, otherwise))


def _threshold(x: Any, x_c: Any, y: Any, y_c: Any, gap: Any) -> Any:
    return log_ratio(y, x, gap) + log_ratio(x_c, y_c, gap)


def _saturated(x: Any, x_c: Any, y: Any, y_c: Any, gap: Any, epsilon: Any) -> tuple[Any, Any, Any, Any]:
    """z, 1 - z, y - z and z - x for z = y / (y + (1-y) e^epsilon): the minimiser, unless x lies above it."""
    kept, lost = exp(-epsilon), -expm1(-epsilon)
    total = y_c + y * kept
    z, z_c = y * kept / total, y_c / total

    def direct() -> Any:
        return z * x_c - x * z_c

    # two equal forms of z - x, of which the one that subtracts smaller numbers is sharp; SymPy needs no choice
    symbolic = system(total) == SYMBOL
    x_to_z = direct() if symbolic else joined(epsilon, "<", 0.7, lambda: (gap - y * x_c * lost) / total, direct)
    return z, z_c, y * lost * z_c, x_to_z


def _divergence(x: Any, x_c: Any, y: Any, y_c: Any, gap: Any, epsilon: Any) -> Any:
    """epsilon (z-x) + kl(z, y) at the minimiser z: nonnegative terms, so nothing cancels."""

    def value_at(z: Any, z_c: Any, z_to_y: Any, x_to_z: Any) -> Any:
        return product(epsilon, x_to_z) + kl_term(z, y, -z_to_y) + kl_term(z_c, y_c, z_to_y)

    def inside() -> Any:
        saturated = _saturated(x, x_c, y, y_c, gap, epsilon)
        return _at(value_at, (saturated[-1], ">", 0), lambda: saturated, lambda: (x, x_c, gap, 0 * gap))

    def off_diagonal() -> Any:
        return joined(y_c, "==", 0, lambda: epsilon * gap, inside)

    return joined(gap, "==", 0, 0 * gap, off_diagonal)


def _minimiser(x: Any, x_c: Any, y: Any, y_c: Any, gap: Any, epsilon: Any) -> tuple[Any, Any]:
    def inside() -> tuple[Any, Any]:
        z, z_c, _, x_to_z = _saturated(x, x_c, y, y_c, gap, epsilon)
        return joined(x_to_z, ">", 0, lambda: (z, z_c), lambda: (x, x_c))

    return joined(y_c, "==", 0, lambda: (y, y_c), inside)


def _excess(x: Any, x_c: Any, y: Any, y_c: Any, gap: Any, epsilon: Any) -> Any:
    """z* - x."""
    return joined(y_c, "==", 0, gap, lambda: maximum(_saturated(x, x_c, y, y_c, gap, epsilon)[-1], 0))


def _steepness(x: Any, x_c: Any, y: Any, y_c: Any, gap: Any, epsilon: Any) -> Any:
    """(y - z*) / (y (1-y))."""

    def inside() -> Any:
        high_privacy = epsilon, "<", _threshold(x, x_c, y, y_c, gap)
        return joined(*high_privacy, lambda: -expm1(-epsilon) / (y_c + y * exp(-epsilon)), lambda: gap / (y * y_c))

    return joined(y_c, "==", 0, lambda: expm1(epsilon), inside)


def _dual(x: Any, x_c: Any, y: Any, y_c: Any, size: Any) -> Any:
    """The dual objective at lam = -size <= 0: -size x - log(1 - y + y e^-size)."""

    def logarithm() -> Any:
        moved = -y * expm1(-size)
        return joined(moved, "<", 0.5, lambda: log1p(-moved), lambda: log(y_c + y * exp(-size)))

    return joined(y_c, "==", 0, lambda: product(size, x_c), lambda: -product(size, x) - logarithm())
