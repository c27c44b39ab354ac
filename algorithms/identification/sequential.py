"""Non-private strategies that decide at every pull: TTUCB, Track-and-Stop and LUCB, for rewards in [0, 1]."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from banditproof.algorithms.policy import Policy
from banditproof.algorithms.registration import IdentificationSetting, registered
from banditproof.theory.arguments import Share, Size, checked
from banditproof.theory.best_arm.thresholds import gaussian_deviation
from banditproof.theory.errors import InvalidInput, one_of

HALVINGS = 40
SHARES = ("fixed", "optimal")


class FixedConfidence(Policy):
    """Pulls one arm at a time, the first ones in order; names the arm with the largest mean. `delta` in (0, 1).

    State: `pulls`, `sums` [R, K], `recommendation`, `stopped` [R]. Ties go to the lowest arm. Raises InvalidInput.
    """

    per_replication: ClassVar[tuple[str, ...]] = ("pulls", "sums", "recommendation", "stopped")

    @checked
    def __init__(self, arms: Size, *, delta: Share, replications: Size = 1) -> None:
        super().__init__(arms, replications)
        if self.arms < 2:
            raise InvalidInput("arms", arms, "an integer, at least 2")
        self.delta = float(delta)
        self.deviation = gaussian_deviation(np.log((self.arms - 1) / self.delta) / 2)
        self.pulls, self.sums = np.zeros((replications, arms), dtype=np.int64), np.zeros((replications, arms))
        self.recommendation = np.zeros(replications, dtype=np.int64)
        self.stopped = np.zeros(replications, dtype=bool)

    @property
    def means(self) -> np.ndarray:
        """Means of all rewards, [R, K]."""
        return self.sums / np.maximum(self.pulls, 1)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        new = self.pulls == 0
        arm = np.where(new.any(axis=1), new.argmax(axis=1), self.choose())
        return np.where(self.stopped, self.recommendation, arm), np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows, played = np.arange(self.replications), self.next_batch()[0] if arm is None else arm
        self.played(played)
        self.sums[rows, played] += total
        self.pulls[rows, played] += count
        self.recommendation = np.where(self.stopped, self.recommendation, self.means.argmax(axis=1))
        self.stopped = self.stopped | (self.pulls > 0).all(axis=1) & self.sure()

    @abstractmethod
    def choose(self) -> np.ndarray:
        """The arm to pull [R], once every arm has been pulled."""

    def played(self, arm: np.ndarray) -> None:
        """Hear which arm [R] is pulled now."""

    def sure(self) -> np.ndarray:
        """Whether the arm with the largest mean beats every other one [R]: generalised likelihood ratio."""
        best = self.recommendation
        own = self.pulls[np.arange(self.replications), best][:, np.newaxis]
        safe, own = np.maximum(self.pulls, 1), np.maximum(own, 1)
        threshold = 2 * self.deviation + 2 * np.log(4 + np.log(own)) + 2 * np.log(4 + np.log(safe))
        enough = self.costs(best) > threshold
        enough[np.arange(self.replications), best] = True
        return enough.all(axis=1)

    def costs(self, arm: np.ndarray) -> np.ndarray:
        """Gaussian transportation costs from `arm` [R] to every arm, sigma = 1/2: [R, K]."""
        rows = np.arange(self.replications)
        lead = np.maximum(self.means[rows, arm][:, np.newaxis] - self.means, 0)
        safe = np.maximum(self.pulls, 1)
        return 2 * lead**2 / (1 / safe[rows, arm][:, np.newaxis] + 1 / safe)


@registered("ttucb", IdentificationSetting, "ALG-A3", options={"beta": 0.5, "share": "fixed"})
class TTUCB(FixedConfidence):
    """TTUCB: a UCB leader against the challenger that is cheapest to confuse with it, stopped by c^G.

    The leader has the largest mean + sqrt(log(n) / (2 N)) after n pulls. With `share` "fixed" it is pulled in a
    proportion `beta` of its rounds; "optimal" aims at N_c / (N_b + N_c) for leader b and challenger c, the equal
    marginal returns of Gaussian costs, tracked per pair. Source: TH-A3.TTUCB, ALG-A3
    """

    per_replication = (*FixedConfidence.per_replication, "led", "own", "aim")

    @checked
    def __init__(
        self, arms: Size, *, delta: Share, beta: Share = 0.5, share: str = "fixed", replications: Size = 1
    ) -> None:
        super().__init__(arms, delta=delta, replications=replications)
        one_of("share", share, SHARES)
        self.beta, self.share = float(beta), share
        self.led, self.own, self.aim = (np.zeros((replications, arms, arms)) for _ in range(3))

    def _pair(self) -> tuple[np.ndarray, ...]:
        """Rows, leader, challenger, the slot they are tracked in, and the target of this round, [R] each."""
        rows, safe = np.arange(self.replications), np.maximum(self.pulls, 1)
        bonus = np.sqrt(np.log(safe.sum(axis=1))[:, np.newaxis] / (2 * safe))
        leader = (self.means + bonus).argmax(axis=1)
        costs = self.costs(leader)
        costs[rows, leader] = np.inf
        challenger = costs.argmin(axis=1)
        if self.share == "fixed":
            return rows, leader, challenger, leader, np.full(self.replications, self.beta)
        own, other = safe[rows, leader], safe[rows, challenger]
        return rows, leader, challenger, challenger, other / (own + other)

    def choose(self) -> np.ndarray:
        rows, leader, challenger, slot, target = self._pair()
        aimed = self.aim[rows, leader, slot] + target
        if self.share == "fixed":  # of which a sum over rounds would lose ties
            aimed = self.beta * (self.led[rows, leader, slot] + 1)
        keep = self.own[rows, leader, slot] <= aimed
        return np.where(keep, leader, challenger)

    def played(self, arm: np.ndarray) -> None:
        rows, leader, _, slot, target = self._pair()
        begun = (self.pulls > 0).all(axis=1)
        self.aim[rows, leader, slot] += begun * target
        self.led[rows, leader, slot] += begun
        self.own[rows, leader, slot] += begun & (arm == leader)


@registered("track-and-stop", IdentificationSetting, "TH-S2.2j")
class TrackAndStop(FixedConfidence):
    """Track-and-Stop with direct tracking of the optimal weights of Gaussian arms, sigma = 1/2, stopped by c^G.

    An arm with fewer than sqrt(n) - K/2 pulls is pulled first. Source: TH-S2.2j, TH-A2.GLR
    """

    def choose(self) -> np.ndarray:
        n = self.pulls.sum(axis=1)
        starved = self.pulls.min(axis=1) < np.sqrt(n) - self.arms / 2
        behind = (n[:, np.newaxis] * gaussian_weights(self.means) - self.pulls).argmax(axis=1)
        return np.where(starved, self.pulls.argmin(axis=1), behind)


def gaussian_weights(means: np.ndarray) -> np.ndarray:
    """Proportions w* [R, K] that maximise the least cost gap_a^2 / (1/w_best + 1/w_a); uniform over tied best arms.

    In units of the best arm's weight the others have x_a = 1 / (z gap_a^2 - 1), and sum x_a^2 = 1. Source: TH-S2.2j
    """
    best = means.argmax(axis=1)
    gaps = (means[np.arange(len(means)), best][:, np.newaxis] - means) ** 2
    gaps[np.arange(len(means)), best] = np.inf
    least = gaps.min(axis=1, keepdims=True)
    tied = gaps == 0
    gaps = gaps / np.where(least > 0, least, 1)
    low, high = np.ones(len(means)), np.full(len(means), 1 + np.sqrt(means.shape[1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            large = (1 / (middle[:, np.newaxis] * gaps - 1) ** 2).sum(axis=1) > 1
            low, high = np.where(large, middle, low), np.where(large, high, middle)
        shares = 1 / (high[:, np.newaxis] * gaps - 1)
    shares[np.arange(len(means)), best] = 1.0
    tied[np.arange(len(means)), best] = True
    shares = np.where(least > 0, shares, tied)
    return shares / shares.sum(axis=1, keepdims=True)


@registered("lucb", IdentificationSetting, "TH-D2.19")
class LUCB(FixedConfidence):
    """LUCB: pulls the less explored of the best arm and the arm with the largest upper bound among the others.

    Radius sqrt(log(5 K n^4 / (4 delta)) / (2 N)) after n pulls; stops when the two arms' intervals part. One arm of the
    pair is pulled at a time. Source: TH-D2.19
    """

    def _ends(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best arm's lower end, the largest upper end of another, and its arm, [R] each."""
        rows, safe = np.arange(self.replications), np.maximum(self.pulls, 1)
        n = safe.sum(axis=1)[:, np.newaxis].astype(float)
        radius = np.sqrt(np.log(1.25 * self.arms * n**4 / self.delta) / (2 * safe))
        upper = self.means + radius
        upper[rows, self.recommendation] = -np.inf
        rival = upper.argmax(axis=1)
        return (self.means - radius)[rows, self.recommendation], upper[rows, rival], rival

    def choose(self) -> np.ndarray:
        rows, rival = np.arange(self.replications), self._ends()[2]
        return np.where(self.pulls[rows, self.recommendation] <= self.pulls[rows, rival], self.recommendation, rival)

    def sure(self) -> np.ndarray:
        lower, upper, _ = self._ends()
        return lower > upper
