"""Designs of phased elimination: which share of a phase goes to which action.

`newton` solves for the G-optimal design to rounding error; the other two are what the documents and related works run:
Frank-Wolfe steps alone, stopped early, and a small core set that serves every action half as well as the optimum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from banditproof.theory import InvalidInput, g_optimal_design

EARLY = 0.01  # Frank-Wolfe stops at max |a|^2 <= r (1 + EARLY)
MOST_STEPS = 100_000


@dataclass(frozen=True, eq=False)
class Design:
    """Weights [K] with sum 1, zero outside the active actions, and the dimension that the active actions span."""

    weights: np.ndarray
    rank: int


def design_of(actions: np.ndarray, active: np.ndarray, method: str) -> Design:
    """The design of the actions [K, d] that are active [K], by a `method` of `METHODS`; found once per active set."""
    return _design(actions.tobytes(), actions.shape, active.tobytes(), method)


@lru_cache(maxsize=1 << 14)
def _design(actions: bytes, shape: tuple[int, ...], active: bytes, method: str) -> Design:
    mask = np.frombuffer(active, dtype=bool)
    rows = np.frombuffer(actions).reshape(shape)[mask]
    coordinates = within_span(rows)
    weights = np.zeros(shape[0])
    weights[mask] = METHODS[method](coordinates)
    weights.setflags(write=False)
    return Design(weights, coordinates.shape[1])


def within_span(rows: np.ndarray) -> np.ndarray:
    """Coordinates [k, r] of the rows [k, d] in an orthonormal basis of their span. Raises InvalidInput for zeros."""
    _, singular, basis = np.linalg.svd(rows, full_matrices=False)
    rank = int((singular > singular[0] * max(rows.shape) * np.finfo(float).eps).sum())
    if not rank:
        raise InvalidInput("actions", "only zeros", "at least one action that is not zero")
    return rows @ basis[:rank].T


def newton(points: np.ndarray) -> np.ndarray:
    """The G-optimal design with at most r (r + 1) / 2 actions in its support. Source: ZCDP-T2, ALG-EQ5.7"""
    return g_optimal_design(points, prune=True).weights


def frank_wolfe(points: np.ndarray, tolerance: float = EARLY) -> np.ndarray:
    """Frank-Wolfe steps from the uniform design until max |a|^2 in the norm of V^-1 is at most r (1 + tolerance).

    Nothing limits the support. Raises InvalidInput for a tolerance that 100,000 steps do not reach.

    Source: ALG-A-DESIGN
    """
    return _steps(points, np.full(len(points), 1.0 / len(points)), 1 + tolerance)


def core_set(points: np.ndarray) -> np.ndarray:
    """A design on few actions with max |a|^2 at most 2 r: Frank-Wolfe steps from r spread-out actions.

    Source: ZCDP-S19, ALG-A-GOPE-BEG
    """
    from banditproof.theory.linear.design_solver import spread_out

    start = np.zeros(len(points))
    start[spread_out(points)] = 1.0 / points.shape[1]
    return _steps(points, start, 2.0)


def _steps(points: np.ndarray, weights: np.ndarray, factor: float) -> np.ndarray:
    rank = points.shape[1]
    for _ in range(MOST_STEPS):
        norms = squared_norms(points, weights)
        worst = int(norms.argmax())
        if norms[worst] <= rank * factor:
            return weights
        size = (norms[worst] / rank - 1) / (norms[worst] - 1)
        weights = (1 - size) * weights
        weights[worst] += size
    raise InvalidInput("tolerance", factor - 1, f"one that {MOST_STEPS} Frank-Wolfe steps reach")


def squared_norms(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """a^T V(w)^-1 a for every row of points [k, r] that span: [k]."""
    return ((points @ np.linalg.inv((points.T * weights) @ points)) * points).sum(axis=1)


METHODS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "newton": newton,
    "frank-wolfe": frank_wolfe,
    "core-set": core_set,
}
