"""BUG: The recommendation is renewed in the first three phases only, so a run that stops later names the leader of stale, noisy data.
LINE: self.recommendation = np.where(over & (self.phase < 3), self.means.argmax(axis=1), self.recommendation)
CLAIMS: epsilon-DP with epsilon = 0.2, and names a wrong arm with probability at most delta = 0.05 on every Bernoulli bandit with 3 arms
"""

import numpy as np

from banditproof.algorithms import NoiseSource
from banditproof.theory import Budget

DELTA = 0.05
EPSILON = 0.2
WHERE = 3


class PrivatePhases:
    """Phase p: 2^p fresh pulls of every arm, each sum released with Laplace noise; stops when the best mean is clear."""

    def __init__(self, arms, delta, noise, replications):
        self.arms, self.delta, self.noise, self.replications = arms, delta, noise, replications
        self.means = np.zeros((replications, arms))
        self.phase, self.turn, self.clock, self.recommendation = np.zeros((4, replications), dtype=np.int64)
        self.stopped = np.zeros(replications, dtype=bool)

    def keep(self, rows):
        for name in ("means", "phase", "turn", "clock", "recommendation", "stopped"):
            setattr(self, name, getattr(self, name)[rows])
        self.replications = len(self.means)

    def next_batch(self):
        return self.turn, 2**self.phase

    def observe(self, total, count, arm=None):
        at = np.arange(self.replications), self.turn if arm is None else arm
        records = self.clock, self.clock + count
        released = self.noise.laplace(total, sensitivity=1.0, budget=Budget.pure(EPSILON), records=records)
        self.means[at] = released / count
        self.clock = self.clock + count
        over = self.turn == self.arms - 1
        self.close(over)
        self.turn = np.where(over, 0, self.turn + 1)
        self.phase = self.phase + over

    def close(self, over):
        n, p = 2.0**self.phase, self.phase + 1
        log = np.log(4 * self.arms * p * (p + 1) / self.delta)
        radius = np.sqrt(log / (2 * n)) + log / (EPSILON * n)
        ordered = np.sort(self.means, axis=1)
        clear = ordered[:, -1] - ordered[:, -2] > 2 * radius
        self.recommendation = np.where(over & (self.phase < 3), self.means.argmax(axis=1), self.recommendation)
        self.stopped = over & clear


def make_strategy(arms, generator, replications):
    return PrivatePhases(arms, DELTA, NoiseSource(generator), replications)
