"""What d_epsilon forces of linear bandits: against arms of their own, and against the constant."""

import math

import numpy as np
import pytest

from banditproof.theory import Gaussian, linear_regret_alternatives, linear_regret_constant


def instance(seed, count, dimension):
    random = np.random.default_rng(seed)
    return random.standard_normal((count, dimension)).round(2).tolist(), random.standard_normal(dimension).round(
        2
    ).tolist()


@pytest.mark.parametrize("epsilon", ["1/100", "1/2", 3])
def test_independent_actions_are_arms_of_their_own(epsilon):
    found = linear_regret_alternatives(np.eye(4).tolist(), [2, "7/4", 1, 0], epsilon)
    each = [float(gap) / float(Gaussian(0).d_epsilon(Gaussian(gap), epsilon)) for gap in (0.25, 1, 2)]
    assert found.recheck() and float(found.value) == pytest.approx(sum(each), rel=1e-9)


@pytest.mark.parametrize(("seed", "count", "dimension"), [(1, 5, 2), (2, 8, 3), (3, 20, 4)])
def test_without_privacy_it_is_the_constant_and_it_grows_as_the_budget_shrinks(seed, count, dimension):
    actions, theta = instance(seed, count, dimension)
    free, known = (
        make(actions, theta, math.inf).value for make in (linear_regret_alternatives, linear_regret_constant)
    )
    assert free.lower <= known.upper and float(free) == pytest.approx(float(known), rel=1e-5)
    bounds = [linear_regret_alternatives(actions, theta, e).value for e in ("10", "1", "0.1", "0.01")]
    assert all(one.lower <= more.upper * (1 + 10**-4) for one, more in zip([free, *bounds], bounds, strict=False))
    for epsilon, found in zip(("1", "0.1"), bounds[1:], strict=False):
        assert found.lower >= linear_regret_constant(actions, theta, epsilon, ratio="bases").value.lower


def test_with_one_direction_left_the_smallest_change_is_the_cheapest():
    """Modulo the best action the others are 1 and 1/2: a change of 1/2 makes the first tie, and costs least."""
    found = linear_regret_alternatives([[1, 0], ["1/2", 1], ["1/4", "1/2"]], [1, 0], "1/5")
    whole, half = (float(Gaussian(0).d_epsilon(Gaussian(x), "1/5")) for x in ("1/2", "1/4"))
    assert float(found.value) == pytest.approx(min(0.5 / whole, 0.75 / half), rel=1e-9)


def test_a_hundred_actions_are_quick_and_one_is_nothing():
    actions, theta = instance(0, 100, 5)
    assert linear_regret_alternatives(actions, theta, "0.1").recheck()
    nothing = linear_regret_alternatives([[1], [-1], ["1/2"]], [1], 1)
    assert nothing.value.upper == 0 and nothing.recheck()
