"""A radius that holds is ok, one that is too small is not; sides are told apart."""

import numpy as np
import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify import check_concentration

N, DELTA = 100, 0.1


def mean_of_coins(count, generator):
    return generator.binomial(N, 0.3, count) / N


def hoeffding(sides):
    return np.sqrt(np.log(sides / DELTA) / (2 * N))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("side", "radius"), [("both", hoeffding(2)), ("above", hoeffding(1)), ("below", hoeffding(1))])
def test_hoeffding_holds_and_half_of_it_does_not(side, radius):
    kept = check_concentration(mean_of_coins, 0.3, radius, DELTA, side=side)
    broken = check_concentration(mean_of_coins, 0.3, radius / 2, DELTA, side=side)
    assert (kept.verdict, broken.verdict) == ("ok", "violation") and kept.tested.startswith("P(")
    assert str(broken).startswith("violation: the radius is left too often")


def test_a_side_that_is_never_left_is_ok():
    def skewed(count, generator):
        return generator.exponential(1.0, count)

    assert check_concentration(skewed, 1.0, 1.0, DELTA, side="below").mean == 0
    assert check_concentration(skewed, 1.0, 1.0, DELTA, side="above").verdict == "violation"  # exp(-2) > 0.1


@pytest.mark.parametrize(("name", "wrong"), [("side", {"side": "left"}), ("delta", {"delta": 1.0})])
def test_bad_input_names_the_parameter(name, wrong):
    with pytest.raises(InvalidInput, match=name):
        check_concentration(mean_of_coins, 0.3, **{"radius": 0.1, "delta": DELTA, **wrong})
