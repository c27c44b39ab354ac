"""Algorithm 1 with the index of DP-IMED as one would write it in an afternoon: plain NumPy, all budgets at once.

Floats as they come: a rounded formula, no ledger, no checks, rewards and noise from one generator.
"""

from __future__ import annotations

import numpy as np


def dp_imed(epsilon: np.ndarray, means: list[float], horizon: int, alpha: float, seed: int) -> np.ndarray:
    """The regret of a replication at each budget of `epsilon` [R]."""
    generator, rows, probabilities = np.random.default_rng(seed), np.arange(epsilon.size), np.array(means)
    sizes = np.ceil(alpha ** np.arange(np.ceil(np.log(horizon) / np.log(alpha)) + 1)).astype(int)
    pulls = np.ones((epsilon.size, len(means)), dtype=int)
    done = np.ones_like(pulls)
    sums = generator.binomial(1, probabilities, pulls.shape) + generator.laplace(0, 1 / epsilon[:, None], pulls.shape)
    left = horizon - pulls.sum(axis=1)
    while left.any():
        x = np.clip(sums / pulls, 1e-12, 1 - 1e-12)
        y = x.max(axis=1, keepdims=True)
        z = np.maximum(x, y / (y + (1 - y) * np.exp(epsilon[:, None])))
        divergence = epsilon[:, None] * (z - x) + z * np.log(z / y) + (1 - z) * np.log((1 - z) / (1 - y))
        arm = (pulls * divergence + np.log(pulls)).argmin(axis=1)
        count = np.minimum(sizes[np.minimum(done[rows, arm], sizes.size - 1)], left)
        sums[rows, arm] += generator.binomial(count, probabilities[arm]) + generator.laplace(0, 1 / epsilon)
        pulls[rows, arm] += count
        done[rows, arm] += 1
        left = left - count
    return pulls @ (probabilities.max() - probabilities)
