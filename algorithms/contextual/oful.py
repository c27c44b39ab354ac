"""OFUL, rarely-switching OFUL and their private versions AdaC-OFUL and AdaR-OFUL.

The estimate is computed anew when the determinant of the design matrix has grown by the factor 1 + C. Then the sum of
a_s r_s over the rounds since the last update is released once; the estimate uses the sum of all that was released.
Every reward is in one release, so the whole costs what one release costs.

Choices the papers leave open: the width at tau = 0, where the printed one divides by 0, is that without noise; ties go
to the first vector. The printed width holds under an assumption on the contexts and is undefined in early rounds;
the default bounds the effect of the noise by the design matrix itself, which is public.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.algorithms.contextual.policy import (
    GROWN,
    WIDTH,
    ConfidentPolicy,
    EveryRoundPolicy,
    add_rank_one,
    first_best,
    squared_norm,
)
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.registration import ContextualSetting, registered
from banditproof.theory.arguments import Positive, Size, checked
from banditproof.theory.linear.confidence import eigenvalue_bound, noise_norm_bound, self_normalised_bound
from banditproof.theory.privacy.budget import Budget
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier

SENSITIVITY = 2.0  # of the sum of a_s r_s, for rewards in [-1, 1] and vectors of norm 1
PLAIN = {"ridge": 0.1, **WIDTH}
RARE = {"growth": 1.0, **PLAIN}


@registered("adac-oful", ContextualSetting, "ZCDP-A3", every_pull=True, options=RARE)
class AdaCOFUL(ConfidentPolicy):
    """AdaC-OFUL, rho-zCDP: the vector with the largest <theta, a> + width |a| in the norm of V^-1, for the V and theta
    of the last update.

    Args:
        horizon: T; the noise is bounded for all of T rounds at once.
        ridge: lambda > 0. growth: C > 0. confidence: delta in (0, 1).
        radius: an upper bound S >= 0 on the norm of the unknown parameter.
        eigenvalue: lambda_0 > 0 for the printed width, which trusts the contexts to be spread; None for the width that
            holds for any contexts.

    Raises InvalidInput. Source: ALG-A9, ZCDP-A3
    """

    @checked
    def __init__(
        self,
        dimension: int,
        budget: Budget,
        noise: NoiseSource,
        *,
        horizon: int,
        ridge: Positive = 0.1,
        growth: Positive = 1.0,
        confidence: float = 0.001,
        radius: float = 1.0,
        eigenvalue: Positive | None = None,
        **options: Any,
    ) -> None:
        super().__init__(dimension, budget, noise, horizon=horizon, confidence=confidence, radius=radius, **options)
        self.ridge, self.growth = float(ridge), float(growth)
        self.eigenvalue = None if eigenvalue is None else float(eigenvalue)
        shape = (self.replications, self.dimension)
        self.multiplier = np.asarray(gaussian_multiplier(self.budget))
        self.design = np.broadcast_to(self.ridge * np.eye(dimension), (*shape, dimension)).copy()
        self.logdet = np.empty(self.replications)  # of the last update's design
        self.pending = np.zeros(shape)  # sum of a_s r_s since the last update
        self.released = np.zeros(shape)  # of the rounds before, with noise
        self.updates = np.zeros(self.replications, dtype=np.int64)
        self.opened = np.zeros(self.replications, dtype=np.int64)  # the first round since the last update
        self.width, self.estimate = np.empty(self.replications), np.empty(shape)
        self.inverse = np.empty_like(self.design)
        self.today: tuple[np.ndarray, np.ndarray] | None = None  # inverse and logdet of `design`, where a loop has them
        self._refresh(np.arange(self.replications))

    def next_batch(self, contexts: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        contexts = self.checked_contexts(contexts)
        replications, rounds = contexts.shape[:2]
        self.rows = np.flatnonzero(start < rounds)
        self.first = start[self.rows, np.newaxis]
        sets = contexts if self.rows.size == replications else contexts[self.rows]
        arm = self._optimistic(sets)
        chosen = np.take_along_axis(sets, arm[:, :, np.newaxis, np.newaxis], axis=2)[:, :, 0]
        self.chosen = np.where(np.arange(rounds)[:, np.newaxis] >= self.first[:, :, np.newaxis], chosen, 0.0)
        self.last = self._rounds_until_update()
        picked, stop = np.zeros((replications, rounds), dtype=np.int64), np.array(start)
        picked[self.rows], stop[self.rows] = arm, self.last
        return picked, stop

    def observe(self, rewards: np.ndarray) -> None:
        rounds = np.arange(rewards.shape[1])
        heard = (rounds >= self.first) & (rounds < self.last[:, np.newaxis])
        chosen = np.where(heard[:, :, np.newaxis], self.chosen, 0.0)
        rewards = self.checked(np.where(heard, rewards[self.rows], 0.0), chosen)
        self.pending[self.rows] += np.einsum("rbi,rb->ri", chosen, rewards)
        self.design[self.rows] += np.einsum("rbi,rbj->rij", chosen, chosen)
        self.clock[self.rows] += self.last - self.first[:, 0]
        self.today = None
        self.renew(self.rows[self.due])

    @property
    def threshold(self) -> np.ndarray:
        """The logarithm of the determinant [R] above which an update is due."""
        return np.log1p(self.growth) + self.logdet

    def _optimistic(self, sets: np.ndarray) -> np.ndarray:
        """The index of the best vector of every set, [n, B]."""
        vectors = sets.reshape(len(sets), -1, self.dimension)
        norm = np.sqrt(np.maximum(squared_norm(vectors, self.inverse[self.rows]), 0.0))
        mean = (vectors @ self.estimate[self.rows, :, np.newaxis])[:, :, 0]
        return first_best((mean + self.width[self.rows, np.newaxis] * norm).reshape(sets.shape[:3]))

    def _rounds_until_update(self) -> np.ndarray:
        """The round [n] after which the determinant has grown enough, or all that were shown; `due` says which."""
        threshold = self.threshold[self.rows] + GROWN
        design = self.design[self.rows]
        whole = design + np.einsum("rbi,rbj->rij", self.chosen, self.chosen)
        self.due = np.linalg.slogdet(whole)[1] > threshold
        last = np.full(self.rows.size, self.chosen.shape[1])
        for n in np.flatnonzero(self.due):  # the determinant never falls, so the first crossing is found by halving
            vectors, low, high = self.chosen[n], int(self.first[n, 0]), int(last[n])
            before = design[n]
            while high - low > 1:
                middle = (low + high) // 2
                grown = before + vectors[low:middle].T @ vectors[low:middle]
                if np.linalg.slogdet(grown)[1] > threshold[n]:
                    high = middle
                else:
                    low, before = middle, grown
            last[n] = high
        return last

    def renew(self, rows: np.ndarray) -> None:
        """Release what these replications have collected since the last update, and compute their estimates anew."""
        if rows.size:
            self.release(rows)
            self._refresh(rows)

    def release(self, rows: np.ndarray) -> None:
        """Release what these replications have collected since the last update."""
        self.released[rows] += self.noise.gaussian(
            self.pending[rows],
            sensitivity=SENSITIVITY,
            budget=self.budget_of(rows),
            records=(self.opened[rows], self.clock[rows]),
            multiplier=self.multiplier[rows],
        )
        self.pending[rows], self.opened[rows] = 0.0, self.clock[rows]
        self.updates[rows] += 1

    def _refresh(self, rows: np.ndarray) -> None:
        """What the index needs: the inverse of the design with its determinant, the estimate and the width."""
        self.inverse[rows] = np.linalg.inv(self.design[rows])
        self.logdet[rows] = np.linalg.slogdet(self.design[rows])[1]
        self.estimate[rows] = (self.inverse[rows] @ self.released[rows, :, np.newaxis])[:, :, 0]
        volume = self.logdet[rows] - self.dimension * np.log(self.ridge)
        plain = self_normalised_bound(volume, self.confidence) + np.sqrt(self.ridge) * self.radius
        if self.eigenvalue is None:
            least = np.linalg.eigvalsh(self.design[rows])[:, 0]
        else:
            least = self.spread(self.clock[rows])
        self.width[rows] = plain + self.noise_norm(self.updates)[rows] / np.sqrt(least)

    def noise_norm(self, updates: Any) -> np.ndarray:
        """The bound [R] on the norm of the noise in so many releases."""
        deviation = SENSITIVITY * self.multiplier
        return noise_norm_bound(self.dimension, updates, deviation, self.confidence, self.horizon)

    def spread(self, clock: np.ndarray) -> np.ndarray:
        """The least eigenvalue of the design after so many rounds, if the contexts are spread by `eigenvalue`."""
        bound = eigenvalue_bound(clock, self.eigenvalue, self.confidence, self.dimension)
        return self.ridge + np.maximum(bound, 0.0)


@registered("adar-oful", ContextualSetting, "RDP-A4", every_pull=True, options=RARE)
class AdaROFUL(AdaCOFUL):
    """AdaR-OFUL, (order, epsilon)-Renyi DP: AdaC-OFUL with noise of variance 2 order / epsilon. Source: RDP-A4"""

    kinds = ("rdp",)


@registered("rs-oful", ContextualSetting, "ALG-A-RSOFUL", kinds=(), every_pull=True, options=RARE)
class RarelySwitchingOFUL(AdaCOFUL):
    """RS-OFUL: AdaC-OFUL without noise. Arguments but budget and noise as there. Source: ALG-A-RSOFUL"""

    @checked
    def __init__(self, dimension: int, *, horizon: int, replications: Size = 1, **options: Any) -> None:
        free = Budget.zcdp(np.inf)
        super().__init__(dimension, free, NoiseSource(), horizon=horizon, replications=replications, **options)


@registered("oful", ContextualSetting, "ALG-A-RSOFUL", kinds=(), every_pull=True, options=PLAIN)
class OFUL(EveryRoundPolicy):
    """OFUL: the estimate and the width are computed anew in every round. Arguments as of `AdaCOFUL`, without growth.

    The inverse of the design matrix is kept by rank-one updates. Raises InvalidInput. Source: ALG-A-RSOFUL
    """

    @checked
    def __init__(
        self,
        dimension: int,
        *,
        horizon: int,
        ridge: Positive = 0.1,
        confidence: float = 0.001,
        radius: float = 1.0,
        replications: Size = 1,
        **options: Any,
    ) -> None:
        options |= {"horizon": horizon, "confidence": confidence, "radius": radius, "replications": replications}
        super().__init__(dimension, Budget.zcdp(np.inf), NoiseSource(), **options)
        self.ridge = float(ridge)
        self.inverse = np.tile(np.eye(dimension) / self.ridge, (self.replications, 1, 1))
        self.log_volume = np.zeros(self.replications)  # log(det V / lambda^d)
        self.total = np.zeros((self.replications, dimension))  # sum of a_s r_s

    def scores(self, sets: np.ndarray) -> np.ndarray:
        estimate = np.einsum("rij,rj->ri", self.inverse, self.total)
        width = self_normalised_bound(self.log_volume, self.confidence) + np.sqrt(self.ridge) * self.radius
        norm = np.sqrt(squared_norm(sets, self.inverse))
        return np.einsum("rki,ri->rk", sets, estimate) + width[:, np.newaxis] * norm

    def learn(self, reward: np.ndarray) -> None:
        self.log_volume += np.log(add_rank_one(self.inverse, self.chosen))
        self.total += self.chosen * reward[:, np.newaxis]
