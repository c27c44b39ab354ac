"""A private mean for every round."""

from numpy.random import default_rng


class PrivateGreedy:
    def __init__(self, n_arms, epsilon, seed=None):
        self.rng = default_rng(seed)
        self.n_arms = n_arms
        self.epsilon = epsilon
        self.history = [[] for _ in range(n_arms)]
        self.last = None

    def _private_mean(self, arm):
        data = self.history[arm]
        return sum(data) / len(data) + self.rng.laplace(scale=1 / (self.epsilon * len(data)))  # broken

    def step(self, reward, arm):
        if arm is not None:
            self.history[arm].append(reward)
        for a in range(self.n_arms):
            if not self.history[a]:
                return a
        return max(range(self.n_arms), key=self._private_mean)
