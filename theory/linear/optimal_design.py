"""Optimal experimental design: the distribution over actions that makes the least certain direction as certain as it
can be, with the Kiefer-Wolfowitz gap as a certificate.

V(w) = sum w_a a a^T, g(w) = max_a a^T V(w)^-1 a. By the equivalence theorem min g = r, the dimension that the actions
span, and the minimisers of g are the maximisers of log det V. So g(w) - r bounds how far any w is from either optimum.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from banditproof.theory.arguments import named, question
from banditproof.theory.errors import InvalidInput, NoNumber
from banditproof.theory.linear.design_certificate import design_value, information_matrix, largest_norm, log_determinant
from banditproof.theory.linear.design_solver import fewer_points, solve
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.exact_numbers import check_count, exact
from banditproof.theory.numbers.numeric import to_ball, working_precision
from banditproof.theory.tables import Shown, Table

LARGEST_DIMENSION = 2000
SECONDS_OF_A_DESIGN = 1.6e-7
"""Times the cube of the dimension, for a few times as many actions: 20 s in 500 dimensions, 20 minutes at most."""


@dataclass(frozen=True, repr=False)
class GOptimalDesign(NoNumber, Shown):
    """A design and what it is worth.

    Attributes:
        actions: the actions, [K, d], as floats.
        weights: one per action, [K], not negative, with sum 1 up to rounding (the enclosures divide by the exact sum).
        dimension: r, the dimension of the span.
        coordinates: indices of r coordinates that determine an action of the span (all of them if r = d).
        value: g = max_a a^T V^-1 a, the inverse taken within the span; at least r, and r at the optimum.
        log_det: log det of V, of its r x r block at `coordinates`.
    """

    actions: np.ndarray = field(repr=False)
    weights: np.ndarray = field(repr=False)
    dimension: int
    coordinates: tuple[int, ...]
    value: Enclosure
    log_det: Enclosure

    @property
    def note(self) -> str:
        """Where the actions do not span, what was done about it."""
        if self.dimension == self.actions.shape[1]:
            return ""
        residual = _independent_columns(self.actions)[1]
        exact = "exactly" if residual == 0 else f"up to a relative {residual:.1e}"
        return (
            f"the actions span {self.dimension} of {self.actions.shape[1]} dimensions ({exact}): this is the design of "
            "their span, computed in the coordinates named"
        )

    def table(self) -> Table:
        """The actions of the support with their weights; the value and the gap in the title."""
        rows = tuple(
            (str(k), ", ".join(f"{x:.6g}" for x in self.actions[k]), f"{self.weights[k]:.6f}") for k in self.support
        )
        title = f"G-optimal design of {len(self.actions)} actions in dimension {self.dimension}"
        told = f"{title}: value {self.value.decimal(6)}, gap at most {float(self.gap.upper):.3g}"
        return Table(f"{told}; {self.note}" if self.note else told, ("row", "action", "weight"), rows)

    def to_dict(self) -> dict[str, Any]:
        """Dimension, value and gap (the middle and both ends) and log det V, and the weight of each row that has one;
        rows count from 0.
        """
        weights = {int(row): float(self.weights[row]) for row in self.support}
        facts = {name: getattr(self, name).to_dict() for name in ("value", "gap", "log_det")}
        return {"dimension": self.dimension, **facts, "note": self.note, "weights": weights}

    @property
    def support(self) -> np.ndarray:
        """Indices of the actions with positive weight, increasing."""
        return np.flatnonzero(self.weights)

    @property
    def gap(self) -> Enclosure:
        """The Kiefer-Wolfowitz gap g - r, clipped at 0: an upper bound of g - min g, and its certificate."""
        lower, upper = (max(end - self.dimension, 0) for end in (self.value.lower, self.value.upper))
        return Enclosure(lower, upper)

    @property
    def log_det_gap(self) -> Enclosure:
        """Encloses max log det V - log det V(w), which is at most r log(g / r)."""
        with working_precision(128):
            bound = self.dimension * (to_ball(self.value.upper) / self.dimension).log()
        return Enclosure(0, max(Enclosure.from_ball(bound).upper, 0))

    @question
    def recheck(self) -> bool:
        """Whether the stated numbers follow from `actions` and `weights` alone, evaluated anew in balls."""
        weights = np.asarray(self.weights)
        positive = weights[weights > 0]
        if weights.shape != (len(self.actions),) or np.any(~(weights >= 0)) or not np.isfinite(positive.sum()):
            return False
        if not 0 < len(positive) or abs(math.fsum(positive) - 1) > 1e-9 or len(self.coordinates) != self.dimension:
            return False
        if list(self.coordinates) != sorted({*self.coordinates} & {*range(self.actions.shape[1])}):
            return False
        if not np.isfinite(self.actions).all() or len(_independent_columns(self.actions)[0]) != self.dimension:
            return False
        points, shift = _scaled(self.actions[:, self.coordinates])
        with working_precision(512):
            try:
                matrix = information_matrix(points[weights > 0], positive)
                value, log_det = largest_norm(points, weights, matrix, exact=True), log_determinant(matrix, shift)
            except InvalidInput:  # a singular design
                return False
            return self.value.contains(value) and self.log_det.contains(log_det)


@named
def g_optimal_design(
    actions: Sequence[Sequence[float]] | np.ndarray,
    tol: float = 1e-9,
    *,
    prune: bool = False,
    spanning: bool = False,
    iterations: int = 200,
) -> GOptimalDesign:
    """The G-optimal (equally D-optimal) design of a finite action set.

    Frank-Wolfe steps towards and away from actions, started as Kumar and Yildirim do, with Newton's method on the
    support, over a growing set of candidate actions. What is returned is judged by its certificate, whatever path led
    to it.

    Args:
        actions: [K, d] finite numbers, taken as floats; not all zero. Duplicates are allowed and share the
            weight of one of them. If they span only r < d dimensions the design is the one of their span. The time
            grows like r^3 (`SECONDS_OF_A_DESIGN`), and r is at most `LARGEST_DIMENSION`.
        tol: the Kiefer-Wolfowitz gap to stop at; if rounding does not allow it, the best design found is returned,
            with its true gap.
        prune: leave at most r (r + 1) / 2 actions in the support (Caratheodory), without changing V.
        spanning: raise InvalidInput unless the actions span R^d.
        iterations: rounds over all actions at most.

    Raises:
        InvalidInput: for arrays of another shape, NaN or infinities, no actions, only zeros, tol that is not positive,
            more dimensions than the largest, and for sets that do not span if `spanning`.

    Source: ALG-D5.8, ALG-T5.9

    >>> g_optimal_design([[1, 0], [0, 1], [1, 1]]).weights.round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    matrix = _checked(actions)
    if not (isinstance(tol, (int, float)) and 0 < tol <= sys.float_info.max):
        raise InvalidInput("tol", tol, "a number, positive and finite")
    iterations = check_count("iterations", iterations, 1)
    coordinates, _ = _independent_columns(matrix)
    rank, dimension = len(coordinates), matrix.shape[1]
    if rank > LARGEST_DIMENSION:
        raise InvalidInput(
            "actions", f"a set of rank {rank}", f"a set that spans at most {LARGEST_DIMENSION} dimensions"
        )
    if spanning and rank < dimension:
        raise InvalidInput("actions", f"a set of rank {rank}", f"a set that spans all {dimension} dimensions")
    points, shift = _scaled(matrix[:, coordinates])
    weights = solve(points, tol, iterations)
    if prune:
        weights = fewer_points(points, weights)
    value, log_det = design_value(points, weights, shift)
    return GOptimalDesign(matrix, weights, rank, coordinates, value, log_det)


def _checked(actions: Any) -> np.ndarray:
    try:
        if isinstance(actions, list | tuple):
            actions = [
                [_entry(entry, k) for entry in row] if isinstance(row, list | tuple) else row
                for k, row in enumerate(actions)
            ]
        matrix = np.array(actions, dtype=np.float64)
    except InvalidInput:
        raise
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput("actions", actions, "a table of numbers with a row per action") from None
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise InvalidInput("actions", f"an array of shape {matrix.shape}", "an array [K, d], K and d at least 1")
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise InvalidInput("actions", f"{matrix[row].tolist()} in row {row}", "finite")
    if not matrix.any():
        raise InvalidInput("actions", "only zeros", "at least one action that is not zero")
    return matrix


def _entry(value: Any, row: int) -> Any:
    """A number of an action, of text as a float."""
    return (
        float(exact(f"actions[{row}]", value, lambda _: True, "a row of numbers")) if isinstance(value, str) else value
    )


def _scaled(points: np.ndarray) -> tuple[np.ndarray, int]:
    """Columns divided by powers of two so that entries are at most 1 (exact), and what this adds to log2 det V."""
    exponents = np.frexp(np.abs(points).max(axis=0))[1]
    return np.ldexp(points, -exponents), 2 * int(exponents.sum())


def _independent_columns(matrix: np.ndarray) -> tuple[tuple[int, ...], float]:
    """Columns that determine the others on these actions, by pivoting, and the relative residual of the others."""
    largest = np.abs(matrix).max(axis=0)
    scaled = matrix / np.where(largest > 0, largest, 1.0)
    triangle = np.linalg.qr(scaled, mode="r")
    singular = np.linalg.svd(triangle, compute_uv=False)
    threshold = singular[0] * max(matrix.shape) * np.finfo(float).eps
    rank = int((singular > threshold).sum())
    if rank == matrix.shape[1]:
        return tuple(range(rank)), 0.0
    from scipy.linalg import qr

    pivoted: Any = qr(triangle, mode="r", pivoting=True)
    reduced, order = pivoted
    residual = float(np.abs(reduced[rank:]).max(initial=0.0) / abs(reduced[0, 0]))
    return tuple(sorted(int(i) for i in order[:rank])), residual
