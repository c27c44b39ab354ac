"""Data with independent columns: records, and sums of many of them drawn at once.

Source: MIA-D2.3.4b, MIA-D6.4
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from banditproof.theory.errors import InvalidInput


class Columns(ABC):
    """A law of records with independent columns; `mean` and `variance` have shape [d]."""

    mean: np.ndarray
    variance: np.ndarray

    @property
    def d(self) -> int:
        """The number of columns."""
        return len(self.mean)

    @abstractmethod
    def sums(self, counts: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """Sums [G, d] of `counts` [G] records each, drawn from the law of a sum."""

    def records(self, number: int, generator: np.random.Generator) -> np.ndarray:
        """`number` records [number, d]."""
        return self.sums(np.ones(number, dtype=int), generator)


@dataclass(frozen=True)
class BernoulliColumns(Columns):
    """Bits with these means [d]. Raises InvalidInput for means outside (0, 1)."""

    mean: np.ndarray

    def __post_init__(self) -> None:
        mean = np.atleast_1d(np.asarray(self.mean, dtype=float))
        if mean.ndim != 1 or not ((mean > 0) & (mean < 1)).all():
            raise InvalidInput("mean", self.mean, "a vector of numbers in (0, 1)")
        object.__setattr__(self, "mean", mean)

    @cached_property
    def variance(self) -> np.ndarray:  # pyright: ignore[reportIncompatibleVariableOverride]
        """p (1 - p)."""
        return self.mean * (1 - self.mean)

    def sums(self, counts: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """Binomial."""
        return generator.binomial(np.asarray(counts)[:, None], self.mean).astype(float)

    def easiest(self) -> np.ndarray:
        """The target bits farthest from the mean, 1(p <= 1/2). Source: MIA-E6.6"""
        return (self.mean <= 0.5).astype(float)

    def hardest(self) -> np.ndarray:
        """The target bits nearest to the mean, 1(p > 1/2). Source: MIA-E6.6"""
        return (self.mean > 0.5).astype(float)


@dataclass(frozen=True)
class GaussianColumns(Columns):
    """Normal columns with these means and deviations [d]. Raises InvalidInput for a deviation that is not positive."""

    mean: np.ndarray
    sigma: np.ndarray

    def __post_init__(self) -> None:
        mean, sigma = np.broadcast_arrays(*map(np.atleast_1d, (self.mean, self.sigma)))
        if mean.ndim != 1 or not np.isfinite(mean).all() or not ((sigma > 0) & np.isfinite(sigma)).all():
            raise InvalidInput("sigma", self.sigma, "finite numbers greater than 0, as many as finite means")
        object.__setattr__(self, "mean", mean.astype(float))
        object.__setattr__(self, "sigma", sigma.astype(float))

    @cached_property
    def variance(self) -> np.ndarray:  # pyright: ignore[reportIncompatibleVariableOverride]
        """sigma^2."""
        return self.sigma**2

    def sums(self, counts: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """Normal."""
        counts = np.asarray(counts, dtype=float)[:, None]
        return counts * self.mean + np.sqrt(counts) * self.sigma * generator.standard_normal((len(counts), self.d))
