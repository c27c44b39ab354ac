"""Training by gradient descent, private or not: models, data, descents, and attacks on what they show."""

from banditproof.algorithms.training.attacks import Reference, covariance, glir, scalar_product, traced
from banditproof.algorithms.training.canaries import canife_loss, dirac, mislabelled, selected
from banditproof.algorithms.training.data import cifar10, digits, fmnist
from banditproof.algorithms.training.descent import (
    Private,
    Transcript,
    average_gradient,
    blocks,
    descend,
    poisson_batches,
)
from banditproof.algorithms.training.epochs import Attacked, Epoch, attack_extremes
from banditproof.algorithms.training.models import Network

__all__ = [
    "Attacked",
    "Epoch",
    "Network",
    "Private",
    "Reference",
    "Transcript",
    "attack_extremes",
    "average_gradient",
    "blocks",
    "canife_loss",
    "cifar10",
    "covariance",
    "descend",
    "digits",
    "dirac",
    "fmnist",
    "glir",
    "mislabelled",
    "poisson_batches",
    "scalar_product",
    "selected",
    "traced",
]
