"""The worst-case regret over intervals of means: known values, random means inside, and certificates."""

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

from banditproof.theory import MinimaxOverMeans, exact_minimax_regret, minimax_regret_over_means
from banditproof.theory.exact import checker
from banditproof.theory.exact.over_means import largest_regret

UNIT = [(0, 1), (0, 1)]


@pytest.mark.parametrize(("ratio", "horizon"), [(1, 3), (2, 2), ("inf", 3), ("inf", 4), (20, 4)])
def test_both_ends_are_close_and_proved(ratio, horizon):
    optimum = minimax_regret_over_means(UNIT, horizon, ratio=ratio)
    assert 0 <= optimum.upper - optimum.lower <= F(1, 1000)
    assert optimum.recheck()
    assert F(optimum.value.lower) <= optimum.lower and optimum.upper <= F(optimum.value.upper)


def test_without_information_every_round_costs_half():
    assert minimax_regret_over_means(UNIT, 4, 0).lower == 2


def test_without_privacy_and_with_two_rounds_it_is_solved_by_hand():
    # The second round repeats a success and leaves a failure: regret gap (1/2 + (1 - gap)/2), largest at gap = 1.
    optimum = minimax_regret_over_means(UNIT, 2, "inf")
    assert optimum.lower == optimum.upper == F(1, 2)


def test_one_point_is_the_value_of_one_instance():
    point = minimax_regret_over_means([("3/4", "3/4"), ("1/4", "1/4")], 2, ratio=2)
    assert point.lower == point.upper == exact_minimax_regret([["3/4", "1/4"]], 2, ratio=2).upper == 0


@pytest.mark.parametrize("box", [UNIT, [("1/4", "1/2"), ("1/3", 1)]], ids=["unit", "uneven"])
def test_no_means_in_the_box_cost_more_and_some_cost_almost_as_much(box):
    optimum = minimax_regret_over_means(box, 3, ratio=3)

    def regret(means):  # by the definition, at one instance
        policy, budget = optimum.above.policy, optimum.above.ratios[0]
        return checker.largest_loss([means], 3, "regret", budget, F(0), policy)

    draws = np.random.default_rng(0).random((200, 2))
    for draw in draws:
        means = tuple(low + F(x) * (high - low) for x, (low, high) in zip(draw, optimum.box, strict=True))
        assert regret(means) <= optimum.upper
    assert optimum.upper - F(1, 1000) <= regret(optimum.worst) <= optimum.upper


def test_the_worst_regret_of_always_the_first_arm():
    first = {((0,) * 3, rewards): F(1) for rewards in [(0, 0), (0, 1), (1, 0), (1, 1)]}
    assert largest_regret(((F(0), F(1)),) * 2, 3, first, F(3)) == (3, 3, (0, 1))


def test_three_arms():
    optimum = minimax_regret_over_means([(0, 1)] * 3, 2, ratio=4, tolerance="1/100")
    sure = exact_minimax_regret([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 2, ratio=4)
    assert optimum.recheck() and optimum.lower >= sure.lower


@pytest.mark.parametrize("change", ["lower", "upper", "box", "above", "below"])
def test_an_altered_result_is_rejected(change):
    optimum = minimax_regret_over_means([("1/4", "3/4")] * 2, 3, ratio="inf")
    other = minimax_regret_over_means([("1/4", "3/4")] * 2, 3, ratio=2)
    altered = {
        "lower": replace(optimum, lower=optimum.lower + F(1, 10**6)),
        "upper": replace(optimum, upper=optimum.upper - F(1, 100)),
        "box": replace(optimum, box=((F(0), F(1)),) * 2),
        "above": replace(optimum, above=other.above),
        "below": replace(optimum, below=other.below),
    }[change]
    assert isinstance(altered, MinimaxOverMeans) and optimum.recheck() and not altered.recheck()
