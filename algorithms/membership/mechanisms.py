"""What is published of n records: their mean, with noise, of a sample of them, or anything a function computes.

Source: MIA-D2.3.4a, MIA-D6.5.1, MIA-D6.5.2
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.membership.columns import Columns
from banditproof.theory.errors import InvalidInput


def checked_output(output: Any, leading: tuple[int, ...] = ()) -> np.ndarray:
    """What a mechanism returned, as an array of at most one axis more than `leading`, its first sizes.

    Raises InvalidInput for other shapes, for nothing at all, and for what is no finite real number.
    """
    try:
        drawn = np.asarray(output)
    except ValueError:  # rows of several lengths
        drawn = np.asarray(None)
    fits = drawn.shape[: len(leading)] == leading and drawn.ndim <= len(leading) + 1
    if not (fits and drawn.size and drawn.dtype.kind in "biuf" and np.isfinite(drawn).all()):
        many = "`size` finite numbers, or as many vectors of them, here "
        rows = f"{many}{leading[0]}" if leading else "a vector of finite numbers"
        has = "nan or inf in an" if drawn.dtype.kind == "f" and not np.isfinite(drawn).all() else "an"
        got = f"{has} array of {drawn.dtype}, shape {drawn.shape}" if drawn.ndim else output
        raise InvalidInput("output of the mechanism", got, rows)
    return drawn


class Mechanism(ABC):
    """Publishes an output of shape [d] of n records, for many games at once."""

    @abstractmethod
    def outputs(
        self, columns: Columns, n: int, inside: np.ndarray, targets: np.ndarray, generator: np.random.Generator
    ) -> np.ndarray:
        """The outputs [G, d] of games in which the target [G, d] replaces a record where `inside` [G] is true."""


@dataclass(frozen=True)
class Mean(Mechanism):
    """The empirical mean, exactly. Source: MIA-D2.3.4a"""

    def outputs(
        self, columns: Columns, n: int, inside: np.ndarray, targets: np.ndarray, generator: np.random.Generator
    ) -> np.ndarray:
        """The mean of n - 1 fresh records and the target, or of n fresh ones."""
        return (columns.sums(n - inside, generator) + inside[:, None] * targets) / n


@dataclass(frozen=True)
class NoisyMean(Mechanism):
    """The mean with normal noise of variance gamma^2 / n in every column. Raises InvalidInput unless gamma > 0.

    Source: MIA-D6.5.1
    """

    gamma: float

    def __post_init__(self) -> None:
        if not 0 < self.gamma < np.inf:
            raise InvalidInput("gamma", self.gamma, "a finite number greater than 0")

    def outputs(
        self, columns: Columns, n: int, inside: np.ndarray, targets: np.ndarray, generator: np.random.Generator
    ) -> np.ndarray:
        """The mean and the noise."""
        exact = Mean().outputs(columns, n, inside, targets, generator)
        return exact + self.gamma / np.sqrt(n) * generator.standard_normal(exact.shape)


@dataclass(frozen=True)
class SubSampledMean(Mechanism):
    """The mean of the ceiling of ratio * n rows that one permutation selects. Raises InvalidInput unless 0 < ratio < 1.

    Source: MIA-D6.5.2
    """

    ratio: float

    def __post_init__(self) -> None:
        if not 0 < self.ratio < 1:
            raise InvalidInput("ratio", self.ratio, "a number in (0, 1)")

    def rows(self, n: int) -> int:
        """How many rows are used."""
        return int(np.ceil(self.ratio * n))

    def outputs(
        self, columns: Columns, n: int, inside: np.ndarray, targets: np.ndarray, generator: np.random.Generator
    ) -> np.ndarray:
        """The target is among the rows used in all of its columns, or in none."""
        used = inside & (generator.random(len(inside)) < self.rows(n) / n)
        return Mean().outputs(columns, self.rows(n), used, targets, generator)


@dataclass(frozen=True)
class OwnMechanism(Mechanism):
    """A function of the records [n, d] and a generator that returns a vector; it is called once for every game."""

    function: Callable[[np.ndarray, np.random.Generator], np.ndarray]

    def outputs(
        self, columns: Columns, n: int, inside: np.ndarray, targets: np.ndarray, generator: np.random.Generator
    ) -> np.ndarray:
        """Raises InvalidInput for outputs that are no vectors of finite numbers, or of several lengths or types."""
        drawn: list[np.ndarray] = []
        for b, target in zip(inside, targets, strict=True):
            data = columns.records(n, generator)
            if b:
                data[generator.integers(n)] = target
            output = checked_output(self.function(data, generator))
            drawn.append(output)
            if output.ndim != 1 or (output.shape, output.dtype) != (drawn[0].shape, drawn[0].dtype):
                got = f"{output.dtype} of shape {output.shape}"
                raise InvalidInput("output of the mechanism", got, "a vector of one type and length in all games")
        return np.array(drawn, dtype=float)
