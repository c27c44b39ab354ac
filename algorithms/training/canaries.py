"""Canaries: which gradient or record an auditor sends to find out whether it was used.

Source: MIA-A14, MIA-S7.1.2c, MIA-EQ7.1
"""

from __future__ import annotations

import numpy as np

from banditproof.algorithms.training.attacks import Reference
from banditproof.theory.errors import InvalidInput


def selected(reference: Reference, candidates: np.ndarray) -> int:
    """The index of the candidate gradient [n_c, d] with the largest Mahalanobis score; the first of equal ones.

    With a reference that is not centred this is Algorithm 14 as printed.
    """
    return int(np.argmax(reference.squared(candidates)))


def dirac(d: int, index: int, length: float = 1.0) -> np.ndarray:
    """The gradient [d] that is `length` at one index and 0 elsewhere."""
    if not 0 <= index < d:
        raise InvalidInput("index", index, f"0, ..., {d - 1}")
    return length * np.eye(1, d, index)[0]


def mislabelled(y: np.ndarray, classes: int, generator: np.random.Generator) -> np.ndarray:
    """Labels [n], each drawn from the other `classes` - 1 ones."""
    if classes < 2:
        raise InvalidInput("classes", classes, "at least 2")
    return (y + generator.integers(1, classes, size=len(y))) % classes


def canife_loss(canary: np.ndarray, references: np.ndarray, bound: float) -> tuple[float, np.ndarray]:
    """sum_i <u_i, g>^2 + max(C - |g|, 0)^2 of a canary's gradient g [d], for references u [n_r, d], and its slope [d].

    At g = 0, where the length has no slope, that of the first sum is given.
    """
    products, length = references @ canary, float(np.linalg.norm(canary))
    short = max(bound - length, 0.0)
    slope = 2 * products @ references - (2 * short / length * canary if length else 0)
    return float(products @ products) + short**2, slope
