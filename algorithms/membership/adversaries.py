"""What theory says of an adversary who attacks a mean of records by its score.

Source: MIA-T6.7
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.membership.columns import BernoulliColumns
from banditproof.algorithms.membership.mechanisms import Mechanism, NoisyMean, SubSampledMean
from banditproof.algorithms.membership.scores import Score, asymptotic, empirical
from banditproof.theory.privacy.leakage import sampled_leakage, sampled_power


@dataclass(frozen=True)
class Adversary:
    """An adversary who has a target z' in mind while the target is z*.

    The score has drift z'^T C^-1 z* / n and variance z'^T C^-1 z' / n, both centred.

    Attributes:
        score: what is computed from outputs and targets.
        drift: by how much the mean of the score grows if the target is in.
        variance: of the score.
        ratio: the share of the records that enter the mean.
    """

    score: Score
    drift: float
    variance: float
    ratio: float

    @property
    def squared(self) -> float:
        """The leakage score, drift^2 / variance."""
        return self.drift**2 / self.variance

    @property
    def threshold(self) -> float:
        """Scores above say that the target is in: halfway between both means of the score."""
        return (self.drift - self.variance) / 2 / self.ratio

    @property
    def leakage(self) -> float:
        """The largest advantage."""
        return float(sampled_leakage(self.squared, self.ratio))

    def power(self, alpha: Any) -> Any:
        """The largest power at level alpha."""
        return sampled_power(alpha, self.squared, self.ratio)


def adversary(
    mechanism: Mechanism, columns: BernoulliColumns, target: np.ndarray, assumed: np.ndarray, n: int, references: Any
) -> Adversary:
    """Who takes `assumed` for the target, and knows the law of the columns or, if given, only `references` from it.

    The mean is that of n records, noisy or sub-sampled, as the mechanism says; of another mechanism nothing is known.
    """
    variance, used = columns.variance, n
    if isinstance(mechanism, NoisyMean):
        variance = variance + mechanism.gamma**2
    if isinstance(mechanism, SubSampledMean):
        used = mechanism.rows(n)
    drift, width = (
        float(((assumed - columns.mean) * (z - columns.mean) / variance).sum()) / n for z in (target, assumed)
    )
    known = asymptotic(columns.mean, variance, used) if references is None else empirical(references, used)
    return Adversary(known, drift, width, used / n)
