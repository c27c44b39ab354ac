"""KL-UCB and IMED, the non-private index policies for Bernoulli arms.

They are DP-KLUCB and DP-IMED with an infinite budget and batches of one pull: there is no noise, and d_epsilon with
epsilon = inf is kl (BDP-DF3), so the indices are the classical ones, not approximations of them. For a private policy
they are the baseline that pays nothing for privacy.
"""

from __future__ import annotations

import numpy as np

from banditproof.algorithms.batches import PolynomialBatches
from banditproof.algorithms.dp_index import DPIMED, DPKLUCB, BatchedIndexPolicy
from banditproof.algorithms.noise import NoiseSource
from banditproof.theory.budget import Budget


class _PerPull(BatchedIndexPolicy):
    """Infinite budget, one pull per batch; the arguments are those of `BatchedIndexPolicy`."""

    def __init__(
        self,
        arms: int,
        *,
        replications: int = 1,
        generator: np.random.Generator | None = None,
        ties: str = "lowest-arm",
        noise: NoiseSource | None = None,
    ) -> None:
        super().__init__(
            arms,
            Budget.pure(np.inf),
            PolynomialBatches(0),
            noise or NoiseSource(),
            replications=replications,
            generator=generator,
            ties=ties,
        )


class KLUCB(_PerPull, DPKLUCB):
    """Pulls the arm with the largest mu in [0, 1] such that kl(mean, mu) <= log(t) / N. Source: BDP-S2.1"""


class IMED(_PerPull, DPIMED):
    """Pulls the arm with the smallest N kl(mean, best mean) + log N. Source: BDP-S2.1"""
