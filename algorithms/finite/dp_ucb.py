"""DP-UCB: UCB on sums that the binary tree mechanism releases after every pull."""

from __future__ import annotations

from math import log, sqrt
from typing import ClassVar

import numpy as np

from banditproof.algorithms.noise import NoiseSource, quotient_rounded_down
from banditproof.algorithms.policy import PrivatePolicy
from banditproof.algorithms.registration import Setting, registered
from banditproof.theory.arguments import Size, checked
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.privacy.budget import Budget


@registered(
    "dp-ucb",
    Setting,
    "ALG-A-DPUCB",
    every_pull=True,
    asks=("horizon",),
    options={"delta": None},
    bugs="tree",
    how=lambda policy, horizon, **given: policy(variant="thesis", horizon=max(2, horizon), **given),
)
@registered(
    "dp-ucb-mt15",
    Setting,
    "ALG-A-DPUCB",
    every_pull=True,
    asks=("horizon",),
    options={"gamma": 0.1},
    bugs="tree",
    how=lambda policy, horizon, **given: policy(variant="mt15", horizon=max(2, horizon), **given),
)
class DPUCB(PrivatePolicy):
    """Pulls the arm with the largest noisy mean plus bonus; every arm has a binary tree over its rewards in [0, 1].

    A tree for T rewards has L = floor(log2 T) + 1 levels. Reward number n closes the node at the level of the lowest
    set bit of n; a node's sum is released once, with Laplace noise of scale L / budget, and the noisy sum of n rewards
    adds the nodes at the set bits of n. A reward is in at most L nodes of one tree, so each tree costs its budget.

    `variant` "thesis": trees at epsilon, and with `delta` (1/T unless given) the bonus is
    sqrt(2 log(2/delta) / N) + sqrt(8) log(T)^(3/2) log(2/delta) / (epsilon N). "mt15", the only variant with a failure
    probability `gamma`: trees at epsilon / K and bonus sqrt(2 log t / N) + g / N with
    g = K log(T)^2 log(K T log(T) / gamma) / epsilon, K the number of arms, t the number of the pull about to be made.

    Choices left open: every arm is pulled once first, ties go to the lowest arm, a run must not outlast the `horizon`.
    A node declares as its records its arm's rewards in the span from its first reward to its last.
    Raises InvalidInput.

    State: `exact`, `noisy` [R, K, L] (nodes), `noisy_sums`, `samples` [R, K], `first` [R, K, L] (times), `clock` [R].
    Source: ALG-A-DPUCB, ALG-A-TREE
    """

    per_replication: ClassVar[tuple[str, ...]] = (
        "exact", "noisy", "noisy_sums", "samples", "first", "clock", "recommended",
    )  # fmt: skip
    presets = {"figure-5.2": {"variant": "mt15", "gamma": 0.1, "horizon": 10**7}}

    @checked
    def __init__(
        self,
        arms: Size,
        budget: Budget,
        noise: NoiseSource,
        *,
        horizon: int,
        variant: str = "thesis",
        delta: float | None = None,
        gamma: float = 0.1,
        replications: Size | None = None,
    ) -> None:
        super().__init__(arms, budget, noise, replications)
        if not isinstance(horizon, int | np.integer) or horizon < 2:
            raise InvalidInput("horizon", horizon, "an integer, at least 2")
        one_of("variant", variant, ("thesis", "mt15"))
        delta = 1 / horizon if delta is None else delta
        for name, value in (("delta", delta), ("gamma", gamma)):
            if not 0 < value < 1:
                raise InvalidInput(name, value, "in (0, 1)")
        self.horizon, self.variant, self.delta, self.gamma = int(horizon), variant, delta, gamma
        self.levels = self.horizon.bit_length()
        nodes = (self.replications, self.arms, self.levels)
        self.exact, self.noisy, self.first = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes, dtype=np.int64)
        self.noisy_sums = np.zeros(nodes[:2])
        self.samples = np.zeros(nodes[:2], dtype=np.int64)
        self.clock = np.zeros(self.replications, dtype=np.int64)
        self.recommended = np.zeros(self.replications, dtype=np.int64)

    @property
    def node_budget(self) -> np.ndarray:
        """What one node costs, [R]: rounded down, so that the nodes of a reward spend no more than its tree may."""
        return quotient_rounded_down(self.epsilon, self.levels * (self.arms if self.variant == "mt15" else 1))

    @property
    def fixed_bonus(self) -> np.ndarray:
        """What is divided by N in the bonus, [R]."""
        T, K = self.horizon, self.arms
        if self.variant == "thesis":
            return sqrt(8) * log(T) ** 1.5 * log(2 / self.delta) / self.epsilon
        return K * log(T) ** 2 * log(K * T * log(T) / self.gamma) / self.epsilon

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        level = log(2 / self.delta) if self.variant == "thesis" else np.log(self.clock + 1)[:, np.newaxis]
        samples = np.maximum(self.samples, 1)
        score = (self.noisy_sums + self.fixed_bonus[:, np.newaxis]) / samples + np.sqrt(2 * level / samples)
        self.recommended = np.where(self.samples == 0, np.inf, score).argmax(axis=1)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows, played = np.arange(self.replications), self.recommended if arm is None else arm
        number = self.samples[rows, played] + 1
        if (number > self.horizon).any():
            raise InvalidInput("horizon", self.horizon, "at least the length of the run")
        closed = np.bitwise_and(number, -number)  # 2^level of the node that this reward closes
        value, first = np.array(total, dtype=float), self.clock.copy()
        for level in range(int(closed.max()).bit_length() - 1):
            below = (1 << level) < closed
            value += np.where(below, self.exact[rows, played, level], 0.0)
            first = np.where(below, np.minimum(first, self.first[rows, played, level]), first)
        node = np.rint(np.log2(closed)).astype(np.int64)
        self.exact[rows, played, node], self.first[rows, played, node] = value, first
        self.noisy[rows, played, node] = self.noise.laplace(
            value, sensitivity=1.0, budget=Budget.pure(self.node_budget), records=(first, self.clock + 1, played)
        )
        noisy_sum = np.zeros(self.replications)
        for level in reversed(range(int(number.max()).bit_length())):  # the largest first: their sum stands for long
            noisy_sum += np.where(number >> level & 1, self.noisy[rows, played, level], 0.0)
        self.noisy_sums[rows, played], self.samples[rows, played] = noisy_sum, number
        self.clock = self.clock + count
