"""Private policies that compute their estimate anew in every round: LinPriv and the joint-DP variant of LinUCB.

What they know of the past are running sums released by the tree mechanism, so a reward is in about log2 T releases.
"""

from __future__ import annotations

from abc import abstractmethod
from math import log, sqrt
from typing import Any

import numpy as np

from banditproof.algorithms.contextual.policy import ConfidentPolicy, positive
from banditproof.algorithms.contextual.tree import PrefixTree
from banditproof.algorithms.noise import NoiseSource, Records
from banditproof.theory.errors import InvalidInput
from banditproof.theory.linear.confidence import plain_width
from banditproof.theory.privacy.budget import Budget, gaussian_multiplier


class _EveryRound(ConfidentPolicy):
    """What both have in common: one round at a time, all replications at the same one."""

    def next_batch(self, contexts: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        contexts = self.checked_contexts(contexts)
        if self.clock[0] >= self.horizon:
            raise InvalidInput("horizon", self.horizon, "at least the number of rounds that are played")
        self.rows, self.now = np.arange(self.replications), int(start[0])
        sets = contexts[:, self.now]
        self.arm = np.argmax(self.scores(sets), axis=1)
        self.chosen = sets[self.rows, self.arm]
        picked = np.zeros(contexts.shape[:2], dtype=np.int64)
        picked[:, self.now] = self.arm
        return picked, start + 1

    def observe(self, rewards: np.ndarray) -> None:
        self.learn(self.checked(rewards[:, self.now], self.chosen))
        self.clock = self.clock + 1

    @abstractmethod
    def scores(self, sets: np.ndarray) -> np.ndarray:
        """The index [R, K] of the vectors [R, K, d]."""

    @abstractmethod
    def learn(self, reward: np.ndarray) -> None:
        """What to do with the reward [R] of `chosen` [R, d]."""


class LinPriv(_EveryRound):
    """LinPriv, epsilon-DP for rewards: a ridge regression per arm, the sums of x r of every arm from a tree.

    Arm i is played with the largest <theta_i, x_i> + |x_i| (w + s), the norm that of V_i^-1: w = sqrt(2 d log((1 +
    t/lambda) / delta)) + sqrt(lambda) as printed, s how far the noise of the tree may move the estimate. The design
    matrices are public. Between two rewards, x r moves by at most 2 sqrt(d) in the l1 norm. Raises InvalidInput.

    Source: ALG-A-LINPRIV
    """

    kinds = ("pure",)

    def __init__(
        self,
        dimension: int,
        arms: int,
        budget: Budget,
        noise: NoiseSource,
        *,
        horizon: int,
        ridge: float = 1.0,
        confidence: float = 0.001,
        radius: float = 1.0,
        **options: Any,
    ) -> None:
        super().__init__(dimension, budget, noise, horizon=horizon, confidence=confidence, radius=radius, **options)
        self.arms, self.ridge = arms, positive("ridge", ridge)
        self.tree = PrefixTree(self.replications, arms, self.horizon, self.dimension)
        self.design = np.broadcast_to(self.ridge * np.eye(dimension), (self.replications, arms, dimension, dimension))
        self.design = self.design.copy()
        scale = 2 * sqrt(dimension) * self.tree.levels / self.budget.epsilon
        everywhere = log(2 * dimension * arms * self.horizon / self.confidence)
        self.allowance = scale * sqrt(8 * self.tree.levels * dimension / self.ridge) * everywhere

    def scores(self, sets: np.ndarray) -> np.ndarray:
        if sets.shape[1] != self.arms:
            raise InvalidInput("contexts", sets.shape[1], f"one vector for each of the {self.arms} arms")
        both = np.stack([sets, self.tree.sums], axis=-1)
        x, theta = np.moveaxis(np.linalg.solve(self.design, both), -1, 0)
        norm = np.sqrt(np.einsum("rki,rki->rk", sets, x))
        t = self.clock[:, np.newaxis] + 1
        plain = np.sqrt(2 * self.dimension * np.log((1 + t / self.ridge) / self.confidence)) + np.sqrt(self.ridge)
        return np.einsum("rki,rki->rk", sets, theta) + norm * (plain + self.allowance[:, np.newaxis])

    def learn(self, reward: np.ndarray) -> None:
        self.design[self.rows, self.arm] += np.einsum("ri,rj->rij", self.chosen, self.chosen)
        self.tree.add(self.arm, self.chosen * reward[:, np.newaxis], self.clock, self._released)

    def _released(self, value: np.ndarray, rows: np.ndarray, records: Records) -> np.ndarray:
        share = self.budget_of(rows, 1 / self.tree.levels)
        return self.noise.laplace(value, sensitivity=2 * sqrt(self.dimension), budget=share, records=records)


class JointDPLinUCB(_EveryRound):
    """LinUCB with a private design matrix: no other user's action tells a user's contexts and reward (rho-zCDP).

    The matrices (a, r)(a, r)^T go through a tree as vectors: the diagonal, and the rest times sqrt(2), so that the l2
    norm is Frobenius's. It moves by at most 2 sqrt(2). A multiple of the identity keeps the noisy design positive:
    the regulariser is between `ridge` and `ridge` plus twice the norm that the noise may have. The default ridge is
    that norm. The index is <theta, a> + width |a| in the norm of V^-1. Raises InvalidInput.

    Source: MIA-S9.3
    """

    def __init__(
        self,
        dimension: int,
        budget: Budget,
        noise: NoiseSource,
        *,
        horizon: int,
        ridge: float | None = None,
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
        self.multiplier = np.asarray(gaussian_multiplier(self.budget_of(np.arange(self.replications)))) * sqrt(
            self.tree.levels
        )
        deviation = self.sensitivity * self.multiplier * sqrt(self.tree.levels)  # of a sum of all levels
        tail = sqrt(2 * log(2 * self.horizon / self.confidence))
        self.shift = deviation * (2 * sqrt(dimension) + tail)
        self.ridge = self.shift if ridge is None else np.full(self.replications, positive("ridge", ridge))
        self.noise_width = deviation / sqrt(2) * (sqrt(dimension) + tail) / np.sqrt(self.ridge)

    def scores(self, sets: np.ndarray) -> np.ndarray:
        d = self.dimension
        sums = np.zeros((self.replications, d + 1, d + 1))
        sums[:, *self.upper] = sums[:, *self.upper[::-1]] = self.tree.sums[:, 0] / self.scaling
        design = sums[:, :d, :d] + (self.ridge + self.shift)[:, np.newaxis, np.newaxis] * np.eye(d)
        both = np.concatenate([np.swapaxes(sets, 1, 2), sums[:, :d, d:]], axis=2)
        solved = np.linalg.solve(design, both)
        norm = np.sqrt(np.maximum(np.einsum("rki,rik->rk", sets, solved[:, :, :-1]), 0.0))
        plain = plain_width(self.clock, self.ridge, d, self.confidence, 0.0)
        width = plain + np.sqrt(self.ridge + 2 * self.shift) * self.radius + self.noise_width
        return np.einsum("rki,ri->rk", sets, solved[:, :, -1]) + width[:, np.newaxis] * norm

    def learn(self, reward: np.ndarray) -> None:
        both = np.concatenate([self.chosen, reward[:, np.newaxis]], axis=1)
        outer = np.einsum("ri,rj->rij", both, both)[:, *self.upper] * self.scaling
        self.tree.add(np.zeros_like(self.clock), outer, self.clock, self._released)

    def _released(self, value: np.ndarray, rows: np.ndarray, records: Records) -> np.ndarray:
        return self.noise.gaussian(
            value,
            sensitivity=self.sensitivity,
            budget=self.budget_of(rows, 1 / self.tree.levels),
            records=records[:2],
            multiplier=self.multiplier,
        )
