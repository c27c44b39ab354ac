"""White-box attacks on gradient descents: the larger a score, the likelier the canary's gradient was averaged.

Gradients have shape [..., d]; d may be that of a part of the parameters, such as the last layer.

Source: MIA-EQ7.2, MIA-A13, MIA-S7.1.2a, MIA-S7.1.2b
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from banditproof.algorithms.training.descent import Private, Transcript, clipped
from banditproof.algorithms.training.models import Network
from banditproof.theory.errors import InvalidInput

SPAN = 1e-9  # of the largest deviation: what is smaller is rounding, and the references do not vary there


@dataclass(frozen=True)
class Reference:
    """Mean [d] and covariance of reference gradients: variances [r] along orthonormal axes [r, d], `rest` across them.

    Where `rest` is 0, gradients that leave the mean across the axes are infinitely far away.
    """

    mean: np.ndarray
    axes: np.ndarray
    variances: np.ndarray
    rest: float = 0.0

    @classmethod
    def estimate(cls, gradients: np.ndarray, *, centred: bool = True, noise: float = 0.0) -> Reference:
        """Of reference gradients [n_r, d]; `noise` is a variance that is added in every direction.

        It stands for noise (`Private.spread`, as if every record had its share) or keeps estimates away from 0.
        Without `centred` second moments u u^T take the place of the covariance, as Algorithm 14 prints.
        Raises InvalidInput for fewer than two gradients, and a noise that is negative.
        """
        if np.ndim(gradients) != 2 or len(gradients) < 2:
            raise InvalidInput("gradients", np.shape(gradients), "at least two reference gradients, shape [n_r, d]")
        if not 0 <= noise < np.inf:
            raise InvalidInput("noise", noise, "a variance, at least 0")
        mean = gradients.mean(axis=0)
        deviations, axes = np.linalg.svd(gradients - mean if centred else gradients, full_matrices=False)[1:]
        varies = deviations > SPAN * deviations[0]
        return cls(mean, axes[varies], deviations[varies] ** 2 / len(gradients) + noise, noise)

    def solve(self, vectors: np.ndarray) -> np.ndarray:
        """C^-1 v for vectors [..., d] from the span of the axes (all vectors where `rest` is positive)."""
        along = vectors @ self.axes.T
        solved = along / self.variances @ self.axes
        return solved + (vectors - along @ self.axes) / self.rest if self.rest else solved

    def squared(self, gradients: np.ndarray) -> np.ndarray:
        """The Mahalanobis score |g - mean|^2 in the norm of C^-1 of gradients [..., d]; inf out of the span."""
        shifts = gradients - self.mean
        along = shifts @ self.axes.T
        across = np.linalg.norm(shifts - along @ self.axes, axis=-1)
        if self.rest:
            return (along**2 / self.variances).sum(axis=-1) + across**2 / self.rest
        inside = across <= np.sqrt(SPAN) * np.linalg.norm(shifts, axis=-1)
        return np.where(inside, (along**2 / self.variances).sum(axis=-1), np.inf)


Score = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Scores [...] of averaged gradients [..., d], given the canary's gradients [..., d]."""


def covariance(reference: Reference, size: int) -> Score:
    """(g* - mu)^T C^-1 (g_batch - mu) - |g* - mu|^2 / (2 |B|), in the norm of C^-1. Source: MIA-EQ7.2"""

    def score(batch: np.ndarray, canary: np.ndarray) -> np.ndarray:
        shift = canary - reference.mean
        direction = reference.solve(shift)
        return (direction * (batch - reference.mean)).sum(axis=-1) - (direction * shift).sum(axis=-1) / (2 * size)

    return score


def scalar_product(batch: np.ndarray, canary: np.ndarray) -> np.ndarray:
    """g*^T g_batch. Source: MIA-E7.4"""
    return (canary * batch).sum(axis=-1)


def glir(reference: Reference, size: int) -> Score:
    """-log of the level at which the average is too near to the canary: the score of [LPK23] that has a meaning.

    The squared distance |B| |g_batch - g*|^2 is non-central chi-squared for normal gradients without the canary, with
    as many degrees as directions that vary and non-centrality |B| |mu - g*|^2. The print has the inverse of the
    distribution function, |B| - 1 for |B| and the length for its square.
    """
    from scipy.stats import ncx2

    degrees = len(reference.mean if reference.rest else reference.axes)

    def score(batch: np.ndarray, canary: np.ndarray) -> np.ndarray:
        distance = reference.solve(batch - canary) * (batch - canary)
        return -ncx2.logcdf(size * distance.sum(axis=-1), degrees, size * reference.squared(canary))

    return score


def traced(
    network: Network,
    run: Transcript,
    canary: tuple[np.ndarray, int],
    scores: Mapping[str, Score],
    *,
    part: slice = slice(None),
    private: Private | None = None,
    printed: bool = False,
) -> dict[str, float]:
    """The sums over the steps of a run of scores of a canary (x [features], y): Algorithm 13 for the covariance.

    The canary's gradient is taken anew at the parameters that every step started from, and clipped as that of a record
    where the run is `private`; `part` are the parameters that are looked at. `printed` takes the batch gradients with
    the sign of the print, which is the opposite one.
    """
    x, y = np.asarray(canary[0])[None], np.array([canary[1]])
    own = clipped(np.concatenate([network.gradients(theta, x, y) for theta in run.thetas[:-1]]), private)[:, part]
    averages = run.gradients(printed)[:, part]
    return {name: float(score(averages, own).sum()) for name, score in scores.items()}
