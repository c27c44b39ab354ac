"""Bandit learners that take any real loss: EXP3 with mixing, FTPL with geometric resampling, HTINF.

They play one round at a time (batches of one pull) and hear losses where other policies hear rewards: a negative or
large one, such as noise brings, is fine. `generator` draws their actions.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, ClassVar

import numpy as np

from banditproof.algorithms.adversarial.sampling import draw_index, finite, single_pull, softmax
from banditproof.algorithms.policy import Policy
from banditproof.theory.arguments import Positive, Size, Weight, checked

NEWTON_STEPS, CLOSE = 60, 1e-13


class Learner(Policy):
    """A policy that names an arm per round, `choose()` [R], and hears its loss, `learn(arm, loss)` with both [R]."""

    @checked
    def __init__(self, arms: Size, generator: np.random.Generator, replications: Size = 1) -> None:
        super().__init__(arms, replications)
        self.generator = generator
        self.recommended = np.zeros(self.replications, dtype=np.int64)

    per_replication: ClassVar[tuple[str, ...]] = ("recommended",)

    @abstractmethod
    def choose(self) -> np.ndarray:
        """The arm of the round, [R]."""

    @abstractmethod
    def learn(self, arm: np.ndarray, loss: np.ndarray) -> None:
        """Hear the `loss` [R] of the `arm` [R] that was played."""

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        self.recommended = self.choose()
        return self.recommended, np.ones(self.replications, dtype=np.int64)

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        single_pull(count)
        self.learn(self.recommended if arm is None else arm, finite(total))


class EXP3(Learner):
    """P = (1 - mixing) w / sum w + mixing / K; the weight of the played arm is multiplied by e^(-rate loss / P).

    `rate` positive, `mixing` in (0, 1]. State: `log_weights` and `probabilities` [R, K]. Raises InvalidInput.
    Source: ADV-A3
    """

    per_replication: ClassVar[tuple[str, ...]] = ("recommended", "log_weights", "probabilities")

    @checked
    def __init__(
        self, arms: Size, generator: np.random.Generator, *, rate: Positive, mixing: Weight, replications: Size = 1
    ) -> None:
        super().__init__(arms, generator, replications)
        self.rate, self.mixing = float(rate), float(mixing)
        self.log_weights = np.zeros((self.replications, self.arms))
        self.probabilities = np.full_like(self.log_weights, 1 / self.arms)

    def choose(self) -> np.ndarray:
        self.probabilities = (1 - self.mixing) * softmax(self.log_weights) + self.mixing / self.arms
        return draw_index(self.probabilities, self.generator)

    def learn(self, arm: np.ndarray, loss: np.ndarray) -> None:
        at = np.arange(self.replications), arm
        self.log_weights[at] -= self.rate * loss / self.probabilities[at]


class FTPL(Learner):
    """The arm with the smallest perturbed estimate L + Z, Z Laplace of scale 1/rate; losses times resampled waiting.

    After a round the perturbation is drawn again, up to `cap` times, until the played arm is chosen again; the number
    of draws M estimates 1/P, and loss times M is added to the arm's estimate. M is min(geometric, `cap`), for which the
    regret is analysed. With `as_printed` the arm is sought among the largest perturbed estimates and M is 0 when it
    never comes, as the pseudo code is printed.

    `rate` positive, `cap` at least 1 (its whole part counts). State: `estimates` [R, K]. Raises InvalidInput.
    Source: ADV-A4
    """

    per_replication: ClassVar[tuple[str, ...]] = ("recommended", "estimates")

    @checked
    def __init__(
        self,
        arms: Size,
        generator: np.random.Generator,
        *,
        rate: Positive,
        cap: Annotated[float, "[1, 1e18]"],
        as_printed: bool = False,
        replications: Size = 1,
    ) -> None:
        super().__init__(arms, generator, replications)
        self.rate, self.cap, self.as_printed = float(rate), int(cap), as_printed
        self.estimates = np.zeros((self.replications, self.arms))

    def choose(self) -> np.ndarray:
        return (self.estimates + self.generator.laplace(size=self.estimates.shape) / self.rate).argmin(axis=1)

    def learn(self, arm: np.ndarray, loss: np.ndarray) -> None:
        self.estimates[np.arange(self.replications), arm] += loss * self._waiting(arm)

    def _waiting(self, arm: np.ndarray) -> np.ndarray:
        """M [R]: perturbations are drawn in blocks of doubling length for the replications that still wait."""
        waiting = np.full(self.replications, 0 if self.as_printed else self.cap)
        rows, drawn, length = np.arange(self.replications), 0, 8
        while rows.size and drawn < self.cap:
            length = min(length, self.cap - drawn)
            noise = self.generator.laplace(size=(rows.size, length, self.arms))
            scores = self.rate * self.estimates[rows, np.newaxis] + noise
            own = np.take_along_axis(scores, arm[rows, np.newaxis, np.newaxis], axis=2)[:, :, 0]
            hit = own == (scores.max(axis=2) if self.as_printed else scores.min(axis=2))
            is_hit = hit.any(axis=1)
            waiting[rows[is_hit]] = drawn + 1 + hit[is_hit].argmax(axis=1)
            rows, drawn, length = rows[~is_hit], drawn + length, 2 * length
        return waiting


class HTINF(Learner):
    """Follows the leader regularised by a Tsallis entropy, and skips losses that are too large for their arm.

    x_t minimises <L, x> + sigma t^(1/alpha) Psi(x) over the simplex with Psi(x) = -alpha sum x^(1/alpha); a loss of
    absolute value above Theta sigma t^(1/alpha) x^(1/alpha) is dropped, another one adds loss / x to its arm's L.

    `alpha` in (1, 2] and `sigma` positive: losses have E|loss|^alpha <= sigma^alpha. No horizon is needed. State:
    `estimates`, `probabilities` [R, K]; `clock`, the round. Raises InvalidInput. Source: ADV-A7
    """

    per_replication: ClassVar[tuple[str, ...]] = ("recommended", "estimates", "probabilities")

    @checked
    def __init__(
        self,
        arms: Size,
        generator: np.random.Generator,
        *,
        alpha: Annotated[float, "(1, 2]"] = 2.0,
        sigma: Positive,
        replications: Size = 1,
    ) -> None:
        super().__init__(arms, generator, replications)
        self.alpha, self.sigma, self.clock = float(alpha), float(sigma), 0
        self.threshold = skipping_threshold(self.alpha)
        self.estimates = np.zeros((self.replications, self.arms))
        self.probabilities = np.full_like(self.estimates, 1 / self.arms)

    def choose(self) -> np.ndarray:
        self.clock += 1
        self.probabilities = tsallis_leader(self.estimates / self._scale, self.alpha)
        return draw_index(self.probabilities, self.generator)

    @property
    def _scale(self) -> float:
        """sigma t^(1/alpha), the inverse of the learning rate."""
        return self.sigma * self.clock ** (1 / self.alpha)

    def learn(self, arm: np.ndarray, loss: np.ndarray) -> None:
        at = np.arange(self.replications), arm
        chance = self.probabilities[at]
        kept = np.abs(loss) <= self.threshold * self._scale * chance ** (1 / self.alpha)
        self.estimates[at] += np.where(kept, loss / chance, 0.0)


def skipping_threshold(alpha: float) -> float:
    """Theta of HTINF: min{1 - 2^(-(alpha-1)/(2 alpha-1)), (2 - 2/alpha)^(1/(2-alpha))}, a limit at alpha = 2."""
    stable = 1 - 2 ** (-(alpha - 1) / (2 * alpha - 1))
    return stable if alpha == 2 else min(stable, (2 - 2 / alpha) ** (1 / (2 - alpha)))


def tsallis_leader(estimates: np.ndarray, alpha: float) -> np.ndarray:
    """The x [R, K] on the simplex that minimises <estimates, x> - alpha sum x^(1/alpha).

    x = (estimates - nu)^(-alpha/(alpha-1)) with nu from Newton's method, which grows to the root from below: the sum is
    convex and decreasing in the distance of nu to the smallest estimate, and at least 1 at distance 1.
    """
    power = alpha / (alpha - 1)
    above = estimates - estimates.min(axis=1, keepdims=True)
    distance = np.ones((len(above), 1))
    for _ in range(NEWTON_STEPS):
        base = above + distance
        x = base**-power
        excess = x.sum(axis=1, keepdims=True) - 1
        if (np.abs(excess) < CLOSE).all():
            break
        distance = distance + excess / (power * (x / base).sum(axis=1, keepdims=True))
    return x / x.sum(axis=1, keepdims=True)
