"""HARMLESS: A fixed number of rounds, from Hoeffding and a union bound; plain functions of the history.
CLAIMS: names a wrong arm with probability at most delta = 0.1 wherever the gap is at least 0.4 (the bandits of WHERE)
"""

import numpy as np

from banditproof.algorithms import BernoulliBandit
from banditproof.verify.testing.adapters import history

DELTA = 0.1
GAP = 0.4
ARMS = 20
WHERE = [BernoulliBandit([0.3] * 19 + [0.7]), BernoulliBandit([0.7] + [0.3] * 19)]


def rounds(arms):
    """Hoeffding: a rival's mean lies above the best one's with probability at most exp(-n gap^2)."""
    return int(np.ceil(np.log((arms - 1) / DELTA) / GAP**2))


def make_strategy(arms, generator, replications):
    n = rounds(arms)

    def means(pulled, rewards):
        return [sum(r for a, r in zip(pulled, rewards) if a == k) / n for k in range(arms)]

    return history(
        lambda pulled, rewards: len(pulled) % arms,
        arms,
        replications,
        stopped=lambda pulled, rewards: len(pulled) >= n * arms,
        recommend=lambda pulled, rewards: int(np.argmax(means(pulled, rewards))),
    )
