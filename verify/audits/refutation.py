"""What an audit says of a budget, and what budgets allow of one event.

The probabilities p and q of an event on two neighbouring inputs are those of a coin made of the output, so every budget
bounds p by a concave function of q; its tangents are what (epsilon, delta)-DP says of the event.

Source: TH-D2.34, TH-S2.3e
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, log1p
from typing import Any

import numpy as np

from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget, checked_budget
from banditproof.theory.tables import Preformatted
from banditproof.verify.proof.statistics import clopper_pearson

ORDERS = np.array([1.05, 1.25, 1.5, 2, 3, 5, 10, 30])  # of the Renyi divergences that are compared with zCDP
PARAMETER = {"pure": "epsilon", "approximate": "epsilon", "zcdp": "rho", "rdp": "epsilon", "gdp": "mu"}
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
        return PARAMETER[self.budget.kind]

    @property
    def promised(self) -> float:
        """The parameter of the budget."""
        return float(self.budget.parameters[self.parameter])

    @property
    def verdict(self) -> str:
        """One of "violation", "not refuted", and "inconclusive" where this many runs could not refute the promise.

        An audit never says that something is private.
        """
        if self.shown > self.promised:
            return "violation"
        return "not refuted" if self.reach > self.promised else "inconclusive"


def checked_promise(budget: Budget, error: Fraction | float) -> float:
    """The parameter that an audit with this error is to refute.

    Raises InvalidInput for budgets that are no single finite one, and for an error outside (0, 1).
    """
    promised = checked_budget(budget).parameters[PARAMETER[budget.kind]]
    if np.ndim(promised) or not promised < np.inf:
        raise InvalidInput("budget", str(budget), "one for all runs and finite: nothing refutes an infinite one")
    if not 0 < error < 1:
        raise InvalidInput("error", error, "between 0 and 1")
    return float(promised)


def shown_parameter(budget: Budget, first: int, second: int, *, samples: int, error: Fraction) -> float:
    """The least parameter that these counts of an event allow, with both probabilities inside their intervals."""
    half = float(error / 2)
    (p_low, p_high), (q_low, q_high) = (clopper_pearson(n, samples, half) for n in (first, second))
    if p_low > q_high:
        return least_parameter(budget, p_low, q_high)
    return least_parameter(budget, q_low, p_high) if q_low > p_high else 0.0


def least_parameter(budget: Budget, p: float, q: float) -> float:
    """Of budgets with an event of probability at least p on one list and at most q < p on the neighbour.

    Event and complement are post-processings to one bit, whose divergences grow with p and fall with q below p.
    """
    if budget.kind in ("pure", "approximate"):
        excesses = ((p - (budget.delta or 0.0), q), (1 - q - (budget.delta or 0.0), 1 - p))
        found = max((log(a / b) for a, b in excesses if a > 0), default=0.0)
    elif budget.kind == "gdp":
        from scipy.special import ndtri

        found = ndtri(p) - ndtri(q)
    elif budget.kind == "rdp":
        found = renyi(p, q, budget.order)
    else:
        found = (renyi(p, q, ORDERS) / ORDERS).max()
    return max(0.0, float(found) * (1 - SLACK) - SLACK)


def renyi(p: float, q: float, order: Any) -> Any:
    """D_order(Bernoulli(p), Bernoulli(q)) for 0 < q < p < 1: `renyi_bernoulli`, quickly."""
    one, zero = order * log(p) + (1 - order) * log(q), order * log1p(-p) + (1 - order) * log1p(-q)
    return np.logaddexp(one, zero) / (order - 1)


def most_likely(budget: Budget, q: float) -> float:
    """At least the largest probability p that the budget allows an event of probability q in (0, 1)."""
    promised = float(budget.parameters[PARAMETER[budget.kind]])
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
    if budget.kind in ("pure", "approximate"):
        return ((float(budget.epsilon), float(budget.delta or 0.0)),)
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if most_likely(budget, middle) < 1 - middle else (low, middle)
    found = []
    for q in (part * high for part in TOUCHED):
        around = q * AROUND
        most = np.array([most_likely(budget, each) for each in around.tolist()])
        slope = (most[-1] - most[0]) / (around[-1] - around[0])
        if slope > 1:
            over = most - slope * around
            left, right = 2 * over[1:-2] - over[:-3], 2 * over[2:-1] - over[3:]  # secants bound the concave excess
            found.append((log(slope), float(np.minimum(left, right).max()) + SLACK))
    return tuple(found) or ((0.0, 1 - SLACK),)
