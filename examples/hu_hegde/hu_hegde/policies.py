"""Algorithms 1 and 2, line by line, for several runs at once. The logarithm of both is to the base 2."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditproof.algorithms import NoiseSource, Policy, quotient_rounded_down
from banditproof.theory import Budget

LEVELS = 40  # of the binary mechanism of an arm: more than any run needs


class PrivateThompson(Policy):
    """What both share: every arm once, then the arm with the largest sample of Beta(m O + 1, (1 - m) O + 1).

    m is the private mean plus the width, cut to [0, 1]; t is the number of the pull about to be made.
    """

    per_replication = ("means", "pulled", "clock", "chosen")

    def __init__(self, arms: int, epsilon: float, noise: NoiseSource, generator: Any, replications: int = 1) -> None:
        super().__init__(arms, replications)
        self.epsilon, self.noise, self.generator = epsilon, noise, generator
        self.means = np.zeros((self.replications, self.arms))
        self.pulled = np.zeros((self.replications, self.arms), dtype=np.int64)  # O
        self.clock = np.zeros(self.replications, dtype=np.int64)
        self.chosen = np.zeros(self.replications, dtype=np.int64)

    def width(self, pulled: np.ndarray, t: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        pulled = np.maximum(self.pulled, 1)
        means = np.clip(self.means + self.width(pulled, (self.clock + 1)[:, np.newaxis]), 0.0, 1.0)
        samples = self.generator.beta(means * pulled + 1, (1 - means) * pulled + 1)
        self.chosen = np.where(self.pulled == 0, np.inf, samples).argmax(axis=1)
        return self.chosen, np.ones(self.replications, dtype=np.int64)

    def release(self, rows: np.ndarray, arm: np.ndarray, value: np.ndarray, epsilon: Any, first: np.ndarray) -> Any:
        """The value plus Lap(1/epsilon), of the arm's rewards from pull number `first` on."""
        records = (first, self.clock[rows] + 1, arm)
        return self.noise.laplace(value, sensitivity=1.0, budget=Budget.pure(epsilon), records=records)


class DPTS(PrivateThompson):
    """Algorithm 1. The binary mechanism goes on from call to call: a sum that was released is not released again."""

    per_replication = (*PrivateThompson.per_replication, "C", "B", "r", "psi", "since", "exact", "noisy", "first")

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        shape = (self.replications, self.arms)
        self.C, self.B, self.psi = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self.r, self.since = np.full(shape, -1), np.zeros(shape, dtype=np.int64)
        self.exact, self.noisy = np.zeros((*shape, LEVELS)), np.zeros((*shape, LEVELS))
        self.first = np.zeros((*shape, LEVELS), dtype=np.int64)

    def width(self, pulled: np.ndarray, t: np.ndarray) -> np.ndarray:
        return 6 * np.sqrt(8) * np.log2(pulled + 1) * np.log2(t) / (self.epsilon * pulled)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows, arms = np.arange(self.replications), self.chosen if arm is None else arm
        at = rows, arms
        self.pulled[at] += 1
        in_psi = self.pulled[at] - (2 ** (self.r[at] + 1) - 1)
        self.since[at] = np.where(in_psi == 1, self.clock, self.since[at])
        self.psi[at] += total
        full = in_psi == 2 ** (self.r[at] + 1)
        if full.any():
            self._logarithmic(rows[full], arms[full])
        if not full.all():
            self._binary(rows[~full], arms[~full], np.asarray(total)[~full], in_psi[~full])
        self.means[at] = (self.C[at] + self.B[at]) / self.pulled[at]
        self.clock = self.clock + 1

    def _logarithmic(self, rows: np.ndarray, arms: np.ndarray) -> None:
        """Line 3 for the first reward (r = -1 before), lines 14 and 15."""
        at = rows, arms
        self.C[at] += self.release(rows, arms, self.psi[at], 0.5 * self.epsilon, self.since[at])
        self.psi[at], self.B[at] = 0.0, 0.0
        self.r[at] += 1

    def _binary(self, rows: np.ndarray, arms: np.ndarray, reward: np.ndarray, n: np.ndarray) -> None:
        """Line 17: reward number n closes the sum at the lowest set bit of n; the output adds those at all set bits."""
        at = rows, arms
        closed, value, first = n & -n, reward.astype(float), self.clock[rows].copy()
        for level in range(int(closed.max()).bit_length() - 1):
            below = (1 << level) < closed
            value += np.where(below, self.exact[rows, arms, level], 0.0)
            first = np.where(below, np.minimum(first, self.first[rows, arms, level]), first)
        node = np.rint(np.log2(closed)).astype(np.int64)
        self.exact[rows, arms, node], self.first[rows, arms, node] = value, first
        share = quotient_rounded_down(np.full(rows.size, 0.5 * self.epsilon), self.r[at] + 1.0)
        self.noisy[rows, arms, node] = self.release(rows, arms, value, share, first)
        bits = range(int(n.max()).bit_length())
        self.B[at] = sum(np.where(n >> level & 1, self.noisy[rows, arms, level], 0.0) for level in bits)


class LazyDPTS(PrivateThompson):
    """Algorithm 2: the mean of an arm is renewed by its next 2, 4, 8, ... rewards, and what was known is dropped."""

    per_replication = (*PrivateThompson.per_replication, "psi", "in_psi", "size", "since")

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        shape = (self.replications, self.arms)
        self.psi, self.size = np.zeros(shape), np.ones(shape, dtype=np.int64)
        self.in_psi, self.since = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)

    def width(self, pulled: np.ndarray, t: np.ndarray) -> np.ndarray:
        return 3 * np.log2(t) / (self.epsilon * pulled)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows, arms = np.arange(self.replications), self.chosen if arm is None else arm
        at = rows, arms
        self.since[at] = np.where(self.in_psi[at] == 0, self.clock, self.since[at])
        self.psi[at] += total
        self.in_psi[at] += 1
        full = self.in_psi[at] == self.size[at]
        if full.any():
            rows, arms = rows[full], arms[full]
            at = rows, arms
            self.pulled[at] = self.size[at]
            self.means[at] = self.release(rows, arms, self.psi[at], self.epsilon, self.since[at]) / self.pulled[at]
            self.psi[at], self.in_psi[at] = 0.0, 0
            self.size[at] *= 2
        self.clock = self.clock + 1


ALGORITHMS = {"DP-TS": DPTS, "Lazy-DP-TS": LazyDPTS}
