"""What an audit says of a budget, and what budgets allow of one event.

The probabilities p and q of an event on two neighbouring inputs are those of a coin made of the output, so every budget
bounds p by a concave function of q; its tangents are what (epsilon, delta)-DP says of the event.

Source: TH-D2.34, TH-S2.3e
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget, checked_budget
from banditproof.theory.tables import Preformatted, Verdict
from banditproof.verify.proof.statistics import lower_end, upper_end

SLACK = 1e-9  # far more than the rounding of the formulas
TOUCHED = (0.8, 0.25, 0.05)  # where tangents touch, as parts of the q at which the two errors are equal
AROUND = np.linspace(0.9, 1.1, 41)  # about the point of touch


@dataclass(frozen=True)
class Refutation(Preformatted):
    """What an audit says of a budget: `shown` is the least parameter that is certain, `reach` the most it can show."""

    budget: Budget
    shown: float
    reach: float

    @property
    def parameter(self) -> str:
        """epsilon, rho or mu."""
        return self.budget.amount

    @property
    def promised(self) -> float:
        """The parameter of the budget."""
        return float(self.budget.spent)

    @property
    def verdict(self) -> Verdict:
        """One of "violation", "not refuted", and "inconclusive" where this many runs could not refute the promise.

        An audit never says that something is private.
        """
        if self.shown > self.promised:
            return Verdict("violation")
        return Verdict("not refuted" if self.reach > self.promised else "inconclusive")


def checked_promise(budget: Budget, error: Fraction | float) -> float:
    """The parameter that an audit with this error is to refute.

    Raises InvalidInput for budgets that are no single finite one, and for an error outside (0, 1).
    """
    promised = checked_budget(budget).spent
    if np.ndim(promised) or not promised < np.inf:
        raise InvalidInput(
            "budget", str(budget), "a single finite budget for all runs, because nothing refutes an infinite budget"
        )
    if not 0 < error < 1:
        raise InvalidInput("error", error, "a number in (0, 1)")
    return float(promised)


def shown_parameter(budget: Budget, first: Any, second: Any, *, samples: int, error: Fraction) -> Any:
    """The least parameter that these counts of an event allow, with both probabilities inside their intervals.

    Counts [k] of several events give as many parameters.
    """
    both = np.ravel(np.maximum(first, second)).tolist(), np.ravel(np.minimum(first, second)).tolist()
    counts = list(zip(*both, strict=True))
    more, less = np.array(list(dict.fromkeys(counts))).reshape(-1, 2).T  # each once: nested events often have the same
    p, q = (end(count, samples, float(error) / 2).tolist() for end, count in ((lower_end, more), (upper_end, less)))
    ends = zip(more.tolist(), less.tolist(), p, q, strict=True)
    known = {(m, n): least_parameter(budget, p, q) if p > q else 0.0 for m, n, p, q in ends}
    shown = [known[pair] for pair in counts]
    return np.array(shown) if np.ndim(first) else shown[0]


def least_parameter(budget: Budget, p: float, q: float) -> float:
    """Of budgets with an event of probability at least p on one list and at most q < p on the neighbour.

    Event and complement are post-processings to one bit, whose divergences grow with p and fall with q below p.
    """
    return max(0.0, float(budget.least_amount(p, q)) * (1 - SLACK) - SLACK)


def most_likely(budget: Budget, q: float) -> float:
    """At least the largest probability p that the budget allows an event of probability q in (0, 1)."""
    promised = float(budget.spent)
    low, high = q, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        allowed = middle < 1 and least_parameter(budget, middle, q) <= promised
        low, high = (middle, high) if allowed else (low, middle)
    return high


def tangents(budget: Budget) -> tuple[tuple[float, float], ...]:
    """Pairs (epsilon, delta) with P <= e^epsilon Q + delta for the probabilities of all events under the budget.

    Pure and approximate budgets are their own. For others the largest P is concave in Q, so the line of a secant's
    slope touches it between the secant's ends; delta is rounded up.
    """
    if budget.line is not None:
        return (budget.line,)
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if most_likely(budget, middle) < 1 - middle else (low, middle)
    lines = []
    for q in (part * high for part in TOUCHED):
        around = q * AROUND
        most = np.array([most_likely(budget, each) for each in around.tolist()])
        slope = (most[-1] - most[0]) / (around[-1] - around[0])
        if slope > 1:
            over = most - slope * around
            left, right = 2 * over[1:-2] - over[:-3], 2 * over[2:-1] - over[3:]  # secants bound the concave excess
            lines.append((log(slope), float(np.minimum(left, right).max()) + SLACK))
    return tuple(lines) or ((0.0, 1 - SLACK),)
