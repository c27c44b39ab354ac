"""The oracles of the checks on UCB, follow the leader and explore then commit, by second routes."""

import itertools
from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest

from banditproof.algorithms.environment import BernoulliBandit, GaussianBandit
from banditproof.algorithms.finite.index import UCB, ExploreThenCommit, FollowTheLeader
from banditproof.algorithms.run.simulator import simulate
from banditproof.paper_checks.thesis.ch2_bandits import s2_2_5_first_policies as first_policies
from banditproof.paper_checks.thesis.ch2_bandits.facts import exact_regret


def test_the_exact_regret_of_a_policy_is_its_mean_regret_in_simulation():
    means, horizon, runs = (0.7, 0.2), 8, 40_000
    exact = float(exact_regret("UCB", (Fraction(7, 10), Fraction(1, 5)), horizon))
    run = simulate(
        UCB(2, horizon=horizon, replications=runs), BernoulliBandit(means), horizon, np.random.default_rng(0)
    )
    error = run.regret[:, 0].std() / sqrt(runs)
    assert abs(run.regret[:, 0].mean() - exact) < 6 * error


def test_the_transcript_breaks_ties_to_the_lowest_arm():
    assert first_policies.literal_ucb((1, 1, 0), 2, 1, lambda t: 0) == [0, 1, 0]
    assert first_policies.literal_ucb((0, 1, 1, 1), 2, 1, lambda t: 0) == [0, 1, 1, 1]
    assert first_policies.literal_ucb((1, 0, 0, 0, 0, 0), 2, 2, lambda t: 0) == [0, 1, 0, 1, 0, 0]


def test_follow_the_leader_leaves_a_better_arm_for_ever_as_often_as_said():
    best, other, horizon, runs = 0.75, 0.5, 400, 20_000
    run = simulate(
        FollowTheLeader(2, replications=runs), BernoulliBandit([best, other]), horizon, np.random.default_rng(1)
    )
    never_again = (run.pulls[:, 0] == 1).mean()
    assert never_again >= (1 - best) * other - 6 * sqrt(0.25 / runs)


def test_the_worse_arm_wins_as_often_as_two_binomial_variables_say():
    from scipy.stats import binom

    p, q, m = 0.6, 0.3, 3
    for ties in (0, 1):
        pairs = ((k, j) for k, j in itertools.product(range(m + 1), repeat=2) if k >= j + 1 - ties)
        wrong = sum(binom.pmf(k, m, q) * binom.pmf(j, m, p) for k, j in pairs)
        assert first_policies.wrong_commitment(p, q, m, ties) == pytest.approx(wrong, rel=1e-12)


def test_explore_then_commit_on_normal_arms_commits_wrongly_as_often_as_phi_says():
    from scipy.stats import binomtest, norm

    gap, m, runs = 0.5, 7, 20_000
    policy = ExploreThenCommit(2, m, replications=runs)
    run = simulate(policy, GaussianBandit([0.0, -gap]), 100, np.random.default_rng(2))
    wrong = int((run.pulls[:, 1] > m).sum())
    assert binomtest(wrong, runs, norm.cdf(-gap * sqrt(m / 2))).pvalue > 1e-6


def test_the_largest_regret_of_explore_then_commit_bounds_that_of_every_gap(relation):
    from scipy.stats import norm

    for m, horizon in ((10, 1000), (10_000, 10**6)):
        gaps = np.linspace(0, 1, 2001)
        regret = m * gaps + (horizon - 2 * m) * gaps * norm.cdf(-gaps * sqrt(m / 2))
        assert regret.max() <= float(relation("TH-A2.ETC/gaps-needed")(m, horizon)[0])


def test_the_sum_over_all_lists_of_rewards_has_total_weight_one():
    means = (Fraction(1, 3), Fraction(1, 2))
    shifted = tuple(mean + Fraction(1, 7) for mean in means)
    gaps = [exact_regret("ETC, m = 2", pair, 6) for pair in (means, shifted)]
    pulls = [2, 2]
    wrong = sum(
        comb(2, k) * means[0] ** k * (1 - means[0]) ** (2 - k) * comb(2, j) * means[1] ** j * (1 - means[1]) ** (2 - j)
        for k, j in itertools.product(range(3), repeat=2)
        if k >= j
    )
    assert gaps[0] == Fraction(1, 6) * (pulls[0] + 2 * wrong)
