"""The search for a D-optimal design, in floats: nothing here is trusted, the certificate judges the outcome.

A working set of candidate actions grows by those that the current design serves worst. On it, Frank-Wolfe steps
(towards the worst served, away from the best served) find the support, and Newton's method finishes on the support.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_REFRESH = 50  # rank-one updates of the inverse before it is computed anew
_FINEST = 1e-13  # relative to the rank: smaller gaps are rounding
_PATIENCE = 5  # rounds over all actions without a smaller gap


def solve(points: np.ndarray, tol: float, iterations: int) -> np.ndarray:
    """Weights [K] of a design on the rows of points [K, r] (full column rank) with gap at most tol if it can be had."""
    basis = np.asarray(np.linalg.qr(points, mode="r"))
    whitened = np.linalg.solve(basis.T, points.T).T
    rank = points.shape[1]
    tol = max(tol, _FINEST * rank)
    working = spread_out(whitened)
    weights = np.full(rank, 1.0 / rank)
    best, failures = (np.inf, working, weights), 0
    for _ in range(iterations):
        weights = improve(whitened[working], weights, tol)
        keep = weights > 0
        working, weights = working[keep], weights[keep]
        norms = served(whitened, whitened[working], weights)
        gap = float(norms.max()) - rank
        failures = 0 if gap < best[0] else failures + 1
        if gap < best[0]:
            best = (gap, working, weights)
        if gap <= tol / 2 or failures == _PATIENCE:
            break
        worst = worst_served(norms, rank)
        new = np.setdiff1d(worst, working, assume_unique=True)
        if not len(new):
            break
        working, weights = np.concatenate([working, new]), np.concatenate([weights, np.zeros(len(new))])
    _, working, weights = best
    result = np.zeros(len(points))
    result[working] = weights / weights.sum()
    return result


def spread_out(points: np.ndarray) -> np.ndarray:
    """r actions that span, each the farthest from the span of those before it (the start of Kumar and Yildirim)."""
    from scipy.linalg import qr

    pivoted: Any = qr(points.T, mode="r", pivoting=True)
    return pivoted[1][: points.shape[1]]


def served(points: np.ndarray, support: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """a^T V^-1 a for every row of points."""
    factor = np.linalg.cholesky((support.T * weights) @ support)
    image = points @ np.linalg.inv(factor).T
    return np.einsum("ij,ij->i", image, image)


def worst_served(norms: np.ndarray, rank: int) -> np.ndarray:
    """The actions with the largest norms above r, 4 r of them at most."""
    candidates = np.flatnonzero(norms > rank)
    count = 4 * rank
    if len(candidates) > count:
        candidates = candidates[np.argpartition(norms[candidates], -count)[-count:]]
    return candidates


def improve(points: np.ndarray, weights: np.ndarray, tol: float) -> np.ndarray:
    """The design on a small set of points: Frank-Wolfe until the support settles, then Newton, until the gap is met."""
    rank = points.shape[1]
    best, best_gap = weights, np.inf
    steps = 10 + 2 * len(points)
    for _ in range(30):
        weights = frank_wolfe(points, weights, steps, tol)
        weights = newton(points, weights)
        gap = float(served(points, points[weights > 0], weights[weights > 0]).max()) - rank
        if gap >= best_gap:
            break
        best, best_gap = weights, gap
        if gap <= tol / 4:
            break
    return best


def frank_wolfe(points: np.ndarray, weights: np.ndarray, steps: int, tol: float) -> np.ndarray:
    """Steps with exact line search towards the point of largest norm, or away from the support point of smallest.

    V^-1 is factor (base - sum_k shares_k d_k d_k^T), a term a step, until it is computed anew: a step costs a product
    with the points. Those products are einsums, as BLAS would wake its threads for every one of them.
    """
    rank = points.shape[1]
    refresh = max(_REFRESH, rank // 2)
    weights = weights / weights.sum()
    norms, base, factor = np.empty(0), np.empty((0, 0)), 1.0
    directions, shares = np.empty((refresh, rank)), np.empty(refresh)
    for step in range(steps):
        k = step % refresh
        if k == 0:
            base, factor = np.linalg.inv((points.T * weights) @ points), 1.0
            norms = np.einsum("ij,ij->i", points @ base, points)
        up = int(norms.argmax())
        down = int(np.where(weights > 0, norms, np.inf).argmin())
        if norms[up] - rank <= tol / 8 and rank - norms[down] <= tol:
            break
        toward = norms[up] - rank >= rank - norms[down]
        index = up if toward else down
        size = (norms[index] / rank - 1) / (norms[index] - 1) if norms[index] != 1 else -np.inf
        if not toward:
            limit = -weights[index] / (1 - weights[index]) if weights[index] < 1 else -np.inf
            size = limit if norms[index] <= 1 else max(size, limit)
        weights *= 1 - size
        weights[index] = 0.0 if not toward and size == limit else weights[index] + size
        earlier = shares[:k] * np.einsum("kj,j->k", directions[:k], points[index])
        direction = np.einsum("ij,j->i", base, points[index]) - np.einsum("kj,k->j", directions[:k], earlier)
        direction *= factor
        ratio = size / (1 - size)
        scale = ratio / (1 + ratio * norms[index])
        directions[k], shares[k] = direction, scale / factor
        norms = (norms - scale * np.square(np.einsum("ij,j->i", points, direction))) / (1 - size)
        factor /= 1 - size
    return np.maximum(weights, 0.0)


def newton(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Newton's method for log det V over weights that stay positive; a weight that would not is dropped."""
    rank = points.shape[1]
    weights = weights.copy()
    for _ in range(60):
        support = np.flatnonzero(weights > 0)
        chosen, current = points[support], weights[support]
        inverse = np.linalg.inv((chosen.T * current) @ chosen)
        gram = chosen @ inverse @ chosen.T
        slack = np.diag(gram) - rank
        step = _newton_step(np.square(gram), slack)
        blocking = step < 0
        limits = np.full(len(support), np.inf)
        limits[blocking] = -current[blocking] / step[blocking]
        if limits.min() <= 1:
            length = limits.min()
            moved = current + length * step
            moved[limits <= length * (1 + 1e-12)] = 0.0
        else:
            length = _length(chosen, current, step)
            moved = current + length * step
        weights[support] = np.maximum(moved, 0.0)
        weights /= weights.sum()
        if np.abs(slack).max() < 1e-14 * rank or (limits.min() > 1 and np.abs(step).max() < 1e-15):
            break
    return weights


def _newton_step(squares: np.ndarray, slack: np.ndarray) -> np.ndarray:
    """The maximiser of slack.x - x^T squares x / 2 over x of sum 0, regularised where squares is singular."""
    size = len(slack)
    system = np.ones((size + 1, size + 1))
    system[:size, :size] = squares + 1e-13 * np.trace(squares) / size * np.eye(size)
    system[size, size] = 0.0
    return np.linalg.solve(system, np.append(slack, 0.0))[:size]


def _length(points: np.ndarray, weights: np.ndarray, step: np.ndarray) -> float:
    """The largest of 1, 1/2, 1/4, ... at which log det V does not fall."""
    start = np.linalg.slogdet((points.T * weights) @ points)[1]
    length = 1.0
    for _ in range(30):
        value = np.linalg.slogdet((points.T * (weights + length * step)) @ points)[1]
        if value >= start - 1e-14 * max(1.0, abs(start)):
            return length
        length /= 2
    return length


def fewer_points(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The same V on at most r (r + 1) / 2 points: weights move along relations sum z_i a_i a_i^T = 0 until one is 0.

    Each move is in the direction in which the sum of weights does not grow, so dividing by it in the end can only
    improve the design.
    """
    rank = points.shape[1]
    support = np.flatnonzero(weights > 0)
    most = rank * (rank + 1) // 2
    if len(support) <= most:
        return weights
    rows, columns = np.triu_indices(rank)
    products = points[support][:, rows] * points[support][:, columns]
    scale = np.abs(products).max(axis=0)
    relations = np.linalg.svd((products / np.where(scale > 0, scale, 1.0)).T)[2][most:]
    current = weights[support].copy()
    while len(relations):
        relation, relations = relations[0], relations[1:]
        relation = relation if relation.sum() <= 0 else -relation
        falling = relation < 0
        ratios = np.full(len(current), np.inf)
        ratios[falling] = -current[falling] / relation[falling]
        index = int(ratios.argmin())
        current = np.maximum(current + ratios[index] * relation, 0.0)
        current[index] = 0.0
        relations = relations - np.outer(relations[:, index] / relation[index], relation)
        relations[:, index] = 0.0  # exactly, so that this action is not chosen again
    result = np.zeros(len(weights))
    result[support] = current / current.sum()
    return result
