"""Phased elimination with G-optimal designs: GOPE, its zCDP and Renyi DP forms, and other places for the noise.

A phase plays the support of a design on the active actions, each action as often as the design says, estimates theta
from the rewards of this phase alone and drops actions that are worse by more than the width 2^-l allows. A reward is in
one release, so the whole costs what one release costs.

Choices the papers leave open: a phase takes exactly its own rewards (the printed windows hold one more); where the
active actions no longer span, everything happens within their span and the printed d is kept; an action that is left
alone is played for good; a phase that the horizon cuts releases nothing; the rewards that an adversary brings by
playing something else are booked under the action that was planned.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np

from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.linear.designs import METHODS, design_of
from banditproof.algorithms.linear.environment import UNIT, checked_actions
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import PrivatePolicy
from banditproof.algorithms.registration import LinearSetting, registered
from banditproof.theory.arguments import Positive, Size, Weight, checked
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.linear.phases import chi_square_radius, phase_level
from banditproof.theory.privacy.budget import Budget
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier

TIED = 1e-12  # rounding of estimated values: an action that is worse by just what the width allows stays
SLACK = 1 + 2.0**-26  # a declared sensitivity covers what the arithmetic of a sum of many rewards loses

COMMON = {"delta": 0.001, "design": "newton", "share": 1.0}
SMALL = {**COMMON, "design": "core-set", "lengths": "calibrated"}
HURRIED = {"delta": 0.9, "share": 0.02}  # phases short enough for several of them in a recorded run


@registered("gope", LinearSetting, "ALG-A-GOPE", kinds=(), options=COMMON)
class GOPE(PrivatePolicy):
    """Phased elimination without privacy; phase l lasts 2 d / 4^-l log(K l (l + 1) / delta) pulls, rounded up.

    `actions` [K, d] span R^d and have norms at most 1. `delta` in (0, 1] is the probability of failure, `design` a name
    of `METHODS`, `rewards` their smallest and largest value, `share` a factor on all lengths. Raises InvalidInput.

    Source: ALG-A-GOPE
    """

    per_replication = (
        "active",
        "planned",
        "left",
        "sums",
        "rank",
        "phase",
        "clock",
        "began",
        "alone",
        "length",
        "support",
        "playing",
    )

    @checked
    def __init__(
        self,
        actions: Any,
        budget: Budget | None = None,
        noise: NoiseSource | None = None,
        *,
        delta: Weight = 0.001,
        design: str = "newton",
        rewards: tuple[float, float] = (-1.0, 1.0),
        share: Positive = 1.0,
        replications: Size | None = None,
    ) -> None:
        self.actions = _spanning(actions)
        one_of("design", design, METHODS)
        if not -np.inf < rewards[0] < rewards[1] < np.inf:
            raise InvalidInput("rewards", rewards, "two finite numbers, the smaller first")
        budget, noise = self.or_without(budget, noise)
        super().__init__(len(self.actions), budget, noise, replications)
        self.dimension = self.actions.shape[1]
        self.delta, self.design, self.share, self.width = float(delta), design, float(share), rewards[1] - rewards[0]
        shape = (self.replications, self.arms)
        self.active = np.ones(shape, dtype=bool)
        self.planned, self.left = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        self.sums, self.length = np.zeros(shape), np.zeros(self.replications)
        self.rank, self.support, self.phase, self.clock, self.began, self.playing = np.zeros(
            (6, self.replications), dtype=np.int64
        )
        self.alone = np.zeros(self.replications, dtype=bool)
        self._begin(np.arange(self.replications))

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        self.playing = np.where(self.alone, self.active.argmax(axis=1), (self.left > 0).argmax(axis=1))
        rows = np.arange(self.replications)
        return self.playing, np.where(self.alone, LONGEST_BATCH, self.left[rows, self.playing])

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows = np.arange(self.replications)
        self.clock += count
        self.sums[rows, self.playing] += total
        self.left[rows, self.playing] -= count
        over = np.flatnonzero(~self.alone & ~self.left.any(axis=1))
        if over.size:
            self._eliminate(over, self.estimate(over))
            self._begin(over)

    # ------------------------------------------------------------------------------------- what the variants differ in

    def level(self, rows: np.ndarray) -> np.ndarray:
        """delta / (K l (l + 1)), the probability of failure of one action in one phase: [rows]."""
        return phase_level(self.delta, self.arms, self.phase[rows].astype(float))

    def phase_length(self, rows: np.ndarray, support: np.ndarray) -> np.ndarray:
        """c, the pulls of the phase before rounding, for designs with this many actions: both [rows]."""
        return 2 * self.dimension * 4.0 ** self.phase[rows] * np.log(1 / self.level(rows))

    def estimate(self, rows: np.ndarray) -> np.ndarray:
        """The estimates of theta that decide, [rows, d]."""
        root, _ = self._inverse_root(rows)
        return np.einsum("rij,rjk,rk->ri", root, root, self.sums[rows] @ self.actions)

    # ---------------------------------------------------------------------------------------------------------- phases

    def _begin(self, rows: np.ndarray) -> None:
        self.phase[rows] += 1
        self.began[rows] = self.clock[rows]
        self.alone[rows] = self.active[rows].sum(axis=1) == 1
        rows = rows[~self.alone[rows]]
        designs = [design_of(self.actions, mask, self.design) for mask in self.active[rows]]
        if not designs:
            return
        weights = np.array([design.weights for design in designs])
        self.rank[rows] = [design.rank for design in designs]
        self.support[rows] = (weights > 0).sum(axis=1)
        self.length[rows] = self.share * self.phase_length(rows, self.support[rows])
        self.planned[rows] = np.ceil(np.minimum(self.length[rows, np.newaxis] * weights, LONGEST_BATCH))
        self.left[rows], self.sums[rows] = self.planned[rows], 0.0

    def _eliminate(self, rows: np.ndarray, theta: np.ndarray) -> None:
        """Drop the active actions whose estimated value is more than 2 * 2^-l below the largest."""
        value = np.where(self.active[rows], theta @ self.actions.T, -np.inf)
        self.active[rows] = value.max(axis=1, keepdims=True) - value <= 2 * 0.5 ** self.phase[rows, np.newaxis] + TIED

    def _inverse_root(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """V^(-1/2) within the span [rows, d, d], V the sum of a a^T over plays, and its action images [rows, K, d]."""
        matrix = np.einsum("rk,ki,kj->rij", self.planned[rows].astype(float), self.actions, self.actions)
        values, vectors = np.linalg.eigh(matrix)
        spanned = np.arange(self.dimension) >= self.dimension - self.rank[rows, np.newaxis]
        inverse = np.where(spanned, 1 / np.sqrt(np.where(spanned, values, 1.0)), 0.0)
        root = np.einsum("rij,rj,rkj->rik", vectors, inverse, vectors)
        return root, self.actions @ root

    def _largest(self, rows: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """The largest norm of the vectors [rows, K, d] of active actions: [rows]."""
        return np.where(self.active[rows], np.linalg.norm(vectors, axis=2), 0.0).max(axis=1)

    def _budget_of(self, rows: np.ndarray) -> Budget:
        return replace(self.budget, **{name: value[rows] for name, value in self.budget.parameters.items()})


class _GaussianGOPE(GOPE):
    """What the variants with Gaussian noise share: its deviation per unit of sensitivity, and the release."""

    kinds = ("zcdp", "rdp", "approximate")

    def multiplier(self, rows: np.ndarray) -> np.ndarray:
        """The deviation of the noise over the sensitivity, sqrt(1 / (2 rho)) for zCDP: [rows]."""
        return np.asarray(gaussian_multiplier(self._budget_of(rows)))

    def phase_length(self, rows: np.ndarray, support: np.ndarray) -> np.ndarray:
        d, widest = self.dimension, 2.0 ** self.phase[rows]
        return 8 * d * widest**2 * np.log(4 / self.level(rows)) + 2 * d * widest * self.price(rows, support)

    @abstractmethod
    def price(self, rows: np.ndarray, support: np.ndarray) -> np.ndarray:
        """What 2 d / 2^-l is multiplied by in the private part of a phase: [rows]."""

    def _released(self, value: np.ndarray, sensitivity: np.ndarray | float, rows: np.ndarray) -> np.ndarray:
        return self.noise.gaussian(
            value, sensitivity=sensitivity, budget=self._budget_of(rows), records=(self.began[rows], self.clock[rows])
        )


@registered("adac-gope", LinearSetting, "ZCDP-A2", options={**COMMON, "printed": False}, hurried=HURRIED)
class AdaCGOPE(_GaussianGOPE):
    """AdaC-GOPE, rho-zCDP: Gaussian noise on V^(-1/2) sum a r, whose sensitivity is 2 g, g = max |a| in V^-1.

    Phase l lasts c = 8 d / 4^-l log(4 / delta_l) + 2 d / 2^-l sqrt(2 / rho f) pulls, f bounding a chi-square. The noise
    is that of the proof, 2 g^2 / rho; `printed` takes the pseudo code's, 2 d / (rho c), which is as large only if
    g^2 <= d / c. Other arguments as in `GOPE`. Raises InvalidInput.

    Source: ZCDP-A2, ALG-A8, ALG-A-GOPE-MID, ALG-S-C1.3b
    """

    presets = {"figure-5.5": {"delta": 0.001, "design": "frank-wolfe"}}

    @checked
    def __init__(
        self, actions: Any, budget: Budget, noise: NoiseSource, *, printed: bool = False, **options: Any
    ) -> None:
        self.printed = bool(printed)
        super().__init__(actions, budget, noise, **options)

    def price(self, rows: np.ndarray, support: np.ndarray) -> np.ndarray:
        return self.width * self.multiplier(rows) * np.sqrt(chi_square_radius(self.dimension, self.level(rows) / 2))

    def estimate(self, rows: np.ndarray) -> np.ndarray:
        root, vectors = self._inverse_root(rows)
        statistic = np.einsum("rij,rj->ri", root, self.sums[rows] @ self.actions)
        sensitivity = self.width * self._largest(rows, vectors) * SLACK
        if self.printed:
            factor = self.multiplier(rows) * self.width * np.sqrt(self.dimension / self.length[rows]) / sensitivity
            private = self.noise.gaussian(
                statistic,
                sensitivity=sensitivity,
                budget=self._budget_of(rows),
                records=(self.began[rows], self.clock[rows]),
                multiplier=factor,
            )
        else:
            private = self._released(statistic, sensitivity, rows)
        return np.einsum("rij,rj->ri", root, private)


@registered("adac-gope-var", LinearSetting, "ZCDP-E4", options={**COMMON, "lengths": "same"}, hurried=HURRIED)
@registered("gaussian-sums-gope", LinearSetting, "ZCDP-S19", options=SMALL, hurried=HURRIED)
class NoisySumsGOPE(_GaussianGOPE):
    """Gaussian noise on the sum of every action's rewards, of sensitivity 2: theta + V^-1 sum a N_a.

    With `lengths` "same" the phases last as long as AdaC-GOPE's, as in the comparison of the papers; with "calibrated"
    as long as this noise needs for the same guarantee, which grows with the root of the support. With design "core-set"
    this is the estimate of the (epsilon, delta) related work. Raises InvalidInput.

    Source: ZCDP-S19, ALG-A-GOPE-BEG
    """

    @checked
    def __init__(
        self, actions: Any, budget: Budget, noise: NoiseSource, *, lengths: str = "same", **options: Any
    ) -> None:
        one_of("lengths", lengths, ("same", "calibrated"))
        self.lengths = lengths
        super().__init__(actions, budget, noise, **options)

    def price(self, rows: np.ndarray, support: np.ndarray) -> np.ndarray:
        level = self.level(rows)
        same = chi_square_radius(self.dimension, level / 2)
        factor = same if self.lengths == "same" else 2 * support * np.log(4 / level)
        return self.width * self.multiplier(rows) * np.sqrt(factor)

    def estimate(self, rows: np.ndarray) -> np.ndarray:
        root, _ = self._inverse_root(rows)
        private = self._noisy(self.sums[rows], rows) * (self.planned[rows] > 0)
        return np.einsum("rij,rjk,rk->ri", root, root, private @ self.actions)

    def _noisy(self, sums: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return self._released(sums, self.width, rows)


@registered("adar-gope", LinearSetting, "RDP-A3", options=COMMON, hurried=HURRIED)
class AdaRGOPE(NoisySumsGOPE):
    """AdaR-GOPE, (order, epsilon)-Renyi DP: noisy sums, with phases for a support of d (d + 1) / 2 actions.

    Source: RDP-A3, RDP-EQ8, ALG-A-ADARGOPE
    """

    kinds = ("rdp",)

    def price(self, rows: np.ndarray, support: np.ndarray) -> np.ndarray:
        most = self.dimension * (self.dimension + 1)
        return self.width * self.multiplier(rows) * np.sqrt(most * np.log(4 / self.level(rows)))


@registered("laplace-sums-gope", LinearSetting, "ZCDP-S19", options=SMALL, hurried=HURRIED)
class LaplaceSumsGOPE(NoisySumsGOPE):
    """epsilon-DP: Laplace noise of scale 2 / epsilon on the sum of every action's rewards, and a core set.

    The estimate of the related work on pure DP; its phase lengths are not printed in the documents, so they are those
    that this noise needs for the guarantee of AdaC-GOPE. Source: ZCDP-S19, ALG-A-GOPE-BEG
    """

    kinds = ("pure",)

    @checked
    def __init__(self, actions: Any, budget: Budget, noise: NoiseSource, **options: Any) -> None:
        super().__init__(actions, budget, noise, **{"design": "core-set", "lengths": "calibrated", **options})

    def price(self, rows: np.ndarray, support: np.ndarray) -> np.ndarray:
        # log E e^(t X) <= 2 t^2 for Laplace X and |t| <= 1 / sqrt 2, so sums have these two tails.
        exponent = np.log(4 / self.level(rows))
        return self.width / self.epsilon[rows] * np.maximum(np.sqrt(8 * support * exponent), np.sqrt(8) * exponent)

    def _noisy(self, sums: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return self.noise.laplace(
            sums, sensitivity=self.width, budget=self._budget_of(rows), records=(self.began[rows], self.clock[rows])
        )


@registered("adac-gope-output", LinearSetting, "ZCDP-S18", options=COMMON, hurried=HURRIED)
class OutputGOPE(_GaussianGOPE):
    """Gaussian noise on the least-squares estimate, whose sensitivity is 2 max |V^-1 a|, with AdaC-GOPE's phases.

    The design does not control this sensitivity. Raises InvalidInput. Source: ZCDP-S18, ALG-A-GOPE-END
    """

    def price(self, rows: np.ndarray, support: np.ndarray) -> np.ndarray:
        return self.width * self.multiplier(rows) * np.sqrt(chi_square_radius(self.dimension, self.level(rows) / 2))

    def estimate(self, rows: np.ndarray) -> np.ndarray:
        root, vectors = self._inverse_root(rows)
        theta = np.einsum("rij,rjk,rk->ri", root, root, self.sums[rows] @ self.actions)
        return self._released(theta, self.width * self._largest(rows, vectors @ root) * SLACK, rows)


def _spanning(actions: Any) -> np.ndarray:
    rows = checked_actions(actions)
    norms = np.linalg.norm(rows, axis=1)
    if norms.max() > UNIT:
        raise InvalidInput("actions", f"norm {norms.max():g} in row {int(norms.argmax())}", "norms of at most 1")
    rank = int(np.linalg.matrix_rank(rows))
    if rank < rows.shape[1]:
        raise InvalidInput("actions", f"a set of rank {rank}", f"a set that spans all {rows.shape[1]} dimensions")
    return rows
