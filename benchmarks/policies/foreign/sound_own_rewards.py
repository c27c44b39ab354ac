"""simulate(): Bernoulli arms, explore then commit on private means."""

import numpy as np


def simulate(means, horizon, epsilon):
    K = len(means)
    m = max(2, int(horizon ** (2 / 3)) // K)
    sums = np.zeros(K)
    arms = []
    for a in range(K):
        for _ in range(m):
            sums[a] += float(np.random.rand() < means[a])
            arms.append(a)
    private = sums / m + np.random.laplace(0, 1 / (epsilon * m), K)
    best = int(np.argmax(private))
    arms += [best] * (horizon - len(arms))
    return arms
