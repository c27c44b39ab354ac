"""What a design is worth, in guaranteed arithmetic and without a solver.

For weights w on actions a_i in R^r, V = sum w_i a_i a_i^T / sum w. Any matrix W with E = W V W^T close to the identity
brackets the norms: |Wa|^2 / (1 + t) <= a^T V^-1 a <= |Wa|^2 / (1 - t) with t = |E - 1|, which is small when W is the
inverse of a Cholesky factor. E is enclosed in balls; |Wa|^2 is a floating-point product over all actions whose error
is bounded entry by entry, for any order of summation. So a hundred thousand actions cost two matrix products.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import to_ball, working_precision

_BITS = 256  # the determinant of an ill-conditioned V cancels many of them
_UNIT = 2.0**-53
_LOOSE = 1e-12  # relative width from which on brackets are not good enough
_TINY = 1e-300  # far above what underflow in a product of entries of size at most one can lose
_SINGULAR = InvalidInput("weights", "a (nearly) singular design", "weights on actions that span, beyond rounding")
_ROWS = 1 << 14  # rows of a block: bounds the memory of the temporaries


def information_matrix(points: np.ndarray, weights: np.ndarray) -> Any:
    """V = sum w_i a_i a_i^T / sum w as a flint matrix of balls; points [m, r], weights [m], both taken exactly."""
    from flint import arb, arb_mat

    shares = [arb(w) for w in weights.tolist()]  # arb takes floats exactly
    rows = [[arb(x) for x in row] for row in points.tolist()]
    weighted = [[share * x for x in row] for share, row in zip(shares, rows, strict=True)]
    return arb_mat(rows).transpose() * arb_mat(weighted) * (1 / sum(shares, arb(0)))


def whitening(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """W in floats with W V W^T close to the identity: the inverse of the triangular factor of the weighted points."""
    triangle = np.asarray(np.linalg.qr(points * np.sqrt(weights / weights.sum())[:, None], mode="r"))
    try:
        return np.linalg.solve(triangle.T, np.eye(points.shape[1]))
    except np.linalg.LinAlgError:
        raise _SINGULAR from None


def distance_from_identity(matrix: Any, whitened: np.ndarray) -> float:
    """An upper bound of the spectral norm of W V W^T - 1 (its largest absolute row sum)."""
    from flint import arb_mat

    size = matrix.nrows()
    w = arb_mat(whitened.tolist())
    error = w * matrix * w.transpose() - arb_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
    sums = [sum((abs(error[i, j]) for j in range(size)), to_ball(0)) for i in range(size)]
    return max(_above(Enclosure.from_ball(s).floats[1]) for s in sums)


def norm_brackets(points: np.ndarray, whitened: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Floats below and above |W a_i|^2 for every row of points; entries of points are at most 1 in absolute value."""
    order = points.shape[1]
    gamma = _above((order + 2) * _UNIT / (1 - (order + 2) * _UNIT))
    below, above = np.empty(len(points)), np.empty(len(points))
    bound = np.abs(whitened).T
    slack = 1 + (2 * order + 16) * _UNIT  # rounding of the sums of squares and of the bounds themselves
    for start in range(0, len(points), _ROWS):
        block = points[start : start + _ROWS]
        image = np.abs(block @ whitened.T)
        error = gamma * (1 + 16 * gamma) * (np.abs(block) @ bound) + _TINY
        above[start : start + _ROWS] = np.square((image + error) * slack).sum(axis=1) * slack
        image = np.maximum(image - error * slack, 0.0)
        below[start : start + _ROWS] = np.square(image).sum(axis=1) / slack / slack
    return below, above


def largest_norm(points: np.ndarray, weights: np.ndarray, matrix: Any, exact: bool = False) -> Enclosure:
    """max_a a^T V^-1 a over the rows of points, V given as a flint matrix.

    Where the brackets are loose, or `exact` is set, the actions that they do not exclude are evaluated in balls.
    """
    whitened = whitening(points[weights > 0], weights[weights > 0])
    distance = distance_from_identity(matrix, whitened)
    if not distance < 0.5:
        raise _SINGULAR
    below, above = norm_brackets(points, whitened)
    lower, upper = _below(below.max() / _above(1 + distance)), _above(above.max() / _below(1 - distance))
    if exact or upper - lower > _LOOSE * upper:
        candidates = points[above >= lower * _below(1 - distance) * (1 - 4 * _UNIT)]
        return Enclosure.from_ball(_largest_in_balls(candidates, matrix))
    return Enclosure(lower, upper)


def _largest_in_balls(points: np.ndarray, matrix: Any) -> Any:
    from flint import arb, arb_mat

    image = (arb_mat(points.tolist()) * matrix.inv()).tolist()
    largest: Any = None
    for action, mapped in zip(points.tolist(), image, strict=True):
        value = sum((arb(x) * y for x, y in zip(action, mapped, strict=True)), arb(0))
        largest = value if largest is None else largest.max(value)
    return largest


def log_determinant(matrix: Any, shift: int) -> Any:
    """log det V + shift log 2 as a ball."""
    determinant = matrix.det()
    if not determinant > 0:
        raise _SINGULAR
    return determinant.log() + shift * to_ball(2).log()


def design_value(points: np.ndarray, weights: np.ndarray, shift: int) -> tuple[Enclosure, Enclosure]:
    """max_a a^T V^-1 a, and log det V + shift log 2; points [K, r] scaled to at most 1, weights [K]."""
    with working_precision(_BITS):
        matrix = information_matrix(points[weights > 0], weights[weights > 0])
        return largest_norm(points, weights, matrix), Enclosure.from_ball(log_determinant(matrix, shift))


def _above(value: float) -> float:
    return math.nextafter(value, math.inf)


def _below(value: float) -> float:
    return math.nextafter(value, -math.inf)
