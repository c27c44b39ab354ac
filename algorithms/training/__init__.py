"""Training by gradient descent, private or not: models, data, and every vector of parameters on the way."""

from banditproof.algorithms.training.data import cifar10, digits, fmnist
from banditproof.algorithms.training.descent import Private, Transcript, blocks, descend, poisson_batches
from banditproof.algorithms.training.models import Network

__all__ = ["Network", "Private", "Transcript", "blocks", "cifar10", "descend", "digits", "fmnist", "poisson_batches"]
