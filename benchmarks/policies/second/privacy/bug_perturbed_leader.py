"""BUG: follow the perturbed leader adds fresh Gumbel noise of scale 1 to the raw running sums at each decision
LINE: self.arm = int(np.argmax(self.total + self.noise.draw("gumbel", 2.0, (self.arms,))))
DECLARED: epsilon=1.0

Each decision alone is like an exponential mechanism; there are many of them on the same rewards.
"""

import numpy as np

from banditproof.algorithms import Policy


class Learner(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.n, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.n, 1))
        self.arm = int(np.argmax(np.where(self.n == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.n[k] += int(count[0])
        self.t += int(count[0])
        self.learn(k, float(total[0]), self.t - int(count[0]))


class Perturbed(Learner):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.total = np.zeros(arms)

    def next_batch(self):
        self.arm = int(np.argmax(self.total + self.noise.draw("gumbel", 2.0, (self.arms,))))
        return np.array([self.arm]), np.array([1])

    def learn(self, k, reward, t):
        self.total[k] += reward


def make(noise, generator):
    return Perturbed(3, noise, generator)
