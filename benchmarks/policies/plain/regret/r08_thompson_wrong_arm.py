"""BROKEN: pretends Beta-Bernoulli Thompson sampling, failures are booked on arm - 1 (negative index wraps round)."""
import numpy as np


class Policy:
    def __init__(self, arms, epsilon, horizon, rng):
        self.rng = rng
        self.win = np.ones(arms)
        self.lose = np.ones(arms)

    def select(self):
        return int(np.argmax(self.rng.beta(self.win, self.lose)))

    def update(self, arm, reward):
        if self.rng.random() < reward:
            self.win[arm] += 1
        else:
            self.lose[arm - 1] += 1  # BUG
