"""DP-KLUCB and DP-IMED (Algorithm 1): index policies on noisy batch sums that are never forgotten.

An arm is pulled in batches of growing size. When a batch ends, the sum of its rewards is released with fresh Laplace
noise of scale 1 / epsilon and added to what was released before, so the sum of an arm holds all its rewards and one
noise term per batch. Nothing else about the rewards enters a decision: each reward is in one release, and the whole
is epsilon-DP for rewards in [0, 1] (BDP-P4.2).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms.batches import BatchSchedule
from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.policy import PrivatePolicy
from banditproof.algorithms.registration import Setting, in_batches, registered
from banditproof.theory import Budget, dp_klucb_index
from banditproof.theory.arguments import Size, checked
from banditproof.theory.errors import InvalidInput, one_of
from banditproof.theory.laws import bernoulli_floats as floats
from banditproof.theory.laws import bernoulli_points as points
from banditproof.theory.privacy.noise_calibration import gaussian_multiplier

FEW = 64  # divergences that are sooner computed one by one
TIES = ("lowest-arm", "random", "most-pulled", "least-pulled")
GROWTHS: dict[str, Callable[[Any], Any]] = {
    "1": lambda t: np.ones(t.shape),
    "log t": np.log,
    "log f(t)": lambda t: np.log1p(t * np.log(t) ** 2),
}
"""How a level grows with the number t of the pull about to be made; f(t) = 1 + t log^2 t (TH-EQ2.12)."""


class BatchedIndexPolicy(PrivatePolicy):
    """Algorithm 1 but for its index, which a subclass gives as `index`, or as `score`. Source: BDP-A1

    `index` is a formula for one arm, which arrays and the compiled loop evaluate. Its level is `factor` times `growth`,
    a name of `GROWTHS`.

    The sum of a batch of rewards in [0, 1] gets Laplace noise for a pure budget; for another it gets Gaussian noise of
    standard deviation `multiplier`, by default the smallest that the budget allows. `batches` is the schedule B_0, B_1,
    ... of every arm.
    Choices the pseudo code leaves open:

    - ties: several arms have the best index with positive probability, because of clipping and saturation. They go to
      the "lowest-arm", to one of them at "random" (drawn from `generator`), or to the "most-pulled" or "least-pulled"
      one by `samples`, the lowest of several. The lowest arm is a flattering choice where the best arm is listed first.
    - order: an arm that has not been heard of has the best index of all; ties as above.
    - log t: t is the number of the pull about to be made, as in the pseudo code.

    With `forgetting`, mean and index rest on the last batch of an arm alone: the ablation of BDP-S5.1, and how episodic
    algorithms work. A class with `clipping` off is also given means outside [0, 1].

    State, [R, K]: `sums` (noisy), `samples` (number of rewards in them, N_i), `batches_done`; [R]: `clock` (pulls so
    far), `unheard` (all arms below this one have been heard of). Raises InvalidInput.
    """

    per_replication: ClassVar[tuple[str, ...]] = (
        "multiplier",
        "sums",
        "samples",
        "batches_done",
        "clock",
        "recommended",
        "unheard",
    )
    clipping: ClassVar[bool] = True
    _looked_at = False
    factor: float = 1.0
    growth: str = "log t"

    @checked
    def __init__(
        self,
        arms: Size,
        budget: Budget,
        batches: BatchSchedule,
        noise: NoiseSource,
        *,
        replications: Size | None = None,
        generator: np.random.Generator | None = None,
        ties: str = "lowest-arm",
        forgetting: bool = False,
        multiplier: float | np.ndarray | None = None,
    ) -> None:
        super().__init__(arms, budget, noise, replications)
        one_of("ties", ties, TIES)
        if ties == "random" and generator is None:
            raise InvalidInput("generator", None, "a numpy Generator when ties are broken at random")
        self.batches, self.generator = batches, generator
        self.ties, self.forgetting = ties, forgetting
        if multiplier is None:
            multiplier = gaussian_multiplier(budget) if budget.takes_gaussian else 0.0
        if np.shape(multiplier) not in ((), (1,), (self.replications,)):
            raise InvalidInput("multiplier", multiplier, f"one number or one per replication ({self.replications})")
        self.multiplier = np.array(np.broadcast_to(multiplier, self.replications))
        self.sums = np.zeros((self.replications, self.arms))
        self.samples = np.zeros((self.replications, self.arms), dtype=np.int64)
        self.batches_done = np.zeros((self.replications, self.arms), dtype=np.int64)
        self.clock = np.zeros(self.replications, dtype=np.int64)
        self.recommended = np.zeros(self.replications, dtype=np.int64)
        self.unheard = np.zeros(self.replications, dtype=np.int64)
        self._sizes = batches.sizes_until(1)

    @staticmethod
    def index(mean: Any, n: Any, level: Any, epsilon: Any, multiplier: Any) -> Any:
        """The index of an arm with this mean of `n` samples; numbers, or arrays that broadcast.

        `epsilon` is that of the budget, if it has one.
        """
        raise NotImplementedError("an index policy defines index or score")

    def score(self, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
        """How good each arm looks, from means and numbers of samples (at least 1); all [R, K], and `self.clock` [R]."""
        return self._index(means, samples, self.levels())

    def levels(self) -> np.ndarray:
        """The level of the indices, [R, 1]."""
        return self.factor * GROWTHS[self.growth](self.clock + 1)[:, np.newaxis]

    def _index(self, means: np.ndarray | float, samples: np.ndarray, level: np.ndarray) -> np.ndarray:
        epsilon = self.budget.parameters.get("epsilon", self.multiplier)
        return self.index(means, samples, level, epsilon[:, np.newaxis], self.multiplier[:, np.newaxis])

    def next_batch(self) -> tuple[np.ndarray, np.ndarray]:
        self.recommended = self._best_of_all() if self.ties == "random" or self._all_heard() else self.unheard.copy()
        return self.recommended, self._size(self.batches_done[np.arange(self.replications), self.recommended])

    def _all_heard(self) -> bool:
        """Whether some replication has heard of every arm; before, the start costs a constant per arm and no score."""
        rows = np.arange(self.replications)
        while self.unheard.max() < self.arms:
            heard = self.samples[rows, self.unheard] > 0
            if not heard.any():
                return False
            self.unheard = self.unheard + heard
        return True

    def _best_of_all(self) -> np.ndarray:
        samples = np.maximum(self.samples, 1)
        means = self.sums / samples
        if self.clipping:
            means = np.clip(means, 0.0, 1.0)
        score = np.asarray(self.score(means, samples))
        if score.shape != self.samples.shape or score.dtype.kind not in "fiu" or np.isnan(score).any():
            allowed = f"an array of shape {self.samples.shape}, replications and arms, of numbers (none of them nan)"
            raise InvalidInput("score", score, allowed)  # another shape would be broadcast, and nan be the largest
        if not self._looked_at and self.replications == self.arms > 1:  # another shape may be broadcast to this one
            self._check_rows(means, score)
        self._looked_at = True
        return self._best(np.where(self.samples == 0, np.inf, score))

    def _check_rows(self, means: np.ndarray, score: np.ndarray) -> None:
        """Raise InvalidInput where somebody's score of a replication changes with the clock of another one alone."""
        if type(self).score.__module__.startswith("banditproof."):
            return
        try:
            samples, again, later = np.maximum(self.samples, 1), deepcopy(self), deepcopy(self)
        except Exception:  # what has no copy is not looked at, and plays as it is
            return
        later.clock[0] += 1 + later.clock.max()
        same, other = (np.asarray(one.score(means.copy(), samples.copy())) for one in (again, later))
        if (same == score).all() and (other[1:] != score[1:]).any():
            allowed = f"an array of shape {score.shape} in which a row depends on its replication alone"
            raise InvalidInput("score", score, f"{allowed}: write self.clock[:, np.newaxis] for a clock of each row")

    def observe(self, total: np.ndarray, count: np.ndarray, arm: np.ndarray | None = None) -> None:
        at = np.arange(self.replications), self.recommended if arm is None else arm
        add_noise = self._add_gaussian if self.budget.takes_gaussian else self.noise.laplace
        released = add_noise(total, sensitivity=1.0, budget=self.budget, records=(self.clock, self.clock + count))
        if self.forgetting:
            self.sums[at], self.samples[at] = 0.0, 0
        self.sums[at] += released
        self.samples[at] += count
        self.batches_done[at] += 1
        self.clock = self.clock + count

    def _add_gaussian(self, value: np.ndarray, **declared: Any) -> np.ndarray:
        return self.noise.gaussian(value, multiplier=self.multiplier, **declared)

    def _best(self, score: np.ndarray) -> np.ndarray:
        best = score.argmax(axis=1)  # the lowest arm
        if self.ties == "lowest-arm":
            return best
        tied = score == np.take_along_axis(score, best[:, np.newaxis], axis=1)
        if self.ties == "random":
            assert self.generator is not None  # checked at construction
            preference = self.generator.random(score.shape)
        else:
            preference = self.samples if self.ties == "most-pulled" else -self.samples
        return np.where(tied, preference, -np.inf).argmax(axis=1)

    def _size(self, m: np.ndarray) -> np.ndarray:
        while m.max() >= self._sizes.size:
            more = itertools.islice(self.batches.sizes(), 2 * self._sizes.size)
            self._sizes = np.fromiter(more, dtype=np.int64)
        return self._sizes[m]


PRINTED = {"alpha": 2, "ties": "lowest-arm"}


@registered("dp-klucb", Setting, "BDP-A1", asks=("generator",), options=PRINTED, how=in_batches, bugs="kl")
class DPKLUCB(BatchedIndexPolicy):
    """Pulls the arm with the largest mu in [0, 1] such that d_epsilon(mean, mu) <= log(t) / N. Source: BDP-EQ12"""

    @staticmethod
    def index(mean: Any, n: Any, level: Any, epsilon: Any, multiplier: Any) -> Any:
        return floats.largest_mean(mean, level / n, epsilon)

    def score(self, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
        return dp_klucb_index(means, self.levels() / samples, self.epsilon[:, np.newaxis])


@registered("dp-imed", Setting, "BDP-A1", asks=("generator",), options=PRINTED, how=in_batches, bugs="kl")
class DPIMED(BatchedIndexPolicy):
    """Pulls the arm with the smallest N d_epsilon(mean, best mean) + log N. Source: BDP-EQ13

    Of many arms a batch changes one, and seldom the best mean: the divergences of the others are kept.
    """

    _known: tuple[Any, Any, Any] = (np.nan, np.nan, np.nan)  # means [R, K], best means [R, 1] and divergences [R, K]

    def score(self, means: np.ndarray, samples: np.ndarray) -> np.ndarray:
        best = np.take_along_axis(means, means.argmax(axis=1)[:, np.newaxis], axis=1)
        means_before, best_before, known = self._known
        divergence = np.array(np.broadcast_to(known, means.shape))
        changed = np.flatnonzero((means != means_before) | (best != best_before))
        row = changed // means.shape[1]
        entries = means.take(changed), best.take(row), self.epsilon.take(row)
        few = row.size <= FEW
        values = [*map(floats.d, *(part.tolist() for part in entries))] if few else points.d(*entries)
        divergence.reshape(-1)[changed] = values
        self._known = means, best, divergence
        return -(samples * divergence + np.log(samples))

    def keep(self, rows: np.ndarray) -> None:
        super().keep(rows)
        self._known = DPIMED._known
