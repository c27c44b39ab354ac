"""Filters and odometers against every adversary that picks randomised responses by the answers before, with mutants.

Of all mechanisms that are (epsilon, delta)-DP the worst reveals its bit with probability delta, and else responds at
random with epsilon. What an adversary makes of the answers is a maximum at every history, so that the recursion below
is the exact supremum over all adversaries with these prices, in 30 digits.
"""

import copy
import functools
import math
from fractions import Fraction

import mpmath
import pytest
from mpmath import inf, mpf

from banditproof.theory import (
    Budget,
    Mechanism,
    PrivacyFilter,
    PrivacyOdometer,
    advanced_epsilon,
    sharp_epsilon_of_zcdp,
)
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy import filters

FINE = Budget.pure(0.25)
COARSE = Budget.pure(0.5)
LEAKY = Budget.approximate(0.25, 0.01)


def worst(make, prices, gain, may):
    """The largest mean of `gain(releases, loss)` under the data, over adversaries that go on while `may` says so."""
    nothing = (0,) * len(prices)
    after = {nothing: make()}  # by how many of each price were spent

    @functools.cache
    def value(counts, heads):
        """After `heads` more answers for the data than against them, for each price."""
        releases = after[counts]
        best = gain(releases, mpmath.fsum(n * mpf(price.epsilon) for n, price in zip(heads, prices, strict=True)))
        for i, price in enumerate(prices):
            if may(releases, price, sum(counts)):
                more, lie = moved(counts, i, 1), 1 / (1 + mpmath.exp(mpf(price.epsilon)))
                leak = price.parameters.get("delta", 0)
                if more not in after:
                    after[more] = copy.deepcopy(releases)
                    after[more].spend(price)
                answers = (1 - lie) * value(more, moved(heads, i, 1)) + lie * value(more, moved(heads, i, -1))
                best = max(best, leak * gain(after[more], inf) + (1 - leak) * answers if leak else answers)
        return best

    with mpmath.workdps(30):
        return value(nothing, nothing)


def moved(numbers, i, by):
    return tuple(n + by * (j == i) for j, n in enumerate(numbers))


def admitted(releases, price, count):
    return releases.admits(price)


def excess(epsilon):
    """What delta is at epsilon, as a mean under the data."""
    return lambda releases, loss: max(1 - mpmath.exp(mpf(epsilon) - loss), 0)


def moment(order):
    return lambda releases, loss: mpmath.exp((order - 1) * loss)


FILTERS = {  # the filter, prices, what is measured, and the promise
    "pure": (lambda: PrivacyFilter(Budget.pure(2.0)), (FINE, COARSE), excess(2), 0),
    "approximate": (lambda: PrivacyFilter(Budget.approximate(1.0, 0.02)), (LEAKY, COARSE), excess(1), 0.02),
    "advanced": (lambda: PrivacyFilter(Budget.approximate(1.0, 0.1), 0.1), (FINE, COARSE), excess(1), 0.1),
    "advanced, leaky": (lambda: PrivacyFilter(Budget.approximate(1.0, 0.1), 0.08), (LEAKY, FINE), excess(1), 0.1),
    "zcdp": (lambda: PrivacyFilter(Budget.zcdp(0.4)), (FINE, COARSE), moment(1.5), mpmath.exp(0.5 * 1.5 * 0.4)),
    "zcdp, order 8": (lambda: PrivacyFilter(Budget.zcdp(0.4)), (FINE, COARSE), moment(8), mpmath.exp(7 * 8 * 0.4)),
    "rdp": (lambda: PrivacyFilter(Budget.rdp(3.0, 1.2)), (FINE, COARSE), moment(3), mpmath.exp(2 * 1.2)),
}


def late(self, price):
    """Asks only whether the budget has been passed already."""
    return all(total <= most for total, most in zip(self.spent, self._limit, strict=True))


def dearest(self, price):
    """Has the dearest price in place of the sum."""
    return tuple(map(max, self.spent, filters._cost(price, self._kept)))


def without_delta(self, price):
    return self.spent[0] + filters._cost(price, self._kept)[0], Fraction(0)


def as_bounded_range(kept):
    """The zCDP of mechanisms whose losses lie in an interval of length epsilon."""
    return kept.parameters.get("rho") or kept.epsilon**2 / 8


BROKEN = (  # what is altered, and the filters whose promise an adversary then breaks
    (PrivacyFilter, "admits", late, ("pure", "approximate", "zcdp", "rdp")),
    (PrivacyFilter, "_with", dearest, FILTERS),
    (PrivacyFilter, "_with", without_delta, ("approximate",)),
    (filters, "_rho", as_bounded_range, ("zcdp", "rdp")),
    (filters, "_largest_rho", lambda epsilon, delta: epsilon, ("advanced",)),
)
PAIRS = [(*row[:3], name) for row in BROKEN for name in row[3]]


def few(*asked):
    """A broken filter need not end."""
    return admitted(*asked) and asked[2] < 8


@pytest.mark.parametrize("name", FILTERS)
def test_no_adversary_gets_more_than_a_filter_promises(name):
    make, prices, gain, most = FILTERS[name]
    assert 0 <= worst(make, prices, gain, admitted) <= most


@pytest.mark.parametrize("where, member, broken, name", PAIRS, ids=[f"{row[2].__name__} {row[3]}" for row in PAIRS])
def test_an_adversary_breaks_the_promise_of_a_broken_filter(where, member, broken, name, monkeypatch):
    monkeypatch.setattr(where, member, broken)
    make, prices, gain, most = FILTERS[name]
    assert worst(make, prices, gain, few) > most


def sharp_at_one_time(self):
    """What a zCDP with this divergence implies at a time that was fixed before."""
    ((order, spent),) = self._spent.items()
    return sharp_epsilon_of_zcdp(float(spent / Fraction(order)), self.delta)


def divided_by_the_order(self):
    ((order, spent),) = self._spent.items()
    return float(spent) + math.log(1 / self.delta) / order


READINGS = (  # of the odometer, prices, and whether the promise is kept
    (None, (FINE, COARSE), True),
    (sharp_at_one_time, (COARSE,), False),
    (divided_by_the_order, (FINE, COARSE), False),
)


@pytest.mark.parametrize("reading, prices, kept", READINGS)
def test_the_loss_ever_exceeds_an_odometer_with_probability_delta_at_most(reading, prices, kept, monkeypatch):
    if reading is not None:
        monkeypatch.setattr(PrivacyOdometer, "epsilon", property(reading))

    def exceeds(releases, loss):
        return mpf(loss > releases.epsilon)

    found = worst(lambda: PrivacyOdometer(0.3, [3.0]), prices, exceeds, lambda *asked: asked[2] < 14)
    assert (0.1 < found <= 0.3) if kept else found > 0.3


SPENT = (  # a budget, a price, how often it passes: by hand
    (Budget.pure(1.0), Budget.pure(0.125), 8),
    (Budget.pure(1.0), Mechanism.laplace(8.0), 8),
    (Budget.approximate(1.0, 2.0**-9), Budget.approximate(0.125, 2.0**-10), 2),
    (Budget.zcdp(0.5), Mechanism.gaussian(2.0), 4),
    (Budget.zcdp(0.5), Budget.gdp(0.25), 16),
    (Budget.zcdp(0.5), Budget.pure(0.5), 4),  # 0.5 tanh(0.25) = 0.1225 each
    (Budget.rdp(4.0, 2.0), Budget.zcdp(0.125), 4),
    (Budget.rdp(4.0, 2.0), Budget.rdp(8.0, 0.5), 4),
    (Budget.rdp(2.0, 1.0), Mechanism.randomised_response(0.5), 4),  # log(2 cosh(0.75) / 2 / cosh(0.25)) = 0.2269 each
    (Budget.gdp(1.0), Mechanism.gaussian(2.0), 4),
)


@pytest.mark.parametrize("budget, price, times", SPENT)
def test_a_filter_stops_before_the_budget_is_passed(budget, price, times):
    releases = PrivacyFilter(budget)
    for _ in range(times):
        releases.spend(price)
    assert not releases.admits(price)
    with pytest.raises(InvalidInput, match="what is left of"):
        releases.spend(price)


def test_advanced_composition_lets_more_pass_than_with_uses_that_are_fixed_before():
    """At least as many as the printed bound for k uses, which is no promise for adaptive ones."""
    releases, k = PrivacyFilter(Budget.approximate(1.0, 1e-6), slack=1e-6), 0
    while releases.admits(Budget.pure(0.01)):
        releases.spend(Budget.pure(0.01))
        k += 1
    assert advanced_epsilon(k, 0.01, 1e-6) > 1 and sharp_epsilon_of_zcdp(k * 0.01 * math.tanh(0.005), 1e-6) <= 1


def test_mechanisms_of_different_neighbours_are_not_counted_together():
    flip = Mechanism.randomised_response(0.5)
    for releases in (PrivacyFilter(Budget.rdp(2.0, 9.0)), PrivacyOdometer(1e-6, [2.0])):
        releases.spend(flip.subsampled(0.5))
        with pytest.raises(InvalidInput, match="same neighbours"):
            releases.spend(flip.without_replacement(0.5))
