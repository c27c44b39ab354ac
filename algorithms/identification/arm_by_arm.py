"""Strategies that pay for every arm in d_epsilon: Top Two, and Track-and-Stop in rounds. docs/arm-by-arm.md has why."""

from __future__ import annotations

import numpy as np

from banditproof.algorithms.identification.phases import InPhases
from banditproof.algorithms.identification.top_two import PRINTED, PrivateTopTwo
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.registration import OWN, IdentificationSetting, Setting, registered
from banditproof.theory.arguments import Share, Size, checked
from banditproof.theory.best_arm.tie_costs import phase_share, tie_allocation, tie_cost, tie_threshold
from banditproof.theory.privacy.budget import Budget

_SAFE = 1 + 1e-9  # more than the rounding of costs and thresholds
GROWTH = 2


class _PricedByDEpsilon(InPhases):
    """What a tie costs at the private means."""

    def tie_costs(self, rows: np.ndarray, arm: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """What `arm` [r] and every arm pay for a tie at `counts` [r, K], [r, K]."""
        means, at = self.means[rows].clip(0, 1), (np.arange(rows.size), arm)
        own, high = counts[at][:, np.newaxis], means[at][:, np.newaxis]
        return tie_cost(high, means, own, counts, self.epsilon[rows][:, np.newaxis])


@registered("d-epsilon-tt", Setting, OWN, options={"delta": 0.01, **PRINTED}, pulls=300, hurried={"delta": 0.9})
@registered("d-epsilon-tt", IdentificationSetting, OWN, options=PRINTED)
class DEpsilonTT(_PricedByDEpsilon, PrivateTopTwo):
    """Top Two with the costs of d_epsilon, as Jourdan and Azize (2025), arXiv 2510.17348, have them; delta-correct.

    Phases, noise and tracking are those of AdaP-TT.
    """

    def worth(self, rows: np.ndarray, arm: np.ndarray, counts: np.ndarray) -> np.ndarray:
        own = counts[np.arange(rows.size), arm][:, np.newaxis]
        return self.tie_costs(rows, arm, counts) * (1 / own + 1 / counts)

    def threshold(self, leads: np.ndarray, own: np.ndarray, others: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        return _SAFE * tie_threshold(phase_share(own) * phase_share(others), self.delta, self.arms)


@registered("d-epsilon-tas", Setting, OWN, options={"delta": 0.01}, pulls=300, hurried={"delta": 0.9})
@registered("d-epsilon-tas", IdentificationSetting, OWN)
class DEpsilonTaS(_PricedByDEpsilon):
    """Track-and-Stop in rounds, each about twice as long as the one before, with the costs of d_epsilon; delta-correct.

    In the first round every arm is pulled log(K/delta) / min(epsilon, 1) times; in later ones n pulls are shared by
    the proportions that are best at the means of the round before, at least sqrt(n) for each arm. At the end of a round
    the sums of all arms are released. Given what was released before, a round has fixed counts, so that its means are
    independent: the risk is shared by the rounds, 1 / (r (r + 1)) for round r, and not by pairs of phases.
    """

    @checked
    def __init__(
        self, arms: Size, budget: Budget, noise: NoiseSource, *, delta: Share, replications: Size | None = None
    ) -> None:
        super().__init__(arms, budget, noise, delta=delta, replications=replications)
        first = np.ceil(np.log(self.arms / self.delta) / np.minimum(self.epsilon, 1)).astype(np.int64)
        self.pending = np.repeat(first[:, np.newaxis], self.arms, axis=1)

    def ended(self) -> np.ndarray:
        return self.pulls > self.start

    def threshold(self, rows: np.ndarray) -> np.ndarray:
        """What a tie has to cost in the round that ends, [r, 1]."""
        played = self.phases[rows].max(axis=1, keepdims=True).astype(float)
        return _SAFE * tie_threshold(1 / (played * (played + 1)), self.delta, self.arms)

    def sure(self, rows: np.ndarray, arm: np.ndarray) -> np.ndarray:
        beaten = self.tie_costs(rows, arm, self.samples[rows].astype(float)) >= self.threshold(rows)
        self.means[rows] = np.where(beaten, -np.inf, self.means[rows])
        return np.isneginf(self.means[rows])

    def plan(self, rows: np.ndarray) -> None:
        left = np.isfinite(self.means[rows])
        pulls = GROWTH * (self.samples[rows] * left).sum(axis=1, keepdims=True)
        shares = tie_allocation(self.means[rows].clip(0, 1), self.epsilon[rows][:, np.newaxis]) * left
        shares /= shares.sum(axis=1, keepdims=True)
        self.pending[rows] = np.ceil(np.maximum(shares * pulls, np.sqrt(pulls))).astype(np.int64) * left
