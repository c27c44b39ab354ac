"""The private Top Two meta-algorithm with AdaP-TT and AdaP-TT*."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np

from banditproof.algorithms.batches import LONGEST_BATCH
from banditproof.algorithms.identification.top_two_schedule import pulls_until_doubling
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import PrivatePolicy
from banditproof.algorithms.registration import IdentificationSetting, Setting, registered
from banditproof.theory.arguments import Share, Size, checked
from banditproof.theory.best_arm.thresholds import far_threshold, near_threshold, private_threshold
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.privacy.budget import Budget

BONUSES = ("phase", "log")
PRINTED = {"beta": 0.5, "bonus": "phase"}


class PrivateTopTwo(PrivatePolicy):
    """Algorithm 10: leader and challenger from private means, each of the rewards of its arm's last phase.

    An arm's phase ends when its pulls have doubled; then the sum of its rewards in that phase, in [0, 1] each, is
    released with Laplace noise of scale 1/epsilon, and older ones are forgotten. The run stops when the arm with the
    largest mean beats every other by the threshold, at the counts of the last phases. Between releases the arms to be
    pulled are known; they are recommended arm by arm, in batches, in another order than one by one: what is released,
    and when, is the same (Remark 5.24; `ALG-A10` holds the printed order against it).

    What the document leaves open: the first mean of an arm is its first reward, released like the others; the
    challenger sees all pulls (printed is an undefined N_(k_a, a)); the count of leader pulls begins at 0; ties go to
    the lowest arm. `delta` in (0, 1) is the risk, `beta` in (0, 1) the leader's share; `budget` is pure, inf for none.

    `bonus` "phase" is the printed one, sqrt(k/n) + k/(epsilon n) in phase k with n rewards behind the mean. It does
    not grow while an arm waits: where others tie, an arm with an unlucky first mean may never be pulled again. "log"
    has the logarithm of all pulls at the last release in place of k, and half of it under the root.
    Raises InvalidInput.

    State [R, K]: `means`, `samples` (behind the means), `phases`, `pulls`, `pending` (in this segment).
    Source: ALG-A10
    """

    per_replication: ClassVar[tuple[str, ...]] = (
        "means",
        "samples",
        "phases",
        "pulls",
        "start",
        "sums",
        "begun",
        "led",
        "own",
        "pending",
        "clock",
        "stopped",
        "recommendation",
        "leader",
    )

    @checked
    def __init__(
        self,
        arms: Size,
        budget: Budget,
        noise: NoiseSource,
        *,
        delta: Share,
        beta: Share = 0.5,
        bonus: str = "phase",
        replications: Size | None = None,
    ) -> None:
        super().__init__(arms, budget, noise, replications)
        if self.arms < 2:
            raise InvalidInput("arms", arms, "an integer, at least 2")
        one_of("bonus", bonus, BONUSES)
        self.delta, self.beta, self.bonus = float(delta), float(beta), bonus
        shape = (self.replications, self.arms)
        self.means, self.sums = np.zeros(shape), np.zeros(shape)
        self.samples, self.phases, self.pulls, self.start, self.begun, self.led, self.own = (
            np.zeros(shape, dtype=np.int64) for _ in range(7)
        )
        self.pending = np.ones(shape, dtype=np.int64)
        self.clock, self.recommendation, self.leader = (np.zeros(shape[0], dtype=np.int64) for _ in range(3))
        self.stopped = np.zeros(shape[0], dtype=bool)

    @abstractmethod
    def worth(self, leads: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        """The transportation costs of `leads` [R, K] times 1/n_a + 1/n_b; `epsilon` is [R, 1]."""

    @abstractmethod
    def threshold(self, leads: np.ndarray, own: np.ndarray, others: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        """The threshold [R, K] for counts `own` [R, 1] of the arm that leads and `others` [R, K]."""

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        arm = np.where(self.stopped, self.recommendation, (self.pending > 0).argmax(axis=1))
        return arm, np.where(self.stopped, LONGEST_BATCH, self.pending[np.arange(self.replications), arm])

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        rows, (asked, _) = np.arange(self.replications), self.next_batch()
        played = asked if arm is None else arm
        self.clock = self.clock + count
        self.sums[rows, played] += total
        self.pulls[rows, played] += count
        self.pending[rows, asked] = np.maximum(self.pending[rows, asked] - count, 0)
        over = ~self.stopped & ~self.pending.any(axis=1)
        doubled = self.pulls >= np.maximum(2 * self.start, 1)
        waiting = (self.pulls == 0).any(axis=1)  # another arm was played in the first pulls than recommended
        self.pending[over & waiting] = ~doubled[over & waiting]
        for one in range(self.arms):
            self._release(np.flatnonzero(over & ~waiting & doubled[:, one]), one)
        self._try_to_stop(np.flatnonzero(over & ~waiting & doubled.any(axis=1)))
        self._plan(np.flatnonzero(over & ~waiting & ~self.stopped))

    def _release(self, rows: np.ndarray, arm: int) -> None:
        """Close the phase of `arm` in these replications."""
        if not rows.size:
            return
        at = rows, np.full(rows.size, arm)
        records = self.begun[at], self.clock[rows], at[1]
        released = self.noise.laplace(
            self.sums[at], sensitivity=1.0, budget=Budget.pure(self.epsilon[rows]), records=records
        )
        self.samples[at] = self.pulls[at] - self.start[at]
        self.means[at] = released / self.samples[at]
        self.phases[at] += 1
        self.start[at], self.begun[at], self.sums[at] = self.pulls[at], self.clock[rows], 0.0

    def _leads(self, rows: np.ndarray, arm: np.ndarray) -> np.ndarray:
        """How far the mean of `arm` [R] lies above the others', at least 0: [R, K]."""
        return np.maximum(self.means[rows, arm][:, np.newaxis] - self.means[rows], 0)

    def _try_to_stop(self, rows: np.ndarray) -> None:
        """Name the arm with the largest mean, and stop where it beats every other one."""
        if not rows.size:
            return
        best = self.means[rows].argmax(axis=1)
        leads, epsilon = self._leads(rows, best), self.epsilon[rows][:, np.newaxis]
        others = self.samples[rows].astype(float)
        own = self.samples[rows, best][:, np.newaxis].astype(float)
        sure = self.worth(leads, epsilon) / (1 / own + 1 / others) >= self.threshold(leads, own, others, epsilon)
        sure[np.arange(rows.size), best] = True
        self.recommendation[rows], self.stopped[rows] = best, sure.all(axis=1)

    def _plan(self, rows: np.ndarray) -> None:
        """Choose the leader and the pulls until the next phase ends."""
        if not rows.size:
            return
        epsilon = self.epsilon[rows][:, np.newaxis]
        samples = self.samples[rows]
        if self.bonus == "phase":
            wide, noisy = self.phases[rows], self.phases[rows]
        else:
            noisy = np.log(self.clock[rows])[:, np.newaxis]
            wide = noisy / 2
        leader = (self.means[rows] + np.sqrt(wide / samples) + noisy / (epsilon * samples)).argmax(axis=1)
        at = rows, leader
        worth = self.worth(self._leads(rows, leader), epsilon)
        room = np.maximum(2 * self.start[rows] - self.pulls[rows], 1)
        added, rounds = pulls_until_doubling(
            leader, worth, self.pulls[rows], room, self.led[at], self.own[at], self.beta
        )
        self.led[at] += rounds
        self.own[at] += added[np.arange(rows.size), leader]
        self.leader[rows], self.pending[rows] = leader, added


Rule = Callable[..., np.ndarray]


def _threshold(
    rule: Rule, own: np.ndarray, others: np.ndarray, delta: float, arms: int, epsilon: np.ndarray
) -> np.ndarray:
    """The thresholds of a rule; those of a single run are kept, for the same counts come in many runs."""
    if len(own) > 1:
        return rule(own, others, delta, arms, epsilon)
    return _kept_threshold(rule, own.item(), tuple(others[0].tolist()), delta, arms, epsilon.item())


@lru_cache(4096)
def _kept_threshold(
    rule: Rule, own: float, others: tuple[float, ...], delta: float, arms: int, epsilon: float
) -> np.ndarray:
    threshold = rule(np.array([[own]]), np.array([others]), delta, arms, np.array([[epsilon]]))
    threshold.setflags(write=False)
    return threshold


@registered("adap-tt", Setting, "ALG-A-ADAPTT", options={"delta": 0.01, **PRINTED}, pulls=300, hurried={"delta": 0.9})
@registered("adap-tt", IdentificationSetting, "ALG-A-ADAPTT", options=PRINTED)
class AdaPTT(PrivateTopTwo):
    """AdaP-TT: Gaussian transportation costs, thresholds for private means. Source: ALG-A-ADAPTT"""

    def worth(self, leads: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        return 2 * leads**2

    def threshold(self, leads: np.ndarray, own: np.ndarray, others: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        return _threshold(private_threshold, own, others, self.delta, self.arms, epsilon)


@registered(
    "adap-tt-star", Setting, "ALG-A-ADAPTTS", options={"delta": 0.01, **PRINTED}, pulls=300, hurried={"delta": 0.9}
)
@registered("adap-tt-star", IdentificationSetting, "ALG-A-ADAPTTS", options=PRINTED)
class AdaPTTStar(PrivateTopTwo):
    """AdaP-TT*: costs that grow no faster than 3 epsilon times the lead. Source: ALG-A-ADAPTTS"""

    def worth(self, leads: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        return 2 * leads * np.minimum(3 * epsilon, leads)

    def threshold(self, leads: np.ndarray, own: np.ndarray, others: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        near = _threshold(near_threshold, own, others, self.delta, self.arms, epsilon)
        with np.errstate(invalid="ignore"):
            far = _threshold(far_threshold, own, others, self.delta, self.arms, epsilon)
        return np.where(leads < 3 * epsilon, near, far)
