"""Bugs of private adversarial bandits, to be planted into a fresh policy, and the check that finds biased estimates.

A bug is a function of a fresh policy: `ADVERSARIAL_BUGS["last partial batch released"]`. `check_privacy` has to find
those of the releases, `check_estimates` those of what a learner makes of a loss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms import EXP4, FTPL, Policy, PrivateEXP4
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Seed, checked
from banditproof.theory.tables import Preformatted
from banditproof.verify.bugs import Bugs
from banditproof.verify.guarantees.regret_bugs import changed
from banditproof.verify.proof.statistics import mean_interval

LOSSES = (0.1, 0.5, 0.3)  # of the arms, in turn
ROUNDS, REPLICATIONS, ERROR = 12, 20_000, 1e-9


ADVERSARIAL_BUGS = Bugs("adversarial")
"""Bugs of private adversarial bandits, by name: `ADVERSARIAL_BUGS["last partial batch released"](policy)` has it."""


def learner_of(policy: Any) -> Any:
    """The learner inside the conversions."""
    while hasattr(policy, "learner"):
        policy = policy.learner
    return policy


def _converted(policy: Any) -> Any:
    """The policy that releases: the one with a noise source."""
    while not hasattr(policy, "noise"):
        policy = policy.learner
    return policy


@ADVERSARIAL_BUGS.named("noise scaled by the wrong batch size")
def _wrong_scale(policy: Any) -> Policy:
    """Noise for the mean of a batch is divided by its size once more."""
    private = _converted(policy)

    def release(before: Any, self: Any) -> Any:
        sensitivity, spent = before(self)
        return sensitivity / self.batch, spent

    def observe(before: Any, self: Any, *arguments: Any) -> None:
        self.budget, kept = Budget.pure(self.budget.epsilon * self.batch), self.budget
        before(self, *arguments)
        self.budget = kept

    changes = {"release": release} if isinstance(private, PrivateEXP4) else {"observe": observe}
    changed(private, **changes)
    return policy


@ADVERSARIAL_BUGS.named("last partial batch released")
def _partial_batch(policy: Any) -> Policy:
    """What is left of a batch at the end of a run is released as well, as if it were the mean of a whole one."""

    def observe(before: Any, self: Any, total: np.ndarray, count: np.ndarray, arm: Any = None) -> None:
        start = self.clock
        before(self, total, count, arm)
        if (count < self.batch).any():
            mean = total * self.batch / count
            records = (start, start + count)
            self.noise.laplace(mean, sensitivity=1.0, budget=Budget.pure(self.epsilon), records=records)

    changed(_converted(policy), observe=observe)
    return policy


@ADVERSARIAL_BUGS.named("estimator not unbiased")
def _weighted_by_belief(policy: Any) -> Policy:
    """The loss is not divided by the probability with which its arm was played."""

    def learn(before: Any, self: Any, arm: np.ndarray, loss: np.ndarray) -> None:
        before(self, arm, loss * self.probabilities[np.arange(len(arm)), arm])

    changed(learner_of(policy), learn=learn)
    return policy


@ADVERSARIAL_BUGS.named("resampling with the wrong optimum")
def _wrong_optimum(policy: Any) -> Policy:
    """The resampling waits for the largest perturbed estimate, as Algorithm 4 is printed."""
    learner_of(policy).as_printed = True
    return policy


@ADVERSARIAL_BUGS.named("expert weights updated with raw losses")
def _raw_losses(policy: Any) -> Policy:
    """Expert weights move in every round, by sums that were not released."""

    def observe(before: Any, self: Any, *arguments: Any) -> None:
        before(self, *arguments)
        self.weights.learn(self.sums)
        self.beliefs = self.weights.probabilities()

    changed(_converted(policy), observe=observe)
    return policy


# ------------------------------------------------------------------------------------------------------ the estimates


@dataclass(frozen=True)
class EstimateReport(Preformatted):
    """Intervals for the mean estimates of a round's losses, [(low, high)], and the `losses` they should be.

    `error` is the probability that any of the intervals misses its mean.
    """

    intervals: tuple[tuple[float, float], ...]
    losses: tuple[float, ...]
    error: float

    @property
    def biased(self) -> tuple[int, ...]:
        """The arms or experts whose loss lies outside its interval."""
        pairs = enumerate(zip(self.intervals, self.losses, strict=True))
        return tuple(i for i, ((low, high), loss) in pairs if not low <= loss <= high)

    @property
    def ok(self) -> bool:
        return not self.biased

    def __str__(self) -> str:
        told = [
            f"[{low:.3g}, {high:.3g}] for {loss:.3g}"
            for (low, high), loss in zip(self.intervals, self.losses, strict=True)
        ]
        return f"{'nothing found' if self.ok else 'biased estimates'}: {', '.join(told)}"


@checked
def check_estimates(make_learner: Callable[[np.random.Generator, int], Any], *, seed: Seed = 0) -> EstimateReport:
    """Whether a learner's estimates of the losses of a round are unbiased, after a history of its own making.

    `make_learner(generator, replications)` builds EXP3, HTINF, FTPL or EXP4 (or a bug of one) on up to three arms.
    FTPL cuts its waiting times, so that its estimates are too small by (1 - P)^cap: a small rate keeps P large.
    Raises InvalidInput for other learners and numbers of arms.
    """
    learner = make_learner(np.random.default_rng([seed, 0]), REPLICATIONS)
    if getattr(learner, "arms", len(LOSSES) + 1) > len(LOSSES) or not any(
        hasattr(learner, name) for name in ("estimates", "log_weights", "weights")
    ):
        allowed = f"a function that returns a learner such as EXP3, HTINF, FTPL or EXP4, on up to {len(LOSSES)} arms"
        raise InvalidInput("make_learner", "nothing" if learner is None else type(learner).__name__, allowed)
    losses = np.array(LOSSES[: learner.arms])
    ones = np.ones(REPLICATIONS, dtype=np.int64)
    for t in range(ROUNDS):
        learner.next_batch()
        arm = np.full(REPLICATIONS, t % learner.arms)
        learner.observe(losses[arm], ones, arm)
    learner.next_batch()
    advice = learner.panel.at(learner.clock) if isinstance(learner, EXP4) else np.eye(learner.arms)
    before = _estimated(learner)
    learner.observe(losses[learner.recommended], ones)
    moved, expected = _estimated(learner) - before, advice @ losses
    largest = learner.cap if isinstance(learner, FTPL) else 1 / learner.probabilities.min()
    error = ERROR / len(expected)
    intervals = (mean_interval(np.clip(column, 0, largest), largest, error) for column in moved.T)
    return EstimateReport(
        tuple((float(low), float(high)) for low, high in intervals), tuple(map(float, expected)), ERROR
    )


def _estimated(learner: Any) -> np.ndarray:
    """Cumulated estimates of the losses of arms or experts, [R, K] or [R, N]."""
    if hasattr(learner, "estimates"):
        return learner.estimates.copy()
    logs, rate = (
        (learner.weights.log_weights, learner.weights.rate)
        if isinstance(learner, EXP4)
        else (learner.log_weights, learner.rate)
    )
    return -logs / rate
