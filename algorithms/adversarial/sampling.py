"""Drawing an index per replication, and the argument checks that the learners share."""

from __future__ import annotations

import numpy as np

from banditproof.theory.errors import InvalidInput


def draw_index(probabilities: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """An index [R] into the last axis of `probabilities` [R, K], one uniform draw per replication."""
    cumulated = np.cumsum(probabilities, axis=1)
    level = generator.random(len(cumulated)) * cumulated[:, -1]
    return (cumulated[:, :-1] <= level[:, np.newaxis]).sum(axis=1)


def softmax(log_weights: np.ndarray) -> np.ndarray:
    """Weights [R, N] as probabilities, from their logarithms."""
    weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def single_pull(count: np.ndarray) -> None:
    """Raises InvalidInput for batches: a learner hears single losses."""
    if (np.asarray(count) != 1).any():
        raise InvalidInput("count", np.asarray(count).tolist(), "1, because these learners observe single losses")


def finite(total: np.ndarray) -> np.ndarray:
    """The losses that were heard, as floats. Raises InvalidInput for NaN and infinite ones."""
    heard = np.asarray(total, dtype=float)
    if not np.isfinite(heard).all():
        raise InvalidInput("total", heard.tolist(), "finite losses")
    return heard
