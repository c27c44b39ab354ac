"""What is no number, or out of range, at every door of the accountant, the filters and sensitivities."""

from math import inf, nan

import numpy as np
import pytest

from banditproof.theory import (
    Accountant,
    Budget,
    Mechanism,
    PrivacyFilter,
    PrivacyOdometer,
    least_noise,
    sensitivity,
    statistics,
)
from banditproof.theory.errors import InvalidInput

LAPLACE, NORMAL, MEAN = Mechanism.laplace(1.0), Mechanism.gaussian(1.0), statistics.mean()
VALUES = (-1, 0, 1, 1.5, nan, inf, np.float64("nan"), "x", None, True, [1.0])
DOORS = {  # what is called with each value, and the values that are let in
    "rate": (NORMAL.subsampled, [1]),
    "rate of a fixed size": (NORMAL.without_replacement, [1]),
    "epsilon": (Accountant(LAPLACE).delta, [0, 1, 1.5]),
    "epsilon of normal noise": (Accountant(NORMAL).delta, [0, 1, 1.5]),
    "delta": (Accountant(LAPLACE).epsilon, [0, 1]),
    "delta of normal noise": (Accountant(NORMAL).epsilon, [0, 1]),
    "order": (Accountant(LAPLACE).renyi, [1.5]),
    "order of normal noise": (Accountant(NORMAL).renyi, [1.5]),
    "count": (lambda x: Accountant((NORMAL, x)), [1]),
    "probability": (lambda x: Mechanism.finite([x, 1], [1, 1]), [0, 1, 1.5]),
    "categories": (lambda x: Mechanism.randomised_response(1.0, x), []),
    "steps": (lambda x: Mechanism.geometric(1.0, x), [1]),
    "delta of the least noise": (lambda x: least_noise(Mechanism.laplace, 1.0, x), []),
    "share of the least noise": (lambda x: least_noise(Mechanism.laplace, 1.0, 0.1, share=x), []),
    "budget of a filter": (lambda x: PrivacyFilter(Budget.zcdp(x)), [1, 1.5]),
    "order of a filter": (lambda x: PrivacyFilter(Budget.rdp(x, 1.0)), [1.5]),
    "slack": (lambda x: PrivacyFilter(Budget.approximate(1.0, 0.01), x), [None]),
    "filter": (PrivacyFilter, []),
    "price": (PrivacyFilter(Budget.pure(1.0)).admits, []),
    "delta of an odometer": (PrivacyOdometer, []),
    "order of an odometer": (lambda x: PrivacyOdometer(0.1, [x]), [1.5]),
    "price of an odometer": (PrivacyOdometer(0.1).spend, []),
    "n": (lambda x: sensitivity(MEAN, (0, 1), n=x), [1, None]),
    "lower end": (lambda x: sensitivity(MEAN, (x, 2), n=3), [-1, 0, 1, 1.5]),
    "statistic": (lambda x: sensitivity(x, (0, 1), n=3), []),
    "norm": (lambda x: sensitivity(MEAN, (0, 1), norm=x), []),
    "neighbours": (lambda x: sensitivity(MEAN, (0, 1), neighbours=x), []),
    "map": (statistics.total, [None]),
    "map of a mean": (statistics.mean, [None]),
    "weight": (statistics.weighted_sum, []),
    "categories of a map": (statistics.one_hot, [1]),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_value_has_the_right_limit_or_one_clear_error(door):
    call, let_in = DOORS[door]
    for value in VALUES:
        if any(value is one for one in let_in):
            call(value)
        else:
            with pytest.raises(InvalidInput):
                call(value)


def test_limits_of_the_ranges_are_right():
    """At delta 1 nothing is spent, at delta 0 the largest loss; the mean of one number moves by its range."""
    assert float(Accountant(LAPLACE).epsilon(0)) == 1 and Accountant(LAPLACE).epsilon(1).upper == 0
    assert Accountant(NORMAL).epsilon(0).lower == inf and Accountant(NORMAL).epsilon(1).upper == 0
    assert sensitivity(MEAN, (0, 1), n=1).upper == 1
