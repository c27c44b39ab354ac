"""Learners with expert advice: panels of experts, multiplicative weights, EXP4, and EXP4 on private batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import numpy as np

from banditproof.algorithms.adversarial.learners import Learner
from banditproof.algorithms.adversarial.sampling import draw_index, finite, single_pull, softmax
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import Policy, PrivatePolicy
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Count, Positive, Size, Weight, checked

SUM_ERROR = 1e-9  # of probabilities that are to add up to 1


class Panel:
    """N experts on K actions: `advice` [P, N, K], or [N, K], repeated with period P; rows are probabilities.

    Raises InvalidInput for another shape and rows that are no probabilities. Source: ADV-D2
    """

    @checked
    def __init__(self, advice: Sequence[Any] | np.ndarray) -> None:
        try:
            given = np.array(advice, dtype=float)
        except (TypeError, ValueError):
            raise InvalidInput("advice", type(advice).__name__, "numbers in rows of equal lengths") from None
        given = given[np.newaxis] if given.ndim == 2 else given
        if given.ndim != 3 or not given.size:
            raise InvalidInput("advice", np.shape(advice), "an array [N, K] or [rounds, N, K]")
        if not (given >= 0).all() or (np.abs(given.sum(axis=2) - 1) > SUM_ERROR).any():
            raise InvalidInput("advice", "rows", "nonnegative and adding up to 1")
        given.setflags(write=False)
        self.advice = given
        self.period, self.experts, self.actions = given.shape

    def at(self, time: int) -> np.ndarray:
        """The advice [N, K] of round `time`, counted from 0."""
        return self.advice[time % self.period]

    def losses(self, losses: np.ndarray) -> np.ndarray:
        """The expected losses [T, N] of the experts on `losses` [T, K]."""
        rounds = np.arange(len(losses)) % self.period
        expected = np.empty((len(losses), self.experts))
        for phase in range(self.period):
            expected[rounds == phase] = losses[rounds == phase] @ self.advice[phase].T
        return expected


class MultiplicativeWeights:
    """Full information: P ~ w, and after a round every weight is multiplied by e^(-rate loss).

    State: `log_weights` [R, N]. Source: ADV-L26, ADV-S5.1
    """

    @checked
    def __init__(self, experts: Size, *, rate: Positive, replications: Size = 1) -> None:
        self.rate, self.log_weights = float(rate), np.zeros((replications, experts))

    def probabilities(self) -> np.ndarray:
        """The weights as probabilities, [R, N]."""
        return softmax(self.log_weights)

    def learn(self, losses: np.ndarray) -> None:
        """Hear the losses of all experts, [R, N] or [N]. Raises InvalidInput for other shapes and losses not finite."""
        heard = finite(losses)
        if heard.shape not in (self.log_weights.shape, self.log_weights.shape[1:]):
            raise InvalidInput(
                "losses", heard.shape, f"of shape {self.log_weights.shape}, one per replication and expert"
            )
        self.log_weights = self.log_weights - self.rate * heard


class EXP4(Learner):
    """Q = (1 - mixing) sum_j P(j) advice_j + mixing / K with P ~ w; estimated expert losses enter the weights.

    `rate` positive, `mixing` in [0, 1]. State: `weights`, `probabilities` (Q, [R, K]), `clock`. Raises InvalidInput.
    Source: ADV-A6 without noise
    """

    per_replication: ClassVar[tuple[str, ...]] = ("recommended", "probabilities")

    @checked
    def __init__(
        self,
        panel: Panel,
        generator: np.random.Generator,
        *,
        rate: Positive,
        mixing: Annotated[float, "[0, 1]"],
        replications: Size = 1,
    ) -> None:
        super().__init__(panel.actions, generator, replications)
        self.panel, self.mixing, self.clock = panel, float(mixing), 0
        self.weights = MultiplicativeWeights(panel.experts, rate=rate, replications=self.replications)
        self.probabilities = np.full((self.replications, self.arms), 1 / self.arms)

    def choose(self) -> np.ndarray:
        mixture = self.weights.probabilities() @ self.panel.at(self.clock)
        self.probabilities = (1 - self.mixing) * mixture + self.mixing / self.arms
        return draw_index(self.probabilities, self.generator)

    def learn(self, arm: np.ndarray, loss: np.ndarray) -> None:
        self.weights.learn(estimated_losses(self.panel.at(self.clock), self.probabilities, arm, loss))
        self.clock += 1

    def keep(self, rows: np.ndarray) -> None:
        super().keep(rows)
        self.weights.log_weights = self.weights.log_weights[rows]


def estimated_losses(advice: np.ndarray, probabilities: np.ndarray, arm: np.ndarray, loss: np.ndarray) -> np.ndarray:
    """The importance-weighted losses [R, N] of the experts: advice_j(arm) loss / Q(arm)."""
    return advice[:, arm].T * (loss / probabilities[np.arange(len(arm)), arm])[:, np.newaxis]


class PrivateEXP4(PrivatePolicy):
    """EXP4 whose weights move once per batch, by the noisy mean of the estimated losses of all experts.

    Laplace noise of scale 3 K sqrt(N log(1/delta)) / (mixing batch epsilon) is added to each of the N means. One loss
    moves each of them by K / (mixing batch) at most, so a release declares the l1 sensitivity N K / (mixing batch) and
    the pure budget epsilon sqrt(N / log(1/delta)) / 3, which is within epsilon for N <= 9 log(1/delta); beyond, the
    promise (epsilon, delta) rests on advanced composition over the coordinates, which no ledger of single releases
    counts.

    `budget` is approximate, `batch` at least 1, `rate` positive, `mixing` in (0, 1]; `generator` draws the actions.
    State: `weights`, `sums` [R, N], `clock`. Raises InvalidInput. Source: ADV-A2
    """

    kinds: ClassVar[tuple[str, ...]] = ("approximate",)
    per_replication: ClassVar[tuple[str, ...]] = ("recommended", "probabilities", "beliefs", "sums")

    @checked
    def __init__(
        self,
        panel: Panel,
        budget: Budget,
        noise: NoiseSource,
        generator: np.random.Generator,
        *,
        batch: Count,
        rate: Positive,
        mixing: Weight,
        replications: Size | None = None,
    ) -> None:
        super().__init__(panel.actions, budget, noise, replications)
        self.panel, self.generator, self.batch, self.clock = panel, generator, int(batch), 0
        self.mixing = float(mixing)
        self.weights = MultiplicativeWeights(panel.experts, rate=rate, replications=self.replications)
        self.sums = np.zeros((self.replications, panel.experts))
        self.recommended = np.zeros(self.replications, dtype=np.int64)
        self.beliefs = self.weights.probabilities()
        self.probabilities = np.full((self.replications, self.arms), 1 / self.arms)

    @property
    def release(self) -> tuple[float, Budget]:
        """The l1 sensitivity that a release declares, and the pure budget that it spends."""
        experts = self.panel.experts
        spent = Budget.pure(self.budget.epsilon * np.sqrt(experts / -np.log(self.budget.delta)) / 3)
        return experts * self.arms / (self.mixing * self.batch), spent

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        mixture = self.beliefs @ self.panel.at(self.clock)
        self.probabilities = (1 - self.mixing) * mixture + self.mixing / self.arms
        self.recommended = draw_index(self.probabilities, self.generator)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        single_pull(count)
        played = self.recommended if arm is None else arm
        self.sums += estimated_losses(self.panel.at(self.clock), self.probabilities, played, finite(total))
        self.clock += 1
        if self.clock % self.batch == 0:
            self._release()

    def _release(self) -> None:
        sensitivity, spent = self.release
        stop = np.full(self.replications, self.clock)
        released = self.noise.laplace(
            self.sums / self.batch, sensitivity=sensitivity, budget=spent, records=(stop - self.batch, stop)
        )
        self.weights.learn(released)
        self.beliefs, self.sums = self.weights.probabilities(), np.zeros_like(self.sums)

    def keep(self, rows: np.ndarray) -> None:
        super().keep(rows)
        self.weights.log_weights = self.weights.log_weights[rows]


class FromBandit(Policy):
    """A bandit learner on N arms plays for a panel: it chooses an expert, whose advice draws the action.

    A learner that asks for a batch keeps its expert for as many rounds, with a fresh action in each. Every replication
    needs the same batch sizes. Raises InvalidInput for another number of arms than experts. Source: ADV-A5
    """

    @checked
    def __init__(self, learner: Policy, panel: Panel, generator: np.random.Generator) -> None:
        super().__init__(panel.actions, learner.replications)
        if learner.arms != panel.experts:
            raise InvalidInput("learner", learner.arms, f"a learner on {panel.experts} arms, one per expert")
        self.learner, self.panel, self.generator, self.clock, self.left = learner, panel, generator, 0, 0
        self.collected = np.zeros(self.replications)

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        if not self.left:
            self.expert, self.asked = self.learner.next_batch()
            if (self.asked != self.asked[0]).any():
                raise InvalidInput("learner", self.asked.tolist(), "one with equal batches in all replications")
            self.left, self.collected = int(self.asked[0]), np.zeros(self.replications)
        self.recommended = draw_index(self.panel.at(self.clock)[self.expert], self.generator)
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        single_pull(count)
        self.collected, self.left, self.clock = self.collected + total, self.left - 1, self.clock + 1
        if not self.left:
            self.learner.observe(self.collected, self.asked)

    def keep(self, rows: np.ndarray) -> None:
        self.expert, self.asked, self.collected = self.expert[rows], self.asked[rows], self.collected[rows]
        self.learner.keep(rows)
        super().keep(rows)
