"""BUG: each reward is booked ten times, to "smooth" the means, and the stopping rule believes it
LINE: super().observe(10 * total, 10 * count, arm)
CLAIMS: error probability at most DELTA
"""

from banditproof.algorithms.identification.sequential import TTUCB

WHERE, DELTA = 3, 0.05


class Booked(TTUCB):
    def observe(self, total, count, arm=None):
        super().observe(10 * total, 10 * count, arm)


def make_strategy(arms, generator, replications):
    return Booked(arms, delta=DELTA, replications=replications)
