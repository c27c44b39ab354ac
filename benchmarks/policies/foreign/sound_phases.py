"""Private UCB over doubling phases; rewards of earlier phases are forgotten."""

import numpy as np


class PhasedUCB:
    def __init__(self, n_arms, epsilon):
        self.n_arms = n_arms
        self.epsilon = epsilon
        self.index = np.full(n_arms, np.inf)
        self.length = np.ones(n_arms, dtype=int)
        self.t = 0
        self.arm, self.left, self.total = 0, 1, 0.0

    def select_action(self):
        return self.arm

    def update(self, action, reward):
        self.t += 1
        self.total += reward
        self.left -= 1
        if self.left:
            return
        n = self.length[action]
        mean = (self.total + np.random.laplace(0, 1 / self.epsilon)) / n
        self.index[action] = mean + np.sqrt(2 * np.log(self.t + 1) / n) + np.log(self.t + 1) / (self.epsilon * n)
        self.length[action] *= 2
        self.arm = int(np.argmax(self.index))
        self.left, self.total = int(self.length[self.arm]), 0.0
