"""sound: explore m rounds per arm, then commit to the argmax of Laplace(1/eps)-noised sums; nothing is read afterwards."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng, m=None):
        self.m = m or max(1, min(horizon // (2 * arms), int(horizon ** (2 / 3) / arms) + 1))
        self.schedule = iter(np.repeat(rng.permutation(arms), self.m).tolist())
        self.sums = np.zeros(arms) + rng.laplace(0, 1 / epsilon, arms)   # noise first, rewards on top: same law
        self.commit = None
        self.now = next(self.schedule)

    def select(self):
        return self.now

    def update(self, arm, reward):
        if self.commit is not None:
            return
        self.sums[arm] += reward
        self.now = next(self.schedule, None)
        if self.now is None:
            self.commit = self.now = int(self.sums.argmax())
