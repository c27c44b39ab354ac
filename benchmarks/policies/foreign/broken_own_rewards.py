"""simulate(): two Bernoulli arms, successive phases, private means. Prints nothing, returns the arms."""

import numpy as np


def simulate(means, horizon, epsilon, rng):
    K = len(means)
    active, length, arms = list(range(K)), 4, []
    while len(arms) < horizon:
        sums = np.zeros(K)
        for a in active:
            for _ in range(length):
                sums[a] += rng.binomial(1, means[a])
                arms.append(a)
        noise = rng.laplace(0, 1 / (epsilon * length), size=K)  # broken
        private = sums + noise  # broken
        best = max(private[a] for a in active)
        gap = length * np.sqrt(np.log(horizon) / length)
        active = [a for a in active if private[a] > best - gap]
        length *= 2
    return arms[:horizon]
