"""BUG: collected sums are not cleared after a release, so all means run into 1
LINE: self.sums = kept
CLAIMS: the regret of lazy-dp-ts
"""

from banditproof.algorithms.finite.lazy_dp_ts import LazyDPTS
from banditproof.theory import Budget


class Hoarder(LazyDPTS):
    def _release(self, rows, arm):
        kept = self.sums.copy()
        super()._release(rows, arm)
        self.sums = kept


NAME = "lazy-dp-ts"
BUDGETS = [Budget.pure(1.0)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return Hoarder(arms, budget, noise, generator, optimism=3.0, replications=replications)
