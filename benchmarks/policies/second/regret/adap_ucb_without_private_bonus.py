"""BUG: the bonus for the noise is left out
LINE: return EpisodicUCB.width(self, samples, level)
CLAIMS: the regret of adap-ucb

With epsilon = 0.02, sums of short episodes are mostly noise, and the arm that is unlucky first is not looked at again.
"""

from banditproof.algorithms import AdaPUCB, EpisodicUCB
from banditproof.theory import Budget


class Brave(AdaPUCB):
    def width(self, samples, level):
        return EpisodicUCB.width(self, samples, level)


NAME = "adap-ucb"
BUDGETS = [Budget.pure(0.02)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Brave(arms, budget, noise, beta=3.1, replications=replications)
