"""Private gradient descents: alignment of recorded runs, an audit of one run, and what sampled batches cost.

Source: MIA-D7.1.1, MIA-D7.1.1b
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from banditproof.algorithms.noise import NoiseSource
from banditproof.algorithms.training.descent import Transcript
from banditproof.theory import Budget, InvalidInput
from banditproof.theory.arguments import Error, Natural, Seed, Share, Size, checked, floats
from banditproof.verify.privacy.one_run_audit import OneRunAudit, audit_one_run
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.runs.ledger import ROUNDING, accounting, currency, privacy_loss
from banditproof.verify.runs.recorder import RecordingNoise, ReplayNoise


def _transcript(run: object) -> Transcript:
    if not isinstance(run, Transcript):
        raise InvalidInput("what train returns", run, "a Transcript, as descend(...) gives")
    return run


Training = Callable[[np.ndarray, np.ndarray, NoiseSource, np.random.Generator], Transcript]
"""Trains on records x [n, features], labels y [n] with noise from the source and other coins from the generator."""


@dataclass(frozen=True)
class DescentAlignment:
    """What a recorded training showed: losses in the currency of the budget, as declared and as the most that a
    neighbour tried costs, and the problems that were found, each with the step and the record where it was seen.
    """

    declared_loss: float
    aligned_loss: float
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems


@checked
def check_descent(
    train: Training, x: np.ndarray, y: np.ndarray, budget: Budget, *, neighbours: Natural = 20, seed: Seed = 0
) -> DescentAlignment:
    """Ledger and alignment of a training with data sets in which one record was replaced by a far one.

    A run is recorded, and replayed with the same released gradients on every neighbour: its parameters must not
    change, a release may move by no more than the sensitivity it declares, and only if it declares the record. The
    guarantee is of every step for its records: `budget` is one for the replacement of a record in the whole run.
    """

    x, y = floats("x", x), np.asarray(y)
    if x.ndim != 2 or not len(x) or y.shape != (len(x),):
        raise InvalidInput("x, y", (x.shape, y.shape), "records [n, features] and as many labels [n]")

    def trained(noise: RecordingNoise, rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
        return _transcript(train(rows, labels, noise, np.random.default_rng(seed + 1))).thetas

    count, problems = currency(budget, {"normal"}), []
    recorded = RecordingNoise(np.random.default_rng(seed))
    thetas = trained(recorded, x, y)
    declared, worst = privacy_loss(recorded.releases, len(x), budget), 0.0
    if declared > count.allowed * (1 + ROUNDING * max(1, len(recorded.releases))):
        problems.append(f"budget: the releases cost {count.name} = {declared:.6g}, but {count.allowed:.6g} is promised")
    generator = np.random.default_rng(seed)
    for row in generator.choice(len(x), min(neighbours, len(x)), replace=False):
        other_x, other_y = x.copy(), y.copy()
        other_x[row], other_y[row] = -100 * x[row], y[generator.integers(len(y))]
        moved = ReplayNoise(recorded.releases, np.random.default_rng(seed))
        if not np.array_equal(thetas, trained(moved, other_x, other_y)):
            problems.append(f"raw gradients: record {row} changes the parameters although the releases stay the same")
        cost = 0.0
        for step, (first, second) in enumerate(zip(recorded.releases, moved.releases, strict=False)):
            shift = max(0.0, first.shift_to(second) - first.rounding(second))
            cost += count.cost(first.law, shift, first.scale)
            if shift > first.sensitivity:
                problems.append(
                    f"sensitivity: step {step} moves by {shift:.6g}, but {first.sensitivity:.6g} is declared"
                )
            if shift and not first.covers(int(row)):
                problems.append(f"records: step {step} declares {first.records}, but record {row} moves it too")
        worst = max(worst, cost)
    return DescentAlignment(declared, worst, tuple(dict.fromkeys(problems)))


@checked
def audit_descent(
    train: Callable[[np.ndarray], Transcript],
    known: Callable[[np.ndarray], np.ndarray],
    candidates: np.ndarray,
    budget: Budget,
    guesses: Size,
    generator: np.random.Generator,
    error: Error = REPORT_ERROR,
) -> OneRunAudit:
    """Audit one run of a descent with many gradient canaries, each of which is sent in every step or in none.

    `train(sent)` runs the descent with the gradients `sent` [k, d]; `known(theta)` is the average gradient [d] without
    them, which the auditor knows. A canary's score is its product with what the averages of all steps show beyond that:
    up to a constant the likelihood ratio where the noise is the same in every direction and the candidates [m, d] are
    orthogonal. The budget is one for the presence of a client in the whole run. Raises InvalidInput as `audit_one_run`.
    """
    if np.ndim(candidates) != 2:
        raise InvalidInput("candidates", np.shape(candidates), "gradients, shape [m, d]")
    inside = generator.random(len(candidates)) < 0.5
    run = _transcript(train(candidates[inside]))
    beyond = sum(shown - known(theta) for shown, theta in zip(run.gradients(), run.thetas, strict=False))
    return audit_one_run(candidates @ beyond, inside, budget, guesses, error)


@checked
def sampled_epsilon(
    rate: Annotated[float, "[1e-9, 1]"],
    multiplier: Annotated[float, "[0.01, 1e6]"],
    steps: Annotated[int, "[1, 1e6]"],
    delta: Share,
) -> float:
    """`dp-accounting`'s epsilon at `delta` of DP-SGD on batches that each record enters with probability `rate`.

    `multiplier` is gamma times what sums are divided by; neighbours differ in the presence of a record. Without
    sampling the ledger is exact; what sampling gains is amplification, counted here and nowhere else. Losses are
    rounded up, to a grid that is coarser where they are large, so that the number is found in seconds.
    Raises ImportError without the extra `audit`, InvalidInput.
    """
    events = accounting("dp_event")
    step = events.PoissonSampledDpEvent(rate, events.GaussianDpEvent(multiplier))
    grid = max(1e-4, (1 / multiplier + 20) / (2 * multiplier) * steps**0.5 / 1e6)  # a step's loss, ten deviations away
    accountant = accounting("pld").PLDAccountant(value_discretization_interval=grid)
    return float(accountant.compose(events.SelfComposedDpEvent(step, steps)).get_epsilon(delta))
