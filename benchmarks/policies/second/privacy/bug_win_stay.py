"""BUG: in its first rounds the policy stays with an arm after a success and leaves it after a failure
LINE: self.arm = arm if reward >= 0.5 else (arm + 1) % self.arms
DECLARED: epsilon=1.0

Each reward of the first 12 rounds decides the next arm in the open.
"""

import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget


class Agent(Policy):
    """UCB that decides at every pull; estimates come from a subclass."""

    def __init__(self, arms, noise, generator):
        super().__init__(arms)
        self.noise, self.generator = noise, generator
        self.t, self.n, self.value = 0, np.zeros(arms), np.zeros(arms)

    def next_batch(self):
        width = np.sqrt(2 * np.log(self.t + 1) / np.maximum(self.n, 1))
        self.arm = int(np.argmax(np.where(self.n == 0, np.inf, self.value + width)))
        return np.array([self.arm]), np.array([1])

    def observe(self, total, count, arm=None):
        k = self.arm if arm is None else int(arm[0])
        self.n[k] += int(count[0])
        self.t += int(count[0])
        self.hear(k, float(total[0]), self.t - int(count[0]))


class WinStay(Agent):
    def __init__(self, arms, noise, generator):
        super().__init__(arms, noise, generator)
        self.last = (0, 1.0)
        self.block = [None] * arms

    def next_batch(self):
        if self.t >= 12:
            return super().next_batch()
        arm, reward = self.last
        self.arm = arm if reward >= 0.5 else (arm + 1) % self.arms
        return np.array([self.arm]), np.array([1])

    def hear(self, k, reward, t):
        self.last = (k, reward)
        first, rewards = self.block[k] or (t, [])
        rewards.append(reward)
        self.block[k] = (first, rewards)
        if len(rewards) == 6:
            noisy = self.noise.laplace(
                np.array([sum(rewards)]), sensitivity=1, budget=Budget.pure(1.0), records=(first, t + 1, np.array([k]))
            )
            self.value[k] = noisy[0] / 6
            self.block[k] = None


def make(noise, generator):
    return WinStay(3, noise, generator)
