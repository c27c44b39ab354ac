"""HARMLESS: DP-IMED with ties at random
CLAIMS: the regret of dp-imed
"""

from banditproof.algorithms import DPIMED, GeometricBatches
from banditproof.theory import Budget


class DPIMEDAnyTie(DPIMED):
    pass


NAME = "dp-imed"
BUDGETS = [Budget.pure(0.25), Budget.pure(1.0)]


def make_policy_for(arms, budget, horizon, noise, generator, replications):
    return DPIMEDAnyTie(
        arms, budget, GeometricBatches(2), noise, generator=generator, ties="random", replications=replications
    )
