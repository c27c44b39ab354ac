"""Lazy-DP-TS: Thompson sampling on private means that are renewed at doubling counts."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import PrivatePolicy
from banditproof.algorithms.registration import Setting, registered
from banditproof.theory.arguments import Nonnegative, Size, checked
from banditproof.theory.privacy.budget import Budget


@registered(
    "lazy-dp-ts",
    Setting,
    "ALG-A-LAZYDPTS",
    every_pull=True,
    asks=("generator",),
    options={"optimism": 3.0},
    bugs="lazy",
    pulls=60,
)
class LazyDPTS(PrivatePolicy):
    """Draws a mean for every arm from a Beta law around its last private mean and pulls the arm with the largest.

    Every arm is pulled once first, the lowest first. An arm's rewards are collected until there are 2, then 4, 8, ...
    new ones; their sum is then released with Laplace noise of scale 1 / epsilon, and what was known before is dropped.
    With O the number of rewards in the last release and m their noisy mean plus `optimism` log t / (epsilon O), cut to
    [0, 1], the law is Beta(m O + 1, (1 - m) O + 1); t is the number of the pull about to be made. The source states
    the optimism as 3.

    `budget` is pure, its epsilon one number or one per replication [R]; `generator` draws the means, arm by arm and
    replication by replication. An arm's records are its rewards in the range. Raises InvalidInput.

    State: `means` (noisy), `samples` (O), `collected`, `sums`, `phase`, `since` (time of the first reward collected)
    [R, K]; `clock` [R]. Source: ALG-A-LAZYDPTS
    """

    per_replication: ClassVar[tuple[str, ...]] = (
        "means", "samples", "collected", "sums", "phase", "since", "clock", "recommended",
    )  # fmt: skip

    @checked
    def __init__(
        self,
        arms: Size,
        budget: Budget,
        noise: NoiseSource,
        generator: Any,  # of NumPy, or what answers its beta
        *,
        optimism: Nonnegative = 3.0,
        replications: Size | None = None,
    ) -> None:
        super().__init__(arms, budget, noise, replications)
        self.generator, self.optimism = generator, float(optimism)
        shape = (self.replications, self.arms)
        self.means, self.sums = np.zeros(shape), np.zeros(shape)
        self.samples, self.collected, self.phase, self.since = (np.zeros(shape, dtype=np.int64) for _ in range(4))
        self.clock = np.zeros(self.replications, dtype=np.int64)
        self.recommended = np.zeros(self.replications, dtype=np.int64)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        samples = np.maximum(self.samples, 1)
        shift = self.optimism * np.log(self.clock + 1)[:, np.newaxis] / (self.epsilon[:, np.newaxis] * samples)
        means = np.clip(self.means + shift, 0.0, 1.0)
        drawn = self.generator.beta(means * samples + 1, (1 - means) * samples + 1)
        self.recommended = np.where(self.samples == 0, np.inf, drawn).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows, played = np.arange(self.replications), self.recommended if arm is None else arm
        at = rows, played
        self.since[at] = np.where(self.collected[at] == 0, self.clock, self.since[at])
        self.sums[at] += total
        self.collected[at] += count
        full = self.collected[at] == 2 ** self.phase[at]
        self.clock = self.clock + count
        if full.any():
            self._release(rows[full], played[full])

    def _release(self, rows: np.ndarray, arm: np.ndarray) -> None:
        """Release what `arm` has collected, in some of the replications."""
        at = rows, arm
        budget, records = Budget.pure(self.epsilon[rows]), (self.since[at], self.clock[rows], arm)
        released = self.noise.laplace(self.sums[at], sensitivity=1.0, budget=budget, records=records)
        self.samples[at] = self.collected[at]
        self.means[at] = released / self.samples[at]
        self.collected[at], self.sums[at] = 0, 0.0
        self.phase[at] += 1
