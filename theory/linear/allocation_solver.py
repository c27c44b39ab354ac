"""The search for the cheapest allocation of samples under which every direction is known well enough, in floats.

minimise c.beta over beta >= 0 subject to x_a^T H(beta)^-1 x_a <= 1 for every a, where H(beta) = sum_a beta_a x_a x_a^T.
A barrier method on a working set of actions, which grows by those that it serves badly. Nothing here is trusted: the
multipliers it returns are the certificate.
"""

from __future__ import annotations

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.linear.design_solver import spread_out

_AT_ONCE = 60  # sets up to this size are solved as they are
_ROUNDS = 60
_BARRIERS = 60


def cheapest_allocation(points: np.ndarray, costs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """beta [K] and the constraints' multipliers [K], for points [K, n] that span and positive costs [K]."""
    basis = np.asarray(np.linalg.qr(points, mode="r"))
    points = np.linalg.solve(basis.T, points.T).T
    count, order = points.shape
    costs = costs / costs.min()
    working = np.arange(count) if count <= _AT_ONCE else spread_out(points)
    for accuracy in (1e-3, 1e-10):
        for _ in range(_ROUNDS):
            beta, multipliers = _barrier(points[working], costs[working], accuracy)
            if accuracy < 1e-3:
                beta, multipliers = _polished(points[working], costs[working], beta, multipliers)
            new = _badly_served(
                points, costs, points[working], beta, multipliers, accuracy if accuracy == 1e-3 else 1e-12, 4 * order
            )
            new = np.setdiff1d(new, working, assume_unique=True)
            if not len(new):
                break
            working = np.concatenate([working, new])
    result, certificate = np.zeros(count), np.zeros(count)
    result[working], certificate[working] = beta, multipliers
    return result, certificate


def _badly_served(
    points: np.ndarray, costs: np.ndarray, chosen: np.ndarray, beta: np.ndarray, multipliers: np.ndarray,
    tolerance: float, most: int,
) -> np.ndarray:  # fmt: skip
    """Actions outside whose constraint fails, or that would be worth sampling at the multipliers' prices."""
    inverse = np.linalg.inv((chosen.T * beta) @ chosen)
    image = points @ inverse
    norms = np.einsum("ij,ij->i", image, points)
    dual = image @ ((chosen.T * multipliers) @ chosen)
    worth = np.einsum("ij,ij->i", dual, image) / costs
    excess = np.maximum(norms, worth) - 1
    bad = np.flatnonzero(excess > tolerance)
    return bad[np.argsort(-excess[bad])[:most]]


def _barrier(points: np.ndarray, costs: np.ndarray, accuracy: float) -> tuple[np.ndarray, np.ndarray]:
    """Newton's method on t c.beta - sum log(1 - x_a^T H^-1 x_a) - sum log beta_a for growing t."""
    count = len(points)
    beta = 1 / costs
    beta *= 2 * _norms(points, beta).max()
    weight = 2 * count / (costs @ beta)
    for _ in range(_BARRIERS):
        for _ in range(50):
            beta, decrement = _newton_step(points, costs, beta, weight)
            if decrement < 1e-6:
                break
        slack = 1 - _norms(points, beta)
        if 2 * count / weight <= accuracy * (costs @ beta):
            return beta, 1 / (weight * slack)
        weight *= 8.0
    raise InvalidInput(
        "actions", "a set whose costs differ too much for floats", "a set of actions with comparable gaps"
    )


def _newton_step(points: np.ndarray, costs: np.ndarray, beta: np.ndarray, weight: float) -> tuple[np.ndarray, float]:
    inverse = np.linalg.inv((points.T * beta) @ points)
    gram = points @ inverse @ points.T
    squares, slack = np.square(gram), 1 - np.diag(gram)
    shares = squares / slack  # columns divided by the slack of their constraint
    gradient = weight * costs - shares.sum(axis=1) - 1 / beta
    hessian = shares @ shares.T + 2 * gram * ((gram / slack) @ gram)
    # in units of beta the barrier's own part of the Hessian is the identity
    scaled = hessian * np.outer(beta, beta)
    scaled += (1 + 1e-15 * np.trace(scaled)) * np.eye(len(beta))
    step = -np.linalg.solve(scaled, gradient * beta)
    decrement = float(-(gradient * beta) @ step)
    if not decrement >= 0:
        return beta, 0.0
    length = 1.0
    while length > 1e-10:
        moved = beta * (1 + length * step)
        if moved.min() > 0:
            left = 1 - _norms(points, moved)
            if left.min() > 0:
                change = weight * length * (costs * beta) @ step - np.log(left / slack).sum()
                if change - np.log1p(length * step).sum() <= -0.1 * length * decrement + 1e-9:
                    return moved, decrement
        length /= 2
    return beta, 0.0


def _polished(
    points: np.ndarray, costs: np.ndarray, beta: np.ndarray, multipliers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Newton's method on the optimality conditions, with the actions sampled and the constraints met as they seem.

    x_a^T H^-1 x_a = 1 where the multiplier counts, sum_a lambda_a <x_a, H^-1 x_b>^2 = c_b where beta does.
    """
    scale = costs @ beta
    gram = points @ np.linalg.inv((points.T * beta) @ points) @ points.T
    tight = np.flatnonzero(multipliers / scale > 1 - np.diag(gram))
    spare = 1 - np.square(gram) @ multipliers / costs
    sampled = np.flatnonzero(beta * costs / scale > spare)
    best = beta, multipliers, _relative_gap(points, costs, beta, multipliers)
    for _ in range(12):
        beta, multipliers = _only(beta, sampled), _only(multipliers, tight)
        try:
            beta, multipliers = _polishing_step(points, costs, beta, multipliers, sampled, tight)
            gap = _relative_gap(points, costs, np.maximum(beta, 0), np.maximum(multipliers, 0))
        except np.linalg.LinAlgError:
            break
        sampled, tight = sampled[beta[sampled] > 0], tight[multipliers[tight] > 0]
        beta, multipliers = np.maximum(beta, 0), np.maximum(multipliers, 0)
        if gap < best[2]:
            best = beta, multipliers, gap
        if gap < 1e-15 or not np.isfinite(gap):
            break
    return best[0], best[1]


def _only(values: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    kept = np.zeros_like(values)
    kept[chosen] = values[chosen]
    return kept


def _polishing_step(
    points: np.ndarray,
    costs: np.ndarray,
    beta: np.ndarray,
    multipliers: np.ndarray,
    sampled: np.ndarray,
    tight: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    gram = points @ np.linalg.inv((points.T * beta) @ points) @ points.T
    squares = np.square(gram)
    curved = 2 * gram * ((gram * multipliers) @ gram)
    missing = np.concatenate([1 - np.diag(gram)[tight], (costs - squares @ multipliers)[sampled]])
    unit = np.concatenate([1 / costs[sampled], np.full(len(tight), costs @ beta)])  # so that unknowns compare
    system = np.block(
        [
            [-squares[np.ix_(tight, sampled)], np.zeros((len(tight), len(tight)))],
            [-curved[np.ix_(sampled, sampled)], squares[np.ix_(sampled, tight)]],
        ]
    )
    step = np.linalg.lstsq(system * unit, missing, rcond=1e-13)[0] * unit
    beta, multipliers = beta.copy(), multipliers.copy()
    beta[sampled] += step[: len(sampled)]
    multipliers[tight] += step[len(sampled) :]
    return beta, multipliers


def _relative_gap(points: np.ndarray, costs: np.ndarray, beta: np.ndarray, multipliers: np.ndarray) -> float:
    gram = points @ np.linalg.inv((points.T * beta) @ points) @ points.T
    norms = np.diag(gram)
    upper = norms.max() * (costs @ beta)
    lower = multipliers @ (2 * norms - 1) / (np.square(gram) @ multipliers / costs).max()
    return float(1 - lower / upper)


def _norms(points: np.ndarray, beta: np.ndarray) -> np.ndarray:
    try:
        factor = np.linalg.cholesky((points.T * beta) @ points)
    except np.linalg.LinAlgError:
        raise InvalidInput(
            "actions", "a set that is singular within rounding", "a set that is well conditioned"
        ) from None
    return np.square(np.linalg.solve(factor, points.T)).sum(axis=0)
