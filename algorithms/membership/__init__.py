"""Membership inference: crafters and games on means of independent columns, mechanisms, and scores of adversaries."""

from banditproof.algorithms.membership.adversaries import Adversary, adversary
from banditproof.algorithms.membership.columns import BernoulliColumns, GaussianColumns
from banditproof.algorithms.membership.game import Played, play
from banditproof.algorithms.membership.mechanisms import Mean, Mechanism, NoisyMean, OwnMechanism, SubSampledMean
from banditproof.algorithms.membership.scores import asymptotic, empirical, likelihood_ratio, scalar_product

__all__ = [
    "Adversary",
    "BernoulliColumns",
    "GaussianColumns",
    "Mean",
    "Mechanism",
    "NoisyMean",
    "OwnMechanism",
    "Played",
    "SubSampledMean",
    "adversary",
    "asymptotic",
    "empirical",
    "likelihood_ratio",
    "play",
    "scalar_product",
]
