"""Private gradient descents: what sampled batches cost, and an audit of one run with many gradient canaries.

Source: MIA-D7.1.1, MIA-D7.1.1b
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from banditproof.algorithms.training.descent import Transcript
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.privacy.one_run_audit import OneRunAudit, audit_one_run
from banditproof.verify.proof.statistics import REPORT_ERROR
from banditproof.verify.runs.ledger import accounting


def audit_descent(
    train: Callable[[np.ndarray], Transcript],
    known: Callable[[np.ndarray], np.ndarray],
    candidates: np.ndarray,
    budget: Budget,
    guesses: int,
    generator: np.random.Generator,
    error: Fraction = REPORT_ERROR,
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
    run = train(candidates[inside])
    beyond = sum(shown - known(theta) for shown, theta in zip(run.gradients(), run.thetas, strict=False))
    return audit_one_run(candidates @ beyond, inside, budget, guesses, error)


def sampled_epsilon(rate: float, multiplier: float, steps: int, delta: float) -> float:
    """`dp-accounting`'s epsilon at `delta` of DP-SGD on batches that each record enters with probability `rate`.

    `multiplier` is gamma times what sums are divided by; neighbours differ in the presence of a record. Without
    sampling the ledger is exact; what sampling gains is amplification, counted here and nowhere else.
    Raises ImportError without the extra `audit`, InvalidInput unless 0 < rate <= 1.
    """
    if not 0 < rate <= 1:
        raise InvalidInput("rate", rate, "greater than 0, at most 1")
    events = accounting("dp_event")
    step = events.PoissonSampledDpEvent(rate, events.GaussianDpEvent(multiplier))
    accountant = accounting("pld").PLDAccountant()
    return float(accountant.compose(events.SelfComposedDpEvent(step, steps)).get_epsilon(delta))
