"""Privacy filters and odometers: releases whose parameters are chosen from earlier answers.

Composition asks for parameters that are fixed before. Where each release is chosen after the answers of those before,
with its noise, and so is the time to stop, two promises are left. A filter has a budget, and lets a release pass only
if what all of them spend stays within; an odometer says at every time what has been spent so far.

Both rest on one fact. Given the answers before, a release of Renyi divergence at most r of order a has
E e^((a - 1) loss) <= e^((a - 1) r). So e^((a - 1) (loss - spent)), the loss and what is spent being sums over the
releases so far, is a supermartingale that begins at 1, whoever chooses the r. Stopped while spent <= b it has a mean
of at most 1, so that the divergence of what was released is at most b (Feldman and Zrnic, 2021, Theorem 3.1): the
filter. By Ville's inequality it ever reaches 1/delta with probability at most delta, so that at all times at once
loss <= spent + log(1/delta)/(a - 1) (Whitehouse, Ramdas, Rogers and Wu, 2023): the odometer. Sums of losses need no
probability, and of Gaussian DP the squares of mu add up (Smith and Thakurta, 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Annotated, Any

import numpy as np

from banditproof.theory.arguments import Share, checked, question
from banditproof.theory.errors import InvalidInput, NoNumber
from banditproof.theory.numbers.enclosure import Enclosure
from banditproof.theory.numbers.numeric import log, sqrt, to_ball, working_precision
from banditproof.theory.numbers.rounding import rounded_up
from banditproof.theory.privacy.accountant import Accountant, Mechanism
from banditproof.theory.privacy.budget import ApproximateDP, Budget, GaussianDP, RenyiDP, checked_budget
from banditproof.theory.privacy.loss_laws import PRECISION
from banditproof.theory.privacy.privacy_conversions import sharp_epsilon_of_zcdp, sharp_zcdp_of_pure

Price = Budget | Mechanism
ORDERS = (1.25, 1.5, 2.0, 3.0, 5.0, 9.0, 17.0, 33.0, 65.0, 129.0)


class PrivacyFilter(NoNumber):
    """Lets releases pass as long as all of them together keep `budget`, each chosen after the answers before.

    A price is the budget that a release keeps, or its `Mechanism`. Prices are added up exactly: epsilon and delta for a
    pure or an approximate budget, rho, the divergence of one order, or mu^2. With `slack`, a part of the delta of an
    approximate budget, its epsilons are added up as zCDP: the rho that is allowed is the largest one found that
    implies (epsilon, slack)-DP, and the other deltas may spend the rest (advanced composition: Whitehouse et al.,
    2023). What was released up to any time to stop keeps the budget. Neighbours are taken to be symmetric.

    >>> releases = PrivacyFilter(Budget.zcdp(0.5))
    >>> while releases.admits(Mechanism.gaussian(sigma=2.0)):
    ...     releases.spend(Mechanism.gaussian(sigma=2.0))
    >>> float(releases.spent[0])
    0.5

    Raises InvalidInput for a budget that is not finite and single, and for a slack that is no part of such a delta.
    """

    @checked
    def __init__(self, budget: Budget, slack: Share | None = None) -> None:
        self._budget, self._spent, self._kept = budget, (Fraction(0), Fraction(0)), budget
        self._seen: frozenset[Mechanism] = frozenset()
        self._limit = _cost(budget, budget)
        if slack is not None:
            rest = self._limit[1] - Fraction(slack)
            if rest < 0 or not isinstance(budget, ApproximateDP):
                raise InvalidInput("slack", slack, f"a part of the delta of an approximate budget, not of {budget}")
            self._kept = Budget.zcdp(_largest_rho(budget.epsilon, slack))
            self._limit = Fraction(self._kept.spent), rest

    @property
    def budget(self) -> Budget:
        """What is kept."""
        return self._budget

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """The prices so far, added up: an amount of the currency, and a delta."""
        return self._spent

    @question
    def admits(self, price: Price) -> bool:
        """Whether a release of this price may pass now. Raises InvalidInput for what has no price in the currency."""
        return all(total <= most for total, most in zip(self._with(price), self._limit, strict=True))

    def spend(self, price: Price) -> None:
        """Counts a release before it is made. Raises InvalidInput where it may not pass."""
        if not self.admits(price):
            raise InvalidInput("price", str(price), f"at most what is left of {self.budget}")
        self._spent, self._seen = self._with(price), _seen(self._seen, price)

    def _with(self, price: Price) -> tuple[Fraction, Fraction]:
        amount, delta = _cost(price, self._kept)
        return self.spent[0] + amount, self.spent[1] + delta


class PrivacyOdometer(NoNumber):
    """Says at every time what the releases so far have spent, each chosen after the answers of those before.

    With probability at least 1 - `delta` the privacy loss is at most `epsilon` at all times at once, so that whoever
    stops at any time, for any reason, has released something (epsilon, delta)-DP. The `delta` is shared among
    `orders`, at each of which the Renyi divergences of the releases are added up; the smallest bound counts, or the
    sum of the largest losses. Prices are those of a filter, but not approximate budgets, which spend a delta as well.

    >>> releases = PrivacyOdometer(delta=1e-6)
    >>> for _ in range(100):
    ...     releases.spend(Mechanism.laplace(scale=20.0))
    >>> round(releases.epsilon, 2)
    2.9

    Raises InvalidInput for no orders, and for orders that are not above 1 and finite.
    """

    @checked
    def __init__(self, delta: Share, orders: Sequence[Annotated[float, "(1, 1e6]"]] = ORDERS) -> None:
        if not len(orders):
            raise InvalidInput("orders", orders, "at least one")
        self.delta = delta
        self._loss: Fraction | float = Fraction(0)
        self._seen: frozenset[Mechanism] = frozenset()
        self._spent = dict.fromkeys(map(float, orders), Fraction(0))

    def spend(self, price: Price) -> None:
        """Counts a release. Raises InvalidInput for what has no Renyi divergence, and for what spends a delta."""
        costs = {order: _cost(price, Budget.rdp(order, 1.0)) for order in self._spent}
        if any(delta for _, delta in costs.values()):
            raise InvalidInput("price", str(price), "one without a delta, of which the odometer takes one share")
        self._spent = {order: spent + costs[order][0] for order, spent in self._spent.items()}
        self._loss, self._seen = self._loss + _loss(price), _seen(self._seen, price)

    @property
    def epsilon(self) -> float:
        """What the privacy loss is at most so far, rounded up."""
        with working_precision(PRECISION):
            exponent = log(len(self._spent) / to_ball(self.delta))
            bounds = [to_ball(spent) + exponent / (to_ball(order) - 1) for order, spent in self._spent.items()]
            return min(Enclosure.from_ball(bound).floats[1] for bound in (*bounds, to_ball(self._loss)))


def _seen(before: frozenset[Mechanism], price: Price) -> frozenset[Mechanism]:
    """The mechanisms so far. Raises InvalidInput for mechanisms of different neighbours."""
    return before.union(Accountant(*before, price).counts) if isinstance(price, Mechanism) else before


def _loss(price: Price) -> Fraction | float:
    """The largest loss, inf where there is none."""
    most = Accountant(price).epsilon(0).upper if isinstance(price, Mechanism) else price.largest_loss
    return inf if most is None or most == inf else Fraction(most)


def _cost(price: Price, budget: Budget) -> tuple[Fraction, Fraction]:
    """What a price adds to what is spent of a kind of budget, exactly: an amount of its currency, and a delta."""
    kept = _kept_by(price, budget) if isinstance(price, Mechanism) else checked_budget(price, "price")
    single = not any(map(np.ndim, kept.parameters.values())) and kept.spent < inf
    amount = _amount(kept, budget) if single else None
    if amount is None:
        other = "; a filter of Budget.zcdp(...) takes normal noise" * isinstance(price, Mechanism)
        raise InvalidInput("price", str(price), f"one finite budget, of a kind that {budget} adds up{other}")
    return Fraction(amount), Fraction(0 if kept.line is None else kept.line[1])


@lru_cache(maxsize=1000)
def _kept_by(mechanism: Mechanism, budget: Budget) -> Budget:
    """The budget that a mechanism keeps, of the kind that says most of it where this one is spent."""
    if isinstance(budget, RenyiDP):
        return Budget.rdp(budget.order, Accountant(mechanism).renyi(budget.order).floats[1])
    if mechanism.square is not None:
        return Budget.gdp(rounded_up(sqrt, float(mechanism.square)))
    return Budget.pure(Accountant(mechanism).epsilon(0).floats[1])


def _amount(kept: Budget, budget: Budget) -> Any:
    """In the currency of the budget; None where there is no rule."""
    if budget.line is not None:
        return None if kept.line is None else kept.line[0]
    if isinstance(budget, GaussianDP):
        return Fraction(kept.mu) ** 2 if isinstance(kept, GaussianDP) else None
    if isinstance(kept, RenyiDP):
        return kept.epsilon if isinstance(budget, RenyiDP) and kept.order >= budget.order else None
    rho = _rho(kept)
    return rho if rho is None or not isinstance(budget, RenyiDP) else Fraction(budget.order) * Fraction(rho)


def _rho(kept: Budget) -> Any:
    """The zCDP of a budget, besides its delta, rounded up."""
    if kept.line is not None:
        return rounded_up(sharp_zcdp_of_pure, kept.line[0])
    rule = kept.in_zcdp(sharp=True)
    return None if rule is None else rounded_up(rule, kept.spent)


def _largest_rho(epsilon: float, delta: float) -> float:
    """The largest rho found, by bisection, that implies (epsilon, delta)-DP."""
    low, high = 0.0, 1.0
    while sharp_epsilon_of_zcdp(high, delta) <= epsilon:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if sharp_epsilon_of_zcdp(middle, delta) <= epsilon else (low, middle)
    return low
