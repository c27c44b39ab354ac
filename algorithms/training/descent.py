"""Gradient descents: batch, mini-batch, stochastic and private; every vector of parameters is released.

The printed noise N(0, gamma^2 C^2) is added to the average of a batch, while [ACG+16] add N(0, sigma^2 C^2) to its sum:
sigma = gamma |B|. Replacing a record moves the average of clipped gradients by at most 2 C / |B|, so that a step costs
2 / (gamma |B|) of Gaussian DP, whatever C is.

Source: MIA-D7.1.1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.training.models import Network, lengths, summed
from banditproof.theory import Budget, InvalidInput

Batch = slice | np.ndarray
"""The records of a step: a block [start, stop) of the data, or indices where it was sampled."""


def blocks(n: int, size: int, steps: int, generator: np.random.Generator | None = None) -> list[Batch]:
    """`steps` batches of `size` of n records, which are cut once into n // size blocks (what is left over is not used).

    Block by block, one epoch after another; with a generator each step draws its block uniformly. size = n is batch
    gradient descent, size = 1 with a generator stochastic gradient descent. Raises InvalidInput unless 1 <= size <= n.
    """
    if not 1 <= size <= n:
        raise InvalidInput("size", size, f"between 1 and n = {n}")
    number = n // size
    which = np.arange(steps) % number if generator is None else generator.integers(number, size=steps)
    return [slice(int(k) * size, (int(k) + 1) * size) for k in which]


def poisson_batches(n: int, rate: float, steps: int, generator: np.random.Generator) -> list[Batch]:
    """Batches that every one of n records enters with probability `rate`, on its own in every step."""
    if not 0 < rate <= 1:
        raise InvalidInput("rate", rate, "greater than 0, at most 1")
    return [np.flatnonzero(generator.random(n) < rate) for _ in range(steps)]


@dataclass(frozen=True)
class Private:
    """How DP-SGD protects records: gradients clipped to length `clip`, noise of deviation `gamma` * `clip` on averages.

    All noise comes from `source`. Neighbours differ by "replace", one record for another, or by "presence", where an
    absent record counts as a gradient 0 and averages are divided by the same number. Raises InvalidInput for other
    neighbours, and unless clip > 0 and gamma > 0 are finite.
    """

    clip: float
    gamma: float
    source: NoiseSource
    neighbours: str = "replace"

    def __post_init__(self) -> None:
        for name, value in (("clip", self.clip), ("gamma", self.gamma)):
            if not 0 < value < np.inf:
                raise InvalidInput(name, value, "a finite number greater than 0")
        if self.neighbours not in ("replace", "presence"):
            raise InvalidInput("neighbours", self.neighbours, "replace or presence")

    @property
    def moved(self) -> int:
        """By how many times `clip` neighbours move the sum of a batch."""
        return 2 if self.neighbours == "replace" else 1

    def spread(self, size: float) -> float:
        """The variance that the noise on averages of `size` gradients would have on each of them: size (gamma C)^2."""
        return size * (self.gamma * self.clip) ** 2

    def cost(self, size: float) -> float:
        """What a step on a batch of `size` costs each of its records, as the mu of Gaussian DP."""
        return self.moved / (self.gamma * size)

    def released(self, average: np.ndarray, batch: Batch | None, size: float) -> np.ndarray:
        """The average [d] of a batch with noise; it is charged to the records of a block, to all records of others."""
        records = (np.array([batch.start]), np.array([batch.stop])) if isinstance(batch, slice) else None
        mu = self.cost(size)
        noisy = self.source.gaussian(
            average[None],
            sensitivity=self.moved * self.clip / size,
            budget=Budget.gdp(mu),
            records=records,
            multiplier=1 / mu,
        )
        return noisy[0]


@dataclass(frozen=True)
class Transcript:
    """All that a descent shows: parameters [T + 1, d] from the first to the last, and the rates [T] of its steps."""

    thetas: np.ndarray
    rates: np.ndarray

    def gradients(self, printed: bool = False) -> np.ndarray:
        """What was averaged in every step [T, d]: (theta_{t-1} - theta_t) / eta_t.

        `printed` has the sign of Algorithm 13, (theta_t - theta_{t-1}) / eta_t, which is the opposite one
        (MIA-EQ7.2/sign).
        """
        steps = np.diff(self.thetas, axis=0) / self.rates[:, None]
        return steps if printed else -steps


def descend(
    network: Network,
    theta: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    batches: Sequence[Batch],
    rates: float | np.ndarray,
    private: Private | None = None,
    *,
    size: float | None = None,
    sent: np.ndarray | None = None,
) -> Transcript:
    """Descend from `theta` [d], a step per batch with its rate: theta_t = theta_{t-1} - eta_t (average gradient).

    Sums of gradients are divided by the number of records in the block, or by `size`, which sampled batches need.
    `sent` [m, d] are gradients that further clients send in every step; they are clipped like the others.
    Raises InvalidInput for rates that are not positive, and for sampled batches without a size.
    """
    rates = np.broadcast_to(np.asarray(rates, dtype=float), len(batches))
    if not ((rates > 0) & (rates < np.inf)).all():
        raise InvalidInput("rates", rates, "finite numbers greater than 0, one for each step")
    thetas = np.empty((len(batches) + 1, network.d))
    thetas[0] = theta
    for t, batch in enumerate(batches):
        divisor = size if size is not None else batch.stop - batch.start if isinstance(batch, slice) else 0
        if not divisor > 0:
            raise InvalidInput("size", size, "a number greater than 0 by which sampled batches are divided")
        average = average_gradient(network, thetas[t], x[batch], y[batch], divisor, private)
        if sent is not None:
            average += clipped(sent, private).sum(axis=0) / divisor
        if private is not None:
            average = private.released(average, batch if sent is None else None, divisor)
        thetas[t + 1] = thetas[t] - rates[t] * average
    return Transcript(thetas, rates)


def average_gradient(
    network: Network, theta: np.ndarray, x: np.ndarray, y: np.ndarray, size: float, private: Private | None = None
) -> np.ndarray:
    """The sum [d] of the records' gradients, clipped where they are private, divided by `size`; without noise."""
    factors = network.factors(theta, x, y)
    return summed(factors, _shares(lengths(factors), private)) / size


def clipped(gradients: np.ndarray, private: Private | None) -> np.ndarray:
    """The gradients [n, d], where they are private those that are too long shortened to `private.clip`."""
    return _shares(np.linalg.norm(gradients, axis=1), private)[:, None] * gradients


def _shares(norms: np.ndarray, private: Private | None) -> np.ndarray:
    """By what clipping multiplies gradients of these lengths: min(1, C / length), and 1 for the gradient 0."""
    return np.ones(len(norms)) if private is None else private.clip / np.maximum(norms, private.clip)
