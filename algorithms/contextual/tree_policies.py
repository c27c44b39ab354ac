"""Private policies that compute their estimate anew in every round: LinPriv and the joint-DP variant of LinUCB.

What they know of the past are running sums released by the tree mechanism, so a reward is in about log2 T releases.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np

from banditproof.algorithms.contextual.policy import WIDTH, EveryRoundPolicy, add_rank_one, squared_norm
from banditproof.algorithms.contextual.tree import PrefixTree
from banditproof.algorithms.noise import NoiseSource, Records
from banditproof.algorithms.registration import ContextualSetting, registered
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Positive, Size, checked
from banditproof.theory.linear.confidence import plain_width
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier


@registered(
    "linpriv", ContextualSetting, "ALG-A-LINPRIV", every_pull=True, asks=("arms",), options={"ridge": 1.0, **WIDTH}
)
class LinPriv(EveryRoundPolicy):
    """LinPriv, epsilon-DP for rewards: a ridge regression per arm, the sums of x r of every arm from a tree.

    Arm i is played with the largest <theta_i, x_i> + |x_i| (w + s), the norm that of V_i^-1: w = sqrt(2 d log((1 +
    t/lambda) / delta)) + sqrt(lambda) as printed, s how far the noise of the tree may move the estimate. The design
    matrices are public. Between two rewards, x r moves by at most 2 sqrt(d) in the l1 norm. Raises InvalidInput.

    Source: ALG-A-LINPRIV
    """

    kinds = ("pure",)

    @checked
    def __init__(
        self,
        dimension: int,
        arms: Size,
        budget: Budget,
        noise: NoiseSource,
        *,
        horizon: int,
        ridge: Positive = 1.0,
        confidence: float = 0.001,
        radius: float = 1.0,
        **options: Any,
    ) -> None:
        super().__init__(dimension, budget, noise, horizon=horizon, confidence=confidence, radius=radius, **options)
        self.arms, self.ridge = arms, float(ridge)
        self.tree = PrefixTree(self.replications, arms, self.horizon, self.dimension)
        shape = (self.replications, arms, dimension)
        self.inverse = np.tile(np.eye(dimension) / self.ridge, (*shape[:2], 1, 1))
        self.estimate = np.zeros(shape)
        self.sensitivity = 2 * sqrt(dimension)
        self.node_budget = self.budget_of(np.arange(self.replications), 1 / self.tree.levels)
        scale = self.sensitivity * self.tree.levels / self.budget.epsilon
        everywhere = log(2 * dimension * arms * self.horizon / self.confidence)
        self.allowance = scale * sqrt(8 * self.tree.levels * dimension / self.ridge) * everywhere

    def checked_contexts(self, contexts: np.ndarray) -> np.ndarray:
        if contexts.ndim == 4 and contexts.shape[2] != self.arms:
            raise InvalidInput("contexts", contexts.shape[2], f"one vector for each of the {self.arms} arms")
        return super().checked_contexts(contexts)

    def scores(self, sets: np.ndarray) -> np.ndarray:
        norm = np.sqrt(squared_norm(sets, self.inverse))
        plain = np.sqrt(2 * self.dimension * np.log((1 + (self.clock + 1) / self.ridge) / self.confidence))
        width = plain + np.sqrt(self.ridge) + self.allowance
        return np.einsum("rki,rki->rk", sets, self.estimate) + width[:, np.newaxis] * norm

    def learn(self, reward: np.ndarray) -> None:
        self.tree.add(self.arm, self.chosen * reward[:, np.newaxis], self.clock, self._released)
        played = (self.rows, self.arm)
        inverse = self.inverse[played]
        add_rank_one(inverse, self.chosen)
        self.inverse[played] = inverse
        self.estimate[played] = np.einsum("rij,rj->ri", inverse, self.tree.noisy[played].sum(axis=1))

    def _released(self, value: np.ndarray, rows: np.ndarray, records: Records) -> np.ndarray:
        return self.noise.laplace(value, sensitivity=self.sensitivity, budget=self.node_budget, records=records)


@registered("joint-dp-linucb", ContextualSetting, "MIA-S9.3", every_pull=True, options=WIDTH)
class JointDPLinUCB(EveryRoundPolicy):
    """LinUCB with a private design matrix: no other user's action tells a user's contexts and reward (rho-zCDP).

    The matrices (a, r)(a, r)^T go through a tree as vectors: the diagonal, and the rest times sqrt(2), so that the l2
    norm is Frobenius's. It moves by at most 2 sqrt(2). A multiple of the identity keeps the noisy design positive:
    the regulariser is between `ridge` and `ridge` plus twice the norm that the noise may have. The default ridge is
    that norm. The index is <theta, a> + width |a| in the norm of V^-1. Raises InvalidInput.

    Source: MIA-S9.3
    """

    @checked
    def __init__(
        self,
        dimension: int,
        budget: Budget,
        noise: NoiseSource,
        *,
        horizon: int,
        ridge: Positive | None = None,
        confidence: float = 0.001,
        radius: float = 1.0,
        **options: Any,
    ) -> None:
        super().__init__(dimension, budget, noise, horizon=horizon, confidence=confidence, radius=radius, **options)
        size = dimension + 1
        self.upper = np.triu_indices(size)
        self.scaling = np.where(self.upper[0] == self.upper[1], 1.0, sqrt(2))
        self.tree = PrefixTree(self.replications, 1, self.horizon, self.scaling.size)
        self.sensitivity = 2 * sqrt(2)
        self.node_budget = self.budget_of(np.arange(self.replications), 1 / self.tree.levels)
        self.multiplier = np.asarray(gaussian_multiplier(self.budget)) * sqrt(self.tree.levels)
        deviation = self.sensitivity * self.multiplier * sqrt(self.tree.levels)  # of a sum of all levels
        tail = sqrt(2 * log(2 * self.horizon / self.confidence))
        self.shift = deviation * (2 * sqrt(dimension) + tail)
        self.ridge = self.shift if ridge is None else np.full(self.replications, float(ridge))
        noise_width = deviation / sqrt(2) * (sqrt(dimension) + tail) / np.sqrt(self.ridge)
        self.offset = np.sqrt(self.ridge + 2 * self.shift) * self.radius + noise_width

    def scores(self, sets: np.ndarray) -> np.ndarray:
        d = self.dimension
        sums = np.zeros((self.replications, d + 1, d + 1))
        sums[:, *self.upper] = sums[:, *self.upper[::-1]] = self.tree.sums[:, 0] / self.scaling
        design = sums[:, :d, :d] + (self.ridge + self.shift)[:, np.newaxis, np.newaxis] * np.eye(d)
        inverse = np.linalg.inv(design)
        estimate = np.einsum("rij,rj->ri", inverse, sums[:, :d, d])
        norm = np.sqrt(np.maximum(squared_norm(sets, inverse), 0.0))
        width = plain_width(self.clock, self.ridge, d, self.confidence, 0.0) + self.offset
        return np.einsum("rki,ri->rk", sets, estimate) + width[:, np.newaxis] * norm

    def learn(self, reward: np.ndarray) -> None:
        both = np.concatenate([self.chosen, reward[:, np.newaxis]], axis=1)
        outer = np.einsum("ri,rj->rij", both, both)[:, *self.upper] * self.scaling
        self.tree.add(np.zeros_like(self.clock), outer, self.clock, self._released)

    def _released(self, value: np.ndarray, rows: np.ndarray, records: Records) -> np.ndarray:
        return self.noise.gaussian(
            value,
            sensitivity=self.sensitivity,
            budget=self.node_budget,
            records=records[:2],
            multiplier=self.multiplier,
        )
