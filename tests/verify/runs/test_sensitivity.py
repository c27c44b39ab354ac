"""The largest change that Hypothesis finds is the one known by hand."""

import numpy as np
import pytest

from banditproof.algorithms.batches import GeometricBatches
from banditproof.algorithms.finite.dp_index import DPIMED
from banditproof.theory.errors import InvalidInput
from banditproof.theory.privacy.budget import Budget
from banditproof.verify.runs.planted import PLANTED, Bug, plant
from banditproof.verify.runs.sensitivity import check_sensitivity, largest_change


@pytest.mark.parametrize(
    ("function", "largest"),
    [
        (np.sum, 1.0),
        (np.mean, 0.2),
        (lambda r: 3.0 * r[2], 3.0),
        (lambda r: [r[0], r[0] + r[1]], 2.0),
        (np.cumsum, 5.0),
        (np.max, 1.0),
        (lambda r: 0.5, 0.0),
    ],
)
def test_the_sensitivity_of_a_simple_statistic_is_found(function, largest):
    found = largest_change(function, 5)
    assert found.change == pytest.approx(largest, rel=1e-12)  # rounding of the statistic
    assert sum(r != s for r, s in zip(found.rewards, found.neighbour, strict=True)) <= 1


def test_the_norm_decides_what_a_vector_moves_by():
    assert largest_change(lambda r: [r[0], r[0]], 2, norm="l1").change == 2.0
    assert largest_change(lambda r: [r[0], r[0]], 2, norm="l2").change == pytest.approx(2**0.5)


def test_the_search_is_repeated_by_its_seed():
    assert largest_change(np.var, 4, seed=3) == largest_change(np.var, 4, seed=3)


def maker(policy):
    return lambda noise, generator: policy(2, Budget.pure(1.0), GeometricBatches(2), noise)


def test_algorithm_1_declares_its_sensitivity_rightly():
    assert check_sensitivity(maker(DPIMED), 12) == ()
    assert check_sensitivity(plant(Bug, maker(DPIMED)), 12) == ()


@pytest.mark.parametrize("bug", ["sensitivity wrong", "sensitivity per record", "value scaled up"])
def test_a_sensitivity_declared_too_small_is_found_with_its_release(bug):
    (violation,) = check_sensitivity(plant(PLANTED[bug], maker(DPIMED)), 12)
    assert violation.sensor == "sensitivity" and violation.release is not None
    assert sum(r != s for r, s in zip(violation.rewards, violation.neighbour, strict=True)) == 1


def test_an_unknown_norm_and_an_empty_list_are_refused():
    with pytest.raises(InvalidInput, match="norm"):
        largest_change(np.sum, 3, norm="l7")
    with pytest.raises(InvalidInput, match="horizon"):
        largest_change(np.sum, 0)
