"""The batch formulas of the proof checks against the schedule that the algorithms run, and against plain sums."""

from fractions import Fraction

import pytest

from banditproof.algorithms.batches import GeometricBatches
from banditproof.paper_checks.bernoulli_dp.app_f_regret import f7_batches as steps
from banditproof.paper_checks.bernoulli_dp.facts import batches
from banditproof.theory.numbers.numeric import to_ball
from banditproof.verify.forms.geometric_sums import geometric_sum

RATIOS = [Fraction("1.1"), Fraction(3, 2), Fraction(2), Fraction(7, 3)]


@pytest.mark.parametrize("alpha", RATIOS)
@pytest.mark.parametrize("n0", [1, 4])
def test_the_printed_batches_are_those_the_algorithms_run(alpha, n0):
    schedule = GeometricBatches(alpha, n0)
    assert [batches.batch(alpha, n0, m) for m in range(12)] == [schedule.size(m) for m in range(12)]
    assert [batches.pulls(alpha, n0, m, 1) for m in range(12)] == [schedule.total(m) for m in range(12)]


@pytest.mark.parametrize("alpha", RATIOS)
def test_the_quotient_is_a_geometric_sum(alpha):
    assert [geometric_sum(alpha, m) for m in range(9)] == [sum(alpha**k for k in range(m)) for m in range(9)]


def test_the_ceiling_of_a_ball_contains_the_ceiling():
    assert batches.pulls(to_ball(Fraction(7, 3)), 1, 2) == 4  # of 10/3


def test_the_first_batch_beyond_a_level_is_counted_by_hand():
    # alpha = 3/2, n_0 = 1: n = 1, 3, 5, 9, 14
    assert steps.pulls_before_the_tail(Fraction(3, 2), 1, Fraction(6)) == (8, "<=", 9)
    assert steps.pulls_before_the_tail(Fraction(3, 2), 1, Fraction(1, 2)) == (0, "<=", Fraction(3, 4))


def test_the_level_of_step_38_is_where_the_logarithm_is_the_batch_number(relation):
    alpha, n0, m = Fraction(3, 2), 2, 5
    level = n0 * geometric_sum(alpha, m) + Fraction(1, 7)
    ratio = (alpha - 1) * level / n0 + 1
    assert alpha**m <= ratio < alpha ** (m + 1)
    left, _, right = relation("BDP-TF.7/38")(alpha, n0, m, Fraction(1, 7))
    assert left == sum(GeometricBatches(alpha, n0).size(k + 1) for k in range(m + 1))
    assert right == alpha**2 * level + alpha * n0 + 1
