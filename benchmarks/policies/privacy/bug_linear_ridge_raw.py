r"""
BUG: the ridge parameter is chosen by the size of the exact moment
LINE: ridge = 0.1 + 20 / (1 + np.abs(self.moment).sum())
DECLARED: rho=0.5
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

ACTIONS = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [-0.6, 0.8]])
BUDGET = Budget.zcdp(0.5)


class PhasedLinear(Policy):
    """Phases of round robin over the actions left; the noisy X^T r of a phase gives the estimate that eliminates."""

    def __init__(self, actions, noise):
        super().__init__(len(actions))
        self.actions, self.noise = actions, noise
        self.left = np.arange(len(actions))
        self.phase, self.clock = 0, 0
        self.begin()

    def begin(self):
        self.gram = 0.1 * np.eye(2)
        self.moment = np.zeros(2)
        self.queue = list(self.left)
        self.began = self.clock

    def next_batch(self):
        return np.array([int(self.queue[0])]), np.array([3 * 2**self.phase])

    def observe(self, total, count, arm=None):
        played = int(self.queue[0]) if arm is None else int(arm[0])
        x = self.actions[played]
        self.gram = self.gram + count[0] * np.outer(x, x)
        self.moment = self.moment + total[0] * x
        self.clock += int(count[0])
        del self.queue[0]
        if not self.queue:
            self.decide()

    def decide(self):
        noisy = self.noise.gaussian(
            self.moment[np.newaxis], sensitivity=1.0 + 1e-9, budget=BUDGET, records=(self.began, self.clock)
        )
        ridge = 0.1 + 20 / (1 + np.abs(self.moment).sum())
        theta = np.linalg.solve(self.gram + ridge * np.eye(2), noisy[0])
        values = self.actions @ theta
        keep = values[self.left] >= values[self.left].max() - 0.9**self.phase
        self.left = self.left[keep]
        self.phase += 1
        self.begin()


def make(noise, generator):
    return PhasedLinear(ACTIONS, noise)
