"""HARMLESS: pulls in turn and stops by the likelihood ratio of the library
CLAIMS: error probability at most DELTA
"""

from banditproof.algorithms.identification.sequential import FixedConfidence

WHERE, DELTA = 3, 0.05


class InTurn(FixedConfidence):
    def choose(self):
        return self.pulls.argmin(axis=1)


def make_strategy(arms, generator, replications):
    return InTurn(arms, delta=DELTA, replications=replications)
