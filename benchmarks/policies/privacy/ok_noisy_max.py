r"""
HARMLESS: report-noisy-max on the sums of a phase; rewards of the exploitation are not used
DECLARED: epsilon=1.0
"""
import numpy as np

from banditproof.algorithms import Policy
from banditproof.theory import Budget

BUDGET = Budget.pure(1.0)


class ExploreExploit(Policy):
    """Explores n pulls of every arm, chooses by report-noisy-max, exploits for 4 n pulls, then doubles n."""

    def __init__(self, arms, noise):
        super().__init__(arms)
        self.noise = noise
        self.clock, self.began, self.stage = 0, 0, 0
        self.n, self.winner = 2, 0
        self.scores = np.zeros((1, arms))

    @property
    def exploring(self):
        return self.stage < self.arms

    def next_batch(self):
        if self.exploring:
            return np.array([self.stage]), np.array([self.n])
        return np.array([self.winner]), np.array([4 * self.n])

    def observe(self, total, count, arm=None):
        self.clock += int(count[0])
        if self.exploring:
            self.scores[0, self.stage if arm is None else int(arm[0])] += total[0]
            self.stage += 1
            if not self.exploring:
                self.choose()
        else:
            self.n *= 2
            self.stage, self.began = 0, self.clock
            self.scores[:] = 0.0

    def choose(self):
        records = (self.began, self.clock)
        chosen = self.noise.report_noisy_max(self.scores, sensitivity=1.0, budget=BUDGET, records=records)
        self.winner = int(chosen[0])


def make(noise, generator):
    return ExploreExploit(3, noise)
