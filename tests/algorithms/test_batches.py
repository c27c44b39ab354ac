from fractions import Fraction
from itertools import islice
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.algorithms.batches import LONGEST_BATCH, GeometricBatches, PolynomialBatches
from banditproof.theory.errors import InvalidInput

ratios = st.fractions(min_value=Fraction(101, 100), max_value=10, max_denominator=1000)


def test_ratio_one_and_a_half_gives_the_reference_sizes():
    schedule = GeometricBatches("1.5", 1)
    assert [schedule.size(m) for m in range(10)] == [1, 2, 2, 4, 5, 7, 12, 17, 25, 39]


def test_ratio_one_point_one_gives_the_reference_totals():
    schedule = GeometricBatches("1.1", 1)
    assert [schedule.total(m) for m in range(12)] == [1, 3, 4, 5, 7, 8, 10, 12, 14, 16, 19, 22]


def test_an_integer_ratio_gives_exact_powers():
    assert [GeometricBatches(3, 7).size(m) for m in range(6)] == [7 * 3**m for m in range(6)]


def test_ceilings_in_floating_point_belong_to_another_schedule():
    alpha, n0, m = 1.2, 5, 1
    assert ceil(n0 * (alpha ** (m + 1) - 1) / (alpha - 1)) == 12
    assert GeometricBatches("1.2", 5).total(1) == 5 + 6 == 11


@settings(deadline=None)
@given(alpha=ratios, n0=st.integers(1, 50), m=st.integers(0, 60))
def test_the_total_is_the_smallest_integer_not_below_the_geometric_sum(alpha, n0, m):
    exact = n0 * sum(alpha**k for k in range(m + 1))
    assert 0 <= GeometricBatches(alpha, n0).total(m) - exact < 1


@settings(deadline=None)
@given(alpha=ratios, n0=st.integers(1, 50), m=st.integers(0, 60))
def test_every_batch_is_at_least_the_floor_of_n0_alpha_to_the_m(alpha, n0, m):
    assert GeometricBatches(alpha, n0).size(m) >= int(n0 * alpha**m) >= 1


schedules = st.one_of(
    st.builds(GeometricBatches, ratios, st.integers(1, 50)), st.builds(PolynomialBatches, st.integers(0, 4))
)


@settings(deadline=None)
@given(schedule=schedules)
def test_the_running_totals_are_the_totals_one_by_one(schedule):
    assert list(islice(schedule.totals(), 30)) == [schedule.total(m) for m in range(30)]


@settings(deadline=None)
@given(schedule=schedules, horizon=st.integers(1, 300))
def test_sizes_until_a_horizon_stop_at_the_batch_that_reaches_it(schedule, horizon):
    sizes = schedule.sizes_until(horizon)
    assert sizes.dtype == np.int64
    assert sizes.tolist() == [schedule.size(m) for m in range(sizes.size)]
    assert sizes[:-1].sum() < horizon <= sizes.sum()


def test_a_batch_longer_than_any_run_is_cut_so_that_clocks_do_not_overflow():
    assert GeometricBatches(10**30).sizes_until(2).tolist() == [1, LONGEST_BATCH]
    assert np.int64(LONGEST_BATCH) + np.int64(LONGEST_BATCH) > 0


def test_polynomial_batches_are_powers_and_power_zero_is_one_pull_at_a_time():
    assert [PolynomialBatches(2).size(m) for m in range(5)] == [1, 4, 9, 16, 25]
    assert [PolynomialBatches(0).size(m) for m in range(5)] == [1, 1, 1, 1, 1]


def test_the_ratio_may_be_written_as_decimal_fraction_or_whole_number():
    assert GeometricBatches("1.5") == GeometricBatches(Fraction(3, 2))
    assert GeometricBatches(2) == GeometricBatches(2.0) == GeometricBatches("2") == GeometricBatches(np.int64(2))


def test_there_is_no_batch_before_the_first_and_no_horizon_below_one():
    schedule = GeometricBatches(2)
    assert schedule.total(-1) == 0
    with pytest.raises(InvalidInput, match="m must"):
        schedule.size(-1)
    with pytest.raises(InvalidInput, match="horizon"):
        schedule.sizes_until(0)
