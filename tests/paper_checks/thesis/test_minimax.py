"""The relations behind the checks of the minimax bounds, against values found another way."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import norm

from banditproof.paper_checks.shared import two_environments
from banditproof.paper_checks.thesis.ch2_bandits.s2_2_6_minimax import bayes_regret, value_over_policies
from banditproof.paper_checks.thesis.ch4_lower_bounds import s4_3_1_linear_minimax as linear
from banditproof.paper_checks.thesis.ch4_lower_bounds import s4_3_1_minimax as minimax
from banditproof.paper_checks.thesis.ch4_lower_bounds import s4_3_2_zcdp as zcdp
from banditproof.paper_checks.thesis.facts import environments
from banditproof.theory import to_ball

STAY = ["response", Fraction(9), 2, 2]


@pytest.mark.parametrize("gap", ["0.001", "0.3", "1", "2"])
def test_the_ratio_of_variation_and_gap_is_that_of_the_normal_law(gap):
    ratio = environments.variation_over_gap(to_ball(gap), 1)[0]
    assert float(ratio) == pytest.approx((2 * norm.cdf(float(gap)) - 1) / float(gap), rel=1e-12)


def test_the_slope_of_the_variation_at_zero_is_twice_the_normal_density():
    assert float(environments.variation_over_gap(to_ball(0), 1)[0]) == pytest.approx(2 * norm.pdf(0), rel=1e-12)


def test_squares_of_the_coupled_distance_are_those_counted_by_hand():
    """Two rounds of win-stay, lose-shift (9 : 1), last arm 1/2 against 0, first arm always 1: t = 1/2.

    Last arm first and reward 1 (1/4): it is played again with 0.9, E[d^2] = 0.9 (4 + 1)/2 + 0.1, E[N^2] = 3.7, E[N] =
    1.9; reward 0 (1/4): again with 0.1, 0.05, 1.3, 1.1; first arm first (1/2): 0.05, 0.1, 0.1.
    """
    distance = Fraction("2.35") / 4 + Fraction("0.05") / 4 + Fraction("0.05") / 2
    square = (Fraction("3.7") + Fraction("1.3")) / 4 + Fraction("0.1") / 2
    pulls = (Fraction("1.9") + Fraction("1.1")) / 4 + Fraction("0.1") / 2
    means = Fraction(1, 2), Fraction(0)
    assert zcdp.expected_square_distance_of_rewards(STAY, *means) == distance
    assert zcdp.expected_square_of_pulls(STAY, *means) == square
    assert zcdp.expected_pulls_of_the_last_arm(STAY, *means) == pulls
    assert distance > (square + pulls) / 4


def test_bretagnolle_huber_holds_on_random_pairs(every_point):
    for p, q in np.random.default_rng(3).uniform(0.01, 0.99, (25 if every_point else 6, 2)):
        kl = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
        left, _, right = environments.bretagnolle_huber(to_ball(p), to_ball(q), to_ball("0.5"))
        assert float(left) == pytest.approx(-kl, abs=1e-12)
        assert float(right) == pytest.approx(math.log(2 * (p + 1 - q)), abs=1e-12)
        assert p + 1 - q >= math.exp(-kl) / 2


def test_the_illustration_compares_450_with_368_and_a_half():
    left, _, right = minimax.illustration(to_ball("0.01"), 10**6, 100)
    printed = (99 / 22 / 0.01) ** 2, 99e6 / 27**2
    assert printed[0] == pytest.approx(450**2) and math.sqrt(printed[1]) == pytest.approx(368.51, abs=0.01)
    assert float(to_ball(left) / to_ball(right)) == pytest.approx(printed[0] / printed[1], rel=1e-12)


def test_terms_of_the_two_regimes_are_those_of_the_theorem():
    private, free = minimax.terms(4000, 11, to_ball("0.7"))
    epsilon = 0.7 * math.sqrt(10 / 4000)
    assert float(private) == pytest.approx(10 / 22 / epsilon)
    assert float(free) == pytest.approx(math.sqrt(40_000) / 27)


def test_testing_steps_hold_with_the_half_on_every_short_sequence():
    values = [Fraction(v) for v in ("-1", "-1/2", "0", "1/2", "1")]
    for horizon in (1, 2, 3):
        for actions in itertools.product(values, repeat=horizon):
            for relation in (linear.markov, linear.regret_to_testing):
                left, _, right = relation(actions)
                assert left >= Fraction(right, 2)
            regret = sum((1 - a) for a in actions) / horizon
            assert linear.regret_to_testing(actions)[0] == regret


def test_the_bayes_regret_is_the_best_of_all_deterministic_policies():
    pair = two_environments.means(2, Fraction(1, 4), False), two_environments.means(2, Fraction(1, 4), True)
    half = Fraction(1, 2)

    def average(first, after):
        """First arm, then the arm after reward 0 and after reward 1."""
        total = Fraction(0)
        for means in pair:
            gaps = [max(means) - m for m in means]
            second = means[first] * gaps[after[1]] + (1 - means[first]) * gaps[after[0]]
            total += half * (gaps[first] + second)
        return total

    best = min(average(first, after) for first in (0, 1) for after in itertools.product((0, 1), repeat=2))
    assert bayes_regret(pair, 2, (half, half)) == best


@pytest.mark.parametrize("odds", [None, Fraction(3), Fraction(1)])
def test_the_value_of_the_two_environment_game_is_that_of_a_linear_program(odds):
    """Variables: the law of the first arm, the joint law of both arms for each reward, and the value."""
    gap = Fraction(1, 4)
    pair = two_environments.means(2, gap, False), two_environments.means(2, gap, True)
    cells = list(itertools.product((0, 1), repeat=3))  # (reward, first arm, second arm)
    above, equal = [], [[1.0, 1.0] + [0.0] * 9]
    for means in pair:
        loss = [float(max(means) - m) for m in means]
        likely = [[float(1 - means[a]), float(means[a])] for a in (0, 1)]
        above.append([loss[0], loss[1], *(likely[a][r] * loss[b] for r, a, b in cells), -1.0])
    for r, a in itertools.product((0, 1), repeat=2):
        equal.append([-float(a == k) for k in (0, 1)] + [float(c[:2] == (r, a)) for c in cells] + [0.0])
    for r, a, b in cells if odds is not None else ():
        above.append([0.0, 0.0, *(float(c == (r, a, b)) - float(odds) * (c == (1 - r, a, b)) for c in cells), 0.0])
    solved = linprog([0.0] * 10 + [1.0], A_ub=above, b_ub=[0.0] * len(above), A_eq=equal, b_eq=[1.0] + [0.0] * 4)
    relation = value_over_policies if odds is None else minimax.value_over_private_policies
    value, _, dual = relation(gap) if odds is None else relation(gap, odds)
    assert float(value) == pytest.approx(solved.fun) and value == dual


def test_regret_of_uniform_play_is_attained_with_all_other_means_at_the_bottom():
    for means in itertools.product((0, Fraction(1, 2), 1), repeat=3):
        regret = 5 * (max(means) - Fraction(sum(means), 3))
        assert regret <= Fraction(10, 3)
    assert float(environments.worst_regret("uniform", 5, 3, 1)) == pytest.approx(10 / 3)
    assert environments.worst_regret("uniform", 5, 1, math.inf) == 0
