"""BUG: batches of one pull: the noise of an arm grows with every pull, and the index does not know
LINE: batches = PolynomialBatches(0)
CLAIMS: the regret of dp-klucb
"""

from banditproof.algorithms import DPKLUCB
from banditproof.algorithms.batches import PolynomialBatches
from banditproof.theory import Budget

NAME = "dp-klucb"
BUDGETS = [Budget.pure(0.1)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    batches = PolynomialBatches(0)
    return DPKLUCB(arms, budget, batches, noise, replications=replications)
