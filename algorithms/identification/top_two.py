"""The private Top Two meta-algorithm with AdaP-TT and AdaP-TT*."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from banditproof.algorithms.identification.phases import InPhases
from banditproof.algorithms.identification.top_two_schedule import pulls_until_doubling
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.registration import IdentificationSetting, Setting, registered
from banditproof.theory.arguments import Share, Size, checked
from banditproof.theory.best_arm.thresholds import far_threshold, near_threshold, private_threshold
from banditproof.theory.errors import one_of
from banditproof.theory.privacy.budget import Budget

BONUSES = ("phase", "log")
PRINTED = {"beta": 0.5, "bonus": "phase"}


class PrivateTopTwo(InPhases):
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

    per_replication = (*InPhases.per_replication, "led", "own", "leader")

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
        super().__init__(arms, budget, noise, delta=delta, replications=replications)
        one_of("bonus", bonus, BONUSES)
        self.beta, self.bonus = float(beta), bonus
        self.led, self.own = (np.zeros((self.replications, self.arms), dtype=np.int64) for _ in range(2))
        self.leader = np.zeros(self.replications, dtype=np.int64)

    @abstractmethod
    def worth(self, rows: np.ndarray, arm: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """The transportation costs from `arm` [R] to every arm at `counts` [R, K], times 1/n_a + 1/n_b: [R, K]."""

    @abstractmethod
    def threshold(self, leads: np.ndarray, own: np.ndarray, others: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        """The threshold [R, K] for counts `own` [R, 1] of the arm that leads and `others` [R, K]."""

    def _leads(self, rows: np.ndarray, arm: np.ndarray) -> np.ndarray:
        """How far the mean of `arm` [R] lies above the others', at least 0: [R, K]."""
        return np.maximum(self.means[rows, arm][:, np.newaxis] - self.means[rows], 0)

    def ended(self) -> np.ndarray:
        return self.pulls >= np.maximum(2 * self.start, 1)

    def sure(self, rows: np.ndarray, arm: np.ndarray) -> np.ndarray:
        leads, epsilon = self._leads(rows, arm), self.epsilon[rows][:, np.newaxis]
        others = self.samples[rows].astype(float)
        own = self.samples[rows, arm][:, np.newaxis].astype(float)
        cost = self.worth(rows, arm, others) / (1 / own + 1 / others)
        return cost >= self.threshold(leads, own, others, epsilon)

    def plan(self, rows: np.ndarray) -> None:
        epsilon = self.epsilon[rows][:, np.newaxis]
        samples = self.samples[rows]
        if self.bonus == "phase":
            wide, noisy = self.phases[rows], self.phases[rows]
        else:
            noisy = np.log(self.clock[rows])[:, np.newaxis]
            wide = noisy / 2
        leader = (self.means[rows] + np.sqrt(wide / samples) + noisy / (epsilon * samples)).argmax(axis=1)
        at = rows, leader
        worth = self.worth(rows, leader, self.pulls[rows].astype(float))
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

    def worth(self, rows: np.ndarray, arm: np.ndarray, counts: np.ndarray) -> np.ndarray:
        return 2 * self._leads(rows, arm) ** 2

    def threshold(self, leads: np.ndarray, own: np.ndarray, others: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        return _threshold(private_threshold, own, others, self.delta, self.arms, epsilon)


@registered(
    "adap-tt-star", Setting, "ALG-A-ADAPTTS", options={"delta": 0.01, **PRINTED}, pulls=300, hurried={"delta": 0.9}
)
@registered("adap-tt-star", IdentificationSetting, "ALG-A-ADAPTTS", options=PRINTED)
class AdaPTTStar(PrivateTopTwo):
    """AdaP-TT*: costs that grow no faster than 3 epsilon times the lead. Source: ALG-A-ADAPTTS"""

    def worth(self, rows: np.ndarray, arm: np.ndarray, counts: np.ndarray) -> np.ndarray:
        leads = self._leads(rows, arm)
        return 2 * leads * np.minimum(3 * self.epsilon[rows][:, np.newaxis], leads)

    def threshold(self, leads: np.ndarray, own: np.ndarray, others: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
        near = _threshold(near_threshold, own, others, self.delta, self.arms, epsilon)
        with np.errstate(invalid="ignore"):
            far = _threshold(far_threshold, own, others, self.delta, self.arms, epsilon)
        return np.where(leads < 3 * epsilon, near, far)
