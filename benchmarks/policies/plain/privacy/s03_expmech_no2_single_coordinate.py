"""sound: exponential mechanism exp(eps*sum) without the 2: one reward moves a single score, hence the normaliser moves the same way."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.K, self.eps, self.rng = arms, epsilon, rng
        self.m = 4
        self._fresh()

    def _fresh(self):
        self.u, self.pos, self.pick = np.zeros(self.K), 0, None

    def select(self):
        return self.pos % self.K if self.pick is None else self.pick

    def update(self, arm, reward):
        self.pos += 1
        if self.pick is not None:
            if self.pos >= 3 * self.m * self.K:
                self.m *= 2
                self._fresh()
            return
        self.u[arm] += reward
        if self.pos == self.m * self.K:
            logits = self.eps * self.u
            w = np.exp(logits - logits.max())
            self.pick = int(self.rng.choice(self.K, p=w / w.sum()))
