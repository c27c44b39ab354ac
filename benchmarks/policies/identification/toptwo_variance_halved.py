"""BUG: The cost is that of a variance of 1/8 instead of 1/4, twice too large.
LINE: return 4 * leads**2
CLAIMS: AdaP-TT, epsilon = 8, delta = 1e-6: stops as printed (check_stopping with make_one, STOPPING, against_rivals(asked)) and is delta-correct with two arms
"""

import numpy as np

from banditproof.algorithms import BernoulliBandit, NoiseSource
from banditproof.algorithms.identification.top_two import AdaPTT
from banditproof.theory import Budget
from banditproof.theory.best_arm.thresholds import private_threshold, transportation_cost

DELTA = 1e-6
EPSILON = 8.0
WHERE = 2
STOPPING = [BernoulliBandit([0.1, 0.9])]


class Mine(AdaPTT):
    def worth(self, leads, epsilon):
        return 4 * leads**2

    def threshold(self, leads, own, others, epsilon):
        return private_threshold(own, others, self.delta, self.arms, epsilon)


def asked(lead, own, other):
    """The printed rule: the cost of a rival in units of its threshold."""
    return transportation_cost(lead, own, other) / private_threshold(own, other, DELTA, 2, EPSILON)


def make_one(noise, generator):
    return Mine(2, Budget.pure(EPSILON), noise, delta=DELTA)


def make_strategy(arms, generator, replications):
    return Mine(arms, Budget.pure(EPSILON), NoiseSource(generator), delta=DELTA, replications=replications)
