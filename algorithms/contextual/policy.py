"""What a contextual policy is to a simulator.

Contexts are public. In every round a policy is shown K vectors and picks one. Between two updates its choice depends on
the vectors alone, so it is shown the context sets of several rounds at once and says how far its present rule reaches:
`next_batch(contexts, start)` picks for the rounds start, ..., stop - 1 of each replication, `observe(rewards)` hears
their rewards. Shown one set at a time it picks the same vectors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.overriding import Overridden
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Count, Nonnegative, Share, Size, checked
from banditproof.theory.privacy.budget import of_kinds

TOLERANCE = 1e-9  # by which a vector of norm 1 may be longer after rounding
GROWN = 1e-10  # rounding in the logarithm of a determinant: one that has grown by just the factor is not above it
WIDTH = {"confidence": 0.001, "radius": 1.0}
"""What the experiments of the papers say of the width."""

TIE = 1e-12  # relative: equal vectors of a set differ by less, and which of them is picked must not hang on rounding


class ContextualPolicy(Overridden, ABC):
    """A policy for contexts in R^`dimension` that pays from a budget for what it releases through a noise source.

    Rewards lie in [-1, 1] and contexts in the unit ball; with `bounded` (the default) others are refused, because what
    a reward can move grows with both. The parameters of the budget are one number or one per replication [R].
    Raises InvalidInput. Source: ALG-EQ5.8, ALG-R5.13
    """

    kinds: ClassVar[tuple[str, ...]] = ("zcdp",)

    @checked
    def __init__(
        self,
        dimension: int,
        budget: Budget,
        noise: NoiseSource,
        *,
        replications: Size | None = None,
        bounded: bool = True,
    ) -> None:
        if budget.kind not in self.kinds:
            raise InvalidInput("budget", str(budget), of_kinds(self.kinds))
        longest = max(np.size(value) for value in budget.parameters.values())
        self.replications = longest if replications is None else replications
        for name, value in (("dimension", dimension), ("replications", self.replications)):
            if not isinstance(value, int | np.integer) or value < 1:
                raise InvalidInput(name, value, "an integer, at least 1")
        for name, value in budget.parameters.items():
            if np.ndim(value) > 1 or np.size(value) not in (1, self.replications):
                raise InvalidInput(name, value, f"one number or one per replication ({self.replications})")
        self.dimension, self.noise, self.bounded = int(dimension), noise, bounded
        spread = {n: np.array(np.broadcast_to(v, self.replications)) for n, v in budget.parameters.items()}
        self.budget = replace(budget, **spread)
        self.clock: np.ndarray = np.zeros(self.replications, dtype=np.int64)

    @abstractmethod
    def next_batch(self, contexts: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Indices [R, B] of the vectors picked in `contexts` [R, B, K, d] from `start` [R] on, and `stop` [R].

        Only the rounds start, ..., stop - 1 count, at least one unless start is B: then the replication rests.
        """

    @abstractmethod
    def observe(self, rewards: np.ndarray) -> None:
        """Hear the rewards [R, B] of the rounds start, ..., stop - 1 of the last batch; the others are ignored."""

    def budget_of(self, rows: np.ndarray, share: float = 1.0) -> Budget:
        """The budget of these replications, the last parameter times `share` (the order of Renyi DP stays)."""
        *same, spent = self.budget.parameters
        changed = {name: self.budget.parameters[name][rows] for name in same}
        return replace(self.budget, **changed, **{spent: self.budget.parameters[spent][rows] * share})

    def checked_contexts(self, contexts: np.ndarray) -> np.ndarray:
        """The context sets; raises InvalidInput for another shape."""
        if contexts.ndim != 4 or contexts.shape[0] != self.replications or contexts.shape[3] != self.dimension:
            raise InvalidInput("contexts", contexts.shape, f"of shape [{self.replications}, B, K, {self.dimension}]")
        return contexts

    def checked(self, rewards: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """The rewards [...] of the vectors `chosen` [..., d]; raises InvalidInput for either out of bounds."""
        if self.bounded and rewards.size:
            if not np.abs(rewards).max() <= 1:
                raise InvalidInput("rewards", float(np.abs(rewards).max()), "in [-1, 1]")
            if not np.einsum("...i,...i->...", chosen, chosen).max() <= 1 + TOLERANCE:
                longest = float(np.linalg.norm(chosen, axis=-1).max())
                raise InvalidInput("contexts", longest, "of norm at most 1")
        return rewards


class ConfidentPolicy(ContextualPolicy):
    """A contextual policy with confidence widths: for `horizon` rounds, a risk of `confidence`, |theta| <= `radius`."""

    @checked
    def __init__(
        self,
        dimension: int,
        budget: Budget,
        noise: NoiseSource,
        *,
        horizon: Count,
        confidence: Share,
        radius: Nonnegative,
        **options: Any,
    ) -> None:
        super().__init__(dimension, budget, noise, **options)
        self.horizon, self.confidence = int(horizon), float(confidence)
        self.radius = float(radius)


class EveryRoundPolicy(ConfidentPolicy):
    """A policy that computes its estimate anew in every round; all replications are at the same one."""

    def next_batch(self, contexts: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        contexts = self.checked_contexts(contexts)
        self.rows, self.now = np.arange(self.replications), int(start[0])
        self.checked_length(1)
        sets = contexts[:, self.now]
        self.arm = first_best(self.scores(sets))
        self.chosen = sets[self.rows, self.arm]
        picked = np.zeros(contexts.shape[:2], dtype=np.int64)
        picked[:, self.now] = self.arm
        return picked, start + 1

    def observe(self, rewards: np.ndarray) -> None:
        self.learn(self.checked(rewards[:, self.now], self.chosen))
        self.clock = self.clock + 1

    def checked_length(self, rounds: int) -> None:
        """Raises InvalidInput if `rounds` more rounds are beyond the horizon."""
        if self.clock[0] + rounds > self.horizon:
            raise InvalidInput("horizon", self.horizon, "at least the number of rounds that are played")

    @abstractmethod
    def scores(self, sets: np.ndarray) -> np.ndarray:
        """The index [R, K] of the vectors [R, K, d]."""

    @abstractmethod
    def learn(self, reward: np.ndarray) -> None:
        """What to do with the reward [R] of `chosen` [R, d]."""


def first_best(index: np.ndarray) -> np.ndarray:
    """The first vector [...] whose index [..., K] is the largest, up to rounding."""
    best = index.max(axis=-1, keepdims=True)
    return np.argmax(index >= best - TIE * np.abs(best), axis=-1)


def squared_norm(vectors: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """x^T M x for vectors [R, K, d] and matrices M [R, d, d], or one for each vector, [R, K, d, d]: [R, K]."""
    if matrices.ndim == 3:
        return np.einsum("rki,rki->rk", vectors @ matrices, vectors)
    return np.einsum("rki,rkij,rkj->rk", vectors, matrices, vectors)


def add_rank_one(inverse: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Turns V^-1 [R, d, d] into (V + x x^T)^-1 in place, x being `vector` [R, d]; det(V + x x^T) / det V, [R].

    The formula of Sherman and Morrison. What rounding adds in a round shrinks with the inverse in later ones: no
    refreshing is needed. After 10^6 rounds 10^-9 of the inverse is lost at most, less than by a fresh inverse in floats
    where the vectors are near a line.
    """
    turned = np.einsum("rij,rj->ri", inverse, vector)
    growth = 1 + np.einsum("ri,ri->r", turned, vector)
    inverse -= turned[:, :, np.newaxis] * (turned / growth[:, np.newaxis])[:, np.newaxis, :]
    return growth
