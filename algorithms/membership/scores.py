"""Scores of adversaries: the larger, the likelier the target was in. Outputs and targets have shape [G, d].

Source: MIA-EQ2.26, MIA-EQ6.4, MIA-EQ6.5, MIA-D2.3.5a
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from banditproof.algorithms.membership.columns import BernoulliColumns, Columns, GaussianColumns
from banditproof.theory.errors import InvalidInput

Score = Callable[[np.ndarray, np.ndarray], np.ndarray]


def likelihood_ratio(columns: Columns, n: int) -> Score:
    """The exact log-likelihood ratio of the mean of n records: of bits (2.26), or of normal columns (n >= 2).

    Raises InvalidInput for other columns.
    """
    if isinstance(columns, BernoulliColumns):
        p = columns.mean

        def of_bits(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
            with np.errstate(divide="ignore"):  # a bit that no record has: the target is out for certain
                return np.log(np.where(targets > 0.5, outputs / p, (1 - outputs) / (1 - p))).sum(axis=-1)

        return of_bits
    if isinstance(columns, GaussianColumns) and n >= 2:

        def of_normals(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
            x = np.sqrt(n) * (outputs - columns.mean) / columns.sigma
            inner = x - (targets - columns.mean) / columns.sigma / np.sqrt(n)
            squares = x**2 - inner**2 * n / (n - 1)
            return (squares / 2 - np.log1p(-1 / n) / 2).sum(axis=-1)

        return of_normals
    raise InvalidInput("columns", type(columns).__name__, "BernoulliColumns, or GaussianColumns with n >= 2")


def asymptotic(mean: np.ndarray, variance: np.ndarray, n: int) -> Score:
    """(z - mu)^T C^-1 (x - mu) - |z - mu|^2 / (2n) in the norm of C^-1: the form (6.4), with C = diag(variance)."""

    def score(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
        direction = (targets - mean) / variance
        return (direction * (outputs - mean)).sum(axis=-1) - (direction * (targets - mean)).sum(axis=-1) / (2 * n)

    return score


def empirical(references: np.ndarray, n: int) -> Score:
    """The form (6.5) with mean and variances of the reference points [n_0, d], by column and centred.

    The print has the second moment in place of the variance (MIA-EQ6.5/covariance). Raises InvalidInput for references
    that do not vary in a column.
    """
    variance = references.var(axis=0)
    if not (variance > 0).all():
        raise InvalidInput("references", references.shape, "more points, so that every column varies")
    return asymptotic(references.mean(axis=0), variance, n)


def scalar_product(reference: np.ndarray) -> Score:
    """(z - z_ref)^T x for one reference [d]. Source: MIA-D2.3.5a"""

    def score(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
        return ((targets - reference) * outputs).sum(axis=-1)

    return score
