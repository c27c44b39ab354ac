"""The largest change that Hypothesis finds is the one known by hand."""

import numpy as np
import pytest

from banditproof.theory.errors import InvalidInput
from banditproof.verify.runs.sensitivity import largest_change


@pytest.mark.one_in(2)
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


def test_an_unknown_norm_and_an_empty_list_are_refused():
    with pytest.raises(InvalidInput, match="norm"):
        largest_change(np.sum, 3, norm="l7")
    with pytest.raises(InvalidInput, match="horizon"):
        largest_change(np.sum, 0)
