"""BUG: it explores one pull per arm instead of 100
LINE: return ExploreThenCommit(arms, 1, replications=replications)
CLAIMS: the regret of explore-then-commit
"""

from banditproof.algorithms.finite.index import ExploreThenCommit

NAME = "explore-then-commit"
BUDGETS = [None]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return ExploreThenCommit(arms, 1, replications=replications)
