"""What the rewards of a policy cost in the longest of its recorded runs, and whether that grows past the budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, log2

import numpy as np

from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.accountant import Cost
from banditproof.verify.runs.ledger import costs_of_dearest, currency, dearest, privacy_loss
from banditproof.verify.runs.recorder import Run

MANY = 100_000  # releases to come that are looked at
FAR = 16  # as many times the longest run is what a growing cost is extrapolated to


class Spending:
    """The most that a reward costs in some run, and what the dearest one costs in the longest, release by release."""

    def __init__(self, budget: Budget) -> None:
        self.budget, self.most = budget, 0.0
        self.accounted: Cost | None = None  # of the dearest run that was accounted for by its laws
        self._longest = 0
        self._times: Sequence[int] = ()
        self._costs: Sequence[float] = ()

    @property
    def told(self) -> tuple[str, float, float]:
        """In which unit a reward costs how much at most, and how much is allowed."""
        if self.accounted is not None:
            return self.accounted.name, self.accounted.most, self.accounted.allowed
        count = currency(self.budget)
        return count.name, self.most, count.allowed

    def account(self, run: Run) -> bool:
        """Account for a run by the laws of its releases; whether that shows it within the budget."""
        cost = dearest(run, self.budget)
        if cost is not None and (self.accounted is None or cost.most > self.accounted.most):
            self.accounted = cost
        return cost is not None and cost.kept

    def add(self, run: Run) -> None:
        """Count a run whose releases can be added up; where that is more than the budget, by their laws."""
        spent = privacy_loss(run.releases, len(run.rewards), self.budget, run.actions)
        self.most = max(self.most, spent)
        if spent > currency(self.budget).allowed:
            self.account(run)
        if len(run.rewards) >= self._longest:
            self._longest = len(run.rewards)
            self._times, self._costs = costs_of_dearest(run, self.budget)

    def outgrowing(self, horizon: int | None) -> Iterator[str]:
        """What is said if the cost of a reward still grows in the longest run, so fast that it would pass the budget.

        The costs of the releases to come go on as those of the latest half do, and so does the number of releases from
        one doubling of the run to the next: shares such as 6 / (pi m)^2 or a half each time add up to something finite.
        """
        longest, times, costs = self._longest, self._times, self._costs
        aim = horizon or FAR * longest
        if len(costs) < 2 or aim <= longest:
            return
        spent, number = float(np.sum(costs)), len(costs)
        latest, before = (sum(longest / 2**k < t <= longest / 2 ** (k - 1) for t in times) for k in (1, 2))
        if not latest:
            return
        faster = min(max(latest / max(before, 1), 1), 2)
        further = latest * sum(faster**k for k in range(1, ceil(log2(aim / longest)) + 1))
        falls = log2(max(costs[number // 2 - 1] / costs[-1], 1)) / log2(number / (number // 2))
        to_come = sum(costs[-1] * (number / (number + k)) ** falls for k in range(1, min(ceil(further), MANY) + 1))
        if spent + to_come > currency(self.budget).allowed * 1.001:
            yield (
                f"the cost of a reward still grows, to {spent:.4g} in {longest} pulls and {number} releases: it may "
                f"exceed the budget before pull {aim} (give more seconds, or the horizon)"
            )
