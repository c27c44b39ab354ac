"""Where the best arm always pays, every other mean is infinitely far, be it dyadic or not."""

from fractions import Fraction

import pytest

from banditproof.theory import Budget, regret_upper_bound


@pytest.mark.parametrize("mean", [Fraction(3, 10), Fraction(1, 3), Fraction(7, 10)])
def test_the_bound_by_episodes_is_that_of_a_dyadic_mean_next_to_it(mean):
    dyadic = Fraction(round(mean * 2**40), 2**40)
    bounds = [regret_upper_bound("AdaP-KLUCB", [1, m], 10**5, Budget.pure(1.0)) for m in (mean, dyadic)]
    found, near = (float(bound["episode by episode"].value.upper) for bound in bounds)
    assert found < 1000 and abs(found - near) < 1e-6
