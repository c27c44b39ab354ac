"""Private UCB over doubling phases."""

import numpy as np


class PrivateUCB:
    def __init__(self, n_arms, epsilon):
        self.n_arms = n_arms
        self.epsilon = epsilon
        self.counts = np.zeros(n_arms)
        self.phase_sums = np.zeros(n_arms)
        self.phase_counts = np.zeros(n_arms)
        self.phase_length = 2
        self.estimates = np.zeros(n_arms)
        self.t = 0
        self.next_end = 8

    def select_action(self):
        if self.t == self.next_end:  # half of a phase explores, half plays the best index
            self._end_phase()
            self.next_end += 2 * self.phase_length * self.n_arms
        if self.phase_counts.min() < self.phase_length:
            return int(np.argmin(self.phase_counts))
        return int(np.argmax(self.estimates + np.sqrt(2 * np.log(self.t + 1) / (self.counts + 1))))

    def _end_phase(self):
        noise = np.random.laplace(0, 1 / self.epsilon)  # broken
        self.estimates = (self.phase_sums + noise) / np.maximum(self.phase_counts, 1)  # broken
        self.phase_sums[:] = 0
        self.phase_counts[:] = 0

    def update(self, action, reward):
        self.t += 1
        self.counts[action] += 1
        self.phase_sums[action] += reward
        self.phase_counts[action] += 1
