"""The relations behind the checks of characteristic times and sample complexities, against values derived anew."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from scipy.optimize import minimize

from banditproof.claims.seeds import seed_sequence
from banditproof.paper_checks.thesis.ch2_bandits import s2_2_8_best_arm as best_arm
from banditproof.paper_checks.thesis.ch2_bandits import s2_2_9_top_two as top_two
from banditproof.paper_checks.thesis.ch4_lower_bounds import s4_4_best_arm as private
from banditproof.paper_checks.thesis.ch4_lower_bounds.s4_4_strategies import bound_for_two_instances
from banditproof.paper_checks.thesis.facts import best_arm as facts
from banditproof.theory import InvalidInput, to_ball
from banditproof.verify.finite import strategies as bai_strategies
from banditproof.verify.proof.compare import evaluate

THREE = [[Fraction(9, 10), 1], [Fraction(4, 5), 1], [Fraction(1, 2), 1]]
HALF = Fraction(1, 2)


def kl(p, q):
    return sum(a * log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a)


# ------------------------------------------------------------------------------------------------ characteristic times


@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
def test_the_guarantee_of_an_allocation_is_a_minimum_over_alternatives(family):
    time = facts.solved(THREE, family)
    weights = [Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)]
    means = [0.9, 0.8, 0.5]

    def divergence(p, q):
        return kl(p, q) if family == "bernoulli" else (p - q) ** 2 / 2

    def cost(common, arm):
        return 0.5 * divergence(means[0], common) + float(weights[arm]) * divergence(means[arm], common)

    grid = np.linspace(0.5001, 0.8999, 40_001)
    found = min(cost(common, arm) for arm in (1, 2) for common in grid)
    assert float(best_arm.guaranteed(time, weights)) == pytest.approx(found, rel=1e-6)


def test_an_allocation_without_the_best_arm_guarantees_nothing():
    time = facts.solved(THREE)
    assert best_arm.guaranteed(time, [Fraction(0), HALF, HALF]) == 0


# ---------------------------------------------------------------------------------------------------------- both prices


def test_the_prices_of_an_allocation():
    entropy, variation = private.prices_of_an_allocation(THREE, [2, 1, 1])
    common = (0.5 * 0.9 + 0.25 * 0.8) / 0.75
    assert float(variation) == pytest.approx(0.25 * 0.1)
    assert float(entropy) == pytest.approx(0.5 * kl(0.9, common) + 0.25 * kl(0.8, common))


def test_the_regime_of_a_counterexample_is_verified():
    for claim, inside, outside in (
        (private.low_in_the_full_game, Fraction(23, 100), Fraction(21, 100)),
        (private.high_in_the_full_game, Fraction(21, 100), Fraction(23, 100)),
    ):
        (time, _, printed), (other, _, same) = (
            evaluate(claim, {"groups": THREE, "epsilon": epsilon}, {}, True) for epsilon in (inside, outside)
        )
        assert time > printed and other is same


# --------------------------------------------------------------------------------------------------- sample complexity


@pytest.mark.parametrize("delta", [1e-3, 0.1, 0.3, 0.49, 0.8, 0.999])
def test_the_excess_of_the_logarithm(delta):
    ball = facts.excess_of_the_logarithm(to_ball(delta))
    assert float(ball) == pytest.approx(log(1 / delta) - kl(delta, 1 - delta), abs=1e-13)
    assert float(facts.kl_of_risk(to_ball(delta))) == pytest.approx(kl(delta, 1 - delta))


def test_the_excess_encloses_its_limit_at_zero():
    touching = to_ball(0).union(to_ball(0.01))
    ball = facts.excess_of_the_logarithm(touching)
    assert all(ball.contains(facts.excess_of_the_logarithm(to_ball(d))) for d in (1e-9, 1e-4, 0.01))


def test_a_guess_is_delta_correct_iff_delta_is_at_least_one_half():
    facts.guesses_correctly(["guess", 2], HALF)
    with pytest.raises(InvalidInput, match="right with probability"):
        facts.guesses_correctly(["guess", 2], Fraction(49, 100))
    with pytest.raises(InvalidInput, match="right with probability"):
        facts.guesses_correctly(["compare", 1], Fraction(9, 10))


def test_ties_have_no_best_arm():
    with pytest.raises(InvalidInput, match="unique best arm"):
        facts.correct_on(["guess", 2], [[HALF, HALF]])


def test_the_guess_stops_at_the_first_step():
    left, _, right = best_arm.sample_complexity(["guess", 2], [Fraction(3, 4), Fraction(1, 4)], Fraction(9, 10))
    common = 0.5
    assert left == 1 and float(right) == pytest.approx(kl(0.1, 0.9) / kl(0.75, common))


# ----------------------------------------------------------------------------------------------------------- strategies


def test_the_law_of_a_comparison_is_that_of_its_rewards():
    p, q = Fraction(7, 10), Fraction(2, 10)
    law = bai_strategies.output_law(["compare", 2], [p, q])
    chance = Fraction(0)
    for rewards in product((0, 1), repeat=4):
        weight = Fraction(1)
        for t, r in enumerate(rewards):
            mean = (p, q)[t % 2]
            weight *= mean if r else 1 - mean
        lead = rewards[0] + rewards[2] - rewards[1] - rewards[3]
        chance += weight * (HALF if lead == 0 else lead > 0)
    assert law[(0, 1, 0, 1), 0, 4] == chance and sum(law.values()) == 1
    assert bai_strategies.expected_pulls(["compare", 2], [p, q]) == [2, 2]


def test_the_tightest_epsilon_is_a_ratio_over_neighbouring_lists():
    name = ["random", 0, 2, 2]
    rule, worst = bai_strategies.strategy_named(name), Fraction(1)
    for actions in product((0, 1), repeat=2):
        for rewards, others in product(product((0, 1), repeat=2), repeat=2):
            if sum(a != b for a, b in zip(rewards, others, strict=True)) != 1:
                continue

            def mass(r, choice, actions=actions):
                history = tuple(zip(actions, r, strict=True))
                sampled = rule.step(())[actions[0]] * rule.step(history[:1])[actions[1]]
                return sampled * rule.step(history)[-1] * rule.recommendation(history)[choice]

            worst = max(worst, *(mass(rewards, c) / mass(others, c) for c in (0, 1)))
    for action, choice in product((0, 1), repeat=2):
        one, other = (rule.step(((action, r),))[-1] * rule.recommendation(((action, r),))[choice] for r in (0, 1))
        worst = max(worst, one / other, other / one)
    assert bai_strategies.view_ratio(name) == worst


def test_unknown_strategies_and_infinite_privacy_losses_are_errors():
    with pytest.raises(InvalidInput, match="strategy"):
        bai_strategies.strategy_named(["optimal"])
    with pytest.raises(InvalidInput, match="finite privacy loss"):
        bai_strategies.view_ratio(["compare", 1])


# ------------------------------------------------------------------------------------------------------------- Top Two


def test_the_likelihood_of_an_arm_being_best_is_a_constrained_maximum():
    pulls, ones = (4, 3), (1, 2)

    def negative(means):
        return -sum(s * log(m) + (n - s) * log(1 - m) for n, s, m in zip(pulls, ones, means, strict=True))

    constraint = {"type": "ineq", "fun": lambda m: m[0] - m[1]}
    minimum = minimize(negative, [0.6, 0.4], bounds=[(0.01, 0.99)] * 2, constraints=[constraint])
    left, _, right = top_two.empirical_best(4, 1, 3, 2, 1)
    assert float(left) == pytest.approx(-minimum.fun, abs=1e-6)
    assert float(right) == pytest.approx(-negative((0.25, 2 / 3)))


def test_the_ratio_statistic_is_the_constrained_least_squares_of_three_arms():
    pulls, means = np.array([3.0, 5.0, 2.0]), np.array([0.9, 0.6, 0.4])

    def ratio(lam):
        return float((pulls * (means - lam) ** 2).sum() / 2)

    least = min(
        minimize(ratio, means, constraints=[{"type": "ineq", "fun": lambda lam, b=b: lam[b] - lam[0]}]).fun
        for b in (1, 2)
    )
    means_of = [Fraction(9, 10), Fraction(3, 5), Fraction(2, 5)]
    left, _, _ = top_two.several_arms_ratio([3, 5, 2], means_of, means_of)
    assert float(left) == pytest.approx(least, rel=1e-5)


def test_tracking_follows_its_rule_step_by_step():
    assert top_two.tracking(HALF, 5) == [HALF, 1, HALF, 1, HALF]
    assert top_two.tracking(Fraction(0), 3) == [1, 1, 1] and top_two.tracking(Fraction(1), 3) == [0, 0, 0]


def test_equal_gaps_have_the_stated_ratio():
    for arms in (2, 5, 401):
        groups = [[Fraction(1), 1], [Fraction(0), arms - 1]]
        half = float(facts.value(groups, "gaussian", beta=HALF))
        ratio = half / float(facts.value(groups, "gaussian"))
        assert ratio == pytest.approx(2 * arms / (1 + sqrt(arms - 1)) ** 2)


def test_stopping_times_of_ttucb_grow_with_the_logarithm_of_the_risk():
    means = top_two.run_ttucb(seed_sequence(1, "test"), 20)["mean"]
    growth = np.diff(means) / np.diff(top_two.LOG_RISKS)
    assert np.all(np.diff(means) > 0) and 8 < growth[-1] < 16


def test_the_test_on_randomised_responses_takes_the_time_of_its_random_walk():
    p, epsilon, lead = Fraction(3, 4), Fraction(1), 3
    q = 0.75 - 0.5 / (1 + np.exp(1))
    inner = range(1 - lead, lead)
    steps = np.array([[q if j == i + 1 else 1 - q if j == i - 1 else 0 for j in inner] for i in inner])
    left = np.linalg.inv(np.eye(len(steps)) - steps)[lead - 1]
    bound, _, time = bound_for_two_instances(p, epsilon, lead)
    assert float(time) == pytest.approx(left.sum())
    assert float(bound) == pytest.approx(log(1 / (3 * left[0] * (1 - q))) / min(kl(0.75, 0.25), 0.5))
