"""BUG: single rewards answer by randomised response that lies with probability 1/4; epsilon = 1 needs 1 / (1 + e) = 0.269
LINE: lies = self.noise.draw("random", 1.0, (1,))[0] < self.LIE
DECLARED: epsilon=1.0

The loss is log 3 = 1.0986. Rewards that are no bits are first rounded at random, which costs nothing.
"""

import numpy as np

from banditproof.algorithms import Policy


class Agent(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.times, self.estimate = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.times, 1))
        self.arm = int(np.argmax(np.where(self.times == 0, np.inf, self.estimate + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.times[k] += int(count[0])
        self.t += int(count[0])
        self.hear(k, float(total[0]), self.t - int(count[0]))


class RandomAnswers(Agent):
    LIE = 0.25

    def hear(self, k, reward, t):
        bit = self.generator.random() < reward
        lies = self.noise.draw("random", 1.0, (1,))[0] < self.LIE
        answer = float(bit != lies)
        unbiased = (answer - self.LIE) / (1 - 2 * self.LIE)
        self.estimate[k] += (unbiased - self.estimate[k]) / self.times[k]


def make(noise, generator):
    return RandomAnswers(3, noise, generator)
